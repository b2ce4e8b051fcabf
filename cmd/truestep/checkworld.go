package main

import (
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"os"
	"path/filepath"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
)

// checkWorldCmd tells what a server would make of a world before it runs one: a world file, a RealmCrafter project, or
// the embedded world. A refused world is exit status 1 and a line for each problem.
type checkWorldCmd struct {
	Path               string `arg:"" optional:"" name:"path" help:"A world file, or the folder of a RealmCrafter project. Default: the embedded world."`
	Rules              string `help:"A file with [rules] and [newcomers] for a project." placeholder:"FILE"`
	NeutralResistances bool   `help:"Read a project's resistance tables of nothing but zeros as neutral."`
	JSON               bool   `name:"json" help:"Print one JSON object instead of text."`
	PrintEmbedded      bool   `help:"Print the embedded world's file, a start for your own, and check nothing."`

	out io.Writer // os.Stdout if nil
}

// Help is what check-world --help adds to the flags.
func (checkWorldCmd) Help() string {
	return `Examples:
  truestep check-world ./MyGame/data
      what is in a project, and what looks like a mistake
  truestep check-world --print-embedded > world.toml
      a start for a world of your own
  truestep check-world --json world.toml
      the same for programs

Exit status 1: the world is refused, and each line says where and why.`
}

// Run checks the world and prints a summary.
func (c *checkWorldCmd) Run() error {
	if c.out == nil {
		c.out = os.Stdout
	}
	if c.PrintEmbedded {
		_, err := c.out.Write(content.DefaultTOML())
		return err
	}
	r, err := c.check()
	if err != nil {
		return err
	}
	if !c.JSON {
		if len(r.Errors) > 0 {
			return r.refused
		}
		return r.print(c.out)
	}
	e := json.NewEncoder(c.out)
	e.SetIndent("", "  ")
	if err := e.Encode(r); err != nil {
		return err
	}
	if len(r.Errors) > 0 {
		return exitStatus(1)
	}
	return nil
}

// check loads the world. The error is one of the command line; those of the world are in the report.
func (c *checkWorldCmd) check() (*worldReport, error) {
	if c.Path == "" {
		w, warnings, err := content.LoadWorld(content.DefaultName, content.DefaultTOML())
		return reportOf("embedded world", "", rcce.DefaultPort, w, warnings, err), nil
	}
	info, err := os.Stat(c.Path)
	if err != nil {
		return nil, usage(fmt.Errorf("%w; give a world file or the folder of a RealmCrafter project", err))
	}
	if info.IsDir() {
		return c.checkProject()
	}
	if c.Rules != "" || c.NeutralResistances {
		return nil, usage(errors.New("--rules and --neutral-resistances are for projects; write them into the world file"))
	}
	text, err := os.ReadFile(c.Path)
	if err != nil {
		return nil, usage(err)
	}
	w, warnings, err := content.LoadWorldFiles(c.Path, text, os.DirFS(filepath.Dir(c.Path)))
	return reportOf("world file", c.Path, rcce.DefaultPort, w, warnings, err), nil
}

func (c *checkWorldCmd) checkProject() (*worldReport, error) {
	o := content.ProjectOptions{NeutralZeroResistances: c.NeutralResistances, RulesName: c.Rules}
	if c.Rules != "" {
		text, err := os.ReadFile(c.Rules)
		if err != nil {
			return nil, usage(fmt.Errorf("--rules: %w", err))
		}
		o.Rules = text
	}
	p, warnings, err := content.LoadProject(os.DirFS(c.Path), o)
	if err != nil {
		r := reportOf("RealmCrafter project", c.Path, 0, nil, nil, err)
		r.refused = server.PrefixProblems(err, c.Path, c.Rules)
		return r, nil
	}
	return reportOf("RealmCrafter project", c.Path, p.Port, p.World, warnings, nil), nil
}

// worldReport is what check-world says, in the form of its JSON.
type worldReport struct {
	Kind        string          `json:"kind"`
	Path        string          `json:"path,omitempty"`
	Name        string          `json:"name,omitempty"`
	Port        int             `json:"port,omitempty"`
	Ticks       int             `json:"ticksPerSecond,omitempty"`
	Formula     int             `json:"combatFormula,omitempty"`
	DelayMS     int32           `json:"combatDelayMs,omitempty"`
	Attributes  int             `json:"attributes"`
	DamageTypes int             `json:"damageTypes"`
	Factions    int             `json:"factions"`
	Items       int             `json:"items"`
	Projectiles int             `json:"projectiles"`
	Templates   []templateEntry `json:"templates"`
	Areas       []areaEntry     `json:"areas"`
	Warnings    []warningEntry  `json:"warnings"`
	Errors      []problemEntry  `json:"errors"`

	refused error
}

