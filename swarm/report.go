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
	// Text returns the report for people: a heading, and the rows below it.
	Text() (heading string, rows []Row)
	// OK reports whether the run had no failures. The parameter lossy means that the network loses packets on purpose. Players
	// that cannot join or are dropped are then not failures, if at least one player has joined.
	OK(lossy bool) bool

	common() *Common
	// summary returns one line about the players, for the report of a mixed run.
	summary() string
	// falseCorrections returns the number of false corrections: corrections of honest players for which the server has sent
	// their clients no reason.
	falseCorrections() uint64
	// predicts reports whether the clients predict their own players. Such clients detect false corrections themselves. For
	// other clients, the reason in the server's journal determines whether a correction is false.
	predicts() bool
}

// Row is one line of a report, with a label and a text. A row with an empty label continues the row above it.
type Row struct {
	Label string // what the line is about, such as "login"
	Text  string // values, for people
}

// rows is the list of rows of a report.
type rows []Row

func (r *rows) add(label, format string, args ...any) {
	*r = append(*r, Row{label, fmt.Sprintf(format, args...)})
}

// addCounts adds one row for each entry of counts, in the order of the keys. The parameter format has a verb for the count and
// then one for the key.
func (r *rows) addCounts(format string, counts map[string]int) {
	for _, text := range slices.Sorted(maps.Keys(counts)) {
		r.add("", format, counts[text], text)
	}
}

// Common is the part of a report that is the same for all protocols. Rates and durations cover the time of the measurement,
// except Login.
type Common struct {
	Server          string  `json:"server"`            // address of the server
	Play            string  `json:"play"`              // activity of the players, as text
	Line            string  `json:"line,omitempty"`    // impairment of the network between players and server, as text
	RampSeconds     float64 `json:"ramp_seconds"`      // time in seconds between the first login and the measurement
	LastJoin        float64 `json:"last_join_seconds"` // time in seconds between the first login and the last player's entry to the world
	MeasuredSeconds float64 `json:"measured_seconds"`  // duration of the measurement in seconds

	Asked   int            `json:"clients_asked"`   // number of players that the run tried to log in
	Joined  int            `json:"clients_joined"`  // number of players that joined
	Failed  int            `json:"clients_failed"`  // number of players that could not join
	Dropped int            `json:"clients_dropped"` // number of players that lost their connections
	Reasons map[string]int `json:"reasons"`         // number of failed and dropped players, by error
	Retries map[string]int `json:"join_retries"`    // number of repeated logins, by the error of the failed one
	Login   Distribution   `json:"login"`           // time between a player's first packet and its entry to the world, in ms

	BytesInPerClient  float64 `json:"bytes_in_per_client_second"`  // bytes received per client and second
	BytesOutPerClient float64 `json:"bytes_out_per_client_second"` // bytes sent per client and second

	Unreadable      uint64  `json:"packets_unreadable"`         // number of packets that could not be decoded, since the first login
	FirstUnreadable string  `json:"first_unreadable,omitempty"` // error of the first unreadable packet
	Ignored         uint64  `json:"packets_ignored"`            // number of packets of types that the clients do not use
	SwarmCores      float64 `json:"swarm_cpu_cores"`            // mean number of CPU cores that this process used
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

// perClient returns a count per joined client and second. The parameter n is the count of all clients together during the
// time elapsed.
func (c *Common) perClient(n uint64, elapsed time.Duration) float64 {
	return round(float64(n)/elapsed.Seconds()/float64(max(1, c.Joined)), 10)
}

// perSecond returns the average count per second, where n is the count during the time elapsed.
func perSecond(n uint64, elapsed time.Duration) float64 {
	return round(float64(n)/elapsed.Seconds(), 10)
}

// ok reports whether the run had no failures: (1) all packets were readable, (2) all players joined, (3) at most expectedDrops
// players were dropped. If the network is lossy, it is enough for (2) and (3) that one player has joined.
func (c *Common) ok(lossy bool, expectedDrops int) bool {
	return c.Unreadable == 0 && c.Joined > 0 && (lossy || c.Failed == 0 && c.Dropped <= expectedDrops)
}

// noServer is a hint for a run in which no client has joined. The verb %s in it stands for the flag that sets the server's
// address.
const noServer = "no client has joined; start a server with truestep serve, or name another one with %s"

// Distribution summarizes a set of durations, in milliseconds.
type Distribution struct {
	P50   float64 `json:"p50_ms"` // median in ms
	P99   float64 `json:"p99_ms"` // 99th percentile in ms
	Max   float64 `json:"max_ms"` // maximum in ms
	Count int64   `json:"count"`  // number of durations
}

// String returns the percentiles as text for the report.
func (s Distribution) String() string {
	return fmt.Sprintf("p50 %s  p99 %s  max %s", ms(s.P50), ms(s.P99), ms(s.Max))
}

// histogramUnit is the duration of one unit in the histograms of all clients.
const histogramUnit = rcce.HistogramUnit

func newHistogram() *hdrhistogram.Histogram { return rcce.NewHistogram() }

// quantile returns the duration that a given share of the durations in a histogram do not exceed. The parameter percentile is
// this share in percent, 0 to 100.
func quantile(h *hdrhistogram.Histogram, percentile float64) time.Duration {
	return time.Duration(h.ValueAtPercentile(percentile)) * histogramUnit
}

// distributionOf returns the distribution of the durations in a histogram.
func distributionOf(h *hdrhistogram.Histogram) Distribution {
	in := func(d time.Duration) float64 { return round(d.Seconds()*1000, 100) }
	return Distribution{
		P50: in(quantile(h, 50)), P99: in(quantile(h, 99)), Max: in(time.Duration(h.Max()) * histogramUnit), Count: h.TotalCount(),
	}
}

// round rounds v to a multiple of 1/parts. For example, it rounds to one decimal place if parts is 10.
func round(v, parts float64) float64 { return float64(int64(v*parts+0.5)) / parts }

// ms formats a number of milliseconds.
func ms(v float64) string { return strconv.FormatFloat(v, 'f', -1, 64) + " ms" }

func milliseconds(d time.Duration) string { return ms(round(d.Seconds()*1000, 100)) }

// thousands formats a number with commas between groups of three digits.
func thousands(n uint64) string {
	s := strconv.FormatUint(n, 10)
	for i := len(s) - 3; i > 0; i -= 3 {
		s = s[:i] + "," + s[i:]
	}
	return s
}

// byCount lists the entries of a map as text, the one with the largest count first. The parameter format has a verb for the count
// and then one for the name.
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
