package bedrock

import (
	"net/netip"
	"testing"
	"time"
)

// Rule RK-15 of docs/wire/bedrock.md: datagrams that RakNet drops are counted by the reason.
func TestDroppedRakNetPacketsAreCountedByReason(t *testing.T) {
	t.Parallel()
	withHonestPlayer(t, Options{}, func(srv *testServer) {
		_, second := connectionRequests(srv)
		for i := range 300 {
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}), 1000)
			srv.send(from, second)
			srv.send(from, []byte{0x05, 1, 2})
			srv.send(from, []byte{0x84, 1, 2, 3, 0, 0, 8, 0xfe})
		}
		srv.advance(2 * time.Second)
		offline := srv.faults("raknet_cookie") + srv.faults("raknet_offline")
		if offline != 600 {
			t.Errorf("%d of 600 bad requests are counted", offline)
		}
		if n := srv.faults("raknet_no_session"); n != 300 {
			t.Errorf("%d of 300 datagrams without a session are counted", n)
		}
	})
}
