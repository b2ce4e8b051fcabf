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

// Both protocol versions send the packets of the login in the order that docs/wire/bedrock.md specifies in its sections "the
// way to the world" and "after StartGame".
func TestLoginPacketsAreSentInDocumentedOrder(t *testing.T) {
	t.Parallel()
	want := []string{
		"NetworkSettings", "ServerToClientHandshake", "PlayStatus", "ResourcePacksInfo", "ResourcePackStack",
		"StartGame", "ItemRegistry", "AvailableActorIdentifiers", "BiomeDefinitionList", "CreativeContent", "ChunkRadiusUpdated", "SetTime",
		"UpdateAbilities", "UpdateAttributes", "SetActorData", "PlayerList", "NetworkChunkPublisherUpdate",
		"LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk", "LevelChunk",
		"PlayStatus",
	}
	for _, v := range proto.Versions() {
		t.Run(v.GameVersion(), func(t *testing.T) {
			withServer(t, twoFields(), Options{}, func(srv *testServer) {
				c := srv.connect("ann")
				c.version, c.manual = v, false
				c.join()
				if got := c.received[:min(len(c.received), len(want))]; !slices.Equal(got, want) {
					t.Errorf("received packets %v", got)
				}
				status := packetsOf[proto.PlayStatus](c)
				if len(status) != 2 || status[0].Status != proto.StatusLoginOK || status[1].Status != proto.StatusSpawn {
					t.Errorf("PlayStatus %v", status)
				}
				for _, p := range packetsOf[proto.UpdateAttributes](c) {
					want := []string{proto.AttributeMovement, proto.AttributeUnderwaterMovement, proto.AttributeLavaMovement, proto.AttributeHealth, proto.AttributeHunger}
					if p.Tick != 0 || !slices.Equal(attributeNames(p), want) {
						t.Errorf("before the first input: %+v", p)
					}
				}
				s := c.start
				if s.Runtime == 0 || int64(s.Runtime) != s.Unique || s.RewindHistory != 40 || s.Position != (proto.Vec3{25, 65.62, -1}) {
					t.Errorf("StartGame with ids %d and %d, history %d, at %v", s.Runtime, s.Unique, s.RewindHistory, s.Position)
				}
				srv.advance(3 * time.Second)
				if n := countOf[proto.LevelChunk](c); n != countWithin[startRadius] {
					t.Errorf("%d chunks, want %d", n, countWithin[startRadius])
				}
			})
		})
	}
}

// Rule BA-2 of docs/wire/bedrock.md: the first two packets have no compression byte, because the client does not expect
// one.
func TestNetworkSettingsPacketMatchesSpecification(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		c := srv.connect("ann")
		c.sendHello()
		srv.advance(100 * time.Millisecond)
		want := proto.NetworkSettings{Threshold: 256, Algorithm: proto.AlgorithmDeflate}
		if got := c.takePackets(); len(got) != 1 || got[0] != want {
			t.Errorf("received %v", got)
		}
	})
}

func TestUnsupportedVersionsAreRefusedWithPlayStatus(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		for v, want := range map[proto.Version]proto.PlayStatusCode{
			-1: proto.StatusClientTooOld, 0: proto.StatusClientTooOld, 1001: proto.StatusClientTooOld, 2168: proto.StatusClientTooOld,
			2170: proto.StatusServerTooOld, 2192: proto.StatusServerTooOld, 2194: proto.StatusServerTooOld, 1<<31 - 1: proto.StatusServerTooOld,
		} {
			c := srv.connect("ann")
			c.send(proto.RequestNetworkSettings{Protocol: v})
			c.waitDisconnect()
			if got := c.takePackets(); len(got) != 1 || got[0] != (proto.PlayStatus{Status: want}) {
				t.Errorf("version %d: %v", v, got)
			}
		}
		if n := srv.faults("version"); n != 8 {
			t.Errorf("counted %d faults", n)
		}
		c := srv.connect("ann")
		c.sendHello()
		srv.advance(50 * time.Millisecond)
		c.send(proto.Login{Protocol: proto.V2193, Request: c.loginRequest()})
		if text := c.waitDisconnect(); text == "" {
			t.Error("a login with another version got no text")
		}
	})
}

func TestLoginToFullServerIsRefusedWithReason(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{MaxPlayers: 1}, func(srv *testServer) {
		late := srv.connect("late") // this client receives the network settings before the server is full
		late.sendHello()
		srv.advance(50 * time.Millisecond)
		a := srv.join("ann")
		b := srv.newPlayer(bot.Options{Name: "bob"})
		srv.waitFor("bob to be disconnected", func() bool { return b.closed })
		if b.err == nil || !strings.Contains(b.err.Error(), "full") {
			t.Errorf("bob received %v", b.err)
		}
		late.manual = false
		late.send(proto.Login{Protocol: late.version, Request: late.loginRequest()})
		late.waitDisconnect()
		if s := packetsOf[proto.PlayStatus](late); len(s) != 1 || s[0].Status != proto.StatusServerFull {
			t.Errorf("late received %v", s)
		}
		a.close()
		srv.advance(time.Second)
		srv.joinPlayer("carl")
	})
}

