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
	magic         = "TSRAFT" // first bytes of every file
	formatVersion = 1        // increased with every change of the format
)

// Limits of the format. A reader refuses larger values before it allocates memory.
const (
	MaxEntry    = replica.MaxEntry // maximum size of Entry.Data in bytes
	MaxSnapshot = 64 << 20         // maximum size of Snapshot.Data in bytes
	maxFields   = 8192             // maximum size of the fields of a file header in bytes
	maxNodes    = 16               // maximum number of node names in a header
	maxName     = 255              // maximum length of a name in a header in bytes
	maxMembers  = 64               // maximum number of members in a snapshot
	maxContent  = 80 << 20         // maximum size of the content of a record in bytes: a snapshot that cannot be compressed
)

// Header names the cluster, node, area and world to which a log file belongs. Open refuses a file with another header.
type Header struct {
	Cluster string   // name of the cluster
	Area    uint32   // index of the area in the world
	World   uint64   // digest of the world and of what a step computes: entries are valid only with the same world and rules
	Node    uint64   // number of this node, from 1
	Nodes   []string // names of all nodes, in order of their numbers
}

// check returns an error if a file header cannot hold the values of h.
func (h *Header) check() error {
	if len(h.Nodes) > maxNodes {
		return fmt.Errorf("raftlog: the header has %d nodes, at most %d are allowed", len(h.Nodes), maxNodes)
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

// appendHeader appends the header h to b and returns the longer slice. The parameter number is the number of the file.
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
	errHeader  = errors.New("the header of the log is damaged")
	errRecord  = errors.New("a record of the log is damaged")
	errContent = errors.New("a record of the log has a correct checksum, but its content cannot be decoded or does not fit the records before")
)

// headerSize returns the size of a whole header in bytes. The parameter b is the first headerStart bytes of the header. These
// bytes, and the CRC at the end of the header, have the same form in all versions of the format.
func headerSize(b []byte) (int, error) {
	n := le.Uint32(b[headerStart-4:])
	if string(b[:len(magic)]) != magic || n > maxFields {
		return 0, errHeader
	}
	return headerStart + int(n) + 4, nil
}

// NewerError is the error for a log that a newer version of the program has written. Version is the version of the log's format.
type NewerError struct{ Version byte }

// Error returns both versions of the format and what the operator can do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("format version %d, this program reads %d: run the newer program", e.Version, formatVersion)
}

// parseHeader decodes a whole header. It returns the number of the file, which the header contains, and the other fields.
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

// recordKind says what a record of the log contains.
type recordKind uint8

