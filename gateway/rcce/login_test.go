package rcce

import (
	"context"
	"fmt"
	"reflect"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
)

var (
	rightMD5 = passwordMD5("pass")
	wrongMD5 = passwordMD5("guess")
)

// onePacket returns a list of one packet.
func onePacket(p proto.Packet) []proto.Packet { return []proto.Packet{p} }

func createRequest(user, name string, template uint16) proto.CreateCharacterRequest {
	return proto.CreateCharacterRequest{User: user, MD5: rightMD5, Template: template, Name: name}
}

func rosterEntry(name string) proto.RosterEntry {
	return proto.RosterEntry{Name: name, Template: human}
}

// Each account packet gets one answer, which has one letter as its result. Source: docs/wire/rcce.md 3.2.
func TestAccountPacketsGetSameAnswersAsFromOriginalServer(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		tooMany := createRequest("ann", "Anna", human)
		tooMany.Points[strength] = 5
		noPoints := createRequest("ann", "Anna", human)
		noPoints.Points[strength] = 4
		steps := []struct {
			name string
			ask  proto.Packet
			want []proto.Packet
		}{
			{"new account", proto.CreateAccountRequest{User: "ann", MD5: rightMD5, Email: "ann@example.org"}, onePacket(proto.CreateAccount{Result: 'Y'})},
			{"same account", proto.CreateAccountRequest{User: "ANN", MD5: wrongMD5}, onePacket(proto.CreateAccount{Result: 'N'})},
			{"bad user", proto.CreateAccountRequest{User: "a b", MD5: rightMD5}, onePacket(proto.CreateAccount{Result: 'N'})},
			{"long user", proto.CreateAccountRequest{User: strings.Repeat("a", 51), MD5: rightMD5}, onePacket(proto.CreateAccount{Result: 'N'})},
			{"bad md5", proto.CreateAccountRequest{User: "bob", MD5: strings.ToUpper(rightMD5)}, onePacket(proto.CreateAccount{Result: 'N'})},
			{"bad email", proto.CreateAccountRequest{User: "bob", MD5: rightMD5, Email: "a b"}, onePacket(proto.CreateAccount{Result: 'N'})},
			{"login", proto.VerifyAccountRequest{User: "ann", MD5: rightMD5}, onePacket(proto.VerifyAccount{Result: 'Y'})},
			{"login without case", proto.VerifyAccountRequest{User: "Ann", MD5: rightMD5}, onePacket(proto.VerifyAccount{Result: 'Y'})},
			{"wrong password", proto.VerifyAccountRequest{User: "ann", MD5: wrongMD5}, onePacket(proto.VerifyAccount{Result: 'P'})},
			{"no account", proto.VerifyAccountRequest{User: "unknown", MD5: rightMD5}, onePacket(proto.VerifyAccount{Result: 'P'})},
			{"NPC template", createRequest("ann", "Anna", wolf), onePacket(proto.CreateCharacter{Result: 'N'})},
			{"unknown template", createRequest("ann", "Anna", 999), onePacket(proto.CreateCharacter{Result: 'N'})},
			{"too many points", tooMany, onePacket(proto.CreateCharacter{Result: 'N'})},
			{"filtered name", createRequest("ann", "TheAdmin", human), onePacket(proto.CreateCharacter{Result: 'I'})},
			{"long name", createRequest("ann", strings.Repeat("a", 33), human), onePacket(proto.CreateCharacter{Result: 'I'})},
			{"character", noPoints, onePacket(proto.CreateCharacter{Result: 'Y'})},
			{"taken name", createRequest("ann", "anna", human), onePacket(proto.CreateCharacter{Result: 'I'})},
			{"second", createRequest("ann", "Berta", human), onePacket(proto.CreateCharacter{Result: 'Y'})},
			{"third of two", createRequest("ann", "Clara", human), onePacket(proto.CreateCharacter{Result: 'N'})},
			{"roster", proto.VerifyAccountRequest{User: "ann", MD5: rightMD5}, onePacket(proto.VerifyAccount{Result: 'Y', Roster: []proto.RosterEntry{rosterEntry("Anna"), rosterEntry("Berta")}})},
			{"sheet of a missing character", proto.FetchCharacterRequest{User: "ann", MD5: rightMD5, Index: 2}, onePacket(proto.FetchCharacterRefused{})},
			{"sheet, wrong password", proto.FetchCharacterRequest{User: "ann", MD5: wrongMD5}, onePacket(proto.FetchCharacterRefused{})},
			{"delete a missing character", proto.DeleteCharacterRequest{User: "ann", MD5: rightMD5, Index: 2}, onePacket(proto.DeleteCharacter{Refused: true})},
			{"delete", proto.DeleteCharacterRequest{User: "ann", MD5: rightMD5, Index: 0}, onePacket(proto.DeleteCharacter{Roster: []proto.RosterEntry{rosterEntry("Berta")}})},
			{"change to no md5", proto.ChangePasswordRequest{User: "ann", OldMD5: rightMD5, NewMD5: "short"}, onePacket(proto.ChangePassword{Result: 'P'})},
			{"change", proto.ChangePasswordRequest{User: "ann", OldMD5: rightMD5, NewMD5: wrongMD5}, onePacket(proto.ChangePassword{Result: 'Y'})},
			{"old password", proto.VerifyAccountRequest{User: "ann", MD5: rightMD5}, onePacket(proto.VerifyAccount{Result: 'P'})},
			{"new password", proto.VerifyAccountRequest{User: "ann", MD5: wrongMD5}, onePacket(proto.VerifyAccount{Result: 'Y', Roster: []proto.RosterEntry{rosterEntry("Berta")}})},
			{"enter with a wrong password", proto.StartGameRequest{User: "ann", MD5: wrongMD5, Index: 1}, onePacket(proto.StartGameRefused{})},
			{"update files", proto.FetchUpdateFilesRequest{}, onePacket(proto.FetchUpdateFiles{Last: true})},
		}
		c := srv.connect()
		for _, s := range steps {
			if got := c.request(s.ask); !reflect.DeepEqual(got, s.want) {
				t.Errorf("%s: got %+v, want %+v", s.name, got, s.want)
			}
		}
	})
}

