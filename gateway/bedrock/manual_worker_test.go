package bedrock

import (
	"fmt"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store/sqlite"
)

// manualWorker is a worker whose steps and clock the test controls.
type manualWorker struct {
	w      *worker
	now    int64 // RakNet's time in ms
	peers  map[netip.AddrPort]*workerPeer
	served []*workerPeer

	dials   int
	serving *workerPeer
	send    func(netip.AddrPort, []byte) // the method deliver as a value, created once so that no call allocates
	receive func(netip.AddrPort, []byte) // passes datagrams of the client in turn to the worker
}

// workerPeer is the client's side of a connection to a manualWorker.
type workerPeer struct {
	addr netip.AddrPort
	host *raknet.Client
	peer *raknet.Peer // the worker's side of the connection
	mail [][]byte
	free [][]byte
}

// newManualWorker returns a worker in a world whose areas do not tick. If stored is false, there is no account store,
// so no client can log in.
func newManualWorker(tb testing.TB, players int, stored bool) *manualWorker {
	tb.Helper()
	quiet := slog.New(slog.DiscardHandler)
	world := area.NewWorld(twoFields(), area.Options{Log: quiet})
	hub := new(session.Hub) // without accounts
	if stored {
		db, err := sqlite.Open(tb.Context(), emptystore.Dir(tb))
		if err != nil {
			tb.Fatal(err)
		}
		hub = session.NewHub(world, db, session.Options{Log: quiet, RecordTimeout: time.Millisecond}) // areas do not tick, so the hub never gets the record of a leaving player
		tb.Cleanup(func() {
			_ = world.Stop(tb.Context())
			_ = hub.Close(tb.Context())
			_ = db.Close()
		})
	}
	g, err := newGateway(hub, world, Options{Log: quiet, Workers: 1, MaxPlayers: players, PerAddr: -1, NoCookies: true})
	if err != nil {
		tb.Fatal(err)
	}
	w := g.workers[0]
	tb.Cleanup(w.calls.Open(tb.Context()))
	mw := &manualWorker{w: w, now: 1, peers: map[netip.AddrPort]*workerPeer{}}
	mw.send = mw.deliver
	mw.receive = func(_ netip.AddrPort, b []byte) { w.server.Receive(mw.now, mw.serving.addr, b, w.event) }
	return mw
}

// connect completes RakNet's handshake with a new client.
func (mw *manualWorker) connect(tb testing.TB) *conn {
	tb.Helper()
	mw.dials++
	i := mw.dials
	p := &workerPeer{
		addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, byte(i >> 16), byte(i >> 8), byte(i)}), 5000),
		host: raknet.NewClient(raknet.ClientConfig{GUID: uint64(i), Limits: raknet.Limits{AckDelay: -1}}),
	}
	mw.peers[p.addr], mw.served = p, append(mw.served, p)
	p.host.Connect(mw.now, serverAddr)
	var x *conn
	handle := func(ev raknet.Event) {
		mw.w.event(ev)
		if ev.Kind == raknet.Connected {
			p.peer, x = ev.Peer, ev.Peer.User.(*conn)
		}
	}
	for range 20 {
		mw.exchange(p, handle)
		if x != nil {
			return x
		}
		mw.now += 10
	}
	tb.Fatal("no connection")
	return nil
}

// exchange transfers the pending datagrams between one client and the worker.
func (mw *manualWorker) exchange(p *workerPeer, handle func(raknet.Event)) {
	p.host.Tick(mw.now, ignore)
	p.host.Flush(mw.now, func(_ netip.AddrPort, b []byte) { mw.w.server.Receive(mw.now, p.addr, b, handle) })
	mw.w.server.Tick(mw.now, handle)
	mw.w.server.Flush(mw.now, mw.deliver)
	p.readMail(mw.now)
}

func ignore(raknet.Event) {}

// deliver queues a datagram from the worker for its client.
func (mw *manualWorker) deliver(to netip.AddrPort, b []byte) {
	p := mw.peers[to]
	if p == nil {
		return
	}
	var room []byte
	if n := len(p.free); n > 0 {
		room, p.free = p.free[n-1], p.free[:n-1]
	}
	p.mail = append(p.mail, append(room[:0], b...))
}

func (p *workerPeer) readMail(now int64) {
	for _, b := range p.mail {
		p.host.Receive(now, serverAddr, b, ignore)
	}
	p.free = append(p.free, p.mail...)
	p.mail = p.mail[:0]
}

// serve makes every client read and acknowledge its datagrams.
func (mw *manualWorker) serve() {
	mw.w.server.Tick(mw.now, mw.w.event)
	mw.w.server.Flush(mw.now, mw.send)
	for _, mw.serving = range mw.served {
		mw.serving.readMail(mw.now)
		mw.serving.host.Flush(mw.now, mw.receive)
	}
}

// predictedActor returns the state of a predicted player for a frame.
func predictedActor(id sim.EntityID, name string, at geom.Vec) (sim.ActorState, sim.AvatarState) {
	a := move.NewAvatar(at)
	return sim.ActorState{
			ID: id, Flags: sim.FlagPlayer | sim.FlagAvatar, Health: 100, HealthMax: 100,
			Pos:    twoFields().Areas[0].BlockGrid.ToWorld(at),
			Motion: sim.Motion{FacesYaw: true},
			Body:   &sim.Body{Template: human, Name: name, Character: sim.CharacterID(id)},
		}, sim.AvatarState{
			ID: id, Avatar: a, Prediction: sim.PredictionState{Tick: 1},
		}
}

// addCrowd returns a scene with n connected clients that stand close together, and its last frame.
func (mw *manualWorker) addCrowd(tb testing.TB, n int) (*scene, *sim.Frame) {
	tb.Helper()
	w := mw.w
	s := newScene(w, 0)
	w.scenes.Open[0] = s
	f := &sim.Frame{Area: 0, Tick: 1}
	for i := range n {
		a, p := predictedActor(sim.EntityID(i+1), fmt.Sprint("p", i), geom.Vec{X: float32(i%16) / 4, Y: groundY, Z: float32(i/16) / 4})
		f.Actors, f.Avatars = append(f.Actors, a), append(f.Avatars, p)
	}
	s.Show(f) // show the frame before the scene has clients
	for i := range n {
		x := mw.connect(tb)
		x.stage, x.compressed, x.sealer = stagePlay, true, auth.NewSealer([32]byte{byte(i)})
		x.session = &session.Session{Entity: sim.EntityID(i + 1)}
		x.runtimeID = w.ids.acquire(x.session.Entity)
		w.players[x.session.Entity] = x
		x.scene, x.view.lastBroadcast = s, f.Tick
		x.view.interest.Self = x.session.Entity
		x.chunks.reset(1)
		s.clients = append(s.clients, x)
	}
	return s, f
}
