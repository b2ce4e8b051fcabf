package web

import (
	"context"
	"crypto/hmac"
	"crypto/md5"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"net/http"
	"net/netip"
	"slices"
	"sync"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/session"
)

// Minimum and maximum length of a new secret, in bytes. The secret of an existing account may have any length.
const (
	minSecret = 8
	maxSecret = 128
)

// Maximum numbers of logins in a loginTable. One client could fill the table fast, because a known secret is verified without the
// slow hash. Beyond a limit, a new login therefore replaces the oldest login of its account or of its network or, at maxLogins, of
// the network with the most logins. The values are chosen to be far more than the players of a network who log in within a minute,
// the time for which a ticket is valid.
const (
	maxLogins        = 4096
	maxAccountLogins = 4
	maxNetworkLogins = 256 // logins of loopback addresses are not limited
)

// loginTable holds verified logins from the request for a ticket until the client connects with that ticket. A client sends its
// secret only with the request, so its connection is logged in with the stored login. If another node of a cluster has issued the
// ticket, the mark in the ticket replaces the stored login (see Gateway.loginOf). The methods are safe for concurrent use.
type loginTable struct {
	mu   sync.Mutex
	by   map[ticketNonce]pendingLogin
	of   map[string][]ticketNonce       // tickets by name of the account, oldest first
	from map[netip.Prefix][]ticketNonce // tickets by network of the client, oldest first

	swept time.Time // time at which makeRoom last looked for expired tickets
}

// pendingLogin is a login whose secret was verified, and the time at which its ticket expires.
type pendingLogin struct {
	login   *session.Login
	expires time.Time
}

// network returns the network from which the ticket was requested.
func (p *pendingLogin) network() netip.Prefix { return admission.NetworkOf(p.login.Addr) }

// add stores the login for a ticket until the ticket expires.
func (t *loginTable) add(k *ticket, l *session.Login, now time.Time) {
	t.mu.Lock()
	defer t.mu.Unlock()
	if t.by == nil {
		t.by, t.of, t.from = map[ticketNonce]pendingLogin{}, map[string][]ticketNonce{}, map[netip.Prefix][]ticketNonce{}
	}
	p := pendingLogin{l, k.expires}
	if of := t.of[l.Name]; len(of) >= maxAccountLogins {
		t.remove(of[0])
	}
	if from := t.from[p.network()]; len(from) >= maxNetworkLogins && !l.Addr.IsLoopback() {
		t.remove(from[0])
	}
	if len(t.by) >= maxLogins {
		t.makeRoom(now)
	}
	t.by[k.nonce] = p
	t.of[l.Name] = append(t.of[l.Name], k.nonce)
	t.from[p.network()] = append(t.from[p.network()], k.nonce)
}

// makeRoom removes the logins with expired tickets if it has not done so within the last second. If that makes no room, it removes
// the oldest login of the network with the most logins; of several such networks, it chooses the one with the oldest login. The
// caller holds t.mu.
func (t *loginTable) makeRoom(now time.Time) {
	if now.Sub(t.swept) >= time.Second {
		t.swept = now
		for n, p := range t.by {
			if !now.Before(p.expires) {
				t.remove(n)
			}
		}
		if len(t.by) < maxLogins {
			return
		}
	}
	var most []ticketNonce
	for _, from := range t.from {
		if len(from) > len(most) || len(from) == len(most) && t.by[from[0]].expires.Before(t.by[most[0]].expires) {
			most = from
		}
	}
	t.remove(most[0])
}

// pop removes the login that is stored for a ticket from the table and returns it. It returns nil if there is none.
func (t *loginTable) pop(n ticketNonce) *session.Login {
	t.mu.Lock()
	defer t.mu.Unlock()
	l := t.by[n].login
	if l != nil {
		t.remove(n)
	}
	return l
}

// remove removes the login of a ticket. The caller holds t.mu.
func (t *loginTable) remove(n ticketNonce) {
	p := t.by[n]
	delete(t.by, n)
	removeFrom(t.of, p.login.Name, n)
	removeFrom(t.from, p.network(), n)
}

// removeFrom removes a ticket from the list that is stored under a key. If the list is then empty, the key is deleted.
func removeFrom[K comparable](lists map[K][]ticketNonce, key K, n ticketNonce) {
	list := lists[key]
	i := slices.Index(list, n)
	if list = slices.Delete(list, i, i+1); len(list) > 0 {
		lists[key] = list
	} else {
		delete(lists, key)
	}
}

// identity is the account with which a client plays. A ticket or a resume token has proved that the client may use it.
type identity struct {
	account string         // name of the account
	name    string         // name of the first character if the account has none; empty for a resumed session
	login   *session.Login // verified login of an account with a secret; nil for an account without one
}

// logIn logs in the account in the parameter who. For an account with a secret, it returns the login that was verified when
// the ticket was requested. Guests and players with tokens have no secret and are logged in without one.
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

