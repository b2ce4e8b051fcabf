package rs

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// BuildArea is the size of the map that the client builds: 104x104, 120x120, 136x136 or 168x168 tiles.
type BuildArea uint8

// Values of BuildArea: the edge length of the client's map in tiles.
const (
	Area104 BuildArea = iota // 104 x 104 tiles
	Area120                  // 120 x 120 tiles
	Area136                  // 136 x 136 tiles
	Area168                  // 168 x 168 tiles
)

const (
	maxZone       = MaxCoord >> 3
	zoneTiles     = 8
	zonesInSquare = 8
)

// EdgeTiles returns the edge length of the build area in tiles.
func (a BuildArea) EdgeTiles() int { return [...]int{104, 120, 136, 168}[a&3] }

// radius returns the number of zones (8x8 tiles) between the south or west edge of the build area and its centre zone.
func (a BuildArea) radius() int { return a.EdgeTiles() / 16 }

// zones returns the edge length of the build area in zones of 8x8 tiles.
func (a BuildArea) zones() int { return a.EdgeTiles() / zoneTiles }

// SceneBase returns the south-west corner of the build area around a zone, as an absolute tile. Positions in SetMapFlag and in
// zone packets are relative to it. Its x or z is negative if the area extends beyond the edge of the world.
func (a BuildArea) SceneBase(centreZoneX, centreZoneZ uint16) (x, z int) {
	return (int(centreZoneX) - a.radius()) * zoneTiles, (int(centreZoneZ) - a.radius()) * zoneTiles
}

// SquareCount returns the number of map squares that the client loads for the map around a zone, at most 16. RebuildNormal must
// have a key for each of them.
func (a BuildArea) SquareCount(centreZoneX, centreZoneZ uint16) int {
	x0, x1 := a.squareRange(centreZoneX)
	z0, z1 := a.squareRange(centreZoneZ)
	return (x1 - x0 + 1) * (z1 - z0 + 1)
}

// squareRange returns the first and the last map square that the client loads, on one axis, for the map around a zone. Division
// truncates toward zero, as in the client.
func (a BuildArea) squareRange(zone uint16) (first, last int) {
	return (int(zone) - a.radius()) / zonesInSquare, (int(zone) + a.radius()) / zonesInSquare
}

// RebuildNormal makes the client build the map around a zone. Server packet REBUILD_NORMAL, 43. The client reads
// nothing more until the map is built (MapBuildComplete). In the first map packet after a login, these fields follow
// the placement block, which has the positions of all players: see SplitFirstMap.
//
//	off  size    field        encoding    unit and range
//	0    1       Area         u8N         0..3
//	1    1       Force        u8          0 or 1; 1: rebuild even if the centre is unchanged
//	2    2       CentreZoneX  u16L        absolute tile divided by 8, 0..2047
//	4    2       CentreZoneZ  u16         likewise
//	6    n x 16  Keys         n x 4 x u32 XTEA keys of the map squares, west to east, each column south to north;
//	                                      n is Area.SquareCount of the centre
//
// Source: docs/wire/rs.md, after the login.
type RebuildNormal struct {
	CentreZoneX, CentreZoneZ uint16    // zone at the centre of the map
	Area                     BuildArea // size of the map
	Force                    bool      // rebuild the map even if the centre is unchanged
	Keys                     []Keys    // a key for each loaded map square; zero for a square that is not encrypted
}

// RebuildNormalAround returns the packet that makes the client build the map around tile x, z. Its keys are 0, so the map
// squares must be unencrypted.
func RebuildNormalAround(x, z uint16, area BuildArea, force bool) RebuildNormal {
	p := RebuildNormal{CentreZoneX: x / zoneTiles, CentreZoneZ: z / zoneTiles, Area: area, Force: force}
	p.Keys = make([]Keys, area.SquareCount(p.CentreZoneX, p.CentreZoneZ))
	return p
}

// SceneBase returns the absolute tile at the south-west corner of the build area.
func (p *RebuildNormal) SceneBase() (x, z int) { return p.Area.SceneBase(p.CentreZoneX, p.CentreZoneZ) }

