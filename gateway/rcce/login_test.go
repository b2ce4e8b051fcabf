package rcce

import (
	"reflect"
	"strings"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

var (
	right = secret("pass")
	wrong = secret("guess")
)

// one is a list of a single answer.
func one(p proto.Packet) []proto.Packet { return []proto.Packet{p} }

func newcomer(user, name string, template uint16) proto.CreateCharacterRequest {
	return proto.CreateCharacterRequest{User: user, MD5: right, Template: template, Name: name}
}

func entry(name string) proto.RosterEntry { return proto.RosterEntry{Name: name, Template: human} }

// Spec rcce 3.2: one answer of one letter for each account packet.
func TestAccountPacketsAreAnsweredAsTheOriginalDoes(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		tooMany := newcomer("ann", "Anna", human)
		tooMany.Points[strength] = 5
		noPoints := newcomer("ann", "Anna", human)
		noPoints.Points[strength] = 4
		steps := []struct {
			name string
			ask  proto.Packet
			want []proto.Packet
		}{
			{"new account", proto.CreateAccountRequest{User: "ann", MD5: right, Email: "ann@example.org"}, one(proto.CreateAccount{Result: 'Y'})},
			{"same account", proto.CreateAccountRequest{User: "ANN", MD5: wrong}, one(proto.CreateAccount{Result: 'N'})},
			{"bad user", proto.CreateAccountRequest{User: "a b", MD5: right}, one(proto.CreateAccount{Result: 'N'})},
			{"long user", proto.CreateAccountRequest{User: strings.Repeat("a", 51), MD5: right}, one(proto.CreateAccount{Result: 'N'})},
			{"bad md5", proto.CreateAccountRequest{User: "bob", MD5: strings.ToUpper(right)}, one(proto.CreateAccount{Result: 'N'})},
			{"bad email", proto.CreateAccountRequest{User: "bob", MD5: right, Email: "a b"}, one(proto.CreateAccount{Result: 'N'})},
			{"login", proto.VerifyAccountRequest{User: "ann", MD5: right}, one(proto.VerifyAccount{Result: 'Y'})},
			{"login without case", proto.VerifyAccountRequest{User: "Ann", MD5: right}, one(proto.VerifyAccount{Result: 'Y'})},
			{"wrong password", proto.VerifyAccountRequest{User: "ann", MD5: wrong}, one(proto.VerifyAccount{Result: 'P'})},
			{"no account", proto.VerifyAccountRequest{User: "nobody", MD5: right}, one(proto.VerifyAccount{Result: 'P'})},
			{"NPC template", newcomer("ann", "Anna", wolf), one(proto.CreateCharacter{Result: 'N'})},
			{"unknown template", newcomer("ann", "Anna", 999), one(proto.CreateCharacter{Result: 'N'})},
			{"too many points", tooMany, one(proto.CreateCharacter{Result: 'N'})},
			{"filtered name", newcomer("ann", "TheAdmin", human), one(proto.CreateCharacter{Result: 'I'})},
			{"long name", newcomer("ann", strings.Repeat("a", 33), human), one(proto.CreateCharacter{Result: 'I'})},
			{"character", noPoints, one(proto.CreateCharacter{Result: 'Y'})},
			{"taken name", newcomer("ann", "anna", human), one(proto.CreateCharacter{Result: 'I'})},
			{"second", newcomer("ann", "Berta", human), one(proto.CreateCharacter{Result: 'Y'})},
			{"third of two", newcomer("ann", "Clara", human), one(proto.CreateCharacter{Result: 'N'})},
			{"roster", proto.VerifyAccountRequest{User: "ann", MD5: right}, one(proto.VerifyAccount{Result: 'Y', Roster: []proto.RosterEntry{entry("Anna"), entry("Berta")}})},
			{"sheet of nobody", proto.FetchCharacterRequest{User: "ann", MD5: right, Index: 2}, one(proto.FetchCharacterRefused{})},
			{"sheet, wrong password", proto.FetchCharacterRequest{User: "ann", MD5: wrong}, one(proto.FetchCharacterRefused{})},
			{"delete nobody", proto.DeleteCharacterRequest{User: "ann", MD5: right, Index: 2}, one(proto.DeleteCharacter{Refused: true})},
			{"delete", proto.DeleteCharacterRequest{User: "ann", MD5: right, Index: 0}, one(proto.DeleteCharacter{Roster: []proto.RosterEntry{entry("Berta")}})},
			{"change to no md5", proto.ChangePasswordRequest{User: "ann", OldMD5: right, NewMD5: "short"}, one(proto.ChangePassword{Result: 'P'})},
			{"change", proto.ChangePasswordRequest{User: "ann", OldMD5: right, NewMD5: wrong}, one(proto.ChangePassword{Result: 'Y'})},
			{"old password", proto.VerifyAccountRequest{User: "ann", MD5: right}, one(proto.VerifyAccount{Result: 'P'})},
			{"new password", proto.VerifyAccountRequest{User: "ann", MD5: wrong}, one(proto.VerifyAccount{Result: 'Y', Roster: []proto.RosterEntry{entry("Berta")}})},
			{"enter nobody", proto.StartGameRequest{User: "ann", MD5: wrong, Index: 1}, one(proto.StartGameRefused{})},
			{"update files", proto.FetchUpdateFilesRequest{}, one(proto.FetchUpdateFiles{Last: true})},
		}
		c := r.connect()
		for _, s := range steps {
			if got := c.ask(s.ask); !reflect.DeepEqual(got, s.want) {
				t.Errorf("%s: got %+v, want %+v", s.name, got, s.want)
			}
		}
	})
}

