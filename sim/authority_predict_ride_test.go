package sim

import (
	"fmt"
	"reflect"
	"slices"
	"testing"
	"unsafe"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// Templates of ridingWorld.
const (
	tmplBoat  = 40 // a boat for two
	tmplChest = 41 // a boat for one
	tmplCamel = 42 // a rideable NPC that is no vehicle
)

// ridingWorld is predictWorld with horses and boats that predicted players ride.
func ridingWorld() *World {
	w := predictWorld()
	w.Template(tmplHorse).Vehicle = move.Horse
	for _, t := range []Template{
		{ID: tmplBoat, Race: "Boat", Rideable: true, Vehicle: move.Boat},
		{ID: tmplChest, Race: "Chest Boat", Vehicle: move.ChestBoat},
		{ID: tmplCamel, Race: "Camel", Rideable: true},
	} {
		t.Faction, t.Temper, t.Radius, t.Environment = 4, combat.Passive, 1, Swim
		t.Attr[attrHealth] = combat.Attribute{Value: 40, Max: 40}
		w.Templates = append(w.Templates, t)
	}
	return w
}

func mountIntent(k *predictClient, y *actor) Intent {
	return Intent{Kind: IntentInteract, Who: k.x.id, Target: y.id}
}

// leaveIntent returns a request to leave the vehicle and to stand at a position in blocks.
func leaveIntent(k *predictClient, at geom.Vec) Intent {
	return Intent{Kind: IntentDismount, Who: k.x.id, Amount: 1, Input: move.Input{Pos: at}}
}

// rider is an honest client of a riding player. The client learns of mounting, leaving and corrections when hear delivers
// the event.
type rider struct {
	*predictClient
	vehicle move.Vehicle
	riding  EntityID
	seat    int32
	serial  uint32 // barrier to acknowledge with the next input, 0 for none
	keys    move.Input
}

// hear delivers to the client the events of a frame that concern the rider, as its door would send them.
func (r *rider) hear(f *Frame) {
	for i := range f.Events {
		e := &f.Events[i]
		if e.Who != r.x.id || e.Rewind == nil {
			continue
		}
		switch e.Kind {
		case EventMounted:
			r.riding, r.seat, r.vehicle = e.Other, e.N, e.Rewind.Vehicle
		case EventDismounted:
			r.riding, r.avatar = 0, e.Rewind.State
		case EventCorrected, EventKnockback, EventTeleported, EventStance:
			was := r.vehicle
			r.avatar, r.vehicle = e.Rewind.State, e.Rewind.Vehicle
			if r.vehicle.Type == was.Type { // a correction does not contain the keys and paddles that the driver holds
				v := &r.vehicle
				v.ChargeTicks, v.ChargeScale, v.JumpHeld = was.ChargeTicks, was.ChargeScale, was.JumpHeld
				v.PaddleTick, v.Paddles, v.TouchPaddles = was.PaddleTick, was.Paddles, was.TouchPaddles
			}
		}
		if e.Kind == EventTeleported && e.Rewind.Vehicle.Type == move.NoVehicle {
			r.keys.Flags |= move.InputHandledTeleport
		}
		r.serial = max(r.serial, e.Rewind.Serial)
	}
}

// drive returns the client's next input with the keys in r.keys, and the acknowledgement of a barrier if one is due.
func (r *rider) drive() []Intent {
	list := []Intent{r.driveOne()}
	if r.serial != 0 {
		list = append([]Intent{{Kind: IntentBarrierAck, Who: r.x.id, Serial: r.serial}}, list...)
		r.serial = 0
	}
	return list
}

// driveOne returns the client's next input without the acknowledgement of a barrier.
func (r *rider) driveOne() Intent {
	r.tick++
	in := r.keys
	in.Tick, in.HeadYaw = r.tick, in.Yaw
	k := &r.s.w.Rules.Predict.Vehicles[r.vehicle.Type]
	switch {
	case r.riding != 0 && r.seat == driverSeat:
		in.Flags |= move.InputVehicle
		in.Vehicle = uint64(r.riding)
		r.vehicle.Step(&in, k, r.s.a.def.Blocks, &r.scratch)
		in.Pos, in.Delta, in.VehicleYaw = r.vehicle.Pos, r.vehicle.Vel, r.vehicle.Yaw
		in.Pos.Y += k.Offset - move.EyeHeight
	case r.riding != 0:
		in.Pos = geom.Vec{X: 1e6}
	default:
		r.avatar.Step(&in, r.s.a.def.Blocks, &r.scratch)
		in.Pos, in.Delta = r.avatar.Pos, r.avatar.Vel
	}
	r.keys.Flags &^= move.InputHandledTeleport
	return Intent{Kind: IntentInput, Who: r.x.id, Input: in}
}

// turn makes the client send an input, steps the area and delivers the events to the client without delay.
func (r *rider) turn(more ...Intent) *Frame {
	f := r.s.step(append(more, r.drive()...)...)
	r.hear(f)
	return f
}

// rider logs in a predicted player whose client can ride, and returns the client.
func (s *stage) rider(who EntityID, at geom.Vec) *rider {
	r := &rider{predictClient: s.predictClient(who, at)}
	r.turn()
	return r
}

// mount puts a player on a vehicle and returns the events of that tick.
func (s *stage) mount(k *predictClient, y *actor) []Event {
	s.t.Helper()
	s.step(mountIntent(k, y), k.next(0))
	if k.x.mount != y.id {
		s.t.Fatalf("not mounted: %+v", s.f.Events)
	}
	return s.f.Events
}

// driver logs in a player, puts it on a vehicle, and waits until its client knows of the vehicle.
func (s *stage) driver(who EntityID, y *actor) *rider {
	s.t.Helper()
	r := s.rider(who, y.pos)
	r.turn(mountIntent(r.predictClient, y))
	if r.riding != y.id {
		s.t.Fatalf("not mounted: %+v", s.f.Events)
	}
	for range 3 {
		r.turn()
	}
	if predictOf(r.x).ride.inFlight {
		s.t.Fatal("the link is still in flight")
	}
	return r
}

// refusals returns the reasons of all refusals of a player's intents in the last frame.
func (s *stage) refusals(who EntityID) (list []reason.Reason) {
	for _, e := range events(s.f, EventRefused) {
		if e.Who == who {
			list = append(list, e.Reason)
		}
	}
	return list
}

func (s *stage) suspicion(r *rider) int32 { return predictOf(r.x).Suspicion }

// Rule VH-4 of docs/wire/bedrock.md: a mount request that cannot be granted is refused with the first reason that applies.
func TestMountRequestOfPredictedPlayerIsRefusedWithReason(t *testing.T) {
	for name, c := range map[string]struct {
		why reason.Reason
		set func(s *stage, r *rider, y *actor) *actor
	}{
		"dead":                  {reason.Dead, func(s *stage, r *rider, y *actor) *actor { r.x.dead, r.x.respawnTick = true, 1000; return y }},
		"too far":               {reason.TooFar, func(s *stage, r *rider, y *actor) *actor { y.pos.X += 3.5 * 7.5; return y }},
		"behind a wall":         {reason.Covered, func(s *stage, r *rider, y *actor) *actor { y.pos.X = 14; return y }},
		"cow":                   {reason.NotRideable, func(s *stage, r *rider, y *actor) *actor { return s.npc(tmplCow, y.pos) }},
		"mount without vehicle": {reason.NotRideable, func(s *stage, r *rider, y *actor) *actor { return s.npc(tmplCamel, y.pos) }},
		"refused kind": {reason.NotRideable, func(s *stage, r *rider, y *actor) *actor {
			s.w.Rules.Predict.Vehicles[move.Horse].Mode = move.RefuseVehicle
			return y
		}},
		"another player's pet":    {reason.NotRideable, func(s *stage, r *rider, y *actor) *actor { y.leader = 77; return y }},
		"while riding":            {reason.NotRideable, func(s *stage, r *rider, y *actor) *actor { s.mount(r.predictClient, s.npc(tmplHorse, y.pos)); return y }},
		"while sneaking":          {reason.NotRideable, func(s *stage, r *rider, y *actor) *actor { predictOf(r.x).Avatar.Sneaking = true; return y }},
		"ridden horse":            {reason.SeatTaken, func(s *stage, r *rider, y *actor) *actor { s.ride(s.player(3, y.pos), y); return y }},
		"full boat":               {reason.SeatTaken, func(s *stage, r *rider, y *actor) *actor { b := s.npc(tmplChest, y.pos); s.driver(3, b); return b }},
		"player":                  {reason.NotRideable, func(s *stage, r *rider, y *actor) *actor { return s.player(3, y.pos) }},
		"itself":                  {reason.TargetGone, func(s *stage, r *rider, y *actor) *actor { return r.x }},
		"unknown":                 {reason.TargetGone, func(s *stage, r *rider, y *actor) *actor { return &actor{id: 12345} }},
		"teleport unacknowledged": {reason.Warping, func(s *stage, r *rider, y *actor) *actor { predictOf(r.x).Teleport.Open = true; return y }},
		"frozen":                  {reason.Halted, func(s *stage, r *rider, y *actor) *actor { r.x.frozen = true; return y }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, wallIn(t, ridingWorld(), block(9, -20, 10, 20)))
			r := s.rider(1, geom.Vec{})
			y := c.set(s, r, s.npc(tmplHorse, geom.Vec{X: 5}))
			s.step(mountIntent(r.predictClient, y))
			if len(events(s.f, EventRefused)) == 0 {
				s.step(r.next(0))
			}
			e := events(s.f, EventRefused)
			if len(e) == 0 || e[0].Reason != c.why || e[0].N != int32(IntentInteract) || e[0].Other != y.id || len(events(s.f, EventMounted)) != 0 {
				t.Errorf("%+v, want a refusal for %q", s.f.Events, c.why)
			}
		})
	}
}

