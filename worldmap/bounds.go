package worldmap

import (
	"math"

	"github.com/truestep-io/truestep/content/appearance"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Rect is a rectangle on the ground plane of an area, in world units.
type Rect struct{ MinX, MinZ, MaxX, MaxZ float32 }

// Margin around the contents of an area in the result of Bounds.
const (
	marginShare = 0.05 // margin as a fraction of the longer side
	leastMargin = 25   // minimum margin in world units
)

// Bounds returns the rectangle around everything in an area, with a margin, rounded outward to whole units. For an empty area
// it returns a square around the origin, whose edges are one margin away from the origin.
func Bounds(a *sim.AreaDef, m appearance.MapStyle) Rect {
	var e extent
	for i := range a.Portals {
		e.add(a.Portals[i].Pos, a.Portals[i].Radius)
	}
	for i := range a.Waypoints {
		if p := &a.Waypoints[i]; p.Used {
			e.add(p.Pos, 0)
		}
	}
	for i := range a.Spawns {
		if s := &a.Spawns[i]; s.Waypoint >= 0 && int(s.Waypoint) < len(a.Waypoints) {
			e.add(a.Waypoints[s.Waypoint].Pos, max(s.Size/2, s.Range))
		}
	}
	for i := range a.Waters {
		w := &a.Waters[i]
		e.addRect(w.X, w.Z, w.X+w.Width, w.Z+w.Depth)
	}
	for i := range a.Solids {
		s := &a.Solids[i]
		e.addRect(s.Min.X, s.Min.Z, s.Max.X, s.Max.Z)
	}
	if p := m.Picture; p != nil {
		e.addRect(p.X, p.Z, p.X+p.Width, p.Z+p.Height)
	}
	if r := m.Relief; r != nil {
		e.addRect(r.X, r.Z, r.X+r.StepX*float32(r.Width-1), r.Z+r.StepZ*float32(r.Depth-1))
	}
	if f := a.Floor; f != nil && len(f.Heightmap.Tops) > 0 {
		h, u := &f.Heightmap, f.Grid.UnitsPerBlock
		west, north := float32(h.X-f.Grid.Origin[0])*u, float32(f.Grid.Origin[2]-h.Z)*u
		e.addRect(west, north-float32(h.Depth)*u, west+float32(h.Width)*u, north)
	}
	return e.bounds()
}

// extent is a rectangle that grows with each circle or rectangle that is added, so that it contains all of them.
type extent struct {
	set bool // something was added
	Rect
}

// add extends the rectangle to contain a circle. It does nothing if a value of the circle is NaN or infinite.
func (e *extent) add(p geom.Vec, radius float32) {
	e.addRect(p.X-radius, p.Z-radius, p.X+radius, p.Z+radius)
}

// addRect extends the rectangle to contain another rectangle. It does nothing if a value of the other rectangle is NaN or
// infinite.
func (e *extent) addRect(x0, z0, x1, z1 float32) {
	for _, v := range [...]float32{x0, z0, x1, z1} {
		if !geom.Finite(v) {
			return
		}
	}
	if !e.set {
		*e = extent{true, Rect{x0, z0, x0, z0}}
	}
	e.MinX, e.MinZ = min(e.MinX, x0, x1), min(e.MinZ, z0, z1)
	e.MaxX, e.MaxZ = max(e.MaxX, x0, x1), max(e.MaxZ, z0, z1)
}

// bounds returns the bounding rectangle of everything that was added, enlarged by the margin of Bounds.
func (e *extent) bounds() Rect {
	longer := max(float64(e.MaxX)-float64(e.MinX), float64(e.MaxZ)-float64(e.MinZ))
	margin := max(longer*marginShare, leastMargin)
	return Rect{
		float32(math.Floor(float64(e.MinX) - margin)), float32(math.Floor(float64(e.MinZ) - margin)),
		float32(math.Ceil(float64(e.MaxX) + margin)), float32(math.Ceil(float64(e.MaxZ) + margin)),
	}
}
