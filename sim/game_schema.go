package sim

import (
	"errors"
	"fmt"
	"strings"
)

// Limits of what a game may declare in its world file.
const (
	MaxFastFields   = 24            // maximum number of fields of a kind that are sent in snapshots
	MaxSlowFields   = 64            // maximum number of other fields of a kind: those sent when they change, and those that no client is sent
	MaxGameCommands = 64            // maximum number of commands
	MaxGameEvents   = 64            // maximum number of kinds of events
	MaxGameArgs     = 8             // maximum number of arguments of a command or event
	MaxGameWords    = 64            // maximum number of words (named values) among which a field or argument can choose
	MaxGameValue    = 1_000_000_000 // largest absolute value of a field or argument, in steps
	MaxGameText     = 250           // maximum length in bytes of an argument that is a text
)

// GameSchema is what a game declares in its world file: fields of actors and areas, commands of players, and events. The
// zero value declares nothing.
type GameSchema struct {
	Fields   [NumFieldKinds][]GameField // fields of players, NPCs and areas, indexed by FieldKind
	Commands []GameCommand              // commands that players can submit, indexed by CommandID
	Events   []GameEvent                // events that the rules can emit, indexed by EventID
}

// FieldKind is the kind of a field's owner, that is, of the object that has the field: a player, an NPC or an area.
type FieldKind uint8

// Values of FieldKind: the objects that can have fields.
const (
	FieldOfPlayer FieldKind = iota
	FieldOfNPC
	FieldOfArea
	NumFieldKinds
)

// fieldKindNames are the names of the field kinds in world files.
var fieldKindNames = [NumFieldKinds]string{"player", "npc", "area"}

// String returns the name of the kind in world files: player, npc or area.
func (k FieldKind) String() string { return fieldKindNames[k] }

// Audience selects the players whose clients receive a field or an event.
type Audience uint8

// Values of Audience, from all players to none.
const (
	ToAll    Audience = iota // every player that sees the actor, or is in the area
	ToParty                  // the player itself and the members of its party
	ToSelf                   // the player itself
	ToNobody                 // no client: the value exists only on the server
)

// GameField is an integer that each player, each NPC or each area has. Its value is a number of steps: a field with Step
// 0.1 and the value 25 means 2.5.
type GameField struct {
	Name     string
	Min, Max int32    // range of the value, in steps
	Default  int32    // value of a new actor or area, in steps
	Step     float64  // size of a step in units, for display: 1 for whole numbers
	Words    []string // if not nil, the value is an index in Words, 0..len(Words)-1
	To       Audience // players whose clients receive the field
	Slow     bool     // true: sent in a control message when it changes; false: sent in snapshots
	// Linear tells clients how to display a field that is sent in snapshots (Slow is false). If it is true, the value changes at
	// a steady rate, and clients calculate values between and after two received ones. If it is false, clients display the last
	// received value.
	Linear bool
	Save   bool // for fields of players: true: the value is stored in the player's record; false: each login begins with Default
}

// ArgKind says whether an argument of a command or event is a number, an actor or a text.
type ArgKind uint8

// Values of ArgKind: the types of arguments.
const (
	ArgNumber ArgKind = iota // an integer in steps, or an index in GameArg.Words
	ArgActor                 // an actor of the area; a command or an event has at most one
	ArgText                  // text in UTF-8; a command or an event has at most one
)

// GameArg declares an argument of a game's command or event: its name, kind and range.
type GameArg struct {
	Name     string
	Kind     ArgKind
	Min, Max int32    // range of a number, in steps
	Step     float64  // size of a step in units, for display: 1 for whole numbers
	Words    []string // if not nil, the number is an index in Words
}

// GameCommand declares a command: a request to the game's rules that players can make.
type GameCommand struct {
	Name string    // name in the world file, and first word of the typed command
	Help string    // description for players, one line
	Args []GameArg // arguments of the command, in order
}

// GameEvent declares an event of a game: a kind of message that the game's rules send to clients.
type GameEvent struct {
	Name string    // name in the world file
	To   Audience  // players whose clients receive the event
	Args []GameArg // arguments of the event, in order
}

// FieldID identifies a field of a GameSchema. GameSchema.Field returns it. The zero value is invalid.
type FieldID struct {
	kind FieldKind
	slot uint8 // index in GameSchema.Fields[kind], plus 1
}

// CommandID is the index of a command in GameSchema.Commands.
type CommandID uint8

