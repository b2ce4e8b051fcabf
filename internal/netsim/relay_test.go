package netsim

import (
	"context"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/internal/leaktest"
)

func listen(t *testing.T) *net.UDPConn {
	t.Helper()
	c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(func() { c.Close() })
	c.SetDeadline(time.Now().Add(time.Minute))
	return c
}

func local(c *net.UDPConn) netip.AddrPort { return c.LocalAddr().(*net.UDPAddr).AddrPort() }

// read returns one datagram and its sender.
func read(t *testing.T, c *net.UDPConn) (string, netip.AddrPort) {
	t.Helper()
	buf := make([]byte, 1500)
	n, from, err := c.ReadFromUDPAddrPort(buf)
	if err != nil {
		t.Fatal(err)
	}
	return string(buf[:n]), from
}

func send(t *testing.T, c *net.UDPConn, to netip.AddrPort, data string) {
	t.Helper()
	if _, err := c.WriteToUDPAddrPort([]byte(data), to); err != nil {
		t.Fatal(err)
	}
}

func TestRelayForwardsBothWaysWithOnePortPerClient(t *testing.T) {
	defer leaktest.VerifyNone(t)
	target, a, b := listen(t), listen(t), listen(t)
	r, err := NewRelay(context.Background(), local(target), Impairment{DelayMS: 1}, Impairment{JitterMS: 2}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()

	ports := map[string]netip.AddrPort{}
	for name, c := range map[string]*net.UDPConn{"a": a, "b": b} {
		send(t, c, r.Addr(), name)
		got, from := read(t, target)
		if got != name {
			t.Fatalf("target got %q, want %q", got, name)
		}
		ports[name] = from
	}
	if ports["a"] == ports["b"] {
		t.Error("both clients came from one port")
	}
	for name, c := range map[string]*net.UDPConn{"a": a, "b": b} {
		send(t, target, ports[name], "for "+name)
		if got, from := read(t, c); got != "for "+name || from != r.Addr() {
			t.Errorf("client %s got %q from %v", name, got, from)
		}
	}
}

func TestRelayRebindChangesUpstreamPort(t *testing.T) {
	defer leaktest.VerifyNone(t)
	target, a := listen(t), listen(t)
	r, err := NewRelay(context.Background(), local(target), Impairment{}, Impairment{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	send(t, a, r.Addr(), "1")
	_, first := read(t, target)
	r.Rebind()
	send(t, a, r.Addr(), "2")
	_, second := read(t, target)
	if first == second {
		t.Errorf("datagrams still come from %v after Rebind", first)
	}
	send(t, target, second, "back")
	if got, _ := read(t, a); got != "back" {
		t.Errorf("client got %q", got)
	}
}

func TestRelayEndsWhenContextIsCancelled(t *testing.T) {
	defer leaktest.VerifyNone(t)
	target, a := listen(t), listen(t)
	ctx, cancel := context.WithCancel(context.Background())
	r, err := NewRelay(ctx, local(target), Impairment{}, Impairment{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	send(t, a, r.Addr(), "1")
	read(t, target)
	cancel()
	r.group.Wait()
	r.Rebind() // must return although the loop has ended
}

func TestRelayWithFullLossDeliversNothing(t *testing.T) {
	defer leaktest.VerifyNone(t)
	target, a := listen(t), listen(t)
	r, err := NewRelay(context.Background(), local(target), Impairment{Loss: 1}, Impairment{}, 1)
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	send(t, a, r.Addr(), "1")
	target.SetDeadline(time.Now().Add(20 * time.Millisecond))
	if n, _, err := target.ReadFromUDPAddrPort(make([]byte, 10)); err == nil {
		t.Errorf("%d bytes received over a path with full loss", n)
	}
}
