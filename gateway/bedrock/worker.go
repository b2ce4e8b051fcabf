package bedrock

import (
	"context"
	"crypto/rand"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/sim"
)

const (
	tickEvery   = 10 * time.Millisecond // of RakNet's timers and acknowledgements
	drainAtOnce = 256                   // datagrams between two looks at frames and timers
	farewell    = 300 * time.Millisecond

	// spareSessions are for those who log in, and for those who hear that the server is full.   guess
	spareSessions = 128
)

// worker owns its connections. Everything below runs on its goroutine, in run.
type worker struct {
	g        *Gateway
	server   *raknet.Server
	feed     *area.Feed
	in       chan *gateway.Datagram
	calls    *gateway.Calls // that block
	scenes   map[sim.AreaID]*scene
	conns    map[*conn]struct{}
	players  map[sim.EntityID]*conn // those who have a session
	arrivals map[*conn]struct{}     // those who wait for a frame that shows them in
	ids      ids
	columns  columns // encoded chunks
	skins    map[proto.SkinColors]*proto.Skin
	ponged   time.Time
	drops    gateway.Drops
	locals   gateway.LocalAddrs
	write    func(to netip.AddrPort, b []byte) error
	emit     func(to netip.AddrPort, b []byte) // send, made once
	event    func(raknet.Event)                // handle, made once

	deflater proto.Deflater
	inflater proto.Inflater
	plain    []byte // a batch that came in, inflated
	packed   []byte // a batch on its way out
}

func newWorker(g *Gateway) *worker {
	w := &worker{
		g: g,
		server: raknet.NewServer(raknet.Config{
			GUID:        g.guid,
			NoCookies:   g.opt.NoCookies,
			Secret:      secret(),
			MaxSessions: g.opt.MaxPlayers + spareSessions, // addresses are dealt by luck: one worker may have them all
			MaxPerAddr:  g.opt.PerAddr,
		}),
		feed:     g.world.Subscribe("bedrock", feedDepth, area.All),
		in:       make(chan *gateway.Datagram, inboxDepth),
		calls:    gateway.NewCalls(callsAtOnce, g.log),
		scenes:   map[sim.AreaID]*scene{},
		conns:    map[*conn]struct{}{},
		players:  map[sim.EntityID]*conn{},
		arrivals: map[*conn]struct{}{},
		ids:      newIDs(),
		columns:  newColumns(),
		skins:    map[proto.SkinColors]*proto.Skin{},
	}
	w.emit, w.event = w.send, w.handle
	return w
}

// secret is a new key for cookies. Each worker has its own, since an address always meets the same one.
func secret() (s [32]byte) {
	rand.Read(s[:]) // never fails
	return s
}

// serve is run with its panics as errors.
func (w *worker) serve(ctx context.Context) error {
	return gateway.Guard("bedrock", w.g.log, func() { w.run(ctx) })
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
			w.tick()
		}
		w.server.Flush(w.g.nowMS(), w.emit)
	}
}

func (w *worker) tick() {
	now := w.g.nowMS()
	w.server.Tick(now, w.event)
	w.countDrops(now)
	for c := range w.conns { // each has a deadline of its own, so the order does not matter
		c.expire(now)
	}
	if time.Since(w.ponged) >= pongEvery {
		w.announce()
	}
}

// announce tells RakNet what the server says of itself in the list of clients.
func (w *worker) announce() {
	w.ponged = time.Now()
	w.server.SetPong(w.g.motd())
}

// send hands a datagram to the kernel. What a full socket does not take is lost, as on a network.
func (w *worker) send(to netip.AddrPort, b []byte) {
	w.g.door.PacketsOut.Inc()
	w.g.door.BytesOut.Add(len(b))
	if err := w.write(to, b); err != nil {
		w.g.door.Bad.With("write").Inc()
	}
}

// receive takes a datagram and those that wait behind it.
func (w *worker) receive(d *gateway.Datagram) {
	now := w.g.nowMS()
	gateway.Drain(d, w.in, drainAtOnce, func(d *gateway.Datagram) {
		w.locals.Record(d)
		w.server.Receive(now, d.From, d.Bytes(), w.event)
	})
}

// handle takes what RakNet has to say about one peer.
func (w *worker) handle(e raknet.Event) {
	switch e.Kind {
	case raknet.Connected:
		c := newConn(w, e.Peer)
		e.Peer.User = c
		w.conns[c] = struct{}{}
	case raknet.Disconnected:
		if c, ok := e.Peer.User.(*conn); ok {
			c.gone()
		}
	case raknet.Message:
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

// dismiss tells every client that the server goes, and gives RakNet a moment to deliver it.
func (w *worker) dismiss() {
	for c := range w.conns {
		c.dismiss(proto.DisconnectServerShutdown, "The server is closing.")
	}
	w.server.Flush(w.g.nowMS(), w.emit)
	for end := time.Now().Add(w.g.farewell); time.Now().Before(end) && w.server.Peers() > 0; {
		select {
		case d := <-w.in:
			w.server.Receive(w.g.nowMS(), d.From, d.Bytes(), func(raknet.Event) {})
			d.Release()
		case <-time.After(tickEvery):
			w.server.Tick(w.g.nowMS(), func(raknet.Event) {})
		}
		w.server.Flush(w.g.nowMS(), w.emit)
	}
}
