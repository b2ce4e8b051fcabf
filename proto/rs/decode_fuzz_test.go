package rs

import (
	"bytes"
	"encoding/binary"
	"testing"
)

// joinPackets joins payloads for the fuzzer, each preceded by its u16 length.
func joinPackets(payloads ...[]byte) []byte {
	var row []byte
	for _, b := range payloads {
		row = append(binary.BigEndian.AppendUint16(row, uint16(len(b))), b...)
	}
	return row
}

// nextPacket splits off the first of the payloads in row, as joinPackets makes it. A length past the end selects all remaining bytes.
func nextPacket(row []byte) (payload, rest []byte) {
	if len(row) < 2 {
		return nil, nil
	}
	n := min(int(binary.BigEndian.Uint16(row)), len(row)-2)
	return row[2 : 2+n], row[2+n:]
}

// FuzzDecode applies arbitrary placements and packets. Afterwards every player is either local or external, the client's
// own player is local, and a traced client has the same state as an untraced one.
func FuzzDecode(f *testing.F) {
	for which := range Profiles() {
		for _, scene := range infoScenes {
			start := readState(f, scene.start)
			var payloads [][]byte
			for _, v := range scene.packets {
				payloads = append(payloads, unhex(f, v.hex))
			}
			f.Add(uint8(which), start.self, bytes.TrimRight(start.placement(), "\x00"), joinPackets(payloads...))
		}
	}
	f.Add(uint8(0), Index(1), []byte{}, joinPackets([]byte{0x80}, []byte{0x00, 0x7f, 0xf4, 0x00}))
	f.Add(uint8(3), Index(0), []byte{1}, []byte{})
	f.Fuzz(func(t *testing.T, which uint8, self Index, placement, row []byte) {
		p := Profiles()[int(which)%len(Profiles())]
		if which < 128 && len(placement) < PlacementSize { // pads short inputs, so that the corpus needs no trailing zeros
			placement = append(placement, make([]byte, PlacementSize-len(placement))...)
		}
		c, err := NewPlayerInfoDecoder(p, self, placement)
		if valid := self >= 1 && self <= MaxIndex && len(placement) == PlacementSize; valid != (err == nil) || valid != (c != nil) {
			t.Fatalf("index %d, %d bytes: %v", self, len(placement), err)
		}
		if c == nil {
			return
		}
		traced, _ := NewPlayerInfoDecoder(p, self, placement)
		var tr PacketTrace
		for len(row) > 0 {
			var packet []byte
			packet, row = nextPacket(row)
			err, again := c.Apply(packet), traced.ApplyTraced(packet, &tr)
			if (err == nil) != (again == nil) || err != nil && err.Error() != again.Error() {
				t.Fatalf("traced: %v, untraced: %v", again, err)
			}
			tr.AppendText(nil)
			if err != nil {
				if c.Apply(packet) != err {
					t.Fatal("a later Apply returned another error")
				}
				return
			}
			checkClientState(t, c, traced)
		}
	})
}

func checkClientState(t *testing.T, c, traced *PlayerInfoDecoder) {
	t.Helper()
	locals := 0
	for i := Index(1); i <= MaxIndex; i++ {
		tile, local := c.Local(i)
		square, external := c.LowRes(i)
		if local == external {
			t.Fatalf("index %d: local %v, external %v", i, local, external)
		}
		if other, _ := traced.Local(i); other != tile {
			t.Fatalf("index %d at %v, traced at %v", i, tile, other)
		}
		if other, _ := traced.LowRes(i); other != square {
			t.Fatalf("index %d in %v, traced in %v", i, square, other)
		}
		if tile.X > MaxCoord || tile.Z > MaxCoord || tile.Plane > 3 {
			t.Fatalf("index %d at %v", i, tile)
		}
		if local {
			locals++
		}
	}
	if _, own := c.Local(c.Self()); !own || locals != c.LocalCount() {
		t.Fatalf("own player local %v, %d locals, count %d", own, locals, c.LocalCount())
	}
	seen := map[Index]bool{}
	for _, ch := range c.Changes() {
		at, local := c.Local(ch.Index)
		var in Info
		if seen[ch.Index] || local && at != ch.To || c.Info(ch.Index, &in) != ch.Block {
			t.Fatalf("%+v, at %v", ch, at)
		}
		seen[ch.Index] = true
	}
}
