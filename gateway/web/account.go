package web

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"net/http"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/session"
)

// Limits of the secrets that accounts get through this door, in bytes. Those of existing accounts are checked as they come.
const (
	minSecret = 8
	maxSecret = 128
)

// maxLogins is the maximum number of verified logins that wait for the connection with their ticket.
const maxLogins = 4096

// loginTable holds the logins with a secret from the request for a ticket to the connection that uses it: only the first carries the
// secret. Its methods are safe for concurrent use.
type loginTable struct {
	mu sync.Mutex
	by map[ticketNonce]pendingLogin
}

type pendingLogin struct {
	login   *session.Login
	expires time.Time
}

// add stores the login of a ticket until the ticket expires. It returns false if too many are stored.
func (t *loginTable) add(k *ticket, l *session.Login, now time.Time) bool {
	t.mu.Lock()
	defer t.mu.Unlock()
	if len(t.by) >= maxLogins {
		for n, p := range t.by {
			if !now.Before(p.expires) {
				delete(t.by, n)
			}
		}
		if len(t.by) >= maxLogins {
			return false
		}
	}
	if t.by == nil {
		t.by = map[ticketNonce]pendingLogin{}
	}
	t.by[k.nonce] = pendingLogin{l, k.expires}
	return true
}

// take removes the login of a ticket and returns it, nil if there is none.
func (t *loginTable) take(n ticketNonce) *session.Login {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.by[n].login
	delete(t.by, n)
	return l
}

// identity is the account that a connection plays.
type identity struct {
	account string         // name of the account
	name    string         // name of its first character, if it has none; empty for a resumed session, which has one
	login   *session.Login // the verified login of an account with a secret, nil for one without
}

// logIn returns the login of an identity.
func (p *player) logIn(ctx context.Context, who *identity) (*session.Login, error) {
	if who.login != nil {
		l := *who.login
		l.Addr = p.who.Addr // the ticket may have been asked for from another address
		return &l, nil
	}
	l, err := p.g.hub.LoginWithoutSecret(ctx, p.who, who.account)
	if l != nil && errors.Is(err, session.ErrOnline) { // an older connection of the same player, which claimAccount closes
		return l, nil
	}
	return l, err
}

// Refusals of requests for tickets.
var (
	refusedInsecure = &ticketRefusal{http.StatusForbidden, "insecure", "a secret is accepted only over HTTPS or from the server's own machine; the operator can name a certificate with --web-cert"}
	refusedGuests   = &ticketRefusal{http.StatusForbidden, "guests", "this server admits no guests: log in with a name and a secret, or through the game's own site"}
	refusedGuest    = &ticketRefusal{http.StatusForbidden, "guest", "the guest is not known here; leave it out to become a new one"}
	refusedRegister = &ticketRefusal{http.StatusForbidden, "register", "accounts cannot be created here"}
	refusedSecret   = &ticketRefusal{http.StatusBadRequest, "secret", "a secret must have 8 to 128 characters"}
	refusedLogin    = &ticketRefusal{http.StatusForbidden, "denied", "the name or the secret is wrong"}
	refusedTokens   = &ticketRefusal{http.StatusForbidden, "token", "this server takes no tokens; the operator can name the key of their issuer with --web-jwt-key"}
)

// ticketRefusal is the answer to a request for a ticket that is refused.
type ticketRefusal struct {
	status int
	name   string // kind of the metric
	text   string
}

func (r *ticketRefusal) Error() string { return r.text }

// identifyRequest returns the ticket that a request may have, and the identity of its guest if it is one.
func (g *Gateway) identifyRequest(r *http.Request, ask *ticketRequest) (t ticket, guest string, err error) {
	t = g.newTicket()
	switch {
	case ask.Token != "":
		err = g.verifyToken(ask.Token, &t)
	case ask.Secret != "":
		err = g.verifySecret(r, ask, &t)
	default:
		guest, err = g.admitGuest(ask, &t)
	}
	return t, guest, err
}

// admitGuest fills in the ticket of a known guest, or of a new one.
func (g *Gateway) admitGuest(ask *ticketRequest, t *ticket) (guest string, err error) {
	if g.opt.NoGuests {
		return "", refusedGuests
	}
	id, ok := newGuest(), true
	if ask.Guest != "" {
		if id, ok = g.signer.openGuest(ask.Guest); !ok {
			return "", refusedGuest
		}
	}
	t.account, t.name = id.account(), id.name()
	if ask.Name != "" {
		t.name = ask.Name[:min(len(ask.Name), maxName)]
	}
	return g.signer.sealGuest(id), nil
}

// verifyToken fills in the ticket of the player whom a token of the game's backend names.
func (g *Gateway) verifyToken(token string, t *ticket) error {
	if len(g.opt.BackendKeys) == 0 {
		return refusedTokens
	}
	now := time.Now()
	who, use, err := g.opt.BackendKeys.verify(token, now)
	if err == nil {
		err = g.used.use(&use, now)
	}
	t.account, t.name = who.account, who.name
	return err
}

// verifySecret fills in the ticket of an account whose secret is right, and stores its login. If the request has a new secret, the
// account has that from then on.
func (g *Gateway) verifySecret(r *http.Request, ask *ticketRequest, t *ticket) error {
	peer := g.newPeer(g.peerAddr(r))
	if !g.isSecure(r) {
		return refusedInsecure
	}
	ctx, cancel := context.WithTimeout(r.Context(), loginTimeout)
	defer cancel()
	if ask.Create {
		if err := g.register(ctx, peer, ask); err != nil {
			return err
		}
	}
	if ask.New != "" && !isNewSecret(ask.New) {
		return refusedSecret
	}
	l, err := g.hub.Login(ctx, peer, ask.Name, storedSecret(ask.Secret))
	switch {
	case errors.Is(err, session.ErrDenied):
		return refusedLogin
	case err != nil && (l == nil || !errors.Is(err, session.ErrOnline)):
		return err
	}
	if ask.New != "" {
		if err := g.hub.ChangeSecret(ctx, l, storedSecret(ask.New)); err != nil {
			return err
		}
	}
	if !g.logins.add(t, l, time.Now()) {
		return errTicketsFull
	}
	t.account, t.name, t.secret = l.Name, l.Name, true
	return nil
}

// storedSecret returns what the accounts of all doors have as their secret: the MD5 that RealmCrafter clients send in place of the password.
// The server stores a slow hash of it.
func storedSecret(password string) string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

// isNewSecret reports whether an account may get this secret.
func isNewSecret(s string) bool {
	return len(s) >= minSecret && len(s) <= maxSecret && utf8.ValidString(s)
}

// register creates an account. It does nothing if the name is taken: the secret decides then whether the account is the client's.
func (g *Gateway) register(ctx context.Context, peer session.Peer, ask *ticketRequest) error {
	switch {
	case g.opt.NoRegister:
		return refusedRegister
	case !isNewSecret(ask.Secret):
		return refusedSecret
	}
	err := g.hub.CreateAccount(ctx, peer, ask.Name, storedSecret(ask.Secret), "")
	if errors.Is(err, session.ErrAccountExists) {
		return nil
	}
	return err
}

// refuseTicket answers a request for a ticket that is refused.
func (g *Gateway) refuseTicket(w http.ResponseWriter, err error) {
	if r, ok := errors.AsType[*ticketRefusal](err); ok {
		g.door.Bad.With("ticket_" + r.name).Inc()
		answerError(w, r.status, r.name, r.text)
		return
	}
	r := g.refusalOf(err)
	g.door.Bad.With("refused_" + r.name).Inc()
	answerError(w, httpStatus[r.reason], r.name, r.text)
}
