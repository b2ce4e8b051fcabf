package rs

import (
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
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
	body   *sim.Body
	yaw    float32
	speed  int8
	aim    int32  // row of whom it faces, -1 nobody
	fallen uint32 // scene cycle until which the dead are shown, 0: it lives
	owner  *player
}

// crowd is the scene of a worker: one row for each actor in the areas of its players.
type crowd struct {
	scene   *proto.Scene
	figures []figure // by row
	rows    map[sim.EntityID]int32
	free    []int32
	info    proto.Info // scratch
}

func newCrowd(w *sim.World) *crowd {
	n := minRows
	for most := int(w.Rules.MaxActors) * len(w.Areas); n < most*5/4 && n < maxRows; {
		n *= 2
	}
	c := &crowd{scene: proto.NewCrowd(proto.Profile667, n), figures: make([]figure, n), rows: map[sim.EntityID]int32{}}
	for row := n - 1; row >= 0; row-- {
		c.free = append(c.free, int32(row))
	}
	return c
}

// add gives an actor a row, -1 if there is none left.
func (c *crowd) add(id sim.EntityID, at proto.Tile) int32 {
	n := len(c.free)
	if n == 0 {
		return -1
	}
	row := c.free[n-1]
	c.free = c.free[:n-1]
	c.rows[id] = row
	c.figures[row] = figure{id: id, tile: at, speed: -1, aim: -1}
	c.scene.Add(int(row), uint64(id), at)
	return row
}

// remove takes an actor out.
func (c *crowd) remove(row int32) {
	fig := &c.figures[row]
	delete(c.rows, fig.id)
	*fig = figure{}
	c.scene.Remove(int(row))
	c.free = append(c.free, row)
}

// row is that of an actor, -1 if it has none.
func (c *crowd) row(id sim.EntityID) int32 {
	if row, ok := c.rows[id]; ok {
		return row
	}
	return -1
}