func TestMountRequestIsRefusedUntilClientHasReceivedTerrainAtMount(t *testing.T) {
	s := newStage(t, ridingWorld())
	r, y := s.rider(1, geom.Vec{}), s.npc(tmplHorse, geom.Vec{X: 5})
	in := mountIntent(r.predictClient, y)
	in.Amount = 1
	if s.step(in, r.next(0)); !slices.Contains(s.refusals(1), reason.Warping) {
		t.Errorf("%+v", s.f.Events)
	}
}

// Rule VH-10 of docs/wire/bedrock.md: mount requests of a player beyond 4 per second are refused.
func TestMountRequestsBeyondFourPerSecondAreRefused(t *testing.T) {
	s := newStage(t, ridingWorld())
	r, cow := s.rider(1, geom.Vec{}), s.npc(tmplCow, geom.Vec{X: 5})
	count := func() (tooMany int) {
		for range 20 {
			s.step(mountIntent(r.predictClient, cow), r.next(0))
			for _, why := range s.refusals(1) {
				if why == reason.TooMuch {
					tooMany++
				}
			}
		}
		return tooMany
	}
	if n, again := count(), count(); n != 16 || again != 16 {
		t.Errorf("%d and %d of 20 requests are refused", n, again)
	}
}

// Rules VH-1 and VH-3 of docs/wire/bedrock.md: a client that mounts and leaves when the server tells it to is never
// corrected, whatever its round trip.
func TestDriverWithHonestClientIsNotCorrected(t *testing.T) {
	for _, template := range []uint16{tmplHorse, tmplBoat} {
		for _, delay := range []int{0, 2, 6} { // delay in ticks: round trips of 0, 100 and 300 ms
			t.Run(fmt.Sprint(template, delay), func(t *testing.T) {
				s := newStage(t, ridingWorld())
				r := s.rider(1, geom.Vec{})
				y := s.npc(template, geom.Vec{X: 6})
				s.a.launchBoat(y)
				var frames []*Frame
				for i := range 200 {
					r.keys.Move, r.keys.Yaw = [2]float32{0, 1}, float32(i)
					ins := r.drive()
					if i == 0 {
						ins = append([]Intent{mountIntent(r.predictClient, y)}, ins...)
					}
					s.step(ins...)
					if c := events(s.f, EventCorrected); len(c) > 0 || len(s.refusals(1)) > 0 {
						t.Fatalf("tick %d: %+v, %+v", i, c[0], c[0].Rewind)
					}
					if frames = append(frames, s.f); len(frames) > delay {
						r.hear(frames[0])
						frames = frames[1:]
					}
				}
				if r.riding != y.id || s.suspicion(r) != 0 || predictOf(r.x).ride.inFlight {
					t.Errorf("rides %d, suspicion %d, %+v", r.riding, s.suspicion(r), predictOf(r.x).ride)
				}
			})
		}
	}
}

// Rule VH-9 of docs/wire/bedrock.md: rider and vehicle both have the position of the vehicle's feet. The frame contains
// the vehicle's state for the driver's door.
func TestInputsOfDriverMoveRiderAndVehicleTogether(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplHorse, geom.Vec{X: 6})
	r := s.driver(1, y)
	r.keys.Move, r.keys.Yaw = [2]float32{0, 1}, 0
	for range 20 {
		r.turn()
	}
	for range 20 {
		f := r.turn()
		x, m, v := f.Find(1), f.Find(y.id), f.FindVehicle(y.id)
		if v == nil || x.Pos != m.Pos || m.Pos != s.a.def.BlockGrid.ToWorld(v.Pos) || x.Mount != y.id || v.Vehicle != r.vehicle {
			t.Fatalf("rider %+v, mount %+v, vehicle %+v, client %+v", x.Pos, m.Pos, v, r.vehicle)
		}
		if x.DestX != m.DestX || x.DestZ != m.DestZ || m.DestZ >= m.Pos.Z {
			t.Errorf("rider heads for %v,%v, mount for %v,%v", x.DestX, x.DestZ, m.DestX, m.DestZ)
		}
	}
	if z := s.f.FindVehicle(y.id).Pos.Z; z < 8 {
		t.Errorf("galloped to %v", z)
	}
}

// A client with a false vehicle position is corrected once. After it has applied the correction it agrees with the
// server.
func TestFalseVehiclePositionIsCorrectedOnceWithVehicleState(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplBoat, geom.Vec{X: 6})
	s.a.launchBoat(y)
	r := s.driver(1, y)
	r.keys.Move = [2]float32{0.5, 1}
	for range 30 {
		r.turn()
	}
	ins := r.drive()
	ins[0].Input.Pos.X += 0.8
	e := s.expectEvent(EventCorrected, ins...)
	if v := e.Rewind.Vehicle; v.Type != move.Boat || v != predictOf(r.x).Vehicle || e.Rewind.Tick != r.tick || e.Reason != reason.Mispredicted || v.AngularVel == 0 {
		t.Errorf("%+v, %+v", e, e.Rewind)
	}
	r.hear(s.f)
	for range 30 {
		if r.turn(); len(events(s.f, EventCorrected)) > 0 {
			t.Fatal("corrected again")
		}
	}
}

// Rule VH-3 of docs/wire/bedrock.md: the server never takes over the vehicle's rotation from the client.
func TestFalseVehicleYawIsCorrected(t *testing.T) {
	s := newStage(t, ridingWorld())
	r := s.driver(1, s.npc(tmplHorse, geom.Vec{X: 6}))
	ins := r.drive()
	ins[0].Input.VehicleYaw += 3
	if e := s.expectEvent(EventCorrected, ins...); e.Rewind.Vehicle.Yaw != r.vehicle.Yaw {
		t.Errorf("yaw %v, want %v", e.Rewind.Vehicle.Yaw, r.vehicle.Yaw)
	}
}

