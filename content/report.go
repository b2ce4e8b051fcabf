package content

import (
	"errors"

	"github.com/truestep-io/truestep/sim"
)

// Report is a summary of a world for its author, with all problems and warnings of the loader. Its JSON encoding is the
// output of truestep check-world --json.
type Report struct {
	Kind        string           `json:"kind"`                     // kind of source: a world file, a project or the default world
	Path        string           `json:"path,omitempty"`           // path of the source; "" for the default world
	Name        string           `json:"name,omitempty"`           // name of the world
	Port        int              `json:"port,omitempty"`           // UDP port of the project's RealmCrafter clients
	Ticks       int              `json:"ticksPerSecond,omitempty"` // ticks per second of the world
	Formula     int              `json:"combatFormula,omitempty"`  // number of the damage formula, 1..4
	DelayMS     int32            `json:"combatDelayMs,omitempty"`  // minimum ms between two attacks of one actor
	Attributes  int              `json:"attributes"`               // number of attributes in use
	DamageTypes int              `json:"damageTypes"`              // number of damage types in use
	Factions    int              `json:"factions"`                 // number of factions in use
	Items       int              `json:"items"`                    // number of kinds of item
	Projectiles int              `json:"projectiles"`              // number of kinds of projectile
	Templates   []TemplateReport `json:"templates"`                // one entry for each template of actors
	Areas       []AreaReport     `json:"areas"`                    // one entry for each area
	Warnings    []WarningReport  `json:"warnings"`                 // content that is valid, but probably a mistake
	Errors      []ProblemReport  `json:"errors"`                   // problems because of which the world was refused
}

// TemplateReport is the summary of one template of actors.
type TemplateReport struct {
	ID       uint16 `json:"id"`              // id of the template
	Race     string `json:"race"`            // race of the template's actors
	Class    string `json:"class,omitempty"` // class of the template's actors
	Playable bool   `json:"playable"`        // players can choose the template
	Start    string `json:"start,omitempty"` // area and portal where new players of this template start
	Spawned  int32  `json:"spawned"`         // maximum number of actors of this template that spawns keep alive
}

// AreaReport is the summary of one area.
type AreaReport struct {
	Name      string `json:"name"`      // name of the area
	PvP       bool   `json:"pvp"`       // players may attack each other
	Portals   int    `json:"portals"`   // number of portals
	Entrances int    `json:"entrances"` // number of portals that lead to another place
	Waypoints int    `json:"waypoints"` // number of waypoints
	Spawns    int    `json:"spawns"`    // number of spawns
	NPCs      int32  `json:"npcs"`      // maximum number of NPCs that spawns keep alive
	Waters    int    `json:"waters"`    // number of waters

	UnitsPerBlock float32 `json:"unitsPerBlock"` // world units along the edge of a block
}

// WarningReport is a Warning in the output of truestep check-world --json.
type WarningReport struct {
	Code   string `json:"code"`   // stable upper-case code of the kind of warning, such as RESIST-ALL-ZERO
	File   string `json:"file"`   // path inside the project, or the name of the world file
	Where  string `json:"where"`  // record inside the file, or "file" for the whole file
	Detail string `json:"detail"` // what was found, and how the server treats it
}

// ProblemReport is a Problem in the output of truestep check-world --json.
type ProblemReport struct {
	File string `json:"file"`           // name of the world file, or path inside the project
	Line int    `json:"line,omitempty"` // line number from 1; 0 for binary files
	Text string `json:"text"`           // what is wrong, and how to fix it
}

// NewReport returns the summary of a world that was loaded from path. If w is nil, the world was refused with err. The parameter
// port is the UDP port of its RealmCrafter clients, 0 for none.
func NewReport(kind, path string, port int, w *World, warnings []Warning, err error) *Report {
	r := &Report{
		Kind: kind, Path: path, Port: port,
		Templates: []TemplateReport{}, Areas: []AreaReport{}, Warnings: []WarningReport{}, Errors: []ProblemReport{},
	}
	for _, x := range warnings {
		r.Warnings = append(r.Warnings, WarningReport(x))
	}
	if problems, ok := errors.AsType[Problems](err); ok {
		for _, p := range problems {
			r.Errors = append(r.Errors, ProblemReport(p))
		}
	} else if err != nil {
		r.Errors = append(r.Errors, ProblemReport{File: path, Text: err.Error()})
	}
	if w != nil {
		r.describe(w.World)
	}
	return r
}

// describe fills in the names and counts of the world's content.
func (r *Report) describe(w *sim.World) {
	r.Name, r.Ticks = w.Name, w.TicksPerSecond
	r.Formula, r.DelayMS = int(w.Rules.Combat.Formula), w.Rules.Combat.DelayMS
	for i := range w.Attributes {
		r.Attributes += oneIfUsed(w.Attributes[i].Name)
	}
	for i := range w.DamageNames {
		r.DamageTypes += oneIfUsed(w.DamageNames[i])
	}
	for i := range w.Factions {
		r.Factions += oneIfUsed(w.Factions[i].Name)
	}
	r.Items, r.Projectiles = len(w.Items), len(w.Projectiles)
	spawned := map[uint16]int32{}
	for i := range w.Areas {
		r.Areas = append(r.Areas, newAreaReport(&w.Areas[i], spawned))
	}
	for i := range w.Templates {
		t := &w.Templates[i]
		e := TemplateReport{
			ID: t.ID, Race: t.Race, Class: t.Class, Playable: t.Playable, Spawned: spawned[t.ID],
		}
		if t.Playable && t.StartArea != sim.NoArea && t.StartPortal >= 0 {
			a := &w.Areas[t.StartArea]
			e.Start = a.Name + ", " + a.Portals[t.StartPortal].Name
		}
		r.Templates = append(r.Templates, e)
	}
}

func newAreaReport(a *sim.AreaDef, spawned map[uint16]int32) AreaReport {
	e := AreaReport{Name: a.Name, PvP: a.PvP, Portals: len(a.Portals), Spawns: len(a.Spawns), Waters: len(a.Waters),
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

// oneIfUsed returns 1 for the name of an entry in use, and 0 for "", the name of an unused entry.
func oneIfUsed(name string) int {
	if name == "" {
		return 0
	}
	return 1
}
