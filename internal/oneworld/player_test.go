package oneworld

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// spot is where a client has somebody, in the measure of its wire: units, tiles or blocks.
type spot struct{ x, y, z float64 }

// sight is what a client knows of somebody.
type sight struct {
	at     spot
	health float64 // share of the most, -1 if its wire does not tell
	dead   bool
}

// client is one of the three kinds of client in the hands of a test. Its methods are safe for any goroutine.
type client interface {
	look(name string) (s sight, ok bool)
	names() []string // of all others that it knows
	area() string    // as it knows it; "" if it has no name for it
	health() float64 // its own, as a share of the most
	deaths() int     // its own

	say(text string)
	heard(who, text string) bool // whether it could read that that one said that
	told(text string) bool       // whether it could read that the server said that

	walk(to geom.Vec, def *sim.AreaDef) // sets out for a point of the world
	halt()
	fight(name string)  // follows and strikes him until told otherwise
	strike(name string) // asks for one blow from where it stands
	peace()

	blows(on string) fightSeen // what it saw of a fight so far
	fault() error              // what an honest client never meets at a sound server: disconnects, unreadable packets, corrections
	restart()                  // counts from now on
	leave()                    // as real players do; it waits until the connection is closed
}

// fightSeen is what a client saw happen to somebody, each in its own words.
type fightSeen struct {
	hits   int // blows that hurt him; for clients of RealmCrafter that is all swings at him
	damage int // points that the client could read; -1 if its wire does not tell onlookers
	fell   int // times that he was seen to die
}

// player is somebody in the world.
type player struct {
	client
	name, door string
	r          *rig
}

// dial joins as a client of that door.
func (r *rig) dial(ctx context.Context, door, name string) (*player, error) {
	p := &player{name: name, door: door, r: r}
	var err error
	switch door {
	case rcce:
		p.client, err = dialRcce(ctx, r, name)
	case rs:
		p.client, err = dialRs(ctx, r, name)
	case bedrock:
		p.client, err = dialBedrock(ctx, r, name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s through %s: %w", name, door, err)
	}
	return p, nil
}

// seat is a player who is to come in.
type seat struct {
	door, name, area string
	at               geom.Vec
	arms             uint16
}

// join brings players into the world, all at the same time, until the test ends.
func (r *rig) join(seats ...seat) []*player {
	r.t.Helper()
	for _, s := range seats {
		r.settle(s.door, s.name, s.area, s.at, s.arms)
	}
	all := make([]*player, len(seats))
	var wait sync.WaitGroup
	for i, s := range seats {
		wait.Go(func() {
			p, err := r.dial(r.t.Context(), s.door, s.name)
			if err != nil {
				r.t.Error(err)
				return
			}
			r.t.Cleanup(p.leave)
			all[i] = p
		})
	}
	wait.Wait()
	if r.t.Failed() {
		r.t.FailNow()
	}
	soon(r.t, "everybody stands in the world", func() bool {
		return !slices.ContainsFunc(all, func(p *player) bool { _, _, ok := r.truth.of(p.name); return !ok })
	})
	for _, p := range all {
		if err := p.fault(); err != nil {
			r.t.Errorf("%s (%s): %v", p.name, p.door, err)
		}
		p.restart()
	}
	return all
}

// def is the area in which a player is.
func (p *player) def() *sim.AreaDef {
	m, _, ok := p.r.truth.of(p.name)
	if !ok {
		p.r.t.Fatalf("%s is nowhere", p.name)
	}
	return &p.r.def.Areas[m.area]
}

// at is where a player is in truth.
func (p *player) at() geom.Vec {
	_, a, ok := p.r.truth.of(p.name)
	if !ok {
		return geom.Vec{X: float32(math.NaN())}
	}
	return a.Pos
}

// goes sets out for a point.
func (p *player) goes(to geom.Vec) { p.walk(to, p.def()) }

// honest checks that nothing happened to the players that an honest client must not meet.
func honest(t testing.TB, all ...*player) {
	t.Helper()
	for _, p := range all {
		if err := p.fault(); err != nil {
			t.Errorf("%s (%s): %v; the server corrected it for %v", p.name, p.door, err, p.corrections())
		}
	}
}

// corrections are the reasons for which the server corrected a player.
func (p *player) corrections() (all []string) {
	for _, d := range p.r.truth.told(func(d *deed) bool {
		switch d.Kind {
		case sim.EventCorrected, sim.EventHeld, sim.EventTeleported, sim.EventKnockback:
			return d.by == p.name
		}
		return false
	}) {
		all = append(all, fmt.Sprintf("\nevent %d in tick %d: %v", d.Kind, d.tick, d.Reason))
		if w := d.Rewind; w != nil {
			all = append(all, fmt.Sprintf("its tick %d, serial %d, at %v with %v, claimed %v with %v", w.Tick, w.Serial, w.State.Pos, w.State.Vel, w.Claimed, w.Velocity))
		}
	}
	return all
}

// flat is how far two places are apart on the ground.
func flat(a, b geom.Vec) float32 { return geom.DistXZ(a, b) }

// through are the players of a door.
func through(door string, all []*player) []*player {
	return slices.DeleteFunc(slices.Clone(all), func(p *player) bool { return p.door != door })
}

// agree waits until every viewer shows every one of all where he is in truth.
func (r *rig) agree(t testing.TB, name string, viewers, all []*player) {
	t.Helper()
	id, def := r.area(name)
	for _, v := range viewers {
		for _, o := range all {
			if v == o {
				continue
			}
			soon(t, v.name+" sees "+o.name+" where he is", func() bool {
				s, ok := v.look(o.name)
				m := r.truth.now(id)
				a := m.find(r.truth.id(o.name))
				if !ok || a == nil {
					return false
				}
				want, _ := expected(v.door, def, &m, a)
				return same(v.door, s.at, want)
			})
		}
	}
}
