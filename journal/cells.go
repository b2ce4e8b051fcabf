package journal

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// Cells returns the entry as the cells of a table: id, time of day, player, door, verdict, reason, round trip, asked,
// allowed, unit. Unknown values are empty cells. The reason of an entry with merged decisions includes their number
// (Times). Names are as clients sent them, so a caller that prints them must escape control characters.
func (e *Entry) Cells() []string {
	why := e.Reason.String()
	if e.Times > 1 {
		why += fmt.Sprintf(" x%d", e.Times)
	}
	row := []string{strconv.FormatInt(e.ID, 10), e.At.Local().Format(time.TimeOnly), e.Player, e.Door, e.Verdict.String(), why, "", "", "", ""}
	if e.RTT >= 0 {
		row[6] = fmt.Sprintf("%d ms", e.RTT)
	}
	if e.Unit != "" {
		row[7], row[8] = FormatPair(e.Asked, e.Allowed)
		row[9] = e.Unit
	}
	return row
}

// Cells returns the entry as the cells of a table: last and first time, door, kind, budget, network, account, number of
// times. An entry that counts the remaining networks together has the door "all" and the budget "others". Unknown values
// are empty cells. Names may have control characters.
func (h *HeldBack) Cells() []string {
	return []string{h.At.Local().Format(time.DateTime), h.Since.Local().Format(time.DateTime), cmp.Or(h.Door, "all"), h.Kind,
		cmp.Or(h.Budget, "others"), h.Network, h.Account, strconv.FormatUint(h.Times, 10)}
}
