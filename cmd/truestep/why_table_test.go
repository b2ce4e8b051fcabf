package main

import (
	"bytes"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim/reason"
)

// In a list of all players, asked and allowed do not fit into 80 columns and get their own line. For one player they usually fit.
func TestEntryListOfWhyCommandFitsEightyColumns(t *testing.T) {
	now := time.Date(2026, 3, 14, 15, 9, 26, 0, time.Local)
	list := []journal.Entry{
		{ID: 21, At: now.Add(-time.Minute), Player: "Laggy_Bot", Door: "rcce", Verdict: journal.Held, Reason: reason.TooFast,
			RTT: 43, Asked: 585, Allowed: 285, Unit: "units", Times: 3},
		{ID: 20, At: now.Add(-time.Hour), Player: "Laggy_Bot", Door: "rcce", Verdict: journal.Refused, Reason: reason.TargetGone, RTT: -1, Times: 1},
		{ID: 9, At: now.AddDate(0, 0, -1), Player: "Laggy_Bot", Door: "bedrock", Verdict: journal.Corrected, Reason: reason.Mispredicted,
			RTT: 7, Asked: 0.65, Allowed: 0.5, Unit: "blocks", Times: 1},
	}
	for _, c := range []struct {
		players bool
		want    string
	}{
		{false, `ID  TIME      DOOR     VERDICT    REASON          RTT  ASKED  ALLOWED  UNIT
21  15:08:26  rcce     held       too_fast x3   43 ms    585      285  units
20  14:09:26  rcce     refused    target_gone       -      -        -  -
2026-03-13
 9  15:09:26  bedrock  corrected  mispredicted   7 ms   0.65      0.5  blocks
`},
		{true, `ID  TIME      PLAYER     DOOR     VERDICT    REASON          RTT
21  15:08:26  Laggy_Bot  rcce     held       too_fast x3   43 ms
              asked 585, allowed 285 units
20  14:09:26  Laggy_Bot  rcce     refused    target_gone       -
2026-03-13
 9  15:09:26  Laggy_Bot  bedrock  corrected  mispredicted   7 ms
              asked 0.65, allowed 0.5 blocks
`},
	} {
		var out bytes.Buffer
		if err := printEntries(&out, list, c.players, now); err != nil || out.String() != c.want {
			t.Errorf("%v, got\n%s\nwant\n%s", err, &out, c.want)
		}
	}
}

// Further lines of a long event are aligned below its first line. The marks at its end, such as "#6" and "<- this", are kept.
func TestNearbyEventsOfWhyCommandFitEightyColumns(t *testing.T) {
	at := time.Date(2026, 3, 14, 15, 9, 26, 0, time.Local)
	long := "held: too fast, 585 units asked, 285 allowed, 12 times"
	var out bytes.Buffer
	err := printEntry(&out, journal.Entry{ID: 7, At: at}, []journal.NearbyEvent{
		{At: at.Add(-time.Second), Kind: "held", Text: long, Entry: 6}, {At: at, Kind: "held", Text: long, Entry: 7}, {At: at, Kind: "died", Text: "died"},
	})
	_, got, _ := strings.Cut(out.String(), "around it\n")
	if want := `  15:09:25.000   -1.00s  held       held: too fast, 585 units asked, 285
                                    allowed, 12 times #6
  15:09:26.000   +0.00s  held       held: too fast, 585 units asked, 285
                                    allowed, 12 times <- this
  15:09:26.000   +0.00s  died       died
`; err != nil || got != want {
		t.Errorf("%v, got\n%s\nwant\n%s", err, got, want)
	}
}
