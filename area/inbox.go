package area

import (
	"slices"
	"sync"

	"github.com/truestep-io/truestep/sim"
)

// inbox queues the intents of one area until its next tick, in order of arrival. Each player has a budget, a maximum
// number of waiting intents, so that no player fills the queue for others. Intents of operators and of the server
// itself have no budget: a session submits only a few, and if a join or leave were lost, a player would be missing in
// the area or a stale actor would stay there.
type inbox struct {
	depth   int // maximum number of waiting intents of one player
	perTick int // maximum number of intents of one player that drain returns per round (tick); further ones wait

	mu      sync.Mutex
	state   inboxState              // which intents are accepted
	waiting []sim.Intent            // queued intents, in order of arrival
	budgets map[sim.EntityID]budget // by player: the budgets of players that have intents in waiting, or had some taken in this round
	round   uint64                  // number of rounds begun so far
}

// budget counts the intents of one player: those that wait in the inbox, and those that drain has taken in its current round (see
// drain).
type budget struct {
	waiting int    // number of the player's intents in inbox.waiting
	taken   int    // number of the player's intents that drain has returned in the round given by the next field
	round   uint64 // number of the round in which taken was counted; in later rounds taken counts as 0
}

// inboxState says which intents an inbox accepts. An inbox changes only to a state with a greater number, which accepts fewer
// intents.
type inboxState uint8

const (
	inboxOpen          inboxState = iota
	inboxTravellerOnly            // the world is stopping: only intents of other areas are accepted
	inboxClosed                   // the area has stopped after a panic: nothing is accepted
)

func newInbox(depth, perTick int) *inbox {
	return &inbox{depth: depth, perTick: perTick, budgets: map[sim.EntityID]budget{}}
}

// put queues an intent. It returns ErrFull if the player's budget is used up, and ErrClosed if the inbox does not accept
// intents of players.
func (b *inbox) put(in sim.Intent) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state != inboxOpen {
		return ErrClosed
	}
	if !in.Kind.IsOfServer() {
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

// putTraveller queues an intent of another area: the join of an actor that comes from there, or a settlement (see
// crossing). It returns ErrClosed if the area has stopped after a panic.
func (b *inbox) putTraveller(in sim.Intent) error {
	b.mu.Lock()
	defer b.mu.Unlock()
	if b.state == inboxClosed {
		return ErrClosed
	}
	b.waiting = append(b.waiting, in)
	return nil
}

// drain appends the waiting intents to dst, in order of arrival, and removes them from the inbox. A call with newRound begins a
// new round. In one round drain takes at most perTick intents of each player; further ones wait for the next round. The intents
// of one player never change their order. But a leave or a lost connection removes the earlier waiting intents of its player.
func (b *inbox) drain(dst []sim.Intent, newRound bool) []sim.Intent {
	b.mu.Lock()
	defer b.mu.Unlock()
	if newRound {
		b.beginRound()
		dst = slices.Grow(dst, min(len(b.waiting), b.perTick*len(b.budgets))) // a node of a cluster keeps each result, so its dst is nil
	}
	kept := b.waiting[:0]
	for i := range b.waiting {
		in := &b.waiting[i]
		switch {
		case in.Kind == sim.IntentLeave, in.Kind == sim.IntentDisconnect:
			kept = b.drop(kept, in.Who)
			dst = append(dst, *in)
		case in.Kind.IsOfServer(), b.spend(in.Who):
			dst = append(dst, *in)
		default:
			kept = append(kept, *in)
		}
	}
	clear(b.waiting[len(kept):]) // releases the texts and characters of the removed intents
	b.waiting = kept
	return dst
}

// beginRound begins a new round of drain. It deletes the budgets of players without waiting intents, because they have no effect
// any more. Without that the budgets would grow with the number of players that were ever in the area.
func (b *inbox) beginRound() {
	b.round++
	for who, own := range b.budgets {
		if own.waiting == 0 {
			delete(b.budgets, who)
		}
	}
}

// spend counts one intent of a player that drain is about to take. It returns false if drain has already taken perTick intents of
// that player in the current round.
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
	b.budgets[who] = own
	return true
}

// drop removes the intents of a player from list, because a leave or a lost connection makes them void. It returns the shorter
// list.
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
	b.budgets[who] = own
	return rest
}

// raise changes the inbox to a state that accepts fewer intents, or does nothing if it is in such a state already. Waiting
// intents can still be drained.
func (b *inbox) raise(to inboxState) {
	b.mu.Lock()
	b.state = max(b.state, to)
	b.mu.Unlock()
}

// joins returns the number of players whose join waits in the inbox.
func (b *inbox) joins() (n int) {
	b.mu.Lock()
	defer b.mu.Unlock()
	for i := range b.waiting {
		if b.waiting[i].Kind == sim.IntentJoin {
			n++
		}
	}
	return n
}
