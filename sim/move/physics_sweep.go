package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Shape of a player and of collisions, in blocks. Source: docs/wire/bedrock.md, movement physics, constants.
const (
	halfWidth      float32 = 0.3
	inset          float32 = 1e-4 // by which the box is drawn in on each side
	standingHeight float32 = 1.8
	sneakingHeight float32 = 1.5
	lyingHeight    float32 = 0.6
	stepHeight     float32 = 0.6
	contact        float32 = 1e-7 // overlaps up to this much are contact
	supportSlack   float32 = 1e-3 // between the feet and the top of what carries them
)

// Scratch is the memory that steps reuse: the collision boxes near a player. The zero value is ready. It holds nothing
// from one step to the next.
type Scratch struct {
	boxes  []geom.Box // that the body may meet in this sweep
	body   geom.Vec   // feet, while the body is moved
	height float32
}

// move moves feet at p by want, first up or down, then along X, then along Z, each as far as the blocks let it, and over
// a step if it stands or lands. It returns where the feet end and how far they came on each axis. The body never ends
// inside a block in which it was not, whatever float32 rounds to.
func (s *Scratch) move(p, want geom.Vec, tall float32, onGround bool, ground *terrain.Blocks) (end, got geom.Vec) {
	s.gather(p, want, tall, 0, ground)
	got = s.slide(want)
	end = s.body
	if got.X == want.X && got.Z == want.Z {
		return end, got
	}
	if !onGround && (got.Y == want.Y || want.Y >= 0) {
		return end, got
	}
	s.gather(p, want, tall, stepHeight, ground)
	if over, ok := s.stepOver(want); ok && flat2(over) > flat2(got) {
		return s.body, over
	}
	return end, got
}

func flat2(v geom.Vec) float32 { return float32(v.X*v.X) + float32(v.Z*v.Z) }

// slide moves the body by want, axis by axis.
func (s *Scratch) slide(want geom.Vec) (got geom.Vec) {
	got.Y = s.slideY(want.Y)
	got.X = s.slideX(want.X)
	got.Z = s.slideZ(want.Z)
	return got
}

// stepOver moves the body up a step, across and down again; false if it ends in a block.
func (s *Scratch) stepOver(want geom.Vec) (got geom.Vec, ok bool) {
	up := s.slideY(stepHeight)
	got.X = s.slideX(want.X)
	got.Z = s.slideZ(want.Z)
	got.Y = up + s.slideY(-up)
	return got, !s.overlaps(boxAt(s.body, s.height))
}

// gather puts the body at p and finds the boxes that it touches on the way by d, or up by rise before and after.
// The far ends are those of the body there, so that rounding leaves no box out.
func (s *Scratch) gather(p, d geom.Vec, tall, rise float32, ground *terrain.Blocks) {
	s.body, s.height = p, tall
	from, to := boxAt(p, tall), boxAt(p.Add(d), tall)
	to.Max.Y = max(to.Max.Y, p.Y+rise+tall)
	s.boxes = ground.AppendBoxes(s.boxes[:0], hull(from, to))
}

// west and east are the faces of a body whose middle is at x; along Z they are those to the north and the south.
func west(x float32) float32 { return x - halfWidth + inset }
func east(x float32) float32 { return x + halfWidth - inset }

// boxAt is the box of a body whose feet are at p.
func boxAt(p geom.Vec, tall float32) geom.Box {
	return geom.Box{
		Min: geom.Vec{X: west(p.X), Y: p.Y, Z: west(p.Z)},
		Max: geom.Vec{X: east(p.X), Y: p.Y + tall, Z: east(p.Z)},
	}
}

func hull(a, b geom.Box) geom.Box {
	return geom.Box{
		Min: geom.Vec{X: min(a.Min.X, b.Min.X), Y: min(a.Min.Y, b.Min.Y), Z: min(a.Min.Z, b.Min.Z)},
		Max: geom.Vec{X: max(a.Max.X, b.Max.X), Y: max(a.Max.Y, b.Max.Y), Z: max(a.Max.Z, b.Max.Z)},
	}
}

