// Package simdisk models the log of an area on one node, for simulations. It guarantees what package cluster/raftlog guarantees, and
// nothing beyond. All writes survive the end of the process. Only synced ones survive a loss of power: everything up to the newest Write
// with a state, Rotate, Sync or Open. A test of cluster/raftlog runs the same scripts against both.
package simdisk

import (
	"fmt"
	"slices"
	"syscall"

	"github.com/truestep-io/truestep/cluster/replica"
)

// Disk is the log of one replica. The zero value is a new log that counts as complete, like the log of a replica in a new cluster.
type Disk struct {
	Full bool // the disk has no space: nothing can be written
	Lost bool // the log may lack entries and votes that the replica has acknowledged, until MarkComplete

	have Content
	safe Content // content that survives a loss of power
}

// Content is the content of a log: a state, a snapshot, and entries.
type Content struct {
	State    replica.State
	Snapshot replica.Snapshot
	Entries  []replica.Entry // after the snapshot
}

// ErrFull is the error of a full disk.
var ErrFull = fmt.Errorf("write: %w; free space on this disk and start this node again", syscall.ENOSPC)

// Open returns what a process finds when it opens the log, and makes this content durable. The caller must not change the entries.
func (d *Disk) Open() Content {
	d.Sync()
	c := d.have
	c.Entries = slices.Clone(c.Entries)
	return c
}

// Write appends entries, and stores a state if state is not nil. The first entry may replace an older entry and all later
// ones. With a state, everything is durable when Write returns.
func (d *Disk) Write(state *replica.State, entries []replica.Entry) error {
	have, last := d.have.Entries, d.have.Snapshot.Index+uint64(len(d.have.Entries))
	for i, e := range entries {
		if e.Index <= d.have.Snapshot.Index || e.Index > last+1 || i > 0 && e.Index != last+1 {
			return fmt.Errorf("entry %d cannot follow entry %d", e.Index, last)
		}
		at := int(e.Index - d.have.Snapshot.Index - 1)
		have, last = append(have[:at:at], e), e.Index // append copies the entries, because d.safe may share their array
	}
	switch {
	case state == nil && len(entries) == 0:
		return nil
	case d.Full:
		return ErrFull
	}
	d.have.Entries = have
	if state != nil {
		d.have.State = *state
		d.Sync()
	}
	return nil
}

// Rotate replaces the log by a snapshot, a state, and the entries after the snapshot. Everything is durable when it returns.
func (d *Disk) Rotate(s replica.Snapshot, state replica.State, rest []replica.Entry) error {
	if d.Full {
		return ErrFull
	}
	d.have = Content{state, s, slices.Clone(rest)}
	d.Sync()
	return nil
}

// MarkComplete records that the log again has all entries and votes that the replica has acknowledged.
func (d *Disk) MarkComplete() error {
	if d.Lost && d.Full {
		return ErrFull
	}
	d.Lost = false
	return nil
}

// Sync makes everything durable.
func (d *Disk) Sync() { d.safe = Content{d.have.State, d.have.Snapshot, slices.Clip(d.have.Entries)} }

// LosePower simulates a loss of power: it discards what was not synced. The log does not count as complete any more (see Lost).
func (d *Disk) LosePower() {
	d.have = d.safe
	d.Sync()
	d.Lost = true
}
