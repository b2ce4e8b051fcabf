package bedrock

import (
	"bytes"
	stdflate "compress/flate"
	"errors"
	"io"
	"math/rand/v2"
	"runtime"
	"testing"

	"github.com/klauspost/compress/snappy"

	"github.com/truestep-io/truestep/proto/wire"
)

// movementBytes returns n packets of 16 bytes that resemble movement packets: 5 bytes differ from packet to packet.
func movementBytes(n int) []byte {
	r := rand.New(rand.NewPCG(1, 2))
	b := make([]byte, n)
	for i := range b {
		if b[i] = byte(0x30 + i%16); i%16 > 10 {
			b[i] = byte(r.Uint32())
		}
	}
	return b
}

// deflated returns b as a deflate stream that the standard library has compressed.
func deflated(tb testing.TB, b []byte) []byte {
	var out bytes.Buffer
	w, err := stdflate.NewWriter(&out, stdflate.BestSpeed)
	if err != nil {
		tb.Fatal(err)
	}
	_, _ = w.Write(b)
	_ = w.Close()
	return out.Bytes()
}

func TestDeflatedBatchRoundTrips(t *testing.T) {
	var d Deflater
	var f Inflater
	for _, size := range []int{0, 1, 255, 256, 257, 5000, 70000, MaxPlayBatch} {
		payload := movementBytes(size)
		b := d.Compress([]byte{7}, payload, 0)
		if b[0] != 7 || b[1] != CompressorDeflate {
			t.Fatalf("batch begins with %x", b[:2])
		}
		std, err := io.ReadAll(stdflate.NewReader(bytes.NewReader(b[2:])))
		if err != nil || !bytes.Equal(std, payload) {
			t.Errorf("%d bytes: the standard library reads %d bytes, %v", size, len(std), err)
		}
		for _, packed := range [][]byte{b[1:], append([]byte{CompressorDeflate}, deflated(t, payload)...)} {
			if got, err := f.Decompress(nil, packed, MaxPlayBatch); err != nil || !bytes.Equal(got, payload) {
				t.Errorf("%d bytes: read %d, %v", size, len(got), err)
			}
		}
	}
}

func TestSnappyBatchIsDecompressed(t *testing.T) {
	var f Inflater
	for _, payload := range [][]byte{nil, movementBytes(10), movementBytes(100_000), make([]byte, MaxPlayBatch)} {
		got, err := f.Decompress(nil, append([]byte{CompressorSnappy}, snappy.Encode(nil, payload)...), MaxPlayBatch)
		if err != nil || !bytes.Equal(got, payload) {
			t.Errorf("%d bytes: read %d, %v", len(payload), len(got), err)
		}
	}
}

func TestCompressionThresholdAppliesOnlyToSentBatches(t *testing.T) {
	var d Deflater
	var f Inflater
	for size, want := range map[int]byte{0: CompressorNone, CompressThreshold - 1: CompressorNone, CompressThreshold: CompressorDeflate} {
		if b := d.Compress(nil, movementBytes(size), CompressThreshold); b[0] != want {
			t.Errorf("%d bytes go with %#x, want %#x", size, b[0], want)
		}
	}
	for _, b := range [][]byte{
		d.Compress(nil, movementBytes(3), 0),            // small payload, deflated
		append([]byte{0xff}, movementBytes(100_000)...), // large payload, not deflated
	} {
		if _, err := f.Decompress(nil, b, MaxPlayBatch); err != nil {
			t.Error(err)
		}
	}
}

