package rs

import (
	"encoding/binary"
	"fmt"
)

// Maximum sizes of a packet body and a whole frame, by direction.
const (
	MaxServerBody = 15000 // maximum bytes of a server's body: the receive buffer of the 667 client, which drops the connection above it
	MaxClientBody = 1024  // maximum bytes of a client's body; only MESSAGE_PRIVATE, with at most 100 characters, has a u16 length

	maxHeader = 2 + 2 // maximum bytes of a header: a two-byte opcode and a u16 length

	MaxClientFrame = maxHeader + MaxClientBody // maximum bytes of a frame of a client
	MaxServerFrame = maxHeader + MaxServerBody // maximum bytes of a frame of a server
)

// firstTwoByteOpcode is the lowest server opcode that takes two bytes on the wire.
const firstTwoByteOpcode = 128

// Frame is one packet of a stream. Body is a part of the received bytes, not a copy.
type Frame struct {
	Op   Opcode // opcode after unmasking
	Body []byte // body without opcode and length; borrowed from the stream
}

// opcodeMask provides the cipher bytes that are added to opcodes. It can look at the next cipher bytes without consuming them,
// because an incomplete frame must not advance the cipher.
type opcodeMask struct {
	cipher *ISAAC // cipher that masks the opcodes; nil if they are not masked
	ahead  [2]uint8
	n      int // number of cipher bytes in ahead that are generated but not consumed
}

// peek returns the cipher byte i bytes ahead, where i is 0 or 1, without consuming it.
func (m *opcodeMask) peek(i int) uint8 {
	if m.cipher == nil {
		return 0
	}
	for ; m.n <= i; m.n++ {
		m.ahead[m.n] = uint8(m.cipher.NextWord())
	}
	return m.ahead[i]
}

// consume discards the next n cipher bytes, which peek must have returned before.
func (m *opcodeMask) consume(n int) {
	if m.cipher == nil {
		return
	}
	copy(m.ahead[:], m.ahead[n:m.n])
	m.n -= n
}

// FrameReader splits the stream of one direction into frames, starting with the first byte after the login. It buffers no bytes:
// while a frame is incomplete, the caller calls Next again with the same bytes and those that have arrived since.
//
// A reader must be used by one goroutine at a time. After an error the stream cannot be read further: Next returns the same
// error again for the same bytes.
type FrameReader struct {
	dir  Direction
	mask opcodeMask
}

// NewFrameReader returns a reader of the frames of direction dir. The parameter cipher is the cipher of that
// direction (Keys.ClientCipher or Keys.ServerCipher), which the reader then owns, or nil if the opcodes are not
// masked.
func NewFrameReader(dir Direction, cipher *ISAAC) *FrameReader {
	return &FrameReader{dir: dir, mask: opcodeMask{cipher: cipher}}
}

// Next reads the frame at the start of b and returns it with its length. A length of 0 without an error means that b does not
// hold a whole frame yet: the caller must call Next again with the same bytes and more. The cipher advances only when a frame is
// returned. An opcode takes one byte; opcodes of a server from 128 on take two. Lengths are not masked.
//
// Errors wrap ErrOpcode (ciphers out of step, or a hostile peer), ErrZoneOnly, or ErrSize (a body longer than MaxClientBody or
// MaxServerBody). ErrSize is detected from the length field, so b never needs to grow past MaxClientFrame or MaxServerFrame.
func (r *FrameReader) Next(b []byte) (Frame, int, error) {
	op, n := r.opcode(b)
	if n == 0 {
		return Frame{}, 0, nil
	}
	rows := Table(r.dir)
	if op >= len(rows) || n == 2 && op < firstTwoByteOpcode { // an opcode below 128 in two bytes is invalid
		return Frame{}, 0, fmt.Errorf("read %v packet with opcode %d: %w", r.dir, op, ErrOpcode)
	}
	row := &rows[op]
	if row.ZoneOnly {
		return Frame{}, 0, fmt.Errorf("read %v packet %s: %w", r.dir, row.Name, ErrZoneOnly)
	}
	head, size := n, int(row.Size)
	switch {
	case row.Size == SizeByte && len(b) > head:
		size = int(b[head])
		head++
	case row.Size == SizeShort && len(b) > head+1:
		size = int(binary.BigEndian.Uint16(b[head:]))
		head += 2
	case row.Size < 0:
		return Frame{}, 0, nil
	}
	if size > maxBody(r.dir) {
		return Frame{}, 0, fmt.Errorf("read %v packet %s with a body of %d bytes: %w", r.dir, row.Name, size, ErrSize)
	}
	if len(b) < head+size {
		return Frame{}, 0, nil
	}
	r.mask.consume(n)
	return Frame{Op: row.Op, Body: b[head : head+size : head+size]}, head + size, nil
}

