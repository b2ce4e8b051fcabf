package rs

import (
	"slices"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// fight lets one attack the other, by the option of the menu.
func (c *client) fight(name string) {
	c.send(proto.OpPlayer{Option: attackOption, Index: c.sees(name)})
}

func TestAFightIsSeenByAllThree(t *testing.T) {
	bubble(t, arena(), Options{Register: true}, func(r *rig) {
		ada, bob, cy := r.join("Ada"), r.join("Bob"), r.join("Cy")
		for _, c := range []*client{ada, bob, cy} {
			c.listen()
		}
		ada.fight("Bob")
		r.cycles(10)
		for _, c := range []*client{ada, bob, cy} {
			c.fine()
			a, b := c.sees("Ada"), c.sees("Bob")
			if got, want := c.view.State(a).Target, b+32768; got != want {
				t.Errorf("%s: Ada faces %d, want %d", c.name, got, want)
			}
			swings, hits, least := 0, 0, uint8(255)
			for _, m := range c.of(a) {
				if m.in.Has.Has(proto.KindAnim) && m.in.Anim.Seq[0] != proto.None {
					swings++
				}
			}
			for _, m := range c.of(b) {
				if !m.in.Has.Has(proto.KindHits) {
					continue
				}
				for _, h := range m.in.Hits {
					hits++
					if miss := h.Type == markMissed; miss != (h.Amount == 0) || !miss && h.Type != markMelee || h.HP > least {
						t.Errorf("%s: hit %+v after %d", c.name, h, least)
					}
					least = h.HP
				}
			}
			if swings < 5 || hits < 5 || least == 255 {
				t.Errorf("%s: %d swings, %d hits, at last %d of 255", c.name, swings, hits, least)
			}
		}
		if bob.count(proto.ServerVarbitLarge) < 2 {
			t.Error("Bob does not see his life go")
		}
		ada.send(proto.MoveGameClick{X: ada.tile().X - 3, Z: ada.tile().Z})
		r.cycles(2)
		if got := cy.view.State(cy.sees("Ada")).Target; got != proto.None {
			t.Errorf("Ada walks away and still faces %d", got)
		}
	})
}

// Blows that fall in one cycle are told together, and each mark has the health behind its own blow: clients of a worker that
// waited for another area's frame, and so heard of a blow early, show no other bar than those of one that did not.
func TestEachBlowShowsTheHealthBehindIt(t *testing.T) {
	w := arena()
	w.Rules.Combat.DelayMS = 100
	bubble(t, w, Options{Register: true}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob")
		bob.listen()
		ada.fight("Bob")
		r.cycles(5)
		bob.fine()
		together := 0
		for _, m := range bob.of(bob.sees("Bob")) {
			for i, h := range m.in.Hits {
				if i == 0 || h.Amount == 0 || m.in.Hits[i-1].HP == 0 {
					continue
				}
				together++
				if h.HP >= m.in.Hits[i-1].HP {
					t.Errorf("a blow of %d leaves %d of 255, as many as were left before", h.Amount, h.HP)
				}
			}
		}
		if together == 0 {
			t.Error("no two blows fell in one cycle")
		}
	})
}

func TestTheDeadFallAndLiveAgain(t *testing.T) {
	w := arena()
	for i := range w.Templates {
		w.Templates[i].Attr[w.Roles.Health].Value = 10
	}
	bubble(t, w, Options{Register: true}, func(r *rig) {
		ada, bob, cy := r.join("Ada"), r.join("Bob"), r.join("Cy")
		bob.send(proto.MoveGameClick{X: bob.tile().X, Z: bob.tile().Z + 10})
		r.cycles(12)
		for _, c := range []*client{ada, bob, cy} {
			c.listen()
		}
		ada.fight("Bob")
		r.cycles(40)
		for _, c := range []*client{ada, bob, cy} {
			c.fine()
			fell, rose, jumped := -1, -1, -1
			for _, m := range c.of(c.sees("Bob")) {
				switch {
				case m.in.Has.Has(proto.KindAnim) && m.in.Anim.Seq[0] == sim.DefaultCacheModel.Death:
					fell = m.cycle
				case m.in.Has.Has(proto.KindAnim) && m.in.Anim.Seq[0] == proto.None:
					rose = m.cycle
				}
				if m.ch.Kind == proto.ChangeTeleport {
					jumped = m.cycle
					if m.ch.Speed != proto.SpeedInstant {
						t.Errorf("%s: Bob slides home at speed %d", c.name, m.ch.Speed)
					}
				}
			}
			if fell < 0 || rose < fell+5 || jumped != rose {
				t.Errorf("%s: fell in %d, rose in %d, was home in %d", c.name, fell, rose, jumped)
			}
		}
		if lines := bob.linesRead(); !slices.Contains(lines, "Oh dear, you are dead!") {
			t.Errorf("Bob reads %q", lines)
		}
	})
}

