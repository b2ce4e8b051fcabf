package session

import (
	"sync/atomic"

	"github.com/truestep-io/truestep/sim"
)

// rateClass is a class of intents that share one rate limit.
type rateClass uint8

const (
	classClaim rateClass = iota // claimed positions and requested paths
	classAttack
	classChat
	classItem
	classInput
	classOther
	classAreaChat // chat lines refused because of the limit of their area; rateClassOf never returns it
	rateClasses   // number of classes
)

func rateClassOf(k sim.IntentKind) rateClass {
	switch k {
	case sim.IntentClaim, sim.IntentPath:
		return classClaim
	case sim.IntentInput, sim.IntentBarrierAck:
		return classInput
	case sim.IntentAttack:
		return classAttack
	case sim.IntentChat:
		return classChat
	case sim.IntentSwap, sim.IntentStack, sim.IntentDrop, sim.IntentPickUp, sim.IntentActionBar:
		return classItem
	}
	return classOther
}

// budget configures a token bucket. The bucket starts with burst tokens, gains perSecond tokens per second, and never
// holds more than burst tokens.
type budget struct{ perSecond, burst int64 }

// budgets are the rate limits of a session by class of intents. Clients send 5..7 claims and up to 4 attacks per second
// (protocol spec 3.4 and 4). A burst is the number of intents that a connection delivers at once after it was blocked
// for a few seconds. The other values are chosen, not measured.
var budgets = [rateClasses]budget{
	classClaim:  {20, 40},
	classAttack: {10, 20},
	classChat:   {4, 8},
	classItem:   {20, 40},
	classInput:  {60, 160}, // clients send 20 inputs per second and acknowledge barriers; the area limits inputs itself
	classOther:  {10, 20},
}

// bucket is the state of a token bucket.
type bucket struct {
	milli int64 // remaining tokens in thousandths
	atMS  int64 // world time in ms at which milli was computed
}

// takeToken removes a token and reports whether there was one. The parameter nowMS must not be less than in the
// previous call.
func (b *bucket) takeToken(of budget, nowMS int64) bool {
	b.milli = min(b.milli+(nowMS-b.atMS)*of.perSecond, of.burst*1000)
	b.atMS = nowMS
	if b.milli < 1000 {
		return false
	}
	b.milli -= 1000
	return true
}

// classNames are the values of the label class in the metric truestep_intents_limited_total.
var classNames = [rateClasses]string{"claim", "attack", "chat", "item", "input", "other", "area_chat"}

// rejectedCounts counts the intents that were refused because of a rate limit, by class.
type rejectedCounts [rateClasses]atomic.Uint64

func (h *Hub) reject(class rateClass) {
	h.rejected[class].Add(1)
	h.opt.Metrics.Limited.With(classNames[class]).Inc()
}

func (t *rejectedCounts) stats() Stats {
	return Stats{
		Claims: t[classClaim].Load(), Attacks: t[classAttack].Load(), Chat: t[classChat].Load(), AreaChat: t[classAreaChat].Load(),
		Items: t[classItem].Load(), Inputs: t[classInput].Load(), Other: t[classOther].Load(),
	}
}
