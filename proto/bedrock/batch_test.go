package bedrock

import (
	"bytes"
	"encoding/hex"
	"errors"
	"os"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// rawPacket is a packet with any id and body.
type rawPacket struct {
	id   ID
	body []byte
}

func (p rawPacket) ID() ID                            { return p.id }
func (p rawPacket) Append(b []byte, _ Version) []byte { return append(b, p.body...) }

func readBatch(tb testing.TB, name string) []byte {
	tb.Helper()
	text, err := os.ReadFile("testdata/" + name + ".hex")
	if err != nil {
		tb.Fatal(err)
	}
	var digits strings.Builder
	for line := range strings.Lines(string(text)) {
		if !strings.HasPrefix(line, "#") {
			digits.WriteString(strings.TrimSpace(line))
		}
	}
	b, err := hex.DecodeString(digits.String())
	if err != nil {
		tb.Fatal(err)
	}
	return b
}

func readPackets(t *testing.T, payload []byte) (packets [][]byte) {
	t.Helper()
	err := EachPacket(payload, MaxBatchPackets, func(p []byte) error {
		packets = append(packets, p)
		return nil
	})
	if err != nil {
		t.Fatal(err)
	}
	return packets
}

func TestCapturedBatchesRoundTrip(t *testing.T) {
	for name, want := range map[string]struct {
		compressor int // value of the compressor byte; -1 if the batch has none
		ids        []ID
	}{
		"batch_pre_settings":                 {-1, []ID{193}},
		"batch_uncompressed_below_threshold": {CompressorNone, []ID{2, 6}},
		"batch_deflate":                      {CompressorDeflate, []ID{11, 162, 122}},
	} {
		b := readBatch(t, name)
		if b[0] != BatchID {
			t.Fatalf("%s begins with %#x", name, b[0])
		}
		payload := b[1:]
		if want.compressor >= 0 {
			if int(b[1]) != want.compressor {
				t.Errorf("%s: compressor %#x, want %#x", name, b[1], want.compressor)
			}
			var f Inflater
			var err error
			if payload, err = f.Decompress(nil, b[1:], MaxPlayBatch); err != nil {
				t.Fatalf("%s: %v", name, err)
			}
		}
		var ids []ID
		var w BatchWriter
		for _, p := range readPackets(t, payload) {
			id, _, _, body, err := ParseHeader(p)
			if err != nil {
				t.Fatal(err)
			}
			ids = append(ids, id)
			AddPacket(&w, rawPacket{id, body}, V2169)
		}
		if !slices.Equal(ids, want.ids) {
			t.Errorf("%s has packets %v, want %v", name, ids, want.ids)
		}
		if !bytes.Equal(w.Bytes(), payload) || w.PacketCount() != len(want.ids) {
			t.Errorf("%s: wrote %x, want %x", name, w.Bytes(), payload)
		}
		if want.compressor == CompressorNone {
			var d Deflater
			if again := d.Compress([]byte{BatchID}, payload, CompressThreshold); !bytes.Equal(again, b) {
				t.Errorf("%s: wrote %x, want %x", name, again, b)
			}
		}
	}
}

func TestPacketLengthInBatchHasShortestEncoding(t *testing.T) {
	for _, size := range []int{0, 1, 126, 127, 128, 16382, 16383, 16384, 70000} {
		var typed, untyped, raw BatchWriter
		p := rawPacket{5, bytes.Repeat([]byte{0xab}, size)}
		packet := AppendPacket(nil, p, V2169)
		for range 2 {
			AddPacket(&typed, p, V2169)
			untyped.Add(p, V2169)
			raw.AddBytes(packet)
		}
		want := wire.VarBytes(wire.VarBytes(nil, packet), packet)
		for _, w := range []*BatchWriter{&typed, &untyped, &raw} {
			if !bytes.Equal(w.Bytes(), want) || w.Len() != len(want) || w.PacketCount() != 2 {
				t.Errorf("%d bytes: wrote %d bytes and %d packets, want %d and 2", size, w.Len(), w.PacketCount(), len(want))
			}
			if w.Reset(); w.Len() != 0 || w.PacketCount() != 0 {
				t.Errorf("%d bytes and %d packets are left", w.Len(), w.PacketCount())
			}
		}
	}
}

func TestBatchFilledToCapacityIsAcceptedByReceiver(t *testing.T) {
	for _, size := range []int{1, 100, 600, 1000, 100_000} {
		var w BatchWriter
		packet := make([]byte, size)
		for w.Room() >= len(packet) {
			w.AddBytes(packet)
		}
		if left := w.Room(); left > 0 {
			w.AddBytes(make([]byte, left))
		}
		if w.Room() != 0 || w.Len() >= MaxPlayBatch || w.PacketCount() > MaxBatchPackets {
			t.Errorf("packets of %d: %d in %d bytes and room for %d", size, w.PacketCount(), w.Len(), w.Room())
		}
		var d Deflater
		var f Inflater
		payload, err := f.Decompress(nil, d.Compress(nil, w.Bytes(), CompressThreshold), MaxPlayBatch)
		if err != nil || len(readPackets(t, payload)) != w.PacketCount() {
			t.Errorf("packets of %d: the peer refuses it: %v", size, err)
		}
	}
}

func TestBatchWithTooManyPacketsIsRefused(t *testing.T) {
	one := []byte{1, 9}
	for _, limit := range []int{MaxBatchPackets, MaxHandshakePackets} {
		if n, err := CountPackets(bytes.Repeat(one, limit), limit); n != limit || err != nil {
			t.Errorf("%d packets: %d, %v", limit, n, err)
		}
		err := EachPacket(bytes.Repeat(one, limit+1), limit, func([]byte) error {
			t.Fatal("callback called for a refused batch")
			return nil
		})
		if !errors.Is(err, ErrBatchCount) {
			t.Errorf("%d packets: %v", limit+1, err)
		}
	}
}

func TestBatchWithMalformedPacketLengthIsRefused(t *testing.T) {
	for name, c := range map[string]struct {
		payload []byte
		want    error
		fault   string
	}{
		"no bytes in a packet":        {[]byte{1, 9, 0}, ErrBatchEmpty, "empty"},
		"only an empty packet":        {[]byte{0}, ErrBatchEmpty, "empty"},
		"length beyond the end":       {[]byte{1, 9, 2, 9}, wire.ErrShort, "short"},
		"length of 4 GiB":             {[]byte{0xff, 0xff, 0xff, 0xff, 0x0f, 9}, wire.ErrShort, "short"},
		"truncated length":            {[]byte{1, 9, 0x80}, wire.ErrShort, "short"},
		"length of more than 32 bits": {[]byte{0xff, 0xff, 0xff, 0xff, 0x1f, 9}, wire.ErrRange, "range"},
		"unterminated length":         {bytes.Repeat([]byte{0x80}, 9), wire.ErrRange, "range"},
		"length not in shortest form": {[]byte{0x81, 0x00, 9}, wire.ErrRange, "range"},
		"negative 64-bit length":      {[]byte{0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0xff, 0x01}, wire.ErrRange, "range"},
	} {
		err := EachPacket(c.payload, MaxBatchPackets, func([]byte) error {
			t.Errorf("%s: callback called for a refused batch", name)
			return nil
		})
		if !errors.Is(err, c.want) || BatchFault(err) != c.fault {
			t.Errorf("%s: %v (%s), want %v (%s)", name, err, BatchFault(err), c.want, c.fault)
		}
	}
}

func TestIterationOverPacketsOfBatchStopsAtFirstCallbackError(t *testing.T) {
	stop, calls := errors.New("enough"), 0
	err := EachPacket([]byte{1, 9, 1, 9, 1, 9}, MaxBatchPackets, func([]byte) error {
		calls++
		if calls == 2 {
			return stop
		}
		return nil
	})
	if err != stop || calls != 2 || BatchFault(err) != "other" {
		t.Errorf("%v after %d calls", err, calls)
	}
}

func TestBatchBudgetAllowsBurstThenAverageRate(t *testing.T) {
	const start = 1_700_000_000_000
	var b BatchBudget
	drain := func(now int64) (batches, packets int) {
		for b.AllowBatch(now) {
			batches++
		}
		for b.AllowPackets(now, 1) {
			packets++
		}
		return batches, packets
	}
	for _, c := range []struct {
		now              int64
		batches, packets int
	}{
		{start, BatchesPerSecond * BudgetBurst, PacketsPerSecond * BudgetBurst},
		{start, 0, 0},
		{start + 1000, BatchesPerSecond, PacketsPerSecond},
		{start + 1005, 0, 2},
		{start + 1010, 1, 2},
		{start + 500, 0, 0}, // time goes backwards: no tokens are restored
		{start + 3_600_000, BatchesPerSecond * BudgetBurst, PacketsPerSecond * BudgetBurst},
	} {
		if batches, packets := drain(c.now); batches != c.batches || packets != c.packets {
			t.Errorf("at +%d: %d batches and %d packets, want %d and %d", c.now-start, batches, packets, c.batches, c.packets)
		}
	}
	if full := (BatchBudget{}); full.AllowPackets(start, PacketsPerSecond*BudgetBurst+1) || !full.AllowPackets(start, PacketsPerSecond*BudgetBurst) {
		t.Error("packets beyond the burst were accepted, or spent tokens")
	}
}
