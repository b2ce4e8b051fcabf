package main

import (
	"cmp"
	"context"
	"fmt"
	"io"
	"slices"
	"strings"
	"time"
)

// swarmMixedReport is the result of a run. What was compared is of the measured time.
type swarmMixedReport struct {
	Console         string  `json:"console,omitempty"`
	Line            string  `json:"line"`
	RampSeconds     float64 `json:"ramp_seconds"`
	MeasuredSeconds float64 `json:"measured_seconds"`

	Asked   int `json:"clients_asked"`
	Joined  int `json:"clients_joined"`
	Failed  int `json:"clients_failed"`
	Dropped int `json:"clients_dropped"`

	TickP50  float64 `json:"tick_p50_ms"` // of the worst ten seconds of the worst area
	TickP99  float64 `json:"tick_p99_ms"`
	TickMax  float64 `json:"tick_p99_allowed_ms"`
	Frames   uint64  `json:"frames_of_truth"`
	Lost     uint64  `json:"frames_left_out"`
	Stall    float64 `json:"longest_stall_ms"` // of the server's ticks or of this process
	WayMS    float64 `json:"way_allowed_ms"`
	Compared uint64  `json:"places_compared"`

	Doors      []mixedDoorReport `json:"doors"`
	Mismatches uint64            `json:"mismatches"`
	First      []mixedMismatch   `json:"first_mismatches"`

	Corrections []mixedCorrection `json:"corrections"`
	False       uint64            `json:"corrections_false"`
	ConsoleErrs []string          `json:"console_errors,omitempty"`
	SwarmCores  float64           `json:"swarm_cpu_cores"`

	Rcce    *swarmReport        `json:"rcce,omitempty"`
	Rs      *swarmRsReport      `json:"rs,omitempty"`
	Bedrock *swarmBedrockReport `json:"bedrock,omitempty"`

	checked bool
}

// mixedDoorReport is how the clients of one door were found to see.
type mixedDoorReport struct {
	Door       string  `json:"door"`
	Rounding   string  `json:"rounding"`
	Delay      string  `json:"delay_by_design"`
	Looks      uint64  `json:"looks"`
	Skipped    uint64  `json:"looks_of_newcomers"`
	SeenMean   float64 `json:"actors_seen_mean"`
	Compared   uint64  `json:"places_compared"`
	Fresh      uint64  `json:"actors_that_had_just_come"`
	Beyond     uint64  `json:"places_too_far_to_be_told"`
	Stalled    uint64  `json:"looks_after_stalls"` // that were given as much longer
	Blurred    uint64  `json:"places_in_frames_left_out"`
	Present    uint64  `json:"actors_that_had_to_be_there"`
	Crowded    uint64  `json:"looks_in_crowds_beyond_the_most_shown"`
	WorstError float64 `json:"worst_error_units"`
	AgeP50     float64 `json:"age_p50_ms"`
	AgeP99     float64 `json:"age_p99_ms"`
	AgeMax     float64 `json:"age_max_ms"`
	Wrong      uint64  `json:"places_wrong"`
	Late       uint64  `json:"places_late"`
	Missing    uint64  `json:"actors_missing"`
	Left       uint64  `json:"actors_that_had_left"`
}

// mixedCorrection counts entries of the journal about the swarm's players.
type mixedCorrection struct {
	Door    string `json:"door"`
	Verdict string `json:"verdict"`
	Reason  string `json:"reason"`
	Times   uint64 `json:"times"`
	False   bool   `json:"false"` // nothing that the player did or that happened to him explains it
}

// roundings say what each door's protocol makes of a place.
var roundings = map[string]string{
	"rcce":    "none: float32 units",
	"rs":      "half a tile; a quarter more for who walks on none",
	"bedrock": "none that matters: float32 blocks",
}

// report looks at everybody while they are still in the world.
func (m *mixedSwarm) report(ctx context.Context, ramp time.Duration, end time.Time) *swarmMixedReport {
	s := m.cmd
	elapsed := end.Sub(m.began)
	r := &swarmMixedReport{
		Line: s.line(), RampSeconds: round(ramp.Seconds(), 100), MeasuredSeconds: round(elapsed.Seconds(), 100), Asked: s.total(),
		TickMax: s.TickMax.Seconds() * 1000, WayMS: s.Way.Seconds() * 1000, checked: m.console != nil,
		SwarmCores: round((processCPU()-m.cpu).Seconds()/elapsed.Seconds(), 100), First: []mixedMismatch{}, Corrections: []mixedCorrection{},
	}
	if s.Rcce > 0 {
		r.Rcce = m.rcce.report(ramp)
		r.people(r.Rcce.Joined, r.Rcce.Failed, r.Rcce.Dropped)
	}
	if s.Rs > 0 {
		r.Rs = m.rs.report(ramp)
		r.people(r.Rs.Joined, r.Rs.Failed, r.Rs.Dropped)
	}
	if s.Bedrock > 0 {
		r.Bedrock = m.bedrock.report(ctx, ramp)
		r.people(r.Bedrock.Joined, r.Bedrock.Failed, r.Bedrock.Dropped)
	}
	if m.console != nil {
		r.Console = m.console.base.Host
		m.compared(r)
		r.judgeCorrections(m.corrections(ctx))
		m.mu.Lock()
		for _, err := range m.errs {
			r.ConsoleErrs = append(r.ConsoleErrs, err.Error())
		}
		m.mu.Unlock()
	}
	return r
}

