package webscene

import (
	"bytes"
	"math"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/crowd"
)

// The bytes per actor and tick of each scene stay within limits that are slightly above the figures in docs/benchmarks/web.md.
func TestSnapshotBytesPerActorStayWithinLimitOfEachScene(t *testing.T) {
	for name, limit := range map[string][2]float64{"vale": {0.62, 0.97}, "wander": {0.79, 1.22}, "asteroids": {0.56, 1.02}, "stinkysteak": {2.1, 2.7}, "stinkysteak-yaw": {1.6, 1.98}} {
		scene, _ := crowd.Named(name)
		for i, c := range []Config{{Scene: scene, Seed: 77, Ticks: 400}, {Scene: scene, Seed: 77, Ticks: 400, RoundTrip: 100 * time.Millisecond, Loss: 0.05}} {
			f, err := Measure(c)
			if err != nil {
				t.Fatal(err)
			}
			// Each snapshot that arrives is acknowledged by 12 bytes and their headers.
			if want := (1 - c.Loss) * f.Rate * (12 + HeadersUp) * 8 / 1000; math.Abs(f.AckRate/want-1) > 0.05 {
				t.Errorf("%s at %v and %v: acknowledgements take %v kbit/s, want about %v", name, c.RoundTrip, c.Loss, f.AckRate, want)
			}
			if f.PerActor > limit[i] || f.PerActor < 0.3 || f.Snapshots != 400 {
				t.Errorf("%s at %v and %v: %+v, want at most %v bytes", name, c.RoundTrip, c.Loss, f, limit[i])
			}
		}
	}
}

// A client of vale receives 20 snapshots a second and sends 20 acknowledgements and 20 inputs, one of wander 60 and 60 and 20. The server
// adds 0.57 packets of QUIC with 52 bytes for each packet of the client, the client one packet with 56 bytes for each snapshot of vale and
// for every second one of wander. Of the client's own packets, acknowledgements have 12 + 56 and inputs 83 + 56 bytes.
func TestNetworkInterfaceBytesIncludeInputsAndQUICOverhead(t *testing.T) {
	for name, want := range map[string]struct{ down, up float64 }{
		"vale":   {40 * 0.57 * 52 / (225 * 20), 8 * (20*68 + 20*139 + 20*56) / 1000.0},
		"wander": {80 * 0.57 * 52 / (100 * 60), 8 * (60*68 + 20*139 + 30*56) / 1000.0},
	} {
		scene, _ := crowd.Named(name)
		f, err := Measure(Config{Scene: scene, Seed: 77, Ticks: 400})
		if err != nil {
			t.Fatal(err)
		}
		if down := f.Interface - f.PerActor; math.Abs(down/want.down-1) > 0.01 || math.Abs(f.UpRate/want.up-1) > 0.01 {
			t.Errorf("%s: QUIC alone takes %v bytes an actor and tick, the client sends %v kbit/s, want %v and %v", name, down, f.UpRate, want.down, want.up)
		}
		if perActor := f.DownRate * 1000 / 8 / (f.Rate * float64(f.Actors)); math.Abs(perActor/f.Interface-1) > 1e-9 {
			t.Errorf("%s: %v kbit/s are %v bytes an actor and tick, want %v", name, f.DownRate, perActor, f.Interface)
		}
		// The time of a tick contains the time for acknowledgements in addition to that for encoding.
		if encoding := f.Encoding * 1e-9 * f.Rate * float64(f.Actors); f.CPU <= encoding || f.CPU > 1 || f.TickP99 <= 0 {
			t.Errorf("%s: %v of a core, %v of it for encoding; 99 %% of the ticks within %v us", name, f.CPU, encoding, f.TickP99)
		}
	}
}

// The parts of a Split sum up to the bytes of the run, and measuring them does not change the bytes that are sent.
func TestSizesOfSnapshotPartsSumUpToTotalBytesPerActor(t *testing.T) {
	for _, name := range []string{"vale", "stinkysteak"} {
		scene, _ := crowd.Named(name)
		c := Config{Scene: scene, Seed: 77, Ticks: 200, RoundTrip: 100 * time.Millisecond, Loss: 0.05}
		plain, err := Measure(c)
		if err != nil {
			t.Fatal(err)
		}
		f, err := MeasureSplit(c)
		if err != nil {
			t.Fatal(err)
		}
		s := f.Split
		sum := s.HeaderBytes + s.ListBytes
		for _, field := range s.Fields {
			sum += field.Bytes
		}
		if f.PerActor != plain.PerActor || math.Abs(sum-f.PerActor) > 1e-6 {
			t.Errorf("%s: %v bytes in parts, %v in all, %v without measuring", name, sum, f.PerActor, plain.PerActor)
		}
		if len(s.Fields) < 5 || s.Fields[0].Name != "x" || s.Fields[0].Bytes <= 0 || s.SentShare <= 0 || s.SentShare > 1 || s.BaselineAge < 2 || s.BaselineAge > 20 {
			t.Errorf("%s: %+v", name, s)
		}
	}
}

func TestWebScenesWithEqualSeedsGiveEqualTestVectors(t *testing.T) {
	scene, _ := crowd.Named("wander")
	run := func(seed uint64) string {
		var b bytes.Buffer
		if err := WriteLines(&b, Config{Scene: scene, Seed: seed, Ticks: 50, RoundTrip: 50 * time.Millisecond, Loss: 0.1}); err != nil {
			t.Fatal(err)
		}
		return b.String()
	}
	if a := run(1); a != run(1) || a == run(2) {
		t.Error("the lines do not depend on the seed alone")
	}
}

func TestWebSceneConfigOutOfRangeIsRefused(t *testing.T) {
	scene, _ := crowd.Named("wander")
	for _, c := range []Config{{Scene: scene}, {Scene: scene, Ticks: 1, Loss: 0.95}, {Scene: scene, Ticks: 1, RoundTrip: time.Minute}, {Scene: scene, Ticks: MaxTicks + 1}} {
		if _, err := Measure(c); err == nil {
			t.Errorf("%+v was accepted", c)
		}
	}
}
