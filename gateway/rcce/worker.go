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
	farewell = 300 * time.Millisecond // for clients to acknowledge the end

	// silence is how many ms a client may leave everything unacknowledged. Known clients do not serve their socket for
	// up to 9 s while they load or log in elsewhere, longer than ENet's own 5 s.  measured
	silence = 15000

	idleFor   = 15 * 60 * 1000 // ms that a connection outside the world may say nothing   guess: a long look at the menu
	idleSweep = 10 * 1000      // ms between two looks for such connections
)

// worker owns its connections. Everything below runs on its goroutine, in run.
type worker struct {
	g         *Gateway
	host      *enet.Host
	feed      *area.Feed
	in        chan *gateway.Datagram
	calls     *gateway.Calls // that block
	scenes    gateway.Scenes[*scene, *conn]
	conns     map[*conn]struct{}
	browsers  map[*conn]struct{} // those with pages of the catalogue to come
	swept     uint32             // when idle connections were looked for last
	measured  uint32             // when the figures of connections were looked at last
	looks     uint32             // how often they were
	drops     gateway.DropMeter
	dismissed bool // the server stops: ignore what clients say
	out       outbox
	emit      func(to netip.AddrPort, b []byte) // out.add, made once
	scratch   []byte                            // one message under construction
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
			SilenceTimeout: silence,
			SessionSeed:    rand.Uint64(),
		}),
		feed:     g.world.Subscribe("rcce", feedDepth, area.All),
		in:       make(chan *gateway.Datagram, inboxDepth),
		calls:    gateway.NewCalls(loginsAtOnce, g.log),
		conns:    map[*conn]struct{}{},
		browsers: map[*conn]struct{}{},
	}
	w.scenes = gateway.NewScenes[*scene, *conn](func(a sim.AreaID) *scene { return newScene(w, a) })
	w.out = outbox{door: g.door}
	w.emit = w.out.add
	return w
}

// serve runs the worker until ctx ends or the world stops.
func (w *worker) serve(ctx context.Context) error {
	l := gateway.Loop{Door: "rcce", Log: w.g.log, In: w.in, Feed: w.feed, Calls: w.calls, Farewell: farewell}
	return l.Run(ctx, w)
}

// Show passes one frame to the clients that are in its area or about to be.
func (w *worker) Show(f *sim.Frame) { w.scenes.Show(f) }

// Tick serves timers.
func (w *worker) Tick() {
	w.host.Tick(w.g.now(), w.event)
	w.dropIdle()
	w.measure()
	w.countDrops()
	for c := range w.browsers { // each has a queue of its own, so the order does not matter
		c.browse()
	}
}

// dropIdle ends connections that have a slot and no player. A client at its menu pings for ever; so does whoever wants
// all slots.
func (w *worker) dropIdle() {
	now := w.g.now()
	if now-w.swept < idleSweep {
		return
	}
	w.swept = now
	for c := range w.conns {
		if c.session == nil && len(c.waiting) == 0 && now-c.heard >= idleFor {
			w.g.door.Bad.With("idle").Inc()
			c.peer.DisconnectLater(0)
			c.gone()
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
	w.host.Receive(w.g.now(), d.From, d.Bytes(), w.event)
}

// Connections is how many peers are not closed yet.
func (w *worker) Connections() int { return w.host.Peers() }

// Dismiss tells every client that the server stops.
func (w *worker) Dismiss() {
	w.dismissed = true
	for c := range w.conns {
		c.kick()
	}
}

// event is what ENet has to say about one peer.
func (w *worker) event(e enet.Event) {
	if w.dismissed {
		return
	}
	switch e.Kind {
	case enet.Connected:
		c := newConn(w, e.Peer)
		e.Peer.User = c
		w.conns[c] = struct{}{}
	case enet.Disconnected:
		if c, ok := e.Peer.User.(*conn); ok {
			c.gone()
		}
	case enet.Message:
		if c, ok := e.Peer.User.(*conn); ok {
			c.message(e.Data)
		}
	}
}
