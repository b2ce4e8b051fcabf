package session

import (
	"errors"
	"fmt"
	"reflect"
	"slices"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/internal/emptystore"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestPlayerEntersAtPositionOfLastLogout(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		if s.Area() != 0 || s.Character.Pos.X != 50 || s.Entity == 0 {
			t.Fatalf("entered area %d at %v as %d", s.Area(), s.Character.Pos, s.Entity)
		}
		ticks(20)
		r.walk(s, 80)
		ticks(100)
		s.Leave()
		s.Leave()
		again := r.enters(l) // the player enters before its last record has arrived
		if again.Entity == s.Entity {
			t.Error("the second session has the entity id of the first")
		}
		if again.Character.Pos.X != 80 {
			t.Errorf("came back at %v, left at 80", again.Character.Pos)
		}
		r.mustBe(s.Submit(sim.Intent{Kind: sim.IntentJump}), ErrLeft)
		select {
		case <-s.Ended():
		default:
			t.Error("the first session has not ended")
		}
	})
}

func TestPlayerRecordIsStoredWithinTwoTicksOfLeaving(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(20)
		r.walk(s, 80)
		ticks(100)
		s.Leave()
		ticks(2)
		if got := r.stored(l).Pos.X; got != 80 {
			t.Errorf("stored at %v", got)
		}
		if st := r.Stats(); st.Online != 0 || st.Leaving != 0 || st.Unsaved != 0 {
			t.Errorf("stats are %+v", st)
		}
	})
}

func TestSecondLoginOfAccountInWorldIsRefused(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		r.must(r.CreateCharacter(r.ctx, l, NewCharacter{Name: "Bea", Template: human}))
		s := r.enters(l)
		for index := range 2 {
			_, err := r.Enter(r.ctx, l, index)
			r.mustBe(err, ErrOnline)
		}
		s.Leave()
		other, err := r.Enter(r.ctx, l, 1)
		r.must(err)
		if other.Character.Name != "Bea" {
			t.Errorf("entered as %q", other.Character.Name)
		}
		if n := r.Stats().Online; n != 1 {
			t.Errorf("%d are online", n)
		}
	})
}

func TestEnterWithMissingCharacterIsRefused(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		for _, index := range []int{-1, 1, 255} {
			_, err := r.Enter(r.ctx, l, index)
			r.mustBe(err, ErrNoCharacter)
			_, err = r.Character(r.ctx, l, index)
			r.mustBe(err, ErrNoCharacter)
		}
		others, err := r.Roster(r.ctx, r.player("Bea"))
		r.must(err)
		for _, id := range []sim.CharacterID{0, others[0].ID, 1 << 40} {
			_, err := r.DeleteCharacter(r.ctx, l, id)
			r.mustBe(err, ErrNoCharacter)
		}
		s := r.enters(l) // the failed deletions must not block the account
		s.Leave()
		ticks(2)
		c := *r.stored(l)
		c.Template = 99
		r.must(r.disk.SaveCharacters(r.ctx, nil, []*sim.Character{&c}))
		_, err = r.Enter(r.ctx, l, 0)
		r.mustBe(err, ErrTemplate)
		c.Template, c.Area = wolf, "Atlantis"
		r.must(r.disk.SaveCharacters(r.ctx, nil, []*sim.Character{&c}))
		_, err = r.Enter(r.ctx, l, 0)
		r.mustBe(err, ErrTemplate)
	})
}

