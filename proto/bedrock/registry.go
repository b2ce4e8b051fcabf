package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Values of ItemDefinition.Version: the format in which an item is defined. The quoted names are Mojang's.
const (
	ItemVersionLegacy     = 0 // "Legacy": the format before data-driven items
	ItemVersionDataDriven = 1 // "DataDriven": the item is defined by components
	ItemVersionNone       = 2 // "None": no version
)

// ItemDefinition maps an item name to its network id.
type ItemDefinition struct {
	Name      string // for example "minecraft:apple"
	NetworkID int16  // id by which other packets name the item
	Component bool   // the item is built from the components in Data
	Version   int32  // ItemVersionLegacy..ItemVersionNone
	Data      NBT    // components of the item; nil if there are none
}

// ItemRegistry lists the items of the world. Packet 162, server to client, right after StartGame. An empty list
// satisfies the bedrock-protocol npm client; other clients need every item that they are to display.
//
//	size  field  encoding                                    range
//	      Items  list (str, i16, bool, var32, nbt)           name, network id, component, version, data; at most 8192
//
// Source: docs/wire/bedrock.md, registries.
type ItemRegistry struct{ Items []ItemDefinition }

// maxItems is the maximum number of elements of an ItemRegistry.
const maxItems = 8192 // chosen well above the number of the game's items, which is less than 2000

// ID returns IDItemRegistry.
func (ItemRegistry) ID() ID { return IDItemRegistry }

// ParseItemRegistry decodes the body of packet 162. Tags share the memory of b. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseItemRegistry(b []byte, _ Version) (ItemRegistry, error) {
	r := wire.NewReader(b)
	p := ItemRegistry{Items: readList(&r, 8, maxItems, func(r *wire.Reader) ItemDefinition {
		return ItemDefinition{
			Name:      r.VarStr(),
			NetworkID: r.I16(),
			Component: r.Bool(),
			Version:   r.VarI32(),
			Data:      readNBT(r, b),
		}
	})}
	return p, r.Done("ItemRegistry")
}

// Append appends the body of packet 162 to b and returns the extended slice.
func (p ItemRegistry) Append(b []byte, _ Version) []byte {
	return appendList(b, p.Items, func(b []byte, d ItemDefinition) []byte {
		b = wire.Bool(wire.I16(wire.VarStr(b, d.Name), d.NetworkID), d.Component)
		return appendNBT(wire.VarI32(b, d.Version), d.Data)
	})
}

// BiomeDefinition describes a biome, without the data for generating terrain.
type BiomeDefinition struct {
	Name        int16         // name of the biome, as an index into BiomeDefinitionList.Strings
	BiomeID     uint16        // number of the biome; 0xffff for a built-in biome
	Temperature float32       // temperature; snow falls in cold biomes
	Downfall    float32       // amount of rain, 0..1
	SnowFoliage float32       // amount of snow on leaves, 0..1
	Depth       float32       // height of the generated terrain
	Scale       float32       // height differences of the generated terrain
	WaterColor  int32         // colour of the water as ARGB
	Rain        bool          // rain or snow falls
	Tags        Opt[[]uint16] // tags of the biome, as indices into BiomeDefinitionList.Strings
}

// BiomeDefinitionList lists the biomes of the world. Packet 122, server to client. Two empty lists satisfy the
// bedrock-protocol npm client; other clients need every biome that they are to display, at least plains.
//
//	size  field    encoding                 range
//	      Biomes   list BiomeDefinition     at most 4096
//	      Strings  list str                 at most 4096; names and tags
//
// A BiomeDefinition is i16 name, u16 id, f32 x 5 temperature, downfall, snow, depth, scale, i32 water colour, bool
// rain, opt list u16 tags, and a bool that announces data of world generation, refused if 1.
//
// Source: docs/wire/bedrock.md, registries.
type BiomeDefinitionList struct {
	Biomes  []BiomeDefinition // biomes of the world
	Strings []string          // names and tags to which the definitions refer
}

// ID returns IDBiomeDefinitionList.
func (BiomeDefinitionList) ID() ID { return IDBiomeDefinitionList }

// ParseBiomeDefinitionList decodes the body of packet 122. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
// wire.ErrRange also reports data for generating terrain, which this package does not support.
func ParseBiomeDefinitionList(b []byte, _ Version) (BiomeDefinitionList, error) {
	r := wire.NewReader(b)
	p := BiomeDefinitionList{
		Biomes:  readList(&r, 31, maxList, readBiome),
		Strings: readList(&r, 1, maxList, readText),
	}
	return p, r.Done("BiomeDefinitionList")
}

// Append appends the body of packet 122 to b and returns the extended slice.
func (p BiomeDefinitionList) Append(b []byte, _ Version) []byte {
	return appendList(appendList(b, p.Biomes, appendBiome), p.Strings, wire.VarStr)
}

func readBiome(r *wire.Reader) BiomeDefinition {
	d := BiomeDefinition{
		Name:        r.I16(),
		BiomeID:     r.U16(),
		Temperature: r.F32(),
		Downfall:    r.F32(),
		SnowFoliage: r.F32(),
		Depth:       r.F32(),
		Scale:       r.F32(),
		WaterColor:  r.I32(),
		Rain:        r.Bool(),
		Tags: readOpt(r, func(r *wire.Reader) []uint16 {
			return readList(r, 2, maxList, (*wire.Reader).U16)
		}),
	}
	r.CheckRange(!r.Bool(), "presence of world generation data, which are not supported")
	return d
}

func appendBiome(b []byte, d BiomeDefinition) []byte {
	b = wire.U16(wire.I16(b, d.Name), d.BiomeID)
	b = wire.F32(wire.F32(wire.F32(b, d.Temperature), d.Downfall), d.SnowFoliage)
	b = wire.I32(wire.F32(wire.F32(b, d.Depth), d.Scale), d.WaterColor)
	b = appendOpt(wire.Bool(b, d.Rain), d.Tags, func(b []byte, tags []uint16) []byte {
		return appendList(b, tags, wire.U16)
	})
	return wire.Bool(b, false) // data for world generation is absent
}
