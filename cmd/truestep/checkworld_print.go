package main

import (
	"bufio"
	"fmt"
	"io"
	"slices"
	"strings"
	"text/tabwriter"
)

// print writes the report for people.
func (r *worldReport) print(to io.Writer) error {
	w := bufio.NewWriter(to)
	title := r.Kind
	if r.Path != "" {
		title += " " + r.Path
	}
	fmt.Fprintf(w, "%s: %q is good", title, r.Name)
	if n := len(r.Warnings); n > 0 {
		fmt.Fprint(w, ", with "+count(n, "warning"))
	}
	fmt.Fprintf(w, "\n\n  UDP port %d, %d ticks/s, combat formula %d, %d ms between attacks\n", r.Port, r.Ticks, r.Formula, r.DelayMS)
	fmt.Fprintf(w, "  %s, %s, %s, %s, %s\n\n", count(r.Attributes, "attribute"), count(r.DamageTypes, "damage type"),
		count(r.Factions, "faction"), count(r.Items, "item"), count(r.Projectiles, "projectile"))
	r.printAreas(w)
	r.printTemplates(w)
	r.printWarnings(w)
	return w.Flush()
}

func (r *worldReport) printAreas(to io.Writer) {
	var all int32
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  AREA\tPVP\tPORTALS\tENTRANCES\tWAYPOINTS\tSPAWNS\tNPCS\tWATERS\tUNITS/BLOCK")
	for _, a := range r.Areas {
		all += a.NPCs
		fmt.Fprintf(t, "  %s\t%s\t%d\t%d\t%d\t%d\t%d\t%d\t%g\n",
			a.Name, yesNo(a.PvP), a.Portals, a.Entrances, a.Waypoints, a.Spawns, a.NPCs, a.Waters, a.UnitsPerBlock)
	}
	_ = t.Flush() // into a buffer: the error comes back when that is flushed
	fmt.Fprintf(to, "  %s, %s at most\n\n", count(len(r.Areas), "area"), count(int(all), "NPC"))
}

func (r *worldReport) printTemplates(to io.Writer) {
	t := tabwriter.NewWriter(to, 0, 0, 2, ' ', 0)
	fmt.Fprintln(t, "  ID\tTEMPLATE\tNPCS\tPLAYERS START AT")
	for _, e := range r.Templates {
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

// printWarnings lists the warnings by file, each file in the order in which it was read.
func (r *worldReport) printWarnings(to io.Writer) {
	list := slices.Clone(r.Warnings)
	slices.SortStableFunc(list, func(a, b warningEntry) int { return strings.Compare(a.File, b.File) })
	file := ""
	for _, w := range list {
		if w.File != file {
			file = w.File
			fmt.Fprintf(to, "\n  %s\n", file)
		}
		fmt.Fprintf(to, "    %s: %s: %s\n", w.Code, w.Where, w.Detail)
	}
}

// count is a number with its noun.
func count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}

func yesNo(v bool) string {
	if v {
		return "yes"
	}
	return "-"
}
