package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Constants of swimming that are the same in every world. Source: docs/wire/bedrock.md, liquids.
const (
	bodyHalfWidth float32 = 0.3 // half the width of the body when it is tested for contact with liquids; collisions use a smaller one

	steerRate     float32 = 0.06  // share of the difference to the view direction by which a swimmer's vertical velocity changes per tick
	steerDownRate float32 = 0.085 // steering rate while the player looks down
	steepLook     float32 = -0.2  // vertical part of the view direction below which the player looks down
	swimmerEye    float32 = 0.4   // height of a swimmer's eyes above the feet
	fullSwimPose          = 10    // ticks until the body of a swimmer lies flat, and until it is upright again

	climbOutHeight  float32 = 0.6   // height in blocks above the feet at which there must be room to climb out
	liquidOverlap   float32 = 1e-5  // overlaps with liquid up to this size in blocks do not prevent climbing out
	maxDepthStrider         = 3     // levels of depth strider beyond this have no effect
	striderFriction float32 = 0.546 // factor on the horizontal speed in water with the highest level of depth strider

	nearSurface float32 = 0.4 // maximum distance of the eyes from the surface at which a swimmer counts as near it

	bubbleInset float32 = 1e-3 // blocks by which the body's box is shrunk before it is tested for contact with a bubble column
)

// bubbleForce is the acceleration by a bubble column per tick, and the vertical speed at which the acceleration ends.
type bubbleForce struct{ accelerate, limit float32 }

// Forces of bubble columns. "Inside" means any block of a column except the top one; "top" means its top block, which has air
// above.
var (
	risingInside, risingAtTop     = bubbleForce{0.06, 0.7}, bubbleForce{0.1, 1.8}
	draggingInside, draggingAtTop = bubbleForce{-0.03, -0.3}, bubbleForce{-0.03, -0.9}
)

// stepLiquid moves a body that touches water or lava by one tick.
func (a *Avatar) stepLiquid(in *Input, t contacts, l *Liquids, ground *terrain.Blocks, s *Scratch) {
	r := l.of(t)
	a.addCurrent(t, r, ground)
	a.steerVertically(in, t, r, ground)
	accel, across := a.accelAndDrag(t, r)
	a.accelerateWithin(in, accel, a.liquidImpulse())
	from := a.Pos.Y
	a.moveSlowed(t, ground, s)
	a.Vel.X, a.Vel.Z = flushTiny(float32(a.Vel.X*across)), flushTiny(float32(a.Vel.Z*across))
	a.Vel.Y = float32(a.Vel.Y * r.Drag)
	if !a.Swimming || t.lava {
		a.Vel.Y -= r.Gravity
	}
	a.climbOut(from, r, ground, s)
}

// addCurrent adds to the velocity of the body the current of the liquid around it.
func (a *Avatar) addCurrent(t contacts, r *LiquidRules, ground *terrain.Blocks) {
	kind := terrain.WaterLiquid
	if t.lava {
		kind = terrain.LavaLiquid
	}
	v := ground.Current(kind, a.contactBox(r))
	a.Vel.X += float32(v.X * r.Current)
	a.Vel.Y += float32(v.Y * r.Current)
	a.Vel.Z += float32(v.Z * r.Current)
}

// steerVertically changes the vertical velocity by the keys and, for a swimmer, by the view direction.
func (a *Avatar) steerVertically(in *Input, t contacts, r *LiquidRules, ground *terrain.Blocks) {
	if a.descends(in) {
		a.Vel.Y -= r.Descend
	}
	if !in.Flags.Has(InputJumping) {
		a.JumpDelay = 0
		if a.Swimming && !t.lava {
			a.steerByView(ground)
		}
		return
	}
	changingPose := a.SwimPose > 0 && a.SwimPose < fullSwimPose
	if !t.lava && (changingPose || a.Swimming && !a.headInWater(ground)) {
		a.Vel.Y = 0
		return
	}
	a.Vel.Y += r.Rise
}

// descends reports whether the player wants to sink. A swimmer sinks by its view direction, or with the key for flying
// down, which clients send together with sneaking.
func (a *Avatar) descends(in *Input) bool {
	return in.Flags.Has(InputWantDown) || !a.Swimming && (a.Sneaking || in.Flags.Has(InputSneakDown))
}