// ParseRebuildNormal decodes the fields. b is borrowed, not kept. Errors wrap wire.ErrShort, wire.ErrTrailing (the number
// of keys is not the number of squares that the client loads) or wire.ErrRange.
func ParseRebuildNormal(b []byte) (RebuildNormal, error) {
	r := wire.NewReader(b)
	p := RebuildNormal{
		Area:        BuildArea(readUpTo[uint8](&r, encU8N, uint8(Area168))),
		Force:       readFlag(&r, encU8),
		CentreZoneX: readUpTo[uint16](&r, encU16L, maxZone),
		CentreZoneZ: readUpTo[uint16](&r, encU16, maxZone),
	}
	if r.Err() == nil {
		p.Keys = readSquareKeys(&r, p.Area.SquareCount(p.CentreZoneX, p.CentreZoneZ))
	}
	return p, r.Done("REBUILD_NORMAL")
}

// Opcode returns 43.
func (RebuildNormal) Opcode() Opcode { return ServerRebuildNormal }

// Append appends the fields and returns the longer slice.
func (p RebuildNormal) Append(b []byte) []byte {
	b = append(appendAs(b, encU8N, uint8(p.Area)), flagByte(p.Force))
	b = appendAs(appendAs(b, encU16L, p.CentreZoneX), encU16, p.CentreZoneZ)
	return appendSquareKeys(b, p.Keys)
}

// readSquareKeys reads the XTEA keys of n map squares. The packet does not contain n: the caller computes it.
func readSquareKeys(r *wire.Reader, n int) []Keys {
	var keys []Keys
	for range n {
		k := readKeys(r)
		if r.Err() != nil {
			return nil
		}
		keys = append(keys, k)
	}
	return keys
}

func appendSquareKeys(b []byte, keys []Keys) []byte {
	for _, k := range keys {
		b = appendKeys(b, k)
	}
	return b
}

// ZoneSource is the zone of the world from which the client copies one zone of a RebuildRegion. The zero value leaves that
// zone empty.
type ZoneSource struct {
	Present  bool   // there is a source zone; false leaves the zone empty
	Plane    uint8  // plane of the source zone, 0..3
	X, Z     uint16 // position of the source zone: X 0..1023, Z 0..2047
	Rotation uint8  // rotation of the copy, quarter turns, 0..3
}

const zoneSourceBits = 26

func (s ZoneSource) pack() uint32 {
	return uint32(s.Plane)<<24 | uint32(s.X)<<14 | uint32(s.Z)<<3 | uint32(s.Rotation)<<1
}

func unpackZoneSource(v uint32) ZoneSource {
	return ZoneSource{
		Present: true, Plane: uint8(v >> 24 & 3), X: uint16(v >> 14 & 1023), Z: uint16(v >> 3 & 2047), Rotation: uint8(v >> 1 & 3),
	}
}

// square returns the map square of the zone: squareX<<8 | squareZ.
func (s ZoneSource) square() uint32 { return uint32(s.X/zonesInSquare)<<8 | uint32(s.Z/zonesInSquare) }

// Values of RebuildRegion.Mode, which changes how the client builds the map.
const (
	RegionClearNPCs   = 1 // NPCs are removed
	RegionOutOfBounds = 3 // zones outside of the world are allowed
	RegionRetain      = 4 // the client keeps something; what exactly is not known
)

// RebuildRegion makes the client build a map from copies of zones of the world. Server packet REBUILD_REGION, 128.
//
//	off  size    field        encoding    unit and range
//	0    2       CentreZoneZ  u16         absolute tile divided by 8, 0..2047
//	2    1       Area         u8          0..3
//	3    1       Force        u8S         0 or 1
//	4    1       Mode         u8S         RegionClearNPCs and so on
//	5    2       CentreZoneX  u16L        absolute tile divided by 8, 0..2047
//	7    n       Zones        bits        for each plane, column and row: 0, or 1 and 26 bits
//	                                      plane:2 x:10 z:11 rotation:2 0; zeros up to a byte
//	     m x 16  Keys         m x 4 x u32 one for each map square that is copied from, in the order of first use in Zones
//
// Source: docs/wire/rs.md, after the login.
type RebuildRegion struct {
	CentreZoneX, CentreZoneZ uint16       // zone at the centre of the map
	Area                     BuildArea    // size of the map
	Force                    bool         // rebuild the map even if the centre is unchanged
	Mode                     uint8        // RegionClearNPCs, RegionOutOfBounds or RegionRetain
	Zones                    []ZoneSource // zones of the map as [plane][x][z], z varies fastest: 4 x n x n, where n is the edge of the map in zones
	Keys                     []Keys       // one key for each map square of SourceSquares(Zones), in the same order
}

