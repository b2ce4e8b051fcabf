package gateway

import (
	"net/netip"
	"slices"
	"testing"
)

func TestWildcardAddressIsShownAsIPv4AndReachedAtLoopback(t *testing.T) {
	for at, want := range map[string]struct {
		shown, local string
		flags        []string // for clients whose default port is 25000
	}{
		"[::]:25000":           {"0.0.0.0:25000", "127.0.0.1:25000", nil},
		"0.0.0.0:1":            {"0.0.0.0:1", "127.0.0.1:1", []string{"--server 127.0.0.1:1"}},
		"[::ffff:127.0.0.1]:2": {"127.0.0.1:2", "127.0.0.1:2", []string{"--server 127.0.0.1:2"}},
		"[::1]:25000":          {"[::1]:25000", "[::1]:25000", []string{"--server [::1]:25000"}},
	} {
		a := netip.MustParseAddrPort(at)
		if shown, local, flags := DisplayAddr(a).String(), LocalAddr(a).String(), AddrFlags("--server", a, 25000); shown != want.shown || local != want.local || !slices.Equal(flags, want.flags) {
			t.Errorf("%s is shown as %s and reached at %s with %q, want %+v", at, shown, local, flags, want)
		}
	}
}
