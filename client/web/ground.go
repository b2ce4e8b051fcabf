package web

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Format of a ground file, which contains the blocks of an area.
const (
	groundMagic = "TSG1"  // first bytes of a ground file
	maxSections = 1 << 20 // maximum number of different sections
)

// errGround reports a malformed ground file, which contains the blocks of an area.
var errGround = errors.New("malformed ground file")

// ParseGround parses a ground file, which contains the blocks of an area (docs/wire/web.md, Ground). The file names each kind of
// block that it contains. ParseGround returns an error if this program does not know the name. Other errors wrap wire.ErrShort,
// wire.ErrRange or wire.ErrTrailing, or report that the first bytes are wrong.
func ParseGround(b []byte) (*terrain.Blocks, error) {
	r := wire.NewReader(b)
	if string(r.Bytes(len(groundMagic))) != groundMagic {
		return nil, fmt.Errorf("%w: it must begin with %q", errGround, groundMagic)
	}
	kinds, err := readKinds(&r)
	if err != nil {
		return nil, err
	}
	minX, minZ := r.I32(), r.I32()
	width, depth := r.VarU32(), r.VarU32()
	r.CheckRange(uint64(width)*uint64(depth) <= terrain.MaxChunks, "width and depth")
	n := r.VarCount(3, maxSections)
	sections := make([]terrain.ColumnSection, 0, n)
	for range n {
		sections = append(sections, readSection(&r, kinds))
	}
	if r.Err() != nil {
		return nil, r.Done("ground file")
	}
	columns := make([]terrain.Column, 0, 1+int(width*depth))
	for range 1 + width*depth {
		var c terrain.Column
		for i := range c {
			at := r.VarU32()
			r.CheckRange(int(at) < len(sections), "index of a section")
			if r.Err() != nil {
				return nil, r.Done("ground file")
			}
			c[i] = sections[at]
		}
		columns = append(columns, c)
	}
	if err := r.Done("ground file"); err != nil {
		return nil, err
	}
	at := func(cx, cz int32) *terrain.Column { return &columns[1+(cz-minZ)*int32(width)+cx-minX] }
	return terrain.BlocksWithGround(&columns[0], minX, minZ, int(width), int(depth), at), nil
}

// readKinds reads the table of block kinds in a ground file. A file numbers its kinds from 0; element i of the result is the
// block kind of package terrain for the number i.
func readKinds(r *wire.Reader) ([]terrain.BlockID, error) {
	kinds := make([]terrain.BlockID, r.U8())
	for i := range kinds {
		word := r.Str8()
		r.Bytes(24 * int(r.U8())) // boxes
		r.Bytes(4 + 4 + 5 + 12)   // properties
		id, ok := terrain.BlockNamed(word)
		if r.Err() == nil && !ok {
			return nil, fmt.Errorf("%w: this program does not know the kind of block %q", errGround, word)
		}
		kinds[i] = id
	}
	return kinds, r.Err()
}

// readSection reads one section, a cube of 16 x 16 x 16 blocks. The file contains it as runs: a block kind and the number of
// consecutive blocks of that kind.
func readSection(r *wire.Reader, kinds []terrain.BlockID) (s terrain.ColumnSection) {
	var cells *[terrain.SectionCells]terrain.BlockID
	for at := 0; at < terrain.SectionCells; {
		kind, run := r.U8(), int(r.VarU32())+1
		r.CheckRange(int(kind) < len(kinds) && run <= terrain.SectionCells-at, "run of blocks")
		if r.Err() != nil {
			return s
		}
		id := kinds[kind]
		if at == 0 && run == terrain.SectionCells {
			s.Kind = id
			return s
		}
		if cells == nil {
			cells = new([terrain.SectionCells]terrain.BlockID)
		}
		for i := at; i < at+run; i++ {
			cells[i] = id
		}
		s.Traits |= id.Traits()
		at += run
	}
	s.Cells = cells
	return s
}
