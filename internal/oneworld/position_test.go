package oneworld

import (
	"math"
	"slices"
	"time"

	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/internal/oracle"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Maximum distances in blocks between the position of an actor and the position that a web client displays. On each axis there
// is a tolerance of 4 units of 1/64 block, or of 1 unit if the actor is within 32 blocks, and half a unit from rounding.
const (
	webSlack      = 0.122
	webSlackClose = 0.041
)

// cycle is the update interval of RuneScape clients, in ticks of 50 ms.
const cycle = 12

// expectedPosition returns the position at which a client of a door must show an actor of a frame. told is false if the
// door sends no update for this frame: RuneScape clients get updates only at the end of each cycle. The conversions repeat
// docs/world-file.md, independently of the gateways.
func expectedPosition(door string, def *sim.AreaDef, m *savedFrame, a *sim.ActorState) (s position, told bool) {
	x, z := float64(a.Pos.X), float64(a.Pos.Z)
	switch door {
	case rcce: // positions are in world units
		return position{x: x, z: z}, true
	case rs: // positions are whole tiles, x east and z north; the base tile's south-west corner is at the origin
		g := &def.Tiles
		s = position{math.Floor(x/float64(g.UnitsPerTile)) + float64(g.BaseX), float64(g.Plane), math.Floor(z/float64(g.UnitsPerTile)) + float64(g.BaseZ)}
		if a.Is(sim.FlagOnTiles) {
			s.x, s.z = float64(a.Tile.X), float64(a.Tile.Z)
		}
		return s, m.tick%cycle == 0
	}
	if p := m.avatarOf(a.ID); p != nil {
		return positionOf(p.Avatar.Pos), true
	}
	g := &def.BlockGrid // grid of blocks, x east and z south; the ground of these tests is flat and at the height of the grid's origin
	u := float64(g.UnitsPerBlock)
	return position{float64(g.Origin[0]) + x/u, float64(g.Origin[1]), float64(g.Origin[2]) - z/u}, true
}

// samePosition reports whether two positions are equal within the rounding of a door's protocol.
func samePosition(door string, got, want position) bool {
	var slack float64
	if door == web {
		slack = webSlack
	}
	if door == bedrock {
		slack = math.Ldexp(max(math.Abs(want.x), math.Abs(want.z), 64), -23) // rounding error: half a float32 step each for the value and for the sum
	}
	switch {
	case math.Abs(got.x-want.x) > slack || math.Abs(got.z-want.z) > slack:
		return false
	case door == rcce: // RealmCrafter clients are sent the heights of flying actors only
		return true
	}
	return math.Abs(got.y-want.y) <= max(slack, 1e-4*float64(1+move.EyeHeight))
}

// newOracle returns an oracle that compares the players shown by a door's clients with the server's frames, in the unit of
// these clients. The only tolerance is for float32 rounding.
func (r *rig) newOracle(door string) *oracle.Oracle {
	p := oracle.Protocol{
		Name: door, Stepwise: true, CycleMS: int(maxStaleness[door].Milliseconds()),
		Slack:    func(*oracle.AreaUnits, geom.Vec, string) float32 { return 0 },
		HeightOf: func(string) bool { return door != rcce }, // RealmCrafter clients are sent the heights of flying actors only
	}
	switch door {
	case rcce:
		policy := interest.OriginalPolicy()
		tick := 50 // duration of a tick in ms
		p.Bands = []oracle.Band{
			{Radius: policy.CloseRadius, EveryMS: p.CycleMS}, {Radius: policy.FarRadius, EveryMS: int(policy.MiddleEveryMS) - tick},
		}
	case rs:
		p.SureRange, p.Square = func(*oracle.AreaUnits) float32 { return 13 }, true // 13 tiles; the full range is 15 tiles
	case web:
		p.SureRange = func(*oracle.AreaUnits) float32 { return 80 }                          // 80 blocks; the full range is 96 blocks
		p.Slack = func(*oracle.AreaUnits, geom.Vec, string) float32 { return webSlackClose } // compared players are within 32 blocks
	case bedrock:
		p.SureRange = func(*oracle.AreaUnits) float32 { return 80 } // 80 blocks; the full range is 96 blocks
		p.Slack = func(_ *oracle.AreaUnits, pos geom.Vec, _ string) float32 {
			return max(1e-4*(1+move.EyeHeight), float32(math.Ldexp(float64(max(geom.Abs(pos.X), geom.Abs(pos.Z))), -22)))
		}
	}
	o := oracle.New(r.truth.players[door], make([]oracle.AreaUnits, len(r.def.Areas)), []oracle.Protocol{p}, 0)
	o.SetLead(0)
	return o
}

// vec converts the position to the type of oracles.
func (p position) vec() geom.Vec { return geom.Vec{X: float32(p.x), Y: float32(p.y), Z: float32(p.z)} }

// staleness returns how old the displayed position of a player is. The parameter got is the position at which a client displays
// the player at the time in the parameter at. The result d is the time since the player was last there, or 0 if the player is
// there at that time. ok is false if the player was never there.
func (r *rig) staleness(door string, area sim.AreaID, name string, got position, at time.Time) (d time.Duration, ok bool) {
	return r.newOracle(door).Age(door, area, oracle.Sighting{Name: name, Pos: got.vec(), HasHeight: true}, at)
}

// quantile sorts durations and returns a quantile of them.
func quantile(list []time.Duration, q float64) time.Duration {
	if len(list) == 0 {
		return 0
	}
	slices.Sort(list)
	return list[min(int(q*float64(len(list))), len(list)-1)]
}
