//go:build linux

package main

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"sync"
)

// report collects and prints the results of checks and attacks.
type report struct {
	printing       sync.Mutex                    // guards all fields and the standard output
	passed, failed int                           // number of results
	cells          map[string]map[float64]string // effects on honest players, by name and strength of the attack; "" for none
}

func newReport() report { return report{cells: map[string]map[float64]string{}} }

func (r *report) printf(format string, args ...any) {
	r.printing.Lock()
	defer r.printing.Unlock()
	fmt.Printf(format, args...)
}

// result counts a check or an attack as passed if err is nil. Otherwise it counts and prints a failure.
func (r *report) result(name string, err error) {
	r.printing.Lock()
	defer r.printing.Unlock()
	if err == nil {
		r.passed++
		return
	}
	r.failed++
	fmt.Printf("FAIL %s: %s\n", name, indent(err))
}

// add counts an attack at one strength as passed or failed. The attack has failed if (1) err is not nil, or (2) the strength is
// at most 1 and honest players noticed any effects.
func (r *report) add(a attack, strength float64, err error, noticed []error) {
	r.printing.Lock()
	if r.cells[a.name] == nil {
		r.cells[a.name] = map[float64]string{}
	}
	r.cells[a.name][strength] = ""
	if noticed != nil {
		text := noticed[0].Error()
		if len(noticed) > 1 {
			text += fmt.Sprintf(" (and %d more)", len(noticed)-1)
		}
		r.cells[a.name][strength] = strings.ReplaceAll(text, "\n", "; ")
	}
	r.printing.Unlock()
	if strength <= 1 {
		err = errors.Join(err, errors.Join(noticed...))
	}
	r.result(fmt.Sprintf("%s x%g", a.name, strength), err)
}

// line prints one line with the longest times that were measured during a trial, and the effects on honest players below it.
func (r *report) line(t *trial) {
	var names []string
	units := 0
	for _, a := range t.attacks {
		names = append(names, a.name)
		units += t.counts[a.name]
	}
	var b strings.Builder
	fmt.Fprintf(&b, "%-28s %8d units ", fmt.Sprintf("%s x%g", strings.Join(names, " + "), t.strength), units)
	for _, way := range routes {
		fmt.Fprintf(&b, " %s %d ms,", way.name, t.longest[way.name].Milliseconds())
	}
	fmt.Fprintf(&b, " console %d ms, metrics %d ms; cores: server %.1f, attack %.1f, others %.1f\n",
		t.longest[askConsole].Milliseconds(), t.longest[askMetrics].Milliseconds(), t.serverCores, t.attackCores, t.otherCores)
	for _, err := range t.noticed {
		fmt.Fprintf(&b, "    noticed: %s\n", indent(err))
	}
	r.printf("%s", b.String())
}

func indent(err error) string { return strings.ReplaceAll(err.Error(), "\n", "\n    ") }

// print prints for each attack the least strength at which honest players noticed it, and returns the numbers of passed and
// failed results.
func (r *report) print(o options) (passed, failed int) {
	fmt.Println()
	for _, a := range attacks {
		cells, ok := r.cells[a.name]
		if !ok || o.brief && cells[o.strengths[0]] == "" {
			continue
		}
		first := fmt.Sprintf("not noticed up to x%g", slices.Max(o.strengths))
		for _, s := range slices.Sorted(slices.Values(o.strengths)) {
			if cells[s] != "" {
				first = fmt.Sprintf("noticed at x%g: %s", s, cells[s])
				break
			}
		}
		fmt.Printf("%-26s %s; %s\n", a.name, a.what, first)
	}
	return r.passed, r.failed
}
