package rs

import (
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/content"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

// Original specification, flag-based updating: the first packet after a login has the player's own appearance and no movement.
func TestFirstPlayerInfoPacketContainsAppearanceOfOwnPlayer(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		c := srv.startLogin("Ada", "secret", false)
		c.startRecording()
		srv.advanceCycles(2)
		c.checkNoError()
		first := c.updatesOf(c.self)
		if len(first) == 0 || first[0].cycle != 1 || first[0].change.Kind != proto.ChangeBlock || !first[0].info.Has.Has(proto.KindAppearance) {
			t.Fatalf("%+v", first)
		}
		look, err := proto.Profile667.ParseAppearance(first[0].info.Appearance)
		if err != nil || string(look.Name) != "Ada" || look.NPC != nil || look.Bas != 1426 {
			t.Errorf("%+v, %v", look, err)
		}
		if got := c.opcodes[:2]; !slices.Equal(got, []proto.Opcode{proto.ServerRebuildNormal, proto.ServerIfOpenTop}) {
			t.Errorf("the login is followed by %v", got)
		}
	})
}

func TestGreetingIsSentAfterLogin(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		c := srv.join("Ada")
		if want := srv.world.Def().NewCharacters.Greeting; !slices.Contains(c.linesRead(), want) {
			t.Errorf("read %q", c.linesRead())
		}
	})
}

func TestNPCsAreDisplayedWithModelsFromClientCache(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		srv.advanceCycles(60) // guards walk past the player
		for _, c := range []*client{ada, bob} {
			c.checkNoError()
			if c.indexOf("Ada") == 0 || c.indexOf("Bob") == 0 {
				t.Errorf("%s does not see both", c.name)
			}
		}
		forms := map[uint16]string{}
		ada.mu.Lock()
		defer ada.mu.Unlock()
		for i := range ada.view.Locals() {
			look, err := proto.Profile667.ParseAppearance(ada.view.Appearance(i))
			if err != nil || len(look.Name) == 0 {
				t.Errorf("%d: %+v, %v", i, look, err)
			}
			if look.NPC != nil {
				forms[look.NPC.ID] = string(look.Name)
			}
		}
		if forms[1] == "" {
			t.Errorf("no NPC form 1 (villager) in %v", forms)
		}
	})
}

func TestVillagerAndGuardAreDisplayedWithTheirModelsFromClientCache(t *testing.T) {
	w := valeWithoutNPCs()
	vale := &w.Areas[w.AreaNamed("Truestep Vale")]
	vale.Waypoints = append(vale.Waypoints, sim.Waypoint{Used: true, NextA: -1, NextB: -1, Prev: -1})
	for _, id := range []uint16{5, 7} { // templates villager and guard
		vale.Spawns = append(vale.Spawns, sim.Spawn{Template: id, Waypoint: int32(len(vale.Waypoints) - 1), Size: 20, Max: 1, PeriodMS: 1000})
	}
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		c := srv.join("Ada")
		srv.advanceCycles(5)
		c.mu.Lock()
		defer c.mu.Unlock()
		forms := map[string]uint16{}
		for i := range c.view.Locals() {
			if look, err := proto.Profile667.ParseAppearance(c.view.Appearance(i)); err == nil && look.NPC != nil {
				forms[string(look.Name)] = look.NPC.ID
			}
		}
		if len(forms) != 2 {
			t.Fatalf("%v", forms)
		}
		for name, id := range forms {
			if id != 1 && id != 9 {
				t.Errorf("%s has the NPC form %d", name, id)
			}
		}
	})
}

// moveKinds returns the kinds of a player's movements in order, without idle cycles.
func moveKinds(list []playerUpdate) (k []proto.ChangeKind) {
	for _, t := range list {
		if t.change.Kind != proto.ChangeBlock {
			k = append(k, t.change.Kind)
		}
	}
	return k
}

