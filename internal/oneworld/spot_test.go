package oneworld

import (
	"math"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// cycle is that of the door for RuneScape clients, in ticks of 50 ms.
const cycle = 12

// expected is where a client of that door must have an actor that is so in truth. told is false if the door says
// nothing of this moment: clients on tiles hear of the ends of cycles only. The conversions are written down once more here,
// from the words of docs/world-file.md.
func expected(door string, def *sim.AreaDef, m *moment, a *sim.ActorState) (s spot, told bool) {
	x, z := float64(a.Pos.X), float64(a.Pos.Z)
	switch door {
	case rcce: // world units are its own
		return spot{x: x, z: z}, true
	case rs: // whole tiles, x east and z north, from the one whose south-west corner is at the origin
		g := &def.Tiles
		s = spot{math.Floor(x/float64(g.UnitsPerTile)) + float64(g.BaseX), float64(g.Plane), math.Floor(z/float64(g.UnitsPerTile)) + float64(g.BaseZ)}
		if a.Is(sim.FlagPath) {
			s.x, s.z = float64(a.Tile.X), float64(a.Tile.Z)
		}
		return s, m.tick%cycle == 0
	}
	if p := m.body(a.ID); p != nil {
		return spotOf(p.Avatar.Pos), true
	}
	g := &def.BlockGrid // blocks, x east and z south; on the flat ground of these tests feet are where the origin is
	u := float64(g.UnitsPerBlock)
	return spot{float64(g.Origin[0]) + x/u, float64(g.Origin[1]), float64(g.Origin[2]) - z/u}, true
}

// same tells whether a client has somebody where he is expected, within what its wire rounds.
func same(door string, got, want spot) bool {
	var slack float64
	if door == bedrock {
		slack = math.Ldexp(max(math.Abs(want.x), math.Abs(want.z), 64), -23) // half a step of a float32, and as much for the sum
	}
	switch {
	case math.Abs(got.x-want.x) > slack || math.Abs(got.z-want.z) > slack:
		return false
	case door == rcce: // it is told heights of flyers only
		return true
	}
	return math.Abs(got.y-want.y) <= 1e-4*float64(1+move.EyeHeight)
}

// stale is how long what a client shows at a time has not been true any more: 0 if it is true now. ok is false if it was
// never true in the moments, which are in order.
func stale(door string, def *sim.AreaDef, moments []moment, id sim.EntityID, got spot, at time.Time) (d time.Duration, ok bool) {
	over := time.Time{}
	for i := len(moments) - 1; i >= 0; i-- {
		m := &moments[i]
		if m.at.After(at) {
			continue
		}
		a := m.find(id)
		if a == nil {
			continue
		}
		want, told := expected(door, def, m, a)
		switch so := same(door, got, want); {
		case !so:
			over = m.at
		case !told: // it may be so again at the end of the cycle
		case over.IsZero() || over.After(at):
			return 0, true
		default:
			return at.Sub(over), true
		}
	}
	return 0, false
}

// quantile of durations, which are sorted on the way.
func quantile(list []time.Duration, q float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[min(int(q*float64(len(list))), len(list)-1)]
}
