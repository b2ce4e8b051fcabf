package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// ChangeDimension moves the player to another dimension, behind a loading screen. Packet 61, server to client. The
// client drops all chunks and actors, and waits behind the loading screen for a PlayStatus with StatusSpawn; then it
// answers with a PlayerAction (ActionDimensionChanged).
//
//	size  field          encoding  range
//	      Dimension      var32     DimensionOverworld..DimensionEnd; must differ from the current one
//	12    Position       vec3      the eyes: feet + 1.62
//	1     Respawn        bool      after a death
//	      LoadingScreen  opt u32
//
// Source: docs/wire/bedrock.md, dimensions.
type ChangeDimension struct {
	Dimension     int32       // DimensionOverworld..DimensionEnd; must differ from the current one
	Position      Vec3        // position of the eyes (feet + 1.62), blocks
	Respawn       bool        // the player respawns after a death
	LoadingScreen Opt[uint32] // id of the loading screen
}

// ID returns IDChangeDimension.
func (ChangeDimension) ID() ID { return IDChangeDimension }

// ParseChangeDimension decodes the body of packet 61. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseChangeDimension(b []byte, _ Version) (ChangeDimension, error) {
	r := wire.NewReader(b)
	p := ChangeDimension{
		Dimension:     r.VarI32(),
		Position:      readVec3(&r),
		Respawn:       r.Bool(),
		LoadingScreen: readOpt(&r, (*wire.Reader).U32),
	}
	return p, r.Done("ChangeDimension")
}

// Append appends the body of packet 61 to b and returns the extended slice.
func (p ChangeDimension) Append(b []byte, _ Version) []byte {
	b = appendVec3(wire.VarI32(b, p.Dimension), p.Position)
	return appendOpt(wire.Bool(b, p.Respawn), p.LoadingScreen, wire.U32)
}
