package netsim

import (
	"context"
	"encoding/binary"
	"errors"
	"fmt"
	"net"
	"net/netip"
	"os"
	"slices"
	"syscall"
	"testing"
	"testing/synctest"
	"time"
)

// twoHosts returns a network of the hosts a and b. Host a has two addresses.
func twoHosts(seed uint64) (n *Network, a, b *Host) {
	n = New(seed)
	return n, n.Host("10.0.0.1", "10.0.0.2"), n.Host("10.0.0.3")
}

func listenPacket(t testing.TB, h *Host, addr string) *PacketConn {
	t.Helper()
	c, err := h.ListenPacket(addr)
	if err != nil {
		t.Fatal(err)
	}
	return c
}

func dialUDP(t testing.TB, h *Host, addr string) *PacketConn {
	t.Helper()
	c, err := h.Dial(t.Context(), "udp", addr)
	if err != nil {
		t.Fatal(err)
	}
	return c.(*PacketConn)
}

func TestReceivedDatagramHasAddressesOfSenderAndReceiver(t *testing.T) {
	_, a, b := twoHosts(1)
	server := listenPacket(t, a, ":7")
	for _, at := range []string{"10.0.0.1", "10.0.0.2"} {
		client := dialUDP(t, b, at+":7")
		if _, err := client.Write([]byte("ping")); err != nil {
			t.Fatal(err)
		}
		buf := make([]byte, 2)
		n, from, local, err := server.ReadDatagram(buf)
		if err != nil || string(buf[:n]) != "pi" || from != client.AddrPort() || local.String() != at {
			t.Errorf("%q from %v to %v: %v", buf[:n], from, local, err)
		}
		if err := server.WriteDatagram([]byte("pong"), from, local); err != nil {
			t.Fatal(err)
		}
		if n, err := client.Read(buf); err != nil || n != 2 {
			t.Errorf("%d bytes, %v", n, err)
		}
	}
}

func TestConnectedSocketReceivesOnlyFromItsPeer(t *testing.T) {
	_, a, b := twoHosts(1)
	peer, stranger := listenPacket(t, a, "10.0.0.1:7"), listenPacket(t, a, "10.0.0.2:7")
	c := dialUDP(t, b, "10.0.0.1:7")
	for _, from := range []*PacketConn{stranger, peer} {
		if _, err := from.WriteTo([]byte(from.AddrPort().String()), c.LocalAddr()); err != nil {
			t.Fatal(err)
		}
	}
	buf := make([]byte, 32)
	if n, from, err := c.ReadFrom(buf); err != nil || string(buf[:n]) != "10.0.0.1:7" || from.String() != "10.0.0.1:7" {
		t.Errorf("%q from %v, %v", buf[:n], from, err)
	}
}

func TestBindingSocketToAddressInUseFails(t *testing.T) {
	_, a, _ := twoHosts(1)
	all := listenPacket(t, a, ":7")
	for addr, want := range map[string]error{
		"10.0.0.1:7": syscall.EADDRINUSE, ":7": syscall.EADDRINUSE, "10.0.0.3:7": syscall.EADDRNOTAVAIL,
	} {
		if _, err := a.ListenPacket(addr); !errors.Is(err, want) {
			t.Errorf("%s: %v, want %v", addr, err, want)
		}
	}
	if err := all.Close(); err != nil {
		t.Fatal(err)
	}
	listenPacket(t, a, "10.0.0.1:7")
	one, two := listenPacket(t, a, ":0"), listenPacket(t, a, ":0")
	if one.AddrPort() == two.AddrPort() || one.AddrPort().Addr() != a.Addr() {
		t.Errorf("%v and %v", one.AddrPort(), two.AddrPort())
	}
	for _, addr := range []string{"nowhere", "10.0.0.1:x", "host:7"} {
		if _, err := a.ListenPacket(addr); err == nil {
			t.Errorf("listening on %q succeeds", addr)
		}
		if _, err := a.Dial(t.Context(), "udp", addr); err == nil {
			t.Errorf("dialling %q succeeds", addr)
		}
	}
}

func TestDatagramToClosedPortIsRefused(t *testing.T) {
	_, _, b := twoHosts(1)
	c := dialUDP(t, b, "10.0.0.1:7")
	if _, err := c.Write([]byte("x")); err != nil {
		t.Fatal(err)
	}
	if _, err := c.Read(make([]byte, 1)); !errors.Is(err, syscall.ECONNREFUSED) {
		t.Errorf("read after a datagram to a closed port: %v, want ECONNREFUSED", err)
	}
	lost := dialUDP(t, b, "192.0.2.1:7")
	if _, err := lost.Write([]byte("x")); err != nil {
		t.Errorf("write to an address without a host: %v", err)
	}
}

