package session

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// orderTimeout is how long an operator waits for the result of an order. An area answers in the next tick, or one tick later if
// the player has just moved to another area. The value is chosen to suffice for an area whose ticks are some seconds
// late; it is not measured.
const orderTimeout = 3 * time.Second

// order is an operator's order about one player, which waits for its result, or a message of Hub.tell or Session.notify. Hub.mu
// guards the field missed; the other fields do not change.
//
//	Submit -> area -> EventOrderDone: done or refused
//	               -> EventOrderDone, unknown actor: missed -> EventJoined in another area -> Submit again
type order struct {
	in     sim.Intent
	missed bool       // the order is submitted when the player is settled: its area did not find the player, or the player was not settled
	until  time.Time  // time at which a message of Hub.tell or Session.notify is forgotten; zero for other orders
	done   chan error // receives the result of the order, exactly once
}

// executeOrder submits an order to the player's area, submits it again if the player has moved to another area, and
// returns the result. The order is executed at most once. Errors: ErrNotInWorld, ErrOrderTimeout, area.ErrClosed, and
// those of orderError.
func (h *Hub) executeOrder(id sim.EntityID, in sim.Intent) error {
	h.mu.Lock()
	v := h.inWorld(id)
	if v == nil {
		h.mu.Unlock()
		return ErrNotInWorld
	}
	o := h.addOrder(v, in)
	h.unlockAndSubmit(v, o)
	late := time.NewTimer(orderTimeout)
	defer late.Stop()
	select {
	case err := <-o.done:
		return err
	case <-late.C:
	}
	h.mu.Lock()
	v.answerOrder(o, ErrOrderTimeout) // no effect if the result has just arrived
	h.mu.Unlock()
	return <-o.done
}

// addOrder makes an order about a player, with a new serial number, and adds it to those that wait for their result. The caller holds
// Hub.mu, and submits the order with unlockAndSubmit. A teleport never waits for an unread departure: unlike a message or a changed item or
// attribute, a client cannot miss it, because the doors show the client the position that the actor has then.
func (h *Hub) addOrder(v *presence, in sim.Intent) *order {
	in.Who, in.Serial = v.entity, h.nextOrder()
	o := &order{in: in, missed: in.Kind != sim.IntentTeleport && v.awaitsDeparture(), done: make(chan error, 1)}
	v.orders = append(v.orders, o)
	return o
}

// unlockAndSubmit submits an order that addOrder has just made, unless it waits until resubmitOrders submits it. The caller holds Hub.mu,
// which unlockAndSubmit unlocks.
func (h *Hub) unlockAndSubmit(v *presence, o *order) {
	waits, to := o.missed, v.area
	h.mu.Unlock()
	if !waits {
		h.submitOrder(v, o, to)
	}
}

// submitOrder submits an order to an area. If the area does not accept it, for example because it is closed, the error
// is the result of the order.
func (h *Hub) submitOrder(v *presence, o *order, to sim.AreaID) {
	in := o.in
	in.AtMS = h.world.NowMS()
	if err := h.world.Submit(to, in); err != nil {
		h.mu.Lock()
		v.answerOrder(o, err)
		h.mu.Unlock()
	}
}

// answerOrder sends the result of an order, unless the order already has a result. The caller holds Hub.mu.
func (v *presence) answerOrder(o *order, err error) {
	if i := slices.Index(v.orders, o); i >= 0 {
		v.orders = slices.Delete(v.orders, i, i+1)
		o.done <- err
	}
}

// orderBySerial returns the waiting order with the given serial number, or nil. The caller holds Hub.mu.
func (v *presence) orderBySerial(serial uint32) *order {
	for _, o := range v.orders {
		if o.in.Serial == serial {
			return o
		}
	}
	return nil
}

