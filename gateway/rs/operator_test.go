package rs

import (
	"context"
	"slices"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// mustPlayer returns the player of an account, which must be in the world.
func (srv *testServer) mustPlayer(name string) *player {
	srv.t.Helper()
	p := srv.playerNamed(name)
	if p == nil {
		srv.t.Fatalf("%s is not in the world", name)
	}
	return p
}

// A kick sends the operator's reason to the chat box before the logout. A banned account cannot log in again.
func TestKickedOrBannedPlayerIsSentReasonAndBannedAccountCannotLogIn(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		ada.startRecording()
		srv.must(srv.hub.Kick(srv.mustPlayer("Ada").session.Entity, "no shouting"))
		srv.advanceCycles(2)
		if lines := ada.linesRead(); !slices.Contains(lines, "You were sent away: no shouting") || !ada.loggedOut() || !ada.isClosed() {
			t.Errorf("read %q, logged out %v, ended %v", lines, ada.loggedOut(), ada.isClosed())
		}
		if bob.indexOf("Ada") != 0 {
			t.Error("Bob still sees Ada")
		}
		again := srv.join("Ada")
		again.startRecording()
		srv.must(srv.hub.Ban(context.Background(), "Ada", "cheating"))
		srv.advanceCycles(2)
		if lines := again.linesRead(); !slices.ContainsFunc(lines, func(s string) bool { return strings.Contains(s, "cheating") }) || !again.loggedOut() {
			t.Errorf("texts to the banned player: %q", lines)
		}
		if c := srv.startLogin("Ada", "secret", false); true {
			srv.advanceCycles(2)
			if c.code != proto.ResponseDisabled {
				t.Errorf("login of the banned account answered %d", c.code)
			}
		}
		srv.must(srv.hub.Pardon(context.Background(), "Ada"))
		srv.join("Ada")
		bob.checkNoError()
	})
}

// A frozen player stops and is sent a message. The destination flag on the client's map is cleared, and a click does not set
// a new one.
func TestFrozenPlayerStopsAndGetsMessage(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		from := ada.ownTile()
		ada.send(proto.MoveGameClick{X: from.X, Z: from.Z + 20})
		srv.advanceCycles(3)
		id := srv.mustPlayer("Ada").session.Entity
		ada.startRecording()
		flags := ada.packetCount(proto.ServerSetMapFlag)
		srv.must(srv.hub.Freeze(context.Background(), id, true))
		srv.advanceCycles(2)
		at := ada.ownTile()
		if at == from || ada.packetCount(proto.ServerSetMapFlag) != flags+1 {
			t.Errorf("stands at %v, %d flags cleared", at, ada.packetCount(proto.ServerSetMapFlag)-flags)
		}
		if lines := ada.linesRead(); !slices.ContainsFunc(lines, func(s string) bool { return strings.Contains(s, "frozen") }) {
			t.Errorf("read %q", lines)
		}
		ada.send(proto.MoveGameClick{X: from.X, Z: from.Z + 20})
		srv.advanceCycles(3)
		if ada.ownTile() != at || ada.packetCount(proto.ServerSetMapFlag) != flags+2 {
			t.Errorf("after a click Ada is at %v, %d flags cleared", ada.ownTile(), ada.packetCount(proto.ServerSetMapFlag)-flags)
		}
		srv.must(srv.hub.SendMessage(id, "Behave."))
		srv.must(srv.hub.Freeze(context.Background(), id, false))
		srv.advanceCycles(1)
		if lines := ada.linesRead(); !slices.Contains(lines, "[Operator] Behave.") {
			t.Errorf("read %q", lines)
		}
		ada.send(proto.MoveGameClick{X: from.X, Z: from.Z + 20})
		srv.advanceCycles(3)
		if ada.ownTile() == at {
			t.Error("Ada does not move after the freeze has ended")
		}
		ada.checkNoError()
	})
}

// The link statistics that the console shows are stored for each connection.
func TestConnectionStatsAreStoredInSession(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		srv.advance(3 * time.Second)
		p, ok := srv.hub.Player(srv.mustPlayer("Ada").session.Entity)
		if !ok {
			t.Fatal("not in the world")
		}
		l := p.Link
		if l.InView != 1 || l.PacketsOut < 20 || l.BytesOut < 1000 || l.RTT != -1 || l.Loss != -1 {
			t.Errorf("%+v", l)
		}
		in, bytes := l.PacketsIn, l.BytesIn
		ada.send(proto.MessagePublicRequest{Text: "hello"})
		srv.advanceCycles(1)
		p, _ = srv.hub.Player(p.Entity)
		if p.Link.PacketsIn != in+1 || p.Link.BytesIn <= bytes {
			t.Errorf("a packet later: %+v", p.Link)
		}
		bob.send(proto.ClientCheat{Command: "logout"})
		srv.advanceCycles(2)
		if p, _ = srv.hub.Player(p.Entity); p.Link.InView != 0 {
			t.Errorf("alone, InView is %d", p.Link.InView)
		}
	})
}

