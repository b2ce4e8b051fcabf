package rcce

import (
	"context"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/sim"
)

const (
	closeTimeout = 300 * time.Millisecond // for clients to acknowledge the end

	// silence is how many ms a client may leave everything unacknowledged. Known clients do not serve their socket for
	// up to 9 s while they load or log in elsewhere, longer than ENet's own 5 s.  measured
	ackTimeoutMS = 15000

	idleTimeoutMS = 15 * 60 * 1000 // ms that a connection outside the world may say nothing   guess: a long look at the menu
	idleCheckMS   = 10 * 1000      // ms between two looks for such connections
)

// worker owns its connections. Everything below runs on its goroutine, in run.
type worker struct {
	g             *Gateway
	host          *enet.Host
	feed          *area.Feed
	in            chan *gateway.Datagram
	calls         *gateway.Calls // that block
	scenes        gateway.Scenes[*scene, *conn]
	conns         map[*conn]struct{}
	downloading   map[*conn]struct{} // those with pages of the catalogue to come
	idleCheckedAt uint32             // when idle connections were looked for last
	statsStoredAt uint32             // when the figures of connections were looked at last
	statsCount    uint32             // how often they were
	drops         gateway.DropMeter
	stopping      bool // the server stops: ignore what clients say
	out           batchWriter
	emit          func(to netip.AddrPort, b []byte) // out.add, made once
	scratch       []byte                            // one message under construction
}

func newWorker(g *Gateway, index int) *worker {
	w := &worker{
		g: g,
		host: enet.NewHost(enet.Config{
			MaxPeers:       (g.opt.MaxPeers + g.opt.Workers - 1) / g.opt.Workers,
			FirstPeer:      index,
			PeerStride:     g.opt.Workers,
			PeersPerAddr:   (g.opt.PeersPerAddr + g.opt.Workers - 1) / g.opt.Workers, // newcomers are dealt by address and port
			LimitLoopback:  g.opt.LimitLoopback,
			SilenceTimeout: ackTimeoutMS,
			SessionSeed:    rand.Uint64(),
		}),
		feed:        g.world.Subscribe("rcce", feedDepth),
		in:          make(chan *gateway.Datagram, inboxDepth),
		calls:       gateway.NewCalls(maxCalls, g.log),
		conns:       map[*conn]struct{}{},
		downloading: map[*conn]struct{}{},
	}
	w.scenes = gateway.NewScenes[*scene, *conn](w.feed, func(a sim.AreaID) *scene { return newScene(w, a) })
	w.out = batchWriter{door: g.door}
	w.emit = w.out.add
	return w
}

// serve runs the worker until ctx ends or the world stops.
func (w *worker) run(ctx context.Context) error {
	l := gateway.Loop{Door: "rcce", Log: w.g.log, In: w.in, Feed: w.feed, Calls: w.calls, Farewell: closeTimeout}
	return l.Run(ctx, w)
}

// Show passes one frame to the clients that are in its area or about to be.
func (w *worker) Show(f *sim.Frame) { w.scenes.Show(f) }

// Tick serves timers.
func (w *worker) Tick() {
	w.host.Tick(w.g.now(), w.handleENet)
	w.closeIdle()
	w.storeLinkStats()
	w.countDropped()
	for c := range w.downloading { // each has a queue of its own, so the order does not matter
		c.sendCatalogueParts()
	}
}

// dropIdle ends connections that have a slot and no player. A client at its menu pings for ever; so does whoever wants
// all slots.
func (w *worker) closeIdle() {
	now := w.g.now()
	if now-w.idleCheckedAt < idleCheckMS {
		return
	}
	w.idleCheckedAt = now
	for c := range w.conns {
		if c.session == nil && len(c.accountQueue) == 0 && now-c.receivedAt >= idleTimeoutMS {
			w.g.door.Bad.With("idle").Inc()
			c.peer.DisconnectLater(0)
			c.release()
		}
	}
}

// Flush writes what waits for any client.
func (w *worker) Flush() {
	w.host.Flush(w.g.now(), w.emit)
	w.out.flush()
}

// Receive processes one datagram.
func (w *worker) Receive(d *gateway.Datagram) {
	w.out.locals.Record(d)
	w.host.Receive(w.g.now(), d.From, d.Bytes(), w.handleENet)
}

// Connections is how many peers are not closed yet.
func (w *worker) Connections() int { return w.host.Peers() }

// Dismiss tells every client that the server stops.
func (w *worker) Dismiss() {
	w.stopping = true
	for c := range w.conns {
		c.kick()
	}
}

// event is what ENet has to say about one peer.
func (w *worker) handleENet(e enet.Event) {
	if w.stopping {
		return
	}
	switch e.Kind {
	case enet.Connected:
		c := newConn(w, e.Peer)
		e.Peer.User = c
		w.conns[c] = struct{}{}
	case enet.Disconnected:
		if c, ok := e.Peer.User.(*conn); ok {
			c.release()
		}
	case enet.Message:
		if c, ok := e.Peer.User.(*conn); ok {
			c.handleMessage(e.Data)
		}
	}
}