// steerByView changes the vertical velocity of a swimmer toward its view direction, but not so that the swimmer rises out of the
// water.
func (a *Avatar) steerByView(ground *terrain.Blocks) {
	look := -preciseSine(float32(a.Pitch * radPerDegree))
	if look > 0 && !a.headInWater(ground) {
		a.Vel.Y = 0
		return
	}
	rate := steerRate
	if look < steepLook {
		rate = steerDownRate
	}
	a.Vel.Y += float32((look - a.Vel.Y) * rate)
}

// eyeHeight returns the height of the player's eyes above its feet, in its current posture.
func (a *Avatar) eyeHeight() float32 {
	if a.Swimming {
		return swimmerEye
	}
	return EyeHeight
}

// headInWater reports whether the player's eyes, in its current posture, are under water.
func (a *Avatar) headInWater(ground *terrain.Blocks) bool { return a.isWaterAt(a.eyeHeight(), ground) }

// EyesUnderWater reports whether the player's eyes are under water. Only then does a client request to swim.
func (a *Avatar) EyesUnderWater(ground *terrain.Blocks) bool { return a.headInWater(ground) }

// TouchesWater reports whether the body touches water, which is the condition for swimming.
func (a *Avatar) TouchesWater(ground *terrain.Blocks) bool {
	return a.touchedBlocks(&defaultLiquids, ground).water
}

// isWaterAt reports whether the point at a height above the feet is in water.
func (a *Avatar) isWaterAt(height float32, ground *terrain.Blocks) bool {
	p := a.Pos
	p.Y += height
	at := ground.LiquidAt(p)
	return at.Liquid == terrain.WaterLiquid && at.Contains(p.Y)
}

// swimsNearSurface reports whether a swimmer's eyes are near the surface of the water.
func (a *Avatar) swimsNearSurface(ground *terrain.Blocks) bool {
	return a.Swimming && a.isWaterAt(swimmerEye-nearSurface, ground) && !a.isWaterAt(swimmerEye+nearSurface, ground)
}

// liquidImpulse returns the maximum of each component of the client's move vector in a liquid. Unlike on land, sneaking does not
// lower it.
func (a *Avatar) liquidImpulse() float32 {
	maximum := float32(1)
	if a.UsingItem {
		maximum = usingImpulse
	}
	if a.Crawling {
		maximum = float32(maximum * sneakImpulse)
	}
	return maximum
}

// accelAndDrag returns how a body moves in a liquid: the acceleration for a move vector of length 1, and the factor by which the
// horizontal velocity is multiplied per tick. Both include the effect of depth strider.
func (a *Avatar) accelAndDrag(t contacts, r *LiquidRules) (accel, across float32) {
	accel, across = r.Accelerate, r.Drag
	if a.Sprinting {
		across = r.SprintDrag
	}
	if a.DepthStrider == 0 || t.lava {
		return accel, across
	}
	share := float32(min(a.DepthStrider, maxDepthStrider)) / maxDepthStrider
	if !a.OnGround {
		share = float32(share * 0.5)
	}
	accel += float32((a.Speed - accel) * share)
	across += float32((striderFriction - across) * share)
	return accel, across
}

// climbOut lifts a body that collides with a shore, if there is room above the shore without blocks and liquid. The parameter
// from is the height of the feet before the move.
func (a *Avatar) climbOut(from float32, r *LiquidRules, ground *terrain.Blocks, s *Scratch) {
	if a.Collided&(AxisX|AxisZ) == 0 {
		return
	}
	to := a.Pos.Add(a.Vel)
	to.Y += climbOutHeight - (a.Pos.Y - from)
	if !a.fitsAt(to, ground, s) {
		return
	}
	q := boxAt(to, a.Height())
	q.Min.Y, q.Max.Y = q.Min.Y+liquidOverlap, q.Max.Y-liquidOverlap
	if !touchesAnyLiquid(q, ground) {
		a.Vel.Y = r.ClimbOut
	}
}

