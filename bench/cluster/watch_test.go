//go:build linux

package main

import (
	"os"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/cluster/replica"
)

const msec = int64(time.Millisecond)

// takenOver are the releases of an area that node 0 leads until it is killed at 120 ms. Node 1 becomes the leader and first
// releases the newest frame again.
var takenOver = []release{
	{node: 0, term: 1, tick: 1, hash: 10, released: 50 * msec},
	{node: 0, term: 1, tick: 2, hash: 20, released: 100 * msec},
	{node: 1, term: 2, tick: 2, hash: 20, released: 150 * msec},
	{node: 1, term: 2, tick: 3, hash: 30, released: 180 * msec},
}

func TestGapInFramesEndsAtFirstNewFrameAfterFault(t *testing.T) {
	steady := []release{{node: 1, tick: 1, released: 110 * msec}, {node: 1, tick: 2, released: 160 * msec}}
	silent := []release{{node: 0, tick: 1, released: 110 * msec}}
	led, other := gaps([][]release{takenOver, steady, silent}, 120*msec, 0)
	if want := []time.Duration{80 * time.Millisecond, never}; !slices.Equal(led, want) {
		t.Errorf("gaps of the killed node's areas: %v, want %v", led, want)
	}
	if want := []time.Duration{50 * time.Millisecond}; !slices.Equal(other, want) {
		t.Errorf("gaps of other areas: %v, want %v", other, want)
	}
}

func TestFrameHistoryCountsRepeatedConflictingAndMissingTicks(t *testing.T) {
	h := check([][]release{takenOver, {{tick: 1, hash: 1}, {tick: 1, hash: 2}, {tick: 4, hash: 4}}})
	if want := (history{ticks: 5, repeated: 2, conflicting: 1, missing: 2, changes: 1}); h != want {
		t.Errorf("%+v, want %+v", h, want)
	}
}

func TestTicksSentToClientsBeforeRestartAndMissingAfterItAreCountedAsLost(t *testing.T) {
	before := []release{{tick: 9, released: 1, sealed: 1}, {tick: 10, released: 2, sealed: 1}}
	whole := append(slices.Clone(before), release{tick: 10, released: 100}, release{tick: 11, released: 110, sealed: 105})
	behind := append(slices.Clone(before), release{tick: 9, released: 120, sealed: 105})
	var r result
	r.addRestart([][]release{whole, behind}, 50)
	if r.lost != 2 || !slices.Equal(r.recovered, []time.Duration{60, 70}) {
		t.Errorf("lost %d, recovered after %v; want 2 after 60ns and 70ns", r.lost, r.recovered)
	}
}

func TestWALReturnsEntriesAndStateOfEachAreaUpToIncompleteRecord(t *testing.T) {
	path := filepath.Join(t.TempDir(), "log")
	w, err := openWAL(path)
	if err != nil {
		t.Fatal(err)
	}
	defer w.file.Close()
	add := func(area int, index, term uint64, data string) {
		w.addEntry(area, &replica.Entry{Index: index, Term: term, Data: []byte(data)})
	}
	add(0, 1, 1, "a")
	add(0, 2, 1, "b")
	add(7, 1, 1, "c")
	w.addState(0, replica.State{Term: 2, Vote: 3})
	add(0, 2, 2, "d") // replaces b
	if err := w.write(true); err != nil {
		t.Fatal(err)
	}
	add(0, 3, 2, "cut short")
	if err := w.write(false); err != nil {
		t.Fatal(err)
	}
	if info, err := os.Stat(path); err != nil || os.Truncate(path, info.Size()-1) != nil {
		t.Fatal("the file cannot be cut short")
	}
	logs, err := readWAL(path)
	if err != nil {
		t.Fatal(err)
	}
	if l := logs[0]; len(l.entries) != 2 || string(l.entries[1].Data) != "d" || l.entries[1].Term != 2 || l.state != (replica.State{Term: 2, Vote: 3}) {
		t.Errorf("area 0: %+v", l)
	}
	if l := logs[7]; len(l.entries) != 1 || string(l.entries[0].Data) != "c" {
		t.Errorf("area 7: %+v", l)
	}
}
