package sim

import (
	"cmp"
	"fmt"
	"slices"
)

// Reconcile makes the restored areas of a world consistent with each other. The parameter areas has all areas of the world,
// indexed by id. Normally there is nothing to do: even if areas have lost their newest ticks, the players in their outboxes
// agree with the arrivals that the other areas have counted (see crossing.go). They disagree if the tape (log) of an area is
// damaged or could not be written for a while. Then Reconcile keeps only the newest version of a character that is in several
// places, and renumbers the outboxes so that the players in them arrive. It returns a line of text for each change.
func Reconcile(areas []*Area) (changes []string) {
	places := findCharacters(areas)
	agree := true
	for _, a := range areas {
		agree = agree && a.outboxesAgree(areas)
	}
	if agree && !slices.ContainsFunc(places, func(list []characterPlace) bool { return len(list) > 1 }) {
		return nil
	}
	for _, list := range places {
		for _, p := range list[1:] {
			changes = append(changes, fmt.Sprintf("character %q is in %s and, with an older record, in %s: removed the older one", p.name, list[0].where(), p.where()))
			p.remove()
		}
	}
	for _, a := range areas {
		changes = append(changes, a.renumberOutboxes(areas)...)
	}
	return changes
}

// characterPlace is a place where a character was found in the restored areas: it is the actor x in an area or, if x is nil, a
// player in the outbox of that area.
type characterPlace struct {
	name    string
	version uint64 // version of the character's record
	area    *Area
	x       *actor
	to      AreaID
	join    *Join
}

func (p *characterPlace) where() string {
	if p.x != nil {
		return fmt.Sprintf("area %q", p.area.def.Name)
	}
	return fmt.Sprintf("the outbox of area %q", p.area.def.Name)
}

func (p *characterPlace) remove() {
	a := p.area
	if p.x == nil {
		o := &a.outboxes[a.outboxIndex(p.to)]
		o.waiting = slices.DeleteFunc(o.waiting, func(d departure) bool { return d.join == p.join })
		return
	}
	a.beginFrame() // the events of the removal are dropped
	a.stopRiding(p.x)
	a.removePets(p.x)
	a.remove(p.x)
	a.sweep()
	a.frame = nil
}

// findCharacters returns, for each character in order of id, the places where it was found, the newest version first. An outbox
// does not count as a place of a player that has already arrived at its destination.
func findCharacters(areas []*Area) (places [][]characterPlace) {
	byID := map[CharacterID][]characterPlace{}
	for _, a := range areas {
		for _, x := range a.actors {
			if x.player {
				byID[x.record.ID] = append(byID[x.record.ID], characterPlace{name: x.name, version: x.recordVersion, area: a, x: x})
			}
		}
		a.Outbox(func(to AreaID, _ EntityID, j *Join) {
			if c := j.Character; j.Seq > areas[to].Arrived(a.id) {
				byID[c.ID] = append(byID[c.ID], characterPlace{name: c.Name, version: c.Version, area: a, to: to, join: j})
			}
		})
	}
	for _, id := range sortedKeys(byID) {
		list := byID[id]
		slices.SortStableFunc(list, func(p, q characterPlace) int { return cmp.Compare(q.version, p.version) })
		places = append(places, list)
	}
	return places
}

func sortedKeys[K cmp.Ordered, V any](m map[K]V) (keys []K) {
	for k := range m {
		keys = append(keys, k)
	}
	slices.Sort(keys)
	return keys
}

// outboxesAgree reports whether the outboxes of this area are consistent with the arrivals that the other areas have counted.
// The destination of an outbox must have counted at least the players that were removed from it, because it has confirmed their
// arrival. It cannot have counted more players than departed to it.
func (a *Area) outboxesAgree(areas []*Area) bool {
	for _, b := range areas {
		if b == a {
			continue
		}
		var o outbox
		if i := a.outboxIndex(b.id); i >= 0 {
			o = a.outboxes[i]
		}
		if n := b.Arrived(a.id); n > o.last || n < o.last-uint64(len(o.waiting)) {
			return false
		}
	}
	return true
}

// outboxIndex returns the index of the outbox for an area, -1 if there is none.
func (a *Area) outboxIndex(to AreaID) int {
	return slices.IndexFunc(a.outboxes, func(o outbox) bool { return o.to == to })
}

// renumberOutboxes removes players that have arrived from the outboxes. It numbers the others so that the first one has
// the number that its destination expects next.
func (a *Area) renumberOutboxes(areas []*Area) (changes []string) {
	old := a.outboxes
	a.outboxes = nil
	for _, b := range areas {
		arrived := b.Arrived(a.id)
		o := outbox{to: b.id, last: arrived}
		var was outbox
		if i := slices.IndexFunc(old, func(o outbox) bool { return o.to == b.id }); i >= 0 {
			was = old[i]
		}
		switch first := was.last - uint64(len(was.waiting)); {
		case b == a:
			continue
		case arrived > was.last:
			changes = append(changes, fmt.Sprintf("area %q has lost the record that %d players left it for area %q, where they are now", a.def.Name, arrived-was.last, b.def.Name))
		case arrived < first:
			changes = append(changes, fmt.Sprintf("area %q has lost the record that %d players arrived from area %q", b.def.Name, first-arrived, a.def.Name))
		}
		for _, d := range was.waiting {
			if d.join.Seq <= arrived {
				continue
			}
			j := *d.join
			o.last++
			j.Seq = o.last
			o.waiting = append(o.waiting, departure{d.who, &j, j.digest()})
		}
		if o.last > 0 {
			a.outboxes = append(a.outboxes, o)
		}
	}
	return changes
}
