package link

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// Kinds of frames that belong to this package. Kinds from FirstKind on are the caller's.
const (
	kindHello  byte = iota // hello
	kindAccept             // accept
	kindRefuse             // refusal
	kindPing               // ping
	kindPong               // pong

	// FirstKind is the smallest kind of a frame that Mesh.Send sends.
	FirstKind byte = 16
)

// Limits of frames.
const (
	// MaxBody is the maximum size of a body in bytes.
	MaxBody = 64 << 20

	maxControl = 4 << 10 // bytes   maximum size of a body of this package, and of any body before a link is accepted
	frameHead  = 5       // bytes   length and kind
	firstPart  = 64 << 10
)

// appendHead appends the head of a frame.
func appendHead(b []byte, kind byte, size int) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(size)), kind)
}

// appendFrame appends a frame.
func appendFrame(b []byte, kind byte, body []byte) []byte {
	return append(appendHead(b, kind, len(body)), body...)
}

// readFrame reads a frame with a body of at most limit bytes. Bodies of this package's kinds are held to maxControl. Memory
// for a large body is allocated as it arrives, so that a length alone costs at most 64 KiB. The caller owns the body.
func readFrame(r io.Reader, limit int) (kind byte, body []byte, err error) {
	var head [frameHead]byte
	if _, err := io.ReadFull(r, head[:]); err != nil {
		return 0, nil, err
	}
	kind = head[4]
	if kind < FirstKind {
		limit = min(limit, maxControl)
	}
	size := binary.BigEndian.Uint32(head[:])
	if uint64(size) > uint64(limit) {
		return kind, nil, fmt.Errorf("frame of kind %d has %d bytes, at most %d are allowed", kind, size, limit)
	}
	body, err = readBody(r, int(size))
	return kind, body, err
}

func readBody(r io.Reader, size int) ([]byte, error) {
	body := make([]byte, min(size, firstPart))
	read := 0
	for {
		n, err := io.ReadFull(r, body[read:])
		if read += n; err != nil {
			if err == io.EOF { // within a frame
				err = io.ErrUnexpectedEOF
			}
			return nil, err
		}
		if read == size {
			return body, nil
		}
		more := min(read, size-read)
		body = slices.Grow(body, more)[:read+more]
	}
}
