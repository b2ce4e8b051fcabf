package tape

import (
	"bufio"
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"strconv"
	"strings"

	"github.com/truestep-io/truestep/sim"
)

// Suffixes of the names of a segment's files.
const (
	suffixRaw      = ".wal"     // raw segment
	suffixSnapshot = ".snap"    // snapshot from which a raw segment starts
	suffixTape     = ".tape"    // compressed segment
	suffixTemp     = ".tmp"     // appended to the name of a file that is not complete yet; deleted at the next start
	suffixDamaged  = ".damaged" // appended to the name of a raw segment that contains damaged bytes
)

// segmentName returns the name of a segment's file.
func segmentName(serial uint64, suffix string) string { return fmt.Sprintf("%010d%s", serial, suffix) }

// parseName returns the segment's number and the suffix in a file name. ok is false if the file does not belong to a
// segment.
func parseName(name string) (serial uint64, suffix string, ok bool) {
	digits, suffix, found := strings.Cut(name, ".")
	suffix = "." + suffix
	serial, err := strconv.ParseUint(digits, 10, 63)
	switch suffix {
	case suffixRaw, suffixSnapshot, suffixTape:
		return serial, suffix, found && err == nil && serial > 0 && name == segmentName(serial, suffix)
	}
	return 0, "", false
}

// endMagic is the text with which the file of a compressed segment ends. The offset of the index block is stored before it, so
// that a reader finds the index.
const endMagic = "TSTAPEND"

// indexEntry is the position of a group of ticks in a compressed segment. A group is compressed as one block.
type indexEntry struct {
	First  sim.Tick // number of the group's first tick
	WallMS int64    // wall-clock time of the first tick, ms since 1970
	Offset uint64   // offset of the group's block in the file
}

// index is the content of the index block of a compressed segment. It says where in the file the groups of ticks are, and has
// facts about the end of the segment, such as the time of the last tick.
type index struct {
	Groups []indexEntry // positions of the groups, in ascending order
	Ticks  uint32       // number of ticks in the segment
	WallMS int64        // wall-clock time of the last tick, or the segment's start if it has no ticks
	Saved  sim.Tick     // tick up to which all records were stored when the segment ended
	Chain  uint64       // hash over all records up to the last one (chain value)
	Closed bool         // the area was closed cleanly: all its records are stored
}

func (x *index) append(b []byte) []byte {
	le := binary.LittleEndian
	b = le.AppendUint32(b, x.Ticks)
	b = le.AppendUint64(b, uint64(x.WallMS))
	b = le.AppendUint64(b, uint64(x.Saved))
	b = le.AppendUint64(b, x.Chain)
	b = append(b, flagBits(x.Closed, false))
	b = le.AppendUint32(b, uint32(len(x.Groups)))
	for i := range x.Groups {
		g := &x.Groups[i]
		b = le.AppendUint64(b, uint64(g.First))
		b = le.AppendUint64(b, uint64(g.WallMS))
		b = le.AppendUint64(b, g.Offset)
	}
	return b
}

func parseIndex(b []byte) (x index, err error) {
	r := cursor{b: b}
	x = index{Ticks: r.u32(), WallMS: int64(r.u64()), Saved: sim.Tick(r.u64()), Chain: r.u64()}
	closed, n := r.u8(), r.u32()
	if r.failed || closed > 1 || int64(n)*24 != int64(len(r.b)) {
		return index{}, errDamaged
	}
	x.Closed = closed == 1
	for range n {
		x.Groups = append(x.Groups, indexEntry{sim.Tick(r.u64()), int64(r.u64()), r.u64()})
	}
	return x, nil
}

// segmentReader reads a raw or compressed segment from its beginning to its end.
type segmentReader struct {
	header   header
	suffix   string
	size     int64
	snapshot []byte // state from which the segment starts; nil if it has none
	closed   bool   // an end record was read, or the flag Closed of the index
	last     Tick   // the last tick that was read, without intents; before the first tick, the state from which the segment starts

	file    ReadFile
	r       *bufio.Reader
	pack    *packer
	records recordReader
	group   *groupReader
	buf     []byte
	ticks   uint32
	groups  []indexEntry
	at      uint64 // offset of the next block
	ended   bool   // the end or an error was reached
	within  bool   // reading began in the middle of the segment, so the chain value before the first group read is unknown
}

