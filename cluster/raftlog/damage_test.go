package raftlog

import (
	"bytes"
	"fmt"
	"hash/crc32"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/cluster/replica"
)

// sample is a small log with records of all kinds, and its content after each record.
type sample struct {
	name     string
	number   uint64
	file     []byte
	synced   int64 // offset up to which file was synced
	base     int   // length of the first part, which was durable before the file got its name
	versions []string
	ends     []int // ends[i] is the length of the file after versions[i]
}

// newSample writes a log that was synced before its last entries.
func newSample(t *testing.T, rotated bool) *sample {
	t.Helper()
	d := newDisk()
	l, _, err := open("folder", d, testHeader, "boot 1")
	check(t, err)
	check(t, l.MarkComplete())
	s := &sample{name: "new"}
	v := version{}
	if rotated {
		check(t, l.Write(nil, entries(1, 1, 4)))
		v.snapshot = replica.Snapshot{Index: 4, Term: 1, Members: []uint64{1, 2, 3}, Data: []byte("a state, a state, a state")}
		check(t, l.Rotate(v.snapshot, replica.State{Term: 1}, nil))
		v.state.Term = 1
		s.name = "rotated"
	}
	s.number, s.base = l.number, int(l.end)
	if !rotated { // the mark of MarkComplete is not a part of the base
		s.base = int(int64(len(appendHeader(nil, 1, &testHeader)) + recordHead + 1 + recordTail))
		s.versions, s.ends = append(s.versions, v.String()), append(s.ends, s.base)
	}
	note := func() {
		s.versions, s.ends = append(s.versions, v.String()), append(s.ends, int(l.end))
	}
	note()
	write := func(state *replica.State, list ...replica.Entry) {
		t.Helper()
		check(t, l.Write(state, list))
		if state != nil {
			v.state = *state
		}
		for _, x := range list {
			v.entries = append(v.entries[:x.Index-v.snapshot.Index-1:x.Index-v.snapshot.Index-1], x)
		}
		note()
	}
	first := v.snapshot.Index + 1
	write(nil, replica.Entry{Index: first, Term: 1, Data: []byte("x")})
	write(nil, replica.Entry{Index: first + 1, Term: 1})
	write(&replica.State{Term: 2, Vote: 3})
	s.synced = l.synced
	write(nil, replica.Entry{Index: first + 1, Term: 2, Data: []byte("abc")})
	write(nil, replica.Entry{Index: first + 2, Term: 2, Kind: 2, Data: []byte("defg")})
	s.file = slices.Clone(d.names[fileName(l.number)].now)
	return s
}

// open opens a log folder whose only file has the content b. It fails the test if the file is refused and was changed nevertheless.
func (s *sample) open(t *testing.T, b []byte, boot string) (*Log, Recovered, error) {
	t.Helper()
	d := newDisk()
	name := fileName(s.number)
	d.names[name] = &content{now: slices.Clone(b), durable: b}
	l, r, err := open("folder", d, testHeader, boot)
	if err != nil && (len(d.names) != 1 || !bytes.Equal(d.names[name].now, b)) {
		t.Fatal("a refused file was changed")
	}
	return l, r, err
}

// refusal reports whether an error is one line that names the damage and says what the operator must do.
func refusal(err error) bool {
	return strings.Contains(err.Error(), "damaged") && strings.Contains(err.Error(), "remove the folder folder on this node only") && !strings.Contains(err.Error(), "\n")
}

