package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"time"
	"unicode/utf8"

	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/journal"
)

var verdictColours = map[journal.Verdict]string{journal.Held: terminal.Yellow, journal.Corrected: terminal.Cyan, journal.Refused: terminal.Red, journal.Hit: terminal.Faint}

func printEntriesJSON(w io.Writer, list []journal.Entry) error {
	b := bufio.NewWriter(w)
	for i := range list {
		if err := terminal.WriteJSON(b, list[i]); err != nil {
			return err
		}
	}
	return b.Flush()
}

// printEntry prints a journal entry: reason, explanation, a drawing of the positions, and the events shortly before and after.
func printEntry(w io.Writer, e journal.Entry, around []journal.NearbyEvent) error {
	b := bufio.NewWriter(w)
	colours := terminal.ColoursOf(w)
	e.At, e.First = e.At.Local(), e.First.Local()
	fmt.Fprintln(b)
	for _, line := range terminal.Wrap(fmt.Sprintf("#%d %s: %s", e.ID, e.Verdict, e.Reason.Sentence()), terminal.Columns) {
		fmt.Fprintln(b, colours.Paint(terminal.Bold, line))
	}
	for _, line := range terminal.Wrap(terminal.Printable(journal.Explain(e)), terminal.Columns) {
		fmt.Fprintln(b, line)
	}
	if e.HasFrom {
		fmt.Fprint(b, "\n"+journal.Draw(e.From, e.Pos))
	}
	fmt.Fprintf(b, "\n%s\n", colours.Paint(terminal.Bold, "around it"))
	for i := range around {
		printAround(b, &e, &around[i], colours)
	}
	return b.Flush()
}

// printAround prints an event shortly before or after a journal entry. Further lines of its text are indented like the first.
func printAround(w io.Writer, e *journal.Entry, a *journal.NearbyEvent, colours terminal.Colours) {
	head := fmt.Sprintf("  %s %8s  %-10s ", a.At.Local().Format("15:04:05.000"), offset(a.At.Sub(e.At)), terminal.Printable(a.Kind))
	text, mark := terminal.Printable(a.Text), ""
	switch a.Entry {
	case 0:
	case e.ID:
		mark = " <- this"
	default:
		mark = fmt.Sprintf(" #%d", a.Entry)
	}
	wide := utf8.RuneCountInString(head)
	for _, line := range terminal.Wrap(text+mark, terminal.Columns-wide) {
		if a.Entry == e.ID {
			line = colours.Paint(terminal.Bold, head+line)
		} else if rest, ok := strings.CutSuffix(line, mark); ok && mark != "" {
			line = head + rest + colours.Paint(terminal.Faint, mark)
		} else {
			line = head + line
		}
		fmt.Fprintln(w, line)
		head = strings.Repeat(" ", wide)
	}
}

// offset returns the time from a journal entry to an event as text, in seconds. It is negative if the event came first.
func offset(d time.Duration) string { return fmt.Sprintf("%+.2fs", d.Seconds()) }
