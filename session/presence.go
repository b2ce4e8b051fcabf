package session

import (
	"context"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/telemetry"
)

// presence is one stay of a character in the world, from Enter until its last record has arrived. Hub.mu guards all
// fields except ended.
//
//	Enter -> in the world -> Disconnect -> in the world without a connection -> Enter...; or EventLeft
//	                      -> Leave (the account is free) -> EventLeft (the last record is known and its tick durable): ended
type presence struct {
	entity       sim.EntityID    // actor of the player
	account      store.AccountID // account of the player
	character    sim.CharacterID // 0 until Enter has read the character
	area         sim.AreaID      // area in whose frames the player was last, or to which it has departed
	arrived      bool            // the player has been in a frame of area
	orders       []*order        // operator orders that wait for their result
	notice       *order          // newest notice about a withheld text; see Session.notify
	undelivered  []sim.Intent    // texts that wait for the player's arrival in the next area: first those that an area has refused
	refused      int             // number of texts that an area has refused, at the beginning of undelivered
	resending    bool            // resubmitUndelivered runs
	unsettledAt  time.Time       // time since which the player has not been settled, if it is not
	leftAt       time.Time       // time at which the player began to leave; zero while it is in the world
	recordLost   bool            // the last record may never arrive: see endOverdue
	early        []earlyArrival  // changes of areas whose departure the hub has still to read
	soughtAt     time.Time       // time of the last search for the player, see locate
	crossing     bool            // the player has departed to area, and no frame since then says that it may have arrived
	missing      bool            // in a cluster: missed frames may have had the player's last record, or area does not have it; see locate
	resend       resend          // when to tell the area again that the player leaves or has no connection
	refreeze     resend          // when to send its area again whether an operator has frozen the player
	session      *Session        // newest session of the player; nil until Enter has created it
	enteredAt    time.Time       // time of Enter
	frozen       bool            // an operator has frozen the player
	knowsFrozen  bool            // the field frozen is valid: its value was read from the store, or an operator has set it since
	kickMessage  string          // text for the client if an operator or EndAll ended the presence, else ""
	disconnected bool            // the player has no connection, and its actor lingers
	restored     bool            // the player was restored at the start of the server and has not connected since
	resumption   *resumption     // attempt to take over the lingering actor; nil if there is none
	claim        *claim          // claim of the account in the directory of the cluster; nil on a single server
	cutOff       bool            // EndAll has ended the presence, and its actor may still be in the world
	isEnded      bool            // true once the channel ended is closed
	ended        chan struct{}   // closed when the record writer has the last record
}

func (v *presence) leaving() bool { return !v.leftAt.IsZero() }

// handleFrame processes a frame: it queues the records in the frame and tracks in which areas players are.
func (h *Hub) handleFrame(f *sim.Frame, missed uint64) {
	if h.writer.putFrame(f, missed > 0) {
		h.writer.saveSoon()
	}
	var departed []sim.EntityID
	for i := range f.Events {
		e := &f.Events[i]
		switch e.Kind {
		case sim.EventJoined:
			h.trackArea(e.Who, f.Area, f.Area, true)
			h.resendFreeze(e.Who, f)
			if e.N == 1 {
				h.tellPlannedStop(e.Who)
			}
		case sim.EventResumed:
			h.handleResumed(e, f)
			h.resendFreeze(e.Who, f)
			h.tellPlannedStop(e.Who)
		case sim.EventDeparted:
			h.trackArea(e.Who, f.Area, e.To, false)
			departed = append(departed, e.Who)
		case sim.EventOrderDone:
			h.handleOrderResult(e, f.Area)
		case sim.EventLeft:
			h.endWhenDurable(lastFrame{e.Who, f.Area, f.Tick})
		case sim.EventRefused:
			switch e.Reason {
			case reason.AreaFull:
				h.endPresence(e.Who)
			case reason.Unknown:
				h.handleUnknownActor(e.Who, f.Area)
				h.handleUndelivered(e, f.Area, missed > 0)
			}
		}
	}
	for _, who := range departed { // after the texts that the area has refused in this tick, which are older than those that wait
		h.departureRead(who)
	}
	if missed > 0 {
		h.recoverMissedFrames(f)
	}
	h.endDurable()
}

