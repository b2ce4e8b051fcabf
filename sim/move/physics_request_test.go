package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

func TestStanceRequestsAreGrantedOnlyIfServerStateAllowsThem(t *testing.T) {
	falling := func(a *Avatar) { a.OnGround, a.Pos.Y = false, 80 }
	inPond := func(a *Avatar) { a.Pos.X = 20.5 }
	pond := blocksOf(t, fill(18, 64, -2, 23, 66, 2, terrain.Water))
	for name, tt := range map[string]struct {
		set     func(*Avatar)
		in      Input
		refused InputFlags
		changed InputFlags
	}{
		"sprint forward":                  {nil, Input{Move: [2]float32{0, 0.71}, Flags: InputStartSprint}, 0, InputStartSprint},
		"sprint too slowly":               {nil, Input{Move: [2]float32{0, 0.7}, Flags: InputStartSprint}, InputStartSprint, 0},
		"sprint sideways":                 {nil, Input{Move: [2]float32{1, 0}, Flags: InputStartSprint}, InputStartSprint, 0},
		"sprint hungry":                   {func(a *Avatar) { a.MaySprint = false }, Input{Move: [2]float32{0, 1}, Flags: InputStartSprint}, InputStartSprint, 0},
		"start and stop a sprint":         {nil, Input{Move: [2]float32{0, 1}, Flags: InputStartSprint | InputStopSprint}, InputStartSprint, 0},
		"keep sprinting backward":         {func(a *Avatar) { a.Sprinting = true }, Input{Move: [2]float32{0, -1}}, 0, InputStopSprint},
		"sprint on":                       {func(a *Avatar) { a.Sprinting = true }, Input{Move: [2]float32{1, 0.3}}, 0, 0},
		"sneak":                           {nil, Input{Flags: InputStartSneak}, 0, InputStartSneak},
		"sneak by the key":                {nil, Input{Flags: InputSneakDown}, 0, InputStartSneak},
		"release the key":                 {func(a *Avatar) { a.Sneaking, a.SneakHeld = true, true }, Input{}, 0, InputStopSneak},
		"keep sneaking without a key":     {func(a *Avatar) { a.Sneaking = true }, Input{}, 0, 0},
		"stop sneaking":                   {func(a *Avatar) { a.Sneaking = true }, Input{Flags: InputStopSneak}, 0, InputStopSneak},
		"swim on land":                    {nil, Input{Flags: InputStartSwim}, InputStartSwim, 0},
		"swim in a pond":                  {inPond, Input{Flags: InputStartSwim}, 0, InputStartSwim},
		"keep swimming out of water":      {func(a *Avatar) { a.Swimming = true }, Input{}, 0, InputStopSwim},
		"fly without the ability":         {nil, Input{Flags: InputStartFly}, InputStartFly, 0},
		"fly":                             {func(a *Avatar) { a.MayFly = true }, Input{Flags: InputStartFly}, 0, InputStartFly},
		"keep flying without the ability": {func(a *Avatar) { a.Flying = true }, Input{}, 0, InputStopFly},
		"glide without wings":             {falling, Input{Flags: InputStartGlide}, InputStartGlide, 0},
		"glide on the ground":             {func(a *Avatar) { a.MayGlide = true }, Input{Flags: InputStartGlide}, InputStartGlide, 0},
		"glide":                           {func(a *Avatar) { falling(a); a.MayGlide = true }, Input{Flags: InputStartGlide}, 0, InputStartGlide},
		"glide in a pond":                 {func(a *Avatar) { inPond(a); a.OnGround, a.MayGlide = false, true }, Input{Flags: InputStartGlide}, InputStartGlide, 0},
		"crawl with room to stand":        {nil, Input{Flags: InputStartCrawl}, InputStartCrawl, 0},
		"jump in the air":                 {falling, Input{Flags: InputStartJump}, InputStartJump, 0},
		"jump":                            {nil, Input{Flags: InputStartJump}, 0, 0},
		"anything while dead":             {func(a *Avatar) { a.Dead, a.MayFly = true, true }, Input{Flags: InputStartFly | InputStartSneak}, InputStartFly | InputStartSneak, 0},
	} {
		t.Run(name, func(t *testing.T) {
			a := onFeet(0.5, 64, 0.5)
			if tt.set != nil {
				tt.set(&a)
			}
			tt.in.Pos = a.Pos
			if r := ticks(&a, 1, tt.in, pond); r.Refused != tt.refused || r.StanceChanges != tt.changed {
				t.Fatalf("refused %b, changed %b; want %b, %b", r.Refused, r.StanceChanges, tt.refused, tt.changed)
			}
		})
	}
}

