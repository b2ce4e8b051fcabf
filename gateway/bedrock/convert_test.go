package bedrock

import (
	"math"
	"slices"
	"strings"
	"testing"
	"unicode/utf8"

	"pgregory.net/rapid"

	bot "github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// If a block kind were not in the protocol table, clients would draw an unknown block. Kinds with the same ids would look the same.
func TestEveryBlockKindIsDistinctBlockOfProtocol(t *testing.T) {
	ids := kindNetworkIDs()
	seen := map[[2]int32]string{}
	for i := range terrain.BlockKindCount() {
		word := terrain.BlockID(i).Kind().Word
		b, ok := proto.BlockNamed(word)
		if !ok || !slices.IsSortedFunc(b.States, func(a, b proto.BlockState) int { return strings.Compare(a.Key, b.Key) }) {
			t.Errorf("%s: named %v, states %v", word, ok, b.States)
		}
		layers := [2]int32{ids.Blocks[i], ids.Second[i]}
		if other, twice := seen[layers]; twice {
			t.Errorf("%s and %s have the same network ids", word, other)
		}
		seen[layers] = word
	}
}

// An input that the client library encodes is decoded to the same flags, tick and position, except for the rounding
// when the eye height is added.
func TestMovementInputIsUnchangedAfterEncodingAndDecoding(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		f := rapid.Float32Range(-1000, 1000)
		in := move.Input{
			Tick: rapid.Uint64().Draw(t, "tick"), Yaw: f.Draw(t, "yaw"), HeadYaw: f.Draw(t, "head"), Pitch: f.Draw(t, "pitch"),
			Move: [2]float32{f.Draw(t, "strafe"), f.Draw(t, "forward")},
			Pos:  geom.Vec{X: f.Draw(t, "x"), Y: f.Draw(t, "y"), Z: f.Draw(t, "z")}, Delta: geom.Vec{Y: f.Draw(t, "dy")},
		}
		for _, x := range &inputFlags {
			if rapid.Bool().Draw(t, "flag") && x.move != move.InputVehicle {
				in.Flags |= x.move
			}
		}
		for _, v := range proto.Versions() {
			p, err := proto.ParsePlayerAuthInput(bot.AuthInput(&in, 0).Append(nil, v), v)
			if err != nil {
				t.Fatal(err)
			}
			got := toInput(&p, 0, false)
			if d := got.Pos.Y - in.Pos.Y; math.Abs(float64(d)) > 1e-4 {
				t.Fatalf("feet at %v, want %v", got.Pos.Y, in.Pos.Y)
			}
			got.Pos.Y = in.Pos.Y
			if got.Flags&in.Flags != in.Flags { // the client additionally sets flags of pressed keys
				t.Fatalf("flags %b, want %b", got.Flags, in.Flags)
			}
			if got.Flags = in.Flags; got != in {
				t.Fatalf("%+v, want %+v", got, in)
			}
		}
	})
}

// Each flag of the protocol and each flag of sim/move occurs at most once in inputFlags.
func TestEachInputFlagOfProtocolIsConvertedToOneFlagOfSimulation(t *testing.T) {
	wires, moves := map[proto.InputFlag]bool{}, move.InputFlags(0)
	for _, f := range &inputFlags {
		if wires[f.wire] || moves&f.move != 0 {
			t.Errorf("%v and %b are mapped twice", f.wire, f.move)
		}
		wires[f.wire], moves = true, moves|f.move
	}
	if moves&move.InputUnloaded != 0 {
		t.Error("a wire flag maps to InputUnloaded")
	}
}

func TestNegativeCoordinatesAreRoundedDownToTheirChunk(t *testing.T) {
	for _, c := range []struct {
		at   geom.Vec
		want proto.ChunkPos
	}{
		{geom.Vec{}, proto.ChunkPos{}},
		{geom.Vec{X: 15.99, Z: 16}, proto.ChunkPos{X: 0, Z: 1}},
		{geom.Vec{X: -0.01, Z: -16}, proto.ChunkPos{X: -1, Z: -1}},
		{geom.Vec{X: -16.01, Z: 1e6}, proto.ChunkPos{X: -2, Z: 62500}},
	} {
		if got := chunkOf(c.at); got != c.want {
			t.Errorf("%v: %v, want %v", c.at, got, c.want)
		}
	}
}

// North is -Z in block coordinates and +Z in world coordinates, so yaw is mirrored; east and west have the same yaw in
// both.
func TestYawIsMirroredBetweenWorldAndBlockCoordinates(t *testing.T) {
	for world, want := range map[float32]float32{0: 180, 90: 90, 180: 0, -90: -90, -180: 0, -45: -135} {
		if got := terrain.MirrorYaw(world); got != want {
			t.Errorf("%v: %v, want %v", world, got, want)
		}
	}
}

// The list of chunk offsets (spiral) is sorted by distance and has no duplicates. countWithin[r] is the number of offsets within radius r.
func TestChunkSendOrderContainsEachChunkOnceNearestFirst(t *testing.T) {
	seen := map[[2]int32]bool{}
	last := int32(0)
	for i, p := range spiral {
		d := p[0]*p[0] + p[1]*p[1]
		if seen[p] || d < last {
			t.Fatalf("offset %v is repeated or out of order", p)
		}
		seen[p], last = true, d
		for r := range int32(maxRadius + 1) {
			if (d <= r*r) != (i < countWithin[r]) {
				t.Fatalf("chunk %d at %v, radius %d", i, p, r)
			}
		}
	}
	if len(spiral) != countWithin[maxRadius] || spiral[0] != [2]int32{} || countWithin[1] != 5 {
		t.Errorf("%d chunks, %d counted", len(spiral), countWithin[maxRadius])
	}
}

func TestCleanedPlayerTextIsValidUTF8AndLimitedInLength(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		text := cleanText(string(rapid.SliceOfN(rapid.Byte(), 0, 400).Draw(t, "text")))
		if len(text) > maxChat || !utf8.ValidString(text) || strings.ContainsAny(text, "\u00a7\x00\n\x7f") || text != strings.TrimSpace(text) {
			t.Fatalf("%q", text)
		}
	})
}

// Health is scaled to the 20 points that clients display. A living actor has at least one point, which is half a heart.
func TestHealthIsScaledToClientHealth(t *testing.T) {
	for _, c := range []struct {
		now, most int32
		want      float32
	}{{0, 100, 0}, {-5, 100, 0}, {1, 1000, 0.5}, {50, 100, 10}, {100, 100, 20}, {5, 0, 0}} {
		if got := actorHealth(&sim.ActorState{Health: c.now, HealthMax: c.most}).Current; got != c.want {
			t.Errorf("%d of %d: %v, want %v", c.now, c.most, got, c.want)
		}
	}
}

// An actor keeps its runtime id while references to the id exist. After the last reference is released, the id is not assigned
// again.
func TestRuntimeIDsAreNeverReused(t *testing.T) {
	tab := newIDs()
	a := tab.acquire(7)
	if tab.acquire(7) != a || a == 0 {
		t.Error("one actor has two runtime ids")
	}
	tab.release(7)
	if tab.acquire(7) != a {
		t.Error("a referenced id was released")
	}
	tab.release(7)
	tab.release(7)
	if len(tab.byEntity) != 0 || tab.acquire(7) == a {
		t.Error("an id was reused")
	}
}
