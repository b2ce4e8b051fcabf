// Package webscene tells a crowd to one client of the web protocol over a line with delay and loss, without sockets and in virtual time: to
// measure what it costs, and to write vectors for other implementations. The same Config gives the same bytes.
package webscene

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/proto/web"
)

// Limits of Config.
const (
	MaxRoundTrip = time.Second
	MaxTicks     = 1_000_000
)

// Config selects a scene and a line.
type Config struct {
	Scene     crowd.Scene
	RoundTrip time.Duration // rounded to ticks of the scene; 0..MaxRoundTrip
	Loss      float64       // share of the packets that are lost, in each direction; 0..0.9
	Seed      uint64
	Ticks     int // 1..MaxTicks
}

// Check returns what is out of range.
func (c *Config) Check() error {
	switch {
	case c.RoundTrip < 0 || c.RoundTrip > MaxRoundTrip:
		return fmt.Errorf("rtt %v: must be 0s..%v", c.RoundTrip, MaxRoundTrip)
	case !(c.Loss >= 0 && c.Loss <= 0.9):
		return fmt.Errorf("loss %v: must be 0..0.9", c.Loss)
	case c.Ticks < 1 || c.Ticks > MaxTicks:
		return fmt.Errorf("ticks %d: must be 1..%d", c.Ticks, MaxTicks)
	}
	return nil
}

// Tolerances of the told state, in units of its fields, as the web door has them: within 32 blocks and beyond.
const (
	closeTolerance = 1
	farTolerance   = 4
)

// line is one direction of a connection.
type line struct {
	rng     *rand.Rand
	loss    float64
	delay   int // ticks
	now     int
	packets []packet
}

type packet struct {
	due int
	b   []byte
}

func (l *line) send(b []byte) {
	if l.rng.Float64() >= l.loss {
		l.packets = append(l.packets, packet{l.now + 1 + l.delay, append([]byte(nil), b...)})
	}
}

func (l *line) receive(each func(b []byte) error) error {
	l.now++
	var failed error
	for len(l.packets) > 0 && l.packets[0].due <= l.now {
		failed = errors.Join(failed, each(l.packets[0].b))
		l.packets = l.packets[1:]
	}
	return failed
}

// State is what a snapshot tells of one actor.
type State struct {
	Handle uint16
	Values []int32 // by field of the schema; owned by the receiver
}

// Arrival is a snapshot that has reached the client.
type Arrival struct {
	Snapshot []byte
	Taken    bool // the client could use it; otherwise it is ignored, and there are no states
	States   []State
	Ack      []byte
}

// Run is a scene that is being told.
type Run struct {
	crowd    *crowd.Crowd
	schema   web.Schema
	teller   *web.Teller
	reader   *web.Reader
	down, up line
	tick     uint32
	values   []int32
	buffer   []byte

	Packets, Bytes int           // snapshots sent so far and their bytes, without headers of lower layers
	Encoding       time.Duration // time for choosing and encoding so far; only with Measure
}

// New returns a run before its first tick.
func New(c Config) (*Run, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	r := &Run{crowd: crowd.New(c.Scene, c.Seed), schema: web.Builtin(), values: make([]int32, web.BuiltinFields)}
	r.teller, r.reader = web.NewTeller(&r.schema, false), web.NewReader(&r.schema)
	rng := rand.New(rand.NewPCG(c.Seed, 7))
	trip := int(math.Round(c.RoundTrip.Seconds() / c.Scene.Tick))
	r.down, r.up = line{rng: rng, loss: c.Loss, delay: (trip + 1) / 2}, line{rng: rng, loss: c.Loss, delay: trip / 2}
	for _, s := range r.Entered() {
		r.teller.Enter(s.Handle, 0, s.Values)
		r.teller.Confirm(s.Handle)
		if err := r.reader.Enter(s.Handle, 0, s.Values); err != nil {
			return nil, err
		}
	}
	return r, nil
}

// Schema returns the schema of the run.
func (r *Run) Schema() *web.Schema { return &r.schema }

// Entered returns the states with which all actors have entered at both ends. All are of kind 0.
func (r *Run) Entered() []State {
	all := make([]State, len(r.crowd.Members))
	for i := range all {
		r.read(i)
		all[i] = State{uint16(i), append([]int32(nil), r.values...)}
	}
	return all
}

