package bedrock

import (
	"net/netip"
	"testing"
	"time"
)

// RK-15: what never becomes a message is counted all the same, by the rule that it broke.
func TestWhatRakNetDropsIsCounted(t *testing.T) {
	t.Parallel()
	beside(t, Options{}, func(r *rig) {
		_, second := requests(r)
		for i := range 300 {
			from := netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, 1, byte(i >> 8), byte(i)}), 1000)
			r.send(from, second)
			r.send(from, []byte{0x05, 1, 2})
			r.send(from, []byte{0x84, 1, 2, 3, 0, 0, 8, 0xfe})
		}
		r.run(2 * time.Second)
		offline := r.bad("raknet_cookie") + r.bad("raknet_offline")
		if offline != 600 {
			t.Errorf("%d of 600 bad requests are counted", offline)
		}
		if n := r.bad("raknet_no_session"); n != 300 {
			t.Errorf("%d of 300 datagrams without a session are counted", n)
		}
	})
}