// ZoneCount returns the number of elements that RebuildRegion.Zones must have for a build area of size a.
func (a BuildArea) ZoneCount() int { return 4 * a.zones() * a.zones() }

// SourceSquares returns the map squares that contain the source zones, each once, as squareX<<8 | squareZ. They are in the order
// in which RebuildRegion.Keys has their keys.
func SourceSquares(zones []ZoneSource) []uint32 {
	var seen [1 << 16 / 64]uint64
	var squares []uint32
	for _, z := range zones {
		if s := z.square(); z.Present && seen[s/64]>>(s%64)&1 == 0 {
			seen[s/64] |= 1 << (s % 64)
			squares = append(squares, s)
		}
	}
	return squares
}

// ParseRebuildRegion decodes the body of REBUILD_REGION. b is borrowed, not kept.
// Errors wrap wire.ErrShort, wire.ErrTrailing or wire.ErrRange.
func ParseRebuildRegion(b []byte) (RebuildRegion, error) {
	r := wire.NewReader(b)
	p := RebuildRegion{
		CentreZoneZ: readUpTo[uint16](&r, encU16, maxZone),
		Area:        BuildArea(readUpTo[uint8](&r, encU8, uint8(Area168))),
		Force:       readFlag(&r, encU8S),
		Mode:        readAs[uint8](&r, encU8S),
		CentreZoneX: readUpTo[uint16](&r, encU16L, maxZone),
	}
	if r.Err() == nil {
		p.Zones = readZones(&r, p.Area.ZoneCount())
	}
	if r.Err() == nil {
		p.Keys = readSquareKeys(&r, len(SourceSquares(p.Zones)))
	}
	return p, r.Done("REBUILD_REGION")
}

// readZones reads the bits of n zones and advances r past them. The packet does not contain n: the caller computes
// it.
func readZones(r *wire.Reader, n int) []ZoneSource {
	if most := 8 * r.Left(); n > most {
		r.Fail(wire.ErrShort)
		return nil
	}
	ahead := *r
	bits := NewBitReader(ahead.Rest())
	zones := make([]ZoneSource, n)
	for i := range zones {
		if bits.Get(1) == 0 {
			continue
		}
		v := bits.Get(zoneSourceBits)
		if v&1 != 0 {
			bits.Fail(fmt.Errorf("zone %d: %w", i, errValue))
		}
		zones[i] = unpackZoneSource(v)
	}
	if left := -bits.BitOffset() & 7; bits.Err() == nil && left > 0 && bits.Get(uint(left)) != 0 {
		bits.Fail(errValue)
	}
	if err := bits.Err(); err != nil {
		r.Fail(err)
		return nil
	}
	r.Bytes(bits.BitOffset() / 8)
	return zones
}

// Opcode returns 128.
func (RebuildRegion) Opcode() Opcode { return ServerRebuildRegion }

// Append appends the body and returns the longer slice.
func (p RebuildRegion) Append(b []byte) []byte {
	b = appendAs(appendAs(b, encU16, p.CentreZoneZ), encU8, uint8(p.Area))
	b = appendAs(appendAs(b, encU8S, flagByte(p.Force)), encU8S, p.Mode)
	w := NewBitWriter(appendAs(b, encU16L, p.CentreZoneX))
	for _, z := range p.Zones {
		if z.Present {
			w.Put(1<<zoneSourceBits|uint64(z.pack()), 1+zoneSourceBits)
		} else {
			w.Put(0, 1)
		}
	}
	return appendSquareKeys(w.Bytes(), p.Keys)
}
