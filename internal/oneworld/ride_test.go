package oneworld

import (
	"slices"
	"strings"
	"testing"
	"time"

	bedrockcl "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/sim/geom"
)

// ridingWorld returns the test world with a horse in the Field that does not move by itself.
func ridingWorld(t testing.TB) *content.World {
	const template, spawn = "[[template]]\nid = 3\n", "[[area.path]]\nname = \"Flight\"\n"
	toml := strings.Replace(testWorld, template, "[[template]]\nid = 9\nrace = \"Horse\"\nrideable = true\nbedrock = { entity = \"minecraft:horse\" }\n"+
		"attributes = { Health = 60, Speed = [60, 100] }\n\n"+template, 1)
	return load(t, strings.Replace(toml, spawn, "[[area.spawn]]\ntemplate = \"Horse\"\nat = [30, 0, 10]\nsize = 0\n\n"+spawn, 1))
}

// A Bedrock player rides a horse past players of the other doors. Each of their clients shows the rider at the server's
// position, and RealmCrafter clients show the horse at the same position. The rider is not corrected.
func TestRiderOfPredictedHorseIsSeenByPlayersOfAllProtocols(t *testing.T) {
	overAllLines(t, ridingWorld, func(t *testing.T, r *rig) {
		var entrants []entrant
		for i, door := range doors {
			entrants = append(entrants, entrant{door: door, name: "View" + door[:2], area: "Field", at: geom.Vec{X: 20 - float32(4*i), Z: 20}})
		}
		all := r.join(append(entrants, entrant{door: bedrock, name: "Rider", area: "Field", at: geom.Vec{X: 27, Z: 10}})...)
		viewers, driver := all[:len(doors)], all[len(doors)]
		rider := driver.client.(*bedrockClient)
		mountOf := func() bool {
			m, a, ok := r.truth.player("Rider")
			return ok && a.Mount != 0 && m.find(a.Mount) != nil
		}
		waitFor(t, "the rider sees the horse", func() bool { _, ok := rider.actor("Horse"); return ok })
		rider.ride("Horse")
		waitFor(t, "the rider is mounted", mountOf)
		start := driver.pos()
		driver.walkTo(geom.Vec{X: 60, Z: 45})
		time.Sleep(2 * time.Second)
		driver.halt()
		time.Sleep(2 * time.Second)
		if d := distance(start, driver.pos()); d < 10 || !mountOf() {
			t.Errorf("rode %v units", d)
		}
		r.waitForPositions(t, "Field", slices.DeleteFunc(slices.Clone(viewers), func(p *player) bool { return p.door == bedrock }), []*player{driver})
		for _, v := range viewers {
			_, a, _ := r.truth.player("Rider")
			if v.door == rcce {
				horse, ok := v.actor("Horse")
				if at := horse.at.vec(); !ok || distance(at, a.Pos) > 0.05 {
					t.Errorf("%s sees the horse at %v, its rider is at %v", v.name, at, a.Pos)
				}
			}
			if v.door == bedrock {
				waitFor(t, v.name+" sees the horse where its driver is", func() bool {
					horse, ok := v.actor("Horse")
					at := geom.Vec{X: float32(horse.at.x), Z: float32(horse.at.z)}
					return ok && distance(at, driver.areaDef().BlockGrid.ToBlocks(a.Pos)) < 0.01
				})
			}
		}
		checkHonest(t, all...)
	})
}

// ride makes the client request to mount the named actor in the next tick.
func (x *bedrockClient) ride(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.rideNext = name
}

// mountNext requests to mount the actor that ride has named.
func (x *bedrockClient) mountNext(p *bedrockcl.Player) {
	if a := actorNamed(p.World(), x.rideNext); a != nil {
		p.Mount(a.RuntimeID)
	}
	x.rideNext = ""
}
