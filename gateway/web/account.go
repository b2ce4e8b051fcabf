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

// Limits of the length of a new secret, in bytes. The secret of an existing account may have any length.
const (
	minSecret = 8
	maxSecret = 128
)

// maxLogins is the maximum number of verified logins whose client has not connected with its ticket yet.
const maxLogins = 4096

// loginTable holds the logins that were verified by a secret, by ticket. A client sends its secret with the request for a
// ticket. The connection, which presents only the ticket, takes the login from this table. Its methods are safe for concurrent
// use.
type loginTable struct {
	mu sync.Mutex
	by map[ticketNonce]pendingLogin
}

type pendingLogin struct {
	login   *session.Login
	expires time.Time
}

// add stores the login of a ticket until the ticket expires. It returns false, and stores nothing, if maxLogins logins are
// stored.
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

// take removes the login of a ticket and returns it. It returns nil if no login is stored for the ticket.
func (t *loginTable) take(n ticketNonce) *session.Login {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.by[n].login
	delete(t.by, n)
	return l
}

// identity names the account whose character a connection plays.
type identity struct {
	account string         // name of the account
	name    string         // name for the first character, if the account has no character; empty for a resumed session
	login   *session.Login // verified login of an account with a secret; nil for an account without one
}

// logIn returns the login of an identity.
func (p *player) logIn(ctx context.Context, who *identity) (*session.Login, error) {
	if who.login != nil {
		l := *who.login
		l.Addr = p.who.Addr // the client may have requested its ticket from another address
		return &l, nil
	}
	l, err := p.g.hub.LoginWithoutSecret(ctx, p.who, who.account)
	if l != nil && errors.Is(err, session.ErrOnline) { // an older connection of the same player, which claimAccount closes
		return l, nil
	}
	return l, err
}

// Reasons for refusing a request for a ticket.
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
	name   string // label "kind" of the metric of bad packets
	text   string
}

func (r *ticketRefusal) Error() string { return r.text }

// identifyRequest returns the ticket that answers a request. If the request is a guest's, it also returns the sealed identity
// of the guest.
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

// admitGuest fills in the ticket of a guest. A request without a guest identity gets a new guest.
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

// verifyToken verifies a token that the game's backend has signed, and fills in the ticket of the player that the token names.
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

// verifySecret checks the secret of an account, fills in the ticket of the account, and stores the login. If the request also
// contains a new secret, the new secret replaces the old one.
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

// storedSecret returns the form of a password that package session expects from all doors: the MD5 that RealmCrafter clients
// send instead of the password. The server stores a slow hash of this MD5.
func storedSecret(password string) string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

// isNewSecret reports whether the length of a new secret is within the limits.
func isNewSecret(s string) bool {
	return len(s) >= minSecret && len(s) <= maxSecret && utf8.ValidString(s)
}

// register creates an account. It does nothing if the name is taken, because the caller checks the secret of the existing
// account next.
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

// refuseTicket answers a request for a ticket with the refusal err.
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
