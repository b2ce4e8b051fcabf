package tape

import (
	"cmp"
	"crypto/sha256"
	"encoding/binary"
	"errors"
	"io"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// write is the goroutine that writes queued records until the log is closed.
func (l *Log) write() {
	defer close(l.written)
	defer notify(l.syncNow)
	for range l.wake {
		l.mu.Lock()
		queue, rot, closing := l.queue, l.rotation, l.closing
		l.queue, l.rotation = l.spare[:0], rotation{}
		l.mu.Unlock()
		if err := l.writeQueue(queue, &rot); err != nil {
			l.writeFailed(err, &rot)
		}
		l.mu.Lock()
		if l.spare = queue[:0]; cap(queue) > maxQueue/16 {
			l.spare = nil // do not retain the memory of a queue that grew while the disk hung
		}
		l.mu.Unlock()
		notify(l.storedNow)
		if closing {
			return
		}
	}
}

// writeQueue writes the records of a queue. If a new segment is due (rot.due), it begins the segment at the offset rot.at of the
// queue: records from there on are written to the new file.
func (l *Log) writeQueue(queue []byte, rot *rotation) error {
	if !rot.due {
		return l.writeRecords(queue)
	}
	if err := l.writeRecords(queue[:rot.at]); err != nil {
		rot.start = startAfterGap // the records before the segment are lost, but its snapshot ends this gap at once
	}
	if err := l.startSegment(rot); err != nil {
		return err
	}
	return l.writeRecords(queue[rot.at:])
}

// writeRecords sets the chain values and the CRCs of the records in a queue, which these records lack until then, and
// writes the records with one call.
func (l *Log) writeRecords(queue []byte) error {
	if len(queue) == 0 {
		return nil
	}
	l.mu.Lock()
	file := l.current
	l.mu.Unlock()
	if file == nil {
		return nil // the log failed meanwhile: the ticks are counted as missed
	}
	var last sim.Tick
	for rest := queue; len(rest) > 0; {
		rec := rest[:recordLength(rest)]
		l.chain = sealRecord(rec, l.chain)
		last = sim.Tick(binary.LittleEndian.Uint64(rec[recordHead+recordChain+1:]))
		rest = rest[len(rec):]
	}
	if err := writeAll(file, queue); err != nil {
		return err
	}
	l.tape.opt.Metrics.Bytes.Add(len(queue))
	l.mu.Lock()
	if n := len(l.segments); n > 0 && l.segments[n-1].serial == file.serial {
		l.segments[n-1].bytes += int64(len(queue))
	}
	if l.current == file { // the file is still current: no error has ended the segment during the write
		l.stored.Store(uint64(last))
		l.retry = firstRetry
	}
	l.mu.Unlock()
	return nil
}

func writeAll(w io.Writer, b []byte) error {
	n, err := w.Write(b)
	if err == nil && n < len(b) {
		err = io.ErrShortWrite
	}
	return err
}

// writeFailed ends the current segment because of err, an error of the writer.
func (l *Log) writeFailed(err error, rot *rotation) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if rot.state != nil {
		l.copyBusy = false
	}
	if !l.broken.Load() {
		l.fail(err, time.Now())
	}
}

// endCurrent passes the current file to the goroutine syncLoop, which syncs and closes it. The caller holds l.mu.
func (l *Log) endCurrent() {
	if l.current != nil {
		l.finished = append(l.finished, l.current)
		l.current = nil
	}
}

// startSegment creates the file of the next segment and prepares the job that writes the segment's snapshot.
func (l *Log) startSegment(rot *rotation) error {
	l.mu.Lock()
	l.endCurrent()
	l.mu.Unlock()
	l.serial++
	if rot.start == startNew || l.life == 0 {
		l.life = l.serial
	}
	h := l.header(rot)
	file, err := l.tape.fs.Create(l.path(l.serial, suffixRaw))
	if err != nil {
		return err
	}
	b := h.append(nil, kindRaw)
	err = writeAll(file, b)
	l.mu.Lock()
	defer l.mu.Unlock()
	l.newNames = true
	if err != nil || l.broken.Load() {
		l.finished = append(l.finished, &segmentFile{file, l.serial, true})
		return errors.Join(err, l.err)
	}
	l.chain = h.Chain
	l.current = &segmentFile{File: file, serial: l.serial}
	l.segments = append(l.segments, segmentInfo{serial: l.serial, life: l.life, first: rot.first, wallMS: h.WallMS,
		bytes: int64(len(b)), base: rot.start == startNew})
	if rot.start == startAfterGap && rot.state != nil {
		l.baseDue.Store(l.serial)
	}
	if rot.state != nil {
		l.snapshot = job{log: l, header: h, state: rot.state}
		rot.state = nil // the job owns it now
		notify(l.syncNow)
	}
	l.stored.Store(max(l.stored.Load(), uint64(rot.first)))
	return nil
}

