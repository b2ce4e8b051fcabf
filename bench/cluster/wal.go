//go:build linux

package main

import (
	"encoding/binary"
	"fmt"
	"hash/crc32"
	"os"
	"time"

	"github.com/truestep-io/truestep/cluster/replica"
)

// A log file is a sequence of records of one or more areas. A record consists of the length n of its content (u32 LE), the
// CRC-32C of the content (u32 LE), and the content: the area (u16 LE), the kind of the record (u8), and
//
//	walEntry  index and term (u64 LE each), kind of the entry (u8), data
//	walState  term and vote (u64 LE each)
//
// An entry replaces an earlier entry of the area that has the same index, and all entries with greater indexes.
const (
	walHead   = 8                      // bytes before the content of a record
	walEntry  = 1                      // kind of a record: a Raft entry
	walState  = 2                      // kind of a record: the Raft hard state
	syncEvery = 200 * time.Millisecond // interval of fsync, the same as that of a tape
)

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

// wal appends records to the log file of a shard.
type wal struct {
	file  *os.File
	buf   []byte
	dirty chan struct{} // holds a value if records were written since the last fsync
}

func openWAL(path string) (*wal, error) {
	f, err := os.OpenFile(path, os.O_CREATE|os.O_WRONLY|os.O_APPEND, 0o600)
	if err != nil {
		return nil, err
	}
	w := &wal{file: f, dirty: make(chan struct{}, 1)}
	go w.syncLoop()
	return w, nil
}

// syncLoop runs in a goroutine and syncs the written records to disk at the interval syncEvery.
func (w *wal) syncLoop() {
	for range w.dirty {
		_ = w.file.Sync() // an error is ignored, because no run simulates a loss of power
		time.Sleep(syncEvery)
	}
}

func (w *wal) begin(area int, kind byte) int {
	at := len(w.buf)
	w.buf = append(w.buf, 0, 0, 0, 0, 0, 0, 0, 0, byte(area), byte(area>>8), kind)
	return at
}

func (w *wal) end(at int) {
	binary.LittleEndian.PutUint32(w.buf[at:], uint32(len(w.buf)-at-walHead))
	binary.LittleEndian.PutUint32(w.buf[at+4:], crc32.Checksum(w.buf[at+walHead:], castagnoli))
}

func (w *wal) addEntry(area int, e *replica.Entry) {
	at := w.begin(area, walEntry)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, e.Index)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, e.Term)
	w.buf = append(append(w.buf, e.Kind), e.Data...)
	w.end(at)
}

func (w *wal) addState(area int, s replica.State) {
	at := w.begin(area, walState)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, s.Term)
	w.buf = binary.LittleEndian.AppendUint64(w.buf, s.Vote)
	w.end(at)
}

// write writes all added records to the file with one system call. If durable is true, it also syncs the file before it returns.
func (w *wal) write(durable bool) error {
	if len(w.buf) == 0 {
		return nil
	}
	if _, err := w.file.Write(w.buf); err != nil {
		return err
	}
	w.buf = w.buf[:0]
	if durable {
		return w.file.Sync()
	}
	select {
	case w.dirty <- struct{}{}:
	default:
	}
	return nil
}

// areaLog is the Raft state and the entries of one area in a log file.
type areaLog struct {
	state   replica.State
	entries []replica.Entry
}

// readWAL returns the content of a log file for each area, up to the first incomplete record.
func readWAL(path string) (map[int]*areaLog, error) {
	logs := map[int]*areaLog{}
	b, err := os.ReadFile(path)
	if os.IsNotExist(err) {
		return logs, nil
	}
	if err != nil {
		return nil, err
	}
	for len(b) >= walHead+3 {
		n := int(binary.LittleEndian.Uint32(b))
		if n < 3 || n > len(b)-walHead || crc32.Checksum(b[walHead:walHead+n], castagnoli) != binary.LittleEndian.Uint32(b[4:]) {
			break
		}
		rec := b[walHead : walHead+n]
		b = b[walHead+n:]
		area := int(binary.LittleEndian.Uint16(rec))
		if logs[area] == nil {
			logs[area] = &areaLog{}
		}
		if err := logs[area].add(rec[2], rec[3:]); err != nil {
			return nil, fmt.Errorf("read the log file %s: records of area %d: %w", path, area, err)
		}
	}
	return logs, nil
}

func (l *areaLog) add(kind byte, b []byte) error {
	if len(b) < 16 || kind == walEntry && len(b) < 17 {
		return fmt.Errorf("a log record of kind %d has only %d bytes after the kind byte, must have at least 16, or 17 for kind 1", kind, len(b))
	}
	first, second := binary.LittleEndian.Uint64(b), binary.LittleEndian.Uint64(b[8:])
	if kind == walState {
		l.state = replica.State{Term: first, Vote: second}
		return nil
	}
	if first == 0 || first > uint64(len(l.entries))+1 {
		return fmt.Errorf("log entry %d cannot follow log entry %d: the indexes begin with 1 and have no gaps", first, len(l.entries))
	}
	l.entries = append(l.entries[:first-1], replica.Entry{Index: first, Term: second, Kind: b[16], Data: b[17:]})
	return nil
}
