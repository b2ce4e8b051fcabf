package terrain

import (
	"testing"
)

func TestEveryBlockKindHasUniqueShortNameAndValidProperties(t *testing.T) {
	words := map[string]bool{}
	for id := range BlockID(BlockKindCount()) {
		k := id.Kind()
		if at, ok := BlockNamed(k.Word); !ok || at != id || words[k.Word] {
			t.Errorf("%d: BlockNamed(%q) gives %d, %v", id, k.Word, at, ok)
		}
		words[k.Word] = true
		if !(k.Slipperiness >= 0.6 && k.Slipperiness < 1) || !(k.SpeedFactor > 0) {
			t.Errorf("%s: slipperiness %v, speed factor %v", k.Word, k.Slipperiness, k.SpeedFactor)
		}
		if k.full != (len(k.Boxes) == 1 && k.Boxes[0] == layer(0, 1)) {
			t.Errorf("%s: full is %v, its boxes are %v", k.Word, k.full, k.Boxes)
		}
		for _, b := range k.Boxes {
			for _, side := range [][2]float32{{b.Min.X, b.Max.X}, {b.Min.Y, b.Max.Y}, {b.Min.Z, b.Max.Z}} {
				if !(0 <= side[0] && side[0] < side[1] && side[1] <= 1) {
					t.Errorf("%s: box %v", k.Word, b)
				}
			}
		}
	}
	if _, ok := BlockNamed("cheese"); ok || BlockID(200).Kind() != Air.Kind() {
		t.Error("an id beyond the table is not air")
	}
}
