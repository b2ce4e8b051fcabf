package bedrock

import "github.com/klauspost/compress/flate"

// Values of the compressor byte. In every batch after the packet NetworkSettings, this byte precedes the payload and names
// its compression (rule BA-1 of docs/wire/bedrock.md).
const (
	CompressorDeflate = 0x00 // raw deflate, without a zlib header
	CompressorSnappy  = 0x01 // snappy block format; accepted but never sent, because not every client supports it
	CompressorNone    = 0xff // the payload is not compressed
)

// CompressThreshold is the size in bytes that the packet NetworkSettings announces: payloads from this size on are
// compressed, shorter ones are not (rule BA-2 of docs/wire/bedrock.md).
const CompressThreshold = 256 // in bytes

// deflateLevel is the fastest compression level. Batches are a few kilobytes of numbers, which slower levels hardly make
// smaller.
const deflateLevel = flate.BestSpeed

// Deflater compresses batches. Its compression tables take about 820 KB, so a worker should share one Deflater between
// its sessions. The zero value is ready to use. It is not safe for concurrent use.
type Deflater struct {
	w   *flate.Writer
	out appender
}

// Compress appends a compressor byte and the payload of a batch to dst and returns the extended slice. It deflates a
// payload of threshold bytes or more, and copies a shorter one. It does not keep the payload, which must not overlap the
// free capacity of dst. After the first call that deflates, Compress allocates only if dst lacks the capacity.
func (d *Deflater) Compress(dst, payload []byte, threshold int) []byte {
	if len(payload) < threshold {
		return append(append(dst, CompressorNone), payload...)
	}
	d.out.b = append(dst, CompressorDeflate)
	if d.w == nil {
		d.w, _ = flate.NewWriter(&d.out, deflateLevel) // NewWriter fails only for an invalid level
	} else {
		d.w.Reset(&d.out)
	}
	_, _ = d.w.Write(payload) // writing to an appender never fails
	_ = d.w.Close()
	dst, d.out.b = d.out.b, nil
	return dst
}

// appender is an io.Writer that appends to a slice.
type appender struct{ b []byte }

// Write implements io.Writer and never returns an error.
func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}
