package dissect

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"

	"github.com/truestep-io/truestep/internal/pcap"
)

// rcceCapture is the state of printing one pcap file.
type rcceCapture struct {
	RCCE
	p       *printer
	clients map[netip.AddrPort]bool     // addresses that have sent a CONNECT command
	parts   map[partKey]*partialMessage // messages of which fragments are missing

	frames, shown, otherPort, notUDP, fragments, failed int // numbers of frames and datagrams that the summary states
}

// capture prints every datagram of the server's port, and a summary.
func (o RCCE) capture(p *printer, r io.Reader) error {
	file, err := pcap.NewReader(r)
	if err != nil {
		if errors.Is(err, pcap.ErrPcapng) || errors.Is(err, pcap.ErrFormat) {
			return badInput(err)
		}
		return err
	}
	run := &rcceCapture{RCCE: o, p: p, clients: map[netip.AddrPort]bool{}, parts: map[partKey]*partialMessage{}}
	for {
		packet, err := file.Next()
		if err == io.EOF {
			break
		}
		if err != nil {
			run.summary()
			return err
		}
		run.frames++
		d, err := pcap.UDP(file.Link(), packet.Data)
		switch {
		case errors.Is(err, pcap.ErrLink):
			return badInput(err)
		case errors.Is(err, pcap.ErrFragment):
			run.fragments++
		case err != nil:
			run.notUDP++
		case o.Port != 0 && d.From.Port() != o.Port && d.To.Port() != o.Port:
			run.otherPort++
		default:
			for _, b := range splitSegments(d.Payload) {
				one := d
				if len(b) < len(d.Payload) {
					one.Payload, one.Length = b, len(b)
				}
				run.show(packet, one)
			}
		}
	}
	run.summary()
	return nil
}

// splitSegments splits the payload of a datagram that was captured on the server's machine before the kernel divided it (UDP
// segmentation offload, which this server uses). Such a payload consists of several datagrams. All have the same length, except
// the last, which may be shorter, and all begin with the same session and peer number. Any other payload is returned whole.
func splitSegments(b []byte) [][]byte {
	if _, err := dissectENet(b); err == nil || len(b) < 2*shortENetHeader {
		return [][]byte{b}
	}
	for size := shortENetHeader; size <= len(b)-shortENetHeader; size++ {
		if parts := splitAt(b, size); parts != nil {
			return parts
		}
	}
	return [][]byte{b}
}

// shortENetHeader is the length in bytes of an ENet header without the time at which the datagram was sent.
const shortENetHeader = 6

// splitAt splits b into datagrams of size bytes; the last one may be shorter. It returns nil if the parts are not valid datagrams
// of the same peer.
func splitAt(b []byte, size int) [][]byte {
	var parts [][]byte
	for part := range slices.Chunk(b, size) {
		if len(part) < shortENetHeader || !bytes.Equal(part[:4], b[:4]) || part[5] != b[5] || (part[4]^b[4])&0x7f != 0 {
			return nil
		}
		parts = append(parts, part)
	}
	for _, part := range parts {
		if _, err := dissectENet(part); err != nil {
			return nil
		}
	}
	return parts
}

// show prints one ENet datagram, its commands and their messages.
func (run *rcceCapture) show(packet pcap.Packet, d pcap.Datagram) {
	run.shown++
	dissected, err := dissectENet(d.Payload)
	if dissected.sender() == ClientSide {
		run.clients[d.From] = true
	}
	from := run.sender(d)
	direction := "direction unknown"
	if from != UnknownSide {
		direction = from.direction().String()
	}
	size := fmt.Sprintf("%d bytes", d.Length)
	if len(d.Payload) < d.Length {
		size += fmt.Sprintf(" (%d captured)", len(d.Payload))
	}
	run.p.line("#%d %s %v > %v, %s, %s",
		run.frames, packet.Time.Format("2006-01-02 15:04:05.000000"), d.From, d.To, size, direction)
	if run.Transport == NoTransport {
		if len(d.Payload) > 0 {
			run.count(run.p.message(d.Payload, from, 0))
		}
		return
	}
	run.p.datagram(dissected, err)
	for i := range dissected.commands {
		c := &dissected.commands[i]
		run.count(run.p.command(c, from))
		if c.kind == enetFragment {
			if msg := run.assemble(d, c); msg != nil {
				run.count(run.p.message(msg, from, 0))
			}
		}
	}
	if err != nil && len(dissected.commands) > 0 {
		run.p.line("  error: %v", err)
	}
	run.count(err)
}

func (run *rcceCapture) count(err error) {
	if err != nil {
		run.failed++
	}
}

// sender returns the side that has sent d, or UnknownSide. The option Side decides if it is set. Otherwise the server's port
// decides or, if the ports do not tell, the CONNECT commands seen so far, which only clients send.
func (run *rcceCapture) sender(d pcap.Datagram) Sender {
	s := run.Side
	if run.Port != 0 && d.From.Port() != d.To.Port() {
		if d.To.Port() == run.Port {
			return s.or(ClientSide)
		}
		return s.or(ServerSide)
	}
	if run.clients[d.From] {
		return s.or(ClientSide)
	}
	if run.clients[d.To] {
		return s.or(ServerSide)
	}
	return s
}

func (run *rcceCapture) summary() {
	run.p.line("%d frames, %d datagrams shown, %d of other ports, %d not UDP, %d IP fragments, %d errors",
		run.frames, run.shown, run.otherPort, run.notUDP, run.fragments, run.failed)
	if run.shown == 0 && run.otherPort > 0 {
		run.p.line("nothing has UDP port %d; --port N names another, --port 0 shows all", run.Port)
	}
}

// partKey identifies a message that is sent in several fragments.
type partKey struct {
	from, to netip.AddrPort
	channel  uint8
	start    uint16 // sequence number of the first fragment
}

// partialMessage is a message of which fragments are missing.
type partialMessage struct {
	data     []byte
	received []bool // by fragment number: whether the fragment has arrived
	missing  int    // number of missing fragments
}

// Limits of the reassembly of fragmented messages, because a capture may have been made to exhaust memory.
const (
	maxPartBytes = 1 << 18 // maximum size of a message in bytes
	maxPartCount = 1 << 10 // maximum number of fragments of a message
	maxParts     = 32      // maximum number of incomplete messages at the same time
)

// assemble adds a fragment to its message. It returns the message if it is now complete, else nil.
func (run *rcceCapture) assemble(d pcap.Datagram, c *enetCommand) []byte {
	start, count, number, total, offset := c.fragment()
	if count == 0 || count > maxPartCount || number >= count || total > maxPartBytes ||
		uint64(offset)+uint64(len(c.data)) > uint64(total) {
		run.p.line("  @%-4d   error: a fragment outside its message", c.off)
		run.failed++
		return nil
	}
	key := partKey{from: d.From, to: d.To, channel: c.channel, start: start}
	m := run.parts[key]
	if m == nil || len(m.data) != int(total) || len(m.received) != int(count) {
		if len(run.parts) >= maxParts {
			clear(run.parts) // the other fragments of these messages are missing in the capture
		}
		m = &partialMessage{data: make([]byte, total), received: make([]bool, count), missing: int(count)}
		run.parts[key] = m
	}
	copy(m.data[offset:], c.data)
	if !m.received[number] {
		m.received[number] = true
		m.missing--
	}
	if m.missing > 0 || total == 0 {
		return nil
	}
	delete(run.parts, key)
	run.p.line("          whole message of %d bytes in %d fragments:", total, count)
	return m.data
}
