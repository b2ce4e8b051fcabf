package console

import (
	"encoding/binary"
	"errors"
	"fmt"
	"math"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// The binary message of the live map: the state of every actor of an area after a tick. All numbers are little endian.
//
//	off  size  field    unit
//	0    1     version  1
//	1    1     -        0
//	2    2     area     AreaID
//	4    4     count    number of actors that follow
//	8    8     tick     of the area
//	16   8     at       float64, ms since 1970, server's clock when the frame was read
//	24   24 x  actor:
//	+0   8     id       EntityID, below 2^53
//	+8   12    x y z    float32, world units
//	+20  2     yaw      65536 = full turn
//	+22  1     health   0..255 of the maximum; 0 only for the dead
//	+23  1     flags    bits LivePlayer to LiveSpawned
//
// Source: docs/console-api.md.
const (
	liveVersion    = 1       // first byte of the message
	liveHeader     = 24      // size of the header in bytes
	liveActorBytes = 24      // size of an actor in bytes
	maxLiveID      = 1 << 53 // ids must be lower, to be exact as JavaScript numbers
)

// Bits of LiveActor.Flags: states of an actor on the live map.
const (
	LivePlayer   = 1 << iota // the actor is a player, not an NPC
	LiveRunning              // the actor runs or sprints
	LiveFlying               // the actor flies
	LiveDead                 // the actor is dead
	LiveFrozen               // an operator has frozen the player
	LiveFighting             // the actor has an attack target
	LiveMounted              // the actor rides another one
	LiveSpawned              // an operator has created the NPC

	liveFlags = 1<<8 - 1 // mask of all defined flags
)

// LiveFrame is a binary message of the live map: all actors of an area.
type LiveFrame struct {
	Area   sim.AreaID  // area of the actors
	Tick   sim.Tick    // tick after which the actors had this state
	At     float64     // server's clock when the frame was read, in ms since 1970
	Actors []LiveActor // sorted by ID
}

// LiveActor is the state of one actor in a binary message of the live map.
type LiveActor struct {
	ID     sim.EntityID // below 2^53
	Pos    geom.Vec     // position in world units; y points up
	Yaw    uint16       // direction in 1/65536 of a full turn; 0 faces north, 16384 west
	Health uint8        // health in 1/255 of the maximum, rounded up; 0 only if the actor is dead
	Flags  uint8        // bits LivePlayer to LiveSpawned
}

// Errors that ParseLive wraps.
var (
	errLiveShort = errors.New("live map message has the wrong length")
	errLiveRange = errors.New("a field of the live map message is out of range")
)

// ParseLive decodes a binary message of the live map. It reuses the memory of the slice actors, which may be nil, for the actors
// of the result. The result does not refer to b.
func ParseLive(b []byte, actors []LiveActor) (LiveFrame, error) {
	if len(b) < liveHeader {
		return LiveFrame{}, fmt.Errorf("live map message of %d bytes has no complete header: %w", len(b), errLiveShort)
	}
	le := binary.LittleEndian
	count := le.Uint32(b[4:])
	if b[0] != liveVersion || b[1] != 0 || le.Uint16(b[2:]) > math.MaxInt16 {
		return LiveFrame{}, fmt.Errorf("live map message with an unknown version or area in its header % x: %w", b[:4], errLiveRange)
	}
	if want := liveHeader + uint64(count)*liveActorBytes; uint64(len(b)) != want {
		return LiveFrame{}, fmt.Errorf("live map message of %d bytes, want %d for %d actors: %w", len(b), want, count, errLiveShort)
	}
	f := LiveFrame{
		Area: sim.AreaID(le.Uint16(b[2:])), Tick: sim.Tick(le.Uint64(b[8:])), At: math.Float64frombits(le.Uint64(b[16:])),
		Actors: actors[:0],
	}
	for r := b[liveHeader:]; len(r) > 0; r = r[liveActorBytes:] {
		a := LiveActor{
			ID: sim.EntityID(le.Uint64(r)),
			Pos: geom.Vec{
				X: math.Float32frombits(le.Uint32(r[8:])),
				Y: math.Float32frombits(le.Uint32(r[12:])),
				Z: math.Float32frombits(le.Uint32(r[16:])),
			},
			Yaw: le.Uint16(r[20:]), Health: r[22], Flags: r[23],
		}
		if a.ID >= maxLiveID || a.Flags&^liveFlags != 0 {
			return LiveFrame{}, fmt.Errorf("live map message: the id %d or the flags %#x of an actor are too large: %w", a.ID, a.Flags, errLiveRange)
		}
		f.Actors = append(f.Actors, a)
	}
	return f, nil
}

// Append appends the encoded message to b.
func (f *LiveFrame) Append(b []byte) []byte {
	b = appendLiveHeader(b, f.Area, len(f.Actors), f.Tick, f.At)
	for i := range f.Actors {
		a := &f.Actors[i]
		b = appendLiveActor(b, a.ID, a.Pos, a.Yaw, a.Health, a.Flags)
	}
	return b
}

func appendLiveHeader(b []byte, area sim.AreaID, count int, tick sim.Tick, at float64) []byte {
	le := binary.LittleEndian
	b = append(b, liveVersion, 0)
	b = le.AppendUint16(b, uint16(area))
	b = le.AppendUint32(b, uint32(count))
	b = le.AppendUint64(b, uint64(tick))
	return le.AppendUint64(b, math.Float64bits(at))
}

func appendLiveActor(b []byte, id sim.EntityID, p geom.Vec, yaw uint16, health, flags uint8) []byte {
	le := binary.LittleEndian
	b = le.AppendUint64(b, uint64(id))
	b = le.AppendUint32(b, math.Float32bits(p.X))
	b = le.AppendUint32(b, math.Float32bits(p.Y))
	b = le.AppendUint32(b, math.Float32bits(p.Z))
	b = le.AppendUint16(b, yaw)
	return append(b, health, flags)
}

// appendLive appends frame f to b, encoded as a binary message of the live map. The list roster has the same actors as f in the
// same order, and says in which direction the map draws each of them. f is only read, and only during the call.
func appendLive(b []byte, f *sim.Frame, roster []rosterEntry, at time.Time) []byte {
	b = appendLiveHeader(b, f.Area, len(f.Actors), f.Tick, float64(at.UnixMicro())/1000)
	for i := range f.Actors {
		a := &f.Actors[i]
		b = appendLiveActor(b, a.ID, a.Pos, roster[i].facing, healthByte(a), liveFlagsOf(a))
	}
	return b
}

// shownYaw returns the yaw with which the map shows an actor. An actor under path or predict authority has a yaw. An NPC, or a
// player under claim authority, has none while it walks: the map shows it facing its destination, as RealmCrafter clients do. The
// parameter last is what the map showed of the actor in the previous frame.
func shownYaw(a *sim.ActorState, last *rosterEntry) uint16 {
	const least = 0.05 // an actor closer than this to its destination, in world units, stands still
	east, north := a.DestX-a.Pos.X, a.DestZ-a.Pos.Z
	switch {
	case a.Motion.FacesYaw, a.Yaw != last.yaw:
		return yawToTurn(a.Yaw)
	case east*east+north*north > least*least:
		return yawToTurn(float32(math.Atan2(float64(-east), float64(north)) * 180 / math.Pi))
	}
	return last.facing
}

// yawToTurn converts degrees to 1/65536 of a full turn. A yaw that is not finite becomes 0.
func yawToTurn(degrees float32) uint16 {
	turns := float64(degrees) / 360
	turns -= math.Floor(turns)
	if !(turns >= 0 && turns <= 1) {
		return 0
	}
	return uint16(int(turns*65536 + 0.5)) // a full turn wraps to 0
}

// healthByte returns the health of an actor as a number from 0 to 255, where 255 is its maximum health. The number is rounded up,
// so that only dead actors have 0.
func healthByte(a *sim.ActorState) uint8 {
	switch {
	case a.Is(sim.FlagDead) || a.Health <= 0:
		return 0
	case a.Health >= a.HealthMax:
		return 255
	}
	return uint8((int64(a.Health)*255 + int64(a.HealthMax) - 1) / int64(a.HealthMax))
}

// liveFlagsOf returns the state of an actor as bits of LiveActor.Flags.
func liveFlagsOf(a *sim.ActorState) uint8 {
	var flags uint8
	if a.Is(sim.FlagPlayer) {
		flags |= LivePlayer
	}
	if a.Is(sim.FlagRunning) {
		flags |= LiveRunning
	}
	if a.Is(sim.FlagFlying) {
		flags |= LiveFlying
	}
	if a.Is(sim.FlagDead) {
		flags |= LiveDead
	}
	if a.Is(sim.FlagFrozen) {
		flags |= LiveFrozen
	}
	if a.Is(sim.FlagSpawned) {
		flags |= LiveSpawned
	}
	if a.Target != 0 {
		flags |= LiveFighting
	}
	if a.Mount != 0 {
		flags |= LiveMounted
	}
	return flags
}
