package raftlog

import (
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"

	"github.com/truestep-io/truestep/cluster/replica"
)

// Recovered is what a log has when it is opened.
type Recovered struct {
	State    replica.State
	Snapshot replica.Snapshot // Index 0 if there is none
	Entries  []replica.Entry  // from Snapshot.Index+1 on, without gaps

	// New: the folder had no log. The node is new, or its folder was removed, and then it does not know what it has
	// acknowledged and voted.
	New bool
	// Rebooted: the machine was restarted while the log was in use, or the system does not tell (it has no boot
	// identifier) and the log was not closed. Entries that were acknowledged may be missing.
	Rebooted bool
	// Report is a line for the operator about an incomplete end that was removed, or "".
	Report string
}

// Log is the log of one replica.
type Log struct {
	dir    string
	folder folder
	header Header
	boot   string // boot identifier of the machine

	// Of the goroutine that writes.
	number uint64 // of the file
	first  uint64 // index of the snapshot
	last   uint64 // index of the newest entry, or of the snapshot
	mark   mark   // last mark in the file
	whole  bool   // the replica has everything that it acknowledged or voted
	torn   bool   // a failed write may have left bytes behind end
	enc    encoder

	syncing sync.Mutex // is held during a sync, and while the file is exchanged; locked before mu
	mu      sync.Mutex
	file    file  // nil when the log is closed
	end     int64 // length of what is written
	synced  int64 // the file is durable up to this offset
	failed  error // an error after which it is not known what the file has; no method does anything afterwards
}

const suffix = ".raft"

func fileName(number uint64) string { return fmt.Sprintf("%010d%s", number, suffix) }

// fileNumber returns the number of a file of a log, 0 for any other name.
func fileNumber(name string) (n uint64) {
	if _, err := fmt.Sscanf(name, "%d", &n); err != nil || fileName(n) != name {
		return 0
	}
	return n
}

// temporary is the name of a file that is not complete.
const temporary = "new.tmp"

// Open opens the log in a folder, and creates both if they are missing. What it returns is durable. It refuses a log whose
// header differs, and one with damage that the end of the process or a loss of power cannot have caused; the error says
// what the operator can do.
func Open(dir string, h Header) (*Log, Recovered, error) {
	return open(dir, osFolder(dir), h, bootID())
}

// bootID returns what identifies the time since the last start of this machine, "" if the system has no such thing.
func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(b) > maxName {
		return ""
	}
	return strings.TrimSpace(string(b))
}

func open(dir string, d folder, h Header, boot string) (*Log, Recovered, error) {
	l := &Log{dir: dir, folder: d, header: h, boot: boot}
	l.header.Nodes = append([]string(nil), h.Nodes...)
	if err := h.check(); err != nil {
		return nil, Recovered{}, err
	}
	newest, older, err := l.find()
	if err != nil {
		return nil, Recovered{}, fmt.Errorf("raftlog: %s: %w", dir, err)
	}
	if newest == 0 {
		if err := l.createFile(1, func(*encoder, func() error) error { return nil }); err != nil {
			return nil, Recovered{}, err
		}
		return l, Recovered{New: true}, nil
	}
	c, err := l.read(newest)
	if err != nil {
		return nil, Recovered{}, err
	}
	_ = d.remove(temporary)
	for _, number := range older { // the newest file has everything and is durable; an older one that stays harms nobody
		_ = d.remove(fileName(number))
	}
	r := Recovered{State: c.state, Snapshot: c.snapshot, Entries: c.entries, New: !c.mark.complete, Report: c.report}
	r.Rebooted = c.mark.complete && !c.closed && c.rebooted(boot)
	l.whole = !r.New && !r.Rebooted
	if c.closed { // nothing is missing, wherever the machine was in between. Only now may that stop being known.
		err := l.writeMark(mark{complete: true, boot: boot})
		if err == nil {
			err = l.Sync()
		}
		if err != nil {
			return nil, Recovered{}, errors.Join(err, l.file.Close())
		}
	}
	return l, r, nil
}

// find returns the number of the newest file, 0 if there is none, and those of the older ones.
func (l *Log) find() (newest uint64, older []uint64, err error) {
	if err := l.folder.make(); err != nil {
		return 0, nil, err
	}
	names, err := l.folder.list()
	if err != nil {
		return 0, nil, err
	}
	for _, name := range names {
		number := fileNumber(name)
		if number == 0 {
			continue
		}
		if newest > 0 {
			older = append(older, min(newest, number))
		}
		newest = max(newest, number)
	}
	return newest, older, nil
}

// read opens and reads the newest file, removes an incomplete end, and makes the rest durable.
func (l *Log) read(number uint64) (*contents, error) {
	f, size, err := l.folder.open(fileName(number))
	if err != nil {
		return nil, fmt.Errorf("raftlog: %w", err)
	}
	path := l.dir + string(os.PathSeparator) + fileName(number)
	c, err := readFile(f, size, number, &l.header, l.boot)
	if err != nil {
		var broken *damage
		if errors.As(err, &broken) {
			err = fmt.Errorf("%w: this node must not go on with it; stop the node, remove the folder %s on this node only, and start it: the area is then fetched from the other nodes", err, l.dir)
		}
		return nil, errors.Join(fmt.Errorf("raftlog: %s: %w", path, err), f.Close())
	}
	if c.report != "" {
		c.report = fmt.Sprintf("raftlog: %s: %s", path, c.report)
	}
	l.file, l.number, l.mark = f, number, mark{complete: c.mark.complete, boot: c.mark.boot}
	l.first, l.last, l.end = c.snapshot.Index, c.lastIndex(), c.end
	if c.end < size {
		err = f.Truncate(c.end)
	}
	if err == nil {
		err = f.sync()
	}
	if err == nil {
		err = l.folder.sync()
	}
	if err != nil {
		return nil, errors.Join(fmt.Errorf("raftlog: %s: %w", path, err), f.Close())
	}
	l.synced = l.end
	return c, nil
}

