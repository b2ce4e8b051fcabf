package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// sprintForward is the value that the forward component of the move vector must exceed to start a sprint (rule SV-21 of
// docs/wire/bedrock.md).
const sprintForward float32 = 0.7

// applyRequests grants or refuses the requests of an input, such as to sneak or sprint, and ends stances that are no longer
// allowed. It returns the refused requests. Source: docs/wire/bedrock.md, SV-21 and movement physics, step 1.
func (a *Avatar) applyRequests(in *Input, t contacts, ground *terrain.Blocks, s *Scratch) (refused InputFlags) {
	f, tall := in.Flags, a.Height()
	if a.Dead {
		return f & inputStarts
	}
	mayJump := a.OnGround && (a.JumpDelay == 0 || !f.Has(InputJumping))
	if f.Has(InputStartJump) && !mayJump {
		refused |= InputStartJump
	}
	refused |= a.updateSprint(f, in.Move[1])
	refused |= grantStance(&a.Flying, a.MayFly, f, InputStartFly, InputStopFly)
	refused |= grantStance(&a.Swimming, t.water, f, InputStartSwim, InputStopSwim)
	mayGlide := a.MayGlide && !a.OnGround && !t.inLiquid() && !a.Flying && a.Levitation == 0
	refused |= grantStance(&a.Gliding, mayGlide, f, InputStartGlide, InputStopGlide)
	a.updateSneak(f)
	return refused | a.fitPosture(f, tall, ground, s)
}

// grantStance starts or ends a stance as requested. A stop request takes precedence over a start request. If the stance is not
// allowed (the parameter may is false), it ends. If a start request is refused, the result is its flag.
func grantStance(state *bool, may bool, f, start, stop InputFlags) (refused InputFlags) {
	switch {
	case f.Has(stop), !may:
		*state = false
	case f.Has(start):
		*state = true
	}
	if f.Has(start) && !*state {
		return start
	}
	return 0
}

// updateSprint starts or ends a sprint as requested. It also ends a sprint without forward movement, unless the player
// swims. An honest client sends a stop request in the same tick. Without this rule, a client could withhold the request,
// and its player could run backward at sprinting speed.
func (a *Avatar) updateSprint(f InputFlags, forward float32) (refused InputFlags) {
	may := a.MaySprint && (forward > 0 || a.Swimming)
	if !a.Sprinting {
		may = a.MaySprint && forward > sprintForward
	}
	return grantStance(&a.Sprinting, may, f, InputStartSprint, InputStopSprint)
}

// updateSneak starts or ends sneaking. It uses the first of these rules that applies: (1) The stop or start flag decides. (2)
// While the sneak key is held, the player sneaks. (3) Sneaking ends if the key was released in this tick, or if only a low
// ceiling made the player sneak. (4) Otherwise nothing changes, because the server may have set the stance.
func (a *Avatar) updateSneak(f InputFlags) {
	held := f.Has(InputSneakDown)
	switch {
	case f.Has(InputStopSneak):
		a.Sneaking = false
	case f.Has(InputStartSneak):
		a.Sneaking = true
	case held:
		a.Sneaking = true
	case a.SneakHeld || a.ForcedLow:
		a.Sneaking = false
	}
	a.SneakHeld = held
}

// fitPosture changes the height of the body to that of the requested posture, as far as there is room. The parameter tall is the
// height before the requests. Without room to stand the body sneaks; without room to sneak it crawls. fitPosture returns the
// refused requests.
func (a *Avatar) fitPosture(f InputFlags, tall float32, ground *terrain.Blocks, s *Scratch) (refused InputFlags) {
	wasLow := a.Crawling
	a.Crawling, a.ForcedLow = false, false
	if a.Height() > tall && !a.hasRoom(tall, a.Height(), ground, s) {
		a.ForcedLow = true
		if tall >= sneakingHeight || a.hasRoom(tall, sneakingHeight, ground, s) {
			a.Sneaking = true
		} else {
			a.Crawling = true
		}
	}
	if f.Has(InputStartCrawl) && !a.Crawling {
		refused |= InputStartCrawl
	}
	if f.Has(InputStopCrawl) && a.Crawling && wasLow {
		refused |= InputStopCrawl
	}
	if f.Has(InputStopSneak) && a.Sneaking {
		refused |= InputStopSneak
	}
	return refused
}

// hasRoom reports whether the body can grow from height tall to height taller without overlapping a block.
func (a *Avatar) hasRoom(tall, taller float32, ground *terrain.Blocks, s *Scratch) bool {
	s.collectBoxes(a.Pos, geom.Vec{}, taller, 0, ground)
	q := boxAt(a.Pos, taller)
	q.Min.Y = a.Pos.Y + tall
	return !s.overlaps(q)
}

// Height returns the height of the body in its current posture, in blocks.
func (a *Avatar) Height() float32 {
	switch {
	case a.Swimming || a.Gliding || a.Crawling:
		return lyingHeight
	case a.Sneaking:
		return sneakingHeight
	}
	return standingHeight
}

// activeStances returns the active stances, such as sneaking, each as the flag of its start request.
func (a *Avatar) activeStances() (f InputFlags) {
	if a.Sprinting {
		f |= InputStartSprint
	}
	if a.Sneaking {
		f |= InputStartSneak
	}
	if a.Swimming {
		f |= InputStartSwim
	}
	if a.Gliding {
		f |= InputStartGlide
	}
	if a.Crawling {
		f |= InputStartCrawl
	}
	if a.Flying {
		f |= InputStartFly
	}
	return f
}

// stanceChanges returns the changes from the stances old to the stances next, as flags of requests: the start flag of each stance
// that begins, and the stop flag of each that ends. The stop flag of a stance is the bit above its start flag.
func stanceChanges(old, next InputFlags) InputFlags { return next&^old | (old&^next)<<1 }
