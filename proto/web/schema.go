package web

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// Schema lists the kinds of actors and their fields in snapshots. Server and client must have the same one: its hash is in Hello and
// Welcome. It is immutable after its first use.
type Schema struct {
	Kinds    []Kind    `json:"kinds"`
	Area     []Field   `json:"area,omitempty"`     // fields of areas, in an AreaFields
	Commands []Command `json:"commands,omitempty"` // in an Act with VerbCommand
	Events   []Command `json:"events,omitempty"`   // in a GameEvent
}

// Kind is a kind of actor.
type Kind struct {
	Name   string  `json:"name"`
	Fields []Field `json:"fields"`         // in snapshots: the built-in fields and the fast ones of the game
	Slow   []Field `json:"slow,omitempty"` // in a Body: the slow ones of the game
}

// Command is a command or an event of the game.
type Command struct {
	Name string `json:"name"`
	Help string `json:"help,omitempty"` // one line for players
	Args []Arg  `json:"args,omitempty"`
}

// Arg is an argument of a command or an event.
type Arg struct {
	Name  string   `json:"name"`
	Type  ArgType  `json:"type"`
	Min   int32    `json:"min,omitempty"` // range of a number, in steps
	Max   int32    `json:"max,omitempty"`
	Step  float64  `json:"step,omitempty"`  // value of a step of a number, for display
	Words []string `json:"words,omitempty"` // if not empty, the number is an index in them
}

// ArgType is the type of an argument.
type ArgType string

// Values of ArgType. A command or an event has at most one actor and one text, which have places of their own in their messages.
const (
	ArgNumber ArgType = "number"
	ArgActor  ArgType = "actor"
	ArgText   ArgType = "text"
)

// Field is an integer field of a kind or of an area.
type Field struct {
	Name string `json:"name"`
	// Derived: the field is a coordinate. Receivers predict it by the speed that its last two values give, and senders leave actors out
	// whose prediction is within tolerance. Otherwise the prediction is the last value.
	Derived bool `json:"derived,omitempty"`
	// Wrap: the field is an angle or another number modulo Wrap, a power of two. 0: it is not.
	Wrap int32 `json:"wrap,omitempty"`
	// Step is the value of a unit, for display: 1/64 for coordinates in blocks.
	Step float64 `json:"step"`

	// Of a field of the game: its range in steps, the words of which it is the index, and who receives it: "party", "self", or "" for everybody.
	// Other clients receive Hidden in its place.
	Min    int32    `json:"min,omitempty"`
	Max    int32    `json:"max,omitempty"`
	Words  []string `json:"words,omitempty"`
	To     string   `json:"to,omitempty"`
	Hidden int32    `json:"hidden,omitempty"`
}

// form is what the coding of a field depends on. Fields of one form share their contexts.
type form struct {
	name    string
	derived bool
	wrap    int32
	step    float64
}

func (f *Field) form() form { return form{f.Name, f.Derived, f.Wrap, f.Step} }

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

// Check returns an error if the schema cannot be a server's: each kind begins with the built-in fields and has at most MaxFields.
func (s *Schema) Check() error {
	builtin := Builtin().Kinds[0].Fields
	if len(s.Kinds) == 0 || len(s.Kinds) > maxKinds {
		return fmt.Errorf("schema with %d kinds: %w", len(s.Kinds), wire.ErrRange)
	}
	for _, k := range s.Kinds {
		if len(k.Fields) < len(builtin) || len(k.Fields) > MaxFields || len(k.Slow) > MaxSlow {
			return fmt.Errorf("kind %q with %d fields and %d slow ones: %w", k.Name, len(k.Fields), len(k.Slow), wire.ErrRange)
		}
		for i := range builtin {
			if k.Fields[i].form() != builtin[i].form() {
				return fmt.Errorf("kind %q has the field %q in place of %q: %w", k.Name, k.Fields[i].Name, builtin[i].Name, wire.ErrRange)
			}
		}
	}
	return nil
}

// maxKinds is the maximum number of kinds of a schema.
const maxKinds = 64

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
