package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Size of a player, and tolerances of collisions, in blocks. Source: docs/wire/bedrock.md, movement physics, constants.
const (
	halfWidth      float32 = 0.3  // half the width of a player
	inset          float32 = 1e-4 // distance by which the body's box is shrunk on each side
	standingHeight float32 = 1.8
	sneakingHeight float32 = 1.5
	lyingHeight    float32 = 0.6
	stepHeight     float32 = 0.6  // maximum height that a player steps up without a jump
	contactSlack   float32 = 1e-7 // overlaps up to this size count as contact, not as collision
	supportSlack   float32 = 1e-3 // maximum distance between the feet and the top of the supporting block
)

// Scratch is reusable working memory of steps: the collision boxes near a player. The zero value is ready. It has no
// state that affects later steps.
type Scratch struct {
	boxes  []geom.Box // candidates for collision in this sweep
	floors []geom.Box // cells of platform blocks, which stop only bodies that come from above; empty outside a sweep
	feet   geom.Vec   // current position of the feet during the sweep
	height float32    // height of the body
	half   float32    // half the width of the body
}

// body is the size of a moving body: half its width, and its height.
type body struct{ half, height float32 }

// west and east return the x coordinates of the western and the eastern face of a body whose centre is at x. For a z coordinate
// they return the northern and the southern face.
func (b body) west(x float32) float32 { return x - b.half + inset }
func (b body) east(x float32) float32 { return x + b.half - inset }

// boxAt returns the box of a body with its feet at p.
func (b body) boxAt(p geom.Vec) geom.Box {
	return geom.Box{
		Min: geom.Vec{X: b.west(p.X), Y: p.Y, Z: b.west(p.Z)},
		Max: geom.Vec{X: b.east(p.X), Y: p.Y + b.height, Z: b.east(p.Z)},
	}
}

// move moves the feet from p by the displacement want: first vertically, then along X, then along Z, each as far as the blocks
// allow. If the body stands or lands, it also steps up. move returns the new position of the feet and the displacement that was
// made on each axis. Even with rounding, the body never ends inside a block in which it was not before.
func (s *Scratch) move(p, want geom.Vec, tall float32, onGround bool, ground *terrain.Blocks) (end, got geom.Vec) {
	return s.moveBody(p, want, body{halfWidth, tall}, stepHeight, onGround, ground)
}

// moveBody moves the feet of a body of any size by the displacement want; see move. The parameter step is the maximum
// height that the body steps up.
func (s *Scratch) moveBody(p, want geom.Vec, size body, step float32, onGround bool, ground *terrain.Blocks) (end, got geom.Vec) {
	s.collectBody(p, want, size, 0, ground)
	got = s.slide(want)
	end = s.feet
	if got.X == want.X && got.Z == want.Z {
		return end, got
	}
	if step == 0 || !onGround && (got.Y == want.Y || want.Y >= 0) {
		return end, got
	}
	s.collectBody(p, want, size, step, ground)
	if over, ok := s.stepOver(want, step); ok && lengthXZ2(over) > lengthXZ2(got) {
		return s.feet, over
	}
	return end, got
}

func lengthXZ2(v geom.Vec) float32 { return float32(v.X*v.X) + float32(v.Z*v.Z) }

// slide moves the body by the displacement want, axis by axis, as far as the blocks allow, and returns the displacement
// that was made.
func (s *Scratch) slide(want geom.Vec) (got geom.Vec) {
	got.Y = s.slideY(want.Y)
	got.X = s.slideX(want.X)
	got.Z = s.slideZ(want.Z)
	return got
}

// stepOver moves the body up by a step, horizontally by want, and down again. It returns the displacement that was made. The
// result ok is false if the body ends inside a block.
func (s *Scratch) stepOver(want geom.Vec, step float32) (got geom.Vec, ok bool) {
	up := s.slideY(step)
	got.X = s.slideX(want.X)
	got.Z = s.slideZ(want.Z)
	got.Y = up + s.slideY(-up)
	return got, !s.overlaps(body{s.half, s.height}.boxAt(s.feet))
}

// collectBoxes places the body at p and collects the collision boxes that it may touch while it moves by d, or up by rise. No
// collision box is missed because of rounding: the body's box at the end of the movement is computed from the end position, in
// the same way as the box at the start.
func (s *Scratch) collectBoxes(p, d geom.Vec, tall, rise float32, ground *terrain.Blocks) {
	s.collectBody(p, d, body{halfWidth, tall}, rise, ground)
}

// collectBody collects the collision boxes that a body of any size may touch; see collectBoxes.
func (s *Scratch) collectBody(p, d geom.Vec, size body, rise float32, ground *terrain.Blocks) {
	s.feet, s.height, s.half = p, size.height, size.half
	from, to := size.boxAt(p), size.boxAt(p.Add(d))
	to.Max.Y = max(to.Max.Y, p.Y+rise+size.height)
	s.boxes = ground.AppendBoxes(s.boxes[:0], boundingBox(from, to))
}

// westFace and eastFace return the x coordinates of the western and the eastern face of a player whose centre is at x. For a z
// coordinate they return the northern and the southern face.
func westFace(x float32) float32 { return x - halfWidth + inset }
func eastFace(x float32) float32 { return x + halfWidth - inset }

// boxAt returns the box of a player with its feet at p.
func boxAt(p geom.Vec, tall float32) geom.Box { return body{halfWidth, tall}.boxAt(p) }

