package raftlog

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"slices"

	"github.com/klauspost/compress/s2"

	"github.com/truestep-io/truestep/cluster/replica"
)

const (
	magic         = "TSRAFT"
	formatVersion = 1 // changes with every change of the format
)

// Bounds of the format. A reader refuses what exceeds them before it allocates.
const (
	MaxEntry    = 16 << 20 // bytes of Entry.Data
	MaxSnapshot = 64 << 20 // bytes of Snapshot.Data
	maxFields   = 8192     // bytes of the fields of a file header
	maxNodes    = 16       // names in a header
	maxName     = 255      // bytes of a name in a header
	maxMembers  = 64       // of a snapshot
	maxContent  = 80 << 20 // bytes of the content of a record: a snapshot that cannot be compressed
)

// Header says whose log a file is. Open refuses a file with another one.
type Header struct {
	Cluster string   // name of the cluster
	Area    uint32   // index of the area in the world
	World   uint64   // sim.World.Digest: entries mean something only together with world and rules
	Node    uint64   // number of this node, from 1
	Nodes   []string // names of all nodes, in order of their numbers
}

// check returns what a file cannot express.
func (h *Header) check() error {
	if len(h.Nodes) > maxNodes {
		return fmt.Errorf("raftlog: %d nodes; at most %d", len(h.Nodes), maxNodes)
	}
	for _, name := range append([]string{h.Cluster}, h.Nodes...) {
		if len(name) > maxName {
			return fmt.Errorf("raftlog: the name %.20q... is longer than %d bytes", name, maxName)
		}
	}
	return nil
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

var le = binary.LittleEndian

const headerStart = len(magic) + 1 + 4 // magic, version, length of the fields

// appendHeader appends the header of the file with that number to b and returns the longer slice.
func appendHeader(b []byte, number uint64, h *Header) []byte {
	from := len(b)
	b = append(append(b, magic...), formatVersion, 0, 0, 0, 0)
	b = le.AppendUint64(b, number)
	b = le.AppendUint64(b, h.World)
	b = le.AppendUint32(b, h.Area)
	b = le.AppendUint64(b, h.Node)
	b = append(b, byte(len(h.Nodes)))
	for _, name := range append([]string{h.Cluster}, h.Nodes...) {
		b = append(append(b, byte(len(name))), name...)
	}
	le.PutUint32(b[from+headerStart-4:], uint32(len(b)-from-headerStart))
	return le.AppendUint32(b, crc32.Checksum(b[from:], castagnoli))
}

var (
	errHeader  = errors.New("the header is damaged")
	errRecord  = errors.New("a record is damaged")
	errContent = errors.New("a record has no valid content")
)

// headerSize returns the length of a header from its first headerStart bytes. Start, length and CRC are the same in all versions of
// the format.
func headerSize(b []byte) (int, error) {
	n := le.Uint32(b[headerStart-4:])
	if string(b[:len(magic)]) != magic || n > maxFields {
		return 0, errHeader
	}
	return headerStart + int(n) + 4, nil
}

// NewerError says that a log was written by a newer version of the program.
type NewerError struct{ Version byte }

// Error returns both versions and what the operator can do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("format version %d, this program reads %d: run the newer program", e.Version, formatVersion)
}

// parseHeader decodes a whole header.
func parseHeader(b []byte) (number uint64, h Header, err error) {
	end := len(b) - 4
	if crc32.Checksum(b[:end], castagnoli) != le.Uint32(b[end:]) {
		return 0, Header{}, errHeader
	}
	if b[len(magic)] > formatVersion {
		return 0, Header{}, &NewerError{b[len(magic)]}
	}
	r := cursor{b: b[headerStart:end]}
	number = r.u64()
	h = Header{World: r.u64(), Area: r.u32(), Node: r.u64()}
	count := int(r.u8())
	h.Cluster = string(r.take(int(r.u8())))
	for range min(count, maxNodes) {
		h.Nodes = append(h.Nodes, string(r.take(int(r.u8()))))
	}
	if r.failed || len(r.b) > 0 || count > maxNodes || b[len(magic)] != formatVersion {
		return 0, Header{}, errHeader
	}
	return number, h, nil
}

// recordKind is the kind of a record.
type recordKind uint8

const (
	kindMark     recordKind = 1 // what the replica knows about its own completeness; ends the base of a file
	kindSnapshot recordKind = 2 // the first record, if there is one
	kindState    recordKind = 3
	kindEntry    recordKind = 4
)

// A record, little endian:
//
//	off   size  field
//	0     4     length n of the content
//	4     1     kind
//	5     8     synced: the file was durable up to this offset when the record was written
//	13    4     CRC-32C of the number of the file (8 bytes), the offset of the record (8 bytes) and bytes 0..12
//	17    n     content
//	17+n  4     CRC-32C of bytes 0..16+n
//
// The first CRC proves the length, so that damage to a length is not taken for a record that was cut short, and the place, so
// that bytes inside a content are not taken for a record.
const (
	recordHead = 17
	recordTail = 4
)

// recordStart is the decoded head of a record.
type recordStart struct {
	size   uint32 // of the content
	kind   recordKind
	synced int64
}

// place is a scratch buffer for the number of a file and an offset in it.
type place [16]byte

// headSum returns the CRC of the head of a record at an offset.
func (p *place) headSum(head []byte, number uint64, at int64) uint32 {
	le.PutUint64(p[:], number)
	le.PutUint64(p[8:], uint64(at))
	return crc32.Update(crc32.Checksum(p[:], castagnoli), castagnoli, head[:13])
}

