package rs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"errors"
	"slices"
	"strconv"
	"strings"
	"testing"
)

func TestPacketSizesInTablesMatchGameClient(t *testing.T) {
	for _, c := range []struct {
		dir Direction
		n   int
		sum string
	}{
		{C2S, 94, "16d43347dd6a0bacb4b940dd77245e702f0190fb332d31e4a9dab6e43ec4e588"},
		{S2C, 145, "712675c63f27c466ac6e561575dab84de08d4baa18214d9c28cf868adfcedb83"},
	} {
		var sizes []string
		for i, row := range Table(c.dir) {
			sizes = append(sizes, strconv.Itoa(int(row.Size)))
			if int(row.Op) != i || row.Name == "" {
				t.Errorf("%v row %d is %+v", c.dir, i, row)
			}
		}
		sum := sha256.Sum256([]byte(strings.Join(sizes, ",")))
		if len(sizes) != c.n || hex.EncodeToString(sum[:]) != c.sum {
			t.Errorf("%v: %d sizes with hash %x, want %d with %s", c.dir, len(sizes), sum, c.n, c.sum)
		}
	}
}

func TestPacketNamesAreUnique(t *testing.T) {
	for _, d := range []Direction{C2S, S2C} {
		seen := map[string]Opcode{}
		for _, row := range Table(d) {
			if first, twice := seen[row.Name]; twice {
				t.Errorf("%v %s is %d and %d", d, row.Name, first, row.Op)
			}
			seen[row.Name] = row.Op
		}
	}
}

func TestClientOpcodeIsOneMaskedByte(t *testing.T) {
	w := NewFrameWriter(C2S, Keys{1, 2, 3, 4}.ClientCipher())
	got, err := w.Append(nil, 12, unhex(t, "160c 120c 00"))
	if err != nil || hex.EncodeToString(got) != "4a160c120c00" {
		t.Errorf("walk click is %x, %v", got, err)
	}
}

func TestServerOpcodeFrom128TakesTwoMaskedBytes(t *testing.T) {
	w := NewFrameWriter(S2C, Keys{1, 2, 3, 4}.ServerCipher())
	got, err := w.Append(nil, 69, nil)
	if err != nil {
		t.Fatal(err)
	}
	if got, err = w.Append(got, 128, []byte{1}); err != nil || hex.EncodeToString(got) != "5d0000"+"ef1f"+"000101" {
		t.Errorf("frames are %x, %v", got, err)
	}
}

// streamOfAllPackets writes one frame for every packet of direction d that may be sent alone. It also returns the bodies.
func streamOfAllPackets(tb testing.TB, d Direction, cipher *ISAAC) (stream []byte, bodies [][]byte) {
	tb.Helper()
	w := NewFrameWriter(d, cipher)
	for _, row := range Table(d) {
		if row.ZoneOnly {
			continue
		}
		size := int(row.Size)
		switch row.Size {
		case SizeByte:
			size = 255 - int(row.Op)%256
		case SizeShort:
			size = maxBody(d) - int(row.Op)
		}
		body := bytes.Repeat([]byte{uint8(row.Op) ^ 0x5a}, size)
		var err error
		if stream, err = w.Append(stream, row.Op, body); err != nil {
			tb.Fatal(err)
		}
		bodies = append(bodies, body)
	}
	return stream, bodies
}

func TestEveryPacketIsReadFromStreamWithMaskedOpcodes(t *testing.T) {
	for _, d := range []Direction{C2S, S2C} {
		for _, keys := range []*Keys{nil, {7, 8, 9, 10}} {
			in, out := cipherOf(d, keys), cipherOf(d, keys)
			stream, bodies := streamOfAllPackets(t, d, out)
			r := NewFrameReader(d, in)
			for i := 0; len(stream) > 0; i++ {
				f, n, err := r.Next(stream)
				if err != nil || n == 0 {
					t.Fatalf("%v frame %d: %d bytes, %v", d, i, n, err)
				}
				if !bytes.Equal(f.Body, bodies[i]) {
					t.Fatalf("%v opcode %d has another body", d, f.Op)
				}
				stream = stream[n:]
			}
		}
	}
}