// A client that got no answer to a deletion repeats it. The repetition must not delete the character that now has the same index.
func TestRepeatedDeletionAfterStoreFailureDeletesOneCharacter(t *testing.T) {
	for name, fail := range map[string]func(f *storeFaults){
		"the characters cannot be read after the deletion": func(f *storeFaults) { f.failedRosters.Store(1) },
		"the answer to the deletion is lost":               func(f *storeFaults) { f.lostDeletions.Store(1) },
		"both":                                             func(f *storeFaults) { f.lostDeletions.Store(1); f.failedRosters.Store(2) },
	} {
		for _, listed := range []bool{false, true} { // true: the client was sent the list of characters on this connection
			t.Run(fmt.Sprintf("%s, listed %v", name, listed), func(t *testing.T) {
				withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
					srv.createAccount("ann")
					c := srv.connect()
					c.request(createRequest("ann", "Berta", human))
					if listed {
						c.request(proto.VerifyAccountRequest{User: "ann", MD5: rightMD5})
					}
					fail(&srv.disk)
					var got []proto.Packet
					for range 10 {
						if got = c.request(proto.DeleteCharacterRequest{User: "ann", MD5: rightMD5, Index: 0}); len(got) > 0 {
							break
						}
					}
					want := onePacket(proto.DeleteCharacter{Roster: []proto.RosterEntry{rosterEntry("Berta")}})
					if !reflect.DeepEqual(got, want) {
						t.Errorf("the client got %+v, want %+v", got, want)
					}
					srv.disk.failingRosters.Store(0)
					a, err := srv.store.Account(srv.ctx, "ann")
					srv.must(err)
					if left, err := srv.store.Characters(srv.ctx, a.ID); err != nil || len(left) != 1 || left[0].Name != "Berta" {
						t.Errorf("the store has %v, %v; want only Berta", left, err)
					}
					c.request(createRequest("ann", "Clara", human))
					got = c.request(proto.DeleteCharacterRequest{User: "ann", MD5: rightMD5, Index: 1})
					if !reflect.DeepEqual(got, want) {
						t.Errorf("deletion of a new character: the client got %+v, want %+v", got, want)
					}
				})
			})
		}
	}
}

