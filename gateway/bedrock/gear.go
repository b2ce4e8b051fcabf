package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// gear is what is seen of what an actor wears.
type gear struct{ hand, off, head, chest, legs, feet thing }

// gearOf looks up what the items of a body are to clients.
func (d *wardrobe) gearOf(b *sim.Body) gear {
	return gear{
		hand: d.items[b.Equipment[sim.SlotWeapon]], off: d.items[b.Equipment[sim.SlotShield]],
		head: d.items[b.Equipment[sim.SlotHat]], chest: d.items[b.Equipment[sim.SlotChest]],
		legs: d.items[b.Equipment[sim.SlotLegs]], feet: d.items[b.Equipment[sim.SlotFeet]],
	}
}

func (g *gear) armoured() bool { return g.head.id|g.chest.id|g.legs.id|g.feet.id != 0 }

func handOf(n *face) proto.MobEquipment {
	return proto.MobEquipment{Runtime: n.wire, Item: n.gear.hand.item(), Window: proto.WindowInventory}
}

func offHandOf(n *face) proto.MobEquipment {
	return proto.MobEquipment{Runtime: n.wire, Item: n.gear.off.item(), Window: proto.WindowOffHand}
}

func armourOf(n *face) proto.MobArmorEquipment {
	g := &n.gear
	return proto.MobArmorEquipment{
		Runtime: n.wire, Helmet: g.head.item(), Chest: g.chest.item(), Legs: g.legs.item(), Boots: g.feet.item(),
	}
}

// dress shows a client what somebody wears whom it met a moment ago, bare.
func (c *conn) dress(n *face) {
	if n.gear.hand.id != 0 {
		send(c, handOf(n))
	}
	if n.gear.off.id != 0 {
		send(c, offHandOf(n))
	}
	if n.gear.armoured() {
		send(c, armourOf(n))
	}
}
