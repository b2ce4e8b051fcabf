package bedrock

import (
	"context"
	"math"
	"slices"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Template ids of the vehicles in ridingFields.
const steed, ferry = 10, 11

// ridingFields returns the world twoFields with a horse 3 blocks and a boat 4 blocks west of the start position, both on the
// ground.
func ridingFields() (*sim.World, Options) {
	w := twoFields()
	for _, t := range []sim.Template{
		{ID: steed, Race: "Horse", Rideable: true, Vehicle: move.Horse},
		{ID: ferry, Race: "Boat", Vehicle: move.Boat, Environment: sim.Swim},
	} {
		t.Temper, t.Radius = combat.Passive, 1
		t.Attr[attrHealth] = combat.Attribute{Value: 40, Max: 40}
		t.Attr[attrSpeed] = combat.Attribute{Value: 50, Max: 50}
		w.Templates = append(w.Templates, t)
	}
	def := &w.Areas[0]
	def.Waypoints = []sim.Waypoint{
		{Pos: geom.Vec{X: westX - 3*unitsPerBlock, Z: 2}, Used: true, NextA: -1, NextB: -1, Prev: -1},
		{Pos: geom.Vec{X: westX - 4*unitsPerBlock, Z: 2 - 3*unitsPerBlock}, Used: true, NextA: -1, NextB: -1, Prev: -1},
	}
	def.Spawns = []sim.Spawn{{Template: steed, Waypoint: 0, Max: 1, PeriodMS: 1000}, {Template: ferry, Waypoint: 1, Max: 1, PeriodMS: 1000}}
	models := appearance.New().Bedrock
	models.Actors[steed] = appearance.BedrockActor{Entity: "minecraft:horse"}
	models.Actors[ferry] = appearance.BedrockActor{Entity: "minecraft:boat"}
	return w, Options{Appearance: models}
}

func withRidingFields(t *testing.T, fn func(srv *testServer)) {
	t.Helper()
	w, o := ridingFields()
	withServer(t, w, o, fn)
}

// rider is a scripted client that predicts the vehicle that its player drives.
type rider struct {
	*walker
	vehicle move.Vehicle
	wire    uint64 // runtime id of the vehicle, 0 on foot
	seat    uint8
}

// rider returns a scripted client that has entered the world and can ride.
func (srv *testServer) rider(name string) *rider {
	r := &rider{walker: srv.walker(name)}
	r.walk(2, move.Input{Yaw: west})
	return r
}

// shown returns the last received AddActor of an entity type.
func (r *rider) shown(entity string) (p proto.AddActor) {
	r.srv.t.Helper()
	for _, q := range packetsOf[proto.AddActor](r.client) {
		if q.Type == entity {
			p = q
		}
	}
	if p.Runtime == 0 {
		r.srv.t.Fatalf("%s was not shown a %s", r.name, entity)
	}
	return p
}

func askToRide(wire uint64) proto.InventoryTransaction {
	return proto.InventoryTransaction{Type: proto.TransactionUseItemOnActor, UseOnActor: proto.UseItemOnActor{Target: wire, Action: proto.UseOnActorInteract}}
}

// mount requests to mount an actor and waits for the link.
func (r *rider) mount(entity string, kind move.VehicleType) {
	r.srv.t.Helper()
	a := r.shown(entity)
	r.send(askToRide(a.Runtime))
	r.walk(2, move.Input{Yaw: west})
	r.followLink(a, kind)
	if r.wire == 0 {
		r.srv.t.Fatalf("%s does not ride: %v", r.name, listNames(r.packets))
	}
}

// followLink makes the client ride if it has received an entity link of its own player.
func (r *rider) followLink(a proto.AddActor, kind move.VehicleType) {
	for _, p := range packetsOf[proto.SetActorLink](r.client) {
		if l := p.Link; l.Rider == int64(r.start.Runtime) && l.Ridden == int64(a.Runtime) && l.Type != proto.LinkRemoved {
			k := kindOf(kind)
			at := fromVec3(a.Position)
			at.Y -= k.Offset
			r.vehicle = move.NewVehicle(kind, k, at, a.Yaw)
			r.vehicle.Vel, r.vehicle.OnGround = geom.Vec{Y: -0.0784}, true
			r.wire, r.seat = a.Runtime, l.Type-1
		}
	}
}

// input returns the client's next input as a rider.
func (r *rider) input(in move.Input) proto.PlayerAuthInput {
	if r.wire == 0 {
		return r.next(in)
	}
	r.tick++
	in.Tick = r.tick
	k := kindOf(r.vehicle.Type)
	if r.seat == 0 {
		r.vehicle.Step(&in, k, nil, &r.scratch)
	}
	p := bot.AuthInput(&in, 0)
	if r.seat == 0 {
		p.Position, p.Delta = vehiclePosition(&r.vehicle, k), toVec3(r.vehicle.Vel)
		p.Input.Set(proto.InputClientVehicle)
		p.VehicleRotation, p.PredictedVehicle = proto.Vec2{0, r.vehicle.Yaw}, int64(r.wire)
	}
	return p
}

// ride sends one input per tick, for a number of ticks.
func (r *rider) ride(ticks int, in move.Input) {
	for range ticks {
		r.send(r.input(in))
		r.srv.advance(50 * time.Millisecond)
	}
}

var forwardWest = move.Input{Yaw: west, HeadYaw: west, Move: [2]float32{0, 1}}

// Rule VH-4 of docs/wire/bedrock.md: the rider's client is sent the horse's metadata and attributes, the rider's metadata,
// link and barrier, in this order, with the tick of the last input. Other clients get the same without tick and barrier.
func TestMountingSendsActorDataThenLinkThenBarrier(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		other, r := srv.rider("bob"), srv.rider("ann")
		horse := r.shown("minecraft:horse")
		other.takePackets()
		srv.advance(time.Second)
		r.mountFresh("minecraft:horse", horse)
		var list []proto.Packet
		for _, p := range r.takePackets() {
			switch p.(type) {
			case proto.SetActorData, proto.UpdateAttributes, proto.SetActorLink, proto.NetworkStackLatency:
				list = append(list, p)
			}
		}
		if len(list) < 5 {
			t.Fatalf("%v", listNames(list))
		}
		data, attributes, own, link, barrier := list[0].(proto.SetActorData), list[1].(proto.UpdateAttributes), list[2].(proto.SetActorData), list[3].(proto.SetActorLink), list[4].(proto.NetworkStackLatency)
		flags := data.Metadata.Flags()
		for _, f := range []proto.ActorFlag{proto.FlagSaddled, proto.FlagTamed, proto.FlagWASDControlled, proto.FlagCanPowerJump, proto.FlagHasCollision} {
			if !flags.Has(f) {
				t.Errorf("flag %d of the horse is off", f)
			}
		}
		if data.Runtime != horse.Runtime || data.Tick == 0 || attributes.Runtime != horse.Runtime || attributes.Tick != data.Tick ||
			attributes.Attributes[0].Current != 0.225 || attributes.Attributes[1].Current != 0.7 || !slices.Equal(attributeNames(attributes),
			[]string{proto.AttributeMovement, proto.AttributeJumpStrength, proto.AttributeUnderwaterMovement, proto.AttributeLavaMovement}) {
			t.Errorf("%+v, %+v", data, attributes)
		}
		seat, _ := own.Metadata.Find(proto.MetaSeat)
		if own.Runtime != r.start.Runtime || own.Tick != data.Tick || !own.Metadata.Flags().Has(proto.FlagRiding) || geom.Dist2(fromVec3(seat.Vec), geom.Vec{Y: 2.32, Z: -0.2}) > 1e-6 {
			t.Errorf("%+v", own)
		}
		if want := (proto.ActorLink{Ridden: int64(horse.Runtime), Rider: int64(r.start.Runtime), Type: proto.LinkRider, RiderInitiated: true}); link.Link != want || !barrier.NeedsResponse {
			t.Errorf("%+v, %+v", link, barrier)
		}
		links := packetsOf[proto.SetActorLink](other.client)
		if len(links) != 1 || links[0].Link.Type != proto.LinkRider || links[0].Link.Ridden == 0 {
			t.Errorf("the other was sent %+v", links)
		}
		names := listNames(other.packets)
		at := slices.Index(names, "SetActorLink")
		if before := names[:at]; !slices.Contains(before, "UpdateAttributes") || !slices.Contains(before, "SetActorData") {
			t.Errorf("the other was sent %v", names)
		}
	})
}

