package checker

import (
	"maps"
	"slices"
	"strings"
	"time"
)

// observers are the names of two observers, in order.
type observers [2]string

// apart is a period in which two observers show a character in areas that have nothing in common. It ends with the older one of their
// newest samples.
type apart struct {
	since    time.Time
	stays    [2][]string // areas in which each observer has shown the character all that time
	samples  [2]int      // samples of each observer
	reported bool
}

// apartSamples is the least number of samples of each observer in a period that counts. After a pause of all observers, two changes of
// areas that one of them shows late would otherwise look like one long period.
const apartSamples = 4

// comparePlaces compares the newest sample of an observer with that of each other one. The caller holds h.mu.
func (h *History) comparePlaces(observer string) {
	mine := h.places[observer]
	for _, other := range slices.Sorted(maps.Keys(h.places)) {
		theirs := h.places[other]
		switch {
		case other == observer || mine.isFirst || theirs.isFirst:
		case observer < other:
			h.comparePair(observers{observer, other}, [2]places{mine, theirs}, 0)
		default:
			h.comparePair(observers{other, observer}, [2]places{theirs, mine}, 1)
		}
	}
}

// comparePair compares the newest samples of two observers, of which that with the index i is new. The caller holds h.mu.
func (h *History) comparePair(pair observers, newest [2]places, i int) {
	characters := map[string][]string{}
	maps.Copy(characters, newest[0].areas)
	maps.Copy(characters, newest[1].areas)
	now := map[string]apart{}
	for _, who := range slices.Sorted(maps.Keys(characters)) {
		areas := [2][]string{newest[0].areas[who], newest[1].areas[who]}
		h.placePairs++
		if len(common(areas[0], areas[1])) > 0 {
			continue
		}
		p := h.apart[pair][who]
		p.samples[i]++
		p.stays = [2][]string{common(p.stays[0], areas[0]), common(p.stays[1], areas[1])}
		if len(p.stays[0])+len(p.stays[1]) == 0 { // the period begins, or both observers have shown a change of areas
			p = apart{since: newest[i].at, stays: areas, samples: [2]int{1, 1}}
		}
		if d := newest[1-i].at.Sub(p.since); d > h.margin && min(p.samples[0], p.samples[1]) >= apartSamples && !p.reported {
			p.reported = true
			h.fail("%s shows %s in %s, and %s shows it in %s: for %v they have had no area in common", pair[0], who, listAreas(areas[0]), pair[1], listAreas(areas[1]), d.Round(time.Millisecond))
		}
		now[who] = p
	}
	h.apart[pair] = now
}

// Places returns how often RecordPlaces has compared where two observers show a character.
func (h *History) Places() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.placePairs
}

// common returns the areas of a list that another list also has.
func common(list, other []string) (both []string) {
	for _, area := range list {
		if slices.Contains(other, area) {
			both = append(both, area)
		}
	}
	return both
}

func listAreas(list []string) string {
	if len(list) == 0 {
		return "no area"
	}
	return strings.Join(list, " and ")
}