const (
	kindMark     recordKind = 1 // whether the log is complete; the records up to the first mark were durable at once
	kindSnapshot recordKind = 2 // snapshot; if present, the first record of the file
	kindState    recordKind = 3 // term and vote
	kindEntry    recordKind = 4 // entry of the Raft log
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
// The first CRC covers the length, so that a damaged length is not mistaken for a record that was cut short. It also covers the
// position in the file, so that bytes inside a content are not mistaken for a record.
const (
	recordHead = 17 // bytes before the content of a record
	recordTail = 4  // bytes after the content of a record
)

// recordStart is the decoded head of a record.
type recordStart struct {
	size   uint32 // size of the content in bytes
	kind   recordKind
	synced int64 // the file was durable up to this offset when the record was written
}

// position is a buffer for two numbers that the CRC of a record's head covers, too: the number of the file, and the offset of the
// record in the file.
type position [16]byte

// headSum returns the CRC of the head of a record. The parameter number is the number of the file, and at is the offset of the
// record in it.
func (p *position) headSum(head []byte, number uint64, at int64) uint32 {
	le.PutUint64(p[:], number)
	le.PutUint64(p[8:], uint64(at))
	return crc32.Update(crc32.Checksum(p[:], castagnoli), castagnoli, head[:13])
}

// parse decodes the head of a record. The parameter number is the number of the file, and at is the offset of the record in it.
// parse returns false if the head is damaged.
func (p *position) parse(head []byte, number uint64, at int64) (recordStart, bool) {
	if p.headSum(head, number, at) != le.Uint32(head[13:]) {
		return recordStart{}, false
	}
	return recordStart{le.Uint32(head), recordKind(head[4]), int64(le.Uint64(head[5:]))}, true
}

// encoder collects records that are written to a file one after the other.
type encoder struct {
	b        []byte // encoded records
	number   uint64 // number of the file
	at       int64  // offset of b in the file
	synced   int64  // offset up to which the file is durable now
	position position
}

// begin appends an empty head of a record to e.b and returns its offset in e.b. The caller appends the content of the record to
// e.b and calls end with that offset.
func (e *encoder) begin() (from int) {
	from = len(e.b)
	e.b = append(e.b, make([]byte, recordHead)...)
	return from
}

// end completes a record: it fills in the head and appends the last CRC. The parameter from is the offset in e.b at which the
// record begins.
func (e *encoder) end(from int, kind recordKind) {
	head := e.b[from:]
	le.PutUint32(head, uint32(len(head)-recordHead))
	head[4] = byte(kind)
	le.PutUint64(head[5:], uint64(e.synced))
	le.PutUint32(head[13:], e.position.headSum(head, e.number, e.at+int64(from)))
	e.b = le.AppendUint32(e.b, crc32.Checksum(head, castagnoli))
}

// state appends a record with the term and the vote.
func (e *encoder) state(s replica.State) {
	from := e.begin()
	e.b = le.AppendUint64(le.AppendUint64(e.b, s.Term), s.Vote)
	e.end(from, kindState)
}

// parseState decodes the content of a record with a term and a vote. It returns false if the content has the wrong length.
func parseState(b []byte) (replica.State, bool) {
	r := cursor{b: b}
	s := replica.State{Term: r.u64(), Vote: r.u64()}
	return s, !r.failed && len(r.b) == 0
}

// entry appends a record with an entry of the Raft log.
func (e *encoder) entry(x *replica.Entry) {
	from := e.begin()
	e.b = append(le.AppendUint64(le.AppendUint64(e.b, x.Index), x.Term), x.Kind)
	e.b = append(e.b, x.Data...)
	e.end(from, kindEntry)
}

// parseEntry decodes the content of a record with an entry. The data of the entry is a part of b.
func parseEntry(b []byte) (replica.Entry, bool) {
	r := cursor{b: b}
	x := replica.Entry{Index: r.u64(), Term: r.u64(), Kind: r.u8()}
	if x.Data = r.b; len(x.Data) == 0 {
		x.Data = nil
	}
	return x, !r.failed && len(x.Data) <= MaxEntry
}

// snapshot appends a record with a snapshot, and compresses the data of the snapshot.
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

// parseSnapshot decodes the content of a record with a snapshot. It returns false if the content is invalid.
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

// mark is the content of a record that states whether the log is complete: whether it has everything that its replica has
// acknowledged and voted. A restart of the machine can change that, so the record also identifies the run of the machine.
type mark struct {
	complete bool   // false: the log was created empty, and no leader has brought the replica up to date yet
	closed   bool   // the log was closed in order after all its content was durable; true only if complete is
	boot     string // boot identifier of the machine when the log was complete; "" if the system has none
}

const (
	flagComplete = 1 << 0 // mark.complete
	flagClosed   = 1 << 1 // mark.closed
)

// mark appends a record with mark m, which states whether the log is complete.
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

// parseMark decodes the content of a record that states whether the log is complete. It returns false if the content is invalid.
func parseMark(b []byte) (mark, bool) {
	if len(b) == 0 || len(b) > 1+maxName || b[0] > flagComplete|flagClosed || b[0] == flagClosed {
		return mark{}, false
	}
	return mark{b[0]&flagComplete != 0, b[0]&flagClosed != 0, string(b[1:])}, true
}

// cursor reads the fields of a header or of a record in order. After it has read beyond the end, it returns zeros.
type cursor struct {
	b      []byte // bytes that are not read yet
	failed bool   // a read needed more bytes than there are
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
