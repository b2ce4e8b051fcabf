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

// Options configures a client. Name is required.
type Options struct {
	Name    string            // player name, 1..16 characters
	Key     *ecdsa.PrivateKey // P-384 key that signs the login; nil generates one
	Version proto.Version     // protocol version; 0 selects V2169
	Radius  int32             // view distance to request, in chunks; 0 selects 4

	ChainLogin bool // use the self-signed login format of protocols before 944

	Seed   uint64      // seed of the behaviour's random numbers; 0 selects a random one
	Tamper *Tamper     // cheats and simulated delays; nil selects none
	Chunks *ChunkCache // decoded chunks that clients of a process share; nil disables sharing

	Chat func(from, text string) // function to call for each chat line, in the client's goroutine; it must not call methods of the client

	// Measure reports whether Histograms.UpdateIntervals includes the actor with this name; nil includes all actors.
	Measure func(name string) bool

	RakNet RakNet // settings of the RakNet layer; Session ignores them

	// Dial opens the UDP connection to the server; nil selects a socket of the operating system. The parameter network is "udp",
	// and addr is the server's IP address and port. Each Read of the connection returns one datagram, and each Write sends one.
	Dial func(ctx context.Context, network, addr string) (net.Conn, error)
}

func (o *Options) setDefaults() error {
	if o.Name == "" {
		return fmt.Errorf("%w: Options.Name is empty", ErrOptions)
	}
	if o.Version == 0 {
		o.Version = proto.V2169
	}
	if !o.Version.IsSupported() {
		return fmt.Errorf("%w: Options.Version %d is not a supported protocol version", ErrOptions, o.Version)
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

// stage is the step of the login sequence that a session has reached.
type stage uint8

const (
	stageSettings  stage = iota // waiting for NetworkSettings
	stageHandshake              // waiting for the handshake and for its confirmation
	stagePacks                  // waiting for the resource packs and StartGame
	stageStart                  // waiting for the PlayStatus that ends the loading screen
	stagePlay                   // the player is in the world
)

// Session implements the game protocol of one client. It reads and writes the messages that RakNet transports. It has no
// socket and no clock, so tests can drive it over any network at any speed. It is not safe for concurrent use.
//
//	s.Start()                      // after RakNet is connected
//	err := s.Receive(nowNS, body)  // for each message that begins with 0xfe
//	err := s.Tick(nowNS, behaviour) // 20 times a second; behaviour may be nil
//	s.Flush(send)                  // after each call of Start, Receive or Tick
type Session struct {
	opt       Options
	rng       *rand.Rand
	stage     stage // progress of the login
	world     World
	predict   *Predictor // prediction of the client's player, nil before StartGame
	player    Player     // the session as behaviours see it
	tickCount uint64     // number of Tick calls
	now       int64      // time of the current call in ns

	noCompressor bool         // batches have no compressor byte; false from the packet NetworkSettings on
	threshold    int          // shortest payload in bytes that is compressed; 0 disables compression
	sealer       *auth.Sealer // encrypts sent batches; nil before the handshake
	opener       *auth.Opener // decrypts received batches; nil before the handshake

	delayIn, delayOut delayLine         // simulated delays of received packets and of sent batches
	writer            proto.BatchWriter // packets for the next batch
	ready             [][]byte          // received payloads whose simulated delay has passed
	received          []byte            // reused buffer for a received batch
	decompressed      []byte            // reused buffer for the decompressed payload
	sending           []byte            // reused buffer for a batch to send
	lastFlags         move.InputFlags   // flags of the last input, to detect key presses and releases
	usesItem          bool              // the held item is in use
	changingDimension bool              // a change of dimension is in progress

	respawnAt       uint64 // tick of the next request to respawn; 0 or never if none is due
	counts          Counts
	lastBarrier     uint64     // timestamp of the last NetworkStackLatency request
	measured        Histograms // measurements since the last reset
	firstParseError error
}

// NewSession checks the options and returns a session that has not started its login. Errors wrap ErrOptions.
func NewSession(o Options) (*Session, error) {
	if err := o.setDefaults(); err != nil {
		return nil, err
	}
	s := &Session{opt: o, rng: rand.New(rand.NewPCG(o.Seed, 0x6265)), noCompressor: true, measured: newHistograms()}
	s.player = Player{s}
	s.delayIn.ticks, s.delayOut.ticks = o.Tamper.DelayIn, o.Tamper.DelayOut
	return s, nil
}

// Start queues the first packet of the login, which states the protocol version.
func (s *Session) Start() {
	s.queuePacket(proto.RequestNetworkSettings{Protocol: s.opt.Version})
}

// Playing reports whether the player is in the world.
func (s *Session) Playing() bool { return s.stage == stagePlay }

// World returns the world as the client knows it. Only Receive and Tick modify it.
func (s *Session) World() *World { return &s.world }

// Predictor returns the client-side prediction of the client's player. It is nil before the packet StartGame has arrived.
func (s *Session) Predictor() *Predictor { return s.predict }

// FirstParseError returns the error of the first packet that could not be parsed, or nil.
func (s *Session) FirstParseError() error { return s.firstParseError }

func (s *Session) queuePacket(p proto.Packet) { s.writer.Add(p, s.opt.Version) }

// inflaters and deflaters are pools that all sessions share. Each object in them has a large buffer, and a session needs one
// only while it processes a batch.
var (
	inflaters = sync.Pool{New: func() any { return new(proto.Inflater) }}
	deflaters = sync.Pool{New: func() any { return new(proto.Deflater) }}
)

// Receive processes a RakNet message from the server. It keeps no reference to the message. It ignores a message that is not a
// batch. The parameter nowNS is the time in nanoseconds of any clock, for statistics. An error ends the session: it is a
// DisconnectError or wraps ErrVersion, ErrFull or ErrServer.
func (s *Session) Receive(nowNS int64, message []byte) error {
	s.now = nowNS
	if len(message) == 0 || message[0] != proto.BatchID {
		return nil
	}
	payload, err := s.decodeBatch(message[1:])
	if err != nil {
		return fmt.Errorf("%w: decrypt and decompress a batch of packets: %w", ErrServer, err)
	}
	s.counts.Batches++
	return proto.EachPacket(payload, proto.MaxBatchPackets, s.deliverPacket)
}

// decodeBatch decrypts and decompresses a batch. The returned payload is in a buffer of s, which the next call overwrites.
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

// deliverPacket processes a packet immediately or, if the Tamper simulates a slow connection, after its delay.
func (s *Session) deliverPacket(packet []byte) error {
	if s.delayIn.ticks > 0 && s.stage == stagePlay {
		s.delayIn.push(s.tickCount, packet)
		return nil
	}
	return s.handle(packet)
}

// Flush calls send with each message that is queued. send must not keep the message.
func (s *Session) Flush(send func(message []byte)) {
	if s.writer.PacketCount() > 0 {
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

// sendBatch compresses and encrypts the payload as the server requires, and calls send with the resulting batch.
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

// Tick runs one tick of 50 ms. If the player is in the world, Tick calls b for the keys, simulates the tick and queues the
// input (rule CL-3 of docs/wire/bedrock.md). It also processes the packets whose simulated delay has ended. Its errors are
// those of Receive.
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

// parsePacket parses the body of a packet with the function parse. If the body is invalid, parsePacket counts the error and
// returns ok = false.
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

// never is a tick number that no session reaches. It stands for "not scheduled".
const never = math.MaxUint64

// toTicks converts a duration to ticks, at least one.
func toTicks(d time.Duration) uint64 { return uint64(max(1, d/TickInterval)) }

// TickInterval is the duration of a tick.
const TickInterval = 50 * time.Millisecond
