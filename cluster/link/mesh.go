package link

import (
	"context"
	"errors"
	"fmt"
	"log/slog"
	"net"
	"slices"
	"sync"
	"sync/atomic"
	"time"

	"github.com/truestep-io/truestep/telemetry"
)

// Node names a node of the cluster and its address for links from other nodes.
type Node struct {
	ID   uint64 // number of the node: 1 for the first of the list of nodes, and so on
	Name string // a DNS label of at most 32 characters
	Addr string // HOST:PORT at which the other nodes reach this one
}

// Hello is what a node tells the peer about itself when it connects.
type Hello struct {
	Cluster     string // name of the cluster
	Node        uint64 // ID of the node
	Incarnation uint64 // greater for each later process of the node
	Formats     string // formats and rules of the program, which are equal on all nodes
	Program     string // version of the program, which may differ; printable ASCII, at most 128 bytes
	Rules       uint64 // digest of the world and its rules
	Game        string // version of the rules of the world's game, which are equal on all nodes; "" if the world has no game
	Database    string // ID of the database with accounts and characters, which is the same for all nodes
}

// Handler receives the events of the links. For each peer, the mesh calls its methods one at a time; for several peers, at the
// same time. A call must be short: while it runs, the next frames of that peer wait, and a peer that cannot send for 1.5 s closes
// the link. A handler must not call Mesh.Close.
type Handler interface {
	// Up is called when a peer is connected. Mesh.Send to it works from now on.
	Up(peer uint64, hello Hello)
	// Down is called once after each Up, when the link is closed. The error why wraps ErrClosed, ErrSilent, ErrReplaced,
	// ErrIncarnation, ErrRefused or ErrGone.
	Down(peer uint64, why error)
	// Receive is called with each frame of the peer in the order in which it was sent. The body belongs to the handler.
	Receive(peer uint64, kind byte, body []byte)
}

// Config configures a mesh. Fields without a default are required.
type Config struct {
	Cluster     string  // name of the cluster
	Nodes       []Node  // all nodes, this one included; equal names in equal order on all nodes
	Self        uint64  // ID of this node
	Incarnation uint64  // number of this run of the node; greater than that of every earlier run
	Formats     string  // formats and rules of the program; must be equal on all nodes
	Program     string  // version of the program, for the status of the other nodes; may differ
	Rules       uint64  // digest of the world and its rules; must be equal on all nodes
	Game        string  // version of the rules of the world's game, "" if it has none; must be equal on all nodes; at most 128 bytes
	Database    string  // ID of the database with accounts and characters; must be equal on all nodes; at most 128 bytes
	Keys        *Keys   // keys of this node
	Handler     Handler // receives the events of the links

	ListenAddr string       // address to accept connections on; default: the port of Addr of this node, on all interfaces
	QueueBytes int          // maximum size in bytes of the queue of frames to a peer; default DefaultQueueBytes
	Log        *slog.Logger // default slog.Default()

	// Clock is the clock of this node that the mesh compares with those of peers. The default shows the wall clock at New plus
	// the time since then, so that it never jumps.
	Clock func() time.Time

	// Dial makes a connection to another node. The parameter network is always "tcp". The default uses the operating system.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
	// Listen accepts connections from other nodes. The parameter network is always "tcp". The default uses the operating system.
	Listen func(network, addr string) (net.Listener, error)

	silence time.Duration // time without a TLS record after which a link is closed; default: the constant silence; set only by tests
	stall   time.Duration // time limit for writing a piece; default: the constant stall; set only by tests
}

// expiryNotice is the remaining validity of the certificates below which Start logs a warning.
const expiryNotice = 60 * 24 * time.Hour

// DefaultQueueBytes is the default of Config.QueueBytes.
const DefaultQueueBytes = 64 << 20

// Mesh is this node's end of the links to all other nodes. Its methods are safe for concurrent use.
type Mesh struct {
	cfg         Config
	names       []string         // names of all nodes in order
	nodes       map[uint64]Node  // by ID
	peers       map[uint64]*peer // all other nodes, by ID
	listener    net.Listener
	incarnation atomic.Uint64 // incarnation of this node
	unknown     notices       // log lines about connections whose node is not known
	pending     handshakes    // accepted connections whose handshake is in progress

	ctx    context.Context // ends with Close
	cancel context.CancelFunc
	work   sync.WaitGroup // goroutines of the mesh
	start  sync.Once
}