func (r *swarmMixedReport) people(joined, failed, dropped int) {
	r.Joined += joined
	r.Failed += failed
	r.Dropped += dropped
}

// compared takes over what the judge found.
func (m *mixedSwarm) compared(r *swarmMixedReport) {
	m.mu.Lock()
	defer m.mu.Unlock()
	r.TickP50, r.TickP99 = round(float64(m.ticks.p50)/1000, 100), round(float64(m.ticks.p99)/1000, 100)
	r.Frames, r.Lost = m.truth.count()
	r.Stall = round(m.truth.worstStall(), 10)
	r.First = append(r.First, m.judge.first...)
	for _, name := range []string{"rcce", "rs", "bedrock"} {
		v := m.judge.doors[name]
		if v.looks == 0 {
			continue
		}
		ages := spreadOf(v.ages)
		r.Doors = append(r.Doors, mixedDoorReport{
			Door: name, Rounding: roundings[name], Delay: m.judge.door(name).stated(),
			Looks: v.looks, Skipped: v.skipped, SeenMean: round(float64(v.perSeen)/float64(max(1, v.looks-v.skipped)), 10),
			Compared: v.compared, Fresh: v.fresh, Beyond: v.beyond, Stalled: v.stalled, Blurred: v.blurred, Present: v.present, Crowded: v.crowded, WorstError: round(float64(v.worst), 10_000),
			AgeP50: ages.P50, AgeP99: ages.P99, AgeMax: ages.Max,
			Wrong: v.wrong, Late: v.late, Missing: v.missing, Left: v.left,
		})
		r.Compared += v.compared
		r.Mismatches += v.mismatches()
	}
}

// stated is a door's delay in words.
func (d *mixedDoor) stated() string {
	var list []string
	for i := range d.Bands {
		list = append(list, fmt.Sprintf("%d ms up to %g units", d.Bands[i].EveryMS, d.Bands[i].Radius))
	}
	return strings.Join(list, ", ")
}

// corrections are the journal's entries about this swarm's players since the measurement began.
func (m *mixedSwarm) corrections(ctx context.Context) []mixedEntry {
	list, err := m.console.corrections(ctx, m.began)
	if err != nil {
		m.failed(err)
	}
	return slices.DeleteFunc(list, func(e mixedEntry) bool { return !m.cmd.ours(e.Player) })
}

// judgeCorrections counts entries, and tells the false ones apart. What is refused is a wish, and players wish for a
// lot. Of corrections of predicted players their clients know best which told something new to who had heard of nothing.
func (r *swarmMixedReport) judgeCorrections(list []mixedEntry) {
	counts := map[mixedCorrection]uint64{}
	for i := range list {
		e := &list[i]
		key := mixedCorrection{Door: e.Door, Verdict: e.Verdict, Reason: e.Reason, False: falseEntry(e)}
		counts[key] += uint64(max(e.Times, 1))
	}
	for key, n := range counts {
		key.Times = n
		r.Corrections = append(r.Corrections, key)
		if key.False {
			r.False += n
		}
	}
	slices.SortFunc(r.Corrections, func(a, b mixedCorrection) int {
		return cmp.Or(cmp.Compare(a.Door, b.Door), cmp.Compare(a.Verdict, b.Verdict), cmp.Compare(b.Times, a.Times), cmp.Compare(a.Reason, b.Reason))
	})
	if r.Rcce != nil {
		r.False += r.Rcce.Corrections + r.Rcce.Snaps
	}
	if r.Bedrock != nil {
		r.False += r.Bedrock.False
	}
}

// provoked are reasons that honest players meet: claims and clicks that were on their way when they died, were put
// somewhere or fell silent, and clicks on what cannot be reached, by clients that do not know the ground.
var provoked = map[string]bool{"warping": true, "dead": true, "no_path": true, "off_map": true, "frozen": true}

func falseEntry(e *mixedEntry) bool {
	return e.Verdict != "refused" && e.Door != "bedrock" && !provoked[e.Reason]
}

// bad tells whether the run deserves exit status 1.
func (r *swarmMixedReport) bad(lossy bool) bool {
	for _, sub := range []struct {
		there bool
		bad   func() bool
	}{
		{r.Rcce != nil, func() bool { return r.Rcce.bad(lossy) }},
		{r.Rs != nil, func() bool { return r.Rs.bad() }},
		{r.Bedrock != nil, func() bool { return r.Bedrock.bad(lossy) }},
	} {
		if sub.there && sub.bad() {
			return true
		}
	}
	if !r.checked {
		return false
	}
	if r.TickP99 >= r.TickMax || len(r.ConsoleErrs) > 0 || r.Compared == 0 && r.Joined > 1 {
		return true
	}
	return !lossy && (r.Mismatches > 0 || r.False > 0)
}

