package terrain

import "github.com/truestep-io/truestep/sim/geom"

// BlockID is a kind of block: an index in the built-in table. It is not a wire id and not stored in files: files use
// the kind's Word, clients its Name and States.
type BlockID uint8

// The ids of all blocks. Blocks with a direction are named after the direction that they face.
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

	// Liquids below the full height, and liquids that fall. The number is the wire's liquid_depth: 0 is a source, 7 the
	// shallowest.
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
	BubbleColumn     // water with bubbles that lift
	BubbleColumnDown // water with bubbles that drag down

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

// Values of Liquid: the liquid in a block.
const (
	NoLiquid    Liquid = iota // the block contains no liquid
	WaterLiquid               // the block contains water
	LavaLiquid                // the block contains lava
)

// Depths of liquids in the numbers that Bedrock clients use.
const (
	MaxDepth     = 7 // depth of the shallowest liquid; its surface is 7/9 of a block below that of a source
	FallingDepth = 8 // depth of a liquid that falls; it fills the whole block
)

// Bubbles is the direction in which a bubble column moves a body.
type Bubbles uint8

// Values of Bubbles: the direction of the bubble column in a block.
const (
	NoBubbles       Bubbles = iota // no bubble column
	RisingBubbles                  // the column lifts bodies
	DraggingBubbles                // the column drags bodies down
)

// Bounce is how a block changes the vertical velocity of a body that lands on it.
type Bounce uint8

// Values of Bounce.
const (
	NoBounce    Bounce = iota // the body stops
	SlimeBounce               // the body bounces as on slime
	BedBounce                 // the body bounces as on a bed
)

// StateType is the type of a block state's value.
type StateType uint8

// Values of StateType: the type of a block state's value.
const (
	StateByte   StateType = iota // an unsigned byte, also for booleans
	StateInt                     // a 32-bit integer
	StateString                  // a text
)

// BlockState is one property that distinguishes blocks of the same name for clients.
type BlockState struct {
	Key  string
	Type StateType
	Int  int32  // value of a state of type byte or int
	Text string // value of a state of type string
}

// BlockKind holds the properties of a kind of block. It is shared and read-only. Source: docs/wire/bedrock.md, block
// properties.
type BlockKind struct {
	Word   string       // name in world files, unique: "smooth_stone_slab_top"
	Name   string       // name in the protocol: "minecraft:smooth_stone_slab"
	States []BlockState // sorted by key

	Boxes        []geom.Box // collision boxes, within 0..1 of the block on every axis
	Slipperiness float32    // slipperiness of the top, 0.6 for most kinds
	SpeedFactor  float32    // factor on walking speed, 1 for most kinds
	Liquid       Liquid
	Depth        uint8 // of a liquid: 0 for a source, up to MaxDepth, or FallingDepth
	InLiquid     bool  // the block shares its cell with a source of Liquid, which clients are sent in a second layer
	Bubbles      Bubbles
	Bounce       Bounce
	Climbable    bool
	Platform     bool     // bodies above it stand on its top, unless they sneak, and pass it in every other direction
	Slow         geom.Vec // factor on each axis of the velocity of a body inside, zero for none
	Sticky       bool     // slows bodies inside, and jumps from it

	full bool // the collision box is the whole block
}

// Solid reports whether the block has a collision box.
func (k *BlockKind) Solid() bool { return len(k.Boxes) > 0 }

// Kind returns the properties of a block id; ids beyond the table are air. The result is shared and read-only.
func (id BlockID) Kind() *BlockKind {
	if id >= blockCount {
		id = Air
	}
	return &blockKinds[id]
}

// BlockKindCount returns the number of kinds; valid ids are below it.
func BlockKindCount() int { return int(blockCount) }

// BlockNamed returns the kind with that Word, or false if there is none.
func BlockNamed(word string) (BlockID, bool) {
	for id := range blockKinds {
		if blockKinds[id].Word == word {
			return BlockID(id), true
		}
	}
	return Air, false
}
