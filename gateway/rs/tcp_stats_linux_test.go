package rs

import (
	"net"
	"testing"

	"github.com/truestep-io/truestep/session"
)

// For a TCP connection of the kernel, the RTT and the counts of sent segments are stored.
func TestRoundTripTimeOfTCPConnectionIsStoredInSession(t *testing.T) {
	l, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		t.Fatal(err)
	}
	defer l.Close()
	here, err := net.Dial("tcp", l.Addr().String())
	if err != nil {
		t.Fatal(err)
	}
	defer here.Close()
	there, err := l.Accept()
	if err != nil {
		t.Fatal(err)
	}
	defer there.Close()
	if _, err := there.Write(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	if _, err := here.Read(make([]byte, 100)); err != nil {
		t.Fatal(err)
	}
	var link session.Link
	link.RTT.Store(-1)
	link.Loss.Store(-1)
	var look tcpStats
	look.store(there, &link)
	if got := link.Stats(); got.RTT < 0 || got.RTT > 1000 || got.Loss != 0 {
		t.Errorf("link statistics %+v", got)
	}
}
