package bedrock

import (
	"fmt"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store/sqlite"
)

// cage is a worker that does not run: nothing happens but what the test does, and time is a number.
type cage struct {
	w     *worker
	now   int64 // ms, of RakNet
	ends  map[netip.AddrPort]*end
	lines []*end

	dialled int
	serving *end
	send    func(netip.AddrPort, []byte) // deliver, made once
	receive func(netip.AddrPort, []byte) // from the one that is being served
}

// end is the client's end of a connection to a caged worker.
type end struct {
	addr netip.AddrPort
	host *raknet.Client
	peer *raknet.Peer // the worker's
	mail [][]byte
	free [][]byte
}

// newCage is a cage in a world of which no area ticks. Without a store nobody can log in.
func newCage(tb testing.TB, players int, stored bool) *cage {
	tb.Helper()
	quiet := slog.New(slog.DiscardHandler)
	world := area.NewWorld(twoFields(), area.Options{Log: quiet})
	var hub *session.Hub
	if stored {
		db, err := sqlite.Open(tb.Context(), tb.TempDir())
		if err != nil {
			tb.Fatal(err)
		}
		hub = session.NewHub(world, db, session.Options{Log: quiet, LeaveWait: time.Millisecond}) // no last record ever comes
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
	c := &cage{w: w, now: 1, ends: map[netip.AddrPort]*end{}}
	c.send = c.deliver
	c.receive = func(_ netip.AddrPort, b []byte) { w.server.Receive(c.now, c.serving.addr, b, w.event) }
	return c
}

// connect brings one more client to the end of RakNet's handshake.
func (c *cage) connect(tb testing.TB) *conn {
	tb.Helper()
	c.dialled++
	i := c.dialled
	e := &end{
		addr: netip.AddrPortFrom(netip.AddrFrom4([4]byte{127, byte(i >> 16), byte(i >> 8), byte(i)}), 5000),
		host: raknet.NewClient(raknet.ClientConfig{GUID: uint64(i), Limits: raknet.Limits{AckDelay: -1}}),
	}
	c.ends[e.addr], c.lines = e, append(c.lines, e)
	e.host.Connect(c.now, serverAddr)
	var x *conn
	handle := func(ev raknet.Event) {
		c.w.event(ev)
		if ev.Kind == raknet.Connected {
			e.peer, x = ev.Peer, ev.Peer.User.(*conn)
		}
	}
	for range 20 {
		c.exchange(e, handle)
		if x != nil {
			return x
		}
		c.now += 10
	}
	tb.Fatal("no connection")
	return nil
}

// exchange brings what one client has to say to the worker, and the other way round.
func (c *cage) exchange(e *end, handle func(raknet.Event)) {
	e.host.Tick(c.now, ignore)
	e.host.Flush(c.now, func(_ netip.AddrPort, b []byte) { c.w.server.Receive(c.now, e.addr, b, handle) })
	c.w.server.Tick(c.now, handle)
	c.w.server.Flush(c.now, c.deliver)
	e.read(c.now)
}

func ignore(raknet.Event) {}

// deliver is the wire from the worker.
func (c *cage) deliver(to netip.AddrPort, b []byte) {
	e := c.ends[to]
	if e == nil {
		return
	}
	var room []byte
	if n := len(e.free); n > 0 {
		room, e.free = e.free[n-1], e.free[:n-1]
	}
	e.mail = append(e.mail, append(room[:0], b...))
}

func (e *end) read(now int64) {
	for _, b := range e.mail {
		e.host.Receive(now, serverAddr, b, ignore)
	}
	e.free = append(e.free, e.mail...)
	e.mail = e.mail[:0]
}

// serve lets every client read and acknowledge.
func (c *cage) serve() {
	c.w.server.Tick(c.now, c.w.event)
	c.w.server.Flush(c.now, c.send)
	for _, c.serving = range c.lines {
		c.serving.read(c.now)
		c.serving.host.Flush(c.now, c.receive)
	}
}

// predicted is a row of a frame made by hand, with the state that belongs to it.
func predicted(id sim.EntityID, name string, at geom.Vec) (sim.ActorState, sim.PredictedState) {
	a := move.NewAvatar(at)
	return sim.ActorState{
			ID: id, Flags: sim.FlagPlayer | sim.FlagPredicted, Health: 100, HealthMax: 100,
			Pos:  twoFields().Areas[0].BlockGrid.ToWorld(at),
			Body: &sim.Body{Template: human, Name: name, Character: sim.CharacterID(id)},
		}, sim.PredictedState{
			ID: id, Tick: 1, Avatar: a,
		}
}

// crowd is a scene in which n connected clients stand together and have been told of each other and of their ground, and
// its last frame.
func (c *cage) crowd(tb testing.TB, n int) (*scene, *sim.Frame) {
	tb.Helper()
	w := c.w
	s := newScene(w, 0)
	w.scenes.Open[0] = s
	f := &sim.Frame{Area: 0, Tick: 1}
	for i := range n {
		a, p := predicted(sim.EntityID(i+1), fmt.Sprint("p", i), geom.Vec{X: float32(i%16) / 4, Y: groundY, Z: float32(i/16) / 4})
		f.Actors, f.Predicted = append(f.Actors, a), append(f.Predicted, p)
	}
	s.Show(f) // before there is anybody to be told
	for i := range n {
		x := c.connect(tb)
		x.stage, x.packed, x.sealer = stagePlay, true, auth.NewSealer([32]byte{byte(i)})
		x.session = &session.Session{Entity: sim.EntityID(i + 1)}
		x.id = w.ids.hold(x.session.Entity)
		w.players[x.session.Entity] = x
		x.scene, x.sight.served = s, f.Tick
		x.sight.view.Self = x.session.Entity
		x.ground.reset(1)
		s.members = append(s.members, x)
	}
	return s, f
}
