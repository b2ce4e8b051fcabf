package rcce

import (
	"context"
	"math"
	"math/rand/v2"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/sim"
)

// Time limits of connections.
const (
	closeTimeout = 300 * time.Millisecond // maximum time to wait until clients acknowledge the disconnect when the server stops

	// ackTimeoutMS is a time in ms. A client that has acknowledged nothing for that long is disconnected. The value exceeds
	// ENet's default of 5 s, because known clients do not read their socket for up to 9 s while they load (measured).
	ackTimeoutMS = 15000

	// idleTimeoutMS is the time in ms without a message after which a connection without a player in the world is closed. The
	// value is chosen to be longer than a player stays at the menu.
	idleTimeoutMS = 15 * 60 * 1000
	idleCheckMS   = 1000 // time in ms between two checks for idle connections

	minPatience = 10 * time.Second // replaces idleTimeoutMS for connections that are not logged in, while all places for such connections are taken
)

// worker serves a share of the gateway's connections on one goroutine. Only this goroutine calls the worker's methods.
type worker struct {
	g             *Gateway
	host          *enet.Host
	feed          *area.Feed
	in            chan *gateway.Datagram
	calls         *gateway.BlockingCalls // runs calls that may block, outside the worker's goroutine
	scenes        gateway.Scenes[*scene, *conn]
	conns         map[*conn]struct{}
	downloading   map[*conn]struct{} // clients with unsent catalogue messages
	idleCheckedAt uint32             // time in ms of the last check for idle connections
	statsStoredAt uint32             // time in ms of the last update of link statistics
	statsCount    uint32             // number of updates of link statistics since the start
	drops         gateway.InputDropMeter
	stopping      bool // the server is stopping and ignores messages from clients
	out           batchWriter
	emit          func(to netip.AddrPort, b []byte) // the method out.add as a value; created once, so that calls do not allocate
	scratch       []byte                            // buffer for the message being encoded
}

func newWorker(g *Gateway, index int, send *gateway.SendShare) *worker {
	maxPeers := (g.opt.MaxPeers + g.opt.Workers - 1) / g.opt.Workers
	w := &worker{
		g: g,
		host: enet.NewHost(enet.Config{
			MaxPeers:       maxPeers,
			FirstPeer:      index,
			PeerStride:     g.opt.Workers,
			PeersPerAddr:   -1,          // Gateway.places limits connections per address
			MaxHostQueued:  math.MaxInt, // SendBudget limits the queues
			SendBudget:     send,
			LimitLoopback:  g.opt.LimitLoopback,
			SilenceTimeout: ackTimeoutMS,
			SessionSeed:    rand.Uint64(),
		}),
		feed:        g.world.Subscribe("rcce", feedDepth),
		in:          make(chan *gateway.Datagram, inboxDepth),
		calls:       gateway.NewBlockingCalls(maxPeers, g.log), // at most one call per connection
		conns:       map[*conn]struct{}{},
		downloading: map[*conn]struct{}{},
	}
	w.scenes = gateway.NewScenes[*scene, *conn](w.feed, func(a sim.AreaID) *scene { return newScene(w, a) })
	w.out = batchWriter{door: g.door}
	w.emit = w.out.add
	return w
}

// run serves the worker's clients until ctx ends or the world stops.
func (w *worker) run(ctx context.Context) error {
	l := gateway.Loop{Door: "rcce", Log: w.g.log, In: w.in, Feed: w.feed, Blocking: w.calls, Farewell: closeTimeout}
	return l.Run(ctx, w)
}

// Show passes a frame to the clients in the frame's area, and to those whose player is expected to appear there.
func (w *worker) Show(f *sim.Frame) { w.scenes.Show(f) }

// Tick does the worker's periodic work: ENet's timers, statistics, idle connections and downloads of the catalogue.
func (w *worker) Tick() {
	w.host.Tick(w.g.now(), w.handleENet)
	w.closeIdle()
	w.storeLinkStats()
	w.countDropped()
	for c := range w.downloading { // the order does not matter, because clients have separate queues
		c.sendCatalogueParts()
	}
}

// closeIdle closes connections without a player on which no message has arrived for idleTimeoutMS, or for less if few places are
// left and the client is not logged in. Without this check, ENet's pings would keep such connections open forever. closeIdle
// also disconnects clients whose sessions the hub has ended.
func (w *worker) closeIdle() {
	now := w.g.now()
	if now-w.idleCheckedAt < idleCheckMS {
		return
	}
	w.idleCheckedAt = now
	patience := uint32(w.g.places.SilenceTimeout(minPatience, idleTimeoutMS*time.Millisecond).Milliseconds())
	for c := range w.conns {
		if c.session != nil && c.session.CutOff() {
			c.kick()
			continue
		}
		limit := uint32(idleTimeoutMS)
		if c.account == 0 {
			limit = patience
		}
		if c.session == nil && len(c.accountQueue) == 0 && now-c.receivedAt >= limit {
			w.g.door.Bad.With("idle").Inc()
			c.peer.DisconnectLater(0)
			c.release()
		}
	}
}

// Flush writes all queued packets and datagrams to the socket.
func (w *worker) Flush() {
	w.host.Flush(w.g.now(), w.emit)
	w.out.flush()
}

// Receive processes one received datagram.
func (w *worker) Receive(d *gateway.Datagram) {
	w.out.locals.Record(d)
	w.host.Receive(w.g.now(), d.From, d.Bytes(), w.handleENet)
}

// Connections returns the number of the worker's connections, including those that are being closed.
func (w *worker) Connections() int { return w.host.PeerCount() }

// Dismiss disconnects every client. It is called when the server stops.
func (w *worker) Dismiss() {
	w.stopping = true
	for c := range w.conns {
		c.kick()
	}
}

// handleENet processes one event of a connection: it was established, has ended, or has received a message.
func (w *worker) handleENet(e enet.Event) {
	if w.stopping {
		return
	}
	switch e.Kind {
	case enet.Connected:
		w.admit(newConn(w, e.Peer))
	case enet.Disconnected:
		c, ok := e.Peer.User.(*conn)
		switch {
		case !ok:
		case e.Reason == enet.ByPeer: // the player has closed the client or returned to its menu
			c.logOut()
		default:
			c.release()
		}
	case enet.Message:
		if c, ok := e.Peer.User.(*conn); ok {
			c.handleMessage(e.Data)
		}
	}
}

// admit obtains a place for a new connection from Gateway.places, which limits the number of connections. If there is none, admit
// closes the connection.
func (w *worker) admit(c *conn) {
	c.peer.User = c
	w.conns[c] = struct{}{}
	var ok bool
	if c.place, ok = w.g.places.Enter(c.identity.Addr, func() { w.calls.Post(c.giveWay) }); !ok {
		c.drop()
	}
}
