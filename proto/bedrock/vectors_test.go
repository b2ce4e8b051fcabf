package bedrock

import (
	"bytes"
	"encoding/hex"
	"encoding/json"
	"errors"
	"os"
	"path/filepath"
	"testing"

	"github.com/truestep-io/truestep/proto/wire"
)

// packetVector is one packet of testdata/vectors*.json.
type packetVector struct {
	ID       string
	Protocol Version
	Packet   string
	PacketID ID `json:"packet_id"`
	Hex      string

	whole, body []byte
}

func loadPacketVectors(tb testing.TB) []packetVector {
	tb.Helper()
	files, err := filepath.Glob("testdata/vectors*.json")
	if err != nil || len(files) == 0 {
		tb.Fatalf("no vectors: %v", err)
	}
	var all []packetVector
	for _, name := range files {
		text, err := os.ReadFile(name)
		if err != nil {
			tb.Fatal(err)
		}
		var file struct{ Vectors []packetVector }
		if err := json.Unmarshal(text, &file); err != nil {
			tb.Fatalf("%s: %v", name, err)
		}
		for _, v := range file.Vectors {
			if v.whole, err = hex.DecodeString(v.Hex); err != nil {
				tb.Fatalf("%s: %s: %v", name, v.ID, err)
			}
			if _, _, _, v.body, err = ParseHeader(v.whole); err != nil {
				tb.Fatalf("%s: %s: %v", name, v.ID, err)
			}
			all = append(all, v)
		}
	}
	return all
}

func TestPacketVectorsRoundTrip(t *testing.T) {
	for _, v := range loadPacketVectors(t) {
		t.Run(v.ID, func(t *testing.T) {
			row, ok := Lookup(v.PacketID)
			if !ok {
				t.Fatalf("packet %d is not in the table", v.PacketID)
			}
			if row.Name != v.Packet {
				t.Errorf("packet %d is %s, the vector says %s", v.PacketID, row.Name, v.Packet)
			}
			p, err := Parse(v.whole, v.Protocol)
			if err != nil {
				t.Fatal(err)
			}
			want := AppendHeader(nil, v.PacketID)
			want = append(want, asWritten(v.PacketID, v.Protocol, v.body)...)
			if got := AppendPacket(nil, p, v.Protocol); !bytes.Equal(got, want) {
				t.Errorf("written as\n%x, want\n%x", got, want)
			}
			again, err := Parse(AppendPacket(nil, p, v.Protocol), v.Protocol)
			if err != nil {
				t.Fatal(err)
			}
			checkSameJSON(t, p, again)
		})
	}
}

// Every truncated body is refused. A body with trailing bytes is parsed completely and reported with wire.ErrTrailing.
func TestTruncatedBodiesAreRefusedAndTrailingBytesReported(t *testing.T) {
	for _, v := range loadPacketVectors(t) {
		row, ok := Lookup(v.PacketID)
		if !ok {
			continue // TestPacketVectorsRoundTrip reports this vector
		}
		for n := range len(v.body) {
			if p, err := row.Parse(v.body[:n:n], v.Protocol); err == nil || isTrailing(err) || p != nil {
				t.Errorf("%s: the first %d of %d bytes are accepted, %v", v.ID, n, len(v.body), err)
			}
		}
		p, err := row.Parse(append(bytes.Clone(v.body), 0), v.Protocol)
		if row.ID == IDPlayerAuthInput { // only PlayerAuthInput is refused if it has trailing bytes
			if p != nil || isTrailing(err) || !errors.Is(err, wire.ErrRange) {
				t.Errorf("%s: with a trailing byte: %v, packet %v", v.ID, err, p)
			}
			continue
		}
		if !errors.Is(err, wire.ErrTrailing) {
			t.Errorf("%s: with a trailing byte: %v", v.ID, err)
		} else if got := p.Append(nil, v.Protocol); !bytes.Equal(got, v.body) {
			t.Errorf("%s: with a trailing byte it is\n%x, want\n%x", v.ID, got, v.body)
		}
	}
}

// If one byte of a body is changed, the body is either refused, or parsing and appending it gives the same bytes again.
func TestBodyWithChangedByteIsRefusedOrRoundTrips(t *testing.T) {
	for _, v := range loadPacketVectors(t) {
		row, ok := Lookup(v.PacketID)
		if !ok {
			continue
		}
		for i := 0; i < len(v.body); i += 1 + len(v.body)/128 { // test only a sample of the offsets of long bodies, such as skins
			for _, x := range []byte{0x00, 0x01, 0x02, 0x7f, 0x80, 0xff} {
				b := bytes.Clone(v.body)
				b[i] = x
				checkBody(t, row, v.Protocol, b)
			}
		}
	}
}

// checkBody checks that a body that the parser accepts is unchanged after parsing and appending.
func checkBody(t *testing.T, row *PacketDef, v Version, b []byte) {
	t.Helper()
	p, err := row.Parse(b, v)
	if p == nil {
		if err == nil {
			t.Fatalf("%s %x: neither packet nor error", row.Name, b)
		}
		return
	}
	again, b := p.Append(nil, v), asWritten(row.ID, v, b)
	if err == nil && !bytes.Equal(again, b) || err != nil && !bytes.HasPrefix(b, again) {
		t.Fatalf("%s accepted, %v,\n%x but wrote\n%x", row.Name, err, b, again)
	}
}

func checkSameJSON(t *testing.T, a, b Packet) {
	t.Helper()
	x, err := json.Marshal(a)
	if err != nil {
		t.Fatal(err)
	}
	y, err := json.Marshal(b)
	if err != nil {
		t.Fatal(err)
	}
	if !bytes.Equal(x, y) {
		t.Errorf("read back as\n%s, was\n%s", y, x)
	}
}

// FuzzPacket parses any bytes as the body of any packet type in any version.
func FuzzPacket(f *testing.F) {
	for _, v := range loadPacketVectors(f) {
		f.Add(v.whole, v.Protocol == V2193)
	}
	f.Fuzz(func(t *testing.T, b []byte, newer bool) {
		v := V2169
		if newer {
			v = V2193
		}
		id, _, _, body, err := ParseHeader(b)
		if err != nil {
			return
		}
		if row, ok := Lookup(id); ok {
			checkBody(t, row, v, body)
		}
	})
}
