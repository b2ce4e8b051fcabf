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
		x.headFor(leader.pos.X, leader.pos.Z)
	} else {
		x.stop()
	}
	enemy := a.enemyOf(leader)
	if enemy == nil || !fights(x) || geom.Dist2XZ(leader.pos, enemy.pos) > petSeesSquared {
		return
	}
	x.target = enemy.id
	x.mode = modePetChase
}

// fights tells whether a pet takes part in its leader's fights.
func fights(x *actor) bool { return x.tmpl.Temper != combat.NonCombatant }

// enemyOf is whom the pets of a leader fight: his target while it lives, unless it is one of them.
func (a *Area) enemyOf(leader *actor) *actor {
	enemy := a.find(leader.target)
	if enemy == nil || enemy.dead || enemy.leader == leader.id {
		return nil
	}
	return enemy
}

// petChase fights for the leader; too far from him, or with nobody left to fight, the pet comes back.
func (a *Area) petChase(x *actor) {
	leader := a.find(x.leader)
	if leader == nil {
		x.target, x.mode = 0, modePetWait
		x.stop()
		return
	}
	if enemy := a.enemyOf(leader); enemy != nil {
		x.target = enemy.id
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
	if enemy.leader == leader.id {
		return
	}
	for _, y := range leader.pets {
		if y.target == 0 && y.rider == 0 && fights(y) {
			y.target = enemy.id
			y.mode = modePetChase
		}
	}
}

// callOff lets the pets of a player leave his fights.
func (a *Area) callOff(leader *actor) {
	for _, y := range leader.pets {
		if y.mode == modePetChase {
			y.target, y.mode = 0, modePet
		}
	}
}

// petsOf lists the pets of a player as his record keeps them, in order of id; one that he rides is among them.
func (a *Area) petsOf(leader *actor) []Pet {
	var pets []Pet
	for _, y := range leader.pets {
		pets = append(pets, a.asPet(y))
	}
	return pets
}

func (a *Area) asPet(y *actor) Pet {
	return Pet{Template: y.tmpl.ID, Name: y.name, Health: a.health(y)}
}

// bringPet makes a pet beside its leader. A template that is no more is passed over.
func (a *Area) bringPet(leader *actor, p Pet) *actor {
	x := a.bring(leader.pos, leader.yaw, p)
	if x == nil {
		return nil
	}
	x.leader, x.mode = leader.id, modePet
	leader.pets = append(leader.pets, x)
	return x
}

// bringMount makes the actor that a traveller rides and puts him on it.
func (a *Area) bringMount(rider *actor, p Pet, own bool) {
	var x *actor
	if own {
		x = a.bringPet(rider, p)
	} else {
		x = a.bring(rider.pos, rider.yaw, p)
	}
	if x != nil {
		a.seat(rider, x)
	}
}

// bring makes an actor that comes with a player, nil if its template is no more.
func (a *Area) bring(pos geom.Vec, yaw float32, p Pet) *actor {
	tmpl := a.world.Template(p.Template)
	if tmpl == nil {
		return nil
	}
	x := a.newNPC(tmpl)
	if p.Name != "" {
		x.name = p.Name
	}
	if h := &x.attr[a.world.Roles.Health]; p.Health > 0 && p.Health < h.Value {
		h.Value = p.Health
	}
	x.place(a.freeSpotNear(pos, tmpl.Environment == Fly), yaw)
	a.snapToGround(x)
	a.enter(x, false)
	return x
}
