package bedrock

import (
	"math/rand/v2"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/wire"
)

// corruptedPackets returns each sample packet truncated at every byte, with flipped bits and with trailing bytes, and
// random bodies for every packet id.
func corruptedPackets(c *client, rng *rand.Rand) (list [][]byte) {
	noise := func(n int) []byte {
		b := make([]byte, n)
		for i := range b {
			b[i] = byte(rng.Uint32())
		}
		return b
	}
	for _, p := range samples(c) {
		if p.ID() == proto.IDLogin || p.ID() == proto.IDRequestNetworkSettings {
			continue // packets of this type end the session immediately, even if they are corrupted
		}
		whole := proto.AppendPacket(nil, p, c.version)
		for n := 1; n < len(whole); n++ {
			list = append(list, whole[:n])
		}
		for range 8 {
			b := append([]byte(nil), whole...)
			b[rng.IntN(len(b))] ^= 1 << rng.IntN(8)
			list = append(list, b)
		}
		list = append(list, append(append([]byte(nil), whole...), noise(9)...))
	}
	for _, row := range proto.Table() {
		if row.ID == proto.IDLogin || row.ID == proto.IDRequestNetworkSettings {
			continue
		}
		for range 4 {
			list = append(list, append(proto.AppendHeader(nil, row.ID), noise(rng.IntN(120))...))
		}
	}
	for range 50 {
		list = append(list, noise(1+rng.IntN(200)))
	}
	return list
}

// No packet of one player affects others: the gateway neither panics nor leaks memory, and it disconnects a client that
// sends too many malformed packets.
func TestMalformedPacketsDoNotAffectOtherClients(t *testing.T) {
	t.Parallel()
	for _, c := range []struct {
		name string
		nth  int // send only every nth packet
		goes func(c *client)
	}{
		{"during resource packs", 4, func(c *client) { c.loginUntil("ResourcePacksInfo") }},
		{"spawning", 4, func(c *client) { c.loginUntil("SetTime") }},
		{"in the world", 1, func(c *client) {
			c.loginUntil("SetTime")
			c.send(proto.SetLocalPlayerAsInitialized{Runtime: c.start.Runtime})
		}},
	} {
		t.Run(c.name, func(t *testing.T) {
			withHonestPlayer(t, Options{}, func(srv *testServer) {
				rng := rand.New(rand.NewPCG(20, 26))
				sessions, x := 0, (*client)(nil)
				for i, b := range corruptedPackets(srv.newClient("x"), rng) {
					if i%c.nth != 0 {
						continue
					}
					if x == nil || x.closed {
						if sessions++; sessions > 100 {
							t.Fatal("disconnected too often")
						}
						srv.served = srv.served[:1]
						x = srv.connect("mallory")
						c.goes(x)
					}
					x.sendRaw(b)
					srv.step() // stay within the packet budget
				}
				srv.advance(time.Second)
				if c.nth == 1 && (sessions < 2 || srv.faults("malformed") < maxMalformed || srv.faults("malformed_often") == 0) {
					t.Errorf("%d sessions, %d malformed", sessions, srv.faults("malformed"))
				}
				if n := srv.logs.Count("fault=malformed "); n > sessions {
					t.Errorf("%d lines for %d sessions", n, sessions)
				}
			})
		})
	}
}

// Malformed packets before encryption is established do not affect other clients; at that stage the server reads only a
// few batches.
func TestMalformedFirstPacketsDoNotAffectOtherClients(t *testing.T) {
	t.Parallel()
	for _, settled := range []bool{false, true} {
		withHonestPlayer(t, Options{}, func(srv *testServer) {
			rng := rand.New(rand.NewPCG(21, 26))
			list := corruptedPackets(srv.newClient("x"), rng)
			rng.Shuffle(len(list), func(i, j int) { list[i], list[j] = list[j], list[i] })
			for i := 0; i+maxHandshakeBatches < min(len(list), 200); i += maxHandshakeBatches {
				srv.served = srv.served[:1]
				x := srv.connect("mallory")
				if settled {
					x.sendHello()
					srv.waitFor("the network settings", func() bool { return x.packed })
				}
				for _, b := range list[i : i+maxHandshakeBatches] {
					x.sendRaw(b)
				}
				x.connection.send(append([]byte{proto.BatchID}, list[i]...)) // send one packet without its length prefix
				srv.advance(50 * time.Millisecond)
				x.peer.Reset()
			}
			srv.advance(11 * time.Second)
			if n := srv.gateway.door.Sessions.Load(); n != 1 {
				t.Errorf("%d sessions are left", n)
			}
		})
	}
}

// Truncated and corrupted logins are refused or end the client's session. They leak no resources.
func TestCorruptedLoginsDoNotAffectOtherClients(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		rng := rand.New(rand.NewPCG(22, 26))
		whole := proto.AppendPacket(nil, proto.Login{Protocol: proto.V2169, Request: srv.newClient("mallory").loginRequest()}, proto.V2169)
		for i := range 60 {
			b := append([]byte(nil), whole...)
			switch {
			case i < 20:
				b = b[:1+i]
			case i < 40:
				b = b[:rng.IntN(len(b))]
			default:
				b[1+rng.IntN(2000)] ^= byte(1 + rng.IntN(255))
			}
			srv.served = srv.served[:1]
			x := srv.connect("mallory")
			x.manual = true
			x.sendHello()
			srv.waitFor("the network settings", func() bool { return x.packed })
			x.sendPayload(wire.VarBytes(nil, b))
			srv.advance(50 * time.Millisecond)
			if x.hasReceived("ServerToClientHandshake") && i < 40 {
				t.Errorf("a login of %d of %d bytes was accepted", len(b), len(whole))
			}
			x.peer.Reset()
		}
		srv.advance(11 * time.Second)
		if n, held := srv.gateway.door.Sessions.Load(), srv.gateway.loginBytes.Load(); n != 1 || held != 0 {
			t.Errorf("%d sessions and %d bytes are left", n, held)
		}
	})
}
