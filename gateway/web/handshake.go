package web

import (
	"cmp"
	"context"
	"crypto/rand"
	"errors"
	"net/http"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/telemetry"
)

// refusal says why a client is not admitted: what the client is sent, and the label for the metrics.
type refusal struct {
	reason  proto.RefusedReason
	seconds uint16 // time in seconds after which another attempt may succeed; 0 means that another attempt is useless
	text    string // explanation for the player
	name    string // label "kind" of the metric of bad packets
}

func (r *refusal) Error() string { return r.text }

// Reasons for which the door itself refuses a login. For refusals by the hub, see loginRefusals.
var (
	refusedVersion = &refusal{proto.RefusedVersion, 0, "The server does not support this version of the client. Please reload the page, or update the client.", "version"}
	refusedSchema  = &refusal{proto.RefusedSchema, 0, "The world has changed. Please reload the page.", "schema"}
	refusedFull    = &refusal{proto.RefusedFull, 30, "The server is full.", "full"}
	refusedAddr    = &refusal{proto.RefusedFull, 30, "Too many players play from your address.", "address"}
	refusedBusy    = &refusal{proto.RefusedBusy, 5, "The server is busy. Please try again.", "overload"}
	refusedStalled = &refusal{proto.RefusedBusy, 5, "The server does not reach most servers of its cluster at present. Please try again.", "stalled"}
	refusedResume  = &refusal{proto.RefusedTicket, 1, "The session is over.", "resume"}
	refusedChanged = &refusal{proto.RefusedTicket, 1, "The secret of the account has changed. Please log in again.", "secret_changed"}
)

// loginRefusals maps the errors of package session, and those about tickets, to what a refused client is sent.
var loginRefusals = []struct {
	err     error
	refusal refusal
}{
	{errTicketsFull, *refusedBusy},
	{errTicket, refusal{proto.RefusedTicket, 1, "The ticket is not valid.", "ticket"}},
	{errTicketUsed, refusal{proto.RefusedTicket, 1, "The ticket was used already.", "ticket_used"}},
	{errTicketOld, refusal{proto.RefusedTicket, 1, "The ticket has expired.", "ticket_old"}},
	{session.ErrOnline, refusal{proto.RefusedOnline, 5, "The player is in the world already.", "online"}},
	{session.ErrBusy, refusal{proto.RefusedBusy, 2, "The player is being saved. Please try again.", "busy"}},
	{session.ErrBanned, refusal{proto.RefusedBanned, 0, "This account is banned.", "banned"}},
	{session.ErrNotWhitelisted, refusal{proto.RefusedClosed, 0, "You are not on the whitelist of this server.", "not_whitelisted"}},
	{session.ErrAccountsClosed, refusal{proto.RefusedClosed, 0, "The world does not admit new players.", "closed"}},
	{session.ErrThrottled, refusal{proto.RefusedBusy, 60, "Too many new players from this address. Please try again later.", "throttled"}},
	{session.ErrOverloaded, *refusedBusy},
	{session.ErrUnavailable, refusal{proto.RefusedBusy, 5, "The server cannot reach its stored players at present. Please try again.", "store_unavailable"}},
	{session.ErrNoLead, refusal{proto.RefusedBusy, 5, "A part of the world is not available at present. Please try again.", "no_leader"}},
	{session.ErrAccountExists, refusal{proto.RefusedTicket, 0, "The name is taken.", "name"}},
	{session.ErrDenied, refusal{proto.RefusedTicket, 0, "The account has a secret.", "denied"}},
	{session.ErrName, refusal{proto.RefusedTicket, 0, nameRule, "name"}},
	{session.ErrNameTaken, refusal{proto.RefusedTicket, 0, "The name is taken.", "name"}},
	{session.ErrInvalid, refusal{proto.RefusedTicket, 0, "The name is not allowed.", "name"}},
	{session.ErrTemplate, refusal{proto.RefusedClosed, 0, "The world has no character for players of this door.", "template"}},
	{session.ErrClosed, refusal{proto.RefusedBusy, 5, "The server is closing.", "closing"}},
	{context.DeadlineExceeded, *refusedBusy},
	{context.Canceled, *refusedBusy},
}

// serveLink serves a new connection until it ends: it admits the client and then processes the client's messages.
func (g *Gateway) serveLink(l link, addr netip.Addr, place *admission.Place) {
	g.conns.Add(1)
	defer g.conns.Done()
	g.door.Sessions.Add(1)
	defer g.door.Sessions.Add(-1)
	defer gateway.RecoverPanic(g.door, g.log)
	defer l.close()
	p, err := g.admit(l, addr, place)
	if err != nil {
		g.refuse(l, err)
		return
	}
	defer p.disconnect()
	p.read()
}

