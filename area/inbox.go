package area

import (
	"sync"

	"github.com/truestep-io/truestep/sim"
)

// inbox holds the intents of one area until its next tick, in the order in which they came. Each player has a budget,
// so that nobody can fill it for others. Joins and leaves are not counted: there are at most as many as sessions, and
// losing one would leave a ghost behind or a player outside. Nor is what an operator asks for.
type inbox struct {
	depth   int // intents of one player that may wait
	perTick int // intents of one player that one tick takes; the rest waits for the next ticks

	mu      sync.Mutex
	state   inboxState
	waiting []sim.Intent
	budgets map[sim.EntityID]budget // of those who have something waiting, joins and leaves aside
	round   uint64                  // of drains
}

// budget is what one player used up.
type budget struct {
	waiting int    // > 0; intents of his in waiting
	taken   int    // intents of his that drain took in that round
	round   uint64 // older rounds took nothing from the one that runs
}

// inboxState only grows.
type inboxState uint8

const (
	inboxOpen   inboxState = iota
	inboxShut              // the world stops: only those who are on their way from another area get in
	inboxClosed            // the area is broken: nothing gets in
)

func newInbox(depth, perTick int) *inbox {
	return &inbox{depth: depth, perTick: perTick, budgets: map[sim.EntityID]budget{}}
}

// always tells whether an intent of that kind gets in whatever its player has waiting: it comes from the server itself.
func always(k sim.IntentKind) bool {
	return k == sim.IntentJoin || k == sim.IntentLeave || k.OfOperator()
}

// put adds an intent from outside. Errors: ErrFull, ErrClosed.
func (b *inbox) put(in sim.Intent) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state != inboxOpen {
		return ErrClosed
	}
	if !always(in.Kind) {
		own := b.budgets[in.Who]
		if own.waiting >= b.depth {
			return ErrFull
		}
		own.waiting++
		b.budgets[in.Who] = own
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
	b.round++
	kept := b.waiting[:0]
	for i := range b.waiting {
		in := &b.waiting[i]
		switch {
		case in.Kind == sim.IntentLeave:
			kept = b.drop(kept, in.Who)
			dst = append(dst, *in)
		case always(in.Kind), b.spend(in.Who):
			dst = append(dst, *in)
		default:
			kept = append(kept, *in)
		}
	}
	clear(b.waiting[len(kept):]) // intents point to texts and characters
	b.waiting = kept
	return dst
}

// spend takes one intent off a player's budget, unless this round took as many as it may.
func (b *inbox) spend(who sim.EntityID) bool {
	own := b.budgets[who]
	if own.round != b.round {
		own.taken, own.round = 0, b.round
	}
	if own.taken == b.perTick {
		return false
	}
	own.taken++
	own.waiting--
	b.set(who, own)
	return true
}

func (b *inbox) set(who sim.EntityID, own budget) {
	if own.waiting == 0 {
		delete(b.budgets, who) // none of his intents is left for this round either
	} else {
		b.budgets[who] = own
	}
}

// drop takes the intents of a player out of list.
func (b *inbox) drop(list []sim.Intent, who sim.EntityID) []sim.Intent {
	own := b.budgets[who]
	if own.waiting == 0 {
		return list
	}
	rest := list[:0]
	for i := range list {
		if list[i].Who == who {
			own.waiting--
		} else {
			rest = append(rest, list[i])
		}
	}
	b.set(who, own)
	return rest
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
