package rcce

import (
	"errors"
	"net/netip"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/gateway"
)

func TestStartScreenShowsAddressesThatClientsCanReach(t *testing.T) {
	hosts := []netip.Addr{netip.MustParseAddr("192.168.1.5"), netip.MustParseAddr("10.0.0.1")}
	for _, c := range []struct {
		at    string
		port  int
		flags string
		play  string
	}{
		{"[::]:25000", 25000, "", "host 127.0.0.1, from elsewhere 192.168.1.5 or 10.0.0.1; port 25000"},
		{"0.0.0.0:26000", 26000, "--server 127.0.0.1:26000", "host 127.0.0.1, from elsewhere 192.168.1.5 or 10.0.0.1; port 26000"},
		{"127.0.0.1:1", 25000, "--server 127.0.0.1:1", "host 127.0.0.1; port 1 (clients of this world have 25000)"},
		{"192.168.1.5:25000", 25000, "--server 192.168.1.5:25000", "host 192.168.1.5; port 25000"},
	} {
		at := netip.MustParseAddrPort(c.at)
		if got := strings.Join(tryCommand(at).Flags, " "); got != c.flags {
			t.Errorf("%s: flags %q, want %q", c.at, got, c.flags)
		}
		if got := howToPlay(at, c.port, hosts)[0]; got != c.play {
			t.Errorf("%s: %q, want %q", c.at, got, c.play)
		}
	}
}

func TestPortOfRealmCrafterProjectReplacesDefaultPort(t *testing.T) {
	for _, c := range []struct{ project, want int }{{0, DefaultPort}, {26000, 26000}} {
		if got := projectPort(&gateway.Host{ProjectPort: c.project}); got != c.want {
			t.Errorf("project port %d gives %d, want %d", c.project, got, c.want)
		}
	}
}

func TestDoorThatIsOffOpensNoSocket(t *testing.T) {
	d := NewDoor()
	d.Rcce = gateway.Off
	h := &gateway.Host{}
	if err := errors.Join(d.Bind(h), d.Close()); err != nil || d.Addr().IsValid() || len(d.Describe(h).Try) != 0 {
		t.Errorf("%v, at %v", err, d.Addr())
	}
}
