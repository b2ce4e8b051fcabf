package move

import (
	"math/bits"

	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// A path search covers only a window of 128 x 128 tiles, in which the actor is at column 64 and row 64. This limits the cost of a
// click on a distant tile.
const (
	windowShift = 7
	window      = 1 << windowShift
	windowMask  = window - 1
	originCell  = window/2<<windowShift | window/2 // index of the actor's cell, in the middle of the window
)

// Searcher is the working memory of path searches, about 160 KiB. One Searcher serves any number of actors, one after the other.
// The zero value is ready. A search does not depend on earlier ones, so snapshots do not contain a Searcher.
type Searcher struct {
	// TilesVisited counts the tiles that searches have visited. It only grows. To limit the work of a tick, the caller
	// sets it to 0 and stops searching at a limit. The same searches give the same count on every machine.
	TilesVisited int

	cells    [window * window]cell
	queue    [window * window]uint16 // discovered cells in the order of discovery, which is the order of their distance from the actor
	floodGen uint32                  // number of the current flood, > 0

	tiles  *terrain.Tiles
	ox, oz int // absolute coordinates of the tile of cell 0; may be negative
}

// cell is the state of a tile of the window in a flood fill, by which a search spreads from tile to tile. It is valid only if gen
// is the number of the current flood fill, so that a new one need not clear the cells.
type cell struct {
	gen   uint32
	order uint16 // index of the cell in the queue
	from  uint8  // direction (terrain.Dir) of the step by which the cell was discovered
}

// offset contains the difference between the indices of two neighbouring cells, for each direction (terrain.Dir) from one cell to
// the other.
var offset = [terrain.DirCount]int{-1, 1, -window, window, -window - 1, -window + 1, window - 1, window + 1}

// StartPath finds a path to the goal, which replaces the actor's current path. The parameter ctrl says whether the player held
// the control key, which inverts the run setting on this path.
//
// The path is one with the fewest steps among those within 64 tiles of the actor. Of equally short paths, StartPath prefers
// the one along a row or column first and then diagonally, if nothing obstructs it. Otherwise it takes the path that a search
// finds first, which tries the directions W, E, S, N, SW, SE, NW, NE. The path does not always reach the goal:
//
//   - A goal beyond the window is replaced by the nearest tile of the window. That leads in the right direction; another
//     click or a pursuit continues from there.
//   - If the goal cannot be reached, the path leads to a substitute: the tile with the smallest straight distance to the
//     goal, of those within FallbackRadius tiles of the goal on each axis and MaxFallbackSteps steps of the actor. Of
//     equally near tiles it is the one found first. It may be the actor's own tile. If there is no substitute, the
//     request is refused with NoPath.
//   - A path of more than MaxLegs legs ends after MaxLegs.
//
// StartPath does not allocate.
func (p *PathPolicy) StartPath(s *PathState, f *Searcher, t *terrain.Tiles, g Goal, ctrl bool) StartPathResult {
	if !g.Tile.Valid() {
		return StartPathResult{Held: reason.OffMap}
	}
	f.tiles, f.ox, f.oz = t, int(s.Tile.X)-window/2, int(s.Tile.Z)-window/2
	near, inside := f.clampGoal(g)
	arrives, whole := true, true
	v := StartPathResult{}
	if !s.setDirectPath(t, near, &v.Steps) {
		var end int
		if end, arrives = f.search(p, near); end < 0 {
			return StartPathResult{Held: reason.NoPath}
		}
		v.Steps, whole = f.traceLegs(end, &s.Path)
	}
	v.ReachesGoal = arrives && inside && whole
	s.Path.InvertRun = ctrl
	v.End = s.Tile
	if s.Path.LegCount > 0 {
		v.End = s.Path.LegEnds[s.Path.LegCount-1]
	}
	return v
}

// startFlood begins a new flood fill of the window, which spreads from a cell.
func (f *Searcher) startFlood(from int) {
	if f.floodGen++; f.floodGen == 0 { // at wrap-around, marks of old floods would become valid again
		clear(f.cells[:])
		f.floodGen = 1
	}
	f.cells[from] = cell{gen: f.floodGen}
	f.queue[0] = uint16(from)
}

// clampGoal returns the goal and true if the goal is in the window. Otherwise it returns the goal to stand on the nearest tile of
// the window, and false.
func (f *Searcher) clampGoal(g Goal) (near Goal, inside bool) {
	x := min(max(int(g.Tile.X), f.ox), f.ox+windowMask)
	z := min(max(int(g.Tile.Z), f.oz), f.oz+windowMask)
	if x == int(g.Tile.X) && z == int(g.Tile.Z) {
		return g, true
	}
	return OnTile(Tile{X: uint16(x), Z: uint16(z)}), false
}

// tile returns the tile of the map for a cell of the window. The cell must not be outside of the map.
func (f *Searcher) tile(i int) Tile {
	return Tile{X: uint16(f.ox + i&windowMask), Z: uint16(f.oz + i>>windowShift)}
}

// search returns the cell where the path ends, or -1 if there is no path. The result arrives says whether an actor on that cell
// has reached the goal; if not, the cell is a substitute for an unreachable goal.
func (f *Searcher) search(p *PathPolicy, g Goal) (end int, arrives bool) {
	if g.ReachedFrom(f.tiles, f.tile(originCell)) {
		return originCell, true
	}
	w := flood{gx: int(g.Tile.X) - f.ox, gz: int(g.Tile.Z) - f.oz, goal: g, endRadius: int(g.Reach), maxSteps: window * window}
	if room := f.goalRoom(&w); room != 0 {
		if end = f.fallbackCell(p, &w, room); end < 0 || end == originCell {
			return end, false
		}
	}
	f.startFlood(originCell)
	end = f.runFlood(&w, int(p.MaxFallbackSteps))
	if end < 0 {
		return f.nearestToGoal(p, &w), false
	}
	return end, !w.fallback
}

// maxRoomTiles is the maximum number of tiles that are visited to find out whether a goal is in a closed room.
const maxRoomTiles = 256

// goalRoom quickly detects that a goal is unreachable, such as a wall, a tree, water or the inside of a closed house, so that
// the whole window need not be searched. It searches from the goal toward the actor. Steps between free tiles are legal in both
// directions, so if this search does not reach the actor, the actor cannot reach the goal. goalRoom returns 0 if the goal may
// be reachable. Otherwise it returns the number of its flood fill: the cells with that number in cell.gen are the room around
// the goal.
func (f *Searcher) goalRoom(w *flood) uint32 {
	goal := w.gz<<windowShift | w.gx
	f.startFlood(goal)
	if !f.standable(goal) {
		return f.floodGen
	}
	// An actor inside a solid may step out of it on any side, so for such an actor a search from the goal would prove nothing.
	if goal == originCell || !f.standable(originCell) {
		return 0
	}
	head, found := 0, 1
	defer func() { f.TilesVisited += found }()
	for ; head < found; head++ {
		i := int(f.queue[head])
		for ways := f.stepsFrom(i); ways != 0; ways &= ways - 1 {
			j := i + offset[bits.TrailingZeros8(uint8(ways))]
			if f.cells[j].gen == f.floodGen {
				continue
			}
			if j == originCell || found == maxRoomTiles {
				return 0
			}
			f.cells[j].gen = f.floodGen
			f.queue[found] = uint16(j)
			found++
		}
	}
	return f.floodGen
}

// fallbackCell prepares the search for a substitute of an unreachable goal. It considers two kinds of cells around the goal
// (w.fallbackCells): those outside the goal's room on which an actor can stand, and originCell, the cell of the actor. It
// returns the cell closest to the goal, and prefers originCell among equally close cells; -1 if there is none. The result may
// be unreachable, but no reachable tile is closer to the goal, so the search can end at the first tile that is as close.
func (f *Searcher) fallbackCell(p *PathPolicy, w *flood, room uint32) int {
	best := -1
	for i := range w.fallbackCells(p) {
		if best >= 0 && (w.goalDist2(i) > w.goalDist2(best) || w.goalDist2(i) == w.goalDist2(best) && i != originCell) {
			continue
		}
		if i == originCell || f.standable(i) && f.cells[i].gen != room {
			best = i
		}
	}
	if best < 0 {
		return -1
	}
	w.fallback, w.fallbackDist2, w.maxSteps = true, w.goalDist2(best), int(p.MaxFallbackSteps)
	for w.endRadius = 0; w.endRadius*w.endRadius < w.fallbackDist2; w.endRadius++ {
	}
	return best
}

// standable reports whether an actor can stand on the tile of a cell.
func (f *Searcher) standable(i int) bool {
	x, z := f.ox+i&windowMask, f.oz+i>>windowShift
	return x >= 0 && z >= 0 && !f.tiles.Blocked(uint16(x), uint16(z))
}

// flood is a search that spreads from a cell over the window, and the condition that ends it. Normally it ends at a cell from
// which the goal is reached. If fallback is true, the goal is unreachable, and the search ends at a cell whose squared distance
// from the goal is at most fallbackDist2.
type flood struct {
	gx, gz        int // column and row of the goal's cell in the window
	goal          Goal
	fallback      bool // the goal is unreachable, and a substitute is searched
	fallbackDist2 int  // squared distance from the goal, in tiles, at which a cell ends the flood; valid if fallback
	endRadius     int  // only cells within this many columns and rows of the goal can end the flood
	maxSteps      int  // maximum steps from the actor to a visited cell

	withinDetour int // number of queued cells within the detour limit; set by runFlood
}

// goalDist2 returns the square of the distance, in tiles, between a cell and the goal.
func (w *flood) goalDist2(i int) int {
	dx, dz := i&windowMask-w.gx, i>>windowShift-w.gz
	return dx*dx + dz*dz
}

// fallbackCells yields the cells around the goal in which a substitute for an unreachable goal is searched: those within
// FallbackRadius columns and rows.
func (w *flood) fallbackCells(p *PathPolicy) func(yield func(int) bool) {
	b := int(p.FallbackRadius)
	return func(yield func(int) bool) {
		for z := max(w.gz-b, 0); z <= min(w.gz+b, windowMask); z++ {
			for x := max(w.gx-b, 0); x <= min(w.gx+b, windowMask); x++ {
				if !yield(z<<windowShift | x) {
					return
				}
			}
		}
	}
}

// runFlood visits cells in the order of their distance from the actor, until a cell ends the flood fill. It returns that cell, or
// -1 if there is none. It also counts in w.withinDetour the cells that it has found within the given number of steps (detour)
// from the actor.
func (f *Searcher) runFlood(w *flood, detour int) int {
	head, found := 0, 1
	defer func() { f.TilesVisited += found }()
	steps, layer := 0, 1 // the cells in queue[:layer] are at most that number of steps from the actor
	w.withinDetour = 0
	for ; head < found; head++ {
		if head == layer {
			steps, layer = steps+1, found
		}
		if steps == detour && w.withinDetour == 0 {
			w.withinDetour = layer
		}
		if steps == w.maxSteps {
			break
		}
		i := int(f.queue[head])
		for ways := f.stepsFrom(i); ways != 0; ways &= ways - 1 {
			d := bits.TrailingZeros8(uint8(ways))
			j := i + offset[d]
			c := &f.cells[j&(window*window-1)]
			if c.gen == f.floodGen {
				continue
			}
			*c = cell{gen: f.floodGen, order: uint16(found), from: uint8(d)}
			f.queue[found] = uint16(j)
			found++
			if uint(j&windowMask-w.gx+w.endRadius) <= uint(2*w.endRadius) && uint(j>>windowShift-w.gz+w.endRadius) <= uint(2*w.endRadius) && f.isEnd(w, j) {
				return j
			}
		}
	}
	if w.withinDetour == 0 {
		w.withinDetour = found
	}
	return -1
}

// stepsFrom returns the directions of the legal steps from a cell to other cells of the window.
func (f *Searcher) stepsFrom(i int) terrain.DirSet {
	x, z := i&windowMask, i>>windowShift
	ways := f.tiles.OpenDirs(uint16(f.ox+x), uint16(f.oz+z))
	if (x+1)&windowMask <= 1 || (z+1)&windowMask <= 1 {
		ways &^= stepsOut(x, z)
	}
	return ways
}

// stepsOut returns the directions of the steps that leave the window from the cell at x, z.
func stepsOut(x, z int) (out terrain.DirSet) {
	switch x {
	case 0:
		out |= terrain.WesternDirs
	case windowMask:
		out |= terrain.EasternDirs
	}
	switch z {
	case 0:
		out |= terrain.SouthernDirs
	case windowMask:
		out |= terrain.NorthernDirs
	}
	return out
}

// isEnd reports whether the flood fill ends at a cell, so that the path leads there.
func (f *Searcher) isEnd(w *flood, i int) bool {
	if w.fallback {
		return w.goalDist2(i) <= w.fallbackDist2
	}
	return w.goal.ReachedFrom(f.tiles, f.tile(i))
}

// nearestToGoal returns a substitute for an unreachable goal: the cell closest to the goal of those that (1) the flood fill has
// visited, (2) are within FallbackRadius of the goal, and (3) are at most MaxFallbackSteps steps from the actor. It returns -1 if
// there is none.
func (f *Searcher) nearestToGoal(p *PathPolicy, w *flood) int {
	best := -1
	for i := range w.fallbackCells(p) {
		c := &f.cells[i]
		if c.gen != f.floodGen || int(c.order) >= w.withinDetour {
			continue
		}
		if best < 0 || w.goalDist2(i) < w.goalDist2(best) || w.goalDist2(i) == w.goalDist2(best) && c.order < f.cells[best].order {
			best = i
		}
	}
	return best
}

// traceLegs writes the path from the actor to a cell that the flood fill has visited, as straight legs. It returns the number of
// steps, and whether all legs fit into the path.
func (f *Searcher) traceLegs(end int, path *Path) (steps int, whole bool) {
	ends := f.queue[:0] // end of each leg, last leg first; the queue is no longer needed and is reused
	for i, ahead := end, -1; i != originCell; {
		d := int(f.cells[i].from)
		if d != ahead {
			ends = append(ends, uint16(i))
			ahead = d
		}
		i -= offset[d]
		steps++
	}
	path.Leg, path.LegCount = 0, uint8(min(len(ends), MaxLegs))
	for n := range int(path.LegCount) {
		path.LegEnds[n] = f.tile(int(ends[len(ends)-1-n]))
	}
	if len(ends) <= MaxLegs {
		return steps, true
	}
	return f.countSteps(path), false
}

// countSteps returns the number of steps of a path that begins at the actor.
func (f *Searcher) countSteps(path *Path) (steps int) {
	at := f.tile(originCell)
	for _, end := range path.LegEnds[:path.LegCount] {
		steps += at.Distance(end)
		at = end
	}
	return steps
}
