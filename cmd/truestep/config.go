package main

import (
	"errors"
	"fmt"
	"io/fs"
	"os"
	"slices"
	"strings"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"
)

// defaultConfig is read if it is there and --config names no other.
const defaultConfig = "truestep.toml"

// fileCommands take settings from the file, whose keys are the flags of serve. The others work on somebody's server, or
// on none.
var fileCommands = []string{"serve", "import-accounts", "why", "token"}

// settings are what flags may be set by beside the command line: TRUESTEP_* variables, and behind them a TOML file. It
// is kong's resolver: asked for every flag that the command line leaves open.
type settings struct {
	given    bool // the operator named the file: then it must be there
	file     string
	text     string
	keys     map[string]any
	problems []error
}

// newSettings finds --config before the flags are parsed, since the file helps to parse them.
func newSettings(args []string) *settings {
	s := &settings{file: defaultConfig}
	if v := os.Getenv(variable("config")); v != "" {
		s.file, s.given = v, true
	}
	for i, a := range args {
		if rest, ok := strings.CutPrefix(a, "--config="); ok {
			s.file, s.given = rest, true
		} else if a == "--config" && i+1 < len(args) {
			s.file, s.given = args[i+1], true
		}
	}
	if len(args) > 0 && slices.Contains(fileCommands, args[0]) {
		s.read()
	}
	return s
}

// variable is the name of the variable that sets a flag.
func variable(flag string) string {
	return "TRUESTEP_" + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

// ownWords are flags of swarm mixed that mean something else to serve: how many players there are, not where a door is,
// and a URL, not what to listen on. What is set for a server must not reach them.
var ownWords = []string{"rcce", "rs", "bedrock", "console"}

// variableOf is the name of the variable that sets a flag of a command.
func variableOf(c *kong.Command, flag string) string {
	if c.Name == "mixed" && slices.Contains(ownWords, flag) {
		return variable("swarm-" + flag)
	}
	return variable(flag)
}

// read reads the file. What is wrong with it is told by Validate.
func (s *settings) read() {
	text, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) && !s.given {
		return
	}
	if err != nil {
		s.fail("config: %w; name a file that can be read with --config FILE", err)
		return
	}
	s.text = string(text)
	if err := toml.Unmarshal(text, &s.keys); err != nil {
		s.keys = nil
		if bad, ok := errors.AsType[toml.ParseError](err); ok {
			s.fail("%s:%d: %s", s.file, bad.Position.Line, bad.Message)
		} else {
			s.fail("%s: %w", s.file, err)
		}
	}
}

func (s *settings) fail(format string, args ...any) {
	s.problems = append(s.problems, fmt.Errorf(format, args...))
}

// place is file:line of a key, for messages.
func (s *settings) place(key string) string {
	n := 0
	for line := range strings.SplitSeq(s.text, "\n") {
		n++
		rest, ok := strings.CutPrefix(strings.TrimLeft(line, " \t[\"'"), key)
		if ok && (rest == "" || strings.ContainsRune(" \t=.]\"'\r", rune(rest[0]))) {
			return fmt.Sprintf("%s:%d", s.file, n)
		}
	}
	return s.file
}

// Resolve gives the value of a flag that is not on the command line, nil for its default. Values that do not fit are
// kept for Validate.
func (s *settings) Resolve(ctx *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	switch flag.Name {
	case "help", "config", "print-config":
		return nil, nil
	}
	rival := rivals[flag.Name]
	if rival != "" && onCommandLine(ctx, rival) {
		return nil, nil
	}
	name := variable(flag.Name)
	if parent.Command != nil {
		name = variableOf(parent.Command, flag.Name)
	}
	v, rivalV := os.Getenv(name), os.Getenv(variable(rival))
	switch {
	case rival != "" && v != "" && rivalV != "":
		s.fail("%s and %s are both set: there is only one world", variable(min(flag.Name, rival)), variable(max(flag.Name, rival)))
		return nil, nil
	case rival != "" && rivalV != "":
		return nil, nil
	case v != "":
		if why := misfit(flag, v); why != "" {
			s.fail("%s: %q %s", name, v, why)
			return nil, nil
		}
		return v, nil
	case parent.Command == nil || !slices.Contains(fileCommands, outermost(parent.Command)):
		return nil, nil
	}
	return s.fromFile(flag, rival)
}

// outermost is the name of the command that a command is part of, or its own.
func outermost(c *kong.Command) string {
	for c.Parent != nil && c.Parent.Type == kong.CommandNode {
		c = c.Parent
	}
	return c.Name
}

// fromFile is Resolve for the file. An empty text is the default, as --print-config prints it.
func (s *settings) fromFile(flag *kong.Flag, rival string) (any, error) {
	v, ok := s.keys[flag.Name]
	if !ok || v == "" {
		return nil, nil
	}
	if other, ok := s.keys[rival]; ok && other != "" {
		s.fail("%s: world and rcce-project are both set: there is only one world", s.place("world"))
		return nil, nil
	}
	if why := mistyped(flag, v); why != "" {
		s.fail("%s: %s %s", s.place(flag.Name), flag.Name, why)
		return nil, nil
	}
	return v, nil
}

// rivals are settings of which only one can be. The stronger source decides; both in one source are an error.
var rivals = map[string]string{"world": "rcce-project", "rcce-project": "world"}

func onCommandLine(ctx *kong.Context, name string) bool {
	return slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == name && !p.Resolved })
}

// Validate tells everything that is wrong with the variables and the file.
func (s *settings) Validate(app *kong.Application) error {
	known := serveFlags(app)
	for key := range s.keys {
		if !slices.Contains(known, key) {
			s.fail("%s: unknown key %q; the keys are the flags of serve: %s", s.place(key), key, strings.Join(known, ", "))
		}
	}
	if len(s.problems) == 0 {
		return nil
	}
	slices.SortFunc(s.problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	s.problems = slices.CompactFunc(s.problems, func(a, b error) bool { return a.Error() == b.Error() })
	return &settingsError{errors.Join(s.problems...)}
}

// settingsError says where the setting is: the help of flags has nothing to add.
type settingsError struct{ error }

func (e *settingsError) Unwrap() error { return e.error }

// serveFlags are the names that the file may use.
func serveFlags(app *kong.Application) []string {
	var names []string
	for _, node := range app.Children {
		if node.Name != "serve" {
			continue
		}
		for _, f := range node.Flags {
			if f.Name != "help" && f.Name != "config" && f.Name != "print-config" {
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}
