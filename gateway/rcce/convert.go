package rcce

import (
	"math"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/move"
)

// The functions of this file convert between the world and the protocol. Both use the same unit of length and float32, so
// positions are not rounded. A number that does not fit into a field of 8 or 16 bits is replaced by the nearest value that does.

func u8(v int32) uint8   { return uint8(min(max(v, 0), math.MaxUint8)) }
func u16(v int32) uint16 { return uint16(min(max(v, 0), math.MaxUint16)) }
func i16(v int32) int16  { return int16(min(max(v, math.MinInt16), math.MaxInt16)) }

// areaHandle returns the number that identifies an area in packets: its id plus 1, because the protocol does not allow 0.
func areaHandle(id sim.AreaID) uint32 { return uint32(id) + 1 }

// changeArea returns the packet by which a client loads the area of the frame f and places its own player there, at the position of
// the player's actor "a". The parameter def is the definition of that area.
func changeArea(def *sim.AreaDef, f *sim.Frame, a *sim.ActorState) proto.ChangeArea {
	return proto.ChangeArea{
		X: a.Pos.X, Y: a.Pos.Y, Z: a.Pos.Z, Yaw: a.Yaw,
		PvP: proto.FlagByte(def.PvP), Gravity: def.Gravity, Area: areaHandle(f.Area), Weather: uint8(f.Weather), Name: encodeText(def.Name),
	}
}

// newActor returns the packet that makes a client display the actor "a". The parameter rid is the actor's runtime id.
func newActor(w *sim.World, area sim.AreaID, rid uint16, a *sim.ActorState) proto.NewActor {
	b := a.Body
	p := proto.NewActor{
		Area: areaHandle(area), RuntimeID: rid, Level: u16(b.Level), XP: uint32(max(b.XP, 0)), Template: b.Template,
		X: a.Pos.X, Y: a.Pos.Y, Z: a.Pos.Z, Yaw: a.Yaw,
		IsPlayer: proto.FlagByte(a.Is(sim.FlagPlayer)), Name: encodeText(b.Name), Tag: encodeText(b.Tag),
		Reputation: i16(b.Reputation),
		Face:       uint16(b.Appearance.Face), Hair: uint16(b.Appearance.Hair), Body: uint16(b.Appearance.Body), Beard: uint16(b.Appearance.Beard),
		Health: uint16(proto.StatPoints(a.Health)), HealthMax: uint16(proto.StatPoints(a.HealthMax)),
		Weapon: b.Equipment[sim.SlotWeapon], Shield: b.Equipment[sim.SlotShield], Hat: b.Equipment[sim.SlotHat], Chest: b.Equipment[sim.SlotChest],
		Faction: b.HomeFaction, Ratings: b.Ratings,
	}
	p.Speed, p.SpeedMax = shownSpeed(a)
	if t := w.Template(b.Template); t != nil && t.Genders == 0 {
		p.HasGender, p.Gender = true, b.Appearance.Gender
	}
	return p
}

// toClaim converts a client's position packet to a move.Claim. It does not check the coordinates. The area checks them and
// replaces a coordinate outside the world by 0.
func toClaim(p *proto.StandardUpdateRequest) move.Claim {
	return move.Claim{
		DestX: p.DestX, DestZ: p.DestZ, Y: p.Y, X: p.X, Z: p.Z,
		Running: p.IsRunning != 0, Backward: p.WalkingBackward != 0,
	}
}

// standardUpdate returns the position update about an actor for the clients of other players. The parameters rid and mount are
// the runtime ids of the actor and of its mount.
func standardUpdate(rid, mount uint16, a *sim.ActorState) proto.StandardUpdate {
	p := proto.StandardUpdate{
		RuntimeID: rid, X: a.Pos.X, Z: a.Pos.Z,
		IsRunning: proto.FlagByte(a.Is(sim.FlagRunning)), WalkingBackward: proto.FlagByte(a.Is(sim.FlagBackward)),
		DestX: a.DestX, DestZ: a.DestZ, Mount: mount,
	}
	if a.Is(sim.FlagFlying) {
		p.Tail, p.Y = proto.HeightTail, a.Pos.Y
	}
	return p
}

// selfUpdate converts the parameter p, a position update for other clients, to the update for the actor's own client: without the
// height, and with the energy if actors of this world have any.
func selfUpdate(p proto.StandardUpdate, roles *combat.AttributeRoles, a *sim.ActorState) proto.StandardUpdate {
	p.Tail, p.Y = proto.NoTail, 0
	if roles.Energy >= 0 {
		p.Tail, p.Energy = proto.EnergyTail, u16(a.Energy)
	}
	return p
}

