// Package checker judges what the clients of a world on several nodes were shown. A test records events while its clients play, such as a
// line of chat or a change of area, and afterwards asks for what cannot be true of one world:
//
//	h := checker.New(4 * time.Second)
//	h.Enter(now, "Ann", "Camp")
//	h.Line(now, "Ann", "Bob", 7) // Ann was shown Bob's line 7
//	...
//	for _, err := range h.Check() { ... }
//
// It reads nothing else: no state of a server, and no clock.
package checker

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"sync"
	"time"
)

// History holds what clients were shown. Its methods are safe for concurrent use.
type History struct {
	margin time.Duration

	mu     sync.Mutex
	stays  map[string][]stay // by client, oldest first
	lines  map[heard][]line  // in the order in which they were shown
	points map[string]points // shown last, by character
	places map[string]places // last sample, by observer
	counts []Census
	found  []error
	pairs  int
}

// stay is a time in which a client was in one area without interruption. until is zero while it lasts.
type stay struct {
	area        string
	from, until time.Time
}

// heard are a client that was shown lines and the character that said them.
type heard struct{ listener, speaker string }

type line struct {
	number int
	at     time.Time
}

// points are experience points, and where they were shown.
type points struct {
	number int
	where  string
}

// places are the areas of all characters as an observer was shown them.
type places struct {
	at    time.Time
	areas map[string][]string
}

// Census is every stack of items in the world at one time.
type Census struct {
	Label      string // names the census in errors
	ItemStacks []ItemStack
}

// ItemStack is a stack of items. The size of a stack identifies it, unless it is Common.
type ItemStack struct {
	Where  string // name of the character that has it, or a description of the ground where it lies
	Item   string // name of the kind of item
	Amount int
	Common bool // stacks of this size may exist more than once
}

// New returns an empty history. margin is how long a client must have been in an area before and after a line was said for the line to be
// due to it: longer than a client is told late of a change of area, and than a line needs to all clients.
func New(margin time.Duration) *History {
	return &History{
		margin: margin, stays: map[string][]stay{}, lines: map[heard][]line{}, points: map[string]points{}, places: map[string]places{},
	}
}

// Enter records that a client is shown an area. It does nothing if the client is there already.
func (h *History) Enter(at time.Time, client, area string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	list := h.stays[client]
	if n := len(list); n > 0 && list[n-1].until.IsZero() {
		if list[n-1].area == area {
			return
		}
		list[n-1].until = at
	}
	h.stays[client] = append(list, stay{area: area, from: at})
}

// Leave records that a client is in the world no more, or that its connection counts no more.
func (h *History) Leave(at time.Time, client string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if list := h.stays[client]; len(list) > 0 && list[len(list)-1].until.IsZero() {
		list[len(list)-1].until = at
	}
}

// Line records that a client was shown a numbered line of a character, which may be its own.
func (h *History) Line(at time.Time, client, speaker string, number int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	key := heard{client, speaker}
	for _, before := range h.lines[key] {
		if before.number == number {
			h.fail("%s was shown line %d of %s twice, %v apart", client, number, speaker, at.Sub(before.at).Round(time.Millisecond))
			return
		}
	}
	if n := len(h.lines[key]); n > 0 && h.lines[key][n-1].number > number {
		h.fail("%s was shown line %d of %s after line %d", client, number, speaker, h.lines[key][n-1].number)
	}
	h.lines[key] = append(h.lines[key], line{number, at})
}

// Experience records the experience points of a character that its client was shown. where names the node and the occasion, for errors.
func (h *History) Experience(character, where string, number int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if was, ok := h.points[character]; ok && number < was.number {
		h.fail("%s was shown %d experience points (%s) after %d (%s)", character, number, where, was.number, was.where)
	}
	h.points[character] = points{number, where}
}

