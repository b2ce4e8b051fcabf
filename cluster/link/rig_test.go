package link

import (
	"context"
	"fmt"
	"log/slog"
	"net"
	"path/filepath"
	"strings"
	"sync"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/internal/logbuf"
	"github.com/truestep-io/truestep/internal/netsim"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }

// rig is a cluster of three nodes a, b, c on a network in memory. It must be created in a synctest bubble.
type rig struct {
	t     *testing.T
	net   *netsim.Network
	hosts []*netsim.Host
	nodes []Node
	dir   string
	conns []net.Conn // all connections that nodes have dialled
	mu    sync.Mutex
}

var abc = []string{"a", "b", "c"}

func newRig(t *testing.T) *rig {
	r := &rig{t: t, net: netsim.New(1), dir: t.TempDir()}
	for i, name := range abc {
		addr := fmt.Sprint("10.0.0.", i+1)
		r.hosts = append(r.hosts, r.net.Host(addr))
		r.nodes = append(r.nodes, Node{ID: uint64(i + 1), Name: name, Addr: addr + ":7"})
	}
	if _, err := CreateKeys(r.dir, "world", abc); err != nil {
		t.Fatal(err)
	}
	return r
}

func (r *rig) keys(name string) *Keys {
	r.t.Helper()
	k, err := LoadKeys(filepath.Join(r.dir, name))
	if err != nil {
		r.t.Fatal(err)
	}
	return k
}

// node is a node under test whose handler records its calls.
type node struct {
	*Mesh
	rig  *rig
	id   uint64
	busy [4]atomic.Bool // a call for the peer is in progress
	log  logbuf.Buffer

	mu     sync.Mutex
	up     [4]bool
	events []string // "up 2", "down 2 why", "2 kind body"
	on     func(peer uint64, kind byte, body []byte)
}

// config returns the configuration of a node.
func (r *rig) config(id uint64) Config {
	return Config{
		Cluster: "world", Nodes: r.nodes, Self: id, Incarnation: 1, Formats: "formats 1", Program: "v1", Rules: 7, Game: "rules 1", Database: "d1", Keys: r.keys(abc[id-1]),
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := r.hosts[id-1].Dial(ctx, network, addr)
			if err == nil {
				r.mu.Lock()
				r.conns = append(r.conns, c)
				r.mu.Unlock()
			}
			return c, err
		},
		Listen: func(_, addr string) (net.Listener, error) { return r.hosts[id-1].Listen(addr) },
	}
}

// start starts a node after change has changed its configuration.
func (r *rig) start(id uint64, change func(*Config)) *node {
	r.t.Helper()
	n := &node{rig: r, id: id}
	cfg := r.config(id)
	cfg.Handler = n
	cfg.Log = slog.New(slog.NewTextHandler(&n.log, nil))
	if change != nil {
		change(&cfg)
	}
	m, err := New(cfg)
	if err != nil {
		r.t.Fatal(err)
	}
	n.Mesh = m
	m.Start()
	r.t.Cleanup(m.Close)
	return n
}

// cut closes all connections, as a broken network does after a while.
func (r *rig) cut() {
	r.mu.Lock()
	defer r.mu.Unlock()
	for _, c := range r.conns {
		c.Close()
	}
	r.conns = nil
}

func (n *node) enter(peer uint64) func() {
	if !n.busy[peer].CompareAndSwap(false, true) {
		n.rig.t.Errorf("node %d: concurrent calls of the handler for peer %d", n.id, peer)
	}
	return func() { n.busy[peer].Store(false) }
}

func (n *node) Up(peer uint64, h Hello) {
	defer n.enter(peer)()
	n.mu.Lock()
	defer n.mu.Unlock()
	if n.up[peer] || h.Node != peer {
		n.rig.t.Errorf("node %d: Up of peer %d, which is up: %v, with hello %+v", n.id, peer, n.up[peer], h)
	}
	n.up[peer] = true
	n.events = append(n.events, fmt.Sprint("up ", peer))
}

func (n *node) Down(peer uint64, why error) {
	defer n.enter(peer)()
	n.mu.Lock()
	defer n.mu.Unlock()
	if !n.up[peer] || why == nil {
		n.rig.t.Errorf("node %d: Down of peer %d, which is up: %v, with error %v", n.id, peer, n.up[peer], why)
	}
	n.up[peer] = false
	n.events = append(n.events, fmt.Sprint("down ", peer, " ", why))
}

func (n *node) Receive(peer uint64, kind byte, body []byte) {
	defer n.enter(peer)()
	n.mu.Lock()
	on := n.on
	if !n.up[peer] {
		n.rig.t.Errorf("node %d: frame of peer %d, which is not up", n.id, peer)
	}
	if on == nil {
		n.events = append(n.events, fmt.Sprintf("%d %d %s", peer, kind, body))
	}
	n.mu.Unlock()
	if on != nil {
		on(peer, kind, body)
	}
}

// handle makes the node pass all frames that it receives from now on to f.
func (n *node) handle(f func(peer uint64, kind byte, body []byte)) {
	n.mu.Lock()
	defer n.mu.Unlock()
	n.on = f
}

// take returns and forgets the events so far.
func (n *node) take() []string {
	n.mu.Lock()
	defer n.mu.Unlock()
	e := n.events
	n.events = nil
	return e
}

// expect lets time pass and compares the events; an event that ends with * is a prefix.
func (n *node) expect(after time.Duration, want ...string) {
	n.rig.t.Helper()
	time.Sleep(after)
	synctest.Wait()
	got := n.take()
	ok := len(got) == len(want)
	for i := 0; ok && i < len(got); i++ {
		start, prefix := strings.CutSuffix(want[i], "*")
		ok = got[i] == want[i] || prefix && strings.HasPrefix(got[i], start)
	}
	if !ok {
		n.rig.t.Errorf("node %d: events %q, want %q\nlog:\n%s", n.id, got, want, n.log.String())
	}
}

// logged checks that the log has one line with text.
func (n *node) logged(text string) {
	n.rig.t.Helper()
	n.loggedTimes(1, text)
}

// loggedTimes checks that the log has a number of lines with text.
func (n *node) loggedTimes(want int, text string) {
	n.rig.t.Helper()
	if c := strings.Count(strings.ReplaceAll(n.log.String(), `\"`, `"`), text); c != want {
		n.rig.t.Errorf("node %d: log has %d lines with %q, want %d:\n%s", n.id, c, text, want, n.log.String())
	}
}
