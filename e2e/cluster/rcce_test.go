//go:build linux

package main

import (
	"math/rand/v2"
	"testing"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
)

func TestPlayerTradesOnlyAfterTheAnswerToItsLastRequest(t *testing.T) {
	random, now := rand.New(rand.NewPCG(1, 2)), time.Unix(1000, 0)
	const handle, other = 7, 8
	four := &dropping{firstSlot, 4}
	for name, c := range map[string]struct {
		pick   uint32    // stack that the player asked for last; 0 if its last request was a drop
		drop   *dropping // its last drop
		answer func(v *inventory)
		after  time.Duration // time after the request at which the next trade is due
	}{
		"picked up":                         {handle, nil, func(v *inventory) { v.received(&proto.InventoryReceived{Drop: handle, Slot: firstSlot}) }, 2 * tradePause},
		"picked up by another player":       {handle, nil, func(v *inventory) { v.gone(handle) }, 2 * tradePause},
		"another stack is gone":             {handle, nil, func(v *inventory) { v.gone(other) }, answerLimit},
		"dropped":                           {0, four, func(v *inventory) { v.dropped(&proto.InventoryDropped{Amount: 4}) }, 2 * tradePause},
		"a stack of another is dropped":     {0, four, func(v *inventory) { v.dropped(&proto.InventoryDropped{Amount: 5}) }, answerLimit},
		"the pick-up before it is answered": {0, four, func(v *inventory) { v.gone(handle) }, answerLimit},
		"the drop before it is answered":    {handle, four, func(v *inventory) { v.dropped(&proto.InventoryDropped{Amount: 4}) }, answerLimit},
		"other area":                        {handle, nil, func(v *inventory) { v.enterArea() }, 2 * tradePause},
		"no answer":                         {handle, nil, func(*inventory) {}, answerLimit},
	} {
		t.Run(name, func(t *testing.T) {
			v := newInventory(3)
			v.ground[handle], v.ground[other] = lying{amount: 4}, lying{amount: 5}
			if v.due(now, random) {
				t.Fatal("the first trade is due at once")
			}
			if at := now.Add(2 * tradePause); !v.due(at, random) {
				t.Fatal("no trade is due after twice the average pause")
			}
			asked := now.Add(2 * tradePause)
			v.pick, v.drop, v.waits = c.pick, c.drop, asked.Add(answerLimit)
			c.answer(&v)
			if due := v.due(asked.Add(2*tradePause), random); due != (c.after == 2*tradePause) {
				t.Errorf("after twice the average pause the next trade is due: %v", due)
			}
			if c.after == answerLimit && !v.due(asked.Add(answerLimit), random) {
				t.Error("the request does not count as refused in the end")
			}
		})
	}
}
