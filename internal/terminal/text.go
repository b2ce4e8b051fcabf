package terminal

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// Wrap breaks a paragraph between words into lines of at most width characters; a longer word has a line of its own. Several
// spaces between two words of a line are preserved.
func Wrap(text string, width int) []string {
	var lines []string
	line, n, spaces := "", 0, 0
	for word := range strings.SplitSeq(text, " ") {
		if word == "" {
			spaces++
			continue
		}
		long := utf8.RuneCountInString(word)
		if n > 0 && n+spaces+long > width {
			lines = append(lines, line)
			line, n = "", 0
		}
		if n > 0 {
			line += strings.Repeat(" ", spaces)
			n += spaces
		}
		line += word
		n += long
		spaces = 1
	}
	return append(lines, line)
}

// wrapClauses breaks a text into lines of at most width characters, preferably at the end of a clause. The parameter marks lists
// the texts that end a clause, such as "; " and ", ", the preferred one first. (1) If possible, a line is broken only after
// marks[0]. (2) A part that is still too long is broken after marks[1], and so on. (3) If that does not suffice, it is broken
// between words. With the marks "; " and ", ", a number stays on the same line as its unit.
func wrapClauses(text string, width int, marks ...string) []string {
	if len(marks) == 0 {
		return Wrap(text, width)
	}
	var lines []string
	line := ""
	for clause := range strings.SplitAfterSeq(text, marks[0]) {
		switch whole := line + clause; {
		case utf8.RuneCountInString(strings.TrimRight(whole, " ")) <= width:
			line = whole
			continue
		case line != "":
			lines = append(lines, strings.TrimRight(line, " "))
		}
		parts := wrapClauses(clause, width, marks[1:]...)
		lines, line = append(lines, parts[:len(parts)-1]...), parts[len(parts)-1]+" "
	}
	return append(lines, strings.TrimRight(line, " "))
}

// Sheet is a printed list: each row has a label and a text beside it. The zero value is ready to use.
type Sheet struct{ rows [][2]string }

// Row adds a label and its text. A row with an empty label continues the label of the row above.
func (s *Sheet) Row(label, format string, args ...any) {
	s.rows = append(s.rows, [2]string{label, fmt.Sprintf(format, args...)})
}

// Print prints a heading and the rows below it, each text beside its label.
func (s *Sheet) Print(w io.Writer, head string) error {
	wide := 0
	for _, r := range s.rows {
		wide = max(wide, utf8.RuneCountInString(r[0]))
	}
	b := bufio.NewWriter(w)
	for _, line := range wrapClauses(head, Columns, "; ", ", ") {
		fmt.Fprintln(b, line)
	}
	for _, r := range s.rows {
		label := r[0]
		for _, line := range wrapClauses(r[1], Columns-wide-4, "; ", ", ", "  ") {
			fmt.Fprintf(b, "  %-*s  %s\n", wide, label, line)
			label = ""
		}
	}
	return b.Flush()
}

// Count returns a number and a noun, such as "1 area" or "3 areas". The plural is formed with an s.
func Count(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return fmt.Sprintf("%d %ss", n, noun)
}