// cipherOf returns the cipher of a direction, or nil if keys is nil.
func cipherOf(d Direction, keys *Keys) *ISAAC {
	switch {
	case keys == nil:
		return nil
	case d == C2S:
		return keys.ClientCipher()
	}
	return keys.ServerCipher()
}

func TestPartialFrameDoesNotAdvanceReaderCipher(t *testing.T) {
	for _, d := range []Direction{C2S, S2C} {
		stream, bodies := streamOfAllPackets(t, d, cipherOf(d, &Keys{1, 2, 3, 4}))
		r := NewFrameReader(d, cipherOf(d, &Keys{1, 2, 3, 4}))
		for i := range bodies {
			whole := 0
			for n := 0; whole == 0; n = min(2*n+1, len(stream)) {
				f, used, err := r.Next(stream[:n])
				if err != nil {
					t.Fatalf("%v frame %d with %d bytes: %v", d, i, n, err)
				}
				if whole = used; used > 0 && (used > n || !bytes.Equal(f.Body, bodies[i])) {
					t.Fatalf("%v frame %d: %d of %d bytes", d, i, used, n)
				}
			}
			stream = stream[whole:]
		}
		if len(stream) != 0 {
			t.Errorf("%v: %d bytes left", d, len(stream))
		}
	}
}

func TestUnfinishedFrameDoesNotAdvanceWriterCipher(t *testing.T) {
	w := NewFrameWriter(S2C, Keys{1, 2, 3, 4}.ServerCipher())
	start := []byte("before")
	for _, c := range []struct {
		op   Opcode
		body int
		want error
	}{
		{145, 0, ErrOpcode},
		{255, 0, ErrOpcode},
		{65, 6, ErrZoneOnly},
		{65, 8, ErrZoneOnly},
		{90, 19, ErrZoneOnly},
		{119, 8, ErrZoneOnly},
		{59, 1, ErrSize},
		{19, 7, ErrSize},
		{1, 256, ErrSize},
		{69, MaxServerBody + 1, ErrSize},
	} {
		got, err := w.Append(start, c.op, make([]byte, c.body))
		if !errors.Is(err, c.want) || !bytes.Equal(got, start) {
			t.Errorf("opcode %d with %d bytes: %q, %v", c.op, c.body, got, err)
		}
	}
	if _, _, err := w.Begin(nil, 128); err != nil {
		t.Fatal(err)
	}
	if got, err := w.Append(nil, 69, nil); err != nil || !slices.Equal(got, []byte{0x5d, 0, 0}) {
		t.Errorf("first completed frame is %x, %v", got, err)
	}
}

func TestFrameReaderRefusesInvalidFrames(t *testing.T) {
	for _, c := range []struct {
		dir  Direction
		b    string
		want error
	}{
		{C2S, "5e", ErrOpcode},
		{C2S, "ff", ErrOpcode},
		{C2S, "48 0401", ErrSize},
		{S2C, "80 91", ErrOpcode},
		{S2C, "81 80", ErrOpcode},
		{S2C, "80 0d", ErrOpcode},
		{S2C, "ff ff", ErrOpcode},
		{S2C, "41", ErrZoneOnly},
		{S2C, "5a", ErrZoneOnly},
		{S2C, "77", ErrZoneOnly},
		{S2C, "45 3a99", ErrSize},
	} {
		r := NewFrameReader(c.dir, nil)
		for range 2 {
			if _, n, err := r.Next(unhex(t, c.b)); n != 0 || !errors.Is(err, c.want) {
				t.Errorf("%v %s: %d bytes, %v, want %v", c.dir, c.b, n, err, c.want)
			}
		}
	}
	for _, c := range []struct {
		dir Direction
		b   string
	}{{C2S, ""}, {C2S, "48"}, {C2S, "48 04"}, {C2S, "48 0400"}, {S2C, "80"}, {S2C, "45 3a98"}, {C2S, "0c 00000000"}} {
		if _, n, err := NewFrameReader(c.dir, nil).Next(unhex(t, c.b)); n != 0 || err != nil {
			t.Errorf("%v %s: %d bytes, %v, want 0 bytes and no error", c.dir, c.b, n, err)
		}
	}
}