// Places records the areas of all characters as an observer, such as the live map of a node, was shown them. Frames of two areas are
// not of the same moment, so that a character that crosses may be in both for a moment: it must not be so in two samples in a row.
func (h *History) Places(at time.Time, observer string, areas map[string][]string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	before := h.places[observer]
	for _, who := range slices.Sorted(maps.Keys(areas)) {
		if now := areas[who]; len(now) > 1 && len(before.areas[who]) > 1 {
			h.fail("%s shows %s in %d places at once: %v, and %v before that, they were %v", observer, who, len(now), now, at.Sub(before.at).Round(time.Millisecond), before.areas[who])
		}
	}
	h.places[observer] = places{at, areas}
}

// Forget drops the last sample of an observer, which starts anew.
func (h *History) Forget(observer string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	delete(h.places, observer)
}

// Count records a census. Nothing may be on its way between two places meanwhile.
func (h *History) Count(c Census) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.counts = append(h.counts, c)
}

// fail records something that cannot be true. The caller holds h.mu.
func (h *History) fail(format string, args ...any) {
	h.found = append(h.found, fmt.Errorf(format, args...))
}

// Pairs returns how many lines that were due to a client Check has looked for.
func (h *History) Pairs() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.pairs
}

// Check returns everything in the history that cannot be true of one world.
func (h *History) Check() []error {
	h.mu.Lock()
	defer h.mu.Unlock()
	return append(append(slices.Clone(h.found), h.lost()...), h.miscounted()...)
}

// lost returns an error for each chat line that the speaker's own client was shown but another client in the same area was not. The
// caller holds h.mu.
func (h *History) lost() (errs []error) {
	h.pairs = 0
	speakers := slices.DeleteFunc(slices.Collect(maps.Keys(h.lines)), func(k heard) bool { return k.listener != k.speaker })
	slices.SortFunc(speakers, func(a, b heard) int { return cmp.Compare(a.speaker, b.speaker) })
	listeners := slices.Sorted(maps.Keys(h.stays))
	for _, own := range speakers {
		for _, said := range h.lines[own] {
			area, ok := h.areaAround(own.speaker, said.at)
			if !ok {
				continue
			}
			for _, listener := range listeners {
				if there, ok := h.areaAround(listener, said.at); listener == own.speaker || !ok || there != area {
					continue
				}
				h.pairs++
				if !slices.ContainsFunc(h.lines[heard{listener, own.speaker}], func(l line) bool { return l.number == said.number }) {
					errs = append(errs, fmt.Errorf("%s was not shown line %d of %s, which %s was shown in %s", listener, said.number, own.speaker, own.speaker, area))
				}
			}
		}
	}
	return errs
}

// areaAround returns the area in which a client was from margin before a time to margin after it. The caller holds h.mu.
func (h *History) areaAround(client string, at time.Time) (area string, ok bool) {
	for _, s := range h.stays[client] {
		if !s.from.After(at.Add(-h.margin)) && (s.until.IsZero() || !s.until.Before(at.Add(h.margin))) {
			return s.area, true
		}
	}
	return "", false
}

// miscounted returns an error for each stack that is in a census twice, and for each item of which a census has more or fewer pieces than
// the first one. The caller holds h.mu.
func (h *History) miscounted() (errs []error) {
	type kind struct {
		item   string
		amount int
	}
	var first map[string]int
	for i, c := range h.counts {
		seen, total := map[kind]string{}, map[string]int{}
		for _, s := range c.ItemStacks {
			total[s.Item] += s.Amount
			if s.Common {
				continue
			}
			k := kind{s.Item, s.Amount}
			if where, ok := seen[k]; ok {
				errs = append(errs, fmt.Errorf("%s: the stack of %d %s is in two places: %s and %s", c.Label, s.Amount, s.Item, where, s.Where))
			}
			seen[k] = s.Where
		}
		if i == 0 {
			first = total
			continue
		}
		for _, item := range slices.Sorted(maps.Keys(first)) {
			if total[item] != first[item] {
				errs = append(errs, fmt.Errorf("%s: %d pieces of %s, but there were %d", c.Label, total[item], item, first[item]))
			}
		}
	}
	return errs
}
