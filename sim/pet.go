package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// petFollow makes a pet stay beside its leader and join its leader's fight.
func (a *Area) petFollow(x *actor) {
	leader := a.find(x.leader)
	if leader == nil {
		x.mode = modePetWait
		x.stop()
		return
	}
	a.adjustHeight(x, leader.pos.Y)
	x.running = leader.running
	reach := petStandOff + x.tmpl.Radius + leader.tmpl.Radius
	if geom.Dist2XZ(x.pos, leader.pos) > float32(reach*reach) {
		x.headFor(leader.pos.X, leader.pos.Z)
	} else {
		x.stop()
	}
	enemy := a.leaderEnemy(leader)
	if enemy == nil || !joinsFights(x) || geom.Dist2XZ(leader.pos, enemy.pos) > petSightSquared {
		return
	}
	x.target = enemy.id
	x.mode = modePetChase
}

// joinsFights reports whether a pet takes part in its leader's fights.
func joinsFights(x *actor) bool { return x.tmpl.Temper != combat.NonCombatant }

// leaderEnemy returns the actor that the pets of a leader fight: the leader's target. It returns nil if the leader has no target,
// or if the target is dead or one of these pets.
func (a *Area) leaderEnemy(leader *actor) *actor {
	enemy := a.find(leader.target)
	if enemy == nil || enemy.dead || enemy.leader == leader.id {
		return nil
	}
	return enemy
}

// petChase moves a pet that fights for its leader. A pet without an enemy, or too far from its leader, returns to the leader.
func (a *Area) petChase(x *actor) {
	leader := a.find(x.leader)
	if leader == nil {
		x.target, x.mode = 0, modePetWait
		x.stop()
		return
	}
	if enemy := a.leaderEnemy(leader); enemy != nil {
		x.target = enemy.id
	}
	enemy := a.find(x.target)
	if enemy == nil || enemy.dead || geom.Dist2XZ(x.pos, leader.pos) > petLeashSquared {
		x.target, x.mode = 0, modePet
		return
	}
	if a.approachEnemy(x, enemy) {
		a.attackWhenDue(x, enemy)
	}
}

// rallyPets makes the pets of a player attack the actor that the player attacked, except pets that already have an enemy.
func (a *Area) rallyPets(leader, enemy *actor) {
	if enemy.leader == leader.id {
		return
	}
	for _, y := range leader.pets {
		if y.target == 0 && y.rider == 0 && joinsFights(y) {
			y.target = enemy.id
			y.mode = modePetChase
		}
	}
}

// recallPets ends the fights of a player's pets, which then return to the player.
func (a *Area) recallPets(leader *actor) {
	for _, y := range leader.pets {
		if y.mode == modePetChase {
			y.target, y.mode = 0, modePet
		}
	}
}

// recordPets returns the pets of a player for its record, in order of id. A pet that the player rides is included.
func (a *Area) recordPets(leader *actor) []Pet {
	var pets []Pet
	for _, y := range leader.pets {
		pets = append(pets, a.petRecord(y))
	}
	return pets
}

func (a *Area) petRecord(y *actor) Pet {
	return Pet{Template: y.tmpl.ID, Name: y.name, Health: a.health(y)}
}

// spawnPet creates a pet beside its leader. It returns nil if the world no longer has the template.
func (a *Area) spawnPet(leader *actor, p Pet) *actor {
	x := a.spawnCompanion(leader.pos, leader.yaw, p)
	if x == nil {
		return nil
	}
	x.leader, x.mode = leader.id, modePet
	leader.pets = append(leader.pets, x)
	return x
}

// spawnMount creates the mount of a player that arrives from another area, and seats the player on it. The parameter own says
// whether the mount is also a pet of the player. It returns nil if the world no longer has the template.
func (a *Area) spawnMount(rider *actor, p Pet, own bool) (x *actor) {
	if own {
		x = a.spawnPet(rider, p)
	} else {
		x = a.spawnCompanion(rider.pos, rider.yaw, p)
	}
	if x != nil {
		a.startRiding(rider, x)
	}
	return x
}

// spawnCompanion creates a pet or mount of an arriving player. It returns nil if the world no longer has the template.
func (a *Area) spawnCompanion(pos geom.Vec, yaw float32, p Pet) *actor {
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
	a.launchBoat(x)
	a.enter(x, false)
	return x
}