func (r *swarmMixedReport) print(out io.Writer) error {
	var t sheet
	row := t.row
	row("clients", "%d asked, %d joined, %d failed, %d dropped", r.Asked, r.Joined, r.Failed, r.Dropped)
	r.printDoors(row)
	if r.Joined == 0 {
		row("", noServer, "--rcce-addr, --rs-addr and --bedrock-addr")
	}
	if r.checked {
		r.printChecks(row)
	} else {
		row("compared", "nothing: --no-check")
	}
	row("swarm", "%g cores", r.SwarmCores)
	return t.print(out, fmt.Sprintf("mixed swarm: %s; measured for %gs after %gs", r.Line, r.MeasuredSeconds, r.RampSeconds))
}

// printDoors says of each door's clients what the swarm of that door would.
func (r *swarmMixedReport) printDoors(row func(what, format string, args ...any)) {
	line := func(door string, joined int, in, out float64, rest string) {
		row(door, "%d in; in %.2f KB/s out %.3f KB/s per client; %s", joined, in/1000, out/1000, rest)
	}
	reasons := func(counts map[string]int, bad string) {
		if len(counts) > 0 {
			row("", "%s", byCount(counts, "%s: %s"))
		}
		if bad != "" {
			row("", "%s", bad)
		}
	}
	if d := r.Rcce; d != nil {
		line("rcce", d.Joined, d.BytesInPerClient, d.BytesOutPerClient, fmt.Sprintf("gap p99 %s; %d corrections, %d snaps; %d hits, %d kills, %d deaths; %d unreadable",
			ms(d.Gap.P99), d.Corrections, d.Snaps, d.Hits, d.Kills, d.Deaths, d.Bad))
		reasons(d.Reasons, d.FirstBad)
	}
	if d := r.Rs; d != nil {
		line("rs", d.Joined, d.BytesInPerClient, d.BytesOutPerClient, fmt.Sprintf("gap p99 %s; %d cycles missed; %d hits seen; %d packets that a client gives up on, %d unreadable",
			ms(d.Gap.P99), d.Missed, d.Hits, d.Mismatched, d.Bad))
		reasons(d.Reasons, d.FirstBad)
	}
	if d := r.Bedrock; d != nil {
		line("bedrock", d.Joined, d.BytesInPerClient, d.BytesOutPerClient, fmt.Sprintf("gap p99 %s; %d corrections, %d false; %d hurts seen, %d deaths; %d unreadable",
			ms(d.Gap.P99), d.Corrections, d.False, d.Hurts, d.Deaths, d.Bad))
		reasons(d.Reasons, d.FirstBad)
	}
}

// printChecks says what came of the comparison with the server.
func (r *swarmMixedReport) printChecks(row func(what, format string, args ...any)) {
	row("ticks", "p50 %s  p99 %s in the worst ten seconds of the worst area; below %s is allowed", ms(r.TickP50), ms(r.TickP99), ms(r.TickMax))
	row("truth", "%s frames from the console at %s; %s were left out; the machine stood still for %s at most", thousands(r.Frames), r.Console, thousands(r.Lost), ms(r.Stall))
	for i := range r.Doors {
		d := &r.Doors[i]
		row("seen by "+d.Door, "%s places compared in %s looks, %g actors each; left out: %s looks of newcomers, %s actors that had just come, %s too far away, %s in lost frames",
			thousands(d.Compared), thousands(d.Looks), d.SeenMean, thousands(d.Skipped), thousands(d.Fresh), thousands(d.Beyond), thousands(d.Blurred))
		row("", "rounding: %s; worst error %g units", d.Rounding, d.WorstError)
		row("", "delay: %s, and %s for the way; found p50 %s  p99 %s  max %s; %s looks after stalls", d.Delay, ms(r.WayMS), ms(d.AgeP50), ms(d.AgeP99), ms(d.AgeMax), thousands(d.Stalled))
		row("", "%s had to be there; %d looks in greater crowds than are shown", thousands(d.Present), d.Crowded)
		row("", "mismatches: %d wrong, %d late, %d missing, %d had left", d.Wrong, d.Late, d.Missing, d.Left)
	}
	for _, m := range r.First {
		row("", "at %gs %s by %s (%s): %s: %s", m.Second, m.Actor, m.Viewer, m.Door, m.Kind, m.Text)
	}
	row("corrections", "%d false", r.False)
	for _, c := range r.Corrections {
		note := "provoked"
		switch {
		case c.False:
			note = "FALSE"
		case c.Verdict == "refused":
			note = "a wish"
		case c.Door == "bedrock":
			note = "see above which were false"
		}
		row("", "%s: %s %s, %s times: %s", c.Door, c.Verdict, c.Reason, thousands(c.Times), note)
	}
	for _, e := range r.ConsoleErrs {
		row("console", "%s", e)
	}
}
