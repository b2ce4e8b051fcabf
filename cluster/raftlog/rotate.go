package raftlog

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/cluster/replica"
)

// chunk is the number of bytes that are collected before they are written to a new file.
const chunk = 1 << 20

// Rotate replaces the log by a new file with snapshot s, the state, and the entries rest, which follow the snapshot. Everything
// is durable when Rotate returns, and the older file is removed. If Rotate fails, the log continues with the older file. If
// Rotate then cannot tell which of the two files a restart would find, all later calls return the same error.
//
// The caller waits for the compression of the snapshot, one write, and syncs of the file and its folder.
func (l *Log) Rotate(s replica.Snapshot, state replica.State, rest []replica.Entry) error {
	if s.Index == 0 || len(s.Data) > MaxSnapshot || len(s.Members) > maxMembers {
		return fmt.Errorf("raftlog: %s: a snapshot of entry %d with %d bytes and %d members cannot be stored; at most %d bytes and %d members are allowed", l.dir, s.Index, len(s.Data), len(s.Members), MaxSnapshot, maxMembers)
	}
	last, err := l.checkEntries(s.Index, s.Index, rest)
	if err != nil {
		return err
	}
	l.mu.Lock()
	err = l.usable()
	l.mu.Unlock()
	if err != nil {
		return err
	}
	older := l.number
	err = l.createFile(older+1, func(e *encoder, flush func() error) error {
		e.snapshot(&s)
		e.state(state)
		for i := range rest {
			if err := flush(); err != nil {
				return err
			}
			e.entry(&rest[i])
		}
		return nil
	})
	if err != nil {
		return err
	}
	l.first, l.last = s.Index, last
	_ = l.folder.remove(fileName(older)) // if this fails, the next Open removes the older file
	return nil
}

// createFile creates the log file with the given number and makes it durable; the log continues in it. The file has the header, the
// records that the function records encodes, and a last record that states whether the log is complete. Between two records the
// function may call flush, which writes the encoded bytes once they are many.
func (l *Log) createFile(number uint64, records func(e *encoder, flush func() error) error) error {
	end, err := l.writeTemporary(number, records)
	if err != nil {
		_ = l.folder.remove(temporary) // if this fails, the next file replaces the temporary one
		return fmt.Errorf("raftlog: create a file of the log in %s: %w%s", l.dir, err, helpFor(err))
	}
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	f, err := l.install(number)
	if err != nil {
		return l.fail(err)
	}
	if l.file != nil {
		_ = l.file.Close() // the new file has replaced this one, so an error does no harm
	}
	l.file, l.number, l.end, l.synced, l.torn = f, number, end, end, false
	return nil
}

// writeTemporary writes the content of a new log file under a temporary name, makes it durable and returns its length
// in bytes.
func (l *Log) writeTemporary(number uint64, records func(e *encoder, flush func() error) error) (int64, error) {
	f, err := l.folder.create(temporary)
	if err != nil {
		return 0, err
	}
	e := &encoder{b: appendHeader(nil, number, &l.header), number: number}
	write := func() error {
		if _, err := f.WriteAt(e.b, e.at); err != nil {
			return err
		}
		e.at += int64(len(e.b))
		e.b = e.b[:0]
		return nil
	}
	err = records(e, func() error {
		if len(e.b) < chunk {
			return nil
		}
		return write()
	})
	if err == nil {
		e.mark(l.mark)
		err = write()
	}
	if err == nil {
		err = f.sync()
	}
	return e.at, errors.Join(err, f.Close())
}

// install renames the temporary file to its final name, makes the name durable and opens the file.
func (l *Log) install(number uint64) (file, error) {
	name := fileName(number)
	if err := l.folder.rename(temporary, name); err != nil {
		return nil, err
	}
	if err := l.folder.sync(); err != nil {
		return nil, err
	}
	f, _, err := l.folder.open(name)
	return f, err
}
