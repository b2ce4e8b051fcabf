package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// UseItem is a use of the held item on a block or in the air.
//
//	size  field           encoding  range
//	      Action          var32     0 click block, 1 click air, 2 break block, 3 attack (swing at the air)
//	1     Trigger         u8        0 unknown, 1 the player's input, 2 repeated while the button is held
//	      Block           blockpos
//	1     Face            u8        0..5; 255 in the air
//	      Slot            var32     hotbar slot, 0..8
//	1     Hand            u8        0 main, 1 off; only in protocol 2193
//	      Held            item
//	12    PlayerPosition  vec3      blocks; eyes
//	12    ClickPosition   vec3      within the block
//	      BlockID         varu32    network id of the block that was clicked
//	1     Prediction      u8        0 failure, 1 success
//	1     Cooldown        u8        0 off, 1 on
//
// Source: docs/wire/bedrock.md, other packets.
type UseItem struct {
	Action         int32    // 0 click on a block, 1 click into the air, 2 break a block, 3 attack (swing at the air)
	Trigger        uint8    // cause of the use: 0 unknown, 1 the player's input, 2 repetition while the button is held
	Block          BlockPos // block on which the item is used
	Face           uint8    // face of the clicked block, 0..5 as in PlayerAction; 255 in the air
	Slot           int32    // hotbar slot, 0..8
	Hand           uint8    // hand with the item: 0 main hand, 1 off hand; always 0 in protocol 2169
	Held           Item     // item that is used
	PlayerPosition Vec3     // position of the eyes, blocks
	ClickPosition  Vec3     // clicked point, in blocks from the corner of the block with the lowest X, Y and Z
	BlockID        uint32   // network id of the clicked block
	Prediction     uint8    // 1 if the client predicts success, 0 if failure
	Cooldown       uint8    // 1 if the item has a cooldown, 0 if not
}

// Values of UseItem.Action: what the player does with the held item.
const (
	UseItemClickBlock = 0 // use the item on a block
	UseItemClickAir   = 1 // use the item in the air
	UseItemBreakBlock = 2 // break a block
	UseItemAttack     = 3 // swing at the air
)

func readUseItem(r *wire.Reader, f *layout) UseItem {
	u := UseItem{Action: r.VarI32(), Trigger: r.U8(), Block: readBlockPos(r), Face: r.U8(), Slot: r.VarI32()}
	if f.useItemHand {
		u.Hand = r.U8()
	}
	u.Held = readItem(r)
	u.PlayerPosition, u.ClickPosition = readVec3(r), readVec3(r)
	u.BlockID, u.Prediction, u.Cooldown = r.VarU32(), r.U8(), r.U8()
	return u
}

func appendUseItem(b []byte, u *UseItem, f *layout) []byte {
	b = append(wire.VarI32(b, u.Action), u.Trigger)
	b = wire.VarI32(append(appendBlockPos(b, u.Block), u.Face), u.Slot)
	if f.useItemHand {
		b = append(b, u.Hand)
	}
	b = appendVec3(appendVec3(appendItem(b, &u.Held), u.PlayerPosition), u.ClickPosition)
	return append(wire.VarU32(b, u.BlockID), u.Prediction, u.Cooldown)
}

// UseItemOnActor is an attack on an actor or a use of the held item on it.
//
//	size  field           encoding    range
//	      Target          runtime id
//	      Action          var32       0 interact, 1 attack
//	      Slot            var32       hotbar slot, 0..8
//	      Held            item
//	12    PlayerPosition  vec3        blocks; eyes
//	12    ClickPosition   vec3        relative to the target
//
// Source: docs/wire/bedrock.md, other packets.
type UseItemOnActor struct {
	Target         ActorRuntimeID // actor on which the item is used
	Action         int32          // 0 interact with the target, 1 attack the target
	Slot           int32          // hotbar slot, 0..8
	Held           Item           // item that is used
	PlayerPosition Vec3           // position of the eyes, blocks
	ClickPosition  Vec3           // clicked point, in blocks from the position of the target
}

