package bedrock

import "github.com/klauspost/compress/flate"

// Compressors: the byte between BatchID and the payload, once NetworkSettings was sent. Rule BA-1.
const (
	CompressorDeflate = 0x00 // raw, without a zlib header
	CompressorSnappy  = 0x01 // block format; we read it and never write it: not every client can
	CompressorNone    = 0xff
)

// CompressThreshold is what NetworkSettings announces: payloads of fewer bytes are not compressed. Rule BA-2.
const CompressThreshold = 256 // bytes

// deflateLevel is the fastest of the library. Batches are some kilobytes of numbers, where more effort finds little.
const deflateLevel = flate.BestSpeed

// Deflater compresses batches. It keeps the tables of its compressor, about 820 KB, so a worker has one for all its
// sessions. The zero value is ready. A Deflater belongs to one goroutine.
type Deflater struct {
	w   *flate.Writer
	out appender
}

// Compress appends the compressor byte and the payload, deflated unless it is shorter than threshold bytes, to dst, and
// returns the longer slice. payload is borrowed and must not overlap the room behind dst. It allocates nothing once
// dst has the room, but for the first call that deflates.
func (d *Deflater) Compress(dst, payload []byte, threshold int) []byte {
	if len(payload) < threshold {
		return append(append(dst, CompressorNone), payload...)
	}
	d.out.b = append(dst, CompressorDeflate)
	if d.w == nil {
		d.w, _ = flate.NewWriter(&d.out, deflateLevel) // the error is for levels that do not exist
	} else {
		d.w.Reset(&d.out)
	}
	_, _ = d.w.Write(payload) // appending does not fail
	_ = d.w.Close()
	dst, d.out.b = d.out.b, nil
	return dst
}

// appender is an io.Writer at the end of a slice.
type appender struct{ b []byte }

func (a *appender) Write(p []byte) (int, error) {
	a.b = append(a.b, p...)
	return len(p), nil
}
