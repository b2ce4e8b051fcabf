package gateway

import (
	"fmt"
	"log/slog"
	"net/netip"
	"testing"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/internal/logbuf"
)

func TestDoorsGetDescriptorsThatAreLeftButAtLeastOne(t *testing.T) {
	var lines logbuf.Buffer
	h := Host{Log: slog.New(slog.NewTextHandler(&lines, nil))}
	if got := h.ReserveDescriptors("rs", 1000); got != 1000 {
		t.Errorf("without a limit a door gets %d descriptors, want 1000", got)
	}
	left := 1300
	h.Descriptors = &left
	for i, want := range []int{1000, 300, 1} {
		if got := h.ReserveDescriptors("rs", 1000); got != want || lines.Count("wanted=1000") != i || i > 0 && lines.Count(fmt.Sprintf("got=%d\n", want)) != 1 {
			t.Errorf("door %d gets %d descriptors, want %d and a line in the log if these are fewer than 1000:\n%s", i, got, want, lines.String())
		}
	}
}

func TestWaitingConnectionsOfDoorAreHalfOfItsConnectionsButAtLeast64(t *testing.T) {
	// The limits of an address and a network apply from half of the waiting connections on.
	for _, c := range []struct {
		is   admission.PlaceLimits
		room int                 // connections before the first one is displaced
		from func(i int) [4]byte // address of connection i
	}{
		{admission.PlaceLimits{Connections: 40}, 40, eachNetwork},
		{admission.PlaceLimits{Connections: 100}, 64, eachNetwork},
		{admission.PlaceLimits{Connections: 400}, 200, eachNetwork},
		{admission.PlaceLimits{Connections: 400, Waiting: 10}, 10, eachNetwork},
		{admission.PlaceLimits{Connections: 100, PerAddr: 100}, 64, oneAddress},
		{admission.PlaceLimits{Connections: 400}, 200, oneAddress},
		{admission.PlaceLimits{Connections: 40, PerAddr: 10}, 20, oneAddress},
		{admission.PlaceLimits{Connections: 200, PerAddr: 70}, 64, oneAddress},
		{admission.PlaceLimits{Connections: 1000}, 256, oneNetwork},
	} {
		p := NewPlaces("test", c.is, nil)
		n := 0
		for p.Stats().GaveWay == 0 {
			p.Enter(netip.AddrFrom4(c.from(n)), func() {})
			n++
		}
		if n-1 != c.room {
			t.Errorf("%+v: connection %d displaces another one, want %d", c.is, n-1, c.room)
		}
	}
}

func eachNetwork(i int) [4]byte { return [4]byte{10, byte(i >> 8), byte(i), 1} }
func oneNetwork(i int) [4]byte  { return [4]byte{10, 0, 0, byte(i)} }
func oneAddress(int) [4]byte    { return [4]byte{10, 0, 0, 1} }