func TestInvalidCharacterCreationsAndDeletionsAreRefused(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		ada, bea := r.player("Ada"), r.join("bea")
		r.mustBe(r.CreateCharacter(r.ctx, bea, NewCharacter{Name: "aDA", Template: human}), ErrNameTaken)
		r.mustBe(r.CreateCharacter(r.ctx, bea, NewCharacter{Name: "", Template: human}), ErrName)
		r.mustBe(r.CreateCharacter(r.ctx, bea, NewCharacter{Name: "Bea", Template: wolf}), ErrTemplate)
		r.must(r.CreateCharacter(r.ctx, bea, NewCharacter{Name: "Bea", Template: human}))
		r.must(r.CreateCharacter(r.ctx, bea, NewCharacter{Name: "Cid", Template: human}))
		r.mustBe(r.CreateCharacter(r.ctx, bea, NewCharacter{Name: "Dan", Template: human}), ErrTooMany)
		r.must(r.deleteCharacter(bea, 0))
		roster, err := r.Roster(r.ctx, bea)
		r.must(err)
		if len(roster) != 1 || roster[0].Name != "Cid" {
			t.Errorf("roster is %v", roster)
		}
		if c, err := r.Character(r.ctx, ada, 0); err != nil || c.Name != "Ada" {
			t.Errorf("the other account has %v, %v", c, err)
		}
	})
}

func TestDeletionOfCharacterInWorldIsRefused(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		r.must(r.CreateCharacter(r.ctx, l, NewCharacter{Name: "Bea", Template: human}))
		s := r.enters(l)
		r.mustBe(r.deleteCharacter(l, 0), ErrOnline)
		r.must(r.deleteCharacter(l, 1))
		s.Leave()
		r.must(r.deleteCharacter(l, 0)) // waits for the last record, so that it cannot restore the deleted character
		ticks(40)
		if roster, err := r.Roster(r.ctx, l); err != nil || len(roster) != 0 {
			t.Errorf("roster is %v, %v", roster, err)
		}
	})
}

// deleteCharacter deletes the character with an index in the roster of an account. It checks the returned roster.
func (r *testServer) deleteCharacter(l *Login, index int) error {
	r.t.Helper()
	roster, err := r.Roster(r.ctx, l)
	r.must(err)
	left, err := r.DeleteCharacter(r.ctx, l, roster[index].ID)
	if err != nil {
		return err
	}
	again, err := r.Roster(r.ctx, l)
	r.must(err)
	if len(left) != len(roster)-1 || !slices.EqualFunc(left, again, func(a, b *sim.Character) bool { return reflect.DeepEqual(a, b) }) {
		r.t.Errorf("the deletion of %q returned %v, the roster is %v", roster[index].Name, left, again)
	}
	return nil
}

// travel walks a player of area 0 into the portal and returns when the player has departed.
func travel(r *testServer, s *Session) {
	ticks(20)
	at := s.Character.Pos
	for i := range 100 {
		x := at.X + float32(i)
		r.Submit(s, geom.Vec{X: x})
		ticks(1)
		if r.where(s) == 1 {
			return
		}
	}
	r.t.Fatal("the player did not reach the gate")
}

// Submit submits a claim of a position on the straight line to the portal.
func (r *testServer) Submit(s *Session, at geom.Vec) {
	in := sim.Intent{Kind: sim.IntentClaim}
	in.Claim.X, in.Claim.Y, in.Claim.Z, in.Claim.DestX = at.X, at.Y, at.Z, 100
	if err := s.Submit(in); err != nil && !errors.Is(err, ErrBudget) {
		r.t.Fatal(err)
	}
}

// where returns the area of a player according to the hub.
func (r *testServer) where(s *Session) sim.AreaID {
	r.mu.Lock()
	defer r.mu.Unlock()
	return s.presence.area
}

func TestPlayerThatLeavesAfterChangingAreaIsRemovedFromNewArea(t *testing.T) {
	for _, late := range []bool{false, true} { // late: the gateway has not read the frame of the arrival yet
		t.Run(fmt.Sprint("gateway has read the arrival: ", !late), func(t *testing.T) {
			withServer(t, Options{}, func(r *testServer) {
				l := r.player("Ada")
				s := r.enters(l)
				travel(r, s)
				if !late {
					s.SetArea(1)
					ticks(3)
				}
				s.Leave()
				ticks(4)
				if st := r.Stats(); st.Online != 0 || st.Leaving != 0 {
					t.Errorf("stats are %+v: an actor without a session remains", st)
				}
				c := r.stored(l)
				if c.Area != "East" || c.Pos != (geom.Vec{X: 10, Z: 20}) {
					t.Errorf("stored in %q at %v", c.Area, c.Pos)
				}
				again := r.enters(l)
				if again.Area() != 1 {
					t.Errorf("came back in area %d", again.Area())
				}
			})
		})
	}
}

