package rs

import (
	"slices"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// Boats without a model in the client's cache are hidden, because clients would draw a boat as a player that stands on the
// water. Source: docs/wire/bedrock.md, riding.
func TestBoatsWithoutCacheModelAreHidden(t *testing.T) {
	w := &sim.World{Rules: sim.Rules{Predict: move.DefaultPredictPolicy()}, Templates: []sim.Template{
		{ID: 1}, {ID: 2, Vehicle: move.Horse}, {ID: 3, Vehicle: move.Boat}, {ID: 4, Vehicle: move.ChestBoat},
	}}
	models := appearance.New().RuneScape
	models.Actors[4] = appearance.RuneScapeActor{NPC: 7}
	hidden := hiddenTemplates(w, &models)
	if len(hidden) != 1 || !hidden[3] {
		t.Errorf("hidden are %v", hidden)
	}
	s := newMotionTest(t, sim.FlagPlayer)
	s.w.g.hidden = hidden
	boat := s.frame.Actors[1]
	boat.ID, boat.Flags, boat.Body = s.mover+1, 0, &sim.Body{Name: "Boat", Template: 3}
	s.frame.Actors = append(s.frame.Actors, boat)
	s.frame.Actors[1].Mount = boat.ID
	s.moveTo(s.centre(1, 0), s.centre(1, 0))
	if !slices.Equal(s.viewer.shownIDs, []sim.EntityID{1, s.mover}) {
		t.Errorf("shown are %v", s.viewer.shownIDs)
	}
}
