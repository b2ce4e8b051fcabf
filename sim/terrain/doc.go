// Package terrain has the collision of an area. It does not change while the area runs, and holds no actors.
//
// Solids, boxes in world units, are the one truth. What an authority needs to ask quickly is derived from them: Tiles
// for the path authority, which walks from the centre of one tile to the centre of the next.
//
//	grid := terrain.TileGrid{UnitsPerTile: 8, BaseX: 3200, BaseZ: 3200}
//	tiles, err := terrain.NewTiles(terrain.TileSpec{Grid: grid}, solids)
//	tiles.CanStep(3210, 3210, 1, 1)
//
// A nil *Tiles is open ground over all valid tiles and costs nothing. Everything here is read-only once made, so any
// number of goroutines may ask.
package terrain
