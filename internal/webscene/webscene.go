// Package webscene sends the motion of a crowd to one client of the web protocol over a simulated connection with delay and
// loss, without sockets and in virtual time. It measures the bytes that the protocol needs, and writes test vectors for other
// implementations. Equal Configs give equal bytes.
package webscene

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"time"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/proto/web"
)

// Maximum values of Config.
const (
	MaxRoundTrip = time.Second
	MaxTicks     = 1_000_000
)

// Config selects a scene and the impairment of the connection.
type Config struct {
	Scene     crowd.Scene   // the crowd whose motion is sent
	RoundTrip time.Duration // round-trip time, rounded to ticks of the scene; 0..MaxRoundTrip
	Loss      float64       // share of the packets that are lost, in each direction; 0..0.9
	Seed      uint64        // seed of the crowd and of the losses
	Ticks     int           // number of ticks, 1..MaxTicks
}

// Check returns an error if a field is out of range.
func (c *Config) Check() error {
	switch {
	case c.RoundTrip < 0 || c.RoundTrip > MaxRoundTrip:
		return fmt.Errorf("rtt %v: must be 0s..%v", c.RoundTrip, MaxRoundTrip)
	case !(c.Loss >= 0 && c.Loss <= 0.9):
		return fmt.Errorf("loss %.4g%%: must be at most 90%%", 100*c.Loss)
	case c.Ticks < 1 || c.Ticks > MaxTicks:
		return fmt.Errorf("ticks %d: must be 1..%d", c.Ticks, MaxTicks)
	}
	return nil
}

// Tolerances: by how much the values that the client decodes may differ from an actor's field values, in steps of the field. The
// web door has the same tolerances.
const (
	closeTolerance = 1 // tolerance for actors within 32 blocks
	farTolerance   = 4 // tolerance for actors that are farther away
)

// line carries packets in one direction of the simulated connection, with delay and loss.
type line struct {
	rng     *rand.Rand
	loss    float64  // share of the packets that are lost, 0..0.9
	delay   int      // in ticks
	now     int      // number of the present tick
	packets []packet // packets in transit, oldest first
}

// packet is a packet in transit and the tick in which it arrives.
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

// State is the state of one actor as a snapshot contains it.
type State struct {
	Handle uint16  // the actor's number on this connection
	Values []int32 // values of the schema's fields, in its order; a copy that the caller may keep and change
}

// Arrival is a snapshot that has reached the client, with the states that the client has decoded from it and the client's
// acknowledgement.
type Arrival struct {
	Snapshot []byte  // the encoded snapshot
	Taken    bool    // the client could decode the snapshot; otherwise it ignores the snapshot, and States is empty
	States   []State // states of the actors that the snapshot contains, in its order
	Ack      []byte  // the client's encoded acknowledgement after the snapshot
}

// Run is a simulated crowd, and both ends of the simulated connection over which the crowd's motion is sent.
type Run struct {
	crowd    *crowd.Crowd
	schema   web.Schema
	teller   *web.Teller
	reader   *web.Reader
	budget   web.Budget
	down, up line
	tick     uint32
	values   []int32
	buffer   []byte

	Packets, Bytes int           // number of snapshots sent so far, and of their bytes without the headers of lower layers
	Acks, AckBytes int           // number of acknowledgements that the client has sent so far, and of their bytes without those headers
	Encoding       time.Duration // time spent so far on selecting and encoding actors; depends on the machine

	ticks []time.Duration // time that the server has spent on the client in each tick; depends on the machine
}

// SchemaOf returns the schema of a scene: the built-in schema, or for a published scene one with the resolutions of that scene. Actors
// are of kind 0.
func SchemaOf(s *crowd.Scene) web.Schema {
	if s.Unit == 0 {
		return web.BuiltinSchema()
	}
	turn := 1 / float64(s.Turn)
	fields := []web.SchemaField{
		{Name: "x", Derived: true, Step: s.Unit}, {Name: "y", Derived: true, Step: s.Unit}, {Name: "z", Derived: true, Step: s.Unit},
		{Name: "yaw", Derived: true, Wrap: s.Turn, Step: turn}, {Name: "pitch", Derived: true, Wrap: s.Turn, Step: turn},
	}
	if s.Level {
		fields = fields[:4]
	}
	return web.Schema{Kinds: []web.ActorKind{{Name: "body", Fields: fields}}}
}

