package rcce

import (
	"encoding/binary"
	"math"
	"testing"

	proto "github.com/truestep-io/truestep/proto/rcce"
)

// The fast path for StandardUpdate accepts the same payloads as the parser and reads the same values, bit for bit.
func FuzzUpdate(f *testing.F) {
	for _, p := range []proto.StandardUpdate{
		{RuntimeID: 300, X: 100, Z: -20.5, IsRunning: 1, DestX: 115, DestZ: -21.5, Mount: 0x1234},
		{RuntimeID: 300, Tail: proto.HeightTail, Y: 62.5},
		{RuntimeID: 1, Tail: proto.EnergyTail, Energy: 87},
	} {
		f.Add(p.Append(nil)[1:])
	}
	f.Fuzz(func(t *testing.T, payload []byte) {
		if len(payload) >= 2 {
			binary.LittleEndian.PutUint16(payload, 300) // the actor that the client knows
		}
		c := clientInWorld()
		c.handleMessage(append([]byte{byte(proto.TypeStandardUpdate)}, payload...))
		want, err := proto.ParseStandardUpdate(payload)
		if (err != nil) != (c.counts.Bad > 0) {
			t.Fatalf("parser error %v, but the fast path counts %d bad messages", err, c.counts.Bad)
		}
		if err != nil {
			return
		}
		a, _ := c.world.Actor(300)
		same := func(p, q float32) bool { return math.Float32bits(p) == math.Float32bits(q) }
		if !same(a.Pos.X, want.X) || !same(a.Pos.Z, want.Z) || !same(a.DestX, want.DestX) || !same(a.DestZ, want.DestZ) ||
			want.Tail == proto.HeightTail && !same(a.Pos.Y, want.Y) || a.Running != (want.IsRunning != 0) || a.Mount != want.Mount {
			t.Fatalf("update %+v gives actor %+v", want, a)
		}
	})
}

// No message of a server panics the client.
func FuzzServerMessage(f *testing.F) {
	f.Add(proto.ChangeArea{Area: 9, Name: "Plains"}.Append(nil))
	f.Add(proto.NewActor{Area: 9, RuntimeID: 7, Name: "Rat"}.Append(nil))
	f.Add(proto.ActorGone{RuntimeID: 300}.Append(nil))
	f.Add(proto.HitForAttacker(300, 4, 0).Append(nil))
	f.Add(proto.ActorDead{Dead: 300}.Append(nil))
	f.Add(proto.StatUpdate{Sub: proto.StatValue, RuntimeID: 1, Value: 5}.Append(nil))
	f.Fuzz(func(t *testing.T, msg []byte) {
		c := clientInWorld()
		for range 2 {
			c.handleMessage(msg)
		}
	})
}
