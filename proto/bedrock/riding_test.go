package bedrock

import (
	"bytes"
	"reflect"
	"testing"
)

// buoyancyOfVector is the value of MetaBuoyancy in the vector boat_data.
const buoyancyOfVector = `{"apply_gravity":true,"base_buoyancy":1.0,"big_wave_probability":0.0,"big_wave_speed":10.0,"drag_down_on_buoyancy_removed":0.0,` +
	`"liquid_blocks":["minecraft:water","minecraft:flowing_water"],"movement_type":"none","simulate_waves":false}`

// metadataOf returns metadata with these flags and entries, sorted by key.
func metadataOf(f ActorFlags, entries ...MetaEntry) Metadata {
	var m Metadata
	m.Set(LongMeta(MetaFlags, int64(f[0])))
	if f[1] != 0 {
		m.Set(LongMeta(MetaFlags2, int64(f[1])))
	}
	for _, e := range entries {
		m.Set(e)
	}
	return m
}

// Riding packets are encoded as the bedrock-protocol npm client encodes them, and their fields have the meaning that
// the specification of riding defines.
func TestRidingPacketsEqualThoseOfBedrockProtocolPackage(t *testing.T) {
	solid := ActorFlagsOf(FlagHasCollision, FlagAffectedByGravity)
	horse, rider, boat := solid, solid, solid
	for _, f := range []ActorFlag{FlagSaddled, FlagTamed, FlagWASDControlled, FlagCanPowerJump} {
		horse.Set(f, true)
	}
	rider.Set(FlagRiding, true)
	rider.Set(FlagBreathing, true)
	boat.Set(FlagCollidable, true)
	for name, want := range map[string]Packet{
		"link_driver":            SetActorLink{ActorLink{Ridden: -7, Rider: 1, Type: LinkRider, RiderInitiated: true}},
		"passenger_jump":         PassengerJump{Strength: 90},
		"interact_leave_vehicle": Interact{Action: InteractLeaveVehicle, Target: 7, Position: Some(Vec3{9.5, 64, 8.5})},
		"horse_data": SetActorData{Runtime: 7, Metadata: metadataOf(horse,
			FloatMeta(MetaWidth, 1.4), FloatMeta(MetaHeight, 1.6), ByteMeta(MetaDriverSeat, 0))},
		"boat_data": SetActorData{Runtime: 8, Metadata: metadataOf(boat, IntMeta(MetaHealth, 40),
			FloatMeta(MetaWidth, 1.4), FloatMeta(MetaHeight, 0.455), ByteMeta(MetaDriverSeat, 0),
			ByteMeta(MetaBuoyant, 1), TextMeta(MetaBuoyancy, buoyancyOfVector))},
		"rider_data": SetActorData{Runtime: 1, Tick: 100, Metadata: metadataOf(rider,
			MetaEntry{Key: MetaSeat, Type: MetaVec3, Vec: Vec3{0, 2.32, -0.2}}, ByteMeta(MetaSeatLocked, 0))},
		"horse_attributes": UpdateAttributes{Runtime: 7, Tick: 100, Attributes: []Attribute{
			{Max: 3.4028235e38, Current: 0.225, DefaultMax: 3.4028235e38, Default: 0.225, Name: AttributeMovement},
			{Max: 2, Current: 0.7, DefaultMax: 2, Default: 0.7, Name: AttributeJumpStrength},
		}},
		"correct_horse": CorrectPlayerMovePrediction{
			Type: PredictionVehicle, Position: Vec3{8.5, 64, 8.725}, Delta: Vec3{0, -0.0784, 0.12285}, OnGround: true, Tick: 101,
		},
		"correct_boat": CorrectPlayerMovePrediction{
			Type: PredictionVehicle, Position: Vec3{8.500971, 62.95, 8.532284}, Delta: Vec3{0.0009709185, 0.0067498968, 0.032284152},
			Rotation: Vec2{0, 88.2774}, AngularVelocity: Some(float32(-1.7226)), Tick: 101,
		},
	} {
		for _, v := range vectorsNamed(t, name) {
			if p, err := Parse(v.whole, v.Protocol); err != nil || !reflect.DeepEqual(p, want) {
				t.Errorf("%s: %v\n%+v, want\n%+v", v.ID, err, p, want)
			}
			if b := AppendPacket(nil, want, v.Protocol); !bytes.Equal(b, v.whole) {
				t.Errorf("%s: %x, want %x", v.ID, b, v.whole)
			}
		}
	}
}

func TestMountRequestHasTargetAndEyePosition(t *testing.T) {
	for _, v := range vectorsNamed(t, "use_on_vehicle") {
		p, err := Parse(v.whole, v.Protocol)
		use, ok := p.(InventoryTransaction)
		if err != nil || !ok || use.Type != TransactionUseItemOnActor {
			t.Fatalf("%s: %v, %+v", v.ID, err, p)
		}
		if u := use.UseOnActor; u.Target != 7 || u.Action != UseOnActorInteract || u.PlayerPosition != (Vec3{8.5, 65.62, 8.5}) || u.ClickPosition != (Vec3{0, 1, 0}) {
			t.Errorf("%s: %+v", v.ID, u)
		}
	}
}

func TestInputOfDriverHasVehicleAndItsRotation(t *testing.T) {
	for name, want := range map[string]struct {
		vehicle          ActorUniqueID
		yaw              float32
		paddles, forward bool
	}{"input_horse": {-7, 0, false, true}, "input_boat": {-8, 90, true, true}} {
		for _, v := range vectorsNamed(t, name) {
			packet, err := Parse(v.whole, v.Protocol)
			p, ok := packet.(PlayerAuthInput)
			if err != nil || !ok {
				t.Fatalf("%s: %v, %+v", v.ID, err, packet)
			}
			left, right := p.Input.Has(InputPaddlingLeft), p.Input.Has(InputPaddlingRight)
			if !p.Input.Has(InputClientVehicle) || p.PredictedVehicle != want.vehicle || p.VehicleRotation != (Vec2{0, want.yaw}) ||
				left != want.paddles || right != want.paddles || p.Input.Has(InputUp) != want.forward || p.Tick != 101 {
				t.Errorf("%s: %+v", v.ID, p)
			}
		}
	}
}
