package wire

import (
	"net/netip"
	"testing"
)

func TestNetworkOfReturnsIPv4AddressOrSlash64OfIPv6Address(t *testing.T) {
	for addr, want := range map[string]string{
		"192.0.2.7":              "192.0.2.7",
		"::ffff:192.0.2.7":       "192.0.2.7",
		"2001:db8:1:2:3:4:5:6":   "2001:db8:1:2::",
		"2001:db8:1:2:ffff::1":   "2001:db8:1:2::",
		"fe80::1%eth0":           "fe80::",
		"::1":                    "::1",
		"2001:db8:1:3:3:4:5:6%x": "2001:db8:1:3::",
	} {
		if got := NetworkOf(netip.MustParseAddr(addr)); got.String() != want {
			t.Errorf("network of %s is %s, want %s", addr, got, want)
		}
	}
	if got := NetworkOf(netip.Addr{}); got.IsValid() {
		t.Errorf("the network of no address is %s", got)
	}
}
