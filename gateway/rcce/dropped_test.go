package rcce

import (
	"encoding/binary"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/proto/enet"
)

// Datagrams that ENet rejects are counted by the reason.
func TestDroppedENetPacketsAreCountedByReason(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		b := newBystander(srv.join("bystander"))
		var hello []byte
		h := enet.NewHost(enet.Config{RefuseConnect: true, SessionSeed: 1})
		_, err := h.Connect(0, serverAddr, 0)
		srv.must(err)
		h.Flush(0, func(_ netip.AddrPort, d []byte) { hello = append([]byte(nil), d...) })
		from := func(i int) netip.AddrPort {
			return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}), 1000)
		}
		const unusedPeer = defaultMaxPeers // higher than any peer id of the half-open connections, which are chosen at random
		for i := range 300 {
			srv.send(from(i), hello)
			srv.send(from(i), append(binary.BigEndian.AppendUint16([]byte{1, 2, 3, 4}, unusedPeer), 0x05, 0xff, 0, 1))
		}
		srv.advance(8 * time.Second)
		for _, kind := range []string{"enet_half_open_lost", "enet_peer"} {
			if n := srv.faults(kind); n != 300 {
				t.Errorf("%s: %d counted, want 300", kind, n)
			}
		}
		b.checkUnaffected("a flood of half-open connections")
	})
}
