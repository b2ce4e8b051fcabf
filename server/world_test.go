package server

import (
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

func TestStartLogSaysInWhichAreasWallsStopClaims(t *testing.T) {
	world := func(change func(*sim.World)) *sim.World {
		w := content.DefaultWorld().World
		change(w)
		return w
	}
	for want, w := range map[string]*sim.World{
		"this world has no collision data on the server: claims of position are bounded by speed alone": world(func(w *sim.World) {
			for i := range w.Areas {
				w.Areas[i].Walls = nil
			}
		}),
		"walls stop claims of position; in Windmoor, Old Wood, Mirror Lake, The Ring there are none, and claims of position are bounded by speed alone": content.DefaultWorld().World,
		"claims of position are judged by the original's rule, which looks at speed alone and at no walls":                                              world(func(w *sim.World) { w.Rules.Claim = move.OriginalClaimPolicy() }),
		"walls stop claims of position in every area": world(func(w *sim.World) { w.Areas = w.Areas[:1] }),
	} {
		if got := describeWalls(w); got != want {
			t.Errorf("got %q, want %q", got, want)
		}
	}
}

func TestClaimPolicyAndStepSettingsOverrideRulesOfWorldFile(t *testing.T) {
	w, err := (&WorldConfig{ClaimPolicy: "seed", Step: "l1"}).Load()
	if err != nil {
		t.Fatal(err)
	}
	if got := w.World.Rules; got.Claim != move.OriginalClaimPolicy() || got.Step != move.L1 {
		t.Errorf("rules are %+v, %v", got.Claim, got.Step)
	}
}
