package swarm

import (
	"fmt"
	"maps"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/rcce"
)

// Report is the result of a run. It can be encoded as JSON.
type Report interface {
	// Text is the report for people: a heading, and rows below it.
	Text() (heading string, rows []Row)
	// OK reports whether the run had no failures. lossy says that the network loses packets on purpose; then players that
	// cannot join or are dropped are not failures if at least one player has joined.
	OK(lossy bool) bool

	common() *Common
	// summary returns one line about the players for the report of a mixed run.
	summary() string
	// falseCorrections returns the number of corrections of honest players for which the server had sent the clients no reason.
	falseCorrections() uint64
	// predicts reports whether the clients predict their own players. Such clients recognise false corrections themselves. For
	// other clients, the reason of a correction in the server's journal decides whether it is false.
	predicts() bool
}

// Row is one line of a report. A row without a label belongs to the label of the row above.
type Row struct{ Label, Text string }

// rows collects the rows of a report.
type rows []Row

func (r *rows) add(label, format string, args ...any) {
	*r = append(*r, Row{label, fmt.Sprintf(format, args...)})
}

// addCounts adds a row for each text with its count, in the order of the texts.
func (r *rows) addCounts(format string, counts map[string]int) {
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		r.add("", format, counts[text], text)
	}
}

// Common is the part of a report that all protocols have. All rates and durations except Login cover the measured time.
type Common struct {
	Server          string  `json:"server"`            // address of the server
	Play            string  `json:"play"`              // activity of the players
	Line            string  `json:"line,omitempty"`    // impairment of the network between players and server
	RampSeconds     float64 `json:"ramp_seconds"`      // seconds between the first login and the measurement
	LastJoin        float64 `json:"last_join_seconds"` // seconds between the first login and the last player's entry to the world
	MeasuredSeconds float64 `json:"measured_seconds"`  // length of the measurement in seconds

	Asked   int            `json:"clients_asked"`   // number of players of the run
	Joined  int            `json:"clients_joined"`  // number of players that joined
	Failed  int            `json:"clients_failed"`  // number of players that could not join
	Dropped int            `json:"clients_dropped"` // number of players that lost their connection
	Reasons map[string]int `json:"reasons"`         // number of failed and dropped players by reason
	Retries map[string]int `json:"join_retries"`    // number of repeated logins by reason
	Login   Spread         `json:"login"`           // time from the first packet of a player until it was in the world

	BytesInPerClient  float64 `json:"bytes_in_per_client_second"`  // bytes received per client and second
	BytesOutPerClient float64 `json:"bytes_out_per_client_second"` // bytes sent per client and second

	Unreadable      uint64  `json:"packets_unreadable"`         // unreadable packets since the first login
	FirstUnreadable string  `json:"first_unreadable,omitempty"` // error of the first unreadable packet
	Ignored         uint64  `json:"packets_ignored"`
	SwarmCores      float64 `json:"swarm_cpu_cores"` // mean number of CPU cores that this process used
}

func (c *Common) common() *Common { return c }

// heading returns the first line of a report.
func (c *Common) heading() string {
	parts := fmt.Sprintf("swarm at %s: %s; ", c.Server, c.Play)
	if c.Line != "" {
		parts += c.Line + "; "
	}
	return parts + fmt.Sprintf("measured for %gs after %gs", c.MeasuredSeconds, c.RampSeconds)
}

// perClient returns a count divided by the number of joined clients and by the seconds of elapsed.
func (c *Common) perClient(n uint64, elapsed time.Duration) float64 {
	return round(float64(n)/elapsed.Seconds()/float64(max(1, c.Joined)), 10)
}

// perSecond returns a count divided by the seconds of elapsed.
func perSecond(n uint64, elapsed time.Duration) float64 {
	return round(float64(n)/elapsed.Seconds(), 10)
}

// ok reports whether every player joined and none was dropped, except for the expected number of drops.
func (c *Common) ok(lossy bool, expectedDrops int) bool {
	return c.Unreadable == 0 && c.Joined > 0 && (lossy || c.Failed == 0 && c.Dropped <= expectedDrops)
}

// noServer is the hint that follows the reasons if no client has joined.
const noServer = "no client has joined; start a server with truestep serve, or name another one with %s"

// Spread is the distribution of a set of durations, in milliseconds.
type Spread struct {
	P50   float64 `json:"p50_ms"` // median in ms
	P99   float64 `json:"p99_ms"` // 99th percentile in ms
	Max   float64 `json:"max_ms"` // maximum in ms
	Count int64   `json:"count"`  // number of durations
}

// String returns the percentiles as text for the report.
func (s Spread) String() string {
	return fmt.Sprintf("p50 %s  p99 %s  max %s", ms(s.P50), ms(s.P99), ms(s.Max))
}

// histogramUnit is the unit of the histograms of all clients.
const histogramUnit = rcce.HistogramUnit

func newHistogram() *hdrhistogram.Histogram { return rcce.NewHistogram() }

func quantile(h *hdrhistogram.Histogram, percentile float64) time.Duration {
	return time.Duration(h.ValueAtPercentile(percentile)) * histogramUnit
}

func spreadOf(h *hdrhistogram.Histogram) Spread {
	in := func(d time.Duration) float64 { return round(d.Seconds()*1000, 100) }
	return Spread{
		P50: in(quantile(h, 50)), P99: in(quantile(h, 99)), Max: in(time.Duration(h.Max()) * histogramUnit), Count: h.TotalCount(),
	}
}

// round rounds v to a multiple of 1/parts.
func round(v, parts float64) float64 { return float64(int64(v*parts+0.5)) / parts }

func ms(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) + " ms" }

func milliseconds(d time.Duration) string { return ms(round(d.Seconds()*1000, 100)) }

// thousands groups the digits of a number.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// byCount lists the counts of a map, the greatest first. format has a verb for the count and one for the name.
func byCount[N int | uint64](counts map[string]N, format string) string {
	names := slices.SortedFunc(maps.Keys(counts), func(a, b string) int {
		if counts[a] != counts[b] {
			if counts[a] > counts[b] {
				return -1
			}
			return 1
		}
		return strings.Compare(a, b)
	})
	list := make([]string, 0, len(names))
	for _, name := range names {
		list = append(list, fmt.Sprintf(format, thousands(uint64(counts[name])), name))
	}
	return strings.Join(list, ", ")
}
