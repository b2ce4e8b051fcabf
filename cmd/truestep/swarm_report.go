package main

import (
	"cmp"
	"encoding/json"
	"fmt"
	"io"
	"maps"
	"slices"
	"strconv"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	"github.com/truestep-io/truestep/client/rcce"
)

// swarmTotal is what all players have seen.
type swarmTotal struct {
	rcce.Counts
	gaps, trips *hdrhistogram.Histogram
}

// spread describes many durations, in milliseconds.
type spread struct {
	P50   float64 `json:"p50_ms"`
	P99   float64 `json:"p99_ms"`
	Max   float64 `json:"max_ms"`
	Count int64   `json:"count"`
}

// swarmReport is the result of a run. Rates and spreads but login are those of the measured time; packets that could
// not be read, corrections and snaps count from the beginning.
type swarmReport struct {
	Server          string  `json:"server"`
	Play            string  `json:"play"`
	Line            string  `json:"line"`
	RampSeconds     float64 `json:"ramp_seconds"`
	MeasuredSeconds float64 `json:"measured_seconds"`

	Asked   int            `json:"clients_asked"`
	Joined  int            `json:"clients_joined"`
	Failed  int            `json:"clients_failed"`
	Dropped int            `json:"clients_dropped"`
	Reasons map[string]int `json:"reasons"`
	Retries map[string]int `json:"join_retries"`
	Login   spread         `json:"login"`
	Late    uint64         `json:"late_answers"`
	Areas   map[string]int `json:"areas"`

	SightMean         float64 `json:"in_sight_mean"`
	SightLeast        int     `json:"in_sight_least"`
	UpdatesPerSecond  float64 `json:"updates_per_second"`
	UpdatesPerClient  float64 `json:"updates_per_client_second"`
	Gap               spread  `json:"gap"`
	RoundTrip         spread  `json:"round_trip"`
	Corrections       uint64  `json:"corrections"`
	Snaps             uint64  `json:"snaps"`
	ClaimsPerSecond   float64 `json:"claims_per_second"`
	BytesInPerClient  float64 `json:"bytes_in_per_client_second"`
	BytesOutPerClient float64 `json:"bytes_out_per_client_second"`
	DatagramsIn       float64 `json:"datagrams_in_per_second"`
	DatagramsOut      float64 `json:"datagrams_out_per_second"`
	Resent            uint64  `json:"commands_resent"`
	Overtaken         uint64  `json:"updates_overtaken"`
	Overflows         uint64  `json:"datagrams_lost_by_swarm"`
	SwarmCores        float64 `json:"swarm_cpu_cores"`

	Swings      uint64 `json:"swings"`
	Hits        uint64 `json:"hits"`
	DamageDealt uint64 `json:"damage_dealt"`
	DamageTaken uint64 `json:"damage_taken"`
	Kills       uint64 `json:"kills"`
	Deaths      uint64 `json:"deaths"`
	ChatLines   uint64 `json:"chat_lines"`

	Bad      uint64 `json:"packets_unreadable"`
	Ignored  uint64 `json:"packets_ignored"`
	Strange  uint64 `json:"updates_of_unknown_actors"`
	FirstBad string `json:"first_unreadable,omitempty"`
}

// report looks at everybody while they are still in the world.
func (w *swarm) report(ramp time.Duration) *swarmReport {
	elapsed := time.Since(w.began)
	n := w.total()
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.before
	all.Add(&n.Counts)
	r := &swarmReport{
		Server: w.cmd.Server, Play: w.cmd.plays(), Line: w.cmd.line(),
		RampSeconds: round(ramp.Seconds(), 100), MeasuredSeconds: round(elapsed.Seconds(), 100),
		Asked: len(w.bots), Reasons: map[string]int{}, Retries: maps.Clone(w.retries), Areas: map[string]int{},
		Gap: spreadOf(n.gaps), RoundTrip: spreadOf(n.trips),
		Late: all.Late, Corrections: all.Corrections, Snaps: all.Snaps, Resent: n.Resent, Overtaken: n.Stale, Overflows: n.Overflows,
		SwarmCores: round((processCPU()-w.cpu).Seconds()/elapsed.Seconds(), 100),
		Swings:     n.Swings, Hits: n.Hits, DamageDealt: n.DamageDealt, DamageTaken: n.DamageTaken,
		Kills: n.Kills, Deaths: n.Deaths, ChatLines: n.ChatLines,
		Bad: all.Bad, Ignored: all.Ignored, Strange: all.Strange,
	}
	w.people(r)
	perSecond := func(n uint64) float64 { return round(float64(n)/elapsed.Seconds(), 10) }
	perClient := func(n uint64) float64 { return round(float64(n)/elapsed.Seconds()/float64(max(1, r.Joined)), 10) }
	r.UpdatesPerSecond, r.UpdatesPerClient = perSecond(n.Updates), perClient(n.Updates)
	r.ClaimsPerSecond = perSecond(n.Claims)
	r.BytesInPerClient, r.BytesOutPerClient = perClient(n.BytesIn), perClient(n.BytesOut)
	r.DatagramsIn, r.DatagramsOut = perSecond(n.DatagramsIn), perSecond(n.DatagramsOut)
	return r
}

