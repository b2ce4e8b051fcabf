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

// maxLogins is the maximum number of logins in a loginTable. If so many are stored, those whose tickets have expired are
// removed.
const maxLogins = 4096

// loginTable holds logins whose secret was verified, each with the ticket that the client was sent. A client sends its secret
// only when it requests a ticket. When the client then connects with the ticket, the login is removed from this table and used
// for the connection. Its methods are safe for concurrent use.
type loginTable struct {
	mu sync.Mutex
	by map[ticketNonce]pendingLogin
}

// pendingLogin is a login whose secret was verified, and the expiry time of its ticket.
type pendingLogin struct {
	login   *session.Login
	expires time.Time
}

// add stores the login of a ticket until the ticket expires. It returns false and stores nothing if maxLogins logins are
// stored already.
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

// identity says which account a client wants to play with: the data of its ticket, token or resume token.
type identity struct {
	account string         // name of the account
	name    string         // name of the first character if the account has none; empty for a resumed session
	login   *session.Login // verified login of an account with a secret; nil for an account without one
}

// logIn logs in the account that who identifies. If the secret was verified when the ticket was requested, it uses that login.
// Otherwise, for guests and players with tokens, it logs the account in without a secret.
func (p *player) logIn(ctx context.Context, who *identity) (*session.Login, error) {
	if who.login != nil {
		l := *who.login
		l.Addr = p.who.Addr // the client may have requested the ticket from another address than the one from which it has connected
		return &l, nil
	}
	l, err := p.g.hub.LoginWithoutSecret(ctx, p.who, who.account)
	if l != nil && errors.Is(err, session.ErrOnline) { // the account has an older connection, which claimAccount closes
		return l, nil
	}
	return l, err
}

// Reasons why a request for a ticket is refused.
var (
	refusedInsecure = &ticketRefusal{http.StatusForbidden, "insecure", "a secret is accepted only over HTTPS or from the server's own machine; the operator can set a certificate with --web-cert"}
	refusedGuests   = &ticketRefusal{http.StatusForbidden, "guests", "this server admits no guests: log in with a name and a secret, or through the game's own site"}
	refusedGuest    = &ticketRefusal{http.StatusForbidden, "guest", "this server does not know the guest identity in the field guest; send the request without this field to play as a new guest"}
	refusedRegister = &ticketRefusal{http.StatusForbidden, "register", "this server does not let clients create accounts"}
	refusedSecret   = &ticketRefusal{http.StatusBadRequest, "secret", "a secret must have 8 to 128 characters"}
	refusedLogin    = &ticketRefusal{http.StatusForbidden, "denied", "the name or the secret is wrong"}
	refusedTokens   = &ticketRefusal{http.StatusForbidden, "token", "this server accepts no tokens; the operator can set the key of their issuer with --web-jwt-key"}
)

// ticketRefusal is the answer to a refused request for a ticket.
type ticketRefusal struct {
	status int    // HTTP status
	name   string // label "kind" of the metric of bad packets
	text   string // explanation for the client's developer or player
}

func (r *ticketRefusal) Error() string { return r.text }

// identifyRequest returns the ticket that answers a request for a ticket. For a guest, it also returns the guest's signed
// identity, with which the guest can play again later.
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

// admitGuest sets the fields of a guest's ticket. A request without a guest identity gets a new guest.
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

// verifyToken verifies a token that the game's backend has signed, and sets the fields of the ticket for the player in the
// token.
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

// verifySecret checks the secret of an account, sets the fields of the account's ticket, and stores the login. If the request
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

// isNewSecret reports whether a new secret has an allowed length and is valid UTF-8.
func isNewSecret(s string) bool {
	return len(s) >= minSecret && len(s) <= maxSecret && utf8.ValidString(s)
}

// register creates an account with the name and secret of the request. It returns nil if the name is taken, because the caller
// then checks the secret of the existing account.
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

// refuseTicket answers a request for a ticket with the refusal or error err.
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
