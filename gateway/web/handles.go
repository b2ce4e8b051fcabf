package web

import (
	"slices"

	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
)

// handleTable assigns handles to the actors that one client displays. A handle is the number that stands for the actor in
// messages to this client. The handle of a removed actor is assigned to another actor only after the client has confirmed the
// removal.
type handleTable struct {
	by      map[sim.EntityID]uint16 // handle by actor
	slots   []sim.EntityID          // actor by handle; 0 if no actor has the handle
	free    []uint16                // handles that may be assigned
	entered []pendingHandle         // handles whose Enter message the client has not confirmed
	left    []pendingHandle         // released handles that must not be assigned yet (see confirm)
}

// pendingHandle is a handle whose Enter or Leave message the client has not confirmed yet. Enter makes the client display the
// actor with the handle, and Leave ends that. The field number is the number of the message.
type pendingHandle struct {
	handle    uint16
	number    uint16
	snapshots uint64 // for a Leave: number of snapshots sent before the Leave (proto.Teller.Sent)
}

// reset removes all handles. It is called when the client's player changes areas, because the client then forgets all handles,
// too.
func (t *handleTable) reset() {
	if t.by == nil {
		t.by = map[sim.EntityID]uint16{}
	}
	clear(t.by)
	t.slots, t.free, t.entered, t.left = t.slots[:0], t.free[:0], t.entered[:0], t.left[:0]
}

// handle returns the handle of the actor "e", or proto.NoHandle if the client does not display the actor.
func (t *handleTable) handle(e sim.EntityID) uint16 {
	if h, ok := t.by[e]; ok && e != 0 {
		return h
	}
	return proto.NoHandle
}

// entity returns the actor with the handle h, or 0 if no actor has it.
func (t *handleTable) entity(h uint16) sim.EntityID {
	if int(h) >= len(t.slots) {
		return 0
	}
	return t.slots[h]
}

// acquire assigns a free handle to the actor "e". ok is false if there is none.
func (t *handleTable) acquire(e sim.EntityID) (h uint16, ok bool) {
	if n := len(t.free); n > 0 {
		h, t.free = t.free[n-1], t.free[:n-1]
	} else if len(t.slots) < proto.MaxHandles {
		h = uint16(len(t.slots))
		t.slots = append(t.slots, 0)
	} else {
		return 0, false
	}
	t.slots[h], t.by[e] = e, h
	return h, true
}

// release records that the handle of an actor will become free, because the client was sent the actor's Leave message. The
// parameter number is the number of that message, and snapshots is the number of snapshots that were sent before it. The handle
// becomes free when the client has confirmed the message (see confirm).
func (t *handleTable) release(e sim.EntityID, number uint16, snapshots uint64) {
	h, ok := t.by[e]
	if !ok {
		return
	}
	delete(t.by, e)
	t.slots[h] = 0
	t.entered = slices.DeleteFunc(t.entered, func(x pendingHandle) bool { return x.handle == h })
	t.left = append(t.left, pendingHandle{h, number, snapshots})
}

// confirm processes what the client has confirmed. The function heard reports whether the client has received the control
// message with a given number. The parameter snapshot is the number of the newest snapshot that the client has received. When
// an Enter message is confirmed, confirm calls the function entered with its handle. A released handle becomes free when the
// client has received both the Leave message and a snapshot that was sent after it. Older snapshots, in which the handle still
// stands for the removed actor, are then ignored by the client.
func (t *handleTable) confirm(heard func(number uint16) bool, snapshot uint64, entered func(handle uint16)) {
	t.entered = slices.DeleteFunc(t.entered, func(x pendingHandle) bool {
		if !heard(x.number) {
			return false
		}
		entered(x.handle)
		return true
	})
	t.left = slices.DeleteFunc(t.left, func(x pendingHandle) bool {
		if !heard(x.number) || snapshot <= x.snapshots {
			return false
		}
		t.free = append(t.free, x.handle)
		return true
	})
}
