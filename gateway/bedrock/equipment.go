package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// equipment contains the items that an actor visibly holds and wears. A zero itemModel stands for an empty hand or no
// armour.
type equipment struct{ hand, offHand, head, chest, legs, feet itemModel }

// equipmentOf returns the visible items of an actor with the body b.
func (tab *appearanceTable) equipmentOf(b *sim.Body) equipment {
	return equipment{
		hand: tab.items[b.Equipment[sim.SlotWeapon]], offHand: tab.items[b.Equipment[sim.SlotShield]],
		head: tab.items[b.Equipment[sim.SlotHat]], chest: tab.items[b.Equipment[sim.SlotChest]],
		legs: tab.items[b.Equipment[sim.SlotLegs]], feet: tab.items[b.Equipment[sim.SlotFeet]],
	}
}

// hasArmour reports whether clients display at least one item that the actor wears.
func (e *equipment) hasArmour() bool { return e.head.id|e.chest.id|e.legs.id|e.feet.id != 0 }

func mainHandPacket(av *actorView) proto.MobEquipment {
	return proto.MobEquipment{Runtime: av.runtimeID, Item: av.equipment.hand.wireItem(), Window: proto.WindowInventory}
}

func offHandPacket(av *actorView) proto.MobEquipment {
	return proto.MobEquipment{Runtime: av.runtimeID, Item: av.equipment.offHand.wireItem(), Window: proto.WindowOffHand}
}

func armourPacket(av *actorView) proto.MobArmorEquipment {
	e := &av.equipment
	return proto.MobArmorEquipment{
		Runtime: av.runtimeID, Helmet: e.head.wireItem(), Chest: e.chest.wireItem(), Legs: e.legs.wireItem(), Boots: e.feet.wireItem(),
	}
}

// sendEquipment sends the equipment of an actor to a client that has just added the actor to its display.
func (c *conn) sendEquipment(av *actorView) {
	if av.equipment.hand.id != 0 {
		send(c, mainHandPacket(av))
	}
	if av.equipment.offHand.id != 0 {
		send(c, offHandPacket(av))
	}
	if av.equipment.hasArmour() {
		send(c, armourPacket(av))
	}
}

// sendOwnArmour sends a client the armour of its own player. The client predicts with it, because enchantments of armour
// change the movement. Nothing is sent if the connection was closed meanwhile because the send queue was full.
func (c *conn) sendOwnArmour() {
	if c.scene == nil {
		return
	}
	av := c.scene.find(c.session.Entity)
	if av == nil {
		return
	}
	e := &av.equipment
	send(c, proto.InventoryContent{
		Window: proto.WindowArmor, Container: proto.ContainerName{Kind: proto.ContainerKindArmor},
		Items: []proto.Item{e.head.wireItem(), e.chest.wireItem(), e.legs.wireItem(), e.feet.wireItem()},
	})
}
