package web

import (
	"crypto/sha256"
	"encoding/json"
)

// Schema lists the kinds of actors and their fields in snapshots. Server and client must have the same one: its hash is in Hello and
// Welcome. It is immutable after its first use.
type Schema struct {
	Kinds []Kind `json:"kinds"`
}

// Kind is a kind of actor.
type Kind struct {
	Name   string  `json:"name"`
	Fields []Field `json:"fields"`
}

// Field is an integer field of a kind in snapshots.
type Field struct {
	Name string `json:"name"`
	// Derived: the field is a coordinate. Receivers predict it by the speed that its last two values give, and senders leave actors out
	// whose prediction is within tolerance. Otherwise the prediction is the last value.
	Derived bool `json:"derived,omitempty"`
	// Wrap: the field is an angle or another number modulo Wrap, a power of two. 0: it is not.
	Wrap int32 `json:"wrap,omitempty"`
	// Step is the value of a unit, for display: 1/64 for coordinates in blocks.
	Step float64 `json:"step"`
}

// Fields of the built-in kinds.
const (
	FieldX      = iota // 1/64 blocks, east
	FieldY             // 1/64 blocks, up
	FieldZ             // 1/64 blocks, south
	FieldYaw           // 1/256 turns, 0 faces +Z
	FieldHealth        // 0..255 of the maximum
	FieldFlags         // motion mode 0..7; bits 3 in the air, 4 dead, 5 lost connection, 6 changes when the actor is placed elsewhere
	BuiltinFields
)

// Builtin returns the schema of a world without fields of its own.
func Builtin() Schema {
	fields := []Field{
		{Name: "x", Derived: true, Step: 1. / 64}, {Name: "y", Derived: true, Step: 1. / 64}, {Name: "z", Derived: true, Step: 1. / 64},
		{Name: "yaw", Wrap: 256, Step: 1. / 256}, {Name: "health", Step: 1. / 255}, {Name: "flags", Step: 1},
	}
	return Schema{Kinds: []Kind{{Name: "player", Fields: fields}, {Name: "npc", Fields: fields}}}
}

// JSON returns the schema as clients read it.
func (s *Schema) JSON() []byte {
	b, _ := json.Marshal(s) // plain data does not fail
	return b
}

// Hash returns the first 8 bytes of the SHA-256 of the JSON form.
func (s *Schema) Hash() Hash {
	sum := sha256.Sum256(s.JSON())
	return Hash(sum[:8])
}

// maxFields returns the largest number of fields of a kind.
func (s *Schema) maxFields() int {
	n := 0
	for i := range s.Kinds {
		n = max(n, len(s.Kinds[i].Fields))
	}
	return n
}