// The dead among the NPCs leave the area at once; they lie there for their animation all the same.
func TestAFallenNPCIsShownForItsAnimation(t *testing.T) {
	w := quietVale()
	vale := &w.Areas[w.AreaNamed("Truestep Vale")]
	vale.Waypoints = append(vale.Waypoints, sim.Waypoint{Used: true, NextA: -1, NextB: -1, Prev: -1})
	vale.Spawns = []sim.Spawn{{Template: 3, Waypoint: int32(len(vale.Waypoints) - 1), Size: 1, Max: 1, PeriodMS: 60_000}}
	w.Template(3).Attr[w.Roles.Health].Value = 1
	bubble(t, w, Options{Register: true}, func(r *rig) {
		c := r.join("Ada")
		r.cycles(2)
		rat := slices.Collect(c.view.Locals())
		rat = slices.DeleteFunc(rat, func(i proto.Index) bool { return i == c.self })
		if len(rat) != 1 {
			t.Fatalf("locals %v", rat)
		}
		c.listen()
		c.send(proto.OpPlayer{Option: attackOption, Index: rat[0]})
		r.cycles(20)
		c.fine()
		fell, gone := -1, -1
		for _, m := range c.of(rat[0]) {
			if m.in.Has.Has(proto.KindAnim) && m.in.Anim.Seq[0] == sim.DefaultCacheModel.Death {
				fell = m.cycle
				if n := len(m.in.Hits); n == 0 || m.in.Hits[n-1].HP != 0 {
					t.Errorf("the last blow leaves %+v", m.in.Hits)
				}
			}
			if m.ch.Kind == proto.ChangeRemove {
				gone = m.cycle
			}
		}
		if fell < 0 || gone != fell+fallenCycles {
			t.Errorf("fell in %d, gone in %d", fell, gone)
		}
		read := func(l string) bool {
			return strings.HasPrefix(l, "You gain ") && strings.HasSuffix(l, " points of experience.")
		}
		if lines := c.linesRead(); !slices.ContainsFunc(lines, read) {
			t.Errorf("Ada reads %q", lines)
		}
	})
}

func TestARefusedAttackSaysWhy(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) { // nobody may fight on the green
		ada := r.join("Ada")
		r.join("Bob")
		r.cycles(1)
		ada.listen()
		ada.fight("Bob")
		ada.send(proto.OpPlayer{Option: attackOption, Index: 2000})
		ada.send(proto.OpPlayer{Option: 4, Index: ada.sees("Bob")})
		r.cycles(2)
		ada.fine()
		if lines := ada.linesRead(); len(lines) != 1 || !strings.HasSuffix(lines[0], ".") {
			t.Errorf("reads %q", lines)
		}
		if r.bad("unknown_player") != 1 {
			t.Error("an index that nobody has was looked for")
		}
	})
}

// Seed, force movement: whoever is faster than a run glides from where he is drawn to where he is.
func TestAFastWalkerOfAnotherDoorGlides(t *testing.T) {
	w := quietVale()
	w.Rules.Claim = move.SeedClaimPolicy()
	vale := &w.Areas[w.AreaNamed("Truestep Vale")]
	vale.Tiles.UnitsPerTile, vale.Ground = 2, nil
	for i := range w.Templates {
		w.Templates[i].Attr[w.Roles.Speed].Value = w.Templates[i].Attr[w.Roles.Speed].Max
	}
	bubble(t, w, Options{Register: true}, func(r *rig) {
		r.run(300 * time.Millisecond)
		tr := r.follow()
		ada := &watched{client: r.join("Ada")}
		s := r.stranger("Dee")
		r.cycles(2)
		ada.listen()
		def := &r.world.Def().Areas[s.Area()]
		at := def.Portals[0].Pos
		for cycle := range 20 {
			way := float32(2.6) // to and fro
			if cycle/3%2 == 1 {
				way = -way
			}
			for range 3 {
				at.X += way
				r.must(s.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: at.X, Y: at.Y, Z: at.Z, DestX: at.X + way, DestZ: at.Z, Running: true}}))
				r.run(200 * time.Millisecond)
			}
			r.check(t, tr, ada)
		}
		ada.fine()
		glides, far := 0, 0
		i := ada.sees("Dee")
		for _, m := range ada.of(i) {
			if m.ch.Kind != proto.ChangeTeleport {
				continue
			}
			far = max(far, distance(m.ch.From, m.ch.To))
			if e := m.in.ExactMove; m.in.Has.Has(proto.KindExactMove) {
				glides++
				turn := angleOf(int(m.ch.To.X)-int(m.ch.From.X), int(m.ch.To.Z)-int(m.ch.From.Z))
				if e != (proto.ExactMove{T1: 29, T2: 30, Dir: noQuarter}) || m.ch.Speed != speedWalk {
					t.Errorf("a glide from %v to %v at speed %d: %+v", m.ch.From, m.ch.To, m.ch.Speed, e)
				}
				if m.in.Has.Has(proto.KindTurn) && m.in.Turn != turn {
					t.Errorf("a glide from %v to %v looks to %d", m.ch.From, m.ch.To, m.in.Turn)
				}
			}
		}
		if glides < 10 || far < 4 {
			t.Errorf("%d glides, at most %d tiles: %v", glides, far, kinds(ada.of(i)))
		}
	})
}
