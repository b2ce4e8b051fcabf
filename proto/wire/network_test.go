package wire

import (
	"net/netip"
	"testing"
)

func TestNetworkOfIPv6AddressIsItsSlash64(t *testing.T) {
	for addr, want := range map[string]string{"192.0.2.7": "192.0.2.7", "2001:db8:1:2:3:4:5:6": "2001:db8:1:2::", "2001:db8:1:2:ffff::1": "2001:db8:1:2::"} {
		if got := Network(netip.MustParseAddr(addr)); got.String() != want {
			t.Errorf("network of %s is %s, want %s", addr, got, want)
		}
	}
}