// AppendValues appends the values of a member of a scene to b, one for each field of SchemaOf, and returns the longer slice: x, y and z in
// 1/64 block, the yaw in 1/256 turn, the health 0..255 and the flags (motion mode). In a published scene the values are x, y and z, the yaw
// and, unless the scene is level, the pitch, in the resolutions of that scene.
func AppendValues(b []int32, s *crowd.Scene, m *crowd.Member) []int32 {
	if s.Unit == 0 {
		x, y, z, yaw, health, flags := m.Values()
		return append(b, x, y, z, yaw, health, flags)
	}
	x, y, z, yaw, pitch := s.Precise(m)
	if b = append(b, x, y, z, yaw); s.Level {
		return b
	}
	return append(b, pitch)
}

// New returns a run that has not simulated a tick yet.
func New(c Config) (*Run, error) {
	if err := c.Check(); err != nil {
		return nil, err
	}
	schema := SchemaOf(&c.Scene)
	r := &Run{crowd: crowd.New(c.Scene, c.Seed), schema: schema, values: make([]int32, len(schema.Kinds[0].Fields))}
	rate := int(math.Round(1 / c.Scene.Tick))
	r.teller, r.reader, r.budget = web.NewTeller(&r.schema, false, rate), web.NewReader(&r.schema), web.NewBudget(rate, Headers)
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

// Entered returns the initial states of all actors, which both ends of the connection know before the first tick. All actors
// are of kind 0.
func (r *Run) Entered() []State {
	all := make([]State, len(r.crowd.Members))
	for i := range all {
		r.read(i)
		all[i] = State{uint16(i), append([]int32(nil), r.values...)}
	}
	return all
}

// read stores the present field values of the crowd's member i in r.values.
func (r *Run) read(i int) {
	r.values = AppendValues(r.values[:0], &r.crowd.Scene, &r.crowd.Members[i])
}

// Step simulates one tick. It calls arrived, unless that is nil, for each snapshot that reaches the client in this tick.
func (r *Run) Step(arrived func(*Arrival)) error {
	r.tick++
	r.crowd.Step()
	began := time.Now()
	for i := range r.crowd.Members {
		r.read(i)
		tolerance := int32(closeTolerance)
		switch {
		case r.crowd.Scene.Unit > 0:
			tolerance = 0 // exact to the unit
		case r.crowd.Members[i].Far():
			tolerance = farTolerance
		}
		r.teller.Want(uint16(i), r.values, tolerance, 1)
	}
	r.buffer = r.teller.Append(r.buffer[:0], web.SnapshotHeader{Tick: r.tick}, r.budget.Snapshot(r.tick))
	r.budget.AddSnapshot(len(r.buffer))
	encoding := time.Since(began)
	r.Encoding += encoding
	r.Packets++
	r.Bytes += len(r.buffer)
	r.down.send(r.buffer)
	failed := r.down.receive(func(b []byte) error { return r.arrive(b, arrived) })
	began = time.Now()
	failed = errors.Join(failed, r.up.receive(r.acknowledge))
	r.ticks = append(r.ticks, encoding+time.Since(began))
	return failed
}

func (r *Run) arrive(b []byte, arrived func(*Arrival)) error {
	a := Arrival{Snapshot: b}
	_, ok, err := r.reader.Read(b, func(handle uint16, values []int32) {
		a.States = append(a.States, State{handle, append([]int32(nil), values...)})
	})
	if err != nil {
		return err
	}
	ack := web.Ack{ReceivedSnapshots: r.reader.Received()}
	a.Taken, a.Ack = ok, ack.Append(nil)
	if ok {
		r.Acks++
		r.AckBytes += len(a.Ack)
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
	return r.teller.Ack(ack.ReceivedSnapshots)
}

// Number of bytes that lower layers add to a datagram: IPv4 and UDP add 28. QUIC and HTTP/3 add 24 on the way to the client
// and 28 on the way to the server (gateway/web, TestQUICAddsAbout24BytesToPacketsFromServer).
const (
	Headers   = 52
	HeadersUp = 56
)

// What passes a client's interface beside snapshots and acknowledgements: inputs, and packets that contain nothing but acknowledgements
// of QUIC (gateway/web, TestQUICAddsAbout24BytesToPacketsFromServer).
const (
	Inputs      = 20   // inputs that a client sends per second
	InputSize   = 83   // mean size of an input in bytes
	QUICPackets = 0.57 // packets of QUIC alone that the server sends, per acknowledgement or input of the client
)

// QUICPacketsUp returns how many packets of QUIC alone a client sends per snapshot, at a tick rate. QUIC acknowledges every second packet
// at once, and a packet without a successor after 25 ms.
func QUICPacketsUp(ticksPerSecond float64) float64 {
	if ticksPerSecond < 40 {
		return 1
	}
	return 0.5
}

// Figures holds the measured cost of a run.
type Figures struct {
	Scene      string  `json:"scene"`                        // name of the scene
	Actors     int     `json:"actors"`                       // number of actors in the scene
	Rate       float64 `json:"ticks_per_second"`             // tick rate of the scene
	RoundTrip  float64 `json:"rtt_ms"`                       // round-trip time of the connection in ms
	Loss       float64 `json:"loss"`                         // share of the packets that are lost in each direction
	PerActor   float64 `json:"bytes_per_actor_and_tick"`     // bytes sent to the client per actor and tick, with Headers
	Payload    float64 `json:"payload_per_actor_and_tick"`   // bytes sent to the client per actor and tick, without Headers
	KbitRate   float64 `json:"kbit_per_second"`              // data rate to the client in kbit per second, with Headers
	AckRate    float64 `json:"ack_kbit_per_second"`          // data rate of the client's acknowledgements in kbit per second, with HeadersUp
	Interface  float64 `json:"interface_per_actor_and_tick"` // bytes sent to the client per actor and tick, with Headers and the packets of QUIC alone
	DownRate   float64 `json:"interface_kbit_per_second"`    // data rate of the same bytes in kbit per second
	UpRate     float64 `json:"interface_up_kbit_per_second"` // data rate of all bytes that the client sends, inputs, headers and packets of QUIC alone included
	Encoding   float64 `json:"encoding_ns_per_actor"`        // time for selecting and encoding one actor; depends on the machine
	CPU        float64 `json:"cpu_share"`                    // share of a core that the server needs for the client's acknowledgements and snapshots; depends on the machine
	TickP99    float64 `json:"tick_p99_us"`                  // microseconds within which 99 % of the ticks are done with the client; depends on the machine
	LostShare  float64 `json:"lost_share_of_told,omitempty"` // share of the sent snapshots that were lost
	Snapshots  int     `json:"snapshots"`                    // number of snapshots sent
	HeaderSize int     `json:"header_bytes_per_packet"`      // the constant Headers
	Split      *Split  `json:"split,omitempty"`              // parts of the bytes; nil unless MeasureSplit has set it
}

// Split divides the bytes of a run among the parts of its snapshots, and says against which earlier states (baselines) the
// snapshots are coded. The sizes are in bytes per actor and tick, averaged over the run, and sum up to Figures.PerActor. The
// shares are numbers 0..1.
type Split struct {
	HeaderBytes float64      `json:"packets"` // size of the headers of packets and snapshots
	ListBytes   float64      `json:"list"`    // size of the lists that name the actors of each snapshot
	Fields      []FieldBytes `json:"fields"`  // size of the values of each field

	SentShare   float64 `json:"told"`     // share of the scene's actors that a snapshot contains, averaged over all snapshots
	NewestShare float64 `json:"last"`     // share of the sent states coded against the newest sent state, acknowledged or not
	RepeatShare float64 `json:"repeated"` // share of the sent states within the tolerance of the acknowledged state, but not of every later sent state
	BaselineAge float64 `json:"age"`      // average age of the baselines, in ticks, without those from Enter messages
}

// FieldBytes is the number of bytes per actor and tick that the values of a field take.
type FieldBytes struct {
	Name  string  `json:"name"`  // name of the field in the schema
	Bytes float64 `json:"bytes"` // mean number of bytes per actor and tick
}

// MeasureSplit measures a run as Measure does, and also sets Figures.Split. The additional counting makes Figures.Encoding,
// CPU and TickP99 too high.
func MeasureSplit(c Config) (Figures, error) {
	r, err := New(c)
	if err != nil {
		return Figures{}, err
	}
	var costs web.Costs
	r.teller.Measure(&costs)
	f, err := r.figures(c)
	n := float64(r.Packets * c.Scene.Members)
	s := &Split{HeaderBytes: (costs.Headers/8 + float64(Headers*r.Packets)) / n, ListBytes: costs.List / 8 / n, SentShare: float64(costs.Actors) / n}
	for i, field := range r.schema.Kinds[0].Fields {
		s.Fields = append(s.Fields, FieldBytes{field.Name, costs.Fields[i] / 8 / n})
	}
	told := float64(max(costs.Actors, 1))
	s.NewestShare, s.RepeatShare = float64(costs.Last)/told, float64(costs.Repeated)/told
	known := 0
	for age, n := range costs.Ages[:len(costs.Ages)-1] {
		s.BaselineAge += float64(age * n)
		known += n
	}
	s.BaselineAge /= float64(max(known, 1))
	f.Split = s
	return f, err
}

// Measure simulates a server that sends snapshots of a moving crowd to one client, and returns how many bytes and how much time
// they took. Encoding, CPU and TickP99 depend on the machine, all other figures only on the parameter c.
func Measure(c Config) (Figures, error) {
	r, err := New(c)
	if err != nil {
		return Figures{}, err
	}
	return r.figures(c)
}

// figures simulates all ticks of the run and returns its cost, without Split.
func (r *Run) figures(c Config) (Figures, error) {
	for range c.Ticks {
		if err := r.Step(nil); err != nil {
			return Figures{}, err
		}
	}
	n := float64(r.Packets * c.Scene.Members)
	all := float64(r.Bytes + Headers*r.Packets)
	seconds := float64(r.Packets) * c.Scene.Tick
	sent, lost := r.teller.SnapshotCounts()
	rate := math.Round(1 / c.Scene.Tick)
	up := float64(r.Acks)/seconds + Inputs // packets per second
	down := all + QUICPackets*Headers*up*seconds
	slices.Sort(r.ticks)
	var spent time.Duration
	for _, t := range r.ticks {
		spent += t
	}
	return Figures{
		Scene: c.Scene.Name, Actors: c.Scene.Members, Rate: rate, RoundTrip: float64(c.RoundTrip.Milliseconds()), Loss: c.Loss,
		PerActor: all / n, Payload: float64(r.Bytes) / n, KbitRate: all * 8 / 1000 / seconds, AckRate: float64(r.AckBytes+HeadersUp*r.Acks) * 8 / 1000 / seconds,
		Interface: down / n, DownRate: down * 8 / 1000 / seconds,
		UpRate: 8 * (float64(r.AckBytes)/seconds + Inputs*InputSize + HeadersUp*(up+QUICPacketsUp(rate)*float64(r.Acks)/seconds)) / 1000,
		CPU:    spent.Seconds() / seconds, TickP99: float64(r.ticks[(len(r.ticks)-1)*99/100].Nanoseconds()) / 1000,
		Encoding: float64(r.Encoding.Nanoseconds()) / n, LostShare: float64(lost) / float64(max(sent, 1)), Snapshots: r.Packets, HeaderSize: Headers,
	}, nil
}