func TestPlayerCannotStandUpUnderLowCeiling(t *testing.T) {
	// From z = 2 on there is only room to sneak: a slab hangs 1.5 above the ground. From z = 8 on it is open.
	ground := blocksOf(t, fill(-2, 65, 2, 2, 65, 7, terrain.SmoothStoneSlabTop), fill(-2, 66, 2, 2, 66, 7, terrain.Stone))
	a := onFeet(0.5, 64, 0.5)
	if ticks(&a, 40, south, ground); a.Pos.Z > 1.8 {
		t.Fatalf("walked upright under the slab to %v", a.Pos)
	}
	in := south
	in.Flags = InputSneakDown
	ticks(&a, 40, in, ground)
	if a.Pos.Z < 3 || a.Height() != sneakingHeight {
		t.Fatalf("sneaked to %v, %v high", a.Pos, a.Height())
	}
	if r := ticks(&a, 1, Input{Flags: InputStopSneak}, ground); r.Refused != InputStopSneak || !a.Sneaking || !a.ForcedLow {
		t.Fatalf("stood up under the slab: %+v", a)
	}
	if r := ticks(&a, 1, Input{}, ground); r.StanceChanges != 0 || !a.Sneaking {
		t.Fatalf("stood up under the slab: %+v", a)
	}
	if ticks(&a, 200, south, ground); a.Pos.Z < 9 || a.Sneaking || a.ForcedLow || a.Height() != standingHeight {
		t.Fatalf("does not stand up when there is room: %+v", a)
	}
}

func TestGliderThatLandsInLowHoleCrawls(t *testing.T) {
	ground := blocksOf(t, fill(-2, 65, 2, 2, 65, 7, terrain.Stone))
	a := onFeet(0.5, 64.2, 2.5)
	a.OnGround, a.Gliding, a.MayGlide = false, true, true
	r := ticks(&a, 1, Input{Flags: InputStopGlide | InputStartCrawl}, ground)
	if r.Refused != 0 || !a.Crawling || !a.ForcedLow || a.Height() != lyingHeight {
		t.Fatalf("%+v %+v", r, a)
	}
	ticks(&a, 20, Input{}, ground)
	if r = ticks(&a, 1, Input{Flags: InputStopCrawl}, ground); r.Refused != InputStopCrawl || !a.Crawling {
		t.Fatalf("stood up in the hole: %+v", a)
	}
	if ticks(&a, 200, south, ground); a.Pos.Z < 9 || a.Crawling || a.Height() != standingHeight {
		t.Fatalf("does not stand up when there is room: %+v", a)
	}
}

func TestKnockbackReplacesVelocityOnce(t *testing.T) {
	a := onFeet(0.5, 64, 0.5)
	a.Vel.Z, a.KnockbackVel, a.HasKnockback = 0.3, geom.Vec{X: 50, Y: 0.4}, true
	if ticks(&a, 1, Input{}, nil); a.Pos != (geom.Vec{X: 0.5 + MaxSpeed, Y: 64.4, Z: 0.5}) || a.HasKnockback || a.KnockbackVel != (geom.Vec{}) {
		t.Fatalf("%+v", a)
	}
}

func TestImmobilePlayerInAirDoesNotFall(t *testing.T) {
	a := onFeet(0.5, 70, 0.5)
	a.OnGround, a.Immobile = false, true
	in := south
	in.Pos = geom.Vec{X: 1, Y: 71, Z: 1}
	if r := ticks(&a, 20, in, nil); r.Mode != ModeHeld || a.Pos != (geom.Vec{X: 0.5, Y: 70, Z: 0.5}) || a.Vel != (geom.Vec{}) {
		t.Fatalf("%v %+v", r.Mode, a)
	}
}
