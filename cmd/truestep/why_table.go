package main

import (
	"bufio"
	"cmp"
	"fmt"
	"io"
	"strings"
	"time"

	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/journal"
)

// entryColumns are the columns of the list of journal entries. The column of the player is omitted when the list is about one
// player. On a narrow screen, the values of the last three columns are printed on a line below the entry instead.
var entryColumns = []terminal.Column{
	{Title: "ID", Right: true}, {Title: "TIME"}, {Title: "PLAYER"}, {Title: "DOOR"}, {Title: "VERDICT"}, {Title: "REASON"},
	{Title: "RTT", Right: true}, {Title: "ASKED", Right: true}, {Title: "ALLOWED", Right: true}, {Title: "UNIT"},
}

// Indices of columns in entryColumns.
const (
	columnPlayer  = 2
	columnFigures = 7 // index of the first of the last three columns: ASKED, ALLOWED, UNIT
)

// printEntries prints entries as a table, newest first, with a column of players if players is true. Past days have a date line.
func printEntries(w io.Writer, list []journal.Entry, players bool, now time.Time) error {
	columns, rows := entryColumns, make([][]string, len(list))
	for i := range list {
		rows[i] = printableCells(list[i].Cells())
	}
	if !players {
		columns, rows = terminal.RemoveColumns(columns, rows, columnPlayer, columnPlayer+1)
	}
	lines := terminal.Table(columns, rows)
	folded := terminal.Width(lines) > terminal.Columns
	if folded {
		first := len(columns) - (len(entryColumns) - columnFigures)
		columns, rows = terminal.RemoveColumns(columns, rows, first, len(columns))
		lines = terminal.Table(columns, rows)
	}
	b := bufio.NewWriter(w)
	colours := terminal.ColoursOf(w)
	fmt.Fprintln(b, colours.Paint(terminal.Bold, lines[0]))
	below := strings.Repeat(" ", strings.Index(lines[0], columns[2].Title))
	day := now.Local().Format(time.DateOnly)
	for i, line := range lines[1:] {
		e := &list[i]
		if d := e.At.Local().Format(time.DateOnly); d != day {
			day = d
			fmt.Fprintln(b, colours.Paint(terminal.Bold, day))
		}
		verdict := " " + e.Verdict.String() + " " // with the spaces around it, because a name in the line may contain the same word
		fmt.Fprintln(b, strings.Replace(line, verdict, colours.Paint(verdictColours[e.Verdict], verdict), 1))
		if folded && e.Unit != "" {
			asked, allowed := journal.FormatPair(e.Asked, e.Allowed)
			fmt.Fprintf(b, "%sasked %s, allowed %s %s\n", below, asked, allowed, terminal.Printable(e.Unit))
		}
	}
	return b.Flush()
}

// printableCells escapes control characters in the cells of a row, and replaces empty cells by "-".
func printableCells(row []string) []string {
	for i := range row {
		row[i] = cmp.Or(terminal.Printable(row[i]), "-")
	}
	return row
}
