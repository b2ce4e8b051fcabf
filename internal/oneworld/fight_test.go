package oneworld

import (
	"fmt"
	"math"
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// bout is a fight to the death.
type bout struct{ attacker, victim *player }

// The player of each door kills one of each door, nine fights at a time in one place. Whoever strikes, whoever is
// struck and all who look on are told of every blow, of the death and of the new life, in the words of their own wire.
func TestEachDoorKillsEachOther(t *testing.T) {
	overAllLines(t, theTestWorld, func(t *testing.T, r *rig) {
		var seats []seat
		for i, door := range doors {
			for j, other := range doors {
				at := geom.Vec{X: float32(35 * (i - 1)), Z: float32(35*(j-1) + 40)}
				seats = append(seats,
					seat{door: door, name: fmt.Sprint("Kill", door[:2], other[:2]), area: "Field", at: at},
					seat{door: other, name: fmt.Sprint("Fall", door[:2], other[:2]), area: "Field", at: at.Add(geom.Vec{X: 5})})
			}
			seats = append(seats, seat{door: door, name: "Look" + door[:2], area: "Field", at: geom.Vec{X: float32(14*i - 14), Z: 100}})
		}
		all := r.join(seats...)
		var bouts []bout
		var lookers []*player
		for k := range doors {
			row := all[7*k : 7*k+7]
			bouts = append(bouts, bout{row[0], row[1]}, bout{row[2], row[3]}, bout{row[4], row[5]})
			lookers = append(lookers, row[6])
		}
		r.agree(t, "Field", all, all)
		r.fightOut(t, bouts)
		viewers := slices.Clone(lookers)
		for _, b := range bouts {
			viewers = append(viewers, b.attacker)
		}
		for _, b := range bouts {
			r.judge(t, b, viewers)
		}
		for _, b := range bouts {
			most := float32(reach)
			if b.attacker.door == bedrock || b.victim.door == bedrock {
				most += 7 // a blow belongs to an input, and several may move him in the tick whose end the frame shows
			}
			for _, d := range r.truth.did(sim.EventAttacked, b.attacker.name, b.victim.name) {
				if d.apart > most {
					t.Errorf("%s struck %s over %.2f units, more than %v", d.by, d.on, d.apart, most)
				}
			}
		}
		r.agree(t, "Field", all, all)
		honest(t, all...)
	})
}

// fightOut lets them fight until every victim has died and lives again.
func (r *rig) fightOut(t *testing.T, bouts []bout) {
	for _, b := range bouts {
		b.attacker.fight(b.victim.name)
	}
	left := slices.Clone(bouts)
	soon(t, "all have killed", func() bool {
		left = slices.DeleteFunc(left, func(b bout) bool {
			over := len(r.truth.did(sim.EventDied, b.victim.name, b.attacker.name)) > 0
			if over {
				b.attacker.peace()
			}
			return over
		})
		return len(left) == 0
	})
	for _, b := range bouts {
		soon(t, b.victim.name+" lives again", func() bool { return len(r.truth.did(sim.EventRespawned, b.victim.name, "")) > 0 })
		soon(t, b.victim.name+" knows of death and life", func() bool { return b.victim.deaths() == 1 && b.victim.health() == 1 })
	}
}

// judge compares what everybody saw of a bout with what happened.
func (r *rig) judge(t *testing.T, b bout, viewers []*player) {
	swings, hits, points := 0, 0, 0
	for _, d := range r.truth.did(sim.EventAttacked, b.attacker.name, b.victim.name) {
		swings++
		if d.N > 0 {
			hits++
			points += int(d.N)
		}
	}
	if points < healthMost {
		t.Errorf("%s killed %s with %d points", b.attacker.name, b.victim.name, points)
	}
	for _, v := range viewers {
		want := fightSeen{hits: hits, fell: 1}
		switch {
		case v.door == bedrock:
			want.damage = -1
		case v.door == rs || v == b.attacker:
			want.damage = points
		default:
			want.hits = swings // 'O' says who swings at whom
		}
		if !within(patience, func() bool { return v.blows(b.victim.name) == want }) {
			t.Errorf("%s saw %+v of the fight of %s and %s, want %+v", v.name, v.blows(b.victim.name), b.attacker.name, b.victim.name, want)
		}
		soon(t, v.name+" sees that "+b.victim.name+" is well again", func() bool {
			s, ok := v.look(b.victim.name)
			return ok && !s.dead && (s.health < 0 || s.health == 1)
		})
	}
	r.sufferers(t, b, hits, points)
	r.rewards(t, b)
}

// sufferers checks what the victim was told of its own pain, which may be on its way still.
func (r *rig) sufferers(t *testing.T, b bout, hits, points int) {
	wrong := ""
	if !within(patience, func() bool { wrong = r.suffered(b, hits, points); return wrong == "" }) {
		t.Errorf("%s %s", b.victim.name, wrong)
	}
}

// suffered is what a victim was told that is not so, "" if it knows all.
func (r *rig) suffered(b bout, hits, points int) string {
	switch c := b.victim.client.(type) {
	case *rcceClient:
		if n := c.c.Stats(nil, nil); int(n.DamageTaken) != points || n.Warps != 1 {
			return fmt.Sprintf("took %d points and %d warps, want %d and 1", n.DamageTaken, n.Warps, points)
		}
	case *rsClient:
		if n := c.c.Stats(nil); int(n.DamageTaken) != points {
			return fmt.Sprintf("took %d points, want %d", n.DamageTaken, points)
		}
	case *bedrockClient:
		n := c.c.Stats(nil)
		if math.Abs(float64(n.DamageTaken)-20) > 1e-3 || n.Respawns != 1 {
			return fmt.Sprintf("lost %v half hearts and rose %d times, want 20 and 1", n.DamageTaken, n.Respawns)
		}
		pushed := r.pushes(b.victim.name)
		if pushed < hits-1 || c.knocked() != pushed { // the last blow pushes nobody
			return fmt.Sprintf("was hit %d times, pushed %d times and told %d times", hits, pushed, c.knocked())
		}
	}
	return ""
}

// pushes is how often blows pushed a player on blocks.
func (r *rig) pushes(name string) int {
	return len(r.truth.told(func(d *deed) bool {
		return d.Kind == sim.EventKnockback && d.by == name && d.Reason == reason.None
	}))
}

// rewards checks that a kill is worth something.
func (r *rig) rewards(t *testing.T, b bout) {
	xp := 0
	for _, d := range r.truth.did(sim.EventXP, b.attacker.name, "") {
		xp += int(d.Value)
	}
	if xp < 100 || xp > 120 {
		t.Errorf("%s gained %d points of experience by a kill, want 100 to 120", b.attacker.name, xp)
	}
	if c, ok := b.attacker.client.(*rcceClient); ok {
		if !within(patience, func() bool { return int(c.c.Stats(nil, nil).XP) == xp }) {
			t.Errorf("%s was told of %d points of experience, want %d", b.attacker.name, c.c.Stats(nil, nil).XP, xp)
		}
		return
	}
	text := fmt.Sprintf("You gain %d points of experience.", xp)
	soon(t, b.attacker.name+" reads: "+text, func() bool { return b.attacker.told(text) })
}

// Reach is measured in world units, whatever a tile or a block is: 9 units are near enough, 11 are not. Who walks on
// tiles goes nearer by himself.
func TestReachIsInWorldUnits(t *testing.T) {
	overAllLines(t, theTestWorld, func(t *testing.T, r *rig) {
		var seats []seat
		for i, door := range doors {
			at := geom.Vec{X: 2, Y: -5, Z: float32(60*i + 2)} // the middle of a tile
			seats = append(seats,
				seat{door: door, name: "Arm" + door[:2], area: "Pit", at: at},
				seat{door: rcce, name: "Near" + door[:2], area: "Pit", at: at.Add(geom.Vec{X: 9})},
				seat{door: rcce, name: "Far" + door[:2], area: "Pit", at: at.Add(geom.Vec{X: -11})})
		}
		all := r.join(seats...)
		r.agree(t, "Pit", all, all)
		for i, door := range doors {
			arm, near, far := all[3*i], all[3*i+1], all[3*i+2]
			soon(t, arm.name+" strikes over 9 units", func() bool {
				arm.strike(near.name)
				return within(time.Second, func() bool { return len(r.truth.did(sim.EventAttacked, arm.name, near.name)) > 0 })
			})
			if d := r.truth.did(sim.EventAttacked, arm.name, near.name)[0].apart; math.Abs(float64(d)-9) > 0.01 {
				t.Errorf("%s struck over %v units", arm.name, d)
			}
			if door == rs {
				arm.fight(far.name)
				soon(t, arm.name+" goes and strikes", func() bool { return len(r.truth.did(sim.EventAttacked, arm.name, far.name)) > 0 })
				if d := r.truth.did(sim.EventAttacked, arm.name, far.name)[0].apart; d > reach {
					t.Errorf("%s struck over %v units", arm.name, d)
				}
				arm.peace()
				continue
			}
			short := func(d *deed) bool {
				return d.Kind == sim.EventRefused && d.Reason == reason.OutOfRange && d.by == arm.name
			}
			soon(t, arm.name+" does not reach over 11 units", func() bool {
				arm.strike(far.name)
				return within(time.Second, func() bool { return len(r.truth.told(short)) > 0 })
			})
			if d := r.truth.told(short)[0]; math.Abs(float64(d.Asked)-11) > 0.01 || d.Allowed != reach {
				t.Errorf("%s was refused: %v units of %v", arm.name, d.Asked, d.Allowed)
			}
			if n := len(r.truth.did(sim.EventAttacked, arm.name, far.name)); n > 0 {
				t.Errorf("%s struck %d times over 11 units", arm.name, n)
			}
		}
		for _, v := range all {
			if v.door != rs { // clients on tiles see health under hit marks only: see fightSeen
				r.knowsWounds(t, v, all)
			}
		}
		honest(t, all...)
	})
}

// knowsWounds checks that a viewer shows the health of all who are hurt, to the step that its wire has: points, or half
// hearts of twenty.
func (r *rig) knowsWounds(t *testing.T, v *player, all []*player) {
	hurt := 0
	for _, o := range all {
		_, a, ok := r.truth.of(o.name)
		if !ok || a.Health == a.HealthMax || o == v {
			continue
		}
		hurt++
		share := float64(a.Health) / float64(a.HealthMax)
		soon(t, fmt.Sprintf("%s sees that %s has %d points left", v.name, o.name, a.Health), func() bool {
			s, ok := v.look(o.name)
			return ok && math.Abs(s.health-share) <= 1./40
		})
	}
	if hurt < 2 {
		t.Errorf("%d are hurt", hurt)
	}
}
