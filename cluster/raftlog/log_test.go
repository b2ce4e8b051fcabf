package raftlog

import (
	"bytes"
	"fmt"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"

	"github.com/klauspost/compress/s2"

	"github.com/truestep-io/truestep/cluster/replica"
)

func entries(term, from, to uint64) (list []replica.Entry) {
	for i := from; i <= to; i++ {
		list = append(list, replica.Entry{Index: i, Term: term, Data: fmt.Appendf(nil, "batch %d of term %d", i, term)})
	}
	return list
}

func check(t *testing.T, err error) {
	t.Helper()
	if err != nil {
		t.Fatal(err)
	}
}

// reopen closes a log in a folder of the operating system and opens it again.
func reopen(t *testing.T, l *Log) (*Log, Recovered) {
	t.Helper()
	check(t, l.Close())
	l, r, err := Open(l.dir, testHeader)
	check(t, err)
	t.Cleanup(func() { _ = l.Close() })
	return l, r
}

func TestReopenedLogReturnsWhatWasWritten(t *testing.T) {
	dir := filepath.Join(t.TempDir(), "raft", "003")
	l, r, err := Open(dir, testHeader)
	check(t, err)
	if !r.New || r.Rebooted || r.version().String() != (version{}).String() {
		t.Fatalf("a new log has %+v", r)
	}
	check(t, l.MarkComplete())
	want := version{state: replica.State{Term: 4, Vote: 2}, entries: entries(4, 1, 9)}
	check(t, l.Write(&replica.State{Term: 3, Vote: 1}, entries(3, 1, 12)))
	check(t, l.Write(nil, entries(4, 1, 5)))
	check(t, l.Write(&want.state, nil))
	check(t, l.Write(nil, entries(4, 6, 9)))
	check(t, l.Write(nil, nil))
	l, r = reopen(t, l)
	if r.New || r.Rebooted || r.Report != "" || r.version().String() != want.String() {
		t.Fatalf("the log has %+v, want %v", r, want)
	}

	data := bytes.Repeat([]byte("the state of an area. "), 1<<17)
	want.snapshot = replica.Snapshot{Index: 7, Term: 4, Members: []uint64{3, 1, 2}, Data: data}
	want.entries = want.entries[7:]
	check(t, l.Rotate(want.snapshot, want.state, want.entries))
	want.entries = append(want.entries, replica.Entry{Index: 10, Term: 4, Kind: 2})
	check(t, l.Write(nil, want.entries[2:]))
	names, err := os.ReadDir(dir)
	check(t, err)
	if len(names) != 1 || names[0].Name() != "0000000002.raft" {
		t.Fatalf("the folder has %v", names)
	}
	if info, err := names[0].Info(); err != nil || info.Size() > int64(len(data))/5 {
		t.Fatalf("a snapshot of %d bytes is a file of %d, %v", len(data), info.Size(), err)
	}
	_, r = reopen(t, l)
	if r.New || r.Rebooted || r.version().String() != want.String() {
		t.Fatalf("after a rotation: new %v, rebooted %v, state %v, snapshot of %d bytes, entries %+v", r.New, r.Rebooted, r.State, len(r.Snapshot.Data), r.Entries)
	}
}

func TestSnapshotThatCannotBeCompressedIsStored(t *testing.T) {
	if n := s2.MaxEncodedLen(MaxSnapshot) + 17 + 8*maxMembers; n > maxContent {
		t.Fatalf("the content of a snapshot can have %d bytes, more than %d", n, maxContent)
	}
	data := make([]byte, 3<<20)
	random := rand.NewChaCha8([32]byte{1})
	_, _ = random.Read(data)
	d := newDisk()
	l, _, err := open("folder", d, testHeader, "boot")
	check(t, err)
	check(t, l.Rotate(replica.Snapshot{Index: 1, Term: 1, Data: data}, replica.State{}, nil))
	check(t, l.Rotate(replica.Snapshot{Index: 2, Term: 1, Data: data}, replica.State{}, nil))
	_, r, err := open("folder", d, testHeader, "boot")
	if err != nil || r.Snapshot.Index != 2 || !bytes.Equal(r.Snapshot.Data, data) {
		t.Fatalf("snapshot of entry %d with %d bytes, %v", r.Snapshot.Index, len(r.Snapshot.Data), err)
	}
}

