package bedrock

import (
	"math"
	"math/rand/v2"
	"strings"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Movement cheats do not affect an honest player that walks beside one cheater of each kind. The honest player is not
// corrected, and its client is sent only positions of cheaters that are finite and respect the speed limits.
func TestCheatingPlayersDoNotAffectOthers(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		watcher := srv.join("watcher")
		cheaters := map[uint64]string{} // names of cheats by runtime id
		var players []*player
		for _, name := range bot.CheatNames() {
			cheat, ok := bot.NewCheat(name, rand.New(rand.NewPCG(1, 9)))
			if !ok {
				t.Fatal("unknown")
			}
			m := srv.newPlayer(bot.Options{Name: name, Tamper: cheat})
			if cheat.Rate > 0 {
				m.interval = time.Duration(float64(bot.TickInterval) / cheat.Rate)
			}
			srv.waitFor(name+" to enter", m.Playing)
			srv.advance(300 * time.Millisecond)
			cheaters[runtimeIDOf(t, watcher, name)] = name
			players = append(players, m)
		}
		watcher.takePackets()
		for _, m := range players {
			m.keys = bot.Keys{Yaw: south, Forward: 1, Sprint: true, Jump: true}
		}
		srv.advance(4 * time.Second)
		for _, m := range players {
			m.keys = bot.Keys{Yaw: south}
		}
		seen := map[uint64][]proto.Vec3{}
		for _, p := range packetsOf[proto.MoveActorAbsolute](watcher) {
			if cheaters[p.Runtime] == "" {
				continue
			}
			for _, v := range p.Position {
				if !geom.Finite(v) || v < -1000 || v > 1000 {
					t.Fatalf("%s: others received %+v", cheaters[p.Runtime], p)
				}
			}
			seen[p.Runtime] = append(seen[p.Runtime], p.Position)
		}
		for id, name := range cheaters {
			at := seen[id]
			if len(at) == 0 {
				t.Errorf("%s: not displayed", name)
				continue
			}
			if d := at[len(at)-1][2] - at[0][2]; d > 4.5*7.2 { // a player who sprints and jumps moves 7.13 blocks a second
				t.Errorf("%s: displayed over %v blocks in 4 s, in %d updates", name, d, len(at))
			}
		}
	})
}

// Scenario A-12 of docs/wire/bedrock.md: inputs with impossible values neither crash the server nor reach other clients
// as positions.
func TestImpossibleInputsDoNotReachOtherClients(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		watcher := srv.join("watcher")
		nan, inf := float32(math.NaN()), float32(math.Inf(1))
		for _, spoil := range []func(p *proto.PlayerAuthInput){
			func(p *proto.PlayerAuthInput) { p.Position = proto.Vec3{nan, nan, nan} },
			func(p *proto.PlayerAuthInput) { p.Position = proto.Vec3{inf, -inf, math.MaxFloat32} },
			func(p *proto.PlayerAuthInput) { p.Delta = proto.Vec3{nan, inf, 0} },
			func(p *proto.PlayerAuthInput) { p.Yaw, p.Pitch, p.HeadYaw = nan, inf, -inf },
			func(p *proto.PlayerAuthInput) { p.MoveVector = proto.Vec2{1e30, nan} },
			func(p *proto.PlayerAuthInput) { p.Tick = 0 },
			func(p *proto.PlayerAuthInput) { p.Tick = math.MaxUint64 },
			func(p *proto.PlayerAuthInput) { p.Tick += 100_000 },
			func(p *proto.PlayerAuthInput) { p.Input.Set(proto.InputHandledTeleport) },
			func(p *proto.PlayerAuthInput) { p.Input.Set(proto.InputClientVehicle); p.PredictedVehicle = 1 },
			func(p *proto.PlayerAuthInput) { p.Input = proto.InputData{math.MaxUint64 &^ (7 << 34), 1} },
		} {
			w := srv.walker("mallory")
			w.walk(3, northward)
			for range 5 {
				p := w.next(northward)
				spoil(&p)
				w.send(p)
				srv.advance(50 * time.Millisecond)
			}
			w.close()
			srv.advance(200 * time.Millisecond)
		}
		for _, p := range packetsOf[proto.MoveActorAbsolute](watcher) {
			if !geom.Finite(p.Position[0]) || !geom.Finite(p.Position[1]) || !geom.Finite(p.Position[2]) {
				t.Fatalf("others received %+v", p)
			}
		}
		watcher.close()
	})
}

