package bedrock

import (
	"context"
	"crypto/rand"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/telemetry"
)

// callTimeout is the maximum duration of a call that may block, such as the verification of a login. Such calls run on
// goroutines of their own, not in the worker.
const callTimeout = 10 * time.Second

// handleLoginPacket processes a packet of the login sequence. Source: docs/wire/bedrock.md, sequence to spawn.
func (c *conn) handleLoginPacket(p proto.Packet) {
	switch p := p.(type) {
	case proto.RequestNetworkSettings:
		c.negotiate(p)
	case proto.Login:
		c.startLogin(p)
	case proto.ClientToServerHandshake:
		c.acceptHandshake()
	case proto.ResourcePackClientResponse:
		c.handlePackResponse(p)
	case proto.RequestChunkRadius: // some clients request the radius early
		c.setRadius(p.Radius)
	case proto.ClientCacheStatus:
	default:
		c.w.g.door.Bad.With("ignored").Inc()
	}
}

// negotiate checks the protocol version and answers with the compression settings.
func (c *conn) negotiate(p proto.RequestNetworkSettings) {
	if c.stage != stageHello {
		c.abort("login_again", nil)
		return
	}
	c.place.MarkMessageReceived()
	c.version = p.Protocol
	if !c.version.IsSupported() {
		status := proto.StatusServerTooOld
		if c.version < proto.Versions()[0] {
			status = proto.StatusClientTooOld
		}
		c.reportFault("version", fmt.Errorf("the client has protocol version %d; the server accepts only the versions %v", p.Protocol, proto.Versions()))
		send(c, proto.PlayStatus{Status: status})
		c.flushAndClose()
		return
	}
	if !c.w.g.opt.Online && c.w.g.isFull() { // in online mode the login may replace a session of the same player
		c.refuseFull()
		return
	}
	send(c, proto.NetworkSettings{Threshold: proto.CompressThreshold, Algorithm: proto.AlgorithmDeflate})
	c.flush()
	c.compressed = true
	c.enterStage(stageLogin)
}

// startLogin starts the verification of a login on another goroutine, because a login has half a megabyte and each of its
// signatures takes a millisecond to verify.
func (c *conn) startLogin(p proto.Login) {
	if c.stage != stageLogin {
		c.abort("login_again", nil)
		return
	}
	if p.Protocol != c.version {
		c.abort("version", nil)
		return
	}
	c.place.MarkRequestReceived()
	c.enterStage(stageChecking)
	g, who, gone := c.w.g, c.who, c.gone
	size := int64(len(p.Request))
	if g.loginBytes.Add(size) > g.maxLoginBytes {
		g.loginBytes.Add(-size)
		c.refuseBusy()
		return
	}
	request := append([]byte(nil), p.Request...)
	ok := c.w.calls.Start(func(ctx context.Context) func() {
		defer g.loginBytes.Add(-size)
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		defer context.AfterFunc(gone, cancel)()
		v, err := g.identify(ctx, who, request)
		return func() { c.finishLogin(v, err) }
	})
	if !ok {
		g.loginBytes.Add(-size)
		c.refuseBusy()
	}
}

// verifiedLogin contains the account of a client whose login was verified, and the data with which encryption begins.
type verifiedLogin struct {
	name  string
	login *session.Login
	key   [32]byte // encryption key of the session
	token string   // token for the packet ServerToClientHandshake
}

// identify verifies a login and returns its account. In online mode, the account is named after the XUID, the player's number
// that Xbox Live has signed; otherwise it is named after the name that the client states.
func (g *Gateway) identify(ctx context.Context, who session.Peer, request []byte) (verifiedLogin, error) {
	id, err := g.verify(ctx, who, request)
	if err != nil {
		return verifiedLogin{}, err
	}
	account := "bedrock:" + strings.ToLower(id.Name)
	if !id.SelfSigned {
		account = "xbox:" + id.XUID
	}
	v := verifiedLogin{name: id.Name}
	if v.login, err = g.hub.LoginWithoutSecret(ctx, who, account); err != nil && (v.login == nil || !errors.Is(err, session.ErrOnline)) {
		return verifiedLogin{}, err
	}
	var salt [16]byte
	rand.Read(salt[:]) // Read never fails
	if v.key, err = auth.SessionKey(g.key, id.Key, salt[:]); err != nil {
		return verifiedLogin{}, err
	}
	v.token, err = auth.NewHandshake(g.key, salt[:])
	return v, err
}

// verify checks the connection request of a login and returns the identity of the player. It first waits for its turn,
// because only a few logins are verified at the same time. If the client's address has sent an invalid login within
// invalidLoginTime, logins of other addresses are verified first.
func (g *Gateway) verify(ctx context.Context, who session.Peer, request []byte) (id auth.Identity, err error) {
	addr := admission.AddrOf(who.Addr)
	rank := func() admission.Rank {
		if g.invalidLogins.Get(addr, time.Now()) > 0 {
			return admission.RankFailed
		}
		return admission.RankUnknown
	}
	if err := g.verifying.Acquire(ctx, admission.Request{Door: who.Door, Addr: addr, Rank: rank}); err != nil {
		return auth.Identity{}, errVerifyQueueFull
	}
	defer g.verifying.Release()
	defer func() {
		if err != nil {
			g.invalidLogins.Add(addr, time.Now())
		}
	}()
	req, err := auth.ParseConnectionRequest(request)
	if err != nil {
		return auth.Identity{}, err
	}
	id, _, err = auth.VerifyLogin(req, auth.LoginPolicy{Online: g.opt.Online, Keys: g.opt.Keys}, time.Now().Unix())
	return id, err
}

