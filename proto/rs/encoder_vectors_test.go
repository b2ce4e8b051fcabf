package rs

import (
	"bytes"
	"crypto/sha256"
	"encoding/hex"
	"slices"
	"testing"
)

// vectorScene drives one viewer of a scene through a series of states, which are written in the notation of the vectors.
type vectorScene struct {
	scene  *Scene
	view   *Viewer
	enc    PlayerInfoEncoder
	want   RowSet
	nextID uint64 // id of the next avatar
}

// newVectorScene returns a scene in the given state and a viewer that has received only the placement block.
func newVectorScene(t *testing.T, p *Profile, start sceneState) *vectorScene {
	t.Helper()
	st := &vectorScene{scene: NewScene(p), want: NewRowSet(indexSlots), nextID: 1}
	st.setState(start, nil)
	st.scene.Prepare()
	st.scene.Advance()
	st.view = NewViewer(st.scene, start.self)
	return st
}

// setState applies the events of a cycle: every player moves to its tile in the state, external players to a corner of
// their square, and infos are set.
func (st *vectorScene) setState(to sceneState, infos map[Index]*Info) {
	s := st.scene
	st.want.Clear()
	for i := 1; i < indexSlots; i++ {
		at, local := to.locals[Index(i)]
		if sq, far := to.squares[Index(i)]; far {
			at = Tile{X: uint16(sq.X()) << 6, Z: uint16(sq.Z()) << 6, Plane: sq.Plane()}
		} else if !local {
			if s.ID(i) != 0 {
				s.Remove(i)
			}
			continue
		}
		if local {
			st.want.Add(i)
		}
		if s.ID(i) == 0 {
			s.Add(i, st.nextID, at)
			st.nextID++
		} else {
			s.Move(i, at, MoveWalk)
		}
		if in := infos[Index(i)]; in != nil {
			s.SetInfo(i, in)
		}
	}
}

// packet encodes and commits a packet and ends the cycle.
func (st *vectorScene) packet(t *testing.T) []byte {
	t.Helper()
	st.scene.Prepare()
	b, err := st.enc.Encode(nil, st.scene, st.view, st.want, PacketLimits{})
	if err != nil {
		t.Fatal(err)
	}
	st.view.Commit()
	st.scene.Advance()
	return b
}

// The decoder derives the movements and infos of each vector from its bytes, and the encoder must then write the same
// bytes. Two vectors have forms that this encoder does not write: V26 has an empty block, and V32b replaces a player within
// one packet.
func TestEncoderReproducesTestVectors(t *testing.T) {
	for _, scene := range slices.Concat(infoScenes, npcScenes) {
		t.Run(scene.name, func(t *testing.T) {
			encodeScene(t, Profile667, scene, func(name string) bool { return name == "V32b" })
		})
	}
}

// Up to the first vector with a block, the encoder writes the same bytes for revision 634 as for 667 (wire section 9.10).
func TestEncoderReproducesTestVectorsForRevision634(t *testing.T) {
	for _, scene := range infoScenes {
		t.Run(scene.name, func(t *testing.T) {
			encodeScene(t, Profile634, scene, func(name string) bool { return firstVectorWithBlock[name] })
		})
	}
}

// encodeScene decodes the packets of a scene and checks that encoding gives the same bytes. It stops at the packet for which ends is true.
func encodeScene(t *testing.T, p *Profile, scene infoScene, ends func(name string) bool) {
	t.Helper()
	start := readState(t, scene.start)
	st, c := newVectorScene(t, p, start), start.client(t, p)
	if got := st.view.AppendPlacement(nil, st.scene); !bytes.Equal(got, start.placement()) {
		t.Fatal("placement block differs")
	}
	for _, v := range scene.packets {
		if ends(v.name) {
			return
		}
		if err := c.Apply(unhex(t, v.hex)); err != nil {
			t.Fatal(err)
		}
		infos := map[Index]*Info{}
		for _, ch := range c.Changes() {
			in := &Info{}
			if c.Info(ch.Index, in) {
				infos[ch.Index] = in
			}
		}
		st.setState(readState(t, v.want), infos)
		got := hex.EncodeToString(st.packet(t))
		if v.name == "V26" {
			v.hex = "9c80413ff8" // the entry of the walk without the empty block
		}
		if got != v.hex {
			t.Fatalf("%s:\ngot  %s\nwant %s", v.name, got, v.hex)
		}
	}
}

