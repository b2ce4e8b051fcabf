package rcce

import (
	"io"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store/sqlite"
)

// manualWorker is a worker that does not run, with a player in the world, a second one as bystander, and a client that
// has just connected.
type manualWorker struct {
	w                           *worker
	player, newcomer, bystander *conn
	peers                       []*workerPeer
	frame                       *sim.Frame
}

func newManualWorker(f *testing.F) *manualWorker {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := sqlite.Open(f.Context(), f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	world := area.NewWorld(emptyFields(), area.Options{Log: quiet})
	hub := session.NewHub(world, db, session.Options{
		Log: quiet, Secrets: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1},
		LeaveWait: time.Millisecond, // no area ticks, so the last record never comes
	})
	f.Cleanup(func() {
		world.Stop(f.Context())
		hub.Close(f.Context())
		db.Close()
	})
	g := newGateway(hub, world, Options{Log: quiet, Workers: 1})
	w := g.workers[0]
	f.Cleanup(w.calls.Open(f.Context()))
	c := &manualWorker{w: w}
	connect := func() *conn {
		l := connectPeer(f, w, len(c.peers))
		c.peers = append(c.peers, l)
		w.handleENet(enet.Event{Kind: enet.Connected, Peer: l.peer})
		return l.peer.User.(*conn)
	}
	enter := func(name string) *conn {
		x := connect()
		srv := &testServer{t: f, ctx: f.Context(), hub: hub}
		srv.createAccount(name)
		l, err := hub.Login(f.Context(), x.identity, name, rightMD5)
		srv.must(err)
		s, err := hub.Enter(f.Context(), l, 0)
		srv.must(err)
		x.awaitFirstFrame(s)
		return x
	}
	c.player, c.bystander, c.newcomer = enter("ann"), enter("bob"), connect()
	c.frame = westFrame(1, []sim.ActorState{
		player(c.player.session.Entity, "ann", geom.Vec{}), player(c.bystander.session.Entity, "bob", geom.Vec{X: 5}),
	})
	w.emit = c.deliver
	w.Show(c.frame)
	return c
}

// deliver records datagrams for clients.
func (c *manualWorker) deliver(to netip.AddrPort, b []byte) {
	for _, l := range c.peers {
		if l.addr == to {
			l.mail = append(l.mail, append([]byte(nil), b...))
		}
	}
}

// exchange lets every client read and acknowledge.
func (c *manualWorker) exchange() {
	for range 2 {
		c.w.host.Flush(0, c.deliver)
		for _, l := range c.peers {
			for _, b := range l.mail {
				l.host.Receive(0, serverAddr, b, func(enet.Event) {})
			}
			l.mail = l.mail[:0]
			l.host.Flush(0, func(_ netip.AddrPort, b []byte) { c.w.host.Receive(0, l.addr, b, c.w.handleENet) })
		}
	}
}

// waitForCalls runs the results of a connection's blocking calls.
func (c *manualWorker) waitForCalls(x *conn) {
	for len(x.accountQueue) > 0 && !x.closed {
		(<-c.w.calls.Results)()
	}
}

// FuzzMessage passes messages to a connection: each is a length byte and that many bytes. The first byte of the input
// selects the sender: a player in the world, or a client that has just connected.
func FuzzMessage(f *testing.F) {
	for _, msg := range validMessages("ann", 1) {
		one := append([]byte{byte(len(msg))}, msg...)
		f.Add(append([]byte{0}, one...))
		f.Add(append([]byte{1}, append(one, one...)...))
	}
	c := newManualWorker(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 4096 {
			return
		}
		who := []*conn{c.player, c.newcomer}[data[0]&1]
		for data = data[1:]; len(data) > 0; {
			n := min(int(data[0]), len(data)-1)
			who.handleMessage(data[1 : 1+n])
			data = data[1+n:]
			c.waitForCalls(who)
		}
		c.frame.Tick++
		c.w.Show(c.frame)
		c.exchange()
		if c.bystander.closed || c.bystander.scene == nil || len(c.bystander.scene.members) < 2 {
			t.Fatal("the bystander was removed from the world")
		}
		if c.player.closed || c.newcomer.closed {
			t.Fatal("a message ended its sender's connection")
		}
		if c.newcomer.session != nil && c.newcomer.session != c.player.session {
			c.newcomer.refuseEntry()
		}
	})
}
