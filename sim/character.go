package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// CharacterID is the number of a character in the store, at least 1. The value 0 stands for no character.
type CharacterID int64

// Character is the persistent record of a player's character. A join intent contains the current record, and record
// events contain new ones. All records are immutable. Strings are UTF-8.
type Character struct {
	ID CharacterID
	// Version counts the records of this character that areas have emitted. Of two records the one with the higher
	// version is newer; records with equal versions are equal.
	Version    uint64
	Name       string
	Tag        string     // text that clients show with the name; "" for none
	Door       string     // name of the door through which the character was created
	GM         bool       // the character is a game master
	Appearance Appearance // details of how clients draw the character
	Level      int32      // level of the character
	XP         int32      // experience points
	XPBar      uint8      // how far the client fills the experience bar, 0 empty to 255 full
	Gold       int32      // money of the character
	Reputation int32      // reputation points

	Template uint16   // id of the character's template
	Area     string   // name of the area; an unknown name places the player at its template's start
	Pos      geom.Vec // position in the area, world units
	Yaw      float32  // direction that the player faces, degrees

	Attr        [combat.Attributes]combat.Attribute // attributes by index, each with value and maximum
	Resist      [combat.DamageTypes]int32           // resistance by damage type in percent: above 100 reduces damage, below 100 increases it
	HomeFaction uint8                               // index of the character's faction, 0..99
	Ratings     [combat.Factions]uint8              // ratings toward each faction, 0..200, 100 is neutral

	Inventory Inventory     // items that the character has, by slot
	Fields    []SavedField  // saved fields of the game whose values are not the defaults
	Dropped   []DroppedItem // items that the character dropped and no player has picked up; no rule reads them
	Pets      []Pet         // pets of the player, including one that it rides

	LastPortalArea string     // name of the area with the portal that the player used last; "" for none
	LastPortal     int32      // index of that portal in LastPortalArea; valid if LastPortalArea is set
	ActionBar      [36]string // contents of the slots of the client's action bar; no rule reads them
}

// DroppedItem is an item that a character dropped and that no player has picked up. It is stored in the record of the
// character, so that it survives if the area on whose ground it lies loses its state. Package session adds it to the
// record, and returns it to the inventory when the character next enters the world.
type DroppedItem struct {
	Handle uint32    // GroundItem.Handle; 0 for an item that did not fit into the inventory when it was returned
	Stack  ItemStack // kind and number of the items
}

// Appearance is how a client draws an actor, in addition to its template. Gender is 0..1, the other fields are 0..4.
type Appearance struct{ Gender, Face, Hair, Beard, Body uint8 }

// Pet is an NPC that follows a player, as stored in the player's record.
type Pet struct {
	Template uint16 // id of the pet's template
	Name     string // "" for the name of the template's race
	Health   int32  // current health; 0 for full health
}

// Slots of an inventory. The slots without a constant are 9..11, three more rings, 13, a second amulet, and 15..45, the rest of
// the backpack. Source: docs/wire/rcce.md, section 2.
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

// Inventory is all items of an actor, by slot: 0..13 equipment, 14..45 backpack.
type Inventory [SlotCount]ItemStack

// ItemStack is the content of one slot. If Amount is 0, the slot is empty, whatever the other fields contain.
type ItemStack struct {
	Item   uint16                    // id of the kind of item
	Amount uint16                    // number of items, 0 for an empty slot
	Health uint8                     // condition of the item, 0 broken to 100 undamaged
	Attr   *[combat.Attributes]int16 // attributes of this item; nil if they are those of the item's kind; immutable
}

// NoItem stands for an empty slot where only the item id of the slot is given, as in Body.Equipment.
const NoItem uint16 = 65535

// Empty reports whether the slot contains no item.
func (s ItemStack) Empty() bool { return s.Amount == 0 }

// ID returns the item id of the slot, NoItem if the slot is empty.
func (s ItemStack) ID() uint16 {
	if s.Empty() {
		return NoItem
	}
	return s.Item
}