// A client that waits long for an answer repeats its request. The repetition may arrive when the answer was already sent.
func TestDeletionRepeatedBeforeAnswerArrivesDeletesOneCharacter(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		srv.createAccount("ann")
		c := srv.connect()
		c.request(createRequest("ann", "Berta", human))
		p := proto.DeleteCharacterRequest{User: "ann", MD5: rightMD5, Index: 0}
		expect := func(when string, names ...string) {
			t.Helper()
			var roster []proto.RosterEntry
			for _, name := range names {
				roster = append(roster, rosterEntry(name))
			}
			if got, want := c.request(p), onePacket(proto.DeleteCharacter{Roster: roster}); !reflect.DeepEqual(got, want) {
				t.Errorf("%s: the client got %+v, want %+v", when, got, want)
			}
			a, err := srv.store.Account(srv.ctx, "ann")
			srv.must(err)
			if left, err := srv.store.Characters(srv.ctx, a.ID); err != nil || len(left) != len(names) || len(left) > 0 && left[0].Name != names[0] {
				t.Errorf("%s: the store has %v, %v; want %q", when, left, err, names)
			}
		}
		srv.disk.slow.Store(int64(5 * time.Second)) // the answer is sent after the client has stopped waiting
		if got := c.request(p); len(got) != 0 {
			t.Fatalf("the client got %+v at once", got)
		}
		srv.advance(6 * time.Second)
		srv.disk.slow.Store(0)
		for range 3 {
			expect("repeated request", "Berta")
		}
		c.request(createRequest("ann", "Clara", human))
		c.request(proto.VerifyAccountRequest{User: "ann", MD5: rightMD5})
		expect("after a new list", "Clara")
		srv.advance(repeatMS * time.Millisecond)
		srv.disk.lostDeletions.Store(1)
		if got := c.request(p); len(got) != 0 {
			t.Fatalf("during the failure the client got %+v", got)
		}
		expect("after a failure")
	})
}

func TestPasswordChangeIsNotAnsweredWhileDatabaseCannotBeReached(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		srv.createAccount("ann")
		c := srv.connect()
		srv.disk.failingSecrets.Store(1)
		change := proto.ChangePasswordRequest{User: "ann", OldMD5: rightMD5, NewMD5: wrongMD5}
		if got := c.request(change); len(got) != 0 {
			t.Errorf("during the failure the client got %+v", got)
		}
		if got := c.request(change); !reflect.DeepEqual(got, onePacket(proto.ChangePassword{Result: 'Y'})) {
			t.Errorf("after the failure the client got %+v", got)
		}
	})
}

func TestFetchedCharacterIsSentAsSheetThenItemSlotsThenEnd(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		srv.createAccount("ann")
		c := srv.connect()
		got := c.request(proto.FetchCharacterRequest{User: "ann", MD5: rightMD5})
		if len(got) < 3 || got[len(got)-1] != (proto.FetchCharacterEnd{}) {
			t.Fatalf("got %v, want a sheet, items and the end", c.receivedNames())
		}
		s := got[0].(proto.FetchCharacterSheet)
		if s.Gold != 50 || s.Reputation != 7 || s.Attributes[health] != (proto.Attribute{Value: 100, Max: 100}) {
			t.Errorf("sheet %+v", s)
		}
		slots := 0
		for _, p := range got[1 : len(got)-1] {
			for _, it := range p.(proto.FetchCharacterItems).Slots {
				if slots == sim.SlotBackpack && (it.Slot != uint8(slots) || it.Item.ID != sword || it.Amount != 1) {
					t.Errorf("slot %d: %+v, want the sword of the kit", slots, it)
				}
				slots++
			}
		}
		if slots != sim.SlotCount {
			t.Errorf("%d slots, want %d", slots, sim.SlotCount)
		}
	})
}

