package gateway

import (
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// An actor without a yaw in the frame is displayed facing its destination while it walks, and its target while it stands (rule
// SV-24 of docs/wire/bedrock.md).
func TestWalkingActorFacesDestinationAndStandingActorFacesTarget(t *testing.T) {
	at := geom.Vec{X: 50, Z: 2}
	to := func(east, north float32) sim.ActorState {
		return sim.ActorState{ID: 1, Body: &sim.Body{}, Pos: at, DestX: at.X + east, DestZ: at.Z + north}
	}
	with := func(a sim.ActorState, change func(*sim.ActorState)) sim.ActorState {
		change(&a)
		return a
	}
	enemy := sim.ActorState{ID: 2, Body: &sim.Body{}, Pos: geom.Vec{X: at.X - 3, Z: at.Z}}
	east := DisplayedYaw{Known: true, Yaw: -90}
	for name, c := range map[string]struct {
		is   sim.ActorState
		was  DisplayedYaw
		want float32 // yaw in degrees: 0 is south, 90 west, 180 north, -90 east
	}{
		"east":                             {to(5, 0), DisplayedYaw{}, -90},
		"west":                             {to(-5, 0), DisplayedYaw{}, 90},
		"north":                            {to(0, 5), DisplayedYaw{}, -180},
		"south":                            {to(0, -5), DisplayedYaw{}, 0},
		"north-east, previous yaw ignored": {to(5, 5), east, -135},
		"walks backwards":                  {with(to(5, 0), func(a *sim.ActorState) { a.Flags = sim.FlagBackward }), DisplayedYaw{}, 90},
		"stands, keeps yaw":                {to(0, 0), east, -90},
		"stands, newly shown":              {with(to(0, 0), func(a *sim.ActorState) { a.Yaw = 90 }), DisplayedYaw{}, 90},
		"stands, turned by the server":     {with(to(0, 0), func(a *sim.ActorState) { a.Yaw = 180 }), east, 0},
		"stands, has a target":             {with(to(0, 0), func(a *sim.ActorState) { a.Target = 2 }), east, 90},
		"walks, has a target":              {with(to(0, -5), func(a *sim.ActorState) { a.Target = 2 }), east, 0},
		"target is gone":                   {with(to(0, 0), func(a *sim.ActorState) { a.Target = 3 }), east, -90},
		"predicted player, own yaw":        {with(to(5, 0), func(a *sim.ActorState) { a.Motion.FacesYaw, a.Yaw = true, 180 }), DisplayedYaw{}, 0},
		"player on tiles, own yaw":         {with(to(5, 0), func(a *sim.ActorState) { a.Motion.FacesYaw, a.Yaw = true, 180 }), DisplayedYaw{}, 0},
	} {
		f := &sim.Frame{Tick: 7, Actors: []sim.ActorState{c.is, enemy}}
		if yaw := BlockYaw(f, &c.is, c.was); yaw != c.want {
			t.Errorf("%s: yaw %v, want %v", name, yaw, c.want)
		}
	}
}

func TestJumpIsShownAsArcOf600ms(t *testing.T) {
	for ticks, want := range map[int]float32{-1: 0, 0: 0, 3: 0.9375, 6: 1.25, 9: 0.9375, 12: 0, 13: 0} {
		if got := JumpArc(100, sim.Tick(100+ticks), 20); got != want {
			t.Errorf("%d ticks after the jump: %v blocks above the ground, want %v", ticks, got, want)
		}
	}
}
