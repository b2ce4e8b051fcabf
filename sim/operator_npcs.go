package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// MaxSpawnedNPCs is the maximum number of NPCs in an area that operators have created. The value is not measured. It is chosen
// to be enough for an event with a hundred monsters.
const MaxSpawnedNPCs = 100

// spawnForOperator creates an NPC by an operator's order and returns its id, or why the order is refused. The NPC stays until it
// dies or is removed. It belongs to no spawn, so it is not replaced afterwards.
func (a *Area) spawnForOperator(in *Intent) (EntityID, reason.Reason) {
	tmpl := a.world.Template(in.Amount)
	if tmpl == nil || in.Join == nil {
		return 0, reason.BadArgument
	}
	n := 0
	for _, x := range a.actors {
		if x.spawn == spawnedByOperator && !x.gone {
			n++
		}
	}
	switch {
	case n >= MaxSpawnedNPCs:
		return 0, reason.NPCLimit
	case len(a.actors) >= int(a.world.Rules.MaxActors):
		return 0, reason.AreaFull
	}
	yaw := in.Join.Yaw
	if !geom.Finite(yaw) {
		yaw = 0
	}
	return a.spawnAt(tmpl, spawnedByOperator, in.Join.Pos, yaw), reason.None
}

// removeForOperator removes an NPC without a death. It returns why the order is refused, or reason.None. If the NPC belongs to a
// spawn, the spawn replaces it after the spawn's period. A pet is also removed from its leader's record.
func (a *Area) removeForOperator(id EntityID) reason.Reason {
	x := a.find(id)
	if x == nil || x.player {
		return reason.Unknown
	}
	if leader := a.find(x.leader); leader != nil {
		leader.saveTick = a.now // otherwise a crash could bring the pet back
	}
	a.removeNPC(x)
	return reason.None
}
