package web

import (
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

// refusal describes why a client is not admitted: what the client is sent, and the label for the metrics.
type refusal struct {
	reason  proto.RefusedReason
	seconds uint16 // time in seconds after which another attempt may succeed; 0 means that another attempt is useless
	text    string // explanation for the player
	name    string // label "kind" of the metric of bad packets
}

func (r *refusal) Error() string { return r.text }

// Refusals for reasons that the door finds itself. Those for errors of the hub are in loginRefusals.
var (
	refusedVersion = &refusal{proto.RefusedVersion, 0, "The server does not support this version of the client. Please reload the page, or update the client.", "version"}
	refusedSchema  = &refusal{proto.RefusedSchema, 0, "The world has changed. Please reload the page.", "schema"}
	refusedFull    = &refusal{proto.RefusedFull, 30, "The server is full.", "full"}
	refusedBusy    = &refusal{proto.RefusedBusy, 5, "The server is busy. Please try again.", "overload"}
	refusedResume  = &refusal{proto.RefusedTicket, 1, "The session is over.", "resume"}
)

// loginRefusals contains the refusals for the errors with which package session and the door refuse a login.
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
	{session.ErrAccountExists, refusal{proto.RefusedTicket, 0, "The name is taken.", "name"}},
	{session.ErrDenied, refusal{proto.RefusedTicket, 0, "The account has a secret.", "denied"}},
	{session.ErrName, refusal{proto.RefusedTicket, 0, "The name is not allowed.", "name"}},
	{session.ErrNameTaken, refusal{proto.RefusedTicket, 0, "The name is taken.", "name"}},
	{session.ErrInvalid, refusal{proto.RefusedTicket, 0, "The name is not allowed.", "name"}},
	{session.ErrTemplate, refusal{proto.RefusedClosed, 0, "The world has no character for players of this door.", "template"}},
	{session.ErrClosed, refusal{proto.RefusedBusy, 5, "The server is closing.", "closing"}},
	{context.DeadlineExceeded, *refusedBusy},
	{context.Canceled, *refusedBusy},
}

// serveLink admits the client of a new connection and processes its messages until the connection ends.
func (g *Gateway) serveLink(l link, addr netip.Addr, place *admission.Place) {
	g.conns.Add(1)
	defer g.conns.Done()
	g.door.Sessions.Add(1)
	defer g.door.Sessions.Add(-1)
	defer g.recoverPanic()
	defer l.close()
	p, err := g.admit(l, addr, place)
	if err != nil {
		g.refuse(l, err)
		return
	}
	defer p.disconnect()
	p.read()
}

// recoverPanic recovers from a panic while one connection is served, and logs it, so that the process continues. It must be
// deferred.
func (g *Gateway) recoverPanic() {
	if v := recover(); v != nil {
		g.door.Bad.With("panic").Inc()
		gateway.LogPanic(g.log, "the code that serves a client panicked; the connection was closed", v)
	}
}

// refuse sends a client the reason why it is not admitted. If the client has sent no valid message, refuse sends nothing and
// only counts the failed connection in the metrics.
func (g *Gateway) refuse(l link, err error) {
	if errors.Is(err, errMalformed) || errors.Is(err, errNoHello) {
		g.door.Bad.With(faultName(err)).Inc()
		return
	}
	r := g.refusalOf(err)
	g.door.Bad.With("refused_" + r.name).Inc()
	l.control(&proto.Refused{Reason: r.reason, Seconds: r.seconds, Text: r.text})
}

// refusalOf returns the refusal for an error. An unexpected error is logged; its refusal has the reason "internal error".
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
	g.log.Error("login refused after an internal error", telemetry.FieldErr, err)
	return &refusal{proto.RefusedInternal, 10, "The server could not let you in. Please try again.", "internal"}
}

// httpStatus maps reasons for which a request for a ticket is refused to the HTTP status code of the answer.
var httpStatus = map[proto.RefusedReason]int{
	proto.RefusedTicket: http.StatusForbidden, proto.RefusedBanned: http.StatusForbidden, proto.RefusedClosed: http.StatusForbidden,
	proto.RefusedOnline: http.StatusConflict, proto.RefusedFull: http.StatusServiceUnavailable, proto.RefusedBusy: http.StatusServiceUnavailable,
	proto.RefusedInternal: http.StatusInternalServerError,
}

