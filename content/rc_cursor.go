package content

import (
	"encoding/binary"
	"fmt"
	"math"

	"github.com/truestep-io/truestep/internal/cp1252"
	"github.com/truestep-io/truestep/sim/geom"
)

// Limits of RealmCrafter project files, in bytes: three for strings, one for a file. The file formats have no limits. Those
// of strings are the limits of the newest RealmCrafter server that is known.
const (
	nameLimit      = 256      // maximum bytes of a name
	scriptLimit    = 1024     // maximum bytes of a script name or quest text
	longLimit      = 4096     // maximum bytes of a description or list
	maxProjectFile = 64 << 20 // maximum bytes of a project file
)

// cursor reads one project file: little-endian numbers and length-prefixed strings, without checksums or alignment. It is
// stricter than the RealmCrafter server, which reads missing bytes as zeros. After the first error, every read returns
// zero and does not advance. Source: RealmCrafter data specification, sections 1 and 3.
type cursor struct {
	file     string // path of the file in messages
	b        []byte // content of the file
	off      int    // offset of the next byte to read
	record   string // kind of the current record for error messages, such as "record" or "portal"; "" outside records
	n        int    // number of the current record for error messages
	err      error
	errAt    int // offset in the file where err occurred
	warnings []Warning
}

func newCursor(file string, b []byte) *cursor { return &cursor{file: file, b: b} }

// beginRecord notes which record of the file is read next. Messages about the fields that follow name that record.
func (c *cursor) beginRecord(record string, n int) { c.record, c.n = record, n }

// endRecords notes that all records of a table have been read, so that later messages name no record.
func (c *cursor) endRecords() { c.record = "" }

func (c *cursor) location() string {
	if c.record == "" {
		return ""
	}
	return fmt.Sprintf("%s %d: ", c.record, c.n)
}

// fail records a problem at an offset of the file, unless there is one already.
func (c *cursor) fail(off int, format string, args ...any) {
	if c.err == nil {
		c.errAt = off
		c.err = Problems{{File: c.file, Text: fmt.Sprintf("offset %d: %s", off, c.location()) + fmt.Sprintf(format, args...)}}
	}
}

// warn records a warning for the current record.
func (c *cursor) warn(code, format string, args ...any) {
	where := "file"
	if c.record != "" {
		where = fmt.Sprintf("%s %d", c.record, c.n)
	}
	c.warnings = append(c.warnings, Warning{code, c.file, where, fmt.Sprintf(format, args...)})
}

// hasMore reports whether another record begins at the current offset, in a file that consists of records up to its end.
func (c *cursor) hasMore() bool { return c.err == nil && c.off < len(c.b) }

// unread returns the number of unread bytes.
func (c *cursor) unread() int { return len(c.b) - c.off }

// done completes the reading of a file from which everything expected was read. It records an error if bytes are left, and
// returns the first error of the file.
func (c *cursor) done() error {
	c.endRecords()
	if c.err == nil && c.off < len(c.b) {
		c.fail(c.off, "the file has %d trailing bytes", c.unread())
	}
	return c.err
}

// doneLenient completes the reading of a file as done does, but bytes that are left cause only a warning, because later versions
// of the file may have appended fields.
func (c *cursor) doneLenient() error {
	c.endRecords()
	if c.err == nil && c.off < len(c.b) {
		c.warn("TRAILING", "the file has %d bytes after the last known field: they are ignored", c.unread())
	}
	return c.err
}

// field is the name of a field of a file, for error messages. If the field is a list, index is the index of one of its elements;
// otherwise index is negative.
type field struct {
	name  string
	index int
}

// String returns the name of the field, with the index of the element if there is one.
func (f field) String() string {
	if f.index < 0 {
		return f.name
	}
	return fmt.Sprintf("%s[%d]", f.name, f.index)
}

func (c *cursor) readBytes(f field, n int) []byte {
	if c.err != nil {
		return nil
	}
	if c.unread() < n {
		c.fail(c.off, "%s: the file is truncated: the field needs %d bytes, %d are left", f, n, c.unread())
		return nil
	}
	b := c.b[c.off : c.off+n]
	c.off += n
	return b
}

func (c *cursor) u8(name string) uint8 { return c.u8At(field{name, -1}) }

func (c *cursor) u8At(f field) uint8 {
	if b := c.readBytes(f, 1); b != nil {
		return b[0]
	}
	return 0
}

func (c *cursor) u16(name string) uint16 { return c.u16At(field{name, -1}) }

func (c *cursor) u16At(f field) uint16 {
	if b := c.readBytes(f, 2); b != nil {
		return binary.LittleEndian.Uint16(b)
	}
	return 0
}

func (c *cursor) i32(name string) int32 {
	if b := c.readBytes(field{name, -1}, 4); b != nil {
		return int32(binary.LittleEndian.Uint32(b))
	}
	return 0
}

// f32 reads a 32-bit float, which must be finite. The parameter name is the name of the field in messages.
func (c *cursor) f32(name string) float32 {
	at := c.off
	v := f32of(c.readBytes(field{name, -1}, 4))
	if !geom.Finite(v) {
		c.fail(at, "%s is not a finite number", name)
		return 0
	}
	return v
}

// f32of decodes a little-endian float32 from four bytes. If the bytes could not be read, b is nil and the result is 0.
func f32of(b []byte) float32 {
	if b == nil {
		return 0
	}
	return math.Float32frombits(binary.LittleEndian.Uint32(b))
}

// coord reads a coordinate. A coordinate that is not finite or outside the world is an error.
func (c *cursor) coord(name string) float32 {
	at := c.off
	v := c.f32(name)
	if geom.Abs(v) >= maxCoord+1 {
		c.fail(at, "%s: %v is outside the world (+-100000)", name, v)
		return 0
	}
	return v
}

// boolByte reads a byte that should be 0 or 1. Other values count as true, with a warning.
func (c *cursor) boolByte(name string) bool {
	v := c.u8(name)
	if v > 1 {
		c.warn("FLAG-VALUE", "%s is %d, must be 0 or 1: true is used", name, v)
	}
	return v != 0
}

// str reads a string in Windows-1252 of at most limit bytes and returns it in UTF-8.
func (c *cursor) str(name string, limit int) string { return c.strAt(field{name, -1}, limit) }

func (c *cursor) strAt(f field, limit int) string {
	at := c.off
	b := c.readBytes(f, 4)
	if b == nil {
		return ""
	}
	n := int32(binary.LittleEndian.Uint32(b))
	if n < 0 || int(n) > limit {
		c.fail(at, "%s: the string length %d is outside 0..%d", f, n, limit)
		return ""
	}
	return cp1252.Decode(string(c.readBytes(f, int(n))))
}

// u16s reads len(into) numbers of 16 bits into the slice.
func (c *cursor) u16s(name string, into []uint16) {
	for i := range into {
		into[i] = c.u16At(field{name, i})
	}
}

// strs reads len(into) strings of at most limit bytes each into the slice.
func (c *cursor) strs(name string, into []string, limit int) {
	for i := range into {
		into[i] = c.strAt(field{name, i}, limit)
	}
}

// checkRoom reports whether enough bytes are left for n records of size bytes each. It must be called before the records are
// allocated, so that a damaged count does not allocate much memory. The parameter what names the records in the error.
func (c *cursor) checkRoom(off int, what string, n, size int) bool {
	if c.err == nil && n*size > c.unread() {
		c.fail(off, "%s count %d needs %d bytes, %d are left", what, n, n*size, c.unread())
	}
	return c.err == nil
}
