package rcce

import (
	"bytes"
	"fmt"
	"net"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/telemetry"
)

// newBatchWriter returns a batch writer on a loopback socket, and a second socket for it to write to.
func newBatchWriter(t testing.TB) (*batchWriter, *net.UDPConn) {
	t.Helper()
	listen := func() *net.UDPConn {
		c, err := net.ListenUDP("udp4", &net.UDPAddr{IP: net.IPv4(127, 0, 0, 1)})
		if err != nil {
			t.Fatal(err)
		}
		t.Cleanup(func() { c.Close() })
		_ = c.SetReadBuffer(4 << 20)
		return c
	}
	return &batchWriter{sock: gateway.NewSocket(listen()), door: telemetry.New().Door("rcce")}, listen()
}

func addrOf(c *net.UDPConn) netip.AddrPort { return c.LocalAddr().(*net.UDPAddr).AddrPort() }

func TestDatagramsWrittenInBatchArriveAsSeparateDatagrams(t *testing.T) {
	for _, single := range []bool{false, true} {
		for _, sizes := range [][]int{{5}, {100, 100, 100}, {1400, 1400, 1400, 33}, {33, 1400}, {10, 20, 20, 5, 5, 5, 1400}} {
			t.Run(fmt.Sprintf("single=%v/%v", single, sizes), func(t *testing.T) {
				o, to := newBatchWriter(t)
				o.noSegments = single
				var want [][]byte
				for i, n := range sizes {
					b := bytes.Repeat([]byte{byte(i + 1)}, n)
					want = append(want, b)
					o.add(addrOf(to), b)
				}
				o.flush()
				buf := make([]byte, 4096)
				_ = to.SetReadDeadline(time.Now().Add(time.Minute))
				for i, w := range want {
					n, err := to.Read(buf)
					if err != nil || !bytes.Equal(buf[:n], w) {
						t.Fatalf("datagram %d: %d bytes, %v; want %d bytes", i, n, err, len(w))
					}
				}
			})
		}
	}
}

func TestBatchBeyondSegmentLimitIsWrittenCompletely(t *testing.T) {
	o, to := newBatchWriter(t)
	const count = 150
	buf, read := make([]byte, 4096), 0
	_ = to.SetReadDeadline(time.Now().Add(time.Minute))
	readUntil := func(sent int) {
		for ; read < sent; read++ {
			if n, err := to.Read(buf); err != nil || n != 1200 || buf[0] != byte(read) {
				t.Fatalf("datagram %d: %d bytes beginning with %d, %v", read, n, buf[0], err)
			}
		}
	}
	for i := range count {
		o.add(addrOf(to), bytes.Repeat([]byte{byte(i)}, 1200))
		readUntil(i + 1 - o.count) // read each batch immediately, because all batches together overflow the socket buffers of some systems
	}
	o.flush()
	readUntil(count)
}

func TestWritingBatchOfDatagramsDoesNotAllocate(t *testing.T) {
	o, to := newBatchWriter(t)
	at, b := addrOf(to), make([]byte, 1200)
	writeBatch := func() {
		for range 8 {
			o.add(at, b)
		}
		o.flush()
	}
	writeBatch()
	if n := testing.AllocsPerRun(100, writeBatch); n > 0 {
		t.Errorf("a batch allocates %v times, want 0", n)
	}
}

func BenchmarkBatchWriter(b *testing.B) {
	for _, single := range []bool{true, false} {
		b.Run(fmt.Sprintf("12x1400/single=%v", single), func(b *testing.B) {
			o, to := newBatchWriter(b)
			o.noSegments = single
			go func() {
				buf := make([]byte, 4096)
				for {
					if _, err := to.Read(buf); err != nil {
						return
					}
				}
			}()
			at, d := addrOf(to), make([]byte, 1400)
			b.ReportAllocs()
			for b.Loop() {
				for range 12 {
					o.add(at, d)
				}
				o.flush()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/12, "ns/datagram")
		})
	}
}
