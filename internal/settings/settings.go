// Package settings provides values for flags of a kong command line that the user has not given: from environment variables, or
// else from a TOML file. A Source is a kong.Resolver: kong calls Resolve for the value of each such flag, and at the end
// Validate for all errors in the variables and the file.
//
//	source := settings.Read(settings.Options{Args: os.Args[1:], Prefix: "TRUESTEP_", File: "truestep.toml", ...})
//	parser, err := kong.New(&cli, kong.Resolvers(source))
//
// The flag --config, or its environment variable, names the file. Without them, Options.File is read if it exists.
package settings

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

// Options configures a Source.
type Options struct {
	Args   []string // arguments of the command line, without the program's name
	Prefix string   // prefix of the environment variables: "TRUESTEP_"
	File   string   // name of the file that is read if it exists and --config names no other

	Commands   []string // commands for which the file is read; only the first word of a command counts
	KeyCommand string   // command whose flags are the keys of the file

	// Exclusive are the names of two flags that must not both be set. If they are set in different sources, the flag in the
	// source of higher precedence is used: the command line comes first, then variables, then the file. If one source sets both,
	// the error gives ExclusiveWhy as the reason.
	Exclusive    [2]string
	ExclusiveWhy string // why the two flags exclude each other, as the end of an error message

	// Variable returns the name from which the environment variable of a command's flag is formed. It may differ from the flag's
	// name, because two commands can have flags with the same name and different meanings. If Variable is nil, the name of the
	// flag is used.
	Variable func(command, flag string) string
}

// Source reads the values of flags from environment variables and the file.
type Source struct {
	opt      Options
	named    bool           // --config or its variable names the file, which therefore must exist
	file     string         // path of the file
	text     string         // content of the file
	keys     map[string]any // parsed content of the file
	problems []error        // errors that Validate returns
}

// ignored are the flags that can only be set on the command line: Resolve looks for them neither in environment variables nor in
// the file. Only config also has a variable, which Read looks up.
var ignored = []string{"help", "version", "config", "print-config", "accept-loss", "tape-discard", "cluster-begin"}

// isOnlyFlag reports whether a flag can only be set on the command line.
func isOnlyFlag(name string) bool { return slices.Contains(ignored, name) }

// Read finds the name of the file in the argument --config, or else in the flag's environment variable, and reads the file.
// Errors in the file are returned by Validate.
func Read(o Options) *Source {
	s := &Source{opt: o, file: o.File}
	if v := os.Getenv(s.variable("config")); v != "" {
		s.file, s.named = v, true
	}
	for i, a := range o.Args {
		if rest, ok := strings.CutPrefix(a, "--config="); ok {
			s.file, s.named = rest, true
		} else if a == "--config" && i+1 < len(o.Args) {
			s.file, s.named = o.Args[i+1], true
		}
	}
	if len(o.Args) > 0 && slices.Contains(o.Commands, o.Args[0]) {
		s.readFile()
	}
	return s
}

// variable returns the name of the environment variable that sets a flag, with the prefix of s.
func (s *Source) variable(flag string) string { return Variable(s.opt.Prefix, flag) }

// Variable returns the name of the environment variable that sets a flag: for the prefix TRUESTEP_ and the flag data-dir it is
// TRUESTEP_DATA_DIR.
func Variable(prefix, flag string) string {
	return prefix + strings.ToUpper(strings.ReplaceAll(flag, "-", "_"))
}

