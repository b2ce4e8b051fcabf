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

// fuzzTarget is a worker with two players in the world: the subject, which sends the fuzzed messages, and a bystander.
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

// joinPlayer puts a player into the world, without encryption.
func (c *fuzzTarget) joinPlayer(name string) *conn {
	x := c.connect(c.tb)
	x.stage, x.compressed, x.version, x.name = stageEntering, true, proto.V2169, name
	l, err := c.w.g.hub.LoginWithoutSecret(c.tb.Context(), x.who, "bedrock:"+name)
	if err != nil {
		c.tb.Fatal(err)
	}
	x.login = l
	if !x.claimAccount() {
		c.tb.Fatal("the account is already claimed")
	}
	s, err := c.w.g.enterWorld(c.tb.Context(), l, name)
	x.finishEntering(s, err)
	if x.closed {
		c.tb.Fatal(err)
	}
	a, p := predictedActor(s.Entity, name, geom.Vec{X: 25, Y: groundY, Z: -1})
	c.frame.Actors, c.frame.Avatars = append(c.frame.Actors, a), append(c.frame.Avatars, p)
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

// connectNew returns a connection that has not logged in. If settled is set, the server has already sent the network settings.
func (c *fuzzTarget) connectNew(settled bool) *conn {
	x := c.connect(c.tb)
	if settled {
		x.handleMessage(append([]byte{proto.BatchID}, wire.VarBytes(nil, proto.AppendPacket(nil, proto.RequestNetworkSettings{Protocol: proto.V2193}, proto.V2193))...))
	}
	return x
}

// waitForCalls waits until all blocking calls have ended.
func (c *fuzzTarget) waitForCalls() {
	for c.w.calls.Busy() {
		select {
		case f := <-c.w.calls.Results:
			f()
		default:
			runtime.Gosched() // let finished calls return
		}
	}
}

// replaceSubject makes another player join after the player under test was disconnected. The new player needs another name:
// no area ticks, so the record of the old account is never saved.
func (c *fuzzTarget) replaceSubject() {
	c.joins++
	c.removePeer(c.subject)
	c.frame.Actors, c.frame.Avatars = c.frame.Actors[:1], c.frame.Avatars[:1]
	c.showFrame()
	c.subject = c.joinPlayer(fmt.Sprint("ann", c.joins))
}

// FuzzMessage passes messages to a connection. In the fuzz input, two bytes with its length precede each message. The first
// byte of the input selects the sender: a player in the world, a new connection, or a connection after the network settings.
// Messages are decrypted batches.
func FuzzMessage(f *testing.F) {
	c := newFuzzTarget(f)
	srv := &testServer{t: f}
	key := clientKey()
	for _, p := range samples(&client{connection: &connection{srv: srv}, name: "eve", version: proto.V2169, key: key}) {
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
			t.Fatal("the bystander was affected")
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

// removePeer removes the client's side of a closed connection.
func (c *fuzzTarget) removePeer(x *conn) {
	delete(c.peers, x.peer.Addr())
	c.served = slices.DeleteFunc(c.served, func(p *workerPeer) bool { return p.peer == x.peer })
}
