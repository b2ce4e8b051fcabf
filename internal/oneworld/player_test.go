package oneworld

import (
	"context"
	"fmt"
	"math"
	"slices"
	"sync"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// position is the position of an actor in a client, in the unit of its protocol: world units, tiles or blocks.
type position struct{ x, y, z float64 }

// actorView is the state of an actor in a client.
type actorView struct {
	at     position
	health float64 // fraction of the maximum, or -1 if the protocol does not show it
	dead   bool
}

// client is a client of any door that a test controls. Its methods are safe for concurrent use.
type client interface {
	actor(name string) (s actorView, ok bool)
	names() []string // returns the names of all other actors that the client knows
	area() string    // returns the name of the area, "" if the protocol does not name areas
	health() float64 // returns the player's own health as a fraction of the maximum
	deaths() int     // returns the number of the player's own deaths

	say(text string)
	heard(who, text string) bool // reports whether the client received that chat line of that player
	serverSaid(text string) bool // reports whether the client received that message of the server

	walk(to geom.Vec, def *sim.AreaDef) // starts to walk to a point of the world
	halt()
	startFight(name string) // follows and attacks an actor until stopFight is called
	attackOnce(name string) // requests one attack without moving
	stopFight()

	fightSeen(on string) fightStats // returns the attacks on an actor that the client was sent
	problem() error                 // returns a disconnect, unreadable packets or corrections as an error; nil for an honest client of a correct server
	resetStats()                    // resets the counters
	leave()                         // logs out and waits until the connection is closed
	lose()                          // loses the connection without a logout: the server gets no more datagrams, or the end of the stream
}

// fightStats counts the attacks on an actor that a client was sent.
type fightStats struct {
	hits   int // attacks that did damage; for RealmCrafter clients all attacks
	damage int // points of damage; -1 if the protocol does not send them to other players
	fell   int // number of deaths
}

// player is a player in the world with its client.
type player struct {
	client
	name, door string
	r          *rig
}

// dial connects a client to a door and enters the world with it.
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
	case web:
		p.client, err = dialWeb(ctx, r, name)
	}
	if err != nil {
		return nil, fmt.Errorf("%s through %s: %w", name, door, err)
	}
	return p, nil
}

// entrant describes a player that join logs in.
type entrant struct {
	door, name, area string
	at               geom.Vec
	weapon           uint16
}

// join logs in players at the same time. They leave at the end of the test.
func (r *rig) join(entrants ...entrant) []*player {
	r.t.Helper()
	for _, s := range entrants {
		r.createCharacter(s.door, s.name, s.area, s.at, s.weapon)
	}
	all := make([]*player, len(entrants))
	var wait sync.WaitGroup
	for i, s := range entrants {
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
	waitFor(r.t, "all players are in the world", func() bool {
		return !slices.ContainsFunc(all, func(p *player) bool { _, _, ok := r.truth.player(p.name); return !ok })
	})
	for _, p := range all {
		if err := p.problem(); err != nil {
			r.t.Errorf("%s (%s): %v", p.name, p.door, err)
		}
		p.resetStats()
	}
	return all
}

// areaDef returns the area in which a player is.
func (p *player) areaDef() *sim.AreaDef {
	m, _, ok := p.r.truth.player(p.name)
	if !ok {
		p.r.t.Fatalf("%s is in no area", p.name)
	}
	return &p.r.def.Areas[m.area]
}

// pos returns the server's position of a player, or NaN if the player is in no area.
func (p *player) pos() geom.Vec {
	_, a, ok := p.r.truth.player(p.name)
	if !ok {
		return geom.Vec{X: float32(math.NaN())}
	}
	return a.Pos
}

// walkTo starts to walk to a point.
func (p *player) walkTo(to geom.Vec) { p.walk(to, p.areaDef()) }

// checkHonest checks that no player was disconnected, corrected or sent packets that it could not parse.
func checkHonest(t testing.TB, all ...*player) {
	t.Helper()
	for _, p := range all {
		if err := p.problem(); err != nil {
			t.Errorf("%s (%s): %v; the server corrected it for %v", p.name, p.door, err, p.corrections())
		}
	}
}

// corrections returns the reasons for which the server corrected a player.
func (p *player) corrections() (all []string) {
	for _, d := range p.r.truth.events(func(d *savedEvent) bool {
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

// distance returns the horizontal distance of two points in world units.
func distance(a, b geom.Vec) float32 { return geom.DistXZ(a, b) }

// playersOf returns those of the given players that use a door.
func playersOf(door string, all []*player) []*player {
	return slices.DeleteFunc(slices.Clone(all), func(p *player) bool { return p.door != door })
}

// waitForPositions waits until every viewer shows every player at the server's position.
func (r *rig) waitForPositions(t testing.TB, name string, viewers, all []*player) {
	t.Helper()
	id, _ := r.area(name)
	for _, v := range viewers {
		for _, o := range all {
			if v == o {
				continue
			}
			waitFor(t, v.name+" sees "+o.name+" where it is", func() bool {
				s, ok := v.actor(o.name)
				if !ok {
					return false
				}
				d, ok := r.staleness(v.door, id, o.name, s.at, time.Now())
				return ok && d == 0
			})
		}
	}
}
