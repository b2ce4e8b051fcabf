package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// authority is the rule by which one actor moves, together with the state that only this rule needs. Every actor has exactly one
// from the moment it enters an area: a player has the authority of its door, an NPC has goalAuthority. The rest of the package
// does not depend on which one an actor has.
//
// To add an authority, write its type in a file of its own and add a row to authorityKinds. Embed authorityDefaults for
// the methods that need no code of their own.
//
// All methods run inside Step, except kind, clone, hash, stored and codec, which may also run outside it. The parameter x is
// the actor that has this authority, and a is the area of x. Both are passed because an authority keeps no pointers.
type authority interface {
	// kind returns the index of this authority's row in authorityKinds.
	kind() authorityKind

	// admit executes an intent whose meaning depends on the authority: see IntentKind.byAuthority. It passes intents that this
	// authority does not support to Area.refuseForeign.
	admit(a *Area, x *actor, in *Intent)

	// move moves x by one tick, together with its mount. It is not called while x is dead or ridden.
	move(a *Area, x *actor)

	// describe sets those fields of the actor's state s that depend on the authority: ActorState.Motion and, if x steps from tile to
	// tile, FlagOnTiles and its fields. If the body of x is simulated in blocks, describe sets FlagAvatar and adds the body to
	// Frame.Avatars. The state s is a part of the frame of this tick.
	describe(a *Area, x *actor, s *ActorState)

	// placed adapts the authority's own state after the server has moved x to another place without walking. x.pos and x.yaw
	// already have the new values. The authority may correct the position to one that it can represent, such as the middle of a
	// tile.
	placed(a *Area, x *actor)

	// announcePlacement sends the client of x the player's current position. It runs after the events of the placement are
	// emitted. The parameter login is true for the first placement after a login. In that case the door sends the position in the
	// packets of the login.
	announcePlacement(a *Area, x *actor, login bool)

	// leave prepares x for another area: it writes into j the state with which the authority of the player continues there.
	leave(j *Join)

	// interrupt cancels what the actor is doing, such as following a path. It is called when the actor dies, loses its connection
	// or is frozen by an operator.
	interrupt()

	// forget ends a pursuit of the actor with this id, because that actor has died or left the area.
	forget(id EntityID)

	// pursues reports whether x attacks the target again and again until its client sends another request. If an attack of such a
	// pursuit fails a check or is out of reach, it is retried instead of refused.
	pursues(target EntityID) bool

	// roundTripMS returns the round-trip time of the connection in ms, as last measured by the door; 0 if the door reports none.
	roundTripMS() uint16

	// mayRespawn reports whether a dead player x respawns as soon as its respawn delay is over. It is false while x waits for a
	// request of its client.
	mayRespawn() bool

	// mayRide reports whether a player under this authority can ride an ordinary mount, one that is not moved by vehicle
	// physics. The server moves such a mount to the position of its rider, also through portals.
	mayRide() bool

	// drivenVehicle returns the physics state of the vehicle that the actor drives, nil if this authority does not simulate vehicles.
	drivenVehicle() *move.Vehicle

	// grounded reports whether the server places x at the height of the ground below it.
	grounded(x *actor) bool

	// tile returns the tile on which x stands. The result ok is false if x is outside the map. The result atRest is false while
	// the position of x is still on its way to that tile.
	tile(a *Area, x *actor) (at move.Tile, atRest, ok bool)

	// recordPos returns the position of x that the server stores in the record of x.
	recordPos(a *Area, x *actor) geom.Vec

	// unseated completes the dismount of x after x has left its mount y, whether x asked to dismount or the server dismounted
	// it. It emits EventDismounted and adapts the state of the authority. The parameter v is the state of y as a vehicle, the
	// zero value if y is no vehicle. The parameter wanted is the position at which the client has put x, nil if the server
	// dismounts x. The parameter stays is false if x dies or leaves the area in the same tick.
	unseated(a *Area, x, y *actor, v *move.Vehicle, wanted *geom.Vec, stays bool)

	// knockback pushes x away from its attacker, the parameter by. Only players under the predict authority, and vehicles that
	// they drive, are pushed; for all other actors it does nothing.
	knockback(a *Area, x, by *actor)

	// announceEffect sends the current level and duration of an effect of x to its client, and stores them in the state of the
	// authority if that has such a state. The parameter changed is false if only the duration was renewed. announceEffect
	// returns false if the client cannot be informed yet.
	announceEffect(a *Area, x *actor, k EffectKind, is ActiveEffect, changed bool) bool

	// countsEffects reports whether the authority itself counts down the durations of effects, such as once per input. If not,
	// the area counts them down in every tick.
	countsEffects() bool

	// boostGlide lets a firework accelerate x for a number of ticks of 50 ms, if x glides.
	boostGlide(a *Area, x *actor, ticks int32)

	// clone returns a copy of the authority in the memory of m. The copy shares nothing that changes.
	clone(m *cloneMemory) authority

	// hash mixes the state of the authority into h. It takes and returns h by value so that h stays on the stack.
	hash(h hash64) hash64

	// stored reports whether snapshots contain a section for this authority of the actor. If so, codec reads and writes the
	// section.
	stored() bool

	// codec reads or writes the authority's section of a snapshot.
	codec(c *codec)
}

