package move

import (
	"math"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// This file is a second implementation of the walking rules of docs/wire/bedrock.md. It follows them rule by rule and
// checks every nearby block. With the implementation under test it shares only types. When float32 rounding moves the
// player into a block, it sets rounded and leaves the player there.

// script is the state of this implementation during one tick of a walking player.
type script struct {
	p, v     [3]float32
	height   float32
	onGround bool
	hit      [3]bool
	blocks   *terrain.Blocks
	rounded  bool // the body was moved into a block that it did not overlap before
}

// scriptSine is the sine table of the rules, computed with package math.
var scriptSine = func() (t [65536]float32) {
	for i := range t {
		t[i] = float32(math.Sin(float64(i) * 2 * math.Pi / 65536))
	}
	return t
}()

func scriptSin(x float32) float32 { return scriptSine[int64(float32(x*10430.378))&65535] }
func scriptCos(x float32) float32 { return scriptSine[int64(float32(x*10430.378)+16384)&65535] }

// scriptStep returns the avatar after one walking tick. It takes the stances and the posture from the parameter "after".
func scriptStep(before, after Avatar, in Input, blocks *terrain.Blocks) (next Avatar, rounded bool) {
	a := before
	a.Sprinting, a.Sneaking, a.Crawling = after.Sprinting, after.Sneaking, after.Crawling
	s := script{
		p: array(a.Pos), v: array(a.Vel), height: 1.8, onGround: a.OnGround, blocks: blocks,
		hit: [3]bool{a.Collided&AxisX != 0, a.Collided&AxisY != 0, a.Collided&AxisZ != 0},
	}
	if a.Sneaking {
		s.height = 1.5
	}
	if a.Crawling {
		s.height = 0.6
	}

	// Steps 1 and 2 of walking in docs/wire/bedrock.md, movement physics.
	scale := float32(1)
	if a.UsingItem {
		scale = float32(scale * 0.1225)
	}
	if a.Sneaking || a.Crawling {
		scale = float32(scale * 0.3)
	}
	left := float32(scriptClamp(in.Move[0], scale) * 0.98)
	forward := float32(scriptClamp(in.Move[1], scale) * 0.98)
	if in.Flags&InputJumping == 0 {
		a.JumpDelay = 0
	}
	if float32(s.v[0]*s.v[0])+float32(s.v[1]*s.v[1])+float32(s.v[2]*s.v[2]) < 1e-12 {
		s.v = [3]float32{}
	}

	if s.inHoney() {
		s.v = [3]float32{float32(s.v[0] * 0.4), max(s.v[1], -0.12), float32(s.v[2] * 0.4)}
	}

	// Steps 3 and 4 of walking.
	onHoney := s.kindAt([3]float32{s.p[0], s.p[1] - 0.5, s.p[2]}).Word == "honey_block"
	fr, acc := float32(0.91), float32(0.02)
	if a.Sprinting {
		acc = 0.026
	}
	if a.OnGround {
		below := s.kindAt([3]float32{s.p[0], s.p[1] - 0.5, s.p[2]})
		speed := a.Speed
		if below.Word == "soul_sand" {
			speed = float32(speed * 0.544)
		}
		if a.Sprinting {
			speed = float32(speed * 1.3)
		}
		fr = float32(fr * below.Slipperiness)
		acc = float32(speed * float32(0.16277136/float32(float32(fr*fr)*fr)))
	}
	if a.HasKnockback {
		s.v = array(a.KnockbackVel)
		a.HasKnockback, a.KnockbackVel = false, geom.Vec{}
	}

	// Steps 5 and 6 of walking.
	yaw := float32(in.Yaw * float32(math.Pi/180))
	if q := float32(left*left) + float32(forward*forward); q >= 1e-4 {
		k := acc / max(float32(math.Sqrt(float64(q))), 1)
		l, f := float32(left*k), float32(forward*k)
		s.v[0] += float32(l*scriptCos(yaw)) - float32(f*scriptSin(yaw))
		s.v[2] += float32(f*scriptCos(yaw)) + float32(l*scriptSin(yaw))
	}
	if in.Flags&(InputStartJump|InputJumping) != 0 && a.OnGround && a.JumpDelay == 0 {
		jump := 0.42 + float32(0.1*float32(a.JumpBoost))
		if onHoney {
			jump = float32(jump * 0.6)
		}
		s.v[1] = max(s.v[1], jump)
		a.JumpDelay = 10
		if a.Sprinting {
			s.v[0] -= float32(scriptSin(yaw) * 0.2)
			s.v[2] += float32(scriptCos(yaw) * 0.2)
		}
	}

	if in.Flags&InputStartJump != 0 && !a.OnGround && a.JumpDelay == 0 {
		a.JumpDelay = 10
	}

	// Steps 7 and 8 of walking.
	if s.kindAt(s.p).Climbable {
		s.v[1] = max(s.v[1], -0.2)
		if in.Flags&InputJumping != 0 || s.hit[0] || s.hit[2] {
			s.v[1] = 0.2
		}
		if a.Sneaking {
			s.v[1] = max(s.v[1], 0)
		}
	}
	rising := s.v[1]
	slow, slowed := s.slowest()
	if slowed {
		for i := range s.v {
			s.v[i] = float32(s.v[i] * slow[i])
		}
	}
	if a.Sneaking && s.onGround && s.v[1] <= 0 {
		s.keepFromEdge()
	}

	// Steps 9 to 11 of walking.
	wanted, y, stood := s.v, s.p[1], s.onGround
	s.collide()
	for i := range 3 {
		s.hit[i] = scriptAbs(wanted[i]-s.v[i]) >= 1e-5
	}
	s.onGround = s.hit[1] && wanted[1] < 0 || stood && !s.hit[1] && scriptAbs(wanted[1]) <= 1e-5
	carrier := s.carrier()
	if s.onGround && carrier == "slime" && s.p[1] == y && !a.Sneaking && scriptAbs(s.v[1]) < 0.1 {
		d := 0.4 + float32(0.2*scriptAbs(s.v[1]))
		s.v[0], s.v[2] = float32(s.v[0]*d), float32(s.v[2]*d)
	}
	for i := range 3 {
		if s.hit[i] {
			s.v[i] = 0
		}
	}
	if s.hit[1] && wanted[1] < 0 && !stood && !a.Sneaking {
		switch carrier {
		case "slime":
			s.v[1] = -wanted[1]
		case "bed", "bed_head":
			s.v[1] = min(1, float32(-0.66*wanted[1]))
		}
	}
	if slowed {
		s.v, rising = [3]float32{}, 0
	}

	// Steps 12 and 13 of walking.
	switch {
	case a.Levitation > 0:
		s.v[1] = float32(float32(float64(float32(0.8))*float64(rising)+float64(float32(0.01*float32(a.Levitation)))) * 0.98)
	case a.SlowFalling > 0 && rising < 0:
		s.v[1] = float32((s.v[1] - 0.01) * 0.98)
	default:
		s.v[1] = float32((s.v[1] - 0.08) * 0.98)
	}
	s.v[0], s.v[2] = float32(s.v[0]*fr), float32(s.v[2]*fr)
	s.rideBubbles()
	if a.JumpDelay > 0 {
		a.JumpDelay--
	}
	a.Pos, a.Vel = vec(s.p), vec(s.v)
	a.OnGround, a.Collided = s.onGround, 0
	for i, axis := range [3]Axes{AxisX, AxisY, AxisZ} {
		if s.hit[i] {
			a.Collided |= axis
		}
	}
	return a, s.rounded
}

// box returns the player's box as six numbers: the low corner, then the high corner.
func (s *script) box() [6]float32 {
	return [6]float32{
		s.p[0] - 0.3 + 1e-4, s.p[1], s.p[2] - 0.3 + 1e-4,
		s.p[0] + 0.3 - 1e-4, s.p[1] + s.height, s.p[2] + 0.3 - 1e-4,
	}
}

// solids returns the collision boxes of all blocks that the player can reach in one tick, and of some farther ones.
func (s *script) solids() (all [][6]float32) {
	c := [3]int32{}
	for i := range c {
		c[i] = int32(math.Floor(float64(s.p[i])))
	}
	for x := c[0] - 3; x <= c[0]+3; x++ {
		for z := c[2] - 3; z <= c[2]+3; z++ {
			for y := c[1] - 5; y <= c[1]+6; y++ {
				for _, b := range s.blocks.At(x, y, z).Kind().Boxes {
					at := [3]float32{float32(x), float32(y), float32(z)}
					all = append(all, [6]float32{
						at[0] + b.Min.X, at[1] + b.Min.Y, at[2] + b.Min.Z,
						at[0] + b.Max.X, at[1] + b.Max.Y, at[2] + b.Max.Z,
					})
				}
			}
		}
	}
	return all
}

// overlaps reports whether two boxes overlap on every axis except leftOut.
func overlaps(a, b [6]float32, leftOut int) bool {
	for i := range 3 {
		if i != leftOut && (a[i+3]-b[i] <= 1e-7 || b[i+3]-a[i] <= 1e-7) {
			return false
		}
	}
	return true
}

func anyOverlap(a [6]float32, solids [][6]float32) bool {
	for _, b := range solids {
		if overlaps(a, b, -1) {
			return true
		}
	}
	return false
}

// along moves the body on one axis as far as the solids allow.
func (s *script) along(axis int, d float32, solids [][6]float32) float32 {
	me := s.box()
	for _, b := range solids {
		if !overlaps(me, b, axis) {
			continue
		}
		if gap := b[axis] - me[axis+3]; d > 0 && gap >= -1e-7 {
			d = min(d, max(gap, 0))
		}
		if gap := me[axis] - b[axis+3]; d < 0 && gap >= -1e-7 {
			d = max(d, -max(gap, 0))
		}
	}
	s.p[axis] += d
	s.rounded = s.rounded || anyOverlap(s.box(), solids) && !anyOverlap(me, solids)
	return d
}

// collide moves the body by its velocity and replaces the velocity by the displacement.
func (s *script) collide() {
	solids, from, want := s.solids(), s.p, s.v
	var got [3]float32
	for _, axis := range [3]int{1, 0, 2} {
		got[axis] = s.along(axis, want[axis], solids)
	}
	flat := s.p
	s.v = got
	if got[0] == want[0] && got[2] == want[2] || !s.onGround && !(got[1] != want[1] && want[1] < 0) {
		return
	}
	s.p = from
	up := s.along(1, 0.6, solids)
	x := s.along(0, want[0], solids)
	z := s.along(2, want[2], solids)
	down := s.along(1, -up, solids)
	farther := float32(x*x)+float32(z*z) > float32(got[0]*got[0])+float32(got[2]*got[2])
	if !farther || anyOverlap(s.box(), solids) {
		s.p = flat
		return
	}
	s.v = [3]float32{x, up + down, z}
}

func (s *script) keepFromEdge() {
	solids := s.solids()
	falls := func(x, z float32) bool {
		b := s.box()
		for i, d := range [6]float32{0.025, 0, 0.025, -0.025, 0, -0.025} {
			b[i] += d
		}
		for i, d := range [3]float32{x, 0, z} {
			b[i] += d
			b[i+3] += d
		}
		b[1], b[4] = b[1]-0.606, b[4]-0.606
		return !anyOverlap(b, solids)
	}
	less := func(d float32) float32 {
		if d > -0.05 && d < 0.05 || d == -0.05 {
			return 0
		}
		if d > 0 {
			return d - 0.05
		}
		return d + 0.05
	}
	x, z := s.v[0], s.v[2]
	for x != 0 && falls(x, 0) {
		x = less(x)
	}
	for z != 0 && falls(0, z) {
		z = less(z)
	}
	for x != 0 && z != 0 && falls(x, z) {
		x, z = less(x), less(z)
	}
	s.v[0], s.v[2] = x, z
}

func (s *script) kindAt(p [3]float32) *terrain.BlockKind {
	f := func(x float32) int32 { return int32(math.Floor(float64(x))) }
	return s.blocks.At(f(p[0]), f(p[1]), f(p[2])).Kind()
}

// inHoney reports whether the body touches the cell of a honey block.
func (s *script) inHoney() bool {
	return s.touches(func(word string) bool { return word == "honey_block" })
}

// touches reports whether the body overlaps the cell of a block whose word satisfies the function "is".
func (s *script) touches(is func(word string) bool) (found bool) {
	b := s.box()
	for x := math.Floor(float64(b[0])); x <= math.Floor(float64(b[3])); x++ {
		for y := math.Floor(float64(b[1])); y <= math.Floor(float64(b[4])); y++ {
			for z := math.Floor(float64(b[2])); z <= math.Floor(float64(b[5])); z++ {
				found = is(s.kindAt([3]float32{float32(x), float32(y), float32(z)}).Word) || found
			}
		}
	}
	return found
}

// slowest returns, for each axis, the smallest speed factor of the blocks that the player touches. The second result is false if
// no block slows the player.
func (s *script) slowest() (least [3]float32, any bool) {
	factors := map[string][3]float32{"web": {0.25, 0.05, 0.25}, "powder_snow": {0.9, 1.5, 0.9}, "sweet_berry_bush": {0.8, 0.75, 0.8}}
	least = [3]float32{9, 9, 9}
	s.touches(func(word string) bool {
		f, slows := factors[word]
		for i := range least {
			if slows {
				least[i], any = min(least[i], f[i]), true
			}
		}
		return false
	})
	return least, any
}

// rideBubbles applies the force of each bubble column block that the body overlaps by more than a thousandth of a block.
func (s *script) rideBubbles() {
	cell := func(x float32) float32 { return float32(math.Floor(float64(x))) }
	for y := cell(s.p[1] + 0.001); y <= cell(s.p[1]+s.height-0.001); y++ {
		for z := cell(s.p[2] - 0.3 + 0.001); z <= cell(s.p[2]+0.3-0.001); z++ {
			for x := cell(s.p[0] - 0.3 + 0.001); x <= cell(s.p[0]+0.3-0.001); x++ {
				top := s.kindAt([3]float32{x, y + 1, z}).Word == "air"
				switch word := s.kindAt([3]float32{x, y, z}).Word; {
				case word == "bubble_column" && top:
					s.v[1] = min(s.v[1]+0.1, 1.8)
				case word == "bubble_column":
					s.v[1] = min(s.v[1]+0.06, 0.7)
				case word == "bubble_column_down" && top:
					s.v[1] = max(s.v[1]-0.03, -0.9)
				case word == "bubble_column_down":
					s.v[1] = max(s.v[1]-0.03, -0.3)
				}
			}
		}
	}
}

// carrier returns the word of the block that supports the player and is nearest to its centre.
func (s *script) carrier() string {
	word, least := "", float32(math.MaxFloat32)
	me := s.box()
	for _, b := range s.solids() {
		if scriptAbs(b[4]-s.p[1]) > 1e-3 || !overlaps(me, b, 1) {
			continue
		}
		dx := s.p[0] - scriptWithin(s.p[0], b[0], b[3])
		dz := s.p[2] - scriptWithin(s.p[2], b[2], b[5])
		if d := float32(dx*dx) + float32(dz*dz); d < least {
			least = d
			word = s.kindAt([3]float32{(b[0] + b[3]) / 2, (b[1] + b[4]) / 2, (b[2] + b[5]) / 2}).Word
		}
	}
	return word
}

func scriptClamp(x, maximum float32) float32 { return scriptWithin(x, -maximum, maximum) }
func scriptWithin(x, lo, hi float32) float32 { return min(max(x, lo), hi) }
func scriptAbs(x float32) float32            { return float32(math.Abs(float64(x))) }
func array(v geom.Vec) [3]float32            { return [3]float32{v.X, v.Y, v.Z} }
func vec(a [3]float32) geom.Vec              { return geom.Vec{X: a[0], Y: a[1], Z: a[2]} }
