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
// that no other node has. The parameter before has the numbers before the fault.
func (t *test) checkFenced(name string, f *fault, before []fencings) {
	var errs []error
	for end := time.Now().Add(t.patient(fencedLimit)); ; wait(t.ctx, polls) {
		now, err := t.fencings()
		if errs = errs[:0]; err != nil {
			errs = append(errs, err)
		} else {
			errs = compareFencings(f, before, now)
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			break
		}
	}
	t.Check(name+": exactly the nodes that were declared dead say so", errs...)
}

// compareFencings returns an error for each node whose numbers have not grown as the fault demands.
func compareFencings(f *fault, before, now []fencings) (errs []error) {
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
	for i := range want {
		if now[i] != want[i] {
			errs = append(errs, fmt.Errorf("node %c says in %d lines and in %s = %d that it was declared dead, want %d and %d", 'a'+i, now[i].lines, fencedMetric, now[i].counted, want[i].lines, want[i].counted))
		}
	}
	return errs
}