// Rules SV-18 and SV-19 of docs/wire/bedrock.md: inputs sent faster than real time are dropped, give no extra speed and
// affect no other player. A client that continues to send too fast is disconnected.
func TestInputFloodGivesNoExtraSpeedAndDisconnectsPlayer(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		w := srv.walker("mallory")
		start := w.body.Pos
		for range 300 {
			if w.closed {
				break
			}
			var batch []proto.Packet
			for range 20 {
				batch = append(batch, w.next(northward))
			}
			w.sendBatch(batch...)
			srv.advance(50 * time.Millisecond)
		}
		if !w.closed || srv.logs.Count("fault=expelled_suspected") != 1 {
			t.Errorf("closed: %v; logged:\n%s", w.closed, srv.logs)
		}
		if srv.logs.Count("fault=budget") > 1 || srv.hub.Stats().Inputs == 0 {
			t.Errorf("%d inputs over budget; logged:\n%s", srv.hub.Stats().Inputs, srv.logs)
		}
		if geom.DistXZ(start, w.body.Pos) < 20 {
			t.Error("the flood moved the client by too little to prove anything")
		}
	})
}

// Rule SV-22 of docs/wire/bedrock.md: an attack takes effect with the next input, and the number of attacks that wait
// for an input is bounded.
func TestNumberOfAttacksThatWaitForInputIsLimited(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		w := srv.walker("mallory")
		for i := range 300 {
			w.send(attackPacket(uint64(i)), proto.InventoryTransaction{Type: proto.TransactionUseItem, UseItem: proto.UseItem{Action: proto.UseItemClickAir}})
			if i%50 == 49 {
				w.walk(1, northward)
			}
		}
		srv.advance(time.Second)
		if w.closed {
			t.Errorf("disconnected: %q", w.disconnectText())
		}
		if s := srv.hub.Stats(); s.Attacks == 0 || s.Other == 0 {
			t.Errorf("over budget: %+v", s)
		}
	})
}

// Chat lines are sanitized, truncated to the maximum length and rate limited. Commands are rate limited, too.
func TestChatIsSanitizedAndTruncatedAndRateLimited(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		listener := srv.join("bob")
		m := srv.join("mallory")
		listener.takePackets()
		for _, line := range []string{"hi", " \t ", "a\u00a7cb\x00c\nd\x7f", strings.Repeat("\u00e9", 300), "\xff\xfe bad"} {
			m.send(proto.Text{Type: proto.TextChat, Author: "admin", Message: line})
		}
		srv.advance(500 * time.Millisecond)
		var got []string
		for _, p := range packetsOf[proto.Text](listener) {
			if p.Author != "mallory" || p.Type != proto.TextChat {
				t.Errorf("bob received %+v", p)
			}
			got = append(got, p.Message)
		}
		want := []string{"hi", "acbcd", strings.Repeat("\u00e9", 125), "bad"}
		if strings.Join(got, "|") != strings.Join(want, "|") {
			t.Errorf("bob received %q, want %q", got, want)
		}
		listener.takePackets()
		m.takePackets()
		for range 100 {
			m.send(proto.Text{Type: proto.TextChat, Message: "spam"}, proto.CommandRequest{Line: "/who", Version: "latest"})
		}
		srv.advance(2 * time.Second)
		if n := countOf[proto.Text](listener); n < 4 || n > 20 {
			t.Errorf("bob received %d of 100 lines", n)
		}
		answers, notices := 0, 0
		for _, p := range packetsOf[proto.Text](m) {
			switch {
			case p.Type != proto.TextSystem:
			case p.Message == "In West: bob, honest, mallory":
				answers++
			case strings.HasSuffix(p.Message, "You are talking too fast: your line was not sent."):
				notices++
			default:
				t.Errorf("mallory received %q", p.Message)
			}
		}
		if answers < 1 || answers > 10 || notices != 1 {
			t.Errorf("%d of 100 commands were answered, want 1 to 10, and mallory was told %d times that it talks too fast, want once", answers, notices)
		}
		m.takePackets()
		m.send(proto.CommandRequest{Line: "/kill everybody", Version: "latest"})
		srv.advance(300 * time.Millisecond)
		if p := packetsOf[proto.Text](m); len(p) != 1 || p[0].Message != "Commands: /who" {
			t.Errorf("an unknown command: %v", p)
		}
	})
}

