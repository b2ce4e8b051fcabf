package rsscene

import (
	"bytes"
	"errors"
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/proto/rs"
)

// The decoded state of a client matches the world in every scene and revision, also with missed cycles and reconnects.
func TestDecodedClientStateMatchesScene(t *testing.T) {
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
				checkRun(t, c, 60)
			})
		}
	}
}

// In 1000 cycles (ten minutes) player indices are reused many times, and the history of the encoder's scene wraps around
// several times.
func TestDecodedClientStateMatchesSceneFor1000Cycles(t *testing.T) {
	cycles := 1000
	if race.Enabled {
		cycles = 200
	}
	for _, p := range rs.Profiles() {
		t.Run(p.Name, func(t *testing.T) {
			checkRun(t, Config{Profile: p, Scene: "chaos", Players: 75, Viewers: 3, Seed: 7, Lag: true, Reconnect: true}, cycles)
		})
	}
}

// checkRun simulates a scene and applies every packet to a client.
func checkRun(t *testing.T, c Config, cycles int) {
	t.Helper()
	run, err := New(c)
	if err != nil {
		t.Fatal(err)
	}
	clients := make([]*rs.PlayerInfoDecoder, len(run.Viewers))
	for k, v := range run.Viewers {
		if clients[k], err = rs.NewPlayerInfoDecoder(c.Profile, v.Self, v.Placement); err != nil {
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
			checkPersistent(t, run.World, v, clients[k])
		}
	}
}

// checkPersistent compares the persistent info of local players.
func checkPersistent(t *testing.T, w *World, v *Viewer, c *rs.PlayerInfoDecoder) {
	t.Helper()
	for i := range c.Locals() {
		p := &w.Players[i]
		if s := v.Stats(); s.PendingAdds+s.DroppedInfo > 0 {
			t.Fatalf("cycle %d, viewer %d: %+v", w.Cycle, v.Self, s)
		}
		if got, want := c.Appearance(i), p.Persistent.Appearance; !bytes.Equal(got, want) {
			t.Fatalf("cycle %d, viewer %d: index %d has appearance %x, want %x", w.Cycle, v.Self, i, got, want)
		}
		want := rs.PlayerState{Speed: p.Persistent.Speed, Target: p.Persistent.Target, PIcon: p.Persistent.PIcon, Clanmate: p.Persistent.Clanmate}
		if got := c.State(i); got != want {
			t.Fatalf("cycle %d, viewer %d: index %d has state %+v, want %+v", w.Cycle, v.Self, i, got, want)
		}
		checkTransient(t, w, c, i)
	}
}

// checkTransient compares the extended info of this cycle, in the encoding of the revision.
func checkTransient(t *testing.T, w *World, c *rs.PlayerInfoDecoder, i rs.Index) {
	t.Helper()
	said := &w.Players[i].Current
	var in rs.Info
	c.Info(i, &in)
	for _, k := range w.profile.BlockOrder() {
		if !said.Has.Has(k) {
			continue
		}
		want := w.profile.AppendBlock(nil, k, said)
		if got := w.profile.AppendBlock(nil, k, &in); !in.Has.Has(k) || !bytes.Equal(got, want) {
			t.Fatalf("cycle %d, viewer %d, index %d: %v is %x, want %x", w.Cycle, c.Self(), i, k, got, want)
		}
	}
}

// In the scene chaos, as many players are added as removed. In all other scenes, no player is removed.
func TestNumberOfPlayersInSceneStaysNearMaximum(t *testing.T) {
	for _, scene := range SceneNames() {
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
			if run.World.Players[i].Present {
				there++
			}
		}
		if there < 900 || there > 1000 {
			t.Errorf("%s: %d of 1000 players present after 150 cycles", scene, there)
		}
	}
}

func TestRSSceneRunsWithEqualConfigsAreEqual(t *testing.T) {
	for _, scene := range SceneNames() {
		c := Config{Profile: rs.Profile667, Scene: scene, Players: 80, Viewers: 2, Seed: 5, Lag: true, Reconnect: true}
		if a, b := writeRun(t, c, 40), writeRun(t, c, 40); !bytes.Equal(a, b) {
			t.Errorf("%s: two runs differ", scene)
		}
		other := c
		other.Seed++
		if a, b := writeRun(t, c, 40), writeRun(t, other, 40); bytes.Equal(a, b) {
			t.Errorf("%s: runs of different seeds are equal", scene)
		}
	}
}

func writeRun(t *testing.T, c Config, cycles int) []byte {
	t.Helper()
	var b bytes.Buffer
	if err := WriteRun(&b, c, cycles); err != nil {
		t.Fatal(err)
	}
	return b.Bytes()
}

func TestNewRefusesInvalidSceneConfigs(t *testing.T) {
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
