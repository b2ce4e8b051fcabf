package gateway

import (
	"net/netip"
	"testing"
)

func client(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000)
}

// Whoever floods a door from many addresses does not make it forget for long at which address its clients ask.
func TestHomesAreBoundedAndComeBack(t *testing.T) {
	var h Homes
	one, two := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	honest := &Datagram{From: netip.MustParseAddrPort("198.51.100.7:19132"), To: one}
	for i := range 5 * mostHomes {
		if i%mostHomes == 0 {
			h.Note(honest)
		}
		h.Note(&Datagram{From: client(i), To: two})
		if len(h.young)+len(h.old) > 2*mostHomes {
			t.Fatalf("%d and %d are remembered", len(h.young), len(h.old))
		}
		if h.Of(honest.From) != one {
			t.Fatalf("forgotten after %d others", i)
		}
	}
	honest.To = two
	h.Note(honest)
	if h.Of(honest.From) != two {
		t.Error("who asks elsewhere is answered from where he asked before")
	}
	if h.Of(client(0)).IsValid() {
		t.Error("who said nothing for long is remembered")
	}
}

func TestWithoutHomesNothingIsSaidOfThem(t *testing.T) {
	var h Homes
	h.Note(&Datagram{From: client(1)})
	if b := h.Control(nil, client(1)); len(b) != 0 || h.Of(client(1)).IsValid() {
		t.Errorf("% x", b)
	}
}
