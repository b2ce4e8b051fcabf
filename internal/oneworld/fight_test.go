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

// duel is a fight of two players until the victim dies.
type duel struct{ attacker, victim *player }

// Players of each door kill players of each door, in concurrent duels near each other. Attackers, victims and other
// players are shown every attack, the death and the respawn, as far as their protocols can show them.
func TestDuelsAcrossProtocolsAreShownToClientsOfEveryProtocol(t *testing.T) {
	overAllLines(t, newTestWorld, func(t *testing.T, r *rig) {
		var entrants []entrant
		for i, door := range doors {
			for j, other := range doors {
				at := geom.Vec{X: float32(28 * (i - 1)), Z: float32(28*(j-1) + 40)}
				entrants = append(entrants,
					entrant{door: door, name: fmt.Sprint("Kill", door[:2], other[:2]), area: "Field", at: at},
					entrant{door: other, name: fmt.Sprint("Fall", door[:2], other[:2]), area: "Field", at: at.Add(geom.Vec{X: 5})})
			}
			entrants = append(entrants, entrant{door: door, name: "Look" + door[:2], area: "Field", at: geom.Vec{X: float32(14*i - 14), Z: 100}})
		}
		all := r.join(entrants...)
		var duels []duel
		var onlookers []*player
		for k := range doors {
			width := 2*len(doors) + 1
			row := all[width*k : width*(k+1)]
			for i := range doors {
				duels = append(duels, duel{row[2*i], row[2*i+1]})
			}
			onlookers = append(onlookers, row[width-1])
		}
		r.waitForPositions(t, "Field", all, all)
		r.fightToTheDeath(t, duels)
		viewers := slices.Clone(onlookers)
		for _, b := range duels {
			viewers = append(viewers, b.attacker)
		}
		for _, b := range duels {
			r.checkDuel(t, b, viewers)
		}
		for _, b := range duels {
			most := float32(reach)
			if predicts(b.attacker) || predicts(b.victim) {
				// An attack belongs to one input, and later inputs of the same tick may move the player before the frame
				// shows it. Lag compensation judges the attack by the target's position a moment before.
				most += 9
			}
			for _, d := range r.truth.eventsOf(sim.EventAttacked, b.attacker.name, b.victim.name) {
				if d.apart > most {
					t.Errorf("%s attacked %s over %.2f units, more than %v", d.by, d.on, d.apart, most)
				}
			}
		}
		r.waitForPositions(t, "Field", all, all)
		checkHonest(t, all...)
	})
}

// predicts reports whether a player's movement is predicted by its client.
func predicts(p *player) bool { return p.door == bedrock || p.door == web }

// fightToTheDeath makes the attackers attack their victims until every victim has died and respawned.
func (r *rig) fightToTheDeath(t *testing.T, duels []duel) {
	for _, b := range duels {
		b.attacker.startFight(b.victim.name)
	}
	left := slices.Clone(duels)
	waitFor(t, "all victims have died", func() bool {
		left = slices.DeleteFunc(left, func(b duel) bool {
			over := len(r.truth.eventsOf(sim.EventDied, b.victim.name, b.attacker.name)) > 0
			if over {
				b.attacker.stopFight()
			}
			return over
		})
		return len(left) == 0
	})
	for _, b := range duels {
		waitFor(t, b.victim.name+" respawns", func() bool { return len(r.truth.eventsOf(sim.EventRespawned, b.victim.name, "")) > 0 })
		waitFor(t, b.victim.name+" is shown its death and respawn", func() bool { return b.victim.deaths() == 1 && b.victim.health() == 1 })
	}
}

