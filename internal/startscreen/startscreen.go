// Package startscreen composes the text that a server prints when it has started: its addresses, and commands for the operator
// to try.
package startscreen

import (
	"fmt"
	"net/netip"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/swarm/demo"
)

// Text returns the start screen: links for players, the addresses of doors, metrics and console, the data folder, and
// commands to try. Its last line begins with "ready"; scripts wait for that line.
func Text(srv *server.Server, w *server.LoadedWorld, o Options) string {
	def := w.World
	t := new(table)
	fmt.Fprintf(t, "truestep %s serves %s: %s\n\n", o.Version, w.Origin, def.Name)
	doors := srv.Doors()
	for i := range doors {
		if doors[i].Link != "" {
			t.row("play", doors[i].Link, "in a browser: click it, and walk")
		}
	}
	t.row("world", fmt.Sprintf("%s, %d ticks/s", terminal.Count(len(def.Areas), "area"), def.TicksPerSecond), areaNames(def.Areas))
	for i := range doors {
		t.doorRows(&doors[i])
	}
	if at := srv.MetricsAddr(); at.IsValid() {
		t.row("metrics", "http://"+at.String()+"/metrics", "Prometheus")
	} else {
		t.row("metrics", gateway.Off, "")
	}
	if srv.ConsoleURL() == "" {
		t.row("console", gateway.Off, "")
	}
	if o.Store == "" {
		t.row("data", o.DataDir, "accounts and characters")
	} else {
		t.row("data", o.DataDir, "keys, journal and tape")
		t.row("store", o.Store, "accounts and characters")
	}
	if o.Bots > 0 {
		t.row("demo", terminal.Count(o.Bots, "bot")+" at each door", "they wander and fight; their names end in "+demo.NameSuffix)
	}
	t.nextSteps(doors)
	t.consoleRow(srv)
	return t.String() + "\nready: Ctrl-C saves all players and stops"
}

// Options holds the information on a start screen that does not come from the server.
type Options struct {
	Version string // version of the program
	DataDir string // path of the data folder as the operator wrote it
	Store   string // URL of the PostgreSQL database without its password; "" without one
	Bots    int    // number of demo bots at each door; 0 without the demo
}

// Column widths of the start table.
const (
	tableWhat  = 7                          // width of the label in columns
	tableWhere = 20                         // width of the address in columns; after a longer address the note starts on the next line
	tableText  = 2 + tableWhat + 2          // column at which text beside a label begins
	tableNote  = tableText + tableWhere + 2 // column at which notes begin
)

// table collects the lines of the start screen. Lines are at most terminal.Columns wide, except for addresses and paths, which
// are not broken.
type table struct{ strings.Builder }

// row adds a label, an address, and a note. The address is never wrapped. A long note is wrapped to aligned lines.
func (t *table) row(what, where, note string) {
	head := fmt.Sprintf("  %-*s  %-*s  ", tableWhat, what, tableWhere, where)
	if wide := utf8.RuneCountInString(head); wide > tableNote && wide+utf8.RuneCountInString(note) > terminal.Columns {
		t.line(head)
		head = strings.Repeat(" ", tableNote)
	}
	for _, line := range terminal.Wrap(note, terminal.Columns-tableNote) {
		t.line(head + line)
		head = strings.Repeat(" ", tableNote)
	}
}

// below adds a line to the note of the last row. The line is never wrapped, however long it is.
func (t *table) below(text string) { t.line(strings.Repeat(" ", tableNote) + text) }

func (t *table) line(text string) { t.WriteString(strings.TrimRight(text, " ") + "\n") }

// text adds a paragraph with a label.
func (t *table) text(what, text string) {
	for _, line := range terminal.Wrap(text, terminal.Columns-tableText) {
		t.line(fmt.Sprintf("  %-*s  %s", tableWhat, what, line))
		what = ""
	}
}

// try adds a shell command that the operator can copy. A flag that does not fit into the line begins the next line, and a
// backslash ends the line before it.
func (t *table) try(command string, flags ...string) {
	line, what := command, "try"
	for _, f := range flags {
		if tableText+utf8.RuneCountInString(line+" "+f) > terminal.Columns {
			t.line(fmt.Sprintf("  %-*s  %s \\", tableWhat, what, line))
			line, what = "   "+f, ""
			continue
		}
		line += " " + f
	}
	t.line(fmt.Sprintf("  %-*s  %s", tableWhat, what, line))
}

// doorRows adds the address of a door and its notes.
func (t *table) doorRows(d *server.DoorInfo) {
	if !d.Addr.IsValid() {
		t.row(d.Name, gateway.Off, "")
		return
	}
	t.row(d.Name, gateway.DisplayAddr(d.Addr).String()+"/"+d.Network, d.Clients+onAllInterfaces(d.Addr))
	for _, n := range d.Notes {
		if n.Whole {
			t.below(n.Text)
		} else {
			t.row("", "", n.Text)
		}
	}
}

// nextSteps adds commands that start test clients at each open door, and then explains how players connect to the doors.
func (t *table) nextSteps(doors []server.DoorInfo) {
	if slices.ContainsFunc(doors, func(d server.DoorInfo) bool { return d.Addr.IsValid() }) {
		t.line("")
	}
	for i := range doors {
		for _, c := range doors[i].Try {
			t.try(c.Line, c.Flags...)
		}
	}
	for i := range doors {
		t.play(doors[i].Play)
	}
}

// consoleRow adds the address of the console. The row is the last one, so that it stays visible on the terminal. It is not
// indented, so that the address, which contains an access token, fits into one line.
func (t *table) consoleRow(srv *server.Server) {
	if srv.ConsoleURL() == "" {
		return
	}
	t.line("")
	t.line("console " + srv.ConsoleURL())
	t.line("        operator's console" + onAllInterfaces(srv.ConsoleAddr()) + "; the address logs you in")
}

// play adds the paragraphs that explain how players connect to a door.
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

// maxNames is the maximum length in bytes of the list of area names on the start screen.
const maxNames = 60

// areaNames returns a list of names of areas. If all names need more than maxNames bytes, it lists only the first ones, followed
// by the number of the remaining areas.
func areaNames(areas []sim.AreaDef) string {
	var b strings.Builder
	for i := range areas {
		name := areas[i].Name
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