// mountFresh clears the received packets and calls mount, so that only the packets of the mounting remain.
func (r *rider) mountFresh(entity string, a proto.AddActor) {
	r.takePackets()
	r.send(askToRide(a.Runtime))
	r.walk(4, move.Input{Yaw: west})
	r.followLink(a, move.Horse)
}

// Rules VH-3 and VH-8 of docs/wire/bedrock.md: an honest driver is never corrected, and its client is never sent
// movements of its own vehicle.
func TestHonestDriverIsSentNoCorrectionsAndNoMovesOfItsVehicle(t *testing.T) {
	t.Parallel()
	for _, delay := range []time.Duration{0, 100 * time.Millisecond, 300 * time.Millisecond} {
		withRidingFields(t, func(srv *testServer) {
			other, r := srv.rider("bob"), srv.rider("ann")
			r.delay = delay
			horse := r.shown("minecraft:horse")
			r.takePackets()
			other.takePackets()
			r.send(askToRide(horse.Runtime))
			for range 60 {
				r.ride(1, forwardWest)
				if r.wire == 0 {
					r.body = move.NewAvatar(r.body.Pos) // the player stands still
					r.followLink(horse, move.Horse)
				}
			}
			srv.advance(time.Second)
			if r.wire == 0 || countOf[proto.CorrectPlayerMovePrediction](r.client) != 0 {
				t.Fatalf("delay %v: rides %d, %d corrections", delay, r.wire, countOf[proto.CorrectPlayerMovePrediction](r.client))
			}
			for _, p := range packetsOf[proto.MoveActorAbsolute](r.client) {
				mounting := p.Runtime == horse.Runtime && p.Flags&proto.MoveTeleported != 0 // position of the standing vehicle, sent before the link
				if p.Runtime == horse.Runtime && !mounting || p.Runtime == r.start.Runtime {
					t.Fatalf("the driver was sent %+v", p)
				}
			}
			moves := packetsOf[proto.MoveActorAbsolute](other.client)
			if len(moves) < 10 {
				t.Fatalf("the other was sent %d moves", len(moves))
			}
			if last := moves[len(moves)-1]; geom.Dist2(fromVec3(last.Position), r.vehicle.Pos) > 0.01 || last.Runtime != horse.Runtime {
				t.Errorf("the other sees %+v, the vehicle is at %v", last, r.vehicle.Pos)
			}
		})
	}
}

