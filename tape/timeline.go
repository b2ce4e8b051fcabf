package tape

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"math"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
)

const (
	placeTicks = 100     // interval in ticks at which positions in a raw segment are noted (see place)
	maxPlaces  = 4096    // maximum number of groups in a segment; an index with more groups is not used
	maxFirst   = 1 << 60 // maximum first tick of a segment; a larger one counts as damage

	// pause is the longest time without ticks between two segments that is not reported as a gap. A longer time means that the server
	// was down, even if no tick is missing.
	pause = 2 * time.Second
)

// Span is a period of an area's past that is recorded without a gap.
type Span struct {
	From, To    time.Time // wall-clock times of the first and the last tick
	First, Last sim.Tick  // numbers of the first and the last tick
	Reloaded    bool      // the span begins with a reload of the world file; no tick is missing before it
}

// place is the position of a tick in the file of a segment. Reading can begin there.
type place struct {
	indexEntry
	chain uint64 // hash over all records before the tick (chain value); of raw segments only
}

// part is what a timeline knows about one segment: what its files contain, and whether it continues the previous segment.
// To find this out, no tick is replayed.
type part struct {
	header
	path   string
	suffix string
	base   bool     // the segment has a state to start from
	places []place  // known positions of ticks; places[0] is the first tick; empty if the segment has no ticks
	last   sim.Tick // last tick
	lastMS int64    // wall-clock time of the last tick, or of the segment's start if it has no ticks
	chain  uint64   // hash over all records up to the last tick (chain value)

	at     int64 // offset up to which the file was read; for raw segments only
	closed bool  // an end record was read; for raw segments only

	joined  bool     // the segment continues the previous one
	based   bool     // the segment can be replayed: it, or a segment that it continues, seems to have a readable state
	until   sim.Tick // last tick to replay: if the next segment continues from an earlier tick than last, that tick; else last
	untilMS int64    // wall-clock time of tick until

	before             *part // previous segment, to which the next three fields refer; see cut
	cutTick            sim.Tick
	cutChain           uint64 // chain value after tick cutTick of the segment before
	cutMS              int64  // wall-clock time of cutTick, ms since 1970
	unreadableSnapshot error  // error that made base false although there is a snapshot
}

// fromMS returns the wall-clock time of the segment's first tick, in ms since 1970.
func (p *part) fromMS() int64 { return p.places[0].WallMS }

// reloadedAfter reports whether the segment p continues the segment b, and the world file was reloaded between them.
func (p *part) reloadedAfter(b *part) bool {
	return p.isReloadOf(&b.header) && p.First == b.until
}

func (p *part) empty() bool { return len(p.places) == 0 }

// canStep reports whether the segment has ticks to replay and a state from which to replay them.
func (p *part) canStep() bool { return p.based && p.until > p.First && !p.empty() }

// timeline lists the segments of an area's tape, sorted by number, for playback.
type timeline struct {
	tape  *Tape
	id    sim.AreaID
	log   *Log
	parts []*part
}

func newTimeline(o Options, id sim.AreaID) timeline {
	o.setDefaults()
	t := &Tape{opt: o, fs: o.FS, digest: o.World.Digest(), step: (*sim.Area).Step, pack: newPacker()}
	name := o.World.Areas[id].Name
	return timeline{tape: t, id: id, log: &Log{tape: t, id: id, name: name, dir: areaDir(int(id), name)}}
}

// names says which files of a segment exist in the folder.
type names struct {
	serial          uint64
	raw, snap, tape bool
}

// refresh updates the timeline from the folder. It reads only files that are new or have grown.
func (l *timeline) refresh() error {
	for try := 0; ; try++ {
		again, err := l.list()
		if err != nil {
			return fmt.Errorf("tape: list the segments of area %q: %w", l.log.name, err)
		}
		if !again || try == 3 {
			break
		}
	}
	return l.join()
}

