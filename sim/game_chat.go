package sim

import (
	"fmt"
	"math"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/sim/reason"
)

// CommandLine in Intent.SlotA says that the intent, an IntentCommand, contains a line that a player typed: the name of a command
// and its arguments, such as "buy bread 2". The line is in Intent.Text. Doors whose clients do not know the game's schema submit
// such intents.
const CommandLine = 255

// handleCommandLine executes a command line that a player typed. If it is invalid, the player is sent the usage of the
// command.
func (a *Area) handleCommandLine(x *actor, in *Intent) {
	schema := &a.world.Schema
	word, rest, _ := strings.Cut(strings.TrimSpace(in.Text), " ")
	for i := range schema.Commands {
		def := &schema.Commands[i]
		if !EqualFold(def.Name, word) {
			continue
		}
		c := Command{ID: CommandID(i)}
		if problem := a.parseArgs(&c, def.Args, rest); problem != "" {
			a.refuseCommand(x, in.Serial, reason.BadArgument, 0, 0, problem+" Usage: "+def.Usage())
			return
		}
		a.runCommand(x, &c, in.Serial)
		return
	}
	a.refuseCommand(x, in.Serial, reason.NoSuchCommand, 0, 0, "There is no command /"+word+". "+schema.CommandList())
}

// CommandList returns a sentence with the usage of all commands of the game, for players. It returns "" if there are
// none.
func (s *GameSchema) CommandList() string {
	if len(s.Commands) == 0 {
		return ""
	}
	list := make([]string, len(s.Commands))
	for i := range s.Commands {
		list[i] = s.Commands[i].Usage()
	}
	return "Commands of the game: " + strings.Join(list, ", ")
}

// Usage returns how a player types a command, such as "/buy bread|sword AMOUNT".
func (c *GameCommand) Usage() string {
	var b strings.Builder
	b.WriteString("/" + c.Name)
	for i := range c.Args {
		arg := &c.Args[i]
		if len(arg.Words) > 0 && len(arg.Words) <= 8 {
			b.WriteString(" " + strings.Join(arg.Words, "|"))
		} else {
			b.WriteString(" " + strings.ToUpper(arg.Name))
		}
	}
	return b.String()
}

// parseArgs parses the arguments of a typed command into c. If the last argument is a text or the name of an actor, it extends to
// the end of the line. The result is a sentence about the first argument that is missing, malformed or out of range, or "" if all
// are valid.
func (a *Area) parseArgs(c *Command, args []GameArg, line string) (problem string) {
	for i := range args {
		arg := &args[i]
		line = strings.TrimSpace(line)
		word := line
		if arg.Kind == ArgNumber || arg.Kind == ArgActor && i < len(args)-1 {
			word, line, _ = strings.Cut(line, " ")
		} else {
			line = ""
		}
		switch {
		case word == "":
			return strings.ToUpper(arg.Name) + " is missing."
		case arg.Kind == ArgText:
			c.Text = word
		case arg.Kind == ArgActor:
			if c.Actor = a.actorNamed(word); c.Actor == 0 {
				return fmt.Sprintf("There is nobody called %q here.", word)
			}
		default:
			v, ok := arg.parse(word)
			if !ok {
				return fmt.Sprintf("%q is not a valid %s.", word, arg.Name)
			}
			c.Args[i] = v
		}
	}
	if strings.TrimSpace(line) != "" {
		return fmt.Sprintf("The command has no argument for %q.", strings.TrimSpace(line))
	}
	return ""
}

// actorNamed returns the id of the player with that name in the area. If there is none, it returns the lowest id of an NPC with
// that name, or 0.
func (a *Area) actorNamed(name string) EntityID {
	found := EntityID(0)
	for _, x := range a.actors {
		switch {
		case x.gone || !EqualFold(x.name, name):
		case x.player:
			return x.id
		case found == 0:
			found = x.id
		}
	}
	return found
}

// parse converts a typed argument to the integer that a Command contains. A number is converted to steps (multiples of
// GameArg.Step), one of the argument's words to its index.
func (arg *GameArg) parse(text string) (steps int32, ok bool) {
	for i, w := range arg.Words {
		if EqualFold(w, text) {
			return int32(i), true
		}
	}
	units, err := strconv.ParseFloat(text, 64)
	if err != nil || len(arg.Words) > 0 {
		return 0, false
	}
	v := math.Round(units / arg.Step)
	if !(v >= float64(arg.Min) && v <= float64(arg.Max)) {
		return 0, false
	}
	return int32(v), true
}