type templateEntry struct {
	ID       uint16 `json:"id"`
	Race     string `json:"race"`
	Class    string `json:"class,omitempty"`
	Playable bool   `json:"playable"`
	Start    string `json:"start,omitempty"` // of playable ones: area, portal
	Spawned  int32  `json:"spawned"`         // how many the areas keep at most
}

type areaEntry struct {
	Name      string `json:"name"`
	PvP       bool   `json:"pvp"`
	Portals   int    `json:"portals"`
	Entrances int    `json:"entrances"` // portals that lead elsewhere
	Waypoints int    `json:"waypoints"`
	Spawns    int    `json:"spawns"`
	NPCs      int32  `json:"npcs"` // at most
	Waters    int    `json:"waters"`

	UnitsPerBlock float32 `json:"unitsPerBlock"`
}

type warningEntry struct {
	Code   string `json:"code"`
	File   string `json:"file"`
	Where  string `json:"where"`
	Detail string `json:"detail"`
}

type problemEntry struct {
	File string `json:"file"`
	Line int    `json:"line,omitempty"`
	Text string `json:"text"`
}

func reportOf(kind, path string, port int, w *sim.World, warnings []content.Warning, err error) *worldReport {
	r := &worldReport{
		Kind: kind, Path: path, Port: port, refused: err,
		Templates: []templateEntry{}, Areas: []areaEntry{}, Warnings: []warningEntry{}, Errors: []problemEntry{},
	}
	for _, x := range warnings {
		r.Warnings = append(r.Warnings, warningEntry(x))
	}
	if problems, ok := errors.AsType[content.Problems](err); ok {
		for _, p := range problems {
			r.Errors = append(r.Errors, problemEntry(p))
		}
	} else if err != nil {
		r.Errors = append(r.Errors, problemEntry{File: path, Text: err.Error()})
	}
	if w != nil {
		r.describe(w)
	}
	return r
}

// describe counts what is in the world.
func (r *worldReport) describe(w *sim.World) {
	r.Name, r.Ticks = content.Display(w.Name), w.TicksPerSecond
	r.Formula, r.DelayMS = int(w.Rules.Combat.Formula), w.Rules.Combat.DelayMS
	for i := range w.Attributes {
		r.Attributes += used(w.Attributes[i].Name)
	}
	for i := range w.DamageNames {
		r.DamageTypes += used(w.DamageNames[i])
	}
	for i := range w.Factions {
		r.Factions += used(w.Factions[i].Name)
	}
	r.Items, r.Projectiles = len(w.Items), len(w.Projectiles)
	spawned := map[uint16]int32{}
	for i := range w.Areas {
		r.Areas = append(r.Areas, areaOf(&w.Areas[i], spawned))
	}
	for i := range w.Templates {
		t := &w.Templates[i]
		e := templateEntry{
			ID: t.ID, Race: content.Display(t.Race), Class: content.Display(t.Class), Playable: t.Playable, Spawned: spawned[t.ID],
		}
		if t.Playable && t.StartArea != sim.NoArea && t.StartPortal >= 0 {
			a := &w.Areas[t.StartArea]
			e.Start = content.Display(a.Name + ", " + a.Portals[t.StartPortal].Name)
		}
		r.Templates = append(r.Templates, e)
	}
}

func areaOf(a *sim.AreaDef, spawned map[uint16]int32) areaEntry {
	e := areaEntry{Name: content.Display(a.Name), PvP: a.PvP, Portals: len(a.Portals), Spawns: len(a.Spawns), Waters: len(a.Waters),
		UnitsPerBlock: a.BlockGrid.UnitsPerBlock}
	for _, p := range a.Portals {
		if p.ToArea != sim.NoArea {
			e.Entrances++
		}
	}
	for _, w := range a.Waypoints {
		if w.Used {
			e.Waypoints++
		}
	}
	for _, s := range a.Spawns {
		e.NPCs += s.Max
		spawned[s.Template] += s.Max
	}
	return e
}

func used(name string) int {
	if name == "" {
		return 0
	}
	return 1
}