// authorityKind identifies an authority by its index in authorityKinds.
type authorityKind uint8

// Kinds of authority. In each tick stepAuthorities runs the authorities of players in this order, after thinkAll has run the goal
// authority of NPCs. A snapshot contains the flags and sections of an actor's authority in this order, too.
const (
	claimKind authorityKind = iota
	pathKind
	predictKind
	goalKind
	numAuthorities
)

// authorityKinds describes each authority, indexed by authorityKind.
var authorityKinds = [numAuthorities]struct {
	name    string
	players bool           // true: this authority is for players whose Join.Authority equals the field by; false: it is for NPCs
	by      move.Authority // value of Join.Authority that selects this authority; valid if players is true
	section bool           // true: in snapshots a flag says whether the state of this authority follows

	// create makes the authority of a player that enters the area with the join j, or of an NPC. j is nil if the state of the
	// authority will be read from a snapshot.
	create func(a *Area, x *actor, j *Join) authority

	// step does the work that the authority has once per tick for all its actors together; it is nil if there is no such work. It
	// is called after all intents are admitted and before any actor moves, and only if the area has such actors.
	step func(a *Area)
}{
	claimKind:   {name: "claim", players: true, by: move.ByClaim, create: newClaimAuthority},
	pathKind:    {name: "path", players: true, by: move.ByPath, section: true, create: newPathAuthority, step: (*Area).followPaths},
	predictKind: {name: "predict", players: true, by: move.ByInput, section: true, create: newPredictAuthority, step: (*Area).simulateInputs},
	goalKind:    {name: "goal", section: true, create: newGoalAuthority}, // stepped by thinkAll, before the authorities of players
}

// newAuthority returns a new authority of the kind that a join asks for. If the kind is unknown, it is the claim authority.
func (a *Area) newAuthority(x *actor, j *Join) authority {
	for k := range authorityKinds {
		if row := &authorityKinds[k]; row.players && row.by == j.Authority {
			return row.create(a, x, j)
		}
	}
	return newClaimAuthority(a, x, j)
}

// changeAuthority gives a player in the area a new authority, because a client has reconnected through the same door or another
// one. The authority begins at the player's position, as after a login. All effects are announced again, because the new client
// knows none of them.
func (a *Area) changeAuthority(x *actor, by move.Authority) {
	a.authorityCounts[x.authority.kind()]--
	x.authority = a.newAuthority(x, &Join{Authority: by})
	a.authorityCounts[x.authority.kind()]++
	if x.effects != nil {
		x.effects.Announced = [LastingEffects]uint8{}
	}
	a.resetMovement(x)
}

// stepAuthorities calls the step function of every authority that has one, such as the simulation of inputs, before any actor
// moves.
func (a *Area) stepAuthorities() {
	for k := range authorityKinds {
		if step := authorityKinds[k].step; step != nil && a.authorityCounts[k] > 0 {
			step(a)
		}
	}
}

// byAuthority reports whether the meaning of an intent of that kind depends on the player's authority. Some authorities do not
// support such intents at all.
func (k IntentKind) byAuthority() bool {
	switch k {
	case IntentClaim, IntentInput, IntentBarrierAck, IntentUseItem, IntentRespawn, IntentAttack, IntentPath, IntentFace, IntentPursue, IntentGait,
		IntentInteract, IntentDismount:
		return true
	}
	return false
}

