package bedrock

import "github.com/klauspost/compress/flate"

// Compressors: the byte between BatchID and the payload, present after NetworkSettings. Rule BA-1.
const (
	CompressorDeflate = 0x00 // raw, without a zlib header
	CompressorSnappy  = 0x01 // block format; accepted but never sent, because not every client supports it
	CompressorNone    = 0xff
)

// CompressThreshold is the threshold announced in NetworkSettings: shorter payloads are not compressed. Rule BA-2.
const CompressThreshold = 256 // bytes

// deflateLevel is the fastest level. Batches are a few kilobytes of numbers, which higher levels hardly compress further.
const deflateLevel = flate.BestSpeed

// Deflater compresses batches. It keeps the tables of its compressor, about 820 KB, so share one between the sessions of a
// worker. The zero value is ready to use. It is not safe for concurrent use.
type Deflater struct {
	w   *flate.Writer
	out appender
}

// Compress appends the compressor byte and the payload, deflated unless it is shorter than threshold bytes, to dst, and
// returns the longer slice. payload is borrowed and must not overlap the free capacity of dst. After the first call that
// deflates, it allocates only if dst lacks the capacity.
func (d *Deflater) Compress(dst, payload []byte, threshold int) []byte {
	if len(payload) < threshold {
		return append(append(dst, CompressorNone), payload...)
	}
	d.out.b = append(dst, CompressorDeflate)
	if d.w == nil {
		d.w, _ = flate.NewWriter(&d.out, deflateLevel) // only an invalid level gives an error
	} else {
		d.w.Reset(&d.out)
	}
	_, _ = d.w.Write(payload) // writing to an appender does not fail
	_ = d.w.Close()
	dst, d.out.b = d.out.b, nil
	return dst
}

// appender is an io.Writer that appends to a slice.
type appender struct{ b []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}
