package oneworld

import (
	"context"
	"fmt"
	"sync"
	"time"

	rccecl "github.com/truestep-io/truestep/client/rcce"
	rcceproto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// rcceClient is a client of RealmCrafter. It is its own Behaviour: what a test wants is done in the next tick.
type rcceClient struct {
	c    *rccecl.Client
	stop context.CancelFunc
	done chan struct{}

	mu    sync.Mutex
	lines []string
	wish  []func(p *rccecl.Player)
	foe   string
	next  time.Time
	err   error
	known map[uint16]string // names of those whom it was shown
	seen  map[string]fightSeen
	jumps map[string]int
}

func dialRcce(ctx context.Context, r *rig, name string) (*rcceClient, error) {
	x := &rcceClient{done: make(chan struct{}), known: map[uint16]string{}, seen: map[string]fightSeen{}, jumps: map[string]int{}}
	c, err := rccecl.Dial(ctx, r.addr[rcce], rccecl.Options{
		User: name, Password: password, SameConnection: true, SpeedAttribute: 4,
		Chat: x.read, Packet: x.packet, Dial: r.home().Dial,
	})
	if err != nil {
		return nil, err
	}
	x.c = c
	if err := c.Join(ctx); err != nil {
		c.Close()
		return nil, err
	}
	life, stop := context.WithCancel(context.Background())
	x.stop = stop
	go func() {
		defer close(x.done)
		defer c.Close()
		if err := c.Play(life, x); err != nil {
			x.mu.Lock()
			x.err = err
			x.mu.Unlock()
		}
	}()
	return x, nil
}

func (x *rcceClient) read(text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.lines = append(x.lines, text)
}

// packet notes what a player sees of fights: swings at others, blows of his own with their figures, and who has no
// health left.
func (x *rcceClient) packet(p rcceproto.Packet) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch p := p.(type) {
	case rcceproto.NewActor:
		x.known[p.RuntimeID] = p.Name
	case rcceproto.AttackActor:
		s := x.seen[x.known[p.Victim]]
		if p.Sub == rcceproto.AttackOthers || p.Sub == rcceproto.AttackYouHit && !p.Damage.Miss() {
			s.hits++
		}
		if p.Sub == rcceproto.AttackYouHit {
			s.damage += int(max(0, p.Damage.Points()))
		}
		x.seen[x.known[p.Victim]] = s
	case rcceproto.Jump:
		x.jumps[x.known[p.RuntimeID]]++
	case rcceproto.StatUpdate:
		if s := x.seen[x.known[p.RuntimeID]]; p.Sub == rcceproto.StatValue && p.Attribute == 0 && p.Value == 0 {
			s.fell++
			x.seen[x.known[p.RuntimeID]] = s
		}
	}
}

// do lets the client's own goroutine do something.
func (x *rcceClient) do(f func(p *rccecl.Player)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.wish = append(x.wish, f)
}

// Act does what the test wants.
func (x *rcceClient) Act(p *rccecl.Player) {
	x.mu.Lock()
	wish, foe := x.wish, x.foe
	x.wish = nil
	x.mu.Unlock()
	for _, f := range wish {
		f(p)
	}
	if foe == "" {
		return
	}
	a, ok := p.World().Find(foe)
	switch {
	case !ok || a.Health <= 0:
		p.Stop()
	case geom.DistXZ(a.Pos, p.Pos()) > 0.6*reach:
		p.WalkTo(a.Pos.X, a.Pos.Z, true)
	default:
		p.Stop()
		if p.Now().After(x.next) {
			x.next = p.Now().Add(300 * time.Millisecond)
			p.Attack(a.RuntimeID)
		}
	}
}

func (x *rcceClient) look(name string) (s sight, ok bool) {
	x.c.Look(func(w *rccecl.World) {
		a, found := w.Find(name)
		ok = found
		s = sight{at: spot{float64(a.Pos.X), float64(a.Pos.Y), float64(a.Pos.Z)}, dead: a.HealthMax > 0 && a.Health <= 0}
		s.health = float64(a.Health) / float64(max(a.HealthMax, 1))
	})
	return s, ok
}

func (x *rcceClient) names() (all []string) {
	x.c.Look(func(w *rccecl.World) {
		for a := range w.Actors() {
			all = append(all, a.Name)
		}
	})
	return all
}

func (x *rcceClient) area() (name string) {
	x.c.Look(func(w *rccecl.World) { name = w.Area })
	return name
}

func (x *rcceClient) health() (h float64) {
	x.c.Look(func(w *rccecl.World) { h = float64(w.Self.Health) / float64(max(w.Self.HealthMax, 1)) })
	return h
}

func (x *rcceClient) deaths() int { return int(x.c.Stats(nil, nil).Deaths) }

func (x *rcceClient) say(text string) { x.do(func(p *rccecl.Player) { p.Say(text) }) }

func (x *rcceClient) heard(who, text string) bool { return x.told("<" + who + "> " + text) }

func (x *rcceClient) told(text string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, l := range x.lines {
		if l == text {
			return true
		}
	}
	return false
}

func (x *rcceClient) walk(to geom.Vec, _ *sim.AreaDef) {
	x.do(func(p *rccecl.Player) { p.WalkTo(to.X, to.Z, false) })
}

func (x *rcceClient) halt() { x.do(func(p *rccecl.Player) { p.Stop() }) }

func (x *rcceClient) fight(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.foe = name
}

func (x *rcceClient) strike(name string) {
	x.do(func(p *rccecl.Player) {
		if a, ok := p.World().Find(name); ok {
			p.Attack(a.RuntimeID)
		}
	})
}

func (x *rcceClient) peace() {
	x.fight("")
	x.halt()
}

func (x *rcceClient) blows(on string) fightSeen {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seen[on]
}

// jumped is how often it was shown that somebody jumped.
func (x *rcceClient) jumped(name string) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.jumps[name]
}

func (x *rcceClient) fault() error {
	n := x.c.Stats(nil, nil)
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.err != nil:
		return x.err
	case n.Bad != 0 || n.Ignored != 0:
		return fmt.Errorf("%d messages could not be read and %d were ignored: %w", n.Bad, n.Ignored, x.c.FirstBad())
	case n.Corrections != 0 || n.Snaps != 0:
		return fmt.Errorf("%d corrections, %d snaps", n.Corrections, n.Snaps)
	}
	return nil
}

func (x *rcceClient) restart() { x.c.ResetStats() }

func (x *rcceClient) leave() {
	x.stop()
	<-x.done
}