// list reads the names in the folder and the new content of its files. The result again is true if a file was replaced
// or deleted during the call, so that the caller must call list again.
func (l *timeline) list() (again bool, err error) {
	list, err := l.tape.fs.ReadDir(l.log.dir)
	if err != nil {
		return false, err
	}
	var found []names
	for _, name := range list { // sorted: the names of one segment follow each other
		serial, suffix, ok := parseName(name)
		if !ok {
			continue
		}
		if n := len(found); n == 0 || found[n-1].serial != serial {
			found = append(found, names{serial: serial})
		}
		n := &found[len(found)-1]
		n.raw, n.snap, n.tape = n.raw || suffix == suffixRaw, n.snap || suffix == suffixSnapshot, n.tape || suffix == suffixTape
	}
	var parts []*part
	for _, n := range found {
		p, err := l.load(n)
		switch {
		case isMissing(err):
			again = true
		case err != nil:
			return false, err
		case p != nil:
			parts = append(parts, p)
		}
	}
	l.parts = parts
	return again, nil
}

// load returns a segment, or nil if its files cannot be used. An error means that a file has a newer format or that the
// file system failed.
func (l *timeline) load(n names) (p *part, err error) {
	old := l.part(n.serial)
	if n.tape {
		if old != nil && old.suffix == suffixTape {
			return old, nil
		}
		if p, err = l.loadTape(n.serial); p != nil || isFatal(err) {
			return p, err
		}
	}
	if !n.raw {
		return nil, nil
	}
	if old != nil && old.suffix == suffixRaw {
		p = old
	} else if p, err = l.open(n.serial, suffixRaw, kindRaw); p == nil {
		return nil, fatal(err)
	}
	p.base = p.Start == startNew || n.snap && p.unreadableSnapshot == nil
	return p, fatal(l.grow(p))
}

// isFatal reports whether the tape cannot be read at all because of an error. Other errors concern the content of one
// file.
func isFatal(err error) bool { return fatal(err) != nil }

// fatal returns err if the tape cannot be read at all because of it. It returns nil if err concerns the content of one
// file.
func fatal(err error) error {
	if _, newer := errors.AsType[*NewerError](err); newer || isMissing(err) {
		return err
	}
	if failed, ok := errors.AsType[*readError](err); ok {
		return failed
	}
	return nil
}

// worldOf returns the world to which the ticks of a segment belong, or nil if that world is not known.
func (l *timeline) worldOf(p *part) *sim.World {
	o := &l.tape.opt
	switch {
	case p.World != o.World.Name:
		return nil
	case p.Digest == l.tape.digest:
		return o.World
	case o.WorldOf == nil:
		return nil
	}
	return o.WorldOf(p.Digest)
}

// part returns the segment with the given number, or nil if there is none.
func (l *timeline) part(serial uint64) *part {
	i, ok := slices.BinarySearchFunc(l.parts, serial, func(p *part, serial uint64) int {
		switch {
		case p.Serial < serial:
			return -1
		case p.Serial > serial:
			return 1
		}
		return 0
	})
	if !ok {
		return nil
	}
	return l.parts[i]
}

// open reads the header of a segment's file and returns a part with that header. It does not read ticks.
func (l *timeline) open(serial uint64, suffix string, kind fileKind) (*part, error) {
	p := &part{path: l.log.path(serial, suffix), suffix: suffix}
	f, _, err := l.tape.fs.Open(p.path)
	if err != nil {
		return nil, err
	}
	p.header, err = readHeader(f, kind)
	if err = errors.Join(err, f.Close()); err != nil {
		return nil, err
	}
	if h := &p.header; h.Serial != serial || h.Area != uint32(l.id) || h.First > maxFirst {
		return nil, errDamaged
	}
	p.at = int64(len(p.header.append(nil, kind)))
	p.last, p.lastMS, p.chain = p.First, p.WallMS, p.Chain
	return p, nil
}

// grow reads the complete records that were appended to a raw segment since the last call.
func (l *timeline) grow(p *part) error {
	if p.closed {
		return nil
	}
	f, size, err := l.tape.fs.Open(p.path)
	if err != nil {
		return err
	}
	defer f.Close()
	d := recordReader{r: bufio.NewReaderSize(io.NewSectionReader(f, p.at, size-p.at), 1<<16)}
	for {
		rec, err := d.bytes()
		if err != nil {
			return err
		}
		var t Tick
		kind, _, err := checkRecord(rec, p.chain, &t)
		switch {
		case err != nil:
			return err
		case kind == recordEnd:
			p.closed = t.Tick == p.last
			return nil
		case t.Tick != p.last+1, t.WallMS < p.lastMS && !p.empty():
			return errDamaged
		}
		if uint64(p.last-p.First)%placeTicks == 0 {
			p.places = append(p.places, place{indexEntry{t.Tick, t.WallMS, uint64(p.at)}, p.chain})
		}
		p.last, p.lastMS, p.chain = t.Tick, t.WallMS, t.chain
		p.at += int64(len(rec))
	}
}

