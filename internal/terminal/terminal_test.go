package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
)

func TestStatusToFileIsWrittenAsPlainLines(t *testing.T) {
	var out, errs bytes.Buffer
	s := NewScreen(&out, &errs)
	s.Status("one")
	fmt.Fprintln(s.Log, "logged")
	s.Status("two")
	s.Close()
	if out.String() != "one\ntwo\n" || errs.String() != "logged\n" {
		t.Errorf("%q, %q", out.String(), errs.String())
	}
}

// seen returns what a terminal shows after text was written: a carriage return with clearing replaces the line.
func seen(text string) string {
	for _, mode := range []string{wrapOff, wrapOn} {
		text = strings.ReplaceAll(text, mode, "")
	}
	lines := strings.Split(text, "\n")
	for i, line := range lines {
		lines[i] = line[strings.LastIndex(clearLine+line, clearLine):]
	}
	return strings.Join(lines, "\n")
}

func TestTerminalStatusLineStaysBelowLogLines(t *testing.T) {
	var tty bytes.Buffer
	s := &Screen{Out: &tty, inPlace: true}
	s.Log = aboveStatus{s, &tty}
	fmt.Fprintln(s.Log, "before")
	s.Status("one")
	s.Status("two")
	if got := seen(tty.String()); got != "before\ntwo" {
		t.Errorf("%q", got)
	}
	fmt.Fprintln(s.Log, "logged")
	s.Status("three")
	s.Close()
	s.Close()
	if got := seen(tty.String()); got != "before\nlogged\nthree\n" {
		t.Errorf("%q", got)
	}
}
