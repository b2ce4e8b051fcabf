package cluster

import (
	"slices"

	"github.com/truestep-io/truestep/cluster/replica"
)

// simDisk models the log of an area on one node, with the guarantees of package raftlog: what was written survives the end of the
// process, and a loss of power if it was synced since. A replica whose disk may have lost something is told so (lost).
type simDisk struct {
	p    *process // that has the file open
	have kept
	safe kept // what survives a loss of power
	lost bool
}

type kept struct {
	state    replica.State
	snapshot replica.Snapshot
	entries  []replica.Entry
}

func (d *simDisk) sync() {
	d.safe = kept{d.have.state, d.have.snapshot, slices.Clip(d.have.entries)}
}

// Write implements File.
func (d *simDisk) Write(state *replica.State, entries []replica.Entry) error {
	s, p := d.p.n.s, d.p
	if p.n.full {
		return errFull
	}
	before, after := pointWrite, pointWritten
	if state != nil {
		before, after = pointVote, pointVoted
	}
	s.point(p, before)
	if state != nil {
		d.have.state = *state
	}
	for _, e := range entries {
		at := int(e.Index - d.have.snapshot.Index - 1)
		if at < len(d.have.entries) {
			d.have.entries = d.have.entries[:at:at] // safe may have the array
		}
		d.have.entries = append(d.have.entries, e)
	}
	if state != nil {
		d.sync()
	}
	s.point(p, after)
	return nil
}

// Rotate implements File.
func (d *simDisk) Rotate(snapshot replica.Snapshot, state replica.State, rest []replica.Entry) error {
	s, p := d.p.n.s, d.p
	if p.n.full {
		return errFull
	}
	s.point(p, pointRotate)
	s.stats.snapshots++
	d.have = kept{state, snapshot, slices.Clone(rest)}
	d.sync()
	s.point(p, pointRotated)
	return nil
}

// MarkComplete implements File.
func (d *simDisk) MarkComplete() error {
	if d.p.n.full {
		return errFull
	}
	d.p.n.s.point(d.p, pointMark)
	d.lost = false
	return nil
}