// equipment returns the packet with the items that an actor wears. The parameter rid is the actor's runtime id.
func equipment(models *appearance.RealmCrafter, rid uint16, b *sim.Body) proto.InventoryEquipment {
	p := proto.InventoryEquipment{
		RuntimeID: rid, Weapon: b.Equipment[sim.SlotWeapon], Shield: b.Equipment[sim.SlotShield],
		Chest: b.Equipment[sim.SlotChest], Hat: b.Equipment[sim.SlotHat],
	}
	for _, id := range b.Equipment {
		for i, g := range models.Item(id).Gubbins {
			p.Gubbins[i] |= proto.FlagByte(g != 0)
		}
	}
	return p
}

// itemInstance converts an item stack to the type of the protocol. If the stack has no attributes of its own, it uses those of
// the item's definition.
func itemInstance(w *sim.World, s sim.ItemStack) proto.ItemInstance {
	it := proto.ItemInstance{ID: s.ID(), Health: s.Health}
	attr := s.Attr
	if attr == nil {
		if def := w.Item(s.ID()); def != nil {
			attr = &def.Attr
		}
	}
	if attr != nil {
		for i, v := range attr {
			it.Attributes[i] = int32(v)
		}
	}
	return it
}

// droppedItem returns the packet that makes clients display an item on the ground.
func droppedItem(w *sim.World, g *sim.GroundItem) proto.InventoryDropped {
	return proto.InventoryDropped{
		Amount: g.Stack.Amount, X: g.Pos.X, Y: g.Pos.Y, Z: g.Pos.Z, Drop: g.Handle, Item: itemInstance(w, g.Stack),
	}
}

// projectile returns the packet that makes clients display a projectile. The parameters from and to are the runtime ids of
// attacker and target.
func projectile(p *combat.Projectile, look appearance.RealmCrafterProjectile, from, to uint16) proto.Projectile {
	return proto.Projectile{
		Source: from, Target: to, Mesh: look.Mesh, Texture1: look.Texture1, Texture2: look.Texture2,
		Homing: proto.FlagByte(look.Homing), Speed: p.Speed,
		Emitter1: encodeText(look.Emitter1), Emitter2: encodeText(look.Emitter2),
	}
}

// rosterEntries converts the characters of an account to the entries of the list that the client shows, at most
// proto.MaxCharacters.
func rosterEntries(roster []*sim.Character) []proto.RosterEntry {
	list := []proto.RosterEntry{}
	for _, c := range roster[:min(len(roster), proto.MaxCharacters)] {
		list = append(list, proto.RosterEntry{
			Name: encodeText(c.Name), Template: c.Template,
			Gender: c.Appearance.Gender, Face: c.Appearance.Face, Hair: c.Appearance.Hair, Beard: c.Appearance.Beard, Body: c.Appearance.Body,
		})
	}
	return list
}

// slotsPerMessage is the number of inventory slots per message, as in the original RealmCrafter server. Each message is then
// shorter than 1 kB.
const slotsPerMessage = 11

// characterSheet returns the packets that answer FetchCharacter: level and other basic values, attributes and inventory of a
// character.
func characterSheet(w *sim.World, c *sim.Character) []proto.Packet {
	fields := proto.FetchCharacterSheet{
		Gold: uint32(max(c.Gold, 0)), Reputation: i16(c.Reputation), Level: u16(c.Level), XP: uint32(max(c.XP, 0)), Faction: c.HomeFaction,
	}
	for i, a := range c.Attr {
		fields.Attributes[i] = proto.Attribute{Value: u16(a.Value), Max: u16(a.Max)}
	}
	packets := []proto.Packet{fields}
	for from := 0; from < len(c.Inventory); from += slotsPerMessage {
		var part proto.FetchCharacterItems
		for slot := from; slot < min(from+slotsPerMessage, len(c.Inventory)); slot++ {
			if st := c.Inventory[slot]; st.Empty() {
				part.Slots = append(part.Slots, proto.SlotItem{Slot: proto.EmptySlot})
			} else {
				part.Slots = append(part.Slots, proto.SlotItem{Slot: uint8(slot), Item: itemInstance(w, st), Amount: st.Amount})
			}
		}
		packets = append(packets, part)
	}
	return append(packets, proto.FetchCharacterEnd{})
}
