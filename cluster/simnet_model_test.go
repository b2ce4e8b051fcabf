package cluster

import (
	"context"
	"fmt"
	"log/slog"
	"math/rand/v2"
	"net"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/internal/netsim"
)

// linkEngine connects nodes 1 and 2: with the model of the simulation (simLink), or with package link. The tests of this file run the
// same script on both.
type linkEngine interface {
	start(node, incarnation uint64)    // starts a process
	kill(node uint64)                  // ends a process as kill -9 does
	send(from uint64, number int) bool // sends a frame to the other node
	reset()                            // breaks the connection
	block(from uint64, blocked bool)   // stops or resumes the delivery of what a node sends
	clog(full bool)                    // lets the frames of node 1 fill its queue, or makes room again
	wait(d time.Duration)              // lets time pass
	events(node uint64) []string       // returns what the handler of a node was told since the last call
}

// told is a link.Handler that records its calls.
type told struct {
	mu   sync.Mutex
	list []string
}

func (h *told) add(format string, args ...any) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.list = append(h.list, fmt.Sprintf(format, args...))
}

func (h *told) Up(peer uint64, hello link.Hello) {
	h.add("up %d, incarnation %d of node %d", peer, hello.Incarnation, hello.Node)
}
func (h *told) Down(peer uint64, why error) { h.add("down %d: %t", peer, why != nil) }
func (h *told) Receive(peer uint64, kind byte, body []byte) {
	h.add("frame %d of %d: %s", kind, peer, body)
}

func (h *told) take() []string {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.list
	h.list = nil
	return list
}

// handlers are the handlers of both nodes, by number of the node.
type handlers [3]*told

func (h *handlers) events(node uint64) []string { return h[node].take() }

// frameOf returns the kind and the content of a frame.
func frameOf(number int) (byte, []byte) { return byte(16 + number%7), []byte(fmt.Sprint(number)) }

// modelLinks is the model of the simulation.
type modelLinks struct {
	handlers
	s *simulation
}

func newModelLinks(seed uint64) *modelLinks {
	s := &simulation{rand: rand.New(rand.NewPCG(seed, 5)), began: time.Now(), nodes: make([]*simNode, 3), lasts: time.Hour}
	for id := uint64(1); id <= 2; id++ {
		s.nodes[id] = &simNode{s: s, id: id}
	}
	s.links = []*simLink{newSimLink(s, s.nodes[1], s.nodes[2])}
	return &modelLinks{s: s}
}

func (m *modelLinks) start(node, incarnation uint64) {
	m.handlers[node] = new(told)
	n := m.s.nodes[node]
	n.p = &process{n: n, handler: m.handlers[node], mesh: incarnation, ends: make([]*simEnd, 3), gate: make(chan struct{}), hub: newHub()}
	m.s.links[0].dial()
}

func (m *modelLinks) kill(node uint64) { m.s.nodes[node].kill(byKill) }

func (m *modelLinks) send(from uint64, number int) bool {
	kind, body := frameOf(number)
	return simLinks{m.s.nodes[from].p}.Send(3-from, kind, body)
}

func (m *modelLinks) reset()                          { m.s.links[0].reset() }
func (m *modelLinks) block(from uint64, blocked bool) { m.s.links[0].setBlocked(int(from-1), blocked) }
func (m *modelLinks) clog(full bool)                  { m.s.links[0].full[0] = full }
func (m *modelLinks) wait(d time.Duration) {
	end := m.s.now + d
	m.s.playUntil(end)
	time.Sleep(end - m.s.now)
	m.s.now = end
}

// realLinks are meshes of package link on a network in memory.
type realLinks struct {
	handlers
	t      *testing.T
	keys   [3]*link.Keys
	hosts  [3]*netsim.Host
	meshes [3]*link.Mesh
	nodes  []link.Node
	gates  [3]*gate // by sending node
	conns  []*gatedConn
	mu     sync.Mutex
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
		Listen: func(_, addr string) (net.Listener, error) { return r.hosts[node].Listen(addr) },
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
func (r *realLinks) clog(full bool) {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		c.setClogged(full)
	}
}

// linkQueue is the size of the queue of a link in bytes. It has room for the frames that the script sends at once, except while it is
// clogged.
const linkQueue = 64 << 10

// end closes the meshes.
func (r *realLinks) end() {
	r.gates[1].set(false)
	r.gates[2].set(false)
	r.reset()
	for _, m := range r.meshes[1:] {
		m.Close()
	}
	r.reset()
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
	clogged  chan struct{} // Write waits until it is closed; nil: Write takes all bytes at once
}

