package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// Tick counts the steps of an area from 1.
type Tick uint64

// Frame is the state of an area after a tick. It is immutable from the moment Step returns it until its area gets it back
// with Recycle; readers may hold it as long as they need and then release it to its publisher.
type Frame struct {
	Area    AreaID
	Tick    Tick
	Hash    uint64       // of the whole state of the area; equal states have equal hashes
	Actors  []ActorState // sorted by ID
	Ground  []GroundItem // sorted by Handle
	Weather Weather
	Events  []Event // in the order in which they happened

	Predicted []PredictedState // of players under the predict authority, sorted by ID
}

// Find returns the state of that actor, nil if it is not in the area.
func (f *Frame) Find(id EntityID) *ActorState {
	if i := f.Index(id); i >= 0 {
		return &f.Actors[i]
	}
	return nil
}

// Index returns the index of that actor in Actors, -1 if it is not in the area.
func (f *Frame) Index(id EntityID) int {
	lo, hi := 0, len(f.Actors)
	for lo < hi {
		mid := (lo + hi) / 2
		if f.Actors[mid].ID < id {
			lo = mid + 1
		} else {
			hi = mid
		}
	}
	if lo < len(f.Actors) && f.Actors[lo].ID == id {
		return lo
	}
	return -1
}

// Flags are the boolean parts of an actor's state.
type Flags uint8

// Flags of an actor.
const (
	FlagPlayer Flags = 1 << iota
	FlagRunning
	FlagBackward
	FlagFlying // its environment is Fly; Pos.Y is meaningful to clients
	FlagDead
	FlagPath      // under the path authority: Tile, Gait and LastStep are set, for the door that owns it
	FlagPredicted // under the predict authority: Frame.Predicted has more of it, for the door that owns it
	FlagFrozen    // by an operator: it cannot act
)

// ActorState is one row of a frame. Fields that change often are values; the others are behind Body.
type ActorState struct {
	ID           EntityID
	Body         *Body    // immutable; equal Versions mean equal contents
	Pos          geom.Vec // Y of a flying patroller is interpolated toward its waypoint
	DestX, DestZ float32
	Yaw          float32 // degrees
	Mount        EntityID
	Target       EntityID // the actor that it fights, 0 none
	Leader       EntityID // the player whose pet it is, 0 none
	Party        PartyID
	Health       int32
	HealthMax    int32
	Energy       int32
	Speed        int32
	SpeedMax     int32
	Tile         move.Tile // where it stands; Pos follows within a cycle
	Gait         move.Gait // how it moved in the last cycle
	LastStep     bool      // the only step of that cycle, and the last of a run
	Flags        Flags
	Motion       Motion
}

// Motion is how an actor moves, in the same terms for every authority. It is what a door needs to show actors of other
// doors.
type Motion struct {
	Step      geom.Vec // world units moved in this tick; a placement by the server is no movement
	WalkSpeed float32  // world units per second on flat ground when it walks, if OwnSpeed...
	RunSpeed  float32  // ...and when it runs or sprints
	Mode      MotionMode
	InAir     bool // it flies, falls or jumps, as far as its authority knows
	FacesYaw  bool // Yaw is where it faces, also while it moves; else clients turn it toward its destination

	// OwnSpeed: WalkSpeed and RunSpeed are set. Else its speeds follow from Speed and SpeedMax, see ActorState.Speeds.
	OwnSpeed bool
}

// Speeds returns how fast the actor walks and runs on flat ground, in world units per second.
func (a *ActorState) Speeds() (walk, run float32) {
	if m := &a.Motion; m.OwnSpeed {
		return m.WalkSpeed, m.RunSpeed
	}
	return move.UnitsPerSecond(a.Speed, a.SpeedMax, false, false), move.UnitsPerSecond(a.Speed, a.SpeedMax, true, false)
}

// MotionMode is the way in which an actor moves.
type MotionMode uint8

// Modes of motion.
const (
	MotionStand MotionMode = iota
	MotionWalk
	MotionRun   // or sprint
	MotionSneak // or crawl
	MotionSwim
	MotionFly // or glide
)

// Is reports whether all of flags are set.
func (a *ActorState) Is(flags Flags) bool { return a.Flags&flags == flags }

