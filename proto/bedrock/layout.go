package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// layout describes the details of the packets in which the supported protocol versions differ.
//
// Source: docs/wire/bedrock.md, target version.
type layout struct {
	inputsOptional      bool // a presence byte precedes the list of flags in PlayerAuthInput
	doubleOptions       bool // optional fields of inputs and inventory actions have a second, outer presence byte, which is always 1
	heldActionsOptional bool // the transaction actions of PlayerAuthInput are an optional field with two presence bytes, not a plain list
	transactionPresence bool // InventoryTransaction has a byte that is always 1 before the type, and another one before the actions
	useItemHand         bool // UseItem has the field Hand
	moveDeltaTicks      bool // MoveActorDelta ends with a tick
}

// Indices into layouts, one for each supported protocol version.
const (
	layout2169 = iota
	layout2193
)

var layouts = [...]layout{
	layout2169: {inputsOptional: true, doubleOptions: true, heldActionsOptional: true, transactionPresence: true},
	layout2193: {useItemHand: true, moveDeltaTicks: true},
}

// layout returns the layout of the packets in version v, which must be a supported version.
func (v Version) layout() *layout {
	if v == V2193 {
		return &layouts[layout2193]
	}
	return &layouts[layout2169]
}

// readPresence reads whether an optional field is present. In protocol 2169 some such fields have two presence bytes. The first
// of them must be 1, because implementations disagree about the meaning of 0.
func (f *layout) readPresence(r *wire.Reader) bool {
	if f.doubleOptions {
		r.CheckRange(r.Bool(), "outer presence byte")
	}
	return r.Bool()
}

// appendPresence appends the presence byte or bytes of an optional field.
func (f *layout) appendPresence(b []byte, present bool) []byte {
	if f.doubleOptions {
		b = append(b, 1)
	}
	return wire.Bool(b, present)
}