// opcode decrypts the opcode at the start of b and returns it with its length in bytes. n is 0 if the opcode is
// incomplete.
func (r *FrameReader) opcode(b []byte) (op, n int) {
	if len(b) == 0 {
		return 0, 0
	}
	first := b[0] - r.mask.peek(0)
	if r.dir == C2S || first < firstTwoByteOpcode {
		return int(first), 1
	}
	if len(b) == 1 {
		return 0, 0
	}
	return int(first-firstTwoByteOpcode)<<8 | int(b[1]-r.mask.peek(1)), 2
}

func maxBody(d Direction) int {
	if d == C2S {
		return MaxClientBody
	}
	return MaxServerBody
}

// FrameWriter writes the frames of one direction, in sending order. Its cipher advances with every completed frame.
// Therefore all frames that it returns must be sent, completely and in order, or the peer's cipher is out of step. A
// writer must be used by one goroutine at a time.
type FrameWriter struct {
	dir  Direction
	mask opcodeMask
}

// NewFrameWriter returns a writer of the frames of direction dir. The parameter cipher is the cipher of that
// direction, which the writer then owns, or nil if the opcodes are not masked.
func NewFrameWriter(dir Direction, cipher *ISAAC) *FrameWriter {
	return &FrameWriter{dir: dir, mask: opcodeMask{cipher: cipher}}
}

// OpenFrame is a frame that FrameWriter.Begin has started and FrameWriter.End has not completed.
type OpenFrame struct {
	def         *PacketDef
	start, body int // offsets at which the frame and its body begin
}

// Begin appends the opcode of a frame and room for its length. The caller then appends the body, without changing the bytes
// before it, and calls End. A frame may be dropped before End, because the cipher has not advanced yet. Errors wrap ErrOpcode or
// ErrZoneOnly and return b unchanged.
func (w *FrameWriter) Begin(b []byte, op Opcode) ([]byte, OpenFrame, error) {
	row, ok := Lookup(w.dir, op)
	if !ok {
		return b, OpenFrame{}, fmt.Errorf("write %v packet with opcode %d: %w", w.dir, op, ErrOpcode)
	}
	if row.ZoneOnly {
		return b, OpenFrame{}, fmt.Errorf("write %v packet %s: %w", w.dir, row.Name, ErrZoneOnly)
	}
	f := OpenFrame{def: row, start: len(b)}
	if op < firstTwoByteOpcode {
		b = append(b, uint8(op)+w.mask.peek(0))
	} else {
		b = append(b, firstTwoByteOpcode+w.mask.peek(0), uint8(op)+w.mask.peek(1))
	}
	switch row.Size {
	case SizeByte:
		b = append(b, 0)
	case SizeShort:
		b = append(b, 0, 0)
	}
	f.body = len(b)
	return b, f, nil
}

// End completes the frame f, whose body is all that was appended after Begin, and returns b. If the size of the body is not
// allowed for the packet or by the receiver, the error wraps ErrSize and the returned slice ends before the frame.
func (w *FrameWriter) End(b []byte, f OpenFrame) ([]byte, error) {
	size, most := len(b)-f.body, maxBody(w.dir)
	if f.def.Size == SizeByte {
		most = 0xff
	}
	if f.def.Size >= 0 && size != int(f.def.Size) || size > most {
		return b[:f.start], fmt.Errorf("write %v packet %s with a body of %d bytes: %w", w.dir, f.def.Name, size, ErrSize)
	}
	switch f.def.Size {
	case SizeByte:
		b[f.body-1] = uint8(size)
	case SizeShort:
		binary.BigEndian.PutUint16(b[f.body-2:], uint16(size))
	}
	if f.def.Op < firstTwoByteOpcode {
		w.mask.consume(1)
	} else {
		w.mask.consume(2)
	}
	return b, nil
}

// Append appends a whole frame with the given body. Errors are those of Begin and End; after an error the frame is left out.
func (w *FrameWriter) Append(b []byte, op Opcode, body []byte) ([]byte, error) {
	b, f, err := w.Begin(b, op)
	if err != nil {
		return b, err
	}
	return w.End(append(b, body...), f)
}

// AppendPacket appends p as a whole frame. Errors are those of Begin and End; after an error the frame is left out.
func (w *FrameWriter) AppendPacket(b []byte, p Packet) ([]byte, error) {
	b, f, err := w.Begin(b, p.Opcode())
	if err != nil {
		return b, err
	}
	return w.End(p.Append(b), f)
}
