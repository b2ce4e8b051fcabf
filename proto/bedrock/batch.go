package bedrock

import (
	"encoding/binary"
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/proto/wire"
)

// BatchID is the first byte of every message that contains a batch. This byte is neither compressed nor encrypted. RakNet
// messages with another first byte do not belong to the game.
const BatchID = 0xfe

// Limits of a batch; rules BA-3 and BA-4 of docs/wire/bedrock.md require them.
const (
	MaxCompressedBatch  = 2 << 20   // maximum length of a batch before decompression, without BatchID, in bytes
	MaxLoginBatch       = 4 << 20   // maximum bytes after decompression, until the login is complete; a captured Login packet has 588 KB
	MaxPlayBatch        = 512 << 10 // maximum bytes after decompression, once the login is complete; the server's own batches are shorter
	MaxBatchPackets     = 812       // maximum packets per batch
	MaxHandshakePackets = 1         // maximum packets per batch until the handshake is complete
)

// Errors of a batch. Besides these, wire.ErrShort reports that a packet is longer than the rest of its batch, and
// wire.ErrRange reports an invalid length. BatchFault returns a short name for each.
var (
	ErrBatchCompressor = errors.New("unknown compressor")
	ErrBatchSize       = errors.New("batch is larger than allowed")
	ErrBatchCorrupt    = errors.New("corrupt compressed batch")
	ErrBatchCount      = errors.New("too many packets in a batch")
	ErrBatchEmpty      = errors.New("empty packet in a batch")
)

// BatchFault returns the short stable name under which a batch error is counted: "compressor", "size", "corrupt", "count",
// "empty", "short" or "range". For an error that does not come from a batch it returns "other".
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

// BatchWriter collects packets for a batch. The payload of the batch is the sequence of the packets, each with its length
// (varu32), header and body. Reset empties the batch and keeps the memory for reuse. The zero value is ready to use. It is
// not safe for concurrent use.
//
// Source: docs/wire/bedrock.md, batches.
type BatchWriter struct {
	b []byte // payload collected so far
	n int    // number of packets in b
}

// AddPacket appends the packet p to the batch, encoded for version v. The caller checks the size of p with w.Room first.
// AddPacket allocates only if the buffer of w must grow.
func AddPacket[P Packet](w *BatchWriter, p P, v Version) {
	start := len(w.b)
	w.b = AppendPacket(append(w.b, 0), p, v) // reserves one byte for the length; writeLength makes room if the length needs more
	w.writeLength(start)
}

// Add appends the packet p to the batch, as AddPacket does, for callers that know the packet's type only at run time.
func (w *BatchWriter) Add(p Packet, v Version) { AddPacket(w, p, v) }

// AddBytes appends a packet that is already encoded, header and body, to the batch. It copies the packet, which must not be
// empty.
func (w *BatchWriter) AddBytes(packet []byte) {
	w.b = wire.VarBytes(w.b, packet)
	w.n++
}

// writeLength writes the length of the last packet in front of the packet. The parameter start is the offset of one byte that
// is reserved for the length. If the length needs more bytes, writeLength moves the packet.
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

// Bytes returns the uncompressed payload of the batch: all packets added so far, each after its length. The slice is valid until
// the next method call on w or the next AddPacket.
func (w *BatchWriter) Bytes() []byte { return w.b }

// Len returns the length of the uncompressed payload of the batch (see Bytes), in bytes.
func (w *BatchWriter) Len() int { return len(w.b) }

// Room returns the maximum size in bytes, header and body, of the packet that may be added next. 0 means that the batch is
// full and must be sent first. If callers obey this limit, the batch stays below MaxPlayBatch and MaxBatchPackets, which
// every peer must accept (rule BA-4 of docs/wire/bedrock.md).
func (w *BatchWriter) Room() int {
	if w.n >= MaxBatchPackets {
		return 0
	}
	return max(MaxPlayBatch-1-wire.MaxVar32-len(w.b), 0)
}

// PacketCount returns the number of packets collected in the batch.
func (w *BatchWriter) PacketCount() int { return w.n }

// Reset removes all packets and keeps the memory for reuse.
func (w *BatchWriter) Reset() { w.b, w.n = w.b[:0], 0 }

// CountPackets counts the packets of a decompressed payload without parsing them. More than limit packets are an error.
// Errors wrap wire.ErrShort, wire.ErrRange, ErrBatchEmpty or ErrBatchCount.
func CountPackets(payload []byte, limit int) (int, error) {
	r := wire.NewReader(payload)
	n := 0
	for ; r.Left() > 0; n++ {
		if n == limit {
			return 0, fmt.Errorf("batch has at least %d packets, at most %d allowed: %w", n+1, limit, ErrBatchCount)
		}
		if len(r.VarBytes()) == 0 {
			r.Fail(ErrBatchEmpty)
		}
	}
	if err := r.Err(); err != nil {
		return 0, fmt.Errorf("read packet %d of a batch, counted from 1: %w", n, err)
	}
	return n, nil
}

// EachPacket calls f with every packet, header and body, of a decompressed payload, in order. The packets share the memory
// of the payload. Before the first call, EachPacket validates the whole payload: if it is malformed or has more than limit
// packets, f is not called at all. Errors are those of CountPackets, or the first error of f, which ends the loop.
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