// loadTape reads the header and the index of a compressed segment. If the index cannot be read, loadTape reads the
// whole segment.
func (l *timeline) loadTape(serial uint64) (*part, error) {
	p, err := l.open(serial, suffixTape, kindTape)
	if err != nil {
		return nil, err
	}
	x, hasSnapshot, err := l.readIndex(p)
	if err != nil {
		if isFatal(err) {
			return nil, err
		}
		return l.walkTape(p)
	}
	p.base = p.Start == startNew || hasSnapshot
	for i := range x.Groups {
		p.places = append(p.places, place{indexEntry: x.Groups[i]})
	}
	p.last, p.lastMS, p.chain = p.First+sim.Tick(x.Ticks), x.WallMS, x.Chain
	return p, nil
}

// readIndex reads the index of a compressed segment, and reports whether the segment's first block is a snapshot.
func (l *timeline) readIndex(p *part) (x index, hasSnapshot bool, err error) {
	f, size, err := l.tape.fs.Open(p.path)
	if err != nil {
		return index{}, false, err
	}
	defer f.Close()
	var kind [1]byte
	if _, err := f.ReadAt(kind[:], p.at); err != nil {
		return index{}, false, shortError(err)
	}
	var end [8 + len(endMagic)]byte
	tail := size - int64(len(end))
	if tail < p.at {
		return index{}, false, errShort
	}
	if _, err := f.ReadAt(end[:], tail); err != nil {
		return index{}, false, shortError(err)
	}
	at := binary.LittleEndian.Uint64(end[:])
	if string(end[8:]) != endMagic || at < uint64(p.at) || at > uint64(tail) || tail-int64(at) > blockHead+64+24*maxPlaces {
		return index{}, false, errDamaged
	}
	var buf []byte
	block, content, err := readBlock(io.NewSectionReader(f, int64(at), tail-int64(at)), &buf)
	if err != nil {
		return index{}, false, shortError(err)
	}
	if block != blockIndex {
		return index{}, false, errDamaged
	}
	if x, err = parseIndex(content); err != nil {
		return index{}, false, err
	}
	return x, blockKind(kind[0]) == blockSnapshot, x.check(p.First, at)
}

// check returns errDamaged if the groups of an index are not in order, or if a group begins at or after the offset end, at which the
// groups in the file end. The parameter first is the tick before the first tick of the segment.
func (x *index) check(first sim.Tick, end uint64) error {
	if (x.Ticks == 0) != (len(x.Groups) == 0) || len(x.Groups) > 0 && x.Groups[0].First != first+1 {
		return errDamaged
	}
	for i := range x.Groups {
		g := &x.Groups[i]
		if g.First > first+sim.Tick(x.Ticks) || g.Offset >= end ||
			i > 0 && (g.First <= x.Groups[i-1].First || g.Offset <= x.Groups[i-1].Offset || g.WallMS < x.Groups[i-1].WallMS) {
			return errDamaged
		}
	}
	return nil
}

// walkTape reads the ticks of a compressed segment up to the first damage, if the segment's index cannot be used. It
// returns nil and an error if the header or the snapshot cannot be read either.
func (l *timeline) walkTape(p *part) (*part, error) {
	s, err := openSegment(l.tape.fs, p.path, l.tape.pack)
	if err != nil {
		return nil, err
	}
	defer s.close()
	p.base = p.Start == startNew || s.snapshot != nil
	for t := (Tick{}); err == nil && len(s.groups) <= maxPlaces; {
		err = s.next(&t)
	}
	if isFatal(err) {
		return nil, err
	}
	for i := range s.groups {
		if g := s.groups[i]; g.First <= s.last.Tick {
			p.places = append(p.places, place{indexEntry: g})
		}
	}
	p.last, p.lastMS, p.chain = s.last.Tick, s.last.WallMS, s.last.chain
	return p, nil
}

