package move

import (
	"math/bits"

	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// The window of a search: 128 x 128 tiles with the mover at 64, 64. It bounds what a click can cost.
const (
	windowShift = 7
	window      = 1 << windowShift
	windowMask  = window - 1
	originCell  = window/2<<windowShift | window/2 // the mover's cell
)

// Searcher is the working memory of searches, about 160 KiB. One serves any number of actors, one after the other. The
// zero value is ready; what it holds between two searches does not matter, so it belongs in no snapshot.
type Searcher struct {
	// Looked counts the tiles that searches have looked at. It grows only; whoever has to bound the work of a tick sets it
	// to 0 and stops searching when it is too much. The same searches count the same everywhere.
	TilesVisited int

	cells [window * window]cell
	queue [window * window]uint16 // cells in the order in which they were found, nearest first
	gen   uint32                  // of this flood, > 0

	tiles  *terrain.Tiles
	ox, oz int // absolute tile of cell 0; may be negative
}

// cell is a tile of the window. What it says holds only if gen is that of the flood, so that nothing is cleared.
type cell struct {
	gen   uint32
	order uint16 // place in the queue
	from  uint8  // direction of the step by which it was found
}

// offset is what a step in each direction adds to the number of a cell.
var offset = [terrain.Dirs]int{-1, 1, -window, window, -window - 1, -window + 1, window - 1, window + 1}

// Head finds a path to the goal and lets the actor follow it in place of the one it had. ctrl is whether the control key
// was held: on this path the run setting counts as its opposite.
//
// The path is a shortest one in steps, among those within 64 tiles of the actor; each step counts 1. Where several are
// equal, the one along a row or column first and then diagonally is taken if nothing is in its way; else a search that
// tries W, E, S, N, SW, SE, NW, NE decides. It does not always arrive:
//
//   - A goal beyond the window is replaced by the tile of the window next to it. It is a direction to go; another
//     click or a pursuit takes up from there.
//   - If the goal cannot be reached, the path leads to the tile that is nearest to it by the crow (the smallest sum
//     of squares), within Box tiles of it on each axis and DetourMax steps of the actor; the one that is found first
//     among equals. It may be where the actor stands. If there is none, the wish is held: NoPath.
//   - A path of more than MaxTurns legs ends after so many.
//
// It does not allocate.
func (p *PathPolicy) StartPath(s *PathState, f *Searcher, t *terrain.Tiles, g Goal, ctrl bool) PathVerdict {
	if !g.Tile.Valid() {
		return PathVerdict{Held: reason.OffMap}
	}
	f.tiles, f.ox, f.oz = t, int(s.Tile.X)-window/2, int(s.Tile.Z)-window/2
	near, inside := f.clampGoal(g)
	arrives, whole := true, true
	v := PathVerdict{}
	if !s.directPath(t, near, &v.Steps) {
		var end int
		if end, arrives = f.search(p, near); end < 0 {
			return PathVerdict{Held: reason.NoPath}
		}
		v.Steps, whole = f.trace(end, &s.Path)
	}
	v.ReachesGoal = arrives && inside && whole
	s.Path.InvertRun = ctrl
	v.End = s.Tile
	if s.Path.LegCount > 0 {
		v.End = s.Path.LegEnds[s.Path.LegCount-1]
	}
	return v
}

// begin starts a flood at a cell.
func (f *Searcher) startFlood(from int) {
	if f.gen++; f.gen == 0 { // after four thousand million floods old marks could be taken for new ones
		clear(f.cells[:])
		f.gen = 1
	}
	f.cells[from] = cell{gen: f.gen}
	f.queue[0] = uint16(from)
}

// clamp returns the goal, or the tile of the window next to it if it lies beyond.
func (f *Searcher) clampGoal(g Goal) (near Goal, inside bool) {
	x := min(max(int(g.Tile.X), f.ox), f.ox+windowMask)
	z := min(max(int(g.Tile.Z), f.oz), f.oz+windowMask)
	if x == int(g.Tile.X) && z == int(g.Tile.Z) {
		return g, true
	}
	return OnTile(Tile{X: uint16(x), Z: uint16(z)}), false
}

// tile is where a cell lies; only for cells that exist in the world.
func (f *Searcher) tile(i int) Tile {
	return Tile{X: uint16(f.ox + i&windowMask), Z: uint16(f.oz + i>>windowShift)}
}

// search returns the cell where the path ends, -1 if there is none, and whether the goal is reached there.
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
		return f.nearest(p, &w), false
	}
	return end, !w.fallback
}

// smallRoom is how many tiles are looked at to find out that a goal is in a closed room.
const maxRoomTiles = 256

