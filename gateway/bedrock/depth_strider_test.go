package bedrock

import (
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

func TestItemPacketContainsDepthStriderLevelOfBoots(t *testing.T) {
	w := &sim.World{Items: []sim.Item{{ID: 4, Name: "Plain"}, {ID: 5, Name: "Striders", DepthStrider: 3}}}
	tab := &appearanceTable{items: map[uint16]itemModel{}}
	tab.numberItems(w, &appearance.Bedrock{Items: map[uint16]string{4: "minecraft:iron_boots", 5: "minecraft:iron_boots"}})
	plain, striders := tab.items[4].wireItem(), tab.items[5].wireItem()
	if plain.NetworkID != striders.NetworkID || plain.NetworkID == 0 {
		t.Errorf("ids %d and %d", plain.NetworkID, striders.NetworkID)
	}
	if want := proto.EnchantedItem(plain.NetworkID, proto.EnchantmentDepthStrider, 3); string(striders.Extra) != string(want.Extra) || string(plain.Extra) == string(want.Extra) {
		t.Errorf("tags %x and %x", plain.Extra, striders.Extra)
	}
}