// read puts the state of a member into r.values.
func (r *Run) read(i int) {
	v := r.values
	v[web.FieldX], v[web.FieldY], v[web.FieldZ], v[web.FieldYaw], v[web.FieldHealth], v[web.FieldFlags] = r.crowd.Members[i].Values()
}

// Step runs a tick and calls arrived for each snapshot that reaches the client in it.
func (r *Run) Step(arrived func(*Arrival)) error {
	r.tick++
	r.crowd.Step()
	began := time.Now()
	for i := range r.crowd.Members {
		r.read(i)
		tolerance := int32(closeTolerance)
		if r.crowd.Members[i].Far() {
			tolerance = farTolerance
		}
		r.teller.Want(uint16(i), r.values, tolerance, 1)
	}
	r.buffer = r.teller.Append(r.buffer[:0], web.Header{Tick: r.tick}, web.MaxDatagram)
	r.Encoding += time.Since(began)
	r.Packets++
	r.Bytes += len(r.buffer)
	r.down.send(r.buffer)
	return errors.Join(r.down.receive(func(b []byte) error { return r.arrive(b, arrived) }), r.up.receive(r.acknowledge))
}

func (r *Run) arrive(b []byte, arrived func(*Arrival)) error {
	a := Arrival{Snapshot: b}
	_, ok, err := r.reader.Read(b, func(handle uint16, values []int32) {
		a.States = append(a.States, State{handle, append([]int32(nil), values...)})
	})
	if err != nil {
		return err
	}
	ack := web.Ack{Received: r.reader.Received()}
	a.Taken, a.Ack = ok, ack.Append(nil)
	if ok {
		r.up.send(a.Ack)
	}
	if arrived != nil {
		arrived(&a)
	}
	return nil
}

func (r *Run) acknowledge(b []byte) error {
	ack, err := web.ParseAck(b)
	if err != nil {
		return err
	}
	return r.teller.Ack(ack.Received)
}

// Headers is what UDP, IP and QUIC add to a datagram, bytes: 28 of IPv4 and UDP, 24 of QUIC and HTTP/3 datagrams.   measured
const Headers = 52

// Figures are what a run costs.
type Figures struct {
	Scene      string  `json:"scene"`
	Actors     int     `json:"actors"`
	Rate       float64 `json:"ticks_per_second"`
	RoundTrip  float64 `json:"rtt_ms"`
	Loss       float64 `json:"loss"`
	PerActor   float64 `json:"bytes_per_actor_and_tick"`     // with Headers
	Payload    float64 `json:"payload_per_actor_and_tick"`   // without
	Rate8      float64 `json:"kbit_per_second"`              // of the client's line down, with Headers
	Encoding   float64 `json:"encoding_ns_per_actor"`        // depends on the machine; choosing and encoding
	LostShare  float64 `json:"lost_share_of_told,omitempty"` // of the snapshots
	Snapshots  int     `json:"snapshots"`
	HeaderSize int     `json:"header_bytes_per_packet"`
}

// Measure runs a scene. All figures but Encoding depend on the Config alone.
func Measure(c Config) (Figures, error) {
	r, err := New(c)
	if err != nil {
		return Figures{}, err
	}
	for range c.Ticks {
		if err := r.Step(nil); err != nil {
			return Figures{}, err
		}
	}
	n := float64(r.Packets * c.Scene.Members)
	all := float64(r.Bytes + Headers*r.Packets)
	sent, lost := r.teller.Counts()
	return Figures{
		Scene: c.Scene.Name, Actors: c.Scene.Members, Rate: math.Round(1 / c.Scene.Tick), RoundTrip: float64(c.RoundTrip.Milliseconds()), Loss: c.Loss,
		PerActor: all / n, Payload: float64(r.Bytes) / n, Rate8: all * 8 / 1000 / (float64(r.Packets) * c.Scene.Tick),
		Encoding: float64(r.Encoding.Nanoseconds()) / n, LostShare: float64(lost) / float64(max(sent, 1)), Snapshots: r.Packets, HeaderSize: Headers,
	}, nil
}
