package dissect

import (
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/proto/wire"
)

// bedrockSession is one connection of a client to a server in a capture.
type bedrockSession struct {
	run    *bedrockCapture
	number int // number of the session in the capture, from 1
	pair   addrPair
	name   string // name that the client claims; "" if unknown

	complete    bool // the capture contains the session from its beginning
	gaps        bool // messages of the session are missing in the capture
	hasUserData bool // a message of the protocol above RakNet was sent
	ended       bool
	version     bedrock.Version // protocol version; 0 if unknown
	compressor  compressor      // whether batches have a compressor byte
	encrypted   bool            // all further batches are encrypted
	noted       bool            // the method noteOnce has printed its remark

	keyTries int // number of calls of findKey

	client, server  bedrockSide // what each side has sent
	moves           movement
	first, last     time.Time // times of the first and last datagram
	errors, invalid int       // numbers of invalid packets and batches (errors) and of invalid datagrams (invalid)
}

// bedrockSide is one direction of a session: what one side has sent.
type bedrockSide struct {
	tap     *raknet.Tap        // reassembles messages
	stats   raknet.TapStats    // counts of datagrams; set when the session ends
	opener  *auth.Opener       // decrypts batches; nil until the key is found
	broken  bool               // the position in the key stream is lost for the rest of the session
	lost    uint64             // number of batches since the last one that could be decrypted
	tries   int                // number of consecutive calls of resync
	packets map[bedrock.ID]int // number of packets by type
	batches int                // number of batches
	unread  int                // number of batches that could not be decrypted
	nacked  int                // number of datagrams that this side has reported as missing (NACK)
}

func newBedrockSession(run *bedrockCapture, number int, pair addrPair, complete bool) *bedrockSession {
	s := &bedrockSession{run: run, number: number, pair: pair, complete: complete, version: run.Version, first: run.now, last: run.now}
	if complete {
		s.compressor = compressorNone
	}
	for _, side := range []*bedrockSide{&s.client, &s.server} {
		side.tap = raknet.NewTap(complete, &run.bytesLeft)
		side.packets = map[bedrock.ID]int{}
	}
	return s
}

// side returns the state of the direction in which the side from sends.
func (s *bedrockSession) side(from bedrock.Direction) *bedrockSide {
	if from == bedrock.ToClient {
		return &s.server
	}
	return &s.client
}

// datagram processes the datagram b of the connection. The parameter d is the parsed form of b. If err is not nil, parsing ended
// with err, and d contains what was parsed before.
func (s *bedrockSession) datagram(from bedrock.Direction, b []byte, d *raknet.Dissection, err error) {
	s.last = s.run.now
	side := s.side(from)
	if s.run.RakNet {
		s.line(from, "datagram, %s: %s", plural(len(b), "byte"), datagramText(d, b))
		for i := range d.Frames {
			s.line(from, "  %s", frameText(&d.Frames[i]))
		}
	}
	if err != nil {
		s.invalid++
		s.line(from, "datagram that makes no sense, %s: %v: %s", plural(len(b), "byte"), err, s.run.hex(b))
	}
	switch d.Kind {
	case raknet.NackDatagram:
		for _, span := range d.Spans {
			side.nacked += int(span.Last-span.First) + 1
		}
		if !s.run.RakNet && s.run.only == nil {
			s.line(from, "asks again for datagram %s", spansText(d.Spans))
		}
	case raknet.DataDatagram:
		_ = side.tap.Receive(s.run.now.UnixMilli(), b, func(m raknet.TapMessage) { s.message(from, m) }) // Receive returns the same error as err
	}
}

// message processes one message of a session. It must be called with complete messages, in the order in which they were sent.
func (s *bedrockSession) message(from bedrock.Direction, m raknet.TapMessage) {
	if m.Skipped > 0 {
		s.line(from, "%s missing in the capture before this", plural(int(m.Skipped), "message"))
		s.gaps = true
		s.side(from).lost += uint64(m.Skipped)
	}
	if !raknet.IsUserMessage(m.Body) {
		if _, ok := raknet.DescribeMessage(m.Body); !ok || s.run.only == nil || s.run.RakNet {
			s.rakNetMessage(from, m.Body)
		}
		return
	}
	s.hasUserData = true
	if m.Body[0] != bedrock.BatchID {
		s.errors++
		s.line(from, "%s", s.run.messageText(m.Body))
		return
	}
	s.side(from).batches++
	if m.Late && s.encrypted {
		s.side(from).unread++ // a late batch cannot be decrypted, because later batches have already advanced the key stream
		return
	}
	s.batch(from, m.Body[1:])
}

// rakNetMessage prints a message of RakNet itself. Pings are printed only with the option RakNet.
func (s *bedrockSession) rakNetMessage(from bedrock.Direction, body []byte) {
	if d, _ := raknet.DescribeMessage(body); s.run.RakNet || d.Name != "connected ping" && d.Name != "connected pong" {
		s.line(from, "%s", s.run.messageText(body))
	}
}

