package bedrock

import (
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/proto/wire"
)

// Metadata describes the appearance and the state of an actor. It is a list of entries with different keys. The method Set
// keeps the list sorted by key; a list that was parsed is in the order of the sender.
type Metadata []MetaEntry

// MetaType is the type of a MetaEntry's value.
type MetaType uint8

// Values of MetaType: the type of a metadata entry's value.
const (
	MetaByte   MetaType = 0 // encoded as i8
	MetaShort  MetaType = 1 // encoded as i16
	MetaInt    MetaType = 2 // encoded as var32
	MetaFloat  MetaType = 3 // encoded as f32
	MetaString MetaType = 4 // encoded as str
	MetaNBT    MetaType = 5 // encoded as nbt
	MetaBlock  MetaType = 6 // encoded as blockpos
	MetaLong   MetaType = 7 // encoded as var64
	MetaVec3   MetaType = 8 // encoded as vec3
)

// MetaEntry is one value of Metadata. It has a field for each type of value. The field Type says which of them is used; the
// others must be zero.
//
//	size  field  encoding  range
//	      Key    varu32
//	      Type   varu32    0..8
//	1     Type   u8        repeated
//	      value            depends on Type
//
// Source: docs/wire/bedrock.md, client-bound packets with a tick.
type MetaEntry struct {
	Key   MetaKey  // kind of information
	Type  MetaType // type of the value, which selects the value field below
	Int   int64    // value of MetaByte, MetaShort, MetaInt and MetaLong
	Float float32  // value of MetaFloat
	Text  string   // value of MetaString
	Tag   NBT      // value of MetaNBT; borrowed from the packet after parsing
	Block BlockPos // value of MetaBlock
	Vec   Vec3     // value of MetaVec3
}

// Minimum size of an encoded MetaEntry, and maximum number of entries in a Metadata.
const (
	minMetaEntry = 4   // bytes of the shortest entry: the key, the type twice, and one byte of value
	maxMetaKeys  = 512 // maximum number of entries; the protocol defines 144 keys
)

// ByteMeta returns an entry of type MetaByte.
func ByteMeta(key MetaKey, v int8) MetaEntry {
	return MetaEntry{Key: key, Type: MetaByte, Int: int64(v)}
}

// IntMeta returns an entry of type MetaInt.
func IntMeta(key MetaKey, v int32) MetaEntry {
	return MetaEntry{Key: key, Type: MetaInt, Int: int64(v)}
}

// LongMeta returns an entry of type MetaLong.
func LongMeta(key MetaKey, v int64) MetaEntry { return MetaEntry{Key: key, Type: MetaLong, Int: v} }

// FloatMeta returns an entry of type MetaFloat.
func FloatMeta(key MetaKey, v float32) MetaEntry {
	return MetaEntry{Key: key, Type: MetaFloat, Float: v}
}

// TextMeta returns an entry of type MetaString.
func TextMeta(key MetaKey, v string) MetaEntry { return MetaEntry{Key: key, Type: MetaString, Text: v} }

// Find returns the entry with the key. ok is false if there is none.
func (m Metadata) Find(key MetaKey) (e MetaEntry, ok bool) {
	for i := range m {
		if m[i].Key == key {
			return m[i], true
		}
	}
	return MetaEntry{}, false
}

// Set inserts the entry e into m, or replaces the entry with the same key. The entries of m must be sorted by key.
func (m *Metadata) Set(e MetaEntry) {
	i, found := slices.BinarySearchFunc(*m, e.Key, func(e MetaEntry, key MetaKey) int { return int(e.Key) - int(key) })
	if found {
		(*m)[i] = e
		return
	}
	*m = slices.Insert(*m, i, e)
}

// SetFlags sets the entries MetaFlags and MetaFlags2 of m to the flags f. The entries of m must be sorted by key.
func (m *Metadata) SetFlags(f ActorFlags) {
	m.Set(LongMeta(MetaFlags, int64(f[0])))
	m.Set(LongMeta(MetaFlags2, int64(f[1])))
}

// Flags returns the actor flags in m. A missing entry counts as 0.
func (m Metadata) Flags() ActorFlags {
	low, _ := m.Find(MetaFlags)
	high, _ := m.Find(MetaFlags2)
	return ActorFlags{uint64(low.Int), uint64(high.Int)}
}

func readMetadata(r *wire.Reader, input []byte) Metadata {
	n := r.VarCount(minMetaEntry, maxMetaKeys)
	if n == 0 {
		return nil
	}
	m := make(Metadata, 0, n)
	for ; n > 0 && r.Err() == nil; n-- {
		e := readMetaEntry(r, input)
		if _, twice := m.Find(e.Key); twice {
			r.Fail(fmt.Errorf("actor metadata contain the key %d twice: %w", e.Key, wire.ErrRange))
		}
		m = append(m, e)
	}
	return m
}

func readMetaEntry(r *wire.Reader, input []byte) MetaEntry {
	e := MetaEntry{Key: MetaKey(r.VarU32())}
	kind := r.VarU32()
	again := r.U8()
	if kind > uint32(MetaVec3) || uint32(again) != kind {
		r.Fail(fmt.Errorf("metadata entry has the type %d and then the type %d, but both must be equal and 0..8: %w", kind, again, wire.ErrRange))
	}
	e.Type = MetaType(kind)
	switch e.Type {
	case MetaByte:
		e.Int = int64(int8(r.U8()))
	case MetaShort:
		e.Int = int64(r.I16())
	case MetaInt:
		e.Int = int64(r.VarI32())
	case MetaFloat:
		e.Float = r.F32()
	case MetaString:
		e.Text = r.VarStr()
	case MetaNBT:
		e.Tag = readNBT(r, input)
	case MetaBlock:
		e.Block = readBlockPos(r)
	case MetaLong:
		e.Int = r.VarI64()
	case MetaVec3:
		e.Vec = readVec3(r)
	}
	return e
}

func appendMetadata(b []byte, m Metadata) []byte {
	b = wire.VarU32(b, uint32(len(m)))
	for i := range m {
		b = appendMetaEntry(b, &m[i])
	}
	return b
}

func appendMetaEntry(b []byte, e *MetaEntry) []byte {
	b = append(wire.VarU32(wire.VarU32(b, uint32(e.Key)), uint32(e.Type)), uint8(e.Type))
	switch e.Type {
	case MetaByte:
		return append(b, uint8(e.Int))
	case MetaShort:
		return wire.I16(b, int16(e.Int))
	case MetaInt:
		return wire.VarI32(b, int32(e.Int))
	case MetaFloat:
		return wire.F32(b, e.Float)
	case MetaString:
		return wire.VarStr(b, e.Text)
	case MetaNBT:
		return appendNBT(b, e.Tag)
	case MetaBlock:
		return appendBlockPos(b, e.Block)
	case MetaLong:
		return wire.VarI64(b, e.Int)
	default:
		return appendVec3(b, e.Vec)
	}
}
