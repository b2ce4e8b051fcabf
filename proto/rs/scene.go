package rs

import "fmt"

// historyCycles is how many cycles a scene remembers where everybody stood: 77 s. A client gives a connection up after
// 15 s without a byte, so whoever is further behind has to be logged out.
const historyCycles = 128

// Scene is what is true of every avatar in a cycle, and what of it can be written once for all viewers: the bits of
// each movement and change of square, and each avatar's extended info.
//
// A cycle: Add, Remove, Move, Set, Face and Private in any order, then Prepare, then Encoder.Encode for each viewer, then
// Advance. Between Prepare and Advance a scene is only read, so any number of Encoders may work at the same time; whoever
// changes it has to Prepare again. What is said of an empty row is of nobody and is dropped.
//
// An avatar stands in a row. In a shared scene (NewScene) the row is the player's index in every client, 1..2047. In a
// crowd (NewCrowd) there may be any number of rows, and each viewer gives indices to the rows that it sees.
type Scene struct {
	profile *Profile
	crowd   bool
	cycle   uint32 // 1 is the first
	ready   bool   // nothing has changed since Prepare

	ids    []uint64 // who stands in the row; 0 nobody
	now    []uint32 // packed tile; 0 while nobody is there
	born   []uint32 // cycle in which whoever is there came
	jumped []uint32 // cycle of the last move that was Jumped
	told   []uint32 // cycle of the last change of persistent info, 0 for none
	info   []rowInfo

	tiles [historyCycles][]uint32 // packed tiles at the end of cycle c, at c%historyCycles
	said  [historyCycles]Rows     // who had transient info in cycle c, likewise

	// From here on made by Prepare.
	codes []rowCodes
	low   []lowCode
	arena []byte // the blocks of this cycle

	online  Rows // somebody is there
	fresh   Rows // and came in this cycle
	moved   Rows // and was there before, on another tile
	crossed Rows // the square differs from the last cycle's, be it that somebody came or went
	touched Rows // has a block this cycle: transient info, or persistent info that changed
	changed Rows // has persistent info that changed this cycle
	private Rows // has info that differs between viewers
	dressed Rows // has persistent info that a client forgets when it removes the avatar
	aiming  Rows // faces another row (crowds only)

	aims   []int32           // the row that a row faces, -1 none (crowds only)
	places [numKinds]int8    // position of a kind in the profile's wire order, -1 if it has none
	bits   [maxBlocks]uint32 // mask bit by position
	kinds  []Kind            // the wire order
	rested [maxBlocks][]byte // bodies that undo a persistent kind
	lasts  uint32            // positions of persistent kinds
	fades  uint32            // positions of persistent kinds that a client forgets with the avatar
	target int8              // position of the block that faces another player, -1 if the profile has none
}

// rowCodes is what viewers copy of a row, together because they are read together.
type rowCodes struct {
	move code   // pass 1 and 2 entry, stay if there is no movement
	add  code   // pass 3 and 4 entry for who knows the last cycle's square
	span uint64 // the block in the arena: offset<<32 | length; 0 if there is none
}

// NewScene returns a shared scene: rows 1..2047 are indices, and every change of square is told to everybody who does
// not see the avatar, as the seed has it. The first cycle is open.
func NewScene(p *Profile) *Scene { return newScene(p, indexSlots, false) }

// NewCrowd returns a scene of the given number of rows, numbered from 0, whose viewers give out indices themselves.
// Squares are told when an avatar is added.
func NewCrowd(p *Profile, rows int) *Scene { return newScene(p, rows, true) }

func newScene(p *Profile, rows int, crowd bool) *Scene {
	s := &Scene{
		profile: p, crowd: crowd, cycle: 1,
		ids: make([]uint64, rows), now: make([]uint32, rows), born: make([]uint32, rows), jumped: make([]uint32, rows),
		told: make([]uint32, rows), info: make([]rowInfo, rows), codes: make([]rowCodes, rows), low: make([]lowCode, rows),
	}
	for i := range s.tiles {
		s.tiles[i] = make([]uint32, rows)
		s.said[i] = NewRows(rows)
	}
	for _, set := range []*Rows{&s.online, &s.fresh, &s.moved, &s.crossed, &s.touched, &s.changed, &s.private, &s.dressed, &s.aiming} {
		*set = NewRows(rows)
	}
	if crowd {
		s.aims = make([]int32, rows)
		for i := range s.aims {
			s.aims[i] = -1
		}
	}
	s.learnBlocks()
	return s
}

