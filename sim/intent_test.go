package sim

import "testing"

func TestIDsFromDifferentNodesAndAreasAreDifferent(t *testing.T) {
	seen := map[EntityID]bool{}
	for _, node := range []uint16{0, 1, MaxNodes - 1} {
		for _, serial := range []uint64{1, 2, 1<<serialBits - 1} {
			id := PlayerID(node, serial)
			if seen[id] || id.Node() != node || id.Serial() != serial || id >= 1<<npcBit {
				t.Errorf("node %d, serial %d: id %#x of node %d", node, serial, id, id.Node())
			}
			seen[id] = true
		}
	}
	if id := PlayerID(0, 7); id != 7 {
		t.Errorf("on a single node the id is %d, want the serial number 7", id)
	}
	last := Area{id: MaxAreas - 1, lastID: 1<<npcBit - 2}
	if id := EntityID(last.newID()); id >= 1<<53 {
		t.Errorf("an NPC of the last possible area has the id %#x", id)
	} else if a, ok := id.AreaOfNPC(); !ok || a != MaxAreas-1 {
		t.Errorf("an NPC of the last possible area is of area %d, %v", a, ok)
	}
	if handle, _ := last.newHandle(); AreaOfHandle(handle) != last.id {
		t.Errorf("an item on the ground of the last possible area is of area %d, want %d", AreaOfHandle(handle), last.id)
	}
	npc := EntityID(1<<npcBit | 5<<serialBits)
	if npc.Node() != 0 || npc.Serial() != 0 {
		t.Errorf("an NPC has node %d and serial number %d", npc.Node(), npc.Serial())
	}
}
