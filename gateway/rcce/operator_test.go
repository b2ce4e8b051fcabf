package rcce

import (
	"context"
	"net/netip"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// entityOf returns the actor of a client in the world.
func (srv *testServer) entityOf(c *client) (e sim.EntityID) {
	srv.t.Helper()
	srv.onWorker(func(w *worker) {
		for x := range w.conns {
			if x.peer.Addr() == c.addr && x.session != nil {
				e = x.session.Entity
			}
		}
	})
	if e == 0 {
		srv.t.Fatal("the client is not in the world")
	}
	return e
}

// A kick sends the operator's reason as a chat line before KickedPlayer. A banned account gets the same answer code as from
// the RealmCrafter server.
func TestKickedOrBannedPlayerIsSentReasonAndBannedAccountCannotLogIn(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		ann, bob := srv.join("ann"), srv.join("bob")
		ann.received, bob.received = nil, nil
		srv.must(srv.hub.Kick(srv.entityOf(ann), "no shouting"))
		srv.waitFor("the kick of ann", func() bool { return ann.disconnected })
		kinds := ann.receivedNames()
		if got := chatTexts(ann); !slices.Equal(got, []string{"You were sent away: no shouting"}) || kinds[len(kinds)-1] != "KickedPlayer" {
			t.Errorf("texts %q, packets %v", got, kinds)
		}
		if countOf[proto.ActorGone](bob) != 1 {
			t.Errorf("bob got %v", bob.receivedNames())
		}
		ann = srv.enterWorld("ann")
		srv.must(srv.hub.Ban(srv.ctx, "ann", "cheating"))
		srv.waitFor("the kick of ann", func() bool { return ann.disconnected })
		if got := chatTexts(ann); !strings.Contains(got[len(got)-1], "cheating") {
			t.Errorf("texts to the banned player: %q", got)
		}
		c := srv.connect()
		answers := c.request(proto.VerifyAccountRequest{User: "ann", MD5: passwordMD5("pass")})
		if len(answers) != 1 {
			t.Fatalf("login of the banned account answered %v", answers)
		}
		if a, ok := answers[0].(proto.VerifyAccount); !ok || a.Result != proto.ReplyBanned {
			t.Errorf("login of the banned account answered %+v", answers[0])
		}
		srv.must(srv.hub.Pardon(srv.ctx, "ann"))
		srv.enterWorld("ann")
	})
}

func TestTimedBanOfAccountOrNetworkExpires(t *testing.T) {
	for name, ban := range map[string]store.AccessRule{"account": {Account: "ann"}, "network": {Network: netip.MustParsePrefix("192.0.2.0/24")}} {
		t.Run(name, func(t *testing.T) {
			withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
				srv.createAccount("ann")
				login := func(addr string) uint8 {
					c := srv.dialFrom(addr)
					srv.waitFor("a connection", func() bool { return c.peer.IsConnected() })
					c.send(proto.NewClient{})
					answers := c.request(proto.VerifyAccountRequest{User: "ann", MD5: passwordMD5("pass")})
					if len(answers) != 1 {
						t.Fatalf("the login is answered %v", answers)
					}
					return answers[0].(proto.VerifyAccount).Result
				}
				ban.Kind, ban.Reason, ban.Until = store.AccessBan, "flood", time.Now().Add(10*time.Second)
				_, err := srv.hub.Restrict(srv.ctx, ban)
				srv.must(err)
				if got := login("192.0.2.7"); got != proto.ReplyBanned {
					t.Errorf("while the ban holds: %c", got)
				}
				if got := login("198.51.100.7"); (got == proto.ReplyYes) != (name == "network") {
					t.Errorf("from another network: %c", got)
				}
				srv.advance(11 * time.Second)
				if got := login("192.0.2.7"); got != proto.ReplyYes {
					t.Errorf("after the end of the ban: %c", got)
				}
			})
		})
	}
}