// openSegment opens the file of a segment and reads its header. If the segment is compressed, it also reads the
// snapshot.
func openSegment(fsys FS, path string, pack *packer) (*segmentReader, error) {
	_, suffix, ok := parseName(path[strings.LastIndexByte(path, '/')+1:])
	if !ok || suffix == suffixSnapshot {
		return nil, errNoTape
	}
	f, size, err := fsys.Open(path)
	if err != nil {
		return nil, err
	}
	s := &segmentReader{file: f, size: size, suffix: suffix, r: bufio.NewReaderSize(f, 1<<16), pack: pack}
	if err := s.begin(); err != nil {
		return nil, errors.Join(err, f.Close())
	}
	return s, nil
}

func (s *segmentReader) begin() (err error) {
	kind := kindRaw
	if s.suffix == suffixTape {
		kind = kindTape
	}
	if s.header, err = readHeader(s.r, kind); err != nil {
		return err
	}
	h := &s.header
	s.last = Tick{Tick: h.First, WallMS: h.WallMS, chain: h.Chain}
	s.at = uint64(len(h.append(nil, kind)))
	if kind == kindRaw {
		s.records = recordReader{r: s.r, chain: h.Chain, at: int64(s.at)}
		return nil
	}
	return s.readSnapshotBlock()
}

// readSnapshotBlock reads the snapshot of a compressed segment, if the next block is a snapshot.
func (s *segmentReader) readSnapshotBlock() error {
	head, err := s.r.Peek(1)
	if err != nil {
		return shortError(err)
	}
	if blockKind(head[0]) != blockSnapshot {
		return nil
	}
	s.snapshot, err = s.pack.readSnapshot(s.r, &s.buf)
	s.at += uint64(blockHead + len(s.buf))
	return err
}

// readSnapshot reads a block that contains a snapshot, and returns the snapshot. It stores the content of the block in buf.
func (p *packer) readSnapshot(r io.Reader, buf *[]byte) ([]byte, error) {
	kind, content, err := readBlock(r, buf)
	if err != nil {
		return nil, shortError(err)
	}
	if kind != blockSnapshot {
		return nil, errDamaged
	}
	c := cursor{b: content}
	snapshot, err := p.read(&c, maxSnapshot)
	if err == nil && len(c.b) > 0 {
		err = errDamaged
	}
	return append([]byte{}, snapshot...), err
}

// next reads the next tick into t, and reuses the memory of t.Intents. After the last tick it returns io.EOF. It
// returns errShort if the file ends within the tick, and errDamaged if the tick cannot be decoded.
func (s *segmentReader) next(t *Tick) error {
	if s.ended {
		return io.EOF
	}
	var err error
	if s.suffix == suffixRaw {
		err = s.nextRecord(t)
	} else {
		err = s.nextInGroup(t)
	}
	if err == nil && (t.Tick != s.last.Tick+1 || t.WallMS < s.last.WallMS && s.ticks > 0) {
		err = errDamaged
	}
	if err != nil {
		s.ended = true
		return err
	}
	s.ticks++
	s.last = *t
	s.last.Intents = nil
	return nil
}

func (s *segmentReader) nextRecord(t *Tick) error {
	kind, err := s.records.next(t)
	if err != nil || kind == recordTick {
		return err
	}
	if t.Tick != s.last.Tick {
		return errDamaged
	}
	s.closed, s.last.chain, s.last.Saved = true, t.chain, t.Saved
	if _, err := s.records.next(t); !errors.Is(err, io.EOF) {
		return errDamaged // no record may follow an end record
	}
	return io.EOF
}

func (s *segmentReader) nextInGroup(t *Tick) error {
	for {
		if s.group == nil {
			if err := s.nextGroup(); err != nil {
				return err
			}
		}
		err := s.group.next(t)
		if !errors.Is(err, io.EOF) {
			return err
		}
		s.group = nil
	}
}

// nextGroup reads the next block. If the block is a group, nextGroup sets s.group. If it is the index, nextGroup
// returns io.EOF.
func (s *segmentReader) nextGroup() error {
	kind, content, err := readBlock(s.r, &s.buf)
	if err != nil {
		return shortError(err)
	}
	switch kind {
	case blockGroup:
		if s.group, err = s.pack.readGroup(content); err != nil {
			return err
		}
		if s.within {
			s.last.chain, s.within = s.group.chain, false
		}
		if g := s.group; g.chain != s.last.chain || g.tick != s.last.Tick+1 {
			return errDamaged
		}
		s.groups = append(s.groups, indexEntry{s.group.tick, s.group.wall, s.at})
		s.at += uint64(blockHead + len(content))
		return nil
	case blockIndex:
		return s.readEnd(content)
	}
	return errDamaged
}