// Rule VH-3 of docs/wire/bedrock.md: the correction has type 1, the wire position of the vehicle, its rotation and, for
// boats, its angular velocity. The boat of the test is on the ground.
func TestFalseBoatPositionIsCorrectedWithAngularVelocity(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		other, r := srv.rider("bob"), srv.rider("ann")
		r.mount("minecraft:boat", move.Boat)
		r.ride(10, move.Input{Yaw: west, Move: [2]float32{0.7, 0.7}})
		r.takePackets()
		other.takePackets()
		p := r.input(move.Input{Yaw: west, Move: [2]float32{0.7, 0.7}})
		truth := r.vehicle
		p.Position[0] += 0.8
		r.send(p)
		srv.advance(100 * time.Millisecond)
		c := packetsOf[proto.CorrectPlayerMovePrediction](r.client)
		want := proto.CorrectPlayerMovePrediction{
			Type: proto.PredictionVehicle, Position: proto.Vec3{truth.Pos.X, truth.Pos.Y + 0.375, truth.Pos.Z}, Delta: toVec3(truth.Vel),
			Rotation: proto.Vec2{0, truth.Yaw}, AngularVelocity: proto.Some(truth.AngularVel), OnGround: true, Tick: p.Tick,
		}
		if len(c) != 1 || c[0] != want || truth.AngularVel == 0 {
			t.Errorf("%+v, want %+v", c, want)
		}
		r.ride(20, move.Input{Yaw: west, Move: [2]float32{0, 1}})
		if n := countOf[proto.CorrectPlayerMovePrediction](r.client); n != 1 {
			t.Errorf("%d corrections", n)
		}
		paddled := false
		for _, p := range packetsOf[proto.SetActorData](other.client) {
			_, left := p.Metadata.Find(proto.MetaPaddleLeft)
			paddled = paddled || left
		}
		boat := other.shownMove(r.wire)
		if !paddled || geom.Abs(boat.Position[1]-(truth.Pos.Y+0.375)) > 1e-4 {
			t.Errorf("paddles shown %v, boat at %v", paddled, boat.Position)
		}
		for _, p := range packetsOf[proto.SetActorData](r.client) {
			if _, own := p.Metadata.Find(proto.MetaPaddleLeft); own {
				t.Error("the driver was sent its own paddles")
			}
		}
	})
}

