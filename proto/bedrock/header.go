package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Packet is any packet, sent by a client or a server. Append appends the body of the packet, without the header, to b and
// returns the extended slice. The body has the layout of the protocol version v, which must be a supported version.
type Packet interface {
	ID() ID
	Append(b []byte, v Version) []byte
}

// Widths of the fields of a packet header, in bits.
const (
	idBits  = 10 // bits of the packet id
	subBits = 2  // bits of each subclient number: that of the sender and that of the target
)

// AppendHeader appends the header of a packet to b and returns the extended slice. In the header the numbers of both
// subclients are 0; see ParseHeader.
func AppendHeader(b []byte, id ID) []byte { return wire.VarU32(b, uint32(id)) }

// AppendPacket appends the header and the body of the packet p to b and returns the extended slice.
func AppendPacket[P Packet](b []byte, p P, v Version) []byte {
	return p.Append(AppendHeader(b, p.ID()), v)
}

// ParseHeader splits a packet into its header and its body, which shares the memory of b. The results sender and target are
// the numbers 0..3 of subclients, which are the players of a split screen; 0 is the player that logged in.
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
