package rcce

import (
	"bytes"
	"net"
	"net/netip"
	"testing"
	"time"

	"golang.org/x/sys/unix"
)

// connectedSocket returns a socket of the given kind and a sender connected to it over loopback.
func connectedSocket(tb testing.TB, kind string) (*sender, datagramSocket) {
	tb.Helper()
	listen, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
	if err != nil {
		tb.Fatal(err)
	}
	conn, err := net.DialUDP("udp4", nil, listen.LocalAddr().(*net.UDPAddr))
	if err != nil {
		tb.Fatal(err)
	}
	var s datagramSocket = newPlainSocket(conn)
	if kind != "plain" {
		if s, err = newSocket(conn, kind == "gro"); err != nil {
			tb.Fatal(err)
		}
	}
	_ = conn.SetReadBuffer(4 << 20)
	tb.Cleanup(func() {
		listen.Close()
		s.close()
	})
	if err := s.write([]byte("hello")); err != nil {
		tb.Fatal(err)
	}
	var b [8]byte
	_, from, err := listen.ReadFromUDPAddrPort(b[:])
	if err != nil {
		tb.Fatal(err)
	}
	return &sender{listen, from}, s
}

// sender is an unconnected UDP socket and the address to which it sends.
type sender struct {
	conn *net.UDPConn
	to   netip.AddrPort
}

// sendBurst sends data in one call that the kernel segments into datagrams of size bytes, or one by one without UDP_SEGMENT.
func sendBurst(tb testing.TB, s *sender, data []byte, size int) {
	tb.Helper()
	raw, err := s.conn.SyscallConn()
	if err != nil {
		tb.Fatal(err)
	}
	segments := raw.Control(func(fd uintptr) { err = unix.SetsockoptInt(int(fd), unix.IPPROTO_UDP, unix.UDP_SEGMENT, size) }) == nil && err == nil
	if segments { // without UDP_SEGMENT the kernel would send one large datagram
		if _, err := s.conn.WriteToUDPAddrPort(data, s.to); err == nil {
			return
		}
	}
	for ; len(data) > 0; data = data[min(size, len(data)):] {
		if _, err := s.conn.WriteToUDPAddrPort(data[:min(size, len(data))], s.to); err != nil {
			tb.Fatal(err)
		}
	}
}

func TestSocketsReturnDatagramsUnchangedAndOneByOne(t *testing.T) {
	for _, kind := range []string{"plain", "batch", "gro"} {
		t.Run(kind, func(t *testing.T) {
			from, s := connectedSocket(t, kind)
			const size, count = 1000, 50
			data := make([]byte, count*size-300)
			for i := range data {
				data[i] = byte(i / size)
			}
			before := time.Now().UnixNano()
			sendBurst(t, from, data, size)
			got := 0
			for got < count {
				if err := s.wait(time.Now().Add(time.Minute)); err != nil {
					t.Fatal(err)
				}
				s.each(func(a arrival) {
					if want := data[got*size : min((got+1)*size, len(data))]; !bytes.Equal(a.data, want) {
						t.Fatalf("datagram %d: %d bytes, want %d", got, len(a.data), len(want))
					}
					if now := time.Now().UnixNano(); a.at < before || a.at > now {
						t.Fatalf("receive time %d, want %d..%d", a.at, before, now)
					}
					got++
				})
			}
			if err := s.wait(time.Now()); !timedOut(err) {
				t.Errorf("wait after the last datagram: %v, want a timeout", err)
			}
			s.each(func(arrival) { t.Error("an unexpected datagram is left") })
		})
	}
}

// BenchmarkRead measures reading per datagram, in bursts of 23 datagrams like those that a client receives in a crowd of 1000
// players.
func BenchmarkRead(b *testing.B) {
	for _, kind := range []string{"plain", "batch", "gro"} {
		b.Run(kind, func(b *testing.B) {
			from, s := connectedSocket(b, kind)
			data := make([]byte, 23*1400)
			take := func(arrival) {}
			b.ReportAllocs()
			var spent time.Duration
			n := 0
			end := time.Now().Add(10 * time.Minute) // the reads end at this time even if datagrams were lost
			for b.Loop() {
				sendBurst(b, from, data, 1400)
				started := time.Now()
				for got := 0; got < 23; {
					if err := s.wait(end); err != nil {
						b.Fatal(err)
					}
					s.each(func(a arrival) { got++; take(a) })
				}
				spent += time.Since(started)
				n += 23
			}
			b.ReportMetric(float64(spent.Nanoseconds())/float64(n), "ns/datagram")
		})
	}
}
