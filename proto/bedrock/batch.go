package bedrock

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// BatchID is the first byte of every message that holds a batch, neither compressed nor encrypted. RakNet messages with
// another first byte are not game messages.
const BatchID = 0xfe

// Limits of a batch; rules BA-3 and BA-4 of docs/wire/bedrock.md require them.
const (
	MaxCompressedBatch  = 2 << 20   // bytes after BatchID, before decompression
	MaxLoginBatch       = 4 << 20   // bytes after decompression, until the login is complete; a Login has 588 KB (captured)
	MaxPlayBatch        = 512 << 10 // bytes after decompression, once the login is complete; batches from the server stay below it
	MaxBatchPackets     = 812       // packets per batch
	MaxHandshakePackets = 1         // packets per batch until the handshake is complete
)

// Errors of a batch, in addition to wire.ErrShort (a length beyond the end) and wire.ErrRange (an invalid length).
// BatchFault returns a short name for each.
var (
	ErrBatchCompressor = errors.New("unknown compressor")
	ErrBatchSize       = errors.New("batch too large")
	ErrBatchCorrupt    = errors.New("corrupt compressed batch")
	ErrBatchCount      = errors.New("too many packets in a batch")
	ErrBatchEmpty      = errors.New("packet without bytes")
)

// BatchFault returns a stable one-word name of a batch error, for counters: "compressor", "size", "corrupt", "count",
// "empty", "short", "range", or "other" for an error that does not come from a batch.
func BatchFault(err error) string {
	switch {
	case errors.Is(err, ErrBatchCompressor):
		return "compressor"
	case errors.Is(err, ErrBatchSize):
		return "size"
	case errors.Is(err, ErrBatchCorrupt):
		return "corrupt"
	case errors.Is(err, ErrBatchCount):
		return "count"
	case errors.Is(err, ErrBatchEmpty):
		return "empty"
	case errors.Is(err, wire.ErrShort):
		return "short"
	case errors.Is(err, wire.ErrRange):
		return "range"
	}
	return "other"
}

// BatchWriter collects packets into the payload of a batch, each as length (varu32), header and body. Reset keeps its
// memory. The zero value is ready to use. It is not safe for concurrent use.
//
// Source: docs/wire/bedrock.md, batches.
type BatchWriter struct {
	b []byte
	n int
}

// AddPacket appends p, encoded for version v, to the batch. It allocates only while w grows. The caller must send
// the batch before p.Room returns 0.
func AddPacket[P Packet](w *BatchWriter, p P, v Version) {
	start := len(w.b)
	w.b = AppendPacket(append(w.b, 0), p, v) // most lengths take one byte
	w.writeLength(start)
}

// Add appends a packet as AddPacket does, for a packet whose type is not known at compile time.
func (w *BatchWriter) Add(p Packet, v Version) { AddPacket(w, p, v) }

// AddBytes appends an encoded packet, header and body, to the batch. packet is borrowed and must not be empty.
func (w *BatchWriter) AddBytes(packet []byte) {
	w.b = wire.VarBytes(w.b, packet)
	w.n++
}

// writeLength writes the length of the packet that follows the byte at start, moving the packet if the length is longer.
func (w *BatchWriter) writeLength(start int) {
	w.n++
	size := len(w.b) - start - 1
	if size < 0x80 {
		w.b[start] = byte(size)
		return
	}
	var room [wire.MaxVar32]byte
	more := binary.PutUvarint(room[:], uint64(size)) - 1
	w.b = append(w.b, room[:more]...)
	copy(w.b[start+1+more:], w.b[start+1:start+1+size])
	copy(w.b[start:], room[:1+more])
}

// Bytes returns the payload so far, borrowed until the next call of any other method or of AddPacket.
func (w *BatchWriter) Bytes() []byte { return w.b }

// Len returns the size of the payload so far in bytes, before compression.
func (w *BatchWriter) Len() int { return len(w.b) }

// Room returns the maximum size in bytes of the next packet, header and body, such that the batch stays below
// MaxPlayBatch and within MaxBatchPackets, which every peer must accept (rule BA-4 of docs/wire/bedrock.md). 0 means
// that the batch is full and must be sent.
func (w *BatchWriter) Room() int {
	if w.n >= MaxBatchPackets {
		return 0
	}
	return max(MaxPlayBatch-1-wire.MaxVar32-len(w.b), 0)
}

// Count returns the number of packets so far.
func (w *BatchWriter) Count() int { return w.n }

// Reset removes all packets and keeps the memory.
func (w *BatchWriter) Reset() { w.b, w.n = w.b[:0], 0 }

// CountPackets counts the packets of a decompressed payload without parsing them, at most limit.
// Errors wrap wire.ErrShort, wire.ErrRange, ErrBatchEmpty or ErrBatchCount.
func CountPackets(payload []byte, limit int) (int, error) {
	r := wire.NewReader(payload)
	n := 0
	for ; r.Left() > 0; n++ {
		if n == limit {
			return 0, fmt.Errorf("packet %d of a batch, at most %d allowed: %w", n+1, limit, ErrBatchCount)
		}
		if len(r.VarBytes()) == 0 {
			r.Fail(ErrBatchEmpty)
		}
	}
	if err := r.Err(); err != nil {
		return 0, fmt.Errorf("packet %d of a batch: %w", n, err)
	}
	return n, nil
}

// EachPacket calls f with every packet of a decompressed payload, header and body, in order; the bytes borrow from
// payload. The whole payload is validated first: a malformed one, or one with more than limit packets, is refused
// before the first call, so that a bad batch has no effect. Errors are those of CountPackets, or the first one of f,
// which ends the loop.
func EachPacket(payload []byte, limit int, f func(packet []byte) error) error {
	if _, err := CountPackets(payload, limit); err != nil {
		return err
	}
	r := wire.NewReader(payload)
	for r.Left() > 0 {
		if err := f(r.VarBytes()); err != nil {
			return err
		}
	}
	return nil
}
