package raftlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"syscall"
	"testing"

	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/internal/simdisk"
)

// The simulation of a cluster (package cluster) runs on a model of this package, simdisk.Disk. The tests of this file run the same
// scripts against the model and against logs, and compare the results of each call and what a process finds when it starts.

// engine is a log that processes open one after the other: the model, or a Log in a folder of the system or of a disk in memory.
type engine interface {
	open(t *testing.T) (content version, incomplete bool) // a process starts
	write(state *replica.State, entries []replica.Entry) error
	rotate(s replica.Snapshot, state replica.State, rest []replica.Entry) error
	complete() error
	sync() error
	kill()          // the process ends without closing its log
	losePower()     // the machine loses power: as kill, and writes that were not synced are lost
	setFull(v bool) // fills the disk, or makes space again
}

// modelEngine is the model.
type modelEngine struct{ simdisk.Disk }

func (m *modelEngine) open(*testing.T) (version, bool) {
	c := m.Open()
	return version{c.State, c.Snapshot, c.Entries}, m.Lost
}

func (m *modelEngine) write(state *replica.State, entries []replica.Entry) error {
	return m.Write(state, entries)
}

func (m *modelEngine) rotate(s replica.Snapshot, state replica.State, rest []replica.Entry) error {
	return m.Rotate(s, state, rest)
}
func (m *modelEngine) complete() error { return m.MarkComplete() }
func (m *modelEngine) sync() error     { m.Sync(); return nil }
func (m *modelEngine) kill()           {}
func (m *modelEngine) losePower()      { m.LosePower(0) }
func (m *modelEngine) setFull(v bool)  { m.Full = v }

// logEngine is a Log in a folder. The node that uses it belongs to a new cluster, so that the first log counts as complete.
type logEngine struct {
	log    *Log
	disk   *disk  // the folder is in memory; nil: dir is a folder of the system
	dir    string // folder of the system
	boots  int    // number of starts of the machine
	opened bool   // a process has opened the log before
}

func (e *logEngine) folder() folder {
	if e.disk == nil {
		return osFolder(e.dir)
	}
	return e.disk
}

func (e *logEngine) open(t *testing.T) (version, bool) {
	t.Helper()
	log, r, err := open(e.dir, e.folder(), testHeader, fmt.Sprint("boot ", e.boots))
	if err != nil {
		t.Fatal(err)
	}
	e.log = log
	if r.New && !e.opened { // as server.openLog
		if err := log.MarkComplete(); err != nil {
			t.Fatal(err)
		}
		r.New = false
	}
	e.opened = true
	return r.version(), r.New || r.Rebooted
}

func (e *logEngine) write(state *replica.State, entries []replica.Entry) error {
	return e.log.Write(state, entries)
}

func (e *logEngine) rotate(s replica.Snapshot, state replica.State, rest []replica.Entry) error {
	return e.log.Rotate(s, state, rest)
}

func (e *logEngine) complete() error { return e.log.MarkComplete() }
func (e *logEngine) sync() error     { return e.log.Sync() }

// kill closes the file without writing to it, as the end of the process does.
func (e *logEngine) kill() {
	_ = e.log.file.Close()
	if e.disk != nil {
		e.disk = e.disk.crash()
	}
}

func (e *logEngine) losePower() {
	e.disk = e.disk.loseUnsynced()
	e.boots++
}

func (e *logEngine) setFull(v bool) {
	e.disk.before = nil
	if v {
		e.disk.before = func(op diskOp) error {
			if op.name == "write" && op.size > 0 || op.name == "create" {
				return syscall.ENOSPC
			}
			return nil
		}
	}
}

// kindOf returns the kind of an error that a caller can distinguish.
func kindOf(err error) string {
	switch {
	case err == nil:
		return "done"
	case errors.Is(err, syscall.ENOSPC):
		return "no space"
	}
	return "refused"
}

