package rs

import (
	"sync/atomic"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// Cycle is how often servers of these games send PLAYER_INFO.
const Cycle = 600 * time.Millisecond

// KindCount is how many kinds of extended-info blocks there are: Counts.Blocks is by proto/rs.Kind.
const KindCount = int(proto.KindReset) + 1

// Counts are what a client has seen since it was made or ResetStats was called.
type Counts struct {
	Infos   uint64 // PLAYER_INFO packets
	Packets uint64 // all other frames
	Missed  uint64 // cycles without a PLAYER_INFO, by the time between the first and the last of each connection

	Bad     uint64 // packets that proto/rs could not read, appearances among them
	Ignored uint64 // packets that are known by name only
	OffMap  uint64 // PLAYER_INFO packets after which the own player stood outside the map that was sent

	Blocks    [KindCount]uint64 // extended-info blocks
	Added     uint64            // players that came into sight
	Removed   uint64            // players that went out of sight
	Walks     uint64            // moves by one tile, of oneself too
	Runs      uint64            // moves by two tiles
	Teleports uint64            // other moves
	Jumps     uint64            // those of them that were one's own

	Hits        uint64 // marks with damage
	Misses      uint64 // marks without
	Damage      uint64 // points on all that are in sight
	DamageTaken uint64 // points on oneself

	ChatLines  uint64 // MESSAGE_PUBLIC
	Said       uint64 // lines above heads
	Messages   uint64 // MESSAGE_GAME
	Maps       uint64 // REBUILD packets, the first of a login included
	Pings      uint64 // SEND_PING
	KeptAlive  uint64 // NO_TIMEOUTs sent
	Reconnects uint64 // connections that went on with a session
	AwayMillis uint64 // ms between their loss and their return

	Clicks, Attacks, Lines, Commands uint64 // asked for: ways, fights, chat, console

	BytesIn, BytesOut uint64 // without TCP and IP headers
}

// Histograms of a client have this unit and range; ValueAtQuantile times HistogramUnit is a duration.
const (
	HistogramUnit  = 10 * time.Microsecond
	histogramMost  = 6_000_000 // units: 60 s
	histogramDigit = 2
)

// NewHistogram returns an empty histogram of the kind that clients record, with two significant digits.
func NewHistogram() *hdrhistogram.Histogram {
	return hdrhistogram.New(1, histogramMost, histogramDigit)
}

// traffic is counted where no lock is held.
type traffic struct{ in, out, alive atomic.Uint64 }

// cadence tells late packets from missing ones: those that come late are followed by some that come early.
type cadence struct {
	first, last time.Time
	n           int64 // packets after the first
}

// beat notes a packet and returns the time since the one before; ok is false for the first.
func (c *cadence) beat(at time.Time) (gap time.Duration, ok bool) {
	if c.first.IsZero() {
		c.first, c.last = at, at
		return 0, false
	}
	gap, c.last = at.Sub(c.last), at
	c.n++
	return gap, true
}

// missed is how many packets should have come and have not.
func (c *cadence) missed() uint64 {
	due := int64((c.last.Sub(c.first) + Cycle/2) / Cycle)
	return uint64(max(0, due-c.n))
}

// restart counts from the last packet on.
func (c *cadence) restart() { c.first, c.n = c.last, 0 }

// Add adds another client's counts.
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

// Stats returns the counts, and merges the times between two PLAYER_INFO packets of a connection into gaps, unless it
// is nil. It may be called from any goroutine, also after Close.
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

// ResetStats begins all counts and the histogram anew and returns the counts so far. It may be called from any goroutine.
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
