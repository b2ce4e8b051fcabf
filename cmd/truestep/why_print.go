package main

import (
	"bufio"
	"encoding/json"
	"fmt"
	"io"
	"os"
	"runtime"
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

// printEntry shows one entry whole: the sentence, the explanation, the drawing, and what happened around it.
func printEntry(w io.Writer, e journal.Entry, around []journal.Around) error {
	b := bufio.NewWriter(w)
	colours := inkFor(w)
	e.At, e.First = e.At.Local(), e.First.Local()
	fmt.Fprintln(b)
	for _, line := range wrapText(fmt.Sprintf("#%d %s: %s", e.ID, e.Verdict, e.Reason.Sentence()), screenColumns) {
		fmt.Fprintln(b, colours.paint(bold, line))
	}
	for _, line := range wrapText(printable(journal.Explain(e)), screenColumns) {
		fmt.Fprintln(b, line)
	}
	if e.Placed {
		fmt.Fprint(b, "\n"+journal.Draw(e.From, e.Pos))
	}
	fmt.Fprintf(b, "\n%s\n", colours.paint(bold, "around it"))
	for i := range around {
		printAround(b, &e, &around[i], colours)
	}
	return b.Flush()
}

// printAround shows one of the events around an entry. A long text goes on beneath itself.
func printAround(w io.Writer, e *journal.Entry, a *journal.Around, colours ink) {
	head := fmt.Sprintf("  %s %8s  %-10s ", a.At.Local().Format("15:04:05.000"), offset(a.At.Sub(e.At)), printable(a.Kind))
	text, mark := printable(a.Text), ""
	switch a.Entry {
	case 0:
	case e.ID:
		mark = " <- this"
	default:
		mark = fmt.Sprintf(" #%d", a.Entry)
	}
	wide := utf8.RuneCountInString(head)
	for _, line := range wrapText(text+mark, screenColumns-wide) {
		if a.Entry == e.ID {
			line = colours.paint(bold, head+line)
		} else if rest, ok := strings.CutSuffix(line, mark); ok && mark != "" {
			line = head + rest + colours.paint(faint, mark)
		} else {
			line = head + line
		}
		fmt.Fprintln(w, line)
		head = strings.Repeat(" ", wide)
	}
}

// offset is how much earlier or later something was.
func offset(d time.Duration) string { return fmt.Sprintf("%+.2fs", d.Seconds()) }
