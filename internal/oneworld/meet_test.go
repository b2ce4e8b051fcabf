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

// travellers are three players of each door: one in the Field, one in the Meadow, and one that travels between them.
type travellers struct {
	r                    *rig
	field, meadow, going []*player
}

func newTravellers(r *rig) *travellers {
	x := &travellers{r: r}
	var entrants []entrant
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
			entrants = append(entrants, entrant{door: door, name: where.role + door[:2], area: where.area, at: at})
		}
	}
	all := x.r.join(entrants...)
	n := len(doors)
	x.field, x.meadow, x.going = all[:n], all[n:2*n], all[2*n:]
	return x
}

func (x *travellers) all() []*player { return slices.Concat(x.field, x.meadow, x.going) }

// waitUntilSeen waits until all viewers see all others by name.
func (x *travellers) waitUntilSeen(t *testing.T, viewers, others []*player) {
	t.Helper()
	for _, v := range viewers {
		for _, o := range others {
			if v != o {
				waitFor(t, v.name+" sees "+o.name, func() bool { _, ok := v.actor(o.name); return ok })
			}
		}
	}
}

// waitUntilGone waits until no viewer sees any of the others.
func (x *travellers) waitUntilGone(t *testing.T, viewers, others []*player) {
	t.Helper()
	for _, v := range viewers {
		for _, o := range others {
			if v != o {
				waitFor(t, v.name+" does not see "+o.name, func() bool { _, ok := v.actor(o.name); return !ok })
			}
		}
	}
}

// Players of all doors see each other, chat, travel through a portal and back, are refused attacks in a peaceful area, and
// disappear when they log out.
func TestPlayersOfAllProtocolsSeeEachOtherAndChatAndUsePortal(t *testing.T) {
	overAllLines(t, newTestWorld, func(t *testing.T, r *rig) {
		x := newTravellers(r)
		here := slices.Concat(x.field, x.going)
		x.waitUntilSeen(t, here, here)
		x.waitUntilSeen(t, x.meadow, x.meadow)
		x.waitUntilGone(t, x.meadow, here)
		x.checkSheep(t)
		x.checkChat(t, here, x.meadow)
		x.goThroughPortal(t)
		there := slices.Concat(x.meadow, x.going)
		x.checkChat(t, there, x.field)
		x.checkPeacefulArea(t)
		x.returnThroughPortal(t)
		checkHonest(t, x.all()...)
		x.checkLogout(t)
	})
}

// checkSheep checks that NPCs are shown by name.
func (x *travellers) checkSheep(t *testing.T) {
	for _, v := range x.field {
		waitFor(t, v.name+" sees the sheep", func() bool { _, ok := v.actor("Sheep"); return ok })
	}
}

// checkChat checks that a chat line is shown to all players of the area, of all doors, and to none in another area.
func (x *travellers) checkChat(t *testing.T, here, elsewhere []*player) {
	text := func(p *player) string { return fmt.Sprintf("I am %s, with %s", p.name, here[0].name) }
	for _, who := range here {
		who.say(text(who))
	}
	for _, who := range here {
		text := text(who)
		for _, v := range here {
			if v != who {
				waitFor(t, v.name+" hears "+who.name, func() bool { return v.heard(who.name, text) })
			}
		}
		for _, v := range elsewhere {
			if v.heard(who.name, text) {
				t.Errorf("%s was shown a line of %s in another area", v.name, who.name)
			}
		}
	}
}

// goThroughPortal moves the travellers through a portal. It checks that the clients in the old area remove them and the clients
// in the new area show them.
func (x *travellers) goThroughPortal(t *testing.T) {
	for _, p := range x.going {
		p.walkTo(geom.Vec{X: 85})
	}
	x.waitForArrival(t, "Meadow")
	x.waitUntilGone(t, x.field, x.going)
	x.waitUntilSeen(t, x.meadow, x.going)
	x.waitUntilSeen(t, x.going, x.meadow)
	x.waitUntilGone(t, x.going, x.field)
	all := slices.Concat(x.meadow, x.going)
	x.r.waitForPositions(t, "Meadow", all, all)
}

// returnThroughPortal checks the same as goThroughPortal for the way back to the Field.
func (x *travellers) returnThroughPortal(t *testing.T) {
	for _, p := range x.going {
		p.stopFight()
		p.walkTo(geom.Vec{X: 141, Y: lawnHeight, Z: 100})
	}
	x.waitForArrival(t, "Field")
	x.waitUntilGone(t, x.meadow, x.going)
	x.waitUntilSeen(t, x.field, x.going)
	x.waitUntilSeen(t, x.going, x.field)
	all := slices.Concat(x.field, x.going)
	x.r.waitForPositions(t, "Field", all, all)
}

// waitForArrival waits until all travellers are in an area, and stops them there.
func (x *travellers) waitForArrival(t *testing.T, name string) {
	id, _ := x.r.area(name)
	for _, p := range x.going {
		waitFor(t, p.name+" arrives in the "+name, func() bool {
			m, _, ok := x.r.truth.player(p.name)
			return ok && m.area == id
		})
		if p.door != rs { // not for RuneScape players: they stop by themselves, and the client may still have the previous map loaded
			p.halt()
		}
		if p.door == rcce || p.door == web {
			waitFor(t, p.name+" is shown the name of the "+name, func() bool { return p.area() == name })
		}
	}
}

// checkPeacefulArea checks that attacks on players are refused in a peaceful area, with the reason.
func (x *travellers) checkPeacefulArea(t *testing.T) {
	for _, victim := range x.meadow {
		for _, p := range x.going {
			p.startFight(victim.name)
		}
		for _, p := range x.going {
			waitFor(t, p.name+" is refused an attack on "+victim.name, func() bool {
				return len(x.r.truth.events(func(d *savedEvent) bool {
					return d.Kind == sim.EventRefused && d.Reason == reason.NoPvP && d.by == p.name && d.on == victim.name
				})) > 0
			})
		}
	}
	for _, p := range x.going {
		p.stopFight()
		s := reason.NoPvP.Sentence()
		waitFor(t, p.name+" is sent the reason", func() bool { return p.serverSaid(strings.ToUpper(s[:1]) + s[1:] + ".") })
	}
	if attacks := x.r.truth.eventsOf(sim.EventAttacked, "", ""); len(attacks) > 0 {
		t.Errorf("%s attacked %s in a peaceful area", attacks[0].by, attacks[0].on)
	}
	for _, v := range x.meadow {
		if v.health() != 1 {
			t.Errorf("%s lost health in a peaceful area", v.name)
		}
	}
}

// checkLogout logs the travellers out one after the other, and checks that each disappears and its session ends.
func (x *travellers) checkLogout(t *testing.T) {
	for i, p := range x.going {
		p.leave()
		rest := slices.Concat(x.field, x.going[i+1:])
		x.waitUntilGone(t, rest, []*player{p})
		x.waitUntilSeen(t, rest, rest)
	}
	waitFor(t, "their sessions are over", func() bool {
		s := x.r.hub.Stats()
		return s.Online == len(x.field)+len(x.meadow) && s.Leaving == 0
	})
}