// shownMove returns the last movement of an actor that the client was sent. The server has one worker, so runtime ids are
// the same for all clients.
func (r *rider) shownMove(wire uint64) (last proto.MoveActorAbsolute) {
	for _, p := range packetsOf[proto.MoveActorAbsolute](r.client) {
		if p.Runtime == wire {
			last = p
		}
	}
	return last
}

// Rules VH-4 and VH-10 of docs/wire/bedrock.md: the answer to a refused mount request is a link of type 0 (removed).
func TestRefusedMountRequestIsAnsweredWithLinkRemoval(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		first, r := srv.rider("bob"), srv.rider("ann")
		first.mount("minecraft:horse", move.Horse)
		for _, wire := range []uint64{r.shown("minecraft:horse").Runtime, 4711} {
			r.takePackets()
			r.send(askToRide(wire))
			r.walk(3, move.Input{Yaw: west})
			want := proto.ActorLink{Ridden: int64(wire), Rider: int64(r.start.Runtime), Immediate: true}
			if l := packetsOf[proto.SetActorLink](r.client); len(l) != 1 || l[0].Link != want {
				t.Errorf("%+v, want %+v", l, want)
			}
		}
		if r.ride(20, forwardWest); countOf[proto.CorrectPlayerMovePrediction](r.client) != 0 {
			t.Error("corrected after the refusal")
		}
	})
}

// Rule VH-5 of docs/wire/bedrock.md: the answer to a dismount request is a link of type 0 (removed), the rider's
// metadata and a barrier. The player stands at the requested position.
func TestLeavingVehicleSendsLinkRemovalThenActorDataThenBarrier(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		r := srv.rider("ann")
		r.mount("minecraft:horse", move.Horse)
		r.ride(5, move.Input{Yaw: west})
		r.takePackets()
		at := r.vehicle.Pos
		at.Z += 1.5
		r.send(proto.Interact{Action: proto.InteractLeaveVehicle, Target: r.wire, Position: proto.Some(toVec3(at))})
		was := r.wire
		r.wire, r.body = 0, move.NewAvatar(at)
		r.ride(3, move.Input{Yaw: west})
		list := slices.DeleteFunc(r.takePackets(), func(p proto.Packet) bool {
			n := packetName(p)
			return n != "SetActorLink" && n != "SetActorData" && n != "NetworkStackLatency" && n != "MovePlayer" && n != "CorrectPlayerMovePrediction"
		})
		if len(list) < 3 || packetName(list[0]) != "SetActorLink" || packetName(list[1]) != "SetActorData" || packetName(list[2]) != "NetworkStackLatency" {
			t.Fatalf("%v", listNames(list))
		}
		if l := list[0].(proto.SetActorLink).Link; l.Type != proto.LinkRemoved || l.Ridden != int64(was) {
			t.Errorf("%+v", l)
		}
		if m := list[1].(proto.SetActorData); m.Runtime != r.start.Runtime || m.Metadata.Flags().Has(proto.FlagRiding) || m.Tick == 0 {
			t.Errorf("%+v", m)
		}
		r.ride(40, forwardWest)
		for _, p := range append(list[3:], r.takePackets()...) {
			if n := packetName(p); n == "MovePlayer" || n == "CorrectPlayerMovePrediction" {
				t.Errorf("sent %s", describe(p))
			}
		}
	})
}

