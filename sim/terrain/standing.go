package terrain

import (
	"errors"
	"math"
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
)

// StandingSolids returns boxes, in world units, of everything with collision that stands on the ground: the solids of the spec, then
// its fills in order. Tiles and walls built from these boxes match the blocks that NewBlocks builds from the spec. A fill of a kind
// without collision, such as air, removes what it covers, including parts of solids. It does not affect solids that have no blocks,
// because their block kind is Air or they are outside the heights that blocks can have. Solids that end below the lowest ground are
// omitted.
//
// The error names the limit that the spec exceeds. The spec must be valid for NewBlocks.
func (spec *BlocksSpec) StandingSolids() ([]Solid, error) {
	lowest := float32(math.Inf(-1))
	if spec.Ground != VoidGround {
		lowest = FloorFromSpec(spec).lowest()
	}
	var pieces []piece
	for i := range spec.Solids {
		if s := &spec.Solids[i]; s.Max.Y > lowest {
			pieces = append(pieces, spec.pieceOf(s))
		}
	}
	looks := 0
	for i := range spec.Fills {
		f := &spec.Fills[i]
		k := f.Block.Kind()
		if !k.full {
			if looks += len(pieces); looks > maxCutChecks {
				return nil, errors.New("too many block fills remove parts of other solids and fills; remove fills or solids")
			}
			pieces = spec.cutFill(pieces, f)
		}
		if body, ok := spec.fillSolid(f); ok && body.Max.Y > lowest {
			pieces = append(pieces, piece{body, f.Min, f.Max, true})
		}
		if len(pieces) > MaxFills {
			return nil, errors.New("the block fills cut the solids into too many pieces; remove fills or solids")
		}
	}
	solids := make([]Solid, len(pieces))
	for i := range pieces {
		solids[i] = pieces[i].Solid
	}
	return solids, nil
}

// maxCutChecks is the maximum total number of comparisons of fills with pieces of solids. So many comparisons take less than a
// second.
const maxCutChecks = 1 << 27

// piece is a solid, or a part of a solid that remains after block fills have removed the rest.
type piece struct {
	Solid
	lo, hi    [3]int32 // lowest and highest block that the original solid fills
	hasBlocks bool     // the original solid consists of blocks
}

// pieceOf returns a solid as a piece, with the range of blocks that it fills.
func (spec *BlocksSpec) pieceOf(s *BlockSolid) piece {
	whole, slab, hasWhole, hasSlab := spec.Grid.solidFills(s)
	p := piece{Solid: s.Solid, lo: whole.Min, hi: whole.Max, hasBlocks: hasWhole || hasSlab}
	switch {
	case hasWhole && hasSlab:
		p.hi[1] = slab.Max[1]
	case hasSlab:
		p.lo, p.hi = slab.Min, slab.Max
	}
	return p
}

// fillSolid returns the collision of a fill as a solid, from the lowest box of its blocks to the highest. It returns
// false if its blocks have no collision.
func (spec *BlocksSpec) fillSolid(f *BlockFill) (Solid, bool) {
	kind := f.Block.Kind()
	if !kind.Solid() {
		return Solid{}, false
	}
	lo, hi := kind.Boxes[0].Min, kind.Boxes[0].Max
	return spec.Grid.solidOf(
		[3]float64{float64(f.Min[0]) + float64(lo.X), float64(f.Min[1]) + float64(lo.Y), float64(f.Min[2]) + float64(lo.Z)},
		[3]float64{float64(f.Max[0]) + float64(hi.X), float64(f.Max[1]) + float64(hi.Y), float64(f.Max[2]) + float64(hi.Z)},
	), true
}

// solidOf converts a box in blocks to world units.
func (g BlockGrid) solidOf(lo, hi [3]float64) Solid {
	u := float64(g.UnitsPerBlock)
	across := func(v float64, axis int) float32 { return float32((v - float64(g.Origin[axis])) * u) }
	up := func(v float64) float32 {
		return float32(float64((v-float64(g.Origin[1]))*u) + float64(g.Height))
	}
	return Solid{
		Min: geom.Vec{X: across(lo[0], 0), Y: up(lo[1]), Z: -across(hi[2], 2)},
		Max: geom.Vec{X: across(hi[0], 0), Y: up(hi[1]), Z: -across(lo[2], 2)},
	}
}

// cutFill removes the cells of a fill from the pieces that consist of blocks. A solid may extend slightly beyond its outermost
// blocks. Where a fill removes these blocks, the part of the solid beyond them is removed as well.
func (spec *BlocksSpec) cutFill(pieces []piece, f *BlockFill) []piece {
	hole := spec.Grid.solidOf(
		[3]float64{float64(f.Min[0]), float64(f.Min[1]), float64(f.Min[2])},
		[3]float64{float64(f.Max[0]) + 1, float64(f.Max[1]) + 1, float64(f.Max[2]) + 1})
	if !slices.ContainsFunc(pieces, func(p piece) bool { return p.shares(f) }) {
		return pieces
	}
	var kept []piece
	for i := range pieces {
		if p := &pieces[i]; p.shares(f) {
			kept = p.without(p.widenHole(hole, f), kept)
		} else {
			kept = append(kept, *p)
		}
	}
	return kept
}

// shares reports whether fill f changes blocks of the solid from which the piece p was cut. All blocks of the solid count, not
// only those of the piece.
func (p *piece) shares(f *BlockFill) bool {
	for axis := range f.Min {
		if f.Min[axis] > p.hi[axis] || f.Max[axis] < p.lo[axis] {
			return false
		}
	}
	return p.hasBlocks
}

// widenHole extends the hole that a fill cuts into a solid. On each side on which the fill leaves no block of the solid, the hole
// extends to infinity, so that no thin rest of the solid remains there.
func (p *piece) widenHole(hole Solid, f *BlockFill) Solid {
	far := float32(math.Inf(1))
	for axis := range f.Min {
		first, last := f.Min[axis] <= p.lo[axis], f.Max[axis] >= p.hi[axis]
		if axis == 2 { // block Z increases to the south, world Z to the north
			first, last = last, first
		}
		if first {
			*axisOf(&hole.Min, axis) = -far
		}
		if last {
			*axisOf(&hole.Max, axis) = far
		}
	}
	return hole
}

// without appends to dst what remains of a piece around a hole, as one or more pieces, and returns the longer list.
func (p *piece) without(hole Solid, dst []piece) []piece {
	rest := *p
	for axis := range 3 {
		lower, upper := *axisOf(&hole.Min, axis), *axisOf(&hole.Max, axis)
		if *axisOf(&rest.Min, axis) >= upper || *axisOf(&rest.Max, axis) <= lower {
			return append(dst, rest) // the remaining part beside the hole
		}
		if *axisOf(&rest.Min, axis) < lower {
			side := rest
			*axisOf(&side.Max, axis) = lower
			dst = append(dst, side)
			*axisOf(&rest.Min, axis) = lower
		}
		if *axisOf(&rest.Max, axis) > upper {
			side := rest
			*axisOf(&side.Min, axis) = upper
			dst = append(dst, side)
			*axisOf(&rest.Max, axis) = upper
		}
	}
	return dst
}

// axisOf returns a pointer to the coordinate of v on axis 0 (X), 1 (Y) or 2 (Z).
func axisOf(v *geom.Vec, axis int) *float32 {
	switch axis {
	case 0:
		return &v.X
	case 1:
		return &v.Y
	}
	return &v.Z
}
