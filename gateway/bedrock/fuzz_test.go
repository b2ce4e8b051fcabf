package bedrock

import (
	"encoding/binary"
	"fmt"
	"runtime"
	"slices"
	"testing"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// fuzzed is a cage with two players in the world, one of whom stands by.
type fuzzed struct {
	*cage
	tb             testing.TB
	inside, beside *conn
	frame          *sim.Frame
	visits         int
}

func newFuzzed(f *testing.F) *fuzzed {
	c := &fuzzed{cage: newCage(f, 100, true), tb: f, frame: &sim.Frame{Tick: 1}}
	c.beside = c.player("bob")
	c.inside = c.player("ann")
	return c
}

// player brings a player into the world, past everything that is encrypted.
func (c *fuzzed) player(name string) *conn {
	x := c.connect(c.tb)
	x.stage, x.packed, x.version, x.name = stageEntering, true, proto.V2169, name
	l, err := c.w.g.hub.Vouch(c.tb.Context(), x.who, "bedrock:"+name)
	if err != nil {
		c.tb.Fatal(err)
	}
	x.login = l
	if !x.takeName() {
		c.tb.Fatal("the name is taken")
	}
	s, err := c.w.g.enter(c.tb.Context(), l, name)
	x.entered(s, err)
	if x.closed {
		c.tb.Fatal(err)
	}
	a, p := predicted(s.Entity, name, geom.Vec{X: 25, Y: groundY, Z: -1})
	c.frame.Actors, c.frame.Predicted = append(c.frame.Actors, a), append(c.frame.Predicted, p)
	c.show()
	x.enterStage(stagePlay)
	return x
}

func (c *fuzzed) show() {
	c.frame.Tick++
	c.w.Show(c.frame)
	c.now += 10
	c.serve()
}

// stranger is a connection that has not logged in; settled ones have agreed on the settings.
func (c *fuzzed) stranger(settled bool) *conn {
	x := c.connect(c.tb)
	if settled {
		x.message(append([]byte{proto.BatchID}, wire.VarBytes(nil, proto.AppendPacket(nil, proto.RequestNetworkSettings{Protocol: proto.V2193}, proto.V2193))...))
	}
	return x
}

// drain waits for whatever blocks on behalf of a connection.
func (c *fuzzed) drain() {
	for c.w.calls.Busy() {
		select {
		case f := <-c.w.calls.C:
			f()
		default:
			runtime.Gosched() // the last of a call is to give back its place
		}
	}
}

// come brings somebody else in the place of who was sent away: no area ticks, so his last record never comes.
func (c *fuzzed) come() {
	c.visits++
	c.forget(c.inside)
	c.frame.Actors, c.frame.Predicted = c.frame.Actors[:1], c.frame.Predicted[:1]
	c.show()
	c.inside = c.player(fmt.Sprint("ann", c.visits))
}

// FuzzMessage feeds a connection any messages, each two bytes of length and so many bytes. The first byte of all says who
// sends them: a player in the world, somebody who has just connected, or somebody who is about to log in. Messages are
// what is left when a batch has been decrypted.
func FuzzMessage(f *testing.F) {
	c := newFuzzed(f)
	r := &rig{t: f}
	key := clientKey()
	for _, p := range samples(&client{line: &line{r: r}, name: "eve", version: proto.V2169, key: key}) {
		for who, v := range []proto.Version{proto.V2169, proto.V2169, proto.V2193} {
			batch := wire.VarBytes(nil, proto.AppendPacket(nil, p, v))
			if who != 1 {
				batch = append([]byte{proto.CompressorNone}, batch...)
			}
			msg := append([]byte{proto.BatchID}, batch...)
			if len(msg) < 1<<16 {
				f.Add(append([]byte{byte(who)}, append(binary.LittleEndian.AppendUint16(nil, uint16(len(msg))), msg...)...))
			}
		}
	}
	f.Fuzz(func(t *testing.T, data []byte) {
		if len(data) == 0 || len(data) > 1<<16 {
			return
		}
		c.tb = t
		if c.inside.closed {
			c.come()
		}
		who := c.inside
		if n := data[0] % 3; n > 0 {
			who = c.stranger(n == 2)
		}
		for data = data[1:]; len(data) >= 2; {
			n := min(int(binary.LittleEndian.Uint16(data)), len(data)-2)
			who.message(data[2 : 2+n])
			data = data[2+n:]
			c.drain()
		}
		c.show()
		if c.beside.closed || c.beside.scene == nil || !c.inside.closed && len(c.beside.scene.members) != 2 {
			t.Fatal("somebody else was thrown out of the world")
		}
		if who != c.inside {
			who.peer.Reset()
			who.gone()
			c.forget(who)
		}
		if n := len(c.w.conns); n > 2 || len(c.w.players) != n || len(c.w.g.names.by) != n || c.w.g.checking.Load() != 0 {
			t.Fatalf("%d connections, %d players, names %v", n, len(c.w.players), c.w.g.names.by)
		}
	})
}

// forget drops the client's end of a connection that is over.
func (c *fuzzed) forget(x *conn) {
	delete(c.ends, x.peer.Addr())
	c.lines = slices.DeleteFunc(c.lines, func(e *end) bool { return e.peer == x.peer })
}
