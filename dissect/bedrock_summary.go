package dissect

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/proto/bedrock"
)

// summary prints the counts of the capture, and a paragraph for each client.
func (run *bedrockCapture) summary() {
	run.line("")
	run.line("%d frames: %d datagrams, %d of other ports, %d not UDP, %d IP fragments, %d that are no RakNet; %d outside of connections, %s",
		run.frames, run.shown, run.otherPort, run.notUDP, run.fragments, run.notRakNet, run.offline, plural(run.count, "client"))
	if run.shown == 0 && run.otherPort > 0 {
		run.line("nothing has UDP port %d; --port N names another, --port 0 shows all on which RakNet is spoken", run.Port)
	}
	if run.truncated > 0 {
		run.line("%d datagrams are cut short by the capture and not shown: capture with tcpdump -s 0", run.truncated)
	}
	if run.fragments > 0 {
		run.line("IP fragments are not put together: what they held is missing")
	}
	for _, s := range run.sessions {
		s.summary()
	}
	if more := run.count - len(run.sessions); more > 0 {
		run.line("and %s more", plural(more, "client"))
	}
}

func (s *bedrockSession) summary() {
	p := s.run
	who := fmt.Sprintf("client %d, %v", s.number, s.pair.client)
	if s.name != "" {
		who += fmt.Sprintf(", %q", s.name)
	}
	if s.version != 0 {
		who += fmt.Sprintf(", protocol %d (Minecraft %s)", s.version, s.version.GameVersion())
	}
	p.line("")
	p.line("%s, %.3f s", who, s.last.Sub(s.first).Seconds())
	for _, line := range s.moves.summary() {
		p.line("  %s", line)
	}
	for _, from := range []bedrock.Direction{bedrock.ToServer, bedrock.ToClient} {
		s.sideSummary(from)
	}
	if s.errors+s.invalid > 0 {
		p.line("  errors       %d in packets and batches, %d in datagrams", s.errors, s.invalid)
	}
}

func (s *bedrockSession) sideSummary(from bedrock.Direction) {
	p, side := s.run, s.side(from)
	st := &side.stats
	p.line("  %v          %s, %d bytes%s", from, plural(int(st.Datagrams), "datagram"), st.Bytes, lossText(side))
	if side.unread > 0 {
		p.line("               %d of its %d batches could not be read", side.unread, side.batches)
	}
	if len(side.packets) > 0 {
		p.line("               %s", packetCounts(side.packets))
	}
}

// lossText formats how many datagrams and messages of one side were repeated, lost or retransmitted.
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

// packetCounts lists packet types with their counts, the most frequent first.
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
