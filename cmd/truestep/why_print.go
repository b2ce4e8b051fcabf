package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
	"strconv"
	"strings"
	"time"
	"unicode"
	"unicode/utf16"
	"unicode/utf8"

	"github.com/truestep-io/truestep/journal"
)

// ink colours what is shown on a terminal (ECMA-48), and nothing elsewhere.
type ink bool

func inkFor(w io.Writer) ink {
	return ink(isTerminal(w) && os.Getenv("NO_COLOR") == "" && os.Getenv("TERM") != "dumb" && runtime.GOOS != "windows")
}

func (i ink) paint(code, text string) string {
	if !i {
		return text
	}
	return "\x1b[" + code + "m" + text + "\x1b[0m"
}

// Colours.
const (
	bold   = "1"
	faint  = "2"
	red    = "31"
	yellow = "33"
	cyan   = "36"
)

var verdictInk = map[journal.Verdict]string{journal.Held: yellow, journal.Corrected: cyan, journal.Refused: red}

// printable is a text that says nothing to a terminal: players choose their names.
func printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, s)
}

func printEntriesJSON(w io.Writer, list []journal.Entry) error {
	b := bufio.NewWriter(w)
	for i := range list {
		if err := printJSON(b, list[i]); err != nil {
			return err
		}
	}
	return b.Flush()
}

// printJSON prints a line of JSON that says nothing to a terminal either: what encoding/json leaves as it is and is no
// letter is written as its number.
func printJSON(w io.Writer, v any) error {
	text, err := json.Marshal(v)
	if err != nil {
		return err
	}
	line := make([]byte, 0, len(text)+1)
	for _, r := range string(text) {
		switch {
		case unicode.IsPrint(r):
			line = utf8.AppendRune(line, r)
		case r <= 0xffff:
			line = fmt.Appendf(line, "\\u%04x", r)
		default:
			hi, lo := utf16.EncodeRune(r)
			line = fmt.Appendf(line, "\\u%04x\\u%04x", hi, lo)
		}
	}
	_, err = w.Write(append(line, '\n'))
	return err
}

// column is one of the table: numbers stand at its right edge.
type column struct {
	title string
	right bool
}

// printEntries prints the table of a list, newest first, with the players if they are not all the same.
func printEntries(w io.Writer, list []journal.Entry, players bool, now time.Time) error {
	columns := []column{{"ID", true}, {"TIME", false}, {"PLAYER", false}, {"DOOR", false}, {"VERDICT", false}, {"REASON", false},
		{"ASKED", true}, {"ALLOWED", true}, {"UNIT", false}, {"RTT", true}, {"TIMES", true}}
	layout := time.TimeOnly
	if y, m, d := list[len(list)-1].At.Local().Date(); now.Before(time.Date(y, m, d, 0, 0, 0, 0, now.Location())) ||
		!now.Before(time.Date(y, m, d+1, 0, 0, 0, 0, now.Location())) {
		layout = time.DateTime
	}
	rows := make([][]string, len(list))
	for i := range list {
		rows[i] = entryRow(&list[i], layout)
	}
	if !players {
		columns = append(columns[:2:2], columns[3:]...)
		for i := range rows {
			rows[i] = append(rows[i][:2:2], rows[i][3:]...)
		}
	}
	b := bufio.NewWriter(w)
	colours := inkFor(w)
	lines := alignTable(columns, rows)
	fmt.Fprintln(b, colours.paint(bold, lines[0]))
	for i, line := range lines[1:] {
		verdict := list[i].Verdict.String()
		fmt.Fprintln(b, strings.Replace(line, verdict, colours.paint(verdictInk[list[i].Verdict], verdict), 1))
	}
	return b.Flush()
}

func entryRow(e *journal.Entry, layout string) []string {
	row := []string{strconv.FormatInt(e.ID, 10), e.At.Local().Format(layout), printable(e.Player), printable(e.Door), e.Verdict.String(), e.Reason.String(),
		"-", "-", "-", "-", strconv.Itoa(int(e.Times))}
	if e.Unit != "" {
		row[6], row[7], row[8] = journal.Figure(e.Asked), journal.Figure(e.Allowed), printable(e.Unit)
	}
	if e.RTT >= 0 {
		row[9] = fmt.Sprintf("%d ms", e.RTT)
	}
	for i := range row {
		if row[i] == "" {
			row[i] = "-"
		}
	}
	return row
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

// explainWidth is how many columns an explanation takes: the narrowest terminal that people still have.
const explainWidth = 80

// printEntry shows one entry whole: the sentence, the explanation, the drawing, and what happened around it.
func printEntry(w io.Writer, e journal.Entry, around []journal.Around) error {
	b := bufio.NewWriter(w)
	colours := inkFor(w)
	e.At, e.First = e.At.Local(), e.First.Local()
	fmt.Fprintf(b, "\n%s\n", colours.paint(bold, fmt.Sprintf("#%d %s: %s", e.ID, e.Verdict, e.Reason.Sentence())))
	for _, line := range wrapText(printable(journal.Explain(e)), explainWidth) {
		fmt.Fprintln(b, line)
	}
	if e.Placed {
		fmt.Fprint(b, "\n"+drawWay(e.From, e.Pos))
	}
	fmt.Fprintf(b, "\n%s\n", colours.paint(bold, "around it"))
	for _, a := range around {
		line := fmt.Sprintf("  %s %8s  %-10s %s", a.At.Local().Format("15:04:05.000"), offset(a.At.Sub(e.At)), printable(a.Kind), printable(a.Text))
		switch a.Entry {
		case 0:
		case e.ID:
			line = colours.paint(bold, line+"   <- this")
		default:
			line += colours.paint(faint, fmt.Sprintf("  #%d", a.Entry))
		}
		fmt.Fprintln(b, line)
	}
	return b.Flush()
}

// offset is how much earlier or later something was.
func offset(d time.Duration) string { return fmt.Sprintf("%+.2fs", d.Seconds()) }

// wrapText breaks a paragraph between words.
func wrapText(text string, width int) []string {
	var lines []string
	line, n := "", 0
	for word := range strings.FieldsSeq(text) {
		long := utf8.RuneCountInString(word)
		if n > 0 && n+1+long > width {
			lines = append(lines, line)
			line, n = "", 0
		}
		if n > 0 {
			line += " "
			n++
		}
		line += word
		n += long
	}
	return append(lines, line)
}
