package terrain

import "github.com/truestep-io/truestep/sim/geom"

// BlockID identifies a kind of block: it is an index in the built-in table. It is neither sent to clients nor stored in
// files. Files use the kind's Word, clients its Name and States.
type BlockID uint8

// Values of BlockID. Blocks with a direction are named after the direction that they face.
const (
	Air BlockID = iota // no block
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
	Barrier            // invisible and solid
	SmoothStoneSlab    // fills the lower half of the block
	SmoothStoneSlabTop // fills the upper half of the block
	Ice
	PackedIce
	BlueIce
	Slime
	SoulSand
	Ladder      // faces north and is attached to the block to its south
	LadderSouth // faces south and is attached to the block to its north
	LadderWest  // faces west and is attached to the block to its east
	LadderEast  // faces east and is attached to the block to its west
	Web         // cobweb, which slows bodies inside
	Water       // source of water
	Lava        // source of lava
	Bed         // the foot end; the pillow end lies to its south
	BedHead     // the half of a bed with the pillow

	// Liquids that are lower than a full block, and liquids that fall. The number in the name is the depth: 0 is a source block,
	// 7 the shallowest liquid.
	Water1
	Water2
	Water3
	Water4
	Water5
	Water6
	Water7
	WaterFalling // water that falls and fills the block
	Lava1
	Lava2
	Lava3
	Lava4
	Lava5
	Lava6
	Lava7
	LavaFalling      // lava that falls and fills the block
	BubbleColumn     // water with bubbles that lift bodies
	BubbleColumnDown // water with bubbles that drag bodies down

	// Blocks that share their cell with water.
	SmoothStoneSlabInWater
	SmoothStoneSlabTopInWater
	PowderSnow
	SweetBerryBush // a young bush, without berries
	Honey
	Scaffolding
	blockCount
)

// Liquid is the liquid in a block.
type Liquid uint8

// Values of Liquid: the two liquids, and none.
const (
	NoLiquid    Liquid = iota // the block contains no liquid
	WaterLiquid               // the block contains water
	LavaLiquid                // the block contains lava
)

// Depths of liquids. Source: docs/wire/bedrock.md, block properties.
const (
	MaxDepth     = 7 // depth of the shallowest liquid; its surface is 7/9 of a block below that of a source
	FallingDepth = 8 // depth of a liquid that falls; its surface is as high as that of a source
)

// Bubbles is the direction in which a bubble column moves a body.
type Bubbles uint8

// Values of Bubbles: up, down or no bubble column.
const (
	NoBubbles       Bubbles = iota // no bubble column
	RisingBubbles                  // the column lifts bodies
	DraggingBubbles                // the column drags bodies down
)

// Bounce is how a block changes the vertical velocity of a body that lands on it.
type Bounce uint8

// Values of Bounce: the kinds of blocks on which bodies bounce, and all others.
const (
	NoBounce    Bounce = iota // the body stops
	SlimeBounce               // a body that lands bounces as on slime
	BedBounce                 // a body that lands bounces as on a bed
)

// BlockKind has the properties of a kind of block. It is shared and read-only. Source: docs/wire/bedrock.md, block
// properties.
type BlockKind struct {
	Word string // name in world files, unique: "smooth_stone_slab_top"

	Boxes        []geom.Box // collision boxes in blocks, relative to the block: 0..1 on every axis; empty if bodies pass
	Slipperiness float32    // slipperiness of the top for walking bodies: 0.6 for most kinds, 0.98 for ice
	SpeedFactor  float32    // factor on walking speed, 1 for most kinds
	Liquid       Liquid     // liquid that the block contains; none for most kinds
	Depth        uint8      // depth of the liquid: 0 for a source, up to MaxDepth, or FallingDepth
	InLiquid     bool       // the block shares its cell with a source of Liquid
	Bubbles      Bubbles    // direction of a bubble column; none for most kinds
	Bounce       Bounce     // how the vertical velocity of a body changes when it lands; none for most kinds
	Climbable    bool       // bodies inside can climb
	Platform     bool       // bodies that come from above stand on its top unless they sneak; in every other direction they pass
	Slow         geom.Vec   // factor on the velocity of a body inside, per axis; zero for no slowing
	Sticky       bool       // the block slows bodies inside, and makes jumps from it lower

	full bool // the collision box is the whole block
}

// Solid reports whether the block has a collision box.
func (k *BlockKind) Solid() bool { return len(k.Boxes) > 0 }

// Kind returns the properties of a block id. Ids that do not exist count as air. The result is shared and read-only.
func (id BlockID) Kind() *BlockKind {
	if id >= blockCount {
		id = Air
	}
	return &blockKinds[id]
}

// BlockKindCount returns the number of kinds of blocks. Valid ids are below it.
func BlockKindCount() int { return int(blockCount) }

// BlockNamed returns the id of the kind of block whose Word is word, or false if there is none.
func BlockNamed(word string) (BlockID, bool) {
	for id := range blockKinds {
		if blockKinds[id].Word == word {
			return BlockID(id), true
		}
	}
	return Air, false
}