// parse decodes the head of the record at an offset. It returns false if the head is damaged.
func (p *place) parse(head []byte, number uint64, at int64) (recordStart, bool) {
	if p.headSum(head, number, at) != le.Uint32(head[13:]) {
		return recordStart{}, false
	}
	return recordStart{le.Uint32(head), recordKind(head[4]), int64(le.Uint64(head[5:]))}, true
}

// encoder appends records that are written to a file one behind the other.
type encoder struct {
	b      []byte
	number uint64 // of the file
	at     int64  // offset of b in the file
	synced int64
	place  place
}

// begin appends an empty head. The caller appends the content and calls end with the result.
func (e *encoder) begin() (from int) {
	from = len(e.b)
	e.b = append(e.b, make([]byte, recordHead)...)
	return from
}

func (e *encoder) end(from int, kind recordKind) {
	head := e.b[from:]
	le.PutUint32(head, uint32(len(head)-recordHead))
	head[4] = byte(kind)
	le.PutUint64(head[5:], uint64(e.synced))
	le.PutUint32(head[13:], e.place.headSum(head, e.number, e.at+int64(from)))
	e.b = le.AppendUint32(e.b, crc32.Checksum(head, castagnoli))
}

func (e *encoder) state(s replica.State) {
	from := e.begin()
	e.b = le.AppendUint64(le.AppendUint64(e.b, s.Term), s.Vote)
	e.end(from, kindState)
}

func parseState(b []byte) (replica.State, bool) {
	r := cursor{b: b}
	s := replica.State{Term: r.u64(), Vote: r.u64()}
	return s, !r.failed && len(r.b) == 0
}

func (e *encoder) entry(x *replica.Entry) {
	from := e.begin()
	e.b = append(le.AppendUint64(le.AppendUint64(e.b, x.Index), x.Term), x.Kind)
	e.b = append(e.b, x.Data...)
	e.end(from, kindEntry)
}

// parseEntry decodes the content of an entry. Its data is a part of b.
func parseEntry(b []byte) (replica.Entry, bool) {
	r := cursor{b: b}
	x := replica.Entry{Index: r.u64(), Term: r.u64(), Kind: r.u8()}
	if x.Data = r.b; len(x.Data) == 0 {
		x.Data = nil
	}
	return x, !r.failed && len(x.Data) <= MaxEntry
}

func (e *encoder) snapshot(s *replica.Snapshot) {
	from := e.begin()
	e.b = append(le.AppendUint64(le.AppendUint64(e.b, s.Index), s.Term), byte(len(s.Members)))
	for _, id := range s.Members {
		e.b = le.AppendUint64(e.b, id)
	}
	at, most := len(e.b), s2.MaxEncodedLen(len(s.Data))
	e.b = slices.Grow(e.b, most+recordTail)
	e.b = e.b[:at+len(s2.Encode(e.b[at:at+most], s.Data))]
	e.end(from, kindSnapshot)
}

func parseSnapshot(b []byte) (replica.Snapshot, bool) {
	r := cursor{b: b}
	s := replica.Snapshot{Index: r.u64(), Term: r.u64()}
	count := int(r.u8())
	if count > maxMembers {
		return s, false
	}
	for range count {
		s.Members = append(s.Members, r.u64())
	}
	if n, err := s2.DecodedLen(r.b); r.failed || err != nil || n > MaxSnapshot {
		return s, false
	}
	data, err := s2.Decode(nil, r.b)
	if len(data) > 0 {
		s.Data = data
	}
	return s, err == nil && s.Index > 0
}

// mark says since which start of the machine the log has everything that its replica acknowledged.
type mark struct {
	complete bool   // false: the log is new, and its replica was not brought up to date yet
	closed   bool   // only if complete: the record is the last one of a log that was closed, and everything before it is durable
	boot     string // boot identifier of the machine when the log was complete; "" if the system has none
}

const (
	flagComplete = 1 << 0
	flagClosed   = 1 << 1
)

func (e *encoder) mark(m mark) {
	from := e.begin()
	flags := byte(0)
	if m.complete {
		flags |= flagComplete
	}
	if m.closed {
		flags |= flagClosed
	}
	e.b = append(append(e.b, flags), m.boot...)
	e.end(from, kindMark)
}

func parseMark(b []byte) (mark, bool) {
	if len(b) == 0 || len(b) > 1+maxName || b[0] > flagComplete|flagClosed || b[0] == flagClosed {
		return mark{}, false
	}
	return mark{b[0]&flagComplete != 0, b[0]&flagClosed != 0, string(b[1:])}, true
}

// cursor reads the parts of a content. After a failure it returns zeros.
type cursor struct {
	b      []byte
	failed bool
}

func (r *cursor) take(n int) []byte {
	if n > len(r.b) {
		r.b, r.failed = nil, true
		return nil
	}
	v := r.b[:n]
	r.b = r.b[n:]
	return v
}

func (r *cursor) u8() uint8 {
	if v := r.take(1); v != nil {
		return v[0]
	}
	return 0
}

func (r *cursor) u32() uint32 {
	if v := r.take(4); v != nil {
		return le.Uint32(v)
	}
	return 0
}

func (r *cursor) u64() uint64 {
	if v := r.take(8); v != nil {
		return le.Uint64(v)
	}
	return 0
}
