package rs

import (
	"bytes"
	"math/bits"
	"slices"
)

// maxBlocks is the most blocks that a profile may have.
const maxBlocks = 24

// rowInfo is the extended info of one avatar. Sets are bits by position in the profile's wire order.
type rowInfo struct {
	lasting uint32 // persistent kinds that are set
	changed uint32 // those of them that changed this cycle
	passing uint32 // transient kinds of this cycle
	odd     uint32 // those of lasting that are not at rest, or may not be for some viewer
	private uint32 // kinds whose body a viewer may replace
	stamp   [maxBlocks]uint32
	body    [maxBlocks][]byte // of the kinds in lasting and passing; memory is kept
}

// fading are the persistent kinds that are not among what a client keeps of a player it removes (wire section 1.1).
var fading = KindsOf(KindWornTargets)

// learnBlocks reads the profile's wire order.
func (s *Scene) learnBlocks() {
	s.kinds = s.profile.Order()
	if len(s.kinds) > maxBlocks {
		panic("rs: a profile with more blocks than a scene has room for")
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
		s.lasts |= 1 << at
		if fading.Has(k) {
			s.fades |= 1 << at
		}
		if k != KindAppearance {
			s.rested[at] = s.profile.AppendBlock(nil, k, rest)
		}
	}
	s.target = max(s.places[KindTarget], s.places[KindFace])
}

// Set says what is new about the avatar of the row. It may be called several times in a cycle: a kind set again
// replaces the one before. Persistent kinds stay true, and are told to whoever has not heard of them; the others are of
// this cycle. Kinds that the profile lacks are left out, and so are texts and appearances without a byte, at which clients
// fail. in is not kept.
func (s *Scene) Set(row int, in *Info) {
	if s.ids[row] == 0 {
		return
	}
	ri := &s.info[row]
	for ks := in.Has; ks != 0; ks &= ks - 1 {
		k := Kind(bits.TrailingZeros64(uint64(ks)))
		if k < numKinds && s.places[k] >= 0 && !in.lacks(k) {
			at := s.places[k]
			ri.body[at] = s.profile.AppendBlock(ri.body[at][:0], k, in)
			s.mark(row, at)
			if at == s.target && s.crowd {
				s.aim(row, -1)
			}
		}
	}
}

// mark notes that a kind of a row is new.
func (s *Scene) mark(row int, at int8) {
	ri := &s.info[row]
	bit := uint32(1) << at
	s.ready = false
	s.touched.Add(row)
	if s.lasts&bit == 0 {
		ri.passing |= bit
		return
	}
	ri.lasting |= bit
	ri.changed |= bit
	ri.stamp[at] = s.cycle
	if ri.odd &^= bit; ri.private&bit != 0 || !bytes.Equal(ri.body[at], s.rested[at]) {
		ri.odd |= bit
	}
	s.told[row] = s.cycle
	s.changed.Add(row)
	if s.fades&bit != 0 {
		s.dressed.Add(row)
	}
}

// Face makes the avatar of a row face that of another row until further notice; -1 ends it. It is the persistent kind
// KindTarget, or KindFace on OSRS. In a crowd each viewer is told its own index of the other, and it ends when the other is
// removed; in a shared scene the other is an index, whoever has it.
func (s *Scene) Face(row, other int) {
	if s.target < 0 || s.ids[row] == 0 {
		return
	}
	shown := other
	if s.crowd {
		shown = -1
	}
	in := faceInfo(shown)
	ri := &s.info[row]
	ri.body[s.target] = s.profile.AppendBlock(ri.body[s.target][:0], s.kinds[s.target], &in)
	s.mark(row, s.target)
	if s.crowd {
		s.aim(row, other)
		ri.odd |= 1 << s.target
	}
}

// faceInfo says in both ways that a player index is faced; -1 is none.
func faceInfo(index int) Info {
	if index < 0 {
		return Info{Target: None, Face: Face{Kind: FaceReset}}
	}
	return Info{Target: uint16(index) + 32768, Face: Face{Kind: FaceEntity, Entity: 2, Index: int32(index)}}
}

