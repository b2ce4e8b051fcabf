package bedrock

import (
	"slices"
	"strings"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
)

// Source: docs/wire/bedrock.md, the way to the world and what follows StartGame. Both versions, in this order.
func TestTheWayIntoTheWorld(t *testing.T) {
	t.Parallel()
	want := []string{
		"NetworkSettings", "ServerToClientHandshake", "PlayStatus", "ResourcePacksInfo", "ResourcePackStack",
		"StartGame", "ItemRegistry", "AvailableActorIdentifiers", "BiomeDefinitionList", "CreativeContent", "ChunkRadiusUpdated", "SetTime",
		"UpdateAbilities", "UpdateAttributes", "SetActorData", "PlayerList", "NetworkChunkPublisherUpdate",
		"LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk",
		"PlayStatus",
	}
	for _, v := range proto.Versions() {
		t.Run(v.Game(), func(t *testing.T) {
			bubble(t, twoFields(), Options{}, func(r *rig) {
				c := r.stranger("ann")
				c.version, c.manual = v, false
				c.enter()
				if got := c.order[:min(len(c.order), len(want))]; !slices.Equal(got, want) {
					t.Errorf("it got %v", got)
				}
				status := each[proto.PlayStatus](c)
				if len(status) != 2 || status[0].Status != proto.StatusLoginOK || status[1].Status != proto.StatusSpawn {
					t.Errorf("PlayStatus %v", status)
				}
				for _, p := range each[proto.UpdateAttributes](c) {
					if p.Tick != 0 || len(p.Attributes) != 3 {
						t.Errorf("before the first input: %+v", p)
					}
				}
				s := c.self
				if s.Runtime == 0 || int64(s.Runtime) != s.Unique || s.RewindHistory != 40 || s.Position != (proto.Vec3{25, 65.62, -1}) {
					t.Errorf("StartGame with ids %d and %d, history %d, at %v", s.Runtime, s.Unique, s.RewindHistory, s.Position)
				}
				r.run(3 * time.Second)
				if n := count[proto.LevelChunk](c); n != within[startRadius] {
					t.Errorf("%d columns, want %d", n, within[startRadius])
				}
			})
		})
	}
}

// BA-2, and the first two packets have no compressor byte, which the client would fail to read.
func TestBA2SettingsAreThoseOfTheDocument(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		c := r.stranger("ann")
		c.hello()
		r.run(100 * time.Millisecond)
		want := proto.NetworkSettings{Threshold: 256, Algorithm: proto.AlgorithmDeflate}
		if got := c.take(); len(got) != 1 || got[0] != want {
			t.Errorf("got %v", got)
		}
	})
}

func TestLO3OtherVersionsAreToldWhoIsTooOld(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		for v, want := range map[proto.Version]proto.PlayStatusCode{
			-1: proto.StatusClientTooOld, 0: proto.StatusClientTooOld, 1001: proto.StatusClientTooOld, 2168: proto.StatusClientTooOld,
			2170: proto.StatusServerTooOld, 2192: proto.StatusServerTooOld, 2194: proto.StatusServerTooOld, 1<<31 - 1: proto.StatusServerTooOld,
		} {
			c := r.stranger("ann")
			c.send(proto.RequestNetworkSettings{Protocol: v})
			c.sentAway()
			if got := c.take(); len(got) != 1 || got[0] != (proto.PlayStatus{Status: want}) {
				t.Errorf("version %d: %v", v, got)
			}
		}
		if n := r.bad("version"); n != 8 {
			t.Errorf("%d counted", n)
		}
		c := r.stranger("ann")
		c.hello()
		r.run(50 * time.Millisecond)
		c.send(proto.Login{Protocol: proto.V2193, Request: c.request()})
		if text := c.sentAway(); text == "" {
			t.Error("another version in Login got in without a word")
		}
	})
}

func TestAFullServerSaysSo(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{MaxPlayers: 1}, func(r *rig) {
		late := r.stranger("late") // has its settings before the server is full
		late.hello()
		r.run(50 * time.Millisecond)
		a := r.enters("ann")
		b := r.newcomer(bot.Options{Name: "bob"})
		r.until("bob to be sent away", func() bool { return b.gone })
		if b.err == nil || !strings.Contains(b.err.Error(), "full") {
			t.Errorf("bob was told %v", b.err)
		}
		late.manual = false
		late.send(proto.Login{Protocol: late.version, Request: late.request()})
		late.sentAway()
		if s := each[proto.PlayStatus](late); len(s) != 1 || s[0].Status != proto.StatusServerFull {
			t.Errorf("late was told %v", s)
		}
		a.hangUp()
		r.run(time.Second)
		r.player("carl")
	})
}

