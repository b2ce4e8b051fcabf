package session

import (
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// orderWait is how long an operator waits for what became of his order: areas answer in the next tick, and in another if
// the player has just gone there. guess: time enough for an area that is far behind.
const orderWait = 3 * time.Second

// order is what an operator asks for of one player, until it is known what became of it. Hub.mu guards away; the rest does
// not change.
//
//	Submit -> an area -> EventObeyed: done, or refused
//	                  -> EventObeyed, and he is not there: away -> EventJoined elsewhere -> Submit again
type order struct {
	in   sim.Intent
	away bool       // the area did not find him: it waits for him to arrive in another
	done chan error // takes the one answer
}

// order carries out what an operator asks for of a player, in whatever area he is or arrives, and returns what became of
// it. It is done once or never.
func (h *Hub) order(id sim.EntityID, in sim.Intent) error {
	h.mu.Lock()
	v := h.present(id)
	if v == nil {
		h.mu.Unlock()
		return ErrNotInWorld
	}
	h.orders++
	in.Who, in.Serial = id, h.orders
	o := &order{in: in, done: make(chan error, 1)}
	v.orders = append(v.orders, o)
	to := v.area
	h.mu.Unlock()
	h.carry(v, o, to)
	late := time.NewTimer(orderWait)
	defer late.Stop()
	select {
	case err := <-o.done:
		return err
	case <-late.C:
	}
	h.mu.Lock()
	v.settle(o, ErrOrderTimeout) // unless the answer has just come
	h.mu.Unlock()
	return <-o.done
}

// carry puts an order into the inbox of an area.
func (h *Hub) carry(v *visit, o *order, to sim.AreaID) {
	in := o.in
	in.AtMS = h.world.NowMS()
	if err := h.world.Submit(to, in); err != nil {
		h.mu.Lock()
		v.settle(o, err)
		h.mu.Unlock()
	}
}

// settle answers an order, unless it is answered already. It needs Hub.mu.
func (v *visit) settle(o *order, err error) {
	if i := slices.Index(v.orders, o); i >= 0 {
		v.orders = slices.Delete(v.orders, i, i+1)
		o.done <- err
	}
}

// numbered is the order of that number, nil if it is answered. It needs Hub.mu.
func (v *visit) numbered(serial uint32) *order {
	for _, o := range v.orders {
		if o.in.Serial == serial {
			return o
		}
	}
	return nil
}

// answered notes what an area made of an order. One that did not find its player follows him: he has gone elsewhere in that
// very tick, and is perhaps there already.
func (h *Hub) answered(e *sim.Event, in sim.AreaID) {
	h.mu.Lock()
	v := h.visits[e.Who]
	var o *order
	if v != nil {
		o = v.numbered(uint32(e.N))
	}
	if o == nil {
		h.mu.Unlock()
		return
	}
	arrived := false
	switch {
	case e.Reason == reason.Unknown && v.leaving():
		v.settle(o, ErrNotInWorld)
	case e.Reason == reason.Unknown:
		o.away = true
		arrived = v.here && v.area != in
	case e.Reason != reason.None:
		v.settle(o, ErrDead)
	case v.leaving() && o.in.Kind == sim.IntentMessage:
		v.settle(o, ErrNotInWorld) // nobody reads it; a place is kept in his record
	default:
		v.settle(o, nil)
	}
	h.mu.Unlock()
	if arrived {
		h.forward(v)
	}
}

// forward sends the orders that have missed a player to the area where he has arrived.
func (h *Hub) forward(v *visit) {
	h.mu.Lock()
	var list []*order
	for _, o := range v.orders {
		if o.away {
			o.away = false
			list = append(list, o)
		}
	}
	to := v.area
	h.mu.Unlock()
	for _, o := range list {
		h.carry(v, o, to)
	}
}
