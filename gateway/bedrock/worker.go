package bedrock

import (
	"context"
	"crypto/rand"
	"math"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/sim"
)

// Limits of a worker, which serves a share of the connections.
const (
	defaultFarewellWait = 300 * time.Millisecond // maximum time to wait until clients acknowledge the final message
	// spareSessions is the maximum number of RakNet sessions beyond MaxPlayers. These sessions are for clients that log in,
	// and for clients that are told that the server is full. The value is an estimate, not measured.
	spareSessions = 1024

	maxHalfOpenPerAddr = 40 // maximum number of half-open sessions per address; allows 30 players behind one address to connect at once
)

// worker owns a share of the connections. Its methods are called only from its goroutine.
type worker struct {
	g          *Gateway
	server     *raknet.Server
	feed       *area.Feed
	in         chan *gateway.Datagram
	calls      *gateway.BlockingCalls // runs calls that may block, outside the worker's goroutine
	scenes     gateway.Scenes[*scene, *conn]
	conns      map[*conn]struct{}
	players    map[sim.EntityID]*conn // connection by player, for connections that have a session
	ids        idTable
	chunkCache chunkCache
	skinCache  map[proto.SkinColors]*proto.Skin
	lastPong   time.Time // time of the last update of the server list entry
	drops      gateway.InputDropMeter
	dismissed  bool // the server is stopping and ignores messages from clients
	locals     gateway.LocalAddrs
	write      func(to netip.AddrPort, b []byte) error // sends a datagram
	emit       func(to netip.AddrPort, b []byte)       // the method send as a value; created once, so that calls do not allocate
	event      func(raknet.Event)                      // the method handleRakNet as a value; created once, so that calls do not allocate

	deflater proto.Deflater
	inflater proto.Inflater
	inflated []byte // buffer for a received batch
	outBuf   []byte // buffer for a batch to send
}

func newWorker(g *Gateway, send *gateway.SendShare) *worker {
	w := &worker{
		g: g,
		server: raknet.NewServer(raknet.Config{
			GUID:               g.guid,
			NoCookies:          g.opt.NoCookies,
			Secret:             newCookieKey(),
			MaxSessions:        g.opt.MaxPlayers + spareSessions, // addresses are hashed to workers, so one worker may get all sessions
			MaxPerAddr:         -1,                               // Gateway.places limits connections per address
			MaxHalfOpenPerAddr: maxHalfOpenPerAddr,
			Limits:             raknet.Limits{MaxHostQueuedBytes: math.MaxInt, SendBudget: send},
		}),
		feed:       g.world.Subscribe("bedrock", feedDepth),
		in:         make(chan *gateway.Datagram, inboxDepth),
		calls:      gateway.NewBlockingCalls(maxCalls, g.log),
		conns:      map[*conn]struct{}{},
		players:    map[sim.EntityID]*conn{},
		ids:        newIDs(),
		chunkCache: newChunkCache(),
		skinCache:  map[proto.SkinColors]*proto.Skin{},
	}
	w.scenes = gateway.NewScenes[*scene, *conn](w.feed, func(a sim.AreaID) *scene { return newScene(w, a) })
	w.emit, w.event = w.send, w.handleRakNet
	return w
}

// newCookieKey returns a random key for RakNet cookies. Each worker may have a key of its own, because all datagrams of an
// address go to the same worker.
func newCookieKey() (s [32]byte) {
	rand.Read(s[:]) // Read never fails
	return s
}

// serve runs the worker until ctx ends or the world stops.
func (w *worker) serve(ctx context.Context) error {
	l := gateway.Loop{Door: "bedrock", Log: w.g.log, In: w.in, Feed: w.feed, Blocking: w.calls, Farewell: w.g.farewellWait}
	return l.Run(ctx, w)
}

// Show passes one frame to the clients that are in the frame's area and to those that wait there for their player to appear.
func (w *worker) Show(f *sim.Frame) { w.scenes.Show(f) }

// Tick performs the worker's periodic work: timeouts, statistics and the server list entry.
func (w *worker) Tick() {
	now := w.g.nowMS()
	w.server.Tick(now, w.event)
	w.countDrops(now)
	for c := range w.conns { // map order does not matter, because each connection has its own deadlines
		c.checkTimeouts(now)
	}
	if time.Since(w.lastPong) >= pongInterval {
		w.updatePong()
	}
}

// updatePong updates the text with which RakNet answers pings: the entry of this server in the clients' server lists.
func (w *worker) updatePong() {
	w.lastPong = time.Now()
	w.server.SetPong(w.g.motd())
}

// send writes a datagram to the socket. If the write fails, for example because the socket's buffer is full, the datagram is
// lost.
func (w *worker) send(to netip.AddrPort, b []byte) {
	w.g.door.PacketsOut.Inc()
	w.g.door.BytesOut.Add(len(b))
	if err := w.write(to, b); err != nil {
		w.g.door.Bad.With("write").Inc()
	}
}

// Receive processes one datagram.
func (w *worker) Receive(d *gateway.Datagram) {
	w.locals.Record(d)
	w.server.Receive(w.g.nowMS(), d.From, d.Bytes(), w.event)
}

// Flush sends the queued datagrams of all clients.
func (w *worker) Flush() { w.server.Flush(w.g.nowMS(), w.emit) }

// Connections returns the number of RakNet peers whose connections are not closed yet.
func (w *worker) Connections() int { return w.server.PeerCount() }

// Dismiss disconnects all clients because the server stops.
func (w *worker) Dismiss() {
	w.dismissed = true
	for c := range w.conns {
		if c.session != nil {
			c.session.Leave()
		}
		c.disconnect(proto.DisconnectServerShutdown, "The server is closing.")
	}
}

// handleRakNet processes an event of one peer.
func (w *worker) handleRakNet(e raknet.Event) {
	if w.dismissed {
		return
	}
	switch e.Kind {
	case raknet.Connected:
		w.admit(newConn(w, e.Peer))
	case raknet.Disconnected:
		c, ok := e.Peer.User.(*conn)
		switch {
		case !ok:
		case e.Reason == raknet.ClosedByPeer: // the client has closed the connection, because its player has left the game
			c.logOut()
		default:
			c.release()
		}
	case raknet.Message:
		if c, ok := e.Peer.User.(*conn); ok {
			c.handleMessage(e.Data)
		}
	}
}

// admit reserves a place for a new connection in Gateway.places, which limits the number of connections. If it gets no
// place, admit closes the connection.
func (w *worker) admit(c *conn) {
	c.peer.User = c
	w.conns[c] = struct{}{}
	var ok bool
	if c.place, ok = w.g.places.Enter(c.who.Addr, func() { w.calls.Post(c.giveWay) }); !ok {
		c.drop()
	}
}
