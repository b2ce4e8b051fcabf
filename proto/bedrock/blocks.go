package bedrock

// Block is a kind of block as the protocol identifies it: by its name and its states.
type Block struct {
	Name   string       // name in the protocol, for example "minecraft:smooth_stone_slab"
	States []BlockState // states that distinguish the blocks of this name, sorted by key
}

// NetworkID returns the network id of the block, see BlockHash.
func (b *Block) NetworkID() int32 { return BlockHash(b.Name, b.States) }

// BlockNamed returns the block with a name of the world file, or false if there is none. Most of these names are the protocol's
// without "minecraft:"; the others, such as "ladder_west", stand for a block in one of its states. A name that ends with
// "_in_water" stands for two layers; the result is the block of the first layer, without the water of the second. The result must
// not be changed. Source: docs/wire/bedrock.md, block properties.
func BlockNamed(word string) (Block, bool) {
	b, ok := blocks[word]
	return b, ok
}

// blocks maps the name of a block in world files to the block.
var blocks = map[string]Block{
	"air":                            block("air"),
	"stone":                          block("stone"),
	"grass_block":                    block("grass_block"),
	"dirt":                           block("dirt"),
	"bedrock":                        block("bedrock", byteState("infiniburn_bit", 0)),
	"oak_planks":                     block("oak_planks"),
	"cobblestone":                    block("cobblestone"),
	"stone_bricks":                   block("stone_bricks"),
	"brick_block":                    block("brick_block"),
	"sand":                           block("sand"),
	"gravel":                         block("gravel"),
	"oak_log":                        block("oak_log", textState("pillar_axis", "y")),
	"glass":                          block("glass"),
	"barrier":                        block("barrier"),
	"smooth_stone_slab":              block("smooth_stone_slab", textState("minecraft:vertical_half", "bottom")),
	"smooth_stone_slab_top":          block("smooth_stone_slab", textState("minecraft:vertical_half", "top")),
	"ice":                            block("ice"),
	"packed_ice":                     block("packed_ice"),
	"blue_ice":                       block("blue_ice"),
	"slime":                          block("slime"),
	"soul_sand":                      block("soul_sand"),
	"ladder":                         ladder(2),
	"ladder_south":                   ladder(3),
	"ladder_west":                    ladder(4),
	"ladder_east":                    ladder(5),
	"web":                            block("web"),
	"water":                          liquid("water", 0),
	"lava":                           liquid("lava", 0),
	"bed":                            bed(0),
	"bed_head":                       bed(1),
	"water_1":                        liquid("water", 1),
	"water_2":                        liquid("water", 2),
	"water_3":                        liquid("water", 3),
	"water_4":                        liquid("water", 4),
	"water_5":                        liquid("water", 5),
	"water_6":                        liquid("water", 6),
	"water_7":                        liquid("water", 7),
	"water_falling":                  liquid("water", 8),
	"lava_1":                         liquid("lava", 1),
	"lava_2":                         liquid("lava", 2),
	"lava_3":                         liquid("lava", 3),
	"lava_4":                         liquid("lava", 4),
	"lava_5":                         liquid("lava", 5),
	"lava_6":                         liquid("lava", 6),
	"lava_7":                         liquid("lava", 7),
	"lava_falling":                   liquid("lava", 8),
	"bubble_column":                  block("bubble_column", byteState("drag_down", 0)),
	"bubble_column_down":             block("bubble_column", byteState("drag_down", 1)),
	"smooth_stone_slab_in_water":     block("smooth_stone_slab", textState("minecraft:vertical_half", "bottom")),
	"smooth_stone_slab_top_in_water": block("smooth_stone_slab", textState("minecraft:vertical_half", "top")),
	"powder_snow":                    block("powder_snow"),
	"sweet_berry_bush":               block("sweet_berry_bush", intState("growth", 0)),
	"honey_block":                    block("honey_block"),
	"scaffolding":                    block("scaffolding", intState("stability", 0), byteState("stability_check", 0)),
}

func block(name string, states ...BlockState) Block {
	return Block{Name: "minecraft:" + name, States: states}
}

func ladder(facing int32) Block { return block("ladder", intState("facing_direction", facing)) }

func liquid(name string, depth int32) Block { return block(name, intState("liquid_depth", depth)) }

func bed(head int32) Block {
	return block("bed", intState("direction", 0), byteState("head_piece_bit", head), byteState("occupied_bit", 0))
}

func byteState(key string, v int32) BlockState { return BlockState{Key: key, Kind: StateByte, Int: v} }
func intState(key string, v int32) BlockState  { return BlockState{Key: key, Kind: StateInt, Int: v} }
func textState(key, v string) BlockState       { return BlockState{Key: key, Kind: StateText, Text: v} }
