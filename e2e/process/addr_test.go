package process

import (
	"net"
	"testing"
)

func TestStableAddrIsFreeAndOutsidePortsOfClients(t *testing.T) {
	for range 20 {
		addr, err := StableAddr()
		if err != nil {
			t.Fatal(err)
		}
		l, err := net.Listen("tcp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer l.Close()
		u, err := net.ListenPacket("udp", addr)
		if err != nil {
			t.Fatal(err)
		}
		defer u.Close()
		if port := l.Addr().(*net.TCPAddr).Port; port < firstPort || port > lastPort {
			t.Errorf("the port is %d", port)
		}
	}
}
