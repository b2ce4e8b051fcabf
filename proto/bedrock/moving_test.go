package bedrock

import (
	"bytes"
	"errors"
	"math"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

func TestByteAnglesRoundTrip(t *testing.T) {
	for _, c := range []struct {
		degrees float32
		want    ByteAngle
	}{
		{0, 0}, {90, 64}, {180, 128}, {-90, 192}, {270, 192}, {359.9, 255}, {360, 0}, {450, 64}, {1.4, 0}, {1.5, 1},
		{-1.4, 0}, {-1.5, 255}, {-180, 128}, {3600090, 64},
		{float32(math.NaN()), 0}, {float32(math.Inf(1)), 0}, {float32(math.Inf(-1)), 0}, {1e30, 0},
	} {
		if got := ByteAngleOf(c.degrees); got != c.want {
			t.Errorf("%v degrees are %d, want %d", c.degrees, got, c.want)
		}
	}
	for a := range 256 {
		if got := ByteAngleOf(ByteAngle(a).Degrees()); got != ByteAngle(a) {
			t.Errorf("%d is %v degrees, which are %d", a, ByteAngle(a).Degrees(), got)
		}
	}
}

func TestMovePlayerPacketHasTeleportCauseOnlyInTeleportMode(t *testing.T) {
	move := MovePlayer{Runtime: 1, Mode: MoveNormal, Tick: 5}.Append(nil, V2169)
	option := len(move) - 2 // offset of the presence byte that precedes the tick
	move[option] = 1
	move = append(move[:option+1], 0, 0, 0, 0, 0, 0, 0, 0, 5)
	if _, err := ParseMovePlayer(move, V2169); !errors.Is(err, wire.ErrRange) {
		t.Errorf("teleport cause in a normal move: %v", err)
	}
	teleport := MovePlayer{Runtime: 1, Mode: MoveTeleport, Tick: 5}.Append(nil, V2169)
	teleport = append(teleport[:option], 0, 5)
	if _, err := ParseMovePlayer(teleport, V2169); !errors.Is(err, wire.ErrRange) {
		t.Errorf("teleport without a cause: %v", err)
	}
}

func TestLatencyResponseIsRecognizedInAnyTimeUnit(t *testing.T) {
	for answer, want := range map[uint64]bool{1234: true, 1234000: true, 1234000000: true, 1235: false, 12340: false, 0: false} {
		if got := (NetworkStackLatency{Timestamp: answer}).IsResponseTo(1234); got != want {
			t.Errorf("%d answers 1234: %v", answer, got)
		}
	}
}

func TestPlayerListEntryWithContradictoryKindBytesIsRefused(t *testing.T) {
	b := PlayerList{Entries: []PlayerListEntry{{Remove: true}}}.Append(nil, V2169)
	for _, kinds := range [][2]byte{{0, 0}, {1, 1}, {0, 2}, {2, 0}} {
		c := bytes.Clone(b)
		c[1], c[2] = kinds[0], kinds[1]
		if _, err := ParsePlayerList(c, V2169); !errors.Is(err, wire.ErrRange) {
			t.Errorf("entry %v: %v", kinds, err)
		}
	}
}

func TestActorFlagsOf128BitsRoundTrip(t *testing.T) {
	for _, v := range [][2]uint64{
		{}, {0x7f}, {0x80}, {math.MaxUint64}, {0, 1}, {1 << 63, 1 << 63}, {math.MaxUint64, math.MaxUint64},
	} {
		b := appendVar128(nil, v)
		r := wire.NewReader(b)
		if got := readVar128(&r); got != v || r.Done("flags") != nil {
			t.Errorf("%x is % x, which is %x, %v", v, b, got, r.Err())
		}
	}
	long := bytes.Repeat([]byte{0x80}, 18)
	for name, b := range map[string][]byte{
		"longer than needed": {0x80, 0},
		"129 bits":           append(bytes.Clone(long), 4),
		"20 bytes":           append(bytes.Clone(long), 0x81, 1),
	} {
		r := wire.NewReader(b)
		if got := readVar128(&r); !errors.Is(r.Done("flags"), wire.ErrRange) {
			t.Errorf("%s: %x, %v", name, got, r.Err())
		}
	}
}

// Packets that are sent every tick are appended to a reused buffer without allocation.
func TestAppendingPacketsOfEveryTickDoesNotAllocate(t *testing.T) {
	meta := Metadata{LongMeta(MetaFlags, 1<<35), TextMeta(MetaName, "Alex"), FloatMeta(MetaHeight, 1.8)}
	speed := []Attribute{{Max: 1, Current: 0.1, Name: AttributeMovement, Modifiers: []AttributeModifier{{Name: "sprint"}}}}
	buf := make([]byte, 0, 4096)
	for name, write := range map[string]func(){
		"MoveActorAbsolute": func() { buf = AppendPacket(buf[:0], MoveActorAbsolute{Runtime: 300}, V2169) },
		"MoveActorDelta":    func() { buf = AppendPacket(buf[:0], MoveActorDelta{X: Some[float32](1)}, V2193) },
		"MovePlayer":        func() { buf = AppendPacket(buf[:0], MovePlayer{Mode: MoveTeleport}, V2169) },
		"SetActorData":      func() { buf = AppendPacket(buf[:0], SetActorData{Metadata: meta}, V2169) },
		"SetActorMotion":    func() { buf = AppendPacket(buf[:0], SetActorMotion{Tick: 9}, V2169) },
		"UpdateAttributes":  func() { buf = AppendPacket(buf[:0], UpdateAttributes{Attributes: speed}, V2169) },
		"CorrectPlayerMovePrediction": func() {
			buf = AppendPacket(buf[:0], CorrectPlayerMovePrediction{Tick: 300, OnGround: true}, V2169)
		},
		"NetworkStackLatency":  func() { buf = AppendPacket(buf[:0], NetworkStackLatency{Timestamp: 1}, V2169) },
		"InventoryTransaction": func() { buf = AppendPacket(buf[:0], InventoryTransaction{Type: TransactionUseItem}, V2193) },
	} {
		if n := testing.AllocsPerRun(100, write); n != 0 {
			t.Errorf("%s: %v allocations", name, n)
		}
	}
}

func BenchmarkAppendMoveActorAbsolute(b *testing.B) {
	p, buf := MoveActorAbsolute{Runtime: 300, Position: Vec3{1, 2, 3}}, []byte(nil)
	b.ReportAllocs()
	for b.Loop() {
		buf = AppendPacket(buf[:0], p, V2169)
	}
}
