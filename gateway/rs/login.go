package rs

import (
	"context"
	"crypto/md5"
	"encoding/hex"
	"errors"
	"net"
	"strings"
	"sync"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// maxUserName is the maximum length in bytes of the name of a new account. The client's login screen has the same limit.
const maxUserName = 12

// playerTable contains the players of this gateway that are in the world, by account.
type playerTable struct {
	mu        sync.Mutex
	byAccount map[store.AccountID]*player
}

func newPlayerTable() playerTable { return playerTable{byAccount: map[store.AccountID]*player{}} }

// find returns the player of an account, or nil if it is not in the world.
func (p *playerTable) find(id store.AccountID) *player {
	p.mu.Lock()
	defer p.mu.Unlock()
	return p.byAccount[id]
}

func (p *playerTable) add(x *player) {
	p.mu.Lock()
	defer p.mu.Unlock()
	p.byAccount[x.session.Login.Account] = x
}

func (p *playerTable) remove(x *player) {
	p.mu.Lock()
	defer p.mu.Unlock()
	if id := x.session.Login.Account; p.byAccount[id] == x {
		delete(p.byAccount, id)
	}
}

// admitLogin authenticates a login, lets its player enter the world, and reads the connection until it ends. If the returned
// code is not ResponseOK, the caller must send the code to the client. If it is ResponseOK, the player's worker has already
// answered.
func (g *Gateway) admitLogin(ctx context.Context, c net.Conn, place *admission.Place, attempt loginAttempt, rest []byte) proto.ResponseCode {
	if attempt.toLobby {
		g.door.Bad.With("lobby").Inc()
		return proto.ResponseRejected // there is no lobby; clients must be configured to log in directly
	}
	for {
		p, more, err := g.findPlayer(ctx, c, attempt, rest)
		if err != nil {
			return g.responseFor(err)
		}
		rest = more
		link, attached := newLink(c, p, attempt, g.door), make(chan bool, 1)
		if !p.w.enqueue(ctx, func() { attached <- p.attachLink(link) }) { // the world stops, which also saves the player
			return proto.ResponseUpdating
		}
		select {
		case ok := <-attached:
			if !ok {
				continue // the player was removed meanwhile, because its connection was lost; the next attempt can resume its lingering actor
			}
		case <-p.w.stopped:
			return proto.ResponseUpdating
		}
		place.LogIn()
		var writer sync.WaitGroup
		writer.Go(link.out.run)
		link.readPackets(ctx, rest)
		writer.Wait()
		return proto.ResponseOK
	}
}

// Reasons why the gateway refuses a login, in addition to the errors of session.Hub.
var (
	errNoSession = errors.New("the account has no session to reconnect to")
	errElsewhere = errors.New("the player is online through another gateway or connection")
)

// findPlayer authenticates a login and returns its player. If the client reconnects and its old connection is still open, that is
// the existing player of the account. Otherwise it is a new player, which resumes the account's lingering actor or enters the
// world. If the client closes the connection meanwhile, findPlayer returns an error.
//
// The parameter rest has the bytes that the client sent after its login. The result more has these bytes, followed by those that
// the client has sent during the call.
func (g *Gateway) findPlayer(ctx context.Context, c net.Conn, attempt loginAttempt, rest []byte) (p *player, more []byte, err error) {
	ctx, cancel := context.WithTimeout(ctx, loginTimeout)
	defer cancel()
	watch := watchConn(c, cancel, rest)
	defer func() { more = watch.end() }()
	login, err := g.identify(ctx, attempt)
	if errors.Is(err, session.ErrOnline) && login != nil && attempt.reconnect {
		if p := g.players.find(login.Account); p != nil {
			return p, nil, nil // the player's connection is lost, but the server has not detected that yet
		}
		login, err = g.identify(ctx, attempt) // the server may have detected the lost connection meanwhile
	}
	switch {
	case err == nil && attempt.reconnect:
		p, err = g.resumePlayer(ctx, login)
	case err == nil:
		p, err = g.createPlayer(ctx, login, attempt.name)
	case errors.Is(err, session.ErrOnline) && login != nil:
		err = errElsewhere
	}
	return p, nil, err
}

// identify checks the name and password of a login. With Options.Register, it first creates an account if the name is unknown. It
// passes the MD5 of the password to the hub, because RealmCrafter clients send only the MD5, and an account must work with both
// protocols. The MD5 is that of the password in UTF-8; if this changed, stored accounts would no longer accept their passwords.
// RealmCrafter clients compute it in Windows-1252. A password with accents therefore works only with clients of the protocol with
// which the account was created.
func (g *Gateway) identify(ctx context.Context, attempt loginAttempt) (*session.Login, error) {
	sum := md5.Sum([]byte(attempt.password))
	name, secret := accountName(attempt.name), hex.EncodeToString(sum[:])
	if name == "" || attempt.password == "" {
		return nil, session.ErrDenied
	}
	if g.opt.Register && !attempt.reconnect && len(name) <= maxUserName && isPlainName(name) {
		err := g.hub.CreateAccount(ctx, attempt.identity, name, secret, "")
		switch {
		case err == nil, errors.Is(err, session.ErrAccountExists), errors.Is(err, session.ErrAccountsClosed):
		case errors.Is(err, session.ErrNotWhitelisted): // Login reports this to clients with the right password only, so that others do not learn which names are whitelisted
		default:
			return nil, err
		}
	}
	return g.hub.Login(ctx, attempt.identity, name, secret)
}

// accountName returns the account name for a login name. It replaces blanks by "_", because clients treat both as the same
// character.
func accountName(name string) string {
	return strings.ReplaceAll(strings.TrimSpace(name), " ", "_")
}

// isPlainName reports whether a name contains only characters that the doors of all protocols accept.
func isPlainName(name string) bool {
	return strings.IndexFunc(name, func(r rune) bool { return !isPlainRune(r) }) < 0
}

func isPlainRune(r rune) bool {
	return r == '_' || r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// createPlayer lets the first character of the account enter the world. It creates a character if the account has none.
func (g *Gateway) createPlayer(ctx context.Context, l *session.Login, name string) (*player, error) {
	character := strings.ReplaceAll(strings.TrimSpace(name), "_", " ")
	if err := gateway.EnsureCharacter(ctx, g.hub, g.world.Def(), l, character); err != nil {
		return nil, err
	}
	s, err := g.hub.Enter(ctx, l, 0)
	if err != nil {
		return nil, err
	}
	return g.addPlayer(s), nil
}

// resumePlayer lets a reconnected client resume the lingering actor of its account. The error is errNoSession if the account
// has no lingering actor.
func (g *Gateway) resumePlayer(ctx context.Context, l *session.Login) (*player, error) {
	s, err := g.hub.Resume(ctx, l)
	if errors.Is(err, session.ErrNotInWorld) {
		return nil, errNoSession
	}
	if err != nil {
		return nil, err
	}
	return g.addPlayer(s), nil
}

// addPlayer returns a new player for the session s and selects the worker that owns the player.
func (g *Gateway) addPlayer(s *session.Session) *player {
	w := g.workers[g.nextWorker.Add(1)%uint32(len(g.workers))]
	p := newPlayer(w, s, ownIndex(s.Entity))
	g.players.add(p)
	return p
}

// ownIndex returns the index of a client's own player. It depends only on the entity id, because a client that reconnects
// keeps its index and is not sent another one, even after a restart of the server. The indices of other players differ from
// client to client.
func ownIndex(e sim.EntityID) proto.Index { return proto.Index(1 + (e.Serial()-1)%proto.MaxIndex) }

// responseFor returns the response code for a login that has failed with err.
func (g *Gateway) responseFor(err error) proto.ResponseCode {
	switch {
	case errors.Is(err, errNoSession):
		return proto.ResponseSession
	case errors.Is(err, errElsewhere):
		return proto.ResponseOnline
	case errors.Is(err, session.ErrUnavailable):
		g.door.Bad.With("store_unavailable").Inc()
		return proto.ResponseBusy
	case errors.Is(err, session.ErrNoLead):
		g.door.Bad.With("no_leader").Inc()
		return proto.ResponseBusy
	case errors.Is(err, session.ErrOverloaded), errors.Is(err, context.DeadlineExceeded):
		g.door.Bad.With("overload").Inc()
		return proto.ResponseBusy // a code after which clients try again
	case errors.Is(err, session.ErrDenied), errors.Is(err, session.ErrInvalid):
		return proto.ResponseCredentials
	case errors.Is(err, session.ErrBanned):
		return proto.ResponseDisabled
	case errors.Is(err, session.ErrNotWhitelisted):
		return proto.ResponseMembers
	case errors.Is(err, session.ErrOnline), errors.Is(err, session.ErrBusy):
		return proto.ResponseOnline
	case errors.Is(err, session.ErrThrottled):
		return proto.ResponseTooMany
	case errors.Is(err, session.ErrClosed), errors.Is(err, context.Canceled):
		return proto.ResponseUpdating
	case errors.Is(err, session.ErrName), errors.Is(err, session.ErrNameTaken), errors.Is(err, session.ErrTemplate):
		return proto.ResponseRejected
	}
	g.log.Error("login refused after an internal error", telemetry.FieldErr, err)
	return proto.ResponseIncomplete
}