// The hub sends the leave intent to an area from which the player has already departed, because it reads the frame of the departure
// only later.
func TestPlayerThatLeavesWhileChangingAreaIsRemovedFromNewArea(t *testing.T) {
	for what, event := range map[string]sim.Frame{
		"departed": {Area: 0, Events: []sim.Event{{Kind: sim.EventDeparted, Who: 77, To: 1}}},
		"joined":   {Area: 1, Events: []sim.Event{{Kind: sim.EventJoined, Who: 77}}},
	} {
		t.Run(what, func(t *testing.T) {
			withServer(t, Options{}, func(r *testServer) {
				feed := r.world.Subscribe("test", 256, area.All)
				defer feed.Close()
				v := &presence{entity: 77, account: 900, character: 900, leftAt: time.Now(), ended: make(chan struct{})}
				r.mu.Lock()
				r.presences[77], r.leavingByAccount[900] = v, v
				r.mu.Unlock()
				r.handleFrame(&event, 0)
				ticks(2)
				asked := 0
				drain(feed, func(f *sim.Frame, e *sim.Event) {
					if f.Area == 1 && e.Kind == sim.EventRefused && e.Who == 77 {
						asked++ // the area refused the request to leave, because no actor has that id
					}
				})
				if asked != 1 {
					t.Errorf("the east was asked %d times to remove the player", asked)
				}
			})
		})
	}
}

func TestSessionSubmitsIntentsToNewAreaOnlyAfterSetArea(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		feed := r.world.Subscribe("test", 256, area.All)
		defer feed.Close()
		s := r.enters(r.player("Ada"))
		travel(r, s)
		ticks(3)
		drain(feed, nil)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentJump}))
		s.SetArea(1)
		ticks(3)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentJump}))
		ticks(3)
		var jumps, refused []sim.AreaID
		drain(feed, func(f *sim.Frame, e *sim.Event) {
			switch {
			case e.Who != s.Entity:
			case e.Kind == sim.EventJumped:
				jumps = append(jumps, f.Area)
			case e.Kind == sim.EventRefused:
				refused = append(refused, f.Area)
			}
		})
		if !slices.Equal(refused, []sim.AreaID{0}) || !slices.Equal(jumps, []sim.AreaID{1}) {
			t.Errorf("the areas %v have refused a jump and the areas %v executed one, want area 0 and area 1", refused, jumps)
		}
	})
}

// drain reads the frames that are queued in a feed and calls each for every event in these frames.
func drain(feed *area.Feed, each func(f *sim.Frame, e *sim.Event)) {
	for {
		select {
		case p := <-feed.C():
			for i := range p.Frame.Events {
				if each != nil {
					each(p.Frame, &p.Frame.Events[i])
				}
			}
			p.Release()
		default:
			return
		}
	}
}

func TestAccountIsReleasedWhenFullAreaRefusesPlayer(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		var logins []*Login
		for _, name := range []string{"a", "b", "c", "d"} { // the area admits only three players
			l := r.player(name)
			logins = append(logins, l)
			r.enters(l)
			ticks(1)
		}
		ticks(2)
		if n := r.Stats().Online; n != 3 {
			t.Errorf("%d are online", n)
		}
		r.enters(logins[3]).Leave() // the area refuses the player again, and the player leaves before the hub knows
		ticks(3)
		if st := r.Stats(); st.Online != 3 || st.Leaving != 0 {
			t.Errorf("stats are %+v", st)
		}
	})
}

