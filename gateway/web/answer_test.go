package web_test

import (
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
)

const timeoutCheck = 100 * time.Millisecond // interval of the server's checks for timeouts

// slowGame is a game whose rules take nine seconds in each of three ticks of the area Field. A single tick of 27 seconds would
// stop the area.
type slowGame struct{ *testGame }

func (g *slowGame) Tick(h *sim.Hand) {
	if h.Area() == 0 && h.Now() >= 60 && h.Now() < 63 {
		time.Sleep(9 * time.Second)
	}
}

// If an area does not admit a player in time, the client is sent a Refused message 12 s after its Hello message. Refused
// says when to try again. A later attempt succeeds.
func TestHelloIsAnsweredWithin15SecondsIfAreaIsSlow(t *testing.T) {
	w := loadGameWorld(t)
	w.World.Game = &slowGame{newTestGame(&w.World.Schema)}
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := open(t, w, dir, web.Options{}, netsim.Impairment{})
		defer r.start()()
		time.Sleep(4 * time.Second) // the 60th tick has begun
		x := r.newRaw()
		if err := x.dial(nil); err != nil {
			t.Fatal(err)
		}
		ticket := x.ticket()
		began := time.Now()
		x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: ticket}))
		var got *proto.Refused
		x.until(func(m proto.Message) (ok bool) {
			got, ok = m.(*proto.Refused)
			return ok
		})
		if took := time.Since(began); got == nil || got.Seconds == 0 || got.Text == "" || took > 15*time.Second+2*timeoutCheck {
			t.Errorf("the client is answered %+v after %v", got, took)
		}
		if r.bad("refused_overload") != 1 {
			t.Errorf("%d refusals are counted, want 1", r.bad("refused_overload"))
		}
		_ = x.ws.CloseNow()
		time.Sleep(30 * time.Second)
		x.enter()
		_ = x.ws.CloseNow()
	})
}