// A client may learn that its player drives a boat only after the server has corrected the boat. The client then counts
// paddle ticks from that moment. The force of a paddle stroke depends on this count, which no packet contains, so the
// server must count from the same moment.
func TestPaddlesOfClientMatchServerAfterDelayedMountEvent(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplBoat, geom.Vec{X: 6})
	r := s.rider(1, y.pos)
	mounted := *s.step(mountIntent(r.predictClient, y), r.driveOne())
	mounted.Events = slices.Clone(mounted.Events)
	for i := 0; len(events(s.f, EventCorrected)) == 0; i++ { // the client does not know yet that its player rides, and walks
		if s.step(r.driveOne()); i > 2*rideSettleTicks {
			t.Fatal("no correction")
		}
	}
	corrected := *s.f
	corrected.Events = slices.Clone(corrected.Events)
	for range 7 {
		s.step(r.driveOne())
	}
	r.hear(&mounted)
	r.hear(&corrected)
	r.keys.Move = [2]float32{0.3, 1}
	for range 60 {
		r.turn()
	}
	client, server := r.vehicle, predictOf(r.x).Vehicle
	if r.riding != y.id || client.PaddleTick != 60 || client.PaddleTick != server.PaddleTick || client.Paddles != server.Paddles {
		t.Errorf("client %d %v, server %d %v", client.PaddleTick, client.Paddles, server.PaddleTick, server.Paddles)
	}
}

// Rule VH-2 of docs/wire/bedrock.md: an input for another player's vehicle is corrected and moves nothing.
func TestInputForVehicleOfOtherDriverMovesNothing(t *testing.T) {
	s := newStage(t, ridingWorld())
	y, other := s.npc(tmplHorse, geom.Vec{X: 6}), s.npc(tmplHorse, geom.Vec{X: 60})
	s.driver(2, other)
	r := s.rider(1, y.pos)
	was, stood := other.pos, r.x.pos
	for i := range 7 {
		ins := r.drive()
		ins[0].Input.Flags |= move.InputVehicle
		ins[0].Input.Vehicle, ins[0].Input.Pos = uint64(other.id), geom.Vec{X: 20, Y: 64}
		s.step(ins...)
		if c := events(s.f, EventCorrected); i == 0 && (len(c) != 1 || c[0].Reason != reason.VehicleForeign || c[0].Rewind.Vehicle.Type != move.NoVehicle) {
			t.Errorf("%+v", s.f.Events)
		}
		if s.suspicion(r) != int32(5*(i+1)) || !slices.Contains(s.refusals(1), reason.VehicleForeign) {
			t.Errorf("suspicion %d after %d inputs: %+v", s.suspicion(r), i+1, s.f.Events)
		}
	}
	if other.pos != was || r.x.pos != stood || r.x.mount != 0 {
		t.Errorf("vehicle at %v, player at %v", other.pos, r.x.pos)
	}
}

// Rule VH-2 of docs/wire/bedrock.md: an input of a driver without a vehicle counts as an input without keys, and a
// correction is sent once per minimum delay. After 40 such inputs the driver is unseated and stands beside its vehicle.
func TestDriverWhoseInputsOmitVehicleIsCorrectedThenUnseated(t *testing.T) {
	for name, change := range map[string]func(in *move.Input){
		"without flag":    func(in *move.Input) { in.Flags, in.Vehicle = 0, 0 },
		"another vehicle": func(in *move.Input) { in.Vehicle = 99 },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, ridingWorld())
			y := s.npc(tmplHorse, geom.Vec{X: 6})
			r := s.driver(1, y)
			before, corrections := predictOf(r.x).Vehicle.Pos, 0
			for i := 0; r.x.mount != 0; i++ {
				r.keys.Move = [2]float32{0, 1}
				ins := r.drive()
				change(&ins[len(ins)-1].Input)
				s.step(ins...)
				for _, e := range events(s.f, EventCorrected) {
					corrections++
					r.serial = e.Rewind.Serial
					if e.Reason != reason.VehicleMissing || e.Rewind.Vehicle.Type != move.Horse {
						t.Errorf("%+v", e)
					}
				}
				if i > 100 {
					t.Fatal("not unseated after 100 inputs")
				}
				if r.x.mount == 0 && i != rideMisses-1 {
					t.Errorf("unseated after %d inputs", i+1)
				}
			}
			if corrections < 3 || geom.DistXZ(s.a.def.BlockGrid.ToBlocks(y.pos), before) > 0.01 {
				t.Errorf("%d corrections, vehicle moved from %v to %v", corrections, before, y.pos)
			}
			if e := events(s.f, EventTeleported); len(events(s.f, EventDismounted)) != 1 || len(e) != 1 || e[0].Reason != reason.VehicleMissing {
				t.Errorf("%+v", s.f.Events)
			}
			if tick := predictOf(r.x).Teleport.Tick; tick != 0 {
				t.Errorf("inputs are replayed on foot from tick %d on, although the client still rides", tick)
			}
		})
	}
}

// Rule VH-2 of docs/wire/bedrock.md: inputs of a client that does not know yet that its player mounted or left are not
// compared and add no suspicion.
func TestVehicleInputsAreNotJudgedBeforeClientKnowsThatPlayerMounted(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplHorse, geom.Vec{X: 6})
	r := s.rider(1, geom.Vec{})
	s.step(append([]Intent{mountIntent(r.predictClient, y)}, r.drive()...)...)
	mounted := s.f
	at := predictOf(r.x).Vehicle.Pos
	for range 10 {
		r.keys.Move = [2]float32{0, 1}
		if s.step(r.drive()...); len(s.f.Events) != 0 || predictOf(r.x).Vehicle.Pos != at {
			t.Fatalf("%+v, vehicle at %v", s.f.Events, predictOf(r.x).Vehicle.Pos)
		}
	}
	r.hear(mounted)
	for range 5 {
		r.turn()
	}
	s.step(append([]Intent{leaveIntent(r.predictClient, geom.Vec{X: 1e5})}, r.drive()...)...)
	left := s.f
	for range 10 {
		if s.step(r.drive()...); len(s.f.Events) != 0 {
			t.Fatalf("after leaving: %+v", s.f.Events)
		}
	}
	r.hear(left)
	for range 10 {
		if r.turn(); len(events(s.f, EventCorrected)) != 0 || len(s.refusals(1)) != 0 {
			t.Fatalf("on foot: %+v", s.f.Events)
		}
	}
	if s.suspicion(r) != 0 {
		t.Errorf("suspicion %d", s.suspicion(r))
	}
}

// Rule VH-2 of docs/wire/bedrock.md: 40 client ticks after a mount change was sent, the client counts as informed even
// without an acknowledgement.
func TestClientIsAssumedToKnowMountChangeAfterFortyTicks(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplHorse, geom.Vec{X: 6})
	r := s.rider(1, geom.Vec{})
	s.step(append([]Intent{mountIntent(r.predictClient, y)}, r.drive()...)...)
	for i := range 60 {
		s.step(r.drive()...)
		if c := len(events(s.f, EventCorrected)); (c > 0) != (i == 40) && i <= 40 {
			t.Fatalf("input %d after mounting: %d corrections", i, c)
		}
	}
}

// Rule VH-10 of docs/wire/bedrock.md: the riding flag of inputs may change twice in 20 ticks without a mount or dismount;
// further changes add suspicion.
func TestInputsThatSwitchRepeatedlyBetweenWalkingAndRidingAddSuspicion(t *testing.T) {
	s := newStage(t, ridingWorld())
	r := s.driver(1, s.npc(tmplHorse, geom.Vec{X: 6}))
	for i := range 8 {
		ins := r.drive()
		if i%2 == 0 {
			ins[len(ins)-1].Input.Flags = 0
		}
		s.step(ins...)
		if flips := slices.Contains(s.refusals(1), reason.VehicleFlips); flips != (i >= 2) {
			t.Errorf("change %d: %+v", i+1, s.f.Events)
		}
	}
	if s.suspicion(r) != 12 {
		t.Errorf("suspicion %d after 6 changes beyond the limit", s.suspicion(r))
	}
}

