package main

import (
	"errors"
	"fmt"
	"time"

	"github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/raknet"
	"github.com/truestep-io/truestep/proto/wire"
)

// bedrockSession is what one client and the server say to each other.
type bedrockSession struct {
	run    *bedrockCapture
	number int
	path   bedrockPath
	name   string // as the client says; "" if not known

	begins  bool // the capture has it from the beginning
	holes   bool // messages are missing in the capture
	talked  bool // something of the user was said
	ended   bool
	version bedrock.Version // 0: not known
	packing packing
	sealed  bool // encrypted from here on
	mute    bool // why the rest cannot be read has been told

	keyTries int

	client, server  bedrockSide
	moves           bedrockMoves
	first, last     time.Time
	errors, strange int
}

// bedrockSide is what one of them says.
type bedrockSide struct {
	tap     *raknet.Tap
	stats   raknet.TapStats // once the session has ended
	opener  *auth.Opener
	broken  bool   // the place in the key stream is lost
	lost    uint64 // batches since the last one that could be decrypted
	tries   int    // to find the place again
	packets map[bedrock.ID]int
	batches int
	unread  int // batches that could not be decrypted
	nacked  int // numbers that this side asked for again
}

func newBedrockSession(run *bedrockCapture, number int, path bedrockPath, begins bool) *bedrockSession {
	s := &bedrockSession{run: run, number: number, path: path, begins: begins, version: run.version(), first: run.now, last: run.now}
	if begins {
		s.packing = packingNone
	}
	for _, side := range []*bedrockSide{&s.client, &s.server} {
		side.tap = raknet.NewTap(begins, &run.room)
		side.packets = map[bedrock.ID]int{}
	}
	return s
}

func (s *bedrockSession) side(from bedrock.Direction) *bedrockSide {
	if from == bedrock.ToClient {
		return &s.server
	}
	return &s.client
}

// datagram takes a datagram of the connection, dissected; err is why that ended early.
func (s *bedrockSession) datagram(from bedrock.Direction, b []byte, d *raknet.Dissection, err error) {
	s.last = s.run.now
	side := s.side(from)
	if s.run.RakNet {
		s.line(from, "datagram, %s: %s", count(len(b), "byte"), datagramText(d, b))
		for i := range d.Frames {
			s.line(from, "  %s", frameText(&d.Frames[i]))
		}
	}
	if err != nil {
		s.strange++
		s.line(from, "datagram that makes no sense, %s: %v: %s", count(len(b), "byte"), err, s.run.p.hex(b))
	}
	switch d.Kind {
	case raknet.NackDatagram:
		for _, span := range d.Spans {
			side.nacked += int(span.Last-span.First) + 1
		}
		if !s.run.RakNet && s.run.p.only == nil {
			s.line(from, "asks again for datagram %s", spansText(d.Spans))
		}
	case raknet.DataDatagram:
		_ = side.tap.Receive(s.run.now.UnixMilli(), b, func(m raknet.TapMessage) { s.message(from, m) }) // the error is err
	}
}

// message takes a whole message in its turn.
func (s *bedrockSession) message(from bedrock.Direction, m raknet.TapMessage) {
	if m.Skipped > 0 {
		s.line(from, "%s missing in the capture before this", count(int(m.Skipped), "message"))
	}
	if m.Skipped > 0 {
		s.holes = true
		s.side(from).lost += uint64(m.Skipped)
	}
	if !raknet.IsUserMessage(m.Body) {
		if _, ok := raknet.DescribeMessage(m.Body); !ok || s.run.p.only == nil || s.run.RakNet {
			s.own(from, m.Body)
		}
		return
	}
	s.talked = true
	if m.Body[0] != bedrock.BatchID {
		s.errors++
		s.line(from, "%s", s.run.p.messageText(m.Body))
		return
	}
	s.side(from).batches++
	if m.Late && s.sealed {
		s.side(from).unread++ // its place in the key stream has been passed
		return
	}
	s.batch(from, m.Body[1:])
}

// own shows one of RakNet's own messages. Pings are for those who want to see everything.
func (s *bedrockSession) own(from bedrock.Direction, body []byte) {
	if d, _ := raknet.DescribeMessage(body); s.run.RakNet || d.Name != "connected ping" && d.Name != "connected pong" {
		s.line(from, "%s", s.run.p.messageText(body))
	}
}