// Rule VH-5 of docs/wire/bedrock.md: a client dismounts its player when it sends the request, so the answer to a
// refused dismount request is the current link.
func TestRefusedDismountRequestIsAnsweredWithCurrentLink(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		r := srv.rider("ann")
		r.mount("minecraft:horse", move.Horse)
		r.ride(2, move.Input{Yaw: west})
		r.takePackets()
		for range maxTestIntents {
			r.send(proto.Interact{Action: proto.InteractLeaveVehicle, Target: r.wire + 1, Position: proto.Some(proto.Vec3{1e6, 0, 0})})
		}
		srv.advance(50 * time.Millisecond)
		links := packetsOf[proto.SetActorLink](r.client)
		if len(links) == 0 || links[0].Link.Type != proto.LinkRider || links[0].Link.Ridden != int64(r.wire) {
			t.Errorf("%+v", links)
		}
	})
}

// maxTestIntents is a number of requests that is greater than the session's rate limit allows.
const maxTestIntents = 60

// Rule VH-6 of docs/wire/bedrock.md: if an operator freezes a player, the player dismounts. The link of type 0
// (removed) is sent before the teleport.
func TestFrozenRiderIsSentLinkRemovalBeforeTeleport(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		r := srv.rider("ann")
		r.mount("minecraft:horse", move.Horse)
		r.ride(5, forwardWest)
		r.takePackets()
		srv.must(srv.hub.Freeze(context.Background(), srv.entityNamed("ann"), true))
		r.ride(3, forwardWest)
		names := listNames(r.packets)
		link, teleport := slices.Index(names, "SetActorLink"), slices.Index(names, "MovePlayer")
		if link < 0 || teleport < link {
			t.Errorf("%v", names)
		}
		if n := srv.faults("malformed"); n != 0 {
			t.Errorf("%d malformed packets", n)
		}
	})
}

// The second player in a boat is linked as a passenger, and its client is sent the boat's movement.
func TestPassengerIsLinkedAsPassengerAndSeesBoatMove(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		driver, passenger := srv.rider("bob"), srv.rider("ann")
		driver.mount("minecraft:boat", move.Boat)
		passenger.mount("minecraft:boat", move.Boat)
		if passenger.seat != 1 || driver.seat != 0 {
			t.Fatalf("seats %d and %d", driver.seat, passenger.seat)
		}
		seen := packetsOf[proto.SetActorLink](driver.client)
		if last := seen[len(seen)-1].Link; last.Type != proto.LinkPassenger {
			t.Errorf("the driver was sent %+v", last)
		}
		passenger.takePackets()
		for range 40 {
			driver.send(driver.input(forwardWest))
			passenger.ride(1, move.Input{Yaw: 10, Move: [2]float32{1, 0}})
		}
		boat := passenger.shownMove(passenger.wire)
		if geom.DistXZ(fromVec3(boat.Position), driver.vehicle.Pos) > 0.2 || countOf[proto.CorrectPlayerMovePrediction](passenger.client)+countOf[proto.CorrectPlayerMovePrediction](driver.client) != 0 {
			t.Errorf("boat shown at %v, is at %v", boat.Position, driver.vehicle.Pos)
		}
	})
}

