package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// EntityID is the number of an actor, unique in the world for the life of the process. It is never sent to a client;
// each gateway keeps its own mapping to wire ids. 0 is nobody.
type EntityID uint64

// IntentKind is the shape of an intent.
type IntentKind uint8

// Kinds of intent. The fields beside Who that each uses are in brackets.
const (
	IntentJoin         IntentKind = 1 + iota // enter the area [Join]
	IntentLeave                              // log out
	IntentClaim                              // I am here, going there [AtMS, Claim]
	IntentWarpAck                            // the client shows that it took the last warp
	IntentAttack                             // [Target]
	IntentChat                               // to everybody in the area [Text]
	IntentJump                               //
	IntentInteract                           // right click: mount a rideable actor [Target]
	IntentDismount                           //
	IntentSwap                               // move items between slots [SlotA, SlotB, Amount; 0 = all]
	IntentStack                              // put items of SlotA onto the same kind in SlotB [SlotA, SlotB, Amount]
	IntentDrop                               // lay items on the ground [SlotA, Amount]
	IntentPickUp                             // [Ground, SlotA]
	IntentInviteParty                        // ask somebody into the party [Text: name]
	IntentAcceptInvite                       // accept the last invitation
	IntentLeaveParty                         // leave the party
	IntentActionBar                          // keep a slot of the action bar for the next visit [SlotA, Text]
	IntentPath                               // I want to stand on that tile [Tile, Amount: 1 = the other gait this once]
	IntentGait                               // from now on walk or run along paths [Amount: 0 walk, 1 run]
	IntentFace                               // look toward a tile [Tile]
	IntentPursue                             // walk up to somebody and fight him until told otherwise [Target]
	IntentInput                              // one tick of a predicting client [Input]
	IntentBarrierAck                         // a barrier of the predict authority came back [Serial]
	IntentUseItem                            // use the item in hand with the next input [Amount: 0 let it go, 1 begin]
	IntentRespawn                            // the dead one wants to live again
	IntentMessage                            // an operator's: a message to Who [Text, Amount: tone, Serial]
	IntentTeleport                           // an operator's: Who is put somewhere [To, Join: Portal or else -1, Pos and Yaw, Serial]
	IntentFreeze                             // an operator's: Who can do nothing any more [Amount: 0 he can again, 1 begin, Serial]
)

// IsOperatorOrder tells whether an intent of that kind is an operator's, which no player may ask for.
func (k IntentKind) IsOperatorOrder() bool { return k >= IntentMessage && k <= IntentFreeze }

// Intent is what a player asks for. It is plain data and the only thing that an area accepts.
type Intent struct {
	Kind   IntentKind
	SlotA  uint8
	SlotB  uint8
	Amount uint16
	Ground uint32 // GroundItem.Handle
	Who    EntityID
	Target EntityID
	AtMS   int64 // when the packet arrived, ms on one clock for all areas; only differences matter
	Claim  move.Claim
	Input  move.Input
	Serial uint32 // Rewind.Serial; of an operator's order its number, which comes back with EventOrderDone
	To     AreaID
	Tile   terrain.Tile
	Text   string
	Join   *Join // immutable
}

// Join is how an actor enters an area: from a login, or from another area by a portal or respawn.
type Join struct {
	Character *Character
	Party     PartyID // 0 = none
	Health    int32   // of a traveller; 0: as the record says
	Portal    int     // arrive at this portal; -1: at Pos
	Pos       geom.Vec
	Yaw       float32
	Pets      []Pet // travel with their leader on their own feet
	Mount     *Pet  // the actor he rides, nil if on foot

	MountIsPet bool // he is the mount's leader too
	Login      bool // from a login, not from another area
	Frozen     bool // by an operator

	Authority move.Authority // by which his movement is judged
	Running   bool           // the gait of a path authority

	Predicted *move.PredictState // of a traveller under the predict authority; immutable
}

// PartyID is the number of a party, unique in the world. 0 is none.
type PartyID uint64
