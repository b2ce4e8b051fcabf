package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// Boots with depth strider make a predicted player faster in water. When the player puts them on, and when they break,
// the client is sent the new level with a barrier.
func TestWornBootsGiveDepthStriderToPredictedPlayer(t *testing.T) {
	w := predictWorld()
	w.Items[1].DepthStrider = 2
	s := newStage(t, w)
	k := s.predictClient(1, geom.Vec{})
	s.step(k.next(0))
	if level := k.state().Avatar.DepthStrider; level != 0 {
		t.Fatalf("level %d without boots", level)
	}
	wear := func(health uint8, want uint8) {
		t.Helper()
		k.x.inv[SlotFeet] = ItemStack{Item: w.Items[1].ID, Amount: 1, Health: health}
		s.a.updateEquipment(k.x)
		s.step(k.next(0))
		got := events(s.f, EventStance)
		if level := k.state().Avatar.DepthStrider; level != want || len(got) != 1 || got[0].Rewind.Serial == 0 || got[0].Rewind.State.DepthStrider != want {
			t.Errorf("boots with health %d: level %d, told by %+v", health, level, got)
		}
	}
	wear(100, 2)
	wear(0, 0)
}
