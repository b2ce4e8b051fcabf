package main

import (
	"bufio"
	"context"
	"fmt"
	"io"
	"maps"
	"net"
	"net/http"
	"slices"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/client/bedrock"
)

// swarmBedrockReport is the result of a run. Rates and what was counted are those of the measured time; packets that
// could not be read count from the beginning.
type swarmBedrockReport struct {
	Server          string  `json:"server"`
	Play            string  `json:"play"`
	Line            string  `json:"line"`
	RampSeconds     float64 `json:"ramp_seconds"`
	MeasuredSeconds float64 `json:"measured_seconds"`

	Asked          int            `json:"clients_asked"`
	Joined         int            `json:"clients_joined"`
	Failed         int            `json:"clients_failed"`
	Dropped        int            `json:"clients_dropped"`
	CheatsDropped  int            `json:"cheats_dropped"` // of the dropped
	Reasons        map[string]int `json:"reasons"`
	Retries        map[string]int `json:"join_retries"`
	Login          spread         `json:"login"`
	ActorsPerWorld float64        `json:"actors_in_sight_mean"`

	Inputs          uint64  `json:"inputs"`
	InputsPerSecond float64 `json:"inputs_per_second"`

	Corrections uint64            `json:"corrections"`
	False       uint64            `json:"corrections_false"`
	Deserved    uint64            `json:"corrections_deserved"`
	Landings    uint64            `json:"corrections_after_teleports"`
	Known       uint64            `json:"corrections_known"` // told where the player was already
	Farthest    float64           `json:"false_correction_farthest_blocks"`
	ByReason    map[string]uint64 `json:"server_corrections_by_reason,omitempty"`

	Rewinds  uint64  `json:"rewinds"`
	Replayed uint64  `json:"ticks_replayed"`
	Idle     uint64  `json:"rewinds_that_changed_nothing"`
	Depth    depths  `json:"rewind_depth"`
	Filed    uint64  `json:"packets_filed_by_tick"`
	Late     uint64  `json:"packets_too_late_to_file"`
	Gap      spread  `json:"gap"`
	Trip     spread  `json:"round_trip"`
	Updates  float64 `json:"updates_per_client_second"`

	Teleports   uint64  `json:"teleports"`
	Motions     uint64  `json:"knockbacks"`
	Attacks     uint64  `json:"attacks"`
	Hurts       uint64  `json:"hurts_seen"`
	DamageTaken float64 `json:"damage_taken"`
	Deaths      uint64  `json:"deaths"`
	Respawns    uint64  `json:"respawns"`
	ChatLines   uint64  `json:"chat_lines"`

	BytesInPerClient  float64 `json:"bytes_in_per_client_second"`
	BytesOutPerClient float64 `json:"bytes_out_per_client_second"`
	Resent            uint64  `json:"messages_resent"`
	Bad               uint64  `json:"packets_unreadable"`
	FirstBad          string  `json:"first_unreadable,omitempty"`
	Trailing          uint64  `json:"packets_with_trailing_bytes"`
	Ignored           uint64  `json:"packets_ignored"`
	Strange           uint64  `json:"packets_of_unknown_actors"`
	SwarmCores        float64 `json:"swarm_cpu_cores"`
}

// depths describes how many ticks rewinds replayed.
type depths struct {
	P50 int64 `json:"p50"`
	P99 int64 `json:"p99"`
	Max int64 `json:"max"`
}

