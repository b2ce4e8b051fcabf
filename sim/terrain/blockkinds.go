package terrain

import "github.com/truestep-io/truestep/sim/geom"

// Slipperiness of the tops of blocks. Source: docs/wire/bedrock.md, movement physics, constants.
const (
	usualSlip   = 0.6
	slimeSlip   = 0.8
	honeySlip   = 0.8
	iceSlip     = 0.98
	blueIceSlip = 0.989
)

// soulSandSpeed is the speed factor of soul sand. Source: docs/wire/bedrock.md, movement physics, constants.
const soulSandSpeed = 0.544

// Sizes of blocks that are not full cubes, in blocks. Source: minecraft-data, blockCollisionShapes of 1.26.30.
const (
	slabHeight     = 0.5
	soulSandHeight = 0.875
	bedHeight      = 0.5625
	ladderDepth    = 0.1875
	honeyInset     = 0.0625 // free space on each side of a honey block, but not above it
)

// blockKinds is the table of all kinds of blocks, indexed by BlockID. It is read-only.
var blockKinds = [blockCount]BlockKind{
	Air:                       {Word: "air", Slipperiness: usualSlip, SpeedFactor: 1},
	Stone:                     cube("stone"),
	GrassBlock:                cube("grass_block"),
	Dirt:                      cube("dirt"),
	Bedrock:                   cube("bedrock"),
	OakPlanks:                 cube("oak_planks"),
	Cobblestone:               cube("cobblestone"),
	StoneBricks:               cube("stone_bricks"),
	Bricks:                    cube("brick_block"),
	Sand:                      cube("sand"),
	Gravel:                    cube("gravel"),
	OakLog:                    cube("oak_log"),
	Glass:                     cube("glass"),
	Barrier:                   cube("barrier"),
	SmoothStoneSlab:           shaped("smooth_stone_slab", layer(0, slabHeight)),
	SmoothStoneSlabTop:        shaped("smooth_stone_slab", layer(slabHeight, 1)).withWord("smooth_stone_slab_top"),
	Ice:                       cube("ice").withSlipperiness(iceSlip),
	PackedIce:                 cube("packed_ice").withSlipperiness(iceSlip),
	BlueIce:                   cube("blue_ice").withSlipperiness(blueIceSlip),
	Slime:                     cube("slime").withSlipperiness(slimeSlip).withBounce(SlimeBounce),
	SoulSand:                  shaped("soul_sand", layer(0, soulSandHeight)).withSpeedFactor(soulSandSpeed),
	Ladder:                    ladder(geom.Vec{Z: 1 - ladderDepth}, geom.Vec{X: 1, Y: 1, Z: 1}),
	LadderSouth:               ladder(geom.Vec{}, geom.Vec{X: 1, Y: 1, Z: ladderDepth}).withWord("ladder_south"),
	LadderWest:                ladder(geom.Vec{X: 1 - ladderDepth}, geom.Vec{X: 1, Y: 1, Z: 1}).withWord("ladder_west"),
	LadderEast:                ladder(geom.Vec{}, geom.Vec{X: ladderDepth, Y: 1, Z: 1}).withWord("ladder_east"),
	Web:                       permeable("web").withSlow(0.25, 0.05),
	Water:                     liquid("water", WaterLiquid, 0),
	Lava:                      liquid("lava", LavaLiquid, 0),
	Bed:                       bed(),
	BedHead:                   bed().withWord("bed_head"),
	Water1:                    liquid("water", WaterLiquid, 1).withWord("water_1"),
	Water2:                    liquid("water", WaterLiquid, 2).withWord("water_2"),
	Water3:                    liquid("water", WaterLiquid, 3).withWord("water_3"),
	Water4:                    liquid("water", WaterLiquid, 4).withWord("water_4"),
	Water5:                    liquid("water", WaterLiquid, 5).withWord("water_5"),
	Water6:                    liquid("water", WaterLiquid, 6).withWord("water_6"),
	Water7:                    liquid("water", WaterLiquid, 7).withWord("water_7"),
	WaterFalling:              liquid("water", WaterLiquid, FallingDepth).withWord("water_falling"),
	Lava1:                     liquid("lava", LavaLiquid, 1).withWord("lava_1"),
	Lava2:                     liquid("lava", LavaLiquid, 2).withWord("lava_2"),
	Lava3:                     liquid("lava", LavaLiquid, 3).withWord("lava_3"),
	Lava4:                     liquid("lava", LavaLiquid, 4).withWord("lava_4"),
	Lava5:                     liquid("lava", LavaLiquid, 5).withWord("lava_5"),
	Lava6:                     liquid("lava", LavaLiquid, 6).withWord("lava_6"),
	Lava7:                     liquid("lava", LavaLiquid, 7).withWord("lava_7"),
	LavaFalling:               liquid("lava", LavaLiquid, FallingDepth).withWord("lava_falling"),
	BubbleColumn:              bubbles(RisingBubbles),
	BubbleColumnDown:          bubbles(DraggingBubbles).withWord("bubble_column_down"),
	SmoothStoneSlabInWater:    shaped("smooth_stone_slab", layer(0, slabHeight)).inWater("smooth_stone_slab_in_water"),
	SmoothStoneSlabTopInWater: shaped("smooth_stone_slab", layer(slabHeight, 1)).inWater("smooth_stone_slab_top_in_water"),
	PowderSnow:                permeable("powder_snow").withSlow(0.9, 1.5),
	SweetBerryBush:            permeable("sweet_berry_bush").withSlow(0.8, 0.75),
	Honey:                     honey(),
	Scaffolding:               scaffolding(),
}

