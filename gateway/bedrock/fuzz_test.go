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
type fuzzTarget struct {
	*manualWorker
	tb                 testing.TB
	subject, bystander *conn
	frame              *sim.Frame
	joins              int
}

func newFuzzTarget(f *testing.F) *fuzzTarget {
	c := &fuzzTarget{manualWorker: newManualWorker(f, 100, true), tb: f, frame: &sim.Frame{Tick: 1}}
	c.bystander = c.joinPlayer("bob")
	c.subject = c.joinPlayer("ann")
	return c
}

// player brings a player into the world, past everything that is encrypted.
func (c *fuzzTarget) joinPlayer(name string) *conn {
	x := c.connect(c.tb)
	x.stage, x.compressed, x.version, x.name = stageEntering, true, proto.V2169, name
	l, err := c.w.g.hub.Vouch(c.tb.Context(), x.who, "bedrock:"+name)
	if err != nil {
		c.tb.Fatal(err)
	}
	x.login = l
	if !x.claimAccount() {
		c.tb.Fatal("the name is taken")
	}
	s, err := c.w.g.enterWorld(c.tb.Context(), l, name)
	x.finishEntering(s, err)
	if x.closed {
		c.tb.Fatal(err)
	}
	a, p := predictedActor(s.Entity, name, geom.Vec{X: 25, Y: groundY, Z: -1})
	c.frame.Actors, c.frame.Predicted = append(c.frame.Actors, a), append(c.frame.Predicted, p)
	c.showFrame()
	x.enterStage(stagePlay)
	return x
}

func (c *fuzzTarget) showFrame() {
	c.frame.Tick++
	c.w.Show(c.frame)
	c.now += 10
	c.serve()
}

// stranger is a connection that has not logged in; settled ones have agreed on the settings.
func (c *fuzzTarget) connectNew(settled bool) *conn {
	x := c.connect(c.tb)
	if settled {
		x.handleMessage(append([]byte{proto.BatchID}, wire.VarBytes(nil, proto.AppendPacket(nil, proto.RequestNetworkSettings{Protocol: proto.V2193}, proto.V2193))...))
	}
	return x
}

// drain waits for whatever blocks on behalf of a connection.
func (c *fuzzTarget) waitForCalls() {
	for c.w.calls.Busy() {
		select {
		case f := <-c.w.calls.Results:
			f()
		default:
			runtime.Gosched() // the last of a call is to give back its place
		}
	}
}

// come brings somebody else in the place of who was sent away: no area ticks, so his last record never comes.
func (c *fuzzTarget) replaceSubject() {
	c.joins++
	c.removePeer(c.subject)
	c.frame.Actors, c.frame.Predicted = c.frame.Actors[:1], c.frame.Predicted[:1]
	c.showFrame()
	c.subject = c.joinPlayer(fmt.Sprint("ann", c.joins))
}

// FuzzMessage feeds a connection any messages, each two bytes of length and so many bytes. The first byte of all says who
// sends them: a player in the world, somebody who has just connected, or somebody who is about to log in. Messages are
// what is left when a batch has been decrypted.
func FuzzMessage(f *testing.F) {
	c := newFuzzTarget(f)
	srv := &testServer{t: f}
	key := clientKey()
	for _, p := range samples(&client{connection: &connection{r: srv}, name: "eve", version: proto.V2169, key: key}) {
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
		if c.subject.closed {
			c.replaceSubject()
		}
		who := c.subject
		if n := data[0] % 3; n > 0 {
			who = c.connectNew(n == 2)
		}
		for data = data[1:]; len(data) >= 2; {
			n := min(int(binary.LittleEndian.Uint16(data)), len(data)-2)
			who.handleMessage(data[2 : 2+n])
			data = data[2+n:]
			c.waitForCalls()
		}
		c.showFrame()
		if c.bystander.closed || c.bystander.scene == nil || !c.subject.closed && len(c.bystander.scene.clients) != 2 {
			t.Fatal("somebody else was thrown out of the world")
		}
		if who != c.subject {
			who.peer.Reset()
			who.release()
			c.removePeer(who)
		}
		if n := len(c.w.conns); n > 2 || len(c.w.players) != n || len(c.w.g.accounts.by) != n || c.w.g.loginBytes.Load() != 0 {
			t.Fatalf("%d connections, %d players, names %v", n, len(c.w.players), c.w.g.accounts.by)
		}
	})
}

// forget drops the client's end of a connection that is over.
func (c *fuzzTarget) removePeer(x *conn) {
	delete(c.peers, x.peer.Addr())
	c.served = slices.DeleteFunc(c.served, func(p *workerPeer) bool { return p.peer == x.peer })
}
