package rs

import "fmt"

// historyCycles is the number of cycles of which a scene keeps the positions: 77 s. A client closes its connection after 15 s
// without data. A viewer that has missed more than historyCycles cycles has no client any more and must be logged out.
const historyCycles = 128

// Scene is the state of all avatars in a cycle, together with the data that all viewers share: the bits of each
// movement and change of square, and each avatar's extended info.
//
// A cycle: call Add, Remove, Move, SetInfo, SetFacing and SetPrivate in any order, then Prepare, then
// PlayerInfoEncoder.Encode for each viewer, then Advance. Between Prepare and Advance a scene is only read, so any number
// of encoders may work concurrently; after any change Prepare must be called again. Calls for an empty row are ignored.
//
// Each avatar occupies a row. In a scene made by NewScene the row is the player's index in every client, 1..2047. A
// large scene (NewLargeScene) may have any number of rows, and each viewer assigns its own indices to the rows that
// it sees.
type Scene struct {
	profile *Profile
	large   bool
	cycle   uint32 // number of the current cycle; the first is 1
	ready   bool   // the scene is unchanged since Prepare

	ids          []uint64 // id of the avatar by row; 0 for an empty row
	now          []uint32 // packed tile by row; 0 for an empty row
	addedAt      []uint32 // cycle in which the avatar was added, by row
	teleportedAt []uint32 // cycle of the last MoveTeleport, by row
	persistentAt []uint32 // cycle of the last change of persistent info, by row; 0 for none
	info         []rowInfo

	tiles         [historyCycles][]uint32 // packed tiles at the end of cycle c, at index c%historyCycles
	transientRows [historyCycles]RowSet   // rows with transient info in cycle c, at index c%historyCycles

	// Prepare sets the following fields.
	codes []rowCodes
	low   []lowCode
	arena []byte // bytes of all blocks of this cycle

	occupied          RowSet // rows with an avatar
	added             RowSet // rows whose avatar was added in this cycle
	moved             RowSet // rows whose avatar was on another tile in the last cycle
	squareChanged     RowSet // rows whose square differs from the last cycle's, including adds and removals
	hasBlock          RowSet // rows with a block in this cycle: transient info, or persistent info that has changed
	persistentChanged RowSet // rows whose persistent info changed this cycle
	private           RowSet // rows with info that differs between viewers
	resendOnAdd       RowSet // rows with persistent info that clients drop when they remove the avatar
	facing            RowSet // rows that face another row (large scenes only)

	facedRow       []int32           // row that each row faces; -1 for none (large scenes only)
	places         [numKinds]int8    // position of each kind in the profile's wire order; -1 if the profile lacks it
	bits           [maxBlocks]uint32 // mask bit of each position
	kinds          []InfoKind        // kind at each position
	defaultBody    [maxBlocks][]byte // body with the default value of the persistent kind at each position
	persistentBits uint32            // bit set of the positions of the persistent kinds
	resendBits     uint32            // bit set of the positions of the persistent kinds that clients drop with the avatar
	target         int8              // position of the kind by which a player faces another one; -1 if the profile lacks it
}

// rowCodes holds parts of packets about one row that are the same for all viewers and are encoded in advance. They are in one
// struct because an encoder reads them together.
type rowCodes struct {
	move code   // entry in passes 1 and 2; codeStay if the avatar has not moved
	add  code   // entry in passes 3 and 4, for viewers that know the avatar's square in the last cycle
	span uint64 // place of the block in the arena: offset<<32 | length; 0 for none
}

// NewScene returns a scene whose rows 1..2047 are the player indices in every client. When an avatar changes its square,
// all viewers for which the avatar is external (not drawn by the client) are sent the change, as the protocol requires.
func NewScene(p *Profile) *Scene { return newScene(p, indexSlots, false) }

// NewLargeScene returns a scene of the given number of rows, numbered from 0, in which each viewer assigns its own player
// indices. A viewer is sent the square of an avatar only when the avatar is added to what the viewer sees.
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

// Profile returns the profile of the revision for which the scene is encoded.
func (s *Scene) Profile() *Profile { return s.profile }

// RowCount returns the number of rows.
func (s *Scene) RowCount() int { return len(s.ids) }

// Cycle returns the number of the current cycle, which Advance ends; the first is 1.
func (s *Scene) Cycle() uint32 { return s.cycle }

// ID returns the id that Add was given for the avatar in a row, or 0 if the row is empty.
func (s *Scene) ID(row int) uint64 { return s.ids[row] }

// Tile returns the current tile of the avatar in the row; the zero Tile if there is none.
func (s *Scene) Tile(row int) Tile { return UnpackTile(s.now[row]) }

// Add puts an avatar into an empty row. The parameter id, which must not be 0, identifies the avatar until Remove. If
// a client still has the former avatar of the row, it is first sent the removal of that avatar. The caller sets
// appearance and speed in the same cycle.
func (s *Scene) Add(row int, id uint64, at Tile) {
	if id == 0 || s.ids[row] != 0 || row == 0 && !s.large {
		panic(fmt.Sprintf("rs: cannot add avatar %d to row %d, which holds %d", id, row, s.ids[row]))
	}
	s.ready = false
	s.ids[row] = id
	s.now[row] = at.Pack()
	s.addedAt[row] = s.cycle
	s.occupied.Add(row)
	s.added.Add(row)
}

// Remove removes the avatar of a row, which is then empty. Viewers are sent the removal in this cycle. In a large scene, avatars
// that face the removed one stop facing it.
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

// Move sets the tile on which the avatar is at the end of the cycle, and the kind of movement. After several calls in a cycle,
// the tile of the last call counts. If any of the calls has MoveTeleport, the whole movement is a teleport.
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

// Prepare encodes the data that all viewers share. A change of the scene before Advance makes another Prepare necessary.
func (s *Scene) Prepare() {
	last := s.lastTiles()
	for w := range s.occupied {
		s.prepareWord(w, last)
	}
	s.prepareBlocks()
	s.ready = true
}

// lastTiles returns the packed tiles of all rows in the previous cycle.
func (s *Scene) lastTiles() []uint32 { return s.tiles[(s.cycle-1)%historyCycles] }

// prepareWord encodes the movement of the 64 rows from 64w to 64w+63, whose bits are in word w of a RowSet. The parameter last
// has the packed tile of each row in the previous cycle.
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

// moveKind returns how the avatar of a row has moved since the given cycle: as a teleport if it was teleported in any
// cycle since, otherwise as a walk.
func (s *Scene) moveKind(row int, since uint32) MoveKind {
	if s.teleportedAt[row] > since {
		return MoveTeleport
	}
	return MoveWalk
}

// Advance ends the cycle: it drops transient info, and the current tiles become those of the previous cycle.
func (s *Scene) Advance() {
	s.ready = false
	at := s.cycle % historyCycles
	copy(s.tiles[at], s.now)
	s.expire()
	s.added.Clear()
	s.cycle++
}
