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

func TestAnOpcodeThatThereIsNotClosesTheConnection(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob")
		cipher := ada.keys.ClientCipher()
		ada.conn.Write([]byte{byte(94 + cipher.Next())})
		r.cycles(1)
		if !ada.ended() || r.bad("framing") != 1 {
			t.Error("still open")
		}
		ada.redial("secret", true) // a mistake on the line, perhaps
		r.cycles(2)
		if ada.code != proto.ResponseReconnect {
			t.Errorf("answered %d", ada.code)
		}
		bob.fine()
	})
}

func TestAFrameThatIsTooLongClosesTheConnection(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada := r.join("Ada")
		ada.conn.Write([]byte{byte(72 + ada.keys.ClientCipher().Next()), 0xff, 0xff})
		r.cycles(1)
		if !ada.ended() {
			t.Error("still open")
		}
	})
}

// One who clicks like a machine gets a budget, and his neighbours notice nothing.
func TestAFloodIsThrottled(t *testing.T) {
	for _, c := range []struct {
		rule string
		p    proto.Packet
		kind string
	}{
		{"clicks", proto.MoveGameClick{X: 3224, Z: 3218}, "budget"},
		{"chat", proto.MessagePublicRequest{Text: "buy my things"}, "budget"},
		{"commands", proto.ClientCheat{Command: "help"}, "throttled"},
		{"the run button", button(750, 1), "budget"},
		{"attacks on nobody", proto.OpPlayer{Option: 1, Index: 1999}, "unknown_player"},
		{"windows", proto.WindowStatus{Mode: proto.WindowFixed, Width: 1, Height: 1}, "throttled"},
	} {
		bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
			ada, bob := r.join("Ada"), r.join("Bob")
			bob.listen()
			began, sent := time.Now(), 0
			for time.Since(began) < 6*time.Second {
				var b []byte
				for range 100 {
					b, _ = ada.out.AppendPacket(b, c.p)
				}
				ada.conn.Write(b) // waits for the server
				sent += 100
			}
			if most := frameBurst + 7*framesPerSecond + 200; sent > most {
				t.Errorf("%s: %d frames in 6 s were read", c.rule, sent)
			}
			if r.bad(c.kind) == 0 {
				t.Errorf("%s: nothing was refused as %q", c.rule, c.kind)
			}
			if lines := len(bob.linesRead()); lines > 8+7*4 {
				t.Errorf("%s: Bob reads %d lines", c.rule, lines)
			}
			r.cycles(4)
			if n := bob.count(proto.ServerPlayerInfo); n < 10 {
				t.Errorf("%s: Bob got %d cycles", c.rule, n)
			}
			ada.fine()
			bob.fine()
			if ada.ended() || bob.ended() {
				t.Errorf("%s: a connection ended", c.rule)
			}
		})
	}
}

func TestAClientThatNeverReadsIsCutAndOthersAreNot(t *testing.T) {
	bubble(t, lazyVale(), Options{Register: true}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob")
		ada.pause()
		bob.stay(writeTimeout - 5*time.Second)
		if ada.ended() || bob.sees("Ada") == 0 {
			t.Error("cut while it may be building its map")
		}
		p := r.player("Ada")
		most := 0
		p.w.on(func() { most = p.link.out.backlog() })
		bob.stay(8 * time.Second)
		p.w.on(func() {
			if p.link != nil {
				t.Error("still connected")
			}
		})
		bob.stay(reconnectFor)
		if bob.sees("Ada") != 0 || bob.ended() || most > maxBacklog {
			t.Errorf("Bob sees Ada at %d; %d bytes waited", bob.sees("Ada"), most)
		}
		bob.fine()
	})
}

func TestABacklogIsBounded(t *testing.T) {
	here, there := net.Pipe()
	defer there.Close()
	o := newOutlet(here, new(session.Link), func(int) {})
	o.frames = proto.NewFrameWriter(proto.S2C, nil)
	body := make([]byte, 10_000)
	sent := 0
	for range 100 {
		if o.frame(proto.ServerPlayerInfo, body) {
			sent++
		}
	}
	_, err := there.Read(body)
	if most := maxBacklog/len(body) + 2; sent > most || err != io.EOF || o.packet(proto.LogoutFull{}) {
		t.Errorf("%d frames wait, the client reads %v", sent, err)
	}
	if n := o.backlog(); n > maxBacklog+2*len(body) {
		t.Errorf("%d bytes wait", n)
	}
}

// Any bytes at all behind the login: the connection ends or stands, and others see nothing of it.
func TestNoiseBehindALoginHarmsNobody(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		bob := r.join("Bob")
		luck := rand.New(rand.NewPCG(1, 2))
		ada := r.join("Ada")
		for range 50 {
			if ada.ended() {
				ada.redial("secret", luck.IntN(2) == 0)
				r.cycles(2)
			}
			noise := make([]byte, luck.IntN(2000))
			for i := range noise {
				noise[i] = byte(luck.Uint32())
			}
			ada.conn.SetWriteDeadline(time.Now().Add(5 * time.Second))
			ada.conn.Write(noise)
			bob.stay(600 * time.Millisecond)
		}
		bob.fine()
		if bob.ended() || r.bad("panic") != 0 {
			t.Errorf("Bob's connection ended %v, %d panics", bob.ended(), r.bad("panic"))
		}
	})
}

func TestHalfOpenConnectionsEnd(t *testing.T) {
	bubble(t, lazyVale(), Options{Register: true}, func(r *rig) {
		ada := r.join("Ada") // says nothing any more, and takes all
		r.run(readTimeout + 2*time.Second)
		if !ada.ended() || r.open() != 0 {
			t.Error("a client that does not even say that it is there keeps its connection")
		}
		r.run(reconnectFor + 2*time.Second)
		if r.player("Ada") != nil {
			t.Error("still in the world")
		}
	})
}

func TestAMistakeOfOursEndsOneConnection(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		bob := r.join("Bob")
		r.gate.opt.JS5Upstream = "x"
		r.gate.dial = nil
		conn := r.pipes.dial("192.0.2.1")
		go conn.Write([]byte{proto.RequestJS5})
		if _, err := conn.Read(make([]byte, 1)); err == nil {
			t.Error("the connection stands")
		}
		r.cycles(1)
		if bob.fine(); r.bad("panic") != 1 || bob.ended() || r.open() != 1 {
			t.Errorf("%d panics, %d connections", r.bad("panic"), r.open())
		}
	})
}

func TestAnUnknownBodyIsDroppedAndTheConnectionStands(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada := r.join("Ada")
		for _, body := range [][]byte{{200, 200, 0}, {0}, bytes.Repeat([]byte{255}, 200)} {
			b, err := ada.out.Append(nil, proto.ClientMessagePublic, body)
			r.must(err)
			ada.conn.Write(b)
		}
		r.cycles(2)
		if ada.ended() || r.bad("malformed") != 3 {
			t.Errorf("ended %v, %d counted", ada.ended(), r.bad("malformed"))
		}
	})
}
