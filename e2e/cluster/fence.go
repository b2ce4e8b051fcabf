//go:build linux

package main

import (
	"fmt"
	"strings"
	"time"
)

const (
	fencedLine   = "the other nodes declared this node dead" // part of the line that a node logs when it ends its sessions for that reason
	fencedMetric = "truestep_cluster_fenced_total"
	fencedLimit  = 5 * time.Second // maximum time until a node that is back has found that it was declared dead
)

// fencings is how often a process of a node has said that the others declared it dead: in its log, and in its metrics.
type fencings struct{ lines, counted int }

// fencings returns the numbers of all nodes, in their order.
func (t *test) fencings() (list []fencings, err error) {
	for _, n := range t.cluster.nodes {
		m, err := n.Metrics(t.ctx)
		if err != nil {
			return nil, err
		}
		list = append(list, fencings{strings.Count(n.Tail(1<<20), fencedLine), int(m[fencedMetric])})
	}
	return list, nil
}

// checkFenced checks that each node that the others have declared dead since a fault has said so once in its log and in its metrics, and
// that no other node has. The parameter before has the numbers before the fault. On the busy machine of the short form of the test
// (--brief) a node can lack the CPU for so long that the others rightly declare it dead. So there the nodes must have said it at least
// once, others may have, and logs and metrics must agree.
func (t *test) checkFenced(name string, f *fault, before []fencings) {
	var errs []error
	for end := time.Now().Add(t.patient(fencedLimit)); ; wait(t.ctx, polls) {
		now, err := t.fencings()
		if errs = errs[:0]; err != nil {
			errs = append(errs, err)
		} else {
			errs = compareFencings(f, before, now, t.brief)
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			break
		}
	}
	what := ": exactly the nodes that were declared dead say so"
	if t.brief {
		what = ": the nodes that were declared dead say so"
	}
	t.Check(name+what, errs...)
}

// compareFencings returns an error for each node whose numbers have not grown as the fault demands, or disagree. If further is set, they
// may have grown more.
func compareFencings(f *fault, before, now []fencings, further bool) (errs []error) {
	want := make([]fencings, len(before))
	copy(want, before)
	for _, i := range f.nodes {
		if f.fences {
			want[i].lines++
			want[i].counted++
		} else {
			want[i] = fencings{} // the process is a new one
		}
	}
	least := ""
	if further {
		least = "at least "
	}
	for i, is := range now {
		grown := is == want[i] || further && is.lines >= want[i].lines && is.counted >= want[i].counted
		if !grown || is.lines != is.counted {
			errs = append(errs, fmt.Errorf("node %c says in %d lines and in %s = %d that it was declared dead, want %s%d and %d", 'a'+i, is.lines, fencedMetric, is.counted, least, want[i].lines, want[i].counted))
		}
	}
	return errs
}
