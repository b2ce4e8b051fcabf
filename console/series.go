package console

import (
	"slices"
	"sync"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/telemetry"
)

const (
	seriesStep   = time.Second // time between two points
	seriesLength = 3600        // number of points: one hour at one point a second
)

// point holds the values of the series of metrics for one second. A count is the number in that second. Every other value is the
// one at the end of the second.
type point struct {
	at                    int64 // end of the second, in ms since 1970
	players, actors       int32
	p50, p99              int32 // tick duration percentiles of the slowest area, in us
	bytesIn, bytesOut     float32
	packetsIn, packetsOut float32
}

// series holds the points of the last hour. It is safe for concurrent use.
type series struct {
	mu     sync.Mutex
	points []point // used as a ring buffer once it has seriesLength elements
	next   int     // index of the oldest point once the ring is full

	corrections, holds reasonRings // counts with the same indices as points

	prevTotals telemetry.Totals // traffic totals at the end of the previous second
	prevAt     time.Time        // time of the previous call of add; zero before the first
	prevSum    area.AreaStats   // sums over all areas at the end of the previous second
}

// reasonRings counts corrections or holds by the name of their reason, such as "too_fast". Each reason has a ring buffer with one
// count per second. The buffer is allocated when the reason first occurs.
type reasonRings map[string][]uint32

// add stores, at index i of the ring buffers, how often each reason occurred in one second. The parameters last and now are the
// total counts by reason at the start and the end of that second.
func (r reasonRings) add(i int, last, now map[string]uint64) {
	for _, ring := range r {
		ring[i] = 0
	}
	for name, n := range now {
		if n <= last[name] {
			continue
		}
		if r[name] == nil {
			r[name] = make([]uint32, seriesLength)
		}
		r[name][i] = uint32(n - last[name])
	}
}

// add appends the point of one second. The first call only stores the values of the counters, with which the next call compares.
func (s *series) add(now time.Time, stats []area.AreaStats, totals telemetry.Totals) {
	s.mu.Lock()
	defer s.mu.Unlock()
	sum := area.Sum(stats)
	was, elapsed := s.prevTotals, now.Sub(s.prevAt)
	wasSum, begun := s.prevSum, !s.prevAt.IsZero()
	s.prevTotals, s.prevAt, s.prevSum = totals, now, sum
	if !begun {
		s.corrections, s.holds = reasonRings{}, reasonRings{}
		return
	}
	p := point{
		at: now.UnixMilli(), players: int32(sum.Players), actors: int32(sum.Actors),
		p50: int32(sum.TickP50.Microseconds()), p99: int32(sum.TickP99.Microseconds()),
		bytesIn:    float32(perSecond(was.BytesIn, totals.BytesIn, elapsed)),
		bytesOut:   float32(perSecond(was.BytesOut, totals.BytesOut, elapsed)),
		packetsIn:  float32(perSecond(was.PacketsIn, totals.PacketsIn, elapsed)),
		packetsOut: float32(perSecond(was.PacketsOut, totals.PacketsOut, elapsed)),
	}
	i := len(s.points)
	if i < seriesLength {
		s.points = append(s.points, p)
	} else {
		i = s.next
		s.points[i] = p
		s.next = (s.next + 1) % seriesLength
	}
	s.corrections.add(i, wasSum.Corrected, sum.Corrected)
	s.holds.add(i, wasSum.Held, sum.Held)
}

// seriesBody is the response of GET /series. It has one column per measured value, each with as many elements as At.
type seriesBody struct {
	StepMS      int64               `json:"stepMs"`      // time between two elements, ms
	At          []int64             `json:"at"`          // end of each second, in ms since 1970
	Players     []int32             `json:"players"`     // number of players in the world
	Actors      []int32             `json:"actors"`      // number of actors, players included
	TickP50US   []int32             `json:"tickP50Us"`   // median duration of a tick of the slowest area, us
	TickP99US   []int32             `json:"tickP99Us"`   // 99th percentile of the duration of a tick of the slowest area, us
	BytesIn     []float32           `json:"bytesIn"`     // bytes per second from clients
	BytesOut    []float32           `json:"bytesOut"`    // bytes per second to clients
	PacketsIn   []float32           `json:"packetsIn"`   // packets per second from clients
	PacketsOut  []float32           `json:"packetsOut"`  // packets per second to clients
	Corrections map[string][]uint32 `json:"corrections"` // number of corrections in each second, by reason
	Holds       map[string][]uint32 `json:"holds"`       // number of holds in each second, by reason
}

// bodySince returns the points that are later than the time ms, which is in ms since 1970.
func (s *series) bodySince(ms int64) seriesBody {
	s.mu.Lock()
	defer s.mu.Unlock()
	n := len(s.points)
	order := make([]int, 0, n) // indices of points, oldest first
	for i := range n {
		if at := (s.next + i) % n; s.points[at].at > ms {
			order = append(order, at)
		}
	}
	return seriesBody{
		StepMS:      seriesStep.Milliseconds(),
		At:          column(order, func(i int) int64 { return s.points[i].at }),
		Players:     column(order, func(i int) int32 { return s.points[i].players }),
		Actors:      column(order, func(i int) int32 { return s.points[i].actors }),
		TickP50US:   column(order, func(i int) int32 { return s.points[i].p50 }),
		TickP99US:   column(order, func(i int) int32 { return s.points[i].p99 }),
		BytesIn:     column(order, func(i int) float32 { return s.points[i].bytesIn }),
		BytesOut:    column(order, func(i int) float32 { return s.points[i].bytesOut }),
		PacketsIn:   column(order, func(i int) float32 { return s.points[i].packetsIn }),
		PacketsOut:  column(order, func(i int) float32 { return s.points[i].packetsOut }),
		Corrections: s.corrections.columns(order),
		Holds:       s.holds.columns(order),
	}
}

// column returns one column of a seriesBody: the value of(i) for each ring buffer index i in the list order.
func column[T any](order []int, of func(int) T) []T {
	list := make([]T, len(order))
	for n, i := range order {
		list[n] = of(i)
	}
	return list
}

// columns returns the counts of each reason at the indices in the list order. It leaves out a reason whose counts there are all
// 0.
func (r reasonRings) columns(order []int) map[string][]uint32 {
	all := map[string][]uint32{}
	for name, ring := range r {
		list := column(order, func(i int) uint32 { return ring[i] })
		if slices.ContainsFunc(list, func(n uint32) bool { return n > 0 }) {
			all[name] = list
		}
	}
	return all
}

// seriesSince handles GET /series. It returns the last hour with one point per second.
func (k *call) seriesSince() (any, error) {
	ask, err := k.parseQuery("since")
	if err != nil {
		return nil, err
	}
	since, err := parseTime(ask, "since")
	if err != nil {
		return nil, err
	}
	ms := int64(0)
	if !since.IsZero() {
		ms = since.UnixMilli()
	}
	return k.series.bodySince(ms), nil
}
