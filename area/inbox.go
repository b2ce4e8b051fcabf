package area

import (
	"sync"

	"github.com/truestep-io/truestep/sim"
)

// inbox holds the intents of one area until its next tick, in the order in which they came. Each player has a budget,
// so that nobody can fill it for others. Joins and leaves are not counted: there are at most as many as sessions, and
// losing one would leave a ghost behind or a player outside.
type inbox struct {
	depth   int // intents of one player that may wait
	perTick int // intents of one player that one tick takes; the rest waits for the next ticks

	mu      sync.Mutex
	state   inboxState
	waiting []sim.Intent
	count   map[sim.EntityID]int // of waiting, joins and leaves aside; equals what is in waiting
	taken   map[sim.EntityID]int // empty outside drain
}

// inboxState only grows.
type inboxState uint8

const (
	inboxOpen   inboxState = iota
	inboxShut              // the world stops: only those who are on their way from another area get in
	inboxClosed            // the area is broken: nothing gets in
)

func newInbox(depth, perTick int) *inbox {
	return &inbox{depth: depth, perTick: perTick, count: map[sim.EntityID]int{}, taken: map[sim.EntityID]int{}}
}

func always(k sim.IntentKind) bool { return k == sim.IntentJoin || k == sim.IntentLeave }

// put adds an intent from outside. Errors: ErrFull, ErrClosed.
func (b *inbox) put(in sim.Intent) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state != inboxOpen {
		return ErrClosed
	}
	if !always(in.Kind) {
		n := b.count[in.Who]
		if n >= b.depth {
			return ErrFull
		}
		b.count[in.Who] = n + 1
	}
	b.waiting = append(b.waiting, in)
	return nil
}

// pass adds the join of somebody who comes from another area. Error: ErrClosed.
func (b *inbox) pass(join sim.Intent) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state == inboxClosed {
		return ErrClosed
	}
	b.waiting = append(b.waiting, join)
	return nil
}

// drain appends to dst what the next tick takes, in order, and keeps the rest. A player's own order never changes,
// save that a leave overtakes what he still had waiting, which is dropped: he is gone.
func (b *inbox) drain(dst []sim.Intent) []sim.Intent {
	b.mu.Lock()
	defer b.mu.Unlock()
	kept := b.waiting[:0]
	for i := range b.waiting {
		in := b.waiting[i]
		switch {
		case in.Kind == sim.IntentLeave:
			kept = b.drop(kept, in.Who)
			dst = append(dst, in)
		case in.Kind == sim.IntentJoin:
			dst = append(dst, in)
		case b.taken[in.Who] >= b.perTick:
			kept = append(kept, in)
		default:
			b.taken[in.Who]++
			b.uncount(in.Who)
			dst = append(dst, in)
		}
	}
	clear(b.waiting[len(kept):]) // intents point to texts and characters
	b.waiting = kept
	clear(b.taken)
	return dst
}

// drop takes the intents of a player out of list.
func (b *inbox) drop(list []sim.Intent, who sim.EntityID) []sim.Intent {
	if b.count[who] == 0 {
		return list
	}
	rest := list[:0]
	for _, in := range list {
		if in.Who == who {
			b.uncount(who)
			continue
		}
		rest = append(rest, in)
	}
	return rest
}

func (b *inbox) uncount(who sim.EntityID) {
	if n := b.count[who]; n > 1 {
		b.count[who] = n - 1
	} else {
		delete(b.count, who)
	}
}

// raise moves the inbox to a state that takes less. What waits can still be drained.
func (b *inbox) raise(to inboxState) {
	b.mu.Lock()
	b.state = max(b.state, to)
	b.mu.Unlock()
}

// len is how many intents wait.
func (b *inbox) len() int {
	b.mu.Lock()
	defer b.mu.Unlock()
	return len(b.waiting)
}
