// Package terrain is the static collision of an area. It does not change while the area runs, and contains no actors.
//
// The source of all collision is solids, which are boxes in world units. The authorities query structures that are built
// from them: Tiles for the path authority, which moves between the centres of tiles; Blocks for the predict authority,
// which moves a box among cubes, slabs and ladders; and Walls for everything that moves in straight lines: the claim
// authority, walks by the server, and NPCs. Floor is the ground below.
//
//	grid := terrain.TileGrid{UnitsPerTile: 8, BaseX: 3200, BaseZ: 3200}
//	tiles, err := terrain.NewTiles(terrain.TileSpec{Grid: grid}, solids)
//	tiles.CanStep(3210, 3210, 1, 1)
//
//	blocks, err := terrain.NewBlocks(terrain.BlocksSpec{Grid: blockGrid, Level: 64, Surface: terrain.GrassBlock,
//		Filler: terrain.Dirt, Solids: blockSolids, Fills: fills})
//	boxes = blocks.AppendBoxes(boxes[:0], swept)
//
//	walls, err := terrain.NewWalls(terrain.WallSpec{Floor: floor, Solids: solids})
//	length, ok := walls.PathLength(from, to, allowed, false)
//
// A nil *Tiles is open ground over all valid tiles, a nil *Blocks is endless flat ground, and a nil *Walls has no
// walls; none of them uses memory. All types are read-only once built and safe for concurrent use.
package terrain
