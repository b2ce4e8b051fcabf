package rs

import (
	"fmt"
	"net"
	"testing"
	"testing/synctest"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// Attackers at 106 addresses, and at the address of the players, open silent connections until all places for connections
// are taken. They repeat this during the test.
func TestPlayersBehindSharedAddressLogInDespiteSilentConnections(t *testing.T) {
	const house = "192.0.2.1"
	withServer(t, slowVale(), Options{Register: true, MaxConns: 300, MaxWaiting: 106}, func(srv *testServer) {
		silent := func(n int) {
			for i := range n {
				srv.dial(fmt.Sprintf("10.0.%d.1", i%106))
			}
			srv.dial(house)
		}
		silent(520)
		for i := range 30 {
			silent(20)
			began := time.Now()
			if code := srv.loginCode(house, srv.request(fmt.Sprint("player", i), "secret", false)); code != int(proto.ResponseOK) {
				t.Errorf("player %d got code %d", i, code)
			}
			if took := time.Since(began); took > 2*time.Second {
				t.Errorf("player %d waited %v", i, took)
			}
		}
		if s := srv.gateway.places.Stats(); s.Waiting > 106 {
			t.Errorf("%+v", s)
		}
		held := srv.hub.Gate().Report()
		if len(held) == 0 || held[0].Door != "rs" {
			t.Errorf("the report of what was held back is %+v", held)
		}
	})
}

func TestClosedOrFloodingConnectionIsDetectedDuringLogin(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		for _, c := range []struct {
			desc string
			do   func(client net.Conn)
			gone bool
			read string
		}{
			{"waits", func(net.Conn) {}, false, "rest"},
			{"sends", func(client net.Conn) { client.Write([]byte(" and more")) }, false, "rest and more"},
			{"leaves", func(client net.Conn) { client.Close() }, true, "rest"},
			{"floods", func(client net.Conn) { client.Write(make([]byte, maxEarlyBytes)) }, true, "rest" + string(make([]byte, maxEarlyBytes))},
		} {
			client, server := net.Pipe()
			server.SetDeadline(time.Now().Add(time.Minute))
			gone := false
			w := watchConn(server, func() { gone = true }, []byte("rest"))
			time.Sleep(time.Hour)
			c.do(client)
			synctest.Wait()
			if gone != c.gone {
				t.Errorf("a client that %s: gone is %v", c.desc, gone)
			}
			if got := w.end(); string(got) != c.read {
				t.Errorf("a client that %s: read %q", c.desc, got)
			}
			if !c.gone {
				go client.Write([]byte("x"))
				server.SetReadDeadline(time.Now().Add(time.Second))
				if _, err := server.Read(make([]byte, 1)); err != nil {
					t.Errorf("a client that %s: %v", c.desc, err)
				}
			}
			client.Close()
			server.Close()
		}
	})
}
