package main

import (
	"bufio"
	"fmt"
	"io"
	"strconv"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/journal"
)

// column is one of the table: numbers stand at its right edge.
type column struct {
	title string
	right bool
}

// entryColumns are those of the list. Who asks for one player knows his name; on a screen that is too narrow for all, the
// figures of an entry stand below it.
var entryColumns = []column{{"ID", true}, {"TIME", false}, {"PLAYER", false}, {"DOOR", false}, {"VERDICT", false}, {"REASON", false}, {"RTT", true},
	{"ASKED", true}, {"ALLOWED", true}, {"UNIT", false}}

// Where columns are.
const (
	columnPlayer  = 2
	columnFigures = 7 // the first of them
)

// printEntries prints the table of a list, newest first, with the players if they are not all the same. Above entries of
// another day than today, or than the one above, stands their day.
func printEntries(w io.Writer, list []journal.Entry, players bool, now time.Time) error {
	columns, rows := entryColumns, make([][]string, len(list))
	for i := range list {
		rows[i] = entryRow(&list[i])
	}
	if !players {
		columns, rows = without(columns, rows, columnPlayer, columnPlayer+1)
	}
	lines := alignTable(columns, rows)
	folded := widest(lines) > screenColumns
	if folded {
		first := len(columns) - (len(entryColumns) - columnFigures)
		columns, rows = without(columns, rows, first, len(columns))
		lines = alignTable(columns, rows)
	}
	b := bufio.NewWriter(w)
	colours := inkFor(w)
	fmt.Fprintln(b, colours.paint(bold, lines[0]))
	below := strings.Repeat(" ", strings.Index(lines[0], columns[2].title))
	day := now.Local().Format(time.DateOnly)
	for i, line := range lines[1:] {
		e := &list[i]
		if d := e.At.Local().Format(time.DateOnly); d != day {
			day = d
			fmt.Fprintln(b, colours.paint(bold, day))
		}
		verdict := e.Verdict.String()
		fmt.Fprintln(b, strings.Replace(line, verdict, colours.paint(verdictInk[e.Verdict], verdict), 1))
		if folded && e.Unit != "" {
			fmt.Fprintf(b, "%sasked %s, allowed %s %s\n", below, journal.Figure(e.Asked), journal.Figure(e.Allowed), printable(e.Unit))
		}
	}
	return b.Flush()
}

// entryRow is an entry in entryColumns. Same ones within a second are one, which says how many.
func entryRow(e *journal.Entry) []string {
	why := e.Reason.String()
	if e.Times > 1 {
		why += fmt.Sprintf(" x%d", e.Times)
	}
	row := []string{strconv.FormatInt(e.ID, 10), e.At.Local().Format(time.TimeOnly), printable(e.Player), printable(e.Door), e.Verdict.String(), why,
		"-", "-", "-", "-"}
	if e.RTT >= 0 {
		row[6] = fmt.Sprintf("%d ms", e.RTT)
	}
	if e.Unit != "" {
		row[7], row[8], row[9] = journal.Figure(e.Asked), journal.Figure(e.Allowed), printable(e.Unit)
	}
	for i := range row {
		if row[i] == "" {
			row[i] = "-"
		}
	}
	return row
}

// without is a table without the columns from one to before another.
func without(columns []column, rows [][]string, from, to int) ([]column, [][]string) {
	rest := make([][]string, len(rows))
	for i, row := range rows {
		rest[i] = append(row[:from:from], row[to:]...)
	}
	return append(columns[:from:from], columns[to:]...), rest
}

// widest is how many columns of the screen the longest line takes.
func widest(lines []string) int {
	wide := 0
	for _, line := range lines {
		wide = max(wide, utf8.RuneCountInString(line))
	}
	return wide
}

// alignTable makes lines of equal columns, the titles first.
func alignTable(columns []column, rows [][]string) []string {
	width := make([]int, len(columns))
	titles := make([]string, len(columns))
	for i, c := range columns {
		titles[i], width[i] = c.title, len(c.title)
		for _, row := range rows {
			width[i] = max(width[i], utf8.RuneCountInString(row[i]))
		}
	}
	lines := make([]string, 0, len(rows)+1)
	for _, row := range append([][]string{titles}, rows...) {
		var b strings.Builder
		for i, cell := range row {
			pad := strings.Repeat(" ", width[i]-utf8.RuneCountInString(cell))
			if columns[i].right {
				cell = pad + cell
			} else {
				cell += pad
			}
			if i > 0 {
				b.WriteString("  ")
			}
			b.WriteString(cell)
		}
		lines = append(lines, strings.TrimRight(b.String(), " "))
	}
	return lines
}
