package tape

import (
	"errors"
	"io"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// scanned describes a segment: the header of its file and, once walk has read the file, its ticks and its end.
type scanned struct {
	header
	path   string
	suffix string
	chains []uint64 // chain values after ticks First, First+1, ...
	saved  sim.Tick // Tick.Saved of the last tick, or of the end record
	wallMS int64    // wall-clock time of the last tick, ms since 1970
	closed bool     // an end record was read
	err    error    // error at which reading stopped; nil if the whole segment was read
	at     int64    // of a raw segment: offset after the last complete record
	size   int64    // size of the file in bytes
	walked bool     // the file was read: chains, saved, wallMS, closed, err and at are set
}

func (s *scanned) last() sim.Tick { return s.First + sim.Tick(len(s.chains)-1) }

// list reads the names in the folder and the headers of the segments.
func (r *recovery) list() error {
	names, err := r.tape.fs.ReadDir(r.log.dir)
	if err != nil {
		return err
	}
	var snapshots []uint64
	for _, name := range names {
		if strings.HasSuffix(name, suffixTemp) && !r.readOnly {
			if err := r.tape.fs.Remove(r.log.dir + "/" + name); err != nil {
				return err
			}
			continue
		}
		serial, suffix, ok := parseName(name)
		if !ok {
			continue
		}
		r.result.serial = max(r.result.serial, serial)
		if suffix == suffixSnapshot {
			snapshots = append(snapshots, serial)
			continue
		}
		if err := r.addSegment(name, serial, suffix); err != nil {
			return err
		}
	}
	if r.readOnly {
		return nil
	}
	return r.removeSnapshots(snapshots)
}

// addSegment reads the header of a segment. If a segment has both a compressed and a raw file, the compressed file is used and
// the raw file is deleted.
func (r *recovery) addSegment(name string, serial uint64, suffix string) error {
	path := r.log.dir + "/" + name
	s, err := r.open(path)
	if r.readOnly && isMissing(err) {
		return nil // the server that writes the tape has deleted the segment
	}
	if _, newer := errors.AsType[*NewerError](err); newer {
		return err
	}
	if failed, ok := errors.AsType[*readError](err); ok {
		return failed
	}
	if err != nil {
		if !errors.Is(err, errShort) { // a loss of power can leave short files without ticks
			r.result.say("%s cannot be read and is left as it is: %v", path, err)
		}
		return nil
	}
	defer s.close()
	if s.suffix != suffix {
		path, suffix = r.log.path(serial, s.suffix), s.suffix
	}
	if s.header.Serial != serial || s.header.Area != uint32(r.log.id) {
		r.result.say("%s belongs to another area or has been renamed, and is left as it is", path)
		return nil
	}
	// Names are sorted, so the file .tape comes before the file .wal.
	if n := len(r.segments); n > 0 && r.segments[n-1].Serial == serial {
		if done, err := r.removeRaw(r.segments[n-1], path); done || err != nil {
			return err
		}
		r.segments, r.result.segments = r.segments[:n-1], r.result.segments[:n-1]
	}
	found := &scanned{header: s.header, path: path, suffix: suffix, size: s.size}
	r.segments = append(r.segments, found)
	base := s.header.Start == startNew || s.snapshot != nil
	if suffix == suffixRaw && !base {
		_, err := r.tape.snapshotOf(r.log, found)
		base = err == nil
	}
	r.result.segments = append(r.result.segments, segmentInfo{serial: serial, life: s.header.Life, first: s.header.First,
		wallMS: s.header.WallMS, bytes: s.size, base: base, compressed: suffix == suffixTape})
	return nil
}

// open opens a segment. If a server that writes the tape has replaced the raw file by a compressed one since the folder was listed,
// open opens that one.
func (r *recovery) open(path string) (*segmentReader, error) {
	in, err := openSegment(r.tape.fs, path, r.tape.pack)
	if name, raw := strings.CutSuffix(path, suffixRaw); raw && isMissing(err) {
		return openSegment(r.tape.fs, name+suffixTape, r.tape.pack)
	}
	return in, err
}

// removeRaw removes the raw file of a segment that was compressed. The result done is false if the compressed file is
// damaged, so that the raw file must be used.
func (r *recovery) removeRaw(compressed *scanned, path string) (done bool, err error) {
	if r.readOnly {
		return true, nil
	}
	if err := r.walk(compressed); err != nil {
		return false, err
	}
	if compressed.err != nil {
		r.result.say("%s is damaged: using the raw file of the segment instead", compressed.path)
		return false, nil
	}
	return true, r.tape.fs.Remove(path)
}

// removeSnapshots removes the snapshot files of segments that have been compressed.
func (r *recovery) removeSnapshots(serials []uint64) error {
	for _, s := range r.segments {
		if s.suffix == suffixTape && slices.Contains(serials, s.Serial) {
			if err := r.tape.fs.Remove(r.log.path(s.Serial, suffixSnapshot)); err != nil {
				return err
			}
		}
	}
	return nil
}

// walk reads a segment to its end and stores the result in s.
func (r *recovery) walk(s *scanned) error {
	if s.walked {
		return nil
	}
	in, err := r.open(s.path)
	if r.readOnly && isMissing(err) { // deleted by the server that writes the tape: a segment without ticks
		s.walked, s.chains = true, []uint64{s.Chain}
		return nil
	}
	if err != nil {
		return err
	}
	defer in.close()
	s.chains = append(s.chains, s.Chain)
	var t Tick
	for {
		if err = in.next(&t); err != nil {
			break
		}
		s.chains = append(s.chains, t.chain)
	}
	if failed, ok := errors.AsType[*readError](err); ok {
		return failed
	}
	s.walked, s.closed, s.saved, s.wallMS, s.at = true, in.closed, in.last.Saved, in.last.WallMS, in.records.at
	if !errors.Is(err, io.EOF) {
		s.err = err
	}
	return nil
}