// Rule VH-6 of docs/wire/bedrock.md: after the driver has left, the passenger is sent a link of type 1 (driver) and
// drives from then on.
func TestPassengerIsLinkedAsDriverWhenDriverLeaves(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		driver, passenger, other := srv.rider("bob"), srv.rider("ann"), srv.rider("cid")
		driver.mount("minecraft:boat", move.Boat)
		passenger.mount("minecraft:boat", move.Boat)
		boat := passenger.shown("minecraft:boat")
		passenger.takePackets()
		other.takePackets()
		driver.send(proto.Interact{Action: proto.InteractLeaveVehicle, Target: boat.Runtime})
		driver.wire = 0
		for range 4 {
			driver.send(driver.input(move.Input{Yaw: west}))
			passenger.ride(1, move.Input{Yaw: west})
		}
		srv.advance(300 * time.Millisecond)
		passenger.followLink(boat, move.Boat)
		if passenger.wire == 0 || passenger.seat != 0 {
			t.Fatalf("the passenger was sent %+v", packetsOf[proto.SetActorLink](passenger.client))
		}
		var links []uint8
		for _, p := range packetsOf[proto.SetActorLink](other.client) {
			if p.Link.Ridden == int64(boat.Unique) {
				links = append(links, p.Link.Type)
			}
		}
		if n := len(links); n < 3 || links[n-1] != proto.LinkRider {
			t.Errorf("another player was sent links of type %v", links)
		}
		passenger.takePackets()
		passenger.ride(40, forwardWest)
		if n := countOf[proto.CorrectPlayerMovePrediction](passenger.client); n != 0 {
			t.Errorf("%d corrections of the new driver", n)
		}
		if at := other.shownMove(boat.Runtime); geom.DistXZ(fromVec3(at.Position), passenger.vehicle.Pos) > 0.2 || geom.DistXZ(fromVec3(at.Position), fromVec3(boat.Position)) < 1 {
			t.Errorf("boat shown at %v, is at %v", at.Position, passenger.vehicle.Pos)
		}
	})
}

// Rules SV-17 and VH-3 of docs/wire/bedrock.md: after a gap in its ticks, a driver stays on its seat and is sent the
// state of its vehicle with a barrier.
func TestDriverWithMissingInputTicksIsSentStateOfVehicle(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		r := srv.rider("ann")
		r.mount("minecraft:boat", move.Boat)
		r.ride(10, forwardWest)
		truth := r.vehicle
		r.takePackets()
		r.tick += 1000
		r.send(r.input(forwardWest))
		srv.advance(100 * time.Millisecond)
		c := packetsOf[proto.CorrectPlayerMovePrediction](r.client)
		if len(c) != 1 || c[0].Type != proto.PredictionVehicle || geom.DistXZ(fromVec3(c[0].Position), truth.Pos) > 1e-4 || c[0].Delta != toVec3(truth.Vel) {
			t.Fatalf("%+v, want the state %+v", c, truth)
		}
		if n := countOf[proto.NetworkStackLatency](r.client); n != 1 || countOf[proto.MovePlayer](r.client) != 0 {
			t.Errorf("%d barriers: %v", n, listNames(r.packets))
		}
		paddles, tick := r.vehicle.Paddles, r.vehicle.PaddleTick
		r.vehicle = truth // the client applies the correction to its current state
		r.vehicle.Paddles, r.vehicle.PaddleTick = paddles, tick
		r.takePackets()
		r.ride(40, forwardWest)
		if n := countOf[proto.CorrectPlayerMovePrediction](r.client); n > 1 { // the server may send one correction, but not two
			t.Errorf("%d corrections", n)
		}
		if n := countOf[proto.SetActorLink](r.client); n != 0 {
			t.Errorf("%d links", n)
		}
	})
}

// The positions of a predicted horse include its jumps. It gets no jump arc, because arcs are added only for players under
// claim authority.
func TestJumpingHorseIsShownAtJumpHeight(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		r, other := srv.rider("ann"), srv.rider("bob")
		r.mount("minecraft:horse", move.Horse)
		other.takePackets()
		highest := float32(0)
		for i := range 40 {
			in := move.Input{Yaw: west}
			if i < 11 {
				in.Flags = move.InputJumpDown
			}
			r.ride(1, in)
			highest = max(highest, r.vehicle.Pos.Y)
		}
		shown := float32(0)
		for _, p := range packetsOf[proto.MoveActorAbsolute](other.client) {
			if p.Runtime == r.wire {
				shown = max(shown, p.Position[1])
			}
		}
		if highest < 66 || shown > highest+1e-3 || shown < highest-0.5 {
			t.Errorf("jumped to %v, shown at %v", highest, shown)
		}
	})
}

