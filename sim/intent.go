package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// EntityID identifies an actor, unique in the world. It is never sent to a client; each gateway translates it to an id of its
// protocol. 0 is no actor.
//
//	bits    player                          NPC
//	0..29   serial number on its node       serial number in its area, to bit 39
//	30..39  node that it logged in through
//	40..52  0                               index of its area + 1
//
// Ids are below 2^53, so that JavaScript represents them exactly.
type EntityID uint64

// Ranges of the two parts of a player's EntityID: node and serial number.
const (
	MaxNodes   = 1 << 10           // maximum number of nodes of a cluster
	serialBits = 30                // number of bits of a player's serial number
	MaxSerial  = 1<<serialBits - 1 // greatest serial number of a player
)

// MaxAreas is the maximum number of areas of a world, for two reasons: (1) the id of an NPC has 13 bits for the index of its area
// plus 1; (2) the handle of an item on the ground has 32 bits, and each area uses handlesPerDef handles.
const MaxAreas = min(1<<13-1, 1<<32/handlesPerDef)

// AreaOfNPC returns the area in which an NPC was created. The NPC's id contains that area. The result is false if the id is not
// that of an NPC.
func (id EntityID) AreaOfNPC() (AreaID, bool) {
	if n := id >> npcBit; n > 0 && n <= MaxAreas {
		return AreaID(n - 1), true
	}
	return NoArea, false
}

// PlayerID composes the id of a player from the node of its login, 0..MaxNodes-1, and its serial number there, 1..MaxSerial.
func PlayerID(node uint16, serial uint64) EntityID {
	return EntityID(uint64(node)<<serialBits | serial&(1<<serialBits-1))
}

// Node returns the node through which a player logged in. It is 0 for NPCs and, on a server with a single node, for all players.
func (id EntityID) Node() uint16 {
	if id>>npcBit != 0 {
		return 0
	}
	return uint16(id >> serialBits)
}

// Serial returns the serial number of a player on its node. It is 0 for NPCs.
func (id EntityID) Serial() uint64 {
	if id>>npcBit != 0 {
		return 0
	}
	return uint64(id) & (1<<serialBits - 1)
}

// IntentKind says what an intent asks for, such as an attack or a line of chat.
type IntentKind uint8

// Values of Intent.Kind. Brackets, or the words after "Fields:", list the fields that each kind of intent uses in addition to
// Who.
const (
	IntentJoin    IntentKind = 1 + iota // enter the area [Join]
	IntentLeave                         // log out: the player leaves the world
	IntentClaim                         // claim authority: position and destination [AtMS, Claim]
	IntentWarpAck                       // the client confirms the last warp
	IntentAttack                        // attack an actor once, or pursue it under the path authority [Target, Seen]
	IntentChat                          // say a line to all players in the area [Text]
	IntentJump                          // make the player jump
	// IntentInteract is a right click on an actor, which mounts the actor if it is rideable. Fields: Target. Under the predict
	// authority also Amount: 1 if the client has not received the ground at that actor yet.
	IntentInteract
	// IntentDismount makes the player stop riding. Fields under the predict authority: Amount: 1 if the client has already placed
	// its player; Input: that position in Input.Pos.
	IntentDismount
	IntentSwap         // move items between slots [SlotA, SlotB, Amount; 0 = all]
	IntentStack        // stack items of SlotA onto the same kind in SlotB [SlotA, SlotB, Amount]
	IntentDrop         // drop items on the ground [SlotA, Amount]
	IntentPickUp       // pick up an item into a slot [Ground, SlotA]
	IntentInviteParty  // invite a player into the party [Text: name]
	IntentAcceptInvite // accept the last invitation
	IntentLeaveParty   // leave the party
	IntentActionBar    // store a slot of the action bar in the record [SlotA, Text]
	IntentPath         // path authority: go to a tile [Tile, Amount: 1 inverts the run setting for this path]
	IntentGait         // path authority: walk or run from now on [Amount: 0 walk, 1 run]
	IntentFace         // path authority: face a tile [Tile]
	IntentPursue       // path authority: follow and attack an actor until the next request [Target]
	IntentInput        // predict authority: one tick of the client [Input]
	IntentBarrierAck   // predict authority: the client acknowledges a barrier [Serial]
	IntentUseItem      // predict authority: use the item in hand with the next input [Amount: 0 stop, 1 begin]
	IntentRespawn      // a dead player asks to respawn
	// IntentMessage is an operator order: send a message to Who. Fields: Text; Amount: kind of the message, such as ToneSystem;
	// Serial.
	IntentMessage
	// IntentTeleport is an operator order: move Who to another place or area. Fields: To; Join: Portal, or -1 with Pos and Yaw;
	// Serial.
	IntentTeleport
	IntentFreeze // operator order: Who cannot act [Amount: 1 freeze, 0 unfreeze, Serial]
	// IntentSettle is sent by the server to an area from which players departed. It confirms that the players with numbers up to
	// Seq have arrived in area To, and that a crash cannot undo their arrival any more. Fields: To, Seq.
	IntentSettle
	// IntentDisconnect is sent by the server: Who has lost its connection and lingers. Field: Amount: 1 if a restart of the
	// server ended the connection.
	IntentDisconnect
	// IntentResume is sent by the server: the client of the lingering player Who has connected again. Field: Join, of which only Authority is
	// used.
	IntentResume
	// IntentCommand is a command for the game's rules. Fields: SlotA: CommandID; Args, Target, Text: the command's arguments;
	// Serial. If SlotA is CommandLine, Text is instead the line that the player typed, and the area parses the command and its
	// arguments from that line.
	IntentCommand
	IntentGive // operator order: put items into the inventory of Who [Ground: item id, Amount, Serial]
	// IntentTake is an operator order: remove items from the inventory of Who. Fields: Ground: item id; Amount, 0 for all; SlotA:
	// slot, AnySlot for any; Serial.
	IntentTake
	// IntentAttribute is an operator order: set an attribute of Who. Fields: SlotA: attribute; Args: value and maximum, where -1
	// leaves the number unchanged; Serial.
	IntentAttribute
	// IntentSpawn is an operator order to the area, with Who 0: create an NPC. Fields: Amount: template id; Join: Pos and Yaw;
	// Serial.
	IntentSpawn
	IntentRemove // operator order to the area, Who is 0: remove an NPC [Target, Serial]
)

