package rs

import (
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Sizes of a crowd.
const (
	minRows = 1024
	maxRows = 1 << 14 // actors in all areas that a worker's players are in   guess: eight full ones; more are not shown
)

// figures stand for actors to RuneScape clients.
type rowState struct {
	id            sim.EntityID // 0: the row is free
	scene         *areaScene   // whose frames it is in; nil while it travels
	seenCycle     uint32       // scene cycle in which it was last in a frame
	tile          proto.Tile   // where it is shown
	previousTile  proto.Tile   // where it was shown before it came there
	pos           geom.Vec     // where it was in the frame of the last cycle
	heading       [2]int8      // which way it was last shown to go, east and north, -1..1; 0, 0: none yet
	motion        motion       // how it was shown to move in the last cycle
	midTile       proto.Tile   // where it was in the middle of a cycle, ...
	midTick       sim.Tick     // ... in this tick
	body          *sim.Body
	sentTurn      int32   // angle that clients were told, -1 none that counts
	yaw           float32 // yaw in the world of the last cycle
	movedSinceYaw bool    // it has moved since that yaw changed, ...
	moveAngle     uint16  // ... at this angle
	sentSpeed     int8
	drawnLag      int    // fine units of the client that its steps are drawn late
	sentTarget    int32  // row of whom it faces, -1 nobody
	deadUntil     uint32 // scene cycle until which the dead are shown, 0: it lives
	owner         *player
}

// crowd is the scene of a worker: one row for each actor in the areas of its players.
type actorTable struct {
	scene     *proto.Scene
	rowStates []rowState // by row
	rowByID   map[sim.EntityID]int32
	freeRows  rowQueue
	info      proto.Info // scratch
}

func newActorTable(w *sim.World) *actorTable {
	n := minRows
	for most := int(w.Rules.MaxActors) * len(w.Areas); n < most*5/4 && n < maxRows; {
		n *= 2
	}
	c := &actorTable{scene: proto.NewLargeScene(proto.Profile667, n), rowStates: make([]rowState, n), rowByID: map[sim.EntityID]int32{}}
	c.freeRows.rows = make([]int32, n)
	for row := range int32(n) {
		c.freeRows.push(row)
	}
	return c
}

// add gives an actor a row, -1 if there is none left.
func (c *actorTable) addActor(id sim.EntityID, at proto.Tile) int32 {
	row := c.freeRows.pop()
	if row < 0 {
		return -1
	}
	c.rowByID[id] = row
	c.rowStates[row] = rowState{id: id, tile: at, previousTile: at, sentTurn: -1, sentSpeed: -1, sentTarget: -1}
	c.scene.Add(int(row), uint64(id), at)
	return row
}

// remove takes an actor out.
func (c *actorTable) removeActor(row int32) {
	state := &c.rowStates[row]
	delete(c.rowByID, state.id)
	*state = rowState{}
	c.scene.Remove(int(row))
	c.freeRows.push(row)
}

// rowQueue are the free rows, the longest free first: a viewer who sees somebody in a row must be told that he is gone
// before he can be shown another there, which takes a cycle.
type rowQueue struct {
	rows     []int32 // a ring with room for all
	first, n int
}

func (q *rowQueue) push(row int32) {
	q.rows[(q.first+q.n)%len(q.rows)] = row
	q.n++
}

// take is the first in the queue, -1 if that is empty.
func (q *rowQueue) pop() int32 {
	if q.n == 0 {
		return -1
	}
	row := q.rows[q.first]
	q.first, q.n = (q.first+1)%len(q.rows), q.n-1
	return row
}

// row is that of an actor, -1 if it has none.
func (c *actorTable) rowOf(id sim.EntityID) int32 {
	if row, ok := c.rowByID[id]; ok {
		return row
	}
	return -1
}