// refuse tells a client why it is not admitted. If the client has sent no valid message, it is sent nothing, and the attempt is
// only counted in the metrics.
func (g *Gateway) refuse(l link, err error) {
	if errors.Is(err, errMalformed) || errors.Is(err, errNoHello) {
		g.door.Bad.With(faultName(err)).Inc()
		return
	}
	r := g.refusalOf(err)
	g.door.Bad.With("refused_" + r.name).Inc()
	l.control(&proto.Refused{Reason: r.reason, Seconds: r.seconds, Text: r.text})
}

// refusalOf returns the refusal for an error of a login. If the error is not one of loginRefusals, it is logged, and the client
// is sent the reason RefusedInternal.
func (g *Gateway) refusalOf(err error) *refusal {
	if r, ok := errors.AsType[*refusal](err); ok {
		return r
	}
	for i := range loginRefusals {
		if errors.Is(err, loginRefusals[i].err) {
			r := loginRefusals[i].refusal
			r.text = session.AccessText(err, r.text)
			return &r
		}
	}
	g.log.Error("a login was refused because of an internal error", telemetry.FieldErr, err)
	return &refusal{proto.RefusedInternal, 10, "The server could not let you in. Please try again.", "internal"}
}

// httpStatus contains the HTTP status of the response to a request for a ticket, by the reason of the refusal.
var httpStatus = map[proto.RefusedReason]int{
	proto.RefusedTicket: http.StatusForbidden, proto.RefusedBanned: http.StatusForbidden, proto.RefusedClosed: http.StatusForbidden,
	proto.RefusedOnline: http.StatusConflict, proto.RefusedFull: http.StatusServiceUnavailable, proto.RefusedBusy: http.StatusServiceUnavailable,
	proto.RefusedInternal: http.StatusInternalServerError,
}

// errNoHello means that a client sent no message within helloTimeout, or closed its connection before it sent one. A first message
// that is no valid Hello is errMalformed.
var errNoHello = errors.New("the client sent no Hello message in time")

func faultName(err error) string {
	if errors.Is(err, errNoHello) {
		return "no_hello"
	}
	return "malformed"
}

// admit reads the Hello message of a new connection and logs its player in. The player then enters the world and is assigned to a
// worker.
func (g *Gateway) admit(l link, addr netip.Addr, place *admission.Place) (*player, error) {
	hello, err := g.readHello(l)
	if err != nil {
		return nil, err
	}
	if place != nil {
		if !place.Move(addr) { // the addresses differ only behind a proxy: the place was taken for the proxy's address
			return nil, refusedAddr
		}
		place.MarkRequestReceived()
	}
	ctx, cancel := context.WithTimeout(g.ctx, loginTimeout)
	defer cancel()
	p := &player{g: g, link: l, who: g.newPeer(addr), place: place, gone: make(chan struct{}), budget: proto.NewBudget(g.world.Def().TicksPerSecond, l.headers())}
	p.answerBy = g.nowMS() + loginTimeout.Milliseconds()
	who, resumed, err := g.identify(ctx, p, hello)
	if resumed {
		defer g.resumes.giveBack(hello.Resume) // without effect if the player enters: the session then has a new token
	}
	if err != nil {
		return nil, err
	}
	if p.login, err = p.logIn(ctx, &who); err != nil {
		return nil, err
	}
	if err := p.claimAccount(ctx); err != nil {
		return nil, err
	}
	if p.resume.acts == nil { // after claimAccount, when the account's other connections have ended
		p.resume.acts, p.resume.known = g.resumes.actsOf(p.login.Name, hello.Resume)
		p.resume.acts = cmp.Or(p.resume.acts, &executedActs{})
	}
	if err := p.enter(ctx, who.name); err != nil {
		p.releaseAccount()
		return nil, err
	}
	rand.Read(p.token[:]) // Read never fails
	p.resume.who = identity{account: p.login.Name, login: who.login}
	g.resumes.add(p.token, p.resume, time.Now())
	g.ours.Store(p.session.Entity, struct{}{})
	p.w = g.workers[g.next.Add(1)%uint32(len(g.workers))]
	if !p.w.enqueue(func() { p.w.add(p) }) {
		p.disconnect()
		return nil, session.ErrClosed
	}
	return p, nil
}

