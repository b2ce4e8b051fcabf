package cluster

import (
	"bytes"
	"reflect"
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
	c := chunk{mark{2, 5, 6}, want.intents}
	m := appendChunk(nil, 3, &c)
	a := arrival{sim.Intent{Kind: sim.IntentJoin, Who: 7, Join: &sim.Join{Character: &sim.Character{}, From: 2, Seq: 4}}, []home{{7, mark{2, 5, 0}}}}
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

func FuzzParse(f *testing.F) {
	t := someBatch()
	f.Add(t.append(nil))
	f.Add(appendChunk(nil, 1, &chunk{mark{2, 5, 6}, t.intents}))
	f.Add(appendIntent(nil, 1, sim.Intent{Kind: sim.IntentSettle, To: 1, Seq: 4}))
	f.Add(appendHash(nil, 1, hashMessage{true, 300, 1 << 63}))
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
			_, _ = parseArrival(rest)
			_, _ = parseIntent(rest, sim.IntentSettle)
			if m, err := parseHash(rest); err == nil {
				if again := appendHash(nil, area, m); !bytes.Equal(again, b) {
					t.Errorf("%x is encoded as %x", b, again)
				}
			}
		}
		_, _ = parseSnapshot(b, w, 3)
	})
}
