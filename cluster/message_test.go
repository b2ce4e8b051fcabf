package cluster

import (
	"bytes"
	"encoding/binary"
	"reflect"
	"slices"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func someBatch() batch {
	return batch{
		prev: 1 << 63, saved: 77, atMS: 1 << 40, gone: []mark{{2, 5, 0}}, chunks: []mark{{1, 9, 300}, {3, 1, 1}}, homes: []home{{7, mark{3, 1, 0}}},
		intents: []sim.Intent{{Kind: sim.IntentChat, Who: 7, AtMS: 9, Text: "hello"}, {Kind: sim.IntentLeave, Who: 8}},
	}
}

func TestEncodedBatchAndMessagesDecodeToSameValues(t *testing.T) {
	want := someBatch()
	b := want.append(nil)
	got, err := parseBatch(b, nil)
	if err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for n := range b {
		if _, err := parseBatch(b[:n], nil); err == nil {
			t.Errorf("the first %d of %d bytes are a batch", n, len(b))
		}
	}
	c := chunk{mark{2, 5, 6}, want.intents, len((&chunk{mark{2, 5, 6}, want.intents, 0}).append(nil))}
	m := appendChunk(nil, 3, &c)
	a := arrival{sim.Intent{Kind: sim.IntentJoin, Who: 7, Join: &sim.Join{Character: &sim.Character{}, From: 2, Seq: 4}}, []home{{7, mark{2, 5, 0}}}, 0}
	_, moved, _ := splitArea(appendArrival(nil, 1, &a), 4)
	if got, err := parseArrival(moved); err != nil || !reflect.DeepEqual(got.homes, a.homes) || got.join.Join.Seq != 4 {
		t.Errorf("%+v, %v; want %+v", got, err, a)
	}
	for n := range moved {
		if _, err := parseArrival(moved[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are an arrival", n, len(moved))
		}
	}
	area, rest, err := splitArea(m, 4)
	if err != nil || area != 3 {
		t.Errorf("area %d, %v", area, err)
	}
	if got, err := parseChunk(rest, 2); err != nil || !reflect.DeepEqual(got, c) {
		t.Errorf("%+v, %v; want %+v", got, err, c)
	}
	for n := range rest {
		if _, err := parseChunk(rest[:n], 2); err == nil {
			t.Errorf("the first %d of %d bytes are a chunk", n, len(rest))
		}
	}
	if _, _, err := splitArea(m, 3); err == nil {
		t.Error("a message for an area that the world does not have is accepted")
	}
	join := sim.Intent{Kind: sim.IntentSettle, To: 1, Seq: 4}
	if got, err := parseIntent(sim.AppendIntents(nil, []sim.Intent{join}), sim.IntentSettle); err != nil || got.Seq != 4 {
		t.Errorf("%+v, %v", got, err)
	}
	if _, err := parseIntent(sim.AppendIntents(nil, []sim.Intent{join}), sim.IntentJoin); err == nil {
		t.Error("a settlement is accepted as a join")
	}
}

// Numbers below are so large that their encodings have several bytes.
func TestEveryShorterPrefixOfMessageIsRefused(t *testing.T) {
	settled := sim.AppendIntents(nil, []sim.Intent{{Kind: sim.IntentSettle, To: 1, Seq: 400}})
	g := group{origins: origins{{}, {300, 2, 1}, {5, 1, 0}, {7, 800, 6}}, homes: homes{}, saved: 900, state: sim.NewArea(fields(2), 0, 1)}
	state := g.state.Snapshot(g.appendHead(nil))
	for name, c := range map[string]struct {
		b     []byte // what is parsed; a prefix without its last byte, or without more, must be refused
		parse func(b []byte) error
	}{
		"settlement": {settled, func(b []byte) error { _, err := parseIntent(b, sim.IntentSettle); return err }},
		"area":       {binary.AppendUvarint(nil, 300), func(b []byte) error { _, _, err := splitArea(b, 400); return err }},
		"hash":       {appendHash(nil, 1, hashMessage{true, 300, 1 << 63})[1:], func(b []byte) error { _, err := parseHash(b); return err }},
		"question":   {appendQuestion(nil, 300, nil), func(b []byte) error { _, _, err := parseQuestion(b); return err }},
		"answer":     {appendAnswer(nil, 300, answer{}), func(b []byte) error { _, _, err := parseAnswer(b); return err }},
		"snapshot":   {state, func(b []byte) error { _, err := parseSnapshot(b, fields(2), 3); return err }},
	} {
		if err := c.parse(c.b); err != nil {
			t.Errorf("%s: %v", name, err)
		}
		for n := range c.b {
			if c.parse(c.b[:n]) == nil {
				t.Errorf("%s: the first %d of %d bytes are accepted", name, n, len(c.b))
			}
		}
	}
	if got, err := parseSnapshot(state, fields(2), 3); err != nil || got.saved != 900 || !slices.Equal(got.origins, g.origins) || got.area.Hash() != g.state.Hash() {
		t.Errorf("the snapshot is read as %+v, %v", got, err)
	}
}

// someMessages returns messages between nodes of each kind that FuzzParse parses, by kind. The other kinds have fuzz targets of their own:
// FuzzParseMessage of package replica (kindRaft), FuzzNews (kindNode), and FuzzQuestionAndAnswer (kindQuestion and kindAnswer).
func someMessages() map[byte][][]byte {
	t := someBatch()
	walker := sim.Intent{Kind: sim.IntentJoin, Who: 7, AtMS: 9, Join: &sim.Join{
		Character: &sim.Character{ID: 3, Name: "Ann", Template: 2, Level: 4, XP: 99, Version: 12, Area: "Field 0"}, Portal: -1, From: 2, Seq: 4}}
	walker.Join.Character.Inventory[sim.SlotBackpack] = sim.ItemStack{Item: 5, Amount: 2, Health: 100}
	settled := sim.Intent{Kind: sim.IntentSettle, To: 1, Seq: 4}
	return map[byte][][]byte{
		kindChunk: {appendChunk(nil, 1, &chunk{mark{2, 5, 6}, t.intents, 0})},
		kindArrive: {
			appendArrival(nil, 1, &arrival{walker, []home{{7, mark{2, 5, 0}}}, 0}),
			appendArrival(nil, 1, &arrival{join: walker}), // a player without a connection, whose node is gone
		},
		kindSettle: {appendIntent(nil, 1, settled)},
		kindLost:   {binary.AppendUvarint(nil, 1)},
		kindHash:   {appendHash(nil, 1, hashMessage{true, 300, 1 << 63})},
	}
}

func TestFuzzSeedMessagesOfEveryKindAreParsed(t *testing.T) {
	elsewhere := []byte{kindRaft, kindNode, kindQuestion, kindAnswer} // see someMessages
	for kind := byte(kindRaft); kind <= kindHash; kind++ {
		list := someMessages()[kind]
		if (len(list) == 0) != slices.Contains(elsewhere, kind) {
			t.Errorf("there are %d messages of kind %d", len(list), kind)
		}
		for _, b := range list {
			_, rest, err := splitArea(b, 4)
			switch {
			case err != nil:
			case kind == kindChunk:
				_, err = parseChunk(rest, 2)
			case kind == kindArrive:
				_, err = parseArrival(rest)
			case kind == kindSettle:
				_, err = parseIntent(rest, sim.IntentSettle)
			case kind == kindHash:
				_, err = parseHash(rest)
			}
			if err != nil {
				t.Errorf("%x, of kind %d: %v", b, kind, err)
			}
		}
	}
}

func FuzzParse(f *testing.F) {
	t := someBatch()
	f.Add(t.append(nil))
	for kind := byte(kindRaft); kind <= kindHash; kind++ {
		for _, b := range someMessages()[kind] {
			f.Add(b)
		}
	}
	w := fields(2)
	g := group{origins: make(origins, 4), state: sim.NewArea(w, 0, 1)}
	f.Add(sim.NewArea(w, 0, 1).Snapshot(g.appendHead(nil)))
	f.Fuzz(func(t *testing.T, b []byte) {
		if got, err := parseBatch(b, nil); err == nil {
			if again := got.append(nil); !bytes.Equal(again, b) {
				t.Errorf("%x is encoded as %x", b, again)
			}
		}
		if area, rest, err := splitArea(b, 4); err == nil {
			if c, err := parseChunk(rest, 2); err == nil {
				if again := appendChunk(nil, area, &c); !bytes.Equal(again, b) {
					t.Errorf("%x is encoded as %x", b, again)
				}
			}
			if a, err := parseArrival(rest); err == nil {
				if again := appendArrival(nil, area, &a); !bytes.Equal(again, b) {
					t.Errorf("%x is encoded as %x", b, again)
				}
			}
			if in, err := parseIntent(rest, sim.IntentSettle); err == nil {
				if again := appendIntent(nil, area, in); !bytes.Equal(again, b) {
					t.Errorf("%x is encoded as %x", b, again)
				}
			}
			if m, err := parseHash(rest); err == nil {
				if again := appendHash(nil, area, m); !bytes.Equal(again, b) {
					t.Errorf("%x is encoded as %x", b, again)
				}
			}
		}
		_, _ = parseSnapshot(b, w, 3)
	})
}
