package keys

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

func TestKeyPressAndReleaseAreSentAsStartAndStopRequests(t *testing.T) {
	var h InputBuilder
	a := move.NewAvatar(geom.Vec{Y: 64})
	flags := func(tick uint64, k Keys) move.InputFlags { in := h.Input(tick, k, &a, nil); return in.Flags }
	if f := flags(1, Keys{Forward: 1, Sprint: true, Sneak: true}); !f.Has(move.InputStartSneak|move.InputSneakDown) || f.Has(move.InputStartSprint) {
		t.Errorf("sneaking and sprinting: %b", f)
	}
	if f := flags(2, Keys{Forward: 1, Sneak: true}); f.Any(move.InputStartSneak | move.InputStopSneak) {
		t.Errorf("held key sends a request: %b", f)
	}
	if f := flags(3, Keys{Forward: 1, Sprint: true, Jump: true}); !f.Has(move.InputStopSneak | move.InputStartSprint | move.InputStartJump) {
		t.Errorf("released key: %b", f)
	}
	if f := flags(4, Keys{Forward: 1, Sprint: true}); f.Any(move.InputStartSprint) {
		t.Errorf("request repeated at once: %b", f)
	}
	if f := flags(20, Keys{Forward: 1, Sprint: true}); !f.Any(move.InputStartSprint) {
		t.Errorf("request not repeated: %b", f)
	}
	a.OnGround = false
	if f := flags(21, Keys{Jump: true}); f.Any(move.InputStartJump) {
		t.Errorf("jump requested in the air: %b", f)
	}
}