// batch decrypts, decompresses and prints a batch.
func (s *bedrockSession) batch(from bedrock.Direction, b []byte) {
	if s.encrypted {
		var ok bool
		if b, ok = s.decrypt(from, b); !ok {
			s.side(from).unread++
			return
		}
	}
	payload, found, err := s.run.batches.unpack(b, s.compressor)
	if err == nil && s.compressor == compressorUnknown {
		if firstPacketParses(payload) {
			s.compressor = found
		} else {
			err = errNotABatch
		}
	}
	if err != nil {
		s.unpackFailed(from, b, err)
		return
	}
	err = eachPacket(payload, func(_ int, packet []byte) { s.packet(from, packet) })
	if err != nil {
		s.errors++
		s.line(from, "error: %v: %s", err, s.run.hex(payload))
	}
}

// errNotABatch means that a message contains no valid packet. It is used for sessions whose beginning is not in the capture,
// because their batches may be encrypted.
var errNotABatch = errors.New("the message is not a valid batch of packets")

// unpackFailed reports a batch that cannot be decompressed. If the capture lacks a part of the session, the batch is most
// likely encrypted with an unknown key: a remark about that is printed once per session. Otherwise the batch is printed with
// its error.
func (s *bedrockSession) unpackFailed(from bedrock.Direction, b []byte, err error) {
	if !s.complete || s.gaps && !s.encrypted {
		s.side(from).unread++
		s.noteOnce("the rest is encrypted, and the capture lacks the moment at which that began: capture whole datagrams, from before the player joins")
		return
	}
	s.errors++
	s.line(from, "batch of %s, error: %v: %s", plural(len(b), "byte"), err, s.run.hex(b))
}

// noteOnce prints a remark about the session. Only the first remark of a session is printed.
func (s *bedrockSession) noteOnce(format string, args ...any) {
	if !s.noted {
		s.noted = true
		s.run.note("%d %s", s.number, fmt.Sprintf(format, args...))
	}
}

// packet prints one packet and updates the state of the session.
func (s *bedrockSession) packet(from bedrock.Direction, b []byte) {
	d := parsePacket(b, s.version)
	s.side(from).packets[d.id]++
	if d.failed() && !errors.Is(d.err, bedrock.ErrUnknownPacket) || errors.Is(d.err, wire.ErrTrailing) {
		s.errors++
	}
	remark := s.update(&d)
	if d.row != nil && d.row.Direction&from == 0 {
		remark += fmt.Sprintf(" (%s is never sent %v)", d.row.Name, from)
	}
	if s.run.prints(d.id) {
		s.line(from, "%s%s", s.run.oneLine(&d), remark)
	}
}

// update applies a packet to the state of the session. It returns a remark that is printed after the packet, or "".
func (s *bedrockSession) update(d *parsedPacket) string {
	switch p := d.packet.(type) {
	case bedrock.RequestNetworkSettings:
		return s.setVersion(p.Protocol)
	case bedrock.NetworkSettings:
		s.compressor = compressorByte
	case bedrock.Login:
		s.name = displayName(p.Request)
		if !s.run.prints(d.id) {
			s.run.note("client %d calls itself %q", s.number, s.name)
		}
		return fmt.Sprintf(" (name, not verified: %q)%s", s.name, s.setVersion(p.Protocol))
	case bedrock.ServerToClientHandshake:
		s.encrypted, s.client.lost, s.server.lost = true, 0, 0
	case bedrock.PlayerAuthInput:
		s.moves.addInput(s.run.now, &p)
	case bedrock.CorrectPlayerMovePrediction:
		return s.moves.addCorrection(s.run.now, &p)
	case bedrock.StartGame:
		s.moves.self = p.Runtime
	case bedrock.MovePlayer:
		s.moves.addMove(&p)
	}
	return ""
}

// setVersion selects the protocol version with which further packets are parsed: the one that the client announces. It does
// nothing if that version is not supported, or if the options select a version. It returns a remark about the version, or "".
func (s *bedrockSession) setVersion(v bedrock.Version) string {
	switch known := v.IsSupported(); {
	case s.run.Version != 0 || s.version == v:
		return ""
	case !known && s.version == 0:
		return fmt.Sprintf(" (protocol %d is not known; decoded as whichever of %v parses)", v, bedrock.Versions())
	case !known:
		return ""
	}
	s.version = v
	return " (Minecraft " + v.GameVersion() + ")"
}

// end ends a session: it prints the messages that still wait for missing earlier ones, and frees memory that only an open
// session needs.
func (s *bedrockSession) end() {
	if s.ended {
		return
	}
	s.client.tap.Flush(func(m raknet.TapMessage) { s.message(bedrock.ToServer, m) })
	s.server.tap.Flush(func(m raknet.TapMessage) { s.message(bedrock.ToClient, m) })
	s.ended = true
	for _, side := range []*bedrockSide{&s.client, &s.server} {
		side.stats = side.tap.Stats()
		side.tap, side.opener = nil, nil
	}
	s.moves.recent = nil
	delete(s.run.open, s.pair)
}

// line prints a line of output with the time, the number of the session and the direction.
func (s *bedrockSession) line(from bedrock.Direction, format string, args ...any) {
	s.run.line("%s %d %v %s", s.run.clock(), s.number, from, fmt.Sprintf(format, args...))
}
