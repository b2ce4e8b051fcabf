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

// Bounds that hold at every door. A door may have narrower ones.
const (
	maxAccountName = 50  // characters   Source: protocol spec 3.2, CreateAccount
	maxEmail       = 200 // characters   the same
	maxSecret      = 256 // bytes        guess: clients send a hash or a password
)

// Login is the proof that a peer knew the secret of an account. It stays good until the process ends; doors keep it no
// longer than their connection.
type Login struct {
	Account store.AccountID
	Name    string // as it was registered
	GM      bool
	Door    string
	Addr    netip.Addr

	Authority move.Authority
}

// Results of a login in metrics.
const (
	resultOK        = "ok"
	resultDenied    = "wrong_password" // or unknown account: the two are never told apart
	resultThrottled = "throttled"
	resultBanned    = "banned"
	resultOnline    = "online"
	resultError     = "error"
)

// CreateAccount registers an account. What names, secrets and addresses look like is the door's rule; here they only
// must not be empty (an email may), too long or hold control characters, and a name must not be of the kind that doors
// vouch for. Errors: ErrAccountsClosed, ErrInvalid, ErrAccountExists, ErrThrottled.
func (h *Hub) CreateAccount(ctx context.Context, p Peer, name, secret, email string) error {
	switch {
	case !h.world.Def().NewCharacters.AllowAccounts:
		return ErrAccountsClosed
	case !printable(name, 1, maxAccountName), !printable(email, 0, maxEmail), len(secret) == 0, len(secret) > maxSecret, vouchedName(name):
		return ErrInvalid
	}
	switch _, err := h.store.Account(ctx, name); {
	case err == nil:
		return ErrAccountExists
	case !errors.Is(err, store.ErrNotFound):
		return fmt.Errorf("create account: %w", err)
	}
	if err := h.mayMake(p); err != nil {
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
	h.known.add(h.remember(&a, secret), time.Now()) // clients log in right after
	h.log.Info("account created", telemetry.FieldAccount, name, telemetry.FieldDoor, p.Door, telemetry.FieldAddr, p.Addr)
	return nil
}

// printable reports whether s is valid UTF-8 of min..max characters, none of them an ASCII control character.
func printable(s string, min, max int) bool {
	for i := range len(s) {
		if s[i] < 0x20 || s[i] == 0x7f {
			return false
		}
	}
	n := utf8.RuneCountInString(s)
	return n >= min && n <= max && utf8.ValidString(s)
}

// Login checks a secret. An account that does not exist costs the same time and gives the same ErrDenied as a wrong
// secret. ErrBanned and ErrOnline come only after the secret was right; with ErrOnline the Login is returned as well,
// for doors that let an account look at its characters while it plays. Other errors: ErrThrottled.
func (h *Hub) Login(ctx context.Context, p Peer, name, secret string) (*Login, error) {
	l, err := h.login(ctx, p, name, secret)
	h.opt.Metrics.Logins.With(result(err)).Inc()
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
		a = &store.Account{} // no secret matches its empty hash
	}
	if err := h.verify(ctx, p, a, secret); err != nil {
		return nil, err
	}
	h.peers.clear(p.key())
	if a.Banned {
		return nil, ErrBanned
	}
	return h.admit(p, a)
}

// admit makes the login of an account whose owner is proven. Errors: ErrOnline, with the login.
func (h *Hub) admit(p Peer, a *store.Account) (*Login, error) {
	l := &Login{Account: a.ID, Name: a.Name, GM: a.GM, Door: p.Door, Addr: p.Addr, Authority: p.Authority}
	h.mu.Lock()
	defer h.mu.Unlock()
	if _, known := h.frozen[a.ID]; !known && a.Frozen { // what this process knows is newer than what was read
		h.frozen[a.ID] = true
	}
	if h.online[a.ID] != nil {
		return l, ErrOnline
	}
	return l, nil
}

func (h *Hub) throttled(p Peer) bool {
	now := time.Now()
	return h.peers.of(p.key(), now) >= h.opt.FailuresPerPeer || h.addrs.of(p.network(), now) >= h.opt.FailuresPerAddr
}

// verify returns nil if secret is that of a. A failure counts against p.
func (h *Hub) verify(ctx context.Context, p Peer, a *store.Account, secret string) error {
	if len(secret) > maxSecret {
		h.fail(p)
		return ErrDenied
	}
	mark := h.remember(a, secret)
	if a.ID != 0 && h.known.of(mark, time.Now()) > 0 {
		return nil
	}
	if err := h.hasher.enter(ctx); err != nil {
		return fmt.Errorf("login: %w", err)
	}
	defer h.hasher.exit()
	if h.throttled(p) { // many at once have passed the first look
		return ErrThrottled
	}
	ok, fresh := h.hasher.verify(a.Secret, secret)
	if !ok {
		h.fail(p)
		return ErrDenied
	}
	if fresh != "" {
		if err := h.store.SetSecret(ctx, a.ID, fresh); err != nil {
			return fmt.Errorf("login: %w", err)
		}
		a.Secret = fresh
		mark = h.remember(a, secret)
	}
	h.known.add(mark, time.Now())
	return nil
}

func (h *Hub) fail(p Peer) {
	now := time.Now()
	h.peers.add(p.key(), now)
	h.addrs.add(p.network(), now)
}

// remember is what the hub keeps of a secret that was right, so that the packets that follow a login and repeat it are
// not hashed again. It says nothing to whoever reads it without the key of the process, and a new hash in the store
// makes another one of the same secret, so a changed secret is forgotten by itself.
func (h *Hub) remember(a *store.Account, secret string) [32]byte {
	mac := hmac.New(sha256.New, h.key[:])
	mac.Write(binary.LittleEndian.AppendUint64(nil, uint64(a.ID)))
	mac.Write(binary.LittleEndian.AppendUint64(nil, uint64(len(a.Secret))))
	mac.Write([]byte(a.Secret))
	mac.Write([]byte(secret))
	return [32]byte(mac.Sum(nil))
}

// ChangeSecret replaces the secret of an account. Each change costs a hash, and another at the next login, so there are
// only a few per account and Options.Window. Errors: ErrInvalid, ErrThrottled.
func (h *Hub) ChangeSecret(ctx context.Context, l *Login, secret string) error {
	if len(secret) == 0 || len(secret) > maxSecret {
		return ErrInvalid
	}
	now := time.Now()
	if h.changers.of(l.Account, now) >= maxChanges {
		return ErrThrottled
	}
	h.changers.add(l.Account, now)
	hash, err := h.hasher.hash(ctx, secret)
	if err == nil {
		err = h.store.SetSecret(ctx, l.Account, hash)
	}
	if err != nil {
		return fmt.Errorf("change secret: %w", err)
	}
	return nil
}

func result(err error) string {
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
