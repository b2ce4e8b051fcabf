package main

import (
	"fmt"
	"net"
	"net/netip"
	"path/filepath"
	"strings"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/gateway/rs"
	"github.com/truestep-io/truestep/sim"
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
		t.row("", "", "patched with the key in "+filepath.Join(s.DataDir, rs.PublicFile))
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
	t.consoleRow(r)
	t.row("data", s.DataDir, "accounts and characters")
	if s.Demo {
		t.row("demo", s.demoBots(), "they wander and fight; their names end in "+demoSuffix)
	}
	if r.rcce != nil {
		t.next(r.rcce.Addr(), r.from.port, hostAddrs())
	}
	if r.rs != nil {
		t.nextRS(r.rs.Addr(), s.DataDir)
	}
	if r.bedrock != nil {
		t.nextBedrock(r.bedrock.Addr())
	}
	fmt.Fprintf(out.out, "%s\nready: Ctrl-C saves everybody and stops\n", t)
}

// table is what the start shows.
type table struct{ strings.Builder }

func (t *table) row(what, where, note string) {
	line := fmt.Sprintf("  %-8s  %-30s  %s", what, where, note)
	t.WriteString(strings.TrimRight(line, " ") + "\n")
}

// next says how clients find the door that is open at that address. port is the one that clients of the world have,
// hosts are the addresses of this machine.
func (t *table) next(at netip.AddrPort, port int, hosts []netip.Addr) {
	local := localOf(at)
	if !at.Addr().IsUnspecified() {
		hosts = nil
	}
	swarm := "truestep swarm rcce --clients 50 --mixed"
	if here := netip.AddrPortFrom(local, at.Port()).String(); here != fmt.Sprintf("127.0.0.1:%d", rcce.DefaultPort) {
		swarm += " --server " + here
	}
	play := fmt.Sprintf("host %s", local)
	for i, h := range hosts {
		play += []string{", from elsewhere ", " or "}[min(i, 1)] + h.String()
	}
	play += fmt.Sprintf("; port %d", at.Port())
	if int(at.Port()) != port {
		play += fmt.Sprintf(" (clients of this world have %d)", port)
	}
	t.WriteString("\n")
	t.row("try", swarm, "")
	t.row("play", play, "")
	t.row("", "The first line of a client's Data/Game Data/Hosts.dat is the host; the editor sets the port.", "")
}

// nextRS says how a newcomer sees players of the door at that address.
func (t *table) nextRS(at netip.AddrPort, dataDir string) {
	swarm := "truestep swarm rs --clients 50"
	if here := fmt.Sprintf("%s:%d", localOf(at), at.Port()); here != fmt.Sprintf("127.0.0.1:%d", rs.DefaultPort) {
		swarm += " --addr " + here
	}
	if dataDir != defaultDataDir {
		swarm += " --public-key " + filepath.Join(dataDir, rs.PublicFile)
	}
	t.WriteString("\n")
	t.row("try", swarm, "")
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
