// Package worldmap draws the ground of an area as operators see it from above: heights with shading, waters with their shores,
// lava, trails on which actors patrol, and walls with shadows. It draws what the world's tables contain and pictures that the
// operator supplies.
//
//	m := worldmap.New(world, tables, area)
//	img := m.Tile(worldmap.Light, level, x, z)
//
// The map of an area is a square that is divided into tiles: one tile at level 0, four at level 1, and so on. A tile has
// TileSize x TileSize pixels. The square is larger than the rectangle that Bounds returns, because some ground around the
// rectangle is drawn too.
//
// A Map is immutable and safe for concurrent use. Equal arguments give equal pixels on all machines of one architecture. The time
// to draw a tile has an upper bound that does not depend on the size of the world.
package worldmap
