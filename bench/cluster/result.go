//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
	"time"
)

// result holds the results of all runs of one measurement.
type result struct {
	m            measurement
	runs         int
	load         []float64       // load average at the end of each run
	cpu          []float64       // processor time of the three nodes together in each run, per second, in cores
	agreed       []time.Duration // time from sealing a batch until the nodes had agreed on it
	released     []time.Duration // time from sealing a batch until its frame was released
	steps        []time.Duration // durations of steps
	led, other   []time.Duration // gaps between frames; led: in areas that the failed node led; other: in all other areas
	recovered    []time.Duration // time from the kill of all nodes to the next frame of an area
	lost         int             // number of ticks that were released before the kill of all nodes and are missing in the state after it
	history      history
	late, sealed int // late: number of batches agreed on more than 50 ms after sealing; sealed: number of all batches
}

func (r *result) addCPU(used, lasted time.Duration) {
	r.cpu = append(r.cpu, used.Seconds()/lasted.Seconds())
}

// add adds the releases of one run, sorted by area. The parameter from is the time at which the fault was injected or, in a run
// without a fault, at which the measurement began. The parameter victim is the number of the failed node.
func (r *result) add(m measurement, list [][]release, from int64, victim uint32) {
	r.runs++
	h := check(list)
	r.history.ticks += h.ticks
	r.history.repeated += h.repeated
	r.history.conflicting += h.conflicting
	r.history.missing += h.missing
	r.history.changes += h.changes
	switch m.Fault {
	case noFault:
		for _, one := range list {
			for i := range one {
				if one[i].released > from && one[i].sealed != 0 {
					r.addDelay(&one[i])
				}
			}
		}
	case killAll:
		r.addRestart(list, from)
	default:
		led, other := gaps(list, from, victim)
		r.led, r.other = append(r.led, led...), append(r.other, other...)
	}
}

func (r *result) addDelay(one *release) {
	r.sealed++
	r.agreed = append(r.agreed, time.Duration(one.agreed-one.sealed))
	r.released = append(r.released, time.Duration(one.released-one.sealed))
	r.steps = append(r.steps, time.Duration(one.step))
	if one.agreed-one.sealed > int64(tickPeriod) {
		r.late++
	}
}

// addRestart adds what a kill and restart of all nodes cost each area: the time from the kill to the first new frame, and the
// ticks that were released before the kill and then lost.
func (r *result) addRestart(list [][]release, killed int64) {
	for _, one := range list {
		var before, after uint64
		recovered := never
		for i := range one {
			switch {
			case one[i].released <= killed:
				before = max(before, one[i].tick)
			case recovered == never && one[i].sealed != 0: // first frame whose tick was sealed after the kill
				after = one[i].tick - 1
				recovered = time.Duration(one[i].released - killed)
			}
		}
		r.recovered = append(r.recovered, recovered)
		if after < before {
			r.lost += int(before - after)
		}
	}
}

// at returns the quantile q, 0 to 1, of the values, and 0 if there are none.
func at[T ~int64 | ~float64](values []T, q float64) T {
	if len(values) == 0 {
		return 0
	}
	s := slices.Sorted(slices.Values(values))
	return s[min(int(q*float64(len(s))), len(s)-1)]
}

func ms(d time.Duration) string {
	if d >= never {
		return "never"
	}
	return fmt.Sprintf("%.4g", float64(d.Microseconds())/1000)
}

const steadyHeader = `| nodes agree by | load | busy, nice | runs | load average | sealed to agreed: p50 / p99 ms | sealed to released: p50 / p99 | agreed later than 50 ms | step p50 ms | CPU of 3 nodes, % of a core | changes of leader or epoch |
|---|---|---|---|---|---|---|---|---|---|---|`

const faultHeader = `| nodes agree by | load | fault | busy, nice | runs | load average | gap p50 / p90 / max ms (areas) | gap of other areas, max | conflicting, missing, repeated ticks | changes of leader or epoch |
|---|---|---|---|---|---|---|---|---|---|`

const restartHeader = `| nodes agree by | load | runs | load average | released ticks lost | areas | first frame after p50 / max ms | conflicting, missing ticks |
|---|---|---|---|---|---|---|---|`

func (r *result) header() string {
	switch r.m.Fault {
	case noFault:
		return steadyHeader
	case killAll:
		return restartHeader
	}
	return faultHeader
}

// String returns the measurement as a row of the printed table.
func (r *result) String() string {
	var b strings.Builder
	fmt.Fprintf(&b, "| %s | %v |", r.m.Arrangement, r.m.Load)
	loads := fmt.Sprintf("%.1f to %.1f", slices.Min(r.load), slices.Max(r.load))
	h := &r.history
	switch r.m.Fault {
	case noFault:
		fmt.Fprintf(&b, " %d, %d | %d | %s | %s / %s | %s / %s | %d of %d | %s | %.0f (%.0f to %.0f) | %d |", r.m.Busy, r.m.Nice, r.runs, loads,
			ms(at(r.agreed, 0.5)), ms(at(r.agreed, 0.99)), ms(at(r.released, 0.5)), ms(at(r.released, 0.99)), r.late, r.sealed, ms(at(r.steps, 0.5)),
			100*at(r.cpu, 0.5), 100*slices.Min(r.cpu), 100*slices.Max(r.cpu), h.changes)
	case killAll:
		fmt.Fprintf(&b, " %d | %s | %d | %d | %s / %s | %d, %d |", r.runs, loads, r.lost, len(r.recovered),
			ms(at(r.recovered, 0.5)), ms(at(r.recovered, 1)), h.conflicting, h.missing)
	default:
		fmt.Fprintf(&b, " %s | %d, %d | %d | %s | %s / %s / %s (%d) | %s | %d, %d, %d | %d |", r.m.Fault, r.m.Busy, r.m.Nice, r.runs, loads,
			ms(at(r.led, 0.5)), ms(at(r.led, 0.9)), ms(at(r.led, 1)), len(r.led), ms(at(r.other, 1)), h.conflicting, h.missing, h.repeated, h.changes)
	}
	return b.String()
}
