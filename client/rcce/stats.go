package rcce

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/proto/enet"
)

// Counts are a client's counters since it was made or since ResetStats.
type Counts struct {
	Updates uint64 // StandardUpdates, including the own actor's
	Packets uint64 // all other messages
	Claims  uint64 // StandardUpdates sent

	Bad     uint64 // messages that proto/rcce could not read, of an unknown type or malformed
	Ignored uint64 // messages of a type that is known by name only
	Strange uint64 // StandardUpdates of unknown actors
	Late    uint64 // account packets answered later than known clients wait (1.2 s)

	Corrections uint64 // times the server took the client back to where it has it: RepositionActor without a turn
	Warps       uint64 // RepositionActor with a turn: respawns and moves by the world
	Snaps       uint64 // times the client gave up its own position for an echo that was too far away
	Areas       uint64 // changes of area after the first

	Swings      uint64 // attacks asked for
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
	Resent                    uint64 // reliable commands sent again
	Stale                     uint64 // unreliable messages that came too late
	Overflows                 uint64 // datagrams that the kernel dropped because this process was too slow
}

// Histograms of a client have this unit and range; ValueAtQuantile times HistogramUnit is a duration.
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
	_ = h.RecordValue(min(int64(d/HistogramUnit), histogramMax)) // in range, so it is never refused
}

// traffic adds what a host counted to c.
func (c *Counts) addHostStats(s enet.Stats, overflows uint64) {
	c.DatagramsIn += s.DatagramsIn
	c.DatagramsOut += s.DatagramsOut
	c.BytesIn += s.BytesIn
	c.BytesOut += s.BytesOut
	c.Resent += s.Resent
	c.Stale += s.StaleMessages
	c.Overflows += overflows
}

func (c *Counts) addTraffic(o *Counts) {
	c.DatagramsIn += o.DatagramsIn
	c.DatagramsOut += o.DatagramsOut
	c.BytesIn += o.BytesIn
	c.BytesOut += o.BytesOut
	c.Resent += o.Resent
	c.Stale += o.Stale
	c.Overflows += o.Overflows
}

// untraffic takes the traffic of base out of c.
func (c *Counts) subtractTraffic(base *Counts) {
	c.DatagramsIn -= base.DatagramsIn
	c.DatagramsOut -= base.DatagramsOut
	c.BytesIn -= base.BytesIn
	c.BytesOut -= base.BytesOut
	c.Resent -= base.Resent
	c.Stale -= base.Stale
	c.Overflows -= base.Overflows
}

// Add adds another client's counts.
func (c *Counts) Add(o *Counts) {
	for _, f := range [...]struct {
		to   *uint64
		from uint64
	}{
		{&c.Updates, o.Updates}, {&c.Packets, o.Packets}, {&c.Claims, o.Claims},
		{&c.Bad, o.Bad}, {&c.Ignored, o.Ignored}, {&c.Strange, o.Strange}, {&c.Late, o.Late},
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
