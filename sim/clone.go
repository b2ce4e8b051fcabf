package sim

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/rng"
)

// CloneInto makes dst a copy of the area. It must not run during a tick of the area. The parameter dst is a zero Area, or an
// earlier copy of any area of any world, whose memory is reused. The copy gives equal snapshots, and equal frames for equal
// intents. Copy and original share only immutable data (the world, and every Character, Body and Join), so another goroutine may
// use the copy while the original executes further ticks.
func (a *Area) CloneInto(dst *Area) {
	old := *dst
	*dst = *a
	dst.spawns = append(old.spawns[:0], a.spawns...)
	dst.ground = append(old.ground[:0], a.ground...)
	dst.fields = append(old.fields[:0], a.fields...)
	for i := range dst.places {
		dst.places[i].list = append(old.places[i].list[:0], a.places[i].list...)
	}
	dst.arrived = append(old.arrived[:0], a.arrived...)
	dst.outboxes = resize(old.outboxes, len(a.outboxes))
	for i := range a.outboxes {
		o := &dst.outboxes[i]
		waiting := append(o.waiting[:0], a.outboxes[i].waiting...)
		*o = a.outboxes[i]
		o.waiting = waiting
	}
	if dst.rng = old.rng; dst.rng == nil {
		dst.rng = &rng.Stream{}
	}
	*dst.rng = *a.rng
	dst.cloneMemory = old.cloneMemory
	if dst.cloneMemory == nil {
		dst.cloneMemory = &cloneMemory{}
	}
	dst.cloneTable(a, old.actors, old.byID)
	dst.dropWorkingMemory()
}

// cloneTable copies the actors of src into a. The parameters actors and byID are memory for the new actor table and for its index
// by id.
func (a *Area) cloneTable(src *Area, actors []*actor, byID map[EntityID]*actor) {
	m := a.cloneMemory
	m.begin(len(src.actors))
	a.actors = resize(actors, len(src.actors))
	if a.byID = byID; a.byID == nil {
		a.byID = make(map[EntityID]*actor, len(src.actors))
	}
	clear(a.byID)
	for i, x := range src.actors {
		y := m.cloneActor(x)
		a.actors[i] = y
		a.byID[y.id] = y
	}
	for i, x := range src.actors {
		if len(x.pets) == 0 {
			continue
		}
		pets := m.pets.cloneSlice(x.pets)
		for j := range pets {
			pets[j] = a.byID[pets[j].id]
		}
		a.actors[i].pets = pets
	}
	m.end()
}

// dropWorkingMemory sets the working memory of a copy to zero, because it belongs to the original area. The copy allocates its
// own in its next tick.
func (a *Area) dropWorkingMemory() {
	a.pendingAttacks, a.duePaths, a.dueRoutes = nil, nil, nil
	a.gameHand = Hand{}
	a.frame, a.free, a.pathfinder = nil, nil, nil
	a.grid, a.xs, a.zs, a.near, a.gridTick = geom.Grid{}, nil, nil, nil, 0
	a.scratch = move.Scratch{}
}

// cloneMemory is the memory for the actors of a copy. It has one slab for each type of value that actors refer to: a slab holds
// many values in one block of memory.
type cloneMemory struct {
	actors   slab[actor]
	effects  slab[effectState]
	vehicles slab[move.Vehicle]
	pets     slab[*actor]
	paths    slab[pathAuthority]
	predicts slab[predictAuthority]
	queues   slab[action]
	goals    slab[goalAuthority]
	routes   slab[route]
	fields   slab[int32]
}

// begin makes the memory of the previous copy available for the next one, and reserves room for the given number of actors.
func (m *cloneMemory) begin(actors int) {
	m.actors.begin(actors)
	m.effects.begin(0)
	m.vehicles.begin(0)
	m.pets.begin(0)
	m.paths.begin(0)
	m.predicts.begin(0)
	m.queues.begin(0)
	m.goals.begin(0)
	m.routes.begin(0)
	m.fields.begin(0)
}

// end clears the memory that the previous copy used and the new copy does not use, so that the garbage collector can free what
// that memory refers to.
func (m *cloneMemory) end() {
	m.actors.end()
	m.effects.end()
	m.vehicles.end()
	m.pets.end()
	m.paths.end()
	m.predicts.end()
	m.queues.end()
	m.goals.end()
	m.routes.end()
	m.fields.end()
}

// cloneActor returns a copy of an actor, except for its list of pets.
func (m *cloneMemory) cloneActor(x *actor) *actor {
	y := m.actors.clone(x)
	y.authority = x.authority.clone(m)
	y.pets = nil
	y.fields = m.fields.cloneSlice(x.fields)
	if x.effects != nil {
		y.effects = m.effects.clone(x.effects)
	}
	if x.vehicle != nil {
		y.vehicle = m.vehicles.clone(x.vehicle)
	}
	return y
}

// slab provides memory for copies of values of one type. It allocates large blocks instead of single values, and the next copy
// reuses them.
type slab[T any] struct {
	list []T
	used int // length of list in the previous copy
}

// begin makes the values of the previous copy available for the next one, and reserves room for at least n values.
func (s *slab[T]) begin(n int) {
	s.used = len(s.list)
	s.list = s.list[:0]
	s.reserve(n)
}

// end clears the values that the previous copy used and the new copy does not use.
func (s *slab[T]) end() {
	if n := len(s.list); n < s.used {
		clear(s.list[n:s.used])
	}
}

// reserve makes sure that n more values fit into the slab. The values that the slab returned before do not move, because pointers
// refer to them.
func (s *slab[T]) reserve(n int) {
	if cap(s.list)-len(s.list) < n {
		s.list, s.used = make([]T, 0, max(len(s.list)+n+n/8, 2*cap(s.list), 16)), 0
	}
}

func (s *slab[T]) clone(v *T) *T {
	s.reserve(1)
	s.list = append(s.list, *v)
	return &s.list[len(s.list)-1]
}

// cloneSlice returns a copy of list without spare capacity. It returns nil for an empty list.
func (s *slab[T]) cloneSlice(list []T) []T {
	if len(list) == 0 {
		return nil
	}
	s.reserve(len(list))
	from := len(s.list)
	s.list = append(s.list, list...)
	return s.list[from:len(s.list):len(s.list)]
}
