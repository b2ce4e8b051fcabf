package sim

import (
	"strconv"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/reason"
)

// giveItems adds the items of an operator's order to the inventory of a player. It returns what was done, or why the
// order is refused: either all items fit, or nothing changes.
func (a *Area) giveItems(x *actor, in *Intent) (string, reason.Reason) {
	def := a.orderedItem(in)
	if def == nil || in.Amount == 0 {
		return "", reason.BadArgument
	}
	inv := x.inv
	added := a.world.AddItems(&inv, x.tmpl, def.ID, in.Amount)
	if added == nil {
		return "", reason.NoRoom
	}
	for _, s := range added {
		a.receive(x, ItemStack{Item: def.ID, Amount: s.Amount, Health: newItemHealth}, s.Slot)
	}
	what := itemText(int(in.Amount), def)
	a.emit(Event{Kind: EventMessage, Who: x.id, Text: "An operator has given you " + what + ".", N: ToneSystem})
	return "gave " + what, reason.None
}

// takeItems removes the items of an operator's order from the inventory of a player. It returns what was done, or why the
// order is refused.
func (a *Area) takeItems(x *actor, in *Intent) (string, reason.Reason) {
	def := a.orderedItem(in)
	if def == nil || in.SlotA > AnySlot {
		return "", reason.BadArgument
	}
	removed := x.inv.RemoveItems(def.ID, in.Amount, in.SlotA)
	if removed == nil {
		return "", reason.NotCarried
	}
	total, equipped, visible := 0, false, false
	for _, s := range removed {
		a.emit(Event{Kind: EventItemTaken, Who: x.id, N: int32(s.Slot), Value: int32(s.Amount)})
		total += int(s.Amount)
		equipped = equipped || s.Slot < SlotBackpack
		visible = visible || s.Slot <= SlotFeet
	}
	if equipped {
		a.updateEquipment(x)
	}
	if visible {
		a.emit(Event{Kind: EventEquipment, Who: x.id})
	}
	x.bodyStale = true
	x.saveTick = a.now
	what := itemText(total, def)
	a.emit(Event{Kind: EventMessage, Who: x.id, Text: "An operator has taken " + what + " from you.", N: ToneSystem})
	return "took " + what, reason.None
}

// orderedItem returns the kind of item that an order names, nil if the world has none with that id.
func (a *Area) orderedItem(in *Intent) *Item {
	if in.Ground >= uint32(NoItem) {
		return nil
	}
	return a.world.Item(uint16(in.Ground))
}

// itemText returns a number of items as text for people, such as "3 × Bread".
func itemText(n int, def *Item) string {
	if n == 1 {
		return def.Name
	}
	return strconv.Itoa(n) + " × " + def.Name
}

// MaxAttribute is the largest value and maximum that an operator can set for an attribute. Source:
// docs/wire/rcce.md#statupdate, the range that all clients interpret alike.
const MaxAttribute = 32767

// maxSpeedFactor is the greatest speed attribute that an operator can set, as a multiple of the template's speed. It is limited
// because the cost of a simulated step grows with the speed.
const maxSpeedFactor = 10

// AttributeRange returns the range of values that an operator can set for attribute i of an actor of template t. The result ok is
// false if the world has no such attribute.
func (w *World) AttributeRange(t *Template, i int) (lowest, highest int32, ok bool) {
	if i < 0 || i >= combat.Attributes || w.Attributes[i].Name == "" {
		return 0, 0, false
	}
	lowest, highest = 0, MaxAttribute
	switch own := t.Attr[i].Value; {
	case i == w.Roles.Health:
		lowest = 1 // an order cannot kill: a health of 0 means death
	case i == w.Roles.Speed && own > 0:
		highest = int32(min(int64(own)*maxSpeedFactor, MaxAttribute))
	}
	return lowest, highest, true
}

// SetAttribute sets the value and the maximum of attribute i of an actor of template t; -1 leaves either unchanged. If only the
// maximum is set, a value above the new maximum is lowered to it. SetAttribute returns false, and changes nothing, if a result
// is outside AttributeRange or the value is above its maximum.
func (w *World) SetAttribute(attr *[combat.Attributes]combat.Attribute, t *Template, i int, value, maximum int32) bool {
	lowest, highest, ok := w.AttributeRange(t, i)
	if !ok || value < -1 || maximum < -1 {
		return false
	}
	to := attr[i]
	if maximum >= 0 {
		to.Max = maximum
		to.Value = min(to.Value, maximum)
		if maximum < lowest || maximum > MaxAttribute {
			return false
		}
	}
	if value >= 0 {
		to.Value = value
		if value < lowest || value > highest {
			return false
		}
	}
	if to.Value > to.Max || i == w.Roles.Speed && to.Max < 1 { // the rules use the speed as a share of its maximum, so the maximum must not be 0
		return false
	}
	attr[i] = to
	return true
}

// setAttribute sets an attribute of a player by an operator's order. It returns what was done, or why the order is
// refused. The health of a dead player cannot be set, because the respawn sets it.
func (a *Area) setAttribute(x *actor, in *Intent) (string, reason.Reason) {
	roles, i := &a.world.Roles, int(in.SlotA)
	if i == roles.Health && x.dead {
		return "", reason.Dead
	}
	var numbers [MaxGameArgs]int32
	if in.Args != nil {
		numbers = *in.Args
	}
	before := x.attr
	if !a.world.SetAttribute(&x.attr, x.tmpl, i, numbers[0], numbers[1]) {
		return "", reason.BadArgument
	}
	now := x.attr[i]
	if now.Max != before[i].Max {
		a.emit(Event{Kind: EventStatMaximum, Who: x.id, N: int32(i), Value: now.Max})
	}
	shown := now.Value
	if i == roles.Speed {
		shown = a.speedAttribute(x).Value
	}
	a.emit(Event{Kind: EventStat, Who: x.id, N: int32(i), Value: shown})
	x.saveTick = a.now
	def := &a.world.Attributes[i]
	what := def.Name + " to " + strconv.Itoa(int(now.Value)) + " of " + strconv.Itoa(int(now.Max))
	if !def.Hidden {
		a.emit(Event{Kind: EventMessage, Who: x.id, Text: "An operator has set your " + what + ".", N: ToneSystem})
	}
	return "set " + what, reason.None
}