// Rule VH-10 of docs/wire/bedrock.md: the server replaces a NaN in the vehicle's rotation and adds suspicion to the driver.
func TestNaNVehicleYawInInputIsReplacedByFiniteYaw(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplHorse, geom.Vec{X: 6})
	r := s.driver(1, y)
	var zero float32
	ins := r.drive()
	ins[0].Input.VehicleYaw = zero / zero
	s.step(ins...)
	if !slices.Contains(s.refusals(1), reason.NotFinite) || s.suspicion(r) != 10 || !geom.Finite(predictOf(r.x).Vehicle.Yaw) {
		t.Errorf("%+v, suspicion %d", s.f.Events, s.suspicion(r))
	}
}

func TestDismountRequestOfPlayerOnFootIsIgnored(t *testing.T) {
	s := newStage(t, ridingWorld())
	r := s.rider(1, geom.Vec{})
	if r.turn(leaveIntent(r.predictClient, geom.Vec{})); len(s.f.Events) != 0 || s.suspicion(r) != 0 {
		t.Errorf("%+v", s.f.Events)
	}
}

// Rule VH-5 of docs/wire/bedrock.md: a player that leaves a vehicle stands at the requested position if there is room,
// and beside the vehicle otherwise.
func TestDismountedRiderStandsAtRequestedPositionOrBesideVehicle(t *testing.T) {
	for name, c := range map[string]struct {
		wanted   geom.Vec // requested position, relative to the feet of the vehicle
		granted  bool
		teleport bool
	}{
		"near":          {geom.Vec{X: 1.5}, true, false},
		"two blocks":    {geom.Vec{X: 2.6}, true, false},
		"too far":       {geom.Vec{X: 2.8}, false, true},
		"in the ground": {geom.Vec{X: 1.5, Y: -1}, false, true},
		"behind a wall": {geom.Vec{X: -2.5}, false, true},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, wallIn(t, ridingWorld(), block(3.5*7, -60, 3.5*8, 0))) // a wall of one block, west of the horse
			y := s.npc(tmplHorse, geom.Vec{X: 3.5 * 8.9, Z: -3.5 * 8.5})
			r := s.driver(1, y)
			feet := predictOf(r.x).Vehicle.Pos
			wanted := feet
			wanted.X, wanted.Y, wanted.Z = feet.X+c.wanted.X, feet.Y+c.wanted.Y, feet.Z+c.wanted.Z
			s.step(append([]Intent{leaveIntent(r.predictClient, wanted)}, r.drive()...)...)
			at := predictOf(r.x).Avatar.Pos
			if (geom.Dist2(at, wanted) < 1e-4) != c.granted || (len(events(s.f, EventTeleported)) == 1) != c.teleport || len(events(s.f, EventDismounted)) != 1 {
				t.Errorf("asked for %v, stands at %v: %+v", wanted, at, s.f.Events)
			}
			if replays := predictOf(r.x).Teleport.Tick != 0; replays != c.teleport {
				t.Errorf("inputs are replayed: %v, want %v", replays, c.teleport)
			}
			if d := geom.DistXZ(at, feet); !c.granted && (d < 0.9 || d > 1.6) {
				t.Errorf("stands %v from the vehicle", d)
			}
			if e := events(s.f, EventDismounted)[0]; e.Rewind == nil || e.Rewind.Serial == 0 || e.Rewind.Vehicle.Type != move.NoVehicle || e.Other != y.id {
				t.Errorf("%+v", e)
			}
		})
	}
}

// Rule VH-6 of docs/wire/bedrock.md: before a rider dies, logs out, is teleported, is frozen or enters a portal, it is unseated.
// The rider of a vehicle that dies is unseated, too. A vehicle stays unless it has died.
func TestRiderIsUnseatedBeforeDeathDepartureOrTeleport(t *testing.T) {
	for name, c := range map[string]struct {
		act  func(s *stage, r *rider, y *actor) *Frame
		then EventKind
	}{
		"death": {func(s *stage, r *rider, y *actor) *Frame { return s.step(attackIntent(s.killer(r.x), r.x)) }, EventDied},
		"portal": {func(s *stage, r *rider, y *actor) *Frame {
			predictOf(r.x).Vehicle.Pos = s.a.def.BlockGrid.ToBlocks(geom.Vec{X: -100})
			return s.step(r.drive()...)
		}, EventDeparted},
		"logout": {func(s *stage, r *rider, y *actor) *Frame { return s.step(Intent{Kind: IntentLeave, Who: 1}) }, EventLeft},
		"operator": {func(s *stage, r *rider, y *actor) *Frame {
			return s.step(Intent{Kind: IntentTeleport, Who: 1, Join: &Join{Portal: -1, Pos: geom.Vec{X: 300}}})
		}, EventTeleported},
		"freeze": {func(s *stage, r *rider, y *actor) *Frame {
			return s.step(Intent{Kind: IntentFreeze, Who: 1, Amount: 1})
		}, EventTeleported},
		"dead vehicle": {func(s *stage, r *rider, y *actor) *Frame { return s.step(attackIntent(s.killer(y), y)) }, EventTeleported},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, ridingWorld())
			y := s.npc(tmplHorse, geom.Vec{X: 6})
			r := s.driver(1, y)
			f := c.act(s, r, y)
			kinds := f.kinds()
			left, then := slices.Index(kinds, EventDismounted), slices.Index(kinds, c.then)
			if left < 0 || then < left || r.x.mount != 0 || y.rider != 0 || predictOf(r.x).Vehicle.Type != move.NoVehicle {
				t.Errorf("%v: mount %d, rider %d, %+v", kinds, r.x.mount, y.rider, predictOf(r.x).Vehicle)
			}
			if n := len(events(f, EventDismounted)); n != 1 {
				t.Errorf("%d dismounts", n)
			}
			if name != "dead vehicle" && (y.gone || f.Find(y.id) == nil) {
				t.Error("the vehicle is gone")
			}
		})
	}
}

// Rule VH-6 of docs/wire/bedrock.md: a vehicle without a driver keeps its velocity until it comes to rest. A horse is
// then an NPC again.
func TestVehicleWithoutDriverDriftsUntilItRests(t *testing.T) {
	for _, template := range []uint16{tmplHorse, tmplBoat} {
		s := newStage(t, ridingWorld())
		y := s.npc(template, geom.Vec{X: 6})
		s.a.launchBoat(y)
		r := s.driver(1, y)
		r.keys.Move = [2]float32{0, 1}
		for range 20 {
			r.turn()
		}
		speed := predictOf(r.x).Vehicle.Vel
		s.step(Intent{Kind: IntentLeave, Who: 1})
		if y.vehicle == nil || geom.DistXZ(y.vehicle.Vel, geom.Vec{}) == 0 || geom.DistXZ(y.vehicle.Vel, geom.Vec{}) > geom.DistXZ(speed, geom.Vec{}) {
			t.Fatalf("%d: velocity %v after %v", template, y.vehicle, speed)
		}
		s.run(5)
		if template == tmplHorse && (y.vehicle != nil || y.mode != modeWait) {
			t.Errorf("the horse still drifts: %+v, mode %d", y.vehicle, y.mode)
		}
		at := y.pos
		if s.run(2); y.pos != at || template == tmplBoat && y.vehicle == nil {
			t.Errorf("%d: moves from %v to %v, %+v", template, at, y.pos, y.vehicle)
		}
	}
}

// After its rider has dismounted, a horse without a patrol stays where it is, and a horse with a patrol continues the
// patrol.
func TestDismountedHorseStaysUnlessItPatrols(t *testing.T) {
	for name, next := range map[string]int32{"stands": -1, "patrols": 0} {
		w := ridingWorld()
		def := &w.Areas[0]
		def.Waypoints = append(def.Waypoints, Waypoint{Pos: geom.Vec{X: 200}, Used: true, NextA: next, NextB: -1, Prev: -1})
		s := newStage(t, w)
		y := s.npc(tmplHorse, geom.Vec{X: 6})
		y.waypoint = int32(len(def.Waypoints) - 1)
		r := s.driver(1, y)
		r.turn(leaveIntent(r.predictClient, geom.Vec{X: 8}))
		s.run(1)
		at := y.pos
		if s.run(5); y.rider != 0 || (y.pos == at) != (next < 0) {
			t.Errorf("%s: rider %d, from %v to %v", name, y.rider, at, y.pos)
		}
	}
}

