package cluster

import (
	"context"
	"log/slog"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// observer implements area.Log in a run without a cluster. It passes the state of the area after each tick to a troupe.
type observer struct {
	area   *sim.Area
	troupe *troupe
}

func (o observer) Seal(area.Batch)                                 {}
func (o observer) Commit()                                         {}
func (o observer) Snapshot(*sim.Area)                              {}
func (o observer) Durable() sim.Tick                               { return area.NoLimit }
func (o observer) Storable() sim.Tick                              { return area.NoLimit }
func (o observer) Sync()                                           {}
func (o observer) Redefine(context.Context, *sim.World, *sim.Area) {}
func (o observer) Saved(sim.Tick)                                  {}
func (o observer) Close(bool) error                                { return nil }

// SnapshotBuffer implements area.Log. The goroutine of the area calls it after each tick.
func (o observer) SnapshotBuffer() *sim.Area {
	o.troupe.observe(o.area)
	return nil
}

// playOnOneMachine lets a troupe play on a server without a cluster.
func playOnOneMachine(t *testing.T, doors [3]uint16) *troupe {
	def := troupeWorld()
	tr := newTroupe(def, doors)
	synctest.Test(t, func(t *testing.T) {
		w := area.NewWorld(def, area.Options{Seed: 1, Log: slog.New(slog.DiscardHandler), Open: func(id sim.AreaID) (area.Log, *sim.Area) {
			a := sim.NewArea(def, id, 1)
			return observer{a, tr}, a
		}})
		submit := func(m *member, in sim.Intent) {
			in.Who, in.AtMS = m.who, w.NowMS()
			if err := w.Submit(0, in); err != nil {
				t.Error(err)
			}
		}
		feed := w.Subscribe("test", 256, area.All)
		read := make(chan struct{})
		go func() {
			defer close(read)
			for p := range feed.C() {
				tr.act(p.Frame, submit)
				p.Release()
			}
		}()
		w.Start(t.Context())
		time.Sleep(time.Second)
		tr.enter(submit)
		time.Sleep(20 * time.Second)
		if err := w.Stop(context.WithoutCancel(t.Context())); err != nil {
			t.Error(err)
		}
		<-read
	})
	if !tr.done() {
		t.Fatalf("on one machine the players do not play to the end: %+v", tr.members)
	}
	for _, c := range []struct {
		member int
		state  []string
		line   string
	}{
		{0, tr.members[0].arrived, "the player: mount = companion 3"},
		{0, tr.members[0].arrived, "companion 3: rider = the player"},
		{0, tr.members[0].arrived, "companion 3: attr[0].Value = 89"},
		{0, tr.members[0].arrived, "companion 3: fields[0] = 5"},
		{0, tr.members[0].arrived, "companion 1: fields[0] = 3"},
		{0, tr.members[0].arrived, "companion 1: leader = the player"},
		{0, tr.members[0].arrived, "companion 1: attr[0].Value = 89"},
		{0, tr.members[0].arrived, "companion 2: leader = the player"},
		{0, tr.members[0].arrived, "the player: linger.combatUntil = now+100"},
		{0, tr.members[0].later, "the player: linger.combatUntil = now+41"},
		{0, tr.members[0].arrived, "the player: inv[14].Amount = 5"},
		{0, tr.members[0].arrived, "the player: inv[17].Health = 40"},
		{0, tr.members[0].arrived, "the player: inv[17].Attr[2] = 9"},
		{0, tr.members[0].arrived, "the player: gold = 1234"},
		{0, tr.members[0].arrived, "the player: xp = 567"},
		{0, tr.members[0].later, "the player: xp = 715828450"}, // 567 + 715827883
		{1, tr.members[1].arrived, "the player: authority.Running = true"},
		{1, tr.members[1].arrived, "companion 1: leader = the player"},
		{1, tr.members[1].arrived, "the player: effects.Timed[0].Ticks = 1910"},
		{1, tr.members[1].arrived, "the player: frozen = true"},
		{1, tr.members[1].later, "the player: frozen = true"},
		{1, tr.members[1].later, "the player: xp = 715827882"},
		{2, tr.members[2].arrived, "the player: authority.kind = 2"},
		{2, tr.members[2].arrived, "the player: effects.Timed[4].Level = 1"},
		{2, tr.members[2].arrived, "the player: attr[0].Value = 63"},
		{2, tr.members[2].arrived, "the player: fields[1] = 7"},
		{2, tr.members[2].arrived, "the player: effects.nextUse = left at the departure+0"},
		{2, tr.members[2].later, "the player: effects.nextUse = left at the departure-59"},
		{2, tr.members[2].later, "the player: xp = 715827882"},
	} {
		if !slices.Contains(c.state, c.line) {
			t.Errorf("on one machine %s has no line %q:%s", tr.members[c.member].name, c.line, difference(nil, c.state))
		}
	}
	parties := map[string]bool{}
	for i := range tr.members {
		for _, line := range tr.members[i].later {
			if strings.HasPrefix(line, "the player: party = ") {
				parties[line] = true
			}
		}
	}
	if len(parties) != 1 {
		t.Errorf("on one machine the parties are %v, want one party of all players", parties)
	}
	return tr
}
