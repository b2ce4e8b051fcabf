package main

import (
	"errors"
	"fmt"
	"log/slog"
	"os"
	"path/filepath"
	"strings"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// servedWorld is a world and where it came from.
type servedWorld struct {
	def      *sim.World
	from     string // for people: "embedded world"
	port     int    // UDP, where its RealmCrafter clients look for their server
	warnings []content.Warning
	examine  string // the command that shows the warnings
}

// report logs that there are warnings; a project has dozens, and the command shows them better.
func (w *servedWorld) report(log *slog.Logger) {
	if n := len(w.warnings); n > 0 {
		log.Info(count(n, "warning") + " about the world; " + w.examine + " shows them")
	}
	for _, warning := range w.warnings {
		log.Debug("world: " + warning.String())
	}
}

// collisions says what stops a player who claims to be where he could not walk.
func collisions(w *sim.World) string {
	var open []string
	for i := range w.Areas {
		if w.Areas[i].Walls == nil {
			open = append(open, content.Display(w.Areas[i].Name))
		}
	}
	const alone = "claims of position are bounded by speed alone"
	switch n := len(w.Areas); {
	case len(open) == n:
		return "this world has no collision data on the server: " + alone
	case !w.Rules.Claim.Strict:
		return "claims of position are judged by the original's rule, which looks at speed alone and at no walls"
	case len(open) > maxOpenAreas:
		return fmt.Sprintf("walls stop claims of position in %d of %s; in the others %s", n-len(open), count(n, "area"), alone)
	case len(open) > 0:
		return fmt.Sprintf("walls stop claims of position; in %s there are none, and %s", strings.Join(open, ", "), alone)
	}
	return "walls stop claims of position in every area"
}

// maxOpenAreas is how many areas without walls are called by their names.
const maxOpenAreas = 6

// loadWorld reads the world that the settings name and lays their rules over it.
func (s *serveCmd) loadWorld() (*servedWorld, error) {
	w, err := s.readWorld()
	if err != nil {
		return nil, err
	}
	switch rules := &w.def.Rules; s.ClaimPolicy {
	case "strict":
		rules.Claim = move.StrictClaimPolicy()
	case "seed":
		rules.Claim = move.SeedClaimPolicy()
	}
	switch rules := &w.def.Rules; s.Step {
	case "euclidean":
		rules.Step = move.Euclidean
	case "l1":
		rules.Step = move.L1
	}
	return w, nil
}

func (s *serveCmd) readWorld() (*servedWorld, error) {
	switch {
	case s.World != "":
		return s.readFile()
	case s.RcceProject != "":
		return s.readProject()
	}
	return &servedWorld{def: content.DefaultWorld(), from: "the embedded world", port: rcce.DefaultPort}, nil
}

func (s *serveCmd) readFile() (*servedWorld, error) {
	text, err := os.ReadFile(s.World)
	if err != nil {
		return nil, fmt.Errorf("world file: %w; name another with --world FILE", err)
	}
	w := &servedWorld{from: s.World, port: rcce.DefaultPort, examine: "truestep check-world " + s.World}
	w.def, w.warnings, err = content.LoadWorldFiles(s.World, text, os.DirFS(filepath.Dir(s.World)))
	return w, err
}

func (s *serveCmd) readProject() (*servedWorld, error) {
	w := &servedWorld{from: s.RcceProject, examine: "truestep check-world " + s.RcceProject}
	o := content.ProjectOptions{NeutralZeroResistances: s.NeutralResistances, RulesName: s.RcceRules}
	if s.NeutralResistances {
		w.examine += " --neutral-resistances"
	}
	if s.RcceRules != "" {
		text, err := os.ReadFile(s.RcceRules)
		if err != nil {
			return nil, fmt.Errorf("rules file: %w; name another with --rcce-rules FILE", err)
		}
		o.Rules = text
		w.examine += " --rules " + s.RcceRules
	}
	if _, err := os.ReadDir(s.RcceProject); err != nil {
		return nil, fmt.Errorf("project: %w; name the folder that the editor saves with --rcce-project DIR", err)
	}
	p, warnings, err := content.LoadProject(os.DirFS(s.RcceProject), o)
	if err != nil {
		return nil, locate(s.RcceProject, s.RcceRules, err)
	}
	w.def, w.port, w.warnings = p.World, p.Port, warnings
	return w, nil
}

// locate puts the project's folder before the files that are wrong in it. The file of rules is elsewhere.
func locate(project, rules string, err error) error {
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
