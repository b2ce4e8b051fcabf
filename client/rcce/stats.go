package rcce

import (
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/proto/enet"
)

// Counts holds a client's counters since Dial or the last ResetStats.
type Counts struct {
	Updates uint64 // StandardUpdates received, including those of the own actor
	Packets uint64 // received messages other than StandardUpdates
	Claims  uint64 // position claims (StandardUpdates) sent

	Bad           uint64 // messages that proto/rcce could not parse, or whose type is unknown
	Ignored       uint64 // messages of a known type that proto/rcce has no parser for
	UnknownActors uint64 // StandardUpdates of unknown actors
	Late          uint64 // account packets that the server answered after more than 1.2 s, the time for which known clients wait

	Corrections uint64 // RepositionActor packets without a turn: the server refused a claim and moved the own actor back
	Warps       uint64 // RepositionActor packets with a turn: respawns and teleports by the server
	Snaps       uint64 // times that the client adopted the server's position, because it was more than 60 units from all recent predicted positions
	Areas       uint64 // changes of area, not counting the entry into the world

	Swings      uint64 // attacks requested
	Hits        uint64 // attacks by the own actor that hit
	Misses      uint64 // attacks by the own actor that missed
	DamageDealt uint64 // health points that the own actor's attacks took
	DamageTaken uint64 // health points that attacks on the own actor took
	Kills       uint64 // actors killed by the own actor
	Deaths      uint64 // deaths of the own actor
	XP          uint64 // experience points gained
	ChatLines   uint64 // chat lines received

	DatagramsIn, DatagramsOut uint64 // datagrams received and sent
	BytesIn, BytesOut         uint64 // bytes in datagrams, without UDP and IP headers
	Resent                    uint64 // reliable commands retransmitted
	Stale                     uint64 // unreliable messages dropped because a newer one was delivered
	Overflows                 uint64 // datagrams that the kernel dropped because this process was too slow
}

// Unit, range and precision of a client's histograms. A histogram stores a duration as a number of HistogramUnits.
const (
	HistogramUnit  = 10 * time.Microsecond // duration of one unit of a histogram
	histogramMax   = 6_000_000             // maximum recorded duration: 60 s in units of 10 us
	histogramDigit = 2                     // significant decimal digits
)

// NewHistogram returns an empty histogram with the range and precision of those that clients record.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, histogramMax, histogramDigit)
}

func record(h *hdrhistogram.Histogram, d time.Duration) {
	_ = h.RecordValue(min(int64(d/HistogramUnit), histogramMax)) // cannot fail, because the value is in range
}

// addHostStats adds the traffic counters of an ENet host to c. The parameter overflows is the number of datagrams that the kernel
// dropped.
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

// subtractTraffic subtracts the traffic counters of base, an earlier count, from c.
func (c *Counts) subtractTraffic(base *Counts) {
	c.DatagramsIn -= base.DatagramsIn
	c.DatagramsOut -= base.DatagramsOut
	c.BytesIn -= base.BytesIn
	c.BytesOut -= base.BytesOut
	c.Resent -= base.Resent
	c.Stale -= base.Stale
	c.Overflows -= base.Overflows
}

// Add adds the counters of another client to c.
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