// batch decrypts, unpacks and shows a batch.
func (s *bedrockSession) batch(from bedrock.Direction, b []byte) {
	if s.sealed {
		var ok bool
		if b, ok = s.decrypt(from, b); !ok {
			s.side(from).unread++
			return
		}
	}
	payload, found, err := s.run.batch.unpack(b, s.packing)
	if err == nil && s.packing == packingUnknown {
		if beginsWell(payload) {
			s.packing = found
		} else {
			err = errNoSense
		}
	}
	if err != nil {
		s.unpackFailed(from, b, err)
		return
	}
	err = eachPacket(payload, func(_ int, packet []byte) { s.packet(from, packet) })
	if err != nil {
		s.errors++
		s.line(from, "error: %v: %s", err, s.run.p.hex(payload))
	}
}

// errNoSense says that a batch of a session that was joined late may be anything.
var errNoSense = errors.New("no batch that could be told")

// unpackFailed shows a batch that cannot be unpacked. Of a session of which something is missing it is most likely
// encrypted, which is told once.
func (s *bedrockSession) unpackFailed(from bedrock.Direction, b []byte, err error) {
	if !s.begins || s.holes && !s.sealed {
		s.side(from).unread++
		s.tell("the rest is encrypted, and the capture lacks the moment at which that began: capture whole datagrams, from before the player joins")
		return
	}
	s.errors++
	s.line(from, "batch of %s, error: %v: %s", count(len(b), "byte"), err, s.run.p.hex(b))
}

// tell prints something about the session once.
func (s *bedrockSession) tell(format string, args ...any) {
	if !s.mute {
		s.mute = true
		s.run.note("%d %s", s.number, fmt.Sprintf(format, args...))
	}
}

// packet shows one packet and learns from it what the next ones need.
func (s *bedrockSession) packet(from bedrock.Direction, b []byte) {
	d := parseBedrock(b, s.version)
	s.side(from).packets[d.id]++
	if d.failed() && !errors.Is(d.err, bedrock.ErrUnknown) || errors.Is(d.err, wire.ErrTrailing) {
		s.errors++
	}
	remark := s.learn(from, &d)
	if d.row != nil && d.row.Direction&from == 0 {
		remark += fmt.Sprintf(" (%s is never sent %v)", d.row.Name, from)
	}
	if s.run.p.shows(d.id) {
		s.line(from, "%s%s", s.run.p.oneLine(&d), remark)
	}
}

// learn notes what a packet says about the session and returns a remark on it.
func (s *bedrockSession) learn(from bedrock.Direction, d *bedrockPacket) string {
	switch p := d.packet.(type) {
	case bedrock.RequestNetworkSettings:
		return s.speaks(p.Protocol)
	case bedrock.NetworkSettings:
		s.packing = packingByte
	case bedrock.Login:
		s.name = bedrockName(p.Request)
		if !s.run.p.shows(d.id) {
			s.run.note("client %d calls itself %q", s.number, s.name)
		}
		return fmt.Sprintf(" (name, not verified: %q)%s", s.name, s.speaks(p.Protocol))
	case bedrock.ServerToClientHandshake:
		s.sealed, s.client.lost, s.server.lost = true, 0, 0
	case bedrock.PlayerAuthInput:
		s.moves.input(s.run.now, &p)
	case bedrock.CorrectPlayerMovePrediction:
		return s.moves.correction(s.run.now, &p)
	case bedrock.StartGame:
		s.moves.self = p.Runtime
	case bedrock.MovePlayer:
		s.moves.moved(&p)
	}
	return ""
}

// speaks notes the version of the client unless the flag has set it.
func (s *bedrockSession) speaks(v bedrock.Version) string {
	switch known := v.Known(); {
	case s.run.version() != 0 || s.version == v:
		return ""
	case !known && s.version == 0:
		return fmt.Sprintf(" (protocol %d is not known; decoded as whichever of %v parses)", v, bedrock.Versions())
	case !known:
		return ""
	}
	s.version = v
	return " (Minecraft " + v.Game() + ")"
}

// end shows what still waited, and lets go of what only a live session needs.
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
	delete(s.run.live, s.path)
}

// line prints a line of the session.
func (s *bedrockSession) line(from bedrock.Direction, format string, args ...any) {
	s.run.p.line("%s %d %v %s", s.run.clock(), s.number, from, fmt.Sprintf(format, args...))
}