// hopeless finds out cheaply that a goal cannot be reached, so that the usual clicks of that kind, on a wall, a tree,
// water or into a closed house, do not flood the window. From a solid tile nothing is reached, and from a free one only
// its own room, since steps between free tiles are legal both ways. It returns 0 if the goal may be reached, else a gen
// that only the cells of its room have.
func (f *Searcher) goalRoom(w *flood) uint32 {
	goal := w.gz<<windowShift | w.gx
	f.startFlood(goal)
	if !f.standable(goal) {
		return f.gen
	}
	if goal == originCell || !f.standable(originCell) { // a mover inside a solid could step into any room around it
		return 0
	}
	head, found := 0, 1
	defer func() { f.TilesVisited += found }()
	for ; head < found; head++ {
		i := int(f.queue[head])
		for ways := f.stepsFrom(i); ways != 0; ways &= ways - 1 {
			j := i + offset[bits.TrailingZeros8(uint8(ways))]
			if f.cells[j].gen == f.gen {
				continue
			}
			if j == originCell || found == maxRoomTiles {
				return 0
			}
			f.cells[j].gen = f.gen
			f.queue[found] = uint16(j)
			found++
		}
	}
	return f.gen
}

// aside makes the flood, for a goal that is hopeless, stop at the first tile that is as near to it as any that can be
// stood on outside of its room; that spares most of the window. It returns -1 if there is no such tile, home if the mover
// stands on one, and else a cell that may turn out to be out of reach.
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

// stands tells whether one can stand on a cell.
func (f *Searcher) standable(i int) bool {
	x, z := f.ox+i&windowMask, f.oz+i>>windowShift
	return x >= 0 && z >= 0 && !f.tiles.Blocked(uint16(x), uint16(z))
}

// wave is one flood of the window and where it may end: at a cell from which the goal is reached or, for a hopeless
// one, at a cell no farther from it than near2.
type flood struct {
	gx, gz        int // column and row of the goal in the window
	goal          Goal
	fallback      bool
	fallbackDist2 int // squared tiles; valid if aside
	endRadius     int // columns and rows from the goal beyond which no cell is an end
	maxSteps      int // steps: no cell is found that is farther from the mover

	withinDetour int // so many cells of the queue are within a detour; set by flood
}

// far2 is the squared distance of a cell from the goal.
func (w *flood) goalDist2(i int) int {
	dx, dz := i&windowMask-w.gx, i>>windowShift-w.gz
	return dx*dx + dz*dz
}

// box yields the cells around the goal among which another end is looked for.
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

// flood finds cells in the order of their distance from the mover until one is an end, and returns it, or -1.
func (f *Searcher) runFlood(w *flood, detour int) int {
	head, found := 0, 1
	defer func() { f.TilesVisited += found }()
	steps, layer := 0, 1 // the cells of queue[:layer] are at most so many steps away
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
			if c.gen == f.gen {
				continue
			}
			*c = cell{gen: f.gen, order: uint16(found), from: uint8(d)}
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

// ways is which steps lead from a cell to another one of the window.
func (f *Searcher) stepsFrom(i int) terrain.DirSet {
	x, z := i&windowMask, i>>windowShift
	ways := f.tiles.OpenDirs(uint16(f.ox+x), uint16(f.oz+z))
	if (x+1)&windowMask <= 1 || (z+1)&windowMask <= 1 {
		ways &^= stepsOut(x, z)
	}
	return ways
}

// rim is which steps leave the window.
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

// ends tells whether the path may end at cell i.
func (f *Searcher) isEnd(w *flood, i int) bool {
	if w.fallback {
		return w.goalDist2(i) <= w.fallbackDist2
	}
	return w.goal.ReachedFrom(f.tiles, f.tile(i))
}

// nearest returns which cell that was found lies nearest to the goal, within the box and a detour; -1 if none does.
func (f *Searcher) nearest(p *PathPolicy, w *flood) int {
	best := -1
	for i := range w.fallbackCells(p) {
		c := &f.cells[i]
		if c.gen != f.gen || int(c.order) >= w.withinDetour {
			continue
		}
		if best < 0 || w.goalDist2(i) < w.goalDist2(best) || w.goalDist2(i) == w.goalDist2(best) && c.order < f.cells[best].order {
			best = i
		}
	}
	return best
}

// trace writes the legs from the mover to a cell that was found, and returns how many steps they are and whether all
// legs have room.
func (f *Searcher) trace(end int, path *Path) (steps int, whole bool) {
	ends := f.queue[:0] // where a leg ends, last leg first; the queue has done its duty
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
	return f.stepsOf(path), false
}

// stepsOf counts the steps of a path from the mover.
func (f *Searcher) stepsOf(path *Path) (steps int) {
	at := f.tile(originCell)
	for _, end := range path.LegEnds[:path.LegCount] {
		steps += at.Distance(end)
		at = end
	}
	return steps
}
