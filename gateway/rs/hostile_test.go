package rs

import (
	"bytes"
	"io"
	"math/rand/v2"
	"net"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/session"
)

func TestUnknownOpcodeClosesConnection(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		cipher := ada.keys.ClientCipher()
		ada.conn.Write([]byte{byte(94 + cipher.NextWord())})
		srv.advanceCycles(1)
		if !ada.isClosed() || srv.faults("framing") != 1 {
			t.Error("the connection is still open")
		}
		ada.redial("secret", true) // the client may reconnect after the error
		srv.advanceCycles(2)
		if ada.code != proto.ResponseReconnect {
			t.Errorf("answered %d", ada.code)
		}
		bob.checkNoError()
	})
}

func TestPacketWithTooLargeLengthClosesConnection(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		ada.conn.Write([]byte{byte(72 + ada.keys.ClientCipher().NextWord()), 0xff, 0xff})
		srv.advanceCycles(1)
		if !ada.isClosed() {
			t.Error("the connection is still open")
		}
	})
}

// Packets of a flooding client are rate limited, and other players are not affected.
func TestFloodOfPacketsIsRateLimited(t *testing.T) {
	for _, c := range []struct {
		desc string
		p    proto.Packet
		kind string
	}{
		{"clicks", proto.MoveGameClick{X: 3224, Z: 3218}, "budget"},
		{"chat", proto.MessagePublicRequest{Text: "buy my things"}, "budget"},
		{"commands", proto.ClientCheat{Command: "help"}, "throttled"},
		{"the run button", buttonClick(750, 1), "budget"},
		{"attacks on an unused index", proto.OpPlayer{Option: 1, Index: 1999}, "unknown_player"},
		{"windows", proto.WindowStatus{Mode: proto.WindowFixed, Width: 1, Height: 1}, "throttled"},
	} {
		withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
			ada, bob := srv.join("Ada"), srv.join("Bob")
			bob.startRecording()
			began, sent := time.Now(), 0
			for time.Since(began) < 6*time.Second {
				var b []byte
				for range 100 {
					b, _ = ada.out.AppendPacket(b, c.p)
				}
				ada.conn.Write(b) // the write blocks until the server reads
				sent += 100
			}
			if most := frameBurst + 7*framesPerSecond + 200; sent > most {
				t.Errorf("%s: %d frames in 6 s were read", c.desc, sent)
			}
			if srv.faults(c.kind) == 0 {
				t.Errorf("%s: nothing was refused as %q", c.desc, c.kind)
			}
			if lines := len(bob.linesRead()); lines > 8+7*4 {
				t.Errorf("%s: Bob reads %d lines", c.desc, lines)
			}
			srv.advanceCycles(4)
			if n := bob.packetCount(proto.ServerPlayerInfo); n < 10 {
				t.Errorf("%s: Bob got %d cycles", c.desc, n)
			}
			ada.checkNoError()
			bob.checkNoError()
			if ada.isClosed() || bob.isClosed() {
				t.Errorf("%s: a connection was closed", c.desc)
			}
		})
	}
}

func TestClientThatNeverReadsIsDisconnectedWithoutAffectingOthers(t *testing.T) {
	withServer(t, slowVale(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		ada.pause()
		bob.keepAlive(writeTimeout - 5*time.Second)
		if ada.isClosed() || bob.indexOf("Ada") == 0 {
			t.Error("disconnected while it may be building its map")
		}
		p := srv.playerNamed("Ada")
		most := 0
		p.w.runAndWait(func() { most = p.link.out.backlog() })
		bob.keepAlive(8 * time.Second)
		p.w.runAndWait(func() {
			if p.link != nil {
				t.Error("Ada is still connected")
			}
		})
		bob.keepAlive(lingerTime)
		if bob.indexOf("Ada") != 0 || bob.isClosed() || most > maxBacklog {
			t.Errorf("Bob sees Ada at index %d; the backlog was %d bytes", bob.indexOf("Ada"), most)
		}
		bob.checkNoError()
	})
}

func TestClientIsDisconnectedWhenBacklogExceedsMaximum(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	o := newClientStream(here, new(session.Link), func(int) {})
	o.frames = proto.NewFrameWriter(proto.S2C, nil)
	body := make([]byte, 10_000)
	sent := 0
	for range 100 {
		if o.appendFrame(proto.ServerPlayerInfo, body) {
			sent++
		}
	}
	_, err := there.Read(body)
	if most := maxBacklog/len(body) + 2; sent > most || err != io.EOF || o.appendPacket(proto.LogoutFull{}) {
		t.Errorf("%d frames are queued, the client reads %v", sent, err)
	}
	if n := o.backlog(); n > maxBacklog+2*len(body) {
		t.Errorf("the backlog is %d bytes", n)
	}
}

// Random bytes after a login end the connection or are ignored, and other players are not affected.
func TestRandomBytesAfterLoginAffectNoOtherPlayer(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		bob := srv.join("Bob")
		rng := rand.New(rand.NewPCG(1, 2))
		ada := srv.join("Ada")
		for range 50 {
			if ada.isClosed() {
				ada.redial("secret", rng.IntN(2) == 0)
				srv.advanceCycles(2)
			}
			noise := make([]byte, rng.IntN(2000))
			for i := range noise {
				noise[i] = byte(rng.Uint32())
			}
			ada.conn.SetWriteDeadline(time.Now().Add(5 * time.Second))
			ada.conn.Write(noise)
			bob.keepAlive(600 * time.Millisecond)
		}
		bob.checkNoError()
		if bob.isClosed() || srv.faults("panic") != 0 {
			t.Errorf("Bob's connection ended %v, %d panics", bob.isClosed(), srv.faults("panic"))
		}
	})
}

func TestConnectionsWithoutLoginTimeOut(t *testing.T) {
	withServer(t, slowVale(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada") // Ada's client sends nothing and reads all packets
		srv.advance(readTimeout + 2*time.Second)
		if !ada.isClosed() || srv.openConns() != 0 {
			t.Error("a client that sends no keep-alive keeps its connection")
		}
		srv.advance(lingerTime + 2*time.Second)
		if srv.playerNamed("Ada") != nil {
			t.Error("Ada is still in the world")
		}
	})
}

func TestPanicInConnectionEndsThatConnectionOnly(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		bob := srv.join("Bob")
		srv.gateway.opt.JS5Upstream = "x"
		srv.gateway.dial = nil
		conn := srv.dial("192.0.2.1")
		go conn.Write([]byte{proto.RequestJS5})
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("the connection is still open")
		}
		srv.advanceCycles(1)
		if bob.checkNoError(); srv.faults("panic") != 1 || bob.isClosed() || srv.openConns() != 1 {
			t.Errorf("%d panics, %d connections", srv.faults("panic"), srv.openConns())
		}
	})
}

func TestPacketWithMalformedBodyIsDroppedAndConnectionStaysOpen(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		for _, body := range [][]byte{{200, 200, 0}, {0}, bytes.Repeat([]byte{255}, 200)} {
			b, err := ada.out.Append(nil, proto.ClientMessagePublic, body)
			srv.must(err)
			ada.conn.Write(b)
		}
		srv.advanceCycles(2)
		if ada.isClosed() || srv.faults("malformed") != 3 {
			t.Errorf("ended %v, %d counted", ada.isClosed(), srv.faults("malformed"))
		}
	})
}