// people counts who is where and who is not.
func (w *swarm) people(r *swarmReport) {
	const sight = 500 // units, the close range of the seed
	login := rcce.NewHistogram()
	seen, viewers := 0, 0
	for _, b := range w.bots {
		c := b.client.Load()
		if c != nil && r.FirstBad == "" {
			if err := c.FirstBad(); err != nil {
				r.FirstBad = err.Error()
			}
		}
		switch botState(b.state.Load()) {
		case botFailed:
			r.Failed++
			r.Reasons[b.err.Error()]++
			continue
		case botDropped:
			r.Dropped++
			r.Reasons[b.err.Error()]++
		case botWaiting:
			continue
		}
		r.Joined++
		_ = login.RecordValue(int64(b.login / rcce.HistogramUnit)) // below joinWithin, so in range
		c.Look(func(world *rcce.World) {
			r.Areas[world.Area]++
			n := world.Close(sight)
			if viewers == 0 || n < r.SightLeast {
				r.SightLeast = n
			}
			seen += n
			viewers++
		})
	}
	r.SightMean = round(float64(seen)/float64(max(1, viewers)), 10)
	r.Login = spreadOf(login)
}

// bad tells whether the run deserves exit status 1.
func (r *swarmReport) bad(lossy bool) bool {
	if r.Bad > 0 || r.Joined == 0 {
		return true
	}
	return !lossy && (r.Failed > 0 || r.Dropped > 0)
}

func (s *swarmRcceCmd) plays() string {
	play := "mixed"
	switch {
	case s.Walk:
		play = "walk"
	case s.Fight:
		play = "fight"
	}
	if s.InSight {
		play += ", in sight"
	}
	return play
}

// noServer follows the reasons of clients of whom none got in.
const noServer = "nobody got in; truestep serve starts a server; %s names another"

func (r *swarmReport) print(out io.Writer, asJSON bool) error {
	if asJSON {
		e := json.NewEncoder(out)
		e.SetIndent("", "  ")
		return e.Encode(r)
	}
	var t sheet
	row := t.row
	head := fmt.Sprintf("swarm at %s: %s; %s; measured for %gs after %gs", r.Server, r.Play, r.Line, r.MeasuredSeconds, r.RampSeconds)
	row("clients", "%d asked, %d joined, %d failed, %d dropped", r.Asked, r.Joined, r.Failed, r.Dropped)
	for _, reason := range slices.Sorted(maps.Keys(r.Reasons)) {
		row("", "%d: %s", r.Reasons[reason], reason)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Retries)) {
		row("", "%d tried again: %s", r.Retries[reason], reason)
	}
	if r.Joined == 0 {
		row("", noServer, "--server HOST:PORT")
		return t.print(out, head)
	}
	row("areas", "%s", r.where())
	row("login", "p50 %s  p99 %s  max %s; %d answers later than clients wait", ms(r.Login.P50), ms(r.Login.P99), ms(r.Login.Max), r.Late)
	row("in sight", "%g actors per client, %d at least", r.SightMean, r.SightLeast)
	row("updates", "%s/s, %g/s per client; %s more were overtaken on the way", thousands(uint64(r.UpdatesPerSecond)), r.UpdatesPerClient, thousands(r.Overtaken))
	row("gaps", "p50 %s  p99 %s  max %s; %s counted", ms(r.Gap.P50), ms(r.Gap.P99), ms(r.Gap.Max), thousands(uint64(r.Gap.Count)))
	row("round trip", "p50 %s  p99 %s  max %s", ms(r.RoundTrip.P50), ms(r.RoundTrip.P99), ms(r.RoundTrip.Max))
	row("held", "%d corrections, %d snaps; %g claims/s", r.Corrections, r.Snaps, r.ClaimsPerSecond)
	row("fights", "%d swings, %d hits, damage dealt %d taken %d, %d kills, %d deaths", r.Swings, r.Hits, r.DamageDealt, r.DamageTaken, r.Kills, r.Deaths)
	row("chat", "%d lines", r.ChatLines)
	row("traffic", "in %.1f KB/s out %.2f KB/s per client; in %s out %s datagrams/s; %d commands resent",
		r.BytesInPerClient/1000, r.BytesOutPerClient/1000, thousands(uint64(r.DatagramsIn)), thousands(uint64(r.DatagramsOut)), r.Resent)
	row("unreadable", "%d packets, %d of types that are not parsed, %d updates of unknown actors", r.Bad, r.Ignored, r.Strange)
	if r.FirstBad != "" {
		row("", "%s", r.FirstBad)
	}
	row("swarm", "%g cores; %d datagrams lost because it read too late", r.SwarmCores, r.Overflows)
	return t.print(out, head)
}

// where lists the areas, the fullest first.
func (r *swarmReport) where() string {
	names := slices.SortedFunc(maps.Keys(r.Areas), func(a, b string) int {
		return cmp.Or(cmp.Compare(r.Areas[b], r.Areas[a]), cmp.Compare(a, b))
	})
	text := ""
	for i, name := range names {
		if i > 0 {
			text += ", "
		}
		text += fmt.Sprintf("%s %d", name, r.Areas[name])
	}
	return text
}

func quantile(h *hdrhistogram.Histogram, percentile float64) time.Duration {
	return time.Duration(h.ValueAtPercentile(percentile)) * rcce.HistogramUnit
}

func spreadOf(h *hdrhistogram.Histogram) spread {
	in := func(d time.Duration) float64 { return round(d.Seconds()*1000, 100) }
	return spread{
		P50: in(quantile(h, 50)), P99: in(quantile(h, 99)), Max: in(time.Duration(h.Max()) * rcce.HistogramUnit), Count: h.TotalCount(),
	}
}

// round keeps as many parts of one.
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
