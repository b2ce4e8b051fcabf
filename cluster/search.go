package cluster

import (
	"slices"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// search looks for the player of a character in this node's copies of all areas, one after the other. A player who has left for
// another area stays in the outbox of the old area until its arrival is confirmed there. Meanwhile the player may have arrived, gone
// on, or left the world, so the search asks the target area whether the player has arrived. If the player is in no area, the search is
// repeated: the player may have moved from an area that was searched later to one that was searched before, with a confirmed arrival.
type search struct {
	character sim.CharacterID
	found     area.RestoredPlayer // Entity is 0 while nothing is found
	outboxes  []outboxEntry       // entries for the player in outboxes, in the order in which they were found
	checked   int                 // number of outboxes that were compared with their target area
	settled   []crossings         // confirmed arrivals in all areas

	// behind is true if nothing is found and the copy of an area lacks arrivals that are confirmed. The player may be among them.
	behind bool
}

// crossings stands for the crossings of players from one area to another whose numbers (Join.Seq) are at most last.
type crossings struct {
	from, to sim.AreaID
	last     uint64
}

// outboxEntry is an entry for the sought player in the outbox of an area.
type outboxEntry struct {
	who      sim.EntityID
	from, to sim.AreaID
	seq      uint64 // Join.Seq
	lost     bool   // the node through which the player is connected is declared dead
}

// run searches the areas. The function request runs a function on the goroutine of a group, and returns false if that is not
// possible; then run returns false.
func (s *search) run(groups []*group, request func(*group, func()) bool) bool {
	for range searchPasses {
		for _, g := range groups {
			if !request(g, func() { s.look(g) }) {
				return false
			}
		}
		for s.found.Entity == 0 && s.checked < len(s.outboxes) {
			e := s.outboxes[s.checked]
			s.checked++
			g := groups[e.to]
			if !request(g, func() { s.compare(g, e) }) {
				return false
			}
		}
		if s.found.Entity != 0 {
			return true
		}
	}
	for _, g := range groups {
		if !request(g, func() { s.lookForGaps(g) }) {
			return false
		}
	}
	return true
}

// lookForGaps looks for the player in an area once more, and sets s.behind if the copy of the area lacks arrivals that are confirmed.
func (s *search) lookForGaps(g *group) {
	s.look(g)
	for _, c := range s.settled {
		if c.to == g.area && g.state.Arrived(c.from) < c.last {
			s.behind = true
		}
	}
}

// searchPasses is how often all areas are searched before a player counts as absent from the world. To be missed in both passes, a
// player would have to change areas three times within the few ms that they take.
const searchPasses = 2

// look records the player if it is in the area of g, the player's entries in the outbox of that area, and the area's confirmed arrivals.
func (s *search) look(g *group) {
	g.state.Players(func(who sim.EntityID, c sim.CharacterID) {
		if c == s.character {
			s.found = area.RestoredPlayer{Entity: who, Character: c, Area: g.area, Arrived: true, Connected: !g.state.Lingers(who) && !g.hasLostNode(who)}
		}
	})
	g.state.Outbox(func(to sim.AreaID, who sim.EntityID, j *sim.Join) {
		if e := (outboxEntry{who, g.area, to, j.Seq, g.hasLostNode(who)}); j.Character.ID == s.character && !slices.Contains(s.outboxes, e) {
			s.outboxes = append(s.outboxes, e)
		}
	})
	g.state.Settled(func(to sim.AreaID, last uint64) {
		if c := (crossings{g.area, to, last}); !slices.Contains(s.settled, c) {
			s.settled = append(s.settled, c)
		}
	})
}

// compare handles an entry with the player in an outbox. If the target area has not counted the arrival, the player is on its way
// there. Otherwise compare looks into the target area again, because the player may have arrived after the first look.
func (s *search) compare(g *group, e outboxEntry) {
	if g.state.Arrived(e.from) < e.seq {
		s.found = area.RestoredPlayer{Entity: e.who, Character: s.character, Area: e.to, Connected: !e.lost}
		return
	}
	s.look(g)
}