func TestASheetEndsWithF(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		r.account("ann")
		c := r.connect()
		got := c.ask(proto.FetchCharacterRequest{User: "ann", MD5: right})
		if len(got) < 3 || got[len(got)-1] != (proto.FetchCharacterEnd{}) {
			t.Fatalf("got %v, want a sheet, items and the end", c.kinds())
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

func TestClosedAccountsGetNoAnswer(t *testing.T) {
	w := empty()
	w.NewCharacters.AllowAccounts = false
	bubble(t, w, rigOptions{}, func(r *rig) {
		c := r.connect()
		if got := c.ask(proto.CreateAccountRequest{User: "ann", MD5: right}); len(got) != 0 {
			t.Errorf("answered %+v", got)
		}
	})
}

// Spec rcce 3.2: banned and online are said only to whoever knows the password.
func TestBannedAndOnlineComeAfterThePassword(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		r.account("bad")
		a, err := r.disk.Account(r.ctx, "bad")
		r.must(err)
		r.must(r.disk.SetBanned(r.ctx, a.ID, true))
		r.player("on")
		c := r.connect()
		for _, s := range []struct {
			user, md5 string
			want      uint8
		}{{"bad", wrong, 'P'}, {"on", wrong, 'P'}, {"bad", right, 'B'}, {"on", right, 'L'}} {
			got := c.ask(proto.VerifyAccountRequest{User: s.user, MD5: s.md5})
			if !reflect.DeepEqual(got, one(proto.VerifyAccount{Result: s.want})) {
				t.Errorf("%s: got %+v, want %c", s.user, got, s.want)
			}
		}
		if got := c.ask(proto.StartGameRequest{User: "on", MD5: right}); !reflect.DeepEqual(got, one(proto.StartGameRefused{})) {
			t.Errorf("a second StartGame: %+v", got)
		}
	})
}

func TestFiveFailuresLookLikeMoreOfTheSame(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		r.account("ann")
		c, other := r.connect(), r.connect()
		verify := func(c *client, md5 string) uint8 {
			got := c.ask(proto.VerifyAccountRequest{User: "ann", MD5: md5})
			if len(got) != 1 {
				t.Fatalf("got %+v", got)
			}
			return got[0].(proto.VerifyAccount).Result
		}
		for range 4 {
			verify(c, wrong)
		}
		if verify(c, right) != 'Y' {
			t.Fatal("the fifth try was right and refused")
		}
		for range 5 { // the success has cleared the count
			verify(c, wrong)
		}
		if got := verify(c, right); got != 'P' {
			t.Errorf("after five failures: %c, want a plain P", got)
		}
		if got := c.ask(proto.StartGameRequest{User: "ann", MD5: right}); !reflect.DeepEqual(got, one(proto.StartGameRefused{})) {
			t.Errorf("throttled StartGame: %+v", got)
		}
		if verify(other, right) != 'Y' {
			t.Error("another connection is throttled, too")
		}
		r.run(61 * time.Second)
		if verify(c, right) != 'Y' {
			t.Error("still throttled after a minute")
		}
	})
}

// The Rust client disconnects after looking at its characters and comes back 300 ms later; a player whose connection
// ends may come back just so.
func TestReloginRightAfterADisconnect(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		c := r.player("ann")
		for range 3 {
			c.quit()
			r.run(300 * time.Millisecond)
			c = r.connect()
			if got := c.ask(proto.VerifyAccountRequest{User: "ann", MD5: right}); got[0].(proto.VerifyAccount).Result != 'Y' {
				t.Fatalf("got %+v", got)
			}
			c.send(proto.StartGameRequest{User: "ann", MD5: right})
			r.until("the entry", func() bool { return count[proto.StartGame](c) >= 13 })
		}
	})
}

func TestPipelinedAccountPacketsAreBounded(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		r.account("ann")
		c := r.connect()
		for range 100 {
			c.send(proto.VerifyAccountRequest{User: "ann", MD5: right})
		}
		r.run(2 * time.Second)
		if n := len(c.take()); n < maxWaiting || n > 50 {
			t.Errorf("%d of 100 pipelined logins were answered", n)
		}
		if r.bad("untimely") == 0 {
			t.Error("none was counted as untimely")
		}
		if got := c.ask(proto.VerifyAccountRequest{User: "ann", MD5: right}); len(got) != 1 {
			t.Errorf("the next one was answered %+v", got)
		}
	})
}

// Whoever pipelines StartGame of two accounts is one player, not two.
func TestOneConnectionIsOnePlayer(t *testing.T) {
	bubble(t, empty(), rigOptions{}, func(r *rig) {
		r.account("ann")
		r.account("bob")
		c := r.connect()
		c.send(proto.StartGameRequest{User: "ann", MD5: right}, proto.StartGameRequest{User: "bob", MD5: right})
		r.run(time.Second)
		if n := count[proto.StartGame](c); n != 13 {
			t.Errorf("%d replies of type 12, want 13", n)
		}
		if n := r.hub.Stats().Online; n != 1 {
			t.Errorf("%d accounts are online, want 1", n)
		}
		c.quit()
		r.run(time.Second)
		if s := r.hub.Stats(); s.Online != 0 || s.Leaving != 0 {
			t.Errorf("after the disconnect: %+v", s)
		}
	})
}
