package rcce

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/proto/enet"
)

// Counts are a client's counters since Dial or the last ResetStats.
type Counts struct {
	Updates uint64 // StandardUpdates, including the own actor's
	Packets uint64 // all other messages
	Claims  uint64 // StandardUpdates sent

	Bad           uint64 // messages of an unknown type or that proto/rcce could not parse
	Ignored       uint64 // messages of a type whose layout proto/rcce does not parse
	UnknownActors uint64 // StandardUpdates of unknown actors
	Late          uint64 // account packets answered later than known clients wait (1.2 s)

	Corrections uint64 // RepositionActor without a turn: the server moved the client back to its own position of it
	Warps       uint64 // RepositionActor with a turn: respawns and moves by the world
	Snaps       uint64 // times the client adopted the server's position because it differed by more than snapDistance
	Areas       uint64 // changes of area after the first

	Swings      uint64 // attacks requested
	Hits        uint64 // own attacks that hit
	Misses      uint64 // own attacks that missed
	DamageDealt uint64 // points
	DamageTaken uint64 // points
	Kills       uint64 // NPCs killed by the own actor
	Deaths      uint64 // of the own actor
	XP          uint64 // points gained
	ChatLines   uint64 // lines received

	DatagramsIn, DatagramsOut uint64
	BytesIn, BytesOut         uint64 // of datagrams, without UDP and IP headers
	Resent                    uint64 // reliable commands retransmitted
	Stale                     uint64 // unreliable messages dropped because a newer one was delivered
	Overflows                 uint64 // datagrams that the kernel dropped because this process was too slow
}

// Unit and range of a client's histograms: ValueAtQuantile times HistogramUnit is a duration.
const (
	HistogramUnit  = 10 * time.Microsecond
	histogramMax   = 6_000_000 // units: 60 s
	histogramDigit = 2
)

// NewHistogram returns an empty histogram of the kind that clients record, with two significant digits.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, histogramMax, histogramDigit)
}

func record(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(min(int64(d/HistogramUnit), histogramMax)) // in range, so there is no error
}

// addHostStats adds the counters of an ENet host to c.
func (c *Counts) addHostStats(s enet.Stats, overflows uint64) {
	c.DatagramsIn += s.DatagramsIn
	c.DatagramsOut += s.DatagramsOut
	c.BytesIn += s.BytesIn
	c.BytesOut += s.BytesOut
	c.Resent += s.Resent
	c.Stale += s.StaleMessages
	c.Overflows += overflows
}

// addTraffic adds the traffic counters of o to c.
func (c *Counts) addTraffic(o *Counts) {
	c.DatagramsIn += o.DatagramsIn
	c.DatagramsOut += o.DatagramsOut
	c.BytesIn += o.BytesIn
	c.BytesOut += o.BytesOut
	c.Resent += o.Resent
	c.Stale += o.Stale
	c.Overflows += o.Overflows
}

// subtractTraffic subtracts the traffic counters of base from c.
func (c *Counts) subtractTraffic(base *Counts) {
	c.DatagramsIn -= base.DatagramsIn
	c.DatagramsOut -= base.DatagramsOut
	c.BytesIn -= base.BytesIn
	c.BytesOut -= base.BytesOut
	c.Resent -= base.Resent
	c.Stale -= base.Stale
	c.Overflows -= base.Overflows
}

// Add adds the counters of another client.
func (c *Counts) Add(o *Counts) {
	for _, f := range [...]struct {
		to   *uint64
		from uint64
	}{
		{&c.Updates, o.Updates}, {&c.Packets, o.Packets}, {&c.Claims, o.Claims},
		{&c.Bad, o.Bad}, {&c.Ignored, o.Ignored}, {&c.UnknownActors, o.UnknownActors}, {&c.Late, o.Late},
		{&c.Corrections, o.Corrections}, {&c.Warps, o.Warps}, {&c.Snaps, o.Snaps}, {&c.Areas, o.Areas},
		{&c.Swings, o.Swings}, {&c.Hits, o.Hits}, {&c.Misses, o.Misses},
		{&c.DamageDealt, o.DamageDealt}, {&c.DamageTaken, o.DamageTaken},
		{&c.Kills, o.Kills}, {&c.Deaths, o.Deaths}, {&c.XP, o.XP}, {&c.ChatLines, o.ChatLines},
		{&c.DatagramsIn, o.DatagramsIn}, {&c.DatagramsOut, o.DatagramsOut},
		{&c.BytesIn, o.BytesIn}, {&c.BytesOut, o.BytesOut},
		{&c.Resent, o.Resent}, {&c.Stale, o.Stale}, {&c.Overflows, o.Overflows},
	} {
		*f.to += f.from
	}
}