// join determines which segments continue the previous one, and from which tick.
func (l *timeline) join() error {
	for i, p := range l.parts {
		p.joined, p.based, p.until, p.untilMS = false, p.base, p.last, p.lastMS
		if i == 0 {
			continue
		}
		b := l.parts[i-1]
		if p.Start != startNext || p.Life != b.Life || p.First < b.First || p.First > b.last {
			continue
		}
		chain, wall := b.chain, b.lastMS
		if p.First < b.last {
			if err := l.cut(p, b); err != nil {
				return err
			}
			chain, wall = p.cutChain, p.cutMS
		}
		if p.joined = chain == p.Chain; p.joined {
			b.until, b.untilMS, p.based = p.First, wall, p.base || b.based
		}
	}
	return nil
}

// cut finds out where segment p continues segment b, the previous one. Later ticks of b are replaced by p. cut reads from b the
// chain value and the wall-clock time of the tick after which p starts, and stores them in p.cutChain and p.cutMS.
func (l *timeline) cut(p, b *part) error {
	if p.before == b && p.cutTick == p.First {
		return nil
	}
	p.before, p.cutTick, p.cutChain, p.cutMS = b, p.First, b.Chain, b.WallMS
	if p.First == b.First {
		return nil
	}
	s, err := b.openAfter(l.tape, p.First-1)
	if err != nil {
		p.cutChain = ^p.Chain // a value that differs from p.Chain: the segments are not joined
		return fatal(err)
	}
	defer s.close()
	var t Tick
	if err := s.next(&t); err != nil {
		p.cutChain = ^p.Chain
		return fatal(err)
	}
	p.cutChain, p.cutMS = t.chain, t.WallMS
	return nil
}

// openAfter opens the file of a segment and skips ticks, so that the next tick read is the one after the parameter tick.
// The segment must have such a tick.
func (p *part) openAfter(t *Tape, tick sim.Tick) (_ *segmentReader, err error) {
	f, size, err := t.fs.Open(p.path)
	if err != nil {
		return nil, err
	}
	defer func() {
		if err != nil {
			err = errors.Join(err, f.Close())
		}
	}()
	kind := kindRaw
	if p.suffix == suffixTape {
		kind = kindTape
	}
	h, err := readHeader(f, kind)
	if err != nil {
		return nil, err
	}
	n := len(p.places)
	for n > 0 && p.places[n-1].First > tick+1 {
		n--
	}
	if h != p.header || n == 0 {
		return nil, errDamaged
	}
	g := &p.places[n-1]
	s := &segmentReader{header: h, suffix: p.suffix, size: size, file: f, pack: t.pack, within: kind == kindTape,
		r:    bufio.NewReaderSize(io.NewSectionReader(f, int64(g.Offset), math.MaxInt64-int64(g.Offset)), 1<<16),
		last: Tick{Tick: g.First - 1, WallMS: g.WallMS, chain: g.chain}, ticks: uint32(g.First - 1 - h.First), at: g.Offset}
	s.records = recordReader{r: s.r, chain: g.chain, at: int64(g.Offset)}
	for i := range p.places[:n-1] {
		s.groups = append(s.groups, p.places[i].indexEntry)
	}
	for unused := (Tick{}); s.last.Tick < tick; {
		err := s.next(&unused)
		if errors.Is(err, io.EOF) {
			err = errDamaged
		}
		if err != nil {
			return nil, err
		}
	}
	return s, nil
}

// spans returns the recorded periods whose ticks can be replayed, oldest first.
func (l *timeline) spans() (list []Span) {
	open := false // true if the next part may continue the last span
	for i, p := range l.parts {
		open = open && p.joined
		if !p.canStep() {
			continue
		}
		reloaded := i > 0 && p.reloadedAfter(l.parts[i-1])
		from, to := time.UnixMilli(p.fromMS()), time.UnixMilli(p.untilMS)
		if n := len(list); open && from.Sub(list[n-1].To) <= pause {
			list[n-1].To, list[n-1].Last = to, p.until
		} else {
			list = append(list, Span{From: from, To: to, First: p.First + 1, Last: p.until, Reloaded: reloaded})
		}
		open = true
	}
	return list
}
