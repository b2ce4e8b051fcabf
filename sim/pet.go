package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// petFollow keeps a pet beside its leader and lets it take up its leader's fight.
func (a *Area) petFollow(x *actor) {
	leader := a.find(x.leader)
	if leader == nil {
		x.mode = modePetWait
		x.stop()
		return
	}
	a.climb(x, leader.pos.Y)
	x.running = leader.running
	reach := petStopsAt + x.tmpl.Radius + leader.tmpl.Radius
	if geom.Dist2XZ(x.pos, leader.pos) > float32(reach*reach) {
		x.heads(leader.pos.X, leader.pos.Z)
	} else {
		x.stop()
	}
	enemy := a.find(leader.target)
	if enemy == nil || enemy == x || enemy.dead || geom.Dist2XZ(leader.pos, enemy.pos) > petSeesSquared {
		return
	}
	x.target = enemy.id
	x.mode = modePetChase
}

// petChase fights for the leader; too far from him, or with nobody left to fight, the pet comes back.
func (a *Area) petChase(x *actor) {
	leader := a.find(x.leader)
	if leader == nil {
		x.target, x.mode = 0, modePetWait
		x.stop()
		return
	}
	if t := a.find(leader.target); t != nil && t != x {
		x.target = t.id
	}
	enemy := a.find(x.target)
	if enemy == nil || enemy.dead || geom.Dist2XZ(x.pos, leader.pos) > petLosesSquared {
		x.target, x.mode = 0, modePet
		return
	}
	if a.closeIn(x, enemy) {
		a.strikeWhenDue(x, enemy)
	}
}

// rally sends the pets of a player against whom he attacked, those that have no enemy yet.
func (a *Area) rally(leader, enemy *actor) {
	for _, y := range a.actors {
		if y.leader == leader.id && !y.gone && !y.dead && y != enemy && y.target == 0 && y.rider == 0 &&
			y.tmpl.Temper != combat.NonCombatant {
			y.target = enemy.id
			y.mode = modePetChase
		}
	}
}

// petsOf lists the pets of a player as his record keeps them, in order of id.
func (a *Area) petsOf(leader *actor) []Pet {
	var pets []Pet
	for _, y := range a.actors {
		if y.leader == leader.id && !y.gone && !y.dead && y.id != leader.mount {
			pets = append(pets, a.asPet(y))
		}
	}
	return pets
}

func (a *Area) asPet(y *actor) Pet {
	return Pet{Template: y.tmpl.ID, Name: y.name, Health: a.health(y)}
}

// bringPet makes a pet beside its leader. A template that is no more is passed over.
func (a *Area) bringPet(leader *actor, p Pet) *actor {
	tmpl := a.world.Template(p.Template)
	if tmpl == nil {
		return nil
	}
	x := a.newNPC(tmpl)
	if p.Name != "" {
		x.name = p.Name
	}
	if h := &x.attr[a.world.Fixed.Health]; p.Health > 0 && p.Health < h.Value {
		h.Value = p.Health
	}
	x.leader = leader.id
	x.mode = modePet
	x.place(leader.pos, leader.yaw)
	a.enter(x, false)
	return x
}
