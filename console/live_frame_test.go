package console

import (
	"bytes"
	"encoding/hex"
	"errors"
	"flag"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

var update = flag.Bool("update", false, "rewrite the files of testdata")

// vectors holds the frames whose encoded messages are in testdata, by file name.
var vectors = map[string]*sim.Frame{
	"live_empty": {Area: 3, Tick: 1},
	"live_crowd": {Area: 1, Tick: 1 << 40, Actors: []sim.ActorState{
		{ID: 1, Pos: geom.Vec{X: 1.5, Y: -2, Z: 3.25}, Yaw: 90, Health: 100, HealthMax: 100, Flags: sim.FlagPlayer | sim.FlagRunning, Target: 2},
		{ID: 2, Pos: geom.Vec{X: -1e5, Y: 0, Z: 1e5}, Yaw: -90, Health: 1, HealthMax: 1000, Flags: sim.FlagFlying, Mount: 9},
		{ID: 1<<53 - 1, Yaw: 359.9999, Health: 0, HealthMax: 50, Flags: sim.FlagPlayer | sim.FlagDead | sim.FlagFrozen},
	}},
}

// vector reads a file of testdata, which has comment lines and bytes in hex.
func vector(t testing.TB, name string) []byte {
	t.Helper()
	text, err := os.ReadFile(filepath.Join("testdata", name+".hex"))
	if err != nil {
		t.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			digits.WriteString(strings.Join(strings.Fields(line), ""))
		}
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// An actor without a yaw faces its destination while it walks, and keeps that yaw when it stops.
func TestLiveMapActorWithoutYawFacesItsDestination(t *testing.T) {
	const east, north, west = 65536 * 3 / 4, 0, 65536 / 4
	walker := sim.ActorState{ID: 1, Body: &sim.Body{}, Yaw: 180}
	f := &sim.Frame{Actors: []sim.ActorState{walker}}
	a := &f.Actors[0]
	var c viewerGroup
	for _, s := range []struct {
		what string
		do   func()
		want uint16
	}{
		{"the actor appears", func() {}, 65536 / 2},
		{"walks east", func() { a.DestX = 5 }, east},
		{"has arrived", func() { a.Pos.X = 5 }, east},
		{"walks north", func() { a.DestZ = 9 }, north},
		{"is teleported and faces west", func() { a.Pos.Z, a.Yaw = 9, 90 }, west},
		{"a step on tiles sets the yaw", func() { a.Motion.FacesYaw, a.Yaw, a.DestZ = true, -90, 20 }, east},
		{"an input sets the yaw", func() { a.Yaw = 0 }, north},
	} {
		s.do()
		c.updateRoster(f, anyTime, func(sim.EntityID) string { return "" })
		if got := c.roster[0].facing; got != s.want {
			t.Errorf("%s: yaw %d, want %d", s.what, got, s.want)
		}
	}
}

func TestEncodedLiveMapMessageEqualsTestVector(t *testing.T) {
	for name, f := range vectors {
		roster := make([]rosterEntry, len(f.Actors))
		for i := range roster {
			roster[i].facing = yawToTurn(f.Actors[i].Yaw)
		}
		b := appendLive(nil, f, roster, time.UnixMicro(1767323045678900))
		if *update {
			text := "# A binary message of the live map, encoded from a frame in live_frame_test.go. docs/console-api.md, GET /live.\n"
			text += hex.EncodeToString(b[:liveHeader]) + "\n"
			for r := b[liveHeader:]; len(r) > 0; r = r[liveActorBytes:] {
				text += hex.EncodeToString(r[:liveActorBytes]) + "\n"
			}
			if err := os.WriteFile(filepath.Join("testdata", name+".hex"), []byte(text), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		want := vector(t, name)
		if !bytes.Equal(b, want) {
			t.Errorf("message %s is %x, want %x", name, b, want)
		}
		got, err := ParseLive(want, nil)
		if err != nil {
			t.Fatal(err)
		}
		if again := got.Append(nil); !bytes.Equal(again, want) {
			t.Errorf("%s: re-encoded as %x", name, again)
		}
		for n := range want {
			if _, err := ParseLive(want[:n], nil); !errors.Is(err, errLiveShort) {
				t.Errorf("%s cut to %d bytes: %v", name, n, err)
			}
		}
		if _, err := ParseLive(append(bytes.Clone(want), 0), nil); err == nil {
			t.Errorf("%s with an extra byte is accepted", name)
		}
	}
}

func TestLiveMapMessageDecodesToActorStates(t *testing.T) {
	got, err := ParseLive(vector(t, "live_crowd"), make([]LiveActor, 0, 8))
	if err != nil {
		t.Fatal(err)
	}
	if got.Area != 1 || got.Tick != 1<<40 || got.At != 1767323045678.9 || len(got.Actors) != 3 {
		t.Fatalf("the decoded message is %+v", got)
	}
	for i, want := range []LiveActor{
		{1, geom.Vec{X: 1.5, Y: -2, Z: 3.25}, 16384, 255, LivePlayer | LiveRunning | LiveFighting},
		{2, geom.Vec{X: -1e5, Z: 1e5}, 49152, 1, LiveFlying | LiveMounted},
		{1<<53 - 1, geom.Vec{}, 0, 0, LivePlayer | LiveDead | LiveFrozen},
	} {
		if got.Actors[i] != want {
			t.Errorf("the actor is %+v, want %+v", got.Actors[i], want)
		}
	}
}

func TestLiveMapMessageEncodesYawModulo360AndRoundsHealthUp(t *testing.T) {
	for yaw, want := range map[float32]uint16{
		0: 0, 90: 16384, 180: 32768, -180: 32768, -90: 49152, 360: 0, 720: 0, 3690: 16384, -0.001: 0, float32(math.Inf(1)): 0, float32(math.NaN()): 0, 1e30: yawToTurn(1e30),
	} {
		if got := yawToTurn(yaw); got != want {
			t.Errorf("yaw %v is %d, want %d", yaw, got, want)
		}
	}
	for _, c := range []struct {
		is, most int32
		dead     bool
		want     uint8
	}{{100, 100, false, 255}, {120, 100, false, 255}, {50, 100, false, 128}, {1, 1 << 30, false, 1}, {1<<31 - 2, 1<<31 - 1, false, 255}, {0, 100, false, 0}, {-5, 100, false, 0}, {50, 100, true, 0}, {5, 0, false, 255}, {0, 0, false, 0}} {
		a := sim.ActorState{Health: c.is, HealthMax: c.most}
		if c.dead {
			a.Flags = sim.FlagDead
		}
		if got := healthByte(&a); got != c.want {
			t.Errorf("%d of %d is %d, want %d", c.is, c.most, got, c.want)
		}
	}
}

func FuzzParseLive(f *testing.F) {
	for name := range vectors {
		f.Add(vector(f, name))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		got, err := ParseLive(b, nil)
		if err != nil {
			return
		}
		if again := got.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}
