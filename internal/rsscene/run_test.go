package rsscene

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/proto/rs"
)

// A client that reads the packets knows what is true in the world: in every scene and revision, also if it misses
// cycles and reconnects.
func TestClientsKnowTheTruth(t *testing.T) {
	for _, p := range rs.Profiles() {
		for _, c := range []Config{
			{Scene: "crowd", Players: 2047, Viewers: 1},
			{Scene: "walkers", Players: 700, Viewers: 2},
			{Scene: "chaos", Players: 150, Viewers: 4},
			{Scene: "chaos", Players: 150, Viewers: 4, Lag: true, Reconnect: true},
			{Scene: "chaos", Players: 1, Viewers: 1},
		} {
			c.Profile, c.Seed = p, 1
			name := fmt.Sprintf("%s/%s/players=%d,lag=%v", p.Name, c.Scene, c.Players, c.Lag)
			t.Run(name, func(t *testing.T) {
				follow(t, c, 60)
			})
		}
	}
}

// In ten minutes of play indices change hands again and again, and what an encoder keeps of the last cycles is overwritten
// many times.
func TestClientsKnowTheTruthForAThousandCycles(t *testing.T) {
	for _, p := range rs.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			follow(t, Config{Profile: p, Scene: "chaos", Players: 75, Viewers: 3, Seed: 7, Lag: true, Reconnect: true}, 1000)
		})
	}
}

// follow plays a scene and reads every packet with a client.
func follow(t *testing.T, c Config, cycles int) {
	t.Helper()
	run, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	clients := make([]*rs.Client, len(run.Viewers))
	for k, v := range run.Viewers {
		if clients[k], err = rs.NewClient(c.Profile, v.Self, v.Placement); err != nil {
			t.Fatal(err)
		}
	}
	for range cycles {
		if err := run.Step(); err != nil {
			t.Fatal(err)
		}
		for k, v := range run.Viewers {
			if v.Placement != nil {
				if err := clients[k].Reconnect(v.Placement); err != nil {
					t.Fatal(err)
				}
			}
			if v.Packet == nil {
				continue
			}
			if err := clients[k].Apply(v.Packet); err != nil {
				t.Fatalf("cycle %d, viewer %d: %v in %x", run.World.Cycle, v.Self, err, v.Packet)
			}
			if err := Compare(clients[k], v.Truth()); err != nil {
				t.Fatalf("cycle %d, viewer %d: %v", run.World.Cycle, v.Self, err)
			}
			checkLasting(t, run.World, v, clients[k])
		}
	}
}

// checkLasting compares what a client remembers of the players that it sees.
func checkLasting(t *testing.T, w *World, v *Viewer, c *rs.Client) {
	t.Helper()
	for i := range c.Locals() {
		p := &w.Players[i]
		if s := v.Stats(); s.PendingAdds+s.DroppedInfo > 0 {
			t.Fatalf("cycle %d, viewer %d: %+v", w.Cycle, v.Self, s)
		}
		if got, want := c.Appearance(i), p.Lasting.Appearance; !bytes.Equal(got, want) {
			t.Fatalf("cycle %d, viewer %d: index %d looks like %x, not %x", w.Cycle, v.Self, i, got, want)
		}
		want := rs.State{Speed: p.Lasting.Speed, Target: p.Lasting.Target, PIcon: p.Lasting.PIcon, Clanmate: p.Lasting.Clanmate}
		if got := c.State(i); got != want {
			t.Fatalf("cycle %d, viewer %d: index %d remembered as %+v, not %+v", w.Cycle, v.Self, i, got, want)
		}
		checkSaid(t, w, c, i)
	}
}

// checkSaid compares what was said of a player in the cycle, in the bytes of the revision.
func checkSaid(t *testing.T, w *World, c *rs.Client, i rs.Index) {
	t.Helper()
	said := &w.Players[i].Said
	var in rs.Info
	c.Info(i, &in)
	for _, k := range w.profile.Order() {
		if !said.Has.Has(k) {
			continue
		}
		want := w.profile.AppendBlock(nil, k, said)
		if got := w.profile.AppendBlock(nil, k, &in); !in.Has.Has(k) || !bytes.Equal(got, want) {
			t.Fatalf("cycle %d, viewer %d, index %d: %v is %x, not %x", w.Cycle, c.Self(), i, k, got, want)
		}
	}
}

// Players leave a chaos all the time; as many come.
func TestScenesKeepTheirSize(t *testing.T) {
	for _, scene := range Scenes() {
		run, err := New(Config{Profile: rs.Profile667, Scene: scene, Players: 1000, Viewers: 1, Seed: 3})
		if err != nil {
			t.Fatal(err)
		}
		for range 150 {
			if err := run.Step(); err != nil {
				t.Fatal(err)
			}
		}
		there := 0
		for i := range run.World.Players {
			if run.World.Players[i].There {
				there++
			}
		}
		if there < 900 || there > 1000 {
			t.Errorf("%s: %d of 1000 are there after 150 cycles", scene, there)
		}
	}
}

func TestEqualConfigurationsGiveEqualRuns(t *testing.T) {
	for _, scene := range Scenes() {
		c := Config{Profile: rs.Profile667, Scene: scene, Players: 80, Viewers: 2, Seed: 5, Lag: true, Reconnect: true}
		if a, b := lines(t, c, 40), lines(t, c, 40); !bytes.Equal(a, b) {
			t.Errorf("%s: two runs differ", scene)
		}
		other := c
		other.Seed++
		if a, b := lines(t, c, 40), lines(t, other, 40); bytes.Equal(a, b) {
			t.Errorf("%s: the seed makes no difference", scene)
		}
	}
}

func lines(t *testing.T, c Config, cycles int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteRun(&b, c, cycles); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestBadConfigurationsAreRefused(t *testing.T) {
	good := Config{Profile: rs.Profile667, Scene: "crowd", Players: 2, Viewers: 2}
	if _, err := New(good); err != nil {
		t.Fatal(err)
	}
	for _, spoil := range []func(c *Config){
		func(c *Config) { c.Profile = nil },
		func(c *Config) { c.Scene = "calm" },
		func(c *Config) { c.Players = 0 },
		func(c *Config) { c.Players = rs.MaxIndex + 1 },
		func(c *Config) { c.Viewers = 0 },
		func(c *Config) { c.Viewers = 3 },
	} {
		c := good
		spoil(&c)
		if _, err := New(c); !errors.Is(err, ErrConfig) {
			t.Errorf("%+v: %v", c, err)
		}
	}
}
