package rs

import (
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// CyclePeriod is the interval at which servers send PLAYER_INFO.
const CyclePeriod = 600 * time.Millisecond

// KindCount is the number of kinds of extended info. Counts.Blocks is indexed by proto/rs.InfoKind.
const KindCount = int(proto.KindReset) + 1

// Counts holds the counters of a client since Dial or the last ResetStats.
type Counts struct {
	Infos   uint64 // PLAYER_INFO packets received
	Packets uint64 // received packets other than PLAYER_INFO
	Missed  uint64 // missed PLAYER_INFO packets: elapsed cycles minus received packets, summed over all connections

	Bad     uint64 // packets and appearances that proto/rs could not parse
	Ignored uint64 // packets that proto/rs has no parser for
	OffMap  uint64 // PLAYER_INFO packets after which the own player was outside the client's map

	Blocks    [KindCount]uint64 // extended-info blocks by kind
	Added     uint64            // players added to the local players, which are those that the client draws
	Removed   uint64            // players removed from the local players
	Walks     uint64            // moves of local players by one tile, the own player included
	Runs      uint64            // moves of local players by two tiles, the own player included
	Teleports uint64            // moves of local players by more than two tiles, the own player included
	Jumps     uint64            // moves of the own player by more than two tiles

	Hits        uint64 // hit marks with damage
	Misses      uint64 // hit marks without damage
	Damage      uint64 // life points of damage to all local players
	DamageTaken uint64 // life points of damage to the own player

	ChatLines  uint64 // MESSAGE_PUBLIC packets
	Said       uint64 // chat lines shown above players' heads
	Messages   uint64 // MESSAGE_GAME packets
	Maps       uint64 // maps received, including the first map of each login
	Pings      uint64 // SEND_PING packets answered
	KeptAlive  uint64 // NO_TIMEOUT packets sent
	Reconnects uint64 // sessions resumed
	AwayMillis uint64 // total time in ms from the loss of a connection to its resumption

	Clicks   uint64 // walks requested
	Attacks  uint64 // attacks requested
	Lines    uint64 // chat lines sent
	Commands uint64 // console commands sent

	BytesIn, BytesOut uint64 // bytes without TCP and IP headers
}

// Unit, range and precision of a client's histograms. A histogram stores a duration as a number of HistogramUnits.
const (
	HistogramUnit   = 10 * time.Microsecond // duration of one unit of a histogram
	histogramMax    = 6_000_000             // maximum recorded duration: 60 s in units of 10 us
	histogramDigits = 2                     // significant decimal digits
)

// NewHistogram returns an empty histogram in units of 10 us, up to 60 s, with two significant digits.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, histogramMax, histogramDigits)
}

// traffic counts a client's received bytes, sent bytes and sent keep-alives. All goroutines may use it without the client's lock.
type traffic struct{ in, out, alive atomic.Uint64 }

// cycleTimer counts PLAYER_INFO packets that the server failed to send. It compares the elapsed time with the number of
// packets, so a packet that is only late does not count.
type cycleTimer struct {
	first, last time.Time // arrival times of the first and the last packet; zero before the first
	n           int64     // number of packets after the first
}

// record records the arrival of a packet and returns the time since the previous packet; ok is false for the first packet.
func (c *cycleTimer) record(at time.Time) (gap time.Duration, ok bool) {
	if c.first.IsZero() {
		c.first, c.last = at, at
		return 0, false
	}
	gap, c.last = at.Sub(c.last), at
	c.n++
	return gap, true
}

// missed returns the number of PLAYER_INFO packets that the server should have sent between the first and the last received one,
// but did not.
func (c *cycleTimer) missed() uint64 {
	due := int64((c.last.Sub(c.first) + CyclePeriod/2) / CyclePeriod)
	return uint64(max(0, due-c.n))
}

// restart makes the method missed ignore the time before the last received packet.
func (c *cycleTimer) restart() { c.first, c.n = c.last, 0 }

// Add adds the counts of another client.
func (c *Counts) Add(o *Counts) {
	for k := range c.Blocks {
		c.Blocks[k] += o.Blocks[k]
	}
	for _, f := range [...]struct {
		to   *uint64
		from uint64
	}{
		{&c.Infos, o.Infos}, {&c.Packets, o.Packets}, {&c.Missed, o.Missed},
		{&c.Bad, o.Bad}, {&c.Ignored, o.Ignored}, {&c.OffMap, o.OffMap},
		{&c.Added, o.Added}, {&c.Removed, o.Removed}, {&c.Walks, o.Walks}, {&c.Runs, o.Runs},
		{&c.Teleports, o.Teleports}, {&c.Jumps, o.Jumps},
		{&c.Hits, o.Hits}, {&c.Misses, o.Misses}, {&c.Damage, o.Damage}, {&c.DamageTaken, o.DamageTaken},
		{&c.ChatLines, o.ChatLines}, {&c.Said, o.Said}, {&c.Messages, o.Messages}, {&c.Maps, o.Maps},
		{&c.Pings, o.Pings}, {&c.KeptAlive, o.KeptAlive}, {&c.Reconnects, o.Reconnects}, {&c.AwayMillis, o.AwayMillis},
		{&c.Clicks, o.Clicks}, {&c.Attacks, o.Attacks}, {&c.Lines, o.Lines}, {&c.Commands, o.Commands},
		{&c.BytesIn, o.BytesIn}, {&c.BytesOut, o.BytesOut},
	} {
		*f.to += f.from
	}
}

// Stats returns the counters and, if gaps is not nil, merges the times between consecutive PLAYER_INFO packets into it. It
// may be called from any goroutine, also after Close.
func (c *Client) Stats(gaps *hdrhistogram.Histogram) Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	if gaps != nil {
		gaps.Merge(c.gaps)
	}
	return c.countsSoFar()
}

func (c *Client) countsSoFar() Counts {
	n := c.counts
	n.Missed += c.cadence.missed()
	n.BytesIn += c.traffic.in.Load()
	n.BytesOut += c.traffic.out.Load()
	n.KeptAlive += c.traffic.alive.Load()
	return n
}

// ResetStats returns the counters, and sets all counters and the histogram to zero. It may be called from any goroutine.
func (c *Client) ResetStats() Counts {
	c.mu.Lock()
	defer c.mu.Unlock()
	n := c.counts
	n.Missed += c.cadence.missed()
	n.BytesIn = c.traffic.in.Swap(0)
	n.BytesOut = c.traffic.out.Swap(0)
	n.KeptAlive = c.traffic.alive.Swap(0)
	c.counts = Counts{}
	c.cadence.restart()
	c.gaps.Reset()
	return n
}