// Original specification, movement types: one step is sent as a walk and two as a run. If a run ends with a single step,
// that step is sent as a walk by temporary speed.
func TestMovementByOneTileIsSentAsWalkAndByTwoTilesAsRun(t *testing.T) {
	const walk, run = proto.ChangeWalk, proto.ChangeRun
	for _, c := range []struct {
		desc   string
		before func(c *client)
		way    int
		ctrl   bool
		want   []proto.ChangeKind
	}{
		{"walking", nil, 3, false, []proto.ChangeKind{walk, walk, walk}},
		{"running by command", func(c *client) { c.send(proto.ClientCheat{Command: "run"}) }, 4, false, []proto.ChangeKind{run, run}},
		{"running by the orb", func(c *client) { c.send(buttonClick(750, 1)) }, 4, false, []proto.ChangeKind{run, run}},
		{"running, and walking the last step", func(c *client) { c.send(buttonClick(261, 4)) }, 5, false, []proto.ChangeKind{run, run, walk}},
		{"running with the control key", nil, 4, true, []proto.ChangeKind{run, run}},
		{"walking with the control key", func(c *client) { c.send(buttonClick(750, 1)) }, 2, true, []proto.ChangeKind{walk, walk}},
		{"running off and on", func(c *client) {
			c.send(buttonClick(750, 1))
			c.send(proto.ClientCheat{Command: "walk"})
		}, 2, false, []proto.ChangeKind{walk, walk}},
	} {
		withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
			ada, bob := srv.join("Ada"), srv.join("Bob")
			from := ada.ownTile()
			if c.before != nil {
				c.before(ada)
			}
			ada.startRecording()
			bob.startRecording()
			ada.send(proto.MoveGameClick{X: from.X + uint16(c.way), Z: from.Z, Ctrl: c.ctrl})
			srv.advanceCycles(c.way + 2)
			for _, seen := range []struct {
				by *client
				i  proto.Index
			}{{ada, ada.self}, {bob, bob.indexOf("Ada")}} {
				seen.by.checkNoError()
				list := seen.by.updatesOf(seen.i)
				if got := moveKinds(list); !slices.Equal(got, c.want) {
					t.Errorf("%s: %s sees %v, want %v", c.desc, seen.by.name, got, c.want)
				}
				if got := seen.by.tileOf(seen.i); got.X != from.X+uint16(c.way) || got.Z != from.Z {
					t.Errorf("%s: %s sees the end at %v, from %v", c.desc, seen.by.name, got, from)
				}
				for _, m := range list {
					speed := int8(1)
					if m.change.Kind == run {
						speed = 2
					}
					if m.change.Kind != proto.ChangeBlock && m.change.Speed != speed {
						t.Errorf("%s: %s sees %v at speed %d", c.desc, seen.by.name, m.change.Kind, m.change.Speed)
					}
				}
				last := slices.Contains(c.want, run) && c.want[len(c.want)-1] == walk
				if got := lastStep(list); last != (got.info.Has.Has(proto.KindTempSpeed) && got.info.TempSpeed == 1) {
					t.Errorf("%s: the last step is %+v", c.desc, got.info)
				}
				if state := seen.by.view.State(seen.i); last && state.Speed != 2 {
					t.Errorf("%s: the remembered speed is %d", c.desc, state.Speed)
				}
			}
		})
	}
}

// lastStep returns the last movement in a list of updates. A turn may follow the movement when the player stands still.
func lastStep(list []playerUpdate) playerUpdate {
	for _, m := range slices.Backward(list) {
		if m.change.Kind != proto.ChangeBlock {
			return m
		}
	}
	return playerUpdate{}
}

func buttonClick(iface, number uint16) proto.IfButton {
	return proto.IfButton{Option: 1, Component: proto.ComponentOf(iface, number), Object: proto.None, Sub: proto.None}
}

func TestRunModeIsToggledByButtonAndCommand(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		c := srv.join("Ada")
		for i, p := range []proto.Packet{buttonClick(750, 1), buttonClick(750, 1), proto.ClientCheat{Command: "run"}, buttonClick(261, 1), proto.MessagePublicRequest{Text: "/run"}} {
			before := c.packetCount(proto.ServerVarpSmall)
			c.send(p)
			srv.advanceCycles(1)
			if got := c.packetCount(proto.ServerVarpSmall) - before; got != 1 {
				t.Errorf("click %d: %d run toggle packets, want 1", i, got)
			}
		}
	})
}

// A client shows 15 tiles around its player. When the player is 16 tiles from the edge of the map, the client is sent a new
// map, before the movement.
func TestNewMapIsSentWhenPlayerNearsMapEdge(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		c := srv.join("Ada")
		c.send(proto.ClientCheat{Command: "run"})
		srv.advanceCycles(1)
		built := 0
		base := c.base
		for range 60 {
			at := c.ownTile()
			if c.packets[proto.ServerPlayerInfo]%20 == 10 {
				c.send(proto.MoveGameClick{X: at.X, Z: at.Z + 40})
			}
			c.startRecording()
			srv.advanceCycles(1)
			at = c.ownTile()
			x, z := int(at.X)-base[0], int(at.Z)-base[1]
			due := x < mapMargin || z < mapMargin || x >= 104-mapMargin || z >= 104-mapMargin
			i := slices.Index(c.opcodes, proto.ServerRebuildNormal)
			if (i >= 0) != due {
				t.Errorf("at %d, %d of the map: new map sent: %v", x, z, i >= 0)
			}
			if due {
				built++
				if j := slices.Index(c.opcodes, proto.ServerPlayerInfo); j < i {
					t.Error("the map was sent after the movement")
				}
				if base == c.base {
					t.Error("the same map was sent again")
				}
			}
			base = c.base
		}
		c.checkNoError()
		if built == 0 || built > 4 {
			t.Errorf("%d maps on the way from %v", built, c.ownTile())
		}
	})
}

