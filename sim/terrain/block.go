package terrain

import "github.com/truestep-io/truestep/sim/geom"

// BlockID is a kind of block, an index in the built-in table. It is neither a wire id nor kept in files; files say the
// kind's Word and clients are told Name and States.
type BlockID uint8

// Kinds of block. Those with a direction are named after where they face.
const (
	Air BlockID = iota
	Stone
	GrassBlock
	Dirt
	Bedrock
	OakPlanks
	Cobblestone
	StoneBricks
	Bricks
	Sand
	Gravel
	OakLog
	Glass
	Barrier
	SmoothStoneSlab    // the lower half of the block
	SmoothStoneSlabTop // the upper half
	Ice
	PackedIce
	BlueIce
	Slime
	SoulSand
	Ladder // faces north: hangs on the block to its south
	LadderSouth
	LadderWest
	LadderEast
	Web
	Water
	Lava
	Bed     // the foot; the pillow lies to its south
	BedHead // the pillow
	blockCount
)

// Liquid is what a block is filled with.
type Liquid uint8

// Liquids.
const (
	NoLiquid Liquid = iota
	WaterLiquid
	LavaLiquid
)

// Bounce is what happens to a fall on a block.
type Bounce uint8

// Bounces.
const (
	NoBounce Bounce = iota
	SlimeBounce
	BedBounce
)

// StateType is the type of a block state's value.
type StateType uint8

// Types of states.
const (
	StateByte StateType = iota
	StateInt
	StateString
)

// BlockState is one property by which clients tell blocks of one name apart.
type BlockState struct {
	Key  string
	Type StateType
	Int  int32  // of a byte or an int
	Text string // of a string
}

// BlockKind is what a kind of block does to whoever touches it. It is shared and read-only.
// Source: docs/wire/bedrock.md, block properties.
type BlockKind struct {
	Word   string       // in world files, unique: "smooth_stone_slab_top"
	Name   string       // of the protocol: "minecraft:smooth_stone_slab"
	States []BlockState // sorted by key

	Boxes        []geom.Box // what one bumps into, within 0..1 of the block on every axis
	Slipperiness float32    // of its top, 0.6 for most
	SpeedFactor  float32    // by which it slows who walks on it, 1 for most
	Liquid       Liquid
	Bounce       Bounce
	Climbable    bool
	Web          bool

	full bool // its one box is the whole block
}

// Solid tells whether one can bump into the block at all.
func (k *BlockKind) Solid() bool { return len(k.Boxes) > 0 }

// Kind returns what a block of that id does; ids beyond the table are air. It is shared and read-only.
func (id BlockID) Kind() *BlockKind {
	if id >= blockCount {
		id = Air
	}
	return &blockKinds[id]
}

// BlockKinds returns the number of kinds: the ids below it are those in the table.
func BlockKindCount() int { return int(blockCount) }

// BlockNamed returns the kind of that word, false if there is none.
func BlockNamed(word string) (BlockID, bool) {
	for id := range blockKinds {
		if blockKinds[id].Word == word {
			return BlockID(id), true
		}
	}
	return Air, false
}
