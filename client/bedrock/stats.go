package bedrock

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/rewind"
	"github.com/truestep-io/truestep/proto/raknet"
)

// Counts holds what a client has received, sent and done since its creation or the last ResetStats.
type Counts struct {
	Move   MoveCounts   // packets about the player's movement, and corrections by cause
	Rewind rewind.Stats // rewinds and replays of the prediction

	Batches       uint64 // batches received
	Packets       uint64 // packets in received batches
	Inputs        uint64 // PlayerAuthInput sent
	Updates       uint64 // position updates of other actors
	ParseErrors   uint64 // packets that proto/bedrock could not parse
	Trailing      uint64 // packets with trailing bytes
	Ignored       uint64 // packets of types that the client does not handle
	UnknownActors uint64 // packets about unknown actors
	Chunks        uint64 // LevelChunk packets received

	Attacks     uint64  // attacks sent
	Hurts       uint64  // hurt events of other actors
	DamageTaken float32 // health points that the client's player lost
	Deaths      uint64  // deaths of the client's player
	Respawns    uint64  // respawns of the client's player
	ChatLines   uint64  // chat lines received
	Barriers    uint64  // NetworkStackLatency requests answered

	RidesRefused    uint64 // LinkRemoved packets about an actor that the player did not ride: refused mounts, confirmed dismounts
	OwnVehicleMoves uint64 // movement packets about the vehicle that the player drove; a server must not send these to the driver

	DatagramsIn, DatagramsOut uint64 // datagrams received and sent
	BytesIn, BytesOut         uint64 // bytes in datagrams, without UDP and IP headers
	Resent                    uint64 // datagrams retransmitted
}

// Unit, range and precision of a client's histograms. A histogram stores a duration as a number of HistogramUnits.
const (
	HistogramUnit     = 10 * time.Microsecond // duration of one unit of a histogram
	maxHistogramUnits = 6_000_000             // maximum recorded duration: 60 s in units of 10 us
	histogramDigits   = 2                     // number of significant decimal digits
)

// NewHistogram returns an empty histogram with the range and precision of the clients' own histograms.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, maxHistogramUnits, histogramDigits)
}

func recordDuration(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(min(max(1, int64(d/HistogramUnit)), maxHistogramUnits)) // cannot fail, because the value is within the range
}

// Histograms holds the measurements of a client. A nil histogram gets no measurements. Create histograms with NewHistogram.
type Histograms struct {
	UpdateIntervals *hdrhistogram.Histogram // intervals between updates of a moving actor, in HistogramUnit
	RoundTrips      *hdrhistogram.Histogram // round-trip times including the server's acknowledgement delay, in HistogramUnit
	ReplayDepths    *hdrhistogram.Histogram // number of ticks replayed per rewind, plus one
}

// merge adds the measurements of o to h. It skips the histograms of h that are nil.
func (h *Histograms) merge(o *Histograms) {
	for _, pair := range [...][2]*hdrhistogram.Histogram{{h.UpdateIntervals, o.UpdateIntervals}, {h.RoundTrips, o.RoundTrips}, {h.ReplayDepths, o.ReplayDepths}} {
		if pair[0] != nil {
			pair[0].Merge(pair[1])
		}
	}
}

func newHistograms() Histograms {
	return Histograms{UpdateIntervals: NewHistogram(), RoundTrips: NewHistogram(), ReplayDepths: NewHistogram()}
}

func (h *Histograms) reset() {
	h.UpdateIntervals.Reset()
	h.RoundTrips.Reset()
	h.ReplayDepths.Reset()
}

// Add adds the counts of another client.
func (c *Counts) Add(o *Counts) {
	c.Move.Add(&o.Move)
	addRewindStats(&c.Rewind, &o.Rewind, 1)
	c.DamageTaken += o.DamageTaken
	for _, f := range c.counterPairs(o) {
		*f.to += f.from
	}
}

// subtract subtracts counts that the same client had earlier. It does not change the fields that hold a maximum.
func (c *Counts) subtract(o *Counts) {
	c.Move.subtract(&o.Move)
	addRewindStats(&c.Rewind, &o.Rewind, ^uint64(0))
	c.DamageTaken -= o.DamageTaken
	for _, f := range c.counterPairs(o) {
		*f.to -= f.from
	}
}

type counterPair struct {
	to   *uint64
	from uint64
}

func (c *Counts) counterPairs(o *Counts) []counterPair {
	return []counterPair{
		{&c.Batches, o.Batches}, {&c.Packets, o.Packets}, {&c.Inputs, o.Inputs}, {&c.Updates, o.Updates},
		{&c.ParseErrors, o.ParseErrors}, {&c.Trailing, o.Trailing}, {&c.Ignored, o.Ignored}, {&c.UnknownActors, o.UnknownActors},
		{&c.Chunks, o.Chunks}, {&c.Attacks, o.Attacks}, {&c.Hurts, o.Hurts}, {&c.Deaths, o.Deaths},
		{&c.Respawns, o.Respawns}, {&c.ChatLines, o.ChatLines}, {&c.Barriers, o.Barriers},
		{&c.RidesRefused, o.RidesRefused}, {&c.OwnVehicleMoves, o.OwnVehicleMoves},
		{&c.DatagramsIn, o.DatagramsIn}, {&c.DatagramsOut, o.DatagramsOut},
		{&c.BytesIn, o.BytesIn}, {&c.BytesOut, o.BytesOut}, {&c.Resent, o.Resent},
	}
}

// addRewindStats adds each count of o, multiplied by sign, to the same count of s. With sign = ^uint64(0), which is -1 in modulo
// arithmetic, it subtracts. MaxReplayed becomes the greater of the two values.
func addRewindStats(s, o *rewind.Stats, sign uint64) {
	for _, f := range [...]counterPair{
		{&s.Queued, o.Queued}, {&s.Untimed, o.Untimed}, {&s.Late, o.Late}, {&s.Early, o.Early}, {&s.Overflowed, o.Overflowed},
		{&s.Rewinds, o.Rewinds}, {&s.Replayed, o.Replayed}, {&s.Unchanged, o.Unchanged}, {&s.Visible, o.Visible},
	} {
		*f.to += f.from * sign
	}
	s.MaxReplayed = max(s.MaxReplayed, o.MaxReplayed)
}

// addTraffic adds the datagrams, bytes and retransmissions that RakNet has counted.
func (c *Counts) addTraffic(s raknet.Stats) {
	c.DatagramsIn += s.DatagramsIn
	c.DatagramsOut += s.DatagramsOut
	c.BytesIn += s.BytesIn
	c.BytesOut += s.BytesOut
	c.Resent += s.Resent
}

// LastBarrier returns the timestamp of the last NetworkStackLatency request that the session has answered, or 0 if it
// has answered none.
func (s *Session) LastBarrier() uint64 { return s.lastBarrier }

// Counts returns the counts of the session, without the connection's traffic.
func (s *Session) Counts() Counts {
	n := s.counts
	if s.predict != nil {
		n.Move, n.Rewind = s.predict.Counts(), s.predict.RewindStats()
	}
	return n
}

// Histograms adds the session's measurements to h. It adds no RTTs, which only a Client measures.
func (s *Session) Histograms(h *Histograms) { h.merge(&s.measured) }
