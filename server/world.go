package server

import (
	"errors"
	"fmt"
	"io/fs"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// WorldConfig selects the world to load and the rules to override in it. The zero value selects the unchanged embedded world.
type WorldConfig struct {
	// Text is the content of the world file, for a program that embeds the file. World is then the name of the file in messages.
	// If Text is nil, the server reads the file World.
	Text []byte `kong:"-" json:"-" toml:"-"`
	// Game creates the rules of the world's game. If Game is nil, the world has no game.
	Game func(*sim.World) (sim.Game, error) `kong:"-" json:"-" toml:"-"`

	World       string `help:"World file (TOML) instead of the embedded world." placeholder:"FILE" toml:"world" xor:"world"`
	RcceProject string `help:"RealmCrafter project (the folder with Server Data) as the world." placeholder:"DIR" toml:"rcce-project" xor:"world"`
	RcceRules   string `help:"File with [rules] and [newcomers] of a world file for what the project leaves to scripts." placeholder:"FILE" toml:"rcce-rules"`
	// NeutralResistances is for a RealmCrafter project. A resistance table of the project whose values are all 0 then counts as
	// neutral, as if all values were 100.
	NeutralResistances bool   `help:"Read resistance tables of a project that are all 0 as 100 (neutral)." toml:"neutral-resistances"`
	ClaimPolicy        string `help:"How claims of position are judged: as the world says, strict, or seed (the original's rule as it is)." enum:"world,strict,seed" default:"world" toml:"claim-policy"`
	Step               string `help:"How walks divide their length: as the world says, euclidean, or l1 (as the original server)." enum:"world,euclidean,l1" default:"world" toml:"step"`
}

// LoadedWorld is a world together with its source and the warnings about it.
type LoadedWorld struct {
	World       *content.World    // the areas, actors, items and rules
	Origin      string            // description of the source: "the embedded world", or a path
	ProjectPort int               // UDP port that the RealmCrafter project specifies; 0 if it specifies none
	Warnings    []content.Warning // problems that do not prevent the world from being used
	CheckFlags  string            // arguments of truestep check-world that print the warnings

	text []byte // content of the world file, or of the rules file of a project
}

// Check returns one joined error for all settings that contradict each other.
func (c *WorldConfig) Check() error {
	var p gateway.Problems
	p.Refuse(c.RcceRules != "" && c.RcceProject == "", "rcce-rules is for a project: name that with --rcce-project DIR")
	p.Refuse(c.NeutralResistances && c.RcceProject == "", "neutral-resistances is for a project: name that with --rcce-project DIR")
	return p.Err()
}

// Load reads the world and overrides the rules that ClaimPolicy and Step set. Errors name the file and the line.
func (c *WorldConfig) Load() (*LoadedWorld, error) {
	return c.loadWith(func(folder string) fs.FS { return os.DirFS(folder) })
}

// loadWith loads the world like Load, but reads the files of a folder through the file system that the function open returns.
func (c *WorldConfig) loadWith(open func(folder string) fs.FS) (*LoadedWorld, error) {
	w, err := c.read(open)
	if err != nil {
		return nil, err
	}
	overrideRules(w.World, c.ClaimPolicy, c.Step)
	if err := loadGame(w.World.World, c.Game); err != nil {
		return nil, fmt.Errorf("create the rules of the game: %w", err)
	}
	return w, nil
}

// overrideRules replaces rules of the world by those that the settings WorldConfig.ClaimPolicy and WorldConfig.Step select.
func overrideRules(w *content.World, claimPolicy, step string) {
	rules := &w.World.Rules
	switch claimPolicy {
	case "strict":
		rules.Claim = move.StrictClaimPolicy()
	case "seed":
		rules.Claim = move.OriginalClaimPolicy()
	}
	switch step {
	case "euclidean":
		rules.Step = move.Euclidean
	case "l1":
		rules.Step = move.L1
	}
}

func (c *WorldConfig) read(open func(folder string) fs.FS) (*LoadedWorld, error) {
	switch {
	case c.World != "":
		return c.readFile(open)
	case c.RcceProject != "":
		return c.readProject(open)
	}
	return &LoadedWorld{World: content.DefaultWorld(), Origin: "the embedded world"}, nil
}

func (c *WorldConfig) readFile(open func(folder string) fs.FS) (*LoadedWorld, error) {
	text, err := c.Text, error(nil)
	if text == nil {
		text, err = os.ReadFile(c.World)
	}
	if err != nil {
		return nil, fmt.Errorf("read the world file: %w; name another with --world FILE", err)
	}
	w := &LoadedWorld{Origin: c.World, CheckFlags: c.World, text: text}
	w.World, w.Warnings, err = content.LoadWorldFiles(c.World, text, open(filepath.Dir(c.World)))
	return w, err
}

func (c *WorldConfig) readProject(open func(folder string) fs.FS) (*LoadedWorld, error) {
	w := &LoadedWorld{Origin: c.RcceProject, CheckFlags: c.RcceProject}
	o := content.ProjectOptions{NeutralZeroResistances: c.NeutralResistances, RulesName: c.RcceRules}
	if c.NeutralResistances {
		w.CheckFlags += " --neutral-resistances"
	}
	if c.RcceRules != "" {
		text, err := os.ReadFile(c.RcceRules)
		if err != nil {
			return nil, fmt.Errorf("read the rules file: %w; name another with --rcce-rules FILE", err)
		}
		o.Rules, w.text = text, text
		w.CheckFlags += " --rules " + c.RcceRules
	}
	if _, err := os.ReadDir(c.RcceProject); err != nil {
		return nil, fmt.Errorf("read the RealmCrafter project: %w; name the folder that the editor saves with --rcce-project DIR", err)
	}
	p, warnings, err := content.LoadProject(open(c.RcceProject), o)
	if err != nil {
		return nil, PrefixProblems(err, c.RcceProject, c.RcceRules)
	}
	w.World, w.ProjectPort, w.Warnings = p.World, p.Port, warnings
	return w, nil
}

// LogWarnings logs the number of warnings about the world, not each one, because a RealmCrafter project may have
// dozens. The log line names the command that lists them.
func (w *LoadedWorld) LogWarnings(log *slog.Logger) {
	switch n := len(w.Warnings); n {
	case 0:
	case 1:
		log.Info("1 warning about the world; truestep check-world " + w.CheckFlags + " shows it")
	default:
		log.Info(fmt.Sprintf("%d warnings about the world; truestep check-world %s shows them", n, w.CheckFlags))
	}
	for _, warning := range w.Warnings {
		log.Debug("world: " + warning.String())
	}
}

// PrefixProblems adds the folder of a project to the file names in content.Problems. It does not change the name of the
// rules file, which is not in that folder. Errors of other types are returned unchanged.
func PrefixProblems(err error, project, rules string) error {
	problems, ok := errors.AsType[content.Problems](err)
	if !ok {
		return err
	}
	for i := range problems {
		if p := &problems[i]; p.File != rules {
			p.File = filepath.Join(project, p.File)
		}
	}
	return problems
}

// maxNamedAreas is the maximum number of areas that the log line of describeWalls names.
const maxNamedAreas = 6

// describeWalls returns a log line about walls, which stop players under the claim authority. In an area without walls, only the
// maximum speed restricts the positions that players claim. The line says which areas, or how many, have no walls. If the rules
// of the world ignore walls, the line says that instead.
func describeWalls(w *sim.World) string {
	var open []string
	for i := range w.Areas {
		if w.Areas[i].Walls == nil {
			open = append(open, w.Areas[i].Name)
		}
	}
	const speedOnly = "claims of position are bounded by speed alone"
	switch n := len(w.Areas); {
	case len(open) == n:
		return "this world has no collision data on the server: " + speedOnly
	case !w.Rules.Claim.Strict:
		return "claims of position are judged by the original's rule, which looks at speed alone and at no walls"
	case len(open) > maxNamedAreas:
		return fmt.Sprintf("walls stop claims of position in %d of %d areas; in the others %s", n-len(open), n, speedOnly)
	case len(open) > 0:
		return fmt.Sprintf("walls stop claims of position; in %s there are none, and %s", strings.Join(open, ", "), speedOnly)
	}
	return "walls stop claims of position in every area"
}
