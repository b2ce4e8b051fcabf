//go:build linux

package main

import (
	"cmp"
	"errors"
	"fmt"
	"maps"
	"math"
	"slices"
	"strconv"
	"strings"
	"time"
)

const (
	measureTime = 20 * time.Second // time over which the metrics of the nodes are compared

	goalStep     = 50 * time.Millisecond  // required 99th percentile of the duration of a tick's step
	goalCommit   = time.Millisecond       // required median of the time in which a batch is committed
	goalCrossing = 150 * time.Millisecond // required median of the time in which a player moves to another area: three ticks
)

// Histograms that the nodes publish, in seconds.
const (
	stepHistogram     = "truestep_tick_seconds"
	commitHistogram   = "truestep_cluster_commit_seconds"
	crossingHistogram = "truestep_cluster_crossing_seconds"
)

// nodeFigures are the metrics of a node and the CPU time of its process at one moment.
type nodeFigures struct {
	metrics map[string]float64
	cpu     time.Duration
}

// measure lets the clients play without a fault, and checks what the nodes have measured meanwhile.
func (t *test) measure(name string) error {
	t.watcher.begin()
	before, err := t.readFigures()
	if err != nil {
		return err
	}
	wait(t.ctx, measureTime)
	after, err := t.readFigures()
	if err != nil {
		return err
	}
	usual, moves := t.usual(t.players), t.watcher.moves(t.players)
	var cpu []string
	for i := range after {
		share := float64(after[i].cpu-before[i].cpu) / float64(measureTime)
		cpu = append(cpu, fmt.Sprintf("%.0f %%", 100*share))
	}
	fmt.Printf("%s: %d clients in %d areas; CPU of the nodes %s of a core; longest gap of frames %v\n", name, len(t.players), t.areas, strings.Join(cpu, ", "), usual.Round(time.Millisecond))
	fmt.Printf("%s: time between the frames of two areas at web clients: %s\n", name, summary(moves))
	fmt.Printf("%s: changes of leaders since the nodes have started: %s\n", name, leadChanges(after))
	for _, h := range []struct {
		what, histogram string
		quantile        float64
		goal            time.Duration
	}{
		{"99th percentile of the duration of ticks", stepHistogram, 0.99, goalStep},
		{"median until a batch is committed", commitHistogram, 0.5, goalCommit},
		{"median until an arrival in another area is confirmed", crossingHistogram, 0.5, goalCrossing},
	} {
		n, list := quantiles(h.histogram, before, after, h.quantile, 0.99)
		if n == 0 {
			t.Check(name+": "+h.what, errors.New("no node has recorded a value in this histogram"))
			continue
		}
		fmt.Printf("%s: %s: at most %v (99th percentile %v) of %d\n", name, h.what, list[0], list[1], n)
		var slow error
		if list[0] > h.goal {
			slow = fmt.Errorf("the %s is %v, want at most %v", h.what, list[0], h.goal)
		}
		t.Check(name+": "+h.what, slow)
	}
	return nil
}

// leadChanges returns how often areas have changed their leader, for each cause, as seen by the node that has seen most changes of that cause.
func leadChanges(nodes [nodeCount]nodeFigures) string {
	seen := map[string]float64{}
	for i := range nodes {
		for name, n := range nodes[i].metrics {
			if cause, ok := strings.CutPrefix(name, "truestep_cluster_lead_changes_by_cause_total{cause="); ok && n > 0 {
				cause = strings.Trim(cause, `"}`)
				seen[cause] = max(seen[cause], n)
			}
		}
	}
	var list []string
	for _, cause := range slices.Sorted(maps.Keys(seen)) {
		list = append(list, fmt.Sprintf("%s %.0f", cause, seen[cause]))
	}
	return cmp.Or(strings.Join(list, ", "), "none")
}

// readFigures returns the figures of all nodes.
func (t *test) readFigures() (list [nodeCount]nodeFigures, err error) {
	for i, n := range t.cluster.nodes {
		f := &list[i]
		if f.metrics, err = n.Metrics(t.ctx); err != nil {
			return list, err
		}
		if f.cpu, err = n.CPUTime(); err != nil {
			return list, err
		}
	}
	return list, nil
}

// quantiles returns the number of values that the nodes have added to a histogram between two moments, and for each of the given
// quantiles the upper bound of its bucket.
func quantiles(histogram string, before, after [nodeCount]nodeFigures, of ...float64) (n int, list []time.Duration) {
	buckets := map[float64]float64{} // for each upper bound in s: number of values that are not greater
	for i := range after {
		for name, value := range after[i].metrics {
			if !strings.HasPrefix(name, histogram+"_bucket{") {
				continue
			}
			_, label, _ := strings.Cut(name, `le="`)
			text, _, _ := strings.Cut(label, `"`)
			bound, err := strconv.ParseFloat(text, 64) // "+Inf", too
			if err == nil {
				buckets[bound] += value - before[i].metrics[name]
			}
		}
	}
	total := buckets[math.Inf(1)]
	bounds := make([]float64, 0, len(buckets))
	for bound := range buckets {
		bounds = append(bounds, bound)
	}
	slices.Sort(bounds)
	for _, q := range of {
		for _, bound := range bounds {
			if buckets[bound] >= q*total {
				list = append(list, time.Duration(min(bound, math.MaxInt32)*float64(time.Second)))
				break
			}
		}
	}
	return int(total), list
}