// checkDuel checks that each viewer was shown the attacks and deaths of a duel that the frames contain.
func (r *rig) checkDuel(t *testing.T, b duel, viewers []*player) {
	swings, hits, points := 0, 0, 0
	for _, d := range r.truth.eventsOf(sim.EventAttacked, b.attacker.name, b.victim.name) {
		swings++
		if d.N > 0 {
			hits++
			points += int(d.N)
		}
	}
	if points < maxHealth {
		t.Errorf("%s killed %s with %d points", b.attacker.name, b.victim.name, points)
	}
	for _, v := range viewers {
		want := fightStats{hits: hits, fell: 1}
		switch {
		case v.door == bedrock:
			want.damage = -1
		case v.door == rs || v.door == web || v == b.attacker:
			want.damage = points
		default:
			want.hits = swings // packet 'O' reports attacks without their damage
		}
		if !happensWithin(waitLimit, func() bool { return v.fightSeen(b.victim.name) == want }) {
			t.Errorf("%s was shown %+v of the duel of %s and %s, want %+v", v.name, v.fightSeen(b.victim.name), b.attacker.name, b.victim.name, want)
		}
		waitFor(t, v.name+" sees "+b.victim.name+" at full health", func() bool {
			s, ok := v.actor(b.victim.name)
			return ok && !s.dead && (s.health < 0 || s.health == 1)
		})
	}
	r.checkVictim(t, b, hits, points)
	r.checkExperience(t, b)
}

// checkVictim waits until the victim's client has been sent the damage that the victim took.
func (r *rig) checkVictim(t *testing.T, b duel, hits, points int) {
	mismatch := ""
	if !happensWithin(waitLimit, func() bool { mismatch = r.victimMismatch(b, hits, points); return mismatch == "" }) {
		t.Errorf("%s %s", b.victim.name, mismatch)
	}
}

// victimMismatch returns a text that describes how the counts of a victim's client differ from the frames, or "" if they agree.
func (r *rig) victimMismatch(b duel, hits, points int) string {
	switch c := b.victim.client.(type) {
	case *rcceClient:
		if n := c.c.Stats(nil, nil); int(n.DamageTaken) != points || n.Warps != 1 {
			return fmt.Sprintf("took %d points and %d warps, want %d and 1", n.DamageTaken, n.Warps, points)
		}
	case *rsClient:
		if n := c.c.Stats(nil); int(n.DamageTaken) != points {
			return fmt.Sprintf("took %d points, want %d", n.DamageTaken, points)
		}
	case *webClient:
		if n, knocked := c.counts(), r.knockbacks(b.victim.name); knocked < hits-1 || int(n.Knockbacks) != knocked {
			return fmt.Sprintf("was hit %d times, knocked back %d times and told %d times", hits, knocked, n.Knockbacks)
		}
	case *bedrockClient:
		n := c.c.Stats(nil)
		if math.Abs(float64(n.DamageTaken)-20) > 1e-3 || n.Respawns != 1 {
			return fmt.Sprintf("lost %v half hearts and respawned %d times, want 20 and 1", n.DamageTaken, n.Respawns)
		}
		knocked := r.knockbacks(b.victim.name)
		if knocked < hits-1 || c.motionsReceived() != knocked { // the fatal attack has no knockback
			return fmt.Sprintf("was hit %d times, knocked back %d times and sent %d motions", hits, knocked, c.motionsReceived())
		}
	}
	return ""
}

// knockbacks returns how many knockbacks of the named player the frames contain. The player's client must predict its movement.
func (r *rig) knockbacks(name string) int {
	return len(r.truth.events(func(d *savedEvent) bool {
		return d.Kind == sim.EventKnockback && d.by == name && d.Reason == reason.None
	}))
}

// checkExperience checks that the attacker gains experience for the kill and that its client is sent the amount.
func (r *rig) checkExperience(t *testing.T, b duel) {
	xp := 0
	for _, d := range r.truth.eventsOf(sim.EventXP, b.attacker.name, "") {
		xp += int(d.Value)
	}
	if xp < 100 || xp > 120 {
		t.Errorf("%s gained %d points of experience for a kill, want 100 to 120", b.attacker.name, xp)
	}
	if c, ok := b.attacker.client.(*rcceClient); ok {
		if !happensWithin(waitLimit, func() bool { return int(c.c.Stats(nil, nil).XP) == xp }) {
			t.Errorf("%s was sent %d points of experience, want %d", b.attacker.name, c.c.Stats(nil, nil).XP, xp)
		}
		return
	}
	text := fmt.Sprintf("You gain %d points of experience.", xp)
	waitFor(t, b.attacker.name+" is sent: "+text, func() bool { return b.attacker.serverSaid(text) })
}