// An announcement is a line marked as the server's. A muted player is told the reason and the end of the mute, and its chat
// is not sent. An account that is not on the whitelist gets response 12.
func TestAnnouncementAndMuteNoticeAndWhitelistRefusalReachClient(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) {
		ada, bob, cy := srv.join("Ada"), srv.join("Bob"), srv.join("Cy")
		ada.startRecording()
		told, err := srv.hub.Announce(sim.NoArea, "Market at noon")
		srv.must(err)
		srv.advanceCycles(2)
		for _, c := range []*client{ada, bob} {
			if lines := c.linesRead(); told != 3 || !slices.Contains(lines, "[Server] Market at noon") {
				t.Errorf("told %d, read %q", told, lines)
			}
		}
		restrict := func(r store.AccessRule) {
			_, err := srv.hub.Restrict(context.Background(), r)
			srv.must(err)
		}
		restrict(store.AccessRule{Kind: store.AccessMute, Account: "Ada", Reason: "shouting", Until: time.Now().Add(time.Hour)})
		srv.advanceCycles(2)
		if lines := strings.Join(ada.linesRead(), " "); !strings.Contains(lines, "You are muted until ") || !strings.Contains(lines, ": shouting") {
			t.Errorf("the muted player read %q", lines)
		}
		said := bob.packetCount(proto.ServerMessagePublic)
		ada.send(proto.MessagePublicRequest{Text: "hear me"})
		srv.advanceCycles(2)
		if n := strings.Count(strings.Join(ada.linesRead(), " "), "You are muted until "); n != 2 || bob.packetCount(proto.ServerMessagePublic) != said {
			t.Errorf("read %d notices; others heard %d lines", n, bob.packetCount(proto.ServerMessagePublic)-said)
		}
		cy.send(proto.ClientCheat{Command: "logout"})
		srv.advanceCycles(3)
		restrict(store.AccessRule{Kind: store.AccessWhitelist})
		c := srv.startLogin("Cy", "secret", false)
		srv.advanceCycles(2)
		if c.code != 12 {
			t.Errorf("the login of an account that is not listed is answered %d, want 12", c.code)
		}
		restrict(store.AccessRule{Kind: store.AccessWhitelisted, Account: "Bob"})
		for _, name := range []string{"Cy", "Bob", "Nobody"} { // the answer to a wrong password does not say which names are listed
			if c := srv.startLogin(name, "guess", false); true {
				srv.advanceCycles(2)
				if c.code != proto.ResponseCredentials {
					t.Errorf("the login of %s with a wrong password is answered %d", name, c.code)
				}
			}
		}
		restrict(store.AccessRule{Kind: store.AccessWhitelisted, Account: "Cy"})
		srv.join("Cy")
		ada.checkNoError()
	})
}

// Clients of this protocol display no inventory, so a gift of an operator is a line in the chat box. Life points and their
// maximum are sent when the operator changes the attribute.
func TestItemAndHealthChangesByOperatorReachClient(t *testing.T) {
	w := valeWithoutNPCs()
	w.Attributes[w.Roles.Health].Name = "Health"
	item := w.Items[0]
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		ada := srv.join("Ada")
		ada.startRecording()
		id := srv.mustPlayer("Ada").session.Entity
		srv.must(srv.hub.Give(id, item.ID, 1))
		stats := ada.packetCount(proto.ServerUpdateStat)
		srv.must(srv.hub.SetAttribute(id, uint8(w.Roles.Health), -1, 420))
		srv.must(srv.hub.SetAttribute(id, uint8(w.Roles.Health), 400, -1))
		srv.advanceCycles(2)
		if lines := ada.linesRead(); !slices.Contains(lines, "An operator has given you "+item.Name+".") {
			t.Errorf("read %q", lines)
		}
		if n := ada.packetCount(proto.ServerUpdateStat); n != stats+1 {
			t.Errorf("%d levels sent, want one", n-stats)
		}
		p := srv.mustPlayer("Ada")
		if p.sentHealth != 400 || p.sentHealthMax != 420 {
			t.Errorf("sent %d of %d life points", p.sentHealth, p.sentHealthMax)
		}
		srv.advanceCycles(3)
		if n := ada.packetCount(proto.ServerUpdateStat); n != stats+1 {
			t.Errorf("the level was sent again")
		}
		ada.checkNoError()
	})
}
