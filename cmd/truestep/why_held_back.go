package main

import (
	"bufio"
	"context"
	"fmt"

	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/journal"
)

var heldBackColumns = []terminal.Column{
	{Title: "LAST"}, {Title: "SINCE"}, {Title: "DOOR"}, {Title: "KIND"}, {Title: "BUDGET"}, {Title: "NETWORK"}, {Title: "ACCOUNT"}, {Title: "TIMES", Right: true},
}

// heldBack prints which connections and logins were refused or displaced because of a limit, newest first.
func (c *whyCmd) heldBack(ctx context.Context, to std, r *journal.Reader, q journal.Query) error {
	list, err := r.HeldBack(ctx, journal.HeldBackQuery{Account: c.Player, Since: q.Since, Until: q.Until, Limit: c.Limit})
	if err != nil {
		return err
	}
	b := bufio.NewWriter(to.out)
	rows := make([][]string, len(list))
	for i, h := range list {
		if c.JSON {
			if err := terminal.WriteJSON(b, &h); err != nil {
				return err
			}
			continue
		}
		rows[i] = printableCells(h.Cells())
	}
	switch {
	case len(list) == 0 && !c.JSON:
		fmt.Fprintln(b, "nothing was held back in that time")
	case !c.JSON:
		for _, line := range terminal.Table(heldBackColumns, rows) {
			fmt.Fprintln(b, line)
		}
	}
	return b.Flush()
}
