package main

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"os"
	"os/signal"
	"time"

	"github.com/truestep-io/truestep/internal/pcap"
	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
)

// bedrockCapture goes through a capture file datagram by datagram.
type bedrockCapture struct {
	*decodeBedrockCmd
	p    *bedrockPrinter
	keys *bedrockKeys

	now      time.Time // of the datagram that is being shown
	day      string
	room     int // bytes that all sessions together may still hold
	batch    batchReader
	dissect  raknet.Dissection
	live     map[bedrockPath]*bedrockSession
	order    []*bedrockSession // the first maxBedrockKept, live or not
	sessions int

	offset int64 // in the file, of the frame that is being read

	frames, shown, otherPort, notUDP, pieces, foreign, offline, cut int
}

// bedrockPath is a client and the server that it speaks to.
type bedrockPath struct{ client, server netip.AddrPort }

// What a capture may cost; it is no more to be trusted than a socket.
const (
	maxBedrockLive = 1024      // sessions that are followed at once
	maxBedrockKept = 4096      // sessions that get a summary
	maxBedrockHeld = 256 << 20 // bytes of messages that are not whole or not in order
)

func newBedrockCapture(c *decodeBedrockCmd, p *bedrockPrinter, keys *bedrockKeys) *bedrockCapture {
	return &bedrockCapture{
		decodeBedrockCmd: c, p: p, keys: keys, room: maxBedrockHeld, live: map[bedrockPath]*bedrockSession{},
	}
}

// read prints what the capture holds, and the summary. Errors name the place in the file.
func (run *bedrockCapture) read(r io.Reader) error {
	file, err := pcap.NewReader(r)
	if err != nil {
		if errors.Is(err, pcap.ErrNG) || errors.Is(err, pcap.ErrFormat) {
			return usage(err)
		}
		return err
	}
	run.offset = pcapFileHeader
	if run.follow() {
		defer awaitEnd()()
	}
	err = run.each(file)
	for len(run.live) > 0 {
		run.oldest(func(s *bedrockSession) int64 { return int64(s.number) }).end()
	}
	run.summary()
	return err
}

// Bytes of the headers of a capture file.
const (
	pcapFileHeader  = 24
	pcapFrameHeader = 16
)

func (run *bedrockCapture) each(file *pcap.Reader) error {
	for {
		packet, err := file.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("frame %d at offset %d: %w", run.frames+1, run.offset, err)
		}
		run.frames++
		run.offset += pcapFrameHeader + int64(len(packet.Data))
		if err := run.frame(file.Link(), packet); err != nil {
			return err
		}
		if run.follow() {
			if err := run.p.w.Flush(); err != nil {
				return err
			}
		}
	}
}

// awaitEnd lets the first Ctrl-C pass, which ends the program that makes the capture, so that the summary is printed when
// its output ends. The second one counts. The result undoes it.
func awaitEnd() (undo func()) {
	c := make(chan os.Signal, 1)
	signal.Notify(c, os.Interrupt)
	done := make(chan struct{})
	go func() {
		select {
		case <-c:
			signal.Reset(os.Interrupt)
		case <-done:
		}
	}()
	return func() {
		signal.Stop(c)
		close(done)
	}
}

func (run *bedrockCapture) frame(link pcap.Link, packet pcap.Packet) error {
	d, err := pcap.UDP(link, packet.Data)
	d.From, d.To = plainAddr(d.From), plainAddr(d.To)
	switch {
	case errors.Is(err, pcap.ErrLink):
		return usage(err)
	case errors.Is(err, pcap.ErrFragment):
		run.pieces++
	case err != nil:
		run.notUDP++
	case run.Port != 0 && d.From.Port() != run.Port && d.To.Port() != run.Port:
		run.otherPort++
	case len(d.Payload) > 0:
		run.now = packet.Time
		run.datagram(d)
	}
	return nil
}