// Write appends a state, unless it is nil, and entries, whose indexes follow each other. The first one follows the newest
// entry of the log or replaces an entry, and with it all later ones. If state is not nil, everything is durable when Write
// returns. After an error nothing of this call counts. It can be repeated, for instance when a full disk has space again;
// if that is not possible, all later calls return the same error.
func (l *Log) Write(state *replica.State, entries []replica.Entry) error {
	last, err := l.checkEntries(l.first, l.last, entries)
	if err != nil {
		return err
	}
	err = l.append(func(e *encoder) {
		if state != nil {
			e.state(*state)
		}
		for i := range entries {
			e.entry(&entries[i])
		}
	})
	if err != nil {
		return err
	}
	l.last = last
	if state != nil {
		return l.Sync()
	}
	return nil
}

// checkEntries returns the index of the newest entry after entries have been appended to a log that has those from first+1 to last.
func (l *Log) checkEntries(first, last uint64, entries []replica.Entry) (uint64, error) {
	for i := range entries {
		x := &entries[i]
		if x.Index <= first || x.Index > last+1 || i > 0 && x.Index != last+1 {
			return 0, fmt.Errorf("raftlog: %s: entry %d behind entry %d", l.dir, x.Index, last)
		}
		if len(x.Data) > MaxEntry {
			return 0, fmt.Errorf("raftlog: %s: entry %d has %d bytes; at most %d", l.dir, x.Index, len(x.Data), MaxEntry)
		}
		last = x.Index
	}
	return last, nil
}

// maxKept is the size up to which the buffer of a write is kept for the next one.
const maxKept = 1 << 20

var errClosed = errors.New("raftlog: the log is closed")

// append writes records in one call.
func (l *Log) append(records func(e *encoder)) error {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err := l.usable(); err != nil {
		return err
	}
	l.enc.b, l.enc.number, l.enc.at, l.enc.synced = l.enc.b[:0], l.number, l.end, l.synced
	records(&l.enc)
	n := int64(len(l.enc.b))
	if n == 0 {
		return nil
	}
	if l.torn {
		if err := l.file.Truncate(l.end); err != nil {
			return fmt.Errorf("raftlog: %s: %w", l.dir, err)
		}
		l.torn = false
	}
	_, err := l.file.WriteAt(l.enc.b, l.end)
	if cap(l.enc.b) > maxKept {
		l.enc.b = nil
	}
	if err != nil {
		l.torn = l.file.Truncate(l.end) != nil
		return fmt.Errorf("raftlog: %s: %w", l.dir, err)
	}
	l.end += n
	return nil
}

// usable returns an error if the log is closed or has failed, so that nothing can be written or synced. The caller holds mu.
func (l *Log) usable() error {
	if l.file == nil && l.failed == nil {
		return errClosed
	}
	return l.failed
}

// Sync makes everything durable that was written before the call.
func (l *Log) Sync() error {
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	f, end, err := l.file, l.end, l.usable()
	durable := l.synced == end
	l.mu.Unlock()
	if err != nil || durable {
		return err
	}
	err = f.sync()
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil { // the system may have dropped what it could not write, and a second call would not say so
		return l.fail(err)
	}
	l.synced = end
	return nil
}

// fail records an error of the file as permanent: all later writes and syncs return it. The caller holds mu.
func (l *Log) fail(err error) error {
	l.failed = fmt.Errorf("raftlog: %s: %w; what the disk has is not known before the log is opened again", l.dir, err)
	return l.failed
}

// MarkComplete says that the replica has everything again that it may have acknowledged or voted: a leader has brought it
// up to date. New and Rebooted are false from now on, until the machine is restarted while the log is open.
func (l *Log) MarkComplete() error {
	if l.whole {
		return nil
	}
	err := l.writeMark(mark{complete: true, boot: l.boot})
	l.whole = err == nil
	return err
}

func (l *Log) writeMark(m mark) error {
	if err := l.append(func(e *encoder) { e.mark(m) }); err != nil {
		return err
	}
	l.mark = m
	return nil
}

// Close makes everything durable and closes the log. A machine that is restarted after that has lost nothing, and the
// next Open says so if the replica was complete.
func (l *Log) Close() error {
	err := l.Sync()
	if errors.Is(err, errClosed) {
		return nil
	}
	if err == nil && l.whole {
		if err = l.writeMark(mark{complete: true, closed: true, boot: l.boot}); err == nil {
			err = l.Sync()
		}
	}
	l.syncing.Lock()
	defer l.syncing.Unlock()
	l.mu.Lock()
	defer l.mu.Unlock()
	if l.file != nil {
		err = errors.Join(err, l.file.Close())
		l.file = nil
	}
	return err
}
