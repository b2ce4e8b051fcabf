package content

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/terrain"
)

// defaultOrigin is the block at the origin of an area that does not say it, and so the level of its ground: that of the
// flat worlds of such games' clients.
var defaultOrigin = [3]int32{0, 64, 0}

// Words of [area.blocks], in the order of terrain's numbers.
var groundWords = []string{"flat", "void", "heightmap"}

// defaultBlockGrid lays two blocks along a tile. The ground is where people stand: at the first portal.
func defaultBlockGrid(a *sim.AreaDef) terrain.BlockGrid {
	g := terrain.BlockGrid{UnitsPerBlock: a.Tiles.UnitsPerTile / 2, Origin: defaultOrigin}
	if len(a.Portals) > 0 {
		g.Height = a.Portals[0].Pos.Y
	}
	return g
}

// blocks reads [area.blocks] and [[area.fill]] and derives what stands in the way of anybody. Solids that do not say of
// what they are made are told it.
func (b *builder) blocks(t *table, a *sim.AreaDef, solids []terrain.BlockSolid) {
	spec := terrain.BlocksSpec{Grid: defaultBlockGrid(a), Surface: terrain.GrassBlock, Filler: terrain.Dirt, Solids: solids}
	spec.Level = spec.Grid.Origin[1]
	made := terrain.StoneBricks
	said := t.sub("blocks")
	if said != nil {
		b.blockKeys(said, &spec, &made)
	}
	for i := range solids {
		if solids[i].Block == unsaid {
			solids[i].Block = made
		}
	}
	for _, ft := range t.list("fill") {
		spec.Fills = append(spec.Fills, b.fill(ft))
	}
	a.BlockGrid = spec.Grid
	if len(t.src.problems) > 0 {
		return
	}
	b.stand(t, a, &spec, said != nil)
	if plain(&spec) {
		return
	}
	blocks, err := terrain.NewBlocks(spec)
	if err != nil {
		t.fail("blocks", "%v", err)
		return
	}
	a.Blocks = blocks
}

// blockKeys reads what stands in [area.blocks]; made is of what solids are made.
func (b *builder) blockKeys(t *table, spec *terrain.BlocksSpec, made *terrain.BlockID) {
	t.f32("units", &spec.Grid.UnitsPerBlock, 0.01, 1000)
	t.f32("height", &spec.Grid.Height, -maxCoord, maxCoord)
	if at, ok := b.blockPlace(t, "origin"); ok {
		spec.Grid.Origin, spec.Level = at, at[1]
	}
	if i, ok := t.choice("ground", groundWords); ok {
		spec.Ground = terrain.Ground(i)
	}
	whole(t, "level", &spec.Level, terrain.MinBlockY, terrain.MaxBlockY+1)
	t.block("surface", &spec.Surface)
	t.block("filler", &spec.Filler)
	t.block("solid", made)
	b.heightmap(t, spec)
	t.done()
}

// unsaid is the block of a solid that does not name one.
const unsaid terrain.BlockID = 255

// plain tells whether the blocks are those of a nil terrain.Blocks.
func plain(spec *terrain.BlocksSpec) bool {
	return spec.Ground == terrain.FlatGround && spec.Level == defaultOrigin[1] && len(spec.Solids) == 0 && len(spec.Fills) == 0 &&
		spec.Surface == terrain.GrassBlock && spec.Filler == terrain.Dirt
}

// fill reads one [[area.fill]].
func (b *builder) fill(t *table) terrain.BlockFill {
	t.named("fill", "name")
	t.get("name") // only for messages and people
	var f terrain.BlockFill
	if t.need("from", "[x, y, z] in blocks") {
		f.Min, _ = b.blockPlace(t, "from")
	}
	if t.need("to", "[x, y, z] in blocks") {
		f.Max, _ = b.blockPlace(t, "to")
	}
	for axis := range f.Min { // any two opposite corners
		f.Min[axis], f.Max[axis] = min(f.Min[axis], f.Max[axis]), max(f.Min[axis], f.Max[axis])
	}
	if t.need("block", `"stone"`) {
		t.block("block", &f.Block)
	}
	t.done()
	return f
}

// blockPlace reads a cell of the grid of blocks.
func (b *builder) blockPlace(t *table, key string) ([3]int32, bool) {
	at := b.numbers(t, key, 3, -terrain.MaxOrigin, terrain.MaxOrigin)
	if at == nil {
		return [3]int32{}, false
	}
	if at[1] < terrain.MinBlockY || at[1] > terrain.MaxBlockY {
		t.fail(key, "%s is at height %d: use %d to %d", key, at[1], terrain.MinBlockY, terrain.MaxBlockY)
		return [3]int32{}, false
	}
	return [3]int32{int32(at[0]), int32(at[1]), int32(at[2])}, true
}

// block reads the word of a kind of block.
func (t *table) block(key string, into *terrain.BlockID) {
	if i, ok := t.choice(key, blockWords()); ok {
		*into = terrain.BlockID(i)
	}
}

// blockWords are the words of all kinds, by id.
func blockWords() []string {
	words := make([]string, terrain.BlockKindCount())
	for id := range words {
		words[id] = terrain.BlockID(id).Kind().Word
	}
	return words
}