// Rule LO-2 of docs/wire/bedrock.md: each stage of the login has a timeout, and a client in the world that sends no
// input times out, too.
func TestEachLoginStageTimesOut(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name  string
		limit time.Duration
		goes  func(c *client)
	}{
		{"to RequestNetworkSettings", 5 * time.Second, func(c *client) {}},
		{"to Login", 10 * time.Second, func(c *client) { c.sendHello() }},
		{"to the handshake", 10 * time.Second, func(c *client) {
			c.sendHello()
			c.srv.advance(50 * time.Millisecond)
			c.send(proto.Login{Protocol: c.version, Request: c.loginRequest()})
		}},
		{"to the packs", 60 * time.Second, func(c *client) { c.loginUntil("ResourcePacksInfo") }},
		{"to SetLocalPlayerAsInitialized", 60 * time.Second, func(c *client) {
			c.manual, c.noInitialized = false, true
			c.sendHello()
			c.srv.waitFor("spawn status", func() bool { return c.hasReceived("LevelChunk") })
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			withServer(t, twoFields(), Options{}, func(srv *testServer) {
				x := srv.connect("ann")
				c.goes(x)
				srv.advance(c.limit - 300*time.Millisecond)
				if x.closed {
					t.Fatal("closed too early")
				}
				srv.advance(800 * time.Millisecond)
				if !x.closed || !strings.Contains(x.disconnectText(), "too long") {
					t.Errorf("closed: %v, text %q", x.closed, x.disconnectText())
				}
				if n := srv.faults("slow_handshake"); n != 1 {
					t.Errorf("counted %d faults", n)
				}
				if s := srv.hub.Stats(); s.Online != 0 {
					t.Errorf("%d accounts are in the world", s.Online)
				}
			})
		})
	}
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		x := srv.join("ann") // ann's player is in the world, but its client sends no input
		srv.advance(59 * time.Second)
		if x.closed {
			t.Fatalf("closed too early: %q", x.disconnectText())
		}
		srv.advance(2 * time.Second)
		if !x.closed || !strings.Contains(x.disconnectText(), "no movement") || srv.faults("no_input") != 1 {
			t.Errorf("closed: %v, text %q", x.closed, x.disconnectText())
		}
	})
}

// loginUntil sends the login sequence packet by packet until the named packet has been received.
func (c *client) loginUntil(name string) {
	c.srv.t.Helper()
	c.sendHello()
	c.srv.waitFor("NetworkSettings", func() bool { return c.packed })
	c.send(proto.Login{Protocol: c.version, Request: c.loginRequest()})
	c.srv.waitFor("the handshake", func() bool { return c.sealer != nil })
	if name == "ServerToClientHandshake" {
		return
	}
	c.send(proto.ClientToServerHandshake{})
	c.srv.waitFor("ResourcePacksInfo", func() bool { return c.hasReceived("ResourcePacksInfo") })
	if name == "ResourcePacksInfo" {
		return
	}
	c.send(proto.ResourcePackClientResponse{Status: proto.PacksCompleted})
	c.srv.waitFor(name, func() bool { return c.hasReceived(name) })
}

// Rules LO-1, LO-4 and LO-5 of docs/wire/bedrock.md: a client spawns even if it reports completed packs early (before the
// pack stack) or twice, requests a chunk radius early, late or never, or sends no cache status.
func TestClientSpawnsWithoutSendingChunkRadiusOrCacheStatus(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{Radius: 3}, func(srv *testServer) {
		for name, talk := range map[string]func(c *client){
			"empty":  func(c *client) {},
			"cache":  func(c *client) { c.send(proto.ClientCacheStatus{Enabled: true}) },
			"radius": func(c *client) { c.send(proto.RequestChunkRadius{Radius: 2, Max: 2}) },
		} {
			c := srv.connect(name)
			c.loginUntil("ResourcePacksInfo")
			talk(c)
			c.send(proto.ResourcePackClientResponse{Status: proto.PacksCompleted}, proto.ResourcePackClientResponse{Status: proto.PacksCompleted})
			talk(c)
			srv.waitFor("spawn status", func() bool { return len(packetsOf[proto.PlayStatus](c)) == 2 })
			want := int32(3)
			if name == "radius" {
				want = 2
			}
			if got := packetsOf[proto.ChunkRadiusUpdated](c); len(got) != 1 || got[0].Radius != want {
				t.Errorf("%s: radius %v, want one of %d", name, got, want)
			}
			for wish, want := range map[int32]int32{-5: 1, 0: 1, 1: 1, 2: 2, 3: 3, 4: 3, 1 << 30: 3} {
				c.takePackets()
				c.send(proto.RequestChunkRadius{Radius: wish, Max: 32})
				srv.advance(50 * time.Millisecond)
				if got := packetsOf[proto.ChunkRadiusUpdated](c); len(got) != 1 || got[0].Radius != want {
					t.Errorf("%s: request for radius %d was answered %v", name, wish, got)
				}
			}
			c.close()
		}
	})
}

func TestClientThatRefusesResourcePacksIsDisconnected(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		c := srv.connect("ann")
		c.loginUntil("ResourcePacksInfo")
		c.send(proto.ResourcePackClientResponse{Status: proto.PacksRefused})
		c.waitDisconnect()
	})
}

// Clients that do not support RakNet cookies can join only if the option NoCookies is set.
func TestClientWithoutRakNetCookiesJoinsOnlyIfCookiesAreOff(t *testing.T) {
	t.Parallel()
	enters := func(srv *testServer) bool {
		c := srv.newClient("ann")
		srv.served = srv.served[:0]
		c.connection = srv.dial(raknet.ClientConfig{ImitateJSPRakNet: true})
		c.connection.onMessage = c.readBatch
		srv.advance(2 * time.Second)
		if !c.connected {
			return false
		}
		c.join()
		return true
	}
	withServer(t, twoFields(), Options{NoCookies: true}, func(srv *testServer) {
		if !enters(srv) {
			t.Error("the client could not connect")
		}
	})
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		if enters(srv) {
			t.Error("a client without cookies connected")
		}
	})
}