func TestClickOnUnreachableTileIsRefused(t *testing.T) {
	text := strings.Replace(string(content.DefaultTOML()), "[[area.water]]", "[[area.solid]]\nname = \"Keep\"\nfrom = [40, 0, -160]\nto = [240, 12, 160]\n\n[[area.water]]", 1)
	w, _, err := content.LoadWorld("keep.toml", []byte(text))
	if err != nil {
		t.Fatal(err)
	}
	withServer(t, w.World, Options{Register: true}, func(srv *testServer) {
		c := srv.join("Ada")
		c.startRecording()
		at := c.ownTile()
		c.send(proto.MoveGameClick{X: at.X + 20, Z: at.Z})
		srv.advanceCycles(2)
		c.checkNoError()
		if lines := c.linesRead(); !slices.Contains(lines, "I can't reach that!") || c.packetCount(proto.ServerSetMapFlag) == 0 {
			t.Errorf("read %q, the flag is cleared %d times", lines, c.packetCount(proto.ServerSetMapFlag))
		}
		if c.ownTile() != at {
			t.Errorf("went to %v", c.ownTile())
		}
	})
}

func TestFaceSquarePacketTurnsPlayer(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		at := ada.ownTile()
		bob.startRecording()
		for _, c := range []struct {
			dx, dz int
			want   uint16
		}{{-5, 0, 4096}, {0, 5, 8192}, {5, 0, 12288}, {0, -5, 0}, {5, 5, 10240}} {
			ada.send(proto.FaceSquare{X: uint16(int(at.X) + c.dx), Z: uint16(int(at.Z) + c.dz)})
			srv.advanceCycles(1)
			list := bob.updatesOf(bob.indexOf("Ada"))
			if len(list) == 0 || !list[len(list)-1].info.Has.Has(proto.KindTurn) || list[len(list)-1].info.Turn != c.want {
				t.Errorf("toward %d, %d: %+v, want %d", c.dx, c.dz, list, c.want)
			}
		}
	})
}

func TestClientIsSentNewInterfaceOnlyWhenItsWindowModeChanges(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		c := srv.join("Ada")
		was := c.packetCount(proto.ServerIfOpenTop)
		for _, s := range []struct {
			mode uint8
			want int
		}{{proto.WindowFixed, 1}, {proto.WindowFixed, 1}, {proto.WindowResizable, 2}} {
			c.send(proto.WindowStatus{Mode: s.mode, Width: 800, Height: 600})
			srv.advanceCycles(1)
			if got := c.packetCount(proto.ServerIfOpenTop) - was; got != s.want {
				t.Errorf("mode %d: %d interfaces, want %d", s.mode, got, s.want)
			}
		}
	})
}

func TestLogoutIsSentBeforeConnectionCloses(t *testing.T) {
	for _, c := range []struct {
		desc string
		p    proto.Packet
	}{
		{"by command", proto.ClientCheat{Command: "Logout"}},
		{"by the button to the login screen", buttonClick(182, 13)},
		{"by the button to the lobby", buttonClick(182, 6)},
	} {
		withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
			ada, bob := srv.join("Ada"), srv.join("Bob")
			ada.send(c.p)
			srv.advanceCycles(2)
			if ada.packetCount(proto.ServerLogoutFull) != 1 || !ada.isClosed() {
				t.Errorf("%s: %d packets, ended %v", c.desc, ada.packetCount(proto.ServerLogoutFull), ada.isClosed())
			}
			ada.checkNoError()
			if bob.indexOf("Ada") != 0 {
				t.Errorf("%s: Bob still sees Ada", c.desc)
			}
			bob.checkNoError()
			if again := srv.join("Ada"); again.ownTile() == (proto.Tile{}) {
				t.Errorf("%s: Ada cannot log in again", c.desc)
			}
		})
	}
}

func TestClientsAreLoggedOutWhenServerStops(t *testing.T) {
	var all []*client
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		all = append(all, srv.join("Ada"), srv.join("Bob"))
	})
	for _, c := range all {
		if c.packetCount(proto.ServerLogoutFull) != 1 || !c.isClosed() {
			t.Errorf("%s: %d packets, ended %v", c.name, c.packetCount(proto.ServerLogoutFull), c.isClosed())
		}
	}
}

func TestPlayerLogsInAndWalks(t *testing.T) {
	withServer(t, nil, Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		from := ada.ownTile()
		ada.send(proto.MoveGameClick{X: from.X + 3, Z: from.Z})
		srv.advanceCycles(5)
		if got := ada.ownTile(); got.X != from.X+3 || got.Z != from.Z {
			t.Errorf("from %v to %v", from, got)
		}
		if err := ada.firstError(); err != nil {
			t.Error(err)
		}
		t.Log(ada.packets, ada.base)
	})
}