// report looks at everybody while they are still in the world.
func (w *bedrockSwarm) report(ctx context.Context, ramp time.Duration) *swarmBedrockReport {
	elapsed := time.Since(w.began)
	h := bedrockHistograms()
	n := w.total(&h)
	w.mu.Lock()
	defer w.mu.Unlock()
	all := w.before
	all.Add(&n)
	m := &n.Move
	r := &swarmBedrockReport{
		Server: w.cmd.Addr, Play: w.cmd.plays(), Line: w.cmd.line(),
		RampSeconds: round(ramp.Seconds(), 100), MeasuredSeconds: round(elapsed.Seconds(), 100),
		Asked: len(w.bots), Reasons: map[string]int{}, Retries: maps.Clone(w.retries),
		Inputs: n.Inputs, InputsPerSecond: round(float64(n.Inputs)/elapsed.Seconds(), 10),
		Corrections: m.Corrections, False: m.Unexpected, Deserved: m.Tampered, Landings: m.AfterTeleport, Known: m.NoEffect,
		Farthest: round(float64(m.MaxUnexpected), 10_000), ByReason: w.scrape(ctx).since(w.server),
		Rewinds: n.Rewind.Rewinds, Replayed: n.Rewind.Replayed, Idle: n.Rewind.Unchanged, Filed: n.Rewind.Queued, Late: n.Rewind.Late,
		Depth: depths{h.ReplayDepths.ValueAtPercentile(50) - 1, h.ReplayDepths.ValueAtPercentile(99) - 1, h.ReplayDepths.Max() - 1},
		Gap:   spreadOf(h.UpdateIntervals), Trip: spreadOf(h.RoundTrips),
		Teleports: m.Teleports, Motions: m.Motions, Attacks: n.Attacks, Hurts: n.Hurts,
		DamageTaken: round(float64(n.DamageTaken), 10), Deaths: n.Deaths, Respawns: n.Respawns, ChatLines: n.ChatLines,
		Resent: n.Resent, Bad: all.ParseErrors, Trailing: all.Trailing, Ignored: all.Ignored, Strange: all.UnknownActors,
		SwarmCores: round((processCPU()-w.cpu).Seconds()/elapsed.Seconds(), 100),
	}
	if n.Rewind.Rewinds == 0 {
		r.Depth = depths{}
	}
	w.people(r)
	clients := float64(max(1, r.Joined))
	r.Updates = round(float64(n.Updates)/elapsed.Seconds()/clients, 10)
	r.BytesInPerClient = round(float64(n.BytesIn)/elapsed.Seconds()/clients, 10)
	r.BytesOutPerClient = round(float64(n.BytesOut)/elapsed.Seconds()/clients, 10)
	return r
}

// people counts who is in and who is not, and why.
func (w *bedrockSwarm) people(r *swarmBedrockReport) {
	login := bedrock.NewHistogram()
	seen, in := 0, 0
	for i, b := range w.bots {
		if c := b.client.Load(); c != nil {
			if err := c.FirstParseError(); err != nil && r.FirstBad == "" {
				r.FirstBad = err.Error()
			}
			c.Inspect(func(s *bedrock.Session) { seen += s.World().ActorCount() })
			in++
		}
		switch botState(b.state.Load()) {
		case botFailed:
			r.Failed++
			r.Reasons[b.err.Error()]++
			continue
		case botDropped:
			r.Dropped++
			r.Reasons[b.err.Error()]++
			if w.cmd.cheatOf(i) != "" {
				r.CheatsDropped++
			}
		case botWaiting:
			continue
		}
		r.Joined++
		_ = login.RecordValue(int64(b.login / bedrock.HistogramUnit)) // below joinWithin, so in range
	}
	r.Login = spreadOf(login)
	r.ActorsPerWorld = round(float64(seen)/float64(max(1, in)), 10)
}

// bad tells whether the run deserves exit status 1.
func (r *swarmBedrockReport) bad(lossy bool) bool {
	if r.False > 0 || r.Bad > 0 || r.Joined == 0 {
		return true
	}
	return !lossy && (r.Failed > 0 || r.Dropped > r.CheatsDropped)
}

func (s *swarmBedrockCmd) plays() string {
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
	if len(s.Cheat) > 0 {
		play += fmt.Sprintf(", %d cheat: %s", s.Clients-s.Honest, strings.Join(s.Cheat, ", "))
	}
	return play
}

