package bedrock

import (
	"testing"

	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// vehicleID is the runtime and unique id of the vehicle in a rig.
const vehicleID = 9

// mount seats the player on a new vehicle and sends the client the actor, its metadata, its attributes, the link and a
// barrier.
func (j *authority) mount(of move.VehicleType, feet geom.Vec, yaw float32) {
	k := &j.policy.Vehicles[of]
	j.state.Vehicle = move.NewVehicle(of, k, feet, yaw)
	v := &j.state.Vehicle
	v.Settle(k, j.blocks, &j.scratch)
	j.drives, j.mounted = true, false
	at := vec3(vehiclePosition(v))
	var f proto.ActorFlags
	f.Set(proto.FlagCanPowerJump, !k.Boat)
	m := proto.Metadata{proto.LongMeta(proto.MetaFlags, int64(f[0]))}
	j.queue(proto.AddActor{Unique: vehicleID, Runtime: vehicleID, Type: "minecraft:" + of.String(), Position: at, Yaw: v.Yaw, HeadYaw: v.Yaw, BodyYaw: v.Yaw, Metadata: m})
	j.sendVehicleAttributes()
	j.queue(proto.SetActorLink{Link: proto.ActorLink{Ridden: vehicleID, Rider: ownID, Type: proto.LinkRider}})
	j.serial++
	j.state.MarkChangedUntilAck(j.serial)
	j.queue(proto.NetworkStackLatency{Timestamp: uint64(j.serial), NeedsResponse: true})
}

func (j *authority) sendVehicleAttributes() {
	v := &j.state.Vehicle
	j.queue(proto.UpdateAttributes{Runtime: vehicleID, Tick: j.state.Tick, Attributes: []proto.Attribute{
		{Name: proto.AttributeMovement, Current: v.Movement, Max: 1}, {Name: proto.AttributeJumpStrength, Current: v.JumpStrength, Max: 2},
	}})
}

// correctVehicle sends the state of the vehicle after the last input.
func (j *authority) correctVehicle() {
	j.corrections++
	v := &j.state.Vehicle
	p := proto.CorrectPlayerMovePrediction{
		Type: proto.PredictionVehicle, Position: vec3(vehiclePosition(v)), Delta: vec3(v.Vel), Rotation: proto.Vec2{0, v.Yaw}, OnGround: v.OnGround, Tick: j.state.Tick,
	}
	if j.policy.Vehicles[v.Type].Boat {
		p.AngularVelocity = proto.Some(v.AngularVel)
	}
	j.queue(p)
	j.sendBarrier()
}

// ridingGround returns terrain with a lake, stone shores, walls, ice and slabs.
func ridingGround(t testing.TB) *terrain.Blocks {
	t.Helper()
	fill := func(x0, y0, z0, x1, y1, z1 int32, b terrain.BlockID) terrain.BlockFill {
		return terrain.BlockFill{Min: [3]int32{x0, y0, z0}, Max: [3]int32{x1, y1, z1}, Block: b}
	}
	spec := terrain.BlocksSpec{
		Grid: terrain.BlockGrid{UnitsPerBlock: 1}, Ground: terrain.FlatGround, Level: 64, Surface: terrain.Stone, Filler: terrain.Stone,
		Fills: []terrain.BlockFill{
			fill(-60, 64, -60, 60, 66, -60, terrain.Stone), fill(-60, 64, 60, 60, 66, 60, terrain.Stone),
			fill(-60, 64, -60, -60, 66, 60, terrain.Stone), fill(60, 64, -60, 60, 66, 60, terrain.Stone),
			fill(-50, 63, -50, -10, 63, 50, terrain.PackedIce),
			fill(20, 58, -50, 55, 63, 50, terrain.Water),
		},
	}
	for i := range int32(30) {
		x, z := -8+i%6*4, -40+i/6*16
		spec.Fills = append(spec.Fills, fill(x, 64, z, x+i%2, 64+i%2, z+1, []terrain.BlockID{terrain.Stone, terrain.SmoothStoneSlab, terrain.GrassBlock}[i%3]))
	}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		t.Fatal(err)
	}
	return blocks
}

// rideRig returns a rig whose player drives a vehicle from the first frame on.
func rideRig(t testing.TB, of move.VehicleType, net netsim.Impairment, tamper *Tamper) *rig {
	r := newRig(t, ridingGround(t), net, tamper)
	at, yaw := geom.Vec{X: 0.5, Y: 64, Z: 0.5}, float32(45)
	if vehicleKinds[of].Boat {
		at = geom.Vec{X: 37.5, Y: 63.62499, Z: 0.5}
	}
	r.server.mount(of, at, yaw)
	return r
}