// Values of UseItemOnActor.Action: what the player does to the actor.
const (
	UseOnActorInteract = 0 // use the item on the actor, or mount the actor
	UseOnActorAttack   = 1 // attack the actor
)

func readUseItemOnActor(r *wire.Reader) UseItemOnActor {
	return UseItemOnActor{
		Target: r.VarU64(), Action: r.VarI32(), Slot: r.VarI32(), Held: readItem(r),
		PlayerPosition: readVec3(r), ClickPosition: readVec3(r),
	}
}

func appendUseItemOnActor(b []byte, u *UseItemOnActor) []byte {
	b = wire.VarI32(wire.VarI32(wire.VarU64(b, u.Target), u.Action), u.Slot)
	return appendVec3(appendVec3(appendItem(b, &u.Held), u.PlayerPosition), u.ClickPosition)
}

// ReleaseItem ends a continued use of an item, such as drawing a bow or eating.
//
//	size  field         encoding  range
//	      Action        var32     0 release, 1 consume
//	      Slot          var32     hotbar slot, 0..8
//	      Held          item
//	12    HeadPosition  vec3      blocks
//
// Source: docs/wire/bedrock.md, other packets.
type ReleaseItem struct {
	Action       int32 // 0 the player releases the item, 1 the player consumes the item
	Slot         int32 // hotbar slot, 0..8
	Held         Item  // item whose use ends
	HeadPosition Vec3  // position of the head, blocks
}

// Values of ReleaseItem.Action: how the continued use of an item ends.
const (
	ReleaseItemRelease = 0 // let go of the item, such as a drawn bow
	ReleaseItemConsume = 1 // the item is used up, such as food
)

func readReleaseItem(r *wire.Reader) ReleaseItem {
	return ReleaseItem{Action: r.VarI32(), Slot: r.VarI32(), Held: readItem(r), HeadPosition: readVec3(r)}
}

func appendReleaseItem(b []byte, u *ReleaseItem) []byte {
	b = wire.VarI32(wire.VarI32(b, u.Action), u.Slot)
	return appendVec3(appendItem(b, &u.Held), u.HeadPosition)
}

// UseItemTransaction is a use of an item inside a PlayerAuthInput.
//
//	field            encoding  range
//	LegacyRequestID  var32
//	LegacySlots      opt list  as in InventoryTransaction
//	Actions          list      optional in protocol 2169, with two presence bytes
//	Use              UseItem
//
// Source: docs/wire/bedrock.md, PlayerAuthInput.
type UseItemTransaction struct {
	LegacyRequestID int32             // id of the request to which LegacySlots belongs; 0 if there is none
	LegacySlots     []LegacySlots     // slots that the client changed without an ItemStackRequest; nil if the list is absent on the wire
	Actions         []InventoryAction // slots that the client expects to change; in protocol 2169, nil means that the list is absent
	Use             UseItem           // use of the item
}

func readUseItemTransaction(r *wire.Reader, f *layout) *UseItemTransaction {
	t := &UseItemTransaction{LegacyRequestID: r.VarI32(), LegacySlots: readLegacySlots(r)}
	if !f.heldActionsOptional {
		t.Actions = readInventoryActions(r, f)
	} else if f.readPresence(r) {
		if t.Actions = readInventoryActions(r, f); t.Actions == nil {
			t.Actions = []InventoryAction{}
		}
	}
	t.Use = readUseItem(r, f)
	return t
}

func appendUseItemTransaction(b []byte, t *UseItemTransaction, f *layout) []byte {
	b = appendLegacySlots(wire.VarI32(b, t.LegacyRequestID), t.LegacySlots)
	switch {
	case !f.heldActionsOptional:
		b = appendInventoryActions(b, t.Actions, f)
	case t.Actions == nil:
		b = f.appendPresence(b, false)
	default:
		b = appendInventoryActions(f.appendPresence(b, true), t.Actions, f)
	}
	return appendUseItem(b, &t.Use, f)
}