// Profile is the revision that the scene is written for.
func (s *Scene) Profile() *Profile { return s.profile }

// Rows is how many rows there are.
func (s *Scene) Rows() int { return len(s.ids) }

// Cycle is the number of the open cycle; the first is 1.
func (s *Scene) Cycle() uint32 { return s.cycle }

// ID is who stands in the row, 0 for nobody.
func (s *Scene) ID(row int) uint64 { return s.ids[row] }

// Tile is where the avatar of the row is now; the zero Tile if there is none.
func (s *Scene) Tile(row int) Tile { return UnpackTile(s.now[row]) }

// Add puts an avatar into an empty row. id is not 0 and names the avatar for as long as it is there: viewers that knew
// somebody else in the row forget him first. Appearance and speed are to be Set in the same cycle.
func (s *Scene) Add(row int, id uint64, at Tile) {
	if id == 0 || s.ids[row] != 0 || row == 0 && !s.crowd {
		panic(fmt.Sprintf("rs: add of %d to row %d, which holds %d", id, row, s.ids[row]))
	}
	s.ready = false
	s.ids[row] = id
	s.now[row] = at.Pack()
	s.born[row] = s.cycle
	s.online.Add(row)
	s.fresh.Add(row)
}

// Remove empties a row. Viewers drop the avatar in this cycle. In a crowd nobody faces it any more.
func (s *Scene) Remove(row int) {
	s.ready = false
	s.ids[row] = 0
	s.now[row] = 0
	s.online.Drop(row)
	s.fresh.Drop(row)
	s.forget(row)
	if s.crowd {
		s.turnAway(row)
	}
}

// Move says where the avatar of the row is at the end of the cycle, and how it came there. The last call counts, but a
// jump anywhere in the cycle makes it a jump.
func (s *Scene) Move(row int, to Tile, how How) {
	if s.ids[row] == 0 {
		return
	}
	s.ready = false
	s.now[row] = to.Pack()
	if how == Jumped {
		s.jumped[row] = s.cycle
	}
}

// Prepare writes what all viewers share. After it the scene is only read until Advance.
func (s *Scene) Prepare() {
	last := s.last()
	for w := range s.online {
		s.prepareWord(w, last)
	}
	s.prepareBlocks()
	s.ready = true
}

// last is the tiles of the cycle before.
func (s *Scene) last() []uint32 { return s.tiles[(s.cycle-1)%historyCycles] }

// prepareWord makes the codes of 64 rows.
func (s *Scene) prepareWord(w int, last []uint32) {
	var moved, crossed uint64
	cell := s.profile.Cell
	for r := w * 64; r < min(w*64+64, len(s.now)); r++ {
		bit := uint64(1) << (r & 63)
		was, is := last[r], s.now[r]
		c := &s.codes[r]
		c.move, s.low[r] = stay, lowSame
		if was != is {
			s.low[r] = lowBits(squareOf(was, cell), squareOf(is, cell))
			if s.low[r] != lowSame {
				crossed |= bit
			}
			if s.online[w]&^s.fresh[w]&bit != 0 {
				c.move = moveBits(was, is, s.how(r, s.cycle-1))
				moved |= bit
			}
		}
		c.add = addBits(s.low[r], is, cell)
	}
	s.moved[w], s.crossed[w] = moved, crossed
}

// how is the way a row came to its tile for somebody who last heard of it in the given cycle.
func (s *Scene) how(row int, since uint32) How {
	if s.jumped[row] > since {
		return Jumped
	}
	return Walked
}

// Advance closes the cycle: transient info is gone, and where everybody stands is where they stood.
func (s *Scene) Advance() {
	s.ready = false
	at := s.cycle % historyCycles
	copy(s.tiles[at], s.now)
	s.expire()
	s.fresh.Clear()
	s.cycle++
}
