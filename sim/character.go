package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// CharacterID is the store's number of a character, > 0.
type CharacterID int64

// Character is the persistent record of a player's character. A join intent carries one, and record events carry new ones;
// all are immutable. Strings are UTF-8.
type Character struct {
	ID CharacterID
	// Version counts the records of this character that areas have emitted. The record with the higher version is newer.
	// Records with equal versions are equal.
	Version    uint64
	Name       string
	Tag        string
	Door       string // name of the door that created it
	GM         bool
	Appearance Appearance
	Level      int32
	XP         int32
	XPBar      uint8
	Gold       int32
	Reputation int32 // in points; clients are sent an i16

	Template uint16 // id of the character's template
	Area     string // name of the area; an unknown name places the player at its template's start
	Pos      geom.Vec
	Yaw      float32 // direction that the player faces, degrees

	Attr        [combat.Attributes]combat.Attribute
	Resist      [combat.DamageTypes]int32 // resistance by damage type in percent: above 100 reduces damage, below 100 increases it
	HomeFaction uint8                     // index of the character's faction, 0..99
	Ratings     [combat.Factions]uint8    // ratings toward each faction, 0..200, 100 is neutral

	Inventory Inventory
	Fields    []SavedField  // saved fields of the game whose values are not the defaults
	Dropped   []DroppedItem // items of the character outside its inventory; no rule reads them
	Pets      []Pet

	LastPortalArea string     // area of the portal that the player used last; "" for none
	LastPortal     int32      // index of that portal in LastPortalArea; valid if LastPortalArea is set
	ActionBar      [36]string // contents of the slots of the client's action bar; no rule reads them
}

// DroppedItem is an item that a character dropped and that no player has picked up. It is in the record of the character, so
// that it is not lost if the area with the ground on which it lies is: package session puts it there and gives it back at the
// next entry.
type DroppedItem struct {
	Handle uint32 // GroundItem.Handle; 0 for an item that did not fit into the inventory when it was given back
	Stack  ItemStack
}

// Appearance is how a client draws an actor, in addition to its template. Gender is 0..1, the other fields are 0..4.
type Appearance struct{ Gender, Face, Hair, Beard, Body uint8 }

// Pet is an NPC that follows a player and is stored in its record.
type Pet struct {
	Template uint16 // id of the pet's template
	Name     string // "" for the name of the template's race
	Health   int32  // 0 for full health
}

// Slots of an inventory. Source: protocol spec section 2.
const (
	SlotWeapon = iota
	SlotShield
	SlotHat
	SlotChest
	SlotHand
	SlotBelt
	SlotLegs
	SlotFeet
	SlotRing
	SlotAmulet   = 12
	SlotBackpack = 14
	SlotCount    = 46
)

// Inventory holds all items of an actor, by slot.
type Inventory [SlotCount]ItemStack

// ItemStack is the content of one slot. Amount 0 is an empty slot, whatever the other fields hold.
type ItemStack struct {
	Item   uint16                    // id of the kind of item
	Amount uint16                    // number of items, 0 for an empty slot
	Health uint8                     // condition of the item, 0 broken to 100 undamaged
	Attr   *[combat.Attributes]int16 // attributes of this item; nil if they are those of the item's kind; immutable
}

// NoItem is the wire's item id of an empty slot.
const NoItem uint16 = 65535

// Empty reports whether the slot holds nothing.
func (s ItemStack) Empty() bool { return s.Amount == 0 }

// ID is the item id of the slot, NoItem if it is empty.
func (s ItemStack) ID() uint16 {
	if s.Empty() {
		return NoItem
	}
	return s.Item
}
