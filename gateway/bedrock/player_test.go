package bedrock

import (
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/sim/geom"
)

// player is an honest client that predicts its movement, 20 times a second.
type player struct {
	*connection
	*bot.Session
	err       error
	next      time.Time     // time of the next tick
	interval  time.Duration // time between two ticks
	keys      bot.Keys
	behaviour bot.Behaviour
	chat      []string
}

// Act returns the pressed keys.
func (p *player) Act(*bot.Player) bot.Keys { return p.keys }

// joinPlayer returns an honest client that has entered the world.
func (srv *testServer) joinPlayer(name string) *player {
	return srv.joinPlayerWith(bot.Options{Name: name})
}

func (srv *testServer) joinPlayerWith(o bot.Options) *player {
	srv.t.Helper()
	p := srv.newPlayer(o)
	srv.waitFor(o.Name+" to enter", func() bool { return p.Playing() || p.err != nil })
	srv.must(p.err)
	srv.advance(200 * time.Millisecond)
	return p
}

// newPlayer returns an honest client that has not connected yet.
func (srv *testServer) newPlayer(o bot.Options) *player {
	srv.t.Helper()
	o.Chunks = &decodedChunks
	p := &player{connection: srv.dial(raknet.ClientConfig{})}
	o.Key, o.Seed = clientKey(), uint64(srv.dials)
	o.Chat = func(from, text string) { p.chat = append(p.chat, from+": "+text) }
	s, err := bot.NewSession(o)
	srv.must(err)
	p.Session, p.next, p.interval, p.behaviour = s, time.Now(), bot.TickInterval, p
	begun := false
	p.onMessage = func(b []byte) { p.fail(s.Receive(srv.now()*1e6, b)) }
	p.onTick = func() {
		if p.connected && !begun {
			begun = true
			s.Start()
		}
		for p.err == nil && !time.Now().Before(p.next) {
			p.next = p.next.Add(p.interval)
			p.fail(s.Tick(srv.now()*1e6, p.behaviour))
		}
	}
	p.beforeFlush = func() {
		if p.connected && !p.closed {
			s.Flush(p.send)
		}
	}
	return p
}

func (p *player) fail(err error) {
	if p.err == nil {
		p.err = err
	}
}

// decodedChunks contains decoded chunks, shared by the clients of all tests, because most tests have the same world.
var decodedChunks bot.ChunkCache

// walk presses keys for the duration d and then releases them.
func (p *player) walk(d time.Duration, keys bot.Keys) {
	p.keys = keys
	p.srv.advance(d)
	p.keys = bot.Keys{Yaw: keys.Yaw, Pitch: keys.Pitch}
}

// position returns the client's predicted feet position.
func (p *player) position() geom.Vec { return p.Predictor().State().Pos }

// findActor returns the actor with this name as the client knows it.
func (p *player) findActor(name string) (a bot.Actor, ok bool) {
	for x := range p.World().Actors() {
		if x.Name == name {
			return *x, true
		}
	}
	return bot.Actor{}, false
}

// assertUnaffected fails the test if the player has been corrected or disconnected, or has received an unreadable
// packet.
func (p *player) assertUnaffected(after string) {
	p.srv.t.Helper()
	n := p.Counts()
	switch {
	case p.err != nil || p.closed:
		p.srv.t.Errorf("%s: player was disconnected: %v, %v", after, p.err, p.reason)
	case n.Move.Corrections > 0 || n.Move.Teleports > 0:
		p.srv.t.Errorf("%s: player was corrected: %+v", after, n.Move)
	case n.ParseErrors+n.Trailing+n.UnknownActors > 0:
		p.srv.t.Errorf("%s: player received %d unreadable packets: %v", after, n.ParseErrors+n.Trailing+n.UnknownActors, p.FirstParseError())
	}
}

// Yaw in degrees of the four directions in block coordinates.
const (
	south, west, north, east = 0, 90, 180, -90
)
