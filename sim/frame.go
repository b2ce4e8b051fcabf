package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
)

// Tick is the number of a tick (a step) of an area. The first tick is 1.
type Tick uint64

// Frame is the state of an area after a tick. It is immutable after Step has returned it, until Recycle gives it back to its
// area. A reader may use it as long as necessary and then releases it (see area.Published).
type Frame struct {
	Area    AreaID       // area that the frame describes
	Tick    Tick         // number of the tick that the frame describes
	Hash    uint64       // hash of the whole state of the area; equal states have equal hashes
	Actors  []ActorState // sorted by ID
	Ground  []GroundItem // sorted by Handle
	Weather Weather      // weather of the area
	Events  []Event      // events of the tick, in the order in which they happened

	Avatars  []AvatarState  // states of the actors whose bodies are simulated in blocks, sorted by ID
	Vehicles []VehicleState // states of the vehicles that vehicle physics moves, sorted by ID

	Fields     []int32 // game fields of all actors, in the order of Actors; see FieldsOf
	AreaFields []int32 // game fields of the area, in the order of the schema
}

// FieldsOf returns the game fields of an actor of this frame, in the order in which the schema of world w declares them. Players
// and NPCs have different fields; if the schema declares none for such actors, the result is empty.
func (f *Frame) FieldsOf(w *World, s *ActorState) []int32 {
	kind := FieldOfNPC
	if s.Is(FlagPlayer) {
		kind = FieldOfPlayer
	}
	return f.Fields[s.FirstField:][:len(w.Schema.Fields[kind])]
}

// Find returns the state of an actor, nil if the actor is not in the area.
func (f *Frame) Find(id EntityID) *ActorState {
	if i := f.Index(id); i >= 0 {
		return &f.Actors[i]
	}
	return nil
}

// Index returns the index of an actor in Actors, -1 if the actor is not in the area.
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

// Flags are the boolean properties of an actor in a frame, a set of the Flag constants.
type Flags uint16

// Bits of Flags: each is one boolean property of an actor.
const (
	FlagPlayer    Flags = 1 << iota // the actor is a player, not an NPC
	FlagRunning                     // the actor runs instead of walking
	FlagBackward                    // the actor walks backward
	FlagFlying                      // the actor flies: clients use its Pos.Y
	FlagDead                        // the actor is dead
	FlagOnTiles                     // the actor steps from tile to tile, at most a few tiles per cycle: Tile, Gait and LastStep are set
	FlagAvatar                      // the actor's body is simulated in blocks: Frame.Avatars has its state
	FlagFrozen                      // an operator has frozen the actor: it cannot act
	FlagLingering                   // the player has lost its connection: it stands still until its client reconnects or it leaves
	FlagSpawned                     // an operator has created the NPC
)

// ActorState is the state of one actor in a frame. What rarely changes, such as the name, is in its Body.
type ActorState struct {
	ID           EntityID  // id of the actor
	Body         *Body     // what other clients see of the actor; immutable; equal Versions mean equal contents
	Pos          geom.Vec  // world position; Y of a flying NPC on patrol is interpolated toward its waypoint
	DestX, DestZ float32   // destination of the actor; its position if it stands
	Yaw          float32   // direction that the actor faces, degrees
	Mount        EntityID  // actor that this player rides, 0 for none; its seat is in AvatarState
	Target       EntityID  // actor that this actor attacks, 0 for none
	Leader       EntityID  // player whose pet this actor is, 0 for none
	Party        PartyID   // party of the player, 0 for none
	LingersUntil Tick      // with FlagLingering: tick in which the player leaves unless its client reconnects; otherwise 0
	Health       int32     // current health in points, 0 if the actor is dead
	HealthMax    int32     // maximum of Health
	Energy       int32     // current energy in points, which running uses up
	Speed        int32     // value of the speed attribute
	SpeedMax     int32     // maximum of the speed attribute
	Tile         move.Tile // with FlagOnTiles: tile on which the actor stands; Pos moves there within the cycle
	Gait         move.Gait // with FlagOnTiles: how the actor moved in the last cycle
	LastStep     bool      // with FlagOnTiles: the actor ran in the last cycle but took one step only, because its path ended
	Flags        Flags     // boolean properties, such as FlagDead
	Motion       Motion    // how the actor moves
	FirstField   int32     // index in Frame.Fields of the actor's first game field
}

// Motion describes how an actor moves, in the same terms for every authority. A door uses it to show actors of other
// doors.
type Motion struct {
	Step      geom.Vec   // world units moved in this tick, excluding placements by the server
	WalkSpeed float32    // speed of the actor walking on flat ground, world units per second; valid if OwnSpeed
	RunSpeed  float32    // speed of the actor running or sprinting on flat ground, world units per second; valid if OwnSpeed
	Mode      MotionMode // way of moving, such as MotionWalk
	InAir     bool       // the actor's authority reports that it flies, falls or jumps
	FacesYaw  bool       // true: the actor faces Yaw even while it moves; false: clients turn it toward its destination

	// OwnSpeed is true if WalkSpeed and RunSpeed above are set. If it is false, ActorState.Speeds computes the actor's speeds
	// from ActorState.Speed and SpeedMax.
	OwnSpeed bool
}