// Attack range is measured in world units for the clients of every protocol, whatever the size of tiles and blocks: a
// target at 9 units is in range, one at 11 units is not. The server moves a RuneScape player into range.
func TestAttackRangeInWorldUnitsIsEqualForEveryProtocol(t *testing.T) {
	overAllLines(t, newTestWorld, func(t *testing.T, r *rig) {
		var entrants []entrant
		for i, door := range doors {
			at := geom.Vec{X: 2, Y: -5, Z: float32(28*i + 2)} // the centre of a tile, within sight of RuneScape clients
			entrants = append(entrants,
				entrant{door: door, name: "Arm" + door[:2], area: "Pit", at: at},
				entrant{door: rcce, name: "Near" + door[:2], area: "Pit", at: at.Add(geom.Vec{X: 9})},
				entrant{door: rcce, name: "Far" + door[:2], area: "Pit", at: at.Add(geom.Vec{X: -11})})
		}
		all := r.join(entrants...)
		r.waitForPositions(t, "Pit", all, all)
		for i, door := range doors {
			attacker, near, far := all[3*i], all[3*i+1], all[3*i+2]
			waitFor(t, attacker.name+" attacks over 9 units", func() bool {
				attacker.attackOnce(near.name)
				return happensWithin(time.Second, func() bool { return len(r.truth.eventsOf(sim.EventAttacked, attacker.name, near.name)) > 0 })
			})
			if d := r.truth.eventsOf(sim.EventAttacked, attacker.name, near.name)[0].apart; math.Abs(float64(d)-9) > 0.01 {
				t.Errorf("%s attacked over %v units", attacker.name, d)
			}
			if door == rs {
				attacker.startFight(far.name)
				waitFor(t, attacker.name+" walks into reach and attacks", func() bool { return len(r.truth.eventsOf(sim.EventAttacked, attacker.name, far.name)) > 0 })
				if d := r.truth.eventsOf(sim.EventAttacked, attacker.name, far.name)[0].apart; d > reach {
					t.Errorf("%s attacked over %v units", attacker.name, d)
				}
				attacker.stopFight()
				continue
			}
			refused := func(d *savedEvent) bool {
				return d.Kind == sim.EventRefused && d.Reason == reason.OutOfRange && d.by == attacker.name
			}
			waitFor(t, attacker.name+" is refused an attack over 11 units", func() bool {
				attacker.attackOnce(far.name)
				return happensWithin(time.Second, func() bool { return len(r.truth.events(refused)) > 0 })
			})
			if d := r.truth.events(refused)[0]; math.Abs(float64(d.Asked)-11) > 0.01 || d.Allowed != reach {
				t.Errorf("%s was refused: asked %v units, allowed %v", attacker.name, d.Asked, d.Allowed)
			}
			if n := len(r.truth.eventsOf(sim.EventAttacked, attacker.name, far.name)); n > 0 {
				t.Errorf("%s attacked %d times over 11 units", attacker.name, n)
			}
		}
		for _, v := range all {
			if v.door != rs { // RuneScape clients see health only with hit marks, which fightStats counts
				r.checkHealthShown(t, v, all)
			}
		}
		checkHonest(t, all...)
	})
}

// checkHealthShown checks that a viewer shows the health of all wounded players with the precision of its protocol: points,
// or twentieths of the maximum (half hearts).
func (r *rig) checkHealthShown(t *testing.T, v *player, all []*player) {
	hurt := 0
	for _, o := range all {
		_, a, ok := r.truth.player(o.name)
		if !ok || a.Health == a.HealthMax || o == v {
			continue
		}
		hurt++
		share := float64(a.Health) / float64(a.HealthMax)
		waitFor(t, fmt.Sprintf("%s sees that %s has %d points left", v.name, o.name, a.Health), func() bool {
			s, ok := v.actor(o.name)
			return ok && math.Abs(s.health-share) <= 1./40
		})
	}
	if hurt < 2 {
		t.Errorf("%d players are wounded, want 2 or more", hurt)
	}
}
