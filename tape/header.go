package tape

import (
	"encoding/binary"
	"errors"
	"fmt"
	"hash/crc32"
	"io"

	"github.com/truestep-io/truestep/sim"
)

// formatVersion changes with every change of the format.
const formatVersion = 1

// fileKind is the kind of a file of a segment.
type fileKind byte

const (
	kindRaw      fileKind = 'w' // <serial>.wal: records, appended while the segment is written
	kindSnapshot fileKind = 's' // <serial>.snap: the state from which a raw segment starts
	kindTape     fileKind = 't' // <serial>.tape: a closed segment, compressed, with its snapshot
)

// Limits of the format. A reader refuses what exceeds them before it allocates.
const (
	maxHeader   = 4096     // bytes of the fields of a header
	maxRecord   = 16 << 20 // bytes of a record
	maxIntents  = 1 << 17  // intents of a tick
	maxSnapshot = 64 << 20 // bytes of a snapshot before compression
	maxGroup    = 64 << 20 // bytes of a group before compression
	maxTicks    = 1024     // ticks of a group
)

var (
	errDamaged = errors.New("the file is damaged")
	errShort   = errors.New("the file is cut short")
	errNoTape  = errors.New("the file is not part of a tape")
)

// NewerError says that a tape was written by a newer version of the program.
type NewerError struct{ Version byte }

// Error returns both versions and what the operator can do.
func (e *NewerError) Error() string {
	return fmt.Sprintf("the tape has format version %d, this program reads %d: run the newer program", e.Version, formatVersion)
}

// startKind says how the state from which a segment starts is related to the end of the previous segment.
type startKind uint8

const (
	startNew      startKind = iota // a new area: the state of sim.NewArea with the segment's seed
	startNext                      // the state after tick First of the segment before
	startAfterGap                  // the snapshot only: ticks before it are not on the tape
)

// header is the start of every file of a segment.
type header struct {
	Serial         uint64   // number of the segment; grows by one with each segment of the area
	Life           uint64   // number of the segment with which the area began as a new area
	First          sim.Tick // tick of the state from which the segment starts
	Chain          uint64   // chain value before the first record
	Seed           uint64   // seed of the area's random stream
	Digest         uint64   // sim.World.Digest
	WallMS         int64    // wall-clock time at which the segment was started, ms since 1970 UTC
	Area           uint32   // index of the area in its world
	TicksPerSecond uint32
	Start          startKind
	Program        string // build of the program
	World          string // name of the world
	Name           string // name of the area
}

var castagnoli = crc32.MakeTable(crc32.Castagnoli)

const magic = "TSTAPE" // followed by the kind of the file and the version of the format

const headerStart = len(magic) + 2 + 4 // bytes before the fields: magic, kind, version, length

// append appends the header of a file of that kind to b and returns the longer slice.
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

// parseHeader decodes the header of a file of that kind. n is its length.
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

// readHeader reads the header of a file of that kind.
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

// readError is an error of the file system while a file was read; other errors of readers are about the content.
type readError struct{ error }

// Unwrap returns the error of the file system.
func (e *readError) Unwrap() error { return e.error }

// shortError returns errShort for the end of a file, errors about the content as they are, and a *readError for others.
func shortError(err error) error {
	switch {
	case errors.Is(err, io.EOF), errors.Is(err, io.ErrUnexpectedEOF), errors.Is(err, errShort):
		return errShort
	case errors.Is(err, errDamaged):
		return err
	}
	return &readError{err}
}

// cursor reads fields from bytes. After the first error it returns zeros.
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

// uvarint reads a number in its shortest form.
func (r *cursor) uvarint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || n > 1 && r.b[n-1] == 0 {
		r.b, r.failed = nil, true
		return 0
	}
	r.b = r.b[n:]
	return v
}

// varint reads a zigzag number in its shortest form.
func (r *cursor) varint() int64 {
	v := r.uvarint()
	return int64(v>>1) ^ -int64(v&1)
}

func crcOf(b []byte) uint32 { return crc32.Checksum(b, castagnoli) }
