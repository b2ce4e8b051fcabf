package link

import (
	"encoding/binary"
	"fmt"
	"io"
	"slices"
)

// Kinds of frames. Those below FirstKind belong to this package, the others to the caller of Mesh.Send.
const (
	kindHello  byte = iota // introduces the sending node; see hello
	kindAccept             // accepts the hello of the peer; see parseAccept
	kindRefuse             // refuses the peer, with a text; see parseRefusal
	kindPing               // asks for the peer's clock; see parsePing
	kindPong               // answers a ping; see pong

	// FirstKind is the smallest kind of a frame that Mesh.Send sends.
	FirstKind byte = 16
)

// Limits of frames. Every size is in bytes.
const (
	// MaxBody is the maximum size of the body of a frame in bytes.
	MaxBody = 64 << 20

	maxControl = 4 << 10  // maximum size in bytes of a body of this package's kinds, and of any body before a link is accepted
	frameHead  = 5        // size in bytes: length and kind
	firstPart  = 64 << 10 // number of bytes that are allocated for a body before its bytes arrive
)

// appendHead appends the head of a frame to b: the length of the body (the parameter size, in bytes), and then the kind.
func appendHead(b []byte, kind byte, size int) []byte {
	return append(binary.BigEndian.AppendUint32(b, uint32(size)), kind)
}

// appendFrame appends a whole frame to b: the head and the body.
func appendFrame(b []byte, kind byte, body []byte) []byte {
	return append(appendHead(b, kind, len(body)), body...)
}

// readFrame reads a frame with a body of at most limit bytes, or of at most maxControl bytes if the kind is one of this package's
// own. It allocates the memory for a large body while the body arrives, so a peer that sends only a length costs at most 64 KiB.
// The caller owns the body.
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

// readBody reads a body of size bytes. It allocates the memory step by step while bytes arrive: first at most 64 KiB (firstPart),
// then each time at most as much as it has already read.
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
