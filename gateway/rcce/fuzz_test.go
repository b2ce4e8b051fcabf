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

// cage is a worker that does not run, with a player in the world, one who stands by, and one who has just connected.
type cage struct {
	w                     *worker
	inside, lobby, beside *conn
	lines                 []*line
	frame                 *sim.Frame
}

func newCage(f *testing.F) *cage {
	quiet := slog.New(slog.NewTextHandler(io.Discard, nil))
	db, err := sqlite.Open(f.Context(), f.TempDir())
	if err != nil {
		f.Fatal(err)
	}
	world := area.NewWorld(empty(), area.Options{Log: quiet})
	hub := session.NewHub(world, db, session.Options{
		Log: quiet, Secrets: session.Cost{MemoryKiB: 8, Passes: 1, Threads: 1},
		LeaveWait: time.Millisecond, // no area ticks, so no last record ever comes
	})
	f.Cleanup(func() {
		world.Stop(f.Context())
		hub.Close(f.Context())
		db.Close()
	})
	g := newGateway(hub, world, Options{Log: quiet, Workers: 1})
	w := g.workers[0]
	f.Cleanup(w.calls.Open(f.Context()))
	c := &cage{w: w}
	connect := func() *conn {
		l := handshake(f, w, len(c.lines))
		c.lines = append(c.lines, l)
		w.event(enet.Event{Kind: enet.Connected, Peer: l.peer})
		return l.peer.User.(*conn)
	}
	enter := func(name string) *conn {
		x := connect()
		r := &rig{t: f, ctx: f.Context(), hub: hub}
		r.account(name)
		l, err := hub.Login(f.Context(), x.who, name, right)
		r.must(err)
		s, err := hub.Enter(f.Context(), l, 0)
		r.must(err)
		x.enter(s)
		return x
	}
	c.inside, c.beside, c.lobby = enter("ann"), enter("bob"), connect()
	c.frame = frame(1, []sim.ActorState{
		person(c.inside.session.Entity, "ann", geom.Vec{}), person(c.beside.session.Entity, "bob", geom.Vec{X: 5}),
	})
	w.emit = c.deliver
	w.Show(c.frame)
	return c
}

// deliver is the wire from the server.
func (c *cage) deliver(to netip.AddrPort, b []byte) {
	for _, l := range c.lines {
		if l.addr == to {
			l.mail = append(l.mail, append([]byte(nil), b...))
		}
	}
}

// settle lets every client read and acknowledge.
func (c *cage) settle() {
	for range 2 {
		c.w.host.Flush(0, c.deliver)
		for _, l := range c.lines {
			for _, b := range l.mail {
				l.host.Receive(0, serverAddr, b, func(enet.Event) {})
			}
			l.mail = l.mail[:0]
			l.host.Flush(0, func(_ netip.AddrPort, b []byte) { c.w.host.Receive(0, l.addr, b, c.w.event) })
		}
	}
}

// drain waits for whatever blocks on behalf of a connection.
func (c *cage) drain(x *conn) {
	for len(x.waiting) > 0 && !x.closed {
		(<-c.w.calls.Results)()
	}
}

// FuzzMessage feeds a connection any messages: each is a byte of length and so many bytes. The first byte of all says
// who sends them: a player in the world, or somebody who has just connected.
func FuzzMessage(f *testing.F) {
	for _, msg := range wishes("ann", 1) {
		one := append([]byte{byte(len(msg))}, msg...)
		f.Add(append([]byte{0}, one...))
		f.Add(append([]byte{1}, append(one, one...)...))
	}
	c := newCage(f)
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 4096 {
			return
		}
		who := []*conn{c.inside, c.lobby}[data[0]&1]
		for data = data[1:]; len(data) > 0; {
			n := min(int(data[0]), len(data)-1)
			who.message(data[1 : 1+n])
			data = data[1+n:]
			c.drain(who)
		}
		c.frame.Tick++
		c.w.Show(c.frame)
		c.settle()
		if c.beside.closed || c.beside.scene == nil || len(c.beside.scene.members) < 2 {
			t.Fatal("somebody else was thrown out of the world")
		}
		if c.inside.closed || c.lobby.closed {
			t.Fatal("a message ended its sender's connection")
		}
		if c.lobby.session != nil && c.lobby.session != c.inside.session {
			c.lobby.turnAway()
		}
	})
}
