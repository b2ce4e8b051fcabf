package cluster

import (
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// lasting returns those lines of a description that stay the same from stepKill on, with or without a connection: what the player
// has, and its pets. A mount is left out, because it stays where its rider has lost the connection.
func lasting(description []string) (list []string) {
	isPet := map[string]bool{"the player": true}
	for _, line := range description {
		if companion, field, _ := strings.Cut(line, ": "); strings.HasPrefix(field, "leader = ") {
			isPet[companion] = true
		}
	}
	for _, line := range description {
		companion, field, _ := strings.Cut(line, ": ")
		if !isPet[companion] {
			continue
		}
		for _, part := range []string{"party", "attr[", "xp ", "gold", "inv[", "level", "fields[1]", "effects.Timed[0].Level", "name", "tmpl", "leader", "record.ID"} {
			if strings.HasPrefix(field, part) {
				list = append(list, line)
			}
		}
	}
	return list
}

// whereIs returns the area that has the player according to the copies of a node, and the description of the player there. It is an
// error if no area or several areas have the player, or if any player is still under way between areas.
func (r *crossingRun) whereIs(t *testing.T, node uint64, who sim.EntityID) (at sim.AreaID, description []string) {
	t.Helper()
	at = sim.NoArea
	for _, a := range r.nodes[node].p.areas {
		a.g.state.Players(func(id sim.EntityID, _ sim.CharacterID) {
			if id != who {
				return
			}
			if at != sim.NoArea {
				t.Errorf("player %d is in areas %d and %d", who, at, a.g.area)
			}
			at, description = a.g.area, describe(a.g.state, who, 0)
		})
		if n := a.g.crossed.underWay(); n > 0 {
			t.Errorf("%d players are still under way from area %d", n, a.g.area)
		}
	}
	if at == sim.NoArea {
		t.Errorf("player %d is in no area", who)
	}
	return at, description
}

func isLingering(description []string) bool {
	for _, line := range description {
		if strings.HasPrefix(line, "the player: linger.since = ") {
			return true
		}
	}
	return false
}

// The node through which the players are connected dies while they change areas, alone or with all other nodes. They still arrive,
// and linger without the mount. When they reconnect through another node, they get their bodies back, in the same party.
func TestPlayersWhoseNodeDiesDuringAreaChangeArriveAndCanReconnect(t *testing.T) {
	doors := [3]uint16{3, 3, 3}
	want := playOnOneMachine(t, doors)
	for name, fail := range map[string]func(r *crossingRun){
		"the node of the players dies": func(r *crossingRun) { r.killFor(r.nodes[3], 8*time.Second) },
		"all processes die at once": func(r *crossingRun) {
			for _, n := range r.nodes[1:] {
				r.killFor(n, time.Second)
			}
		},
	} {
		t.Run(name, func(t *testing.T) {
			for n := range uint64(*crossingSeeds) {
				synctest.Test(t, func(t *testing.T) { playDeadDoor(t, 1+n, want, doors, fail) })
			}
		})
	}
}

func playDeadDoor(t *testing.T, seed uint64, want *troupe, doors [3]uint16, fail func(r *crossingRun)) {
	var died time.Duration
	r := newCrossingRun(seed, doors, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() { died = r.now; fail(r) })
		}
	})
	r.begin()
	for died == 0 && r.now < 30*time.Second {
		r.playUntil(r.now + 100*time.Millisecond)
	}
	r.playUntil(died + 6*time.Second)
	for i := range r.members {
		m := &r.members[i]
		at, now := r.whereIs(t, 1, m.who)
		if at != newArea || !isLingering(now) || m.left != 1 || m.came != 1 {
			t.Errorf("seed %d: %s has left %d times, has come %d times, and is in area %d, lingering: %t", seed, m.name, m.left, m.came, at, isLingering(now))
		}
		r.submitAt(1, newArea, m.who, sim.Intent{Kind: sim.IntentResume, Join: &sim.Join{Portal: -1, Authority: m.join.Authority}})
	}
	r.playUntil(died + 8*time.Second)
	for i := range r.members {
		m := &r.members[i]
		at, now := r.whereIs(t, 2, m.who)
		if at != newArea || isLingering(now) {
			t.Errorf("seed %d: %s is in area %d, lingering: %t", seed, m.name, at, isLingering(now))
		}
		if d := difference(lasting(want.members[i].later), lasting(now)); d != "" {
			t.Errorf("seed %d: %s has resumed with another state than it has on one machine:%s", seed, m.name, d)
		}
	}
	r.playUntil(died + 14*time.Second) // by now the former node of the players is back
	for i := range r.members {
		if _, now := r.whereIs(t, 3, r.members[i].who); isLingering(now) {
			t.Errorf("seed %d: %s counts as disconnected when its former node is back", seed, r.members[i].name)
		}
	}
	if r.violation != nil {
		t.Errorf("seed %d: %v", seed, r.violation)
	}
	if took := r.cameAt - r.leftAt; took > 2*time.Second {
		t.Errorf("seed %d: %v from the departure to the arrival", seed, took)
	}
	r.stop()
}