// A frozen player is sent a message that it is frozen. If its client claims a movement, the claim is rejected and
// the client is sent the server's position; otherwise it is sent no position.
func TestMoveOfFrozenPlayerIsRejectedAndPositionRestored(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		ann, bob := srv.join("ann"), srv.join("bob")
		id := srv.entityOf(ann)
		ann.received, bob.received = nil, nil
		srv.must(srv.hub.Freeze(context.Background(), id, true))
		srv.advance(time.Second)
		if got := chatTexts(ann); len(got) != 1 || !strings.Contains(got[0], "frozen") || countOf[proto.RepositionActor](ann) != 0 {
			t.Fatalf("texts %q, packets %v", got, ann.receivedNames())
		}
		ann.claim(proto.StandardUpdateRequest{DestX: 60, DestZ: 2, Y: 1, X: 52, Z: 2})
		srv.advance(200 * time.Millisecond)
		if got := packetsOf[proto.RepositionActor](ann); len(got) != 1 || got[0].X != 50 || got[0].Z != 2 {
			t.Fatalf("a claim to move was answered %+v", got)
		}
		ann.send(proto.RepositionActorRequest{})
		ann.claim(proto.StandardUpdateRequest{DestX: 50, DestZ: 2, Y: 1, X: 50, Z: 2})
		srv.advance(time.Second)
		if n := countOf[proto.RepositionActor](ann); n != 1 {
			t.Errorf("repositioned %d times, want once", n)
		}
		for _, u := range packetsOf[proto.StandardUpdate](bob) {
			if u.RuntimeID == ann.runtimeID && (u.X != 50 || u.Z != 2 || u.DestX != 50 || u.DestZ != 2) {
				t.Fatalf("bob sees ann at %v, %v", u.X, u.Z)
			}
		}
		srv.must(srv.hub.SendMessage(id, "Behave."))
		srv.must(srv.hub.Freeze(context.Background(), id, false))
		srv.advance(200 * time.Millisecond)
		if got := chatTexts(ann); !slices.Contains(got, "[Operator] Behave.") {
			t.Errorf("texts %q", got)
		}
		ann.claim(proto.StandardUpdateRequest{DestX: 52, DestZ: 2, Y: 1, X: 50, Z: 2})
		srv.advance(time.Second)
		if a := packetsOf[proto.StandardUpdate](bob); a[len(a)-1].X < 51 && a[len(a)-2].X < 51 {
			t.Error("ann does not move after the freeze has ended")
		}
	})
}

// The gateway stores the link statistics of each connection in its session, from which the console shows them.
func TestConnectionStatsAreStoredInSession(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		ann, _ := srv.join("ann"), srv.join("bob")
		srv.advance(3 * time.Second)
		p, ok := srv.hub.Player(srv.entityOf(ann))
		if !ok {
			t.Fatal("the client is not in the world")
		}
		l, seen := p.Link, ann.host.Stats()
		if l.InView != 1 || l.PacketsOut == 0 || l.PacketsOut > seen.DatagramsIn || l.BytesOut > seen.BytesIn || l.PacketsIn > seen.DatagramsOut || l.BytesIn > seen.BytesOut {
			t.Errorf("link statistics %+v, the client counted %+v", l, seen)
		}
		if l.BytesOut*10 < seen.BytesIn*7 || l.RTT < 0 || l.RTT > 100 || l.Loss != 0 {
			t.Errorf("link statistics %+v, the client counted %+v", l, seen)
		}
		for range 10 { // smooth rates per second need several updates within each second
			srv.advance(450 * time.Millisecond)
			p, _ := srv.hub.Player(srv.entityOf(ann))
			if p.Link.PacketsOut == l.PacketsOut {
				t.Fatalf("nothing was counted in 450 ms after %d packets", l.PacketsOut)
			}
			l = p.Link
		}
	})
}

// A player that is kicked while it changes areas, when no scene contains the player, is also sent the reason.
func TestPlayerKickedBetweenAreasGetsReason(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		ann := srv.join("ann")
		id := srv.entityOf(ann)
		srv.onWorker(func(w *worker) { // simulates that the worker missed the frame with the departure
			for c := range w.conns {
				c.scene.removeMember(c)
				c.w.scenes.Expect(c, gateway.AnyArea)
			}
		})
		srv.must(srv.hub.Kick(id, "no shouting"))
		srv.createAccount("bob")
		bob := srv.connect()
		bob.send(proto.StartGameRequest{User: "bob", MD5: passwordMD5("pass")})
		srv.waitFor("the kick of ann", func() bool { return ann.disconnected })
		if got := chatTexts(ann); len(got) == 0 || got[len(got)-1] != "You were sent away: no shouting" {
			t.Errorf("texts %q", got)
		}
	})
}

