package rs

import "github.com/truestep-io/truestep/proto/wire"

// NoAngle is the Angle of a projectile that flies without an arc.
const NoAngle = 255

// MapProjAnim displays a projectile that flies from a tile of the current zone, which UpdateZonePartialFollows sets. Server
// packet MAP_PROJANIM, 62. The client does not display a projectile if either end is outside the scene.
//
//	off  size  field   encoding  unit and range
//	0    1     Ground, X, Z  u8  ground<<7 | x<<3 | z: start tile within the zone, 0..7
//	1    1     DX      s8        tiles from start to end
//	2    1     DZ      s8
//	3    2     Target  s16       entity that the projectile follows, see TargetPlayer; 0 none
//	5    2     ID      u16       spot animation; None shows nothing
//	7    1     Y1      u8        height at the start, 1/32 tiles
//	8    1     Y2      u8        height at the end, 1/32 tiles
//	9    2     T1      u16       client ticks from now to the start
//	11   2     T2      u16       client ticks from now to the end
//	13   1     Angle   u8        angle at the start, or NoAngle
//	14   2     Shift   u16       distance of the start from the centre of the start tile, 1/128 tiles
//
// Source: docs/wire/rs.md, server to client.
type MapProjAnim struct {
	Ground bool   // Y1 and Y2 are heights above the ground
	X, Z   uint8  // start, in tiles from the zone's south-west corner
	DX, DZ int8   // end, in tiles from the start
	Target int16  // entity that the projectile follows, see TargetPlayer and TargetNPC; 0 for none
	ID     uint16 // spot animation of the projectile
	Y1, Y2 uint8  // heights at the start and at the end, in 1/32 tiles
	T1, T2 uint16 // client ticks from now to the start and to the end
	Angle  uint8  // angle at the start, or NoAngle
	Shift  uint16 // distance of the start from the centre of the start tile, in 1/128 tiles
}

// TargetPlayer returns the Target of a projectile that follows a player.
func TargetPlayer(i Index) int16 { return -int16(i) - 1 }

// TargetNPC returns the Target of a projectile that follows an NPC, 0..32766.
func TargetNPC(i uint16) int16 { return int16(i + 1) }

// ParseMapProjAnim decodes the body of MAP_PROJANIM. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMapProjAnim(b []byte) (MapProjAnim, error) {
	r := wire.NewReader(b)
	pos := r.U8()
	p := MapProjAnim{
		Ground: pos>>7 == 1,
		DX:     readAs[int8](&r, encU8), DZ: readAs[int8](&r, encU8),
		Target: readAs[int16](&r, encU16), ID: r.BE16(),
		Y1: r.U8(), Y2: r.U8(), T1: r.BE16(), T2: r.BE16(), Angle: r.U8(), Shift: r.BE16(),
	}
	p.X, p.Z = readZoneTile(&r, pos&0x7f, 3)
	return p, r.Done("MAP_PROJANIM")
}

// Opcode returns 62.
func (MapProjAnim) Opcode() Opcode { return ServerMapProjAnim }

// Append appends the body, 16 bytes, and returns the longer slice.
func (p MapProjAnim) Append(b []byte) []byte {
	b = append(b, flagByte(p.Ground)<<7|p.X<<3|p.Z, uint8(p.DX), uint8(p.DZ))
	b = append(appendAs(appendAs(b, encU16, p.Target), encU16, p.ID), p.Y1, p.Y2)
	b = append(appendAs(appendAs(b, encU16, p.T1), encU16, p.T2), p.Angle)
	return appendAs(b, encU16, p.Shift)
}

// MapAnim displays a spot animation, which is a visual effect, on a tile of the current zone. Server packet MAP_ANIM, 41.
//
//	off  size  field     encoding  unit and range
//	0    1     X, Z      u8        x<<4 | z, tiles within the zone, 0..7
//	1    2     ID        u16       spot animation; None removes
//	3    1     Height    u8
//	4    2     Delay     u16       client ticks
//	6    1     Rotation  u8
//
// Source: docs/wire/rs.md, server to client.
type MapAnim struct {
	X, Z     uint8  // tiles from the zone's south-west corner
	ID       uint16 // number of the spot animation
	Height   uint8  // height above the ground; the unit is not documented
	Delay    uint16 // client ticks until the animation starts
	Rotation uint8  // rotation of the animation; the unit is not documented
}

// ParseMapAnim decodes the body of MAP_ANIM. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMapAnim(b []byte) (MapAnim, error) {
	r := wire.NewReader(b)
	tile := r.U8()
	p := MapAnim{ID: r.BE16(), Height: r.U8(), Delay: r.BE16(), Rotation: r.U8()}
	p.X, p.Z = readZoneTile(&r, tile, 4)
	return p, r.Done("MAP_ANIM")
}

// Opcode returns 41.
func (MapAnim) Opcode() Opcode { return ServerMapAnim }

// Append appends the body, 7 bytes, and returns the longer slice.
func (p MapAnim) Append(b []byte) []byte {
	b = append(appendAs(append(b, p.X<<4|p.Z), encU16, p.ID), p.Height)
	return append(appendAs(b, encU16, p.Delay), p.Rotation)
}

