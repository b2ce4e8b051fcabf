package raftlog

import (
	"cmp"
	"errors"
	"fmt"
	"os"
	"strings"
	"sync"
	"syscall"

	"github.com/truestep-io/truestep/cluster/replica"
)

// Recovered is the state of a replica that Open has read from a log, and whether a part of it may be missing.
type Recovered struct {
	State    replica.State    // newest term and vote
	Snapshot replica.Snapshot // newest snapshot; Index is 0 if there is none
	Entries  []replica.Entry  // entries after the snapshot, without gaps

	// New is true if the folder had no log, and after MarkIncomplete. It stays true until MarkComplete. There are three causes: (1) the
	// node is new; (2) its folder was removed; (3) its folder is an older copy. In the last two cases the replica does not know which
	// entries it has acknowledged and for which nodes it has voted.
	New bool
	// Rebooted is true if the machine was restarted while the log was open, so that acknowledged entries may be missing. On a
	// system that does not identify its restarts (see bootID) it is true if the log was not closed in order.
	Rebooted bool
	// Report is a line for the operator if Open has removed an incomplete end of the log, otherwise "".
	Report string
}

// Log is the log of one replica, in one folder.
type Log struct {
	dir    string
	folder folder
	header Header
	boot   string // boot identifier of the machine

	// Only the goroutine that writes uses the following fields.
	number uint64 // number of the file
	first  uint64 // index of the newest snapshot; 0 if there is none
	last   uint64 // index of the newest entry, or of the snapshot
	mark   mark   // last mark in the file
	whole  bool   // the log surely has all entries that the replica acknowledged, and all its votes
	torn   bool   // a failed write may have left bytes after end
	enc    encoder

	syncing sync.Mutex // locked during a sync and while the file is replaced; must be locked before mu
	mu      sync.Mutex
	file    file  // nil when the log is closed
	end     int64 // length of the written part of the file in bytes
	synced  int64 // offset up to which the file is durable
	failed  error // error after which the content of the file is unknown; all later calls return it
}

const suffix = ".raft" // extension of the names of log files

// fileName returns the name of the log file with the given number, such as "0000000001.raft".
func fileName(number uint64) string { return fmt.Sprintf("%010d%s", number, suffix) }

// fileNumber returns the number that the name of a log file contains, or 0 if name is not the name of a log file.
func fileNumber(name string) (n uint64) {
	if _, err := fmt.Sscanf(name, "%d", &n); err != nil || fileName(n) != name {
		return 0
	}
	return n
}

// temporary is the name of a log file while it is being created.
const temporary = "new.tmp"

// Open opens the log in folder dir, and creates folder and log if they are missing. What it returns is durable. It refuses (1) a
// log whose header differs from h, and (2) a log with damage that neither the end of the process nor a loss of power can have
// caused. The error says what the operator can do.
func Open(dir string, h Header) (*Log, Recovered, error) {
	return open(dir, osFolder(dir), h, bootID())
}

// bootID returns an identifier that the system changes whenever the machine is started, or "" if the system has none.
func bootID() string {
	b, err := os.ReadFile("/proc/sys/kernel/random/boot_id")
	if err != nil || len(b) > maxName {
		return ""
	}
	return strings.TrimSpace(string(b))
}

