package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"os"
	"path/filepath"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/internal/netsim"
)

// realLinks are meshes of package link on a network in memory.
type realLinks struct {
	handlers
	t        *testing.T
	keys     [3]*link.Keys
	hosts    [3]*netsim.Host
	meshes   [3]*link.Mesh
	nodes    []link.Node
	gates    [3]*gate     // by sending node
	conns    []*gatedConn // of node 1, which dials
	accepted []*clog      // of the connections that node 2 has accepted
	mu       sync.Mutex
}

func newRealLinks(t *testing.T) *realLinks {
	r := &realLinks{t: t}
	net, dir := netsim.New(1), t.TempDir()
	if _, err := link.CreateKeys(dir, "world", []string{"n1", "n2"}); err != nil {
		t.Fatal(err)
	}
	for id := 1; id <= 2; id++ {
		name, addr := fmt.Sprint("n", id), fmt.Sprint("10.0.0.", id)
		r.nodes = append(r.nodes, link.Node{ID: uint64(id), Name: name, Addr: addr + ":7"})
		r.hosts[id], r.gates[id] = net.Host(addr), newGate()
		var err error
		if r.keys[id], err = link.LoadKeys(filepath.Join(dir, name)); err != nil {
			t.Fatal(err)
		}
	}
	return r
}

func (r *realLinks) start(node, incarnation uint64) {
	r.handlers[node] = new(told)
	m, err := link.New(link.Config{
		Cluster: "world", Nodes: r.nodes, Self: node, Incarnation: incarnation, Formats: "1", Program: "v1", Rules: 7, Keys: r.keys[node],
		Handler: r.handlers[node], Log: slog.New(slog.DiscardHandler), QueueBytes: linkQueue,
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := r.hosts[node].Dial(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			g := &gatedConn{Conn: c, out: r.gates[node], in: r.gates[3-node], closed: make(chan struct{})}
			go g.carry()
			r.mu.Lock()
			defer r.mu.Unlock()
			r.conns = append(r.conns, g)
			return g, nil
		},
		Listen: func(_, addr string) (net.Listener, error) {
			l, err := r.hosts[node].Listen(addr)
			return clogListener{l, r}, err
		},
	})
	if err != nil {
		r.t.Fatal(err)
	}
	r.meshes[node] = m
	m.Start()
}

// kill closes all connections of the process, as the system does when the process ends. The handler of that process is not called.
func (r *realLinks) kill(node uint64) {
	r.handlers[node] = new(told)
	r.reset()
	r.meshes[node].Close()
}

func (r *realLinks) send(from uint64, number int) bool {
	kind, body := frameOf(number)
	return r.meshes[from].Send(3-from, kind, body)
}

func (r *realLinks) reset() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		c.Conn.Close()
	}
	r.conns = nil
}

func (r *realLinks) block(from uint64, blocked bool) { r.gates[from].set(blocked) }
func (r *realLinks) wait(d time.Duration)            { time.Sleep(d); synctest.Wait() }
func (r *realLinks) clog(from uint64, full bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	if from == 2 {
		for _, c := range r.accepted {
			c.set(full)
		}
		return
	}
	for _, c := range r.conns {
		c.clog.set(full)
	}
}

// losePower ends the process of a node so that the other node hears nothing of it. The handler of that process is not called.
func (r *realLinks) losePower(node uint64) {
	r.handlers[node] = new(told)
	r.mu.Lock()
	for _, c := range r.conns {
		c.lost.Store(true)
	}
	r.mu.Unlock()
	r.meshes[node].Close()
}

// linkQueue is the size of the queue of a link in bytes. It has room for the frames that the script sends at once, except while it is
// clogged.
const linkQueue = 64 << 10

// end closes the meshes, and waits until all goroutines of connections have ended.
func (r *realLinks) end() {
	r.gates[1].set(false)
	r.gates[2].set(false)
	r.reset()
	for _, m := range r.meshes[1:] {
		m.Close()
	}
	r.reset()
	r.wait(10 * time.Millisecond) // gatedConn.carry looks each millisecond whether its connection is closed
}

// gate is one direction of a network. While it is blocked, bytes that are sent wait; they are delivered later.
type gate struct {
	mu      sync.Mutex
	blocked bool
	changed chan struct{} // closed when blocked changes
}

func newGate() *gate { return &gate{changed: make(chan struct{})} }

func (g *gate) set(blocked bool) {
	g.mu.Lock()
	defer g.mu.Unlock()
	g.blocked = blocked
	close(g.changed)
	g.changed = make(chan struct{})
}

