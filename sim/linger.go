package sim

import (
	"github.com/truestep-io/truestep/sim/reason"
)

// A player that loses its connection lingers: it stays in the area until its client reconnects or the time in LingerRules
// is over.
//
//	IntentDisconnect -> the player stands still: FlagLingering
//	IntentResume     -> a connection controls the player again: EventResumed
//	                 -> the time is over, or IntentLeave: EventLeft
//
// A lingering player can be attacked and does not fight back, because a client that disconnects must not fight better
// than one that stays connected. It executes no intent, is dismounted, and is not moved by portals. If it is dead, it
// respawns only after IntentResume. Its pets act as before.

// LingerRules says how long a player that has lost its connection stays in the world.
type LingerRules struct {
	MS        int32 // linger time in ms after the loss of the connection; 0: the player leaves immediately
	CombatMS  int32 // linger time in ms of a player in combat; not less than MS
	RestartMS int32 // linger time in ms after the start of the server, of a player that was restored from a tape
}

// combatWindowMS is how long, in ms, a player counts as in combat after it attacked or was attacked.
const combatWindowMS = 10_000

// lingerWindowMS is how long, in ms, a player must be connected before it may linger for the full time again. After a shorter
// connection, the time that the player lingered before that connection counts, too. So repeated reconnects do not extend the
// linger time.
const lingerWindowMS = 60_000

// lingerState is what determines how long a player stays in the area without a connection.
type lingerState struct {
	since   Tick // tick in which the connection was lost; 0 while the player has one
	spent   Tick // ticks that the player lingered after earlier losses of its connection, if they count toward this linger time
	restart bool // true: the time limit is LingerRules.RestartMS

	spentUntil  Tick // tick from which spent does not count: lingerWindowMS after the client last reconnected; 0 if it never did
	combatUntil Tick // tick from which the player is not in combat: combatWindowMS after its last fight; 0 if it never fought
}

// lingers reports whether the player has lost its connection.
func (x *actor) lingers() bool { return x.linger.since != 0 }

// disconnect makes a player that has lost its connection stand still and linger.
func (a *Area) disconnect(x *actor, restart bool) {
	l := &x.linger
	if x.lingers() && !restart {
		return
	}
	if restart || a.now >= l.spentUntil {
		l.spent = 0
	}
	l.since, l.restart = a.now, restart
	if mount := a.find(x.mount); mount != nil {
		a.unseat(x, mount, nil) // a player without inputs can neither ride a mount nor drive a vehicle
	}
	x.target = 0
	x.stop()
	x.authority.interrupt()
	a.emit(Event{Kind: EventRecord, Who: x.id, Record: a.snapshotRecord(x)}) // clients of some doors read the record before they come back
}

// noteFight records that two actors fight, because a player in combat lingers longer. If one of them is a pet, its leader is also
// in combat.
func (a *Area) noteFight(x, y *actor) {
	for _, z := range [...]*actor{x, y, a.find(x.leader), a.find(y.leader)} {
		if z != nil && z.player {
			z.linger.combatUntil = a.now + a.ticks(combatWindowMS)
		}
	}
}

// lingersUntil returns the tick in which a lingering player leaves unless its client reconnects. A player that is
// attacked while it lingers stays as long as one in combat.
func (a *Area) lingersUntil(x *actor) Tick {
	rules, l := &a.world.Rules.Linger, &x.linger
	ms := rules.MS
	switch {
	case l.restart:
		ms = rules.RestartMS
	case l.since < l.combatUntil:
		ms = max(ms, rules.CombatMS)
	}
	if ms <= 0 {
		return l.since
	}
	limit := a.ticks(ms)
	return l.since + limit - min(l.spent, limit)
}

// resume gives a new connection control of a player that is already in the area. The player gets the movement authority
// of the connection's door, in.Join.Authority, in the state that it has after a login. The other fields of in.Join are
// ignored.
func (a *Area) resume(x *actor, in *Intent) {
	if in.Join == nil {
		a.refuse(x.id, 0, reason.Unknown, 0, 0)
		return
	}
	if !x.lingers() { // the connection was lost while the player changed areas
		a.disconnect(x, false)
	}
	l := &x.linger
	if !l.restart {
		l.spent += a.now - l.since
	}
	l.since, l.spentUntil, l.restart = 0, a.now+a.ticks(lingerWindowMS), false
	a.lockEntrance(x)
	a.changeAuthority(x, in.Join.Authority)
	a.emit(Event{Kind: EventResumed, Who: x.id, Pos: x.pos, Record: a.snapshotRecord(x)})
	x.authority.announcePlacement(a, x, true)
}

// lockEntrance prevents a portal in which a player stands from transferring the player at once. After a reconnection the client
// must first be shown where its player is, and some doors send that only once in several ticks.
func (a *Area) lockEntrance(x *actor) {
	x.lastPortalTick = a.now // end an earlier lock, of this or another portal
	if i := a.entranceAt(x); i >= 0 {
		x.lastPortal, x.lastPortalTick = int32(i), a.now+a.ticks(a.world.Rules.PortalLockMS)
	}
}
