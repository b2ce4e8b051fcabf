package web

import (
	"slices"
	"testing"

	"pgregory.net/rapid"

	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
)

// A handle stands for one actor. A snapshot contains an actor only after its Enter message was confirmed. The handle of a removed
// actor is assigned again only after the client has received its Leave message and a snapshot that was sent after it. This holds for
// every order of arrivals, removals and confirmations.
func TestHandleIsReusedOnlyAfterClientConfirmsLeaveMessage(t *testing.T) {
	reused := 0
	rapid.Check(t, func(t *rapid.T) {
		type confirmedAt struct{ message, snapshot uint64 } // numbers of the message and of the snapshot that the client must have received
		var table handleTable
		table.reset()
		messages, snapshots := uint64(65_500), uint64(0) // numbers of messages and snapshots sent so far; messages carry their number modulo 65536
		heard, received := messages, snapshots
		entered, left := map[uint16]uint64{}, map[uint16]confirmedAt{} // number of the Enter message by handle; removed actors by handle
		ready := map[uint16]bool{}
		var shown []sim.EntityID
		confirm := func() {
			table.confirm(func(n uint16) bool { return int16(uint16(heard)-n) >= 0 }, received, func(h uint16) { ready[h] = true })
			for h, n := range entered {
				if ready[h] != (n <= heard) {
					t.Fatalf("handle %d, Enter message %d, confirmed up to %d: snapshots may contain it: %v", h, n, heard, ready[h])
				}
			}
		}
		for i := range rapid.IntRange(1, 150).Draw(t, "steps") {
			switch rapid.IntRange(0, 4).Draw(t, "step") {
			case 0:
				e := sim.EntityID(i + 1)
				h, ok := table.acquire(e)
				if was, again := left[h]; again {
					if heard < was.message || received <= was.snapshot {
						t.Fatalf("handle %d is assigned again after message %d and snapshot %d, want message %d and a snapshot after %d", h, heard, received, was.message, was.snapshot)
					}
					delete(left, h)
					reused++
				}
				if _, used := entered[h]; !ok || used {
					t.Fatalf("handle %d, %v: another actor has it", h, ok)
				}
				messages++
				table.entered = append(table.entered, pendingHandle{handle: h, number: uint16(messages)}) // the method player.sendEnter does the same
				entered[h] = messages
				shown = append(shown, e)
			case 1:
				if len(shown) == 0 {
					continue
				}
				e := shown[rapid.IntRange(0, len(shown)-1).Draw(t, "who")]
				shown = slices.DeleteFunc(shown, func(x sim.EntityID) bool { return x == e })
				h := table.handle(e)
				messages++
				table.release(e, uint16(messages), snapshots)
				left[h] = confirmedAt{messages, snapshots}
				delete(entered, h)
				delete(ready, h)
				if table.handle(e) != proto.NoHandle || table.entity(h) != 0 {
					t.Fatalf("actor %d still has handle %d", e, h)
				}
			case 2:
				snapshots++
			case 3:
				heard = rapid.Uint64Range(heard, messages).Draw(t, "heard")
				confirm()
			case 4:
				received = rapid.Uint64Range(received, snapshots).Draw(t, "received")
				confirm()
			}
			for _, e := range shown {
				if h := table.handle(e); table.entity(h) != e {
					t.Fatalf("actor %d has handle %d, which stands for actor %d", e, h, table.entity(h))
				}
			}
		}
	})
	if reused == 0 {
		t.Error("no handle was assigned again")
	}
}