// The node of the players is declared dead some ticks before their departure, at the departure, or some ticks after it. Each player
// is then in exactly one area, without a connection, in the party and with its pets.
func TestPlayersWhoseNodeIsDeclaredDeadNearDepartureAreInExactlyOneArea(t *testing.T) {
	doors := [3]uint16{3, 3, 3}
	want := playOnOneMachine(t, doors)
	stayed, went := 0, 0
	for ticks := 54; ticks <= 66; ticks += 2 { // the death is declared 60 ticks (Options.SuspectAfter) after the failure
		synctest.Test(t, func(t *testing.T) {
			r := newCrossingRun(1, doors, nil)
			r.begin()
			show, died := r.published, time.Duration(0)
			r.published = func(a *simArea, f *sim.Frame) {
				show(a, f)
				if ann := f.Find(r.members[0].who); died == 0 && ann != nil && f.Area == oldArea && f.FieldsOf(r.troupe.def, ann)[0] == int32(stepGo-ticks) {
					died = r.now
					r.after(0, func() { r.killFor(r.nodes[3], 8*time.Second) })
				}
			}
			for died == 0 && r.now < 30*time.Second {
				r.playUntil(r.now + 100*time.Millisecond)
			}
			r.playUntil(died + 6*time.Second)
			for i := range r.members {
				m := &r.members[i]
				for _, node := range []uint64{1, 2} {
					at, now := r.whereIs(t, node, m.who)
					if !isLingering(now) {
						t.Errorf("%d ticks: %s is not without a connection in area %d of node %d", ticks, m.name, at, node)
					}
					if d := difference(lasting(want.members[i].later), lasting(now)); d != "" {
						t.Errorf("%d ticks: %s in area %d of node %d:%s", ticks, m.name, at, node, d)
					}
					if at == oldArea {
						stayed++
					} else {
						went++
					}
				}
			}
			if r.violation != nil {
				t.Error(r.violation)
			}
			r.stop()
		})
	}
	if stayed == 0 || went == 0 {
		t.Errorf("%d players have stayed and %d have gone: the times are wrong", stayed, went)
	}
}

// The record stored at a departure is the one with which the player enters if all nodes have lost their logs (--cluster-begin).
func TestRecordStoredAtDepartureHasNewAreaPetsAndHealth(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		r := newCrossingRun(1, [3]uint16{3, 3, 3}, nil)
		r.begin()
		for r.count().came < 3 && r.now < 30*time.Second {
			r.playUntil(r.now + 50*time.Millisecond)
		}
		r.playUntil(r.now + time.Second) // the leader stores the records within this second
		for i := range r.members {
			c := r.db.records.Characters[r.members[i].join.Character.ID]
			if c == nil || c.Area != r.troupe.def.Areas[newArea].Name || c.Pos.X != street.X || c.Attr[0].Value != 100-hurtBy || len(c.Pets) != len(r.members[i].join.Pets) {
				t.Fatalf("the stored record of %s is %+v", r.members[i].name, c)
			}
			if was := r.members[i].join.Character; c.Gold != was.Gold || c.XP != was.XP || !reflect.DeepEqual(c.Inventory, was.Inventory) {
				t.Errorf("the stored record of %s has %d gold, %d experience and the items %v", r.members[i].name, c.Gold, c.XP, c.Inventory)
			}
			for j, pet := range c.Pets {
				if was := r.members[i].join.Pets[j]; pet.Name != was.Name || pet.Template != was.Template || pet.Health != 100-petsHurtBy {
					t.Errorf("the stored record of %s has the pet %+v", r.members[i].name, pet)
				}
			}
		}
		if r.violation != nil {
			t.Error(r.violation)
		}
		r.stop()
	})
}