// trackArea records in which area an actor is, according to a frame of the area in the parameter "in". If the parameter arrived is false,
// the actor is still on its way to the area "to". If a player has left the world while it was between two areas, trackArea removes it from
// the new area: the first removal went to the area from which the player had already departed.
func (h *Hub) trackArea(who sim.EntityID, in, to sim.AreaID, arrived bool) {
	h.mu.Lock()
	v := h.presences[who]
	if v == nil || arrived && h.arrivesEarly(v, to) || !arrived && v.departsLate(in, to) {
		h.mu.Unlock()
		return
	}
	act := h.place(v, to, arrived)
	h.mu.Unlock()
	act()
}

// departureRead sends what waits for the arrival of a player, if the hub had read the arrival before the departure that it has now read.
func (h *Hub) departureRead(who sim.EntityID) {
	h.mu.Lock()
	v := h.presences[who]
	h.mu.Unlock()
	if v != nil {
		h.resubmitWaiting(v)
	}
}

// place records in which area a player is, or to which it is on its way. The caller holds Hub.mu. After it has unlocked Hub.mu, it must
// call the result act, which sends the area the intents that the area may have missed.
func (h *Hub) place(v *presence, to sim.AreaID, arrived bool) (act func()) {
	v.area, v.arrived, v.crossing, v.recordLost, v.missing, v.resend.due = to, arrived, !arrived, false, false, false
	if !arrived {
		v.unsettledAt = time.Now()
	}
	leaving, disconnected, r := v.leaving(), v.disconnected, v.resumption
	return func() {
		if leaving {
			h.sendLeave(v, to)
		} else if arrived {
			if disconnected {
				h.sendDisconnect(v, to)
				if r != nil && r.sent { // even if takeOver has ended r in the meantime, because the area must undo the disconnect
					h.submitResume(v, r, to)
				} else {
					h.sendResume(v, to)
				}
			}
			h.resubmitWaiting(v)
		}
	}
}

// endPresence ends the presence (the stay in the world) of a player that an area has refused because the area is full.
func (h *Hub) endPresence(who sim.EntityID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	if v := h.presences[who]; v != nil {
		h.endLocked(v)
		h.writer.saveSoon()
	}
}

// handleUnknownActor records that an area does not have a player who is leaving or has no connection. There are two possible
// causes, which the frame does not distinguish. Either the player is still on its way to that area. Or the area never admitted
// the player and will never send its last record, because the tick of its join panicked or the frame with the refusal was
// missed. (1) For a player who is leaving, handleUnknownActor sets recordLost: endOverdue then waits for the record only for a
// limited time. The arrival of the player resets recordLost. (2) For a player without a connection, the hub asks the world in a
// cluster (locate). On a single server the player leaves, as in (1), unless it is known to be on its way.
func (h *Hub) handleUnknownActor(who sim.EntityID, in sim.AreaID) {
	h.mu.Lock()
	defer h.mu.Unlock()
	v := h.presences[who]
	if v == nil || v.area != in {
		return
	}
	v.resend.due = false
	switch {
	case v.leaving():
		v.recordLost = true
	case !v.disconnected:
	case h.opt.Directory != nil:
		v.missing = true
		h.writer.saveSoon() // also starts the search for the player (locate)
	case !v.crossing:
		h.lingererLeft(v)
		v.recordLost = true
	}
}

// endLocked ends a presence. It does nothing if the presence has already ended, which happens when the world stops during a
// call of Enter: the stop ends the presence, and so does the failing Enter. The caller holds Hub.mu.
func (h *Hub) endLocked(v *presence) {
	if v.isEnded {
		return
	}
	v.isEnded = true
	h.proofs.leave(v.account, time.Now())
	for len(v.orders) > 0 {
		v.answerOrder(v.orders[0], ErrNotInWorld)
	}
	delete(h.presences, v.entity)
	if h.leavingByAccount[v.account] == v {
		delete(h.leavingByAccount, v.account)
	}
	if h.online[v.account] == v {
		delete(h.online, v.account)
	}
	h.claims.release(v.claim, v.character)
	close(v.ended)
}

// logMissed logs that frames were missed before p.
func (h *Hub) logMissed(p *area.Published) {
	switch {
	case p.Missed == 0:
	case p.CatchUp:
		h.log.Info("this node was away; it has made up for the ticks of an area without reading all of them", "frames", p.Missed, telemetry.FieldArea, h.areaName(p.Frame.Area))
	default:
		h.log.Warn("the session hub missed frames of an area; player records may be saved late", "frames", p.Missed, telemetry.FieldArea, h.areaName(p.Frame.Area))
	}
}

