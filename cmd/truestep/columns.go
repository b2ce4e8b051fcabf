package main

import (
	"bufio"
	"fmt"
	"io"
	"strings"
	"unicode/utf8"
)

// screenColumns is how wide printed text gets: the narrowest terminal that people still have. What cannot be broken, an
// address or a name, stays whole and may be wider.
const screenColumns = 80

// wrapText breaks a paragraph between words. Within a line, spaces stay as they are.
func wrapText(text string, width int) []string {
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

// wrapClauses breaks a text behind semicolons, a clause that is too long behind commas, and only what is too long still
// between words: a figure and its unit stay together.
func wrapClauses(text string, width int, marks ...string) []string {
	if len(marks) == 0 {
		return wrapText(text, width)
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

// sheet is rows of a label and a text. The zero value is ready to use.
type sheet struct{ rows [][2]string }

// row adds one. Without a label it goes on with the subject of the row above.
func (s *sheet) row(label, format string, args ...any) {
	s.rows = append(s.rows, [2]string{label, fmt.Sprintf(format, args...)})
}

// print prints a head and the rows below it, texts beside the labels and beneath each other.
func (s *sheet) print(w io.Writer, head string) error {
	wide := 0
	for _, r := range s.rows {
		wide = max(wide, utf8.RuneCountInString(r[0]))
	}
	b := bufio.NewWriter(w)
	for _, line := range wrapClauses(head, screenColumns, "; ", ", ") {
		fmt.Fprintln(b, line)
	}
	for _, r := range s.rows {
		label := r[0]
		for _, line := range wrapClauses(r[1], screenColumns-wide-4, "; ", ", ", "  ") {
			fmt.Fprintf(b, "  %-*s  %s\n", wide, label, line)
			label = ""
		}
	}
	return b.Flush()
}
