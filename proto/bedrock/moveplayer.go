package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// MoveMode is the way in which a MovePlayer moves a player.
type MoveMode uint8

// Values of MoveMode, the mode of a MovePlayer.
const (
	MoveNormal   MoveMode = 0 // the receiver interpolates
	MoveReset    MoveMode = 1 // the player respawns
	MoveTeleport MoveMode = 2 // the receiver does not interpolate; the moved player answers with InputHandledTeleport
	MoveRotation MoveMode = 3 // only the head rotation changes
)

// MovePlayer sets the position of a player. Packet 19, server to client. If Tick is not 0, the client goes back to that tick in
// the prediction history of its own player, applies the position there, and replays later inputs.
//
//	size  field           encoding    unit and range
//	      Runtime         runtime id
//	12    Position        vec3        blocks; position of the eyes
//	4     Pitch           f32         degrees
//	4     Yaw             f32         degrees
//	4     HeadYaw         f32         degrees
//	1     Mode            u8          0..3
//	1     OnGround        bool
//	      Ridden          runtime id  0 none
//	1     -               bool        1 in MoveTeleport, and only then
//	4     TeleportCause   i32         only in MoveTeleport: see the constants
//	4     TeleportSource  i32         only in MoveTeleport: legacy type number of the actor that caused the teleport, 0 none
//	      Tick            varu64      tick of the receiving player's input; 0 for other players
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick; Mojang's PlayerMovementOverview.
type MovePlayer struct {
	Runtime             ActorRuntimeID // player that moves
	Position            Vec3           // position of the eyes, blocks
	Pitch, Yaw, HeadYaw float32        // rotation in degrees
	Mode                MoveMode       // how the receiver displays the movement, such as MoveTeleport
	OnGround            bool           // the player stands on the ground
	Ridden              ActorRuntimeID // actor that the player rides; 0 means none
	TeleportCause       int32          // cause of the teleport; 0 unless Mode is MoveTeleport
	TeleportSource      int32          // legacy type number of the actor that caused the teleport; 0 unless Mode is MoveTeleport
	Tick                uint64         // input tick of the receiving player at which the position applies; 0 for other players
}

// Values of MovePlayer.TeleportCause: what caused the teleport of a player.
const (
	TeleportUnknown     = 0 // no stated cause
	TeleportProjectile  = 1 // a thrown item, such as an ender pearl
	TeleportChorusFruit = 2 // the player ate a chorus fruit
	TeleportCommand     = 3 // a command
	TeleportBehavior    = 4 // a behaviour of an actor; not used by Truestep
)

// ID returns IDMovePlayer.
func (MovePlayer) ID() ID { return IDMovePlayer }

// ParseMovePlayer decodes the body of packet 19. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseMovePlayer(b []byte, _ Version) (MovePlayer, error) {
	r := wire.NewReader(b)
	p := MovePlayer{
		Runtime:  r.VarU64(),
		Position: readVec3(&r),
		Pitch:    r.F32(), Yaw: r.F32(), HeadYaw: r.F32(),
		Mode:     MoveMode(r.U8()),
		OnGround: r.Bool(),
		Ridden:   r.VarU64(),
	}
	r.CheckRange(p.Mode <= MoveRotation, "movement mode")
	teleport := r.Bool()
	r.CheckRange(teleport == (p.Mode == MoveTeleport), "presence byte of the teleport fields")
	if teleport {
		p.TeleportCause, p.TeleportSource = r.I32(), r.I32()
	}
	p.Tick = r.VarU64()
	return p, r.Done("MovePlayer")
}

// Append appends the body of packet 19 to b and returns the extended slice.
func (p MovePlayer) Append(b []byte, _ Version) []byte {
	b = appendVec3(wire.VarU64(b, p.Runtime), p.Position)
	b = wire.F32(wire.F32(wire.F32(b, p.Pitch), p.Yaw), p.HeadYaw)
	b = wire.VarU64(wire.Bool(append(b, uint8(p.Mode)), p.OnGround), p.Ridden)
	if b = wire.Bool(b, p.Mode == MoveTeleport); p.Mode == MoveTeleport {
		b = wire.I32(wire.I32(b, p.TeleportCause), p.TeleportSource)
	}
	return wire.VarU64(b, p.Tick)
}
