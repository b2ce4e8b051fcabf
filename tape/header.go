package tape

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/truestep-io/truestep/sim"
)

// formatVersion is the version of the tape format. Every change of the format increments it.
const formatVersion = 1

// fileKind is the kind of a segment's file, stored in the file's header.
type fileKind byte

const (
	kindRaw      fileKind = 'w' // <serial>.wal: records, appended while the segment is written
	kindSnapshot fileKind = 's' // <serial>.snap: the state from which a raw segment starts
	kindTape     fileKind = 't' // <serial>.tape: a closed segment, compressed, with its snapshot
)

// Limits of the format. A reader rejects values beyond them before it allocates memory.
const (
	maxHeader   = 4096     // maximum length of a header's fields in bytes
	maxRecord   = 16 << 20 // maximum length of a record in bytes
	maxIntents  = 1 << 17  // maximum number of intents per tick
	maxSnapshot = 64 << 20 // maximum length of a snapshot in bytes, uncompressed
	maxGroup    = 64 << 20 // maximum length of a group in bytes, uncompressed
	maxTicks    = 1024     // maximum number of ticks per group
)

var (
	errDamaged = errors.New("the tape file is damaged")
	errShort   = errors.New("the tape file is truncated: it ends within a header, a record or a block")
	errNoTape  = errors.New("the file does not begin with the header of a tape file")
)

// NewerError is the error for a tape file of a newer format version.
type NewerError struct {
	Version byte // format version of the file, greater than that of this program
}

// Error returns both versions and says what the operator can do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("the tape has format version %d, this program reads %d: run the newer program", e.Version, formatVersion)
}

// startKind says how the state from which a segment starts relates to the end of the previous segment.
type startKind uint8

const (
	startNew      startKind = iota // the state of a new area: that of sim.NewArea with the segment's seed
	startNext                      // the state of the previous segment after tick First
	startAfterGap                  // the state of the snapshot only: earlier ticks are missing, or belong to an earlier world file
)

// header is the start of every file of a segment.
type header struct {
	Serial         uint64    // number of the segment; each new segment of the area has the next number
	Life           uint64    // number of the first segment since the area was created anew
	First          sim.Tick  // tick of the state from which the segment starts
	Chain          uint64    // hash over all records before the segment (chain value)
	Seed           uint64    // seed of the area's random stream
	Digest         uint64    // sim.World.Digest of the world to which the segment's ticks belong
	WallMS         int64     // wall-clock time at which the segment was begun, ms since 1970 UTC
	Area           uint32    // index of the area in its world
	TicksPerSecond uint32    // tick rate of the world
	Start          startKind // how the segment's first state relates to the previous segment
	Program        string    // build of the program that wrote the segment
	World          string    // name of the world
	Name           string    // name of the area
}