func TestRequestToCreateAccountIsNotAnsweredIfWorldForbidsNewAccounts(t *testing.T) {
	w := emptyFields()
	w.NewCharacters.AllowAccounts = false
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		c := srv.connect()
		if got := c.request(proto.CreateAccountRequest{User: "ann", MD5: rightMD5}); len(got) != 0 {
			t.Errorf("answered %+v", got)
		}
	})
}

// docs/wire/rcce.md 3.2: "banned" and "online" are sent only to clients that know the password.
func TestAccountIsReportedBannedOrOnlineOnlyAfterCorrectPassword(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		srv.createAccount("bad")
		a, err := srv.store.Account(srv.ctx, "bad")
		srv.must(err)
		srv.must(srv.store.SetBanned(srv.ctx, a.ID, true))
		srv.join("on")
		c := srv.connect()
		for _, s := range []struct {
			user, md5 string
			want      uint8
		}{{"bad", wrongMD5, 'P'}, {"on", wrongMD5, 'P'}, {"bad", rightMD5, 'B'}, {"on", rightMD5, 'L'}} {
			got := c.request(proto.VerifyAccountRequest{User: s.user, MD5: s.md5})
			if !reflect.DeepEqual(got, onePacket(proto.VerifyAccount{Result: s.want})) {
				t.Errorf("%s: got %+v, want %c", s.user, got, s.want)
			}
		}
		if got := c.request(proto.StartGameRequest{User: "on", MD5: rightMD5}); !reflect.DeepEqual(got, onePacket(proto.StartGameRefused{})) {
			t.Errorf("a second StartGame: %+v", got)
		}
	})
}

func TestFailedLoginsThrottleTheirConnectionAndAccount(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		srv.createAccount("ann")
		srv.createAccount("bob")
		c, other := srv.connect(), srv.connect()
		verify := func(c *client, md5 string) uint8 {
			got := c.request(proto.VerifyAccountRequest{User: "ann", MD5: md5})
			if len(got) != 1 {
				t.Fatalf("got %+v", got)
			}
			return got[0].(proto.VerifyAccount).Result
		}
		for range 4 {
			verify(c, wrongMD5)
		}
		if verify(c, rightMD5) != 'Y' {
			t.Fatal("the fifth login had the right password and was refused")
		}
		for range 5 { // the successful login has cleared the count of failures
			verify(c, wrongMD5)
		}
		if got := verify(c, rightMD5); got != 'P' {
			t.Errorf("after five failures: %c, want a plain P", got)
		}
		if got := c.request(proto.StartGameRequest{User: "ann", MD5: rightMD5}); !reflect.DeepEqual(got, onePacket(proto.StartGameRefused{})) {
			t.Errorf("throttled StartGame: %+v", got)
		}
		for range 5 {
			verify(other, wrongMD5)
		}
		if verify(srv.connect(), rightMD5) != 'P' {
			t.Error("after ten failures the account is not throttled on another connection from the same address")
		}
		other = srv.connect()
		if got := other.request(proto.VerifyAccountRequest{User: "bob", MD5: rightMD5}); len(got) != 1 || got[0].(proto.VerifyAccount).Result != proto.ReplyYes {
			t.Errorf("another account from the same address is answered %+v", got)
		}
		srv.advance(61 * time.Second)
		if verify(c, rightMD5) != 'Y' {
			t.Error("still throttled after a minute")
		}
	})
}

// An account may log in again 300 ms after its connection ended. The Rust client does so: it disconnects after the
// character menu and reconnects 300 ms later.
func TestReloginRightAfterDisconnectSucceeds(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		c := srv.join("ann")
		for range 3 {
			c.disconnect()
			srv.advance(300 * time.Millisecond)
			c = srv.connect()
			if got := c.request(proto.VerifyAccountRequest{User: "ann", MD5: rightMD5}); got[0].(proto.VerifyAccount).Result != 'Y' {
				t.Fatalf("got %+v", got)
			}
			c.send(proto.StartGameRequest{User: "ann", MD5: rightMD5})
			srv.waitFor("the entry", func() bool { return countOf[proto.StartGame](c) >= 13 })
		}
	})
}