// Only the driver's inputs move the vehicle. The passenger sits on it and can still act, for example attack.
func TestPassengerSitsOnVehicleThatDriverMoves(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplBoat, geom.Vec{X: 6})
	s.a.launchBoat(y)
	driver, passenger := s.driver(1, y), s.rider(2, geom.Vec{X: 6})
	passenger.turn(mountIntent(passenger.predictClient, y))
	if passenger.riding != y.id || passenger.seat != passengerSeat {
		t.Fatalf("%+v", s.f.Events)
	}
	driver.keys.Move = [2]float32{0, 1}
	for i := range 60 {
		passenger.keys.Yaw, passenger.keys.Move = float32(i), [2]float32{0, -1}
		passenger.keys.Flags |= move.InputPaddleLeft
		s.step(append(driver.drive(), passenger.drive()...)...)
		driver.hear(s.f)
		passenger.hear(s.f)
		v, d, p := s.f.FindVehicle(y.id), s.f.FindAvatar(1), s.f.FindAvatar(2)
		if len(s.f.Events) != 0 || v.Vehicle != driver.vehicle || s.f.Find(2).Pos != s.f.Find(y.id).Pos || p.Avatar.Yaw != float32(i) || p.Seat != passengerSeat {
			t.Fatalf("tick %d: %+v; vehicle %+v, passenger %+v", i, s.f.Events, v, p)
		}
		if gap := geom.DistXZ(d.Avatar.Pos, p.Avatar.Pos); !near(gap, 0.8, 0.01) {
			t.Fatalf("seats are %v apart", gap)
		}
	}
}

// Rule VH-6 of docs/wire/bedrock.md: if the driver of a boat leaves, dies, is disconnected or goes through a portal, the
// passenger becomes the driver.
func TestPassengerBecomesDriverWhenDriverLeaves(t *testing.T) {
	for name, leave := range map[string]func(s *stage, driver *rider) Intent{
		"leaves": func(s *stage, driver *rider) Intent { return leaveIntent(driver.predictClient, geom.Vec{X: 1e5}) },
		"dies":   func(s *stage, driver *rider) Intent { return attackIntent(s.killer(driver.x), driver.x) },
		"logout": func(s *stage, driver *rider) Intent { return Intent{Kind: IntentLeave, Who: 1} },
		"placed": func(s *stage, driver *rider) Intent {
			return Intent{Kind: IntentTeleport, Who: 1, Join: &Join{Portal: -1, Pos: geom.Vec{X: 300}}}
		},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, ridingWorld())
			y := s.npc(tmplBoat, geom.Vec{X: 6})
			s.a.launchBoat(y)
			driver, passenger := s.driver(1, y), s.rider(2, geom.Vec{X: 6})
			passenger.turn(mountIntent(passenger.predictClient, y))
			driver.keys.Move = [2]float32{0, 1}
			for range 20 {
				s.step(append(driver.drive(), passenger.drive()...)...)
				driver.hear(s.f)
				passenger.hear(s.f)
			}
			ins := []Intent{leave(s, driver)}
			s.step(append(append(ins, driver.drive()...), passenger.drive()...)...)
			passenger.hear(s.f)
			if y.rider != 2 || y.passenger != 0 || passenger.x.mount != y.id || driver.x.mount != 0 || y.vehicle != nil {
				t.Fatalf("rider %d, passenger %d: %+v", y.rider, y.passenger, s.f.Events)
			}
			kinds := s.f.kinds()
			if left, mounted := slices.Index(kinds, EventDismounted), slices.Index(kinds, EventMounted); left < 0 || mounted < left {
				t.Errorf("%v", kinds)
			}
			passenger.keys.Move = [2]float32{0, 1}
			from := y.pos
			for range 60 {
				if passenger.turn(); len(events(s.f, EventCorrected)) > 0 || len(s.refusals(2)) > 0 || passenger.x.pos != y.pos {
					t.Fatalf("%+v, passenger at %v, boat at %v", s.f.Events, passenger.x.pos, y.pos)
				}
			}
			if geom.DistXZ(from, y.pos) < 3 || s.suspicion(passenger) != 0 {
				t.Errorf("the new driver moved the boat from %v to %v, suspicion %d", from, y.pos, s.suspicion(passenger))
			}
			passenger.turn(leaveIntent(passenger.predictClient, geom.Vec{X: 1e5}))
			if y.rider != 0 || y.passenger != 0 || passenger.x.mount != 0 || y.vehicle == nil {
				t.Errorf("rider %d, passenger %d", y.rider, y.passenger)
			}
		})
	}
}

// The jump of a ridden horse is reported once, in the frame of the tick in which the horse leaves the ground.
func TestEachJumpOfRiddenHorseEmitsEvent(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplHorse, geom.Vec{X: 6})
	r := s.driver(1, y)
	jumps := 0
	for i := range 60 {
		r.keys.Flags = 0
		if i < 5 || i >= 40 && i < 48 {
			r.keys.Flags = move.InputJumpDown
		}
		wasJumping := predictOf(r.x).Vehicle.Jumping
		r.turn()
		e := events(s.f, EventJumped)
		launched := predictOf(r.x).Vehicle.Jumping && !wasJumping
		if (len(e) == 1) != launched || launched && (e[0].Who != y.id || predictOf(r.x).Vehicle.Vel.Y <= 0) {
			t.Fatalf("tick %d: launched %v, %+v", i, launched, e)
		}
		jumps += len(e)
	}
	if jumps != 2 {
		t.Errorf("%d jumps", jumps)
	}
}

// leavingPassenger makes the passenger of a boat dismount in the tick in which the server makes it the driver, and returns the
// passenger's client and the position that it has requested. The client receives nothing of that.
func (s *stage) leavingPassenger() (passenger *rider, wanted geom.Vec) {
	y := s.npc(tmplBoat, geom.Vec{X: 6})
	s.a.launchBoat(y)
	driver, passenger := s.driver(1, y), s.rider(2, geom.Vec{X: 6})
	passenger.turn(mountIntent(passenger.predictClient, y))
	for range 5 {
		s.step(append(driver.drive(), passenger.drive()...)...)
		driver.hear(s.f)
		passenger.hear(s.f)
	}
	s.step(append([]Intent{leaveIntent(driver.predictClient, geom.Vec{X: 1e5})}, driver.drive()...)...)
	wanted = s.a.def.BlockGrid.ToBlocks(y.pos)
	wanted.X += 1.6
	s.step(append([]Intent{leaveIntent(passenger.predictClient, wanted)}, passenger.drive()...)...)
	return passenger, wanted
}

// Rule VH-5 of docs/wire/bedrock.md: a passenger may dismount while the server makes it the driver. The event that makes
// it the driver then seats the player again on its client. The server therefore teleports the player to the requested
// position.
func TestPassengerDismountingDuringPromotionToDriverIsTeleported(t *testing.T) {
	s := newStage(t, ridingWorld())
	passenger, wanted := s.leavingPassenger()
	p := predictOf(passenger.x)
	if passenger.x.mount != 0 || p.Avatar.Pos != wanted || !p.Teleport.Open || len(events(s.f, EventTeleported)) != 1 {
		t.Errorf("mount %d, at %v: %+v", passenger.x.mount, p.Avatar.Pos, s.f.Events)
	}
	// The client jumps on foot before the event seats its player. The jump delay of a rider is 0, so the player can jump again
	// soon after the teleport.
	for _, flags := range []move.InputFlags{move.InputStartJump, move.InputHandledTeleport, 0, move.InputStartJump} {
		in := passenger.next(0)
		in.Input.Flags |= flags | move.InputJumping
		s.step(in)
	}
	if p.Teleport.Open || p.Avatar.Vel.Y <= 0 {
		t.Errorf("teleport open %v, velocity %v, delay %d", p.Teleport.Open, p.Avatar.Vel, p.Avatar.JumpDelay)
	}
}

