package main

import (
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/gametest"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

func TestGameRulesContainOnlyDeterministicStatements(t *testing.T) {
	gametest.Source(t, ".", "main.go")
}

func TestGameRulesAreDeterministic(t *testing.T) { gametest.Replay(t, load(t), 3000, 1) }

func load(t testing.TB) *sim.World {
	t.Helper()
	config := server.WorldConfig{World: "arena.toml", Text: arena, Game: newRules}
	w, err := config.Load()
	if err != nil {
		t.Fatal(err)
	}
	return w.World.World
}

// match is a running arena with two players.
type match struct {
	t    *testing.T
	w    *sim.World
	a    *sim.Area
	f    *sim.Frame
	said []string // lines of the game
	tick int
}

func begin(t *testing.T) *match {
	m := &match{t: t, w: load(t)}
	m.a = sim.NewArea(m.w, 0, 1)
	for who := sim.EntityID(1); who <= 2; who++ {
		tmpl := m.w.Template(1)
		c := &sim.Character{ID: sim.CharacterID(who), Name: []string{1: "Ann", 2: "Bob"}[who], Template: 1, Level: 1, Attr: tmpl.Attr, Resist: tmpl.Resist}
		m.step(sim.Intent{Kind: sim.IntentJoin, Who: who, Join: &sim.Join{Character: c, Portal: 0, Login: true, Authority: move.ByClaim}})
	}
	return m
}

func (m *match) step(ins ...sim.Intent) {
	m.tick++
	m.f = m.a.Step(ins)
	for _, e := range m.f.Events {
		if e.Kind == sim.EventMessage && e.Who == 1 {
			m.said = append(m.said, e.Text)
		}
	}
}

func (m *match) typeLine(who sim.EntityID, line string) (refused string) {
	m.step(sim.Intent{Kind: sim.IntentCommand, Who: who, SlotA: sim.CommandLine, Text: line})
	for _, e := range m.f.Events {
		if e.Kind == sim.EventRefused && e.Who == who {
			refused = e.Text
			if e.Reason != reason.GameRule {
				m.t.Errorf("%s: refused because of %v", line, e.Reason)
			}
		}
	}
	return refused
}

// place teleports a player to a position, so that the test does not have to let it walk there.
func (m *match) place(who sim.EntityID, x, z float32) {
	m.step(sim.Intent{Kind: sim.IntentTeleport, Who: who, Join: &sim.Join{Portal: -1, Pos: geom.Vec{X: x, Z: z}}})
	m.step()
}

func (m *match) field(who sim.EntityID, name string) int32 {
	i := slices.IndexFunc(m.w.Schema.Fields[sim.FieldOfPlayer], func(f sim.GameField) bool { return f.Name == name })
	return m.f.FieldsOf(m.w, m.f.Find(who))[i]
}

func TestBringingFlagHomeScoresPointForTeamAndCoinsForCarrier(t *testing.T) {
	m := begin(t)
	m.typeLine(1, "join red")
	m.typeLine(2, "join blue")
	m.place(1, 20, 0)
	if m.field(1, "flag") != blue {
		t.Fatalf("Ann carries %d at the blue base", m.field(1, "flag"))
	}
	m.place(1, -20, 0)
	if m.field(1, "flag") != none || m.field(1, "coins") != 15 || m.f.AreaFields[0] != 1 || m.f.AreaFields[1] != 0 {
		t.Errorf("flag %d, coins %d, scores %v", m.field(1, "flag"), m.field(1, "coins"), m.f.AreaFields)
	}
	for range 2 {
		m.place(1, 20, 0)
		m.place(1, -20, 0)
	}
	if got := m.said[len(m.said)-1]; got != "Red wins the round!" || m.f.AreaFields[0] != 0 {
		t.Errorf("%q, scores %v after three flags", got, m.f.AreaFields)
	}
}

func TestCapturedFlagGivesNoPointWhileOwnFlagIsAway(t *testing.T) {
	m := begin(t)
	m.typeLine(1, "join red")
	m.typeLine(2, "join blue")
	m.place(1, 20, 0)
	m.place(2, -20, 0)
	m.place(1, -20, 0)
	if m.field(1, "flag") != blue || m.field(2, "flag") != red || m.f.AreaFields[0] != 0 {
		t.Errorf("flags %d and %d, scores %v", m.field(1, "flag"), m.field(2, "flag"), m.f.AreaFields)
	}
}

func TestFlagReturnsHomeWhenCarrierLeavesOrDisconnects(t *testing.T) {
	for what, lose := range map[string]sim.Intent{"leaves": {Kind: sim.IntentLeave, Who: 2}, "loses its connection": {Kind: sim.IntentDisconnect, Who: 2}} {
		m := begin(t)
		m.typeLine(1, "join red")
		m.typeLine(2, "join blue")
		m.place(2, -20, 0)
		m.step(lose)
		m.step()
		m.place(1, 20, 0)
		m.place(1, -20, 0)
		if m.f.AreaFields[0] != 1 {
			t.Errorf("a carrier %s: the flag that it carried does not count as home", what)
		}
	}
}

func TestTraderSellsToNearbyPlayersForCoins(t *testing.T) {
	m := begin(t)
	if got := m.typeLine(1, "buy bread"); got != "Go to the trader first." {
		t.Errorf("far away: %q", got)
	}
	m.place(1, 0, -16)
	for line, want := range map[string]string{"buy bread": "", "buy sword": ""} {
		if got := m.typeLine(1, line); got != want {
			t.Errorf("%s: %q", line, got)
		}
	}
	if got := m.typeLine(1, "buy bread"); got != "You have too few coins." || m.field(1, "coins") != 0 {
		t.Errorf("%q with %d coins", got, m.field(1, "coins"))
	}
	record := (*sim.Character)(nil)
	m.step(sim.Intent{Kind: sim.IntentLeave, Who: 1})
	for _, e := range m.f.Events {
		if e.Kind == sim.EventLeft {
			record = e.Record
		}
	}
	if record == nil || record.Inventory[sim.SlotBackpack].Item != 1 || !slices.Equal(record.Fields, []sim.SavedField{{Name: "coins", Value: 0}}) {
		t.Errorf("record %+v", record)
	}
}

func TestPlayerCannotJoinItsTeamTwice(t *testing.T) {
	m := begin(t)
	m.typeLine(1, "join red")
	if got := m.typeLine(1, "join red"); !strings.Contains(got, "already") {
		t.Errorf("%q", got)
	}
}

// The game is an example, so it must stay short enough to be read in one sitting.
func TestGameHasLessThan200LinesOfGo(t *testing.T) {
	lines := 0
	for _, name := range []string{"main.go", "rules.go"} {
		b, err := os.ReadFile(name)
		if err != nil {
			t.Fatal(err)
		}
		lines += strings.Count(string(b), "\n")
	}
	if lines >= 200 {
		t.Errorf("%d lines, but docs/game.md promises less than 200", lines)
	}
}