// LO-2, and who is in the world and never moves.
func TestLO2EachStageHasItsTime(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		limit time.Duration
		goes  func(c *client)
	}{
		{"to RequestNetworkSettings", 5 * time.Second, func(c *client) {}},
		{"to Login", 10 * time.Second, func(c *client) { c.hello() }},
		{"to the handshake", 10 * time.Second, func(c *client) {
			c.hello()
			c.r.run(50 * time.Millisecond)
			c.send(proto.Login{Protocol: c.version, Request: c.request()})
		}},
		{"to the packs", 60 * time.Second, func(c *client) { c.until("ResourcePacksInfo") }},
		{"to SetLocalPlayerAsInitialized", 60 * time.Second, func(c *client) {
			c.manual, c.limp = false, true
			c.hello()
			c.r.until("the spawn", func() bool { return c.has("LevelChunk") })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			bubble(t, twoFields(), Options{}, func(r *rig) {
				x := r.stranger("ann")
				c.goes(x)
				r.run(c.limit - 300*time.Millisecond)
				if x.gone {
					t.Fatal("too early")
				}
				r.run(800 * time.Millisecond)
				if !x.gone || !strings.Contains(x.farewell(), "too long") {
					t.Errorf("gone: %v; it was told %q", x.gone, x.farewell())
				}
				if n := r.bad("slow_handshake"); n != 1 {
					t.Errorf("%d counted", n)
				}
				if s := r.hub.Stats(); s.Online != 0 {
					t.Errorf("%d accounts are in the world", s.Online)
				}
			})
		})
	}
	bubble(t, twoFields(), Options{}, func(r *rig) {
		x := r.enters("ann") // in the world, without a single input
		r.run(59 * time.Second)
		if x.gone {
			t.Fatalf("too early: %q", x.farewell())
		}
		r.run(2 * time.Second)
		if !x.gone || !strings.Contains(x.farewell(), "no movement") || r.bad("no_input") != 1 {
			t.Errorf("gone: %v; it was told %q", x.gone, x.farewell())
		}
	})
}

// until goes by hand on the way into the world until a packet of that name has come.
func (c *client) until(name string) {
	c.r.t.Helper()
	c.hello()
	c.r.until("NetworkSettings", func() bool { return c.packed })
	c.send(proto.Login{Protocol: c.version, Request: c.request()})
	c.r.until("the handshake", func() bool { return c.sealer != nil })
	if name == "ServerToClientHandshake" {
		return
	}
	c.send(proto.ClientToServerHandshake{})
	c.r.until("ResourcePacksInfo", func() bool { return c.has("ResourcePacksInfo") })
	if name == "ResourcePacksInfo" {
		return
	}
	c.send(proto.ResourcePackClientResponse{Status: proto.PacksCompleted})
	c.r.until(name, func() bool { return c.has(name) })
}

// LO-1, LO-4, LO-5: some clients say that they have applied the stack before they have seen it, twice, ask for a radius
// early, late or never, and do not speak of their cache.
func TestLO4ClientsMayHurryOrWait(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{Radius: 3}, func(r *rig) {
		for name, talk := range map[string]func(c *client){
			"nothing": func(c *client) {},
			"cache":   func(c *client) { c.send(proto.ClientCacheStatus{Enabled: true}) },
			"radius":  func(c *client) { c.send(proto.RequestChunkRadius{Radius: 2, Max: 2}) },
		} {
			c := r.stranger(name)
			c.until("ResourcePacksInfo")
			talk(c)
			c.send(proto.ResourcePackClientResponse{Status: proto.PacksCompleted}, proto.ResourcePackClientResponse{Status: proto.PacksCompleted})
			talk(c)
			r.until("the spawn", func() bool { return len(each[proto.PlayStatus](c)) == 2 })
			want := int32(3)
			if name == "radius" {
				want = 2
			}
			if got := each[proto.ChunkRadiusUpdated](c); len(got) != 1 || got[0].Radius != want {
				t.Errorf("%s: radius %v, want one of %d", name, got, want)
			}
			for wish, want := range map[int32]int32{-5: 1, 0: 1, 1: 1, 2: 2, 3: 3, 4: 3, 1 << 30: 3} {
				c.take()
				c.send(proto.RequestChunkRadius{Radius: wish, Max: 32})
				r.run(50 * time.Millisecond)
				if got := each[proto.ChunkRadiusUpdated](c); len(got) != 1 || got[0].Radius != want {
					t.Errorf("%s: a wish for %d was answered %v", name, wish, got)
				}
			}
			c.hangUp()
		}
	})
}

func TestWhoRefusesThePacksGoes(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		c := r.stranger("ann")
		c.until("ResourcePacksInfo")
		c.send(proto.ResourcePackClientResponse{Status: proto.PacksRefused})
		c.sentAway()
	})
}

// The backends that know no cookies, one of them with a window of its own.
func TestClientsWithoutCookiesGetInIfTheyMay(t *testing.T) {
	t.Parallel()
	enters := func(r *rig) bool {
		c := r.client("ann")
		r.lines = r.lines[:0]
		c.line = r.dial(raknet.ClientConfig{LikeJSP: true})
		c.line.message = c.batch
		r.run(2 * time.Second)
		if !c.up {
			return false
		}
		c.enter()
		return true
	}
	bubble(t, twoFields(), Options{NoCookies: true}, func(r *rig) {
		if !enters(r) {
			t.Error("it did not get in")
		}
	})
	bubble(t, twoFields(), Options{}, func(r *rig) {
		if enters(r) {
			t.Error("it got in without a cookie")
		}
	})
}
