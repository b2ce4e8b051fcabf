package web

import (
	"fmt"

	proto "github.com/truestep-io/truestep/proto/web"
)

// GameEvent is an event that the rules of the game have sent, such as the start of a round.
type GameEvent struct {
	Name  string             // name of the event in the schema
	Who   *Actor             // actor to which the event belongs; nil for an event of the area or an actor that is not shown
	Other *Actor             // value of the argument that is an actor; nil if there is none
	Args  map[string]float64 // values of the numeric arguments by name, in units; for an argument of words the index of the word
	Text  string             // value of the text argument; "" if there is none
}

// Schema returns the server's schema: the kinds of actors with their fields, and the commands and events of the game. The caller
// must not change it.
func (w *World) Schema() *proto.Schema { return &w.schema }

// Field returns the value of an actor's field that the game declares, in the units of the schema. If the values of the field are
// words, the result is the index of the word in the schema's list. ok is false if actors of this kind have no field with that
// name.
func (w *World) Field(a *Actor, name string) (value float64, ok bool) {
	if int(a.Kind) >= len(w.schema.Kinds) {
		return 0, false
	}
	a.update()
	k := &w.schema.Kinds[a.Kind]
	for i := proto.BuiltinFields; i < len(k.Fields) && i < len(a.values); i++ {
		if f := &k.Fields[i]; f.Name == name {
			return float64(a.values[i]) * f.Step, true
		}
	}
	return named(k.Slow, a.slow, name)
}

// AreaField returns the value of a field of the area that the game declares, in the units of the schema. If the values of the
// field are words, the result is the index of the word in the schema's list. ok is false if there is no field with that name, or
// if the server has not sent its value yet.
func (w *World) AreaField(name string) (value float64, ok bool) {
	return named(w.schema.Area, w.areaFields, name)
}

func named(fields []proto.SchemaField, values []int32, name string) (float64, bool) {
	for i := range fields {
		if fields[i].Name == name && i < len(values) {
			return float64(values[i]) * fields[i].Step, true
		}
	}
	return 0, false
}

// Command requests a command of the game. It returns the number of the request, for which World.Answer returns the server's
// answer later. The parameter args holds the command's arguments in the order of the schema: an int for a number (as a multiple
// of the schema's step), a string for a word or a text, and an *Actor for an actor. The error says that the game has no such
// command or that the arguments do not match the schema.
func (w *World) Command(name string, args ...any) (number uint16, err error) {
	for i := range w.schema.Commands {
		if c := &w.schema.Commands[i]; c.Name == name {
			return w.command(uint8(i), c, args)
		}
	}
	return 0, fmt.Errorf("the game on the server has no command %q", name)
}

func (w *World) command(id uint8, c *proto.Command, args []any) (uint16, error) {
	if len(args) != len(c.Args) {
		return 0, fmt.Errorf("command %s needs %d arguments but got %d", c.Name, len(c.Args), len(args))
	}
	act := proto.Act{Verb: proto.VerbCommand, Handle: proto.NoHandle, Command: id, Args: make([]int32, len(args))}
	for i := range args {
		ok := false
		switch v := args[i].(type) {
		case int:
			act.Args[i], ok = int32(v), c.Args[i].Type == proto.ArgNumber
		case *Actor:
			act.Handle, ok = v.Handle, c.Args[i].Type == proto.ArgActor
		case string:
			if act.Args[i], ok = indexOf(c.Args[i].Words, v); !ok {
				act.Text, ok = v, c.Args[i].Type == proto.ArgText
			}
		}
		if !ok {
			return 0, fmt.Errorf("command %s: argument %s must be of type %s, but is %v", c.Name, c.Args[i].Name, c.Args[i].Type, args[i])
		}
	}
	return w.Request(act), nil
}

func indexOf(words []string, word string) (int32, bool) {
	for i := range words {
		if words[i] == word {
			return int32(i), true
		}
	}
	return 0, false
}

// handleGame appends an event that the rules of the game have sent to World.Happenings.
func (w *World) handleGame(m *proto.GameEvent) {
	if int(m.Event) >= len(w.schema.Events) {
		return
	}
	def := &w.schema.Events[m.Event]
	h := GameEvent{Name: def.Name, Who: w.Actors[m.Who], Other: w.Actors[m.Other], Text: m.Text, Args: map[string]float64{}}
	for i := range def.Args {
		if a := &def.Args[i]; a.Type == proto.ArgNumber && i < len(m.Args) {
			h.Args[a.Name] = float64(m.Args[i]) * a.Step
		}
	}
	w.Happenings = append(w.Happenings, h)
}
