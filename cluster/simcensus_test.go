package cluster

import (
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/sim"
)

// countItems gives the checker a count of the items at the start, and one for each node at the end.
func (s *simulation) countItems() {
	before := checker.Census{Label: "at the start"}
	for _, c := range s.clients {
		for n := range itemsEach {
			before.ItemStacks = append(before.ItemStacks, checker.ItemStack{Where: c.name, Item: s.def.Items[(int(c.id)-1)*itemsEach+n].Name, Amount: 1})
		}
	}
	s.history.RecordCensus(before)
	for _, n := range s.nodes[1:] {
		after := n.countItems()
		if s.counts != nil {
			s.counts(n, &after)
		}
		s.history.RecordCensus(after)
	}
}

// countItems counts the items that a node has: on the ground of its copies of the areas, with the characters that these copies have in
// the areas or between two of them, and in the newest records of all other characters.
func (n *simNode) countItems() checker.Census {
	s, census, counted := n.s, checker.Census{Label: "at the end, at node " + n.name}, map[sim.CharacterID]bool{}
	add := func(where string, stack sim.ItemStack) {
		if !stack.Empty() {
			item := s.def.Items[int(stack.Item)-itemsEach].Name
			census.ItemStacks = append(census.ItemStacks, checker.ItemStack{Where: where, Item: item, Amount: int(stack.Amount)})
		}
	}
	carries := func(c *sim.Character, where string) {
		counted[c.ID] = true
		for _, stack := range c.Inventory {
			add(c.Name+" "+where, stack)
		}
	}
	for _, a := range n.p.areas {
		a.g.state.Ground(func(g sim.GroundItem) { add("the ground of "+a.g.name, g.Stack) })
		a.g.state.Outbox(func(to sim.AreaID, _ sim.EntityID, j *sim.Join) {
			if n.p.areas[to].g.state.Arrived(a.g.area) < j.Seq {
				carries(j.Character, "on its way from "+a.g.name)
			}
		})
		var leaves []sim.Intent
		a.g.state.Players(func(who sim.EntityID, _ sim.CharacterID) {
			leaves = append(leaves, sim.Intent{Kind: sim.IntentLeave, Who: who})
		})
		emptied := new(sim.Area) // a copy of the area that all players leave: their records have what they carry
		a.g.state.CloneInto(emptied)
		for _, e := range emptied.Step(leaves).Events {
			if e.Kind == sim.EventLeft {
				carries(e.Record, "in "+a.g.name)
			}
		}
	}
	for _, c := range s.clients {
		if !counted[c.id] {
			carries(s.newestRecord(n.p, c.id), "out of the world")
		}
	}
	return census
}

// newestRecord returns the newest record of a character that a process knows: that of the database or of a frame.
func (s *simulation) newestRecord(p *process, id sim.CharacterID) *sim.Character {
	r := s.newRecord(id)
	for _, have := range [...]*sim.Character{s.db.records.Characters[id], p.records[id]} {
		if have != nil && have.Version > r.Version {
			r = have
		}
	}
	return r
}

// What node 2 has at the end of the run is falsified.
func TestItemThatIsLostOrTwiceOnOneNodeIsFound(t *testing.T) {
	for name, c := range map[string]struct {
		change func([]checker.ItemStack) []checker.ItemStack
		want   string
	}{
		"an item is lost": {func(list []checker.ItemStack) []checker.ItemStack { return list[1:] }, "at the end, at node n2: the world has 0 pieces of Thing"},
		"an item is in two places": {func(list []checker.ItemStack) []checker.ItemStack {
			list = slices.Clone(list)
			list[0].Item = list[1].Item
			return list
		}, "which exists once, is in two places"},
	} {
		t.Run(name, func(t *testing.T) {
			counts, ground, players := 0, 0, 0
			_, err := simulate(t, 1, briefly, func(s *simulation) {
				s.counts = func(n *simNode, have *checker.Census) {
					for _, stack := range have.ItemStacks {
						switch {
						case strings.HasPrefix(stack.Where, "the ground of"):
							ground++
						case strings.Contains(stack.Where, " in "):
							players++
						}
					}
					if counts++; n.id == 2 {
						have.ItemStacks = c.change(have.ItemStacks)
					}
				}
			})
			if err == nil || !strings.Contains(err.Error(), c.want) || counts != nodesOf(1) || ground == 0 || players == 0 {
				t.Errorf("the error is %v, want one with %q; %d counts have %d items on the ground and %d with players", err, c.want, counts, ground, players)
			}
		})
	}
}