func (l *Log) path(serial uint64, suffix string) string {
	return l.dir + "/" + segmentName(serial, suffix)
}

// header returns the header of the segment that rot describes. The segment gets the number l.serial.
func (l *Log) header(rot *rotation) header {
	o := &l.tape.opt
	h := header{
		Serial: l.serial, Life: l.life, First: rot.first, Seed: o.Seed, Digest: l.digest.Load(), WallMS: cmp.Or(rot.atMS, time.Now().UnixMilli()),
		Area: uint32(l.id), TicksPerSecond: uint32(o.World.TicksPerSecond), Start: rot.start,
		Program: o.Program, World: o.World.Name, Name: l.name,
	}
	if h.Chain = l.chain; rot.start != startNext {
		sum := sha256.Sum256(h.append(nil, kindRaw))
		h.Chain = binary.LittleEndian.Uint64(sum[:])
	}
	return h
}

// syncLoop calls fsync, so that written records survive a loss of power: at the interval Options.SyncEvery, when l.syncNow
// requests it, and a last time after the goroutine write has returned. Then syncLoop returns.
func (l *Log) syncLoop() {
	defer close(l.synced)
	timer := time.NewTimer(l.tape.opt.SyncEvery)
	defer timer.Stop()
	for {
		ended := false
		select {
		case <-timer.C:
		case <-l.syncNow:
		case <-l.written:
			ended = true
		}
		l.sync(ended)
		if ended {
			return
		}
		timer.Reset(l.tape.opt.SyncEvery)
	}
}

// sync makes all records that the operating system has survive a loss of power. If the parameter last is true, the log is
// closing, and sync also closes the current file.
func (l *Log) sync(last bool) {
	l.mu.Lock()
	if last {
		l.endCurrent()
	}
	target, finished, current, names, snapshot := l.stored.Load(), l.finished, l.current, l.newNames, l.snapshot
	l.finished, l.newNames, l.snapshot = nil, false, job{}
	l.mu.Unlock()
	if len(finished) == 0 && !names && target == l.durable.Load() {
		return
	}
	l.syncing.Store(time.Now().UnixNano())
	err := l.syncFiles(finished, current, names)
	l.syncing.Store(0)
	l.mu.Lock()
	defer l.mu.Unlock()
	for _, f := range finished {
		l.settled = max(l.settled, f.serial)
	}
	switch {
	case err != nil:
		l.copyBusy = l.copyBusy && snapshot.log == nil
		l.newNames = l.newNames || names
		l.stored.Store(l.durable.Load()) // after a failed fsync it is unknown which pages are on disk
		l.fail(err, time.Now())
	case !l.broken.Load() && l.baseDue.Load() == 0:
		l.durable.Store(max(target, l.durable.Load()))
	}
	if err == nil && snapshot.log != nil {
		l.tape.add(snapshot)
	}
}

// syncFiles syncs and closes the finished files, and syncs the current file. If the parameter names is true, it also syncs
// the folder, so that the names of new files survive a loss of power.
func (l *Log) syncFiles(finished []*segmentFile, current *segmentFile, names bool) (err error) {
	for _, f := range finished {
		if failed := errors.Join(f.Sync(), f.Close()); !f.failed {
			err = errors.Join(err, failed)
		}
	}
	if current != nil {
		err = errors.Join(err, current.Sync())
	}
	if names {
		err = errors.Join(err, l.tape.fs.SyncDir(l.dir))
	}
	return err
}

// snapshotDone records the result of writing a segment's snapshot: its size in bytes, or the error.
func (l *Log) snapshotDone(serial uint64, size int64, err error) {
	l.mu.Lock()
	defer l.mu.Unlock()
	if err != nil {
		if l.baseDue.Load() == serial {
			l.fail(err, time.Now())
		}
		return
	}
	for i := range l.segments {
		if s := &l.segments[i]; s.serial == serial {
			s.base = true
			s.bytes += size
		}
	}
	if due := l.baseDue.Load(); due != 0 && serial >= due {
		l.baseDue.Store(0)
		notify(l.storedNow)
		notify(l.syncNow)
	}
}