// Rule VH-5 of docs/wire/bedrock.md: a player that the event has seated again may dismount again before the teleport arrives, and
// jump. If the client has sent no input in between, it replays that jump at the target of the teleport, where its body is in the air
// and jumps when the delay has ended. Otherwise it replays the second dismount, too, and the jump as it was.
func TestPassengerThatDismountsAgainBeforeTeleportHasJumpDelayOfItsClient(t *testing.T) {
	for _, c := range []struct {
		inputs int // inputs between the two requests to dismount
		held   int // inputs with the jump key held between the jump and the acknowledgement of the teleport
		want   uint8
	}{{0, 4, 4}, {1, 4, 4}, {2, 4, 4}, {0, 11, 7}, {1, 11, 0}} {
		s := newStage(t, ridingWorld())
		passenger, wanted := s.leavingPassenger()
		p := predictOf(passenger.x)
		for range c.inputs {
			s.step(passenger.next(0))
		}
		s.step(leaveIntent(passenger.predictClient, wanted))
		passenger.avatar = p.Avatar
		for i := range c.held + 2 {
			in := passenger.next(1)
			in.Input.Flags |= move.InputJumping
			switch i {
			case 0:
				in.Input.Flags |= move.InputStartJump
			case c.held + 1:
				in.Input.Flags |= move.InputHandledTeleport
			}
			s.step(in)
		}
		if p.Teleport.Open || p.Avatar.JumpDelay != c.want {
			t.Errorf("%+v: teleport open %v, delay %d", c, p.Teleport.Open, p.Avatar.JumpDelay)
		}
	}
}

// Rule VH-6 of docs/wire/bedrock.md: a passenger does not become the driver of a vehicle that dies.
func TestPassengerOfDeadVehicleDoesNotBecomeDriver(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplBoat, geom.Vec{X: 6})
	s.a.launchBoat(y)
	s.driver(1, y)
	passenger := s.rider(2, geom.Vec{X: 6})
	passenger.turn(mountIntent(passenger.predictClient, y))
	f := s.step(attackIntent(s.killer(y), y))
	if len(events(f, EventDied)) != 1 || len(events(f, EventMounted)) != 0 || passenger.x.mount != 0 || predictOf(passenger.x).Vehicle.Type != move.NoVehicle {
		t.Errorf("%+v", f.Events)
	}
}

// Rule VH-7 of docs/wire/bedrock.md: a hit on a driven vehicle changes the vehicle's velocity immediately and sends the
// driver a correction with a barrier.
func TestHitPushesDrivenVehicleAndSendsItsStateToDriver(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplHorse, geom.Vec{X: 6})
	r := s.driver(1, y)
	k := s.player(5, geom.Vec{X: 4})
	k.ratings[y.homeFaction] = 100
	s.health(y, 90)
	s.advanceRNG(hits)
	f := s.step(append(r.drive(), attackIntent(k, y))...)
	e := events(f, EventKnockback)
	if len(e) != 1 || e[0].Who != 1 || e[0].Rewind.Serial == 0 || e[0].Rewind.Tick != r.tick || e[0].Rewind.Vehicle.Vel.X <= 0 || e[0].Rewind.Vehicle.Vel != predictOf(r.x).Vehicle.Vel {
		t.Fatalf("%+v", f.Events)
	}
	r.hear(f)
	for range 40 {
		if r.turn(); len(events(s.f, EventCorrected)) > 0 {
			t.Fatalf("%+v", s.f.Events)
		}
	}
}

func TestHitOnRiderDoesNotPushRiderOrVehicle(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplHorse, geom.Vec{X: 6})
	r := s.driver(1, y)
	k := s.player(5, geom.Vec{X: 4})
	k.ratings[r.x.homeFaction] = 100
	s.advanceRNG(hits)
	was := predictOf(r.x).Vehicle
	if s.step(attackIntent(k, r.x)); len(events(s.f, EventAttacked)) != 1 || len(events(s.f, EventKnockback)) != 0 || predictOf(r.x).Vehicle != was {
		t.Errorf("%+v", s.f.Events)
	}
}

// After a RealmCrafter player has left a horse, a Bedrock player can ride it, and the reverse.
func TestHorseLeftByPredictedPlayerCanBeRiddenUnderClaimAuthority(t *testing.T) {
	s := newStage(t, ridingWorld())
	x, y := s.player(7, geom.Vec{X: 6}), s.npc(tmplHorse, geom.Vec{X: 6})
	s.ride(x, y)
	for range 20 {
		s.step(walkClaim(x, 60, 0, false))
	}
	s.step(Intent{Kind: IntentDismount, Who: 7})
	r := s.driver(1, y)
	s.expectRefusal(reason.NotRideable, interactIntent(x, y))
	r.keys.Move = [2]float32{0, 1}
	for range 40 {
		r.turn()
	}
	r.keys.Move = [2]float32{}
	r.turn(leaveIntent(r.predictClient, geom.Vec{X: 1e5}))
	s.run(4)
	x.pos = y.pos
	s.ride(x, y)
	if y.vehicle != nil || y.rider != 7 || x.mount != y.id {
		t.Errorf("vehicle %+v, rider %d", y.vehicle, y.rider)
	}
	if s.step(walkClaim(x, x.pos.X+30, x.pos.Z, false)); s.f.FindVehicle(y.id) != nil || y.pos != x.pos {
		t.Errorf("mount at %v, rider at %v", y.pos, x.pos)
	}
}

// A boat moved by a player under the claim authority carries a passenger under the predict authority. When the boat
// leaves the area, the passenger stays.
func TestPassengerFollowsMountOfDriverUnderClaimAuthority(t *testing.T) {
	s := newStage(t, ridingWorld())
	x, y := s.player(7, geom.Vec{X: -80}), s.npc(tmplBoat, geom.Vec{X: -80})
	s.a.launchBoat(y)
	s.ride(x, y)
	p := s.rider(1, geom.Vec{X: -80})
	p.turn(mountIntent(p.predictClient, y))
	if y.passenger != 1 {
		t.Fatalf("%+v", s.f.Events)
	}
	for range 20 {
		p.hear(s.step(append(p.drive(), walkClaim(x, 0, 0, false))...))
		if p.x.pos != y.pos || s.f.Find(1).Mount != y.id {
			t.Fatalf("passenger at %v, boat at %v", p.x.pos, y.pos)
		}
	}
	s.step(Intent{Kind: IntentTeleport, Who: 7, To: areaTown, Join: &Join{Portal: 0}})
	if len(events(s.f, EventDeparted)) != 1 || p.x.mount != 0 || p.x.gone || len(events(s.f, EventTeleported)) != 1 {
		t.Errorf("mount %d: %+v", p.x.mount, s.f.Events)
	}
}