// readHello reads the first message of a client. It must be a Hello message, for this version of the protocol and for the world's
// schema.
func (g *Gateway) readHello(l link) (*proto.Hello, error) {
	ctx, cancel := context.WithTimeout(g.ctx, helloTimeout)
	defer cancel()
	b, err := l.receive(ctx)
	if errors.Is(err, errMalformed) {
		return nil, err
	}
	if err != nil {
		return nil, errNoHello
	}
	m, err := proto.ParseClientMessage(b)
	hello, ok := m.(*proto.Hello)
	switch {
	case err != nil && len(b) >= 5 && b[0] == byte(proto.CodeHello) && string(b[1:4]) == proto.HelloMagic[:3]:
		return nil, refusedVersion
	case err != nil || !ok:
		return nil, errMalformed
	case hello.Features&proto.Features != proto.Features:
		return nil, refusedVersion
	case hello.Schema != (proto.Hash{}) && hello.Schema != g.hash:
		return nil, refusedSchema
	}
	return hello, nil
}

// identify returns the account that a Hello message names, by a resume token or by a ticket. If both are valid, the token is
// used, and the result resumed is true, also with an error: the caller must then give the token back. Neither is valid if the
// account's secret was replaced after it was issued.
func (g *Gateway) identify(ctx context.Context, p *player, hello *proto.Hello) (who identity, resumed bool, err error) {
	now := time.Now()
	p.resume = &resumable{former: hello.Resume}
	if hello.Resume != (proto.ResumeToken{}) {
		err := error(refusedResume)
		if r := g.resumes.take(hello.Resume, now); r != nil {
			if err = g.checkSecret(ctx, &r.who); !errors.Is(err, refusedChanged) {
				p.resume.acts, p.resume.known = r.acts, true
				return r.who, true, err
			}
			g.resumes.end(hello.Resume)
		}
		if hello.Ticket == "" {
			return who, false, err
		}
	}
	t, err := g.signer.openTicket(hello.Ticket)
	if err != nil {
		return who, false, err
	}
	if err := g.used.use(&t, now); err != nil {
		return who, false, err
	}
	who = identity{account: t.account, name: t.name}
	if t.secret {
		if who.login, err = g.loginOf(ctx, &t, p.who); err != nil {
			return who, false, err
		}
	}
	return who, false, g.checkSecret(ctx, &who)
}

// checkSecret returns refusedChanged if the secret of the account has been replaced since the login, or the account deleted.
func (g *Gateway) checkSecret(ctx context.Context, who *identity) error {
	if who.login == nil {
		return nil
	}
	err := g.hub.CheckSecret(ctx, who.login)
	if errors.Is(err, session.ErrDenied) {
		return refusedChanged
	}
	return err
}

// retryClaim is the time between two attempts of a connection to become the only one of its account. The attempts fail until the
// account's older connection is closed.
const retryClaim = 50 * time.Millisecond

// claimAccount makes p the only connection of its account. If there is an older connection, claimAccount closes it, because the
// player now uses the new one.
func (p *player) claimAccount(ctx context.Context) error {
	for {
		holder := p.g.accounts.claim(p.resumeKey(), p)
		if holder == nil {
			break
		}
		holder.replaced.Store(true)
		holder.bye(proto.ByeElsewhere, false, "The session goes on in another window.")
		select {
		case <-holder.gone:
		case <-time.After(retryClaim):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if n := p.g.players.Add(1); n > int64(p.g.opt.MaxPlayers) {
		p.releaseAccount()
		return refusedFull
	}
	if p.place != nil && !p.place.LogIn() { // the place has closed the connection
		p.releaseAccount()
		return refusedAddr
	}
	return nil
}

// resumeKey returns the name of the player's account, by which Gateway.accounts finds the account's connection.
func (p *player) resumeKey() string { return p.login.Name }

func (p *player) releaseAccount() {
	p.g.players.Add(-1)
	p.g.accounts.release(p.resumeKey(), p)
}

// enter brings the account's first character into the world, or resumes the account's lingering actor. If the account has no
// character, enter creates one with the given name, unless that is empty.
func (p *player) enter(ctx context.Context, name string) error {
	if name != "" {
		roster, err := p.g.hub.Roster(ctx, p.login)
		if err != nil {
			return err
		}
		p.unplayed.Store(len(roster) == 0)
		if err := gateway.EnsureCharacter(ctx, p.g.hub, p.g.world.Def(), p.login, name); err != nil {
			return err
		}
	}
	s, err := p.g.hub.EnterWhenFree(ctx, p.login, 0) // waits until a replaced session has ended
	p.session = s
	return err
}
