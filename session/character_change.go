package session

import (
	"fmt"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// CharacterChange is an operator's change of a stored character. Fields that are nil or empty are not changed.
type CharacterChange struct {
	Name       *string           // new name of the character
	Area       *string           // name of the new area; Pos should be set too
	Pos        *geom.Vec         // new position, world units
	Level      *int32            // new level, 1..65536
	XP         *int32            // new experience points, not negative
	Gold       *int32            // new amount of money, not negative
	Reputation *int32            // new reputation points, -32768..32767
	Attributes []AttributeChange // attributes to set
	Items      []ItemChange      // inventory slots to set
	Take       []ItemAmount      // items to remove, after Items was applied; amount 0 removes all items of the kind
	Give       []ItemAmount      // items to add in any free slots, after Take was applied
}

// ItemAmount is a number of items of one kind, in any inventory slots.
type ItemAmount struct {
	Item   uint16 // ID of the kind of item in the world
	Amount uint16 // number of items
}

// AttributeChange sets the value or the maximum of an attribute.
type AttributeChange struct {
	Index      int    // index of the attribute, 0..combat.Attributes-1
	Value, Max *int32 // new value and new maximum; nil for no change
}

// ItemChange sets the content of an inventory slot.
type ItemChange struct {
	Slot   int    // inventory slot, 0..sim.SlotCount-1
	Item   uint16 // ID of the kind of item; ignored if Amount is 0
	Amount uint16 // number of items; 0 empties the slot
	Health uint8  // condition of the items in percent; 0 means 100
}

// InvalidChange is the error for a change of a character that is refused. Why tells the operator the reason.
type InvalidChange struct{ Why string }

// Error returns the reason.
func (e *InvalidChange) Error() string { return e.Why }

func refuseChange(format string, args ...any) error {
	return &InvalidChange{fmt.Sprintf(format, args...)}
}

// maxItemHealth is the health of an undamaged item in percent.
const maxItemHealth = 100

// apply applies the change to c. The parameter w is nil if the world is unknown; names of areas and IDs of items are
// then not checked. Errors: InvalidChange.
func (x *CharacterChange) apply(c *sim.Character, w *sim.World) error {
	if x.Name != nil {
		if !isValidName(*x.Name, nil) {
			return refuseChange("the name %.50q is not allowed: 1 to %d printable ASCII characters without < and >, no space at its ends", *x.Name, MaxCharacterName)
		}
		c.Name = *x.Name
	}
	if err := x.applyPlace(c, w); err != nil {
		return err
	}
	for _, f := range []struct {
		name      string
		to        *int32
		from      *int32
		min, most int32
	}{
		{"level", &c.Level, x.Level, 1, 1 << 16}, {"xp", &c.XP, x.XP, 0, 1<<31 - 1}, {"gold", &c.Gold, x.Gold, 0, 1<<31 - 1},
		{"reputation", &c.Reputation, x.Reputation, -1 << 15, 1<<15 - 1},
	} {
		if f.from == nil {
			continue
		}
		if *f.from < f.min || *f.from > f.most {
			return refuseChange("%s %d: must be %d..%d", f.name, *f.from, f.min, f.most)
		}
		*f.to = *f.from
	}
	for _, a := range x.Attributes {
		if err := a.apply(c, w); err != nil {
			return err
		}
	}
	for _, i := range x.Items {
		if err := i.apply(c, w); err != nil {
			return err
		}
	}
	return x.applyAmounts(c, w)
}

// applyAmounts removes the items of x.Take from the inventory of c, and then adds the items of x.Give, by the same rules as
// for players in the world.
func (x *CharacterChange) applyAmounts(c *sim.Character, w *sim.World) error {
	if len(x.Take) == 0 && len(x.Give) == 0 {
		return nil
	}
	if w == nil {
		return refuseChange("items can be given and taken only while the server runs, because its world defines which items stack; set the content of inventory slots instead")
	}
	for _, n := range x.Take {
		def := w.Item(n.Item)
		if def == nil {
			return refuseChange("there is no item %d in this world", n.Item)
		}
		if c.Inventory.RemoveItems(n.Item, n.Amount, sim.AnySlot) == nil {
			return refuseChange("the character does not carry so many items of the kind %s", def.Name)
		}
	}
	for _, n := range x.Give {
		def, t := w.Item(n.Item), w.Template(c.Template)
		switch {
		case def == nil:
			return refuseChange("there is no item %d in this world", n.Item)
		case n.Amount == 0:
			return refuseChange("the amount of %s to give must be 1 or more", def.Name)
		case t == nil:
			return refuseChange("the character has actor template %d, which this world does not define", c.Template)
		case w.AddItems(&c.Inventory, t, n.Item, n.Amount) == nil:
			return refuseChange("the inventory has no room for the items")
		}
	}
	return nil
}

func (x *CharacterChange) applyPlace(c *sim.Character, w *sim.World) error {
	if x.Area != nil {
		area := *x.Area
		if !isPrintable(area, 1, maxAccountName) {
			return refuseChange("%.50q cannot be the name of an area: a name has 1 to 50 characters and no control characters", area)
		}
		if w != nil {
			id := w.AreaNamed(area)
			if id == sim.NoArea {
				return refuseChange("there is no area %.50q in this world", area)
			}
			area = w.Areas[id].Name
		}
		c.Area = area
	}
	if x.Pos != nil {
		p := *x.Pos
		for _, v := range [...]float32{p.X, p.Y, p.Z} {
			if move.SanitizeCoord(v) != v { // true for NaN too
				return refuseChange("each coordinate of the position must be within %d world units of 0", move.WorldLimit)
			}
		}
		c.Pos = p
	}
	return nil
}

func (a *AttributeChange) apply(c *sim.Character, w *sim.World) error {
	if a.Index < 0 || a.Index >= combat.Attributes {
		return refuseChange("attribute number %d is out of range: want 0..%d", a.Index, combat.Attributes-1)
	}
	to := c.Attr[a.Index]
	if a.Value != nil {
		to.Value = *a.Value
	}
	if a.Max != nil {
		to.Max = *a.Max
	}
	if to.Value < 0 || to.Max < 0 || to.Value > to.Max {
		return refuseChange("attribute %d: value %d and maximum %d; want 0 <= value <= maximum", a.Index, to.Value, to.Max)
	}
	if w != nil && w.Template(c.Template) != nil {
		t := w.Template(c.Template)
		lowest, highest, ok := w.AttributeRange(t, a.Index)
		if !ok {
			return refuseChange("attribute %d: the world has no attribute with this number", a.Index)
		}
		if !w.SetAttribute(&c.Attr, t, a.Index, to.Value, to.Max) {
			return refuseChange("%s: value %d and maximum %d: the value must be %d..%d, the maximum at most %d", w.Attributes[a.Index].Name, to.Value, to.Max, lowest, highest, sim.MaxAttribute)
		}
		return nil
	}
	c.Attr[a.Index] = to
	return nil
}

func (i *ItemChange) apply(c *sim.Character, w *sim.World) error {
	if i.Slot < 0 || i.Slot >= sim.SlotCount {
		return refuseChange("inventory slot %d: the slot must be 0..%d", i.Slot, sim.SlotCount-1)
	}
	if i.Amount == 0 {
		c.Inventory[i.Slot] = sim.ItemStack{}
		return nil
	}
	health := i.Health
	if health == 0 {
		health = maxItemHealth
	}
	if health > maxItemHealth {
		return refuseChange("inventory slot %d: item health %d: must be 1..%d", i.Slot, health, maxItemHealth)
	}
	if w != nil {
		def := w.Item(i.Item)
		if def == nil {
			return refuseChange("inventory slot %d: there is no item %d in this world", i.Slot, i.Item)
		}
		if i.Amount > 1 && !def.Stackable {
			return refuseChange("inventory slot %d: %s does not stack, so the amount must be 1", i.Slot, def.Name)
		}
	}
	c.Inventory[i.Slot] = sim.ItemStack{Item: i.Item, Amount: i.Amount, Health: health}
	return nil
}