// Speeds returns how fast the actor walks and runs on flat ground, in world units per second.
func (a *ActorState) Speeds() (walk, run float32) {
	if m := &a.Motion; m.OwnSpeed {
		return m.WalkSpeed, m.RunSpeed
	}
	return move.UnitsPerSecond(a.Speed, a.SpeedMax, false, false), move.UnitsPerSecond(a.Speed, a.SpeedMax, true, false)
}

// MotionMode is the way an actor moves: walking, swimming, flying and so on.
type MotionMode uint8

// Values of MotionMode: the ways in which clients can show an actor move.
const (
	MotionStand MotionMode = iota
	MotionWalk
	MotionRun   // the actor runs or sprints
	MotionSneak // the actor sneaks or crawls
	MotionSwim
	MotionFly // the actor flies or glides
)

// Is reports whether all of the given flags are set.
func (a *ActorState) Is(flags Flags) bool { return a.Flags&flags == flags }

// Body is the part of an actor's state that rarely changes, such as name and equipment. Viewers receive it once, and
// again after each change.
type Body struct {
	Version     uint64                 // hash of all other fields: Bodies with equal versions are equal, on every node
	Template    uint16                 // id of the actor's template
	Name, Tag   string                 // name of the actor, and tag that clients display with the name; "" for no tag
	Appearance  Appearance             // details of how clients draw the actor
	Level       int32                  // level of the actor
	XP          int32                  // experience points
	Reputation  int32                  // reputation points; may be negative
	HomeFaction uint8                  // index of the actor's faction, 0..99
	Equipment   [8]uint16              // item ids of slots 0..7, NoItem in empty slots
	Ratings     [combat.Factions]uint8 // the actor's ratings toward each faction, 0..200, 100 is neutral
	Character   CharacterID            // id of the player's character; 0 for NPCs
}

// GroundItem is an item on the ground of an area.
type GroundItem struct {
	Handle  uint32      // unique in the world, > 0
	Stack   ItemStack   // kind and number of the items
	Pos     geom.Vec    // position in world units
	Dropper CharacterID // character that dropped the item
}

// EventKind says what happened in an event, such as an attack or a death.
type EventKind uint8

