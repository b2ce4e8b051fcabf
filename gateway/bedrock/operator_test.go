package bedrock

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// entityNamed returns the actor of the player with this name.
func (srv *testServer) entityNamed(name string) sim.EntityID {
	srv.t.Helper()
	for _, p := range srv.hub.Players() {
		if p.Name == name {
			return p.Entity
		}
	}
	srv.t.Fatalf("%s is not in the world", name)
	return 0
}

// A kicked or banned player reads the operator's reason.
func TestKickedAndBannedPlayersReadTheReason(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		c := srv.join("ann")
		srv.must(srv.hub.Kick(srv.entityNamed("ann"), "no shouting"))
		if text := c.waitDisconnect(); text != "You were sent away: no shouting" {
			t.Errorf("the player read %q", text)
		}
		if got := packetsOf[proto.Disconnect](c); len(got) != 1 || got[0].Reason != proto.DisconnectKicked {
			t.Errorf("received %+v", got)
		}
		c = srv.join("ann")
		account := srv.hub.Players()[0].Account
		srv.must(srv.hub.Ban(context.Background(), account, "cheating"))
		if text := c.waitDisconnect(); !strings.Contains(text, "cheating") {
			t.Errorf("banned player read %q", text)
		}
		again := srv.connect("ann")
		again.manual = false
		again.sendHello()
		if text := again.waitDisconnect(); !strings.Contains(text, "banned") {
			t.Errorf("banned player read %q at the next login", text)
		}
	})
}

// A frozen player's client is sent that the player is immobile, with the tick of its last input. It predicts the
// immobility, so it is corrected at most once, whichever keys are pressed.
func TestFrozenClientIsCorrectedAtMostOnce(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		p := srv.joinPlayer("ann")
		p.walk(time.Second, bot.Keys{Yaw: south, Forward: 1})
		srv.advance(time.Second)
		was := p.Counts().Move.Corrections
		p.keys = bot.Keys{Yaw: south, Forward: 1}
		srv.advance(300 * time.Millisecond)
		srv.must(srv.hub.Freeze(context.Background(), srv.entityNamed("ann"), true))
		srv.advance(time.Second)
		at := p.position()
		p.keys = bot.Keys{Yaw: south, Forward: 1, Jump: true}
		srv.advance(3 * time.Second)
		if n := p.Counts().Move.Corrections - was; n > 1 {
			t.Errorf("frozen player corrected %d times", n)
		}
		if d := p.position(); d.X != at.X || d.Z != at.Z {
			t.Errorf("frozen at %v, predicted position %v", at, d)
		}
		if !slices.ContainsFunc(p.chat, func(s string) bool { return strings.Contains(s, "frozen") }) {
			t.Errorf("the player read %q", p.chat)
		}
		srv.must(srv.hub.SendMessage(srv.entityNamed("ann"), "Behave."))
		srv.must(srv.hub.Freeze(context.Background(), srv.entityNamed("ann"), false))
		srv.advance(time.Second)
		if d := p.position(); d.Z == at.Z {
			t.Error("unfrozen player does not move")
		}
		if n := p.Counts().Move.Corrections - was; n > 2 || p.err != nil {
			t.Errorf("corrected %d times after unfreezing: %v", n, p.err)
		}
		if !slices.ContainsFunc(p.chat, func(s string) bool { return strings.Contains(s, "[Operator] Behave.") }) {
			t.Errorf("the player read %q", p.chat)
		}
	})
}

// The connection statistics that the console shows are measured for each connection.
func TestConnectionStatisticsAreMeasured(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		srv.joinPlayer("ann")
		srv.joinPlayer("bob")
		srv.advance(3 * time.Second)
		p, ok := srv.hub.Player(srv.entityNamed("ann"))
		l := p.Link
		if !ok || l.InView < 1 || l.PacketsIn < 20 || l.PacketsOut < 20 || l.BytesIn < 2000 || l.BytesOut < 2000 || l.RTT < 0 || l.RTT > 200 || l.Loss != 0 {
			t.Errorf("%+v", l)
		}
		for range 10 { // the statistics must change several times a second, so that rates per second are smooth
			srv.advance(450 * time.Millisecond)
			p, _ := srv.hub.Player(srv.entityNamed("ann"))
			if p.Link.PacketsOut == l.PacketsOut || p.Link.BytesIn == l.BytesIn {
				t.Fatalf("figures did not change in 450 ms: %+v", p.Link)
			}
			l = p.Link
		}
	})
}
