package rs

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// UpdateZonePartialFollows sets the zone to which the following zone packets, such as MapAnim, refer. Server packet
// UPDATE_ZONE_PARTIAL_FOLLOWS, 46.
//
//	off  size  field  encoding  unit and range
//	0    1     X      s8A       zone in the build area: tile / 8
//	1    1     Z      s8        likewise
//	2    1     Plane  u8S       0..3
//
// Source: docs/wire/rs.md, server to client.
type UpdateZonePartialFollows struct {
	X, Z  int8  // zone in the build area: tile divided by 8
	Plane uint8 // plane of the zone, 0..3
}

// ParseUpdateZonePartialFollows decodes the body of UPDATE_ZONE_PARTIAL_FOLLOWS. Errors wrap wire.ErrShort, wire.ErrRange or
// wire.ErrTrailing.
func ParseUpdateZonePartialFollows(b []byte) (UpdateZonePartialFollows, error) {
	r := wire.NewReader(b)
	p := UpdateZonePartialFollows{
		X: readAs[int8](&r, encU8A), Z: readAs[int8](&r, encU8), Plane: readUpTo[uint8](&r, encU8S, 3),
	}
	return p, r.Done("UPDATE_ZONE_PARTIAL_FOLLOWS")
}

// Opcode returns 46.
func (UpdateZonePartialFollows) Opcode() Opcode { return ServerUpdateZonePartialFollows }

// Append appends the body, 3 bytes, and returns the longer slice.
func (p UpdateZonePartialFollows) Append(b []byte) []byte {
	return appendAs(appendAs(appendAs(b, encU8A, p.X), encU8, p.Z), encU8S, p.Plane)
}

// ZoneKind is the kind of a packet inside an UpdateZonePartialEnclosed.
type ZoneKind uint8

// The kinds of packets that clients accept; any other kind crashes the client. Each comment begins with the protocol's name of
// the packet. In these names LOC means a map object and OBJ an item on the ground.
const (
	ZoneLocAddChange          ZoneKind = iota // LOC_ADD_CHANGE: a map object is added or replaced
	ZoneSoundArea                             // SOUND_AREA: a sound around a tile
	ZoneLocCustomise                          // LOC_CUSTOMISE: the look of a map object changes
	ZoneLocAnim                               // LOC_ANIM: a map object is animated
	ZoneLocPrefetch                           // LOC_PREFETCH: the client loads the models of a map object
	ZoneObjDel                                // OBJ_DEL: an item on the ground disappears
	ZoneMapProjAnim                           // MAP_PROJANIM: a projectile, see MapProjAnim
	ZoneLocDel                                // LOC_DEL: a map object disappears
	ZoneObjCount                              // OBJ_COUNT: the number of an item on the ground changes
	ZoneTextCoord                             // TEXT_COORD: a text at a tile
	ZoneMapProjAnimHalfSquare                 // MAP_PROJANIM_HALFSQ: a projectile with positions in half tiles
	ZoneSoundVorbisArea                       // SOUND_VORBIS_AREA: a Vorbis sound around a tile
	ZoneMapAnim                               // MAP_ANIM: a spot animation on a tile, see MapAnim
	ZoneObjReveal                             // OBJ_REVEAL: an item of one player on the ground becomes visible to others
	ZoneObjAdd                                // OBJ_ADD: an item appears on the ground
)

// zoneSizes are the lengths in bytes of the bodies by kind, as the client reads them. Three of them are longer than the
// client's packet table says (PacketDef.ZoneOnly). 0 stands for a body of variable length, whose layout is not described.
var zoneSizes = [...]int{
	ZoneLocAddChange: 4, ZoneSoundArea: 8, ZoneLocCustomise: 0, ZoneLocAnim: 4, ZoneLocPrefetch: 3, ZoneObjDel: 3,
	ZoneMapProjAnim: 16, ZoneLocDel: 2, ZoneObjCount: 7, ZoneTextCoord: 0, ZoneMapProjAnimHalfSquare: 19,
	ZoneSoundVorbisArea: 8, ZoneMapAnim: 7, ZoneObjReveal: 7, ZoneObjAdd: 5,
}

// ZoneEntry is one packet inside an UpdateZonePartialEnclosed.
type ZoneEntry struct {
	Kind ZoneKind // kind of the zone packet, which is sent instead of an opcode
	Body []byte   // body of the packet, as if sent alone; see ParseMapProjAnim and ParseMapAnim
}

// UpdateZonePartialEnclosed contains zone packets and the zone to which they refer. Server packet
// UPDATE_ZONE_PARTIAL_ENCLOSED, 87.
//
//	off  size  field    encoding  unit and range
//	0    1     X        s8N       zone in the build area: tile / 8
//	1    1     Plane    u8A       0..3
//	2    1     Z        s8        zone in the build area
//	3    rest  Entries  -         { kind u8, body } to the end
//
// Entries of the kinds ZoneLocCustomise and ZoneTextCoord have lengths that are not described here: they cannot be
// parsed and must not be appended. Source: docs/wire/rs.md, server to client.
type UpdateZonePartialEnclosed struct {
	X, Z    int8        // zone in the build area: tile divided by 8
	Plane   uint8       // plane of the zone, 0..3
	Entries []ZoneEntry // packets in order; their bodies are borrowed from the parsed bytes
}

// ParseUpdateZonePartialEnclosed decodes a body; the entries of the result borrow b. Errors wrap wire.ErrShort, or wire.ErrRange
// for a kind that is unknown or not described.
func ParseUpdateZonePartialEnclosed(b []byte) (UpdateZonePartialEnclosed, error) {
	r := wire.NewReader(b)
	p := UpdateZonePartialEnclosed{
		X: readAs[int8](&r, encU8N), Plane: readUpTo[uint8](&r, encU8A, 3), Z: readAs[int8](&r, encU8),
	}
	for r.Left() > 0 {
		kind := r.U8()
		if int(kind) >= len(zoneSizes) || zoneSizes[kind] == 0 {
			r.Fail(fmt.Errorf("%w: zone packet kind %d is unknown or has no known length", wire.ErrRange, kind))
			break
		}
		p.Entries = append(p.Entries, ZoneEntry{Kind: ZoneKind(kind), Body: r.Bytes(zoneSizes[kind])})
	}
	return p, r.Done("UPDATE_ZONE_PARTIAL_ENCLOSED")
}

// Opcode returns 87.
func (UpdateZonePartialEnclosed) Opcode() Opcode { return ServerUpdateZonePartialEnclosed }

// Append appends the body and returns the longer slice.
func (p UpdateZonePartialEnclosed) Append(b []byte) []byte {
	b = appendAs(appendAs(appendAs(b, encU8N, p.X), encU8A, p.Plane), encU8, p.Z)
	for _, e := range p.Entries {
		b = append(append(b, uint8(e.Kind)), e.Body...)
	}
	return b
}

// readZoneTile splits v, which is x<<shift | z, into the coordinates of a tile within a zone, both 0..7. It refuses v if other
// bits are set.
func readZoneTile(r *wire.Reader, v uint8, shift uint) (x, z uint8) {
	x, z = v>>shift&7, v&7
	if v != x<<shift|z {
		r.Fail(errValue)
	}
	return x, z
}
