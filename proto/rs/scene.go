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
	large   bool
	cycle   uint32 // 1 is the first
	ready   bool   // nothing has changed since Prepare

	ids          []uint64 // who stands in the row; 0 nobody
	now          []uint32 // packed tile; 0 while nobody is there
	addedAt      []uint32 // cycle in which whoever is there came
	teleportedAt []uint32 // cycle of the last move that was Jumped
	persistentAt []uint32 // cycle of the last change of persistent info, 0 for none
	info         []rowInfo

	tiles         [historyCycles][]uint32 // packed tiles at the end of cycle c, at c%historyCycles
	transientRows [historyCycles]RowSet   // who had transient info in cycle c, likewise

	// From here on made by Prepare.
	codes []rowCodes
	low   []lowCode
	arena []byte // the blocks of this cycle

	occupied          RowSet // somebody is there
	added             RowSet // and came in this cycle
	moved             RowSet // and was there before, on another tile
	squareChanged     RowSet // the square differs from the last cycle's, be it that somebody came or went
	hasBlock          RowSet // has a block this cycle: transient info, or persistent info that changed
	persistentChanged RowSet // has persistent info that changed this cycle
	private           RowSet // has info that differs between viewers
	resendOnAdd       RowSet // has persistent info that a client forgets when it removes the avatar
	facing            RowSet // faces another row (crowds only)

	facedRow       []int32           // the row that a row faces, -1 none (crowds only)
	places         [numKinds]int8    // position of a kind in the profile's wire order, -1 if it has none
	bits           [maxBlocks]uint32 // mask bit by position
	kinds          []Kind            // the wire order
	defaultBody    [maxBlocks][]byte // bodies that undo a persistent kind
	persistentBits uint32            // positions of persistent kinds
	resendBits     uint32            // positions of persistent kinds that a client forgets with the avatar
	target         int8              // position of the block that faces another player, -1 if the profile has none
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
func NewLargeScene(p *Profile, rows int) *Scene { return newScene(p, rows, true) }

func newScene(p *Profile, rows int, crowd bool) *Scene {
	s := &Scene{
		profile: p, large: crowd, cycle: 1,
		ids: make([]uint64, rows), now: make([]uint32, rows), addedAt: make([]uint32, rows), teleportedAt: make([]uint32, rows),
		persistentAt: make([]uint32, rows), info: make([]rowInfo, rows), codes: make([]rowCodes, rows), low: make([]lowCode, rows),
	}
	for i := range s.tiles {
		s.tiles[i] = make([]uint32, rows)
		s.transientRows[i] = NewRowSet(rows)
	}
	for _, set := range []*RowSet{&s.occupied, &s.added, &s.moved, &s.squareChanged, &s.hasBlock, &s.persistentChanged, &s.private, &s.resendOnAdd, &s.facing} {
		*set = NewRowSet(rows)
	}
	if crowd {
		s.facedRow = make([]int32, rows)
		for i := range s.facedRow {
			s.facedRow[i] = -1
		}
	}
	s.initBlocks()
	return s
}

// Profile is the revision that the scene is written for.
func (s *Scene) Profile() *Profile { return s.profile }

// Rows is how many rows there are.
func (s *Scene) RowCount() int { return len(s.ids) }

// Cycle is the number of the open cycle; the first is 1.
func (s *Scene) Cycle() uint32 { return s.cycle }

// ID is who stands in the row, 0 for nobody.
func (s *Scene) ID(row int) uint64 { return s.ids[row] }

// Tile is where the avatar of the row is now; the zero Tile if there is none.
func (s *Scene) Tile(row int) Tile { return UnpackTile(s.now[row]) }

// Add puts an avatar into an empty row. id is not 0 and names the avatar for as long as it is there: viewers that knew
// somebody else in the row forget him first. Appearance and speed are to be Set in the same cycle.
func (s *Scene) Add(row int, id uint64, at Tile) {
	if id == 0 || s.ids[row] != 0 || row == 0 && !s.large {
		panic(fmt.Sprintf("rs: add of %d to row %d, which holds %d", id, row, s.ids[row]))
	}
	s.ready = false
	s.ids[row] = id
	s.now[row] = at.Pack()
	s.addedAt[row] = s.cycle
	s.occupied.Add(row)
	s.added.Add(row)
}

// Remove empties a row. Viewers drop the avatar in this cycle. In a crowd nobody faces it any more.
func (s *Scene) Remove(row int) {
	s.ready = false
	s.ids[row] = 0
	s.now[row] = 0
	s.occupied.Remove(row)
	s.added.Remove(row)
	s.clearInfo(row)
	if s.large {
		s.clearFacing(row)
	}
}

// Move says where the avatar of the row is at the end of the cycle, and how it came there. The last call counts, but a
// jump anywhere in the cycle makes it a jump.
func (s *Scene) Move(row int, to Tile, kind MoveKind) {
	if s.ids[row] == 0 {
		return
	}
	s.ready = false
	s.now[row] = to.Pack()
	if kind == MoveTeleport {
		s.teleportedAt[row] = s.cycle
	}
}

// Prepare writes what all viewers share. After it the scene is only read until Advance.
func (s *Scene) Prepare() {
	last := s.lastTiles()
	for w := range s.occupied {
		s.prepareWord(w, last)
	}
	s.prepareBlocks()
	s.ready = true
}

// last is the tiles of the cycle before.
func (s *Scene) lastTiles() []uint32 { return s.tiles[(s.cycle-1)%historyCycles] }

// prepareWord makes the codes of 64 rows.
func (s *Scene) prepareWord(w int, last []uint32) {
	var moved, crossed uint64
	cell := s.profile.SquareShift
	for r := w * 64; r < min(w*64+64, len(s.now)); r++ {
		bit := uint64(1) << (r & 63)
		was, is := last[r], s.now[r]
		c := &s.codes[r]
		c.move, s.low[r] = codeStay, lowUnchanged
		if was != is {
			s.low[r] = encodeLowChange(squareOf(was, cell), squareOf(is, cell))
			if s.low[r] != lowUnchanged {
				crossed |= bit
			}
			if s.occupied[w]&^s.added[w]&bit != 0 {
				c.move = encodeMove(was, is, s.moveKind(r, s.cycle-1))
				moved |= bit
			}
		}
		c.add = encodeAdd(s.low[r], is, cell)
	}
	s.moved[w], s.squareChanged[w] = moved, crossed
}

// how is the way a row came to its tile for somebody who last heard of it in the given cycle.
func (s *Scene) moveKind(row int, since uint32) MoveKind {
	if s.teleportedAt[row] > since {
		return MoveTeleport
	}
	return MoveWalk
}

// Advance closes the cycle: transient info is gone, and where everybody stands is where they stood.
func (s *Scene) Advance() {
	s.ready = false
	at := s.cycle % historyCycles
	copy(s.tiles[at], s.now)
	s.expire()
	s.added.Clear()
	s.cycle++
}
