package session

import (
	"context"
	"crypto/hmac"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"fmt"
	"net/netip"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// Maximum lengths of account names, email addresses and secrets for all gateways. A gateway may have lower limits.
const (
	maxAccountName = 50  // maximum length in characters   Source: protocol spec 3.2, CreateAccount
	maxEmail       = 200 // maximum length in characters   Source: protocol spec 3.2, CreateAccount
	maxSecret      = 256 // maximum bytes of a secret (chosen to be longer than any hash or password that clients send)

	maxNameBytes = 4 * maxAccountName // maximum bytes of a name in UTF-8
)

// Login proves that a client knew the secret of an account. It is valid until the process ends; a gateway discards it
// with the connection.
type Login struct {
	Account store.AccountID // account that the client has logged in to
	Name    string          // account name as registered, which may differ in case from the name that the client sent
	GM      bool            // the account belongs to a game master
	Door    string          // door of the connection
	Addr    netip.Addr      // address of the client

	Authority move.Authority // movement authority of the door's players

	proof  [32]byte // digest of the secret, see secretDigest; zero for a login without a secret
	stored string   // hash of the secret as it was stored at the login; empty for a login without a secret
}

// Values of the label result in the metric truestep_logins_total.
const (
	resultOK        = "ok"
	resultDenied    = "wrong_password" // the secret was wrong or the account is unknown
	resultThrottled = "throttled"
	resultOverload  = "overload" // the server was too busy; the client may try again
	resultGone      = "gone"     // the client left while it waited
	resultBanned    = "banned"
	resultUnlisted  = "not_whitelisted"
	resultOnline    = "online"
	resultNoStore   = "store_unavailable" // the database could not be reached; the client may try again
	resultError     = "error"
)

// CreateAccount registers an account. It requires that name and secret are not empty, that no text is too long or has control
// characters, and that the name does not have the form of a LoginWithoutSecret account. Gateways must check any further rule for
// names, secrets and email addresses. ctx must end when the client disconnects, because no account is created for a disconnected
// client. Errors: ErrAccountsClosed, ErrInvalid, ErrAccountExists, AccessError, ErrThrottled, ErrOverloaded, and the error of
// ctx.
func (h *Hub) CreateAccount(ctx context.Context, p Peer, name, secret, email string) error {
	switch {
	case !h.world.Def().NewCharacters.AllowAccounts:
		return ErrAccountsClosed
	case !isPrintable(name, 1, maxAccountName), !isPrintable(email, 0, maxEmail), len(secret) == 0, len(secret) > maxSecret, isTrustedName(name):
		return ErrInvalid
	}
	if err := h.checkNewcomer(ctx, p, name); err != nil {
		return fmt.Errorf("create account: %w", err)
	}
	done, err := h.beginCreation(ctx, name)
	if err != nil {
		return err
	}
	defer done()
	switch _, err := h.store.Account(ctx, name); {
	case err == nil:
		return ErrAccountExists
	case !errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("create account: %w", err)
	}
	if err := h.createAccount(ctx, p, name, secret, email); err != nil {
		return err
	}
	h.failuresByAccount.Clear(p.accountKey(name)) // the failures so far were logins to an account that did not exist
	h.failuresByName.Clear(foldName(name))
	h.known.add(p, name)
	h.log.Info("account created", telemetry.FieldAccount, name, telemetry.FieldDoor, p.Door, telemetry.FieldAddr, p.Addr)
	return nil
}

// checkNewcomer returns an AccessError if the peer may not create an account with that name, because the address or the name
// is banned, or the name is not on the whitelist.
func (h *Hub) checkNewcomer(ctx context.Context, p Peer, name string) error {
	if err := h.loadAccess(ctx); err != nil {
		return err
	}
	if err := h.checkAddr(p.Addr); err != nil {
		return err
	}
	return h.checkName(name, false)
}

// createAccount hashes the secret and stores the account. If the client has disconnected when the hash is ready, no account is stored.
func (h *Hub) createAccount(ctx context.Context, p Peer, name, secret, email string) error {
	if err := h.checkNewAccounts(p); err != nil {
		return err
	}
	var hash string
	var refused error
	err := h.withHasher(ctx, p, name, func() {
		if refused = h.countNewAccount(p); refused == nil {
			hash = h.hasher.hash(secret)
		}
	})
	switch {
	case refused != nil:
		return refused
	case err != nil:
		return fmt.Errorf("create account: %w", err)
	}
	a := store.Account{Name: name, Secret: hash, Email: email, CreatedAt: time.Now()}
	if err = ctx.Err(); err == nil {
		a.ID, err = h.store.CreateAccount(ctx, a)
	}
	if err != nil {
		h.newAccounts.Remove(p.network())
		if errors.Is(err, store.ErrAccountExists) {
			return ErrAccountExists
		}
		return fmt.Errorf("create account: %w", err)
	}
	// Clients log in right after they have created an account. Add the secret to the cache of verified secrets, so that this
	// login need not hash it again.
	h.verifiedSecrets.Add(h.secretDigest(&a, secret), time.Now())
	return nil
}

// beginCreation reserves an account name until done is called. If an account with that name is already being created,
// it first waits until that creation ends. Errors: the error of ctx.
func (h *Hub) beginCreation(ctx context.Context, name string) (done func(), err error) {
	name = foldName(name)
	for {
		h.mu.Lock()
		other := h.creating[name]
		if other == nil {
			mine := make(chan struct{})
			h.creating[name] = mine
			h.mu.Unlock()
			return func() {
				h.mu.Lock()
				delete(h.creating, name)
				h.mu.Unlock()
				close(mine)
			}, nil
		}
		h.mu.Unlock()
		if err := waitFor(ctx, other); err != nil {
			return nil, fmt.Errorf("create account: %w", err)
		}
	}
}

// awaitCreation waits while an account with the given name is being created. Otherwise a login before the end of the
// creation would count as a failed login.
func (h *Hub) awaitCreation(ctx context.Context, name string) error {
	h.mu.Lock()
	other := h.creating[foldName(name)]
	h.mu.Unlock()
	if other == nil {
		return nil
	}
	return waitFor(ctx, other)
}

func waitFor(ctx context.Context, end <-chan struct{}) error {
	select {
	case <-end:
		return nil
	case <-ctx.Done():
		return ctx.Err()
	}
}

// withHasher waits until a hasher is free, that is, until another password may be hashed, and calls f. Errors: ErrOverloaded
// if the queue is full or the wait takes too long, and the error of ctx.
func (h *Hub) withHasher(ctx context.Context, p Peer, name string, f func()) error {
	rank := func() admission.Rank { return h.rank(p, name) }
	work := func() {
		if rank() != admission.RankKnown {
			h.hashedFor.Add(p.network(), time.Now())
		}
		f()
	}
	err := h.hasher.queue.Do(ctx, admission.Request{Door: p.Door, Addr: p.Addr, Spare: spareTime, Rank: rank}, work)
	if errors.Is(err, admission.ErrBusy) {
		return ErrOverloaded
	}
	return err
}

// spareTime is the minimum time that a waiting login must have left before its context ends when it gets a hasher. The time is
// needed to hash the secret and to send the result. A login with less time left is refused, because its client would no longer
// wait for the result.
const spareTime = 500 * time.Millisecond

// rank returns the priority of a login among the logins that wait until their password can be hashed. Logins from known
// addresses have the highest priority.
func (h *Hub) rank(p Peer, name string) admission.Rank {
	now, addr := time.Now(), p.network()
	switch {
	case h.known.hasAddr(p, name, now):
		return admission.RankKnown
	case h.failuresByAddr.Get(addr, now) >= h.opt.FailuresPerAddr:
		return admission.RankFailed
	case !addr.IsLoopback() && h.newAccounts.Get(addr, now) >= manyNew:
		return admission.RankManyAccounts
	case h.hashedFor.Get(addr, now) > 0:
		return admission.RankRecent
	}
	return admission.RankUnknown
}

// isPrintable reports whether s is valid UTF-8, has min..max characters and no ASCII control character.
func isPrintable(s string, min, max int) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7f {
			return false
		}
	}
	n := utf8.RuneCountInString(s)
	return n >= min && n <= max && utf8.ValidString(s)
}

