package content

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// defaultOrigin is the default block at the origin of an area. Its y, 64, is the ground level of flat Minecraft worlds.
var defaultOrigin = [3]int32{0, 64, 0}

// groundWords are the values of the key ground in [area.blocks], in the order of the constants of terrain.Ground.
var groundWords = []string{"flat", "void", "heightmap"}

// defaultBlockGrid returns the default block grid of an area: two blocks per tile, and the ground at the height of the
// first portal.
func defaultBlockGrid(a *sim.AreaDef) terrain.BlockGrid {
	g := terrain.BlockGrid{UnitsPerBlock: a.Tiles.UnitsPerTile / 2, Origin: defaultOrigin}
	if len(a.Portals) > 0 {
		g.Height = a.Portals[0].Pos.Y
	}
	return g
}

// readBlocks reads [area.blocks] and [[area.fill]] and builds the collision of the area from them. Solids without a block
// get the area's default block.
func (b *builder) readBlocks(t *table, a *sim.AreaDef, solids []terrain.BlockSolid) {
	spec := terrain.BlocksSpec{Grid: defaultBlockGrid(a), Surface: terrain.GrassBlock, Filler: terrain.Dirt, Solids: solids}
	spec.Level = spec.Grid.Origin[1]
	made := terrain.StoneBricks
	said := t.subtable("blocks")
	if said != nil {
		b.readBlockKeys(said, &spec, &made)
	}
	for i := range solids {
		if solids[i].Block == defaultSolidBlock {
			solids[i].Block = made
		}
	}
	for _, ft := range t.tables("fill") {
		spec.Fills = append(spec.Fills, b.readFill(ft)...)
	}
	a.BlockGrid = spec.Grid
	if len(t.src.problems) > 0 {
		return
	}
	b.deriveCollision(t, a, &spec, said != nil)
	if isDefaultBlocks(&spec) {
		return
	}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		t.fail("blocks", "%v", err)
		return
	}
	a.Blocks = blocks
}

// readBlockKeys reads [area.blocks] into *spec. One of the keys names the block for solids that do not name one themselves;
// readBlockKeys stores it in *made.
func (b *builder) readBlockKeys(t *table, spec *terrain.BlocksSpec, made *terrain.BlockID) {
	t.float("units", &spec.Grid.UnitsPerBlock, 0.01, 1000)
	t.float("height", &spec.Grid.Height, -maxCoord, maxCoord)
	if at, ok := b.readBlockPosition(t, "origin"); ok {
		spec.Grid.Origin, spec.Level = at, at[1]
	}
	if i, ok := t.choice("ground", groundWords); ok {
		spec.Ground = terrain.Ground(i)
	}
	readInteger(t, "level", &spec.Level, terrain.MinBlockY, terrain.MaxBlockY+1)
	t.blockKind("surface", &spec.Surface)
	t.blockKind("filler", &spec.Filler)
	t.blockKind("solid", made)
	b.readSea(t, spec)
	b.readHeightmap(t, spec)
	t.reportUnknownKeys()
}

// defaultSolidBlock stands for the block of a solid whose table [[area.solid]] has no key "block". readBlocks replaces it by the
// block that the key "solid" of [area.blocks] names, or by stone bricks if there is no such key.
const defaultSolidBlock terrain.BlockID = 255

// isDefaultBlocks reports whether the settings describe the default blocks. An area with default blocks has a nil
// *terrain.Blocks.
func isDefaultBlocks(spec *terrain.BlocksSpec) bool {
	return spec.Ground == terrain.FlatGround && spec.Level == defaultOrigin[1] && len(spec.Solids) == 0 && len(spec.Fills) == 0 &&
		spec.Surface == terrain.GrassBlock && spec.Filler == terrain.Dirt && spec.Liquid == terrain.Air
}

// readFill reads a table [[area.fill]]. If the fill is a flowing liquid, the result has several fills, because the liquid becomes
// shallower along its way: first the source, then one fill for each depth.
func (b *builder) readFill(t *table) []terrain.BlockFill {
	t.addLabel("fill", "name")
	t.get("name") // the name is used only in messages
	var f terrain.BlockFill
	if t.require("from", "[x, y, z] in blocks") {
		f.Min, _ = b.readBlockPosition(t, "from")
	}
	if t.require("to", "[x, y, z] in blocks") {
		f.Max, _ = b.readBlockPosition(t, "to")
	}
	for axis := range f.Min { // any two opposite corners are accepted
		f.Min[axis], f.Max[axis] = min(f.Min[axis], f.Max[axis]), max(f.Min[axis], f.Max[axis])
	}
	if t.require("block", `"stone"`) {
		t.blockKind("block", &f.Block)
	}
	fills := readFlow(t, f)
	t.reportUnknownKeys()
	return fills
}

// readBlockPosition reads the position of a block: [x, y, z].
func (b *builder) readBlockPosition(t *table, key string) ([3]int32, bool) {
	at := b.readIntegers(t, key, 3, -terrain.MaxOrigin, terrain.MaxOrigin)
	if at == nil {
		return [3]int32{}, false
	}
	if at[1] < terrain.MinBlockY || at[1] > terrain.MaxBlockY {
		t.fail(key, "%s is at height %d: use %d to %d", key, at[1], terrain.MinBlockY, terrain.MaxBlockY)
		return [3]int32{}, false
	}
	return [3]int32{int32(at[0]), int32(at[1]), int32(at[2])}, true
}

// blockKind reads a kind of block by its name in world files.
func (t *table) blockKind(key string, into *terrain.BlockID) {
	if i, ok := t.choice(key, blockWords()); ok {
		*into = terrain.BlockID(i)
	}
}

// blockWords returns the names in world files of all kinds of blocks, indexed by terrain.BlockID.
func blockWords() []string {
	words := make([]string, terrain.BlockKindCount())
	for id := range words {
		words[id] = terrain.BlockID(id).Kind().Word
	}
	return words
}