// New checks the configuration and opens the listener. Start makes the links.
func New(cfg Config) (*Mesh, error) {
	m := &Mesh{cfg: cfg, nodes: map[uint64]Node{}, peers: map[uint64]*peer{}}
	if err := m.validate(); err != nil {
		return nil, err
	}
	m.fill()
	for _, n := range cfg.Nodes {
		m.nodes[n.ID] = n
		if n.ID != cfg.Self {
			m.peers[n.ID] = &peer{m: m, node: n, arrived: make(chan struct{}, 1)}
		}
	}
	m.incarnation.Store(cfg.Incarnation)
	m.ctx, m.cancel = context.WithCancel(context.Background())
	listener, err := m.cfg.Listen("tcp", m.cfg.ListenAddr)
	if err != nil {
		m.cancel()
		return nil, fmt.Errorf("listen for other nodes: %w", err)
	}
	m.listener = listener
	return m, nil
}

// validate refuses a configuration that cannot work.
func (m *Mesh) validate() error {
	c := &m.cfg
	var errs []error
	complain := func(format string, args ...any) { errs = append(errs, fmt.Errorf(format, args...)) }
	for i, n := range c.Nodes {
		m.names = append(m.names, n.Name)
		if n.ID != uint64(i)+1 {
			complain("node %q has ID %d, but its place in the list is %d", n.Name, n.ID, i+1)
		}
		if _, _, err := net.SplitHostPort(n.Addr); err != nil {
			complain("address of node %q: %w", n.Name, err)
		}
	}
	errs = append(errs, checkName("cluster", c.Cluster), checkNames(m.names))
	for what, text := range map[string]string{"formats of the program": c.Formats, "version of the program": c.Program, "version of the rules of the game": c.Game, "ID of the database": c.Database} {
		if len(text) > maxVersion {
			complain("%s: the text has %d bytes, at most %d are allowed", what, len(text), maxVersion)
		}
	}
	switch {
	case c.Self == 0 || c.Self > uint64(len(c.Nodes)):
		complain("node %d is not in the list of nodes", c.Self)
	case c.Keys == nil:
		complain("Config.Keys is missing")
	case c.Keys.Cluster != c.Cluster:
		complain("the keys are of cluster %q, not %q", c.Keys.Cluster, c.Cluster)
	case c.Keys.Node != c.Nodes[c.Self-1].Name:
		complain("the keys are those of node %q, but this is node %q: name the folder of the keys of node %[2]q with --cluster-keys DIR", c.Keys.Node, c.Nodes[c.Self-1].Name)
	}
	if c.Handler == nil {
		complain("Config.Handler is missing")
	}
	return errors.Join(errs...)
}

// fill sets the defaults of the configuration.
func (m *Mesh) fill() {
	c := &m.cfg
	c.Nodes = slices.Clone(c.Nodes)
	if c.ListenAddr == "" {
		_, port, _ := net.SplitHostPort(c.Nodes[c.Self-1].Addr)
		c.ListenAddr = net.JoinHostPort("", port)
	}
	if c.QueueBytes <= 0 {
		c.QueueBytes = DefaultQueueBytes
	}
	if c.Clock == nil {
		began := time.Now()
		c.Clock = func() time.Time { return began.Add(time.Since(began)) }
	}
	if c.Log == nil {
		c.Log = slog.Default()
	}
	if c.Dial == nil {
		c.Dial = new(net.Dialer).DialContext
	}
	if c.Listen == nil {
		c.Listen = net.Listen
	}
	if c.silence == 0 {
		c.silence = silence
	}
	if c.stall == 0 {
		c.stall = stall
	}
}

// Addr returns the address on which the mesh accepts connections.
func (m *Mesh) Addr() net.Addr { return m.listener.Addr() }

// Start begins to accept connections and to dial the other nodes. Later calls do nothing.
func (m *Mesh) Start() {
	m.start.Do(func() {
		if m.ctx.Err() != nil {
			return
		}
		if left := time.Until(m.cfg.Keys.Expires); left < expiryNotice {
			m.cfg.Log.Warn("the certificate of this node or its cluster expires soon", slog.Time(fieldExpires, m.cfg.Keys.Expires))
		}
		m.work.Go(m.accept)
		for _, p := range m.peers {
			if m.cfg.Self < p.node.ID {
				m.work.Go(p.dial)
			} else {
				m.work.Go(p.await)
			}
		}
	})
}

// Close closes all links and the listener. When it returns, no method of the handler is running or will be called.
func (m *Mesh) Close() {
	m.cancel()
	m.listener.Close()
	m.start.Do(func() {}) // a later call of Start does nothing
	for _, p := range m.peers {
		p.close(ErrClosed)
	}
	m.work.Wait()
}

