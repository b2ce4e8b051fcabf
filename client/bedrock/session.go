package bedrock

import (
	"context"
	"crypto/ecdsa"
	"crypto/elliptic"
	cryptorand "crypto/rand"
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"net"
	"sync"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/proto/bedrock/auth"
	"github.com/truestep-io/truestep/proto/wire"
	"github.com/truestep-io/truestep/sim/move"
)

// Options of a client. Name is needed.
type Options struct {
	Name    string            // 1..16 characters
	Key     *ecdsa.PrivateKey // of P-384, which signs the login; nil: a new one
	Version proto.Version     // 0: V2169
	Radius  int32             // chunks of sight that are asked for; 0: 4

	ChainLogin bool // the form of self-signed logins before protocol 944

	Seed   uint64      // of the behaviour's luck; 0 takes a new one
	Tamper *Tamper     // nil: honest and on a good line
	Chunks *ChunkCache // shared by the clients of a process; nil: none

	Chat func(from, text string) // called for each line, in the client's goroutine; it must not call the client

	RakNet RakNet // of Dial only

	// Dial opens the connection of package function Dial: network is "udp", addr the server's IP address and port. Read of
	// the connection returns one datagram, Write sends one. nil: the system's sockets.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

func (o *Options) setDefaults() error {
	if o.Name == "" {
		return fmt.Errorf("%w: Name is empty", ErrOptions)
	}
	if o.Version == 0 {
		o.Version = proto.V2169
	}
	if !o.Version.Known() {
		return fmt.Errorf("%w: protocol %d is not known", ErrOptions, o.Version)
	}
	if o.Radius <= 0 {
		o.Radius = 4
	}
	if o.Seed == 0 {
		o.Seed = rand.Uint64()
	}
	if o.Tamper == nil {
		o.Tamper = &Tamper{}
	}
	if o.Dial == nil {
		o.Dial = new(net.Dialer).DialContext
	}
	if o.Key != nil {
		return nil
	}
	var err error
	o.Key, err = ecdsa.GenerateKey(elliptic.P384(), cryptorand.Reader)
	return err
}

// stage is how far a session got.
type stage uint8

const (
	stageSettings  stage = iota // until NetworkSettings
	stageHandshake              // until the encryption is up
	stagePacks                  // until StartGame
	stageStart                  // until PlayStatus says spawn
	stagePlay
)

// Session is the game as a client plays it, above RakNet: messages in, messages out. It has no socket and no clock, so a
// test drives it through any network in any time. It belongs to one goroutine.
//
//	s.Start()                      // the connection is up
//	err := s.Receive(nowNS, body)  // for each message that begins with fe
//	err := s.Tick(nowNS, behaviour) // 20 times a second; behaviour may be nil
//	s.Flush(send)                  // after each of them
type Session struct {
	opt       Options
	rng       *rand.Rand
	stage     stage
	world     World
	predict   *Predictor // nil before StartGame
	player    Player     // what behaviours are given
	tickCount uint64     // calls of Tick
	now       int64      // ns, of the call that is running

	noCompressor bool // NetworkSettings has not come: no compressor byte yet
	threshold    int
	sealer       *auth.Sealer
	opener       *auth.Opener

	delayIn, delayOut delayLine
	writer            proto.BatchWriter
	ready             [][]byte        // payloads whose delay is over
	received          []byte          // scratch: a batch that came
	decompressed      []byte          // scratch: its payload
	sending           []byte          // scratch: a batch that goes
	lastFlags         move.InputFlags // of the last input, for the edges of keys
	changingDimension bool            // between two dimensions

	respawnAt       uint64 // frame in which to ask for a new life; 0, never: nothing to ask
	counts          Counts
	measured        Histograms
	firstParseError error
}

// NewSession checks the options and returns a session that has not begun. Errors wrap ErrOptions.
func NewSession(o Options) (*Session, error) {
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	s := &Session{opt: o, rng: rand.New(rand.NewPCG(o.Seed, 0x6265)), noCompressor: true, measured: newHistograms()}
	s.player = Player{s}
	s.delayIn.ticks, s.delayOut.ticks = o.Tamper.DelayIn, o.Tamper.DelayOut
	return s, nil
}

// Start begins the login.
func (s *Session) Start() {
	s.queuePacket(proto.RequestNetworkSettings{Protocol: s.opt.Version})
}

// Playing reports whether the player is in the world.
func (s *Session) Playing() bool { return s.stage == stagePlay }

// World is what the client knows. It is changed by Receive and Tick, and by nobody else.
func (s *Session) World() *World { return &s.world }

// Predictor is the own movement; nil before StartGame.
func (s *Session) Predictor() *Predictor { return s.predict }

// FirstBad is the first packet that could not be read, nil if all could.
func (s *Session) FirstParseError() error { return s.firstParseError }

func (s *Session) queuePacket(p proto.Packet) { s.writer.Add(p, s.opt.Version) }

// inflaters and deflaters are shared by all sessions: each keeps a window, and a session seldom needs one.
var (
	inflaters = sync.Pool{New: func() any { return new(proto.Inflater) }}
	deflaters = sync.Pool{New: func() any { return new(proto.Deflater) }}
)

// Receive takes a message of the server. message is borrowed. Messages that are no batches are ignored. nowNS is any
// clock in nanoseconds; it serves the statistics. An error ends the session: a DisconnectError, or one that wraps
// ErrVersion, ErrFull or ErrServer.
func (s *Session) Receive(nowNS int64, message []byte) error {
	s.now = nowNS
	if len(message) == 0 || message[0] != proto.BatchID {
		return nil
	}
	payload, err := s.decodeBatch(message[1:])
	if err != nil {
		return fmt.Errorf("%w: %w", ErrServer, err)
	}
	s.counts.Batches++
	return proto.EachPacket(payload, proto.MaxBatchPackets, s.deliverPacket)
}

// unpack decrypts and decompresses a batch. The payload is borrowed from s until the next call.
func (s *Session) decodeBatch(batch []byte) ([]byte, error) {
	s.received = append(s.received[:0], batch...)
	batch = s.received
	var err error
	if s.opener != nil {
		if batch, err = s.opener.Open(batch); err != nil {
			return nil, err
		}
	}
	if s.noCompressor {
		return batch, nil
	}
	f := inflaters.Get().(*proto.Inflater)
	defer inflaters.Put(f)
	payload, err := f.Decompress(s.decompressed, batch, proto.MaxLoginBatch)
	if err == nil && len(payload) > 0 && len(batch) > 0 && batch[0] != proto.CompressorNone {
		s.decompressed = payload[:0]
	}
	return payload, err
}

// arrive holds a packet back, or handles it.
func (s *Session) deliverPacket(packet []byte) error {
	if s.delayIn.ticks > 0 && s.stage == stagePlay {
		s.delayIn.push(s.tickCount, packet)
		return nil
	}
	return s.handle(packet)
}

// Flush hands over everything that is to be sent, as messages that are borrowed until send returns.
func (s *Session) Flush(send func(message []byte)) {
	if s.writer.Count() > 0 {
		if s.delayOut.ticks > 0 && s.stage == stagePlay {
			s.delayOut.push(s.tickCount, s.writer.Bytes())
		} else {
			s.sendBatch(s.writer.Bytes(), send)
		}
		s.writer.Reset()
	}
	for i, payload := range s.ready {
		s.sendBatch(payload, send)
		s.ready[i] = nil
	}
	s.ready = s.ready[:0]
}

// pack sends a payload as a batch.
func (s *Session) sendBatch(payload []byte, send func(message []byte)) {
	s.sending = append(s.sending[:0], proto.BatchID)
	switch {
	case s.noCompressor:
		s.sending = append(s.sending, payload...)
	case s.threshold == 0 || len(payload) < s.threshold:
		s.sending = append(append(s.sending, proto.CompressorNone), payload...)
	default:
		f := deflaters.Get().(*proto.Deflater)
		s.sending = f.Compress(s.sending, payload, s.threshold)
		deflaters.Put(f)
	}
	if s.sealer != nil {
		s.sending = s.sealer.Seal(s.sending[:1], s.sending[1:])
	}
	send(s.sending)
}

// Tick is one tick of 50 ms. In the world it settles what arrived, lets b choose its keys, moves and queues the input
// (CL-3). Errors are those of Receive: packets that were held back are handled now.
func (s *Session) Tick(nowNS int64, b Behaviour) error {
	s.now = nowNS
	s.tickCount++
	if err := s.delayIn.popDue(s.tickCount, s.handle); err != nil {
		return err
	}
	if s.stage == stagePlay {
		s.playTick(b)
	}
	return s.delayOut.popDue(s.tickCount, func(payload []byte) error {
		s.ready = append(s.ready, payload)
		return nil
	})
}

// read parses a packet; ok is false if it cannot be read, which is counted.
func parsePacket[P any](s *Session, body []byte, parse func([]byte, proto.Version) (P, error)) (p P, ok bool) {
	p, err := parse(body, s.opt.Version)
	switch {
	case err == nil:
		return p, true
	case errors.Is(err, wire.ErrTrailing):
		s.counts.Trailing++
		return p, true
	}
	s.countParseError(err)
	return p, false
}

func (s *Session) countParseError(err error) {
	s.counts.ParseErrors++
	if s.firstParseError == nil {
		s.firstParseError = err
	}
}

// never is a frame that does not come.
const never = math.MaxUint64

// inTicks is a duration in ticks, at least one.
func toTicks(d time.Duration) uint64 { return uint64(max(1, d/TickInterval)) }

// TickEvery is the length of a tick.
const TickInterval = 50 * time.Millisecond
