package rs

import (
	"io"
	"sync"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

var fuzzWorld = sync.OnceValue(func() *sim.World {
	w := pvpWorld()
	w.TicksPerSecond = 5
	return w
})

// FuzzConnection sends arbitrary bytes on a new connection. The server must close the connection unless the bytes are a valid
// login.
func FuzzConnection(f *testing.F) {
	login, err := proto.AppendLogin(nil, &testKey().PublicKey, false, proto.RSABlock{Keys: proto.Keys{1, 2, 3, 4}, Password: "secret"}, proto.LoginDetails{Username: "Ada", WindowMode: 2})
	if err != nil {
		f.Fatal(err)
	}
	f.Add([]byte{})
	f.Add([]byte{proto.RequestJS5, 0, 0, 2, 155})
	f.Add([]byte{proto.RequestLogin})
	f.Add(append([]byte{proto.RequestLogin}, login...))
	f.Add(append(append([]byte{proto.RequestLogin}, login...), 1, 2, 3, 4, 5, 6, 7, 8, 9))
	f.Add(append([]byte{proto.RequestLogin, proto.RequestLobby}, login[1:]...))
	f.Add(append([]byte{proto.RequestLogin}, login[:40]...))
	f.Add([]byte{proto.RequestLogin, proto.RequestGame, 0xff, 0xff, 0, 0, 2, 155})
	f.Fuzz(func(t *testing.T, b []byte) {
		withServer(t, fuzzWorld(), Options{Register: true}, func(srv *testServer) {
			c := srv.dial("192.0.2.1")
			go io.Copy(io.Discard, c)
			go c.Write(b)
			srv.advance(handshakeTimeout + answerTimeout + readTimeout + lingerTime + 5*time.Second)
			if n := srv.openConns(); n != 0 || srv.faults("panic") != 0 || srv.gateway.door.Sessions.Load() != 0 {
				t.Errorf("%d connections, %d panics, %d players", n, srv.faults("panic"), srv.gateway.door.Sessions.Load())
			}
			c.Close()
		})
	})
}

// FuzzPackets sends complete frames of a client in the world. Each pair of input bytes is an opcode and the length of its body.
// The frames must not affect another player's connection.
func FuzzPackets(f *testing.F) {
	rows := proto.Table(proto.C2S)
	for op := 0; op < len(rows); op += 16 {
		var b []byte
		for k := op; k < min(op+16, len(rows)); k++ {
			n := 20
			if size := int(rows[k].Size); size >= 0 {
				n = size
			}
			b = append(append(b, byte(k), byte(n)), make([]byte, n)...)
		}
		f.Add(b)
	}
	f.Add([]byte{byte(proto.ClientMessagePublic), 8, 0, 0, 5, 1, 2, 3, 4, 5, byte(proto.ClientClientCheat), 8, 0, 0, 'l', 'o', 'g', 'o', 'u', 0})
	f.Fuzz(func(t *testing.T, b []byte) {
		withServer(t, fuzzWorld(), Options{Register: true}, func(srv *testServer) {
			ada, bob := srv.join("Ada"), srv.join("Bob")
			var stream []byte
			for len(b) >= 2 && len(stream) < 20_000 {
				op, n := proto.Opcode(int(b[0])%len(rows)), min(int(b[1]), len(b)-2)
				if size := int(rows[op].Size); size >= 0 {
					n = min(n, size)
				}
				body := append([]byte(nil), b[2:2+n]...)
				if size := int(rows[op].Size); size > n {
					body = append(body, make([]byte, size-n)...)
				}
				b = b[2+n:]
				if more, err := ada.out.Append(stream, op, body); err == nil {
					stream = more
				}
			}
			ada.conn.SetWriteDeadline(time.Now().Add(time.Minute))
			go ada.conn.Write(stream)
			srv.advanceCycles(4)
			ada.checkNoError()
			bob.checkNoError()
			if bob.isClosed() || bob.indexOf("Bob") == 0 || srv.faults("panic") != 0 || srv.faults("framing") != 0 {
				t.Errorf("Bob's connection ended %v, %d panics, %d bad frames", bob.isClosed(), srv.faults("panic"), srv.faults("framing"))
			}
		})
	})
}
