package terrain

import "fmt"

// Limits of the blocks of an area. They limit the memory for the blocks to 80 MiB.
const (
	MaxChunks      = 1 << 16 // maximum chunks in the rectangle around everything that differs from the ground: 4096 x 4096 blocks
	MaxHeights     = 1 << 20 // maximum columns of a heightmap
	MaxSections    = 1 << 14 // maximum sections, of 16 x 16 x 16 blocks, with several kinds of blocks; sections of ground only do not count
	MaxFills       = 1 << 16 // maximum solids and fills together
	maxFilledCells = 1 << 26 // maximum cells of all solids and fills together, which are built in less than a second
)

// Ground is the kind of ground in an area.
type Ground uint8

// Values of Ground: flat, none, or with the heights of a heightmap.
const (
	FlatGround   Ground = iota // flat ground at height BlocksSpec.Level
	VoidGround                 // no ground: every block is air
	HeightGround               // ground with the heights of BlocksSpec.Heightmap, and flat ground around it
)

// BlocksSpec describes the blocks of an area. They are built in this order: the ground, the liquid on it, the solids, the
// fills.
type BlocksSpec struct {
	Grid      BlockGrid // conversion between world units and blocks
	Ground    Ground    // kind of ground: flat, void or with heights
	Level     int32     // y of the first free cell above flat ground, -64 (no ground) to 320
	Surface   BlockID   // kind of the top layer of the ground
	Filler    BlockID   // kind of the blocks below the top layer, down to MinBlockY
	Heightmap Heightmap // heights of the ground; used only if Ground is HeightGround

	Liquid      BlockID // liquid between the ground and LiquidLevel, where the ground is lower; Air for none
	LiquidLevel int32   // y of the first free cell above the liquid

	Solids []BlockSolid // boxes in world units that are converted to blocks, such as walls and buildings
	Fills  []BlockFill  // boxes of blocks that are placed after the solids and replace them
}

// Heightmap is ground with a height for each column of blocks.
type Heightmap struct {
	X, Z         int32   // block coordinates of the north-west column
	Width, Depth int32   // number of columns to the east and to the south
	Tops         []int16 // y of the first free cell above each column's ground, -64..320; rows from north to south, each from west to east
}

// BlockSolid is a solid box in world units that is filled with one kind of block.
type BlockSolid struct {
	Solid
	Block BlockID // kind of the blocks; Air: the solid has none, so it does not stop players under the predict authority
}

// BlockFill places one kind of block in all cells from Min to Max, both included.
type BlockFill struct {
	Min, Max [3]int32 // lowest and highest cell of the fill, both included; Min <= Max on each axis
	Block    BlockID  // kind of block in every cell of the fill
}

func (spec *BlocksSpec) check() error {
	if err := spec.Grid.Check(); err != nil {
		return err
	}
	if spec.Level < MinBlockY || spec.Level > MaxBlockY+1 {
		return fmt.Errorf("the level of the ground is %d, which is not within %d..%d", spec.Level, MinBlockY, MaxBlockY+1)
	}
	if spec.Surface >= blockCount || spec.Filler >= blockCount {
		return fmt.Errorf("the ground has an unknown kind of block: kind %d is on top, kind %d is below it", spec.Surface, spec.Filler)
	}
	if spec.Liquid != Air && (spec.Liquid >= blockCount || spec.Liquid.Kind().Solid()) {
		return fmt.Errorf("the liquid on the ground is block kind %d, which is unknown or solid; use a known kind that is not solid", spec.Liquid)
	}
	if len(spec.Solids)+len(spec.Fills) > MaxFills {
		return fmt.Errorf("there are %d solids and fills, at most %d are allowed", len(spec.Solids)+len(spec.Fills), MaxFills)
	}
	if spec.Ground == HeightGround {
		return spec.Heightmap.check()
	}
	return nil
}

func (h *Heightmap) check() error {
	if h.Width < 1 || h.Depth < 1 || int64(h.Width)*int64(h.Depth) != int64(len(h.Tops)) {
		return fmt.Errorf("the heightmap of %d x %d columns has %d heights, must have one for each column", h.Width, h.Depth, len(h.Tops))
	}
	if len(h.Tops) > MaxHeights {
		return fmt.Errorf("the heightmap has %d columns, at most %d are allowed", len(h.Tops), MaxHeights)
	}
	if h.X < -MaxOrigin || h.X > MaxOrigin || h.Z < -MaxOrigin || h.Z > MaxOrigin {
		return fmt.Errorf("the heightmap begins at block %d, %d (x, z), but both coordinates must be within %d..%d", h.X, h.Z, -MaxOrigin, MaxOrigin)
	}
	for i, top := range h.Tops {
		if top < MinBlockY || top > MaxBlockY+1 {
			return fmt.Errorf("the height %d of column %d, %d is not within %d..%d", top,
				h.X+int32(i)%h.Width, h.Z+int32(i)/h.Width, MinBlockY, MaxBlockY+1)
		}
	}
	return nil
}

func (f *BlockFill) check() error {
	if f.Block >= blockCount {
		return fmt.Errorf("the kind of block %d is unknown", f.Block)
	}
	for axis := range f.Min {
		lo, hi := int32(-2*MaxOrigin), int32(2*MaxOrigin)
		if axis == 1 {
			lo, hi = MinBlockY, MaxBlockY
		}
		if f.Min[axis] < lo || f.Max[axis] > hi {
			return fmt.Errorf("coordinates %d..%d on one axis are not within the limits of %d..%d blocks", f.Min[axis], f.Max[axis], lo, hi)
		}
		if f.Min[axis] > f.Max[axis] {
			return fmt.Errorf("on one axis the lowest cell is %d, above the highest cell, %d", f.Min[axis], f.Max[axis])
		}
	}
	return nil
}

// cells returns the number of cells of the fill.
func (f *BlockFill) cells() int64 {
	return int64(f.Max[0]-f.Min[0]+1) * int64(f.Max[1]-f.Min[1]+1) * int64(f.Max[2]-f.Min[2]+1)
}
