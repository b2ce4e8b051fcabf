package sim

import (
	"bytes"
	"encoding/hex"
	"fmt"
	"math"
	"os"
	"path/filepath"
	"reflect"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// visitLeaves calls visit with the path and value of every field below v that holds a number, text or flag. It allocates nil
// pointers on the way. In an array it visits only the last element, in a slice one new element.
func visitLeaves(v reflect.Value, path string, visit func(path string, leaf reflect.Value)) {
	switch v.Kind() {
	case reflect.Struct:
		for i := range v.NumField() {
			visitLeaves(v.Field(i), path+"."+v.Type().Field(i).Name, visit)
		}
	case reflect.Array:
		visitLeaves(v.Index(v.Len()-1), path+"[last]", visit)
	case reflect.Slice:
		v.Set(reflect.MakeSlice(v.Type(), 1, 1))
		visitLeaves(v.Index(0), path+"[0]", visit)
		v.SetZero()
	case reflect.Pointer:
		v.Set(reflect.New(v.Type().Elem()))
		visitLeaves(v.Elem(), path, visit)
		v.SetZero()
	default:
		visit(path, v)
	}
}

// change sets a field, which must have its zero value, to another value. The function undo sets it to zero again.
func change(leaf reflect.Value) (undo func()) {
	old := reflect.ValueOf(leaf.Interface())
	switch leaf.Kind() {
	case reflect.Bool:
		leaf.SetBool(true)
	case reflect.Float32:
		leaf.SetFloat(math.Copysign(0, -1)) // negative zero, which differs from 0 only by its sign
	case reflect.String:
		leaf.SetString("ä")
	case reflect.Uint, reflect.Uint8, reflect.Uint16, reflect.Uint32, reflect.Uint64:
		leaf.SetUint(1)
	default:
		leaf.SetInt(1)
	}
	return func() { leaf.Set(old) }
}

// same reports whether two values are equal. Floats must be equal bit by bit.
func same(a, b any) bool { return fmt.Sprintf("%#v", a) == fmt.Sprintf("%#v", b) }

func TestIntentKeepsEveryValueWhenEncodedAndDecoded(t *testing.T) {
	var in Intent
	visitLeaves(reflect.ValueOf(&in).Elem(), "Intent", func(path string, leaf reflect.Value) {
		defer change(leaf)()
		if strings.HasSuffix(path, "ItemStack.Amount") || strings.Contains(path, "Inventory") {
			in.Join.Character.Inventory[SlotCount-1].Amount = 1 // the codec omits the other fields of an empty slot
			defer func() { in.Join.Character.Inventory[SlotCount-1].Amount = 0 }()
		}
		if strings.Contains(path, "Teleport.Replay") {
			in.Join.Predicted.Teleport.Tick = 1 // the codec omits the replayed body without a tick
			defer func() { in.Join.Predicted.Teleport.Tick = 0 }()
		}
		b := AppendIntents(nil, []Intent{in})
		got, err := ParseIntents(nil, b)
		if err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if again := AppendIntents(nil, got); !bytes.Equal(again, b) {
			t.Errorf("%s: encoded again as %x, want %x", path, again, b)
		}
		want := AppendIntents(nil, []Intent{{}})
		if bytes.Equal(b, want) {
			t.Errorf("%s is not encoded", path)
		}
	})
}

func TestFrameKeepsEveryValueWhenEncodedAndDecoded(t *testing.T) {
	w := testWorld()
	try := func(path string, f *Frame) []byte {
		for i := range f.Actors {
			f.Actors[i].Body.UpdateVersion()
		}
		b := f.Append(nil)
		var got Frame
		if err := got.Decode(w, b); err != nil {
			t.Fatalf("%s: %v", path, err)
		}
		if again := got.Append(nil); !bytes.Equal(again, b) {
			t.Errorf("%s: encoded again as %x, want %x", path, again, b)
		}
		return b
	}
	f := Frame{Actors: []ActorState{{ID: 1, Body: &Body{}}}, Ground: []GroundItem{{}}, Events: []Event{{}}, Avatars: []AvatarState{{}}}
	plain := try("Frame", &f)
	check := func(path string, leaf reflect.Value) {
		defer change(leaf)()
		switch {
		case strings.Contains(path, "Projectile"): // the codec writes the projectile's id, which must be in the world's table
			f.Events[0].Projectile = &w.Projectiles[0]
		case path == "LingersUntil": // the codec omits this field for players that have a connection
			a := &f.Actors[0]
			a.Flags = FlagLingering
			defer func() { a.Flags = 0 }()
			var got Frame
			if err := got.Decode(w, f.Append(nil)); err != nil || got.Actors[0].LingersUntil != a.LingersUntil {
				t.Errorf("a player that lingers until tick %d was decoded as %+v, %v", a.LingersUntil, got.Actors, err)
			}
		case strings.Contains(path, "Teleport.Replay"):
			f.Events[0].Join.Predicted.Teleport.Tick = 1
			defer func() { f.Events[0].Join.Predicted.Teleport.Tick = 0 }()
		case strings.Contains(path, "Stack"):
			for _, s := range []*ItemStack{&f.Ground[0].Stack, &f.Events[0].Ground.Stack} {
				s.Amount = 1
				defer func() { s.Amount = 0 }()
			}
		case strings.Contains(path, "Inventory"):
			for _, c := range []*Character{f.Events[0].Record} {
				if c == nil {
					c = f.Events[0].Join.Character
				}
				c.Inventory[SlotCount-1].Amount = 1
				defer func() { c.Inventory[SlotCount-1].Amount = 0 }()
			}
		}
		if strings.HasPrefix(path, "Event.Ground") {
			f.Events[0].Ground.Handle = 1 // the codec omits the item of an event if its handle is 0
			defer func() { f.Events[0].Ground.Handle = 0 }()
		}
		if b := try(path, &f); bytes.Equal(b, plain) {
			t.Errorf("%s is not encoded", path)
		}
	}
	for _, part := range []struct {
		name string
		v    any
	}{{"Event", &f.Events[0]}, {"Ground", &f.Ground[0]}, {"Avatar", &f.Avatars[0]}, {"Body", f.Actors[0].Body}} {
		visitLeaves(reflect.ValueOf(part.v).Elem(), part.name, func(path string, leaf reflect.Value) {
			if path != "Body.Version" { // the decoder computes Body.Version from the other fields
				check(path, leaf)
			}
		})
	}
	state := reflect.ValueOf(&f.Actors[0]).Elem()
	for i := range state.NumField() {
		// FirstField is not encoded: the decoder computes it from the number of fields of the preceding actors.
		if name := state.Type().Field(i).Name; name != "Body" && name != "ID" && name != "FirstField" {
			visitLeaves(state.Field(i), name, check)
		}
	}
	for _, leaf := range []any{&f.Area, &f.Tick, &f.Hash, &f.Weather} {
		check(fmt.Sprintf("%T", leaf), reflect.ValueOf(leaf).Elem())
	}
}

// sampleFrame is a frame with actors of all authorities, items on the ground and events.
func sampleFrame(t testing.TB) (w *World, f *Frame) {
	w = testWorld()
	a := NewArea(w, 0, 1)
	var joins []Intent
	for id := EntityID(1); id <= 3; id++ {
		in := joinAt(w, id, geom.Vec{X: float32(id) * 10})
		in.Join.Authority = move.Authority(id - 1)
		joins = append(joins, in)
	}
	a.Step(joins)
	a.Step([]Intent{{Kind: IntentDrop, Who: 1, SlotA: SlotBackpack, Amount: 1}, {Kind: IntentChat, Who: 2, Text: "hello"}})
	return w, a.Step([]Intent{{Kind: IntentLeave, Who: 3}})
}

func TestTruncatedFrameOfAreaIsRefusedAtEveryLength(t *testing.T) {
	w, f := sampleFrame(t)
	b := f.Append(nil)
	for n := range b {
		if err := new(Frame).Decode(w, b[:n]); err == nil {
			t.Fatalf("a frame of %d bytes was read from its first %d", len(b), n)
		}
	}
	if err := new(Frame).Decode(w, append(slices.Clone(b), 0)); err == nil {
		t.Error("a trailing byte was accepted")
	}
	b[0]++
	if err := new(Frame).Decode(w, b); err == nil || !strings.Contains(err.Error(), "version") {
		t.Errorf("another version: %v", err)
	}
}

func TestTruncatedIntentsAndRecordsAreRefusedAtEveryLength(t *testing.T) {
	w := testWorld()
	in := joinAt(w, 1, geom.Vec{})
	b := AppendIntents(nil, []Intent{in, {Kind: IntentChat, Who: 1, Text: "x"}})
	for n := range b {
		if got, err := ParseIntents(nil, b[:n]); err == nil || got != nil {
			t.Fatalf("intents of %d bytes were read from their first %d", len(b), n)
		}
	}
	r := in.Join.Character.Append(nil)
	for n := range r {
		if _, err := ParseCharacter(r[:n]); err == nil {
			t.Fatalf("a record of %d bytes was read from its first %d", len(r), n)
		}
	}
	if c, err := ParseCharacter(r); err != nil || !same(*c, *in.Join.Character) {
		t.Errorf("the record came back as %+v, %v", c, err)
	}
}

func TestCodecOfFramesAndIntentsDoesNotAllocate(t *testing.T) {
	w := testWorld()
	a := NewArea(w, 0, 1)
	a.Step([]Intent{joinAt(w, 1, geom.Vec{}), joinAt(w, 2, geom.Vec{X: 5})})
	var f *Frame
	for range 40 {
		f = a.Step(nil)
	}
	var got Frame
	b := f.Append(nil)
	if err := got.Decode(w, b); err != nil {
		t.Fatal(err)
	}
	if n := testing.AllocsPerRun(100, func() {
		b = f.Append(b[:0])
		if err := got.Decode(w, b); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per frame of %d actors", n, len(f.Actors))
	}
	intents := []Intent{{Kind: IntentClaim, Who: 1, AtMS: 12, Claim: move.Claim{X: 1}}, {Kind: IntentInput, Who: 2, Input: move.Input{Tick: 9}}}
	b, read := AppendIntents(b[:0], intents), make([]Intent, 0, 2)
	if n := testing.AllocsPerRun(100, func() {
		b = AppendIntents(b[:0], intents)
		if _, err := ParseIntents(read, b); err != nil {
			t.Fatal(err)
		}
	}); n != 0 {
		t.Errorf("%v allocations per tick of intents", n)
	}
}

func FuzzParseIntents(f *testing.F) {
	w := testWorld()
	f.Add(AppendIntents(nil, []Intent{joinAt(w, 1, geom.Vec{}), {Kind: IntentChat, Text: "x"}, {Kind: IntentInput, Input: move.Input{Tick: 1}}}))
	f.Add(AppendIntents(nil, []Intent{{Kind: IntentJoin, Who: 7, Join: &Join{From: 3, Seq: 300}}, {Kind: IntentSettle, To: 4, Seq: 299}}))
	f.Add(AppendIntents(nil, []Intent{{Kind: IntentAttack, Who: 7, Target: 9, Seen: 299<<8 + 128}}))
	f.Fuzz(func(t *testing.T, b []byte) {
		list, err := ParseIntents(nil, b)
		if err != nil {
			return
		}
		if again := AppendIntents(nil, list); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}

func FuzzDecodeFrame(f *testing.F) {
	w, frame := sampleFrame(f)
	f.Add(frame.Append(nil))
	f.Add((&Frame{Events: []Event{{Kind: EventDeparted, Who: 7, To: 4, Join: &Join{From: 3, Seq: 300}}}}).Append(nil))
	f.Add((&Frame{Events: []Event{{Kind: EventAttacked, Who: 7, Other: 9, AgoMS: 125, Pos: geom.Vec{X: 1}}}}).Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		var got Frame
		if got.Decode(w, b) != nil {
			return
		}
		if again := got.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}

func FuzzParseCharacter(f *testing.F) {
	f.Add(joinAt(testWorld(), 1, geom.Vec{}).Join.Character.Append(nil))
	f.Fuzz(func(t *testing.T, b []byte) {
		c, err := ParseCharacter(b)
		if err != nil {
			return
		}
		if again := c.Append(nil); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}

func BenchmarkFrameAppend(b *testing.B) {
	_, f := sampleFrame(b)
	var buf []byte
	b.ReportAllocs()
	for b.Loop() {
		buf = f.Append(buf[:0])
	}
	b.ReportMetric(float64(len(buf))/float64(len(f.Actors)), "bytes/actor")
}

// TestIntentsAndFramesInTestdataAreDecodedAndEncodedUnchanged compares the encodings of intents and frames, of transfers
// between areas and of attacks, with testdata/codec/*.hex. Each file has a comment and then lines of hexadecimal digits.
// The flag -update rewrites the files.
func TestIntentsAndFramesInTestdataAreDecodedAndEncodedUnchanged(t *testing.T) {
	join := &Join{Portal: 2, Health: 57, Party: 9, From: 3, Seq: 300}
	intents := []Intent{{Kind: IntentJoin, Who: 7, AtMS: 1000, Join: join}, {Kind: IntentSettle, To: 4, Seq: 299}}
	frame := &Frame{Area: 3, Tick: 12, Hash: 34, Events: []Event{{Kind: EventDeparted, Who: 7, To: 4, Join: join}}}
	attacked := &Frame{Area: 3, Tick: 302, Hash: 34, Events: []Event{{
		Kind: EventAttacked, Who: 7, Other: 9, N: 4, AgoMS: 125, Pos: geom.Vec{X: 1, Z: 2}, From: geom.Vec{X: 3, Z: 2}, Text: "Cow",
	}}}
	for name, vector := range map[string]struct {
		about string
		b     []byte
		again func(b []byte) ([]byte, error)
	}{
		"intents_crossing": {"the join of player 7, number 300 of those from area 3; area 4 has admitted players up to number 299", AppendIntents(nil, intents), func(b []byte) ([]byte, error) {
			list, err := ParseIntents(nil, b)
			return AppendIntents(nil, list), err
		}},
		"intents_attack": {"player 7 attacks actor 9, which its client drew in tick 299.5", AppendIntents(nil, []Intent{{Kind: IntentAttack, Who: 7, AtMS: 1000, Target: 9, Seen: 299<<8 + 128}}), func(b []byte) ([]byte, error) {
			list, err := ParseIntents(nil, b)
			return AppendIntents(nil, list), err
		}},
		"frame_attacked": {"tick 302 of area 3, in which player 7 hits actor 9 for 4 points, judged by where it was 125 ms before", attacked.Append(nil), func(b []byte) ([]byte, error) {
			var f Frame
			err := f.Decode(testWorld(), b)
			return f.Append(nil), err
		}},
		"frame_departed": {"tick 12 of area 3, in which player 7 departs to area 4 as number 300", frame.Append(nil), func(b []byte) ([]byte, error) {
			var f Frame
			err := f.Decode(testWorld(), b)
			return f.Append(nil), err
		}},
	} {
		file := filepath.Join("testdata", "codec", name+".hex")
		if *update {
			if err := os.WriteFile(file, fmt.Appendf(nil, "# %s\n%x\n", vector.about, vector.b), 0o644); err != nil {
				t.Fatal(err)
			}
		}
		text, err := os.ReadFile(file)
		if err != nil {
			t.Fatal(err)
		}
		lines := strings.Split(strings.TrimSpace(string(text)), "\n")
		want, err := hex.DecodeString(lines[len(lines)-1])
		if err != nil {
			t.Fatal(err)
		}
		if !bytes.Equal(vector.b, want) {
			t.Errorf("%s: encoded as %x, want %x", file, vector.b, want)
		}
		if got, err := vector.again(want); err != nil || !bytes.Equal(got, want) {
			t.Errorf("%s: read and written again as %x, %v", file, got, err)
		}
	}
}
