// Package simdisk models the log of an area on one node, for simulations. It guarantees what package cluster/raftlog guarantees, and
// nothing beyond. All writes survive the end of the process. A loss of power leaves everything up to the newest Write with a state,
// Rotate, Sync or Open, and of the entries that were written since any number, from the first one on. Tests of cluster/raftlog run the
// same scripts against both.
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

	have     Content
	safe     Content         // content that surely survives a loss of power
	unsynced []replica.Entry // entries that were written since, in the order in which they were written
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
	have, last := d.have, d.have.Snapshot.Index+uint64(len(d.have.Entries))
	for i, e := range entries {
		if e.Index <= d.have.Snapshot.Index || e.Index > last+1 || i > 0 && e.Index != last+1 {
			return fmt.Errorf("entry %d cannot follow entry %d", e.Index, last)
		}
		have.put(e)
		last = e.Index
	}
	switch {
	case state == nil && len(entries) == 0:
		return nil
	case d.Full:
		return ErrFull
	}
	d.have, d.unsynced = have, append(d.unsynced, entries...)
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

// put appends an entry, or replaces an entry and all later ones by it. Other contents may share the array of the entries, but have no
// elements after the last one of c: their slices are clipped.
func (c *Content) put(e replica.Entry) {
	at := int(e.Index - c.Snapshot.Index - 1)
	if at < len(c.Entries) {
		c.Entries = slices.Clip(c.Entries[:at]) // append copies the entries
	}
	c.Entries = append(c.Entries, e)
}

// Sync makes everything durable.
func (d *Disk) Sync() {
	d.safe, d.unsynced = Content{d.have.State, d.have.Snapshot, slices.Clip(d.have.Entries)}, nil
}

// Unsynced returns the number of written entries that a loss of power can lose.
func (d *Disk) Unsynced() int { return len(d.unsynced) }

// LosePower simulates a loss of power: of the entries that were not synced, only the first ones are left, as many as kept says. The log
// does not count as complete any more (see Lost).
func (d *Disk) LosePower(kept int) {
	d.have = d.safe
	for _, e := range d.unsynced[:kept] {
		d.have.put(e)
	}
	d.Sync()
	d.Lost = true
}
