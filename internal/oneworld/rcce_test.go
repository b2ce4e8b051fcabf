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

// rcceClient is a RealmCrafter client. It implements the Behaviour of its player: in each tick it runs the actions that a
// test has queued.
type rcceClient struct {
	c     *rccecl.Client
	cut   func() // makes the network drop all datagrams of the client
	lossy bool   // the client's link loses datagrams
	stop  context.CancelFunc
	done  chan struct{}

	mu      sync.Mutex
	lines   []string
	actions []func(p *rccecl.Player)
	target  string
	next    time.Time
	err     error
	known   map[uint16]string // by runtime id: names of the actors that the client was sent
	seen    map[string]fightStats
	jumps   map[string]int
}

func dialRcce(ctx context.Context, r *rig, name string) (*rcceClient, error) {
	x := &rcceClient{cut: func() { r.cutOff(name) }, lossy: r.line.Loss > 0, done: make(chan struct{}), known: map[uint16]string{}, seen: map[string]fightStats{}, jumps: map[string]int{}}
	c, err := rccecl.Dial(ctx, r.addr[rcce], rccecl.Options{
		User: name, Password: password, SameConnection: true, SpeedAttribute: 4,
		Chat: x.read, Packet: x.packet, Dial: r.newHostOf(name).Dial,
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

// packet counts attacks and deaths in received packets: attacks on others, own attacks with their damage, and actors whose
// health is 0.
func (x *rcceClient) packet(p rcceproto.Packet) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch p := p.(type) {
	case rcceproto.NewActor:
		x.known[p.RuntimeID] = p.Name
	case rcceproto.AttackActor:
		s := x.seen[x.known[p.Victim]]
		if p.Sub == rcceproto.AttackOthers || p.Sub == rcceproto.AttackYouHit && !p.Damage.IsMiss() {
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

// queueAction makes the client's goroutine run f in its next tick.
func (x *rcceClient) queueAction(f func(p *rccecl.Player)) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.actions = append(x.actions, f)
}

// Act runs the queued actions and continues the fight.
func (x *rcceClient) Act(p *rccecl.Player) {
	x.mu.Lock()
	actions, target := x.actions, x.target
	x.actions = nil
	x.mu.Unlock()
	for _, f := range actions {
		f(p)
	}
	if target == "" {
		return
	}
	a, ok := p.World().FindByName(target)
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

func (x *rcceClient) actor(name string) (s actorView, ok bool) {
	x.c.Inspect(func(w *rccecl.World) {
		a, found := w.FindByName(name)
		ok = found
		s = actorView{at: position{float64(a.Pos.X), float64(a.Pos.Y), float64(a.Pos.Z)}, dead: a.HealthMax > 0 && a.Health <= 0}
		s.health = float64(a.Health) / float64(max(a.HealthMax, 1))
	})
	return s, ok
}

func (x *rcceClient) names() (all []string) {
	x.c.Inspect(func(w *rccecl.World) {
		for a := range w.Actors() {
			all = append(all, a.Name)
		}
	})
	return all
}

func (x *rcceClient) area() (name string) {
	x.c.Inspect(func(w *rccecl.World) { name = w.Area })
	return name
}

func (x *rcceClient) health() (h float64) {
	x.c.Inspect(func(w *rccecl.World) { h = float64(w.Self.Health) / float64(max(w.Self.HealthMax, 1)) })
	return h
}

func (x *rcceClient) deaths() int { return int(x.c.Stats(nil, nil).Deaths) }

func (x *rcceClient) say(text string) { x.queueAction(func(p *rccecl.Player) { p.Say(text) }) }

func (x *rcceClient) heard(who, text string) bool { return x.serverSaid("<" + who + "> " + text) }

func (x *rcceClient) serverSaid(text string) bool {
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
	x.queueAction(func(p *rccecl.Player) { p.WalkTo(to.X, to.Z, false) })
}

func (x *rcceClient) halt() { x.queueAction(func(p *rccecl.Player) { p.Stop() }) }

func (x *rcceClient) startFight(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.target = name
}

func (x *rcceClient) attackOnce(name string) {
	x.queueAction(func(p *rccecl.Player) {
		if a, ok := p.World().FindByName(name); ok {
			p.Attack(a.RuntimeID)
		}
	})
}

func (x *rcceClient) stopFight() {
	x.startFight("")
	x.halt()
}

func (x *rcceClient) fightSeen(on string) fightStats {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seen[on]
}

// jumpsSeen returns how many jumps of an actor the client was sent.
func (x *rcceClient) jumpsSeen(name string) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.jumps[name]
}

func (x *rcceClient) problem() error {
	n := x.c.Stats(nil, nil)
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.err != nil:
		return x.err
	case n.Bad != 0 || n.Ignored != 0:
		return fmt.Errorf("%d messages could not be parsed and %d were ignored: %w", n.Bad, n.Ignored, x.c.FirstParseError())
	case n.Corrections != 0 || n.Snaps > x.snapsAllowed(&n):
		return fmt.Errorf("%d corrections, %d snaps", n.Corrections, n.Snaps)
	}
	return nil
}

// snapsAllowed returns how often the client may jump to the server's position. On a link that loses datagrams, an
// unreliable update from the new area may arrive before the reliable packet that announces the area.
func (x *rcceClient) snapsAllowed(n *rccecl.Counts) uint64 {
	if x.lossy {
		return n.Areas
	}
	return 0
}

func (x *rcceClient) resetStats() { x.c.ResetStats() }

func (x *rcceClient) leave() {
	x.stop()
	<-x.done
}

func (x *rcceClient) lose() {
	x.cut()
	x.leave()
}
