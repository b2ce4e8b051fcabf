package gateway

import (
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// answering is a socket that answers each datagram with itself, until the test ends. It returns its port.
func answering(t *testing.T, addr string) uint16 {
	t.Helper()
	conn, err := BindUDP("rcce", addr, 25000)
	if err != nil {
		t.Fatal(err)
	}
	Prepare(conn)
	done := make(chan struct{})
	go func() {
		defer close(done)
		var homes Homes
		_ = ReadUDP(conn, telemetry.New().Door("rcce"), func(d *Datagram) {
			homes.Note(d)
			if err := homes.Send(conn, d.Bytes(), d.From); err != nil {
				t.Error(err)
			}
			d.Release()
		})
	}()
	t.Cleanup(func() { conn.Close(); <-done })
	return conn.LocalAddr().(*net.UDPAddr).AddrPort().Port()
}

// hears tells whether a client that speaks to one address gets its answer from there: its socket takes no other.
func hears(t *testing.T, to netip.AddrPort) bool {
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
	_ = c.SetReadDeadline(time.Now().Add(time.Minute)) // an answer that never comes; a busy machine is waited for
	n, err := c.Read(b)
	return err == nil && string(b[:n]) == "hello"
}

// ownAddresses is addresses of this machine that a client may ask; IPv6 if it has that.
func ownAddresses() []string {
	all := []string{"127.0.0.1", "127.0.0.2", "127.9.8.7"}
	if l, err := net.ListenUDP("udp6", &net.UDPAddr{IP: net.IPv6loopback}); err == nil {
		l.Close()
		all = append(all, "::1")
	}
	return all
}

// A machine has several addresses, and its door is open on all: who asks one hears its answer from that one.
func TestAnswersLeaveFromWhereTheyWereAsked(t *testing.T) {
	port := answering(t, ":0")
	for _, a := range ownAddresses() {
		if !hears(t, netip.AddrPortFrom(netip.MustParseAddr(a), port)) {
			t.Errorf("who asks %s hears nothing from there", a)
		}
	}
}

func TestASocketOfOneAddressNeedsNoHomes(t *testing.T) {
	conn, err := BindUDP("rcce", "127.0.0.2:0", 25000)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	Prepare(conn)
	at := conn.LocalAddr().(*net.UDPAddr).AddrPort()
	if _, err := conn.WriteToUDPAddrPort([]byte("hello"), at); err != nil {
		t.Fatal(err)
	}
	var d Datagram
	if err := readDatagram(conn, &d); err != nil || d.To.IsValid() || d.From != at {
		t.Errorf("%v, from %v to %v", err, d.From, d.To)
	}
}

// The machine may lose an address while a client that asked there still plays.
func TestAnAddressThatIsGoneIsNotInsistedOn(t *testing.T) {
	conn, err := BindUDP("rcce", ":0", 25000)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	to := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.1"), conn.LocalAddr().(*net.UDPAddr).AddrPort().Port())
	for _, gone := range []string{"192.0.2.1", "2001:db8::1"} {
		var homes Homes
		homes.Note(&Datagram{From: to, To: netip.MustParseAddr(gone)})
		if err := homes.Send(conn, []byte("hello"), to); err != nil {
			t.Errorf("from %s: %v", gone, err)
		}
		var d Datagram
		if err := readDatagram(conn, &d); err != nil || string(d.Bytes()) != "hello" {
			t.Errorf("from %s: %v, %q", gone, err, d.Bytes())
		}
	}
}

func TestControlMessagesAreReadAsTheyAreWritten(t *testing.T) {
	for _, a := range []string{"192.0.2.7", "2001:db8::7"} {
		b := appendSource(nil, netip.MustParseAddr(a))
		if got := homeIn(b); len(b) > ControlRoom || got != netip.MustParseAddr(a) {
			t.Errorf("%s: %v, %d bytes", a, got, len(b))
		}
		for n := range b {
			homeIn(b[:n]) // does not panic
		}
	}
	both := appendSource(appendSource(nil, netip.MustParseAddr("::ffff:255.255.255.255")), netip.MustParseAddr("192.0.2.7"))
	if got := homeIn(both); got != netip.MustParseAddr("192.0.2.7") {
		t.Errorf("a datagram to everybody came in at %v", got)
	}
	if got := homeIn(appendSource(nil, netip.MustParseAddr("::ffff:192.0.2.7"))); got.IsValid() {
		t.Errorf("an address of IPv4 in the words of IPv6 alone: %v", got)
	}
}

func TestReadingAndAnsweringAllocateNothing(t *testing.T) {
	conn, err := BindUDP("rcce", ":0", 25000)
	if err != nil {
		t.Fatal(err)
	}
	defer conn.Close()
	Prepare(conn)
	to := netip.AddrPortFrom(netip.MustParseAddr("127.0.0.2"), conn.LocalAddr().(*net.UDPAddr).AddrPort().Port())
	var homes Homes
	d, word := NewDatagram(), []byte("hello")
	once := func() {
		if err := homes.Send(conn, word, to); err != nil {
			t.Fatal(err)
		}
		if err := readDatagram(conn, d); err != nil || !d.To.IsValid() {
			t.Fatalf("%v, to %v", err, d.To)
		}
		homes.Note(d)
		homes.Note(&Datagram{From: to, To: d.To})
	}
	once()
	if n := testing.AllocsPerRun(100, once); n >= 1 {
		t.Errorf("%.1f allocations", n)
	}
}