// The snapshot and the hash contain every field of a ride and of a vehicle.
func TestHashAndSnapshotCoverWholeStateOfRideAndVehicle(t *testing.T) {
	w := ridingWorld()
	for _, what := range []struct {
		name string
		typ  reflect.Type
		at   func(r *rider, y *actor) unsafe.Pointer
	}{
		{"ride", reflect.TypeFor[ride](), func(r *rider, y *actor) unsafe.Pointer { return unsafe.Pointer(&predictOf(r.x).ride) }},
		{"vehicle", reflect.TypeFor[move.Vehicle](), func(r *rider, y *actor) unsafe.Pointer { return unsafe.Pointer(y.vehicle) }},
	} {
		for i := range what.typ.NumField() {
			s := newStage(t, w)
			y := s.npc(tmplBoat, geom.Vec{X: 60})
			s.a.launchBoat(y)
			r := s.driver(1, s.npc(tmplHorse, geom.Vec{X: 6}))
			name := what.name + "." + what.typ.Field(i).Name
			if name == "vehicle.Type" {
				continue // the type of a vehicle follows from its actor's template, which is in the snapshot
			}
			v := reflect.NewAt(what.typ, what.at(r, y)).Elem().Field(i)
			v = reflect.NewAt(v.Type(), unsafe.Pointer(v.UnsafeAddr())).Elem()
			before := s.a.hash()
			if !changeValue(v) {
				t.Fatalf("field %s: do not know how to change a %v", name, v.Type())
			}
			if s.a.hash() == before {
				t.Errorf("the hash does not see %s", name)
			}
			again, err := Restore(w, s.a.Snapshot(nil))
			if err != nil {
				t.Fatalf("%s: %v", name, err)
			}
			if predictOf(again.find(1)).ride != predictOf(r.x).ride || *again.find(y.id).vehicle != *y.vehicle || again.hash() != s.a.hash() {
				t.Errorf("the snapshot loses %s", name)
			}
		}
	}
}

// Random riders, honest or cheating, never move a player on foot, and the links between riders and vehicles stay
// consistent.
func TestRandomRidersDoNotMoveOtherPlayers(t *testing.T) {
	for seed := range uint64(6) {
		w := ridingWorld()
		s := newStage(t, w)
		random := rng.New(seed)
		var riders []*rider
		for i := range 6 {
			riders = append(riders, s.rider(EntityID(i+1), geom.Vec{X: float32(i) * 4}))
		}
		var vehicles []*actor
		for i, template := range []uint16{tmplHorse, tmplBoat, tmplHorse, tmplChest} {
			y := s.npc(template, geom.Vec{X: float32(i) * 6, Z: 3})
			s.a.launchBoat(y)
			vehicles = append(vehicles, y)
		}
		bystander := s.rider(100, geom.Vec{X: 10})
		stood := bystander.x.pos
		for tick := range 600 {
			ins := bystander.drive()
			for _, r := range riders {
				y := vehicles[random.IntN(int32(len(vehicles)))]
				switch random.IntN(40) {
				case 0:
					ins = append(ins, mountIntent(r.predictClient, y))
				case 1:
					ins = append(ins, leaveIntent(r.predictClient, geom.Vec{X: random.Symmetric(20), Y: 64 + random.Symmetric(3), Z: random.Symmetric(20)}))
				case 2:
					r.keys = move.Input{Yaw: random.Symmetric(180), Move: [2]float32{random.Symmetric(1), random.Symmetric(1)}}
				}
				list := r.drive()
				in := &list[len(list)-1].Input
				switch random.IntN(20) {
				case 0:
					in.Flags ^= move.InputVehicle
				case 1:
					in.Flags |= move.InputVehicle
					in.Vehicle = uint64(y.id)
				case 2:
					in.Pos.X += random.Symmetric(50)
				}
				ins = append(ins, list...)
			}
			f := s.step(ins...)
			bystander.hear(f)
			for _, r := range riders {
				r.hear(f)
			}
			if bystander.x.pos != stood {
				t.Fatalf("seed %d, tick %d: the bystander moved to %v", seed, tick, bystander.x.pos)
			}
			for _, y := range vehicles {
				if !s.a.linkActor(y) {
					t.Fatalf("seed %d, tick %d: vehicle %d has rider %d, passenger %d, %+v", seed, tick, y.id, y.rider, y.passenger, y.vehicle)
				}
			}
			for _, r := range riders {
				if !s.a.linkActor(r.x) {
					t.Fatalf("seed %d, tick %d: player %d has mount %d, %+v, %+v", seed, tick, r.x.id, r.x.mount, predictOf(r.x).ride, predictOf(r.x).Vehicle)
				}
			}
			if tick%50 == 0 {
				again, err := Restore(w, s.a.Snapshot(nil))
				if err != nil || again.hash() != f.Hash {
					t.Fatalf("seed %d, tick %d: restored %v", seed, tick, err)
				}
				var decoded Frame
				if err := decoded.Decode(w, f.Append(nil)); err != nil || !reflect.DeepEqual(decoded.Vehicles, f.Vehicles) || !reflect.DeepEqual(decoded.Avatars, f.Avatars) {
					t.Fatalf("seed %d, tick %d: frame codec %v", seed, tick, err)
				}
			}
		}
	}
}

func TestTickWithRidersDoesNotAllocate(t *testing.T) {
	s := newStage(t, ridingWorld())
	var riders []*rider
	for i, template := range []uint16{tmplHorse, tmplBoat} {
		y := s.npc(template, geom.Vec{X: float32(i) * 50})
		s.a.launchBoat(y)
		riders = append(riders, s.driver(EntityID(i+1), y))
		idle := s.npc(template, geom.Vec{X: 500})
		s.a.launchBoat(idle)
	}
	ins := make([]Intent, 0, 2)
	tick := func() {
		ins = ins[:0]
		for _, r := range riders {
			r.keys.Move = [2]float32{0, 1}
			ins = append(ins, r.driveOne())
		}
		s.a.Recycle(s.f)
		s.f = s.a.Step(ins)
	}
	for range 100 {
		tick()
	}
	if n := testing.AllocsPerRun(200, tick); n > 0 {
		t.Errorf("%v allocations a tick", n)
	}
}

// Rule SV-15 of docs/wire/bedrock.md: a correction may reach the client after its history has ended. Then the server
// places the vehicle, as it teleports a player on foot. Inputs that the client sent before it knew of the correction are
// ignored, and afterwards client and server agree.
func TestVehicleThatCannotBeCorrectedInTimeStopsUntilClientAcknowledges(t *testing.T) {
	for name, c := range map[string]struct {
		template uint16
		disturb  func(r *rider, in *Intent) // changes the input whose correction arrives too late
		why      reason.Reason
	}{
		"horse":          {tmplHorse, func(_ *rider, in *Intent) { in.Input.Pos.X += 5 }, reason.Mispredicted},
		"boat":           {tmplBoat, func(_ *rider, in *Intent) { in.Input.Pos.X += 5 }, reason.Mispredicted},
		"horse tick gap": {tmplHorse, func(r *rider, in *Intent) { r.tick += 1000; in.Input.Tick = r.tick }, reason.TickGap},
		"boat tick gap":  {tmplBoat, func(r *rider, in *Intent) { r.tick += 1000; in.Input.Tick = r.tick }, reason.TickGap},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, ridingWorld())
			y := s.npc(c.template, geom.Vec{X: 60})
			s.a.launchBoat(y)
			r := s.driver(1, y)
			r.keys.Move, r.keys.Yaw, r.keys.RTT = [2]float32{0.3, 1}, 20, 2500
			const delay = 50 // round trip in ticks
			var frames []*Frame
			turn := func(change func(r *rider, in *Intent)) {
				t.Helper()
				ins := r.drive()
				if change != nil {
					change(r, &ins[len(ins)-1])
				}
				if frames = append(frames, s.step(ins...)); len(frames) > delay {
					r.hear(frames[0])
					frames = frames[1:]
				}
				if r.x.mount != y.id || len(events(s.f, EventCorrected)) > 0 {
					t.Fatalf("tick %d, mount %d: %+v", r.tick, r.x.mount, s.f.Events)
				}
			}
			for range 60 {
				turn(nil)
			}
			if p := predictOf(r.x); p.Vehicle != r.vehicle {
				t.Fatalf("server %+v\nclient %+v", p.Vehicle, r.vehicle)
			}
			turn(c.disturb)
			e := events(s.f, EventTeleported)
			if len(e) != 1 || e[0].Reason != c.why || e[0].Rewind.Serial == 0 || e[0].Rewind.Vehicle.Type == move.NoVehicle || e[0].Rewind.Tick != predictOf(r.x).Tick {
				t.Fatalf("%+v", s.f.Events)
			}
			held := predictOf(r.x).Vehicle
			for range delay {
				turn(nil)
				if p := predictOf(r.x); p.Vehicle.Pos != held.Pos || p.Vehicle.Vel != held.Vel || !p.HoldsVehicle() {
					t.Fatalf("tick %d: the vehicle moved from %+v to %+v", r.tick, held, p.Vehicle)
				}
			}
			for range 60 {
				if turn(nil); len(events(s.f, EventTeleported)) > 0 {
					t.Fatalf("tick %d: %+v", r.tick, s.f.Events[0])
				}
			}
			p := predictOf(r.x)
			same := p.Vehicle == r.vehicle
			if c.why == reason.TickGap { // the lost input moved a paddle on the client only, so the positions differ slightly
				same = geom.Dist2(p.Vehicle.Pos, r.vehicle.Pos) < 1e-4
			}
			if !same || p.HoldsVehicle() || geom.DistXZ(p.Vehicle.Pos, held.Pos) < 1 {
				t.Errorf("server %+v\nclient %+v", p.Vehicle, r.vehicle)
			}
		})
	}
}

