package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Special values of the fields Window (the number of a window) and Kind (what the window contains) of ContainerOpen and
// ContainerClose.
const (
	WindowNone         = 0xff // window number in a ContainerClose from a client, for a window that the server never opened
	ContainerInventory = 0xff // kind of the player's own inventory
	ContainerNone      = 0xf7 // window kind in a ContainerClose with WindowNone
)

// ContainerOpen opens a window with item slots on the client. Packet 46, server to client. A client that asks to open its
// inventory waits for this packet.
//
//	size  field     encoding  range
//	1     Window    u8        WindowInventory; other windows get 1..100 in turn
//	1     Kind      u8        ContainerInventory; 0 a chest
//	      Position  blockpos  position of the chest
//	      Unique    var64     the actor that owns the window; -1 for a block
//
// Source: docs/wire/bedrock.md, containers.
type ContainerOpen struct {
	Window   uint8         // WindowInventory, or a number 1..100 that the server assigns in turn
	Kind     uint8         // kind of window: ContainerInventory, or 0 for a chest
	Position BlockPos      // position of the chest
	Unique   ActorUniqueID // actor that owns the window; -1 for a block
}

// ID returns IDContainerOpen.
func (ContainerOpen) ID() ID { return IDContainerOpen }

// ParseContainerOpen decodes the body of packet 46. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseContainerOpen(b []byte, _ Version) (ContainerOpen, error) {
	r := wire.NewReader(b)
	p := ContainerOpen{Window: r.U8(), Kind: r.U8(), Position: readBlockPos(&r), Unique: r.VarI64()}
	return p, r.Done("ContainerOpen")
}

// Append appends the body of packet 46 to b and returns the extended slice.
func (p ContainerOpen) Append(b []byte, _ Version) []byte {
	return wire.VarI64(appendBlockPos(append(b, p.Window, p.Kind), p.Position), p.Unique)
}

// ContainerClose closes a window. Packet 47, both directions: the side that closes the window sends it. If a client sends
// it, the server must answer with the same packet; until then the client opens no other window.
//
//	size  field       encoding  range
//	1     Window      u8        as in ContainerOpen
//	1     Kind        u8        as in ContainerOpen
//	1     FromServer  bool      1 if the server closed it
//
// Source: docs/wire/bedrock.md, containers.
type ContainerClose struct {
	Window     uint8 // window number as in ContainerOpen
	Kind       uint8 // kind of window as in ContainerOpen
	FromServer bool  // the server closed the window
}

// ID returns IDContainerClose.
func (ContainerClose) ID() ID { return IDContainerClose }

// ParseContainerClose decodes the body of packet 47. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseContainerClose(b []byte, _ Version) (ContainerClose, error) {
	r := wire.NewReader(b)
	p := ContainerClose{Window: r.U8(), Kind: r.U8(), FromServer: r.Bool()}
	return p, r.Done("ContainerClose")
}

// Append appends the body of packet 47 to b and returns the extended slice.
func (p ContainerClose) Append(b []byte, _ Version) []byte {
	return wire.Bool(append(b, p.Window, p.Kind), p.FromServer)
}
