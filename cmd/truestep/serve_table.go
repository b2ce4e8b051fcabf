package main

import (
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"strings"
	"unicode/utf8"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/swarm/demo"
)

// table prints where everything is and what to do next, and then the line that tells scripts that every door is open.
func (s *serveCmd) table(out *screen, r *running) {
	w := r.from.def
	t := new(table)
	fmt.Fprintf(t, "truestep %s serves %s: %s\n\n", version, r.from.from, content.Display(w.Name))
	t.row("world", fmt.Sprintf("%s, %d ticks/s", count(len(w.Areas), "area"), w.TicksPerSecond), areaNames(w.Areas))
	if r.rcce != nil {
		at := r.rcce.Addr()
		t.row("rcce", shownAddr(at).String()+"/udp", "RealmCrafter CE clients"+everywhere(at))
	} else {
		t.row("rcce", "off", "")
	}
	if r.rs != nil {
		at := r.rs.Addr()
		t.row("rs", shownAddr(at).String()+"/tcp", "RuneScape 667 clients"+everywhere(at))
		t.row("", "", "patched with the key in")
		t.below(filepath.Join(s.DataDir, rs.PublicFile))
	} else {
		t.row("rs", "off", "")
	}
	if r.bedrock != nil {
		at := r.bedrock.Addr()
		t.row("bedrock", shownAddr(at).String()+"/udp", "Minecraft: Bedrock 1.26.45 and 1.26.51 clients"+everywhere(at))
		t.row("", "", s.whoMayPlay())
	} else {
		t.row("bedrock", "off", "")
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
	t.nextSteps(s, r)
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

// nextSteps says how a newcomer sees players of each door that is open.
func (t *table) nextSteps(s *serveCmd, r *running) {
	if r.rcce != nil || r.rs != nil || r.bedrock != nil {
		t.line("")
	}
	if r.rcce != nil {
		t.tryRcce(r.rcce.Addr())
	}
	if r.rs != nil {
		t.tryRS(r.rs.Addr(), s.DataDir)
	}
	if r.bedrock != nil {
		t.tryBedrock(r.bedrock.Addr())
	}
	if r.rcce != nil {
		t.playRcce(r.rcce.Addr(), r.from.port, hostAddrs())
	}
}

// tryRcce sends a swarm to the door at that address.
func (t *table) tryRcce(at netip.AddrPort) {
	t.try("truestep swarm rcce --clients 50 --mixed", elsewhere("--server", at, rcce.DefaultPort)...)
}

// tryRS sends a swarm to the door at that address.
func (t *table) tryRS(at netip.AddrPort, dataDir string) {
	flags := elsewhere("--addr", at, rs.DefaultPort)
	if dataDir != defaultDataDir {
		flags = append(flags, "--public-key "+filepath.Join(dataDir, rs.PublicFile))
	}
	t.try("truestep swarm rs --clients 50", flags...)
}

// elsewhere is the flag for an address that a swarm does not know by itself.
func elsewhere(flag string, at netip.AddrPort, port int) []string {
	if here := loopback(at); here != fmt.Sprintf("127.0.0.1:%d", port) {
		return []string{flag + " " + here}
	}
	return nil
}

// playRcce says how clients find the door that is open at that address. port is the one that clients of the world have,
// hosts are the addresses of this machine.
func (t *table) playRcce(at netip.AddrPort, port int, hosts []netip.Addr) {
	if !at.Addr().IsUnspecified() {
		hosts = nil
	}
	play := fmt.Sprintf("host %s", localOf(at))
	for i, h := range hosts {
		play += []string{", from elsewhere ", " or "}[min(i, 1)] + h.String()
	}
	play += fmt.Sprintf("; port %d", at.Port())
	if int(at.Port()) != port {
		play += fmt.Sprintf(" (clients of this world have %d)", port)
	}
	t.text("play", play)
	t.text("", "The host is the first line of a client's Data/Game Data/Hosts.dat;")
	t.text("", "the editor sets the port.")
}

// localOf is the address at which this machine finds a door of its own.
func localOf(at netip.AddrPort) netip.Addr {
	if a := at.Addr().Unmap(); !a.IsUnspecified() {
		return a
	}
	return netip.AddrFrom4([4]byte{127, 0, 0, 1})
}

// shownAddr is what people call all interfaces. The door takes IPv4 and IPv6 then.
func shownAddr(at netip.AddrPort) netip.AddrPort {
	a := at.Addr().Unmap()
	if a.IsUnspecified() {
		a = netip.IPv4Unspecified()
	}
	return netip.AddrPortFrom(a, at.Port())
}

func everywhere(at netip.AddrPort) string {
	if at.Addr().IsUnspecified() {
		return ", on all interfaces"
	}
	return ""
}

// maxHosts is how many addresses of this machine are shown; containers bring many.
const maxHosts = 3

// hostAddrs are IPv4 addresses of this machine that others may reach: RealmCrafter clients speak no other.
func hostAddrs() []netip.Addr {
	all, _ := net.InterfaceAddrs() // nothing to show if the system tells nothing
	var hosts []netip.Addr
	for _, a := range all {
		p, err := netip.ParsePrefix(a.String())
		if err != nil || !p.Addr().Is4() || !p.Addr().IsGlobalUnicast() || len(hosts) == maxHosts {
			continue
		}
		hosts = append(hosts, p.Addr())
	}
	return hosts
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
