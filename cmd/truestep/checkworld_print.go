package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/terminal"
)

// printReport prints the report about a world that a server would accept.
func printReport(to io.Writer, r *content.Report) error {
	w := bufio.NewWriter(to)
	title := r.Kind
	if r.Path != "" {
		title += " " + r.Path
	}
	fmt.Fprintf(w, "%s: %q is good", title, r.Name)
	if n := len(r.Warnings); n > 0 {
		fmt.Fprint(w, ", with "+terminal.Count(n, "warning"))
	}
	fmt.Fprintf(w, "\n\n  UDP port %d, %d ticks/s, combat formula %d, %d ms between attacks\n", r.Port, r.Ticks, r.Formula, r.DelayMS)
	fmt.Fprintf(w, "  %s, %s, %s, %s, %s\n\n", terminal.Count(r.Attributes, "attribute"), terminal.Count(r.DamageTypes, "damage type"),
		terminal.Count(r.Factions, "faction"), terminal.Count(r.Items, "item"), terminal.Count(r.Projectiles, "projectile"))
	printAreas(w, r.Areas)
	printTemplates(w, r.Templates)
	printWarnings(w, r.Warnings)
	return w.Flush()
}

func printAreas(to io.Writer, areas []content.AreaReport) {
	var all int32
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  AREA\tPVP\tPORTALS\tENTRANCES\tWAYPOINTS\tSPAWNS\tNPCS\tWATERS\tUNITS/BLOCK")
	for _, a := range areas {
		all += a.NPCs
		fmt.Fprintf(t, "  %s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%g\n",
			a.Name, yesNo(a.PvP), a.Portals, a.Entrances, a.Waypoints, a.Spawns, a.NPCs, a.Waters, a.UnitsPerBlock)
	}
	_ = t.Flush() // ignored: to is a bufio.Writer, whose Flush returns the same error
	fmt.Fprintf(to, "  %s, %s at most\n\n", terminal.Count(len(areas), "area"), terminal.Count(int(all), "NPC"))
}

func printTemplates(to io.Writer, templates []content.TemplateReport) {
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  ID\tTEMPLATE\tNPCS\tPLAYERS START AT")
	for _, e := range templates {
		name := e.Race
		if e.Class != "" {
			name += "/" + e.Class
		}
		start := "-"
		if e.Playable {
			start = e.Start
		}
		fmt.Fprintf(t, "  %d\t%s\t%d\t%s\n", e.ID, name, e.Spawned, start)
	}
	_ = t.Flush()
}

// printWarnings prints the warnings, sorted by file. Those of one file stay in the order in which they were found.
func printWarnings(to io.Writer, warnings []content.WarningReport) {
	list := slices.Clone(warnings)
	slices.SortStableFunc(list, func(a, b content.WarningReport) int { return strings.Compare(a.File, b.File) })
	file := ""
	for _, w := range list {
		if w.File != file {
			file = w.File
			fmt.Fprintf(to, "\n  %s\n", file)
		}
		fmt.Fprintf(to, "    %s: %s: %s\n", w.Code, w.Where, w.Detail)
	}
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "-"
}
