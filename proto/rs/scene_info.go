package rs

import (
	"bytes"
	"math/bits"
)

// maxBlocks is the maximum number of blocks that the profile of a scene may have.
const maxBlocks = 24

// rowInfo is the extended info of one avatar. In its sets of kinds, bit n stands for the n-th kind in the profile's wire order.
type rowInfo struct {
	persistent uint32            // persistent kinds that are set
	changed    uint32            // persistent kinds that changed in this cycle
	transient  uint32            // transient kinds that were set in this cycle
	nonDefault uint32            // persistent kinds that differ from their default, or may differ for some viewer
	private    uint32            // kinds that may differ between viewers
	changedAt  [maxBlocks]uint32 // cycle of the last change of each persistent kind
	body       [maxBlocks][]byte // bodies of the kinds in persistent and transient; the memory is reused
}

// forgottenOnRemove is the set of persistent kinds that a client drops when it removes a player (docs/wire/rs.md, positions and
// limits).
var forgottenOnRemove = InfoKindsOf(KindWornTargets)

// initBlocks fills those tables of the scene that are derived from the blocks of the profile. Most are indexed by the position
// of a kind in the profile's wire order.
func (s *Scene) initBlocks() {
	s.kinds = s.profile.BlockOrder()
	if len(s.kinds) > maxBlocks {
		panic("rs: profile has more than 24 blocks")
	}
	for k := range s.places {
		s.places[k] = -1
	}
	rest := &Info{Target: None, Face: Face{Kind: FaceReset}, Speed: 1}
	for at, k := range s.kinds {
		s.places[k] = int8(at)
		s.bits[at] = s.profile.Blocks[at].Bit
		if !kindTable[k].persistent {
			continue
		}
		s.persistentBits |= 1 << at
		if forgottenOnRemove.Has(k) {
			s.resendBits |= 1 << at
		}
		if k != KindAppearance {
			s.defaultBody[at] = s.profile.AppendBlock(nil, k, rest)
		}
	}
	s.target = max(s.places[KindTarget], s.places[KindFace])
}

// SetInfo sets extended info of the avatar in the row. It may be called several times in a cycle; a later value of a
// kind replaces the earlier one. Persistent kinds are kept and sent to every viewer that lacks them; transient kinds
// are sent in this cycle only. Kinds that the profile lacks are ignored, and so are empty texts and appearances, on
// which clients fail. The parameter in is not kept.
func (s *Scene) SetInfo(row int, in *Info) {
	if s.ids[row] == 0 {
		return
	}
	ri := &s.info[row]
	for ks := in.Has; ks != 0; ks &= ks - 1 {
		k := InfoKind(bits.TrailingZeros64(uint64(ks)))
		if k < numKinds && s.places[k] >= 0 && !in.lacks(k) {
			at := s.places[k]
			ri.body[at] = s.profile.AppendBlock(ri.body[at][:0], k, in)
			s.markSet(row, at)
			if at == s.target && s.large {
				s.setFacedRow(row, -1)
			}
		}
	}
}

// markSet records that info of a certain kind was set for a row in this cycle. The parameter at is the position of the kind in
// the profile's wire order.
func (s *Scene) markSet(row int, at int8) {
	ri := &s.info[row]
	bit := uint32(1) << at
	s.ready = false
	s.hasBlock.Add(row)
	if s.persistentBits&bit == 0 {
		ri.transient |= bit
		return
	}
	ri.persistent |= bit
	ri.changed |= bit
	ri.changedAt[at] = s.cycle
	if ri.nonDefault &^= bit; ri.private&bit != 0 || !bytes.Equal(ri.body[at], s.defaultBody[at]) {
		ri.nonDefault |= bit
	}
	s.persistentAt[row] = s.cycle
	s.persistentChanged.Add(row)
	if s.resendBits&bit != 0 {
		s.resendOnAdd.Add(row)
	}
}

// SetFacing makes the avatar of a row face the avatar of the row other, until the next call. If other is -1, it faces none.
// SetFacing sets the persistent kind KindTarget, or KindFace on OSRS. In a large scene each viewer is sent the index that its
// client has for the faced avatar, and the facing ends when that avatar is removed. In a scene made by NewScene it does not
// end: clients face whatever player has the index other.
func (s *Scene) SetFacing(row, other int) {
	if s.target < 0 || s.ids[row] == 0 {
		return
	}
	shown := other
	if s.large {
		shown = -1
	}
	in := faceInfo(shown)
	ri := &s.info[row]
	ri.body[s.target] = s.profile.AppendBlock(ri.body[s.target][:0], s.kinds[s.target], &in)
	s.markSet(row, s.target)
	if s.large {
		s.setFacedRow(row, other)
		ri.nonDefault |= 1 << s.target
	}
}

