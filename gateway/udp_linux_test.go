package gateway

import (
	"errors"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// listenUDP opens a socket of the kernel until the test ends.
func listenUDP(t *testing.T, addr string) *Socket {
	t.Helper()
	conn, err := BindUDP("rcce", addr, 25000)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { conn.Close() })
	return NewSocket(conn)
}

// echo starts a server that sends each datagram back to its sender, until the test ends. It returns the server's port.
func echo(t *testing.T, addr string) uint16 {
	t.Helper()
	sock := listenUDP(t, addr)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var locals LocalAddrs
		readDatagrams(sock, telemetry.New().Door("rcce"), func(d *Datagram) {
			locals.Record(d)
			if err := sock.Write(d.Bytes(), d.From, locals.Of(d.From)); err != nil {
				t.Error(err)
			}
			d.Release()
		})
	}()
	t.Cleanup(func() { sock.Close(); <-done })
	return sock.AddrPort().Port()
}

// answered reports whether a client receives an answer from the address to which it sends. The client's socket is connected, so
// it receives datagrams from that address only.
func answered(t *testing.T, to netip.AddrPort) bool {
	t.Helper()
	c, err := net.DialUDP("udp", nil, net.UDPAddrFromAddrPort(to))
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if _, err := c.Write([]byte("hello")); err != nil {
		t.Fatal(err)
	}
	b := make([]byte, 16)
	_ = c.SetReadDeadline(time.Now().Add(time.Minute)) // the test fails if no answer arrives
	n, err := c.Read(b)
	return err == nil && string(b[:n]) == "hello"
}

// localAddresses returns local IPv4 addresses of this host, and IPv6 ones if the host has IPv6.
func localAddresses() []string {
	all := []string{"127.0.0.1", "127.0.0.2", "127.9.8.7"}
	if l, err := net.ListenUDP("udp6", &net.UDPAddr{IP: net.IPv6loopback}); err == nil {
		l.Close()
		all = append(all, "::1")
	}
	return all
}

func TestUDPAnswerIsSentFromAddressThatReceivedRequest(t *testing.T) {
	port := echo(t, ":0")
	for _, a := range localAddresses() {
		if !answered(t, netip.AddrPortFrom(netip.MustParseAddr(a), port)) {
			t.Errorf("a client of %s gets no answer from there", a)
		}
	}
}

func TestSocketBoundToOneAddressOmitsLocalAddressOfDatagrams(t *testing.T) {
	sock := listenUDP(t, "127.0.0.2:0")
	if err := sock.Write([]byte("hello"), sock.AddrPort(), netip.Addr{}); err != nil {
		t.Fatal(err)
	}
	var d Datagram
	if err := sock.read(&d); err != nil || d.Local.IsValid() || d.From != sock.AddrPort() {
		t.Errorf("%v, from %v to %v", err, d.From, d.Local)
	}
}

// A host may lose an address while a client that sent to this address is still playing.
func TestUDPAnswerIsSentFromDefaultAddressIfHostLostReceivingAddress(t *testing.T) {
	sock := listenUDP(t, ":0")
	to := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), sock.AddrPort().Port())
	for _, lost := range []string{"192.0.2.1", "2001:db8::1"} {
		if err := sock.Write([]byte("hello"), to, netip.MustParseAddr(lost)); err != nil {
			t.Errorf("from %s: %v", lost, err)
		}
		var d Datagram
		if err := sock.read(&d); err != nil || string(d.Bytes()) != "hello" {
			t.Errorf("from %s: %v, %q", lost, err, d.Bytes())
		}
	}
}

func TestPacketInfoControlMessageRoundTrips(t *testing.T) {
	for _, a := range []string{"192.0.2.7", "2001:db8::7"} {
		b := appendPacketInfo(nil, netip.MustParseAddr(a))
		if got := parsePacketInfo(b); len(b) > infoSpace || got != netip.MustParseAddr(a) {
			t.Errorf("%s: %v, %d bytes", a, got, len(b))
		}
		for n := range b {
			parsePacketInfo(b[:n]) // the call must not panic
		}
	}
	both := appendPacketInfo(appendPacketInfo(nil, netip.MustParseAddr("::ffff:255.255.255.255")), netip.MustParseAddr("192.0.2.7"))
	if got := parsePacketInfo(both); got != netip.MustParseAddr("192.0.2.7") {
		t.Errorf("local address of a broadcast: %v", got)
	}
	if got := parsePacketInfo(appendPacketInfo(nil, netip.MustParseAddr("::ffff:192.0.2.7"))); got.IsValid() {
		t.Errorf("IPv4 address in IPv6 packet information alone: %v", got)
	}
}

func TestSocketReadAndWriteDoNotAllocate(t *testing.T) {
	sock := listenUDP(t, ":0")
	to := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.2"), sock.AddrPort().Port())
	var locals LocalAddrs
	d, payload := NewDatagram(), []byte("hello")
	once := func() {
		if err := sock.Write(payload, to, locals.Of(to)); err != nil {
			t.Fatal(err)
		}
		if err := sock.read(d); err != nil || !d.Local.IsValid() {
			t.Fatalf("%v, to %v", err, d.Local)
		}
		locals.Record(d)
		locals.Record(&Datagram{From: to, Local: d.Local})
	}
	once()
	if n := testing.AllocsPerRun(100, once); n >= 1 {
		t.Errorf("%.1f allocations", n)
	}
}

// The kernel refuses a source address that this host does not have, and more than 128 segments, with errors that may also mean that
// segmentation is not supported. Only if such an error comes before any success, and without a source address, the socket stops to use it.
func TestSegmentsAreUsedUntilErrorShowsThatTheyAreNotSupported(t *testing.T) {
	good, none := netip.MustParseAddr("127.0.0.1"), netip.Addr{}
	sock := listenUDP(t, ":0")
	to := netip.AddrPortFrom(good, sock.AddrPort().Port())
	for i, c := range []struct {
		bytes int // in segments of 10 bytes
		local netip.Addr
		sent  bool
	}{{25, netip.MustParseAddr("192.0.2.1"), false}, {25, netip.MustParseAddr("2001:db8::1"), false}, {25, good, true}, {2000, none, false}, {25, none, true}} {
		if sent, err := sock.WriteSegments(make([]byte, c.bytes), 10, to, c.local); sent != c.sent || err != nil {
			t.Fatalf("call %d: sent %v, %v, want %v", i, sent, err, c.sent)
		}
		for _, want := range []int{10, 10, 5} {
			var d Datagram
			if c.sent {
				if err := sock.read(&d); err != nil || d.N != want || d.Local != good {
					t.Errorf("call %d: %v, %d bytes to %v, want %d", i, err, d.N, d.Local, want)
				}
			}
		}
	}
	fresh := listenUDP(t, "127.0.0.1:0")
	for _, size := range []int{2000, 25} {
		if sent, err := fresh.WriteSegments(make([]byte, size), 10, to, none); sent || err != nil {
			t.Errorf("%d bytes through a socket whose first call failed: sent %v, %v", size, sent, err)
		}
	}
	sock.Close()
	if sent, err := sock.WriteSegments(make([]byte, 25), 10, to, none); !sent || !errors.Is(err, net.ErrClosed) {
		t.Errorf("closed socket: sent %v, %v", sent, err)
	}
}
