package dissect

import (
	"errors"
	"fmt"
	"io"
	"net/netip"
	"time"

	"github.com/truestep-io/truestep/internal/pcap"
	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/raknet"
)

// bedrockCapture is the state of printing one pcap file.
type bedrockCapture struct {
	*bedrockPrinter

	now       time.Time // time of the current datagram
	day       string    // day of the last printed time, such as "2006-01-02"
	bytesLeft int       // number of bytes that the reassembly of all sessions together may still allocate
	batches   batchReader
	raknet    raknet.Dissection            // parsed form of the current datagram
	open      map[addrPair]*bedrockSession // sessions that have not ended, by addresses
	sessions  []*bedrockSession            // the first maxSessionSummaries sessions, which are summarised at the end
	count     int                          // number of sessions since the beginning of the capture

	offset int64 // offset of the current frame in the file, in bytes

	frames, shown, otherPort, notUDP, fragments, notRakNet, offline, truncated int // numbers of frames and datagrams that the summary states
}

// addrPair is the address of a client and that of its server.
type addrPair struct{ client, server netip.AddrPort }

// Limits of the memory for a capture, because a capture may have been made to exhaust it.
const (
	maxOpenSessions     = 1024      // maximum number of sessions at the same time
	maxSessionSummaries = 4096      // maximum number of sessions in the summary
	maxReassemblyBytes  = 256 << 20 // maximum bytes of incomplete and out-of-order messages
)

func newBedrockCapture(p *bedrockPrinter) *bedrockCapture {
	return &bedrockCapture{bedrockPrinter: p, bytesLeft: maxReassemblyBytes, open: map[addrPair]*bedrockSession{}}
}

// read prints the capture and its summary. Errors name the frame and the offset in the file.
func (run *bedrockCapture) read(r io.Reader) error {
	file, err := pcap.NewReader(r)
	if err != nil {
		if errors.Is(err, pcap.ErrPcapng) || errors.Is(err, pcap.ErrFormat) {
			return badInput(err)
		}
		return err
	}
	run.offset = pcapFileHeader
	err = run.readFrames(file)
	for len(run.open) > 0 {
		run.oldest(func(s *bedrockSession) int64 { return int64(s.number) }).end()
	}
	run.summary()
	return err
}

// Sizes of the headers of a pcap capture file, in bytes.
const (
	pcapFileHeader  = 24
	pcapFrameHeader = 16
)

func (run *bedrockCapture) readFrames(file *pcap.Reader) error {
	for {
		packet, err := file.Next()
		if err == io.EOF {
			return nil
		}
		if err != nil {
			return fmt.Errorf("read frame %d of the capture, at byte %d: %w", run.frames+1, run.offset, err)
		}
		run.frames++
		run.offset += pcapFrameHeader + int64(len(packet.Data))
		if err := run.frame(file.Link(), packet); err != nil {
			return err
		}
		if run.Live {
			if err := run.w.Flush(); err != nil {
				return err
			}
		}
	}
}