// recoverMissedFrames corrects what the hub knows about players after frames of an area were missed. That also happens when a
// tick panicked and its intents are lost. The frame f is the first one after the missed frames. (1) Players in f are in the
// area. If they leave or have no connection, the hub tells the area so again, at once or after a wait (resend). (2) If a player
// who is leaving the area is not in f, its last record may have been in a missed frame. The hub then waits for the record only
// for a limited time (endOverdue). (3) If a player without a connection is not in f, it has left the world. In a cluster it may
// only have left the area, so the hub asks the world (locate). (4) If a player with a connection is not in f, it has gone to another
// area, or its join was refused in a missed frame. In a cluster the hub takes it for on its way until it reads its arrival, and
// asks the world after departureWait, or once the connection is lost (isSought). (5) All players who are not leaving send new records
// within the autosave period of the world. (6) If a player with a connection is not frozen in f although an operator has frozen it, or the
// other way round, the hub sends its area the state again.
func (h *Hub) recoverMissedFrames(f *sim.Frame) {
	var acts []func()
	lost, now := false, time.Now()
	h.mu.Lock()
	for _, v := range h.presences {
		x := f.Find(v.entity)
		found := x != nil
		if found && h.arrivesEarly(v, f.Area) {
			continue // the frame is older than the player's arrival in another area
		}
		v.missDeparture(f.Area)
		if !found {
			if v.area != f.Area {
				if len(v.orders) > 0 || len(v.undelivered) > 0 {
					acts = append(acts, func() { h.resubmitWaiting(v) })
				}
				continue
			}
			v.crossing, v.resend.due = false, false
			switch {
			case h.opt.Directory != nil:
				v.missing = true
				lost = lost || v.disconnected
				if v.arrived && v.isConnected() { // it has gone to another area
					v.arrived, v.unsettledAt = false, now
				}
			case v.arrived && v.disconnected:
				h.lingererLeft(v) // if the player was moved to another area instead, it is removed when it arrives there
			}
			v.recordLost = v.recordLost || v.leaving()
			continue
		}
		act := h.place(v, f.Area, true)
		switch gone := v.leaving() || v.disconnected; {
		case gone && !v.resend.begin(now):
			v.resend.due = true
		case gone, len(v.orders) > 0, len(v.undelivered) > 0:
			acts = append(acts, act)
		}
		v.refreeze.due = v.isConnected() && v.knowsFrozen && v.frozen != x.Is(sim.FlagFrozen)
		h.resendFreezeDue(v, now)
	}
	h.mu.Unlock()
	if lost {
		h.writer.saveSoon() // also starts the search for the player (locate)
	}
	for _, act := range acts {
		act()
	}
}

// endOverdue stops waiting for last records that may never arrive (presence.recordLost). Such a record is missing because
// frames were missed, or because the area has stopped or never admitted the player. When Options.RecordTimeout has passed since
// the player left, endOverdue ends the player's presence. The newest record that the hub has received stays stored. In a
// cluster the player may still be in the world, so the hub asks first: see locateSought.
func (h *Hub) endOverdue(ctx context.Context, now time.Time) {
	h.resendDue(now)
	h.endWaits(now)
	if h.opt.Directory != nil {
		h.locateSought(ctx, now)
		return
	}
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range h.leavingByAccount {
		if v.recordLost && now.Sub(v.leftAt) >= h.opt.RecordTimeout {
			h.log.Warn("an area did not send the last record of a player who left the world; the previous record stays stored",
				telemetry.FieldActor, v.entity, telemetry.FieldArea, h.areaName(v.area))
			h.endLocked(v)
		}
	}
}

// endAll ends every presence, after the world has stopped and the last records have arrived.
func (h *Hub) endAll() {
	h.mu.Lock()
	defer h.mu.Unlock()
	for _, v := range h.presences {
		h.endLocked(v)
	}
}

// sendLeave asks an area to remove a player. If the area is closed, it has already emitted the player's last record, or it
// never will.
func (h *Hub) sendLeave(v *presence, from sim.AreaID) {
	if err := h.world.Submit(from, sim.Intent{Kind: sim.IntentLeave, Who: v.entity, AtMS: h.world.NowMS()}); err != nil {
		h.mu.Lock()
		v.recordLost = true
		h.mu.Unlock()
	}
}

func (h *Hub) areaName(id sim.AreaID) string {
	if w := h.world.Def(); id >= 0 && int(id) < len(w.Areas) {
		return w.Areas[id].Name
	}
	return ""
}
