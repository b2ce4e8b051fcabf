package checker

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Stacks has the stacks of items that a client is shown, by the place where they are: a slot of its inventory, or the handle of an item on
// the ground, which is the same for all clients. The value is the number of pieces, by which a stack is known: no two stacks have the same.
type Stacks map[string]int

// stackPair is a stack that is shown at two places at once. The places are in order.
type stackPair struct {
	amount int
	places [2]string
}

// stackMoves has where stacks are shown now.
type stackMoves struct {
	clients map[string]Stacks                  // what each client is shown
	shown   map[int]map[string]map[string]bool // by number of pieces and place: the clients that are shown the stack there
	twice   map[stackPair]time.Time            // time since which a stack is shown at two places at once
	newest  time.Time                          // time of the newest event
	moves   int                                // how often a stack was shown at a place where no client was shown it before
}

// RecordStacks records the stacks that a client is shown now. After Leave it is shown none. A stack may be shown at two places at once for
// no longer than the margin, in which clients are told of its move.
func (h *History) RecordStacks(at time.Time, client string, stacks Stacks) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.recordStacks(at, client, stacks)
}

// recordStacks is RecordStacks for a caller that holds h.mu. It writes only what has changed.
func (h *History) recordStacks(at time.Time, client string, stacks Stacks) {
	was := h.stacks.clients[client]
	if maps.Equal(was, stacks) {
		return
	}
	gone, added := Stacks{}, Stacks{}
	for place, amount := range was {
		if stacks[place] != amount {
			gone[place] = amount
		}
	}
	for place, amount := range stacks {
		if was[place] != amount {
			added[place] = amount
		}
	}
	h.write(event{Kind: eventStacks, At: &at, Client: client, Gone: gone, Stacks: added})
	for _, place := range slices.Sorted(maps.Keys(gone)) {
		h.stackGone(at, client, place, gone[place])
	}
	for _, place := range slices.Sorted(maps.Keys(added)) {
		h.stackShown(at, client, place, added[place])
	}
	h.stacks.clients[client] = maps.Clone(stacks)
}

// playStacks records the change of a file.
func (h *History) playStacks(at time.Time, client string, gone, added Stacks) {
	h.mu.Lock()
	now := maps.Clone(h.stacks.clients[client])
	h.mu.Unlock()
	if now == nil {
		now = Stacks{}
	}
	for place := range gone {
		delete(now, place)
	}
	maps.Copy(now, added)
	h.RecordStacks(at, client, now)
}

// stackShown records that a client is shown a stack at a place from now on.
func (h *History) stackShown(at time.Time, client, place string, amount int) {
	s := &h.stacks
	s.newest = at
	places := s.shown[amount]
	if places == nil {
		places = map[string]map[string]bool{}
		s.shown[amount] = places
	}
	if places[place] == nil {
		s.moves++
		for other := range places {
			s.twice[pairOf(amount, place, other)] = at
		}
		places[place] = map[string]bool{}
	}
	places[place][client] = true
}

// stackGone records that a client is no longer shown a stack at a place.
func (h *History) stackGone(at time.Time, client, place string, amount int) {
	s := &h.stacks
	s.newest = at
	places := s.shown[amount]
	if delete(places[place], client); len(places[place]) > 0 {
		return
	}
	delete(places, place)
	for _, other := range slices.Sorted(maps.Keys(places)) {
		pair := pairOf(amount, place, other)
		if err := h.tooLong(pair, at); err != nil {
			h.found = append(h.found, err)
		}
		delete(s.twice, pair)
	}
}

func pairOf(amount int, a, b string) stackPair {
	return stackPair{amount, [2]string{min(a, b), max(a, b)}}
}

// tooLong returns an error if a stack was shown at two places for longer than the margin.
func (h *History) tooLong(p stackPair, until time.Time) error {
	if d := until.Sub(h.stacks.twice[p]); d > h.margin {
		return fmt.Errorf("the stack of %d pieces was shown at two places for %v: %s and %s", p.amount, d.Round(time.Millisecond), p.places[0], p.places[1])
	}
	return nil
}

// doubled returns an error for each stack that is still shown at two places at the end. The caller holds h.mu.
func (h *History) doubled() (errs []error) {
	for p := range h.stacks.twice {
		if err := h.tooLong(p, h.stacks.newest); err != nil {
			errs = append(errs, err)
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return cmp.Compare(a.Error(), b.Error()) })
	return errs
}

// StackMoves returns how often a stack was shown at a place where no client was shown it before.
func (h *History) StackMoves() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.stacks.moves
}
