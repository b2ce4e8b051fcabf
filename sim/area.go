package sim

import (
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/rng"
)

// Area is one zone of a world with all its actors. Only one goroutine may use it.
type Area struct {
	world    *World
	def      *AreaDef
	id       AreaID
	maxSight float32 // units: the longest sight range of all templates; derived from world

	now         Tick
	clock       int64 // ms: the latest AtMS of any intent; position claims are judged by this clock
	clockTick   Tick  // tick in which clock was last advanced
	rng         *rng.Stream
	actors      []*actor     // sorted by id
	spawns      []spawnState // state of each spawn of def, by its index
	ground      []groundItem // items on the ground, sorted by handle
	lastID      uint64       // last id given to an NPC or a party
	lastHandle  uint32       // last handle given to a ground item
	weather     Weather
	weatherTick Tick // tick at which the weather changes next

	places      [MaxRewindTicks]placesOfTick // positions of the actors after tick t, at index t % rewindTicks, for lag compensation
	rewindTicks int                          // number of ticks whose positions are stored; derived

	fields []int32 // values of the fields that the game declares for areas

	outboxes []outbox   // players that have departed to other areas and whose arrival is not confirmed, sorted by area; see crossing.go
	arrived  []arrivals // for each other area, number of its last player that arrived here; sorted by area

	nextSearcher      EntityID // player with which the next tick must continue the path searches; 0 if the last tick made all of them
	nextRouteSearcher EntityID // NPC with which the next tick must continue the path searches; 0 if the last tick made all of them

	// Working memory, and indexes of the state above, such as byID. They are not part of the area's state, so snapshots and
	// hashes do not contain them.
	byID           map[EntityID]*actor // actors by id; only for lookup, because map order is random
	pendingAttacks []attack            // admitted attacks that wait for fightAll
	gameHand       Hand                // Hand that was passed to the function of the game that is running
	frame          *Frame              // frame of the tick that is being stepped
	free           []*Frame            // frames that readers have returned, for reuse
	sweepDue       bool                // at least one actor has left, and sweep must remove it
	grid           geom.Grid
	gridTick       Tick      // tick for which grid was built; 0 if it must be rebuilt
	xs, zs         []float32 // coordinates from which grid was built
	near           []int32   // result of the last call of neighbours
	scratch        move.Scratch
	pathfinder     *move.Searcher // nil until the first search

	cloneMemory *cloneMemory // memory of the actors, if this area is a copy made by CloneInto; else nil

	authorityCounts [numAuthorities]int // number of actors under each authority; derived
	duePaths        []*actor            // players whose path is to be searched in this tick
	dueRoutes       []*actor            // NPCs whose path is to be searched in this tick
}

// attack is an attack that admit has accepted. fightAll executes it later in the tick.
type attack struct {
	who, target EntityID
	seen        uint64 // Intent.Seen: the area's time at which the attacker's client drew the target, in 1/256 ticks; 0 if unknown
}

// npcBit is the lowest bit of the area's number in the id of an NPC. The ids of players use only lower bits.
const npcBit = 40

// newID returns an id, unique among all areas, for a new NPC or party.
func (a *Area) newID() uint64 {
	a.lastID++
	return uint64(a.id+1)<<npcBit | a.lastID
}

// NewArea returns an area without actors. Its spawns create their NPCs in the first tick. The areas of one world may use
// the same seed, because the area's id is mixed into it. The area retains w, which must not change.
func NewArea(w *World, id AreaID, seed uint64) *Area {
	a := &Area{
		world: w, def: &w.Areas[id], id: id, maxSight: maxSight(w), rewindTicks: w.rewindTicks(),
		rng:    rng.New(seed ^ uint64(id+1)*0x9e3779b97f4a7c15),
		spawns: make([]spawnState, len(w.Areas[id].Spawns)),
		byID:   map[EntityID]*actor{},
		fields: w.newFields(FieldOfArea),
	}
	return a
}

// ID returns the area's index in its world.
func (a *Area) ID() AreaID { return a.id }

// HasGame reports whether the world of the area has the rules of a game (World.Game).
func (a *Area) HasGame() bool { return a.world.Game != nil }

// Now returns the tick of the last frame. It is 0 before the first frame.
func (a *Area) Now() Tick { return a.now }

// ClockMS returns the time in ms from which the server continues its clock after a restart. No Intent.AtMS so far is later. It is
// the later of two times: (1) the greatest Intent.AtMS plus the time since then, and (2) the duration of all ticks of the area.
func (a *Area) ClockMS() int64 { return max(a.claimClockMS(), a.ms()) }

// Hash returns the hash of the area's state. The last frame contains the same hash.
func (a *Area) Hash() uint64 { return a.hash() }

