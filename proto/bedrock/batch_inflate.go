package bedrock

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"slices"

	"github.com/klauspost/compress/flate"
	"github.com/klauspost/compress/snappy"

	"github.com/truestep-io/truestep/proto/wire"
)

// Inflater decompresses batches. Its decompression window takes about 40 KB, so a worker should share one Inflater
// between its sessions. The zero value is ready to use. It is not safe for concurrent use.
type Inflater struct {
	src bytes.Reader
	r   io.ReadCloser
	one [1]byte // buffer for one byte beyond the limit: if such a byte can be read, the output is too long
}

// Decompress decompresses the batch b, which is a compressor byte and data. The result has at most limit bytes
// (MaxLoginBatch or MaxPlayBatch). Compressed data may have any size, even below CompressThreshold. If the data are not
// compressed, the result is part of b. Otherwise the result overwrites the memory of dst, or is in new memory if dst lacks
// the capacity. The result is valid as long as the caller does not change b and dst.
//
// Decompress refuses compressed data that are longer than MaxCompressedBatch, or more than a quarter longer than limit. No
// compressor needs so many bytes, even for incompressible data. More bytes could only be empty blocks, which cost time.
//
// For deflate, memory grows with the actual output, to at most twice its size and never beyond limit. A snappy block states its
// length; it is checked before that much memory is allocated (see decodeSnappy). Decompress stops at limit. It ignores bytes
// after the end of a deflate stream.
//
// Errors wrap wire.ErrShort (no compressor byte), ErrBatchCompressor, ErrBatchSize or ErrBatchCorrupt.
func (f *Inflater) Decompress(dst, b []byte, limit int) ([]byte, error) {
	switch {
	case len(b) == 0:
		return nil, fmt.Errorf("batch is empty, must begin with a compressor byte: %w", wire.ErrShort)
	case len(b) > min(MaxCompressedBatch, 64+limit+limit/4) && b[0] != CompressorNone:
		return nil, fmt.Errorf("batch has %d compressed bytes, too many for a decompressed size of at most %d bytes: %w", len(b), limit, ErrBatchSize)
	}
	switch data := b[1:]; b[0] {
	case CompressorDeflate:
		return f.inflate(dst[:0], data, limit)
	case CompressorSnappy:
		return decodeSnappy(dst, data, limit)
	case CompressorNone:
		if len(data) > limit {
			return nil, fmt.Errorf("uncompressed batch has %d bytes, at most %d allowed: %w", len(data), limit, ErrBatchSize)
		}
		return data, nil
	}
	return nil, fmt.Errorf("batch has the compressor byte %#02x: %w", b[0], ErrBatchCompressor)
}

// inflate decompresses the deflate stream in data into dst, which must have length 0.
func (f *Inflater) inflate(dst, data []byte, limit int) ([]byte, error) {
	f.open(data)
	defer f.src.Reset(nil)
	for {
		if len(dst) == cap(dst) && len(dst) < limit {
			dst = slices.Grow(dst, min(limit-len(dst), max(len(dst), initialRoom)))
		}
		room := dst[len(dst):min(cap(dst), limit)]
		if len(room) == 0 { // the output has reached the limit; only the end of the stream may follow
			room = f.one[:]
		}
		n, err := f.r.Read(room)
		if len(dst)+n > limit {
			return nil, fmt.Errorf("decompressed batch has more than %d bytes, the maximum: %w", limit, ErrBatchSize)
		}
		dst = dst[:len(dst)+n]
		switch {
		case errors.Is(err, io.EOF):
			return dst, nil
		case err != nil:
			return nil, fmt.Errorf("decompress batch, after %d decompressed bytes: %v: %w", len(dst), err, ErrBatchCorrupt)
		}
	}
}

const initialRoom = 4 << 10 // initial capacity of the output in bytes, if dst has no capacity

func (f *Inflater) open(data []byte) {
	f.src.Reset(data)
	if f.r == nil {
		f.r = flate.NewReader(&f.src)
		return
	}
	_ = f.r.(flate.Resetter).Reset(&f.src, nil) // Reset fails only with a dictionary
}

// snappyDensity is an upper bound for the number of bytes that one byte of a snappy block can expand to. The densest
// element encodes a copy of 64 bytes in 3 bytes.
const snappyDensity = 22 // maximum output bytes per input byte

// decodeSnappy decodes a snappy block. The block states its decompressed length, and the decoder allocates that many bytes.
// decodeSnappy therefore first refuses a length above limit, and a length that data of this size cannot have.
func decodeSnappy(dst, data []byte, limit int) ([]byte, error) {
	claim, err := snappy.DecodedLen(data)
	switch {
	case err != nil:
		return nil, fmt.Errorf("decode snappy batch: %v: %w", err, ErrBatchCorrupt)
	case claim > limit:
		return nil, fmt.Errorf("snappy batch states that it has %d bytes after decompression, at most %d allowed: %w", claim, limit, ErrBatchSize)
	case claim > snappyDensity*len(data):
		return nil, fmt.Errorf("snappy batch of %[2]d bytes states an impossible length of %[1]d bytes after decompression: %[3]w", claim, len(data), ErrBatchCorrupt)
	}
	out, err := snappy.DecodeStrict(dst[:0], data)
	if err != nil {
		return nil, fmt.Errorf("decode snappy batch: %v: %w", err, ErrBatchCorrupt)
	}
	return out, nil
}
