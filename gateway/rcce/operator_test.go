package rcce

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// entityOf is the actor of a client that is in the world.
func (r *rig) entityOf(c *client) (e sim.EntityID) {
	r.t.Helper()
	r.on(func(w *worker) {
		for x := range w.conns {
			if x.peer.Addr() == c.addr && x.session != nil {
				e = x.session.Entity
			}
		}
	})
	if e == 0 {
		r.t.Fatal("not in the world")
	}
	return e
}

// An operator's kick is a line of chat, and then the packet that has no room for a reason. The banned get the code of
// the original.
func TestWhoIsSentAwayReadsWhy(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		ann, bob := r.player("ann"), r.player("bob")
		ann.got, bob.got = nil, nil
		r.must(r.hub.Kick(r.entityOf(ann), "no shouting"))
		r.until("ann to be sent away", func() bool { return ann.gone })
		kinds := ann.kinds()
		if got := texts(ann); !slices.Equal(got, []string{"You were sent away: no shouting"}) || kinds[len(kinds)-1] != "KickedPlayer" {
			t.Errorf("read %q, told %v", got, kinds)
		}
		if count[proto.ActorGone](bob) != 1 {
			t.Errorf("bob was told %v", bob.kinds())
		}
		ann = r.enters("ann")
		r.must(r.hub.Ban(r.ctx, "ann", "cheating"))
		r.until("ann to be sent away", func() bool { return ann.gone })
		if got := texts(ann); !strings.Contains(got[len(got)-1], "cheating") {
			t.Errorf("banned, and read %q", got)
		}
		c := r.connect()
		answers := c.ask(proto.VerifyAccountRequest{User: "ann", MD5: secret("pass")})
		if len(answers) != 1 {
			t.Fatalf("banned, and answered %v", answers)
		}
		if a, ok := answers[0].(proto.VerifyAccount); !ok || a.Result != proto.ReplyBanned {
			t.Errorf("banned, and answered %+v", answers[0])
		}
		r.must(r.hub.Pardon(r.ctx, "ann"))
		r.enters("ann")
	})
}

// The frozen are told so, held and put back where they are; who does not ask to move is not repositioned.
func TestTheFrozenAreHeldAndPutBack(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		ann, bob := r.player("ann"), r.player("bob")
		id := r.entityOf(ann)
		ann.got, bob.got = nil, nil
		r.must(r.hub.Freeze(context.Background(), id, true))
		r.run(time.Second)
		if got := texts(ann); len(got) != 1 || !strings.Contains(got[0], "frozen") || count[proto.RepositionActor](ann) != 0 {
			t.Fatalf("read %q, told %v", got, ann.kinds())
		}
		ann.claim(proto.StandardUpdateRequest{DestX: 60, DestZ: 2, Y: 1, X: 52, Z: 2})
		r.run(200 * time.Millisecond)
		if got := each[proto.RepositionActor](ann); len(got) != 1 || got[0].X != 50 || got[0].Z != 2 {
			t.Fatalf("asked to move, and was told %+v", got)
		}
		ann.send(proto.RepositionActorRequest{})
		ann.claim(proto.StandardUpdateRequest{DestX: 50, DestZ: 2, Y: 1, X: 50, Z: 2})
		r.run(time.Second)
		if n := count[proto.RepositionActor](ann); n != 1 {
			t.Errorf("stood still, and was put back %d times", n)
		}
		for _, u := range each[proto.StandardUpdate](bob) {
			if u.RuntimeID == ann.id && (u.X != 50 || u.Z != 2 || u.DestX != 50 || u.DestZ != 2) {
				t.Fatalf("bob sees her at %v, %v", u.X, u.Z)
			}
		}
		r.must(r.hub.Tell(id, "Behave."))
		r.must(r.hub.Freeze(context.Background(), id, false))
		r.run(200 * time.Millisecond)
		if got := texts(ann); !slices.Contains(got, "[Operator] Behave.") {
			t.Errorf("read %q", got)
		}
		ann.claim(proto.StandardUpdateRequest{DestX: 52, DestZ: 2, Y: 1, X: 50, Z: 2})
		r.run(time.Second)
		if a := each[proto.StandardUpdate](bob); a[len(a)-1].X < 51 && a[len(a)-2].X < 51 {
			t.Error("thawed, and still stands")
		}
	})
}

// What operators are shown of a connection.
func TestTheLinkOfAPlayerIsMeasured(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		ann, _ := r.player("ann"), r.player("bob")
		r.run(3 * time.Second)
		p, ok := r.hub.Player(r.entityOf(ann))
		if !ok {
			t.Fatal("not in the world")
		}
		l, seen := p.Link, ann.host.Stats()
		if l.InView != 1 || l.PacketsOut == 0 || l.PacketsOut > seen.DatagramsIn || l.BytesOut > seen.BytesIn || l.PacketsIn > seen.DatagramsOut || l.BytesIn > seen.BytesOut {
			t.Errorf("%+v, the client has %+v", l, seen)
		}
		if l.BytesOut*10 < seen.BytesIn*7 || l.RTT < 0 || l.RTT > 100 || l.Loss != 0 {
			t.Errorf("%+v, the client has %+v", l, seen)
		}
		for range 10 { // rates of a second come of what is counted within it
			r.run(450 * time.Millisecond)
			p, _ := r.hub.Player(r.entityOf(ann))
			if p.Link.PacketsOut == l.PacketsOut {
				t.Fatalf("nothing was counted in 450 ms after %d packets", l.PacketsOut)
			}
			l = p.Link
		}
	})
}

// Whoever is sent away while he is between two areas, where no scene hears of it, is told all the same.
func TestWhoIsSentAwayOnHisWayReadsWhy(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		ann := r.player("ann")
		id := r.entityOf(ann)
		r.on(func(w *worker) { // the frame with her departure was missed
			for c := range w.conns {
				c.scene.drop(c)
				c.w.scenes.Expect(c, gateway.AnyArea)
			}
		})
		r.must(r.hub.Kick(id, "no shouting"))
		r.account("bob")
		bob := r.connect()
		bob.send(proto.StartGameRequest{User: "bob", MD5: secret("pass")})
		r.until("ann to be sent away", func() bool { return ann.gone })
		if got := texts(ann); len(got) == 0 || got[len(got)-1] != "You were sent away: no shouting" {
			t.Errorf("read %q", got)
		}
	})
}