// EffectTarget is where an EffectSpecific is displayed: at a player, at an NPC or on a tile.
type EffectTarget uint32

const (
	effectAtPlayer = 1 << 28
	effectAtNPC    = 1 << 29
	effectAtTile   = 1 << 30
)

// AtPlayer returns the target for a player, 1..2047.
func AtPlayer(i Index) EffectTarget { return effectAtPlayer | EffectTarget(i) }

// AtNPC returns the target for an NPC of the client's table, 0..65535.
func AtNPC(i uint16) EffectTarget { return effectAtNPC | EffectTarget(i) }

// AtTile returns the target for an absolute tile.
func AtTile(t Tile) EffectTarget { return effectAtTile | EffectTarget(t.Pack()) }

// Player returns the player's index; ok is false if the target is not a player.
func (p EffectTarget) Player() (i Index, ok bool) {
	return Index(p), p&^0xffff == effectAtPlayer && p&0xffff <= MaxIndex && p&0xffff > 0
}

// NPC returns the NPC's index; ok is false if the target is not an NPC.
func (p EffectTarget) NPC() (i uint16, ok bool) { return uint16(p), p&^0xffff == effectAtNPC }

// Tile returns the tile; ok is false if the target is not a tile.
func (p EffectTarget) Tile() (t Tile, ok bool) {
	return UnpackTile(uint32(p)), p&^(effectAtTile-1) == effectAtTile
}

func (p EffectTarget) valid() bool {
	_, player := p.Player()
	_, npc := p.NPC()
	_, tile := p.Tile()
	return player || npc || tile
}

// Layout of the byte with three fields of a spot animation: rotation in bits 0..2, worn position in bits 3..6, loop in bit 7.
const (
	gfxRotation  = 7
	gfxSlotShift = 3
	gfxSlotMask  = 15
	gfxLoop      = 1 << 7
)

// EffectSpecific displays a spot animation, which is a visual effect, at a player, at an NPC or on a tile. It does not refer to
// a zone. Server packet EFFECT_SPECIFIC, 108. Its fields beside Target and Slot are those of Gfx.
//
//	off  size  field     encoding  unit and range
//	0    2     Delay     u16A      client ticks
//	2    4     Target    u32M3     1<<28 | player, 1<<29 | npc, or 1<<30 | tile in 30 bits
//	6    1     Slot      u8A       0..3
//	7    1     Rotation, WornSlot, Loop  u8A  rotation | slot<<3 | loop<<7
//	8    2     Height    u16       fine units
//	10   2     ID        u16L      None: no animation
//
// Source: docs/wire/rs.md, server to client.
type EffectSpecific struct {
	Target EffectTarget // player, NPC or tile at which the animation is displayed
	Slot   uint8        // slot of the spot animation, 0..3
	Gfx                 // the spot animation
}

// ParseEffectSpecific decodes the body of EFFECT_SPECIFIC. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseEffectSpecific(b []byte) (EffectSpecific, error) {
	r := wire.NewReader(b)
	var p EffectSpecific
	p.Delay = readAs[uint16](&r, encU16A)
	p.Target = readAs[EffectTarget](&r, encU32M3)
	if !p.Target.valid() {
		r.Fail(errValue)
	}
	p.Slot = readUpTo[uint8](&r, encU8A, 3)
	opts := readAs[uint8](&r, encU8A)
	p.Rotation, p.WornSlot, p.Loop = opts&gfxRotation, opts>>gfxSlotShift&gfxSlotMask, opts&gfxLoop != 0
	p.Height, p.ID = r.BE16(), readAs[uint16](&r, encU16L)
	return p, r.Done("EFFECT_SPECIFIC")
}

// Opcode returns 108.
func (EffectSpecific) Opcode() Opcode { return ServerEffectSpecific }

// Append appends the body, 12 bytes, and returns the longer slice.
func (p EffectSpecific) Append(b []byte) []byte {
	opts := p.Rotation | p.WornSlot<<gfxSlotShift
	if p.Loop {
		opts |= gfxLoop
	}
	b = appendAs(appendAs(b, encU16A, p.Delay), encU32M3, p.Target)
	b = appendAs(appendAs(b, encU8A, p.Slot), encU8A, opts)
	return appendAs(appendAs(b, encU16, p.Height), encU16L, p.ID)
}

// ResetAnims stops the animations of all players and NPCs in the client's view. Server packet RESET_ANIMS, 27, no
// body.
type ResetAnims struct{}

// Opcode returns 27.
func (ResetAnims) Opcode() Opcode { return ServerResetAnims }

// Append returns b unchanged, because the packet has no body.
func (ResetAnims) Append(b []byte) []byte { return b }

// CamReset returns camera control to the player. Server packet CAM_RESET, 10, no body.
type CamReset struct{}

// Opcode returns 10.
func (CamReset) Opcode() Opcode { return ServerCamReset }

// Append returns b unchanged, because the packet has no body.
func (CamReset) Append(b []byte) []byte { return b }
