package oneworld

import (
	"slices"
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
)

// Newcomers of all doors, whom nobody has announced, meet on the green of the embedded world: they see each other and
// those who live there, talk, and fight one of the rats.
func TestNewcomersMeetInTheEmbeddedWorld(t *testing.T) {
	overAllLines(t, func(testing.TB) *sim.World { return content.DefaultWorld() }, func(t *testing.T, r *rig) {
		var all []*player
		for _, door := range doors {
			p, err := r.dial(t.Context(), door, "New"+door)
			if err != nil {
				t.Fatal(err)
			}
			t.Cleanup(p.leave)
			all = append(all, p)
		}
		for _, p := range all {
			soon(t, p.name+" is in the world", func() bool { _, _, ok := r.truth.of(p.name); return ok })
		}
		r.agree(t, "Truestep Vale", all, all)
		for _, p := range all {
			soon(t, p.name+" sees a rat", func() bool { return slices.Contains(p.names(), "Rat") })
			p.say("Hail from " + p.name)
		}
		for _, p := range all {
			for _, o := range all {
				if p != o {
					soon(t, p.name+" hears "+o.name, func() bool { return p.heard(o.name, "Hail from "+o.name) })
				}
			}
		}
		for _, door := range [...]string{rs, rcce, bedrock} { // who walks on tiles is the slowest, and would find them all dead
			p := through(door, all)[0]
			p.fight("Rat")
			soon(t, p.name+" strikes a rat", func() bool { return len(r.truth.did(sim.EventAttacked, p.name, "Rat")) > 0 })
			p.peace()
		}
		honest(t, all...)
	})
}
