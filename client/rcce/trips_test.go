package rcce

import (
	"encoding/hex"
	"strings"
	"testing"
	"time"
)

func unhex(t *testing.T, s string) []byte {
	t.Helper()
	b, err := hex.DecodeString(strings.ReplaceAll(s, " ", ""))
	if err != nil {
		t.Fatal(err)
	}
	return b
}

// The datagrams are the examples in docs/wire/rcce.md 1.4.
func TestRTTIsMeasuredFromDatagramToItsAck(t *testing.T) {
	var tr trips
	var got []time.Duration
	report := func(d time.Duration) { got = append(got, d) }
	tr.sent(unhex(t, "44332211 8000 1004 01ff0001 0001 1002 86010001 0001 00 8aff0002 00000000 00000000"), 1000)
	tr.received(unhex(t, "44332211 8000 1006 01010001 0001 1004 01ff0000 0002 1004 86010001 0003 0c0100"), 1700, report)
	tr.received(unhex(t, "44332211 0000 01010001 0001 1004 01ff0001 0002 1006"), 9000, report)
	if len(got) != 1 || got[0] != 700 {
		t.Errorf("round trips %v, want one of 700 ns", got)
	}
	for _, short := range []string{"", "44332211", "44332211 0000 01010001", "44332211 8000 1004"} {
		tr.sent(unhex(t, short), 1)
		tr.received(unhex(t, short), 2, report)
	}
	if len(got) != 1 {
		t.Errorf("short datagrams gave round trips %v", got)
	}
}
