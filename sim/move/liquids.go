package move

// LiquidMode is how the movement of a body in a liquid is computed.
type LiquidMode uint8

// Values of LiquidMode: simulation, or the client's position within limits.
const (
	SimulateLiquid LiquidMode = iota // the server simulates the step
	BoundLiquid                      // the server accepts the client's position within limits
)

// LiquidRules are the constants of movement in one liquid. Lengths are in blocks, speeds in blocks per tick. Source:
// docs/wire/bedrock.md, liquids.
type LiquidRules struct {
	Mode       LiquidMode // whether the server simulates movement in the liquid
	Accelerate float32    // horizontal acceleration for an input of 1
	Drag       float32    // factor on the velocity per tick
	SprintDrag float32    // factor on the horizontal velocity per tick while sprinting
	Gravity    float32    // subtracted per tick from the vertical velocity, after the drag
	Rise       float32    // added per tick to the vertical velocity while the jump key is held
	Descend    float32    // subtracted per tick from the vertical velocity while the player sneaks
	Current    float32    // added per tick to the velocity in the direction of a current
	ClimbOut   float32    // vertical velocity that lifts a body which collides with a shore

	ContactAcross float32 // blocks by which the body's box is shrunk on each side before it is tested for contact with the liquid
	ContactUp     float32 // blocks by which the body's box is shrunk at its top and bottom before it is tested for contact with the liquid

	SurfaceTolerance float32 // vertical error in blocks that is tolerated while swimming near the surface
}

// Liquids are the rules of each liquid. Server and clients use the same table.
type Liquids struct{ Water, Lava LiquidRules }

// defaultLiquids is the result of DefaultLiquids. It is read-only.
var defaultLiquids = DefaultLiquids()

// DefaultLiquids returns the constants by which the server simulates water and lava. Source: docs/wire/bedrock.md, liquids.
func DefaultLiquids() Liquids {
	return Liquids{
		Water: LiquidRules{
			Accelerate: 0.02, Drag: 0.8, SprintDrag: 0.9, Gravity: 0.005, Rise: 0.04, Descend: 0.04, Current: 0.014,
			ClimbOut: 0.3, ContactAcross: 0.001, ContactUp: 0.401, SurfaceTolerance: 0.1,
		},
		Lava: LiquidRules{
			Accelerate: 0.02, Drag: 0.5, SprintDrag: 0.5, Gravity: 0.02, Rise: 0.04, Current: 0.0035,
			ClimbOut: 0.3, ContactAcross: 0.1, ContactUp: 0.4,
		},
	}
}

// of returns the rules of the liquid that a body touches. The parameter t says which liquids it touches; if it touches both, the
// rules are those of lava.
func (l *Liquids) of(t contacts) *LiquidRules {
	if t.lava {
		return &l.Lava
	}
	return &l.Water
}
