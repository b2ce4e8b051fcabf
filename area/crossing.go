package area

import (
	"slices"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// crossing is an intent from one area to another: the join of a player who moves to the other area, or a settlement, which
// confirms that players from the other area have arrived. The area submits a crossing only when the tick that caused it would
// survive a crash. So after a crash a player is in exactly one area, never in both or in none. The rules are in
// sim/crossing.go.
type crossing struct {
	tick   sim.Tick // tick of the sending area that must be durable before the intent is submitted
	to     sim.AreaID
	intent sim.Intent
}

// collectCrossings queues the intents that the last tick caused for other areas. It runs after publish, so that a reader of
// both areas sees an actor leave before it arrives.
func (r *runner) collectCrossings(f *sim.Frame) {
	for i := range f.Events {
		if e := &f.Events[i]; e.Kind == sim.EventDeparted {
			r.crossings = append(r.crossings, crossing{f.Tick, e.To, sim.Intent{Kind: sim.IntentJoin, Who: e.Who, Join: e.Join}})
		}
	}
	for i := range r.intents {
		if in := &r.intents[i]; in.Kind == sim.IntentJoin && in.Join != nil && in.Join.Seq > 0 {
			r.settle(f.Tick, in.Join.From)
		}
	}
}

// settle queues a confirmation for the area from, that players who departed from there have arrived in this area. One confirmation
// covers consecutive arrivals from the same area in one tick.
func (r *runner) settle(tick sim.Tick, from sim.AreaID) {
	if from < 0 || int(from) >= len(r.world.areas) || from == r.id {
		return
	}
	settled := sim.Intent{Kind: sim.IntentSettle, To: r.id, Seq: r.sim.Arrived(from)}
	if n := len(r.crossings); n > 0 && r.crossings[n-1] == (crossing{tick, from, settled}) {
		return
	}
	r.crossings = append(r.crossings, crossing{tick, from, settled})
}

// restore prepares the runner for its area before the first step. An area whose state was restored continues at its last tick and
// sends its unconfirmed joins again. Then restore passes a snapshot to the log if the log needs one.
func (r *runner) restore(a *sim.Area) {
	if a.Now() > 0 {
		r.tick, r.hash = a.Now(), a.Hash()
		r.world.baseMS = max(r.world.baseMS, a.ClockMS()+1)
		r.resendOutbox(a)
		if r.recorder != nil {
			r.recorder.start(r.sim)
		}
	}
	r.logSnapshot()
}

// RestoredPlayer is a player in the state that the world was restored from, or that Host.Find has found.
type RestoredPlayer struct {
	Entity    sim.EntityID    // id of the player's actor
	Character sim.CharacterID // id of the player's stored character
	Area      sim.AreaID      // area that the player is in, or travels to
	Arrived   bool            // the player is in Area; false while it travels there
	Connected bool            // in a cluster: a client controls the player, through a process that is not declared dead
}

// restoredPlayers lists the players in restored area states. The states must be consistent with each other
// (sim.Reconcile).
func restoredPlayers(states []*sim.Area) (list []RestoredPlayer) {
	for id, a := range states {
		a.Players(func(who sim.EntityID, c sim.CharacterID) {
			list = append(list, RestoredPlayer{Entity: who, Character: c, Area: sim.AreaID(id), Arrived: true})
		})
		a.Outbox(func(to sim.AreaID, who sim.EntityID, j *sim.Join) {
			if j.Seq > states[to].Arrived(sim.AreaID(id)) {
				list = append(list, RestoredPlayer{Entity: who, Character: j.Character.ID, Area: to})
			}
		})
	}
	return list
}

// resendOutbox queues again the joins of the players that departed from the area before the restart and whose arrival in
// the next area is not confirmed.
func (r *runner) resendOutbox(a *sim.Area) {
	a.Outbox(func(to sim.AreaID, who sim.EntityID, j *sim.Join) {
		r.crossings = append(r.crossings, crossing{a.Now(), to, sim.Intent{Kind: sim.IntentJoin, Who: who, Join: j}})
	})
}

// submitCrossings sends the queued crossings to their destinations if the ticks that caused them are durable, and asks the log
// to make the other ticks durable soon.
func (r *runner) submitCrossings() {
	if len(r.crossings) == 0 {
		return
	}
	durable := r.durable()
	n := 0
	for n < len(r.crossings) && r.crossings[n].tick <= durable {
		r.submitCrossing(&r.crossings[n])
		n++
	}
	r.crossings = slices.Delete(r.crossings, 0, n)
	if len(r.crossings) > 0 {
		r.log.Sync()
	}
}

// submitAllCrossings sends all queued crossings to their destinations, even those whose ticks are not durable. A stopping
// world calls it when it cannot wait any longer.
func (r *runner) submitAllCrossings() {
	for i := range r.crossings {
		r.submitCrossing(&r.crossings[i])
	}
	r.crossings = nil
}

func (r *runner) submitCrossing(c *crossing) {
	to := r.world.areas[c.to]
	if c.intent.Kind == sim.IntentSettle {
		_ = to.inbox.putTraveller(c.intent) // a closed area needs no settlement
		return
	}
	c.intent.AtMS = r.world.NowMS()
	if err := to.inbox.putTraveller(c.intent); err != nil {
		r.world.log.Error("a player who moved to another area is lost, because the destination area has stopped",
			telemetry.FieldActor, c.intent.Who, telemetry.FieldArea, to.name, telemetry.FieldErr, err)
	}
}

// travellers returns the number of players that have departed from the area and are not yet in the inbox of the next one.
func (r *runner) travellers() (n int) {
	for i := range r.crossings {
		if r.crossings[i].intent.Kind == sim.IntentJoin {
			n++
		}
	}
	return n
}
