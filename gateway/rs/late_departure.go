package rs

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
)

// lateDeparture is a player that has joined another area, and the area that it has left, of which the worker has read no frame without the
// player yet: on a node of a cluster, the frames of one area may be behind those of another.
type lateDeparture struct {
	p    *player
	from sim.AreaID
}

// expectDeparture notes that the worker will read later that a player has left the area in which it is or is expected.
func (w *worker) expectDeparture(p *player) {
	from := p.arrivingIn
	if from == sim.NoArea {
		from = p.scene.id
	}
	if d := (lateDeparture{p, from}); !slices.Contains(w.departures, d) {
		w.departures = append(w.departures, d)
	}
}

// showLateEvents tells players of late departures from the area of the frame f about events that concern only them: what happened to
// them in their last ticks there. Then it forgets the departures of players that are not in the frame any more.
func (w *worker) showLateEvents(f *sim.Frame) {
	if len(w.departures) == 0 {
		return
	}
	for i := range f.Events {
		e := &f.Events[i]
		for _, d := range w.departures {
			if d.from == f.Area && d.p.session.Entity == e.Who && !d.p.isIn(f.Area) {
				d.p.handleEvent(e)
			}
		}
	}
	w.departures = slices.DeleteFunc(w.departures, func(d lateDeparture) bool {
		return d.p.removed || d.from == f.Area && f.Find(d.p.session.Entity) == nil
	})
}
