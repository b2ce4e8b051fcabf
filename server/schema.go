package server

import (
	"bytes"
	"encoding/json"
	"fmt"
	"io"
	"strings"

	"github.com/truestep-io/truestep/gateway/web"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
)

// Schema is the command that prints the fields, commands and events that the game of a world declares, in a form for programs.
type Schema struct {
	TypeScript bool `name:"ts" help:"Print TypeScript types for @truestep/client instead of JSON."`
	WorldConfig
}

// Print loads the world and writes its schema, as JSON that clients of the web door also receive, or as TypeScript.
func (c *Schema) Print(out io.Writer) error {
	if err := c.WorldConfig.Check(); err != nil {
		return err
	}
	w, err := c.Load()
	if err != nil {
		return err
	}
	schema := web.Schema(w.World.World)
	if c.TypeScript {
		_, err = io.WriteString(out, typesOf(w.World.Name, &schema))
		return err
	}
	var b bytes.Buffer
	if err := json.Indent(&b, schema.JSON(), "", "  "); err != nil {
		return err
	}
	b.WriteByte('\n')
	_, err = out.Write(b.Bytes())
	return err
}

// typesOf returns the TypeScript declarations of a schema.
func typesOf(world string, s *proto.Schema) string {
	var b strings.Builder
	usesActor := false
	for _, list := range [][]proto.Command{s.Commands, s.Events} {
		for _, c := range list {
			for _, a := range c.Args {
				usesActor = usesActor || a.Type == proto.ArgActor
			}
		}
	}
	imports := "GameData"
	if usesActor {
		imports = "Actor, GameData"
	}
	fmt.Fprintf(&b, "// The data of the game of the world %q, written by truestep schema --ts. Use it as connect<Game>(...).\n", world)
	fmt.Fprintf(&b, "import type { %s } from '@truestep/client';\n\nexport interface Game extends GameData {\n", imports)
	for _, k := range s.Kinds {
		writeFields(&b, k.Name, append(append([]proto.SchemaField(nil), k.Fields[proto.BuiltinFields:]...), k.Slow...))
	}
	writeFields(&b, "area", s.Area)
	writeCommands(&b, "commands", s.Commands, "")
	writeCommands(&b, "events", s.Events, "?")
	b.WriteString("}\n")
	return b.String()
}

func writeFields(b *strings.Builder, name string, fields []proto.SchemaField) {
	if len(fields) == 0 {
		fmt.Fprintf(b, "  %s: {};\n", name)
		return
	}
	fmt.Fprintf(b, "  %s: {\n", name)
	for _, f := range fields {
		about := ""
		if f.To != "" {
			about = ", only to " + f.To
		}
		if len(f.Words) == 0 {
			fmt.Fprintf(b, "    /** %s%s */\n", rangeText(f.Min, f.Max, f.Step), about)
		} else if about != "" {
			fmt.Fprintf(b, "    /** %s */\n", about[2:])
		}
		fmt.Fprintf(b, "    %s: %s;\n", f.Name, typeOf(proto.ArgNumber, f.Words))
	}
	b.WriteString("  };\n")
}

// writeCommands writes the TypeScript types of commands or events. Arguments that are actors may be missing in events; the
// parameter optional is then "?", the TypeScript mark for an optional field.
func writeCommands(b *strings.Builder, name string, list []proto.Command, optional string) {
	if len(list) == 0 {
		fmt.Fprintf(b, "  %s: {};\n", name)
		return
	}
	fmt.Fprintf(b, "  %s: {\n", name)
	for _, c := range list {
		if c.Help != "" {
			fmt.Fprintf(b, "    /** %s */\n", strings.ReplaceAll(c.Help, "*/", "* /"))
		}
		args := make([]string, len(c.Args))
		for i, a := range c.Args {
			mark := ""
			if a.Type == proto.ArgActor {
				mark = optional
			}
			args[i] = fmt.Sprintf("%s%s: %s", a.Name, mark, typeOf(a.Type, a.Words))
			if a.Type == proto.ArgNumber && len(a.Words) == 0 {
				args[i] = fmt.Sprintf("/** %s */ %s", rangeText(a.Min, a.Max, a.Step), args[i])
			}
		}
		if len(args) == 0 {
			fmt.Fprintf(b, "    %s: {};\n", c.Name)
		} else {
			fmt.Fprintf(b, "    %s: { %s };\n", c.Name, strings.Join(args, "; "))
		}
	}
	b.WriteString("  };\n")
}

// rangeText returns the range of a number as text, such as "0 to 50 in steps of 0.1". The parameters lo and hi are the limits of
// the range, as multiples of step.
func rangeText(lo, hi int32, step float64) string {
	text := fmt.Sprintf("%v to %v", units(lo, step), units(hi, step))
	if step != 1 {
		text += fmt.Sprintf(" in steps of %v", step)
	}
	return text
}

// units returns the value of a field that is stored as a number of steps. It rounds, so that 3 steps of 0.1 become 0.3 and not
// 0.30000000000000004.
func units(steps int32, step float64) string {
	return fmt.Sprintf("%.12g", float64(steps)*step)
}

func typeOf(kind proto.CommandArgType, words []string) string {
	switch {
	case kind == proto.ArgActor:
		return "Actor"
	case kind == proto.ArgText:
		return "string"
	case len(words) > 0:
		return "'" + strings.Join(words, "' | '") + "'"
	}
	return "number"
}

// loadGame calls make to create the game of a loaded world, and stores the game in the world. If make is nil, the world gets no
// game.
func loadGame(w *sim.World, make func(*sim.World) (sim.Game, error)) (err error) {
	if make != nil {
		w.Game, err = make(w)
	}
	return err
}