// Values of Event.Kind. Every event sets Who. The other fields that it sets are in brackets or after the word "Fields:".
const (
	EventJoined   EventKind = 1 + iota // Who entered the area [N: 1 after a login, else 0; Pos]
	EventLeft                          // a player logged out [Record]
	EventDeparted                      // a player went to another area [To, Join, Record]
	EventRemoved                       // an NPC left the area without dying
	EventHeld                          // a claim was held (rejected) [Reason, Asked, Allowed, Pos: current position, From: claimed position]
	// EventCorrected reports that the server replaced the position that the client of Who claimed or predicted. The door must
	// send the new position to the client. Fields: Reason, Pos, From; under the predict authority also Asked, Allowed, Rewind.
	EventCorrected
	// EventRefused reports that an intent of Who was refused. Fields: Reason; Other: target. Four kinds of intents set more: (1)
	// A request to mount or dismount sets N: the IntentKind. (2) A command sets N: the IntentKind; Value: Intent.Serial; Text: a
	// sentence of the game's rules. (3) An attack sets AgoMS, Pos and From. (4) Chat, a request about a party and a command line of
	// a player that is not in the area (Unknown) set N: the IntentKind; Text: Intent.Text. Otherwise N is 0.
	EventRefused
	// EventAttacked reports that Who attacked Other. Fields: N: damage, or -1 for a miss; Type: damage type; Ranged: true for a
	// hit by a projectile; Text: name of Other, which may have left the area; AgoMS, Pos, From.
	EventAttacked
	EventShotFired   // Who shot at Other; the result follows in a later event [AgoMS, Pos, From]
	EventProjectile  // projectile from Who to Other [Projectile]
	EventStat        // an attribute of Who changed [N: attribute, Value: new value]
	EventDied        // Who died [Other: killer, 0 if not an actor; Text: name of Who]
	EventXP          // Who received experience [Value: points]
	EventRespawned   // Who respawned [Pos, Yaw]
	EventPlaced      // the server moved Who to another place of the area [Pos, Yaw]
	EventChat        // chat of Who to the area [Text]
	EventMessage     // message of the server to Who only [Text, N: kind of the message, ToneSystem and so on]
	EventJumped      // Who, a player or a ridden horse, jumped
	EventMounted     // Who rides Other [under the predict authority also N: seat, Pos, Yaw, Rewind]
	EventDismounted  // Who no longer rides Other [under the predict authority also Pos, Yaw, Rewind]
	EventEquipment   // the visible equipment of Who changed: see its Body
	EventItemDamaged // an equipped item of Who lost health [N: slot, Value: health]
	EventDropped     // an item lies on the ground [Ground]
	// EventPickedUp reports that an item is no longer on the ground: the player Who picked it up or, if Who is 0, its time has
	// expired. Fields: Ground; N: slot.
	EventPickedUp
	EventRecord  // autosave: the record of Who is to be stored [Record]
	EventWeather // the weather of the area changed [N: new weather]
	EventParty   // the player Who joined, left or changed a party [Party: new party, OldParty]
	// EventStance reports to a client under the predict authority the posture, abilities and speed of its player. It is emitted
	// when these change, and before some corrections, because a correction does not contain them. Fields: Reason: that of the
	// correction that follows, None if none follows; Rewind.
	EventStance
	// EventKnockback reports that a hit changed the velocity of Who, which is under the predict authority. The new velocity is in
	// Rewind.State or, if Who drives a vehicle, in Rewind.Vehicle. Field: Rewind.
	EventKnockback
	// EventTeleported reports that Who, which is under the predict authority, was teleported to the position in Rewind.State. To
	// a driver the door sends Rewind.Vehicle instead. Fields: Reason, Rewind.
	EventTeleported
	EventExpelled // predict authority: the door must disconnect the client of Who [Reason]
	// EventEffect reports that an effect of Who began, changed, was renewed or ended. Fields: Type: EffectKind; N: level, 0 if
	// the effect ended; Value: remaining ticks of 50 ms, -1 while an item that gives the effect is worn; under the predict
	// authority also Rewind. If Rewind.Serial is 0, the effect was only renewed.
	EventEffect
	// EventOrderDone reports the result of an operator's order about Who, or about the area if Who is 0. Fields: Reason: None if
	// the order was executed, Unknown if the actor is not in this area; N: Intent.Serial; Other: NPC that was spawned or removed;
	// Text: description of the result for people, for orders about items or attributes.
	EventOrderDone
	// EventResumed reports that a client has reconnected and controls the lingering player Who, under the authority of the
	// client's door. Fields: Pos, Record.
	EventResumed
	// EventCommand reports that the game's rules executed a command of Who. Fields: N: CommandID; Other: the actor among the
	// command's arguments; Value: Intent.Serial.
	EventCommand
	// EventGame is an event of the game's rules. Fields: N: EventID; Other, Text and Args: the event's arguments. Who is 0 if the
	// event is about the area.
	EventGame
	EventItemTaken // the game's rules or an operator took items from Who [N: slot, Value: amount]
	// EventStatMaximum reports that the maximum of an attribute of Who changed. Fields: N: attribute; Value: new maximum. An
	// EventStat with the attribute's value follows.
	EventStatMaximum
)

// Kinds of messages, which are values of Event.N of an EventMessage and of Intent.Amount of an IntentMessage. The kind decides
// the colour and the place of a message on the screens of clients.
const (
	ToneSystem       = iota // ordinary message of the server or of the game's rules
	ToneWarning             // warning, such as about a broken weapon, or message of an operator to one player
	ToneCombat              // combat message, such as a critical hit
	ToneAnnouncement        // announcement of an operator to many players
)

// Event is one thing that happened in a tick. It is plain data; Kind decides which fields are set, see the values of
// EventKind.
type Event struct {
	Kind   EventKind // what happened
	Type   uint8     // damage type of an attack, 0..19, or EffectKind
	Ranged bool      // true for a projectile hit
	// With lag compensation, an attack is judged by an earlier position of its target (Other). Then Pos is that position, AgoMS
	// is how many ms before the attack the target was there, and From is where the target was at the time of the attack. AgoMS 0
	// means no lag compensation.
	AgoMS      uint16
	Reason     reason.Reason       // why an intent was refused, a claim held or a position corrected
	Who, Other EntityID            // actor that the event is about, and second actor; see EventKind
	N          int32               // number whose meaning depends on Kind
	Value      int32               // number whose meaning depends on Kind
	Pos, From  geom.Vec            // new position, and old or claimed position; see EventKind
	Yaw        float32             // new direction that Who faces, degrees
	Asked      float32             // value that the intent asked for, in world units or ms
	Allowed    float32             // greatest value that the rule allows, in world units or ms
	To         AreaID              // area to which the player went
	Party      PartyID             // party after the change, 0 for none
	OldParty   PartyID             // party before the change, 0 for none
	Text       string              // text of a message or result, or name of an actor; see EventKind
	Projectile *combat.Projectile  // kind of projectile of a ranged attack; nil for none
	Ground     GroundItem          // item that appeared on the ground or was picked up
	Join       *Join               // how the player enters the next area; immutable
	Record     *Character          // record of the player; immutable
	Rewind     *Rewind             // state of the avatar and its client tick; immutable
	Args       *[MaxGameArgs]int32 // numbers among the arguments of a game event, in steps, by index in GameEvent.Args; nil if all are 0; immutable
}
