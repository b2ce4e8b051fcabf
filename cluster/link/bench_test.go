package link

import (
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"testing"
	"time"
)

// counter is a handler that counts frames and tells when a number of them has arrived.
type counter struct {
	up   chan struct{}
	left int
	done chan struct{}
}

func (c *counter) Up(uint64, Hello)   { c.up <- struct{}{} }
func (c *counter) Down(uint64, error) {}

func (c *counter) Receive(uint64, byte, []byte) {
	if c.left--; c.left == 0 {
		c.done <- struct{}{}
	}
}

// wait waits until the number of frames has arrived. The test fails if that takes longer than loopbackLimit.
func (c *counter) wait(t testing.TB) {
	t.Helper()
	select {
	case <-c.done:
	case <-time.After(loopbackLimit):
		t.Fatal("frames have not arrived")
	}
}

// loopbackLimit is the time limit for links and frames over sockets of this machine, which may be busy. These links are closed only
// after the same time without data, because nothing here tests how long a node may pause.
const loopbackLimit = time.Minute

func TestMessagesOfAnySizeArriveOverRealTCPSockets(t *testing.T) {
	from, to := pair(t)
	sizes := []int{0, 100, smallFrame, 1 << 20, 5}
	to.left = len(sizes)
	for _, size := range sizes {
		if !from.Send(2, FirstKind, make([]byte, size)) {
			t.Fatal("queue is full")
		}
	}
	to.wait(t)
}

// BenchmarkLoopback sends frames from one node to another over TLS and sockets of the kernel.
func BenchmarkLoopback(b *testing.B) {
	for _, size := range []int{32, 1 << 10, 10 << 10, 1 << 20} {
		b.Run(fmt.Sprint("bytes=", size), func(b *testing.B) {
			batch := max(1, min(64, 1<<20/size)) // frames in flight
			from, to := pair(b)
			body := make([]byte, size)
			b.SetBytes(int64(size * batch))
			b.ReportAllocs()
			for b.Loop() {
				to.left = batch
				for range batch {
					if !from.Send(2, FirstKind, body) {
						b.Fatal("queue is full")
					}
				}
				to.wait(b)
			}
			b.ReportMetric(float64(b.N*batch)/b.Elapsed().Seconds(), "frames/s")
		})
	}
}

// pair returns node a, which is connected to a node b, and the handler of b.
func pair(b testing.TB) (from *Mesh, to *counter) {
	dir := b.TempDir()
	if _, err := CreateKeys(dir, "world", abc[:2]); err != nil {
		b.Fatal(err)
	}
	second, err := net.Listen("tcp", "127.0.0.1:0")
	if err != nil {
		b.Fatal(err)
	}
	nodes := []Node{{1, "a", "127.0.0.1:0"}, {2, "b", second.Addr().String()}}
	to = &counter{up: make(chan struct{}, 2), done: make(chan struct{}, 1)}
	var meshes []*Mesh
	for i, n := range nodes {
		keys, err := LoadKeys(filepath.Join(dir, n.Name))
		if err != nil {
			b.Fatal(err)
		}
		cfg := Config{
			Cluster: "world", Nodes: nodes, Self: n.ID, Keys: keys, Handler: to, ListenAddr: n.Addr, Log: slog.New(slog.DiscardHandler), QueueBytes: 1 << 30,
			silence: loopbackLimit, stall: loopbackLimit,
		}
		if i == 1 {
			cfg.Listen = func(string, string) (net.Listener, error) { return second, nil }
		}
		m, err := New(cfg)
		if err != nil {
			b.Fatal(err)
		}
		b.Cleanup(m.Close)
		meshes = append(meshes, m)
	}
	for _, m := range meshes {
		m.Start()
	}
	for range meshes {
		select {
		case <-to.up:
		case <-time.After(loopbackLimit):
			b.Fatal("no link")
		}
	}
	return meshes[0], to
}