// datagram shows one datagram and everything that it completes.
func (run *bedrockCapture) datagram(d pcap.Datagram) {
	run.shown++
	b := d.Payload
	if len(b) < d.Length {
		if run.cut++; run.cut == 1 {
			run.note("the capture has only %d of the %d bytes of a datagram, which is not shown, nor are others like it: capture with tcpdump -s 0", len(b), d.Length)
		}
		return
	}
	err := run.dissect.Dissect(b)
	from, sure := run.speaker(d)
	path := bedrockPath{d.From, d.To}
	if from == bedrock.ToClient {
		path = bedrockPath{d.To, d.From}
	}
	if run.dissect.Kind == raknet.OfflineDatagram {
		run.outside(path, from, b)
		return
	}
	s := run.live[path]
	if s == nil && (err != nil || run.Port == 0 && !sure) {
		run.foreign++
		return
	}
	if s == nil {
		s = run.open(path, false)
	}
	s.datagram(from, b, &run.dissect, err)
}

// speaker tells who sent d: by what only one side says, else the server's port, else a session that is known. Without all
// of them it is a guess, by the lower port.
func (run *bedrockCapture) speaker(d pcap.Datagram) (from bedrock.Direction, sure bool) {
	_, toServer := run.live[bedrockPath{d.From, d.To}]
	_, toClient := run.live[bedrockPath{d.To, d.From}]
	switch {
	case raknet.FromClient(d.Payload):
		return bedrock.ToServer, true
	case raknet.FromServer(d.Payload):
		return bedrock.ToClient, true
	case run.Port != 0 && d.From.Port() != d.To.Port():
		if d.To.Port() == run.Port {
			return bedrock.ToServer, true
		}
		return bedrock.ToClient, true
	case toServer:
		return bedrock.ToServer, true
	case toClient:
		return bedrock.ToClient, true
	case d.To.Port() < d.From.Port():
		return bedrock.ToServer, false
	}
	return bedrock.ToClient, false
}

// outside shows a datagram outside of a connection. Reply 2 begins a session; it may be sent twice.
func (run *bedrockCapture) outside(path bedrockPath, from bedrock.Direction, b []byte) {
	m, ok := raknet.DescribeOffline(b)
	if !ok && run.Port == 0 {
		run.foreign++
		return
	}
	run.offline++
	s := run.live[path]
	if raknet.OpensConnection(b) && ok && (s == nil || s.talked) {
		if s != nil {
			s.end()
		}
		s = run.open(path, true)
	}
	if run.p.only == nil || run.RakNet {
		text := m.String()
		if !ok {
			text = datagramText(&run.dissect, b) + ": " + run.p.hex(b)
		}
		who := "-"
		if s != nil {
			who = fmt.Sprint(s.number)
		}
		run.p.line("%s %s %v %s (client %v)", run.clock(), who, from, text, path.client)
	}
}

// open begins a session. begins says that the capture has it from the beginning.
func (run *bedrockCapture) open(path bedrockPath, begins bool) *bedrockSession {
	if len(run.live) >= maxBedrockLive {
		run.oldest(func(s *bedrockSession) int64 { return s.last.UnixNano() }).end()
	}
	run.sessions++
	s := newBedrockSession(run, run.sessions, path, begins)
	run.live[path] = s
	if len(run.order) < maxBedrockKept {
		run.order = append(run.order, s)
	}
	run.note("client %d is %v, server %v", s.number, path.client, path.server)
	if !begins {
		run.note("client %d: the capture begins inside of the session", s.number)
	}
	return s
}

// oldest is the live session with the least age, and of several the first; there has to be one.
func (run *bedrockCapture) oldest(age func(*bedrockSession) int64) *bedrockSession {
	var best *bedrockSession
	for _, s := range run.live {
		if best == nil || age(s) < age(best) || age(s) == age(best) && s.number < best.number {
			best = s
		}
	}
	return best
}

// clock is the time of day; a new day is told in a line of its own.
func (run *bedrockCapture) clock() string {
	if day := run.now.Format("2006-01-02"); day != run.day {
		run.day = day
		run.p.line("%s, times are UTC", day)
	}
	return run.now.Format("15:04:05.000000")
}

// note prints what is said about the capture rather than found in it.
func (run *bedrockCapture) note(format string, args ...any) {
	run.p.line("%s %s", run.clock(), fmt.Sprintf(format, args...))
}
