package rs

import (
	"crypto/sha256"
	"encoding/hex"
	"testing"
)

// checksumVector is a packet of which the wire document gives only the checksum, because it is long.
type checksumVector struct {
	name  string
	bytes []byte
	size  int
	sum   string
	want  func(i Index) Tile // expected tile of every local player but the client's own
}

// addAll returns a packet that adds the players with the indices from..to, all in one square. The other external players stay idle.
func addAll(from, to Index, x, z func(i Index) Index) []byte {
	w := NewBitWriter(nil)
	w.Put(0b000, 3) // the client's own player is idle
	w.Align()
	for i := from; i <= to; i++ {
		w.Put(0b1000, 4)
		w.Put(uint64(x(i)), 6)
		w.Put(uint64(z(i)), 6)
		w.Put(0, 1)
	}
	if to < MaxIndex-1 {
		w.Put(0b11<<11|uint64(MaxIndex-to-1), 14)
	}
	return w.Bytes()
}

// allEast returns a packet in which n local players, skipped in the last packet, move one tile east, while one with a
// lower index stays idle.
func allEast(n, externals int) []byte {
	w := NewBitWriter(nil)
	w.Put(0b000, 3)
	for range n {
		w.Put(0b1001100, 7)
	}
	w.Align()
	w.Put(0b11<<11|uint64(externals-1), 14)
	return w.Bytes()
}

func checkChecksumVector(t *testing.T, c *PlayerInfoDecoder, v checksumVector) {
	t.Helper()
	sum := sha256.Sum256(v.bytes)
	if len(v.bytes) != v.size || v.sum != "" && hex.EncodeToString(sum[:]) != v.sum {
		t.Fatalf("%s: test data has %d bytes, sum %x", v.name, len(v.bytes), sum)
	}
	for n := 0; n < len(v.bytes); n += 1 + len(v.bytes)/200 {
		if cut := cloneClient(c); cut.Apply(v.bytes[:n]) == nil {
			t.Fatalf("%s: %d of %d bytes were accepted", v.name, n, len(v.bytes))
		}
	}
	if err := c.Apply(v.bytes); err != nil {
		t.Fatalf("%s: %v", v.name, err)
	}
	for i := range c.Locals() {
		if at, _ := c.Local(i); i != c.Self() && at != v.want(i) {
			t.Fatalf("%s: index %d at %v, want %v", v.name, i, at, v.want(i))
		}
	}
}

func TestDecoderAppliesPacketsThatAddAndMove255Players(t *testing.T) {
	start := readState(t, "1@3200,3200,0")
	for i := Index(2); i <= 256; i++ {
		start.squares[i] = 50<<8 | 50
	}
	c := start.client(t, Profile667)
	x := func(i Index) Index { return i & 15 }
	z := func(i Index) Index { return i >> 4 }
	added := func(i Index) Tile { return Tile{X: 3200 + x(i), Z: 3200 + z(i)} }
	east := func(i Index) Tile { return Tile{X: 3201 + x(i), Z: 3200 + z(i)} }
	for _, v := range []checksumVector{
		{"V30a", addAll(2, 256, x, z), 545, "33673ff8dc3580c716e27dea2d7b6d047e86ba2c1ad0c895289ea0e09b180531", added},
		{"V30b", allEast(255, MaxIndex-256), 226, "f0427f8f67a636b4c0016ddaa89bb8a92c7c78101ec9914ae86d1abe154e23ae", east},
		{"V30c", unhex(t, "5fc0ad7bf8"), 5, "", east},
	} {
		checkChecksumVector(t, c, v)
		if c.LocalCount() != 256 {
			t.Fatalf("%s: %d locals", v.name, c.LocalCount())
		}
	}
	if at, _ := c.Local(1); at != (Tile{X: 3200, Z: 3202}) {
		t.Errorf("own player at %v", at)
	}
}

func TestDecoderAcceptsAll2047PlayersAsLocal(t *testing.T) {
	start := readState(t, "2047@3200,3200,0")
	for i := Index(1); i < MaxIndex; i++ {
		start.squares[i] = 50<<8 | 50
	}
	c := start.client(t, Profile667)
	x := func(i Index) Index { return i & 63 }
	z := func(i Index) Index { return i >> 6 & 63 }
	added := func(i Index) Tile { return Tile{X: 3200 + x(i), Z: 3200 + z(i)} }
	for _, v := range []checksumVector{
		{"V31a", addAll(1, 2046, x, z), 4349, "51aa97861a441f81f12f75afd4ad39c52349a04b0320ada3544edcd567380caa", added},
		{"V31b", unhex(t, "7ff8"), 2, "", added},
	} {
		checkChecksumVector(t, c, v)
		if c.LocalCount() != MaxIndex {
			t.Fatalf("%s: %d locals", v.name, c.LocalCount())
		}
	}
}
