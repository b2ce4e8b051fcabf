package bedrock

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/rewind"
	"github.com/truestep-io/truestep/proto/raknet"
)

// Counts are what a client has seen and done since it was made or ResetStats was called.
type Counts struct {
	Move   MoveCounts
	Rewind rewind.Stats // rewinds and what they did

	Batches       uint64 // received
	Packets       uint64 // in them
	Inputs        uint64 // PlayerAuthInput sent
	Updates       uint64 // of the places of others
	ParseErrors   uint64 // packets that proto/bedrock could not read
	Trailing      uint64 // packets with bytes behind their end
	Ignored       uint64 // packets of a type that the client does not look at
	UnknownActors uint64 // packets about actors that nobody announced
	Chunks        uint64 // LevelChunk

	Attacks     uint64  // asked for
	Hurts       uint64  // others that were seen hurt
	DamageTaken float32 // points of health that oneself lost
	Deaths      uint64
	Respawns    uint64
	ChatLines   uint64 // received
	Barriers    uint64 // NetworkStackLatency answered

	DatagramsIn, DatagramsOut uint64
	BytesIn, BytesOut         uint64 // of datagrams, without UDP and IP headers
	Resent                    uint64 // reliable messages sent again
}

// Histograms of a client have this unit and range; ValueAtQuantile times HistogramUnit is a duration.
const (
	HistogramUnit     = 10 * time.Microsecond
	maxHistogramUnits = 6_000_000 // units: 60 s
	histogramDigits   = 2
)

// NewHistogram returns an empty histogram of the kind that clients record, with two significant digits.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, maxHistogramUnits, histogramDigits)
}

func recordDuration(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(min(max(1, int64(d/HistogramUnit)), maxHistogramUnits)) // it fails beyond the range only
}

// Histograms are what clients measure; nil ones are left out. Make them with NewHistogram.
type Histograms struct {
	UpdateIntervals *hdrhistogram.Histogram // HistogramUnit: between two updates of an actor that moves
	RoundTrips      *hdrhistogram.Histogram // HistogramUnit: round trips, the server's delay of acknowledgements included
	ReplayDepths    *hdrhistogram.Histogram // ticks that a rewind replayed, plus one: none is 1
}

// merge adds o to the histograms that are there.
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

// Add adds another client's counts.
func (c *Counts) Add(o *Counts) {
	c.Move.Add(&o.Move)
	addRewindStats(&c.Rewind, &o.Rewind, 1)
	c.DamageTaken += o.DamageTaken
	for _, f := range c.counterPairs(o) {
		*f.to += f.from
	}
}

// subtract takes away what was counted before; the deepest replay and the farthest correction stay.
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
		{&c.DatagramsIn, o.DatagramsIn}, {&c.DatagramsOut, o.DatagramsOut},
		{&c.BytesIn, o.BytesIn}, {&c.BytesOut, o.BytesOut}, {&c.Resent, o.Resent},
	}
}

// addPast adds o to s sign times.
func addRewindStats(s, o *rewind.Stats, sign uint64) {
	for _, f := range [...]counterPair{
		{&s.Queued, o.Queued}, {&s.Untimed, o.Untimed}, {&s.Late, o.Late}, {&s.Early, o.Early}, {&s.Overflowed, o.Overflowed},
		{&s.Rewinds, o.Rewinds}, {&s.Replayed, o.Replayed}, {&s.Unchanged, o.Unchanged}, {&s.Visible, o.Visible},
	} {
		*f.to += f.from * sign
	}
	s.MaxReplayed = max(s.MaxReplayed, o.MaxReplayed)
}

// traffic adds what a connection carried.
func (c *Counts) addTraffic(s raknet.Stats) {
	c.DatagramsIn += s.DatagramsIn
	c.DatagramsOut += s.DatagramsOut
	c.BytesIn += s.BytesIn
	c.BytesOut += s.BytesOut
	c.Resent += s.Resent
}

// Counts is what the session has seen and done, without the traffic below it.
func (s *Session) Counts() Counts {
	n := s.counts
	if s.predict != nil {
		n.Move, n.Rewind = s.predict.Counts(), s.predict.RewindStats()
	}
	return n
}

// Histograms adds what the session has measured to h. Round trips are not among it: they are the connection's.
func (s *Session) Histograms(h *Histograms) { h.merge(&s.measured) }