// Rule VH-2 of docs/wire/bedrock.md: an input that names the vehicle of another player does not move that vehicle.
func TestInputForVehicleOfOtherDriverMovesNothingAndIsCorrected(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		r := srv.rider("ann")
		horse := r.shown("minecraft:horse")
		r.takePackets()
		p := r.next(move.Input{Yaw: west})
		p.Input.Set(proto.InputClientVehicle)
		p.PredictedVehicle, p.Position = int64(horse.Runtime), proto.Vec3{40, 64, 40}
		r.send(p)
		srv.advance(200 * time.Millisecond)
		c := packetsOf[proto.CorrectPlayerMovePrediction](r.client)
		if len(c) != 1 || c[0].Type != proto.PredictionPlayer || c[0].Position != eyePosition(r.body.Pos) {
			t.Errorf("%+v", c)
		}
		if m := r.shownMove(horse.Runtime); m.Runtime != 0 {
			t.Errorf("the horse moved: %+v", m)
		}
	})
}

// Rule VH-10 of docs/wire/bedrock.md: NaN rotations, ids of other vehicles and positions outside the world do not
// affect other clients.
func TestHostileVehicleInputsDoNotAffectOtherPlayers(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		other, r := srv.rider("bob"), srv.rider("ann")
		other.mount("minecraft:boat", move.Boat)
		r.mount("minecraft:horse", move.Horse)
		r.ride(5, move.Input{Yaw: west})
		other.takePackets()
		nan := float32(math.NaN())
		for i, spoil := range []func(p *proto.PlayerAuthInput){
			func(p *proto.PlayerAuthInput) { p.VehicleRotation = proto.Vec2{nan, nan} },
			func(p *proto.PlayerAuthInput) { p.VehicleRotation[0] = float32(math.Inf(1)) },
			func(p *proto.PlayerAuthInput) { p.PredictedVehicle = int64(other.wire) },
			func(p *proto.PlayerAuthInput) { p.PredictedVehicle = math.MinInt64 },
			func(p *proto.PlayerAuthInput) { p.Position = proto.Vec3{nan, 1e30, -1e30} },
			func(p *proto.PlayerAuthInput) { p.Delta = proto.Vec3{1e30, nan, 0} },
		} {
			p := r.input(move.Input{Yaw: west})
			spoil(&p)
			r.send(p)
			r.send(proto.Interact{Action: proto.InteractLeaveVehicle, Target: 1 << 40, Position: proto.Some(proto.Vec3{nan, nan, nan})})
			r.send(askToRide(uint64(i) << 60))
			other.ride(2, move.Input{Yaw: west})
		}
		other.ride(20, forwardWest)
		if n := countOf[proto.CorrectPlayerMovePrediction](other.client); n != 0 || other.closed {
			t.Errorf("the other driver got %d corrections, closed %v", n, other.closed)
		}
		if r.closed {
			t.Errorf("disconnected: %s", r.disconnectText())
		}
	})
}

func TestRidingPacketsOfOlderClientsAreCounted(t *testing.T) {
	t.Parallel()
	withRidingFields(t, func(srv *testServer) {
		r := srv.rider("ann")
		r.send(proto.PassengerJump{Strength: 100}, proto.PlayerInput{}, proto.Animate{Action: proto.AnimateRowLeft}, proto.Animate{Action: proto.AnimateRowRight})
		srv.advance(100 * time.Millisecond)
		if n := srv.faults("old_riding"); n != 4 {
			t.Errorf("%d counted", n)
		}
	})
}

func kindOf(t move.VehicleType) *move.VehicleKind {
	kinds := move.DefaultVehicleKinds()
	return &kinds[t]
}
