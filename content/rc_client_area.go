package content

import (
	"math"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim/geom"
)

// clientAreaFolder is the folder with what clients draw in each area. The server needs none of it, except that maps show
// the heights of its terrains.
const clientAreaFolder = "Areas"

// Sizes, in bytes, of the parts of a client's area file without their strings. Source: RealmCrafter data specification,
// section 8, client view.
const (
	rcAreaHead     = 41
	rcSceneryFixed = 2 + 9*4 + 1 + 1 + 2 + 1 + 1 // fixed part of a record of scenery, up to its first string
	rcSceneryEnd   = 3
	rcClientWater  = 2 + 4 + 3*4 + 2*4 + 3 + 1
	rcCollision    = 9 * 4
	rcEmitterFixed = 2 + 6*4
	maxTerrainGrid = 4096    // maximum number of cells along an edge of a terrain
	maxReliefSize  = 1 << 20 // maximum number of heights of a Relief; of a larger terrain only every n-th height is used
)

// parseRelief returns the heights of the largest terrain in a client's area file, nil if there is none.
func parseRelief(c *cursor) (*appearance.Relief, error) {
	c.readBytes(field{"head", -1}, rcAreaHead)
	for range int(c.u16("sceneryCount")) {
		c.readBytes(field{"scenery", -1}, rcSceneryFixed)
		c.str("lightmap", longLimit)
		c.str("rcte", longLimit)
		c.readBytes(field{"scenery", -1}, rcSceneryEnd)
		if c.err != nil {
			return nil, c.err
		}
	}
	c.readBytes(field{"waters", -1}, int(c.u16("waterCount"))*rcClientWater)
	c.readBytes(field{"collisions", -1}, int(c.u16("collisionCount"))*rcCollision)
	for range int(c.u16("emitterCount")) {
		c.str("emitter", longLimit)
		c.readBytes(field{"emitter", -1}, rcEmitterFixed)
		if c.err != nil {
			return nil, c.err
		}
	}
	var largest *appearance.Relief
	n := int(c.u16("terrainCount"))
	for i := 0; i < n && c.err == nil; i++ {
		c.beginRecord("terrain", i)
		if r := parseTerrain(c); r != nil && (largest == nil || areaOf(r) > areaOf(largest)) {
			largest = r
		}
	}
	return largest, c.err
}

func areaOf(r *appearance.Relief) float32 {
	return r.StepX * float32(r.Width-1) * r.StepZ * float32(r.Depth-1)
}

// parseTerrain reads one terrain. It returns nil if the terrain is rotated or has no extent. The stored heights, 0 to 1,
// are multiplied by the y of the terrain's scale.
func parseTerrain(c *cursor) *appearance.Relief {
	c.u16("baseTexture")
	c.u16("detailTexture")
	at := c.off
	grid := int(c.i32("grid"))
	if c.err == nil && (grid < 1 || grid > maxTerrainGrid) {
		c.fail(at, "the terrain has %d cells along an edge, must have 1..%d", grid, maxTerrainGrid)
		return nil
	}
	side := grid + 1
	b := c.readBytes(field{"heights", -1}, side*side*4)
	var place [9]float32 // position, pitch, yaw and roll, scale
	for i := range place {
		place[i] = c.f32("place")
	}
	c.f32("detailScale")
	c.i32("detail")
	c.u8("morph")
	c.u8("shading")
	turned := place[3] != 0 || place[4] != 0 || place[5] != 0
	if c.err != nil || turned || !(place[6] > 0 && place[8] > 0) {
		return nil
	}
	step := 1
	for (grid/step+1)*(grid/step+1) > maxReliefSize {
		step++
	}
	w := grid/step + 1
	r := &appearance.Relief{
		X: place[0], Z: place[2], StepX: place[6] * float32(step), StepZ: place[8] * float32(step), Width: w, Depth: w,
		Heights: make([]float32, 0, w*w),
	}
	if w < 2 {
		return nil
	}
	lo, hi := float32(math.Inf(1)), float32(math.Inf(-1))
	for z := range w {
		for x := range w {
			h := place[1] + f32of(b[(z*step*side+x*step)*4:][:4])*place[7]
			if !geom.Finite(h) {
				return nil
			}
			lo, hi = min(lo, h), max(hi, h)
			r.Heights = append(r.Heights, h)
		}
	}
	r.Lowest, r.Range = lo, hi-lo
	return r
}

// importMap returns the map of an area of a project. If the client's area file is damaged, the map has no terrain, and a
// warning says so.
func (b *projectBuilder) importMap(r *rcArea) (m appearance.MapStyle) {
	name := clientAreaFolder + "/" + r.Name + ".dat"
	text, ok := b.files.unhashed(name)
	if !ok {
		return m
	}
	c := newCursor(name, text)
	relief, err := parseRelief(c)
	if err != nil {
		b.files.warn("CLIENT-AREA", name, "file", "%v: maps do not show its terrain", err)
		return m
	}
	m.Relief = relief
	return m
}