// Ground calls f with each item on the ground, in order of the handles.
func (a *Area) Ground(f func(GroundItem)) {
	for i := range a.ground {
		f(a.ground[i].GroundItem)
	}
}

// Players calls f with the id and the character of every player in the area, in order of id.
func (a *Area) Players(f func(EntityID, CharacterID)) {
	for _, x := range a.actors {
		if x.player {
			f(x.id, x.record.ID)
		}
	}
}

// Lingers reports whether a player is in the area without a connection.
func (a *Area) Lingers(who EntityID) bool {
	x := a.find(who)
	return x != nil && x.player && x.lingers()
}

// ms returns the area's own clock: the number of its ticks, converted to milliseconds.
func (a *Area) ms() int64 { return int64(a.now) * 1000 / int64(a.world.TicksPerSecond) }

// claimClockMS returns the clock in ms by which claims are judged: the latest arrival time of an intent plus the time
// since then.
func (a *Area) claimClockMS() int64 {
	return a.clock + int64(a.now-a.clockTick)*1000/int64(a.world.TicksPerSecond)
}

// ticks converts milliseconds to ticks of the area, rounded up to at least one tick.
func (a *Area) ticks(ms int32) Tick {
	n := (int64(ms)*int64(a.world.TicksPerSecond) + 999) / 1000
	return Tick(max(n, 1))
}

// chancePerSecond returns true at random. If it is called once per tick, it returns true n times per second on average.
func (a *Area) chancePerSecond(n int32) bool { return a.rng.IntN(int32(a.world.TicksPerSecond)) < n }

func (a *Area) emit(e Event) { a.frame.Events = append(a.frame.Events, e) }

// refuse emits the event that an intent of a player was refused. If the intent exceeded a limit, the parameter asked is the value
// in the intent and allowed is the limit; otherwise both are 0.
func (a *Area) refuse(who, other EntityID, why reason.Reason, asked, allowed float32) {
	a.emit(Event{Kind: EventRefused, Who: who, Other: other, Reason: why, Asked: asked, Allowed: allowed})
}

// refuseIntent refuses an intent that was not executed. For a request to mount or dismount the event says which of the
// two was refused, because a client shows a dismount before the server answers.
func (a *Area) refuseIntent(x *actor, in *Intent, why reason.Reason, asked, allowed float32) {
	e := Event{Kind: EventRefused, Who: x.id, Other: in.Target, Reason: why, Asked: asked, Allowed: allowed}
	if in.Kind == IntentInteract || in.Kind == IntentDismount {
		e.N = int32(in.Kind)
	}
	a.emit(e)
}

// find returns the actor with this id, or nil if no such actor is in the area.
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

// add inserts an actor into the area's actor table, which is sorted by id.
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
	a.authorityCounts[x.authority.kind()]++
	x.tickPos = x.pos
	x.placedTick = a.now
	a.byID[x.id] = x
	a.gridTick = 0
}

// remove removes an actor from the area. Its mount, its leader and the actors that attack it stop referring to it. The removed
// actor stays in the table of actors until sweep deletes it at the end of the tick.
func (a *Area) remove(x *actor) {
	if x.gone {
		return
	}
	a.stopRiding(x)
	x.gone = true
	a.sweepDue = true
	a.authorityCounts[x.authority.kind()]--
	a.forget(x.id)
	if leader := a.byID[x.leader]; leader != nil {
		leader.pets = slices.DeleteFunc(leader.pets, func(y *actor) bool { return y == x })
	}
	if x.spawn >= 0 {
		a.spawns[x.spawn].count--
	}
}

// forget makes all other actors stop attacking and pursuing the actor with this id.
func (a *Area) forget(id EntityID) {
	for _, y := range a.actors {
		if y.target == id {
			y.target = 0
		}
		y.authority.forget(id)
	}
}

// sweep removes the actors that left the area in this tick from the actor table.
func (a *Area) sweep() {
	if !a.sweepDue {
		return
	}
	a.sweepDue = false
	for _, x := range a.actors {
		if x.gone {
			delete(a.byID, x.id)
		}
	}
	a.actors = slices.DeleteFunc(a.actors, func(x *actor) bool { return x.gone })
	a.gridTick = 0
}

// neighbours returns the indices in a.actors of the actors within radius of p on the ground plane, in the order of the grid; some
// may have left the area. The slice is valid until the next call. The first call of a tick builds the grid from the positions at
// that time; it does not contain later movements. Code that needs the later positions sets gridTick to 0, so that the next call
// builds the grid again.
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

// gridCell is the edge length of a grid cell in units: about the sight range of an NPC, so that a scan reads few cells.
const gridCell = 128
