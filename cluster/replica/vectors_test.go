package replica

import (
	"flag"
	"fmt"
	"os"
	"strings"
	"testing"
)

var update = flag.Bool("update", false, "rewrite testdata/formats.txt")

// A message has no version. The nodes of a cluster compare the constant formats of package server instead.
func TestEncodedRaftMessagesEqualVectors(t *testing.T) {
	var text strings.Builder
	for _, m := range vectors() {
		fmt.Fprintf(&text, "%v: %x\n", m.GetType(), AppendMessage(nil, m))
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