func (s *Source) readFile() {
	text, err := os.ReadFile(s.file)
	if errors.Is(err, fs.ErrNotExist) && !s.named {
		return
	}
	if err != nil {
		s.fail("read the configuration file: %w; name another one with --config FILE", err)
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

func (s *Source) fail(format string, args ...any) {
	s.problems = append(s.problems, fmt.Errorf(format, args...))
}

// position returns where a key is set in the configuration file, as FILE:LINE. It returns only FILE if no line begins with the
// key.
func (s *Source) position(key string) string {
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

// excludes returns the flag that must not be set together with the given flag, or "" if there is no such flag.
func (s *Source) excludes(flag string) string {
	switch flag {
	case s.opt.Exclusive[0]:
		return s.opt.Exclusive[1]
	case s.opt.Exclusive[1]:
		return s.opt.Exclusive[0]
	}
	return ""
}

// Resolve returns the value of a flag that is not on the command line: from its environment variable, else from the file, else
// nil. It also returns nil for an invalid value, which Validate reports. It implements kong.Resolver.
func (s *Source) Resolve(ctx *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	if slices.Contains(ignored, flag.Name) {
		return nil, nil
	}
	other := s.excludes(flag.Name)
	if other != "" && isOnCommandLine(ctx, other) {
		return nil, nil
	}
	name := s.variable(flag.Name)
	if parent.Command != nil && s.opt.Variable != nil {
		name = s.variable(s.opt.Variable(parent.Command.Name, flag.Name))
	}
	value, otherValue := os.Getenv(name), ""
	if other != "" {
		otherValue = os.Getenv(s.variable(other))
	}
	switch {
	case value != "" && otherValue != "":
		s.fail("%s and %s are both set: %s", s.variable(min(flag.Name, other)), s.variable(max(flag.Name, other)), s.opt.ExclusiveWhy)
		return nil, nil
	case otherValue != "":
		return nil, nil
	case value != "":
		if why := textMisfit(flag, value); why != "" {
			s.fail("%s: %q %s", name, value, why)
			return nil, nil
		}
		return value, nil
	case parent.Command == nil || !slices.Contains(s.opt.Commands, outermost(parent.Command)):
		return nil, nil
	}
	return s.fromFile(flag, other)
}

// outermost returns the first word of a command, such as swarm for "swarm rs". It is the name of the command's outermost parent.
func outermost(c *kong.Command) string {
	for c.Parent != nil && c.Parent.Type == kong.CommandNode {
		c = c.Parent
	}
	return c.Name
}

// fromFile returns the value of a flag in the configuration file, or nil if the file does not set it. An empty string in the file
// counts as not set, because --print-config prints it for flags without a value. The parameter other is the flag that must not be
// set together with this one, or "" if there is none.
func (s *Source) fromFile(flag *kong.Flag, other string) (any, error) {
	v, ok := s.keys[flag.Name]
	if !ok || v == "" {
		return nil, nil
	}
	if o, ok := s.keys[other]; ok && o != "" {
		pair := s.opt.Exclusive
		s.fail("%s: %s and %s are both set: %s", s.position(pair[0]), pair[0], pair[1], s.opt.ExclusiveWhy)
		return nil, nil
	}
	if why := valueMisfit(flag, v); why != "" {
		s.fail("%s: %s %s", s.position(flag.Name), flag.Name, why)
		return nil, nil
	}
	return v, nil
}

func isOnCommandLine(ctx *kong.Context, name string) bool {
	return slices.ContainsFunc(ctx.Path, func(p *kong.Path) bool { return p.Flag != nil && p.Flag.Name == name && !p.Resolved })
}

// Validate returns an *Error with all errors in the variables and the file, sorted, or nil. It implements kong.Resolver.
func (s *Source) Validate(app *kong.Application) error {
	known := s.keyNames(app)
	for key := range s.keys {
		if !slices.Contains(known, key) {
			s.fail("%s: unknown key %q; the keys are the flags of %s: %s", s.position(key), key, s.opt.KeyCommand, strings.Join(known, ", "))
		}
	}
	if len(s.problems) == 0 {
		return nil
	}
	slices.SortFunc(s.problems, func(a, b error) int { return strings.Compare(a.Error(), b.Error()) })
	s.problems = slices.CompactFunc(s.problems, func(a, b error) bool { return a.Error() == b.Error() })
	return &Error{errors.Join(s.problems...)}
}

// Error holds the errors in environment variables and the config file. Each line names the variable, or the file and the line.
type Error struct{ error }

// Unwrap returns the joined errors.
func (e *Error) Unwrap() error { return e.error }

// keyNames returns the keys that are allowed in the file, sorted.
func (s *Source) keyNames(app *kong.Application) []string {
	var names []string
	for _, node := range app.Children {
		if node.Name != s.opt.KeyCommand {
			continue
		}
		for _, f := range node.Flags {
			if !slices.Contains(ignored, f.Name) {
				names = append(names, f.Name)
			}
		}
	}
	slices.Sort(names)
	return names
}
