//go:build linux

package rcce

import (
	"bytes"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/telemetry"
)

// On a host with several addresses, the server answers from the address to which the client sent. This applies to segmented and
// to single writes.
func TestBatchOfDatagramsIsSentFromAddressThatClientAddressed(t *testing.T) {
	supported := systemSegments(t)
	for _, single := range []bool{false, true} {
		conn, err := gateway.BindUDP("rcce", ":0", 25000)
		if err != nil {
			t.Fatal(err)
		}
		defer conn.Close()
		asked := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.2"), addrOf(conn).Port())
		client, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(asked)) // a connected socket receives datagrams only from this address
		if err != nil {
			t.Fatal(err)
		}
		defer client.Close()
		o := &batchWriter{sock: gateway.NewSocket(conn), door: telemetry.New().Door("rcce"), noSegments: single}
		o.locals.Record(&gateway.Datagram{From: addrOf(client), Local: asked.Addr()})
		for i := range 12 {
			o.add(addrOf(client), bytes.Repeat([]byte{byte(i)}, 1000))
		}
		o.flush()
		buf := make([]byte, 4096)
		_ = client.SetReadDeadline(time.Now().Add(time.Minute))
		for i := range 12 {
			if n, err := client.Read(buf); err != nil || n != 1000 || buf[0] != byte(i) {
				t.Fatalf("single=%v, datagram %d: %d bytes of %d, %v", single, i, n, buf[0], err)
			}
		}
		if !single && o.segmented != supported {
			t.Errorf("segmented: %v, want %v", o.segmented, supported)
		}
	}
}

// systemSegments reports whether this system supports UDP segmentation offload on a socket without packet information.
func systemSegments(t *testing.T) bool {
	o, to := newBatchWriter(t)
	for range 2 {
		o.add(addrOf(to), make([]byte, 1000))
	}
	o.flush()
	return o.segmented
}
