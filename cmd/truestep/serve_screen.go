package main

import (
	"context"
	"fmt"
	"io"
	"os"
	"runtime"
	"sync"
	"time"

	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/telemetry"
)

// screen is where the table, the status line and the log meet. On a terminal the status line stays in its place, so that
// the table stays in sight, and log lines go above it; elsewhere each is a line of its own. Safe for any goroutine.
type screen struct {
	out     io.Writer
	log     io.Writer // for whole lines of the log
	inPlace bool

	mu    sync.Mutex
	shown bool // the cursor is behind a status line
}

// What a terminal understands (ECMA-48, and DEC's autowrap mode).
const (
	clearLine = "\r\x1b[K"
	wrapOff   = "\x1b[?7l" // a long status line is cut, not continued where clearLine would miss it
	wrapOn    = "\x1b[?7h"
)

func newScreen(to std) *screen {
	s := &screen{out: to.out, log: to.err}
	s.inPlace = isTerminal(to.out) && os.Getenv("TERM") != "dumb" && runtime.GOOS != "windows"
	if s.inPlace && isTerminal(to.err) {
		s.log = aboveStatus{s, to.err}
	}
	return s
}

func isTerminal(w io.Writer) bool {
	f, ok := w.(*os.File)
	if !ok {
		return false
	}
	info, err := f.Stat()
	return err == nil && info.Mode()&os.ModeCharDevice != 0
}

// status shows the newest status line.
func (s *screen) status(line string) {
	s.mu.Lock()
	defer s.mu.Unlock()
	if !s.inPlace {
		fmt.Fprintln(s.out, line)
		return
	}
	fmt.Fprint(s.out, clearLine+wrapOff+line+wrapOn)
	s.shown = true
}

// close leaves the cursor on a new line.
func (s *screen) close() {
	s.mu.Lock()
	defer s.mu.Unlock()
	if s.shown {
		fmt.Fprintln(s.out)
		s.shown = false
	}
}

// aboveStatus writes lines in the place of the status line, which comes back with the next second.
type aboveStatus struct {
	s  *screen
	to io.Writer
}

func (a aboveStatus) Write(line []byte) (int, error) {
	a.s.mu.Lock()
	defer a.s.mu.Unlock()
	if a.s.shown {
		fmt.Fprint(a.s.out, clearLine)
		a.s.shown = false
	}
	return a.to.Write(line)
}

// showStatus shows a new status line once a second until ctx or the world ends.
func showStatus(ctx context.Context, out *screen, srv *server.Server) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	was, at := srv.Metrics().Totals(), time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-srv.World().Done():
			return
		case <-ticker.C:
		}
		is, now := srv.Metrics().Totals(), time.Now()
		var line telemetry.Status
		for _, a := range srv.World().Stats() {
			line.Players += a.Players
			line.Actors += a.Actors
			line.TickP50 = max(line.TickP50, a.TickP50)
			line.TickP99 = max(line.TickP99, a.TickP99)
		}
		line.SetRates(was, is, now.Sub(at))
		out.status(line.String())
		was, at = is, now
	}
}
