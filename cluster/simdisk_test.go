package cluster

import (
	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/internal/simdisk"
)

// simDisk is the log of an area on one node. The process that has it open may crash before and after each call.
type simDisk struct {
	simdisk.Disk
	p *process // process that has the file open
}

// open returns the content of the log for a process.
func (d *simDisk) open(p *process) Kept {
	d.p = p
	c := d.Open()
	return Kept{c.State, c.Snapshot, c.Entries, d, d.Lost}
}

// Write implements File.
func (d *simDisk) Write(state *replica.State, entries []replica.Entry) error {
	s, p := d.p.n.s, d.p
	if d.Full {
		return simdisk.ErrFull
	}
	before, after := pointWrite, pointWritten
	if state != nil {
		before, after = pointVote, pointVoted
	}
	s.point(p, before)
	err := d.Disk.Write(state, entries)
	s.point(p, after)
	return err
}

// Rotate implements File.
func (d *simDisk) Rotate(snapshot replica.Snapshot, state replica.State, rest []replica.Entry) error {
	s, p := d.p.n.s, d.p
	if d.Full {
		return simdisk.ErrFull
	}
	s.point(p, pointRotate)
	s.stats.snapshots++
	err := d.Disk.Rotate(snapshot, state, rest)
	s.point(p, pointRotated)
	return err
}

// MarkComplete implements File.
func (d *simDisk) MarkComplete() error {
	if !d.Full {
		d.p.n.s.point(d.p, pointMark)
	}
	return d.Disk.MarkComplete()
}