// An announcement is green and marked as the server's. A muted player is told the reason and the end of the mute in red, and its chat
// is not sent. A login to an account that is not on the whitelist gets the answer N, but only with the right password. Such an
// account can neither enter nor be registered.
func TestAnnouncementAndMuteNoticeAndWhitelistRefusalReachClient(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		ann, bob := srv.join("ann"), srv.join("bob")
		ann.received, bob.received = nil, nil
		told, err := srv.hub.Announce(sim.NoArea, "Market at noon")
		srv.must(err)
		srv.advance(time.Second)
		for _, c := range []*client{ann, bob} {
			if got := packetsOf[proto.ChatMessage](c); told != 2 || len(got) != 1 || got[0].Color != proto.ChatGreen || got[0].Text != "[Server] Market at noon" {
				t.Errorf("told %d, the client shows %+v", told, got)
			}
		}
		ann.received, bob.received = nil, nil
		_, err = srv.hub.Restrict(srv.ctx, store.AccessRule{Kind: store.AccessMute, Account: "ann", Reason: "shouting", Until: time.Now().Add(time.Hour)})
		srv.must(err)
		srv.advance(time.Second)
		ann.send(proto.ChatMessageRequest{Text: "HEAR ME"})
		srv.advance(time.Second)
		got := packetsOf[proto.ChatMessage](ann)
		if len(got) != 2 || got[0].Color != proto.ChatRed || !strings.HasPrefix(got[0].Text, "You are muted until ") || !strings.HasSuffix(got[0].Text, ": shouting") || got[1] != got[0] {
			t.Errorf("the muted client shows %+v", got)
		}
		if texts := chatTexts(bob); len(texts) != 0 {
			t.Errorf("bob reads %q of a muted player", texts)
		}
		srv.createAccount("cid")
		_, err = srv.hub.Restrict(srv.ctx, store.AccessRule{Kind: store.AccessWhitelist})
		srv.must(err)
		for password, want := range map[string]uint8{"pass": proto.ReplyNo, "guess": proto.ReplyPassword} {
			answers := srv.connect().request(proto.VerifyAccountRequest{User: "cid", MD5: passwordMD5(password)})
			if len(answers) != 1 {
				t.Fatalf("password %s: answered %v", password, answers)
			}
			if a, ok := answers[0].(proto.VerifyAccount); !ok || a.Result != want {
				t.Errorf("password %s: answered %+v, want %c", password, answers[0], want)
			}
		}
		_, err = srv.hub.Restrict(srv.ctx, store.AccessRule{Kind: store.AccessWhitelisted, Account: "cid"})
		srv.must(err)
		srv.enterWorld("cid")
		_, err = srv.hub.Restrict(srv.ctx, store.AccessRule{Kind: store.AccessWhitelisted, Account: "dan"})
		srv.must(err)
		for name, want := range map[string]uint8{"eve": proto.ReplyNo, "cid": proto.ReplyNo, "dan": proto.ReplyYes} {
			answers := srv.connect().request(proto.CreateAccountRequest{User: name, MD5: passwordMD5("pass")})
			if len(answers) != 1 || answers[0] != proto.Packet(proto.CreateAccount{Result: want}) {
				t.Errorf("registration of %s: answered %+v, want %c", name, answers, want)
			}
		}
	})
}

// If an operator gives an item, the client is sent a dropped item that its player picks up at once. If an operator takes an
// item, the client is sent InventoryTaken ('T'). The maximum of an attribute is sent before its value.
func TestItemAndAttributeChangesByOperatorReachClient(t *testing.T) {
	w := emptyFields()
	w.Items = append(w.Items, sim.Item{ID: 900, Name: "Token", Kind: sim.ItemOther, SlotKind: 11, Stackable: true})
	slices.SortFunc(w.Items, func(a, b sim.Item) int { return int(a.ID) - int(b.ID) })
	strength := w.Roles.Strength
	w.Attributes[w.Roles.Health].Name, w.Attributes[strength].Name = "Health", "Strength"
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		ann, bob := srv.join("ann"), srv.join("bob")
		id := srv.entityOf(ann)
		ann.received, bob.received = nil, nil
		srv.must(srv.hub.Give(id, 900, 5))
		srv.advance(time.Second)
		drops, got := packetsOf[proto.InventoryDropped](ann), packetsOf[proto.InventoryReceived](ann)
		if len(drops) != 1 || drops[0].Amount != 5 || drops[0].Item.ID != 900 || len(got) != 1 || got[0].Drop != drops[0].Drop || got[0].Slot < sim.SlotBackpack {
			t.Fatalf("the client got %+v, %+v; packets %v", drops, got, ann.receivedNames())
		}
		if countOf[proto.InventoryDropped](bob) != 1 || countOf[proto.InventoryGone](bob) != 1 || countOf[proto.InventoryReceived](bob) != 0 {
			t.Errorf("bob got %v", bob.receivedNames())
		}
		if texts := chatTexts(ann); !slices.ContainsFunc(texts, func(s string) bool { return strings.Contains(s, "given you 5") && strings.Contains(s, "Token") }) {
			t.Errorf("texts %q", texts)
		}
		srv.must(srv.hub.Take(id, 900, 2, sim.AnySlot))
		srv.advance(time.Second)
		if taken := packetsOf[proto.InventoryTaken](ann); len(taken) != 1 || taken[0] != (proto.InventoryTaken{Slot: got[0].Slot, Amount: 2}) || countOf[proto.InventoryTaken](bob) != 0 {
			t.Errorf("taken %+v", taken)
		}
		srv.must(srv.hub.SetAttribute(id, uint8(strength), 70, 90))
		srv.must(srv.hub.SetAttribute(id, uint8(w.Roles.Health), 50, -1))
		srv.advance(time.Second)
		own := func(sub, attribute uint8, value int16) proto.StatUpdate {
			return proto.StatUpdate{Sub: sub, RuntimeID: ann.runtimeID, Attribute: attribute, Value: value}
		}
		want := []proto.StatUpdate{own(proto.StatMaximum, uint8(strength), 90), own(proto.StatValue, uint8(strength), 70), own(proto.StatValue, uint8(w.Roles.Health), 50)}
		if stats := packetsOf[proto.StatUpdate](ann); len(stats) < 3 || !slices.Equal(stats[:3], want) {
			t.Errorf("ann got %+v, want %+v", stats, want)
		}
		if stats := packetsOf[proto.StatUpdate](bob); len(stats) == 0 || stats[0] != want[2] {
			t.Errorf("bob got %+v", stats)
		}
	})
}