func TestEveryFlippedBitInLogIsDetected(t *testing.T) {
	for _, rotated := range []bool{false, true} {
		s := newSample(t, rotated)
		for bit := range 8 * len(s.file) {
			b := slices.Clone(s.file)
			b[bit/8] ^= 1 << (bit % 8)
			if _, r, err := s.open(t, b, "boot 1"); err == nil || !refusal(err) {
				t.Fatalf("%s log of %d bytes, bit %d of byte %d: %+v, %v", s.name, len(b), bit%8, bit/8, r, err)
			}
			// After a restart of the machine, the end of the file may be damaged: Open removes it and says so. It refuses other damage.
			_, r, err := s.open(t, b, "boot 2")
			switch {
			case err != nil && refusal(err):
				if bit/8 >= s.ends[len(s.ends)-3] {
					t.Fatalf("%s log, restarted, bit %d of byte %d, which was not synced: %v", s.name, bit%8, bit/8, err)
				}
			case err != nil || r.Report == "" || !r.Rebooted && !r.New || int64(bit/8) < s.synced:
				t.Fatalf("%s log, synced up to %d, restarted, bit %d of byte %d: %+v, %v", s.name, s.synced, bit%8, bit/8, r, err)
			case !slices.Contains(s.versions, r.version().String()):
				t.Fatalf("%s log, restarted, bit %d of byte %d: the log never had %+v", s.name, bit%8, bit/8, r)
			}
		}
	}
}

func TestTruncatedLogKeepsItsCompleteRecords(t *testing.T) {
	for _, rotated := range []bool{false, true} {
		s := newSample(t, rotated)
		for n := range len(s.file) + 1 {
			l, r, err := s.open(t, s.file[:n], "boot 1")
			if n < s.base {
				if err == nil || !refusal(err) {
					t.Fatalf("%s log cut at byte %d, in what it began with: %+v, %v", s.name, n, r, err)
				}
				continue
			}
			check(t, err)
			i := len(s.ends) - 1
			for s.ends[i] > n {
				i--
			}
			if whole := s.ends[i] == n; r.version().String() != s.versions[i] || whole != (r.Report == "") {
				t.Fatalf("%s log cut at byte %d: %+v; want %s", s.name, n, r, s.versions[i])
			}
			// The log goes on behind what is left.
			x := replica.Entry{Index: l.last + 1, Term: 9, Data: []byte("continued")}
			check(t, l.Write(nil, []replica.Entry{x}))
			_, r, err = open("folder", l.folder, testHeader, "boot 1")
			if err != nil || r.Report != "" || fmt.Sprint(r.Entries[len(r.Entries)-1]) != fmt.Sprint(x) {
				t.Fatalf("%s log cut at byte %d and continued: %+v, %v", s.name, n, r, err)
			}
		}
	}
}

// fixSums makes the checksums of a file right as far as its lengths allow, so that tests reach what is behind them.
func fixSums(b []byte) {
	if len(b) < headerStart {
		return
	}
	n := int64(headerStart) + int64(le.Uint32(b[headerStart-4:]))
	if n+4 > int64(len(b)) {
		return
	}
	le.PutUint32(b[n:], crc32.Checksum(b[:n], castagnoli))
	number := uint64(0)
	if n >= int64(headerStart)+8 {
		number = le.Uint64(b[headerStart:])
	}
	for at := n + 4; at+recordHead <= int64(len(b)); {
		head := b[at:]
		le.PutUint32(head[13:], new(position).headSum(head, number, at))
		n := recordHead + int64(le.Uint32(head))
		if n+recordTail > int64(len(head)) {
			return
		}
		le.PutUint32(head[n:], crc32.Checksum(head[:n], castagnoli))
		at += n + recordTail
	}
}