// Text from players of other protocols is sanitized before it is sent.
func TestChatFromOtherProtocolsIsSanitized(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		c := srv.join("ann")
		c.takePackets()
		srv.onWorker(func(w *worker) {
			x := connOf(w, c)
			a, p := predictedActor(x.session.Entity, "ann", geom.Vec{X: 25, Y: groundY, Z: -1})
			b, _ := predictedActor(x.session.Entity+1, "\u00a7kb\u00f6b\u0081", geom.Vec{X: 25, Y: groundY, Z: -1})
			b.Flags = sim.FlagPlayer
			w.Show(&sim.Frame{
				Tick: 1 << 30, Actors: []sim.ActorState{a, b}, Avatars: []sim.AvatarState{p},
				Events: []sim.Event{{Kind: sim.EventChat, Who: b.ID, Text: "\u00a7c\u0081" + strings.Repeat("x", 1000)}},
			})
		})
		srv.advance(20 * time.Millisecond)
		got := packetsOf[proto.Text](c)
		if len(got) != 1 || got[0].Author != "kb\u00f6b" || got[0].Message != "c"+strings.Repeat("x", maxChat-1) {
			t.Errorf("ann received %+v", got)
		}
	})
}

// A client that reads nothing uses a bounded amount of memory until RakNet times out, and does not block the worker.
func TestSilentClientTimesOut(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		x := srv.join("mallory")
		x.stalled = true
		srv.advance(12 * time.Second)
		srv.onWorker(func(w *worker) {
			if len(w.conns) != 1 || w.server.PeerCount() != 1 {
				t.Errorf("%d connections, %d RakNet sessions", len(w.conns), w.server.PeerCount())
			}
		})
		x.peer.Reset()
	})
}

// Rule CH-1 of docs/wire/bedrock.md: a client that does not acknowledge chunks is still sent the chunk under its
// player.
func TestChunkUnderPlayerIsSentToClientWithFullSendQueue(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		w := srv.walker("mallory")
		srv.onWorker(func(k *worker) {
			c := connOf(k, w.client)
			c.out.AddBytes(make([]byte, maxQueuedForChunks)) // simulate a full queue
			far := geom.Vec{X: 1000, Y: 64, Z: 1000}
			c.syncChunks(c.scene.def, c.scene.id, far, chunksPerFrame)
			if !c.chunks.covers(far) {
				t.Error("the chunk under the player was not sent")
			}
			if c.chunks.covers(geom.Vec{X: 1017, Y: 64, Z: 1000}) {
				t.Error("chunks are sent despite the full queue")
			}
			c.out.Reset()
		})
	})
}

// PacketViolationWarnings of a client are logged once.
func TestProtocolViolationReportedByClientIsLoggedOnce(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		x := srv.join("mallory")
		for range 50 {
			x.send(proto.PacketViolationWarning{Packet: 11, Context: strings.Repeat("x", 1000)})
		}
		srv.advance(300 * time.Millisecond)
		if srv.faults("violation_warning") != 50 || srv.logs.Count("violation_warning") != 1 || len(srv.logs.String()) > 2000 {
			t.Errorf("%d faults; logged:\n%s", srv.faults("violation_warning"), srv.logs)
		}
	})
}
