package raknet

import (
	"bytes"
	"slices"
	"testing"
)

func TestASessionFromPingToGoodbye(t *testing.T) {
	for name, cc := range map[string]ClientConfig{"protocol 11": {}, "like jsp": {LikeJSP: true}} {
		t.Run(name, func(t *testing.T) {
			w := newPair(Config{}, cc)
			w.server.SetPong([]byte("MCPE;x;"))
			w.client.Ping(w.now, serverAddr)
			w.exchange()
			p := w.client.Connect(w.now, serverAddr)
			w.run(100)
			if !p.Connected() || w.up.peer == nil || w.up.peer.GUID() != 22 || p.GUID() != 11 {
				t.Fatalf("not connected: %q %q", w.up.events, w.down.events)
			}
			long := bytes.Repeat([]byte("\xfelong"), 20000)
			p.SendOrdered(user("up"))
			p.SendOrdered(long)
			w.up.peer.SendOrdered(long)
			w.up.peer.Send(user("down"), Unreliable)
			w.run(500)
			p.Close()
			w.run(3000)
			wantUp := []string{"connected", "\xfeup", string(long), "disconnected by peer"}
			if got := w.up.take(); !slices.Equal(got, wantUp) {
				t.Errorf("server saw %d events: %.40q", len(got), got)
			}
			got := w.down.take()
			wantDown := []string{"connected", "disconnected by us", "pong MCPE;x;", "\xfedown", string(long)}
			slices.Sort(got)
			if !slices.Equal(got, wantDown) {
				t.Errorf("client saw %d events: %.40q", len(got), got)
			}
			if w.server.Peers() != 0 || w.server.queued != 0 || w.server.held != 0 || len(w.server.addrs) != 0 {
				t.Errorf("%d sessions are left, %d bytes queued", w.server.Peers(), w.server.queued)
			}
		})
	}
}
