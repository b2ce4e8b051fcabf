package gateway

import (
	"net/netip"
	"testing"
)

func TestDisplayAddrShowsIPv6WildcardAndMappedAddressesAsIPv4(t *testing.T) {
	for at, want := range map[string]string{
		"[::]:25000": "0.0.0.0:25000", "0.0.0.0:1": "0.0.0.0:1", "[::ffff:127.0.0.1]:2": "127.0.0.1:2", "[::1]:3": "[::1]:3",
	} {
		if got := DisplayAddr(netip.MustParseAddrPort(at)).String(); got != want {
			t.Errorf("%s is shown as %s, want %s", at, got, want)
		}
	}
}