// frame processes one frame of the capture. A frame without a UDP datagram of the server's port is only counted.
func (run *bedrockCapture) frame(link pcap.Link, packet pcap.Packet) error {
	d, err := pcap.UDP(link, packet.Data)
	d.From, d.To = unmapAddr(d.From), unmapAddr(d.To)
	switch {
	case errors.Is(err, pcap.ErrLink):
		return badInput(err)
	case errors.Is(err, pcap.ErrFragment):
		run.fragments++
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

// datagram prints a captured datagram, and the messages that are complete now that it has arrived.
func (run *bedrockCapture) datagram(d pcap.Datagram) {
	run.shown++
	b := d.Payload
	if len(b) < d.Length {
		if run.truncated++; run.truncated == 1 {
			run.note("the capture has only %d of the %d bytes of a datagram, which is not shown, nor are others like it: capture with tcpdump -s 0", len(b), d.Length)
		}
		return
	}
	err := run.raknet.Dissect(b)
	from, sure := run.sender(d)
	pair := addrPair{d.From, d.To}
	if from == bedrock.ToClient {
		pair = addrPair{d.To, d.From}
	}
	if run.raknet.Kind == raknet.OfflineDatagram {
		run.offlineMessage(pair, from, b)
		return
	}
	s := run.open[pair]
	if s == nil && (err != nil || run.Port == 0 && !sure) {
		run.notRakNet++
		return
	}
	if s == nil {
		s = run.openSession(pair, false)
	}
	s.datagram(from, b, &run.raknet, err)
}

// sender returns whether the client or the server has sent d. It decides by the first of these criteria that applies: (1) d
// contains a message that only one side sends, (2) one of the two ports is the configured port of the server, (3) a session
// between the two addresses is open. Otherwise it guesses that the server has the lower port, and returns sure = false.
func (run *bedrockCapture) sender(d pcap.Datagram) (from bedrock.Direction, sure bool) {
	_, toServer := run.open[addrPair{d.From, d.To}]
	_, toClient := run.open[addrPair{d.To, d.From}]
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

// offlineMessage prints a datagram outside of a connection. If it is the server's message "open connection reply 2", it also
// begins a session. The server may repeat this message; a repetition begins a further session only if data was sent in the
// first one.
func (run *bedrockCapture) offlineMessage(pair addrPair, from bedrock.Direction, b []byte) {
	m, ok := raknet.DescribeOffline(b)
	if !ok && run.Port == 0 {
		run.notRakNet++
		return
	}
	run.offline++
	s := run.open[pair]
	if raknet.OpensConnection(b) && ok && (s == nil || s.hasUserData) {
		if s != nil {
			s.end()
		}
		s = run.openSession(pair, true)
	}
	if run.only == nil || run.RakNet {
		text := m.String()
		if !ok {
			text = datagramText(&run.raknet, b) + ": " + run.hex(b)
		}
		who := "-"
		if s != nil {
			who = fmt.Sprint(s.number)
		}
		run.line("%s %s %v %s (client %v)", run.clock(), who, from, text, pair.client)
	}
}

// openSession begins a session. The parameter complete is true if the capture contains the session from its
// beginning.
func (run *bedrockCapture) openSession(pair addrPair, complete bool) *bedrockSession {
	if len(run.open) >= maxOpenSessions {
		run.oldest(func(s *bedrockSession) int64 { return s.last.UnixNano() }).end()
	}
	run.count++
	s := newBedrockSession(run, run.count, pair, complete)
	run.open[pair] = s
	if len(run.sessions) < maxSessionSummaries {
		run.sessions = append(run.sessions, s)
	}
	run.note("client %d is %v, server %v", s.number, pair.client, pair.server)
	if !complete {
		run.note("client %d: the capture begins inside of the session", s.number)
	}
	return s
}

// oldest returns the open session for which the function age has the lowest result, for example the time of the session's last
// datagram. Of several with that result it returns the one that was opened first. There must be an open session.
func (run *bedrockCapture) oldest(age func(*bedrockSession) int64) *bedrockSession {
	var best *bedrockSession
	for _, s := range run.open {
		if best == nil || age(s) < age(best) || age(s) == age(best) && s.number < best.number {
			best = s
		}
	}
	return best
}

// clock returns the time of day of the current frame as text. When the day has changed, it first prints a line with the date.
func (run *bedrockCapture) clock() string {
	if day := run.now.Format("2006-01-02"); day != run.day {
		run.day = day
		run.line("%s, times are UTC", day)
	}
	return run.now.Format("15:04:05.000000")
}

// note prints a remark about the capture, preceded by the time of the current frame.
func (run *bedrockCapture) note(format string, args ...any) {
	run.line("%s %s", run.clock(), fmt.Sprintf(format, args...))
}