// refuseForeign refuses an intent that the authority of x does not support. If clients expect no answer to such an intent, it
// does nothing.
func (a *Area) refuseForeign(x *actor, in *Intent) {
	switch in.Kind {
	case IntentRespawn, IntentGait: // these intents have no effect under this authority, and clients need no answer
	case IntentPursue:
		a.refuse(x.id, in.Target, reason.OtherAuthority, 0, 0)
	default:
		a.refuse(x.id, 0, reason.OtherAuthority, 0, 0)
	}
}

// codecAuthority reads or writes the authority of an actor: a flag for every kind that has a section, and the sections. An
// actor without such a section has the claim authority if it is a player, and the goal authority if it is an NPC.
func (a *Area) codecAuthority(c *codec, x *actor) {
	if c.reading {
		x.authority = claimAuthority{}
		if !x.player {
			x.authority = &goalAuthority{}
		}
	}
	for k := range authorityKinds {
		row := &authorityKinds[k]
		if !row.section {
			continue
		}
		present := x.authority.kind() == authorityKind(k) && x.authority.stored()
		c.flag(&present)
		if !present {
			continue
		}
		if c.reading {
			// Fail if the authority does not fit the actor (NPC or player), or if the actor already has a section of another authority.
			if row.players != x.player || x.authority.stored() {
				c.fail()
				return
			}
			x.authority = row.create(a, x, nil)
		}
		x.authority.codec(c)
	}
}

// authorityDefaults has the default implementations of an authority's methods. Its method admit queues attacks for fightAll.
type authorityDefaults struct{}

func (authorityDefaults) admit(a *Area, x *actor, in *Intent) {
	switch in.Kind {
	case IntentAttack:
		a.pendingAttacks = append(a.pendingAttacks, attack{x.id, in.Target, in.Seen})
	case IntentInteract:
		a.interact(x, in.Target)
	case IntentDismount:
		a.stopRiding(x)
	default:
		a.refuseForeign(x, in)
	}
}

// announceEffect sends the client a changed speed attribute for the effects speed and slowness, because clients of every door
// know that attribute. Other effects change nothing under an authority that does not simulate the body.
func (authorityDefaults) announceEffect(a *Area, x *actor, k EffectKind, is ActiveEffect, changed bool) bool {
	a.emitEffect(x, k, is, nil)
	if changed && (k == EffectSpeed || k == EffectSlowness) {
		a.emit(Event{Kind: EventStat, Who: x.id, N: int32(a.world.Roles.Speed), Value: a.speedAttribute(x).Value})
	}
	return true
}

func (authorityDefaults) tile(a *Area, x *actor) (at move.Tile, atRest, ok bool) {
	at, ok = a.def.Tiles.ToTile(x.pos)
	return at, true, ok
}

func (authorityDefaults) unseated(a *Area, x, y *actor, _ *move.Vehicle, _ *geom.Vec, _ bool) {
	a.emit(Event{Kind: EventDismounted, Who: x.id, Other: y.id})
}

func (authorityDefaults) recordPos(_ *Area, x *actor) geom.Vec  { return x.pos }
func (authorityDefaults) placed(*Area, *actor)                  {}
func (authorityDefaults) announcePlacement(*Area, *actor, bool) {}
func (authorityDefaults) leave(*Join)                           {}
func (authorityDefaults) interrupt()                            {}
func (authorityDefaults) forget(EntityID)                       {}
func (authorityDefaults) pursues(EntityID) bool                 { return false }
func (authorityDefaults) roundTripMS() uint16                   { return 0 }
func (authorityDefaults) drivenVehicle() *move.Vehicle          { return nil }
func (authorityDefaults) mayRespawn() bool                      { return true }
func (authorityDefaults) mayRide() bool                         { return false }
func (authorityDefaults) grounded(*actor) bool                  { return false }
func (authorityDefaults) knockback(*Area, *actor, *actor)       {}
func (authorityDefaults) countsEffects() bool                   { return false }
func (authorityDefaults) boostGlide(*Area, *actor, int32)       {}
func (authorityDefaults) hash(h hash64) hash64                  { return h }
func (authorityDefaults) stored() bool                          { return false }
func (authorityDefaults) codec(*codec)                          {}