// setClogged makes writes wait, as if the peer read nothing, or ends that.
func (c *gatedConn) setClogged(v bool) {
	c.mu.Lock()
	defer c.mu.Unlock()
	if c.clogged != nil {
		close(c.clogged)
		c.clogged = nil
	}
	if v {
		c.clogged = make(chan struct{})
	}
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
	c.mu.Lock()
	clogged := c.clogged
	c.mu.Unlock()
	if clogged != nil {
		select {
		case <-clogged:
		case <-c.closed:
		}
	}
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
		if !blocked {
			if n := copy(b, c.arrived); n > 0 {
				c.arrived = c.arrived[n:]
				return n, nil
			}
			n, err := c.Conn.Read(b)
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

// summary splits events into frames and others. It returns the numbers of the frames, and the other events unchanged.
func summary(events []string) (other []string, numbers []int) {
	for _, e := range events {
		var kind, peer, number int
		if n, _ := fmt.Sscanf(e, "frame %d of %d: %d", &kind, &peer, &number); n != 3 {
			other = append(other, e)
			continue
		}
		if want, _ := frameOf(number); byte(kind) != want {
			other = append(other, "frame of another kind: "+e)
		}
		numbers = append(numbers, number)
	}
	return other, numbers
}

// linkScript plays the script and returns the observations, which must be equal for both engines.
func linkScript(e linkEngine) (seen []string) {
	number := 0
	note := func(format string, args ...any) { seen = append(seen, fmt.Sprintf(format, args...)) }
	// sendAll sends frames in both directions and returns their numbers.
	sendAll := func(n int) (first int) {
		first = number
		for range n {
			for from := uint64(1); from <= 2; from++ {
				if !e.send(from, number) {
					note("node %d cannot send", from)
				}
			}
			number++
		}
		return first
	}
	// look notes the events of both nodes. All frames from first to the newest must have arrived or, if lossy is set, the first ones of them.
	look := func(what string, first int, lossy bool) {
		for node := uint64(1); node <= 2; node++ {
			other, numbers := summary(e.events(node))
			for i, n := range numbers {
				if n != first+i {
					note("%s: node %d: frame %d in the place of frame %d", what, node, n, first+i)
				}
			}
			missing := number - first - len(numbers)
			note("%s: node %d: %q, all frames: %t", what, node, other, missing == 0 || lossy)
		}
	}
	e.start(1, 5)
	note("alone: %t", e.send(1, 9999))
	e.wait(700 * time.Millisecond)
	e.start(2, 9)
	e.wait(1200 * time.Millisecond)
	look("both run", number, false)

	first := sendAll(300)
	e.wait(200 * time.Millisecond)
	look("frames", first, false)

	first = sendAll(20)
	e.reset()
	e.wait(30 * time.Millisecond)
	look("the connection breaks", first, true)
	note("without a connection: %t, %t", e.send(1, 9999), e.send(2, 9999))
	e.wait(300 * time.Millisecond)
	look("connected again", number, false)
	first = sendAll(20)
	e.wait(200 * time.Millisecond)
	look("frames of the next connection", first, false)

	e.clog(true)
	var taken []int
	refused := 0
	for range 2000 {
		if e.send(1, number) {
			taken = append(taken, number)
		} else {
			refused++
		}
		number++
	}
	e.wait(50 * time.Millisecond)
	e.clog(false)
	e.wait(100 * time.Millisecond)
	_, numbers := summary(e.events(2))
	other, _ := summary(e.events(1))
	note("the queue of node 1 is full: some frames are refused: %t, some taken: %t, all taken ones and no others arrive in order: %t, %q",
		refused > 0, len(taken) > 100, slices.Equal(numbers, taken), other)
	first = sendAll(20)
	e.wait(200 * time.Millisecond)
	look("the queue has room again", first, false)

	first = sendAll(20)
	e.kill(2)
	e.wait(30 * time.Millisecond)
	other, numbers = summary(e.events(1))
	note("node 2 is killed: %q, frames in order: %t", other, slices.IsSorted(numbers) && (len(numbers) == 0 || numbers[0] == first && numbers[len(numbers)-1] == first+len(numbers)-1))
	e.wait(time.Second)
	e.start(2, 10)
	e.wait(1300 * time.Millisecond)
	look("node 2 starts again", number, false)

	e.block(1, true)
	sendAll(10)
	e.wait(silence / 2)
	_, numbers = summary(e.events(2))
	other, back := summary(e.events(1))
	note("node 1 is not heard for half of the time silence: %d frames arrive, %d come back, %q", len(numbers), len(back), other)
	e.block(1, false)
	e.wait(200 * time.Millisecond)
	other, numbers = summary(e.events(2))
	note("then: %q, %d frames, in order: %t, %q", other, len(numbers), slices.IsSorted(numbers), e.events(1))

	e.block(1, true)
	sendAll(10)
	e.wait(silence - 200*time.Millisecond)
	_, numbers = summary(e.events(2))
	note("node 1 is not heard for nearly that time: %d frames; %v", len(numbers), slices.DeleteFunc(e.events(1), func(s string) bool { return strings.HasPrefix(s, "frame") }))
	e.wait(250 * time.Millisecond) // in total a little longer than silence
	note("node 1 is not heard for longer: %q", e.events(2))
	e.wait(silence) // node 1 learns of the closed link at once, or after silence
	note("node 1 is not heard for twice that time: %q, %q", e.events(1), e.events(2))
	e.block(1, false)
	e.wait(2500 * time.Millisecond)
	look("node 1 is heard again", number, false)

	e.block(1, true)
	e.block(2, true)
	sendAll(10)
	e.wait(silence - 200*time.Millisecond)
	note("both are not heard for nearly that time: %q, %q", e.events(1), e.events(2))
	e.wait(250 * time.Millisecond) // in total a little longer than silence
	look("both are not heard for longer", number, false)
	e.block(1, false)
	e.block(2, false)
	e.wait(2500 * time.Millisecond)
	look("both are heard again", number, false)
	first = sendAll(50)
	e.wait(200 * time.Millisecond)
	look("frames at the end", first, false)
	return seen
}

func TestLinksGiveSameResultsAsTheirModel(t *testing.T) {
	var want []string
	synctest.Test(t, func(t *testing.T) {
		r := newRealLinks(t)
		want = linkScript(r)
		r.end()
	})
	t.Logf("%s", strings.Join(want, "\n"))
	for seed := range uint64(50) {
		synctest.Test(t, func(t *testing.T) {
			got := linkScript(newModelLinks(seed))
			for i := range min(len(got), len(want)) {
				if got[i] != want[i] {
					t.Fatalf("seed %d, step %d: the model says\n%s\nand package link\n%s", seed, i, got[i], want[i])
				}
			}
			if len(got) != len(want) {
				t.Fatalf("seed %d: the model has %d results, package link %d", seed, len(got), len(want))
			}
		})
	}
}
