//go:build linux

package main

import (
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

// result holds the measurements of one login storm, in which many players log in through one door.
type result struct {
	door, who string
	ramp      ramp
	clients   int
	report    swarmReport
	swarmCPU  time.Duration // processor time of the players' process
	load      string        // load average of the machine in the last minute

	serverCPU        time.Duration // processor time of the server
	argon2, repeated int           // argon2: passwords checked with Argon2id; repeated: with the login proof that the server holds in memory
	busy             int           // number of logins that the server refused because it was busy
	ticks, late      int           // ticks: ticks of all areas; late: those that took longer than tickGoal
	tickP99          time.Duration // upper bound of the 99th percentile of the busiest area's ticks
	skipped          int           // number of ticks that the areas skipped because they were late
	collections      int           // number of garbage collections
	perSecond        float64       // garbage collections a second over the whole storm
	mostInSecond     int           // maximum number of garbage collections within a second
}

// addServer stores the differences between two readings of the server's metrics, from before the storm and from after it. The
// parameter gcs holds the times of the garbage collections during the storm, and lasted is the duration of the storm.
func (r *result) addServer(before, after map[string]float64, gcs []time.Duration, lasted time.Duration) {
	r.serverCPU = time.Duration((after["process_cpu_seconds_total"] - before["process_cpu_seconds_total"]) * float64(time.Second))
	r.argon2 = int(after[`truestep_secrets_checked_total{by="argon2id"}`] - before[`truestep_secrets_checked_total{by="argon2id"}`])
	r.repeated = int(after[`truestep_secrets_checked_total{by="proof"}`] - before[`truestep_secrets_checked_total{by="proof"}`])
	r.busy = int(after[`truestep_logins_total{result="overload"}`] - before[`truestep_logins_total{result="overload"}`])
	r.skipped = int(sumOf(after, "truestep_ticks_skipped_total") - sumOf(before, "truestep_ticks_skipped_total"))
	r.addTicks(before, after)
	r.collections, r.perSecond = len(gcs), float64(len(gcs))/lasted.Seconds()
	for i := range gcs {
		n, _ := slices.BinarySearch(gcs[i:], gcs[i]+time.Second)
		r.mostInSecond = max(r.mostInSecond, n)
	}
}

// addTicks stores how long the ticks of all areas took between two readings of the server's metrics. The metrics count ticks by
// duration since the start of the server, so addTicks subtracts the counts of the reading before from those of the reading after.
func (r *result) addTicks(before, after map[string]float64) {
	const name = "truestep_tick_seconds_bucket{area="
	bounds := map[string]map[float64]int{} // histogram of each area: cumulative number of ticks by upper bound in seconds
	for k, v := range after {
		area, bound, ok := strings.Cut(strings.TrimPrefix(k, name), `,le="`)
		if !ok || !strings.HasPrefix(k, name) {
			continue
		}
		le, err := strconv.ParseFloat(strings.TrimSuffix(bound, `"}`), 64)
		if err != nil {
			continue
		}
		if bounds[area] == nil {
			bounds[area] = map[float64]int{}
		}
		bounds[area][le] = int(v - before[k])
	}
	for _, counts := range bounds {
		all := counts[math.Inf(1)]
		r.ticks += all
		r.late += all - counts[tickGoal.Seconds()]
		for _, le := range slices.Sorted(maps.Keys(counts)) {
			if counts[le]*100 >= all*99 {
				r.tickP99 = max(r.tickP99, time.Duration(min(le, 10)*float64(time.Second)))
				break
			}
		}
	}
}

// waited returns the time from the last player's first login attempt until all players were in the world.
func (r *result) waited() time.Duration {
	since := r.report.LastJoin
	if r.ramp.perSecond < float64(r.clients) {
		since -= float64(r.clients-1) / r.ramp.perSecond
	}
	return time.Duration(since * float64(time.Second))
}

func (r *result) goal() time.Duration {
	if r.who == afterKill {
		return killGoal
	}
	return joinGoal
}

// met reports whether the login storm met its goals: every player joined, none failed, was disconnected or was corrected,
// and no measurement exceeds its limit.
func (r *result) met() bool {
	return r.report.Joined == r.clients && r.report.Failed == 0 && r.report.Dropped == 0 && r.report.Corrections == 0 &&
		r.waited() <= r.goal() && r.tickP99 <= tickGoal && r.perSecond <= gcGoal
}

const header = `| door | players | ramp | in | all in after | tries | login p50 / p99 / max s | Argon2id | proofs | tick p99 ms, later than 50 ms | GC, most in 1 s | server, players s of CPU | load | |
|---|---|---|---|---|---|---|---|---|---|---|---|---|---|`

// String returns the measurements as a row of the Markdown table under header.
func (r *result) String() string {
	tries := 0
	for _, n := range r.report.Retries {
		tries += n
	}
	verdict := "met"
	if !r.met() {
		verdict = fmt.Sprintf("**missed** %d corrections %v", r.report.Corrections, r.report.Reasons)
	}
	return fmt.Sprintf("| %s | %s | %s | %d of %d | %.1f s | %d again | %.1f / %.1f / %.1f | %d | %d | <= %g, %d of %d, %d skipped | %d, %d | %.0f, %.0f | %s | %s |",
		r.door, r.who, r.ramp.name, r.report.Joined, r.clients, r.waited().Seconds(), tries,
		r.report.Login.P50/1000, r.report.Login.P99/1000, r.report.Login.Max/1000, r.argon2, r.repeated,
		float64(r.tickP99.Microseconds())/1000, r.late, r.ticks, r.skipped, r.collections, r.mostInSecond,
		r.serverCPU.Seconds(), r.swarmCPU.Seconds(), r.load, verdict)
}
