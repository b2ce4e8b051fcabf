package rs

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// operated is somebody in the world by his account's name.
func (r *rig) operated(name string) *player {
	r.t.Helper()
	p := r.player(name)
	if p == nil {
		r.t.Fatalf("%s is not in the world", name)
	}
	return p
}

// An operator's kick is read in the chat box before the logout; one who is banned does not come back.
func TestWhoIsSentAwayReadsWhy(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob")
		ada.listen()
		r.must(r.hub.Kick(r.operated("Ada").session.Entity, "no shouting"))
		r.cycles(2)
		if lines := ada.linesRead(); !slices.Contains(lines, "You were sent away: no shouting") || !ada.loggedOut() || !ada.ended() {
			t.Errorf("read %q, logged out %v, ended %v", lines, ada.loggedOut(), ada.ended())
		}
		if bob.sees("Ada") != 0 {
			t.Error("Bob still sees her")
		}
		again := r.join("Ada")
		again.listen()
		r.must(r.hub.Ban(context.Background(), "Ada", "cheating"))
		r.cycles(2)
		if lines := again.linesRead(); !slices.ContainsFunc(lines, func(s string) bool { return strings.Contains(s, "cheating") }) || !again.loggedOut() {
			t.Errorf("banned, and read %q", lines)
		}
		if c := r.knock("Ada", "secret", false); true {
			r.cycles(2)
			if c.code != proto.ResponseDisabled {
				t.Errorf("banned, and answered %d", c.code)
			}
		}
		r.must(r.hub.Pardon(context.Background(), "Ada"))
		r.join("Ada")
		bob.fine()
	})
}

// The frozen stop where they are and are told so; the flag on their minimap goes, and a click sets no other.
func TestTheFrozenStandAndKnowIt(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada := r.join("Ada")
		from := ada.tile()
		ada.send(proto.MoveGameClick{X: from.X, Z: from.Z + 20})
		r.cycles(3)
		id := r.operated("Ada").session.Entity
		ada.listen()
		flags := ada.count(proto.ServerSetMapFlag)
		r.must(r.hub.Freeze(context.Background(), id, true))
		r.cycles(2)
		at := ada.tile()
		if at == from || ada.count(proto.ServerSetMapFlag) != flags+1 {
			t.Errorf("stands at %v, %d flags taken away", at, ada.count(proto.ServerSetMapFlag)-flags)
		}
		if lines := ada.linesRead(); !slices.ContainsFunc(lines, func(s string) bool { return strings.Contains(s, "frozen") }) {
			t.Errorf("read %q", lines)
		}
		ada.send(proto.MoveGameClick{X: from.X, Z: from.Z + 20})
		r.cycles(3)
		if ada.tile() != at || ada.count(proto.ServerSetMapFlag) != flags+2 {
			t.Errorf("a click brought him to %v, and %d flags were taken away", ada.tile(), ada.count(proto.ServerSetMapFlag)-flags)
		}
		r.must(r.hub.Tell(id, "Behave."))
		r.must(r.hub.Freeze(context.Background(), id, false))
		r.cycles(1)
		if lines := ada.linesRead(); !slices.Contains(lines, "[Operator] Behave.") {
			t.Errorf("read %q", lines)
		}
		ada.send(proto.MoveGameClick{X: from.X, Z: from.Z + 20})
		r.cycles(3)
		if ada.tile() == at {
			t.Error("thawed, and still stands")
		}
		ada.fine()
	})
}

// What operators are shown of a connection.
func TestTheLinkOfAPlayerIsMeasured(t *testing.T) {
	bubble(t, quietVale(), Options{Register: true}, func(r *rig) {
		ada, bob := r.join("Ada"), r.join("Bob")
		r.run(3 * time.Second)
		p, ok := r.hub.Player(r.operated("Ada").session.Entity)
		if !ok {
			t.Fatal("not in the world")
		}
		l := p.Link
		if l.InView != 1 || l.PacketsOut < 20 || l.BytesOut < 1000 || l.RTT != -1 || l.Loss != -1 {
			t.Errorf("%+v", l)
		}
		in, bytes := l.PacketsIn, l.BytesIn
		ada.send(proto.MessagePublicRequest{Text: "hello"})
		r.cycles(1)
		p, _ = r.hub.Player(p.Entity)
		if p.Link.PacketsIn != in+1 || p.Link.BytesIn <= bytes {
			t.Errorf("a packet later: %+v", p.Link)
		}
		bob.send(proto.ClientCheat{Command: "logout"})
		r.cycles(2)
		if p, _ = r.hub.Player(p.Entity); p.Link.InView != 0 {
			t.Errorf("alone, and shown %d", p.Link.InView)
		}
	})
}
