package link

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
	"time"
)

var update = flag.Bool("update", false, "rewrite testdata/formats.txt")

// A hello has a version, the other frames have none. The nodes of a cluster also compare the constant formats of package server.
func TestEncodedLinkFramesEqualVectors(t *testing.T) {
	at := time.Unix(1_900_000_000, 123)
	h := hello{Hello: Hello{Cluster: "world", Node: 2, Incarnation: 3, Formats: "formats 1", Program: "v1", Rules: 4, Game: "rules 5", Database: "db 6"}, clock: at, nodes: abc}
	var text strings.Builder
	for _, v := range []struct {
		name string
		kind byte
		body []byte
	}{
		{"hello", kindHello, h.append(nil)},
		{"accept", kindAccept, appendTime(nil, at)},
		{"refuse", kindRefuse, appendRefusal(nil, "no")},
		{"ping", kindPing, appendTime(nil, at)},
		{"pong", kindPong, pong{at, at.Add(1), at.Add(2)}.append(nil)},
		{"first kind of the caller", FirstKind, nil},
	} {
		fmt.Fprintf(&text, "%s: %x\n", v.name, appendFrame(nil, v.kind, v.body))
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
		t.Errorf("the frames have changed: run go test ./cluster ./cluster/link ./cluster/replica -run EqualVectors -update, and raise formats in server/cluster.go. They are\n%s\nwant\n%s", text.String(), want)
	}
}
