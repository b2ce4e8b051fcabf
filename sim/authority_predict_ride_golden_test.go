package sim

import (
	"fmt"
	"hash/fnv"
	"testing"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/rng"
	"github.com/truestep-io/truestep/sim/terrain"
)

// lakeWorld is ridingWorld with a lake in the middle of the first area, two blocks deep, and a wall on its shore.
func lakeWorld(t *testing.T) *World {
	w := ridingWorld()
	def := &w.Areas[areaField]
	spec := terrain.BlocksSpec{Grid: def.BlockGrid, Level: 64, Surface: terrain.GrassBlock, Filler: terrain.Dirt}
	spec.Fills = []terrain.BlockFill{
		{Min: [3]int32{-12, 62, -12}, Max: [3]int32{12, 63, 12}, Block: terrain.Water},
		{Min: [3]int32{14, 64, -8}, Max: [3]int32{14, 66, 8}, Block: terrain.Stone},
	}
	var err error
	if def.Blocks, err = terrain.NewBlocks(spec); err != nil {
		t.Fatal(err)
	}
	w.Areas[areaTown].Blocks = def.Blocks
	return w
}

// randomKeys changes the keys that a rider holds, now and then.
func (r *rider) randomKeys(random *rng.Stream) {
	if random.IntN(8) > 0 {
		return
	}
	r.keys.Yaw = random.Symmetric(180)
	r.keys.Move = [2]float32{float32(random.IntN(3) - 1), float32(random.IntN(3) - 1)}
	r.keys.Flags &= move.InputHandledTeleport
	for _, flag := range [...]move.InputFlags{move.InputJumping, move.InputPaddleLeft, move.InputPaddleRight, move.InputSprinting, move.InputSneaking} {
		if random.IntN(5) == 0 {
			r.keys.Flags |= flag
		}
	}
}

// TestStateHashOfRidersEqualsGoldenHash plays one scenario of players who ride horses and boats: as drivers and passengers, on land, in a
// lake and against a wall, with corrections, fights, reconnections, portals, orders of operators and vehicles that drift. It compares one
// hash over all frames with a stored value. A commit that changes the golden hash states the reason.
func TestStateHashOfRidersEqualsGoldenHash(t *testing.T) {
	s := newStage(t, lakeWorld(t))
	s.w.Factions[1].Ratings[1] = 100 // players may attack each other
	s.w.Rules.Linger = LingerRules{MS: 3000, CombatMS: 3000}
	random, sum := rng.New(11), fnv.New64a()
	type player struct {
		*rider
		lies int32 // remaining inputs in which the client lies about its vehicle
	}
	var riders []*player
	for i := range 12 {
		riders = append(riders, &player{rider: s.rider(EntityID(i+1), geom.Vec{X: float32(i*12 - 40), Z: float32(i%3*10 - 70)})})
	}
	var vehicles []*actor
	vehicle := func(i int) *actor {
		template := [...]uint16{tmplHorse, tmplHorse, tmplHorse, tmplBoat, tmplBoat, tmplChest}[i]
		y := s.npc(template, geom.Vec{X: float32(i*14 - 40), Z: float32(-60 * (i % 2))})
		s.health(y, 100)
		s.a.launchBoat(y)
		return y
	}
	for i := range 6 {
		vehicles = append(vehicles, vehicle(i))
	}
	seen := map[EventKind]int{}
	ticks, want := 2500, uint64(0x55f77e45da3c1a8f)
	if race.Enabled {
		ticks, want = 300, 0x360a7951f3bbf3d4
	}
	var back []Intent // intents by which expelled players reconnect
	for range ticks {
		for i, y := range vehicles {
			if y.gone { // the vehicle was killed or fell out of the world
				vehicles[i] = vehicle(i)
			}
		}
		ins := back
		back = nil
		for _, r := range riders {
			if r.x.gone || random.IntN(40) == 0 { // its input is late
				continue
			}
			r.randomKeys(random)
			ins = append(ins, r.act(random, vehicles)...)
			in := r.drive()
			last := &in[len(in)-1].Input
			switch random.IntN(300) {
			case 0: // the client predicts a false position
				last.Pos.X += random.Symmetric(3)
			case 1:
				r.lies = random.IntN(60)
			}
			if r.lies--; r.lies > 0 { // the client says that its player does not ride, or rides something else
				last.Flags ^= move.InputVehicle
				last.Vehicle = uint64(vehicles[0].id)
			}
			ins = append(ins, in...)
		}
		f := s.step(ins...)
		for _, r := range riders {
			if !r.x.gone {
				r.hear(f)
			}
		}
		fmt.Fprintf(sum, "%x;", f.Hash)
		for _, e := range f.Events {
			seen[e.Kind]++
			fmt.Fprintf(sum, "%d %d %d %d %d %v %v %v;", e.Kind, e.Reason, e.Who, e.Other, e.N, e.Pos, e.Asked, e.Allowed)
			if e.Rewind != nil {
				fmt.Fprintf(sum, "%v;", *e.Rewind)
			}
			if e.Kind == EventDeparted { // a player that used a portal returns to the lake
				j := *e.Join
				j.From, j.Seq, j.Portal, j.Pos = 0, 0, -1, geom.Vec{Z: -60}
				s.step(Intent{Kind: IntentJoin, Who: e.Who, Join: &j})
				r := riders[e.Who-1]
				r.x, r.riding = s.a.find(e.Who), 0
				r.hear(s.f)
				fmt.Fprintf(sum, "%x;", s.f.Hash)
			}
			if e.Kind == EventExpelled { // a door disconnects an expelled player, and its client reconnects
				back = append(back, disconnectIntent(e.Who), resumeIntent(e.Who, move.ByInput))
			}
			if e.Kind == EventResumed { // the new client begins with the state of its player on the server
				r := riders[e.Who-1]
				r.riding, r.avatar, r.keys.Flags = 0, predictOf(r.x).Avatar, 0
			}
		}
		for i := range f.Vehicles {
			fmt.Fprintf(sum, "%v;", f.Vehicles[i])
		}
		for i := range f.Avatars {
			fmt.Fprintf(sum, "%v;", f.Avatars[i])
		}
	}
	for _, kind := range []EventKind{EventMounted, EventDismounted, EventCorrected, EventTeleported, EventRefused, EventJumped, EventDeparted, EventResumed} {
		if seen[kind] < 5 && !race.Enabled {
			t.Errorf("%d events %v in the whole run", seen[kind], kind)
		}
	}
	if got := sum.Sum64(); got != want {
		t.Errorf("digest %#x, want %#x", got, want)
	}
}

