package oneworld

import (
	"slices"
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Newcomers of all doors, whom nobody has announced, meet on the green of the embedded world: they see each other and
// those who live there, talk, and fight one of the rats.
func TestNewcomersMeetInTheEmbeddedWorld(t *testing.T) {
	t.Parallel()
	r := open(t, content.DefaultWorld())
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
		p.fight("Rat")
	}
	for _, p := range all {
		if !within(patience, func() bool { return len(r.truth.did(sim.EventStruck, p.name, "Rat")) > 0 }) {
			_, a, _ := r.truth.of(p.name)
			t.Errorf("%s has struck no rat: %+v; %v", p.name, *a, r.truth.told(func(d *deed) bool { return d.by == p.name }))
		}
	}
	for i, p := range all {
		p.peace()
		p.goes(geom.Vec{X: float32(20 * i), Z: -50})
	}
	honest(t, all...)
}
