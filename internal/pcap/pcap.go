// Package pcap reads classic capture files (libpcap 2.x) and extracts UDP datagrams. It has no writing, no filters, no pcapng,
// and no reassembly of IP fragments.
//
//	file, err := pcap.NewReader(f)
//	for {
//		p, err := file.Next() // io.EOF at the end
//		d, err := pcap.UDP(file.Link(), p.Data)
//	}
//
// Both byte orders and both units of time (microseconds, nanoseconds) are supported. Files are untrusted: no length field in
// them makes the package allocate more than MaxPacket bytes, and nothing panics. A Reader is not safe for concurrent use.
package pcap

import (
	"encoding/binary"
	"errors"
	"fmt"
	"io"
	"time"
)

// MaxPacket is the maximum length of a captured packet in bytes. The value is the default of common capture programs, and
// the largest snapshot length that is known to be used.
const MaxPacket = 262144

// Errors for files that are not readable pcap captures.
var (
	ErrFormat    = errors.New("the file is not a pcap capture")
	ErrPcapng    = errors.New("this is a pcapng file; convert it with: editcap -F pcap IN.pcapng OUT.pcap")
	ErrTruncated = errors.New("the capture file ends inside a packet")
	ErrSize      = errors.New("a packet in the capture file is too large")
)

// Magic numbers at the beginning of capture files: the first four bytes, read as a big-endian number.
const (
	magicMicro        = 0xa1b2c3d4
	magicMicroSwapped = 0xd4c3b2a1
	magicNano         = 0xa1b23c4d
	magicNanoSwapped  = 0x4d3cb2a1
	magicNG           = 0x0a0d0d0a
)

// Sizes of the pcap file header and of the record header, in bytes.
const (
	fileHeaderSize   = 24
	packetHeaderSize = 16
)

// Packet is one frame of the link layer, as a capture file contains it.
type Packet struct {
	Time   time.Time // time of capture, UTC
	Data   []byte    // bytes from the link layer on; valid until the next call of Next
	Length int       // length on the wire in bytes; greater than len(Data) if the capture truncated the packet
}

// Reader reads the packets of a file in order.
type Reader struct {
	r     io.Reader
	order binary.ByteOrder
	unit  int64 // nanoseconds per unit of the fractional part of timestamps
	link  Link
	buf   []byte
}

// IsMagic reports whether b begins with the magic number of a capture file, pcap or pcapng.
func IsMagic(b []byte) bool {
	if len(b) < 4 {
		return false
	}
	switch binary.BigEndian.Uint32(b) {
	case magicMicro, magicMicroSwapped, magicNano, magicNanoSwapped, magicNG:
		return true
	}
	return false
}

// NewReader reads the file header and returns a Reader of the packets. Errors wrap ErrPcapng or ErrFormat, or are those of r.
func NewReader(r io.Reader) (*Reader, error) {
	var h [fileHeaderSize]byte
	if n, err := io.ReadFull(r, h[:]); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			if n >= 4 && binary.BigEndian.Uint32(h[:]) == magicNG {
				return nil, ErrPcapng
			}
			return nil, fmt.Errorf("%w: the file has only %d bytes", ErrFormat, n)
		}
		return nil, err
	}
	f := &Reader{r: r, order: binary.BigEndian, unit: int64(time.Microsecond)}
	switch binary.BigEndian.Uint32(h[:]) {
	case magicMicro:
	case magicMicroSwapped:
		f.order = binary.LittleEndian
	case magicNano:
		f.unit = int64(time.Nanosecond)
	case magicNanoSwapped:
		f.order, f.unit = binary.LittleEndian, int64(time.Nanosecond)
	case magicNG:
		return nil, ErrPcapng
	default:
		return nil, fmt.Errorf("%w: the file begins with the bytes %x", ErrFormat, h[:4])
	}
	if major := f.order.Uint16(h[4:]); major != 2 {
		return nil, fmt.Errorf("%w: its header has the format version %d, but only version 2 can be read", ErrFormat, major)
	}
	f.link = Link(f.order.Uint32(h[20:]) & 0x0fffffff) // the top bits describe the frame check sequence, which is ignored
	return f, nil
}

// Link returns the link layer of the packets of the file.
func (f *Reader) Link() Link { return f.link }

// Next reads the next packet. It returns io.EOF at the end of the file. Other errors wrap ErrTruncated or ErrSize, or are those
// of the underlying reader.
func (f *Reader) Next() (Packet, error) {
	var h [packetHeaderSize]byte
	if _, err := io.ReadFull(f.r, h[:]); err != nil {
		if errors.Is(err, io.ErrUnexpectedEOF) {
			return Packet{}, ErrTruncated
		}
		return Packet{}, err
	}
	seconds, fraction := f.order.Uint32(h[0:]), f.order.Uint32(h[4:])
	kept, whole := f.order.Uint32(h[8:]), f.order.Uint32(h[12:])
	if kept > MaxPacket || whole > 1<<30 {
		return Packet{}, fmt.Errorf("%w: the header of the packet says that %d of %d bytes were captured", ErrSize, kept, whole)
	}
	if cap(f.buf) < int(kept) {
		f.buf = make([]byte, kept)
	}
	data := f.buf[:kept]
	if _, err := io.ReadFull(f.r, data); err != nil {
		if errors.Is(err, io.EOF) || errors.Is(err, io.ErrUnexpectedEOF) {
			return Packet{}, ErrTruncated
		}
		return Packet{}, err
	}
	at := time.Unix(int64(seconds), int64(fraction)*f.unit).UTC()
	return Packet{Time: at, Data: data, Length: int(whole)}, nil
}