// isReloadOf reports whether the segment begins with a reload of the world file. The parameter before is the header of the
// previous segment.
func (h *header) isReloadOf(before *header) bool {
	return h.Start == startAfterGap && h.Life == before.Life && h.Digest != before.Digest
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const magic = "TSTAPE" // followed by the kind of the file and the version of the format

const headerStart = len(magic) + 2 + 4 // bytes before the fields: magic, kind, version, length

// append appends the header of a file of the given kind to b and returns the longer slice.
func (h *header) append(b []byte, kind fileKind) []byte {
	le := binary.LittleEndian
	from := len(b)
	b = append(b, magic...)
	b = append(b, byte(kind), formatVersion, 0, 0, 0, 0)
	for _, v := range [...]uint64{h.Serial, h.Life, uint64(h.First), h.Chain, h.Seed, h.Digest, uint64(h.WallMS)} {
		b = le.AppendUint64(b, v)
	}
	b = le.AppendUint32(b, h.Area)
	b = le.AppendUint32(b, h.TicksPerSecond)
	b = append(b, byte(h.Start))
	for _, s := range [...]string{h.Program, h.World, h.Name} {
		s = s[:min(len(s), 1000)]
		b = append(le.AppendUint16(b, uint16(len(s))), s...)
	}
	le.PutUint32(b[from+headerStart-4:], uint32(len(b)-from-headerStart))
	return le.AppendUint32(b, crcOf(b[from:]))
}

// parseHeader decodes the header of a file of the given kind. The result n is the length of the header in bytes.
func parseHeader(b []byte, kind fileKind) (h header, n int, err error) {
	le := binary.LittleEndian
	switch {
	case len(b) < headerStart:
		return header{}, 0, errShort
	case string(b[:len(magic)]) != magic || b[len(magic)] != byte(kind):
		return header{}, 0, errNoTape
	case b[len(magic)+1] > formatVersion:
		return header{}, 0, &NewerError{b[len(magic)+1]}
	case b[len(magic)+1] != formatVersion:
		return header{}, 0, errNoTape
	}
	size := le.Uint32(b[headerStart-4:])
	if size > maxHeader {
		return header{}, 0, errDamaged
	}
	n = headerStart + int(size) + 4
	if len(b) < n {
		return header{}, 0, errShort
	}
	if crcOf(b[:n-4]) != le.Uint32(b[n-4:]) {
		return header{}, 0, errDamaged
	}
	r := cursor{b: b[headerStart : n-4]}
	h = header{Serial: r.u64(), Life: r.u64(), First: sim.Tick(r.u64()), Chain: r.u64(), Seed: r.u64(), Digest: r.u64(), WallMS: int64(r.u64())}
	h.Area, h.TicksPerSecond, h.Start = r.u32(), r.u32(), startKind(r.u8())
	h.Program, h.World, h.Name = string(r.take(int(r.u16()))), string(r.take(int(r.u16()))), string(r.take(int(r.u16())))
	if r.failed || len(r.b) > 0 || h.Start > startAfterGap || h.TicksPerSecond == 0 || h.Start == startNew && h.First != 0 {
		return header{}, 0, errDamaged
	}
	return h, n, nil
}

// readHeader reads the header of a file of the given kind.
func readHeader(r io.Reader, kind fileKind) (header, error) {
	b := make([]byte, headerStart, 256)
	if _, err := io.ReadFull(r, b); err != nil {
		return header{}, shortError(err)
	}
	size := binary.LittleEndian.Uint32(b[headerStart-4:])
	if size <= maxHeader {
		b = append(b, make([]byte, size+4)...)
		if _, err := io.ReadFull(r, b[headerStart:]); err != nil {
			if _, _, wrong := parseHeader(b[:headerStart], kind); !errors.Is(wrong, errShort) {
				return header{}, wrong // for a short file that is not part of a tape, this error is more useful than errShort
			}
			return header{}, shortError(err)
		}
	}
	h, _, err := parseHeader(b, kind)
	return h, err
}

// readError is an error of the file system while a file is read, such as a defective disk. It is distinguished from errors about
// the content of the file.
type readError struct{ error }

// Unwrap returns the error of the file system.
func (e *readError) Unwrap() error { return e.error }

// shortError converts an error of reading a file. The end of the file becomes errShort. Errors about the content stay
// as they are. All others become a *readError.
func shortError(err error) error {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errShort):
		return errShort
	case errors.Is(err, errDamaged):
		return err
	}
	return &readError{err}
}

// cursor decodes fields from a byte slice. After the first failure it returns zeros, and failed is set.
type cursor struct {
	b      []byte
	failed bool
}

func (r *cursor) take(n int) []byte {
	if n < 0 || n > len(r.b) {
		r.b, r.failed = nil, true
		return nil
	}
	data := r.b[:n]
	r.b = r.b[n:]
	return data
}

func (r *cursor) u8() uint8 {
	if b := r.take(1); b != nil {
		return b[0]
	}
	return 0
}

func (r *cursor) u16() uint16 {
	if b := r.take(2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (r *cursor) u32() uint32 {
	if b := r.take(4); b != nil {
		return binary.LittleEndian.Uint32(b)
	}
	return 0
}

func (r *cursor) u64() uint64 {
	if b := r.take(8); b != nil {
		return binary.LittleEndian.Uint64(b)
	}
	return 0
}

// uvarint decodes a uvarint. It fails if the encoding is not the shortest one.
func (r *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || n > 1 && r.b[n-1] == 0 {
		r.b, r.failed = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

// varint decodes a zigzag varint. It fails if the encoding is not the shortest one.
func (r *cursor) varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func crcOf(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }
