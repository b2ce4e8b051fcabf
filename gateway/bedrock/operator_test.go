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

// entityNamed is the actor of whoever is in the world under that name.
func (r *rig) entityNamed(name string) sim.EntityID {
	r.t.Helper()
	for _, p := range r.hub.Players() {
		if p.Name == name {
			return p.Entity
		}
	}
	r.t.Fatalf("%s is not in the world", name)
	return 0
}

// An operator's kick is the text of the packet that ends the connection; the banned read that they are.
func TestWhoIsSentAwayReadsWhy(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		c := r.enters("ann")
		r.must(r.hub.Kick(r.entityNamed("ann"), "no shouting"))
		if text := c.sentAway(); text != "You were sent away: no shouting" {
			t.Errorf("read %q", text)
		}
		if got := each[proto.Disconnect](c); len(got) != 1 || got[0].Reason != proto.DisconnectKicked {
			t.Errorf("told %+v", got)
		}
		c = r.enters("ann")
		account := r.hub.Players()[0].Account
		r.must(r.hub.Ban(context.Background(), account, "cheating"))
		if text := c.sentAway(); !strings.Contains(text, "cheating") {
			t.Errorf("banned, and read %q", text)
		}
		again := r.stranger("ann")
		again.manual = false
		again.hello()
		if text := again.sentAway(); !strings.Contains(text, "banned") {
			t.Errorf("banned, came again and read %q", text)
		}
	})
}

// The frozen are told so with the tick of their last input, and predict it: at most one correction, and no more while
// they push every key.
func TestTheFrozenPredictThatTheyStand(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		p := r.player("ann")
		p.walk(time.Second, bot.Keys{Yaw: south, Forward: 1})
		r.run(time.Second)
		was := p.Counts().Move.Corrections
		p.keys = bot.Keys{Yaw: south, Forward: 1}
		r.run(300 * time.Millisecond)
		r.must(r.hub.Freeze(context.Background(), r.entityNamed("ann"), true))
		r.run(time.Second)
		at := p.at()
		p.keys = bot.Keys{Yaw: south, Forward: 1, Jump: true}
		r.run(3 * time.Second)
		if n := p.Counts().Move.Corrections - was; n > 1 {
			t.Errorf("frozen, and corrected %d times", n)
		}
		if d := p.at(); d.X != at.X || d.Z != at.Z {
			t.Errorf("frozen at %v, and believes to be at %v", at, d)
		}
		if !slices.ContainsFunc(p.said, func(s string) bool { return strings.Contains(s, "frozen") }) {
			t.Errorf("read %q", p.said)
		}
		r.must(r.hub.Tell(r.entityNamed("ann"), "Behave."))
		r.must(r.hub.Freeze(context.Background(), r.entityNamed("ann"), false))
		r.run(time.Second)
		if d := p.at(); d.Z == at.Z {
			t.Error("thawed, and still stands")
		}
		if n := p.Counts().Move.Corrections - was; n > 2 || p.err != nil {
			t.Errorf("thawed, and corrected %d times: %v", n, p.err)
		}
		if !slices.ContainsFunc(p.said, func(s string) bool { return strings.Contains(s, "[Operator] Behave.") }) {
			t.Errorf("read %q", p.said)
		}
	})
}

// What operators are shown of a connection.
func TestTheLinkOfAPlayerIsMeasured(t *testing.T) {
	t.Parallel()
	bubble(t, twoFields(), Options{}, func(r *rig) {
		r.player("ann")
		r.player("bob")
		r.run(3 * time.Second)
		p, ok := r.hub.Player(r.entityNamed("ann"))
		l := p.Link
		if !ok || l.InView < 1 || l.PacketsIn < 20 || l.PacketsOut < 20 || l.BytesIn < 2000 || l.BytesOut < 2000 || l.RTT < 0 || l.RTT > 200 || l.Loss != 0 {
			t.Errorf("%+v", l)
		}
		for range 10 { // rates of a second come of what is counted within it
			r.run(450 * time.Millisecond)
			p, _ := r.hub.Player(r.entityNamed("ann"))
			if p.Link.PacketsOut == l.PacketsOut || p.Link.BytesIn == l.BytesIn {
				t.Fatalf("nothing was counted in 450 ms: %+v", p.Link)
			}
			l = p.Link
		}
	})
}