// Login verifies a secret. For a wrong secret and for an account that does not exist it returns the same ErrDenied after the
// same time. A banned address gets ErrBanned for any secret. Only with the correct secret does a client get ErrNotWhitelisted,
// ErrOnline, or the ErrBanned of a banned account. ErrBanned and ErrNotWhitelisted are wrapped in an AccessError. With
// ErrOnline the Login is returned too, for gateways that display the account's characters while one of them is in the world.
// ctx must end when the client disconnects. Other errors: ErrThrottled, ErrOverloaded, and the error of ctx.
func (h *Hub) Login(ctx context.Context, p Peer, name, secret string) (*Login, error) {
	l, err := h.login(ctx, p, name, secret)
	h.opt.Metrics.Logins.With(resultLabel(err)).Inc()
	return l, err
}

func (h *Hub) login(ctx context.Context, p Peer, name, secret string) (*Login, error) {
	if err := h.loadAccess(ctx); err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	if err := h.checkAddr(p.Addr); err != nil {
		return nil, err
	}
	if err := h.awaitCreation(ctx, name); err != nil {
		return nil, fmt.Errorf("login: %w", err)
	}
	if err := h.checkFailures(p, name); err != nil {
		return nil, err
	}
	a, err := h.store.Account(ctx, name)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("login: %w", err)
	}
	if a == nil {
		a = &store.Account{} // no secret matches an empty hash
	}
	proof, err := h.verifySecret(ctx, p, name, a, secret)
	if err != nil {
		return nil, err
	}
	h.failuresByPeer.Clear(p.key())
	h.failuresByAccount.Clear(p.accountKey(name))
	if err := h.checkName(a.Name, a.Banned); err != nil {
		return nil, err
	}
	l, err := h.grantLogin(p, a)
	l.proof = proof
	return l, err
}