// act returns the intents of a rider other than its input. In most ticks there are none.
func (r *rider) act(random *rng.Stream, vehicles []*actor) []Intent {
	who := r.x.id
	if r.x.dead && random.IntN(10) == 0 {
		return []Intent{{Kind: IntentRespawn, Who: who}}
	}
	switch random.IntN(250) {
	case 0, 1, 2, 3, 4, 5, 6:
		if r.riding != 0 {
			return nil
		}
		best := vehicles[0]
		for _, y := range vehicles {
			if geom.Dist2XZ(y.pos, r.x.pos) < geom.Dist2XZ(best.pos, r.x.pos) {
				best = y
			}
		}
		return []Intent{{Kind: IntentInteract, Who: who, Target: best.id}}
	case 7, 8:
		return []Intent{leaveIntent(r.predictClient, r.avatar.Pos)}
	case 9:
		return []Intent{{Kind: IntentDismount, Who: who}}
	case 10, 15, 16:
		return []Intent{{Kind: IntentAttack, Who: who, Target: nearestTo(r.s.a, r.x, false)}}
	case 17:
		return []Intent{{Kind: IntentFreeze, Who: who, Amount: 1}}
	case 18, 19, 20:
		return []Intent{{Kind: IntentFreeze, Who: who}}
	case 21:
		return []Intent{{Kind: IntentInteract, Who: who, Target: vehicles[random.IntN(int32(len(vehicles)))].id}} // the vehicle may be too far away, or full
	case 11:
		return []Intent{disconnectIntent(who), resumeIntent(who, move.ByInput)}
	case 12:
		return []Intent{{Kind: IntentTeleport, Who: who, Join: &Join{Portal: -1, Pos: geom.Vec{X: random.Symmetric(60), Z: random.Symmetric(80)}}}}
	case 13:
		return []Intent{{Kind: IntentTeleport, Who: who, To: areaTown, Join: &Join{Portal: 0}}}
	case 14:
		return []Intent{{Kind: IntentTeleport, Who: who, Join: &Join{Portal: -1, Pos: vehicles[random.IntN(int32(len(vehicles)))].pos}}}
	}
	return nil
}
