package web

import (
	"math"

	"github.com/truestep-io/truestep/proto/wire"
)

// Values of the first byte of a datagram, which says what it contains. The first byte of a snapshot contains further bits.
const (
	KindInput    = 0x01 // Input, from the client
	KindAck      = 0x05 // Ack, from the client
	KindSnapshot = 0x80 // snapshot, from the server; bits 4..6: SnapshotHeader.Run, bits 0..2: SnapshotHeader.Refresh
)

// Lengths and limits of datagrams, and units of their fields.
const (
	MaxEntries   = 8                           // maximum number of ticks in an Input
	MaxInput     = inputHeader + MaxEntries*7  // maximum length of an Input, bytes
	MaxDatagram  = 1180                        // maximum length of a snapshot, bytes
	inputHeader  = 48                          // length of an Input without entries, bytes
	ackLength    = 12                          // length of an Ack, bytes
	runs         = 8                           // modulus of the numbers of runs; a run is a series of snapshots
	unitsPerTurn = 1 << 16                     // units of a yaw in a full turn
	stickUnits   = 127                         // value of a stick that is pushed to its end
	maxPitch     = 90                          // degrees
	yawDegrees   = float32(360) / unitsPerTurn // degrees per unit of a yaw; exact
)

// ReceivedSnapshots says which snapshots the client has received and decoded. They belong to one run, a series of snapshots
// that are numbered from 1.
type ReceivedSnapshots struct {
	Run  uint8  // number of the run of snapshots, 0..7
	Seq  uint16 // number in the run of the newest snapshot that the client has decoded
	Mask uint64 // bit i: the client has decoded snapshot Seq-1-i
}

func (a ReceivedSnapshots) append(b []byte) []byte {
	return wire.U64(wire.U16(append(b, a.Run), a.Seq), a.Mask)
}

func readReceived(r *wire.Reader) (a ReceivedSnapshots) {
	a.Run, a.Seq, a.Mask = r.U8(), r.U16(), r.U64()
	r.CheckRange(a.Run < runs, "run")
	return a
}

// Ack acknowledges snapshots. A client sends an Ack for each snapshot that it receives, although each Input contains the same
// information: the sooner the server knows which snapshots the client has, the smaller it can make the next ones. An Ack has 12
// bytes.
//
//	size  field
//	1     kind      KindAck
//	1     run       u8, 0..7
//	2     seq       u16
//	8     mask      u64
type Ack struct{ ReceivedSnapshots }

// Append appends the encoded Ack to b and returns the longer slice.
func (a *Ack) Append(b []byte) []byte { return a.append(append(b, KindAck)) }

// ParseAck decodes an Ack from a datagram. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing.
func ParseAck(b []byte) (Ack, error) {
	r := wire.NewReader(b)
	r.CheckRange(r.U8() == KindAck, "kind")
	a := Ack{readReceived(&r)}
	return a, r.Done("ack")
}

// Input is the datagram that a client sends every tick of 50 ms. It contains the keys of the last ticks, the position and
// velocity that the client predicts after the newest tick, and which messages and snapshots it has received.
//
//	size  field
//	1     kind      KindInput
//	11    received  run u8, seq u16, mask u64
//	2     heard     u16, control messages received so far, low bits
//	2     barrier   u16, newest serial of an Own message that was applied
//	3     seen      u24, tick at which the client draws others, in 1/256 ticks, low bits
//	4     tick      u32, newest tick that the client has predicted, low bits
//	1     n         u8, 1..8 entries
//	12    pos       f32 x 3, predicted position of the feet after tick, blocks
//	12    vel       f32 x 3, predicted velocity after tick, blocks per tick
//	7n    entries   of the ticks tick-n+1..tick
type Input struct {
	ReceivedSnapshots
	Heard    uint16                 // number of control messages that the client has received, low 16 bits
	Barrier  uint16                 // newest Own.Serial that the client has applied
	Seen     uint32                 // tick at which the client draws the other actors, in 1/256 ticks, low 24 bits
	Tick     uint32                 // newest tick that the client has predicted, low 32 bits
	Pos, Vel [3]float32             // predicted position of the feet, blocks, and velocity, blocks per tick, after Tick
	N        int                    // number of entries, 1..MaxEntries
	Entries  [MaxEntries]InputEntry // keys of the ticks Tick-N+1..Tick, in Entries[:N]
}

// InputEntry contains what a player does in one tick: its keys, its movement and the direction in which it looks.
//
//	size  field
//	2     keys      u16, bits KeyJumpDown and so on
//	2     yaw       i16, 65536 units a turn; 0 faces +Z, a quarter turn -X
//	1     pitch     i8, degrees, -90 up..90 down
//	1     strafe    i8, -127..127; positive is left
//	1     forward   i8, -127..127
type InputEntry struct {
	Keys            Keys  // keys that are down, and requests
	Yaw             int16 // direction of view, 65536 units a turn; 0 faces +Z, a quarter turn -X
	Pitch           int8  // pitch of the view, degrees, -90 up..90 down
	Strafe, Forward int8  // movement by stick or keys, -127..127; positive is left and forward
}

