// Package terrain has the collision of an area. It does not change while the area runs, and holds no actors.
//
// Solids, boxes in world units, are the one truth. What an authority needs to ask quickly is derived from them: Tiles
// for the path authority, which walks from the centre of one tile to the centre of the next, Blocks for the predict
// authority, which moves a box among cubes, slabs and ladders, and Walls for everybody who goes straight on: the claim
// authority, the server's own walking, and NPCs. Floor is the ground below.
//
//	grid := terrain.TileGrid{UnitsPerTile: 8, BaseX: 3200, BaseZ: 3200}
//	tiles, err := terrain.NewTiles(terrain.TileSpec{Grid: grid}, solids)
//	tiles.CanStep(3210, 3210, 1, 1)
//
//	blocks, err := terrain.NewBlocks(terrain.BlocksSpec{Grid: blockGrid, Level: 64, Surface: terrain.GrassBlock,
//		Filler: terrain.Dirt, Solids: made, Fills: fills})
//	boxes = blocks.AppendBoxes(boxes[:0], swept)
//
//	walls, err := terrain.NewWalls(terrain.WallSpec{Floor: floor, Solids: solids})
//	long, ok := walls.Way(from, to, allowed, false)
//
// A nil *Tiles is open ground over all valid tiles, a nil *Blocks a meadow without end, a nil
// *Walls open country; none costs anything.
// Everything here is read-only once made, so any number of goroutines may ask.
package terrain
