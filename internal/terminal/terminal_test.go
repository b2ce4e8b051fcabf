package terminal

import (
	"bytes"
	"fmt"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestStatusIsWrittenAsPlainLinesIfOutputIsNoTerminal(t *testing.T) {
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

// seen returns what a terminal shows after text was written to it. The sequence clearLine in the text replaces the current line.
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

func TestStatusLineOnTerminalStaysBelowLogLines(t *testing.T) {
	var tty bytes.Buffer
	s := &Screen{Out: &tty, inPlace: true}
	s.Log = &screenLog{s, &tty, true}
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

func TestBufferedLogIsWrittenOnReleaseOrAtTimeOrSizeLimit(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		var both bytes.Buffer
		s := NewScreen(&both, &both)
		s.Hold(time.Second)
		fmt.Fprintln(s.Log, "first")
		fmt.Fprintln(s.Out, "banner")
		s.Release()
		fmt.Fprintln(s.Log, "second")
		if want := "banner\nfirst\nsecond\n"; both.String() != want {
			t.Errorf("%q, want %q", &both, want)
		}
		both.Reset()
		s.Hold(time.Second)
		fmt.Fprintln(s.Log, "progress of a long start")
		time.Sleep(time.Second)
		synctest.Wait()
		if both.Len() == 0 {
			t.Error("the log is kept back after the time of Hold")
		}
		s.Hold(time.Hour)
		fmt.Fprint(s.Log, strings.Repeat("long\n", maxHeld/5+1))
		if both.Len() < maxHeld {
			t.Error("more than maxHeld bytes are kept back")
		}
		s.Close()
	})
}
