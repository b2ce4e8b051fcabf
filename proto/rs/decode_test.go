package rs

import (
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"reflect"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// aloneState is the state of vector I1 in the notation of infoVector.want: the own player and two external players far
// away.
const aloneState = "1@3200,3200,0 2=50,50,0 3=100,40,2"

// buildPayload assembles a packet. Each of passes is written in binary digits; blocks has the bytes of all blocks in hexadecimal.
func buildPayload(tb testing.TB, blocks string, passes ...string) []byte {
	tb.Helper()
	w := NewBitWriter(nil)
	for _, bits := range passes {
		for _, bit := range bits {
			if bit == '0' || bit == '1' {
				w.Put(uint64(bit-'0'), 1)
			}
		}
		w.Align()
	}
	return append(w.Bytes(), unhex(tb, blocks)...)
}

func TestDecoderParsesDocumentedPlacementBlocks(t *testing.T) {
	for _, v := range []struct{ start, begins, sum string }{
		{aloneState, "0c8032003232990a0000000000000000", "e20c3d7ed90c8cbec7c32e7eb2155e5f9c2a3c61726143feefc6d981a6651b2a"},
		{"2047@3093,3493,1 1=48,54,0", "4c153694303600000000000000000000", "bcade7143b4ed97befe42a2299676b3bca9a0fd363bf51fc161c5aade32e9f94"},
	} {
		state := readState(t, v.start)
		b := state.placement()
		sum := sha256.Sum256(b)
		if len(b) != PlacementSize || hex.EncodeToString(b[:16]) != v.begins || hex.EncodeToString(sum[:]) != v.sum {
			t.Errorf("%s: %d bytes, begin %x, sum %x", v.start, len(b), b[:16], sum)
		}
		if got := describe(state.client(t, Profile667)); got != v.start {
			t.Errorf("read as %s, want %s", got, v.start)
		}
	}
}

func TestNewDecoderRefusesInvalidPlacementBlockOrPlayerIndex(t *testing.T) {
	good := readState(t, aloneState).placement()
	for _, b := range [][]byte{nil, good[:1], good[:PlacementSize-1], append(slices.Clone(good), 0)} {
		if c, err := NewPlayerInfoDecoder(Profile667, 1, b); !errors.Is(err, ErrPlacement) || c != nil {
			t.Errorf("%d bytes: %v", len(b), err)
		}
	}
	for _, self := range []Index{0, MaxIndex + 1, 0xffff} {
		if _, err := NewPlayerInfoDecoder(Profile667, self, good); !errors.Is(err, ErrIndex) {
			t.Errorf("index %d: %v", self, err)
		}
	}
}

func TestDecoderReturnsSameErrorsAsGameClient(t *testing.T) {
	idle := "0 11 11111111101" // 2046 idle external players
	for _, c := range []struct {
		name  string
		bytes []byte
		want  error
		cause error
		text  string
	}{
		{"own removal", unhex(t, "80"), ErrSLR, nil, "pass 1, index 1, bit 4: s:lr: packet removes the client's own player"},
		{"run of one external player too many", buildPayload(t, "", "000", "", "", "0 11 11111111110"), ErrNSN3, nil, ""},
		{"run of one local player too many", buildPayload(t, "", "0 01 00001", "", "", idle), ErrNSN0, nil, ""},
		{"trailing byte", unhex(t, "007ff400"), ErrGPI1, wire.ErrTrailing, ""},
		{"pass 4 missing", unhex(t, "00"), ErrGPI1, wire.ErrShort, ""},
		{"empty payload", nil, ErrGPI1, wire.ErrShort, ""},
		{"add nested in an add", buildPayload(t, "", "000", "", "", "1 00 1 00 0 000000 000000 0 000000 000000 0"), ErrHRLR, nil, ""},
		{"truncated add nested in an add", buildPayload(t, "", "000", "", "", "0 00 0 00 0 00 0 00 1 00 1"), ErrGPI1, wire.ErrShort, ""},
		{"block missing", unhex(t, "c07ff4"), ErrGPI1, wire.ErrShort, ""},
		{"truncated block", unhex(t, "c07ff4084e00"), ErrGPI1, wire.ErrShort, ""},
		{"unknown mask bit", unhex(t, "c07ff4808820"), ErrBlock, nil, ""},
		{"empty chat", unhex(t, "c07ff4804000"), ErrBlock, wire.ErrRange, ""},
		{"larger than the receive buffer", make([]byte, Profile667.MaxPayload+1), ErrTooLarge, nil, ""},
	} {
		client := readState(t, aloneState).client(t, Profile667)
		err := client.Apply(c.bytes)
		var e *DecodeError
		if !errors.Is(err, c.want) || !errors.As(err, &e) || c.cause != nil && !errors.Is(err, c.cause) {
			t.Errorf("%s: %v", c.name, err)
			continue
		}
		if c.text != "" && err.Error() != c.text {
			t.Errorf("%s: error text %q", c.name, err)
		}
		if again := client.Apply(unhex(t, "007ff4")); again != err || client.Err() != err {
			t.Errorf("%s: next Apply returned %v", c.name, again)
		}
		if err := client.Reconnect(readState(t, aloneState).placement()); err != nil || client.Apply(unhex(t, "007ff4")) != nil {
			t.Errorf("%s: after reconnect: %v", c.name, client.Err())
		}
	}
}

func TestRunOfIdlePlayersBeyondEndOfPassReturnsErrorOfThatPass(t *testing.T) {
	c := readState(t, aloneState).client(t, Profile667)
	if err := c.Apply(unhex(t, "007ff4")); err != nil {
		t.Fatal(err)
	}
	two := cloneClient(c)
	if err := two.Apply(buildPayload(t, "", "", "0 01 00001", "0 11 11111111101", "")); !errors.Is(err, ErrNSN1) {
		t.Error(err)
	}
	if err := c.Apply(buildPayload(t, "", "", "000", "0 11 11111111110", "")); !errors.Is(err, ErrNSN2) {
		t.Error(err)
	}
}

func TestDecoderAcceptsNonzeroPaddingAndNeedlesslyLongForms(t *testing.T) {
	for name, b := range map[string][]byte{
		"padding bits set":                    unhex(t, "1f7ff7"),
		"run with a longer count than needed": unhex(t, "207ff4"),
		"run of one with the longest count":   buildPayload(t, "", "0 11 00000000000", "", "", "0 11 11111111101"),
		"external jump by zero squares":       buildPayload(t, "", "000", "", "", "1 11 00 00000000 00000000 0 11 11111111100"),
		"far teleport by zero tiles":          buildPayload(t, "", "1 0 11 1 00 00000000000000 00000000000000", "", "", "0 11 11111111101"),
	} {
		c := readState(t, aloneState).client(t, Profile667)
		if err := c.Apply(b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		if got := describe(c); got != aloneState {
			t.Errorf("%s: %s", name, got)
		}
	}
}

// cloneClient returns a client in the same state that shares no slices with c.
func cloneClient(c *PlayerInfoDecoder) *PlayerInfoDecoder {
	cut := *c
	cut.changes, cut.blockQueue, cut.blocks, cut.info = nil, nil, nil, Info{}
	cut.appearances = [indexSlots][]byte{}
	return &cut
}

func TestDecoderRefusesTruncatedPackets(t *testing.T) {
	for _, scene := range infoScenes {
		c := readState(t, scene.start).client(t, Profile667)
		for _, v := range scene.packets {
			b := unhex(t, v.hex)
			for n := range b {
				cut := cloneClient(c)
				var e *DecodeError
				if err := cut.Apply(b[:n]); !errors.As(err, &e) || e.Bit > 8*n {
					t.Errorf("%s: %d of %d bytes: %v", v.name, n, len(b), err)
				}
			}
			if err := c.Apply(b); err != nil {
				t.Fatalf("%s: %v", v.name, err)
			}
		}
	}
}

func TestSkipFlagIsSetForPlayersWithoutChangeAndForAddedPlayers(t *testing.T) {
	c := readState(t, "1@3200,3200,0 2=50,50,0 3=49,50,0").client(t, Profile667)
	for _, row := range []struct {
		hex  string
		want [4]bool // expected skip flags by player index; index 0 is unused
	}{
		{"00814a3ff8", [4]bool{1: true, 2: true, 3: true}}, // vector V10: an added player is marked as skipped
		{"217ff0", [4]bool{1: true, 2: true, 3: true}},     // vector V11
		{"13407ff0", [4]bool{1: true, 3: true}},            // vector V12: player 2 walks
		{"80007ff0", [4]bool{1: true, 3: true}},            // vector V13: player 2 is removed
		{"007ff000", [4]bool{1: true, 2: true, 3: true}},   // vector V14
	} {
		if err := c.Apply(unhex(t, row.hex)); err != nil {
			t.Fatal(err)
		}
		for i := Index(1); i <= 3; i++ {
			if c.Skipped(i) != row.want[i] {
				t.Errorf("%s: index %d skipped %v", row.hex, i, c.Skipped(i))
			}
		}
	}
}

// Vector V32b removes and adds index 2 in one entry: the index then stands for another player. The client does not mark that
// player as skipped, unlike other added players.
func TestPlayerThatReusesIndexWithinPacketIsNotMarkedSkipped(t *testing.T) {
	c := readState(t, "1@3200,3200,0 2=50,50,0").client(t, Profile667)
	for _, v := range infoScenes[sceneIndex(t, "index reused inside one packet")].packets[:2] {
		if err := c.Apply(unhex(t, v.hex)); err != nil {
			t.Fatal(err)
		}
	}
	ch, ok := c.Change(2)
	want := PlayerChange{
		Index: 2, Kind: ChangeReplace, Nested: ChangeStep, Code: 3, Block: true,
		From: Tile{X: 3203, Z: 3203}, To: Tile{X: 3196, Z: 3209}, FromSquare: 50<<8 | 50, ToSquare: 49<<8 | 50,
	}
	ch.start, ch.end = 0, 0
	if !ok || ch != want {
		t.Errorf("%+v", ch)
	}
	if c.Skipped(2) || !c.Skipped(1) || len(c.Appearance(2)) != 48 {
		t.Errorf("skipped %v, own %v, appearance %x", c.Skipped(2), c.Skipped(1), c.Appearance(2))
	}
}

func sceneIndex(tb testing.TB, name string) int {
	tb.Helper()
	k := slices.IndexFunc(infoScenes, func(s infoScene) bool { return s.name == name })
	if k < 0 {
		tb.Fatalf("no scene %q", name)
	}
	return k
}

func TestMoveUsesSpeedOfTempSpeedBlockOrElseOfLastSpeedBlock(t *testing.T) {
	c := readState(t, "1@3200,3200,0").client(t, Profile667)
	for _, row := range []struct {
		name, hex string
		speed     int8
		told      int8 // expected persistent speed after the packet
	}{
		{"default speed is crawl", "987ff4", 0, 0},              // a walk after two idle cycles
		{"SPEED alone", "c07ff4017f", 0, 1},                     // vector V09
		{"TEMP_SPEED for one move", "d67ff48002fe", 2, 1},       // vector V09b
		{"persistent speed without TEMP_SPEED", "987ff4", 1, 1}, // walk
		{"TEMP_SPEED 127 is instant", "ef7ff4800281", 127, 1},   // vector V09c
		{"SPEED and TEMP_SPEED", "f0ab007ff48102817e", 127, 2},  // vector V09d
		{"SPEED applies to the same walk", "dc7ff4017f", 1, 1},  // walk north
		{"TEMP_SPEED -1 is not set", "dc7ff4800201", 1, 1},      // walk north
		{"empty block keeps the move", "dc7ff400", 1, 1},        // walk north
		{"TEMP_SPEED 0 is crawl", "dc7ff4800200", 0, 1},         // walk north
		{"SPEED without a move", "c07ff4017e", 0, 2},            // no move
		{"persistent speed in a later cycle", "987ff4", 2, 2},   // walk
		{"persistent speed of a teleport", "b1b3807ff4", 2, 2},  // vector V06
	} {
		b := unhex(t, row.hex)
		if row.name == "default speed is crawl" {
			for range 2 {
				if err := c.Apply(unhex(t, "007ff4")); err != nil {
					t.Fatal(err)
				}
			}
		}
		if err := c.Apply(b); err != nil {
			t.Fatalf("%s: %v", row.name, err)
		}
		if ch, ok := c.Change(1); !ok || ch.Speed != row.speed || c.State(1).Speed != row.told {
			t.Errorf("%s: moved at speed %d, persistent speed %d", row.name, ch.Speed, c.State(1).Speed)
		}
	}
}

func TestDecoderKeepsAppearanceAfterRemovalAndReconnect(t *testing.T) {
	scene := infoScenes[sceneIndex(t, "add and remove")]
	c := readState(t, scene.start).client(t, Profile667)
	var told []byte
	for _, v := range scene.packets {
		if err := c.Apply(unhex(t, v.hex)); err != nil {
			t.Fatal(err)
		}
		if v.name == "V15" {
			told = slices.Clone(c.Appearance(3))
			var in Info
			if !c.Info(3, &in) || len(told) != 48 || !slices.Equal(in.Appearance, told) {
				t.Fatalf("V15 has appearance %x", told)
			}
		}
	}
	if err := c.Reconnect(readState(t, scene.start).placement()); err != nil {
		t.Fatal(err)
	}
	if !slices.Equal(c.Appearance(3), told) || describe(c) != scene.start || c.Skipped(1) || c.Skipped(2) || len(c.Changes()) != 0 {
		t.Errorf("after the reconnect %s, appearance %x", describe(c), c.Appearance(3))
	}
}

// The client packs a map square as plane, x and z in one number. A step that takes x or z beyond 0..255 does not wrap: it
// carries into, or borrows from, the next higher coordinate.
func TestMapSquareBeyondEdgeOverflowsIntoNextPackedCoordinate(t *testing.T) {
	for _, row := range []struct{ start, bits, want string }{
		{"2=0,5,2", "1 10 00 011", "2=255,5,1"},
		{"2=5,0,2", "1 10 00 001", "2=4,255,2"},
		{"2=0,0,0", "1 10 00 000", "2=254,255,3"},
		{"2=255,255,1", "1 10 00 111", "2=0,0,1"},
		{"2=0,5,0", "1 11 11 11111111 00000001", "2=255,6,3"},
		{"2=7,9,3", "1 01 01", "2=7,9,0"},
	} {
		c := readState(t, "1@3200,3200,0 "+row.start).client(t, Profile667)
		err := c.Apply(buildPayload(t, "", "000", "", "", row.bits+"0 11 11111111100"))
		if got := describe(c); err != nil || got != "1@3200,3200,0 "+row.want && got+" " != "1@3200,3200,0 "+row.want {
			t.Errorf("%s %s: %s, %v", row.start, row.bits, got, err)
		}
	}
}

func TestDecodedMoveBeyondWorldEdgeWrapsToOppositeEdge(t *testing.T) {
	for _, row := range []struct{ start, bits, want string }{
		{"1@0,0,0", "1 0 01 000", "1@16383,16383,0"},
		{"1@16383,16382,3", "1 0 10 1111", "1@1,0,3"},
		{"1@5,5,3", "1 0 11 0 01 10000 01111", "1@16373,20,0"},
		{"1@5,5,0", "1 0 11 1 11 11111111111111 00000000000001", "1@4,6,3"},
	} {
		c := readState(t, row.start).client(t, Profile667)
		if err := c.Apply(buildPayload(t, "", row.bits, "", "", "0 11 11111111101")); err != nil || describe(c) != row.want {
			t.Errorf("%s %s: %s, %v", row.start, row.bits, describe(c), err)
		}
	}
}

// The blocks of players are in the order in which the passes announce them, not in the order of the player indices.
func TestExtendedInfoBlocksAreReadInOrderOfPasses(t *testing.T) {
	c := readState(t, "1@3200,3200,0 2=50,50,0").client(t, Profile667)
	for _, v := range infoScenes[sceneIndex(t, "blocks of two players")].packets {
		if err := c.Apply(unhex(t, v.hex)); err != nil {
			t.Fatal(err)
		}
		var one, two Info
		switch c.Info(1, &one); v.name {
		case "V27":
			if !c.Info(2, &two) || one.Turn != 8192 || string(two.Say) != "hi" {
				t.Errorf("V27: turn %d, say %q", one.Turn, two.Say)
			}
		case "V28b":
			if !c.Info(2, &two) || two.Target != None || one.Speed != 2 || c.Changes()[0].Index != 2 {
				t.Errorf("V28b: target %d, speed %d, %+v", two.Target, one.Speed, c.Changes())
			}
		}
	}
	if s := c.State(2); s.Speed != 1 || s.Target != None {
		t.Errorf("index 2 has state %+v", s)
	}
}

// Vector V25 has every block of the profile.
func TestDecoderReadsEveryInfoKindOfRevision667(t *testing.T) {
	c := readState(t, "1@3200,3200,0").client(t, Profile667)
	var in Info
	for _, v := range infoScenes[sceneIndex(t, "blocks")].packets {
		if err := c.Apply(unhex(t, v.hex)); err != nil {
			t.Fatal(err)
		}
	}
	if !c.Info(1, &in) || in.Has != Profile667.Kinds() {
		t.Fatalf("kinds %v", in.Has)
	}
	want := Info{
		Has: in.Has, Appearance: in.Appearance, Say: []byte("hello"),
		Anim: Anim{Seq: [4]uint16{422, 423, 424, None}, Delay: 9},
		Gfx: [4]Gfx{
			{ID: 300, Height: 60, Delay: 10, Rotation: 3, WornSlot: NoWornSlot},
			{ID: 303, Height: 70, Delay: 40, Rotation: 4, WornSlot: 2},
			{ID: 301, Height: 100, Delay: 30, Rotation: 2, WornSlot: NoWornSlot},
			{ID: 302, Height: 50, Delay: 20, Rotation: 1, WornSlot: NoWornSlot, Loop: true},
		},
		Hits: []Hit{
			{Type: 3, Amount: 200, HP: 255},
			{Type: 3, Amount: 55, Soaked: true, SoakType: 5, SoakAmount: 12, Delay: 40, HP: 128},
			{Hidden: true, HP: 10},
		},
		Target: 32775, Turn: 4096, ExactMove: ExactMove{X1: -2, Z1: 3, X2: 4, Z2: -5, T1: 30, T2: 90, Dir: 2},
		Speed: 1, TempSpeed: 2,
		WornAnims:   []WornAnim{{Seq: None, Delay: 3, Slots: 3}},
		WornTargets: []WornTarget{{Target: 0x1234, Slots: 1}, {Target: 0xc0012345, Slots: 2}},
		Recolour:    Recolour{Hue: 10, Saturation: 20, Lightness: 30, Weight: 40, Start: 5, End: 300},
		TimerBar:    TimerBar{Sprite: true, Duration: 200, Start: 50, Granularity: 4},
		Clanmate:    true, PIcon: true,
	}
	nilEmptySlices(&in)
	if !reflect.DeepEqual(in, want) {
		t.Errorf("got  %+v\nwant %+v", in, want)
	}
	if got := c.State(1); got != (PlayerState{Speed: 1, Target: 32775, PIcon: true, Clanmate: true}) || len(c.Appearance(1)) != 50 {
		t.Errorf("state %+v, appearance %x", got, c.Appearance(1))
	}
	if ch, _ := c.Change(1); ch.Speed != 2 {
		t.Errorf("moved at %d", ch.Speed)
	}
}

// nilEmptySlices sets empty slices to nil for comparison.
func nilEmptySlices(in *Info) {
	for _, s := range []*[]byte{&in.Appearance, &in.Say, &in.Chat.Packed} {
		if len(*s) == 0 {
			*s = nil
		}
	}
	if len(in.SpotAnims) == 0 {
		in.SpotAnims = nil
	}
	if len(in.HeadBars) == 0 {
		in.HeadBars = nil
	}
}

func TestDecoderReads13BitOffsetsOfAddedPlayerOnOSRS(t *testing.T) {
	c := readState(t, "1@3200,3200,0").client(t, ProfileOSRS239)
	if err := c.Apply(unhex(t, "008642b228ffe0")); err != nil {
		t.Fatal(err)
	}
	if got := describe(c); got != "1@3200,3200,0 2@3205,3210,0" {
		t.Error(got)
	}
	// The next packet removes player 2. Its square, which is 8192 tiles wide, is then 0,0, and describe omits such players.
	if err := c.Apply(buildPayload(t, "", "", "000 1 0 00 0", "0 11 11111111100", "")); err != nil || describe(c) != "1@3200,3200,0" {
		t.Error(describe(c), err)
	}
}

func TestAppearanceBytesOfRevision634AreReversed(t *testing.T) {
	c := readState(t, "1@3200,3200,0").client(t, Profile634)
	block := "102a00ff8a7e00616d697a655a920506050403020a012a012101000124011a010012010000000000ffff0000"
	if err := c.Apply(buildPayload(t, block, "1 1 00", "", "", "0 11 11111111101")); err != nil {
		t.Fatal(err)
	}
	want := "0000ffff0000000000011200011a012401000121012a010a020304050605925a657a696d61007e8aff00"
	if got := hex.EncodeToString(c.Appearance(1)); got != want {
		t.Errorf("got  %s\nwant %s", got, want)
	}
}

func TestDecoderDoesNotAllocateInSecondRunOfSamePackets(t *testing.T) {
	scene := infoScenes[sceneIndex(t, "add and remove")]
	c := readState(t, scene.start).client(t, Profile667)
	start := readState(t, scene.start).placement()
	var packets [][]byte
	for _, v := range scene.packets {
		packets = append(packets, unhex(t, v.hex))
	}
	all := func() {
		if err := c.Reconnect(start); err != nil {
			t.Fatal(err)
		}
		for _, b := range packets {
			if err := c.Apply(b); err != nil {
				t.Fatal(err)
			}
		}
	}
	all()
	if n := testing.AllocsPerRun(20, all); n != 0 {
		t.Errorf("%v allocations", n)
	}
}
