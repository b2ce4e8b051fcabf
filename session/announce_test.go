package session

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// readMessages starts collecting the messages sent to players. The returned stop ends the collection and returns the messages by
// player.
func (r *testServer) readMessages() (stop func() map[sim.EntityID][]string) {
	feed := r.world.Subscribe("test", 4096, area.All)
	told, done := map[sim.EntityID][]string{}, make(chan struct{})
	go func() {
		defer close(done)
		for p := range feed.C() {
			for _, e := range p.Frame.Events {
				if e.Kind == sim.EventMessage && e.N == sim.ToneAnnouncement {
					told[e.Who] = append(told[e.Who], e.Text)
				}
			}
			p.Release()
		}
	}()
	return func() map[sim.EntityID][]string {
		feed.Close()
		<-done
		return told
	}
}

func TestAnnouncementReachesPlayersOfItsArea(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		ada, bob := r.enters(r.player("Ada")), r.enters(r.player("Bob"))
		ticks(2)
		r.must(r.Teleport(bob.Entity, 1, geom.Vec{X: 30, Z: 40}, 0))
		ticks(3)
		stop := r.readMessages()
		for _, c := range []struct {
			in   sim.AreaID
			text string
			told int
		}{{sim.NoArea, "to all", 2}, {0, "to the west", 1}, {1, "to the east", 1}} {
			if told, err := r.Announce(c.in, c.text); err != nil || told != c.told {
				t.Errorf("%s: told %d, %v", c.text, told, err)
			}
			ticks(1)
		}
		ticks(2)
		told := stop()
		if !slices.Equal(told[ada.Entity], []string{"to all", "to the west"}) || !slices.Equal(told[bob.Entity], []string{"to all", "to the east"}) {
			t.Errorf("told %v", told)
		}
		for _, text := range []string{"", "a\nb", strings.Repeat("x", 201)} {
			_, err := r.Announce(sim.NoArea, text)
			r.mustBe(err, ErrInvalid)
		}
		_, err := r.Announce(2, "nowhere")
		r.mustBe(err, ErrInvalid)
	})
}

func TestAnnouncementReachesPlayerThatChangesAreas(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		ada := r.enters(r.player("Ada"))
		ticks(2)
		stop := r.readMessages()
		r.sends(ada, 1)
		if told, err := r.Announce(sim.NoArea, "hello"); told != 1 || err != nil {
			t.Errorf("told %d, %v", told, err)
		}
		ticks(5)
		r.setPlace(ada, 0, false) // an area in which the player does not arrive for a long time
		_, err := r.Announce(sim.NoArea, "late")
		r.must(err)
		time.Sleep(tellWait + time.Second)
		r.setPlace(ada, 1, true)
		_, err = r.Announce(sim.NoArea, "again")
		r.must(err)
		ticks(5)
		if told := stop()[ada.Entity]; !slices.Equal(told, []string{"hello", "again"}) {
			t.Errorf("the player is told %q", told)
		}
		r.mu.Lock()
		defer r.mu.Unlock()
		if n := len(ada.presence.orders); n != 0 {
			t.Errorf("%d orders still wait", n)
		}
	})
}

func TestPlannedStopIsAnnouncedAtIntervalsAndHappensOnTime(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		ada := r.enters(r.player("Ada"))
		ticks(2)
		stop := r.readMessages()
		start := time.Now()
		_, err := r.PlanStop(PlannedStop{Restart: true, Reason: "update", By: "ann"}, 6*time.Minute+30*time.Second)
		r.must(err)
		time.Sleep(6 * time.Minute)
		bob := r.enters(r.player("Bob")) // enters 30 s before
		p := <-r.StopDue()
		if !p.Restart || p.By != "ann" || time.Since(start) != 6*time.Minute+30*time.Second {
			t.Errorf("due is %+v after %v", p, time.Since(start))
		}
		ticks(2)
		told := stop()
		want := []string{"6 minutes 30 seconds", "5 minutes", "2 minutes", "1 minute", "30 seconds", "10 seconds", "5 seconds", "4 seconds", "3 seconds", "2 seconds", "1 second"}
		for i := range want {
			want[i] = "The server restarts in " + want[i] + ": update"
		}
		if !slices.Equal(told[ada.Entity], want) {
			t.Errorf("the player is told %q", told[ada.Entity])
		}
		if got := told[bob.Entity]; len(got) < 1 || got[0] != "The server restarts in 30 seconds: update" {
			t.Errorf("the player that has just entered is told %q", got)
		}
	})
}

func TestCancelledServerStopDoesNotHappenAndPlayersAreNotified(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		ada := r.enters(r.player("Ada"))
		ticks(2)
		stop := r.readMessages()
		if r.CancelStop() {
			t.Error("a stop was cancelled although none is planned")
		}
		_, err := r.PlanStop(PlannedStop{}, 20*time.Second)
		r.must(err)
		time.Sleep(15 * time.Second)
		_, err = r.PlanStop(PlannedStop{Restart: true}, 20*time.Second) // replaces the first
		r.must(err)
		time.Sleep(12 * time.Second)
		if p, ok := r.PlannedStop(); !ok || !p.Restart || !r.CancelStop() {
			t.Errorf("planned is %+v, %v", p, ok)
		}
		time.Sleep(time.Minute)
		select {
		case p := <-r.StopDue():
			t.Errorf("%+v is due", p)
		default:
		}
		want := []string{"The server stops in 20 seconds.", "The server stops in 10 seconds.", "The server restarts in 20 seconds.", "The server restarts in 10 seconds.", "The restart of the server is cancelled."}
		got := slices.DeleteFunc(stop()[ada.Entity], func(s string) bool { return strings.Contains(s, " in 5 ") })
		if !slices.Equal(got, want) {
			t.Errorf("the player is told %q", got)
		}
		for _, in := range []time.Duration{-1, MaxStopDelay + 1} {
			_, err := r.PlanStop(PlannedStop{}, in)
			r.mustBe(err, ErrInvalid)
		}
	})
}