func TestViewerWritesDocumentedPlacementBlocks(t *testing.T) {
	for _, c := range []struct {
		name, start, sum string
	}{
		{"I1", "1@3200,3200,0 2=50,50,0 3=100,40,2", "e20c3d7ed90c8cbec7c32e7eb2155e5f9c2a3c61726143feefc6d981a6651b2a"},
		{"I2", "2047@3093,3493,1 1=48,54,0", "bcade7143b4ed97befe42a2299676b3bca9a0fd363bf51fc161c5aade32e9f94"},
	} {
		state := readState(t, c.start)
		st := newVectorScene(t, Profile667, state)
		b := st.view.AppendPlacement(nil, st.scene)
		if sum := sha256.Sum256(b); len(b) != PlacementSize || hex.EncodeToString(sum[:]) != c.sum {
			t.Errorf("%s: %d bytes %x..., sum %x", c.name, len(b), b[:16], sum)
		}
		var squares [indexSlots]MapSquare
		at, err := ParsePlacement(b, state.self, &squares)
		if err != nil || at != state.locals[state.self] {
			t.Errorf("%s: own tile %v, %v", c.name, at, err)
		}
		for i, sq := range state.squares {
			if squares[i] != sq {
				t.Errorf("%s: square of %d is %x", c.name, i, uint32(squares[i]))
			}
		}
	}
}

func TestEncoderReproducesPacketsWithDocumentedChecksums(t *testing.T) {
	sum := func(b []byte) string { s := sha256.Sum256(b); return hex.EncodeToString(s[:]) }
	stateOf := func(self Index, from, to Index, at func(i Index) Tile) sceneState {
		s := sceneState{self: self, locals: map[Index]Tile{self: {X: 3200, Z: 3200}}, squares: map[Index]MapSquare{}}
		for i := from; i <= to; i++ {
			if at == nil {
				s.squares[i] = 50<<8 | 50
			} else {
				s.locals[i] = at(i)
			}
		}
		return s
	}
	box := func(dx uint16) func(Index) Tile {
		return func(i Index) Tile { return Tile{X: 3200 + i&15 + dx, Z: 3200 + i>>4} }
	}
	st := newVectorScene(t, Profile667, stateOf(1, 2, 256, nil))
	st.setState(stateOf(1, 2, 256, box(0)), nil)
	if b := st.packet(t); len(b) != 545 || sum(b) != "33673ff8dc3580c716e27dea2d7b6d047e86ba2c1ad0c895289ea0e09b180531" {
		t.Errorf("V30a: %d bytes", len(b))
	}
	st.setState(stateOf(1, 2, 256, box(1)), nil)
	if b := st.packet(t); len(b) != 226 || sum(b) != "f0427f8f67a636b4c0016ddaa89bb8a92c7c78101ec9914ae86d1abe154e23ae" {
		t.Errorf("V30b: %d bytes", len(b))
	}
	ran := stateOf(1, 2, 256, box(1))
	ran.locals[1] = Tile{X: 3200, Z: 3202}
	st.setState(ran, nil)
	if b := st.packet(t); hex.EncodeToString(b) != "5fc0ad7bf8" {
		t.Errorf("V30c: %x", b)
	}
	all := func(i Index) Tile { return Tile{X: 3200 + i&63, Z: 3200 + i>>6&63} }
	st = newVectorScene(t, Profile667, stateOf(2047, 1, 2046, nil))
	st.setState(stateOf(2047, 1, 2046, all), nil)
	if b := st.packet(t); len(b) != 4349 || sum(b) != "51aa97861a441f81f12f75afd4ad39c52349a04b0320ada3544edcd567380caa" {
		t.Errorf("V31a: %d bytes", len(b))
	}
	st.setState(stateOf(2047, 1, 2046, all), nil)
	if b := st.packet(t); hex.EncodeToString(b) != "7ff8" {
		t.Errorf("V31b: %x", b)
	}
}

// In OSRS, squares are 8192 tiles wide and offsets within a square have 13 bits (wire section 9.10).
func TestEncoderWrites13BitOffsetsOfAddedPlayerForOSRS(t *testing.T) {
	st := newVectorScene(t, ProfileOSRS239, readState(t, "1@3200,3200,0 2=0,0,0 3=0,0,0"))
	st.setState(readState(t, "1@3200,3200,0 2@3205,3210,0 3=0,0,0"), nil)
	if got := hex.EncodeToString(st.packet(t)); got != "008642b228ffe0" {
		t.Errorf("V10 for OSRS: %s", got)
	}
}
