package main

import (
	"fmt"
	"net/netip"
	"strings"
	"unicode/utf8"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/swarm/demo"
)

// table prints where everything is and what to do next, and then the line that tells scripts that every door is open.
func (s *serveCmd) table(out *screen, r *running) {
	w := r.from.def
	t := new(table)
	fmt.Fprintf(t, "truestep %s serves %s: %s\n\n", version, r.from.from, content.Display(w.Name))
	t.row("world", fmt.Sprintf("%s, %d ticks/s", count(len(w.Areas), "area"), w.TicksPerSecond), areaNames(w.Areas))
	var open []gateway.Description
	for _, d := range r.doors {
		about := d.Describe(r.host(s.DataDir))
		t.doorRows(d, about)
		if d.isOpen() {
			open = append(open, about)
		}
	}
	if r.metricsAt != nil {
		t.row("metrics", "http://"+r.metricsAt.Addr().String()+"/metrics", "Prometheus")
	} else {
		t.row("metrics", "off", "")
	}
	if r.console == nil {
		t.row("console", "off", "")
	}
	t.row("data", s.DataDir, "accounts and characters")
	if s.Demo {
		t.row("demo", count(s.DemoBots, "bot")+" at each door", "they wander and fight; their names end in "+demo.NameSuffix)
	}
	t.nextSteps(open)
	t.consoleRow(r)
	fmt.Fprintf(out.out, "%s\nready: Ctrl-C saves everybody and stops\n", t)
}

// Columns of the table.
const (
	tableWhat  = 7  // what a row is about
	tableWhere = 20 // where that is; what is longer has its note in the next line
	tableText  = 2 + tableWhat + 2
	tableNote  = tableText + tableWhere + 2
)

// table is what the start shows. It fits the narrowest terminal; only what cannot be broken may be wider.
type table struct{ strings.Builder }

// row adds what is where, with a note that goes on beneath itself. Where is not broken.
func (t *table) row(what, where, note string) {
	head := fmt.Sprintf("  %-*s  %-*s  ", tableWhat, what, tableWhere, where)
	if wide := utf8.RuneCountInString(head); wide > tableNote && wide+utf8.RuneCountInString(note) > screenColumns {
		t.line(head)
		head = strings.Repeat(" ", tableNote)
	}
	for _, line := range wrapText(note, screenColumns-tableNote) {
		t.line(head + line)
		head = strings.Repeat(" ", tableNote)
	}
}

// below adds one more line to a note, which is not broken.
func (t *table) below(text string) { t.line(strings.Repeat(" ", tableNote) + text) }

func (t *table) line(text string) { t.WriteString(strings.TrimRight(text, " ") + "\n") }

// text adds a paragraph about something.
func (t *table) text(what, text string) {
	for _, line := range wrapText(text, screenColumns-tableText) {
		t.line(fmt.Sprintf("  %-*s  %s", tableWhat, what, line))
		what = ""
	}
}

// try adds a command that a newcomer may copy, flags that do not fit in a line of their own.
func (t *table) try(command string, flags ...string) {
	line, what := command, "try"
	for _, f := range flags {
		if tableText+utf8.RuneCountInString(line+" "+f) > screenColumns {
			t.line(fmt.Sprintf("  %-*s  %s \\", tableWhat, what, line))
			line, what = "   "+f, ""
			continue
		}
		line += " " + f
	}
	t.line(fmt.Sprintf("  %-*s  %s", tableWhat, what, line))
}

// doorRows says where a door is and who may come in.
func (t *table) doorRows(d *door, about gateway.Description) {
	at := d.Addr()
	if !d.isOpen() {
		t.row(d.Name(), gateway.Off, "")
		return
	}
	t.row(d.Name(), gateway.DisplayAddr(at).String()+"/"+about.Network, about.Clients+onAllInterfaces(at))
	for _, n := range about.Notes {
		if n.Whole {
			t.below(n.Text)
		} else {
			t.row("", "", n.Text)
		}
	}
}

// nextSteps says how a newcomer sees players of each door that is open.
func (t *table) nextSteps(list []gateway.Description) {
	if len(list) > 0 {
		t.line("")
	}
	for _, about := range list {
		for _, c := range about.Try {
			t.try(c.Line, c.Flags...)
		}
	}
	for _, about := range list {
		t.play(about.Play)
	}
}

// play says how players find a door.
func (t *table) play(paragraphs []string) {
	what := "play"
	for _, text := range paragraphs {
		t.text(what, text)
		what = ""
	}
}

func onAllInterfaces(at netip.AddrPort) string {
	if at.Addr().IsUnspecified() {
		return ", on all interfaces"
	}
	return ""
}

const maxNames = 60 // characters of area names in the table

// areaNames lists areas as far as there is room.
func areaNames(areas []sim.AreaDef) string {
	var b strings.Builder
	for i := range areas {
		name := content.Display(areas[i].Name)
		if i > 0 {
			if b.Len()+len(name) > maxNames {
				fmt.Fprintf(&b, " and %d more", len(areas)-i)
				break
			}
			b.WriteString(", ")
		}
		b.WriteString(name)
	}
	return b.String()
}
