package sim

import (
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// Area is one zone of a world with everybody in it. It belongs to one goroutine.
type Area struct {
	world    *World
	def      *AreaDef
	id       AreaID
	farSight float32 // derived: the longest sight of all templates

	now         Tick
	clock       int64 // the latest AtMS of any intent: the clock of claims...
	heard       Tick  // ...and when it came
	luck        *rng.Stream
	actors      []*actor // sorted by id
	spawns      []spawnState
	ground      []groundItem // sorted by handle
	nextID      uint64       // of NPCs and parties
	nextGr      uint32       // handles of ground items
	weather     Weather
	weatherTick Tick // when it is drawn again

	nextSearcher      EntityID // player whose path is searched first, if the last tick had no time for all
	nextRouteSearcher EntityID // the same of NPCs

	// Working memory of a tick; empty between ticks.
	byID       map[EntityID]*actor // the same actors, for looking up, never ranged over
	attacks    []attack
	frame      *Frame
	free       []*Frame
	swept      bool // some actor is gone and the table must be swept
	grid       geom.Grid
	gridTick   Tick
	xs, zs     []float32
	near       []int32
	scratch    move.Scratch
	pathfinder *move.Searcher // nil until the first search

	authorities    [authorityCount]int // derived: how many actors are under each authority
	searchers      []*actor            // players whose path is due
	routeSearchers []*actor            // NPCs whose path is due
}

// attack is a wish to attack that passed admission and waits for fightAll.
type attack struct {
	who, target EntityID
}

// NPC ids carry their area above this bit; ids of players stay below it.
const npcBit = 40

// number is one that no area gives out twice, for an NPC or a party.
func (a *Area) number() uint64 {
	a.nextID++
	return uint64(a.id+1)<<npcBit | a.nextID
}

// NewArea returns the area with nobody in it and its spawns due. Areas of one world may share a seed: the area's id
// is mixed into it. w is kept and must not change.
func NewArea(w *World, id AreaID, seed uint64) *Area {
	a := &Area{
		world: w, def: &w.Areas[id], id: id, farSight: farSight(w),
		luck:   rng.New(seed ^ uint64(id+1)*0x9e3779b97f4a7c15),
		spawns: make([]spawnState, len(w.Areas[id].Spawns)),
		byID:   map[EntityID]*actor{},
	}
	return a
}

// ID is the area's index in its world.
func (a *Area) ID() AreaID { return a.id }

// Now is the tick of the last frame, 0 before the first.
func (a *Area) Now() Tick { return a.now }

// Players calls f with the id of every player in the area, in order of id.
func (a *Area) Players(f func(EntityID)) {
	for _, x := range a.actors {
		if x.player {
			f(x.id)
		}
	}
}

// ms is the area's own clock: milliseconds since its first tick.
func (a *Area) ms() int64 { return int64(a.now) * 1000 / int64(a.world.TicksPerSecond) }

// claimMS is what the clock of claims must show by now, though perhaps nobody has sent anything for a while.
func (a *Area) claimMS() int64 {
	return a.clock + int64(a.now-a.heard)*1000/int64(a.world.TicksPerSecond)
}

// ticks turns milliseconds into ticks, rounded up, at least 1.
func (a *Area) ticks(ms int32) Tick {
	n := (int64(ms)*int64(a.world.TicksPerSecond) + 999) / 1000
	return Tick(max(n, 1))
}

// perSecond is true with such a chance in each tick that it is true n times a second on average.
func (a *Area) perSecond(n int32) bool { return a.luck.IntN(int32(a.world.TicksPerSecond)) < n }

func (a *Area) emit(e Event) { a.frame.Events = append(a.frame.Events, e) }

// refuse tells a player why not.
func (a *Area) refuse(who, other EntityID, why reason.Reason, asked, allowed float32) {
	a.emit(Event{Kind: EventRefused, Who: who, Other: other, Reason: why, Asked: asked, Allowed: allowed})
}

// find returns the actor of that id, nil if it is not here or on its way out.
func (a *Area) find(id EntityID) *actor {
	if id == 0 {
		return nil
	}
	x := a.byID[id]
	if x == nil || x.gone {
		return nil
	}
	return x
}

// add puts an actor into the table at its place.
func (a *Area) add(x *actor) {
	i, _ := slices.BinarySearchFunc(a.actors, x.id, func(y *actor, id EntityID) int {
		switch {
		case y.id < id:
			return -1
		case y.id > id:
			return 1
		}
		return 0
	})
	a.actors = slices.Insert(a.actors, i, x)
	a.authorities[x.authority.kind()]++
	x.tickPos = x.pos
	a.byID[x.id] = x
	a.gridTick = 0
}

// remove takes an actor out: mounts, pets and enemies forget it now, the table at the end of the tick.
func (a *Area) remove(x *actor) {
	if x.gone {
		return
	}
	a.unseat(x)
	x.gone = true
	a.swept = true
	a.authorities[x.authority.kind()]--
	a.forget(x.id)
	if leader := a.byID[x.leader]; leader != nil {
		leader.pets = slices.DeleteFunc(leader.pets, func(y *actor) bool { return y == x })
	}
	if x.spawn >= 0 {
		a.spawns[x.spawn].count--
	}
}

// forget makes everybody drop the actor as a target.
func (a *Area) forget(id EntityID) {
	for _, y := range a.actors {
		if y.target == id {
			y.target = 0
		}
		y.authority.forget(id)
	}
}

// sweep drops the actors that are gone.
func (a *Area) sweep() {
	if !a.swept {
		return
	}
	a.swept = false
	for _, x := range a.actors {
		if x.gone {
			delete(a.byID, x.id)
		}
	}
	a.actors = slices.DeleteFunc(a.actors, func(x *actor) bool { return x.gone })
	a.gridTick = 0
}

// neighbours returns the indices in a.actors of those within radius of p on the ground, in the order of the grid; some
// may be gone. The slice is good until the next call. The grid is built at the first call after gridTick was cleared:
// positions may be older than the changes since, but never from before the last moveAll.
func (a *Area) neighbours(p geom.Vec, radius float32) []int32 {
	if a.gridTick != a.now || a.now == 0 {
		a.xs, a.zs = a.xs[:0], a.zs[:0]
		for _, x := range a.actors {
			a.xs = append(a.xs, x.pos.X)
			a.zs = append(a.zs, x.pos.Z)
		}
		a.grid.Build(gridCell, a.xs, a.zs)
		a.gridTick = a.now
	}
	a.near = a.grid.Near(a.near[:0], p, radius)
	return a.near
}

// gridCell is the edge of a cell in units: about the sight of an NPC, so that a look reads few cells.
const gridCell = 128