// If a client does not acknowledge the state of its vehicle, the server sends the state again and later disconnects the client,
// as after a teleport on foot.
func TestDriverThatNeverAcknowledgesVehicleStateIsExpelled(t *testing.T) {
	s := newStage(t, ridingWorld())
	r := s.driver(1, s.npc(tmplHorse, geom.Vec{X: 60}))
	r.keys.Move = [2]float32{0, 1}
	in := r.driveOne()
	in.Input.Pos.X, in.Input.RTT = in.Input.Pos.X+5, 2500
	s.step(in)
	at, told, serials := predictOf(r.x).Vehicle.Pos, 0, map[uint32]bool{}
	for i := range 1000 {
		in := r.driveOne()
		in.Input.RTT = 100
		s.step(in)
		for _, e := range events(s.f, EventTeleported) {
			told++
			serials[e.Rewind.Serial] = true
		}
		if len(events(s.f, EventExpelled)) > 0 {
			if told != 3 || len(serials) != 3 || predictOf(r.x).Vehicle.Pos != at {
				t.Errorf("told %d times, barriers %v, vehicle moved from %v to %v", told, serials, at, predictOf(r.x).Vehicle.Pos)
			}
			return
		}
		if i > 400 {
			t.Fatal("not dropped")
		}
	}
}

// A driver that leaves a vehicle which HoldVehicle has stopped stands beside the vehicle. The inputs that it sends
// afterwards stay in the queue.
func TestDriverOfStoppedVehicleCanDismount(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplHorse, geom.Vec{X: 60})
	r := s.driver(1, y)
	ins := r.drive()
	ins[len(ins)-1].Input.Pos.X += 5
	ins[len(ins)-1].Input.RTT = 5000
	ins = append(ins, leaveIntent(r.predictClient, geom.Vec{X: 1e5}))
	r.riding = 0
	r.avatar = predictOf(r.x).Avatar
	for range 5 {
		r.keys.Move = [2]float32{0, 1}
		in := r.driveOne()
		in.Input.RTT = 5000
		ins = append(ins, in)
	}
	s.step(ins...)
	p := predictOf(r.x)
	if r.x.mount != 0 || p.Vehicle.Type != move.NoVehicle || p.HoldsVehicle() || !p.Teleport.Open || len(events(s.f, EventDismounted)) != 1 {
		t.Fatalf("mount %d, teleport %+v: %+v", r.x.mount, p.Teleport, s.f.Events)
	}
	at := p.Avatar.Pos
	if s.run(3); p.Avatar.Pos != at {
		t.Errorf("moved from %v to %v before the teleport was acknowledged", at, p.Avatar.Pos)
	}
}

// A passenger keeps its seat when its client's tick numbers have a gap, because its client predicts nothing.
func TestPassengerKeepsItsSeatAfterGapInClientTicks(t *testing.T) {
	s := newStage(t, ridingWorld())
	y := s.npc(tmplBoat, geom.Vec{X: 6})
	s.a.launchBoat(y)
	s.driver(1, y)
	passenger := s.rider(2, geom.Vec{X: 6})
	passenger.turn(mountIntent(passenger.predictClient, y))
	passenger.tick += 1000
	for range 5 {
		passenger.turn()
	}
	if passenger.x.mount != y.id || predictOf(passenger.x).Teleport.Open || predictOf(passenger.x).Tick != passenger.tick {
		t.Errorf("mount %d, %+v", passenger.x.mount, predictOf(passenger.x).PredictState)
	}
}

// Rule VH-2 of docs/wire/bedrock.md: a client may learn late that its player has left the vehicle, for example because
// the player died. Inputs that name the vehicle add no suspicion until the client has acknowledged the change.
// Afterwards they do.
func TestInputForFormerVehicleAddsNoSuspicionBeforeDismountAck(t *testing.T) {
	for _, delay := range []int{10, 60, 100, 180} {
		for name, leave := range map[string]func(s *stage, r *rider) Intent{
			"dies": func(s *stage, r *rider) Intent { return attackIntent(s.killer(r.x), r.x) },
			"placed": func(s *stage, r *rider) Intent {
				return Intent{Kind: IntentTeleport, Who: 1, Join: &Join{Portal: -1, Pos: geom.Vec{X: 300}}}
			},
			"frozen": func(s *stage, r *rider) Intent { return Intent{Kind: IntentFreeze, Who: 1, Amount: 1} },
		} {
			t.Run(fmt.Sprint(name, delay), func(t *testing.T) {
				s := newStage(t, ridingWorld())
				s.w.Rules.Predict.TeleportResendMS = 20_000
				r := s.driver(1, s.npc(tmplHorse, geom.Vec{X: 6}))
				s.step(append([]Intent{leave(s, r)}, r.drive()...)...)
				if r.x.mount != 0 {
					t.Fatalf("%+v", s.f.Events)
				}
				news := s.f
				for range delay {
					s.step(r.drive()...)
					if s.suspicion(r) != 0 || len(events(s.f, EventExpelled)) > 0 {
						t.Fatalf("tick %d: suspicion %d, %+v", r.tick, s.suspicion(r), s.f.Events)
					}
				}
				r.hear(news)
				for range 20 {
					r.turn()
				}
				if s.suspicion(r) != 0 {
					t.Errorf("suspicion %d", s.suspicion(r))
				}
				in := r.driveOne()
				in.Input.Flags |= move.InputVehicle
				in.Input.Vehicle = uint64(predictOf(r.x).ride.former)
				if s.step(in); name != "placed" && s.suspicion(r) == 0 {
					t.Error("a vehicle that the client knows to have left costs nothing")
				}
			})
		}
	}
}

// A boat that a player brought through a portal is removed after some time without a rider, like other mounts. It is not
// removed under a passenger. When the passenger leaves, the time starts again.
func TestAbandonedBoatIsRemovedAfterPassengerLeaves(t *testing.T) {
	s := newStage(t, ridingWorld())
	in := joinAt(s.w, 7, geom.Vec{X: 6})
	in.Join.Mount = &Pet{Template: tmplBoat}
	s.step(in)
	y := s.a.find(s.a.find(7).mount)
	p := s.predictClient(1, geom.Vec{X: 6})
	s.mount(p, y)
	if y.passenger != 1 {
		t.Fatalf("%+v", s.f.Events)
	}
	s.step(Intent{Kind: IntentDismount, Who: 7})
	y.pauseTick = s.a.now
	if s.run(2); y.gone || y.rider != 1 {
		t.Fatal("boat was removed under the passenger, which drives it now")
	}
	s.step(leaveIntent(p, geom.Vec{X: 1e5}), p.next(0))
	if s.run(2); y.gone || y.rider != 0 || y.pauseTick <= s.a.now {
		t.Fatalf("boat with rider %d waits until %d", y.rider, y.pauseTick)
	}
	y.pauseTick = s.a.now
	if e := s.until(EventRemoved, 2); e.Who != y.id {
		t.Errorf("wrong actor was removed: %+v", e)
	}
}