// handleOrderResult processes an area's answer to an order. If the area did not find the player, the player has moved
// to another area in that tick. As soon as the player has arrived in that area, the order is submitted to it.
func (h *Hub) handleOrderResult(e *sim.Event, in sim.AreaID) {
	if e.Who == 0 {
		h.answerAreaOrder(e)
		return
	}
	h.mu.Lock()
	v := h.presences[e.Who]
	var o *order
	if v != nil {
		o = v.orderBySerial(uint32(e.N))
	}
	if o == nil {
		h.mu.Unlock()
		return
	}
	elsewhere := false
	switch {
	case e.Reason == reason.Unknown && v.leaving():
		v.answerOrder(o, ErrNotInWorld)
	case e.Reason == reason.Unknown:
		o.missed = true
		elsewhere = v.area != in
	case e.Reason != reason.None:
		v.answerOrder(o, orderError(e.Reason))
	case (v.leaving() || v.disconnected) && o.in.Kind == sim.IntentMessage:
		v.answerOrder(o, ErrNotInWorld) // a message reaches no client now; other orders still change the record
	default:
		v.answerOrder(o, nil)
	}
	h.mu.Unlock()
	if elsewhere {
		h.resubmitOrders(v)
	}
}

// resubmitOrders submits the orders that wait for the arrival of a player to the area in which it is, if the hub knows that area.
func (h *Hub) resubmitOrders(v *presence) {
	h.mu.Lock()
	v.dropOverdue(time.Now())
	var list []*order
	for _, o := range v.orders {
		if o.missed && v.settled() {
			o.missed = false
			list = append(list, o)
		}
	}
	to := v.area
	h.mu.Unlock()
	for _, o := range list {
		h.submitOrder(v, o, to)
	}
}

// nextOrder returns the serial number of a new order. Every node of a cluster reads the answers of an area, also those
// to orders of other nodes. Therefore the upper bits are the number of this node. The caller holds Hub.mu.
func (h *Hub) nextOrder() uint32 {
	const bits = 22 // bits for the count of orders; the node number, below sim.MaxNodes, is in the other 10 bits
	h.orders = h.orders%(1<<bits-1) + 1
	return uint32(h.opt.Node)<<bits | h.orders
}

// orderError returns the error for an order that an area has refused. The parameter why is the reason.
func orderError(why reason.Reason) error {
	switch why {
	case reason.Dead:
		return ErrDead
	case reason.NoRoom:
		return ErrNoRoom
	case reason.NotCarried:
		return ErrNotCarried
	case reason.NPCLimit:
		return ErrNPCLimit
	case reason.AreaFull:
		return ErrAreaFull
	}
	return ErrInvalid
}

// areaOrderResult is the result of an order that concerns an area, not a player.
type areaOrderResult struct {
	npc sim.EntityID // NPC that was spawned or removed
	err error
}

// executeAreaOrder submits an order that concerns no player to an area, and returns the NPC that the area has spawned
// or removed. The order is executed at most once. Errors: ErrOrderTimeout, area.ErrClosed, and those of orderError.
func (h *Hub) executeAreaOrder(to sim.AreaID, in sim.Intent) (sim.EntityID, error) {
	done := make(chan areaOrderResult, 1)
	h.mu.Lock()
	in.Serial = h.nextOrder()
	h.areaOrders[in.Serial] = done
	h.mu.Unlock()
	defer func() {
		h.mu.Lock()
		delete(h.areaOrders, in.Serial)
		h.mu.Unlock()
	}()
	in.AtMS = h.world.NowMS()
	if err := h.world.Submit(to, in); err != nil {
		return 0, err
	}
	late := time.NewTimer(orderTimeout)
	defer late.Stop()
	select {
	case result := <-done:
		return result.npc, result.err
	case <-late.C:
		return 0, ErrOrderTimeout
	}
}

// answerAreaOrder processes an area's answer to an order that concerns no player.
func (h *Hub) answerAreaOrder(e *sim.Event) {
	h.mu.Lock()
	defer h.mu.Unlock()
	done := h.areaOrders[uint32(e.N)]
	if done == nil {
		return
	}
	delete(h.areaOrders, uint32(e.N)) // deleted, so that the channel done, which has capacity 1, receives only one result
	result := areaOrderResult{npc: e.Other}
	switch e.Reason {
	case reason.None:
	case reason.Unknown:
		result.err = ErrNoNPC
	default:
		result.err = orderError(e.Reason)
	}
	done <- result
}