// errNoHello means that a connection ended, or helloTimeout passed, before its first valid message.
var errNoHello = errors.New("the client sent no valid Hello message in time")

func faultName(err error) string {
	if errors.Is(err, errNoHello) {
		return "no_hello"
	}
	return "malformed"
}

// admit reads the Hello message of a new connection, logs its player in, lets the player enter the world, and assigns it to
// a worker.
func (g *Gateway) admit(l link, addr netip.Addr, place *admission.Place) (*player, error) {
	hello, err := g.readHello(l)
	if err != nil {
		return nil, err
	}
	if place != nil {
		place.ReceivedRequest()
	}
	ctx, cancel := context.WithTimeout(g.ctx, loginTimeout)
	defer cancel()
	p := &player{g: g, link: l, who: g.newPeer(addr), place: place, gone: make(chan struct{})}
	who, err := g.identify(p, hello)
	if err != nil {
		return nil, err
	}
	if p.login, err = p.logIn(ctx, &who); err != nil {
		return nil, err
	}
	if err := p.claimAccount(ctx); err != nil {
		return nil, err
	}
	if err := p.enter(ctx, who.name); err != nil {
		p.releaseAccount()
		return nil, err
	}
	rand.Read(p.token[:]) // Read never fails
	p.resume.who = identity{account: who.account, login: who.login}
	g.resumes.add(p.token, p.resume, time.Now())
	g.ours.Store(p.session.Entity, struct{}{})
	p.w = g.workers[g.next.Add(1)%uint32(len(g.workers))]
	if !p.w.enqueue(func() { p.w.add(p) }) {
		p.disconnect()
		return nil, session.ErrClosed
	}
	return p, nil
}

// readHello reads the first message of a client, which must be a Hello for this version and schema.
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

// identify returns the account that a Hello message names by a resume token or by a ticket. A valid token takes precedence.
func (g *Gateway) identify(p *player, hello *proto.Hello) (who identity, err error) {
	now := time.Now()
	if hello.Resume != (proto.ResumeToken{}) {
		if r := g.resumes.take(hello.Resume, now); r != nil {
			p.resume = &resumable{lastAct: r.lastAct, acted: r.acted}
			return r.who, nil
		}
		if hello.Ticket == "" {
			return who, refusedResume
		}
	}
	p.resume = &resumable{}
	t, err := g.signer.openTicket(hello.Ticket)
	if err != nil {
		return who, err
	}
	if err := g.used.use(&t, now); err != nil {
		return who, err
	}
	who = identity{account: t.account, name: t.name}
	if t.secret {
		if who.login = g.logins.take(t.nonce); who.login == nil {
			return who, errTicket // the ticket was issued before the server was restarted
		}
	}
	return who, nil
}

// retryEnter is the time between two attempts to enter the world. An attempt fails while the account's previous connection is
// still closing.
const retryEnter = 50 * time.Millisecond

// claimAccount makes p the only connection of its account. It closes an older connection, because the account's player has
// just opened the new one.
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
		case <-time.After(retryEnter):
		case <-ctx.Done():
			return ctx.Err()
		}
	}
	if n := p.g.players.Add(1); n > int64(p.g.opt.MaxPlayers) {
		p.releaseAccount()
		return refusedFull
	}
	if p.place != nil {
		p.place.LogIn()
	}
	return nil
}

// resumeKey returns the key of the player's account in Gateway.accounts.
func (p *player) resumeKey() string { return p.login.Name }

func (p *player) releaseAccount() {
	p.g.players.Add(-1)
	p.g.accounts.release(p.resumeKey(), p)
}

// enter lets the first character of the account enter the world, or resumes the account's lingering actor.
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
	for {
		s, err := p.g.hub.Enter(ctx, p.login, 0)
		if !errors.Is(err, session.ErrOnline) {
			p.session = s
			return err
		}
		select { // wait until the replaced session has ended
		case <-ctx.Done():
			return err
		case <-time.After(retryEnter):
		}
	}
}