// grantLogin returns the login of an authenticated account. It returns the login together with ErrOnline if the account
// is online.
func (h *Hub) grantLogin(p Peer, a *store.Account) (*Login, error) {
	l := &Login{Account: a.ID, Name: a.Name, GM: a.GM, Door: p.Door, Addr: p.Addr, Authority: p.Authority, stored: a.Secret}
	h.mu.Lock()
	defer h.mu.Unlock()
	if v := h.online[a.ID]; v != nil && (!v.disconnected || v.resumption != nil) {
		return l, ErrOnline
	}
	return l, nil
}

// checkFailures returns ErrThrottled if too many logins have failed. It counts failed logins in three ways: (1) on the
// connection; (2) from this address to the account, but not to other accounts, because another player may share the address;
// (3) to the account from all addresses. Above limit (3) the secret is probably being guessed: each network from which the
// account has not logged in before is then allowed one failed login, so that the owner of the account can still log in from
// anywhere.
func (h *Hub) checkFailures(p Peer, name string) error {
	now := time.Now()
	switch {
	case h.failuresByPeer.Get(p.key(), now) >= h.opt.FailuresPerPeer:
		h.opt.Gate.Hold(p.Door, admission.BudgetClient, p.Addr, "")
	case h.failuresByAccount.Get(p.accountKey(name), now) >= h.limits.Load().FailuresPerAccount:
		h.opt.Gate.Hold(p.Door, admission.BudgetAccount, p.Addr, foldName(name))
	case h.failuresByName.Get(foldName(name), now) >= h.limits.Load().FailuresAnywhere && !h.known.hasNetwork(p, name, now) &&
		h.failuresInNetwork.Get(p.networkKey(name), now) > 0:
		h.opt.Gate.Hold(p.Door, admission.BudgetGuessed, p.Addr, foldName(name))
	default:
		return nil
	}
	return ErrThrottled
}

// verifySecret verifies a secret for the account a and returns the digest of the secret. The error is nil if the secret is
// correct. If no account has the name, the parameter a is the zero value. A failed login is counted against the peer p.
func (h *Hub) verifySecret(ctx context.Context, p Peer, name string, a *store.Account, secret string) (digest [32]byte, err error) {
	if len(secret) > maxSecret {
		h.countFailure(p, name)
		return digest, ErrDenied
	}
	digest = h.secretDigest(a, secret)
	if now := time.Now(); a.ID != 0 && (h.verifiedSecrets.Get(digest, now) > 0 || h.proofs.has(a.ID, digest, now)) {
		h.opt.Metrics.Secrets.With("proof").Inc()
		if !h.known.hasAddr(p, name, now) {
			h.known.add(p, name)
		}
		return digest, nil
	}
	var rehash string
	var refused error
	err = h.withHasher(ctx, p, name, func() {
		// Check again: several concurrent attempts may all have passed the first check before any of them was counted as a
		// failed login.
		if refused = h.checkFailures(p, name); refused != nil {
			return
		}
		var ok bool
		if ok, rehash = h.hasher.verify(a.Secret, secret); !ok {
			h.countFailure(p, name)
			refused = ErrDenied
		}
	})
	switch {
	case refused != nil:
		return digest, refused
	case err != nil:
		return digest, fmt.Errorf("login: %w", err)
	}
	if rehash != "" {
		if err := h.store.SetSecret(ctx, a.ID, rehash); err != nil {
			return digest, fmt.Errorf("login: %w", err)
		}
		a.Secret = rehash
		digest = h.secretDigest(a, secret)
	}
	h.verifiedSecrets.Add(digest, time.Now())
	h.known.add(p, name)
	return digest, nil
}

