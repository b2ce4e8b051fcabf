package area

import (
	"bytes"
	"fmt"
	"runtime"
	"strings"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Limits of the duration of a tick. An area whose tick takes longer is stopped. Ticks normally take milliseconds, so the
// goroutine of such an area is in an endless loop or waits forever, for example in the rules of a game.
const (
	hangCheck = time.Second // interval between two checks
	// hangChecks is the number of consecutive checks that find the same tick before the area is stopped. It is not a time, because
	// a suspended process makes no checks.
	hangChecks = 10
)

// Special values of runner.stepping. Any other value is the number of the tick that is being stepped.
const (
	notStepping = 0
	hung        = ^uint64(0) // a tick did not end in time: the area has failed, see abandon
)

// watch checks the areas every hangCheck and stops those whose tick does not end. It returns when all areas have ended.
func (w *World) watch() {
	ticker := time.NewTicker(hangCheck)
	defer ticker.Stop()
	last, same := make([]uint64, len(w.areas)), make([]int, len(w.areas))
	for {
		select {
		case <-w.unwatched:
			return
		case <-ticker.C:
		}
		for i, r := range w.areas {
			tick := r.stepping.Load()
			if tick == notStepping || tick == hung || tick != last[i] {
				last[i], same[i] = tick, 0
				continue
			}
			if same[i]++; same[i] >= hangChecks {
				r.abandon(tick)
			}
		}
	}
}

// abandon marks an area as failed because a tick has not ended in time. The area accepts no more intents. Its goroutine
// cannot be interrupted and keeps running. If the tick ends after all, the goroutine ends without publishing the frame
// (see stepSim and endPanicked). A tape already has the intents of the tick, so the tick can be stepped again.
func (r *runner) abandon(tick uint64) {
	stack := stackOf(r.goroutine.Load())
	if !r.stepping.CompareAndSwap(tick, hung) {
		return // the tick has just ended
	}
	err := fmt.Errorf("area %q stopped: tick %d has not ended for %v%s", r.name, tick, hangChecks*hangCheck, gameIn(stack))
	r.inbox.raise(inboxClosed)
	r.world.log.Error("area stopped because its tick does not end", telemetry.FieldArea, r.name, telemetry.FieldTick, tick, telemetry.FieldStack, stack)
	r.stats.setFailed(err)
	r.world.fail(err)
	close(r.ended)
}

// stepSim steps the simulation once. If abandon has marked the area as failed meanwhile, stepSim ends the goroutine.
func (r *runner) stepSim() *sim.Frame {
	tick := uint64(r.tick + 1)
	r.stepping.Store(tick)
	f := r.sim.Step(r.intents)
	if !r.stepping.CompareAndSwap(tick, notStepping) {
		runtime.Goexit()
	}
	return f
}

// endPanicked records that the step in progress, if any, has ended by a panic. It returns false if abandon has marked the area as
// failed meanwhile; the goroutine must then end, because the world has continued without this area.
func (r *runner) endPanicked() bool {
	r.stepping.CompareAndSwap(uint64(r.tick+1), notStepping)
	return !r.isHung()
}

// isHung reports whether the area was stopped because a tick did not end. If so, the goroutine still runs, and the fields
// of the runner must not be accessed.
func (r *runner) isHung() bool { return r.stepping.Load() == hung }

// living returns the areas of a stopping world whose goroutines are not stuck in a tick.
func (w *World) living() (list []*runner) {
	for _, r := range w.areas {
		if !r.isHung() {
			list = append(list, r)
		}
	}
	return list
}

// ownGoroutine returns the words that begin the stack trace of the calling goroutine, such as "goroutine 17 ".
func ownGoroutine() string {
	var buf [64]byte
	id, _, _ := strings.Cut(string(buf[:runtime.Stack(buf[:], false)]), "[")
	return id
}

// stackOf returns the stack trace of a goroutine, or "" if the goroutine has ended. The parameter goroutine is the result of
// ownGoroutine in that goroutine, or nil before the goroutine has called it.
func stackOf(goroutine *string) string {
	if goroutine == nil {
		return ""
	}
	buf := make([]byte, 1<<20) // room for the stacks of thousands of goroutines; the rest is cut off
	for _, one := range bytes.Split(buf[:runtime.Stack(buf, true)], []byte("\n\n")) {
		if bytes.HasPrefix(one, []byte(*goroutine)) {
			return string(one)
		}
	}
	return ""
}

// gameIn looks for a function of a game's rules in the stack trace of a panic or of a hanging tick. It returns a text that names
// the function, to be appended to an error message, or "" if the trace has no such function.
func gameIn(stack string) string {
	const simulation = "github.com/truestep-io/truestep/sim."
	lines := strings.Split(stack, "\n")
	for i := 2; i+1 < len(lines); i++ {
		if !strings.HasPrefix(lines[i], simulation+"(*Area).tickGame") && !strings.HasPrefix(lines[i], simulation+"(*Area).runCommand") {
			continue
		}
		function, place := lines[i-2], strings.TrimSpace(lines[i-1])
		if strings.HasPrefix(function, simulation) || strings.HasPrefix(function, "runtime.") || strings.HasPrefix(function, "panic(") {
			return ""
		}
		if at := strings.LastIndexByte(function, '('); at > 0 {
			function = function[:at]
		}
		place, _, _ = strings.Cut(place, " +0x")
		return fmt.Sprintf(", in the rules of the game: %s, %s", function, place)
	}
	return ""
}
