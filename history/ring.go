package history

import (
	"encoding/binary"
	"hash/crc32"
	"math"
	"time"
)

// Kind says how the samples of a bucket are aggregated to one value.
type Kind uint8

// Values of Kind.
const (
	Mean Kind = iota // the mean of the samples
	Max              // the greatest sample
	Sum              // the sum of the samples, each of which is the increase since the previous sample
)

// Series is one recorded quantity, such as the number of players.
type Series struct {
	Name string `json:"name"` // name of the quantity, unique among the series
	Kind Kind   `json:"kind"` // how the samples of an interval are combined
}

// resolution says how a ring divides time: the duration that one bucket covers, and the maximum number of buckets.
type resolution struct {
	step  int64 // seconds
	slots int   // number of buckets
}

// resolutions lists the resolutions of all rings as seconds per bucket and number of buckets, the finest first. The rings cover
// an hour, a day, a month and a year, each with some reserve.
var resolutions = []resolution{{10, 400}, {60, 1500}, {900, 2980}, {10_800, 2936}}

// MaxRetain is the longest time for which a store retains values.
const MaxRetain = 367 * 24 * time.Hour

// bucket aggregates the samples of one interval.
type bucket struct {
	at     int64     // begin of the interval in seconds since 1970; 0 for an empty bucket
	run    int64     // start of the server run that last wrote the bucket, ms since 1970
	n      uint32    // number of samples
	values []float64 // one value per series; NaN if there was no sample
}

// add aggregates one sample, which has a value for each series, into the bucket. Series.Kind says how the values of a series are
// combined.
func (b *bucket) add(series []Series, sample []float64) {
	for i, v := range sample {
		switch old := b.values[i]; {
		case math.IsNaN(v):
		case math.IsNaN(old):
			b.values[i] = v
		case series[i].Kind == Max:
			b.values[i] = max(old, v)
		case series[i].Kind == Sum:
			b.values[i] = old + v
		default:
			b.values[i] = old + (v-old)/float64(b.n+1)
		}
	}
	b.n++
}

// ring is the circular buffer of the buckets of one resolution. The bucket of a time t, in seconds, is at index t/step modulo
// the number of buckets.
type ring struct {
	resolution
	buckets []bucket
}

func newRing(r resolution, seriesCount int) *ring {
	g := &ring{r, make([]bucket, r.slots)}
	values := make([]float64, r.slots*seriesCount)
	for i := range values {
		values[i] = math.NaN()
	}
	for i := range g.buckets {
		g.buckets[i].values = values[i*seriesCount : (i+1)*seriesCount : (i+1)*seriesCount]
	}
	return g
}

func (g *ring) slot(at int64) int { return int(at / g.step % int64(g.slots)) }

// add adds a sample to the bucket of its time and returns the index of the bucket. The parameter at is the time of the sample
// in seconds since 1970; run is the time at which this run of the server started, in ms since 1970. add clears the bucket first
// if its content is from another interval, or if an earlier run of the server wrote it while the clock was ahead.
func (g *ring) add(series []Series, at, run int64, sample []float64) int {
	begin := at - at%g.step
	i := g.slot(begin)
	b := &g.buckets[i]
	if b.at != begin || b.run != run && run < begin*1000 {
		b.at, b.n = begin, 0
		for j := range b.values {
			b.values[j] = math.NaN()
		}
	}
	b.add(series, sample)
	b.run = run
	return i
}

// find returns the bucket that begins at the time begin, in seconds since 1970, or nil if the ring does not have it.
func (g *ring) find(begin int64) *bucket {
	if begin <= 0 {
		return nil
	}
	if b := &g.buckets[g.slot(begin)]; b.at == begin {
		return b
	}
	return nil
}

// The stored form of a bucket, a record, has these fields:
//
//	off      size  field
//	0        8     begin of the interval, seconds since 1970
//	8        8     start of the run, ms since 1970
//	16       4     number of samples
//	20       8*c   values of c series, float64
//	20+8*c   4     CRC-32C of all bytes before it
//
// All numbers are little-endian. A bucket of zeros was never written.
func recordSize(seriesCount int) int { return 24 + 8*seriesCount }

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// appendTo appends the stored form of the bucket to b.
func (k *bucket) appendTo(b []byte) []byte {
	from := len(b)
	b = binary.LittleEndian.AppendUint64(b, uint64(k.at))
	b = binary.LittleEndian.AppendUint64(b, uint64(k.run))
	b = binary.LittleEndian.AppendUint32(b, k.n)
	for _, v := range k.values {
		b = binary.LittleEndian.AppendUint64(b, math.Float64bits(v))
	}
	return binary.LittleEndian.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

// parse decodes the stored form of a bucket. It returns false if the record is damaged.
func (k *bucket) parse(b []byte) bool {
	body := b[:len(b)-4]
	k.at = int64(binary.LittleEndian.Uint64(b))
	k.run = int64(binary.LittleEndian.Uint64(b[8:]))
	k.n = binary.LittleEndian.Uint32(b[16:])
	sum := binary.LittleEndian.Uint32(b[len(b)-4:])
	if k.at == 0 && k.run == 0 && k.n == 0 && sum == 0 {
		return true
	}
	if sum != crc32.Checksum(body, castagnoli) || k.at < 0 {
		k.at, k.run, k.n = 0, 0, 0
		return false
	}
	for i := range k.values {
		k.values[i] = math.Float64frombits(binary.LittleEndian.Uint64(b[20+8*i:]))
	}
	return true
}