// open opens the log in folder d; see Open. Tests can choose the folder and the boot identifier (see bootID).
func open(dir string, d folder, h Header, boot string) (*Log, Recovered, error) {
	l := &Log{dir: dir, folder: d, header: h, boot: boot}
	l.header.Nodes = append([]string(nil), h.Nodes...)
	if err := h.check(); err != nil {
		return nil, Recovered{}, err
	}
	newest, older, err := l.find()
	if err != nil {
		return nil, Recovered{}, fmt.Errorf("raftlog: find the log in %s: %w", dir, err)
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
	for _, number := range older { // a file that cannot be removed does no harm: the newest file is complete and durable
		_ = d.remove(fileName(number))
	}
	r := Recovered{State: c.state, Snapshot: c.snapshot, Entries: c.entries, New: !c.mark.complete, Report: c.report}
	r.Rebooted = c.mark.complete && !c.closed && c.rebooted(boot)
	l.whole = !r.New && !r.Rebooted
	if c.closed { // nothing is missing, but from now on a loss of power can lose writes; the new mark says so
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

// find returns the number of the newest log file in the folder, 0 if there is none, and the numbers of the older ones.
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

// read opens and reads the log file with a number, removes an incomplete end, and makes the rest durable.
func (l *Log) read(number uint64) (*contents, error) {
	f, size, err := l.folder.open(fileName(number))
	if err != nil {
		return nil, fmt.Errorf("raftlog: open the log: %w", err)
	}
	path := l.dir + string(os.PathSeparator) + fileName(number)
	c, err := readFile(f, size, number, &l.header, l.boot)
	if err != nil {
		var broken *damage
		if errors.As(err, &broken) {
			err = fmt.Errorf("%w: this node cannot use its log; stop the node, remove the folder %s on this node only, and start it: the area is then fetched from the other nodes", err, l.dir)
		}
		return nil, errors.Join(fmt.Errorf("raftlog: read %s: %w", path, err), f.Close())
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
		return nil, errors.Join(fmt.Errorf("raftlog: make %s durable: %w", path, err), f.Close())
	}
	l.synced = l.end
	return c, nil
}

// Write appends entries to the log, and a state if state is not nil. (1) The indexes of the entries must be consecutive. The
// first entry follows the newest entry of the log, or replaces an entry and all later ones. (2) If state is not nil, everything
// is durable when Write returns. (3) If Write fails, the log is as before and the call can be repeated, for example when a full
// disk has space again. If the content of the file is unknown after a failure, all later calls return the same error.
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

// checkEntries returns an error unless the entries can be appended to a log that has the entries first+1 to last. Otherwise it
// returns the index of the newest entry that the log then has.
func (l *Log) checkEntries(first, last uint64, entries []replica.Entry) (uint64, error) {
	for i := range entries {
		x := &entries[i]
		if x.Index <= first || x.Index > last+1 || i > 0 && x.Index != last+1 {
			return 0, fmt.Errorf("raftlog: %s: entry %d cannot follow entry %d: an entry must have the next index, or replace one after the snapshot", l.dir, x.Index, last)
		}
		if len(x.Data) > MaxEntry {
			return 0, fmt.Errorf("raftlog: %s: entry %d has %d bytes, at most %d are allowed", l.dir, x.Index, len(x.Data), MaxEntry)
		}
		last = x.Index
	}
	return last, nil
}

// maxKept is the size in bytes up to which the buffer of a write is retained for the next write.
const maxKept = 1 << 20

var errClosed = errors.New("raftlog: the log is closed")

// append writes some records to the file in one call. The parameter records is a function that encodes them with the encoder that
// it is given.
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
			return fmt.Errorf("raftlog: remove an incomplete write from the log in %s: %w%s", l.dir, err, helpFor(err))
		}
		l.torn = false
	}
	_, err := l.file.WriteAt(l.enc.b, l.end)
	if cap(l.enc.b) > maxKept {
		l.enc.b = nil
	}
	if err != nil {
		l.torn = l.file.Truncate(l.end) != nil
		return fmt.Errorf("raftlog: write to the log in %s: %w%s", l.dir, err, helpFor(err))
	}
	l.end += n
	return nil
}

// helpFor returns a text to append to err: what the operator can do if err is that the disk is full, "" for any other error.
func helpFor(err error) string {
	if errors.Is(err, syscall.ENOSPC) {
		return "; free space on this disk and start this node again"
	}
	return ""
}

// usable returns an error if the log is closed or has failed. The caller holds mu.
func (l *Log) usable() error {
	if l.file == nil && l.failed == nil {
		return errClosed
	}
	return l.failed
}

// Sync makes everything durable that was written before the call. It may be called from any goroutine.
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
	if err != nil { // the system may have dropped the unwritten data, and a second sync would succeed without writing them
		return l.fail(err)
	}
	l.synced = end
	return nil
}

// fail records an error of the file as permanent: all later writes and syncs return it. The caller holds mu.
func (l *Log) fail(err error) error {
	help := cmp.Or(helpFor(err), "; restart this node")
	l.failed = fmt.Errorf("raftlog: make the log in %s durable: %w%s, because the content of the log file is unknown until it is opened again", l.dir, err, help)
	return l.failed
}

// MarkComplete records that the log again has everything that the replica may have acknowledged or voted, because a
// leader has brought the replica up to date. From now on Open reports neither New nor Rebooted, unless the machine is
// restarted while the log is open.
func (l *Log) MarkComplete() error {
	if l.whole {
		return nil
	}
	err := l.writeMark(mark{complete: true, boot: l.boot})
	l.whole = err == nil
	return err
}

// MarkIncomplete records that the log may lack something that the replica has acknowledged or voted, for example because it is an older
// copy. From now on Open reports New, until MarkComplete is called. When MarkIncomplete has returned, the mark survives a loss of power.
func (l *Log) MarkIncomplete() error {
	if err := l.writeMark(mark{boot: l.boot}); err != nil {
		return err
	}
	l.whole = false
	return l.Sync()
}

// writeMark appends a mark to the log: a record that states whether the log is complete.
func (l *Log) writeMark(m mark) error {
	if err := l.append(func(e *encoder) { e.mark(m) }); err != nil {
		return err
	}
	l.mark = m
	return nil
}

// Close makes everything durable and closes the log. If the log is complete, Close records this, so that the next Open
// reports neither New nor Rebooted even if the machine is restarted in between.
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