// Keys is the set of keys that a player holds in one tick, and of the client's requests, for example to begin sprinting. As in
// the Bedrock protocol, the client decides when to make a request.
type Keys uint16

// Bits of Keys.
const (
	KeyJumpDown        Keys = 1 << iota // the jump key is down
	KeyJumping                          // the player jumps or climbs
	KeyStartJump                        // request: a jump begins in this tick
	KeySneakDown                        // the sneak key is down
	KeyStartSneak                       // request to begin sneaking
	KeyStopSneak                        // request to stop sneaking
	KeyStartSprint                      // request to begin sprinting
	KeyStopSprint                       // request to stop sprinting
	KeyStartSwim                        // request to begin swimming
	KeyStopSwim                         // request to stop swimming
	KeyStartGlide                       // request to begin gliding
	KeyStopGlide                        // request to stop gliding
	KeyWantUp                           // the player wants to fly up
	KeyWantDown                         // the player wants to fly down or to dive
	KeyHandledTeleport                  // the client has applied the last teleport

	allKeys = KeyHandledTeleport<<1 - 1
)

// YawDegrees returns the yaw in degrees, -180 to less than 180. The conversion is exact.
func (e *InputEntry) YawDegrees() float32 { return float32(float32(e.Yaw) * yawDegrees) }

// Sticks returns the movement of the player as two numbers of -1..1. A positive strafe is to the left.
func (e *InputEntry) Sticks() (strafe, forward float32) {
	return float32(e.Strafe) / stickUnits, float32(e.Forward) / stickUnits
}

// NewInputEntry returns an entry with values rounded as in the message. The parameters yaw and pitch are in degrees, strafe and
// forward are -1..1. A client must simulate the tick with the rounded values, because the server does.
func NewInputEntry(keys Keys, yaw, pitch, strafe, forward float32) InputEntry {
	return InputEntry{
		Keys: keys, Yaw: int16(int64(math.Round(float64(yaw) / 360 * unitsPerTurn))),
		Pitch:  int8(math.Round(float64(min(max(pitch, -maxPitch), maxPitch)))),
		Strafe: stickOf(strafe), Forward: stickOf(forward),
	}
}

func stickOf(x float32) int8 { return int8(math.Round(float64(min(max(x, -1), 1)) * stickUnits)) }

// Append appends the encoded Input to b and returns the longer slice.
func (p *Input) Append(b []byte) []byte {
	b = p.append(append(b, KindInput))
	b = wire.U16(wire.U16(b, p.Heard), p.Barrier)
	b = append(b, byte(p.Seen), byte(p.Seen>>8), byte(p.Seen>>16))
	b = append(wire.U32(b, p.Tick), byte(p.N))
	b = appendVec(appendVec(b, p.Pos), p.Vel)
	for i := range p.Entries[:p.N] {
		e := &p.Entries[i]
		b = wire.I16(wire.U16(b, uint16(e.Keys)), e.Yaw)
		b = append(b, byte(e.Pitch), byte(e.Strafe), byte(e.Forward))
	}
	return b
}

// ParseInput decodes an Input from a datagram. Errors wrap wire.ErrShort, wire.ErrRange or wire.ErrTrailing. ParseInput does not
// allocate.
func ParseInput(b []byte) (p Input, err error) {
	r := wire.NewReader(b)
	r.CheckRange(r.U8() == KindInput, "kind")
	p.ReceivedSnapshots = readReceived(&r)
	p.Heard, p.Barrier = r.U16(), r.U16()
	p.Seen = uint32(r.U8()) | uint32(r.U8())<<8 | uint32(r.U8())<<16
	p.Tick, p.N = r.U32(), int(r.U8())
	p.Pos, p.Vel = readVec(&r), readVec(&r)
	r.CheckRange(p.N >= 1 && p.N <= MaxEntries, "number of entries")
	if r.Err() != nil {
		p.N = 0
		return p, r.Done("input")
	}
	for i := range p.Entries[:p.N] {
		e := &p.Entries[i]
		e.Keys, e.Yaw = Keys(r.U16()), r.I16()
		e.Pitch, e.Strafe, e.Forward = int8(r.U8()), int8(r.U8()), int8(r.U8())
		r.CheckRange(e.Keys&^allKeys == 0, "unknown bits in keys")
		r.CheckRange(e.Pitch >= -maxPitch && e.Pitch <= maxPitch, "pitch")
		r.CheckRange(e.Strafe >= -stickUnits && e.Forward >= -stickUnits, "strafe or forward")
	}
	return p, r.Done("input")
}
