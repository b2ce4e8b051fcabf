package rcce

import (
	"io"
	"log/slog"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/proto/enet"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/store/sqlite"
)

// manualWorker is a worker without a goroutine. It has a player in the world, a second player as bystander, and a client that
// has just connected.
type manualWorker struct {
	worker                       *worker
	player, connected, bystander *conn
	peers                        []*workerPeer
	frame                        *sim.Frame
}

func newManualWorker(f *testing.F) *manualWorker {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := sqlite.Open(f.Context(), emptystore.Dir(f))
	if err != nil {
		f.Fatal(err)
	}
	world := area.NewWorld(emptyFields(), area.Options{Log: quiet})
	hub := session.NewHub(world, db, session.Options{
		Log: quiet, HashCost: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1},
		RecordTimeout: time.Millisecond, // no area ticks, so a leaving player's record never arrives
	})
	f.Cleanup(func() {
		world.Stop(f.Context())
		hub.Close(f.Context())
		db.Close()
	})
	g := newGateway(hub, world, Options{Log: quiet, Workers: 1})
	w := g.workers[0]
	f.Cleanup(w.calls.Open(f.Context()))
	mw := &manualWorker{worker: w}
	connect := func() *conn {
		l := connectPeer(f, w, len(mw.peers))
		mw.peers = append(mw.peers, l)
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
	mw.player, mw.bystander, mw.connected = enter("ann"), enter("bob"), connect()
	mw.frame = westFrame(1, []sim.ActorState{
		player(mw.player.session.Entity, "ann", geom.Vec{}), player(mw.bystander.session.Entity, "bob", geom.Vec{X: 5}),
	})
	w.emit = mw.deliver
	w.Show(mw.frame)
	return mw
}

// deliver stores a datagram of the worker for the client to which it is addressed.
func (mw *manualWorker) deliver(to netip.AddrPort, b []byte) {
	for _, l := range mw.peers {
		if l.addr == to {
			l.mail = append(l.mail, append([]byte(nil), b...))
		}
	}
}

// exchange makes every client receive and acknowledge the datagrams of the worker.
func (mw *manualWorker) exchange() {
	for range 2 {
		mw.worker.host.Flush(0, mw.deliver)
		for _, l := range mw.peers {
			for _, b := range l.mail {
				l.host.Receive(0, serverAddr, b, func(enet.Event) {})
			}
			l.mail = l.mail[:0]
			l.host.Flush(0, func(_ netip.AddrPort, b []byte) { mw.worker.host.Receive(0, l.addr, b, mw.worker.handleENet) })
		}
	}
}

// waitForCalls waits for a connection's blocking calls and runs their results.
func (mw *manualWorker) waitForCalls(x *conn) {
	for len(x.accountQueue) > 0 && !x.closed {
		(<-mw.worker.calls.Results)()
	}
}

// FuzzMessage passes messages to a connection. In the fuzz input, each message is a length byte followed by that many bytes.
// The first byte of the input selects the sender: a player in the world, or a client that has just connected.
func FuzzMessage(f *testing.F) {
	for _, msg := range validMessages("ann", 1) {
		one := append([]byte{byte(len(msg))}, msg...)
		f.Add(append([]byte{0}, one...))
		f.Add(append([]byte{1}, append(one, one...)...))
	}
	mw := newManualWorker(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 4096 {
			return
		}
		who := []*conn{mw.player, mw.connected}[data[0]&1]
		for data = data[1:]; len(data) > 0; {
			n := min(int(data[0]), len(data)-1)
			who.handleMessage(data[1 : 1+n])
			data = data[1+n:]
			mw.waitForCalls(who)
		}
		mw.frame.Tick++
		mw.worker.Show(mw.frame)
		mw.exchange()
		if mw.bystander.closed || mw.bystander.scene == nil || len(mw.bystander.scene.members) < 2 {
			t.Fatal("the bystander was removed from the world")
		}
		if mw.player.closed || mw.connected.closed {
			t.Fatal("a message ended its sender's connection")
		}
		if mw.connected.session != nil && mw.connected.session != mw.player.session {
			mw.connected.refuseEntry()
		}
	})
}
