package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// form is what differs between the versions in the packets of this package: all of it.
//
// Source: docs/wire/bedrock.md, target version.
type layout struct {
	inputsOptional      bool // PlayerAuthInput: a presence byte before the list of flags
	doubleOptions       bool // an outer presence byte, 1, before that of an option in inputs and inventory actions
	heldActionsOptional bool // PlayerAuthInput: the actions of its transaction are such an option, not a plain list
	transactionPresence bool // InventoryTransaction: a presence byte, 1, before its type and before its actions
	useItemHand         bool // item use: which hand
	moveDeltaTicks      bool // MoveActorDelta: a tick at the end
}

// The forms of the known versions.
const (
	layout2169 = iota
	layout2193
)

var layouts = [...]layout{
	layout2169: {inputsOptional: true, doubleOptions: true, heldActionsOptional: true, transactionPresence: true},
	layout2193: {useItemHand: true, moveDeltaTicks: true},
}

// form is the form of version v, which must be known.
func (v Version) layout() *layout {
	if v == V2193 {
		return &layouts[layout2193]
	}
	return &layouts[layout2169]
}

// readPresence reads whether an option is there. In a double option the outer byte must be 1: what a 0 means is told in
// two ways by those who know the format, so that nobody can be right about it.
func (f *layout) readPresence(r *wire.Reader) bool {
	if f.doubleOptions {
		r.Range(r.Bool(), "outer presence 0")
	}
	return r.Bool()
}

// appendPresence appends the byte or bytes before an option.
func (f *layout) appendPresence(b []byte, present bool) []byte {
	if f.doubleOptions {
		b = append(b, 1)
	}
	return wire.Bool(b, present)
}