func boundingBox(a, b geom.Box) geom.Box {
	return geom.Box{
		Min: geom.Vec{X: min(a.Min.X, b.Min.X), Y: min(a.Min.Y, b.Min.Y), Z: min(a.Min.Z, b.Min.Z)},
		Max: geom.Vec{X: max(a.Max.X, b.Max.X), Y: max(a.Max.Y, b.Max.Y), Z: max(a.Max.Z, b.Max.Z)},
	}
}

// overlaps reports whether the box q overlaps one of the boxes that collectBoxes has collected, by more than contactSlack, a
// tolerance for rounding.
func (s *Scratch) overlaps(q geom.Box) bool {
	for i := range s.boxes {
		b := &s.boxes[i]
		if !separated(q.Min.X, q.Max.X, b.Min.X, b.Max.X) && !separated(q.Min.Y, q.Max.Y, b.Min.Y, b.Max.Y) &&
			!separated(q.Min.Z, q.Max.Z, b.Min.Z, b.Max.Z) {
			return true
		}
	}
	return false
}

// supportBlock returns the kind of the block on which a body with its feet at p stands, air if there is none. It considers the
// blocks near the last movement of the body, which collectBoxes has collected. If the body stands on several, it returns the one
// nearest to the centre of the body, and of equally near ones the first.
func (s *Scratch) supportBlock(p geom.Vec, ground *terrain.Blocks) *terrain.BlockKind {
	least, nearest := float32(2), (*geom.Box)(nil)
	for i := range s.boxes {
		b := &s.boxes[i]
		if geom.Abs(b.Max.Y-p.Y) > supportSlack ||
			separated(westFace(p.X), eastFace(p.X), b.Min.X, b.Max.X) || separated(westFace(p.Z), eastFace(p.Z), b.Min.Z, b.Max.Z) {
			continue
		}
		off := geom.Vec{X: p.X - max(b.Min.X, min(p.X, b.Max.X)), Z: p.Z - max(b.Min.Z, min(p.Z, b.Max.Z))}
		if d := lengthXZ2(off); d < least {
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
	return ground.At(middleBlock(b.Min.X, b.Max.X), middleBlock(b.Min.Y, b.Max.Y), middleBlock(b.Min.Z, b.Max.Z)).Kind()
}

// middleBlock returns the block coordinate that contains the middle of lo..hi.
func middleBlock(lo, hi float32) int32 { return blockAt(float32((lo + hi) * 0.5)) }

// separated reports whether the intervals lo..hi and from..to are apart. Intervals that overlap by at most contactSlack, a
// tolerance for rounding, count as apart.
func separated(lo, hi, from, to float32) bool {
	return hi-from <= contactSlack || to-lo <= contactSlack
}

// slideY moves the body up or down by d, as far as the blocks allow, and returns the displacement.
func (s *Scratch) slideY(d float32) float32 {
	w := newSweepRay(s.feet.Y, d, 0, s.height, 0)
	size := body{s.half, s.height}
	x0, x1, z0, z1 := size.west(s.feet.X), size.east(s.feet.X), size.west(s.feet.Z), size.east(s.feet.Z)
	for i := range s.boxes {
		b := &s.boxes[i]
		if !separated(x0, x1, b.Min.X, b.Max.X) && !separated(z0, z1, b.Min.Z, b.Max.Z) {
			w.stopAt(b.Min.Y, b.Max.Y)
		}
	}
	for i := range s.floors {
		b := &s.floors[i]
		if d < 0 && s.feet.Y >= b.Max.Y-contactSlack && !separated(x0, x1, b.Min.X, b.Max.X) && !separated(z0, z1, b.Min.Z, b.Max.Z) {
			w.stopAt(b.Min.Y, b.Max.Y)
		}
	}
	s.feet.Y, d = w.result()
	return d
}

// collectFloors collects the platforms on which a body with its feet at p may land while it moves by d, directly or after a step
// up. Platforms are blocks that stop a body only from above, such as scaffolding.
func (s *Scratch) collectFloors(p, d geom.Vec, ground *terrain.Blocks) {
	s.floors = ground.AppendPlatforms(s.floors[:0], boundingBox(boxAt(p, stepHeight), boxAt(p.Add(d), stepHeight)))
}

// slideX moves the body along X by d, as far as the blocks allow, and returns the displacement.
func (s *Scratch) slideX(d float32) float32 {
	if d == 0 {
		return 0
	}
	w := newSweepRay(s.feet.X, d, -s.half, s.half, inset)
	size := body{s.half, s.height}
	y0, y1, z0, z1 := s.feet.Y, s.feet.Y+s.height, size.west(s.feet.Z), size.east(s.feet.Z)
	for i := range s.boxes {
		b := &s.boxes[i]
		if !separated(y0, y1, b.Min.Y, b.Max.Y) && !separated(z0, z1, b.Min.Z, b.Max.Z) {
			w.stopAt(b.Min.X, b.Max.X)
		}
	}
	s.feet.X, d = w.result()
	return d
}

// slideZ moves the body along Z by d, as far as the blocks allow, and returns the displacement.
func (s *Scratch) slideZ(d float32) float32 {
	if d == 0 {
		return 0
	}
	w := newSweepRay(s.feet.Z, d, -s.half, s.half, inset)
	size := body{s.half, s.height}
	x0, x1, y0, y1 := size.west(s.feet.X), size.east(s.feet.X), s.feet.Y, s.feet.Y+s.height
	for i := range s.boxes {
		b := &s.boxes[i]
		if !separated(x0, x1, b.Min.X, b.Max.X) && !separated(y0, y1, b.Min.Y, b.Max.Y) {
			w.stopAt(b.Min.Z, b.Max.Z)
		}
	}
	s.feet.Z, d = w.result()
	return d
}