// Body is the part of an actor that rarely changes. Viewers are sent it once and again when it changes.
type Body struct {
	Version     uint64 // digest of all other fields, so bodies with equal versions are equal, on any node
	Template    uint16
	Name, Tag   string
	Appearance  Appearance
	Level       int32
	XP          int32
	Reputation  int32
	HomeFaction uint8
	Equipment   [8]uint16 // item ids of slots 0..7, NoItem if empty
	Ratings     [combat.Factions]uint8
	Character   CharacterID // 0 for NPCs
}

// GroundItem is an item on the ground of an area.
type GroundItem struct {
	Handle uint32 // unique in the world, > 0
	Stack  ItemStack
	Pos    geom.Vec
}

// EventKind is the kind of an event.
type EventKind uint8

// Kinds of event. In brackets the fields that each sets in addition to Who.
const (
	EventJoined      EventKind = 1 + iota // Who entered the area [N: 1 login, 0 from elsewhere; Pos]
	EventLeft                             // a player logged out [Record]
	EventDeparted                         // a player went to another area [To, Join, Record]
	EventRemoved                          // an NPC left the area without dying
	EventHeld                             // a claim was held [Reason, Asked, Allowed, Pos: kept, From: claimed]
	EventCorrected                        // the client must be sent its position [Reason, Pos, From; under the predict authority also Asked, Allowed, Rewind]
	EventRefused                          // an intent was refused [Reason, Other: target]
	EventAttacked                         // Who attacked Other [N: damage or -1 for a miss, Type, Ranged: projectile hit, Text: name of Other, which may be gone]
	EventShotFired                        // Who shot at Other; the result follows
	EventProjectile                       // projectile from Who to Other [Projectile]
	EventStat                             // an attribute of Who is now [N: attribute, Value]
	EventDied                             // Who died, killed by Other, 0 if not by an actor [Text: name of Who; an NPC is gone]
	EventXP                               // Who gained experience [Value: points]
	EventRespawned                        // Who respawned [Pos, Yaw]
	EventPlaced                           // the server moved Who to another place of the area [Pos, Yaw]
	EventChat                             // chat of Who to the area [Text]
	EventMessage                          // message of the server to Who only [Text, N: tone]
	EventJumped                           //
	EventMounted                          // Who rides Other
	EventDismounted                       // Who no longer rides Other
	EventEquipment                        // the visible equipment of Who changed: see its Body
	EventItemDamaged                      // an equipped item of Who lost health [N: slot, Value: health]
	EventDropped                          // an item lies on the ground [Ground]
	EventPickedUp                         // an item is no longer on the ground, picked up by Who or (0) expired [Ground, N: slot]
	EventRecord                           // autosave: the record of Who is to be stored [Record]
	EventWeather                          // the weather of the area is now [N]
	EventParty                            // Who changed its party [Party: new, OldParty]
	EventStance                           // predict authority: posture, abilities or speed of Who changed [Rewind]
	EventKnockback                        // predict authority: a hit gave Who the velocity of Rewind.State [Rewind]
	EventTeleported                       // predict authority: Who was teleported to Rewind.State [Reason, Rewind]
	EventExpelled                         // predict authority: the door must disconnect Who [Reason]
	EventOrderDone                        // an operator order for Who is done or refused [Reason: None, or why not; Unknown: not in this area, N: Intent.Serial]
)

// Tones of EventMessage.
const (
	ToneSystem  = iota // news of the server
	ToneWarning        // something that the player uses does not work
	ToneCombat         // a critical hit and the like
)

// Event is one thing that happened in a tick. It is plain data; Kind says which fields mean something.
type Event struct {
	Kind       EventKind
	Type       uint8 // damage type
	Ranged     bool
	Reason     reason.Reason
	Who, Other EntityID
	N          int32
	Value      int32
	Pos, From  geom.Vec
	Yaw        float32
	Asked      float32 // units or ms, what the intent asked for
	Allowed    float32 // units or ms, what the rule allows
	To         AreaID
	Party      PartyID
	OldParty   PartyID
	Text       string
	Projectile *combat.Projectile
	Ground     GroundItem
	Join       *Join
	Record     *Character // immutable
	Rewind     *Rewind    // immutable
}