func TestMalformedCompressedBatchIsRefused(t *testing.T) {
	good := append([]byte{CompressorDeflate}, deflated(t, movementBytes(3000))...)
	snapped := append([]byte{CompressorSnappy}, snappy.Encode(nil, movementBytes(3000))...)
	for name, c := range map[string]struct {
		b     []byte
		want  error
		fault string
	}{
		"nothing":                       {nil, wire.ErrShort, "short"},
		"unknown compressor":            {[]byte{2, 0}, ErrBatchCompressor, "compressor"},
		"empty deflate stream":          {[]byte{0}, ErrBatchCorrupt, "corrupt"},
		"truncated deflate stream":      {good[:len(good)-1], ErrBatchCorrupt, "corrupt"},
		"reserved deflate block type":   {[]byte{0, 0x07}, ErrBatchCorrupt, "corrupt"},
		"empty snappy block":            {[]byte{1}, ErrBatchCorrupt, "corrupt"},
		"truncated snappy block":        {snapped[:len(snapped)-1], ErrBatchCorrupt, "corrupt"},
		"snappy length overflows":       {[]byte{1, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, ErrBatchCorrupt, "corrupt"},
		"snappy repeat extension":       {[]byte{1, 8, 0x00, 'a', 0x01, 0x00, 0x01, 0x00}, ErrBatchCorrupt, "corrupt"}, // snappy's repeat extension, which Bedrock clients do not support
		"uncompressed beyond the limit": {append([]byte{0xff}, make([]byte, MaxPlayBatch+1)...), ErrBatchSize, "size"},
		"10 MB of garbage":              {make([]byte, 10<<20), ErrBatchSize, "size"},
		"10 MB uncompressed":            {append([]byte{0xff}, make([]byte, 10<<20)...), ErrBatchSize, "size"},
		"many empty deflate blocks":     {append([]byte{0}, bytes.Repeat([]byte{0, 0, 0, 0xff, 0xff}, MaxPlayBatch/3)...), ErrBatchSize, "size"},
	} {
		var f Inflater
		got, err := f.Decompress(nil, c.b, MaxPlayBatch)
		if got != nil || !errors.Is(err, c.want) || BatchFault(err) != c.fault {
			t.Errorf("%s: %d bytes, %v (%s), want %v (%s)", name, len(got), err, BatchFault(err), c.want, c.fault)
		}
	}
}

func TestInflatingBatchStopsAtSizeLimit(t *testing.T) {
	var f Inflater
	for _, limit := range []int{1, 1000, MaxPlayBatch, MaxLoginBatch} {
		for size, ok := range map[int]bool{limit - 1: true, limit: true, limit + 1: false, 3 * limit: false} {
			for _, b := range [][]byte{
				append([]byte{CompressorDeflate}, deflated(t, make([]byte, size))...),
				append([]byte{CompressorSnappy}, snappy.Encode(nil, make([]byte, size))...),
			} {
				if len(b) > MaxCompressedBatch {
					continue // Decompress refuses a body of this length without decompressing it
				}
				got, err := f.Decompress(nil, b, limit)
				if ok != (err == nil) || ok && len(got) != size || !ok && !errors.Is(err, ErrBatchSize) {
					t.Errorf("%d bytes under %d, compressor %d: %d bytes, %v", size, limit, b[0], len(got), err)
				}
			}
		}
	}
}

// A decompression bomb allocates memory only up to the limit, and a false length claim allocates nothing.
func TestDecompressionBombsAndFalseLengthsUseBoundedMemory(t *testing.T) {
	bomb := append([]byte{CompressorDeflate}, deflated(t, make([]byte, 64<<20))...)
	if len(bomb) > MaxCompressedBatch {
		t.Fatalf("bomb of %d bytes exceeds MaxCompressedBatch", len(bomb))
	}
	claim := append(wire.VarU32([]byte{CompressorSnappy}, MaxLoginBatch), 0, 'a')
	var f Inflater
	for name, c := range map[string]struct {
		b     []byte
		want  error
		bytes uint64
	}{
		"a bomb of 64 MB":                     {bomb, ErrBatchSize, 3 * MaxLoginBatch}, // the output buffer doubles, so more than its final size is allocated
		"claimed length of 4 MB without data": {claim, ErrBatchCorrupt, 16 << 10},
	} {
		var before, after runtime.MemStats
		runtime.ReadMemStats(&before)
		_, err := f.Decompress(nil, c.b, MaxLoginBatch)
		runtime.ReadMemStats(&after)
		if used := after.TotalAlloc - before.TotalAlloc; !errors.Is(err, c.want) || used > c.bytes {
			t.Errorf("%s: %v, %d bytes allocated, want at most %d", name, err, used, c.bytes)
		}
	}
}

func TestDecompressReusesGivenBuffer(t *testing.T) {
	var f Inflater
	payload := movementBytes(3000)
	for _, b := range [][]byte{
		append([]byte{CompressorDeflate}, deflated(t, payload)...),
		append([]byte{CompressorSnappy}, snappy.Encode(nil, payload)...),
	} {
		room := make([]byte, 5, 4000)
		got, err := f.Decompress(room, b, MaxPlayBatch)
		if err != nil || !bytes.Equal(got, payload) || &got[0] != &room[0] {
			t.Errorf("compressor %d: %d bytes, %v, not in the given buffer", b[0], len(got), err)
		}
	}
}

func TestBatchCompressionAndParsingDoNotAllocate(t *testing.T) {
	var w BatchWriter
	var d Deflater
	var f Inflater
	p := rawPacket{144, movementBytes(200)}
	out, back := make([]byte, 0, 4<<10), make([]byte, 0, 4<<10)
	allocs := testing.AllocsPerRun(200, func() {
		w.Reset()
		for range 10 {
			w.AddBytes(p.body)
		}
		out = d.Compress(out[:0], w.Bytes(), CompressThreshold)
		back, _ = f.Decompress(back, out, MaxPlayBatch)
		n, _ := CountPackets(back, MaxBatchPackets)
		_ = EachPacket(back, n, func([]byte) error { return nil })
	})
	if allocs != 0 || !bytes.Equal(back, w.Bytes()) {
		t.Errorf("%v allocations", allocs)
	}
}

func FuzzDecompress(f *testing.F) {
	for _, name := range []string{"batch_uncompressed_below_threshold", "batch_deflate"} {
		f.Add(readBatch(f, name)[1:])
	}
	f.Add(append([]byte{CompressorSnappy}, snappy.Encode(nil, movementBytes(300))...))
	f.Add(append([]byte{CompressorDeflate}, deflated(f, make([]byte, 100_000))...))
	var in Inflater // shared by all inputs, so that the test detects state that an input leaves behind
	var d Deflater
	f.Fuzz(func(t *testing.T, b []byte) {
		const limit = 64 << 10
		got, err := in.Decompress(nil, b, limit)
		if err != nil {
			if got != nil || BatchFault(err) == "other" {
				t.Fatalf("%d bytes with error %v", len(got), err)
			}
			return
		}
		if len(got) > limit {
			t.Fatalf("%d bytes, at most %d", len(got), limit)
		}
		again, err := in.Decompress(nil, d.Compress(nil, got, 0), limit)
		if err != nil || !bytes.Equal(again, got) {
			t.Fatalf("%d bytes came back as %d, %v", len(got), len(again), err)
		}
	})
}

func FuzzEachPacket(f *testing.F) {
	f.Add(readBatch(f, "batch_pre_settings")[1:])
	f.Add(readBatch(f, "batch_uncompressed_below_threshold")[2:])
	f.Add([]byte{0x80, 0x01, 1, 2, 3})
	f.Fuzz(func(t *testing.T, payload []byte) {
		const limit = 20
		var w BatchWriter
		err := EachPacket(payload, limit, func(p []byte) error {
			w.AddBytes(p)
			return nil
		})
		switch {
		case err != nil && (w.PacketCount() != 0 || BatchFault(err) == "other"):
			t.Fatalf("%d packets before %v", w.PacketCount(), err)
		case err == nil && (!bytes.Equal(w.Bytes(), payload) || w.PacketCount() > limit):
			t.Fatalf("%d packets, read %x, wrote %x", w.PacketCount(), payload, w.Bytes())
		}
	})
}

func BenchmarkCompress(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"bytes=200", 200}, {"bytes=2048", 2048}, {"bytes=65536", 65536}} {
		b.Run(c.name, func(b *testing.B) {
			var d Deflater
			payload, out := movementBytes(c.n), make([]byte, 0, 2*c.n)
			b.SetBytes(int64(c.n))
			b.ReportAllocs()
			for b.Loop() {
				out = d.Compress(out[:0], payload, 0)
			}
			b.ReportMetric(float64(c.n)/float64(len(out)), "ratio")
		})
	}
}

func BenchmarkDecompress(b *testing.B) {
	for _, c := range []struct {
		name string
		n    int
	}{{"bytes=200", 200}, {"bytes=2048", 2048}} {
		b.Run(c.name, func(b *testing.B) {
			var d Deflater
			var f Inflater
			packed, out := d.Compress(nil, movementBytes(c.n), 0), make([]byte, 0, 2*c.n)
			b.SetBytes(int64(c.n))
			b.ReportAllocs()
			for b.Loop() {
				out, _ = f.Decompress(out, packed, MaxPlayBatch)
			}
		})
	}
}