func (r *swarmBedrockReport) print(out io.Writer) error {
	var t sheet
	row := t.row
	head := fmt.Sprintf("swarm at %s: %s; %s; measured for %gs after %gs", r.Server, r.Play, r.Line, r.MeasuredSeconds, r.RampSeconds)
	row("clients", "%d asked, %d joined, %d failed, %d dropped, of whom %d cheated", r.Asked, r.Joined, r.Failed, r.Dropped, r.CheatsDropped)
	for _, reason := range slices.Sorted(maps.Keys(r.Reasons)) {
		row("", "%d: %s", r.Reasons[reason], reason)
	}
	for _, reason := range slices.Sorted(maps.Keys(r.Retries)) {
		row("", "%d tried again: %s", r.Retries[reason], reason)
	}
	if r.Joined == 0 {
		row("", noServer, "--addr HOST:PORT")
		return t.print(out, head)
	}
	row("login", "p50 %s  p99 %s  max %s", ms(r.Login.P50), ms(r.Login.P99), ms(r.Login.Max))
	row("in sight", "%g actors per client; %g updates/s of them per client", r.ActorsPerWorld, r.Updates)
	row("inputs", "%s, %g/s", thousands(r.Inputs), r.InputsPerSecond)
	row("corrections", "%s: %s false, %s deserved, %s after teleports, %s told nothing new",
		thousands(r.Corrections), thousands(r.False), thousands(r.Deserved), thousands(r.Landings), thousands(r.Known))
	if r.False > 0 {
		row("", "the farthest false one moved its player %g blocks", r.Farthest)
	}
	switch {
	case r.ByReason == nil:
		row("by reason", "not known: the server's metrics did not answer; --metrics HOST:PORT says where they are")
	case len(r.ByReason) == 0:
		row("by reason", "none in the server's metrics")
	default:
		row("by reason", "%s", byCount(r.ByReason, "%s %s"))
	}
	row("rewinds", "%s, depth p50 %d  p99 %d  max %d; %s ticks replayed; %s changed nothing",
		thousands(r.Rewinds), r.Depth.P50, r.Depth.P99, r.Depth.Max, thousands(r.Replayed), thousands(r.Idle))
	row("filed", "%s packets by their tick, %s too late for it", thousands(r.Filed), thousands(r.Late))
	row("gaps", "p50 %s  p99 %s  max %s; %s counted", ms(r.Gap.P50), ms(r.Gap.P99), ms(r.Gap.Max), thousands(uint64(r.Gap.Count)))
	row("round trip", "p50 %s  p99 %s  max %s", ms(r.Trip.P50), ms(r.Trip.P99), ms(r.Trip.Max))
	row("moved by it", "%s teleports, %s knockbacks", thousands(r.Teleports), thousands(r.Motions))
	row("fights", "%s attacks, %s hurts seen, damage taken %g, %d deaths, %d respawns", thousands(r.Attacks), thousands(r.Hurts), r.DamageTaken, r.Deaths, r.Respawns)
	row("chat", "%d lines", r.ChatLines)
	row("traffic", "in %.2f KB/s out %.2f KB/s per client; %s messages resent", r.BytesInPerClient/1000, r.BytesOutPerClient/1000, thousands(r.Resent))
	row("unreadable", "%d packets; %d with trailing bytes, %d of types that are not looked at, %d of unknown actors", r.Bad, r.Trailing, r.Ignored, r.Strange)
	if r.FirstBad != "" {
		row("", "%s", r.FirstBad)
	}
	row("swarm", "%g cores", r.SwarmCores)
	return t.print(out, head)
}

// serverCounters are the server's corrections by reason, nil if its metrics did not answer.
type serverCounters map[string]uint64

// correctionsMetric counts a server's corrections by reason.
const correctionsMetric = `truestep_corrections_total{reason="`

// scrape reads the server's metrics. They are asked for where --metrics says, else next door if the server is there.
func (w *bedrockSwarm) scrape(ctx context.Context) serverCounters {
	at := w.cmd.Metrics
	if at == "" {
		host, _, err := net.SplitHostPort(w.cmd.Addr)
		if ip := net.ParseIP(host); err != nil || host != "localhost" && (ip == nil || !ip.IsLoopback()) {
			return nil
		}
		at = "127.0.0.1:9180"
	}
	ctx, cancel := context.WithTimeout(ctx, time.Second)
	defer cancel()
	req, err := http.NewRequestWithContext(ctx, http.MethodGet, "http://"+at+"/metrics", nil)
	if err != nil {
		return nil
	}
	resp, err := http.DefaultClient.Do(req)
	if err != nil || resp.StatusCode != http.StatusOK {
		return nil
	}
	defer resp.Body.Close()
	counts := serverCounters{}
	for lines := bufio.NewScanner(io.LimitReader(resp.Body, 1<<20)); lines.Scan(); {
		rest, ok := strings.CutPrefix(lines.Text(), correctionsMetric)
		if !ok {
			continue
		}
		reason, value, _ := strings.Cut(rest, `"} `)
		if n, err := strconv.ParseFloat(value, 64); err == nil {
			counts[reason] = uint64(n)
		}
	}
	return counts
}

// since is what came since an earlier reading.
func (c serverCounters) since(was serverCounters) map[string]uint64 {
	if c == nil || was == nil {
		return nil
	}
	grown := map[string]uint64{}
	for reason, n := range c {
		if n > was[reason] {
			grown[reason] = n - was[reason]
		}
	}
	return grown
}
