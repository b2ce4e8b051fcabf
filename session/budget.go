package session

import (
	"sync/atomic"

	"github.com/truestep-io/truestep/sim"
)

// wish is a kind of intent that has a budget of its own.
type wish uint8

const (
	wishClaim wish = iota
	wishAttack
	wishChat
	wishItem
	wishInput
	wishOther
	wishes // how many there are
)

func wishOf(k sim.IntentKind) wish {
	switch k {
	case sim.IntentClaim, sim.IntentPath:
		return wishClaim
	case sim.IntentInput, sim.IntentBarrierAck:
		return wishInput
	case sim.IntentAttack:
		return wishAttack
	case sim.IntentChat:
		return wishChat
	case sim.IntentSwap, sim.IntentStack, sim.IntentDrop, sim.IntentPickUp, sim.IntentActionBar:
		return wishItem
	}
	return wishOther
}

// budget is a token bucket: burst tokens at first, perSecond new ones each second, never more than burst.
type budget struct{ perSecond, burst int64 }

// budgets by wish. Clients send 5..7 claims and up to 4 attacks a second (protocol spec 3.4 and 4); the bursts are
// what a connection delivers at once after a stall of a few seconds. The rest are guesses.
var budgets = [wishes]budget{
	wishClaim:  {20, 40},
	wishAttack: {10, 20},
	wishChat:   {4, 8},
	wishItem:   {20, 40},
	wishInput:  {60, 160}, // 20 inputs a second and their barriers; the area judges who sends more
	wishOther:  {10, 20},
}

// bucket is what is left of a budget.
type bucket struct {
	milli int64 // thousandths of tokens
	atMS  int64 // when milli was right
}

// take takes a token if there is one. nowMS never goes back.
func (b *bucket) take(of budget, nowMS int64) bool {
	b.milli = min(b.milli+(nowMS-b.atMS)*of.perSecond, of.burst*1000)
	b.atMS = nowMS
	if b.milli < 1000 {
		return false
	}
	b.milli -= 1000
	return true
}

// turnedAway counts intents beyond their budget, by wish.
type turnedAway [wishes]atomic.Uint64

func (t *turnedAway) stats() Stats {
	return Stats{
		Claims: t[wishClaim].Load(), Attacks: t[wishAttack].Load(), Chat: t[wishChat].Load(),
		Items: t[wishItem].Load(), Inputs: t[wishInput].Load(), Other: t[wishOther].Load(),
	}
}
