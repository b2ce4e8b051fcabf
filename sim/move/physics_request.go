package move

import (
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// sprintForward is above what the forward part of the move vector must be for a sprint to begin (SV-21).
const sprintForward float32 = 0.7

// request grants or refuses what the flags of an input ask for, and ends what may no longer be. It returns the requests
// that were refused. Source: docs/wire/bedrock.md, SV-21 and movement physics, step 1.
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
	refused |= grant(&a.Flying, a.MayFly, f, InputStartFly, InputStopFly)
	refused |= grant(&a.Swimming, t.swim, f, InputStartSwim, InputStopSwim)
	mayGlide := a.MayGlide && !a.OnGround && !t.liquid && !a.Flying
	refused |= grant(&a.Gliding, mayGlide, f, InputStartGlide, InputStopGlide)
	a.updateSneak(f)
	return refused | a.fitPosture(f, tall, ground, s)
}

// grant sets a state that needs may to what was asked. Whoever asks to start and to stop at once stops.
func grant(state *bool, may bool, f, start, stop InputFlags) (refused InputFlags) {
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

// requestSprint also ends a sprint that no longer leads forward: the client sends its stop in the same tick, and who
// holds it back would run backwards with the speed of a sprint.
func (a *Avatar) updateSprint(f InputFlags, forward float32) (refused InputFlags) {
	may := a.MaySprint && forward > 0
	if !a.Sprinting {
		may = a.MaySprint && forward > sprintForward
	}
	return grant(&a.Sprinting, may, f, InputStartSprint, InputStopSprint)
}

// requestSneak follows the edges, and the key where no edge is sent: holding it sneaks, letting go of it stops. Without
// either the state stays, since the server may have set it.
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

// rise lets the body grow from the height tall to what its posture asks for, as far as there is room: who cannot stand
// sneaks, and who cannot sneak crawls. Nobody crawls where he could sneak.
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

// room tells whether the body may grow from the height tall to taller without growing into a block.
func (a *Avatar) hasRoom(tall, taller float32, ground *terrain.Blocks, s *Scratch) bool {
	s.gather(a.Pos, geom.Vec{}, taller, 0, ground)
	q := boxAt(a.Pos, taller)
	q.Min.Y = a.Pos.Y + tall
	return !s.overlaps(q)
}

// Height is that of the body in its posture, in blocks.
func (a *Avatar) Height() float32 {
	switch {
	case a.Swimming || a.Gliding || a.Crawling:
		return lyingHeight
	case a.Sneaking:
		return sneakingHeight
	}
	return standingHeight
}

// states is what the player has been granted, each as the flag that starts it.
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

// changes is the start and stop flags that lead from one set of states to the other. The flag that stops a state
// is the bit above the one that starts it.
func changes(was, is InputFlags) InputFlags { return is&^was | (was&^is)<<1 }