func TestWriteRefusesEntriesThatOpenWouldRefuse(t *testing.T) {
	d := newDisk()
	l, _, err := open("folder", d, testHeader, "boot")
	check(t, err)
	check(t, l.Rotate(replica.Snapshot{Index: 5, Term: 1}, replica.State{Term: 1}, entries(1, 6, 8)))
	before := slices.Clone(d.names["0000000002.raft"].now)
	for name, err := range map[string]error{
		"entry 5 cannot":  l.Write(nil, entries(1, 5, 5)),
		"entry 10 cannot": l.Write(nil, entries(1, 10, 10)),
		"entry 8 cannot":  l.Write(nil, append(entries(1, 9, 9), entries(1, 8, 8)...)),
		"at most":         l.Write(nil, []replica.Entry{{Index: 9, Data: make([]byte, MaxEntry+1)}}),
		"of entry 0":      l.Rotate(replica.Snapshot{}, replica.State{}, nil),
		"67108865 bytes":  l.Rotate(replica.Snapshot{Index: 9, Data: make([]byte, MaxSnapshot+1)}, replica.State{}, nil),
		"entry 7 cannot":  l.Rotate(replica.Snapshot{Index: 5}, replica.State{}, entries(1, 7, 7)),
		"and 65 members":  l.Rotate(replica.Snapshot{Index: 9, Members: make([]uint64, 65)}, replica.State{}, nil),
	} {
		if err == nil || !strings.Contains(err.Error(), name) {
			t.Errorf("%s: %v", name, err)
		}
	}
	if !bytes.Equal(before, d.names["0000000002.raft"].now) || len(d.names) != 1 {
		t.Error("a refused call has changed the log")
	}
	check(t, l.Close())
	check(t, l.Close())
	if err := l.Write(nil, entries(1, 9, 9)); err != errClosed {
		t.Errorf("write to a closed log: %v", err)
	}
	if err := l.Sync(); err != errClosed {
		t.Errorf("sync of a closed log: %v", err)
	}
}

func TestLogWithDifferentHeaderIsRefused(t *testing.T) {
	d := newDisk()
	l, _, err := open("folder", d, testHeader, "boot")
	check(t, err)
	check(t, l.Close())
	before := slices.Clone(d.names["0000000001.raft"].now)
	for want, change := range map[string]func(h *Header){
		`cluster "north", this node is of cluster "south"`: func(h *Header) { h.Cluster = "south" },
		`started with ["a" "b" "d"]`:                       func(h *Header) { h.Nodes = []string{"a", "b", "d"} },
		`started with ["a" "b"]`:                           func(h *Header) { h.Nodes = []string{"a", "b"} },
		"of node 2, this is node 1":                        func(h *Header) { h.Node = 1 },
		"area 3, but is in the folder of area 4":           func(h *Header) { h.Area = 4 },
		"another world":                                    func(h *Header) { h.World++ },
		"longer than 255 bytes":                            func(h *Header) { h.Cluster = strings.Repeat("x", 256) },
		"at most 16 are allowed":                           func(h *Header) { h.Nodes = make([]string, 17) },
	} {
		h := testHeader
		change(&h)
		if _, _, err := open("folder", d, h, "boot"); err == nil || !strings.Contains(err.Error(), want) || strings.Contains(err.Error(), "\n") {
			t.Errorf("want %q: %v", want, err)
		}
	}
	newer := d.crash()
	b := newer.names["0000000001.raft"].now
	b[len(magic)]++
	fixSums(b)
	if _, _, err := open("folder", newer, testHeader, "boot"); err == nil || !strings.Contains(err.Error(), "run the newer program") {
		t.Errorf("a newer format: %v", err)
	}
	if !bytes.Equal(before, d.names["0000000001.raft"].now) {
		t.Error("a refused log was changed")
	}
}

// A rotation that ends before its last step leaves the older file or a temporary file. Other files in the folder are kept.
func TestOpenRemovesFilesLeftByInterruptedRotation(t *testing.T) {
	d := newDisk()
	l, _, err := open("folder", d, testHeader, "boot")
	check(t, err)
	check(t, l.Write(nil, entries(1, 1, 3)))
	old := d.names["0000000001.raft"]
	check(t, l.Rotate(replica.Snapshot{Index: 3, Term: 1}, replica.State{}, nil))
	for _, name := range []string{"0000000001.raft", temporary, "notes.txt", "1.raft"} {
		d.names[name] = old
	}
	_, r, err := open("folder", d, testHeader, "boot")
	check(t, err)
	names, _ := d.list()
	if want := []string{"0000000002.raft", "1.raft", "notes.txt"}; r.Snapshot.Index != 3 || !slices.Equal(names, want) {
		t.Errorf("snapshot of entry %d, the folder has %q", r.Snapshot.Index, names)
	}
}

