package rs

import (
	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Limits of the number of rows in an actor table. Each row holds one actor.
const (
	minRows = 1024
	maxRows = 1 << 14 // enough for eight full areas with players of one worker; actors for which no row is left are not displayed
)

// rowState describes the actor in one row of an actor table, as RuneScape clients display the actor.
type rowState struct {
	id            sim.EntityID // actor in the row, 0 if the row is free
	scene         *areaScene   // scene whose frames contain the actor, nil while the actor changes areas
	seenCycle     uint32       // number of the last scene cycle whose frame contained the actor
	tile          proto.Tile   // tile on which clients display the actor
	previousTile  proto.Tile   // tile on which clients displayed the actor before
	pos           geom.Vec     // position in the frame of the last cycle
	heading       [2]int8      // direction of the actor's last displayed movement, east and north, each -1..1; both 0 before the first
	motion        motion       // kind of movement that clients were sent in the last cycle
	midTile       proto.Tile   // tile of the actor in the middle of the cycle
	midTick       sim.Tick     // tick at which the actor was on midTile; 0 if it is unknown
	body          *sim.Body
	models        *appearance.RuneScape // table from which the appearance was encoded
	sentTurn      int32                 // angle that clients were last sent, in 1/16384 of a turn; -1 if none was sent or clients have turned the actor since
	yaw           float32               // yaw in the frame of the last cycle, in degrees
	movedSinceYaw bool                  // the actor has moved since yaw changed
	moveAngle     uint16                // direction of the actor's last movement, in 1/16384 of a turn
	sentSpeed     int8                  // movement speed that clients were last sent: speedWalk or speedRun; -1 if none was sent
	drawnLag      int                   // distance in fine units (fineTile) by which the drawn position is behind the sent steps
	sentTarget    int32                 // row of the target that the actor faces on clients; -1 if none
	deadUntil     uint32                // scene cycle until which a dead actor is displayed; 0 if the actor is alive
	owner         *player               // the actor's player if this worker owns it, else nil
}

// actorTable contains what a worker's clients see of actors: a row in a proto.Scene for each actor in those areas in which the
// worker has players.
type actorTable struct {
	scene     *proto.Scene
	rowStates []rowState // state of each row
	rowByID   map[sim.EntityID]int32
	freeRows  rowQueue
	info      proto.Info // scratch buffer of showActor
}

func newActorTable(w *sim.World) *actorTable {
	n := minRows
	for actors := int(w.Rules.MaxActors) * len(w.Areas); n < actors*5/4 && n < maxRows; {
		n *= 2
	}
	table := &actorTable{scene: proto.NewLargeScene(proto.Profile667, n), rowStates: make([]rowState, n), rowByID: map[sim.EntityID]int32{}}
	table.freeRows.rows = make([]int32, n)
	for row := range int32(n) {
		table.freeRows.push(row)
	}
	return table
}

// addActor assigns a free row to an actor and returns the row. If no row is free, it returns -1. The parameter "at" is the tile
// on which clients display the actor.
func (table *actorTable) addActor(id sim.EntityID, at proto.Tile) int32 {
	row := table.freeRows.pop()
	if row < 0 {
		return -1
	}
	table.rowByID[id] = row
	table.rowStates[row] = rowState{id: id, tile: at, previousTile: at, sentTurn: -1, sentSpeed: -1, sentTarget: -1}
	table.scene.Add(int(row), uint64(id), at)
	return row
}

// removeActor removes the actor in a row from the scene, which makes the row free.
func (table *actorTable) removeActor(row int32) {
	state := &table.rowStates[row]
	delete(table.rowByID, state.id)
	*state = rowState{}
	table.scene.Remove(int(row))
	table.freeRows.push(row)
}

// rowQueue holds the free rows of an actor table. The row that has been free for the longest time is reused first. Clients must be
// told that an actor is gone before its row gets another actor, and they are told only with the next cycle.
type rowQueue struct {
	rows     []int32 // ring buffer with space for all rows
	first, n int     // index of the first row in the queue, and number of rows
}

func (q *rowQueue) push(row int32) {
	q.rows[(q.first+q.n)%len(q.rows)] = row
	q.n++
}

// pop removes the first row of the queue. It returns -1 if the queue is empty.
func (q *rowQueue) pop() int32 {
	if q.n == 0 {
		return -1
	}
	row := q.rows[q.first]
	q.first, q.n = (q.first+1)%len(q.rows), q.n-1
	return row
}

// rowOf returns the row of an actor, or -1 if it has none.
func (table *actorTable) rowOf(id sim.EntityID) int32 {
	if row, ok := table.rowByID[id]; ok {
		return row
	}
	return -1
}
