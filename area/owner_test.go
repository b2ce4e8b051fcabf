package area

import (
	"math"
	"testing"
)

func TestWorldWithoutClusterOwnsEveryAreaAndWaitsForNoOtherNode(t *testing.T) {
	w := NewWorld(twoFields(), Options{Seed: 1})
	for a := range w.Def().Areas {
		id := w.areas[a].id
		if epoch, own := w.Owner(id); epoch != 0 || !own {
			t.Errorf("area %d: owned %v in epoch %d, want true in epoch 0", id, own, epoch)
		}
		if tick := w.SavedTick(id); tick != math.MaxUint64 {
			t.Errorf("area %d: tick %d is saved by another process, want the newest possible", id, tick)
		}
	}
	if ticks, err := w.Barrier(t.Context()); ticks != nil || err != nil {
		t.Errorf("barrier: %v, %v; want none", ticks, err)
	}
	if p, found, err := w.Find(t.Context(), 1); found || err != nil {
		t.Errorf("found %+v, %v, %v; want no player", p, found, err)
	}
}