// Reasons for which the door itself refuses a request for a ticket.
var (
	refusedInsecure = &ticketRefusal{http.StatusForbidden, "insecure", "a secret is accepted only over HTTPS or from the server's own machine; the operator can set a certificate with --web-cert"}
	refusedGuests   = &ticketRefusal{http.StatusForbidden, "guests", "this server admits no guests: log in with a name and a secret, or through the game's own site"}
	refusedGuest    = &ticketRefusal{http.StatusForbidden, "guest", "this server does not know the guest identity in the field guest; send the request without this field to play as a new guest"}
	refusedRegister = &ticketRefusal{http.StatusForbidden, "register", "this server does not let clients create accounts"}
	refusedSecret   = &ticketRefusal{http.StatusBadRequest, "secret", "a secret must have 8 to 128 characters"}
	refusedName     = &ticketRefusal{http.StatusForbidden, "name", nameRule}
	refusedLogin    = &ticketRefusal{http.StatusForbidden, "denied", "the name or the secret is wrong"}
	refusedTokens   = &ticketRefusal{http.StatusForbidden, "token", "this server accepts no tokens; the operator can set the key of their issuer with --web-jwt-key"}
)

// nameRule tells a player which names are allowed: those that session.IsCharacterName accepts.
const nameRule = "The name is not allowed: it must have 1 to 32 characters of ASCII, no < and >, no space at an end, and no word that the server forbids."

// ticketRefusal is the HTTP response to a request for a ticket that is refused.
type ticketRefusal struct {
	status int    // HTTP status
	name   string // label "kind" of the metric of bad packets
	text   string // explanation for the client's developer or player
}

func (r *ticketRefusal) Error() string { return r.text }

// identifyRequest identifies the player in a request for a ticket and returns the ticket. For a guest, it also returns a
// signed identity, with which the guest can play again later.
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

// admitGuest fills in a guest's ticket and returns the guest's signed identity. A request without an identity gets a new guest.
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

// verifyToken verifies a token, which the game's backend has signed, and fills in the ticket of the player in the token.
func (g *Gateway) verifyToken(token string, t *ticket) error {
	if len(g.opt.BackendKeys) == 0 {
		return refusedTokens
	}
	now := time.Now()
	who, use, err := g.opt.BackendKeys.verify(token, now)
	if err == nil {
		err = g.used.use(&use, now)
	}
	t.account, t.name = who.account, g.characterName(who.account, who.name)
	return err
}

// characterName returns the name of an account's first character if the player has not chosen one. This is the given name
// or, if no character may have that name, a made-up name like a guest's, which is always the same for the account.
func (g *Gateway) characterName(account, name string) string {
	if session.IsCharacterName(g.world.Def(), name) {
		return name
	}
	sum := sha256.Sum256([]byte(account))
	return guestID(sum[:len(guestID{})]).name()
}

// verifySecret checks the secret of an account and fills in the account's ticket. It stores the login until the client connects
// with the ticket. On request it first creates the account, or afterwards replaces the secret by a new one.
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
	g.logins.add(t, l, time.Now())
	t.account, t.name, t.secret, t.mark = l.Name, g.characterName(l.Name, l.Name), true, g.signer.mark(l.SecretMark())
	return nil
}

// loginOf returns the verified login of a ticket for an account with a secret. If this server has not stored the login, because
// another node of its cluster issued the ticket, or this server issued it before a restart, loginOf logs the account in by the
// mark in the ticket. It returns refusedChanged if the account's secret was replaced meanwhile.
func (g *Gateway) loginOf(ctx context.Context, t *ticket, who session.Peer) (*session.Login, error) {
	if l := g.logins.pop(t.nonce); l != nil {
		return l, nil
	}
	l, err := g.hub.LoginVerified(ctx, who, t.account, func(secretMark [sha256.Size]byte) bool {
		mark := g.signer.mark(secretMark)
		return hmac.Equal(mark[:], t.mark[:])
	})
	switch {
	case errors.Is(err, session.ErrDenied):
		return nil, refusedChanged
	case l != nil && errors.Is(err, session.ErrOnline): // the account has an older connection, which claimAccount closes
		return l, nil
	}
	return l, err
}

// storedSecret returns a password in the form in which all doors pass passwords to package session: as MD5, because RealmCrafter
// clients send the MD5. The server stores only a slow hash of this MD5.
func storedSecret(password string) string {
	sum := md5.Sum([]byte(password))
	return hex.EncodeToString(sum[:])
}

// isNewSecret reports whether s may become the secret of an account: it has an allowed length and is valid UTF-8.
func isNewSecret(s string) bool {
	return len(s) >= minSecret && len(s) <= maxSecret && utf8.ValidString(s)
}

// register creates an account with the name and secret in the request. It also returns nil if the name is taken: the caller then
// checks the secret of the existing account.
func (g *Gateway) register(ctx context.Context, peer session.Peer, ask *ticketRequest) error {
	switch {
	case g.opt.NoRegister:
		return refusedRegister
	case !isNewSecret(ask.Secret):
		return refusedSecret
	case !session.IsCharacterName(g.world.Def(), ask.Name): // the first character has the name of the account
		return refusedName
	}
	err := g.hub.CreateAccount(ctx, peer, ask.Name, storedSecret(ask.Secret), "")
	if errors.Is(err, session.ErrAccountExists) {
		return nil
	}
	return err
}

// refuseTicket answers a request for a ticket with an error response. The parameter err is a ticketRefusal, a refusal of a login,
// or another error.
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
