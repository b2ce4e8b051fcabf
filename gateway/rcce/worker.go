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
	tickEvery   = 10 * time.Millisecond // of ENet's timers
	drainAtOnce = 256                   // datagrams between two looks at frames and timers
	farewell    = 300 * time.Millisecond

	// silence is how many ms a client may leave everything unacknowledged. Known clients do not serve their socket for
	// up to 9 s while they load or log in elsewhere, longer than ENet's own 5 s.  measured
	silence = 15000

	idleFor   = 15 * 60 * 1000 // ms that a connection outside the world may say nothing   guess: a long look at the menu
	idleSweep = 10 * 1000      // ms between two looks for such connections
)

// worker owns its connections. Everything below runs on its goroutine, in run.
type worker struct {
	g        *Gateway
	host     *enet.Host
	feed     *area.Feed
	in       chan *gateway.Datagram
	calls    *gateway.Calls // that block
	scenes   map[sim.AreaID]*scene
	conns    map[*conn]struct{}
	arrivals map[*conn]struct{} // those who wait for a frame that shows them in
	browsers map[*conn]struct{} // those with pages of the catalogue to come
	swept    uint32             // when idle connections were looked for last
	measured uint32             // when the figures of connections were looked at last
	looks    uint32             // how often they were
	drops    gateway.Drops
	out      outbox
	emit     func(to netip.AddrPort, b []byte) // out.add, made once
	scratch  []byte                            // one message under construction
}

func newWorker(g *Gateway, index int) *worker {
	w := &worker{
		g: g,
		host: enet.NewHost(enet.Config{
			MaxPeers:      (g.opt.MaxPeers + g.opt.Workers - 1) / g.opt.Workers,
			FirstPeer:     index,
			PeerStride:    g.opt.Workers,
			PeersPerAddr:  (g.opt.PeersPerAddr + g.opt.Workers - 1) / g.opt.Workers, // newcomers are dealt by address and port
			LimitLoopback: g.opt.LimitLoopback,
			SilenceFor:    silence,
			SessionSeed:   rand.Uint64(),
		}),
		feed:     g.world.Subscribe("rcce", feedDepth, area.All),
		in:       make(chan *gateway.Datagram, inboxDepth),
		calls:    gateway.NewCalls(loginsAtOnce, g.log),
		scenes:   map[sim.AreaID]*scene{},
		conns:    map[*conn]struct{}{},
		arrivals: map[*conn]struct{}{},
		browsers: map[*conn]struct{}{},
	}
	w.out = outbox{door: g.door}
	w.emit = w.out.add
	return w
}

// serve is run with its panics as errors.
func (w *worker) serve(ctx context.Context) error {
	return gateway.Guard("rcce", w.g.log, func() { w.run(ctx) })
}

// run serves the worker's connections until ctx ends or the world stops, then says good-bye.
func (w *worker) run(ctx context.Context) {
	defer w.calls.Open(ctx)()
	defer w.feed.Close()
	ticker := time.NewTicker(tickEvery)
	defer ticker.Stop()
	for {
		select {
		case <-ctx.Done():
			w.dismiss()
			return
		case d := <-w.in:
			w.receive(d)
		case p, ok := <-w.feed.C():
			if !ok {
				w.dismiss()
				return
			}
			w.show(p.Frame)
			p.Release()
		case f := <-w.calls.C:
			f()
		case <-ticker.C:
			w.host.Tick(w.g.now(), w.event)
			w.dropIdle()
			w.measure()
			w.countDrops()
			for c := range w.browsers { // each has a queue of its own, so the order does not matter
				c.browse()
			}
		}
		w.flush()
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
			c.peer.Finish(0)
			c.gone()
		}
	}
}

// flush writes what waits for any client.
func (w *worker) flush() {
	w.host.Flush(w.g.now(), w.emit)
	w.out.flush()
}

// receive takes a datagram and those that wait behind it.
func (w *worker) receive(d *gateway.Datagram) {
	now := w.g.now()
	gateway.Drain(d, w.in, drainAtOnce, func(d *gateway.Datagram) {
		w.out.locals.Record(d)
		w.host.Receive(now, d.From, d.Bytes(), w.event)
	})
}

// event is what ENet has to say about one peer.
func (w *worker) event(e enet.Event) {
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

// show takes one frame to the clients that are in its area or about to be.
func (w *worker) show(f *sim.Frame) {
	s := w.scenes[f.Area]
	if s == nil {
		if !w.awaits(f) {
			return
		}
		s = newScene(w, f.Area)
		w.scenes[f.Area] = s
	}
	s.show(f)
	for c := range w.arrivals { // each gets a burst of its own, so the order does not matter
		if c.arrivesIn(f.Area) {
			c.arriveIfThere(s, f)
		}
	}
	s.broadcast(f)
	s.sweep()
	if len(s.members) == 0 {
		s.close()
		delete(w.scenes, f.Area)
	}
}

// awaits tells whether some client may arrive with this frame.
func (w *worker) awaits(f *sim.Frame) bool {
	for c := range w.arrivals {
		if c.arrivesIn(f.Area) {
			return true
		}
	}
	return false
}

// dismiss tells every client that the server goes, and gives ENet a moment to deliver it.
func (w *worker) dismiss() {
	for c := range w.conns {
		c.kick()
	}
	w.flush()
	for end := time.Now().Add(farewell); time.Now().Before(end) && w.host.Peers() > 0; {
		select {
		case d := <-w.in:
			w.host.Receive(w.g.now(), d.From, d.Bytes(), func(enet.Event) {})
			d.Release()
		case <-time.After(tickEvery):
			w.host.Tick(w.g.now(), func(enet.Event) {})
		}
		w.flush()
	}
}