func TestLoginPacketsBeyondQueueLimitOfConnectionAreDropped(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		srv.createAccount("ann")
		c := srv.connect()
		for i := range 100 {
			c.send(proto.VerifyAccountRequest{User: []string{"ann", "Ann"}[i%2], MD5: rightMD5})
		}
		srv.advance(2 * time.Second)
		if n := len(c.takePackets()); n < maxAccountQueue || n > 50 {
			t.Errorf("%d of 100 pipelined logins were answered", n)
		}
		if srv.faults("untimely") == 0 {
			t.Error("no packet was counted as untimely")
		}
		if got := c.request(proto.VerifyAccountRequest{User: "ann", MD5: rightMD5}); len(got) != 1 {
			t.Errorf("the next login was answered %+v", got)
		}
	})
}

// A server is busy for 24 s. Then it sends one answer to a client that repeated its request every 10 s. A client that sent its
// request once gets no answer: the call for a request is cancelled after callTimeout, unless the client repeats the request.
func TestRepeatedLoginPacketKeepsQueuePositionUntilAnswered(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		srv.createAccount("ann")
		login := proto.VerifyAccountRequest{User: "ann", MD5: rightMD5}
		srv.disk.slow.Store(int64(24 * time.Second))
		patient, silent := srv.connect(), srv.connect()
		silent.send(login)
		for range 3 {
			patient.send(login)
			srv.advance(10 * time.Second)
		}
		if n := countOf[proto.VerifyAccount](patient); n != 1 || len(patient.takePackets()) != 1 {
			t.Errorf("the client that asked three times got %d answers, want 1", n)
		}
		if n := srv.faults("repeated"); n != 2 {
			t.Errorf("%d requests count as repeated, want 2", n)
		}
		if got := silent.takePackets(); len(got) != 0 {
			t.Errorf("the client that stopped asking got %+v", got)
		}
		srv.disk.slow.Store(0)
		if got := silent.request(login); len(got) != 1 {
			t.Errorf("the next login of that client was answered %+v", got)
		}
	})
}

// A client sends StartGame for two accounts without waiting for an answer. Only one of the two players enters the
// world.
func TestOnlyOnePlayerEntersIfConnectionStartsTwoAccounts(t *testing.T) {
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		srv.createAccount("ann")
		srv.createAccount("bob")
		c := srv.connect()
		c.send(proto.StartGameRequest{User: "ann", MD5: rightMD5}, proto.StartGameRequest{User: "bob", MD5: rightMD5})
		srv.advance(time.Second)
		if n := countOf[proto.StartGame](c); n != 13 {
			t.Errorf("%d replies of type 12, want 13", n)
		}
		if n := srv.hub.Stats().Online; n != 1 {
			t.Errorf("%d accounts are online, want 1", n)
		}
		c.disconnect()
		srv.advance(time.Second)
		if s := srv.hub.Stats(); s.Online != 0 || s.Leaving != 0 {
			t.Errorf("after the disconnect: %+v", s)
		}
	})
}

// An overloaded server must not tell a client that its password is wrong.
func TestLoginsDroppedDuringOverloadAreNotAnswered(t *testing.T) {
	for _, err := range []error{session.ErrOverloaded, session.ErrNoLead, context.DeadlineExceeded, context.Canceled} {
		if r := failureOf(proto.VerifyAccountRequest{}, fmt.Errorf("login: %w", err)); len(r.packets) != 0 {
			t.Errorf("%v is answered with %+v", err, r.packets)
		}
	}
	if r := failureOf(proto.VerifyAccountRequest{}, session.ErrThrottled); len(r.packets) != 1 {
		t.Errorf("a throttled login is answered with %+v", r.packets)
	}
	withServer(t, emptyFields(), serverOptions{}, func(srv *testServer) {
		c := srv.connect()
		var gone context.Context
		for conn := range srv.gateway.workers[0].conns {
			gone = conn.gone
		}
		c.disconnect()
		srv.advance(time.Second)
		if gone == nil || gone.Err() == nil {
			t.Error("the calls of a client that has left go on")
		}
	})
}