// state returns whether the gate is blocked, and a channel that is closed when that changes.
func (g *gate) state() (bool, <-chan struct{}) {
	g.mu.Lock()
	defer g.mu.Unlock()
	return g.blocked, g.changed
}

// gatedConn is the dialling node's end of a connection. Each direction can be blocked. While the direction from one end is blocked,
// the other end does not learn that this end has closed.
type gatedConn struct {
	net.Conn
	out, in *gate
	closed  chan struct{} // closed by Close

	arrived []byte // bytes that were read while the other direction was blocked; used by Read only

	mu       sync.Mutex
	waiting  []byte
	deadline time.Time
	ended    bool
	clog     clog
	lost     atomic.Bool // the machine of an end has lost its power: nothing arrives any more at either end, not even the end
}

// clog makes writes wait, as if the peer read nothing.
type clog struct {
	mu   sync.Mutex
	full chan struct{} // writes wait until it is closed; nil: they do not wait
}

func (c *clog) set(full bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.full != nil {
		close(c.full)
		c.full = nil
	}
	if full {
		c.full = make(chan struct{})
	}
}

// wait waits while writes wait, or until the channel closed is closed.
func (c *clog) wait(closed <-chan struct{}) {
	c.mu.Lock()
	full := c.full
	c.mu.Unlock()
	if full != nil {
		select {
		case <-full:
		case <-closed:
		}
	}
}

// clogListener accepts connections whose writes can be made to wait.
type clogListener struct {
	net.Listener
	r *realLinks
}

func (l clogListener) Accept() (net.Conn, error) {
	c, err := l.Listener.Accept()
	if err != nil {
		return nil, err
	}
	a := &cloggedConn{Conn: c}
	l.r.mu.Lock()
	defer l.r.mu.Unlock()
	l.r.accepted = append(l.r.accepted, &a.clog)
	return a, nil
}

// cloggedConn is the accepting node's end of a connection.
type cloggedConn struct {
	net.Conn
	clog clog
}

func (c *cloggedConn) Write(b []byte) (int, error) {
	c.clog.wait(nil)
	return c.Conn.Write(b)
}

// carry writes the waiting bytes to the connection whenever the gate is not blocked. It returns when the connection has ended.
func (c *gatedConn) carry() {
	for {
		blocked, changed := c.out.state()
		c.mu.Lock()
		var b []byte
		if !blocked {
			b, c.waiting = c.waiting, nil
		}
		ended := c.ended && len(c.waiting) == 0
		c.mu.Unlock()
		if c.lost.Load() {
			return
		}
		if len(b) > 0 {
			if _, err := c.Conn.Write(b); err != nil {
				return
			}
			continue
		}
		if ended && !blocked {
			c.Conn.Close()
			return
		}
		select {
		case <-changed:
		case <-time.After(time.Millisecond):
		}
		if _, err := c.Conn.Write(nil); err != nil {
			return
		}
	}
}

func (c *gatedConn) Write(b []byte) (int, error) {
	c.clog.wait(c.closed)
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.ended {
		return 0, net.ErrClosed
	}
	c.waiting = append(c.waiting, b...)
	return len(b), nil
}

// Read waits while the other direction is blocked.
func (c *gatedConn) Read(b []byte) (int, error) {
	for {
		blocked, changed := c.in.state()
		if c.lost.Load() {
			blocked, changed = true, nil
		}
		if !blocked {
			if n := copy(b, c.arrived); n > 0 {
				c.arrived = c.arrived[n:]
				return n, nil
			}
			n, err := c.Conn.Read(b)
			if c.lost.Load() {
				continue
			}
			if blocked, _ = c.in.state(); !blocked || n == 0 {
				return n, err
			}
			c.arrived = append(c.arrived, b[:n]...) // the direction was blocked during the read
			continue
		}
		c.mu.Lock()
		left := time.Until(c.deadline)
		if c.deadline.IsZero() {
			left = time.Hour
		}
		c.mu.Unlock()
		select {
		case <-changed:
		case <-c.closed:
			return 0, net.ErrClosed
		case <-time.After(left):
			return 0, os.ErrDeadlineExceeded
		}
	}
}

func (c *gatedConn) SetReadDeadline(t time.Time) error {
	c.mu.Lock()
	c.deadline = t
	c.mu.Unlock()
	return c.Conn.SetReadDeadline(t)
}

func (c *gatedConn) SetDeadline(t time.Time) error { return c.SetReadDeadline(t) }

func (c *gatedConn) SetWriteDeadline(time.Time) error { return nil }

func (c *gatedConn) Close() error {
	c.mu.Lock()
	defer c.mu.Unlock()
	if !c.ended {
		c.ended = true
		close(c.closed)
	}
	return nil
}
