package rcce

import (
	"fmt"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/store"
)

func TestAccountHasAtMostTwoConnectionsAtMenuAndOtherPlayersAreNotDisplaced(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{Options: Options{MaxPeers: 24, Workers: 2, LimitLoopback: true}}, func(srv *testServer) {
		for _, name := range []string{"many", "calm", "late"} {
			srv.createAccount(name)
		}
		verify := func(addr, name string) *client {
			c := srv.dialFrom(addr)
			srv.waitFor("a connection", func() bool { return c.peer.IsConnected() || c.disconnected })
			c.send(proto.VerifyAccountRequest{User: name, MD5: passwordMD5("pass")})
			srv.advance(50 * time.Millisecond)
			if got := packetsOf[proto.VerifyAccount](c); len(got) != 1 || got[0].Result != proto.ReplyYes {
				t.Errorf("the login of %s from %s is answered %v", name, addr, got)
			}
			return c
		}
		playing := srv.join("playing")
		calm := verify("192.0.2.1", "calm")
		var many []*client
		for i := range 40 {
			many = append(many, verify(fmt.Sprintf("10.0.%d.1", i), "many"))
		}
		late := verify("192.0.2.2", "late")
		late.send(proto.StartGameRequest{User: "late", MD5: passwordMD5("pass")})
		for range 40 { // connections that do not log in
			srv.dialFrom("198.51.100.7")
			srv.step()
		}
		srv.advance(30 * time.Second) // 30 s are longer than ENet's timeouts of closed connections
		for i, c := range many {
			if want := i < len(many)-maxMenus; c.disconnected != want {
				t.Errorf("connection %d of the same account is closed: %v, want %v", i, c.disconnected, want)
			}
		}
		if calm.disconnected || playing.disconnected || late.disconnected || countOf[proto.StartGame](late) == 0 {
			t.Errorf("closed: player at the menu %v, in the world %v, latest one %v", calm.disconnected, playing.disconnected, late.disconnected)
		}
		if n := srv.faults("menu_replaced"); n != uint64(len(many)-maxMenus) {
			t.Errorf("%d connections were replaced, want %d", n, len(many)-maxMenus)
		}
	})
}

func TestMenusForgetClosedConnections(t *testing.T) {
	var m menus
	a, b, c, d := &conn{}, &conn{}, &conn{}, &conn{}
	for _, x := range []*conn{a, b} {
		if old := m.add(1, x); old != nil {
			t.Error("a connection within the limit displaced another one")
		}
	}
	if m.add(2, d) != nil || m.add(1, c) != a {
		t.Error("the third connection of an account must displace its oldest one, and only that")
	}
	m.remove(1, a)
	m.remove(1, b)
	if old := m.add(1, a); old != nil {
		t.Error("a closed connection still counts")
	}
	for account, x := range map[store.AccountID]*conn{0: b, 2: d} {
		m.remove(account, x)
	}
	m.remove(1, a)
	m.remove(1, c)
	if len(m.open) != 0 {
		t.Errorf("closed connections are remembered: %v", m.open)
	}
}
