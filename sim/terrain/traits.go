package terrain

// Traits is a set of properties of blocks, such as that a block is liquid. Each section of 16 x 16 x 16 blocks stores the union
// of the traits of its blocks. If that union lacks a trait, a movement step need not search the blocks around a body for it.
type Traits uint8

// Values of Traits: one bit for each property.
const (
	TouchTrait    Traits = 1 << iota // changes the movement of a body inside: liquids, honey and blocks that slow
	FlowTrait                        // a liquid that falls or is lower than a full block
	BubblesTrait                     // a bubble column
	PlatformTrait                    // a block on which bodies from above stand, see BlockKind.Platform
)

// traitsOf is the traits of each kind of block. It is read-only.
var traitsOf = func() (t [blockCount]Traits) {
	for id := range t {
		t[id] = blockKinds[id].traits()
	}
	return t
}()

func (k *BlockKind) traits() (t Traits) {
	if k.Liquid != NoLiquid || k.Sticky || k.Slow.X != 0 {
		t |= TouchTrait
	}
	if k.Liquid != NoLiquid && k.Depth > 0 {
		t |= FlowTrait
	}
	if k.Bubbles != NoBubbles {
		t |= BubblesTrait
	}
	if k.Platform {
		t |= PlatformTrait
	}
	return t
}

// Traits returns the traits of a kind of block.
func (id BlockID) Traits() Traits {
	if id >= blockCount {
		id = Air
	}
	return traitsOf[id]
}

// findTraits computes b.traits, which has for each section the union of the traits of its blocks, and b.all, the union of
// b.traits.
func (b *Blocks) findTraits() {
	b.traits, b.all = make([]Traits, len(b.cells)), 0
	for i, cells := range b.cells {
		last := cells[0]
		t := traitsOf[last]
		for _, id := range cells {
			if id != last { // most cells have the kind of the one before
				t |= traitsOf[id]
				last = id
			}
		}
		b.traits[i] = t
	}
	for _, sections := range [][]section{b.ground[:], b.sections} {
		for _, s := range sections {
			b.all |= b.sectionTraits(s)
		}
	}
}

func (b *Blocks) sectionTraits(s section) Traits {
	if s < 0 {
		return BlockID(^s).Traits()
	}
	return b.traits[s]
}

// HasAny reports whether some block of the area has one of the traits t.
func (b *Blocks) HasAny(t Traits) bool { return b != nil && b.all&t != 0 }

// MayHave reports whether a block in the box from x0, y0, z0 to x1, y1, z1 may have one of the traits t. It checks whole
// sections. It may therefore return true because of a block that is outside the box, but in the same section as a part of the
// box.
func (b *Blocks) MayHave(t Traits, x0, y0, z0, x1, y1, z1 int32) bool {
	if !b.HasAny(t) {
		return false
	}
	y0, y1 = max(y0, MinBlockY), min(y1, MaxBlockY)
	if y0 > y1 {
		return false
	}
	for x := x0 >> 4; x <= x1>>4; x++ {
		for z := z0 >> 4; z <= z1>>4; z++ {
			for _, s := range b.column(x, z)[(y0-MinBlockY)>>4 : (y1-MinBlockY)>>4+1] {
				if b.sectionTraits(s)&t != 0 {
					return true
				}
			}
		}
	}
	return false
}
