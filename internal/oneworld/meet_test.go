package oneworld

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// travellers are three players of each door: one in the Field, one in the Meadow, and one who goes to and fro.
type travellers struct {
	r                    *rig
	field, meadow, going []*player
}

func travel(r *rig) *travellers {
	x := &travellers{r: r}
	var seats []seat
	for _, where := range []struct {
		role, area string
		at         geom.Vec
	}{
		{"Field", "Field", geom.Vec{X: 56, Z: 21}},
		{"Lawn", "Meadow", geom.Vec{X: 100, Y: lawnHeight, Z: 85}},
		{"Goes", "Field", geom.Vec{X: 56}},
	} {
		for i, door := range doors {
			at := where.at.Add(geom.Vec{X: float32(-4 * i)})
			seats = append(seats, seat{door: door, name: where.role + door[:2], area: where.area, at: at})
		}
	}
	all := x.r.join(seats...)
	x.field, x.meadow, x.going = all[:3], all[3:6], all[6:]
	return x
}

func (x *travellers) all() []*player { return slices.Concat(x.field, x.meadow, x.going) }

// sees waits until all of them see all the others by name.
func (x *travellers) sees(t *testing.T, viewers, others []*player) {
	t.Helper()
	for _, v := range viewers {
		for _, o := range others {
			if v != o {
				soon(t, v.name+" sees "+o.name, func() bool { _, ok := v.look(o.name); return ok })
			}
		}
	}
}

// misses waits until none of them sees any of the others.
func (x *travellers) misses(t *testing.T, viewers, others []*player) {
	t.Helper()
	for _, v := range viewers {
		for _, o := range others {
			if v != o {
				soon(t, v.name+" does not see "+o.name, func() bool { _, ok := v.look(o.name); return !ok })
			}
		}
	}
}

// Players of all doors meet, talk, go through a portal and back, and may not fight where that is forbidden; all the
// others see and hear it. Who logs out is gone for everybody.
func TestPlayersOfAllDoorsMeet(t *testing.T) {
	overAllLines(t, theTestWorld, func(t *testing.T, r *rig) {
		x := travel(r)
		here := slices.Concat(x.field, x.going)
		x.sees(t, here, here)
		x.sees(t, x.meadow, x.meadow)
		x.misses(t, x.meadow, here)
		x.meetSheep(t)
		x.talk(t, here, x.meadow)
		x.cross(t)
		there := slices.Concat(x.meadow, x.going)
		x.talk(t, there, x.field)
		x.refuse(t)
		x.back(t)
		honest(t, x.all()...)
		x.logOut(t)
	})
}

// meetSheep: NPCs are seen by name, where they are.
func (x *travellers) meetSheep(t *testing.T) {
	for _, v := range x.field {
		soon(t, v.name+" sees the sheep", func() bool { _, ok := v.look("Sheep"); return ok })
	}
}

// talk: a line that is said is read by everybody in the area, whatever his door, and by nobody elsewhere.
func (x *travellers) talk(t *testing.T, here, elsewhere []*player) {
	text := func(p *player) string { return fmt.Sprintf("I am %s, who is with %s", p.name, here[0].name) }
	for _, who := range here {
		who.say(text(who))
	}
	for _, who := range here {
		text := text(who)
		for _, v := range here {
			if v != who {
				soon(t, v.name+" hears "+who.name, func() bool { return v.heard(who.name, text) })
			}
		}
		for _, v := range elsewhere {
			if v.heard(who.name, text) {
				t.Errorf("%s heard %s from another area", v.name, who.name)
			}
		}
	}
}

// cross: who goes through a portal leaves those behind and comes to the others.
func (x *travellers) cross(t *testing.T) {
	for _, p := range x.going {
		p.goes(geom.Vec{X: 85})
	}
	x.arrive(t, "Meadow")
	x.misses(t, x.field, x.going)
	x.sees(t, x.meadow, x.going)
	x.sees(t, x.going, x.meadow)
	x.misses(t, x.going, x.field)
	all := slices.Concat(x.meadow, x.going)
	x.r.agree(t, "Meadow", all, all)
}

// back: and the same way back, through the other end.
func (x *travellers) back(t *testing.T) {
	for _, p := range x.going {
		p.peace()
		p.goes(geom.Vec{X: 141, Y: lawnHeight, Z: 100})
	}
	x.arrive(t, "Field")
	x.misses(t, x.meadow, x.going)
	x.sees(t, x.field, x.going)
	x.sees(t, x.going, x.field)
	all := slices.Concat(x.field, x.going)
	x.r.agree(t, "Field", all, all)
}

// arrive waits until all who go are in an area, and lets them stand still there.
func (x *travellers) arrive(t *testing.T, name string) {
	id, _ := x.r.area(name)
	for _, p := range x.going {
		soon(t, p.name+" comes to the "+name, func() bool {
			m, _, ok := x.r.truth.of(p.name)
			return ok && m.area == id
		})
		if p.door != rs { // he stands when he has come; and his client may think of the old map still
			p.halt()
		}
		if p.door == rcce {
			soon(t, p.name+" knows that it is the "+name, func() bool { return p.area() == name })
		}
	}
}

// refuse: in a peaceful area nobody strikes a player, and whoever tries learns why.
func (x *travellers) refuse(t *testing.T) {
	for _, victim := range x.meadow {
		for _, p := range x.going {
			p.fight(victim.name)
		}
		for _, p := range x.going {
			soon(t, p.name+" may not strike "+victim.name, func() bool {
				return len(x.r.truth.told(func(d *deed) bool {
					return d.Kind == sim.EventRefused && d.Reason == reason.NoPvP && d.by == p.name && d.on == victim.name
				})) > 0
			})
		}
	}
	for _, p := range x.going {
		p.peace()
		s := reason.NoPvP.Sentence()
		soon(t, p.name+" reads why not", func() bool { return p.told(strings.ToUpper(s[:1]) + s[1:] + ".") })
	}
	if blows := x.r.truth.did(sim.EventAttacked, "", ""); len(blows) > 0 {
		t.Errorf("%s struck %s in peace", blows[0].by, blows[0].on)
	}
	for _, v := range x.meadow {
		if v.health() != 1 {
			t.Errorf("%s lost health in peace", v.name)
		}
	}
}

// logOut: who logs out is gone for all others, one after the other, and his session with him.
func (x *travellers) logOut(t *testing.T) {
	for i, p := range x.going {
		p.leave()
		rest := slices.Concat(x.field, x.going[i+1:])
		x.misses(t, rest, []*player{p})
		x.sees(t, rest, rest)
	}
	soon(t, "their sessions are over", func() bool {
		s := x.r.hub.Stats()
		return s.Online == len(x.field)+len(x.meadow) && s.Leaving == 0
	})
}
