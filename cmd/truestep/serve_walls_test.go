package main

import (
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim/move"
)

// At the start it is said, in one line, what stops a player who claims to be where he could not walk.
func TestServeSaysWhatItKnowsOfWalls(t *testing.T) {
	dir := tinyProject(t)
	project, err := (&serveCmd{worldFlags: worldFlags{RcceProject: dir, ClaimPolicy: "world", Step: "world"}}).loadWorld()
	if err != nil {
		t.Fatal(err)
	}
	embedded := &servedWorld{def: content.DefaultWorld()}
	seed := &servedWorld{def: content.DefaultWorld()}
	seed.def.Rules.Claim = move.SeedClaimPolicy()
	few := &servedWorld{def: content.DefaultWorld()}
	few.def.Areas = few.def.Areas[:1]
	for want, w := range map[string]*servedWorld{
		"this world has no collision data on the server: claims of position are bounded by speed alone":                                                 project,
		"walls stop claims of position; in Windmoor, Old Wood, Mirror Lake, The Ring there are none, and claims of position are bounded by speed alone": embedded,
		"claims of position are judged by the original's rule, which looks at speed alone and at no walls":                                              seed,
		"walls stop claims of position in every area":                                                                                                   few,
	} {
		if got := collisions(w.def); got != want {
			t.Errorf("it says %q, want %q", got, want)
		}
	}
}
