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
	"github.com/truestep-io/truestep/store"
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
func TestKickedAndBannedPlayersReadReasonOfOperator(t *testing.T) {
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
		if text := again.waitDisconnect(); text != "You are banned: cheating" {
			t.Errorf("banned player read %q at the next login", text)
		}
	})
}

// The client of a frozen player is told, with the tick of its last input, that the player is immobile. The client predicts the
// immobility, so the player is corrected at most once, whichever keys are pressed.
func TestPlayerFrozenByOperatorIsCorrectedAtMostOnce(t *testing.T) {
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

// An announcement has the type of announcements and the author Server. A muted player is told the reason and the end of the
// mute, and its chat is not sent. A player that is not on the whitelist is told so at its login.
func TestAnnouncementAndMuteNoticeAndWhitelistRefusalReachClient(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		ann, bob := srv.join("ann"), srv.join("bob")
		ann.takePackets()
		told, err := srv.hub.Announce(sim.NoArea, "Market at noon")
		srv.must(err)
		srv.advance(time.Second)
		want := proto.Text{Type: proto.TextAnnouncement, Author: "Server", Message: "Market at noon"}
		for _, c := range []*client{ann, bob} {
			if got := packetsOf[proto.Text](c); told != 2 || !slices.ContainsFunc(got, func(p proto.Text) bool {
				return p.Type == want.Type && p.Author == want.Author && p.Message == want.Message
			}) {
				t.Errorf("told %d, %s received %+v", told, c.name, got)
			}
		}
		ann.takePackets()
		bob.takePackets()
		restrict := func(r store.AccessRule) {
			_, err := srv.hub.Restrict(context.Background(), r)
			srv.must(err)
		}
		account := ""
		for _, p := range srv.hub.Players() {
			if p.Name == "ann" {
				account = p.Account
			}
		}
		restrict(store.AccessRule{Kind: store.AccessMute, Account: account, Reason: "shouting", Until: time.Now().Add(time.Hour)})
		srv.advance(time.Second)
		ann.send(proto.Text{Type: proto.TextChat, Author: "ann", Message: "hear me"})
		srv.advance(time.Second)
		got := packetsOf[proto.Text](ann)
		if len(got) != 2 || got[0].Type != proto.TextSystem || !strings.HasPrefix(got[0].Message, "You are muted until ") || !strings.HasSuffix(got[0].Message, ": shouting") || got[1].Message != got[0].Message {
			t.Errorf("the muted player received %+v", got)
		}
		if got := packetsOf[proto.Text](bob); len(got) != 0 {
			t.Errorf("bob received %+v of a muted player", got)
		}
		restrict(store.AccessRule{Kind: store.AccessWhitelist})
		c := srv.connect("cid")
		c.manual = false
		c.sendHello()
		if text := c.waitDisconnect(); text != "You are not on the whitelist of this server." {
			t.Errorf("the player that is not listed read %q", text)
		}
		if got := packetsOf[proto.Disconnect](c); len(got) != 1 || got[0].Reason != proto.DisconnectNotAllowed {
			t.Errorf("received %+v", got)
		}
	})
}

// If the other nodes of the cluster declare this node dead, its hub ends all sessions. The actors of the players stay in
// the world, so no frame says that they have left.
func TestPlayerOfLostClusterNodeIsDisconnectedWithReason(t *testing.T) {
	t.Parallel()
	withServer(t, twoFields(), Options{}, func(srv *testServer) {
		c := srv.join("ann")
		srv.hub.EndAll("The server lost its connection to the others.")
		if text := c.waitDisconnect(); text != "The server lost its connection to the others." {
			t.Errorf("the player read %q", text)
		}
	})
}