// script makes an engine carry out random steps of a process and its machine, and returns the results that a caller sees. The same
// seed gives the same steps, as long as the results are the same. If whole is set, the steps include losses of power and full disks.
func script(t *testing.T, e engine, seed uint64, whole bool) (seen []string) {
	r := rand.New(rand.NewPCG(seed, 3))
	note := func(format string, args ...any) { seen = append(seen, fmt.Sprintf(format, args...)) }
	var now version
	restart := func() {
		have, incomplete := e.open(t)
		note("%s incomplete: %t", have, incomplete)
		now = have
	}
	restart()
	full := false
	entry := func(index uint64) replica.Entry {
		return replica.Entry{Index: index, Term: now.state.Term + 1, Data: []byte{byte(r.IntN(256)), byte(seed)}}
	}
	for range 60 {
		switch k := r.IntN(20); {
		case k < 9: // write entries; the first ones may replace others
			first := now.last() + 1
			if n := len(now.entries); n > 0 && r.IntN(4) == 0 {
				first -= uint64(r.IntN(n) + 1)
			}
			if r.IntN(12) == 0 {
				first = now.snapshot.Index + uint64(r.IntN(3))*(now.last()-now.snapshot.Index+2)/2 // often invalid: in the snapshot, or after a gap
			}
			var state *replica.State
			if r.IntN(4) == 0 {
				state = &replica.State{Term: now.state.Term + uint64(r.IntN(2)), Vote: uint64(r.IntN(3) + 1)}
			}
			var list []replica.Entry
			for i := range r.IntN(4) {
				list = append(list, entry(first+uint64(i)))
			}
			err := e.write(state, list)
			note("write %v %v: %s", state, list, kindOf(err))
			if err == nil {
				if state != nil {
					now.state = *state
				}
				for _, x := range list {
					at := x.Index - now.snapshot.Index - 1
					now.entries = append(now.entries[:at:at], x)
				}
			}
		case k < 11:
			if n := len(now.entries); n > 0 {
				at := r.IntN(n)
				s := replica.Snapshot{Index: now.entries[at].Index, Term: now.entries[at].Term, Members: []uint64{1, 2, 3}, Data: []byte{byte(r.IntN(256))}}
				rest := slices.Clone(now.entries[at+1:])
				err := e.rotate(s, now.state, rest)
				note("rotate %d: %s", s.Index, kindOf(err))
				if err == nil {
					now.snapshot, now.entries = s, rest
				}
			}
		case k < 13:
			note("sync: %s", kindOf(e.sync()))
		case k < 15:
			note("complete: %s", kindOf(e.complete()))
		case k < 17 && !full:
			e.kill()
			restart()
		case k < 18 && whole && !full:
			e.losePower()
			restart()
		case k < 20 && whole:
			full = !full
			e.setFull(full)
			note("full: %t", full)
		}
	}
	return seen
}

func TestLogGivesSameResultsAsItsModel(t *testing.T) {
	covered := map[string]int{}
	compare := func(seed uint64, name string, real engine, whole bool) {
		t.Helper()
		want, got := script(t, new(modelEngine), seed, whole), script(t, real, seed, whole)
		for i := range min(len(want), len(got)) {
			if got[i] != want[i] {
				t.Fatalf("seed %d, %s, step %d: the log says\n%s\nand the model\n%s\nafter %q", seed, name, i, got[i], want[i], want[max(0, i-6):i])
			}
			covered[kindOfStep(want[i])]++
		}
		if len(want) != len(got) {
			t.Fatalf("seed %d, %s: the log has %d results, the model %d", seed, name, len(got), len(want))
		}
	}
	for seed := range uint64(400) {
		compare(seed, "disk in memory", &logEngine{disk: newDisk()}, true)
	}
	for seed := range uint64(20) {
		compare(seed, "folder of the system", &logEngine{dir: t.TempDir()}, false)
	}
	for _, kind := range []string{"done", "no space", "refused", "incomplete: true", "incomplete: false"} {
		if covered[kind] < 100 {
			t.Errorf("%d results are %q, want at least 100: %v", covered[kind], kind, covered)
		}
	}
}

// kindOfStep returns the kind of a step's result, such as "done", which is the end of the text seen.
func kindOfStep(seen string) string {
	for _, kind := range []string{"done", "no space", "refused", "incomplete: true", "incomplete: false"} {
		if len(seen) >= len(kind) && seen[len(seen)-len(kind):] == kind {
			return kind
		}
	}
	return ""
}

// Of the entries that were not synced, a loss of power leaves those that the model can have left: the first ones.
func TestLossOfPowerLeavesFirstUnsyncedEntriesAsModel(t *testing.T) {
	none, some, all := 0, 0, 0
	for seed := range uint64(400) {
		r := rand.New(rand.NewPCG(seed, 7))
		real, model := &logEngine{disk: newDisk()}, new(modelEngine)
		real.open(t)
		model.open(t)
		last, term := uint64(0), uint64(1)
		for range 1 + r.IntN(5) {
			first := last + 1
			if last > 2 && r.IntN(4) == 0 { // a new leader replaces entries
				term++
				first -= uint64(r.IntN(3))
			}
			var list []replica.Entry
			for i := range 1 + r.IntN(4) {
				list = append(list, replica.Entry{Index: first + uint64(i), Term: term, Data: make([]byte, 1+r.IntN(20))})
			}
			var state *replica.State
			if r.IntN(8) == 0 {
				state = &replica.State{Term: term, Vote: 1}
			}
			if err := errors.Join(real.write(state, list), model.write(state, list)); err != nil {
				t.Fatal(err)
			}
			last = list[len(list)-1].Index
		}
		real.disk, real.boots = real.disk.losePower(r), real.boots+1
		got, incomplete := real.open(t)
		unsynced, left := model.Unsynced(), -1
		for n := unsynced; n >= 0; n-- {
			lost := modelEngine{model.Disk}
			lost.LosePower(n)
			if want, lacks := lost.open(t); want.String() == got.String() && lacks == incomplete {
				left = n
				break
			}
		}
		switch {
		case left < 0:
			t.Fatalf("seed %d: the log has %v (incomplete: %t) after a loss of power, which the model cannot have left of %d unsynced entries", seed, got, incomplete, unsynced)
		case unsynced == 0:
		case left == 0:
			none++
		case left == unsynced:
			all++
		default:
			some++
		}
	}
	if min(none, some, all) < 10 {
		t.Errorf("no entry was left %d times, some %d times, all %d times", none, some, all)
	}
}