func TestBlockedReadEndsAtDeadlineOrClose(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		_, a, b := twoHosts(1)
		server, client := listenPacket(t, a, ":7"), dialUDP(t, b, "10.0.0.1:7")
		began := time.Now()
		for _, wait := range []time.Duration{time.Second, 3 * time.Second, -time.Second} {
			_ = client.SetReadDeadline(time.Now().Add(wait))
			if _, err := client.Read(nil); !errors.Is(err, os.ErrDeadlineExceeded) {
				t.Fatal(err)
			}
		}
		if past := time.Since(began); past != 4*time.Second {
			t.Errorf("deadlines passed after %v", past)
		}
		_ = client.SetReadDeadline(time.Time{})
		time.AfterFunc(time.Minute, func() { client.Close() })
		time.AfterFunc(2*time.Minute, func() { server.Close() })
		if _, err := client.Read(nil); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		if _, _, err := server.ReadFrom(nil); !errors.Is(err, net.ErrClosed) {
			t.Error(err)
		}
		if past := time.Since(began); past != 2*time.Minute+4*time.Second {
			t.Errorf("reads ended after %v", past)
		}
		for _, err := range []error{client.Close(), client.SetDeadline(time.Time{}), client.send(nil, server.AddrPort(), netip.Addr{})} {
			if !errors.Is(err, net.ErrClosed) {
				t.Errorf("after Close: %v", err)
			}
		}
	})
}

// runTenMinutes sends a numbered datagram every 20 ms for ten minutes of virtual time, and returns the numbers in order of
// arrival and the counters of the network. others is the number of further sockets with traffic.
func runTenMinutes(t *testing.T, seed uint64, others int) (order []uint32, counts Counts) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := twoHosts(seed)
		n.Impair(a, b, Impairment{}, Impairment{DelayMS: 40, JitterMS: 30, Loss: 0.1, Duplicate: 0.02, Reorder: 0.05})
		server, client := listenPacket(t, a, ":7"), dialUDP(t, b, "10.0.0.1:7")
		for range others { // the traffic of these other sockets must not change the losses of this client
			c := dialUDP(t, b, "10.0.0.2:7")
			defer c.Close()
			_, _ = c.Write([]byte{0, 0, 0, 0})
		}
		go func() {
			for i := range uint32(10 * 60 * 50) {
				_, _ = client.Write(binary.BigEndian.AppendUint32(nil, i))
				time.Sleep(20 * time.Millisecond)
			}
			time.Sleep(time.Second)
			counts = n.Counts()
			client.Close()
			server.Close()
		}()
		for {
			var b [4]byte
			_, _, local, err := server.ReadDatagram(b[:])
			if err != nil {
				return
			}
			if local == a.Addr() {
				order = append(order, binary.BigEndian.Uint32(b[:]))
			}
		}
	})
	return order, counts
}

func TestNetworksWithEqualSeedsLoseSameDatagrams(t *testing.T) {
	began := time.Now()
	one, counts := runTenMinutes(t, 42, 0)
	t.Logf("ten minutes took %v: %+v", time.Since(began), counts)
	if lost := float64(counts.Lost) / float64(counts.Sent); counts.Sent != 30000 || lost < 0.09 || lost > 0.11 {
		t.Errorf("%+v: want 10%% of 30000 lost", counts)
	}
	if uint64(len(one)) != counts.Delivered || slices.IsSorted(one) {
		t.Errorf("%d arrived, sorted %v; %+v", len(one), slices.IsSorted(one), counts)
	}
	if two, _ := runTenMinutes(t, 42, 3); !slices.Equal(one, two) {
		t.Error("equal seeds give another order when other sockets have traffic")
	}
	if other, _ := runTenMinutes(t, 43, 0); slices.Equal(one, other) {
		t.Error("different seeds give the same order")
	}
}

func TestDatagramIsDelayedInVirtualTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		n, a, b := twoHosts(1)
		n.Impair(a, b, Impairment{DelayMS: 30}, Impairment{DelayMS: 70})
		server, client := listenPacket(t, a, ":7"), dialUDP(t, b, "10.0.0.1:7")
		defer server.Close()
		defer client.Close()
		began := time.Now()
		_, _ = client.Write([]byte("x"))
		_, from, _ := server.ReadFrom(make([]byte, 1))
		if d := time.Since(began); d != 70*time.Millisecond {
			t.Errorf("one-way delay %v", d)
		}
		_, _ = server.WriteTo([]byte("x"), from)
		_, _ = client.Read(make([]byte, 1))
		if d := time.Since(began); d != 100*time.Millisecond {
			t.Errorf("round trip %v", d)
		}
		n.Impair(a, b, Impairment{}, Impairment{Loss: 1})
		_, _ = client.Write([]byte("x"))
		_ = server.SetReadDeadline(time.Now().Add(time.Hour))
		if _, _, err := server.ReadFrom(nil); !errors.Is(err, os.ErrDeadlineExceeded) {
			t.Errorf("read over a link with full loss: %v, want a timeout", err)
		}
	})
}

func Example() {
	bubble := func(t *testing.T) { // bubble is to be passed to synctest.Test
		network := New(1)
		server, player := network.Host("10.0.0.1"), network.Host("10.0.1.1")
		network.Impair(server, player, Impairment{DelayMS: 40, Loss: 0.1}, Impairment{DelayMS: 40, Loss: 0.1})
		socket, err := server.ListenPacket(":19132") // a gateway takes this socket as Options.Conn
		if err != nil {
			t.Fatal(err)
		}
		conn, err := player.Dial(context.Background(), "udp", "10.0.0.1:19132") // a client takes player.Dial as Options.Dial
		if err != nil {
			t.Fatal(err)
		}
		fmt.Println(socket.LocalAddr(), conn.LocalAddr())
	}
	bubble(nil)
	// Output: [::]:19132 10.0.1.1:49152
}
