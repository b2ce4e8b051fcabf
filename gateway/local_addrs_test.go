package gateway

import (
	"net/netip"
	"testing"
)

// clientAddr returns the address of client number i.
func clientAddr(i int) netip.AddrPort {
	return netip.AddrPortFrom(netip.AddrFrom4([4]byte{10, byte(i >> 16), byte(i >> 8), byte(i)}), 1000)
}

// The memory of LocalAddrs is bounded during a flood from many addresses, and the flood does not displace clients that keep
// sending.
func TestNumberOfStoredLocalAddressesIsLimitedDuringFlood(t *testing.T) {
	var l LocalAddrs
	one, two := netip.MustParseAddr("192.0.2.1"), netip.MustParseAddr("192.0.2.2")
	regular := &Datagram{From: netip.MustParseAddrPort("198.51.100.7:19132"), Local: one}
	for i := range 5 * maxLocalAddrs {
		if i%maxLocalAddrs == 0 {
			l.Record(regular)
		}
		l.Record(&Datagram{From: clientAddr(i), Local: two})
		if len(l.young)+len(l.old) > 2*maxLocalAddrs {
			t.Fatalf("%d young and %d old entries", len(l.young), len(l.old))
		}
		if l.Of(regular.From) != one {
			t.Fatalf("regular client forgotten after %d others", i)
		}
	}
	regular.Local = two
	l.Record(regular)
	if l.Of(regular.From) != two {
		t.Error("a client that sends to another address is still answered from the former one")
	}
	if l.Of(clientAddr(0)).IsValid() {
		t.Error("the oldest client of the flood is still remembered")
	}
}

func TestDatagramWithoutLocalAddressIsNotStored(t *testing.T) {
	var l LocalAddrs
	l.Record(&Datagram{From: clientAddr(1)})
	if local := l.Of(clientAddr(1)); local.IsValid() || len(l.young) != 0 {
		t.Errorf("%v, %d entries", local, len(l.young))
	}
}