func (s *Scene) aim(row, other int) {
	s.aims[row] = int32(other)
	if other < 0 {
		s.aiming.Drop(row)
	} else {
		s.aiming.Add(row)
	}
}

// turnAway ends that anybody of a crowd faces a row.
func (s *Scene) turnAway(row int) {
	for w, word := range s.aiming {
		for ; word != 0; word &= word - 1 {
			if r := w*64 + bits.TrailingZeros64(word); s.aims[r] == int32(row) {
				s.Face(r, -1)
			}
		}
	}
}

// Private says which kinds of a row differ between viewers; each Encoder's Own function is asked for them. What was
// set for everybody is for those for whom it answers no. Transient kinds are private for this cycle only.
func (s *Scene) Private(row int, ks Kinds) {
	if s.ids[row] == 0 {
		return
	}
	s.ready = false
	for ; ks != 0; ks &= ks - 1 {
		k := Kind(bits.TrailingZeros64(uint64(ks)))
		if k >= numKinds || s.places[k] < 0 {
			continue
		}
		at, ri := s.places[k], &s.info[row]
		ri.private |= 1 << at
		s.private.Add(row)
		s.touched.Add(row)
		if s.lasts>>at&1 != 0 {
			if ri.lasting>>at&1 == 0 {
				ri.body[at] = append(ri.body[at][:0], s.rested[at]...)
			}
			s.mark(row, at)
			ri.odd |= 1 << at
		}
	}
}

// forget drops everything known of a row's avatar.
func (s *Scene) forget(row int) {
	ri := &s.info[row]
	ri.lasting, ri.changed, ri.passing, ri.odd, ri.private = 0, 0, 0, 0, 0
	s.told[row] = 0
	for _, set := range []Rows{s.touched, s.changed, s.private, s.dressed} {
		set.Drop(row)
	}
	if s.crowd {
		s.aim(row, -1)
	}
}

// prepareBlocks puts together what most viewers are told of each row.
func (s *Scene) prepareBlocks() {
	s.arena = s.arena[:0]
	said := s.said[s.cycle%historyCycles]
	said.Clear()
	for w, word := range s.touched {
		for ; word != 0; word &= word - 1 {
			row := w*64 + bits.TrailingZeros64(word)
			ri := &s.info[row]
			if ri.passing != 0 {
				said.Add(row)
			}
			start := len(s.arena)
			s.arena = s.appendBlock(s.arena, ri, ri.changed|ri.passing)
			s.codes[row].span = uint64(start)<<32 | uint64(len(s.arena)-start)
		}
	}
	s.arena = slices.Grow(s.arena, copySlack)
}

// appendBlock appends the mask and bodies of the given positions of a row; nothing if there are none.
func (s *Scene) appendBlock(b []byte, ri *rowInfo, which uint32) []byte {
	if which == 0 {
		return b
	}
	b = s.appendMask(b, which)
	for ; which != 0; which &= which - 1 {
		b = append(b, ri.body[bits.TrailingZeros32(which)]...)
	}
	return b
}

// appendMask appends the mask of the given positions.
func (s *Scene) appendMask(b []byte, which uint32) []byte {
	var mask uint32
	for ; which != 0; which &= which - 1 {
		mask |= s.bits[bits.TrailingZeros32(which)]
	}
	mask = s.profile.extend(mask)
	switch {
	case mask > 0xFFFF:
		return append(b, byte(mask), byte(mask>>8), byte(mask>>16))
	case mask > 0xFF:
		return append(b, byte(mask), byte(mask>>8))
	}
	return append(b, byte(mask))
}

// expire forgets what was of this cycle only.
func (s *Scene) expire() {
	for w, word := range s.touched {
		for ; word != 0; word &= word - 1 {
			row := w*64 + bits.TrailingZeros64(word)
			ri := &s.info[row]
			ri.changed, ri.passing = 0, 0
			if ri.private &= s.lasts; ri.private == 0 {
				s.private.Drop(row)
			}
			s.codes[row].span = 0
		}
	}
	s.touched.Clear()
	s.changed.Clear()
}
