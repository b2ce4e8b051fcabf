// Package terminal prints text for people: paragraphs and tables that fit a screen of 80 columns, colours if the output is a
// terminal, and a status line that stays in place below the log.
package terminal

import (
	"fmt"
	"io"
	"os"
	"runtime"
	"strings"
	"sync"
	"time"
	"unicode"
)

// Columns is the maximum width of printed text, which fits the narrowest terminals in use. Only text that must not be
// broken, such as an address or a path, may be wider.
const Columns = 80

// IsTerminal reports whether w is a terminal.
func IsTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// understandsSequences reports whether w is a terminal that interprets control sequences (ECMA-48).
func understandsSequences(w io.Writer) bool {
	return IsTerminal(w) && os.Getenv("TERM") != "dumb" && runtime.GOOS != "windows"
}

// Colours says whether text for a certain output may contain control sequences for colours.
type Colours bool

// ColoursOf reports whether text on w may be coloured.
func ColoursOf(w io.Writer) Colours {
	return Colours(understandsSequences(w) && os.Getenv("NO_COLOR") == "")
}

// Colours and other attributes of text: parameters of the control sequence SGR (ECMA-48).
const (
	Bold   = "1"
	Faint  = "2"
	Red    = "31"
	Yellow = "33"
	Cyan   = "36"
)

// Paint returns text with a colour or another attribute, or unchanged if text may not be coloured.
func (c Colours) Paint(attribute, text string) string {
	if !c {
		return text
	}
	return "\x1b[" + attribute + "m" + text + "\x1b[0m"
}

// Printable replaces the control characters in a text, because names and other texts of players could contain control sequences.
func Printable(s string) string {
	return strings.Map(func(r rune) rune {
		if !unicode.IsPrint(r) {
			return '\ufffd'
		}
		return r
	}, s)
}

// Screen shows a status line and a log. On a terminal the status line is replaced in place and log lines appear above it;
// elsewhere status and log are written as separate lines. Its methods are safe for concurrent use.
type Screen struct {
	Out io.Writer // receives status lines
	Log io.Writer // accepts log text as whole lines

	inPlace bool
	mu      sync.Mutex
	shown   bool // a status line is on the screen, with the cursor at its end

	held    []byte      // log text that waits for Release
	holding bool        // Hold was called, and Release was not yet
	release *time.Timer // calls Release at the time limit of Hold
}

// Control sequences of ECMA-48, and of DEC's autowrap mode.
const (
	clearLine = "\r\x1b[K"
	wrapOff   = "\x1b[?7l" // turns line wrapping off: clearLine could not clear all rows of a wrapped status line
	wrapOn    = "\x1b[?7h"
)

// NewScreen returns a Screen that writes status lines to out and log lines to log.
func NewScreen(out, log io.Writer) *Screen {
	s := &Screen{Out: out, inPlace: understandsSequences(out)}
	s.Log = &screenLog{s, log, s.inPlace && IsTerminal(log)}
	return s
}

// Hold delays log text: the text is buffered until Release or Close is called, but at most for the duration most.
func (s *Screen) Hold(most time.Duration) {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.holding = true
	s.release = time.AfterFunc(most, s.Release)
}

// Release writes the log text that was buffered since Hold.
func (s *Screen) Release() {
	s.mu.Lock()
	defer s.mu.Unlock()
	s.writeHeld()
}

func (s *Screen) writeHeld() {
	if !s.holding {
		return
	}
	s.holding = false
	s.release.Stop()
	_, _ = s.Log.(*screenLog).write(s.held) // errors of writing log lines are ignored
	s.held = nil
}

// Status shows a new status line. On a terminal it replaces the previous one.
func (s *Screen) Status(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.inPlace {
		fmt.Fprintln(s.Out, line)
		return
	}
	fmt.Fprint(s.Out, clearLine+wrapOff+line+wrapOn)
	s.shown = true
}

// Close writes buffered log text, and ends the status line with a newline.
func (s *Screen) Close() {
	s.Release()
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown {
		fmt.Fprintln(s.Out)
		s.shown = false
	}
}

// screenLog is the writer in Screen.Log. On a terminal it prints log lines over the status line, which the next call of Status
// prints again below them.
type screenLog struct {
	s           *Screen
	to          io.Writer
	aboveStatus bool // log and status line share a terminal: a log line replaces the status line, and the next Status shows it below
}

// Write writes one or more whole log lines, or buffers them after a call of Hold. It implements io.Writer.
func (l *screenLog) Write(lines []byte) (int, error) {
	l.s.mu.Lock()
	defer l.s.mu.Unlock()
	if l.s.holding {
		l.s.held = append(l.s.held, lines...)
		if len(l.s.held) > maxHeld {
			l.s.writeHeld()
		}
		return len(lines), nil
	}
	return l.write(lines)
}

// maxHeld is the maximum number of bytes that Hold buffers. If the buffered log text is longer, it is written immediately.
const maxHeld = 1 << 20

func (l *screenLog) write(lines []byte) (int, error) {
	if l.aboveStatus && l.s.shown {
		fmt.Fprint(l.s.Out, clearLine)
		l.s.shown = false
	}
	return l.to.Write(lines)
}