func TestMountedVehicleFollowsKeysWithoutCorrection(t *testing.T) {
	for _, of := range []move.VehicleType{move.Horse, move.Donkey, move.Boat, move.ChestBoat} {
		t.Run(of.String(), func(t *testing.T) {
			r := rideRig(t, of, netsim.Impairment{DelayMS: 100}, nil)
			r.play(200)
			if drives := r.predict.Vehicle().Type == of; !drives || r.server.corrections > 0 {
				t.Fatalf("drives %v, %d corrections, off by %v", drives, r.server.corrections, r.server.maxError)
			}
			if d := geom.DistXZ(r.predict.Vehicle().Pos, geom.Vec{X: 0.5, Z: 0.5}); d < 5 && !vehicleKinds[of].Boat {
				t.Errorf("moved %v blocks only", d)
			}
			if r.server.maxError > 1e-3 {
				t.Errorf("off by %v", r.server.maxError)
			}
		})
	}
}

// A driver whose vehicle was moved is corrected once with the server's position, rotation and angular velocity, and
// replays its later inputs from that state.
func TestDriverOfMovedVehicleIsCorrectedOnceAndReplaysLaterInputs(t *testing.T) {
	for _, of := range []move.VehicleType{move.Horse, move.Boat} {
		t.Run(of.String(), func(t *testing.T) {
			moved := false
			r := rideRig(t, of, netsim.Impairment{DelayMS: 100}, nil)
			r.keys = func(p *Predictor) Keys { return Keys{Forward: 1, Strafe: 0.3, Yaw: float32(p.Tick() % 90)} }
			r.server.beforeInput = func(j *authority) {
				if j.mounted && j.state.Tick == firstTick+60 && !moved {
					moved = true
					j.state.Vehicle.Pos.X += 0.8
					j.state.Vehicle.Yaw += 20
				}
			}
			r.play(160)
			v, s := r.predict.Vehicle(), &r.server.state
			if r.server.corrections != 1 {
				t.Fatalf("%d corrections", r.server.corrections)
			}
			if n := r.predict.Counts(); n.Unexpected != 1 || n.Corrections != 1 {
				t.Errorf("counts %+v", n)
			}
			for r.predict.Tick() > s.Tick {
				in := move.Input{}
				if h, _, ok := r.predict.history.At(s.Tick + 1); ok {
					in = h
				}
				in.Vehicle, in.VehicleYaw = vehicleID, 0
				s.Vehicle.Step(&in, &vehicleKinds[of], r.server.blocks, &r.server.scratch)
				s.Tick++
			}
			if geom.Dist2(v.Pos, s.Vehicle.Pos) > 1e-6 || geom.Abs(v.Yaw-s.Vehicle.Yaw) > 1e-3 || geom.Abs(v.AngularVel-s.Vehicle.AngularVel) > 1e-3 {
				t.Errorf("client %+v\nserver %+v", v, s.Vehicle)
			}
		})
	}
}

func TestMovementAttributesOfPlayerAreUnchangedAfterRide(t *testing.T) {
	r := rideRig(t, move.Horse, netsim.Impairment{}, nil)
	r.predict.AddAttributes(proto.UpdateAttributes{Attributes: []proto.Attribute{
		{Name: proto.AttributeUnderwaterMovement, Current: 0.04}, {Name: proto.AttributeLavaMovement, Current: 0.03},
	}})
	r.play(20)
	r.client.Dismount()
	r.play(5)
	after := r.predict.history.State()
	if l := after.liquids(); after.seat != onFoot || l.Water.Accelerate != 0.04 || l.Lava.Accelerate != 0.03 {
		t.Errorf("seat %d, liquids %+v", after.seat, l)
	}
}

func TestPlayerThatLeavesVehicleStandsBesideIt(t *testing.T) {
	r := rideRig(t, move.Horse, netsim.Impairment{}, nil)
	r.play(20)
	at := r.predict.Vehicle().Pos
	r.client.Dismount()
	if runtime, drives := r.predict.Riding(); runtime != 0 || drives {
		t.Fatalf("still rides %d", runtime)
	}
	a := r.predict.State()
	if d := geom.DistXZ(a.Pos, at); d < 0.9 || d > 2 || a.Vel.X != 0 {
		t.Errorf("stands %v away with velocity %v", d, a.Vel)
	}
	actor, _ := r.client.world.Actor(vehicleID)
	if actor.Pos != at {
		t.Errorf("the vehicle is shown at %v instead of %v", actor.Pos, at)
	}
}
