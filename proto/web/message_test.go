package web

import (
	"bytes"
	"encoding/hex"
	"errors"
	"reflect"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

var standing = Avatar{
	Pos: [3]float32{1, 64, -2.5}, Vel: [3]float32{0, -0.5, 0}, Pitch: 10, Yaw: -90, HeadYaw: -90,
	Flags: AvatarOnGround | AvatarMaySprint, Collided: 2, JumpDelay: 3, SwimPose: 4, Speed: 0.1,
	JumpBoost: 1, Levitation: 2, SlowFalling: 3, DepthStrider: 5, GlideBoost: 300,
}

// messages contains one message of each code, with its encoded bytes.
var messages = []struct {
	name     string
	toServer bool
	message  Message
	hex      string
}{
	{"hello", true, &Hello{Features: 3, Schema: Hash{1, 2}, Resume: ResumeToken{9}, Ticket: "t"},
		"02 54535731 03000000 0102000000000000 09000000000000000000000000000000 0100 74"},
	{"act", true, &Act{Number: 7, Verb: VerbSay, Tick: 20, Seen: 0x010203, Handle: NoHandle, Text: "hi"},
		"03 0700 02 14000000 030201 ffff 0200 6869"},
	{"refused", false, &Refused{Reason: RefusedFull, Seconds: 30, Text: "full"}, "42 02 1e00 0400 66756c6c"},
	{"enter", false, &Enter{Handle: 2, Kind: 1, State: []int32{-1, 5}, Body: Body{Handle: 2, Mask: BodyAll, Door: "rs", Level: 4, HealthMax: 100, Height: 29, Name: "Ann"}},
		"43 0200 01 02 ffffffff 05000000 1f 02 7273 0400 64000000 1d 03 416e6e"},
	{"body", false, &Body{Handle: 2, Mask: BodyName | BodyLevel, Level: 5, Name: "B"}, "45 0200 12 0500 01 42"},
	{"leave", false, &Leave{Handle: 3, Reason: LeaveDead}, "44 0300 03"},
	{"event", false, &Event{Tick: 9, Kind: EventStruck, Who: 1, Other: 2, Value: -1, Text: ""}, "46 09000000 01 0100 0200 ffffffff 0000"},
	{"answer", false, &Answer{Number: 7, Reason: 17, Asked: 3, Allowed: 2.5}, "49 0700 11 00004040 00002040 00"},
	{"answer of the game", false, &Answer{Number: 7, Reason: 18, Text: "No"}, "49 0700 12 00000000 00000000 02 4e6f"},
	{"command", true, &Act{Number: 8, Verb: VerbCommand, Tick: 20, Seen: 1, Handle: 5, Text: "x", Command: 2, Args: []int32{-1, 7}},
		"03 0800 06 14000000 010000 0500 0100 78 02 02 ffffffff 07000000"},
	{"enter with slow fields", false, &Enter{Handle: 2, Kind: 0, State: []int32{5}, Body: Body{Handle: 2, Mask: BodyAll | BodyFields, Height: 29, Name: "A", Fields: []int32{9}}},
		"43 0200 00 01 05000000 3f 00 0000 00000000 1d 01 41 01 09000000"},
	{"body with slow fields", false, &Body{Handle: 2, Mask: BodyFields, Fields: []int32{1, -1}}, "45 0200 20 02 01000000 ffffffff"},
	{"game event", false, &GameEvent{Tick: 9, Event: 1, Who: 2, Other: NoHandle, Args: []int32{3}, Text: "hi"}, "4b 09000000 01 0200 ffff 01 03000000 0200 6869"},
	{"area fields", false, &AreaFields{Values: []int32{1, -2}}, "4c 02 01000000 feffffff"},
	{"bye", false, &Bye{Reason: ByeKicked, Resume: true, Text: "x"}, "4a 05 01 0100 78"},
	{"area", false, &Area{Area: 1, Ground: Hash{0xaa}, Run: 3, Own: 5, Name: "Vale"}, "48 0100 aa00000000000000 03 0500 04 56616c65"},
	{"own", false, &Own{Tick: 100, Serial: 2, Reason: 1, What: OwnCorrected, Avatar: standing},
		"47 64000000 0200 01 01 0000803f 00008042 000020c0 00000000 000000bf 00000000 00002041 0000b4c2 0000b4c2 01080000 02 03 04 cdcccc3d 01 02 03 05 2c01"},
	{"welcome", false, &Welcome{Run: 1, Features: 1, Ticks: 20, Tick: 1 << 40, Own: 5, Area: Area{Area: 1, Run: 1, Own: 5, Name: "V"}, Resume: ResumeToken{7}, Schema: Hash{8}, Avatar: standing},
		"41 01 01000000 14 0000000000010000 0500 0100 0000000000000000 01 0500 01 56 07000000000000000000000000000000 0800000000000000 " +
			"0000803f 00008042 000020c0 00000000 000000bf 00000000 00002041 0000b4c2 0000b4c2 01080000 02 03 04 cdcccc3d 01 02 03 05 2c01"},
	{"welcome back", false, &Welcome{Features: Features | FeatureKnownActs, Ticks: 60, Tick: 9, Own: 5, Area: Area{Own: 5}, Resume: ResumeToken{7}, Avatar: standing},
		"41 00 03000000 3c 0900000000000000 0500 0000 0000000000000000 00 0500 00 07000000000000000000000000000000 0000000000000000 " +
			"0000803f 00008042 000020c0 00000000 000000bf 00000000 00002041 0000b4c2 0000b4c2 01080000 02 03 04 cdcccc3d 01 02 03 05 2c01"},
}

func parseFor(toServer bool, b []byte) (Message, error) {
	if toServer {
		return ParseClientMessage(b)
	}
	return ParseServerMessage(b)
}

func TestControlMessagesHaveDocumentedBytes(t *testing.T) {
	for _, v := range messages {
		want, err := hex.DecodeString(strings.ReplaceAll(v.hex, " ", ""))
		if err != nil {
			t.Fatal(err)
		}
		if got := AppendMessage(nil, v.message); !bytes.Equal(got, want) {
			t.Errorf("%s: encoded as % x, want % x", v.name, got, want)
		}
		got, err := parseFor(v.toServer, want)
		if err != nil || !reflect.DeepEqual(got, v.message) {
			t.Errorf("%s: decoded as %+v, %v, want %+v", v.name, got, err, v.message)
		}
	}
}

func TestControlMessagesWithMissingOrExtraBytesAreRefused(t *testing.T) {
	for _, v := range messages {
		b := AppendMessage(nil, v.message)
		for n := range b {
			if _, err := parseFor(v.toServer, b[:n]); !errors.Is(err, wire.ErrShort) && !errors.Is(err, wire.ErrRange) {
				t.Errorf("%s: the first %d of %d bytes: %v, want an error", v.name, n, len(b), err)
			}
		}
		if _, err := parseFor(v.toServer, append(b, 0)); !errors.Is(err, wire.ErrTrailing) {
			t.Errorf("%s with another byte: %v, want ErrTrailing", v.name, err)
		}
	}
}

func TestAvatarWithKnockbackVelocityRoundTrips(t *testing.T) {
	a := standing
	a.Flags |= AvatarHasKnockback
	a.KnockbackVel = [3]float32{1, 2, 3}
	r := wire.NewReader(a.Append(nil))
	if got := readAvatar(&r); got != a || r.Done("avatar") != nil {
		t.Errorf("decoded as %+v, %v, want %+v", got, r.Err(), a)
	}
}

func TestControlMessageWithUnknownCodeReturnsErrUnknown(t *testing.T) {
	if _, err := ParseClientMessage([]byte{0x3f, 1, 2}); !errors.Is(err, ErrUnknown) {
		t.Errorf("to the server: %v, want ErrUnknown", err)
	}
	if _, err := ParseServerMessage([]byte{0x7f}); !errors.Is(err, ErrUnknown) {
		t.Errorf("to the client: %v, want ErrUnknown", err)
	}
}

func TestClientMessageAboveMaximumLengthIsRefused(t *testing.T) {
	if _, err := ParseClientMessage(AppendMessage(nil, &Hello{Ticket: strings.Repeat("t", MaxHello)})); !errors.Is(err, ErrTooLong) {
		t.Errorf("long hello: %v, want ErrTooLong", err)
	}
	if _, err := ParseClientMessage(AppendMessage(nil, &Act{Verb: VerbSay, Text: strings.Repeat("t", MaxAct)})); !errors.Is(err, ErrTooLong) {
		t.Errorf("long act: %v, want ErrTooLong", err)
	}
}

func TestFramedMessagesOfStreamAreReadInOrder(t *testing.T) {
	var stream []byte
	long := &Act{Number: 1, Verb: VerbSay, Text: strings.Repeat("x", 300)}
	for _, m := range []Message{&Act{Number: 2, Verb: VerbWake}, long} {
		stream = AppendFramed(stream, m)
	}
	var got []Message
	for b := stream; len(b) > 0; {
		message, n, err := NextFrame(b, MaxHello)
		if err != nil || n == 0 {
			t.Fatalf("frame %d: %d bytes, %v", len(got), n, err)
		}
		m, err := ParseClientMessage(message)
		if err != nil {
			t.Fatal(err)
		}
		got, b = append(got, m), b[n:]
	}
	if len(got) != 2 || got[0].(*Act).Number != 2 || got[1].(*Act).Text != long.Text {
		t.Errorf("read %+v", got)
	}
	for n := range 6 {
		if _, used, err := NextFrame(stream[:n], MaxHello); used != 0 || err != nil {
			t.Errorf("the first %d bytes: %d used, %v, want none", n, used, err)
		}
	}
	for _, bad := range [][]byte{{0}, {0xff, 0xff, 0xff, 0xff}, {0x81, 0x10}} {
		if _, _, err := NextFrame(bad, MaxHello); !errors.Is(err, ErrTooLong) {
			t.Errorf("length % x: %v, want ErrTooLong", bad, err)
		}
	}
}

var walking = Input{
	ReceivedSnapshots: ReceivedSnapshots{Run: 2, Seq: 300, Mask: 5}, Heard: 9, Barrier: 4, Seen: 0xabcdef, Tick: 1000,
	Pos: [3]float32{1, 2, 3}, Vel: [3]float32{0, 0.5, 0}, N: 2,
	Entries: [MaxEntries]InputEntry{{Keys: KeyJumpDown | KeyHandledTeleport, Yaw: -16384, Pitch: -90, Strafe: 127, Forward: -127}, {Keys: KeyStartSprint, Forward: 127}},
}

func TestInputAndAckHaveDocumentedBytes(t *testing.T) {
	want := "01 02 2c01 0500000000000000 0900 0400 efcdab e8030000 02 0000803f 00000040 00004040 00000000 0000003f 00000000 " +
		"0140 00c0 a6 7f 81 4000 0000 00 00 7f"
	in, err := hex.DecodeString(strings.ReplaceAll(want, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	if got := walking.Append(nil); !bytes.Equal(got, in) {
		t.Errorf("encoded as % x, want % x", got, in)
	}
	if got, err := ParseInput(in); err != nil || got != walking {
		t.Errorf("decoded as %+v, %v, want %+v", got, err, walking)
	}
	ack := Ack{walking.ReceivedSnapshots}
	b := ack.Append(nil)
	if got, err := ParseAck(b); err != nil || got != ack || len(b) != ackLength {
		t.Errorf("ack decoded as %+v, %v from %d bytes, want %+v", got, err, len(b), ack)
	}
	for n := range in {
		if _, err := ParseInput(in[:n]); err == nil {
			t.Errorf("the first %d bytes of the input were accepted", n)
		}
	}
	for n := range b {
		if _, err := ParseAck(b[:n]); err == nil {
			t.Errorf("the first %d bytes of the ack were accepted", n)
		}
	}
	if _, err := ParseInput(append(in, 0)); !errors.Is(err, wire.ErrTrailing) {
		t.Errorf("input with another byte: %v, want ErrTrailing", err)
	}
}

func TestInputsWithValuesOutOfRangeAreRefused(t *testing.T) {
	for what, change := range map[string]func(p *Input){
		"run":     func(p *Input) { p.Run = 8 },
		"key":     func(p *Input) { p.Entries[0].Keys = 1 << 15 },
		"pitch":   func(p *Input) { p.Entries[1].Pitch = 91 },
		"strafe":  func(p *Input) { p.Entries[1].Strafe = -128 },
		"forward": func(p *Input) { p.Entries[1].Forward = -128 },
		"too few": func(p *Input) { p.N = 0 },
	} {
		p := walking
		change(&p)
		if _, err := ParseInput(p.Append(nil)); !errors.Is(err, wire.ErrRange) {
			t.Errorf("%s: %v, want ErrRange", what, err)
		}
	}
	b := walking.Append(nil)
	b[23] = MaxEntries + 1
	if _, err := ParseInput(b); !errors.Is(err, wire.ErrRange) {
		t.Errorf("too many entries: %v, want ErrRange", err)
	}
}

func TestNewInputEntryRoundsAnglesAndMovement(t *testing.T) {
	for _, v := range []struct {
		yaw, pitch, strafe, forward float32
		want                        InputEntry
	}{
		{0, 0, 0, 0, InputEntry{}},
		{90, 89.6, 1, -1, InputEntry{Yaw: 16384, Pitch: 90, Strafe: 127, Forward: -127}},
		{180, -100, 2, 0.5, InputEntry{Yaw: -32768, Pitch: -90, Strafe: 127, Forward: 64}},
		{450, 0, 0, 0, InputEntry{Yaw: 16384}},
	} {
		if got := NewInputEntry(0, v.yaw, v.pitch, v.strafe, v.forward); got != v.want {
			t.Errorf("yaw %v pitch %v: %+v, want %+v", v.yaw, v.pitch, got, v.want)
		}
	}
	e := InputEntry{Yaw: -16384}
	if got := e.YawDegrees(); got != -90 {
		t.Errorf("%v degrees, want -90", got)
	}
}

func FuzzParsedMessageEncodesToSameBytes(f *testing.F) {
	for _, v := range messages {
		f.Add(v.toServer, AppendMessage(nil, v.message))
	}
	f.Fuzz(func(t *testing.T, toServer bool, b []byte) {
		m, err := parseFor(toServer, b)
		if err != nil {
			return
		}
		if again := AppendMessage(nil, m); !bytes.Equal(again, b) {
			t.Errorf("% x is encoded again as % x", b, again)
		}
	})
}

func FuzzInput(f *testing.F) {
	f.Add(walking.Append(nil))
	f.Add((&Ack{walking.ReceivedSnapshots}).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		if p, err := ParseInput(b); err == nil && !bytes.Equal(p.Append(nil), b) {
			t.Errorf("input % x is encoded again as % x", b, p.Append(nil))
		}
		if a, err := ParseAck(b); err == nil && !bytes.Equal(a.Append(nil), b) {
			t.Errorf("ack % x is encoded again as % x", b, a.Append(nil))
		}
	})
}

func FuzzFrames(f *testing.F) {
	f.Add(AppendFramed(nil, &Act{Verb: VerbSay, Text: "hello"}))
	f.Fuzz(func(t *testing.T, b []byte) {
		message, n, err := NextFrame(b, MaxHello)
		if err == nil && n > 0 && (n > len(b) || len(message) == 0 || len(message) > MaxHello || len(message) >= n) {
			t.Errorf("%d bytes used, message of %d", n, len(message))
		}
	})
}