// faceInfo returns an Info that makes a player face the player with the given index, or no player if index is -1. It sets both
// Target and Face, because each revision uses only one of the two.
func faceInfo(index int) Info {
	if index < 0 {
		return Info{Target: None, Face: Face{Kind: FaceReset}}
	}
	return Info{Target: uint16(index) + 32768, Face: Face{Kind: FaceEntity, Entity: 2, Index: int32(index)}}
}

func (s *Scene) setFacedRow(row, other int) {
	s.facedRow[row] = int32(other)
	if other < 0 {
		s.facing.Remove(row)
	} else {
		s.facing.Add(row)
	}
}

// clearFacing finds the avatars of a large scene that face the given row, and makes them face no row.
func (s *Scene) clearFacing(row int) {
	for w, word := range s.facing {
		for ; word != 0; word &= word - 1 {
			if r := w*64 + bits.TrailingZeros64(word); s.facedRow[r] == int32(row) {
				s.SetFacing(r, -1)
			}
		}
	}
}

// SetPrivate declares that kinds of info of a row have different values for different viewers.
// PlayerInfoEncoder.PrivateInfo supplies the value for a viewer. If it returns false, the viewer is sent the value
// set by SetInfo. For transient kinds the declaration ends with this cycle.
func (s *Scene) SetPrivate(row int, ks InfoKindSet) {
	if s.ids[row] == 0 {
		return
	}
	s.ready = false
	for ; ks != 0; ks &= ks - 1 {
		k := InfoKind(bits.TrailingZeros64(uint64(ks)))
		if k >= numKinds || s.places[k] < 0 {
			continue
		}
		at, ri := s.places[k], &s.info[row]
		ri.private |= 1 << at
		s.private.Add(row)
		s.hasBlock.Add(row)
		if s.persistentBits>>at&1 != 0 {
			if ri.persistent>>at&1 == 0 {
				ri.body[at] = append(ri.body[at][:0], s.defaultBody[at]...)
			}
			s.markSet(row, at)
			ri.nonDefault |= 1 << at
		}
	}
}

// clearInfo drops all extended info of a row.
func (s *Scene) clearInfo(row int) {
	ri := &s.info[row]
	ri.persistent, ri.changed, ri.transient, ri.nonDefault, ri.private = 0, 0, 0, 0, 0
	s.persistentAt[row] = 0
	for _, set := range []RowSet{s.hasBlock, s.persistentChanged, s.private, s.resendOnAdd} {
		set.Remove(row)
	}
	if s.large {
		s.setFacedRow(row, -1)
	}
}

// prepareBlocks builds, for each row with info to send, the block that all viewers share.
func (s *Scene) prepareBlocks() {
	s.arena = s.arena[:0]
	said := s.transientRows[s.cycle%historyCycles]
	said.Clear()
	for w, word := range s.hasBlock {
		for ; word != 0; word &= word - 1 {
			row := w*64 + bits.TrailingZeros64(word)
			ri := &s.info[row]
			if ri.transient != 0 {
				said.Add(row)
			}
			start := len(s.arena)
			s.arena = s.appendBlock(s.arena, ri, ri.changed|ri.transient)
			s.codes[row].span = uint64(start)<<32 | uint64(len(s.arena)-start)
		}
	}
}

// appendBlock appends the mask and the block bodies of the given kinds. In kinds, bit n stands for the n-th kind in the profile's
// wire order. It appends nothing if kinds is empty.
func (s *Scene) appendBlock(b []byte, ri *rowInfo, kinds uint32) []byte {
	if kinds == 0 {
		return b
	}
	b = s.appendMask(b, kinds)
	for ; kinds != 0; kinds &= kinds - 1 {
		b = append(b, ri.body[bits.TrailingZeros32(kinds)]...)
	}
	return b
}

// appendMask appends the mask that announces the blocks of the given kinds. In kinds, bit n stands for the n-th kind in the
// profile's wire order.
func (s *Scene) appendMask(b []byte, kinds uint32) []byte {
	var mask uint32
	for ; kinds != 0; kinds &= kinds - 1 {
		mask |= s.bits[bits.TrailingZeros32(kinds)]
	}
	mask = s.profile.withExtensions(mask)
	switch {
	case mask > 0xFFFF:
		return append(b, byte(mask), byte(mask>>8), byte(mask>>16))
	case mask > 0xFF:
		return append(b, byte(mask), byte(mask>>8))
	}
	return append(b, byte(mask))
}

// expire removes what was set for this cycle only: transient info, and the declarations of transient kinds by SetPrivate.
func (s *Scene) expire() {
	for w, word := range s.hasBlock {
		for ; word != 0; word &= word - 1 {
			row := w*64 + bits.TrailingZeros64(word)
			ri := &s.info[row]
			ri.changed, ri.transient = 0, 0
			if ri.private &= s.persistentBits; ri.private == 0 {
				s.private.Remove(row)
			}
			s.codes[row].span = 0
		}
	}
	s.hasBlock.Clear()
	s.persistentChanged.Clear()
}