func (h *Hub) countFailure(p Peer, name string) {
	now := time.Now()
	h.failuresByPeer.Add(p.key(), now)
	h.failuresByAccount.Add(p.accountKey(name), now)
	h.failuresByAddr.Add(p.network(), now)
	h.failuresByName.Add(foldName(name), now)
	h.failuresInNetwork.Add(p.networkKey(name), now)
}

// secretDigest returns the digest under which a verified secret is cached, so that repeated logins with the secret need no
// hashing. The digest is an HMAC, with a random key, of the secret and of the hash that is stored for the account. A change
// of the secret changes the stored hash and so invalidates the digest.
func (h *Hub) secretDigest(a *store.Account, secret string) [32]byte {
	mac := hmac.New(sha256.New, h.proofs.key[:])
	mac.Write(binary.LittleEndian.AppendUint64(nil, uint64(a.ID)))
	mac.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(a.Secret))))
	mac.Write([]byte(a.Secret))
	mac.Write([]byte(secret))
	return [32]byte(mac.Sum(nil))
}

// ChangeSecret replaces the secret of an account. Each change costs one hash now and another at the next login, so the
// number of changes per account within Options.Window is limited. Afterwards, CheckSecret accepts the login l, and denies
// other logins of the account. ChangeSecret changes l, so no other goroutine may use l during the call. Errors: ErrInvalid, ErrThrottled.
func (h *Hub) ChangeSecret(ctx context.Context, l *Login, secret string) error {
	if len(secret) == 0 || len(secret) > maxSecret {
		return ErrInvalid
	}
	now := time.Now()
	if h.secretChanges.Get(l.Account, now) >= maxChanges {
		return ErrThrottled
	}
	h.secretChanges.Add(l.Account, now)
	var hash string
	err := h.withHasher(ctx, Peer{Door: l.Door, Addr: l.Addr}, l.Name, func() { hash = h.hasher.hash(secret) })
	if err == nil {
		err = h.store.SetSecret(ctx, l.Account, hash)
	}
	if err != nil {
		return fmt.Errorf("change the secret of the account: %w", err)
	}
	l.stored = hash
	return nil
}

// CheckSecret returns ErrDenied if the secret of the account was replaced after the login, or if the account was
// deleted. A gateway must call it before it lets a login be used on another connection, because a new secret ends the
// access of people who know only the old one. Other errors: those of the store.
func (h *Hub) CheckSecret(ctx context.Context, l *Login) error {
	a, err := h.store.Account(ctx, l.Name)
	switch {
	case errors.Is(err, store.ErrNotFound):
		return ErrDenied
	case err != nil:
		return fmt.Errorf("check the secret of the account: %w", err)
	case a.ID != l.Account || a.Secret != l.stored:
		return ErrDenied
	}
	return nil
}

func resultLabel(err error) string {
	switch {
	case err == nil:
		return resultOK
	case errors.Is(err, ErrDenied):
		return resultDenied
	case errors.Is(err, ErrThrottled):
		return resultThrottled
	case errors.Is(err, ErrOverloaded), errors.Is(err, context.DeadlineExceeded):
		return resultOverload
	case errors.Is(err, context.Canceled):
		return resultGone
	case errors.Is(err, ErrUnavailable):
		return resultNoStore
	case errors.Is(err, ErrBanned):
		return resultBanned
	case errors.Is(err, ErrNotWhitelisted):
		return resultUnlisted
	case errors.Is(err, ErrOnline):
		return resultOnline
	}
	return resultError
}
