package sim

import (
	"slices"
	"testing"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// The test checks invariants of an area after every tick with random intents.
func TestAreaInvariantsHoldAfterEveryTickWithRandomIntents(t *testing.T) {
	seeds := uint64(5)
	if race.Enabled {
		seeds = 1
	}
	for seed := range seeds {
		w := busyWorld()
		a, random := NewArea(w, 0, seed), rng.New(seed)
		known := map[EntityID]bool{}
		for tick := range 800 {
			f := a.Step(randomIntents(w, random, tick, 40))
			for _, e := range events(f, EventJoined) {
				known[e.Who] = true
			}
			for _, wrong := range []string{checkTable(f), checkBonds(a), checkSpawns(a), checkEvents(f, known)} {
				if wrong != "" {
					t.Fatalf("seed %d tick %d: %s", seed, tick, wrong)
				}
			}
			a.Recycle(f)
		}
	}
}

// checkTable returns a description of what is wrong with the actors of a frame, or "". Ids must be sorted and unique,
// health within its bounds, and targets and mounts must be present and alive.
func checkTable(f *Frame) string {
	for i := range f.Actors {
		x := &f.Actors[i]
		target, mount, leader := f.Find(x.Target), f.Find(x.Mount), f.Find(x.Leader)
		switch {
		case i > 0 && f.Actors[i-1].ID >= x.ID:
			return "ids are not sorted"
		case x.Body == nil || x.ID == 0:
			return "actor without id or body"
		case x.Health < 0 || x.Health > x.HealthMax || x.Energy < 0 || x.Energy > 60:
			return "health or energy out of bounds"
		case x.Is(FlagDead) != (x.Health == 0) || x.Is(FlagDead) && (!x.Is(FlagPlayer) || x.Mount != 0 || x.Target != 0):
			return "dead flag, health, target and mount disagree"
		case x.Target != 0 && (target == nil || target.Is(FlagDead) || target == x):
			return "target is missing, dead or the actor itself"
		case x.Mount != 0 && (mount == nil || mount.Pos != x.Pos || !x.Is(FlagPlayer)):
			return "mount is missing or not at its rider"
		case x.Leader != 0 && (leader == nil || !leader.Is(FlagPlayer) || x.Is(FlagPlayer)):
			return "leader is missing or no player"
		case !finite(x.Pos) || !geom.Finite(x.DestX) || !geom.Finite(x.DestZ):
			return "position is not finite"
		}
	}
	if !slices.IsSortedFunc(f.Ground, func(p, q GroundItem) int { return int(p.Handle) - int(q.Handle) }) {
		return "ground items are not sorted"
	}
	return ""
}

func finite(p geom.Vec) bool { return geom.Finite(p.X) && geom.Finite(p.Y) && geom.Finite(p.Z) }

// checkBonds returns a description of what is wrong with the links between actors, or "". Mounts and riders, and pets and
// leaders, must refer to each other.
func checkBonds(a *Area) string {
	pets := 0
	for _, x := range a.actors {
		if m := a.find(x.mount); x.mount != 0 && (m == nil || m.rider != x.id || m.mode != modeMount) {
			return "mount does not refer to its rider"
		}
		if r := a.find(x.rider); x.rider != 0 && (r == nil || r.mount != x.id) {
			return "rider does not refer to its mount"
		}
		for _, y := range x.pets {
			if y.leader != x.id || y.gone {
				return "pet does not refer to its leader"
			}
		}
		pets += len(x.pets)
		if x.leader != 0 {
			pets--
		}
		if x.gone || a.byID[x.id] != x {
			return "table contains an actor that is gone"
		}
	}
	if pets != 0 || len(a.byID) != len(a.actors) {
		return "pets or byID disagree with the table"
	}
	return ""
}

func checkSpawns(a *Area) string {
	for i := range a.spawns {
		n := int32(0)
		for _, x := range a.actors {
			if x.spawn == int32(i) {
				n++
			}
		}
		if n != a.spawns[i].count || n > a.def.Spawns[i].Max {
			return "spawn count is wrong"
		}
	}
	return ""
}

// checkEvents returns a description of what is wrong with the events of a frame, or "". Events must refer to known
// actors, except refusals of intents of unknown actors.
func checkEvents(f *Frame, known map[EntityID]bool) string {
	for _, e := range f.Events {
		stranger := e.Kind == EventRefused && (e.Reason == reason.Unknown || e.Reason == reason.AreaFull)
		switch {
		case e.Who == 0 && e.Kind == EventPickedUp: // the item expired
		case e.Who == 0 || !known[e.Who] && !stranger:
			return "event about an unknown actor"
		case e.Kind != EventRefused && e.Other != 0 && !known[e.Other]:
			return "event refers to an unknown other actor"
		case e.Kind == EventRefused && e.Reason == reason.None || e.Kind == EventHeld && !(e.Asked > e.Allowed):
			return "refusal or hold without a reason"
		case e.Kind == EventStat && e.Value < 0:
			return "negative attribute"
		}
	}
	return ""
}

// docs/decisions/0003-accumulating-allowance.md: in any time t0..t1 an actor moves at most its allowance at t0 plus rate
// x (t1-t0), whatever its client claims. The movement by the area itself between claims counts too.
func TestClaimsNeverMoveActorFartherThanAllowance(t *testing.T) {
	const perTick = 0.15 * 1.5 * 50 // units per tick of 50 ms at full speed
	for seed := range uint64(6) {
		s := newStage(t, testWorld())
		x := s.player(1, geom.Vec{})
		random := rng.New(seed)
		var track []geom.Vec
		for tick := range 1200 {
			var ins []Intent
			for range random.IntN(4) {
				c := move.Claim{X: x.pos.X + random.Symmetric(60), Z: x.pos.Z + random.Symmetric(60), Y: x.pos.Y, Running: random.IntN(2) == 0}
				if random.IntN(30) == 0 {
					c.X += 1000
				}
				c.DestX, c.DestZ = c.X+random.Symmetric(500), c.Z+random.Symmetric(500)
				ins = append(ins, Intent{Kind: IntentClaim, Who: 1, AtMS: int64(tick)*50 + 100, Claim: c})
			}
			if tick%200 < 120 || random.IntN(9) == 0 { // silences of 80 ticks, during which the allowance grows
				s.step(ins...)
			} else {
				s.step()
			}
			track = append(track, x.pos)
			for back := 1; back < len(track); back *= 2 {
				from := track[len(track)-1-back]
				if got, maximum := geom.DistXZ(from, x.pos), 1125+float32(perTick*float32(back+1)); got > maximum {
					t.Fatalf("seed %d tick %d: %v units in %d ticks, at most %v", seed, tick, got, back, maximum)
				}
			}
			if s.f.Find(1) == nil {
				break // the player entered a portal and left the area
			}
		}
		if len(track) < 100 {
			s.t.Logf("seed %d: only %d ticks until a portal", seed, len(track))
		}
	}
}
