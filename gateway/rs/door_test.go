package rs

import (
	"net/netip"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/gateway"
)

func TestStartScreenCommandForTestClientHasOnlyNonDefaultFlags(t *testing.T) {
	for _, c := range []struct {
		at, dataDir string
		want        []string
	}{
		{"[::]:43594", gateway.DefaultDataDir, nil},
		{"127.0.0.1:40257", "/srv/data", []string{"--addr 127.0.0.1:40257", "--public-key /srv/data/rs-public.txt"}},
	} {
		if got := tryCommand(netip.MustParseAddrPort(c.at), c.dataDir).Flags; !slices.Equal(got, c.want) {
			t.Errorf("%s, %s: %q, want %q", c.at, c.dataDir, got, c.want)
		}
	}
}