// Send queues a frame to a peer and never blocks. The body is not copied and must not change. Send returns false if
// there is no link to the peer, the queue of the link is full, or the body has more than MaxBody bytes. True does not
// mean that the frame arrives: see Handler.Down. Send panics if the kind is below FirstKind.
func (m *Mesh) Send(to uint64, kind byte, body []byte) bool {
	if kind < FirstKind {
		panic(fmt.Sprintf("link: kind %d belongs to package link", kind))
	}
	p := m.peers[to]
	if p == nil || len(body) > MaxBody {
		return false
	}
	c := p.current()
	if c == nil {
		return false
	}
	ok := c.send(kind, body)
	if !ok {
		p.unsent.Add(1)
	}
	return ok
}

// OffsetMS returns the clock of a peer minus the clock of this node, in ms. It is measured by the shortest round trip of the last
// 6.4 s, and is wrong by at most half of that round trip's duration. After Down the last value remains. Before the first Up the
// value is 0.
func (m *Mesh) OffsetMS(peer uint64) int64 {
	p := m.peers[peer]
	if p == nil {
		return 0
	}
	return p.offsets.get().offset.Round(time.Millisecond).Milliseconds()
}

// SetIncarnation changes the incarnation of this node, the number of its run. All links are closed, and made again with
// the new number.
func (m *Mesh) SetIncarnation(incarnation uint64) {
	m.incarnation.Store(incarnation)
	for _, p := range m.peers {
		if c := p.current(); c != nil && c.own != incarnation {
			c.fail(ErrIncarnation)
		}
	}
}

// PeerStatus describes the links to another node: the current link, and totals of all links so far.
type PeerStatus struct {
	Node      Node          // the other node
	Connected bool          // there is a link
	Since     time.Time     // time at which the link was made or lost, by this node's clock; zero if there was never a link
	Hello     Hello         // hello of the peer on the newest link; zero if there was none
	RoundTrip time.Duration // shortest round trip of the last 6.4 s
	OffsetMS  int64         // clock of the other node minus the own clock, in ms; see Mesh.OffsetMS
	Links     uint64        // number of links that were made to the node since New
	Queued    int           // size of the frames that wait to be sent, in bytes
	Unsent    uint64        // number of frames that Send has refused because the queue was full
	Sent      uint64        // bytes sent on all links so far, before encryption
	Received  uint64        // bytes received on all links so far, after decryption
	Problem   string        // why there is no link, as far as this node knows; "" while there is one
}

// Status returns the state of the links to all other nodes in order of their IDs.
func (m *Mesh) Status() []PeerStatus {
	list := make([]PeerStatus, 0, len(m.peers))
	for _, n := range m.cfg.Nodes {
		if p := m.peers[n.ID]; p != nil {
			list = append(list, p.status())
		}
	}
	return list
}

// accept accepts connections until the mesh is closed.
func (m *Mesh) accept() {
	wait := minBackoff
	for {
		raw, err := m.listener.Accept()
		if m.ctx.Err() != nil {
			if err == nil {
				raw.Close()
			}
			return
		}
		if err != nil { // for example: too many open files
			m.unknown.warn(m.cfg.Log, "cannot accept the connection of another node", err)
			m.pause(wait)
			wait = min(2*wait, maxBackoff)
			continue
		}
		wait = minBackoff
		m.pending.add(raw)
		m.work.Go(func() { m.handleConn(raw) })
	}
}

// handleConn does the handshake of an accepted connection and passes the link to its peer.
func (m *Mesh) handleConn(raw net.Conn) {
	c, p, err := m.handshake(m.ctx, raw, nil)
	m.pending.remove(raw)
	if err == nil {
		p.take(c)
		return
	}
	if m.ctx.Err() != nil {
		return
	}
	if p != nil {
		p.report(err)
		return
	}
	addr := ""
	if a := raw.RemoteAddr(); a != nil {
		addr = a.String()
	}
	m.unknown.warn(m.cfg.Log, "link refused", err, slog.String(telemetry.FieldAddr, addr))
}

// pause waits for the duration d, or until Close is called.
func (m *Mesh) pause(d time.Duration) {
	t := time.NewTimer(d)
	defer t.Stop()
	select {
	case <-t.C:
	case <-m.ctx.Done():
	}
}

// maxHandshakes is the maximum number of accepted connections whose handshake is in progress.
const maxHandshakes = 64

// handshakes holds the accepted connections whose handshake is in progress. If there are too many, the oldest is closed. The
// handshake of a node takes only milliseconds, so connections that send nothing cannot keep a node out.
type handshakes struct {
	mu      sync.Mutex
	waiting []net.Conn // oldest first
}

func (h *handshakes) add(c net.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if len(h.waiting) >= maxHandshakes {
		h.waiting[0].Close()
		h.waiting = slices.Delete(h.waiting, 0, 1)
	}
	h.waiting = append(h.waiting, c)
}

func (h *handshakes) remove(c net.Conn) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if i := slices.Index(h.waiting, c); i >= 0 {
		h.waiting = slices.Delete(h.waiting, i, i+1)
	}
}