func TestIntentsAboveRateLimitOfSessionAreRejected(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		s, other := r.enters(r.player("Ada")), r.enters(r.player("Bea"))
		ticks(2)
		granted := map[error]int{}
		for range 100 {
			err := s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "spam"})
			granted[err]++
		}
		if granted[nil] != 8 || granted[ErrBudget] != 92 {
			t.Errorf("of 100 lines at once: %v", granted)
		}
		if st := r.Stats(); st.Chat != 92 || st.Claims != 0 {
			t.Errorf("stats are %+v", st)
		}
		r.must(s.Submit(sim.Intent{Kind: sim.IntentJump})) // an intent of another class has its own limit
		r.must(other.Submit(sim.Intent{Kind: sim.IntentChat, Text: "hello"}))
		time.Sleep(time.Second)
		for range 4 {
			r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "sorry"}))
		}
		r.mustBe(s.Submit(sim.Intent{Kind: sim.IntentChat}), ErrBudget)
		r.mustBe(s.Submit(sim.Intent{Kind: sim.IntentLeave}), ErrInvalid)
		r.mustBe(s.Submit(sim.Intent{Kind: sim.IntentJoin}), ErrInvalid)
		r.mustBe(s.Submit(sim.Intent{Kind: sim.IntentSettle}), ErrInvalid)
	})
}

func TestChatAboveRateLimitOfAreaIsRejected(t *testing.T) {
	withServer(t, Options{AreaChat: 1}, func(r *testServer) {
		var granted int
		players := []*Session{r.enters(r.player("Ada")), r.enters(r.player("Bea"))}
		ticks(2)
		for i := range 8 {
			if err := players[i%2].Submit(sim.Intent{Kind: sim.IntentChat, Text: "spam"}); err == nil {
				granted++
			}
		}
		if st := r.Stats(); granted != 2 || st.AreaChat != 6 || st.Chat != 0 { // a third line is refused because half of the area's budget is used up
			t.Errorf("%d of 8 lines are granted; stats are %+v", granted, st)
		}
	})
}

func TestCharacterOfGameMasterAccountIsGameMaster(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		l.GM = true
		s := r.enters(l)
		if !s.Character.GM {
			t.Error("the character of a game master's account is no game master")
		}
		s.Leave()
		l.GM = false
		if s = r.enters(l); s.Character.GM {
			t.Error("the character is still a game master after the account lost the right")
		}
	})
}

// The test runs in virtual time, so a slow machine causes no ErrBusy.
func TestManyPlayersEnterAndLeaveConcurrently(t *testing.T) {
	dir := emptystore.Dir(t)
	synctest.Test(t, func(t *testing.T) {
		w := twoFields()
		w.Rules.MaxActors = 1000
		r := newTestServer(t, dir, w, Options{})
		defer r.shut()
		var logins []*Login
		for i := range 8 {
			logins = append(logins, r.player(fmt.Sprint("P", i)))
		}
		var wg sync.WaitGroup
		for _, l := range logins {
			for range 2 { // two connections enter with the same account at once
				wg.Go(func() {
					for range 10 {
						r.comesAndGoes(l)
					}
				})
			}
		}
		wg.Wait()
		for _, l := range logins { // every account can still enter
			r.enters(l).Leave()
		}
	})
}

// comesAndGoes enters the world and leaves it again. It does nothing if another connection of the account is in the world.
func (r *testServer) comesAndGoes(l *Login) {
	s, err := r.Enter(r.ctx, l, 0)
	switch {
	case err == nil:
		_ = s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "hi"}) // the line may exceed the rate limit
		s.Leave()
	case !errors.Is(err, ErrOnline):
		r.t.Errorf("enter: %v", err)
	}
	if _, err := r.Roster(r.ctx, l); err != nil {
		r.t.Errorf("roster: %v", err)
	}
}