// finishLogin continues a login after its verification: it stores the account and starts the encryption. The parameter err is the
// result of the verification; if it is not nil, finishLogin refuses the login.
func (c *conn) finishLogin(v verifiedLogin, err error) {
	if c.closed {
		return
	}
	if err != nil {
		c.refuseLogin(err)
		return
	}
	c.name, c.login = v.name, v.login
	send(c, proto.ServerToClientHandshake{Token: v.token})
	c.flush()
	if c.closed {
		return
	}
	c.sealer, c.opener = auth.NewSealer(v.key), auth.NewOpener(v.key)
	if err := c.w.g.keyLog.add(c.peer.Addr(), v.key); err != nil {
		c.w.g.log.Warn("cannot write the session key to the bedrock-keylog file", telemetry.FieldErr, err)
	}
	c.enterStage(stageHandshake)
}

// claimAccount makes c the only connection of its account (rule VE-2 of docs/wire/bedrock.md). It returns false if another
// connection keeps the account. In online mode, c replaces an older connection, because Xbox Live has verified that both belong
// to the same player.
func (c *conn) claimAccount() bool {
	g := c.w.g
	for range 2 {
		holder := g.accounts.claim(c.login.Name, c)
		if holder == nil {
			c.nameHeld = true
			c.place.LogIn()
			g.players.Add(1)
			return true
		}
		if !g.opt.Online {
			return false
		}
		g.accounts.release(c.login.Name, holder)
		holder.w.calls.Post(holder.disconnectReplaced)
	}
	return false
}

// disconnectReplaced disconnects a client because its account has logged in on a newer connection.
func (c *conn) disconnectReplaced() {
	c.disconnect(proto.DisconnectLoggedInElsewhere, "You logged in from another place.")
}

// acceptHandshake handles the first encrypted packet of a client, which proves that the client has the session key. Before this
// proof, a connection must not replace another one of its account: an attacker can send a recorded login of someone else, but
// lacks the key.
func (c *conn) acceptHandshake() {
	switch {
	case c.stage != stageHandshake:
		c.w.g.door.Bad.With("untimely").Inc()
		return
	case c.w.g.isFull() && !c.w.g.accounts.held(c.login.Name):
		c.refuseFull()
		return
	case !c.claimAccount():
		c.refuseLogin(session.ErrOnline)
		return
	}
	send(c, proto.PlayStatus{Status: proto.StatusLoginOK})
	send(c, proto.ResourcePacksInfo{})
	c.enterStage(stagePacks)
}

// handlePackResponse processes a client's answer about resource packs. This server has none. Some clients report that they
// have all packs even before the server has sent the list of packs.
func (c *conn) handlePackResponse(p proto.ResourcePackClientResponse) {
	if c.stage != stagePacks {
		return // the exchange of packs is over, so this is a repeated response
	}
	switch p.Status {
	case proto.PacksRefused:
		c.flushAndClose()
	case proto.PacksDownloaded:
		c.sendPackStack()
	case proto.PacksCompleted:
		c.sendPackStack()
		c.enterStage(stageEntering)
		c.startEntering()
	}
}

// sendPackStack sends the empty list of resource packs in use, once per connection.
func (c *conn) sendPackStack() {
	if !c.stackSent {
		c.stackSent = true
		send(c, proto.ResourcePackStack{GameVersion: "*"})
	}
}

// startEntering starts a goroutine that lets the player enter the world, which may block.
func (c *conn) startEntering() {
	g, l, name := c.w.g, c.login, c.name
	ok := c.w.calls.Start(func(ctx context.Context) func() {
		ctx, cancel := context.WithTimeout(ctx, callTimeout)
		defer cancel()
		s, err := g.enterWorld(ctx, l, name)
		return func() { c.finishEntering(s, err) }
	})
	if !ok {
		c.refuseBusy()
	}
}

// enterWorld makes the first character of the account enter the world. It creates a character with the given name if the account
// has none.
func (g *Gateway) enterWorld(ctx context.Context, l *session.Login, name string) (*session.Session, error) {
	if err := gateway.EnsureCharacter(ctx, g.hub, g.world.Def(), l, name); err != nil {
		return nil, err
	}
	if !g.opt.Online {
		return g.hub.Enter(ctx, l, 0)
	}
	return g.hub.EnterWhenFree(ctx, l, 0) // waits until the session that this login replaces has ended
}

// finishEntering stores the session of a player that enters the world, and makes the connection wait for a frame that
// contains the player. If err is not nil, it refuses the login.
func (c *conn) finishEntering(s *session.Session, err error) {
	if err != nil {
		c.refuseLogin(err)
		return
	}
	if c.closed {
		s.Disconnect()
		return
	}
	c.session = s
	c.runtimeID = c.w.ids.acquire(s.Entity)
	c.w.players[s.Entity] = c
	c.firstArrival = true
	c.w.scenes.Expect(c, s.Area())
}