// meets tells whether one of the gathered boxes overlaps q by more than contact.
func (s *Scratch) overlaps(q geom.Box) bool {
	for i := range s.boxes {
		b := &s.boxes[i]
		if !apart(q.Min.X, q.Max.X, b.Min.X, b.Max.X) && !apart(q.Min.Y, q.Max.Y, b.Min.Y, b.Max.Y) &&
			!apart(q.Min.Z, q.Max.Z, b.Min.Z, b.Max.Z) {
			return true
		}
	}
	return false
}

// support is the kind of the block that feet at p stand on, of those that the last sweep gathered: the nearest to the
// middle of the body, the first of several. It is air if they stand on nothing.
func (s *Scratch) support(p geom.Vec, ground *terrain.Blocks) *terrain.BlockKind {
	least, nearest := float32(2), (*geom.Box)(nil)
	for i := range s.boxes {
		b := &s.boxes[i]
		if geom.Abs(b.Max.Y-p.Y) > supportSlack ||
			apart(west(p.X), east(p.X), b.Min.X, b.Max.X) || apart(west(p.Z), east(p.Z), b.Min.Z, b.Max.Z) {
			continue
		}
		off := geom.Vec{X: p.X - max(b.Min.X, min(p.X, b.Max.X)), Z: p.Z - max(b.Min.Z, min(p.Z, b.Max.Z))}
		if d := flat2(off); d < least {
			least, nearest = d, b
		}
		if least == 0 {
			break
		}
	}
	if nearest == nil {
		return terrain.Air.Kind()
	}
	b := nearest
	return ground.At(middle(b.Min.X, b.Max.X), middle(b.Min.Y, b.Max.Y), middle(b.Min.Z, b.Max.Z)).Kind()
}

// middle is the block in which the middle of a box is.
func middle(lo, hi float32) int32 { return blockAt(float32((lo + hi) * 0.5)) }

// apart tells whether two intervals have no more than contact in common.
func apart(lo, hi, from, to float32) bool { return hi-from <= contact || to-lo <= contact }

// slideY moves the body up or down by d at most and returns how far it came.
func (s *Scratch) slideY(d float32) float32 {
	w := newRay(s.body.Y, d, 0, s.height, 0)
	x0, x1, z0, z1 := west(s.body.X), east(s.body.X), west(s.body.Z), east(s.body.Z)
	for i := range s.boxes {
		b := &s.boxes[i]
		if !apart(x0, x1, b.Min.X, b.Max.X) && !apart(z0, z1, b.Min.Z, b.Max.Z) {
			w.stopAt(b.Min.Y, b.Max.Y)
		}
	}
	s.body.Y, d = w.end()
	return d
}

// slideX is slideY along X.
func (s *Scratch) slideX(d float32) float32 {
	if d == 0 {
		return 0
	}
	w := newRay(s.body.X, d, -halfWidth, halfWidth, inset)
	y0, y1, z0, z1 := s.body.Y, s.body.Y+s.height, west(s.body.Z), east(s.body.Z)
	for i := range s.boxes {
		b := &s.boxes[i]
		if !apart(y0, y1, b.Min.Y, b.Max.Y) && !apart(z0, z1, b.Min.Z, b.Max.Z) {
			w.stopAt(b.Min.X, b.Max.X)
		}
	}
	s.body.X, d = w.end()
	return d
}

// slideZ is slideY along Z.
func (s *Scratch) slideZ(d float32) float32 {
	if d == 0 {
		return 0
	}
	w := newRay(s.body.Z, d, -halfWidth, halfWidth, inset)
	x0, x1, y0, y1 := west(s.body.X), east(s.body.X), s.body.Y, s.body.Y+s.height
	for i := range s.boxes {
		b := &s.boxes[i]
		if !apart(x0, x1, b.Min.X, b.Max.X) && !apart(y0, y1, b.Min.Y, b.Max.Y) {
			w.stopAt(b.Min.Z, b.Max.Z)
		}
	}
	s.body.Z, d = w.end()
	return d
}
