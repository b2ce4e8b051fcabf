package bedrock

import (
	"fmt"
	"slices"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// samples returns one packet of each type that a client may send, sorted by packet id.
func samples(c *client) []proto.Packet {
	return []proto.Packet{
		proto.Login{Protocol: c.version, Request: c.loginRequest()},
		proto.ClientToServerHandshake{},
		proto.Disconnect{Reason: proto.DisconnectUnknown, Message: "bye"},
		proto.ResourcePackClientResponse{Status: proto.PacksDownloaded},
		proto.Text{Type: proto.TextChat, Author: c.name, Message: "hello"},
		proto.MoveActorAbsolute{Runtime: 1},
		proto.TickSync{},
		proto.ActorEvent{Runtime: 1, Event: proto.EventHurt},
		proto.InventoryTransaction{Type: proto.TransactionUseItemOnActor, UseOnActor: proto.UseItemOnActor{Target: 2, Action: proto.UseOnActorAttack}},
		proto.MobEquipment{Runtime: 1},
		proto.Interact{Action: proto.InteractOpenInventory},
		proto.PlayerAction{Runtime: 1, Action: proto.ActionRespawn},
		proto.PassengerJump{Strength: 90},
		proto.Animate{Action: proto.AnimateSwing, Runtime: 1},
		proto.Respawn{State: proto.RespawnClientReady},
		proto.ContainerClose{Window: proto.WindowNone},
		proto.PlayerInput{},
		proto.RequestChunkRadius{Radius: 4, Max: 8},
		proto.CommandRequest{Line: "/who", Version: "latest"},
		proto.SetLocalPlayerAsInitialized{Runtime: 1},
		proto.NetworkStackLatency{Timestamp: 1},
		proto.ClientCacheStatus{},
		proto.PlayerAuthInput{Tick: 1, Position: proto.Vec3{25, 65.62, -1}},
		proto.PacketViolationWarning{Packet: 11, Context: "x"},
		proto.RequestNetworkSettings{Protocol: c.version},
		proto.ClientMovementPredictionSync{},
	}
}

// The function samples returns a packet of every type that a client may send.
func TestSamplePacketExistsForEveryTypeOfClientPacket(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		sampled := map[proto.ID]bool{}
		for _, p := range samples(srv.newClient("ann")) {
			sampled[p.ID()] = true
		}
		for _, row := range proto.Table() {
			if row.Direction&proto.ToServer != 0 && !sampled[row.ID] {
				t.Errorf("no sample of %s", row.Name)
			}
		}
	})
}

// Rule LO-1 of docs/wire/bedrock.md: a packet that is illegal in the current stage of the login is dropped and counted, and the
// session continues. A second Login, a second RequestNetworkSettings, or a Login before the network settings ends the session.
func TestPacketsIllegalInLoginStageAreDroppedOrEndSession(t *testing.T) {
	t.Parallel()
	stages := []struct {
		name  string
		goes  func(c *client)
		fatal map[proto.ID]bool // packets that end the session in this stage
		legal map[proto.ID]bool // packets that are legal in this stage
		on    func(c *client)   // advances the login towards the world
	}{
		{
			"hello", func(*client) {},
			map[proto.ID]bool{proto.IDLogin: true}, map[proto.ID]bool{proto.IDRequestNetworkSettings: true},
			func(c *client) { c.loginUntil("StartGame") },
		},
		{
			"login", func(c *client) { c.sendHello(); c.srv.advance(50 * time.Millisecond) },
			map[proto.ID]bool{proto.IDRequestNetworkSettings: true}, map[proto.ID]bool{proto.IDLogin: true},
			func(c *client) {
				c.manual = false
				c.send(proto.Login{Protocol: c.version, Request: c.loginRequest()})
			},
		},
		{
			"packs", func(c *client) { c.loginUntil("ResourcePacksInfo") },
			map[proto.ID]bool{proto.IDRequestNetworkSettings: true, proto.IDLogin: true}, nil,
			func(c *client) { c.send(proto.ResourcePackClientResponse{Status: proto.PacksCompleted}) },
		},
		{
			"spawning", func(c *client) { c.loginUntil("SetTime") },
			map[proto.ID]bool{proto.IDRequestNetworkSettings: true, proto.IDLogin: true}, nil,
			func(c *client) {},
		},
	}
	for _, s := range stages {
		t.Run(s.name, func(t *testing.T) {
			withServer(t, twoFields(), Options{PerAddr: -1}, func(srv *testServer) {
				for i, ids := range groups(samples(srv.newClient("x")), s.fatal, s.legal) {
					c := srv.connect(fmt.Sprint("ann", i))
					s.goes(c)
					for _, p := range samples(c) {
						if slices.Contains(ids, p.ID()) {
							c.send(p)
						}
					}
					srv.advance(100 * time.Millisecond)
					switch {
					case s.fatal[ids[0]]:
						if !c.closed {
							t.Errorf("%v did not end the session", ids)
						}
					case c.closed:
						t.Errorf("%v ended the session: %q", ids, c.disconnectText())
					default:
						s.on(c)
						srv.waitFor(fmt.Sprintf("the world after %v", ids), func() bool { return c.hasReceived("StartGame") })
						c.close()
					}
					srv.served = srv.served[:1]
				}
			})
		})
	}
}

