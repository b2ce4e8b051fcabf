package cluster

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

var update = flag.Bool("update", false, "rewrite testdata/formats.txt")

// The messages have no version of their own. The nodes of a cluster compare the constant formats of package server instead.
func TestEncodedClusterMessagesEqualVectors(t *testing.T) {
	b := someBatch()
	join := sim.Intent{Kind: sim.IntentJoin, Who: 7, Join: &sim.Join{Character: &sim.Character{ID: 3, Name: "Ann"}, From: 2, Seq: 4}}
	g := group{origins: origins{{}, {1, 2, 3}, {4, 5, 6}}, homes: homes{}, state: sim.NewArea(fields(1), 0, 1), saved: 9}
	n := news{state: nodeDrains, fixed: true, links: 6, areas: []areaNews{{70, 40, 1500, placement{2, 1000}, placement{3, 2000}}}}
	var text strings.Builder
	for _, v := range []struct {
		name string
		kind int // kind of the message on a link; 0 if body is the content of a log
		body []byte
	}{
		{"batch", 0, b.append(nil)},
		{"head of a snapshot", 0, g.appendHead(nil)},
		{"raft", kindRaft, nil},
		{"chunk", kindChunk, appendChunk(nil, 1, &chunk{mark: mark{2, 5, 6}, intents: b.intents})},
		{"arrive", kindArrive, appendArrival(nil, 1, &arrival{join, []home{{7, mark{2, 5, 0}}}, 0})},
		{"settle", kindSettle, appendIntent(nil, 1, sim.Intent{Kind: sim.IntentSettle, To: 1, Seq: 4})},
		{"lost", kindLost, nil},
		{"news", kindNode, n.append(nil)},
		{"question", kindQuestion, appendQuestion(nil, 300, []byte("{}"))},
		{"answer", kindAnswer, appendAnswer(nil, 300, answer{body: []byte("{}")})},
		{"hash", kindHash, appendHash(nil, 1, hashMessage{true, 300, 1 << 63})},
	} {
		fmt.Fprintf(&text, "%s, kind %d: %x\n", v.name, v.kind, v.body)
	}
	if *update {
		if err := os.WriteFile("testdata/formats.txt", []byte(text.String()), 0o644); err != nil {
			t.Fatal(err)
		}
	}
	want, err := os.ReadFile("testdata/formats.txt")
	if err != nil {
		t.Fatal(err)
	}
	if text.String() != string(want) {
		t.Errorf("the messages have changed: run go test ./cluster ./cluster/link ./cluster/replica -run EqualVectors -update, and raise formats in server/cluster.go. They are\n%s\nwant\n%s", text.String(), want)
	}
}
