package session

import (
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// visit is one stay of a character in the world, from Enter to its last record. All fields but over are guarded by
// Hub.mu.
//
//	Enter -> in the world -> Leave (the account is free) -> EventLeft (the record is known): over
type visit struct {
	entity    sim.EntityID
	account   store.AccountID
	character sim.CharacterID // 0 until Enter has read it
	area      sim.AreaID      // where the feed saw it last, or where it saw it go
	here      bool            // it has arrived there
	orders    []*order        // what an operator asked for of it and nobody has answered yet
	left      time.Time       // when Leave was called; zero while in the world
	lost      bool            // its last record may never come: see giveUp
	session   *Session        // nil until Enter has made it
	since     time.Time       // of Enter
	farewell  string          // why an operator ends it
	dropped   bool            // over is closed
	over      chan struct{}   // closed when the last record is with the keeper
}

func (v *visit) leaving() bool { return !v.left.IsZero() }

// see takes from a frame what outlives it.
func (h *Hub) see(f *sim.Frame, missed uint64) {
	for i := range f.Events {
		e := &f.Events[i]
		if e.Record != nil {
			h.keeper.put(e.Record)
		}
		switch e.Kind {
		case sim.EventJoined:
			h.follow(e.Who, f.Area, true)
			h.remind(e.Who, f.Area)
		case sim.EventDeparted:
			h.follow(e.Who, e.To, false)
		case sim.EventOrderDone:
			h.answered(e, f.Area)
		case sim.EventLeft:
			h.end(e.Who)
		case sim.EventRefused:
			switch e.Reason {
			case reason.AreaFull:
				h.end(e.Who)
			case reason.Unknown:
				h.stranger(e.Who, f.Area)
			}
		}
	}
	if missed > 0 {
		h.search(f, missed)
	}
}

// follow notes where an actor is, or where he goes and is not here yet. Whoever left while he was on his way is told to
// leave there too: his first leave went to an area that he was no longer in.
func (h *Hub) follow(who sim.EntityID, to sim.AreaID, here bool) {
	h.mu.Lock()
	v := h.visits[who]
	if v == nil {
		h.mu.Unlock()
		return
	}
	v.area, v.here, v.lost = to, here, false
	leaving := v.leaving()
	h.mu.Unlock()
	if leaving {
		h.sendLeave(v, to)
	} else if here {
		h.forward(v)
	}
}

// end closes a visit whose last record is known, or that never began because its area was full.
func (h *Hub) end(who sim.EntityID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v := h.visits[who]; v != nil {
		h.drop(v)
		h.keeper.hurry()
	}
}

// stranger notes that an area does not know somebody who left from it. Either he is about to arrive there, or the area
// never took him in and there is no record to wait for.
func (h *Hub) stranger(who sim.EntityID, in sim.AreaID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v := h.visits[who]; v != nil && v.leaving() && v.area == in {
		v.lost = true
	}
}

// drop needs the lock. A visit may be dropped twice: by a stopping world, and by the Enter that this fails.
func (h *Hub) drop(v *visit) {
	if v.dropped {
		return
	}
	v.dropped = true
	for len(v.orders) > 0 {
		v.settle(v.orders[0], ErrNotInWorld)
	}
	delete(h.visits, v.entity)
	if h.leavers[v.account] == v {
		delete(h.leavers, v.account)
	}
	if h.online[v.account] == v {
		delete(h.online, v.account)
	}
	close(v.over)
}

// search mends what missed frames have hidden: who is in this area now is here, and whoever left from it may have had
// his last record in one of them. Everybody else's next record comes within the world's saving period.
func (h *Hub) search(f *sim.Frame, missed uint64) {
	h.log.Warn("frames were missed; records may be late", "frames", missed, telemetry.FieldArea, h.areaName(f.Area))
	var again, found []*visit
	h.mu.Lock()
	for _, v := range h.visits {
		if f.Find(v.entity) == nil {
			v.lost = v.lost || v.leaving() && v.area == f.Area
			continue
		}
		v.area, v.here, v.lost = f.Area, true, false
		if v.leaving() {
			again = append(again, v)
		} else if len(v.orders) > 0 {
			found = append(found, v)
		}
	}
	h.mu.Unlock()
	for _, v := range found {
		h.forward(v)
	}
	for _, v := range again {
		h.sendLeave(v, f.Area)
	}
}

// giveUp ends visits whose last record cannot come any more, with the last one that is known: frames were missed, or
// their area has stopped or never took them in.
func (h *Hub) giveUp(now time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range h.leavers {
		if v.lost && now.Sub(v.left) >= h.opt.RecordTimeout {
			h.log.Warn("a player's last record did not come; the one before it counts",
				telemetry.FieldActor, v.entity, telemetry.FieldArea, h.areaName(v.area))
			h.drop(v)
		}
	}
}

// allOver ends every visit: the world has stopped and its last records are known.
func (h *Hub) allOver() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range h.visits {
		h.drop(v)
	}
}

// sendLeave takes the actor out of an area. An area that is closed has either sent the last record already or never
// will.
func (h *Hub) sendLeave(v *visit, from sim.AreaID) {
	if err := h.world.Submit(from, sim.Intent{Kind: sim.IntentLeave, Who: v.entity, AtMS: h.world.NowMS()}); err != nil {
		h.mu.Lock()
		v.lost = true
		h.mu.Unlock()
	}
}

func (h *Hub) areaName(id sim.AreaID) string {
	if w := h.world.Def(); id >= 0 && int(id) < len(w.Areas) {
		return w.Areas[id].Name
	}
	return ""
}