// groups splits the illegal packets into groups. A packet that ends the session is a group of its own. The other groups
// have as many packets as a client may send before encryption is established.
func groups(all []proto.Packet, fatal, legal map[proto.ID]bool) (list [][]proto.ID) {
	var some []proto.ID
	for _, p := range all {
		switch id := p.ID(); {
		case legal[id]:
		case fatal[id]:
			list = append(list, []proto.ID{id})
		default:
			if some = append(some, id); len(some) == maxHandshakeBatches-3 {
				list, some = append(list, some), nil
			}
		}
	}
	if len(some) > 0 {
		list = append(list, some)
	}
	return list
}

// Rule BA-3 of docs/wire/bedrock.md: until the handshake is complete, a batch may contain only one packet.
func TestBatchOfSeveralPacketsBeforeHandshakeIsRefused(t *testing.T) {
	t.Parallel()
	for _, until := range []string{"", "ServerToClientHandshake"} {
		withServer(t, twoFields(), Options{}, func(srv *testServer) {
			c := srv.connect("ann")
			first := proto.Packet(proto.RequestNetworkSettings{Protocol: c.version})
			if until != "" {
				c.loginUntil(until)
				first = proto.ClientToServerHandshake{}
			}
			c.sendBatch(first, proto.ClientCacheStatus{})
			c.waitDisconnect()
			if srv.faults("batch_count") != 1 || srv.gateway.players.Load() != 0 {
				t.Errorf("%d faults, %d players", srv.faults("batch_count"), srv.gateway.players.Load())
			}
		})
	}
}

// Rule LO-1 of docs/wire/bedrock.md: inputs before SetLocalPlayerAsInitialized are ignored.
func TestInputsBeforeSpawnAreIgnored(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		c := srv.connect("ann")
		c.loginUntil("SetTime")
		for tick := range uint64(20) {
			c.send(proto.PlayerAuthInput{Tick: tick, Position: proto.Vec3{90, 90, 90}})
		}
		srv.advance(500 * time.Millisecond)
		if n := srv.faults("early_input"); n != 20 {
			t.Errorf("counted %d faults", n)
		}
		c.send(proto.SetLocalPlayerAsInitialized{Runtime: c.start.Runtime})
		c.takePackets()
		c.send(proto.PlayerAuthInput{Tick: 1, Position: c.start.Position})
		srv.advance(500 * time.Millisecond)
		if n := countOf[proto.CorrectPlayerMovePrediction](c); n != 0 || c.closed {
			t.Errorf("%d corrections", n)
		}
	})
}
