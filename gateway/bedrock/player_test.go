package bedrock

import (
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/sim/geom"
)

// player is an honest client that predicts its movement, 20 times a second.
type player struct {
	*line
	*bot.Session
	err   error
	next  time.Time     // tick
	every time.Duration // between two
	keys  bot.Keys
	play  bot.Behaviour
	said  []string
}

// Act makes a player do what its keys say.
func (p *player) Act(*bot.Player) bot.Keys { return p.keys }

// player brings an honest client into the world.
func (r *rig) player(name string) *player { return r.playerWith(bot.Options{Name: name}) }

func (r *rig) playerWith(o bot.Options) *player {
	r.t.Helper()
	p := r.newcomer(o)
	r.until(o.Name+" to enter", func() bool { return p.Playing() || p.err != nil })
	r.must(p.err)
	r.run(200 * time.Millisecond)
	return p
}

// newcomer is an honest client that is about to connect.
func (r *rig) newcomer(o bot.Options) *player {
	r.t.Helper()
	p := &player{line: r.dial(raknet.ClientConfig{})}
	o.Key, o.Seed = clientKey(), uint64(r.dialled)
	o.Chat = func(from, text string) { p.said = append(p.said, from+": "+text) }
	s, err := bot.NewSession(o)
	r.must(err)
	p.Session, p.next, p.every, p.play = s, time.Now(), bot.TickInterval, p
	begun := false
	p.message = func(b []byte) { p.fail(s.Receive(r.now()*1e6, b)) }
	p.tick = func() {
		if p.up && !begun {
			begun = true
			s.Start()
		}
		for p.err == nil && !time.Now().Before(p.next) {
			p.next = p.next.Add(p.every)
			p.fail(s.Tick(r.now()*1e6, p.play))
		}
	}
	p.flushed = func() {
		if p.up && !p.gone {
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

// walk lets the player hold keys for a while, and then let go.
func (p *player) walk(d time.Duration, keys bot.Keys) {
	p.keys = keys
	p.r.run(d)
	p.keys = bot.Keys{Yaw: keys.Yaw, Pitch: keys.Pitch}
}

// at is where the player believes to be, feet.
func (p *player) at() geom.Vec { return p.Predictor().State().Pos }

// sees is the other of that name, as the player knows it.
func (p *player) sees(name string) (a bot.Actor, ok bool) {
	for x := range p.World().Actors() {
		if x.Name == name {
			return *x, true
		}
	}
	return bot.Actor{}, false
}

// unharmed complains if the player was corrected, lost, or could not read a packet.
func (p *player) unharmed(after string) {
	p.r.t.Helper()
	n := p.Counts()
	switch {
	case p.err != nil || p.gone:
		p.r.t.Errorf("%s: the one beside it is gone: %v, %v", after, p.err, p.reason)
	case n.Move.Corrections > 0 || n.Move.Teleports > 0:
		p.r.t.Errorf("%s: the one beside it was corrected: %+v", after, n.Move)
	case n.ParseErrors+n.Trailing+n.UnknownActors > 0:
		p.r.t.Errorf("%s: the one beside it could not read %d packets: %v", after, n.ParseErrors+n.Trailing+n.UnknownActors, p.FirstParseError())
	}
}

// yaw angles of the blocks' directions.
const (
	south, west, north, east = 0, 90, 180, -90
)
