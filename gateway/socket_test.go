package gateway

import (
	"net"
	"net/netip"
	"testing"
)

// mappedConn is a Conn without optional interfaces. It reports the addresses of IPv4 senders as IPv4-mapped IPv6 addresses, as
// a dual-stack socket of the kernel does.
type mappedConn struct {
	from netip.AddrPort
	sent []string
}

func (c *mappedConn) ReadFromUDPAddrPort(b []byte) (int, netip.AddrPort, error) {
	from := netip.AddrPortFrom(netip.AddrFrom16(c.from.Addr().As16()), c.from.Port())
	return copy(b, "hello"), from, nil
}

func (c *mappedConn) WriteToUDPAddrPort(b []byte, _ netip.AddrPort) (int, error) {
	c.sent = append(c.sent, string(b))
	return len(b), nil
}

func (c *mappedConn) LocalAddr() net.Addr { return net.UDPAddrFromAddrPort(c.from) }

func (c *mappedConn) Close() error { return nil }

func TestSocketWithoutSegmentationOffloadReceivesAndSendsDatagrams(t *testing.T) {
	from := netip.MustParseAddrPort("192.0.2.1:7")
	conn := &mappedConn{from: from}
	sock := NewSocket(conn)
	d := NewDatagram()
	defer d.Release()
	d.Local = netip.MustParseAddr("192.0.2.9") // value from a previous use of the pooled datagram
	if err := sock.read(d); err != nil || string(d.Bytes()) != "hello" || d.From != from || d.Local.IsValid() {
		t.Errorf("%v, %q from %v to %v", err, d.Bytes(), d.From, d.Local)
	}
	if sent, err := sock.WriteSegments([]byte("aab"), 2, from, netip.Addr{}); sent || err != nil {
		t.Errorf("segmented: %v, %v", sent, err)
	}
	if err := sock.Write([]byte("aa"), from, netip.MustParseAddr("192.0.2.9")); err != nil || len(conn.sent) != 1 || conn.sent[0] != "aa" {
		t.Errorf("%v, sent %q", err, conn.sent)
	}
}