// A new log is incomplete, and so is a log that was open when its machine restarted. Open reports this (New, Rebooted) after
// every further restart of the process or the machine, until MarkComplete is called. A log can be marked as incomplete again.
func TestLogStaysIncompleteAcrossRestartsUntilMarkedComplete(t *testing.T) {
	d := newDisk()
	var l *Log
	start := func(boot string, wantNew, wantRebooted bool) {
		t.Helper()
		d = d.crash()
		var r Recovered
		var err error
		l, r, err = open("folder", d, testHeader, boot)
		check(t, err)
		if r.New != wantNew || r.Rebooted != wantRebooted {
			t.Fatalf("new %v, rebooted %v", r.New, r.Rebooted)
		}
	}
	rotate := func() {
		t.Helper()
		check(t, l.Rotate(replica.Snapshot{Index: l.last + 1, Term: 1}, replica.State{}, nil))
	}
	start("1", true, false)
	start("1", true, false)
	start("2", true, false)
	rotate()
	start("2", true, false)
	check(t, l.Close())
	start("2", true, false)
	check(t, l.MarkComplete())
	start("2", false, false)
	rotate()
	start("2", false, false)
	start("3", false, true)
	start("3", false, true)
	rotate()
	start("3", false, true)
	check(t, l.Close()) // closing in order does not help: the log is not complete when the machine restarts
	start("3", false, true)
	check(t, l.MarkComplete())
	start("3", false, false)
	check(t, l.Close())
	start("4", false, false) // the machine restarted while the log was closed
	start("4", false, false)
	start("5", false, true) // the machine restarted while the log was open
	check(t, l.MarkComplete())
	start("", false, true) // this system has no boot identifier
	start("", false, true)
	check(t, l.Close())
	start("", false, true)
	check(t, l.MarkComplete())
	check(t, l.Close())
	start("", false, false)
	start("", false, true)
	check(t, l.MarkComplete())
	check(t, l.MarkIncomplete())
	start("6", true, false)
	rotate()
	start("6", true, false)
	check(t, l.Close())
	start("6", true, false)
	check(t, l.MarkComplete())
	start("6", false, false)
}

func TestSyncRunsConcurrentlyWithWritesAndRotations(t *testing.T) {
	l, _, err := Open(t.TempDir(), testHeader)
	check(t, err)
	var group sync.WaitGroup
	done := make(chan struct{})
	group.Go(func() {
		for {
			select {
			case <-done:
				return
			default:
				if err := l.Sync(); err != nil {
					t.Error(err)
					return
				}
			}
		}
	})
	for i := uint64(1); i <= 200; i++ {
		check(t, l.Write(nil, entries(1, i, i)))
		switch i % 50 {
		case 20:
			check(t, l.Write(&replica.State{Term: i}, nil))
		case 40:
			check(t, l.Rotate(replica.Snapshot{Index: i - 3, Term: 1}, replica.State{Term: i}, entries(1, i-2, i)))
		}
	}
	close(done)
	group.Wait()
	_, r := reopen(t, l)
	if want := (version{replica.State{Term: 190}, replica.Snapshot{Index: 187, Term: 1}, entries(1, 188, 200)}); r.version().String() != want.String() {
		t.Errorf("the log has %v", r.version())
	}
}

func TestWriteOfOneTickDoesNotAllocate(t *testing.T) {
	l, _, err := Open(t.TempDir(), testHeader)
	check(t, err)
	defer l.Close()
	list := []replica.Entry{{Index: 1, Term: 1, Data: make([]byte, 10_000)}}
	if n := testing.AllocsPerRun(100, func() {
		if err := l.Write(nil, list); err != nil {
			t.Fatal(err)
		}
		list[0].Index++
	}); n > 0 {
		t.Errorf("a write allocates %v times", n)
	}
}

func BenchmarkWrite(b *testing.B) {
	for _, durable := range []bool{false, true} {
		for _, size := range []int{1_000, 10_000} {
			b.Run(fmt.Sprintf("bytes=%d/durable=%v", size, durable), func(b *testing.B) {
				l, _, err := Open(b.TempDir(), testHeader)
				if err != nil {
					b.Fatal(err)
				}
				defer l.Close()
				b.ReportAllocs()
				b.SetBytes(int64(size))
				list := []replica.Entry{{Index: 1, Term: 1, Data: make([]byte, size)}}
				var state *replica.State
				if durable {
					state = &replica.State{Term: 1}
				}
				for b.Loop() {
					if err := l.Write(state, list); err != nil {
						b.Fatal(err)
					}
					list[0].Index++
					if l.end > 64<<20 { // a replica would rotate about as often
						if err := l.Rotate(replica.Snapshot{Index: l.last, Term: 1}, replica.State{}, nil); err != nil {
							b.Fatal(err)
						}
					}
				}
			})
		}
	}
}
