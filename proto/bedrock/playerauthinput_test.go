package bedrock

import (
	"bytes"
	"encoding/binary"
	"errors"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// inputFlagsAt is the offset of the flags in a PlayerAuthInput.
const inputFlagsAt = 4 + 4 + 12 + 8 + 4

// asWritten returns the body that Append writes for a packet parsed from body: the same bytes, except that a
// PlayerAuthInput has its flags in increasing order and, in protocol 2169, always a flag list.
func asWritten(id ID, v Version, body []byte) []byte {
	if id != IDPlayerAuthInput {
		return body
	}
	b, rest := bytes.Clone(body[:inputFlagsAt]), body[inputFlagsAt:]
	if v == V2169 {
		b = append(b, 1)
		if rest[0] == 0 {
			return append(append(b, 0), rest[1:]...)
		}
		rest = rest[1:]
	}
	n, size := binary.Uvarint(rest)
	rest = rest[size:]
	flags := make([]uint64, n)
	for i := range flags {
		flags[i], size = binary.Uvarint(rest)
		rest = rest[size:]
	}
	slices.Sort(flags)
	b = binary.AppendUvarint(b, n)
	for _, f := range flags {
		b = binary.AppendUvarint(b, f)
	}
	return append(b, rest...)
}

// walking returns the input of a client that walks, without optional fields.
func walking() PlayerAuthInput {
	return PlayerAuthInput{
		Pitch: 10, Yaw: 90, HeadYaw: 90,
		Position: Vec3{0.5, 65.62, 1.5}, MoveVector: Vec2{0, 1},
		Input:     InputDataOf(InputUp, InputVerticalCollision, InputJumpCurrentRaw, InputSneakCurrentRaw),
		InputMode: InputModeMouse, PlayMode: 2, InteractionModel: InteractionCrosshair,
		InteractRotation: Vec2{10, 90}, Tick: 70000, Delta: Vec3{0.1, -0.0784, 0},
		AnalogueMoveVector: Vec2{0, 1}, CameraOrientation: Vec3{-1, 0, 0}, RawMoveVector: Vec2{0, 1},
	}
}

func TestInputWhoseFlagsContradictItsOptionalFieldsIsRefused(t *testing.T) {
	full := walking()
	for _, f := range []InputFlag{InputItemInteract, InputItemStackRequest, InputBlockAction, InputClientVehicle} {
		full.Input.Set(f)
	}
	full.Transaction = &UseItemTransaction{}
	full.StackRequest = &ItemStackRequest{}
	for _, v := range Versions() {
		for _, f := range []InputFlag{InputItemInteract, InputItemStackRequest, InputBlockAction, InputClientVehicle} {
			missing, extra := walking(), full
			missing.Input.Set(f)
			extra.Input.Clear(f)
			if _, err := ParsePlayerAuthInput(swapFlags(v, walking(), missing.Input), v); !errors.Is(err, wire.ErrRange) {
				t.Errorf("%d: flag %d without its field: %v", v, f, err)
			}
			if _, err := ParsePlayerAuthInput(swapFlags(v, full, extra.Input), v); !errors.Is(err, wire.ErrRange) {
				t.Errorf("%d: field without its flag %d: %v", v, f, err)
			}
		}
		if _, err := ParsePlayerAuthInput(full.Append(nil, v), v); err != nil {
			t.Errorf("%d: %v", v, err)
		}
	}
}

// swapFlags returns the encoded body of p, in which the given flags replace those of p.
func swapFlags(v Version, p PlayerAuthInput, flags InputData) []byte {
	b, old := p.Append(nil, v), appendInputData(nil, p.Input, v.layout())
	rest := b[inputFlagsAt+len(old):]
	return append(appendInputData(bytes.Clone(b[:inputFlagsAt]), flags, v.layout()), rest...)
}

func TestInputFlagsAreAcceptedInAnyOrderButNotTwice(t *testing.T) {
	f := V2193.layout()
	for _, c := range []struct {
		list []byte
		want InputData
		err  error
	}{
		{[]byte{0}, InputData{}, nil},
		{[]byte{3, 0x82, 0x01, 0, 20}, InputDataOf(InputAscend, InputUp, InputInternalUpdate), nil},
		{[]byte{2, 20, 20}, InputData{}, wire.ErrRange},
		{[]byte{1, 1}, InputData{}, wire.ErrRange},          // flag number -1
		{[]byte{1, 0x84, 0x01}, InputData{}, wire.ErrRange}, // flag number 66, one too high
		{[]byte{67}, InputData{}, wire.ErrRange},            // count 67 is higher than the number of flags, 66
		{[]byte{3, 0, 2}, InputData{}, wire.ErrShort},       // the count is 3, but only two flags follow
		{[]byte{1, 0x80, 0x00}, InputData{}, wire.ErrRange}, // flag number 0 in two bytes instead of one
		{[]byte{0xff, 0xff, 0xff, 0xff, 0x0f}, InputData{}, wire.ErrRange},
	} {
		r := wire.NewReader(c.list)
		got := readInputData(&r, f)
		if err := r.Done("flags"); !errors.Is(err, c.err) || err == nil && got != c.want {
			t.Errorf("% x: %x, %v", c.list, got, err)
		}
	}
}

func TestSettingOrClearingInputFlagChangesOnlyThatFlag(t *testing.T) {
	var d InputData
	for f := InputFlag(0); f < InputFlagCount; f++ {
		d.Set(f)
		if !d.Has(f) || d.Len() != int(f)+1 {
			t.Fatalf("flag %d: %x", f, d)
		}
	}
	for f := InputFlag(0); f < InputFlagCount; f++ {
		if d.Clear(f); d.Has(f) || d.Len() != InputFlagCount-1-int(f) {
			t.Fatalf("flag %d: %x", f, d)
		}
	}
}

func TestOptionalFieldWithZeroFirstPresenceByteIsRefused(t *testing.T) {
	b := walking().Append(nil, V2169)
	options := bytes.Index(b, []byte{1, 0, 1, 0, 1, 0, 1, 0, 1, 0})
	for i := range 5 {
		c := bytes.Clone(b)
		c[options+2*i] = 0
		if _, err := ParsePlayerAuthInput(c, V2169); !errors.Is(err, wire.ErrRange) {
			t.Errorf("option %d: %v", i, err)
		}
	}
}

func TestInputWithoutFlagListHasNoFlags(t *testing.T) {
	p := walking()
	p.Input = InputData{}
	b := p.Append(nil, V2169)
	b = slices.Delete(b, inputFlagsAt, inputFlagsAt+1) // removes the presence byte 01, so that the count 00 is read as a presence byte: no list
	got, err := ParsePlayerAuthInput(b, V2169)
	if err != nil || got.Input.Len() != 0 || got.Tick != p.Tick {
		t.Errorf("got %+v, error %v", got, err)
	}
}

func TestInputParseAndAppendDoNotAllocate(t *testing.T) {
	for _, v := range Versions() {
		p := walking()
		b := p.Append(nil, v)
		if n := testing.AllocsPerRun(100, func() {
			if _, err := ParsePlayerAuthInput(b, v); err != nil {
				t.Fatal(err)
			}
		}); n != 0 {
			t.Errorf("%d: parsing: %v allocations", v, n)
		}
		if n := testing.AllocsPerRun(100, func() { b = p.Append(b[:0], v) }); n != 0 {
			t.Errorf("%d: appending: %v allocations", v, n)
		}
	}
}

func BenchmarkParsePlayerAuthInput(b *testing.B) {
	for _, v := range Versions() {
		b.Run("version="+v.GameVersion(), func(b *testing.B) {
			body := walking().Append(nil, v)
			b.ReportAllocs()
			for b.Loop() {
				if _, err := ParsePlayerAuthInput(body, v); err != nil {
					b.Fatal(err)
				}
			}
		})
	}
}

func BenchmarkAppendPlayerAuthInput(b *testing.B) {
	p, buf := walking(), []byte(nil)
	b.ReportAllocs()
	for b.Loop() {
		buf = p.Append(buf[:0], V2169)
	}
}

func FuzzPlayerAuthInput(f *testing.F) {
	for _, v := range loadPacketVectors(f) {
		if v.PacketID == IDPlayerAuthInput {
			f.Add(v.body, v.Protocol == V2193)
		}
	}
	row, _ := Lookup(IDPlayerAuthInput)
	f.Fuzz(func(t *testing.T, b []byte, newer bool) {
		v := V2169
		if newer {
			v = V2193
		}
		checkBody(t, row, v, b)
	})
}