// The checksums of these files are correct, only the order or the content of the records is invalid.
func TestRecordsInInvalidOrderOrWithInvalidContentAreRefused(t *testing.T) {
	base := appendHeader(nil, 1, &testHeader)
	file := func(records func(e *encoder)) []byte {
		e := &encoder{b: slices.Clone(base), number: 1}
		records(e)
		return e.b
	}
	snapshot := &replica.Snapshot{Index: 4, Term: 1}
	for name, records := range map[string]func(e *encoder){
		"snapshot behind the base":       func(e *encoder) { e.mark(mark{}); e.snapshot(snapshot) },
		"second snapshot":                func(e *encoder) { e.snapshot(snapshot); e.snapshot(snapshot); e.mark(mark{}) },
		"snapshot behind an entry":       func(e *encoder) { e.entry(&replica.Entry{Index: 1}); e.snapshot(snapshot); e.mark(mark{}) },
		"entry that the snapshot has":    func(e *encoder) { e.snapshot(snapshot); e.entry(&replica.Entry{Index: 4}); e.mark(mark{}) },
		"gap between entries":            func(e *encoder) { e.mark(mark{}); e.entry(&replica.Entry{Index: 2}) },
		"no mark":                        func(e *encoder) { e.snapshot(snapshot) },
		"unknown kind":                   func(e *encoder) { e.mark(mark{}); e.end(e.begin(), 9) },
		"state that is too short":        func(e *encoder) { e.mark(mark{}); e.end(e.begin(), kindState) },
		"mark without flags":             func(e *encoder) { e.mark(mark{}); e.end(e.begin(), kindMark) },
		"snapshot of too many members":   func(e *encoder) { e.snapshot(&replica.Snapshot{Index: 4, Members: make([]uint64, 65)}); e.mark(mark{}) },
		"durable behind the record":      func(e *encoder) { e.mark(mark{}); e.synced = 1 << 40; e.state(replica.State{}) },
		"entry that is too long":         func(e *encoder) { e.mark(mark{}); e.entry(&replica.Entry{Index: 1, Data: make([]byte, MaxEntry+1)}) },
		"snapshot whose length is a lie": func(e *encoder) { e.snapshot(&replica.Snapshot{Index: 4}); e.b[len(e.b)-5] = 99; e.mark(mark{}) },
		"snapshot longer than the bounds": func(e *encoder) {
			e.snapshot(&replica.Snapshot{Index: 4, Data: make([]byte, MaxSnapshot+1)})
			e.mark(mark{})
		},
	} {
		s := &sample{number: 1}
		b := file(records)
		fixSums(b)
		for _, boot := range []string{"boot 1", "boot 2"} {
			if _, r, err := s.open(t, b, boot); err == nil || !strings.Contains(err.Error(), "remove the folder") {
				t.Errorf("%s: %+v, %v", name, r.version(), err)
			}
		}
	}
	s := &sample{number: 7}
	if _, _, err := s.open(t, file(func(e *encoder) { e.mark(mark{}) }), ""); err == nil || !strings.Contains(err.Error(), "renamed") {
		t.Errorf("a renamed file: %v", err)
	}
}

// FuzzOpen opens files of any content, some of them with corrected checksums. What Open accepts is written by Rotate and opened
// again, which must give the same content.
func FuzzOpen(f *testing.F) {
	for _, rotated := range []bool{false, true} {
		s := newSample(&testing.T{}, rotated)
		f.Add(s.file, true)
		f.Add(s.file[:len(s.file)-3], false)
	}
	f.Fuzz(func(t *testing.T, b []byte, fix bool) {
		if fix {
			fixSums(b)
		}
		for _, boot := range []string{"boot 1", "boot 2"} {
			s := &sample{number: 2}
			if len(b) > headerStart {
				s.number = max(1, min(uint64(b[headerStart]), 9))
			}
			l, r, err := s.open(t, b, boot)
			if err != nil {
				continue // refusing is fine; panicking is not
			}
			if r.Snapshot.Index == 0 {
				r.Snapshot = replica.Snapshot{Index: 1}
				r.Entries = r.Entries[min(1, len(r.Entries)):]
			}
			if err := l.Rotate(r.Snapshot, r.State, r.Entries); err != nil {
				t.Fatal(err)
			}
			_, again, err := open("folder", l.folder, testHeader, boot)
			if err != nil || again.version().String() != r.version().String() || again.New != r.New {
				t.Fatalf("%+v was written, %+v was read, %v", r, again, err)
			}
		}
	})
}
