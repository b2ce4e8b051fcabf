package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Packet is any packet of either direction. Append appends the body, without the header, and returns the longer slice. The body
// has the layout of version v, which must be a supported version.
type Packet interface {
	ID() ID
	Append(b []byte, v Version) []byte
}

// Widths of the fields of a packet header, in bits.
const (
	idBits  = 10 // bits of the packet id
	subBits = 2  // bits of the sender's subclient number, and of the target's
)

// AppendHeader appends a packet header with sender and target subclient 0, and returns the longer slice.
func AppendHeader(b []byte, id ID) []byte { return wire.VarU32(b, uint32(id)) }

// AppendPacket appends header and body of p and returns the longer slice.
func AppendPacket[P Packet](b []byte, p P, v Version) []byte {
	return p.Append(AppendHeader(b, p.ID()), v)
}

// ParseHeader splits a packet into its header and its body, which borrows from b. sender and target are subclients
// 0..3, the players of a split screen; 0 is the player that logged in.
//
//	size  field   encoding         range
//	1..2  header  varu32           bits 0..9 id, 10..11 sender, 12..13 target
//	rest  body
//
// Errors wrap wire.ErrShort or wire.ErrRange (more than 14 bits).
//
// Source: docs/wire/bedrock.md, batches.
func ParseHeader(b []byte) (id ID, sender, target uint8, body []byte, err error) {
	r := wire.NewReader(b)
	h := r.VarU32()
	r.CheckRange(h < 1<<(idBits+2*subBits), "bits above bit 13")
	const sub = 1<<subBits - 1
	body = r.Rest()
	return ID(h & (1<<idBits - 1)), uint8(h >> idBits & sub), uint8(h >> (idBits + subBits) & sub), body, r.Done("packet header")
}