// readEnd checks the index block and the bytes that follow it.
func (s *segmentReader) readEnd(content []byte) error {
	x, err := parseIndex(content)
	if err != nil {
		return err
	}
	var end [8 + len(endMagic)]byte
	if _, err := io.ReadFull(s.r, end[:]); err != nil {
		return shortError(err)
	}
	if binary.LittleEndian.Uint64(end[:]) != s.at || string(end[8:]) != endMagic ||
		x.Ticks != s.ticks || x.WallMS != s.last.WallMS || len(x.Groups) != len(s.groups) {
		return errDamaged
	}
	for i := range x.Groups {
		if x.Groups[i] != s.groups[i] {
			return errDamaged
		}
	}
	if _, err := s.r.ReadByte(); !errors.Is(err, io.EOF) {
		return errDamaged
	}
	s.closed, s.last.chain, s.last.Saved = x.Closed, x.Chain, x.Saved
	return io.EOF
}

func (s *segmentReader) close() error { return s.file.Close() }

// readSnapshotFile reads a file <serial>.snap: the snapshot from which a raw segment starts. Compressed segments
// contain their snapshots themselves.
func readSnapshotFile(fsys FS, path string, pack *packer) (h header, snapshot []byte, err error) {
	f, _, err := fsys.Open(path)
	if err != nil {
		return header{}, nil, err
	}
	defer func() { err = errors.Join(err, f.Close()) }()
	r := bufio.NewReader(f)
	if h, err = readHeader(r, kindSnapshot); err != nil {
		return header{}, nil, err
	}
	var buf []byte
	if snapshot, err = pack.readSnapshot(r, &buf); err != nil {
		return header{}, nil, err
	}
	if _, end := r.ReadByte(); !errors.Is(end, io.EOF) {
		return header{}, nil, errDamaged
	}
	return h, snapshot, nil
}

// appendSnapshotFile appends a complete snapshot file to b: header and snapshot.
func (p *packer) appendSnapshotFile(b []byte, h *header, snapshot []byte) []byte {
	return appendBlock(h.append(b, kindSnapshot), blockSnapshot, p.append(nil, snapshot))
}

// Limits of a group: its maximum number of ticks, and its approximate maximum size. They limit how much a reader must
// decode to reach a tick in the middle of a group.
const (
	groupTicks = 200
	groupBytes = 8 << 20
)

// compress appends to b a compressed segment with the ticks of s, up to the first tick that cannot be read. The parameter
// snapshot is the state from which the segment starts, nil if it is not on disk. The result complete is false if records follow
// that could not be read. An incomplete record at the end of s does not count, because a crash can interrupt the write of a
// record.
func (p *packer) compress(b []byte, s *segmentReader, snapshot []byte) (_ []byte, complete bool, err error) {
	from := len(b)
	b = s.header.append(b, kindTape)
	if snapshot != nil {
		b = appendBlock(b, blockSnapshot, p.append(nil, snapshot))
	}
	var g groupWriter
	var t Tick
	var content []byte
	x := index{}
	flush := func() {
		if g.ticks > 0 {
			x.Groups = append(x.Groups, indexEntry{g.first, g.firstMS, uint64(len(b) - from)})
			content = p.appendGroup(content[:0], &g)
			b = appendBlock(b, blockGroup, content)
			g.ticks = 0
		}
	}
	for {
		chain := s.last.chain
		if err = s.next(&t); err != nil {
			break
		}
		if g.ticks == 0 {
			g.reset(&t, chain)
		}
		g.add(&t)
		if g.ticks == groupTicks || g.size() > groupBytes {
			flush()
		}
	}
	flush()
	x.Ticks, x.WallMS, x.Saved, x.Chain, x.Closed = s.ticks, s.last.WallMS, s.last.Saved, s.last.chain, s.closed
	at := uint64(len(b) - from)
	b = appendBlock(b, blockIndex, x.append(nil))
	b = append(binary.LittleEndian.AppendUint64(b, at), endMagic...)
	if failed, ok := errors.AsType[*readError](err); ok {
		return b, false, failed
	}
	return b, errors.Is(err, io.EOF) || errors.Is(err, errShort), nil
}
