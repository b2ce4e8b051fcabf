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

// configFile is the weakest of the three sources of settings: flags win over TRUESTEP_* variables, and these win over
// the file. Its keys are the names of the flags of serve.
func configFile(args []string) kong.Resolver {
	name, given := configName(args)
	return &fileResolver{name: name, given: given}
}

// configName finds --config before the flags are parsed, since the file helps to parse them.
func configName(args []string) (name string, given bool) {
	for i, a := range args {
		if rest, ok := strings.CutPrefix(a, "--config="); ok {
			return rest, true
		}
		if a == "--config" && i+1 < len(args) {
			return args[i+1], true
		}
	}
	if v, ok := os.LookupEnv("TRUESTEP_CONFIG"); ok {
		return v, true
	}
	return defaultConfig, false
}

// fileResolver reads its file when the first flag asks, and keeps what it found.
type fileResolver struct {
	name   string
	given  bool // by the operator: then it must be there
	read   bool
	values map[string]any
	err    error
}

func (r *fileResolver) load() error {
	if r.read {
		return r.err
	}
	r.read = true
	text, err := os.ReadFile(r.name)
	if errors.Is(err, fs.ErrNotExist) && !r.given {
		return nil
	}
	if err != nil {
		r.err = fmt.Errorf("config: %w; give the file with --config FILE", err)
		return r.err
	}
	if err := toml.Unmarshal(text, &r.values); err != nil {
		var bad toml.ParseError
		r.err = fmt.Errorf("%s: %w", r.name, err)
		if errors.As(err, &bad) {
			r.err = fmt.Errorf("%s:%d: %s", r.name, bad.Position.Line, bad.Message)
		}
	}
	return r.err
}

// Validate refuses keys that serve does not know.
func (r *fileResolver) Validate(app *kong.Application) error {
	known := serveFlags(app)
	for key := range r.values {
		if !slices.Contains(known, key) {
			return fmt.Errorf("%s: unknown key %q; the keys are the flags of serve: %s", r.name, key, strings.Join(known, ", "))
		}
	}
	return nil
}

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

// Resolve gives the file's value of a flag of serve, unless a variable has it.
func (r *fileResolver) Resolve(ctx *kong.Context, parent *kong.Path, flag *kong.Flag) (any, error) {
	if parent.Command == nil || parent.Command.Name != "serve" {
		return nil, nil
	}
	if err := r.load(); err != nil {
		return nil, err
	}
	for _, env := range flag.Envs {
		if _, ok := os.LookupEnv(env); ok {
			return nil, nil
		}
	}
	v, ok := r.values[flag.Name]
	if !ok {
		return nil, nil
	}
	return v, nil
}
