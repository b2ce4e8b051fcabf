package main

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"net/netip"
	"slices"

	"github.com/truestep-io/truestep/internal/pcap"
)

// capture goes through a capture file datagram by datagram.
type capture struct {
	*decodeRCCECmd
	p       *printer
	clients map[netip.AddrPort]bool // who sent a CONNECT
	parts   map[partKey]*part

	frames, shown, otherPort, notUDP, pieces, failed int
}

// decodeCapture prints every datagram of the server's port.
func (c *decodeRCCECmd) decodeCapture(p *printer, r io.Reader) error {
	file, err := pcap.NewReader(r)
	if err != nil {
		if errors.Is(err, pcap.ErrNG) || errors.Is(err, pcap.ErrFormat) {
			return usage(err)
		}
		return err
	}
	run := &capture{decodeRCCECmd: c, p: p, clients: map[netip.AddrPort]bool{}, parts: map[partKey]*part{}}
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
			return usage(err)
		case errors.Is(err, pcap.ErrFragment):
			run.pieces++
		case err != nil:
			run.notUDP++
		case c.Port != 0 && d.From.Port() != c.Port && d.To.Port() != c.Port:
			run.otherPort++
		default:
			for _, b := range segments(d.Payload) {
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

// segments cuts what was captured before the system cut it: several datagrams of one send, back to back, all as long as
// the first but for the last (UDP segmentation offload, which our own server uses). Each begins with the session and
// the peer number of the first. Anything else is one datagram.
func segments(b []byte) [][]byte {
	if _, err := dissectENet(b); err == nil || len(b) < 2*shortENetHeader {
		return [][]byte{b}
	}
	for size := shortENetHeader; size <= len(b)-shortENetHeader; size++ {
		if parts := cut(b, size); parts != nil {
			return parts
		}
	}
	return [][]byte{b}
}

// shortENetHeader is the header of a datagram without a sent time, in bytes.
const shortENetHeader = 6

// cut divides b into datagrams of that size, nil if they are none.
func cut(b []byte, size int) [][]byte {
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

// show prints one datagram and everything in it.
func (run *capture) show(packet pcap.Packet, d pcap.Datagram) {
	run.shown++
	dissected, err := dissectENet(d.Payload)
	if dissected.direction() == fromClient {
		run.clients[d.From] = true
	}
	from := run.speaker(d)
	direction := "direction unknown"
	if from.known {
		direction = from.dir.String()
	}
	size := fmt.Sprintf("%d bytes", d.Length)
	if len(d.Payload) < d.Length {
		size += fmt.Sprintf(" (%d captured)", len(d.Payload))
	}
	run.p.line("#%d %s %v > %v, %s, %s",
		run.frames, packet.Time.Format("2006-01-02 15:04:05.000000"), d.From, d.To, size, direction)
	if run.NoEnet {
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

func (run *capture) count(err error) {
	if err != nil {
		run.failed++
	}
}

// speaker tells who sent d: the flag, else the server's port, else who was seen connecting.
func (run *capture) speaker(d pcap.Datagram) speaker {
	s := run.direction()
	if run.Port != 0 && d.From.Port() != d.To.Port() {
		if d.To.Port() == run.Port {
			return s.or(fromClient)
		}
		return s.or(fromServer)
	}
	if run.clients[d.From] {
		return s.or(fromClient)
	}
	if run.clients[d.To] {
		return s.or(fromServer)
	}
	return s
}

func (run *capture) summary() {
	run.p.line("%d frames, %d datagrams shown, %d of other ports, %d not UDP, %d IP fragments, %d errors",
		run.frames, run.shown, run.otherPort, run.notUDP, run.pieces, run.failed)
	if run.shown == 0 && run.otherPort > 0 {
		run.p.line("nothing has UDP port %d; --port N names another, --port 0 shows all", run.Port)
	}
}

// partKey names a message that comes in fragments.
type partKey struct {
	from, to netip.AddrPort
	channel  uint8
	start    uint16
}

// part is a message of which some fragments are here.
type part struct {
	data []byte
	have []bool
	left int
}

// What fragmented messages may cost; a capture is no more to be trusted than a socket.
const (
	maxPartBytes = 1 << 18 // of one message
	maxPartCount = 1 << 10 // fragments of one message
	maxParts     = 32      // messages at once
)

// assemble adds a fragment and returns the message when it is whole.
func (run *capture) assemble(d pcap.Datagram, c *enetCommand) []byte {
	start, count, number, total, offset := c.fragment()
	if count == 0 || count > maxPartCount || number >= count || total > maxPartBytes ||
		uint64(offset)+uint64(len(c.data)) > uint64(total) {
		run.p.line("  @%-4d   error: a fragment outside its message", c.off)
		run.failed++
		return nil
	}
	key := partKey{from: d.From, to: d.To, channel: c.channel, start: start}
	m := run.parts[key]
	if m == nil || len(m.data) != int(total) || len(m.have) != int(count) {
		if len(run.parts) >= maxParts {
			clear(run.parts) // the rest of them was lost
		}
		m = &part{data: make([]byte, total), have: make([]bool, count), left: int(count)}
		run.parts[key] = m
	}
	copy(m.data[offset:], c.data)
	if !m.have[number] {
		m.have[number] = true
		m.left--
	}
	if m.left > 0 || total == 0 {
		return nil
	}
	delete(run.parts, key)
	run.p.line("          whole message of %d bytes in %d fragments:", total, count)
	return m.data
}
