package bedrock

import "github.com/truestep-io/truestep/proto/wire"

// Vec3 is a position in blocks or a velocity in blocks per tick: X points east, Y up, Z south.
type Vec3 = [3]float32

// Vec2 is a rotation (pitch and yaw in degrees) or a movement vector (sideways and forward).
type Vec2 = [2]float32

// BlockPos is the position of a block: its corner with the lowest X, Y and Z.
type BlockPos = [3]int32

// ActorRuntimeID identifies an actor within one session. 0 means no actor. On the wire it is a varu64.
type ActorRuntimeID = uint64

// ActorUniqueID identifies an actor permanently. On the wire it is encoded as var64, except in AddPlayer and UpdateAbilities,
// which contain it as i64.
type ActorUniqueID = int64

func readVec2(r *wire.Reader) Vec2 { return Vec2{r.F32(), r.F32()} }

func readVec3(r *wire.Reader) Vec3 { return Vec3{r.F32(), r.F32(), r.F32()} }

func readBlockPos(r *wire.Reader) BlockPos { return BlockPos{r.VarI32(), r.VarI32(), r.VarI32()} }

func appendVec2(b []byte, v Vec2) []byte { return wire.F32(wire.F32(b, v[0]), v[1]) }

func appendVec3(b []byte, v Vec3) []byte { return wire.F32(wire.F32(wire.F32(b, v[0]), v[1]), v[2]) }

func appendBlockPos(b []byte, p BlockPos) []byte {
	return wire.VarI32(wire.VarI32(wire.VarI32(b, p[0]), p[1]), p[2])
}

// readBE32 reads a signed 32-bit integer in big-endian order.
func readBE32(r *wire.Reader) int32 { return int32(r.BE32()) }

// maxList is the maximum length of lists for which the protocol defines no maximum.
const maxList = 4096 // chosen well above the lengths of the lists that a client receives when it joins

// readList reads a list: a varu32 count and then the elements. The count must be at most limit, and each element must have
// at least size bytes on the wire. An empty list is returned as nil.
func readList[T any](r *wire.Reader, size, limit int, read func(*wire.Reader) T) []T {
	return readElements(r, r.VarCount(size, limit), read)
}

// readElements reads n elements of a list. The caller has checked that enough bytes for them are left.
func readElements[T any](r *wire.Reader, n int, read func(*wire.Reader) T) []T {
	if n == 0 {
		return nil
	}
	list := make([]T, 0, n)
	for i := 0; i < n && r.Err() == nil; i++ {
		list = append(list, read(r))
	}
	return list
}

// appendList appends a varu32 count and the elements.
func appendList[T any](b []byte, list []T, app func([]byte, T) []byte) []byte {
	b = wire.VarU32(b, uint32(len(list)))
	for _, e := range list {
		b = app(b, e)
	}
	return b
}

// readOpt reads an optional value: a byte 1 and the value, or a byte 0.
func readOpt[T any](r *wire.Reader, read func(*wire.Reader) T) Opt[T] {
	if r.Bool() {
		return Some(read(r))
	}
	return Opt[T]{}
}

// appendOpt appends an optional value: a byte 1 and the value, or a byte 0 if there is none.
func appendOpt[T any](b []byte, o Opt[T], app func([]byte, T) []byte) []byte {
	if !o.Has {
		return append(b, 0)
	}
	return app(append(b, 1), o.V)
}

func readText(r *wire.Reader) string { return r.VarStr() }