// EventID is the index of an event in GameSchema.Events.
type EventID uint8

// Field returns the ID of a field, or an error if the world file does not declare it.
func (s *GameSchema) Field(kind FieldKind, name string) (FieldID, error) {
	for i := range s.Fields[kind] {
		if s.Fields[kind][i].Name == name {
			return FieldID{kind, uint8(i + 1)}, nil
		}
	}
	return FieldID{}, fmt.Errorf("the world file declares no field %q of kind %q: add [[field]] with kind = %q and name = %q", name, kind, kind, name)
}

// Command returns the ID of a command, or an error if the world file does not declare it.
func (s *GameSchema) Command(name string) (CommandID, error) {
	for i := range s.Commands {
		if s.Commands[i].Name == name {
			return CommandID(i), nil
		}
	}
	return 0, fmt.Errorf("the world file declares no command %q: add [[command]] with name = %q", name, name)
}

// Event returns the ID of an event, or an error if the world file does not declare it.
func (s *GameSchema) Event(name string) (EventID, error) {
	for i := range s.Events {
		if s.Events[i].Name == name {
			return EventID(i), nil
		}
	}
	return 0, fmt.Errorf("the world file declares no event %q: add [[event]] with name = %q", name, name)
}

// IsEmpty reports whether the game declares nothing.
func (s *GameSchema) IsEmpty() bool {
	for _, fields := range s.Fields {
		if len(fields) > 0 {
			return false
		}
	}
	return len(s.Commands) == 0 && len(s.Events) == 0
}

// hash mixes the schema into h. It omits the parts that affect neither the states of areas, nor the records of players, nor the
// messages to clients, such as GameField.Step.
func (s *GameSchema) hash(h *hash64) {
	for kind := range s.Fields {
		for i := range s.Fields[kind] {
			f := &s.Fields[kind][i]
			h.str(f.Name)
			h.i32(f.Min, f.Max)
			h.i32(f.Default, int32(f.To))
			h.u64(bits(f.Slow, f.Linear, f.Save))
			h.str(strings.Join(f.Words, " "))
		}
		h.u64(uint64(len(s.Fields[kind])))
	}
	args := func(name string, args []GameArg) {
		h.str(name)
		for i := range args {
			h.str(args[i].Name)
			h.i32(args[i].Min, args[i].Max)
			h.str(strings.Join(args[i].Words, " "))
			h.u64(uint64(args[i].Kind))
		}
	}
	for i := range s.Commands {
		args(s.Commands[i].Name, s.Commands[i].Args)
	}
	for i := range s.Events {
		args(s.Events[i].Name, s.Events[i].Args)
		h.u64(uint64(s.Events[i].To))
	}
}

// Binding looks up the IDs of the fields, commands and events that a game uses. It collects an error for each name that the world
// file does not declare. The game calls Err once after all lookups.
type Binding struct {
	schema *GameSchema
	errs   []error
}

// Bind returns a Binding, with which a game looks up the IDs of its fields, commands and events in this schema.
func (s *GameSchema) Bind() *Binding { return &Binding{schema: s} }

func bound[T any](b *Binding, id T, err error) T {
	if err != nil {
		b.errs = append(b.errs, err)
	}
	return id
}

func (b *Binding) field(kind FieldKind, name string) FieldID {
	id, err := b.schema.Field(kind, name)
	return bound(b, id, err)
}

// Player returns the ID of a field of players. If the world file does not declare it, Err reports that.
func (b *Binding) Player(name string) FieldID { return b.field(FieldOfPlayer, name) }

// NPC returns the ID of a field of NPCs. If the world file does not declare it, Err reports that.
func (b *Binding) NPC(name string) FieldID { return b.field(FieldOfNPC, name) }

// Area returns the ID of a field of areas. If the world file does not declare it, Err reports that.
func (b *Binding) Area(name string) FieldID { return b.field(FieldOfArea, name) }

// Command returns the ID of a command. If the world file does not declare it, Err reports that.
func (b *Binding) Command(name string) CommandID {
	id, err := b.schema.Command(name)
	return bound(b, id, err)
}

// Event returns the ID of an event. If the world file does not declare it, Err reports that.
func (b *Binding) Event(name string) EventID {
	id, err := b.schema.Event(name)
	return bound(b, id, err)
}

// Err returns nil if the world file declares all names that were looked up, else one error for each missing name, joined.
func (b *Binding) Err() error { return errors.Join(b.errs...) }
