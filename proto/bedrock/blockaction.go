package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// BlockAction is one step of breaking a block, inside a PlayerAuthInput.
//
//	field     encoding   range
//	Action    var32      see the constants; others are legal
//	Position  blockpos
//	Face      var32      0 down, 1 up, 2 north, 3 south, 4 west, 5 east
//
// Source: docs/wire/bedrock.md, PlayerAuthInput.
type BlockAction struct {
	Action   int32    // BlockStartBreak or another Block constant; other values are legal
	Position BlockPos // block that is broken
	Face     int32    // face of the block: 0 down, 1 up, 2 north, 3 south, 4 west, 5 east
}

// Values of BlockAction.Action: the steps of breaking a block.
const (
	BlockStartBreak    = 0  // the player starts to break the block
	BlockAbortBreak    = 1  // the player stops breaking before the block breaks
	BlockStopBreak     = 2  // the player has finished breaking the block
	BlockCrackBreak    = 18 // the crack animation of the block advances
	BlockPredictBreak  = 26 // the client predicts that the block breaks; sent if the server decides when blocks break
	BlockContinueBreak = 27 // the player continues with breaking another block
)

// Minimum size of an encoded BlockAction, and maximum number of them in a list.
const (
	minBlockAction  = 5   // minimum bytes of a block action: five varints of one byte
	maxBlockActions = 100 // maximum number of actions; chosen well above the few that a client sends per tick
)

// readBlockActions reads the list of block actions. An empty list is returned as an empty slice, because nil means that
// the field is absent.
func readBlockActions(r *wire.Reader) []BlockAction {
	list := make([]BlockAction, r.VarCount(minBlockAction, maxBlockActions))
	for i := range list {
		list[i] = BlockAction{Action: r.VarI32(), Position: readBlockPos(r), Face: r.VarI32()}
	}
	return list
}

func appendBlockActions(b []byte, list []BlockAction) []byte {
	b = wire.VarU32(b, uint32(len(list)))
	for _, a := range list {
		b = wire.VarI32(appendBlockPos(wire.VarI32(b, a.Action), a.Position), a.Face)
	}
	return b
}
