package journal

import (
	"cmp"
	"fmt"
	"strconv"
	"time"
)

// Cells returns the entry as table cells: id, time of day, player, door, verdict, reason, round trip, asked, allowed,
// unit. Unknown values are empty cells. If the entry merges several decisions, the reason cell also has their number
// (Times), such as "too_fast x3". Names are as clients sent them, so callers must escape control characters before they
// print the cells.
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

// Cells returns the entry as table cells: last time, first time, door, kind, budget, network, account, number of times. If the
// entry sums up all networks that have no entry of their own, the door cell is "all" and the budget cell is "others". Unknown
// values are empty cells. Names may contain control characters.
func (h *HeldBack) Cells() []string {
	return []string{h.At.Local().Format(time.DateTime), h.Since.Local().Format(time.DateTime), cmp.Or(h.Door, "all"), h.Kind,
		cmp.Or(h.Budget, "others"), h.Network, h.Account, strconv.FormatUint(h.Times, 10)}
}
