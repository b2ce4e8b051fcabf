package tape

import (
	"bytes"
	"encoding/binary"
	"encoding/hex"
	"errors"
	"flag"
	"io"
	"math"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

var update = flag.Bool("update", false, "write the vectors in testdata")

var testPacker = newPacker() // shared by the tests, which are not parallel

func sampleHeader() header {
	return header{Serial: 3, Life: 1, First: 40, Chain: 0x0123456789abcdef, Seed: 7, Digest: 0xfeedface, WallMS: 1_795_000_000_000,
		Area: 2, TicksPerSecond: 20, Start: startNext, Program: "build", World: "fields", Name: "West Field"}
}

// sampleTicks returns ticks from 41 on with claims and inputs of two players, and also with other intents if others is true.
func sampleTicks(others bool) (list []Tick) {
	chain := sampleHeader().Chain
	var rec []byte
	for i := range 6 {
		t := Tick{Tick: sim.Tick(41 + i), WallMS: 1_795_000_000_050 + 50*int64(i) + int64(i%2), PrevHash: uint64(i) * 0x9e3779b97f4a7c15, Saved: sim.Tick(30 + i/2)}
		step := float32(i)
		claim := sim.Intent{Kind: sim.IntentClaim, Who: 5, AtMS: int64(2000 + 50*i), Claim: move.Claim{X: 10 + step/4, Y: 1.5, Z: 20 - step/3, DestX: 40, DestZ: -3, Running: i%2 == 0}}
		input := sim.Intent{Kind: sim.IntentInput, Who: 6, AtMS: int64(2010 + 50*i), Input: move.Input{Tick: uint64(900 + i), Yaw: 90 + step, HeadYaw: 90 + step, Flags: 3, RTT: uint16(40 + i)}}
		input.Input.Pos.X, input.Input.Delta.X = 100+0.2*step, 0.2
		t.Intents = append(t.Intents, claim, input)
		if others {
			t.Intents = append(t.Intents, sim.Intent{Kind: sim.IntentChat, Who: 5, AtMS: 2020, Text: "hello"})
			odd := claim
			odd.Target = 9 // a claim with the field Target, which no claim needs
			t.Intents = append(t.Intents, odd)
		}
		rec = appendRecord(rec[:0], recordTick, &t)
		chain = sealRecord(rec, chain)
		t.chain = chain
		list = append(list, t)
	}
	return list
}

// rawSegment returns a raw segment of ticks, with an end record if it is closed.
func rawSegment(h header, ticks []Tick, closed bool) []byte {
	b, chain := h.append(nil, kindRaw), h.Chain
	add := func(kind recordKind, t *Tick) {
		from := len(b)
		b = appendRecord(b, kind, t)
		chain = sealRecord(b[from:], chain)
	}
	for i := range ticks {
		add(recordTick, &ticks[i])
	}
	if closed {
		last := ticks[len(ticks)-1]
		add(recordEnd, &Tick{Tick: last.Tick, WallMS: last.WallMS, Saved: last.Tick})
	}
	return b
}

// readAll reads a segment from bytes. err is nil if the segment could be read to its end.
func readAll(b []byte, suffix string) (s *segmentReader, ticks []Tick, err error) {
	d := newDisk()
	name := segmentName(3, suffix)
	d.names[name], d.files = 0, [][]byte{b}
	if s, err = openSegment(d, name, testPacker); err != nil {
		return nil, nil, err
	}
	for {
		var t Tick
		if err := s.next(&t); errors.Is(err, io.EOF) {
			return s, ticks, nil
		} else if err != nil {
			return s, ticks, err
		}
		ticks = append(ticks, t)
	}
}

func tapeSegment(t testing.TB, raw, snapshot []byte) []byte {
	t.Helper()
	d := newDisk()
	d.names["0000000003.wal"], d.files = 0, [][]byte{raw}
	s, err := openSegment(d, "0000000003.wal", newPacker())
	if err != nil {
		t.Fatal(err)
	}
	b, complete, err := newPacker().compress(nil, s, snapshot)
	if err != nil || !complete {
		t.Fatal(complete, err)
	}
	return b
}

func sameTicks(t *testing.T, got, want []Tick) {
	t.Helper()
	if len(got) != len(want) {
		t.Fatalf("%d ticks, want %d", len(got), len(want))
	}
	for i := range got {
		a, b := appendRecord(nil, recordTick, &got[i]), appendRecord(nil, recordTick, &want[i])
		if !bytes.Equal(a, b) || got[i].chain != want[i].chain {
			t.Errorf("tick %d is %+v, want %+v", want[i].Tick, got[i], want[i])
		}
	}
}

func TestRawAndCompressedSegmentsDecodeToSameTicks(t *testing.T) {
	h, want := sampleHeader(), sampleTicks(true)
	for _, closed := range []bool{false, true} {
		raw := rawSegment(h, want, closed)
		s, got, err := readAll(raw, suffixRaw)
		if err != nil || s.closed != closed || s.header != h {
			t.Fatalf("raw: closed %v, %+v, %v", s.closed, s.header, err)
		}
		sameTicks(t, got, want)
		snapshot := bytes.Repeat([]byte("state"), 50)
		s, got, err = readAll(tapeSegment(t, raw, snapshot), suffixTape)
		if err != nil || s.closed != closed || s.header != h || !bytes.Equal(s.snapshot, snapshot) {
			t.Fatalf("compressed: closed %v, %+v, %v", s.closed, s.header, err)
		}
		sameTicks(t, got, want)
	}
}

func TestOnlyClaimsAndInputsAreEncodedAsColumns(t *testing.T) {
	var g groupWriter
	for i, want := range []uint8{kindClaim, kindInput, kindOther, kindOther} {
		if got := g.kindOf(&sampleTicks(true)[0].Intents[i]); got != want {
			t.Errorf("intent %d is of kind %d, want %d", i, got, want)
		}
	}
	minusZero := sim.Intent{Kind: sim.IntentClaim, Who: 1}
	minusZero.Input.Pitch = float32(negativeZero())
	if got := g.kindOf(&minusZero); got != kindOther {
		t.Error("a claim with an input of -0 is split into the columns of a claim")
	}
}

func negativeZero() float64 { return math.Copysign(0, -1) }

// Reading the first bytes of a raw segment yields the ticks that are complete in these bytes. Reading only the first bytes of a
// compressed segment is an error.
func TestTruncatedSegmentYieldsCompleteTicksOrError(t *testing.T) {
	h, ticks := sampleHeader(), sampleTicks(true)
	raw := rawSegment(h, ticks, true)
	start := len(h.append(nil, kindRaw))
	for n := range raw {
		s, got, err := readAll(raw[:n], suffixRaw)
		switch {
		case n < start:
			if !errors.Is(err, errShort) {
				t.Fatalf("%d bytes of a header: %v", n, err)
			}
		case err != nil && !errors.Is(err, errShort):
			t.Fatalf("%d bytes: %v", n, err)
		case s.closed:
			t.Fatalf("%d bytes of %d are closed", n, len(raw))
		default:
			sameTicks(t, got, ticks[:len(got)])
		}
	}
	packed := tapeSegment(t, raw, []byte("state"))
	for n := range packed {
		if _, _, err := readAll(packed[:n], suffixTape); err == nil {
			t.Fatalf("a compressed segment of %d bytes was read from its first %d", len(packed), n)
		}
	}
	if _, _, err := readAll(append(bytes.Clone(packed), 0), suffixTape); err == nil {
		t.Error("a trailing byte was accepted")
	}
}

func TestChangedByteInSegmentIsDetected(t *testing.T) {
	raw := rawSegment(sampleHeader(), sampleTicks(true), true)
	packed := tapeSegment(t, raw, []byte("state"))
	for suffix, b := range map[string][]byte{suffixRaw: raw, suffixTape: packed} {
		for i := range b {
			b[i] ^= 0x10
			if _, _, err := readAll(b, suffix); err == nil {
				t.Errorf("%s: byte %d may change", suffix, i)
			}
			b[i] ^= 0x10
		}
	}
}

func TestReorderedTapeRecordsAreRefused(t *testing.T) {
	h, ticks := sampleHeader(), sampleTicks(false)
	one, two := rawSegment(h, ticks[:1], false), rawSegment(h, ticks[:2], false)
	swapped := append(bytes.Clone(one), one[len(h.append(nil, kindRaw)):]...) // a segment that contains its first record twice
	if _, got, err := readAll(swapped, suffixRaw); err == nil || len(got) != 1 {
		t.Errorf("a repeated record: %d ticks, %v", len(got), err)
	}
	missing := append(h.append(nil, kindRaw), two[len(one):]...)
	if _, got, err := readAll(missing, suffixRaw); err == nil || len(got) != 0 {
		t.Errorf("a missing record: %d ticks, %v", len(got), err)
	}
}

// The vectors are files in the format of docs/tape.md. Their intents are claims and inputs only, because the encoding of other
// intents contains the version of the intent codec and changes with it.
func TestTapeEncodersReproduceStoredTestVectors(t *testing.T) {
	h := sampleHeader()
	ticks := sampleTicks(false)
	x := index{Groups: []indexEntry{{41, 1_795_000_000_050, 99}}, Ticks: 6, WallMS: 1_795_000_000_301, Saved: 32, Chain: 5, Closed: true}
	var g groupWriter
	g.reset(&ticks[0], h.Chain)
	for i := range ticks {
		g.add(&ticks[i])
	}
	g.after = 1 // a fixed chain value, because the real one depends on the version of sim.AppendIntents
	empty := Tick{Tick: 41, WallMS: 1_795_000_000_050, PrevHash: 77, Saved: 30}
	rec := appendRecordStart(nil, recordEnd, &empty)
	sealRecord(rec, h.Chain)
	for name, b := range map[string][]byte{
		"header": h.append(nil, kindRaw),
		"record": rec,
		"index":  x.append(nil),
		"block":  appendBlock(nil, blockSnapshot, newPacker().append(nil, []byte("state"))),
		"group":  newPacker().appendGroup(nil, &g),
	} {
		path := filepath.Join("testdata", name+".hex")
		if *update {
			if err := os.WriteFile(path, []byte(hexLines(b)), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		want, err := os.ReadFile(path)
		if err != nil {
			t.Fatal(err)
		}
		if got := hexLines(b); got != string(want) {
			t.Errorf("%s is\n%swant\n%s", name, got, want)
		}
	}
	r, err := newPacker().readGroup(newPacker().appendGroup(nil, &g))
	if err != nil {
		t.Fatal(err)
	}
	for i := range ticks {
		var got Tick
		if err := r.next(&got); err != nil {
			t.Fatal(err)
		}
		sameTicks(t, []Tick{got}, ticks[i:i+1])
	}
	if got, err := parseIndex(x.append(nil)); err != nil || got.Groups[0] != x.Groups[0] || got.Chain != x.Chain || !got.Closed {
		t.Errorf("index %+v, %v", got, err)
	}
}

func hexLines(b []byte) string {
	var out strings.Builder
	for i := 0; i < len(b); i += 32 {
		out.WriteString(hex.EncodeToString(b[i:min(i+32, len(b))]) + "\n")
	}
	return out.String()
}

func TestTickWithTooManyIntentsIsRefusedBeforeItIsRead(t *testing.T) {
	b := sim.AppendIntents(nil, nil)[:1]
	b = binary.AppendVarint(b, maxIntents+1)
	b = append(b, make([]byte, 3*(maxIntents+1))...)
	if _, err := parseIntents(nil, b); err == nil || !strings.Contains(err.Error(), "more than") {
		t.Errorf("%v", err)
	}
}

func FuzzParseHeader(f *testing.F) {
	h := sampleHeader()
	f.Add(h.append(nil, kindRaw))
	f.Fuzz(func(t *testing.T, b []byte) {
		h, n, err := parseHeader(fixCRC(b), kindRaw)
		if err != nil {
			return
		}
		if again := h.append(nil, kindRaw); !bytes.Equal(again, fixCRC(b)[:n]) {
			t.Fatalf("accepted %x but wrote %x", b[:n], again)
		}
	})
}

// fixCRC returns b with the correct CRC in the header. It returns b unchanged if b is too short for a header.
func fixCRC(b []byte) []byte {
	if len(b) < headerStart+4 {
		return b
	}
	n := headerStart + int(binary.LittleEndian.Uint32(b[headerStart-4:]))
	if n > len(b)-4 || n < headerStart {
		return b
	}
	b = bytes.Clone(b)
	binary.LittleEndian.PutUint32(b[n:], crcOf(b[:n]))
	return b
}

func FuzzParseRecord(f *testing.F) {
	t := sampleTicks(true)[0]
	f.Add(appendRecord(nil, recordTick, &t)[recordHead+recordChain:])
	f.Fuzz(func(t *testing.T, b []byte) {
		rec := append(make([]byte, recordHead+recordChain), b...)
		sealRecord(rec, 9)
		var tick Tick
		kind, err := parseRecord(rec, 9, &tick)
		if err != nil {
			return
		}
		again := appendRecord(nil, kind, &tick)
		sealRecord(again, 9)
		if !bytes.Equal(again, rec) {
			t.Fatalf("accepted %x but wrote %x", rec, again)
		}
	})
}

func FuzzReadGroup(f *testing.F) {
	for _, others := range []bool{false, true} {
		ticks := sampleTicks(others)
		var g groupWriter
		g.reset(&ticks[0], 1)
		for i := range ticks {
			g.add(&ticks[i])
		}
		f.Add(newPacker().appendGroup(nil, &g))
	}
	pack := newPacker()
	f.Fuzz(func(t *testing.T, b []byte) {
		g, err := pack.readGroup(b)
		if err != nil {
			return
		}
		var columns [numColumns][]byte
		for i := range g.columns {
			columns[i] = g.columns[i].b
		}
		var again groupWriter
		for n := 0; ; n++ {
			var tick Tick
			chain := g.chain
			if err := g.next(&tick); errors.Is(err, io.EOF) {
				break
			} else if err != nil {
				return
			}
			if n == 0 {
				again.reset(&tick, chain)
			}
			again.add(&tick)
		}
		for i := range columns {
			if !bytes.Equal(columns[i], again.columns[i]) {
				t.Fatalf("column %d: accepted %x but wrote %x", i, columns[i], again.columns[i])
			}
		}
	})
}

func FuzzParseIndex(f *testing.F) {
	x := index{Groups: []indexEntry{{1, 2, 3}}, Ticks: 6}
	f.Add(x.append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		x, err := parseIndex(b)
		if err != nil {
			return
		}
		if again := x.append(nil); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}

func FuzzReadSegment(f *testing.F) {
	raw := rawSegment(sampleHeader(), sampleTicks(true), true)
	f.Add(raw, false)
	f.Add(tapeSegment(f, raw, []byte("state")), true)
	f.Fuzz(func(t *testing.T, b []byte, compressed bool) {
		suffix := suffixRaw
		if compressed {
			suffix = suffixTape
		}
		_, _, _ = readAll(b, suffix)
	})
}