func TestAppendingToBodyOfReadFrameDoesNotOverwriteNextFrame(t *testing.T) {
	stream := unhex(t, "0d 07  0d 08")
	f, n, _ := NewFrameReader(S2C, nil).Next(stream)
	if _ = append(f.Body, 0xff); n != 2 || stream[2] != 0x0d {
		t.Errorf("%d bytes, then %x", n, stream)
	}
}

func TestWritingAndReadingFramesDoesNotAllocate(t *testing.T) {
	w, r := NewFrameWriter(S2C, Keys{1}.ServerCipher()), NewFrameReader(S2C, Keys{1}.ServerCipher())
	buf, body := make([]byte, 0, MaxServerFrame), make([]byte, 1000)
	if n := testing.AllocsPerRun(600, func() {
		buf, _ = w.Append(buf[:0], 69, body)
		if _, n, err := r.Next(buf); n != len(buf) || err != nil {
			t.Fatalf("%d bytes, %v", n, err)
		}
	}); n != 0 {
		t.Errorf("%v allocations for a frame", n)
	}
}

// FuzzFraming reads a stream in arbitrary pieces: frames and error must equal those of the stream in one piece, and the
// frames must be written back byte for byte.
func FuzzFraming(f *testing.F) {
	for _, d := range []Direction{C2S, S2C} {
		stream, _ := streamOfAllPackets(f, d, cipherOf(d, &Keys{1, 2, 3, 4}))
		f.Add(d == S2C, uint32(1), stream[:min(len(stream), 4000)], []byte{1, 3, 0, 200})
		f.Add(d == S2C, uint32(2), stream[:100], []byte{})
	}
	f.Fuzz(func(t *testing.T, server bool, key uint32, stream, cuts []byte) {
		d := C2S
		if server {
			d = S2C
		}
		keys := &Keys{key, key + 1, key + 2, key + 3}
		want, wantLeft, wantErr := readAll(NewFrameReader(d, cipherOf(d, keys)), stream, nil)
		got, left, err := readAll(NewFrameReader(d, cipherOf(d, keys)), stream, cuts)
		if len(got) != len(want) || left != wantLeft || (err == nil) != (wantErr == nil) || err != nil && err.Error() != wantErr.Error() {
			t.Fatalf("%d frames, %v, %d left; in one piece %d, %v, %d", len(got), err, left, len(want), wantErr, wantLeft)
		}
		w, again := NewFrameWriter(d, cipherOf(d, keys)), []byte(nil)
		for i := range got {
			if got[i].Op != want[i].Op || !bytes.Equal(got[i].Body, want[i].Body) {
				t.Fatalf("frame %d is %d %x, in one piece %d %x", i, got[i].Op, got[i].Body, want[i].Op, want[i].Body)
			}
			var err error
			if again, err = w.Append(again, got[i].Op, got[i].Body); err != nil {
				t.Fatal(err)
			}
		}
		if !bytes.Equal(again, stream[:len(stream)-left]) {
			t.Fatalf("read %x but wrote %x", stream[:len(stream)-left], again)
		}
	})
}

// readAll reads stream in pieces of the given sizes and then its remainder in one piece, like data from a socket.
func readAll(r *FrameReader, stream, cuts []byte) (frames []Frame, left int, err error) {
	have, start := 0, 0
	for {
		if len(cuts) > 0 {
			have, cuts = min(have+int(cuts[0]), len(stream)), cuts[1:]
		} else if have == len(stream) {
			return frames, len(stream) - start, nil
		} else {
			have = len(stream)
		}
		for {
			f, n, err := r.Next(stream[start:have])
			if err != nil {
				return frames, len(stream) - start, err
			}
			if n == 0 {
				break
			}
			start += n
			frames = append(frames, f)
		}
	}
}