// touchesAnyLiquid reports whether a block that overlaps q contains a liquid.
func touchesAnyLiquid(q geom.Box, ground *terrain.Blocks) bool {
	x0, x1, y0, y1, z0, z1 := cellsOf(q)
	for x := x0; x <= x1; x++ {
		for y := y0; y <= y1; y++ {
			for z := z0; z <= z1; z++ {
				if ground.At(x, y, z).Kind().Liquid != terrain.NoLiquid {
					return true
				}
			}
		}
	}
	return false
}

// cellsOf returns the first and the last cell on each axis that contain a part of the box q.
func cellsOf(q geom.Box) (x0, x1, y0, y1, z0, z1 int32) {
	return blockAt(q.Min.X), blockAt(q.Max.X), blockAt(q.Min.Y), blockAt(q.Max.Y), blockAt(q.Min.Z), blockAt(q.Max.Z)
}

// contactBox returns the box by which the body touches a liquid: the body's box, shrunk by amounts that the rules of the liquid
// define. Its height and width are at least 0.
func (a *Avatar) contactBox(r *LiquidRules) geom.Box {
	p, tall := a.Pos, a.Height()
	q := geom.Box{
		Min: geom.Vec{X: p.X - bodyHalfWidth + r.ContactAcross, Y: p.Y + r.ContactUp, Z: p.Z - bodyHalfWidth + r.ContactAcross},
		Max: geom.Vec{X: p.X + bodyHalfWidth - r.ContactAcross, Y: p.Y + tall - r.ContactUp, Z: p.Z + bodyHalfWidth - r.ContactAcross},
	}
	if q.Min.Y > q.Max.Y {
		middle := p.Y + float32(tall*0.5)
		q.Min.Y, q.Max.Y = middle, middle
	}
	return q
}

// touchesCell reports whether the body touches the liquid in the cell at x, y, z: its contact box for that liquid overlaps the
// cell.
func (a *Avatar) touchesCell(r *LiquidRules, x, y, z int32) bool {
	q := a.contactBox(r)
	return float32(x)+1 > q.Min.X && float32(x) < q.Max.X && float32(y)+1 > q.Min.Y && float32(y) < q.Max.Y &&
		float32(z)+1 > q.Min.Z && float32(z) < q.Max.Z
}

// updateSwimPose lays the body of a swimmer flat, and raises any other body, gradually: each change takes ten ticks.
func (a *Avatar) updateSwimPose() {
	switch {
	case a.Swimming && a.SwimPose < fullSwimPose:
		a.SwimPose++
	case !a.Swimming && a.SwimPose > 0:
		a.SwimPose--
	}
}

// rideBubbles applies the forces of the bubble columns that the body touches after its move.
func (a *Avatar) rideBubbles(ground *terrain.Blocks) {
	x0, x1, y0, y1, z0, z1 := cellsOf(geom.Box{
		Min: geom.Vec{X: a.Pos.X - bodyHalfWidth + bubbleInset, Y: a.Pos.Y + bubbleInset, Z: a.Pos.Z - bodyHalfWidth + bubbleInset},
		Max: geom.Vec{X: a.Pos.X + bodyHalfWidth - bubbleInset, Y: a.Pos.Y + a.Height() - bubbleInset, Z: a.Pos.Z + bodyHalfWidth - bubbleInset},
	})
	for y := y0; y <= y1; y++ {
		for z := z0; z <= z1; z++ {
			for x := x0; x <= x1; x++ {
				if b := ground.At(x, y, z).Kind().Bubbles; b != terrain.NoBubbles {
					a.Vel.Y = bubbleSpeed(a.Vel.Y, b, ground.At(x, y+1, z) == terrain.Air)
				}
			}
		}
	}
}

// bubbleSpeed returns the vertical velocity after one tick in one block of a bubble column. The parameter atTop says that there
// is air above the block.
func bubbleSpeed(v float32, b terrain.Bubbles, atTop bool) float32 {
	if b == terrain.RisingBubbles {
		f := risingInside
		if atTop {
			f = risingAtTop
		}
		return min(v+f.accelerate, f.limit)
	}
	f := draggingInside
	if atTop {
		f = draggingAtTop
	}
	return max(v+f.accelerate, f.limit)
}
