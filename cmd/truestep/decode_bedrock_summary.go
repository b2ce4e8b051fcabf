package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/proto/bedrock"
)

// summary prints what was in the capture, and a paragraph for each client.
func (run *bedrockCapture) summary() {
	run.p.line("")
	run.p.line("%d frames: %d datagrams, %d of other ports, %d not UDP, %d IP fragments, %d that are no RakNet; %d outside of connections, %s",
		run.frames, run.shown, run.otherPort, run.notUDP, run.pieces, run.foreign, run.offline, count(run.sessions, "client"))
	if run.shown == 0 && run.otherPort > 0 {
		run.p.line("nothing has UDP port %d; --port N names another, --port 0 shows all on which RakNet is spoken", run.Port)
	}
	if run.cut > 0 {
		run.p.line("%d datagrams are cut short by the capture and not shown: capture with tcpdump -s 0", run.cut)
	}
	if run.pieces > 0 {
		run.p.line("IP fragments are not put together: what they held is missing")
	}
	for _, s := range run.order {
		s.summary()
	}
	if more := run.sessions - len(run.order); more > 0 {
		run.p.line("and %s more", count(more, "client"))
	}
}

func (s *bedrockSession) summary() {
	p := s.run.p
	who := fmt.Sprintf("client %d, %v", s.number, s.path.client)
	if s.name != "" {
		who += fmt.Sprintf(", %q", s.name)
	}
	if s.version != 0 {
		who += fmt.Sprintf(", protocol %d (Minecraft %s)", s.version, s.version.Game())
	}
	p.line("")
	p.line("%s, %.3f s", who, s.last.Sub(s.first).Seconds())
	for _, line := range s.moves.text() {
		p.line("  %s", line)
	}
	for _, from := range []bedrock.Direction{bedrock.ToServer, bedrock.ToClient} {
		s.sideSummary(from)
	}
	if s.errors+s.strange > 0 {
		p.line("  errors       %d in packets and batches, %d in datagrams", s.errors, s.strange)
	}
}

func (s *bedrockSession) sideSummary(from bedrock.Direction) {
	p, side := s.run.p, s.side(from)
	st := &side.stats
	p.line("  %v          %s, %d bytes%s", from, count(int(st.Datagrams), "datagram"), st.Bytes, lossText(side))
	if side.unread > 0 {
		p.line("               %d of its %d batches could not be read", side.unread, side.batches)
	}
	if len(side.packets) > 0 {
		p.line("               %s", packetCounts(side.packets))
	}
}

// lossText is what did not go well on the way; most often nothing.
func lossText(side *bedrockSide) string {
	text := ""
	for _, c := range []struct {
		n    uint64
		what string
	}{
		{side.stats.Repeated, "repeated %d"},
		{side.stats.Missing, "numbers missing %d"},
		{side.stats.Resent, "messages or parts resent %d"},
		{side.stats.Lost, "messages lost in the capture %d"},
		{uint64(side.nacked), "asked again for %d"},
		{side.stats.Rejected, "senseless %d"},
	} {
		if c.n > 0 {
			text += "; " + fmt.Sprintf(c.what, c.n)
		}
	}
	if text == "" {
		return ", nothing resent or missing"
	}
	return text
}

// packetCounts lists types by how many there were.
func packetCounts(packets map[bedrock.ID]int) string {
	type entry struct {
		id bedrock.ID
		n  int
	}
	list := make([]entry, 0, len(packets))
	for id, n := range packets {
		list = append(list, entry{id, n})
	}
	slices.SortFunc(list, func(a, b entry) int {
		return cmp.Or(cmp.Compare(b.n, a.n), cmp.Compare(a.id, b.id))
	})
	parts := make([]string, len(list))
	for i, e := range list {
		parts[i] = fmt.Sprintf("%s %d", e.id, e.n)
	}
	return strings.Join(parts, ", ")
}
