package bedrock

import (
	"reflect"
	"testing"
)

func TestFieldsOfAddActorPacketAreInWireOrder(t *testing.T) {
	want := AddActor{
		Unique: -9, Runtime: 300, Type: "minecraft:cow", Position: Vec3{1.5, 64, -2.5}, Velocity: Vec3{0, 0.5, 0},
		Pitch: 1, Yaw: 90, HeadYaw: 80, BodyYaw: 70,
		Attributes: []ActorAttribute{{"minecraft:health", 0, 10, 20}},
		Metadata:   Metadata{TextMeta(4, "Cow"), FloatMeta(38, 1)},
		Properties: ActorProperties{Ints: []IntProperty{{1, -3}}, Floats: []FloatProperty{{2, 0.5}}},
		Links:      []ActorLink{{Ridden: -9, Rider: 5, Type: 1, Immediate: true, AngularVelocity: 0.25}},
	}
	for _, v := range loadPacketVectors(t) {
		if v.ID != "add_actor_cow_2169" {
			continue
		}
		if p, err := ParseAddActor(v.body, v.Protocol); err != nil || !reflect.DeepEqual(p, want) {
			t.Errorf("%v\n%+v, want\n%+v", err, p, want)
		}
		return
	}
	t.Error("no vector")
}
