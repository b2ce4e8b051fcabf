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
type figure struct {
	id     sim.EntityID // 0: the row is free
	place  *place       // whose frames it is in; nil while it travels
	seen   uint32       // scene cycle in which it was last in a frame
	tile   proto.Tile   // where it is shown
	from   proto.Tile   // where it was shown before it came there
	pos    geom.Vec     // where it was in the frame of the last cycle
	ahead  [2]int8      // which way it was last shown to go, east and north, -1..1; 0, 0: none yet
	motion motion       // how it was shown to move in the last cycle
	mid    proto.Tile   // where it was in the middle of a cycle, ...
	midAt  sim.Tick     // ... in this tick
	body   *sim.Body
	turn   int32   // angle that clients were told, -1 none that counts
	turned float32 // yaw in the world of the last cycle
	went   bool    // it has moved since that yaw changed, ...
	way    uint16  // ... at this angle
	speed  int8
	behind int    // fine units of the client that its steps are drawn late
	aim    int32  // row of whom it faces, -1 nobody
	fallen uint32 // scene cycle until which the dead are shown, 0: it lives
	owner  *player
}

// crowd is the scene of a worker: one row for each actor in the areas of its players.
type crowd struct {
	scene   *proto.Scene
	figures []figure // by row
	rows    map[sim.EntityID]int32
	free    rowQueue
	info    proto.Info // scratch
}

func newCrowd(w *sim.World) *crowd {
	n := minRows
	for most := int(w.Rules.MaxActors) * len(w.Areas); n < most*5/4 && n < maxRows; {
		n *= 2
	}
	c := &crowd{scene: proto.NewLargeScene(proto.Profile667, n), figures: make([]figure, n), rows: map[sim.EntityID]int32{}}
	c.free.rows = make([]int32, n)
	for row := range int32(n) {
		c.free.put(row)
	}
	return c
}

// add gives an actor a row, -1 if there is none left.
func (c *crowd) add(id sim.EntityID, at proto.Tile) int32 {
	row := c.free.take()
	if row < 0 {
		return -1
	}
	c.rows[id] = row
	c.figures[row] = figure{id: id, tile: at, from: at, turn: -1, speed: -1, aim: -1}
	c.scene.Add(int(row), uint64(id), at)
	return row
}

// remove takes an actor out.
func (c *crowd) remove(row int32) {
	fig := &c.figures[row]
	delete(c.rows, fig.id)
	*fig = figure{}
	c.scene.Remove(int(row))
	c.free.put(row)
}

// rowQueue are the free rows, the longest free first: a viewer who sees somebody in a row must be told that he is gone
// before he can be shown another there, which takes a cycle.
type rowQueue struct {
	rows     []int32 // a ring with room for all
	first, n int
}

func (q *rowQueue) put(row int32) {
	q.rows[(q.first+q.n)%len(q.rows)] = row
	q.n++
}

// take is the first in the queue, -1 if that is empty.
func (q *rowQueue) take() int32 {
	if q.n == 0 {
		return -1
	}
	row := q.rows[q.first]
	q.first, q.n = (q.first+1)%len(q.rows), q.n-1
	return row
}

// row is that of an actor, -1 if it has none.
func (c *crowd) row(id sim.EntityID) int32 {
	if row, ok := c.rows[id]; ok {
		return row
	}
	return -1
}
