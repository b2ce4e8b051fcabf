package enet

import (
	"bytes"
	"encoding/hex"
	"os"
	"slices"
	"strings"
	"testing"
)

// sessionLine is one datagram of a captured session.
type sessionLine struct {
	up   bool // true if the client sent the datagram
	data []byte
}

func readSession(tb testing.TB, name string) (out []sessionLine) {
	tb.Helper()
	text, err := os.ReadFile("testdata/" + name)
	if err != nil {
		tb.Fatal(err)
	}
	for s := range strings.Lines(string(text)) {
		if s[0] == '#' {
			continue
		}
		dir, rest, _ := strings.Cut(s, " ")
		data, err := hex.DecodeString(strings.Join(strings.Fields(rest), ""))
		if err != nil {
			tb.Fatal(err)
		}
		out = append(out, sessionLine{up: dir == "C>S", data: data})
	}
	return out
}

// commandsOf returns the header and commands of a valid datagram.
func commandsOf(datagram []byte) (head header, out []command) {
	head, rest, _ := parseHeader(datagram)
	for len(rest) > 0 {
		c, next, ok := nextCommand(rest)
		if !ok {
			panic("not sound")
		}
		out = append(out, c)
		rest = next
	}
	return head, out
}

// withoutGarbage clears bytes 2-3 of every acknowledgement, which libenet 1.1 leaves uninitialised.
func withoutGarbage(datagram []byte) []byte {
	d := bytes.Clone(datagram)
	_, commands := commandsOf(d)
	for _, c := range commands {
		if c.kind == cmdAcknowledge {
			c.fixed[2], c.fixed[3] = 0, 0
		}
	}
	return d
}

// sendLines sends the messages in the first captured datagram. A fragmented message is assembled from the datagrams after
// it.
func sendLines(p *Peer, lines []sessionLine) {
	_, commands := commandsOf(lines[0].data)
	for _, c := range commands {
		switch c.kind {
		case cmdReliable:
			p.Send(c.channel, c.data)
		case cmdUnreliable:
			p.SendUnreliable(c.channel, c.data)
		case cmdFragment:
			var whole []byte
			for _, l := range lines[:parseFragment(&c).count] {
				_, parts := commandsOf(l.data)
				whole = append(whole, parts[0].data...)
			}
			p.Send(c.channel, whole)
		case cmdBandwidthLimit:
			if !p.client {
				p.queueBandwidth() // a client sends BANDWIDTH_LIMIT on its own
			}
		case cmdDisconnect:
			p.controlSeq = c.seq - 1 // skip the sequence numbers of PINGs, which the capture omits
			p.Disconnect(c.u32(4))
		}
	}
}

// replaySession lets a host play one side of a captured session: it passes the other side's datagrams to the host, checks that the host
// sends the captured bytes, and returns the events of the host.
func replaySession(t *testing.T, name string, server bool) []string {
	t.Helper()
	lines := readSession(t, name)
	us := slices.IndexFunc(lines, func(l sessionLine) bool {
		head, _, _ := parseHeader(l.data)
		return l.up == server && head.peer != noPeer
	})
	head, _, _ := parseHeader(lines[us].data)
	e := receiver{host: NewHost(Config{MaxPeers: 1, FirstPeer: int(head.peer)})}
	var p *Peer
	if !server {
		p, _ = e.host.connect(serverAddr, 254, head.session)
		p.clockOffset = 0
	}
	var now uint32
	var out [][]byte
	said := -1
	for i, l := range lines {
		if l.up == server {
			e.react = func(ev Event) {
				if ev.Kind == Connected && !server {
					said = i + 1 // the libenet 1.1 client sends this as soon as it is connected
					sendLines(ev.Peer, lines[said:])
				}
			}
			e.host.Receive(now, serverAddr, l.data, e.handle)
			if p == nil {
				p = e.host.halfOpen.oldest
				p.clockOffset = 0
			}
			continue
		}
		if head, _, _ := parseHeader(l.data); head.hasSent {
			now = uint32(head.sent)
		}
		if len(out) == 0 {
			if p.state == stateConnected && said != i {
				sendLines(p, lines[i:])
			}
			out = collect(e.host, now)
		}
		if len(out) == 0 {
			t.Fatalf("datagram %d: nothing sent, want %x", i, l.data)
		}
		if !bytes.Equal(withoutGarbage(out[0]), withoutGarbage(l.data)) {
			t.Fatalf("datagram %d:\n got %x\nwant %x", i, out[0], l.data)
		}
		out = out[1:]
	}
	if st := e.host.Stats(); st.BadAck+st.BadCommand+st.BadPeer+st.BadSession+st.BadFragment+st.UnprovenPort > 0 {
		t.Errorf("datagrams of the original were counted as bad: %+v", st)
	}
	return e.drainEvents()
}

func TestCapturedSessionsReplayByteForByte(t *testing.T) {
	big := make([]byte, 1500)
	for i := range big {
		big[i] = byte(i*7 + i/251)
	}
	for _, c := range []struct {
		name   string
		server bool
		events []string
	}{
		{"handshake.hex", true, []string{"connected", "r1 \x00", "disconnected by peer"}},
		{"handshake.hex", false, []string{"connected", "r1 \x0c\x01\x00", "u2 \x0e\xaa", "disconnected by us"}},
		{"original_client.hex", true, []string{"connected", "r1 \x00", "r1 e hello", "u2 u there", "r1 " + string(big), "disconnected by peer"}},
		{"original_server.hex", false, []string{"connected", "r1 e hello", "u2 u there", "r1 " + string(big), "disconnected by peer"}},
	} {
		t.Run(c.name+map[bool]string{true: "/server", false: "/client"}[c.server], func(t *testing.T) {
			got := replaySession(t, c.name, c.server)
			slices.Sort(got) // the libenet 1.1 server sends the two echoes in any order
			slices.Sort(c.events)
			if !slices.Equal(got, c.events) {
				t.Errorf("events %q, want %q", got, c.events)
			}
		})
	}
}
