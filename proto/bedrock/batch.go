package bedrock

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// BatchID begins every message that holds a batch; whatever else a peer sends over RakNet is not a game message. It is
// never compressed nor encrypted.
const BatchID = 0xfe

// Limits of a batch, rule BA-3 and BA-4.
const (
	MaxCompressedBatch  = 2 << 20   // bytes     behind BatchID, before anything is unpacked
	MaxLoginBatch       = 4 << 20   // bytes     unpacked, until the login is done; a Login takes 588 KB (captured)
	MaxPlayBatch        = 512 << 10 // bytes     unpacked, afterwards; and what a server sends stays below it
	MaxBatchPackets     = 812       // packets   in one batch
	MaxHandshakePackets = 1         // packets   in one batch, until the handshake is complete
)

// What can be wrong with a batch, beside wire.ErrShort (a length beyond the end) and wire.ErrRange (a length that is no
// number). BatchFault gives each a short name.
var (
	ErrBatchCompressor = errors.New("unknown compressor")
	ErrBatchSize       = errors.New("batch too large")
	ErrBatchCorrupt    = errors.New("corrupt compressed batch")
	ErrBatchCount      = errors.New("too many packets in a batch")
	ErrBatchEmpty      = errors.New("packet without bytes")
)

// BatchFault names what is wrong with a batch in one word that does not change, for counters: "compressor", "size",
// "corrupt", "count", "empty", "short", "range", or "other" for an error that is not of a batch.
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

// BatchWriter collects packets into the payload of a batch: each behind its length (varu32), header and body. It keeps
// its memory over Reset. The zero value is ready. A writer belongs to one goroutine.
//
// Source: docs/wire/bedrock.md, batches.
type BatchWriter struct {
	b []byte
	n int
}

// AddPacket puts p behind the packets of w, in the form of version v. It copies nothing but the bytes that p appends,
// and allocates only while w grows. The owner sends the batch before Room is used up.
func AddPacket[P Packet](w *BatchWriter, p P, v Version) {
	start := len(w.b)
	w.b = AppendPacket(append(w.b, 0), p, v) // most lengths take one byte
	w.writeLength(start)
}

// Add is AddPacket for a packet whose type is not known beforehand.
func (w *BatchWriter) Add(p Packet, v Version) { AddPacket(w, p, v) }

// AddBytes puts a packet that is encoded already, header and body, behind the packets of w. packet is borrowed and not
// empty.
func (w *BatchWriter) AddBytes(packet []byte) {
	w.b = wire.VarBytes(w.b, packet)
	w.n++
}

// close writes the length of the packet that stands behind the byte at start, and makes room if it takes more.
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

// Bytes is the payload so far, borrowed until the next call of any other method or of AddPacket.
func (w *BatchWriter) Bytes() []byte { return w.b }

// Len is the size of the payload so far in bytes, before compression.
func (w *BatchWriter) Len() int { return len(w.b) }

// Room is how large the next packet, header and body, may be so that the batch stays below MaxPlayBatch and within
// MaxBatchPackets: what any peer must take. 0 says that the batch is full and wants to be sent. Rule BA-4.
func (w *BatchWriter) Room() int {
	if w.n >= MaxBatchPackets {
		return 0
	}
	return max(MaxPlayBatch-1-wire.MaxVar32-len(w.b), 0)
}

// Count is the number of packets so far.
func (w *BatchWriter) Count() int { return w.n }

// Reset forgets the packets and keeps the memory.
func (w *BatchWriter) Reset() { w.b, w.n = w.b[:0], 0 }

// CountPackets counts the packets of an unpacked payload without looking into them, at most limit.
// Errors wrap wire.ErrShort, wire.ErrRange, ErrBatchEmpty or ErrBatchCount.
func CountPackets(payload []byte, limit int) (int, error) {
	r := wire.NewReader(payload)
	n := 0
	for ; r.Left() > 0; n++ {
		if n == limit {
			return 0, fmt.Errorf("packet %d of at most %d: %w", n+1, limit, ErrBatchCount)
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

// EachPacket calls f with every packet of an unpacked payload, header and body, in order; the bytes borrow from payload.
// A payload that is not in order as a whole, or that has more than limit packets, is refused before the first call, so
// that a bad batch has no effect. Errors are those of CountPackets, or the first one of f, which ends the walk.
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
