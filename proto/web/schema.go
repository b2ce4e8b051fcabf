package web

import (
	"crypto/sha256"
	"encoding/json"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// Schema describes the kinds of actors with their fields, and the commands and events of the game. Server and client must use the
// same schema, whose hash Hello and Welcome contain. It must not be changed after its first use.
type Schema struct {
	Kinds    []ActorKind   `json:"kinds"`              // kinds of actors; Enter.Kind is an index in this list
	Area     []SchemaField `json:"area,omitempty"`     // fields of areas, in the order of AreaFields.Values
	Commands []Command     `json:"commands,omitempty"` // commands of the game; Act.Command is an index in this list
	Events   []Command     `json:"events,omitempty"`   // events of the game; GameEvent.Event is an index in this list
}

// ActorKind is a kind of actor, such as "player", and the fields of its actors.
type ActorKind struct {
	Name   string        `json:"name"`           // name of the kind, such as "player"
	Fields []SchemaField `json:"fields"`         // fields in snapshots: the built-in ones, then the fast ones of the game
	Slow   []SchemaField `json:"slow,omitempty"` // the game's other fields, which messages contain in Body.Fields
}

// Command declares a command or an event of the game, and its arguments.
type Command struct {
	Name string       `json:"name"`           // name of the command or event
	Help string       `json:"help,omitempty"` // one line for players
	Args []CommandArg `json:"args,omitempty"` // arguments in the order in which players write them
}

// CommandArg declares an argument of a command or an event.
type CommandArg struct {
	Name  string         `json:"name"`            // name of the argument
	Type  CommandArgType `json:"type"`            // number, actor or text
	Min   int32          `json:"min,omitempty"`   // lowest value of a number, in steps
	Max   int32          `json:"max,omitempty"`   // highest value of a number, in steps
	Step  float64        `json:"step,omitempty"`  // displayed value of one step of a number
	Words []string       `json:"words,omitempty"` // names of the values; if the list is not empty, the number is an index in it
}

// CommandArgType is the type of an argument of a command or an event.
type CommandArgType string

// Values of CommandArgType. A command or an event has at most one argument that is an actor, and at most one that is a text,
// because its message has only one place for each.
const (
	ArgNumber CommandArgType = "number" // a number, in Act.Args or GameEvent.Args
	ArgActor  CommandArgType = "actor"  // an actor, in Act.Handle or GameEvent.Other
	ArgText   CommandArgType = "text"   // a text, in Act.Text or GameEvent.Text
)

// SchemaField declares a field of actors or of areas. Its value is an integer.
type SchemaField struct {
	Name string `json:"name"` // name of the field, such as "x"
	// Derived is true for a coordinate, which clients predict from its last value and its speed. If such a prediction is within
	// the tolerance, the server can omit the actor from a snapshot. A field that is not Derived is predicted to keep its last
	// value.
	Derived bool `json:"derived,omitempty"`
	// Wrap is the number of values of a field that wraps around, a power of two: 256 for an angle in 1/256 turns. It is 0 for a
	// field that does not wrap around.
	Wrap int32 `json:"wrap,omitempty"`
	// Step is the value of one unit of the field. For coordinates, which are in units of 1/64 block, it is 1/64.
	Step float64 `json:"step"`

	// The following members are set only in fields that the game declares.
	Min    int32    `json:"min,omitempty"`    // lowest value, in steps
	Max    int32    `json:"max,omitempty"`    // highest value, in steps
	Words  []string `json:"words,omitempty"`  // names of the values; if the list is not empty, the value is an index in it
	To     string   `json:"to,omitempty"`     // clients that receive the value: "party", "self", or "" for all
	Hidden int32    `json:"hidden,omitempty"` // value that all other clients receive instead
}

// form is the part of a field's declaration on which its coding depends. In a snapshot, fields with equal forms share their
// learned probabilities.
type form struct {
	name    string
	derived bool
	wrap    int32
	step    float64
}

func (f *SchemaField) form() form { return form{f.Name, f.Derived, f.Wrap, f.Step} }

// Indices of the built-in fields in ActorKind.Fields. Every kind begins with these fields.
const (
	FieldX        = iota // position east, 1/64 blocks
	FieldY               // position up, 1/64 blocks
	FieldZ               // position south, 1/64 blocks
	FieldYaw             // direction, 1/256 turns; 0 faces +Z
	FieldHealth          // health, 1/255 of the maximum
	FieldFlags           // bits 0..2 motion mode, 3 in the air, 4 dead, 5 connection lost, 6 toggles when the actor jumps to another position
	BuiltinFields        // number of built-in fields
)

// BuiltinSchema returns the schema of a world whose game declares no fields, commands or events.
func BuiltinSchema() Schema {
	fields := []SchemaField{
		{Name: "x", Derived: true, Step: 1. / 64}, {Name: "y", Derived: true, Step: 1. / 64}, {Name: "z", Derived: true, Step: 1. / 64},
		{Name: "yaw", Wrap: 256, Step: 1. / 256}, {Name: "health", Step: 1. / 255}, {Name: "flags", Step: 1},
	}
	return Schema{Kinds: []ActorKind{{Name: "player", Fields: fields}, {Name: "npc", Fields: fields}}}
}

// Validate returns an error if a server must not use the schema. Every kind must begin with the built-in fields, and may have at
// most MaxFields fields and MaxSlow slow ones. The error wraps wire.ErrRange.
func (s *Schema) Validate() error {
	builtin := BuiltinSchema().Kinds[0].Fields
	if len(s.Kinds) == 0 || len(s.Kinds) > maxKinds {
		return fmt.Errorf("the schema has %d kinds of actors; must have 1..%d: %w", len(s.Kinds), maxKinds, wire.ErrRange)
	}
	for _, k := range s.Kinds {
		if len(k.Fields) < len(builtin) || len(k.Fields) > MaxFields || len(k.Slow) > MaxSlow {
			return fmt.Errorf("the kind of actor %q in the schema has %d fields and %d slow fields; must have %d..%d and 0..%d: %w", k.Name, len(k.Fields), len(k.Slow), len(builtin), MaxFields, MaxSlow, wire.ErrRange)
		}
		for i := range builtin {
			if k.Fields[i].form() != builtin[i].form() {
				return fmt.Errorf("schema, actor kind %q: field %q is in the place of the built-in field %q; the list of fields must start with the built-in fields, unchanged and in their order: %w", k.Name, k.Fields[i].Name, builtin[i].Name, wire.ErrRange)
			}
		}
	}
	return nil
}

// maxKinds is the maximum number of kinds of actors in a schema.
const maxKinds = 64

// JSON returns the schema in the form in which clients download it.
func (s *Schema) JSON() []byte {
	b, _ := json.Marshal(s) // plain data does not fail
	return b
}

// Hash returns the first 8 bytes of the SHA-256 of the schema's JSON form.
func (s *Schema) Hash() Hash {
	sum := sha256.Sum256(s.JSON())
	return Hash(sum[:8])
}

// maxFields returns the maximum number of fields that a kind of actor has in snapshots.
func (s *Schema) maxFields() int {
	n := 0
	for i := range s.Kinds {
		n = max(n, len(s.Kinds[i].Fields))
	}
	return n
}