func cube(word string) BlockKind {
	k := shaped(word, layer(0, 1))
	k.full = true
	return k
}

func shaped(word string, box geom.Box) BlockKind {
	return BlockKind{Word: word, Boxes: []geom.Box{box}, Slipperiness: usualSlip, SpeedFactor: 1}
}

// layer returns a box that covers the whole block horizontally, between two heights.
func layer(from, to float32) geom.Box {
	return geom.Box{Min: geom.Vec{Y: from}, Max: geom.Vec{X: 1, Y: to, Z: 1}}
}

func liquid(word string, l Liquid, depth uint8) BlockKind {
	return BlockKind{Word: word, Slipperiness: usualSlip, SpeedFactor: 1, Liquid: l, Depth: depth}
}

func bubbles(direction Bubbles) BlockKind {
	k := BlockKind{Slipperiness: usualSlip, SpeedFactor: 1, Bubbles: direction}
	return k.inWater("bubble_column")
}

// permeable returns a kind of block without collision.
func permeable(word string) BlockKind {
	return BlockKind{Word: word, Slipperiness: usualSlip, SpeedFactor: 1}
}

func honey() BlockKind {
	k := shaped("honey_block", geom.Box{Min: geom.Vec{X: honeyInset, Z: honeyInset}, Max: geom.Vec{X: 1 - honeyInset, Y: 1, Z: 1 - honeyInset}})
	k.Slipperiness, k.Sticky = honeySlip, true
	return k
}

func scaffolding() BlockKind {
	k := permeable("scaffolding")
	k.Climbable, k.Platform = true, true
	return k
}

func ladder(from, to geom.Vec) BlockKind {
	k := shaped("ladder", geom.Box{Min: from, Max: to})
	k.Climbable = true
	return k
}

func bed() BlockKind { return shaped("bed", layer(0, bedHeight)).withBounce(BedBounce) }

func (k BlockKind) withWord(word string) BlockKind {
	k.Word = word
	return k
}

func (k BlockKind) inWater(word string) BlockKind {
	k.Word, k.Liquid, k.InLiquid = word, WaterLiquid, true
	return k
}

func (k BlockKind) withSlipperiness(s float32) BlockKind {
	k.Slipperiness = s
	return k
}

func (k BlockKind) withSpeedFactor(f float32) BlockKind {
	k.SpeedFactor = f
	return k
}

// withSlow returns k with factors on the velocity of a body inside the block: "across" horizontally, "up" vertically.
func (k BlockKind) withSlow(across, up float32) BlockKind {
	k.Slow = geom.Vec{X: across, Y: up, Z: across}
	return k
}

func (k BlockKind) withBounce(b Bounce) BlockKind {
	k.Bounce = b
	return k
}