// IsOfServer reports whether only the server itself submits intents of that kind, never a client.
func (k IntentKind) IsOfServer() bool {
	switch k {
	case IntentJoin, IntentLeave, IntentSettle, IntentDisconnect, IntentResume:
		return true
	}
	return k.IsOperatorOrder()
}

// IsOperatorOrder reports whether an intent of that kind is an order of an operator, which no player may submit.
func (k IntentKind) IsOperatorOrder() bool {
	return k >= IntentMessage && k <= IntentFreeze || k >= IntentGive && k <= IntentRemove
}

// AnySlot as the SlotA of an IntentTake means that the items are taken from any slots.
const AnySlot = SlotCount

// Intent is a request of a player, of an operator or of the server. It is plain data, and the only input of an area.
type Intent struct {
	Kind   IntentKind // what is requested
	SlotA  uint8      // inventory slot, 0..45, or another small number, see IntentKind
	SlotB  uint8      // second inventory slot, 0..45
	Amount uint16     // number of items, or another small number, see IntentKind
	Ground uint32     // GroundItem.Handle of the item to pick up; for IntentGive and IntentTake the id of a kind of item
	Who    EntityID   // player that the intent is from or about; 0 for the area
	Target EntityID   // actor to attack, follow or mount
	AtMS   int64      // arrival time of the packet in ms, on a clock shared by all areas; only differences matter
	Claim  move.Claim // claimed position, for IntentClaim
	Input  move.Input // input of a client tick, for IntentInput
	// Serial identifies the intent in its answer. For an operator order or a command, the event with the result contains the same
	// number. For the acknowledgement of a barrier, it is the Rewind.Serial of that barrier.
	Serial uint32
	To     AreaID              // area to teleport to, or area that confirms arrivals
	Tile   terrain.Tile        // goal of a path, or tile to face
	Text   string              // text of a message, command or order, or name of a player, see IntentKind
	Join   *Join               // player that enters the area; immutable
	Args   *[MaxGameArgs]int32 // numbers of a command, see Command.Args, or of an IntentAttribute; nil if all are 0; immutable
	Seen   uint64              // time of the area at which Target was where the client drew it, in 1/256 ticks; 0 if the door does not know it
	Seq    uint64              // for IntentSettle: Join.Seq of the last player whose arrival is confirmed
}

// Join is how an actor enters an area: after a login, or from another area through a portal, a respawn or a teleport.
type Join struct {
	Character *Character // record of the player; immutable
	Party     PartyID    // party of the player, 0 for none
	Health    int32      // health of a player from another area; 0 for the health of the record
	Portal    int        // index of the portal where the player arrives; -1 to arrive at Pos
	Pos       geom.Vec   // arrival position if Portal is -1
	Yaw       float32    // direction that the player faces on arrival at Pos, degrees
	Pets      []Pet      // pets that travel with the player, except one that it rides
	Mount     *Pet       // actor that the player rides, nil for none

	MountIsPet bool // the actor that the player rides is also its pet
	Login      bool // true after a login, false on arrival from another area
	Frozen     bool // an operator has frozen the player

	Authority move.Authority // movement authority of the player
	Running   bool           // path authority: run setting of the player

	Effects *ActorEffects // effects from the player's last area, nil for none; immutable

	Predicted *move.PredictState // predict authority: state from the player's last area; immutable

	From AreaID // area that the player left; valid if Seq is not 0
	Seq  uint64 // number of the player among those that left From for this area, from 1; 0 for a login

	Fields []int32 // game fields of the player, from its last area; immutable

	Timers PlayerTimers // time limits of the player that continue in the new area; zero after a login

	Invited    PartyID // party that the player is invited to, 0 for none
	InvitedFor Tick    // ticks for which the invitation can still be accepted; 0 if Invited is 0

	// PetFields are the game fields of the pets and of the mount: those of each of Pets in order, and then those of Mount. The
	// list is immutable. It is empty after a login; the fields then have their defaults.
	PetFields []int32
}

// PlayerTimers are the timers that a player takes along to another area. All except Spent are numbers of remaining ticks. None
// is a tick number, because each area counts its own ticks. The timers do not run while the player changes areas.
type PlayerTimers struct {
	Combat Tick // ticks for which the player remains in combat, for its linger time
	Use    Tick // ticks until the player can use an item again

	Spent       Tick // ticks that the player lingered earlier; they count toward its linger time for SpentCounts more ticks
	SpentCounts Tick // ticks for which Spent counts; 0 if Spent is 0
}

// PartyID is the number of a party, unique in the world. 0 stands for no party.
type PartyID uint64
