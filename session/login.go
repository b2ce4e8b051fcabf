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

	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// Limits at every gateway. A gateway may have lower ones.
const (
	maxAccountName = 50  // characters   Source: protocol spec 3.2, CreateAccount
	maxEmail       = 200 // characters   Source: protocol spec 3.2, CreateAccount
	maxSecret      = 256 // bytes        guess: clients send a hash or a password
)

// Login proves that a peer knew the secret of an account. It is valid until the process ends; gateways keep it no longer than
// the connection.
type Login struct {
	Account store.AccountID
	Name    string // account name as registered, which may differ in case from what the client sent
	GM      bool
	Door    string
	Addr    netip.Addr

	Authority move.Authority
}

// Results of a login in metrics.
const (
	resultOK        = "ok"
	resultDenied    = "wrong_password" // also for an unknown account: the two are never distinguished
	resultThrottled = "throttled"
	resultBanned    = "banned"
	resultOnline    = "online"
	resultError     = "error"
)

// CreateAccount registers an account. Gateways check the form of names, secrets and email addresses; here a name and a secret
// must not be empty, no text may be too long or have control characters, and a name must not have the form of a
// LoginWithoutSecret account. Errors: ErrAccountsClosed, ErrInvalid, ErrAccountExists, ErrThrottled.
func (h *Hub) CreateAccount(ctx context.Context, p Peer, name, secret, email string) error {
	switch {
	case !h.world.Def().NewCharacters.AllowAccounts:
		return ErrAccountsClosed
	case !isPrintable(name, 1, maxAccountName), !isPrintable(email, 0, maxEmail), len(secret) == 0, len(secret) > maxSecret, isTrustedName(name):
		return ErrInvalid
	}
	switch _, err := h.store.Account(ctx, name); {
	case err == nil:
		return ErrAccountExists
	case !errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("create account: %w", err)
	}
	if err := h.countNewAccount(p); err != nil {
		return err
	}
	hash, err := h.hasher.hash(ctx, secret)
	if err != nil {
		return fmt.Errorf("create account: %w", err)
	}
	a := store.Account{Name: name, Secret: hash, Email: email, CreatedAt: time.Now()}
	a.ID, err = h.store.CreateAccount(ctx, a)
	if errors.Is(err, store.ErrAccountExists) {
		return ErrAccountExists
	}
	if err != nil {
		return fmt.Errorf("create account: %w", err)
	}
	h.verifiedSecrets.Add(h.secretDigest(&a, secret), time.Now()) // clients log in right after registering
	h.log.Info("account created", telemetry.FieldAccount, name, telemetry.FieldDoor, p.Door, telemetry.FieldAddr, p.Addr)
	return nil
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

// Login checks a secret. An account that does not exist costs the same time and gives the same ErrDenied as a wrong
// secret. ErrBanned and ErrOnline are returned only for a correct secret; with ErrOnline the Login is returned as well, for
// gateways that show an account its characters while it plays. Other errors: ErrThrottled.
func (h *Hub) Login(ctx context.Context, p Peer, name, secret string) (*Login, error) {
	l, err := h.login(ctx, p, name, secret)
	h.opt.Metrics.Logins.With(resultLabel(err)).Inc()
	return l, err
}

func (h *Hub) login(ctx context.Context, p Peer, name, secret string) (*Login, error) {
	if h.throttled(p) {
		return nil, ErrThrottled
	}
	a, err := h.store.Account(ctx, name)
	if err != nil && !errors.Is(err, store.ErrNotFound) {
		return nil, fmt.Errorf("login: %w", err)
	}
	if a == nil {
		a = &store.Account{} // no secret matches an empty hash
	}
	if err := h.verifySecret(ctx, p, a, secret); err != nil {
		return nil, err
	}
	h.failuresByPeer.Clear(p.key())
	if a.Banned {
		return nil, ErrBanned
	}
	return h.grantLogin(p, a)
}

// grantLogin returns the login of an authenticated account. Errors: ErrOnline, with the login.
func (h *Hub) grantLogin(p Peer, a *store.Account) (*Login, error) {
	l := &Login{Account: a.ID, Name: a.Name, GM: a.GM, Door: p.Door, Addr: p.Addr, Authority: p.Authority}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.frozen[a.ID]; !known && a.Frozen { // a state that this process knows is newer than the stored one
		h.frozen[a.ID] = true
	}
	if h.online[a.ID] != nil {
		return l, ErrOnline
	}
	return l, nil
}

func (h *Hub) throttled(p Peer) bool {
	now := time.Now()
	return h.failuresByPeer.Get(p.key(), now) >= h.opt.FailuresPerPeer || h.failuresByAddr.Get(p.network(), now) >= h.opt.FailuresPerAddr
}

// verifySecret returns nil if secret is that of a. A failure counts against p.
func (h *Hub) verifySecret(ctx context.Context, p Peer, a *store.Account, secret string) error {
	if len(secret) > maxSecret {
		h.countFailure(p)
		return ErrDenied
	}
	digest := h.secretDigest(a, secret)
	if a.ID != 0 && h.verifiedSecrets.Get(digest, time.Now()) > 0 {
		return nil
	}
	if err := h.hasher.acquire(ctx); err != nil {
		return fmt.Errorf("login: %w", err)
	}
	defer h.hasher.release()
	if h.throttled(p) { // check again: concurrent attempts have all passed the first check
		return ErrThrottled
	}
	ok, rehash := h.hasher.verify(a.Secret, secret)
	if !ok {
		h.countFailure(p)
		return ErrDenied
	}
	if rehash != "" {
		if err := h.store.SetSecret(ctx, a.ID, rehash); err != nil {
			return fmt.Errorf("login: %w", err)
		}
		a.Secret = rehash
		digest = h.secretDigest(a, secret)
	}
	h.verifiedSecrets.Add(digest, time.Now())
	return nil
}

func (h *Hub) countFailure(p Peer) {
	now := time.Now()
	h.failuresByPeer.Add(p.key(), now)
	h.failuresByAddr.Add(p.network(), now)
}

// secretDigest returns the key under which a verified secret is cached, so that later packets that repeat it are not hashed
// again. It is an HMAC with a random key of the process. It includes the stored hash, so a changed secret invalidates it.
func (h *Hub) secretDigest(a *store.Account, secret string) [32]byte {
	mac := hmac.New(sha256.New, h.key[:])
	mac.Write(binary.LittleEndian.AppendUint64(nil, uint64(a.ID)))
	mac.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(a.Secret))))
	mac.Write([]byte(a.Secret))
	mac.Write([]byte(secret))
	return [32]byte(mac.Sum(nil))
}

// ChangeSecret replaces the secret of an account. Each change costs a hash, and another at the next login, so the number per
// account and Options.Window is limited. Errors: ErrInvalid, ErrThrottled.
func (h *Hub) ChangeSecret(ctx context.Context, l *Login, secret string) error {
	if len(secret) == 0 || len(secret) > maxSecret {
		return ErrInvalid
	}
	now := time.Now()
	if h.secretChanges.Get(l.Account, now) >= maxChanges {
		return ErrThrottled
	}
	h.secretChanges.Add(l.Account, now)
	hash, err := h.hasher.hash(ctx, secret)
	if err == nil {
		err = h.store.SetSecret(ctx, l.Account, hash)
	}
	if err != nil {
		return fmt.Errorf("change secret: %w", err)
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
	case errors.Is(err, ErrBanned):
		return resultBanned
	case errors.Is(err, ErrOnline):
		return resultOnline
	}
	return resultError
}
