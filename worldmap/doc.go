// Package worldmap draws the ground of an area as operators see it from above: shaded heights, waters with their shores,
// lava, trails of patrols, walls with shadows. It draws what the world's tables contain, and pictures that the operator supplies.
//
//	m := worldmap.New(world, tables, area)
//	img := m.Tile(worldmap.Light, level, x, z)
//
// The map of an area is a square, divided into tiles: one tile at level 0, four at level 1, and so on. A tile has
// TileSize x TileSize pixels. The square is larger than Bounds, because the ground continues outside of them.
//
// A Map is immutable and safe for concurrent use. Equal arguments give equal pixels on every machine of one architecture. The
// cost of a tile has a limit that does not depend on the size of the world.
package worldmap
