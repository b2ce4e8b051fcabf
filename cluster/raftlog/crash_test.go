package raftlog

import (
	"errors"
	"fmt"
	"math/rand/v2"
	"slices"
	"strings"
	"syscall"
	"testing"

	"github.com/truestep-io/truestep/cluster/replica"
)

var testHeader = Header{Cluster: "north", Area: 3, World: 0xfeedbeef, Node: 2, Nodes: []string{"a", "b", "c"}}

// version is the content of a log up to one of its records.
type version struct {
	state    replica.State
	snapshot replica.Snapshot
	entries  []replica.Entry
}

func (v version) String() string {
	b := fmt.Sprintf("%v %d/%d %v %x:", v.state, v.snapshot.Index, v.snapshot.Term, v.snapshot.Members, v.snapshot.Data)
	for _, x := range v.entries {
		b += fmt.Sprintf(" %d/%d/%d %x", x.Index, x.Term, x.Kind, x.Data)
	}
	return b
}

func (r Recovered) version() version { return version{r.State, r.Snapshot, r.Entries} }

func (v version) last() uint64 { return v.snapshot.Index + uint64(len(v.entries)) }

// scenario writes a log and records which content the log must have.
type scenario struct {
	t        *testing.T
	disk     *disk
	log      *Log
	boot     string
	rand     *rand.Rand
	versions []string // content after each record whose write was begun
	now      version
	written  int  // number of versions whose call has returned
	durable  int  // number of versions that survive a loss of power
	marked   bool // MarkComplete has returned
}

func newScenario(t *testing.T, seed uint64) *scenario {
	s := &scenario{t: t, disk: newDisk(), boot: "boot 1", rand: rand.New(rand.NewPCG(seed, 1)), versions: []string{version{}.String()}, written: 1, durable: 1}
	return s
}

func (s *scenario) open() Recovered {
	s.t.Helper()
	log, r, err := open("folder", s.disk, testHeader, s.boot)
	if err != nil {
		s.t.Fatal(err)
	}
	s.log, s.now = log, r.version()
	return r
}

func (s *scenario) begin() { s.versions = append(s.versions, s.now.String()) }

// returned notes the result of a call.
func (s *scenario) returned(err error, durable bool, before version) error {
	if err != nil {
		s.now = before // the log may still contain a part of the failed write, until a later write replaces it
		s.begin()
		return err
	}
	s.written = len(s.versions)
	if durable {
		s.durable = s.written
	}
	return nil
}

func (s *scenario) write(state *replica.State, entries ...replica.Entry) error {
	before := s.now
	if state != nil {
		s.now.state = *state
		s.begin()
	}
	for _, x := range entries {
		s.now.entries = append(s.now.entries[:x.Index-s.now.snapshot.Index-1:x.Index-s.now.snapshot.Index-1], x)
		s.begin()
	}
	return s.returned(s.log.Write(state, entries), state != nil, before)
}

func (s *scenario) rotate(index uint64) error {
	before := s.now
	n := index - s.now.snapshot.Index
	data := make([]byte, s.rand.IntN(300))
	for i := range data {
		data[i] = byte(s.rand.IntN(4))
	}
	if len(data) == 0 {
		data = nil
	}
	s.now.snapshot = replica.Snapshot{Index: index, Term: s.now.entries[n-1].Term, Members: []uint64{1, 2, 3}, Data: data}
	s.now.entries = slices.Clone(s.now.entries[n:])
	s.begin()
	return s.returned(s.log.Rotate(s.now.snapshot, s.now.state, s.now.entries), true, before)
}

// step makes one random call to the log, of the kinds of calls that a replica makes.
func (s *scenario) step() error {
	v, r := &s.now, s.rand
	entry := func(index uint64) replica.Entry {
		data := make([]byte, r.IntN(100))
		for i := range data {
			data[i] = byte(r.Uint32())
		}
		if len(data) == 0 {
			data = nil
		}
		return replica.Entry{Index: index, Term: v.state.Term, Kind: uint8(r.IntN(2)), Data: data}
	}
	switch n := r.IntN(12); {
	case n == 0:
		return s.write(&replica.State{Term: v.state.Term + 1, Vote: r.Uint64N(3) + 1})
	case n == 1:
		return s.write(&replica.State{Term: v.state.Term + 1, Vote: 2}, entry(v.last()+1))
	case n == 2 && len(v.entries) > 2: // a new leader replaces the newest entries
		return s.write(nil, entry(v.last()-1), entry(v.last()))
	case n == 3 && len(v.entries) > 3:
		return s.rotate(v.snapshot.Index + r.Uint64N(uint64(len(v.entries))) + 1)
	case n == 4:
		err := s.log.Sync()
		if err == nil {
			s.durable = s.written
		}
		return err
	case n == 5:
		err := s.log.MarkComplete()
		s.marked = s.marked || err == nil
		return err
	default:
		return s.write(nil, entry(v.last()+1))
	}
}

// check opens the log on a disk as a crash has left it. The log must have the content of a version with at least the number least.
func (s *scenario) check(name string, d *disk, boot string, least int) {
	s.t.Helper()
	_, r, err := open("folder", d, testHeader, boot)
	if err != nil {
		s.t.Fatalf("%s: %v", name, err)
	}
	if !r.New && !r.Rebooted {
		least = s.written
	}
	if s.marked && boot == s.boot && (r.New || r.Rebooted) {
		s.t.Fatalf("%s: the replica is taken for one that may have lost something: %+v", name, r)
	}
	if got := r.version().String(); !slices.Contains(s.versions[least-1:], got) {
		s.t.Fatalf("%s: the log has\n%s\nof\n%s\nat least version %d of %d must be there; new %v, rebooted %v", name, got, strings.Join(s.versions, "\n"), least, len(s.versions), r.New, r.Rebooted)
	}
}

// checkAll checks the logs that would be left if the process ended, or the power failed, at this moment.
func (s *scenario) checkAll() {
	s.t.Helper()
	s.check("end of the process", s.disk.crash(), s.boot, s.written)
	s.check("loss of everything not synced", s.disk.loseUnsynced(), "another boot", s.durable)
	for range 2 {
		s.check("loss of power", s.disk.losePower(s.rand), "another boot", s.durable)
	}
}

func TestCrashAtAnyPointLosesOnlyUnsyncedWritesOfLog(t *testing.T) {
	for seed := range uint64(20) {
		s := newScenario(t, seed)
		s.disk.after = func() {
			if len(s.disk.names) > 0 {
				s.checkAll()
			}
		}
		s.open()
		for range 60 {
			if err := s.step(); err != nil {
				t.Fatal(err)
			}
			s.checkAll()
		}
		if err := s.log.Close(); err != nil {
			t.Fatal(err)
		}
		s.durable = s.written
		s.checkAll()
		if _, r, err := open("folder", s.disk.loseUnsynced(), testHeader, "another boot"); err != nil || s.marked && (r.Rebooted || r.New) {
			t.Fatalf("restart of the machine after Close: %+v, %v", r, err)
		}
	}
}

// One log survives many crashes in turn: each run continues with what the previous run has left on the disk.
func TestLogContinuesAfterCrashAtAnyPoint(t *testing.T) {
	for seed := range uint64(60) {
		s := newScenario(t, seed)
		s.open()
		for round := range 12 {
			for range s.rand.IntN(15) {
				if err := s.step(); err != nil {
					t.Fatal(err)
				}
			}
			least, boot := s.durable, s.boot
			switch s.rand.IntN(3) {
			case 0:
				s.disk, least = s.disk.crash(), s.written
			case 1:
				s.disk, s.boot = s.disk.losePower(s.rand), fmt.Sprint("boot of round ", round)
			case 2:
				if err := s.log.Close(); err != nil {
					t.Fatal(err)
				}
				s.disk, s.boot, least = s.disk.loseUnsynced(), fmt.Sprint("boot of round ", round), s.written
			}
			r := s.open()
			if got := r.version().String(); !slices.Contains(s.versions[least-1:], got) {
				t.Fatalf("seed %d, round %d, %q then %q: the log has %s; of %q at least %d must be there", seed, round, boot, s.boot, got, s.versions, least)
			}
			s.versions, s.written, s.durable = []string{s.now.String()}, 1, 1
		}
	}
}

// Either one disk operation fails, or all operations from some point on. The log on the disk stays valid. A log that cannot continue
// refuses writes. Every error says what the operator can do.
func TestFailedDiskOperationLeavesValidLog(t *testing.T) {
	const help = "free space on this disk and start this node again"
	for _, lasting := range []bool{false, true} {
		for fail := range 60 {
			s := newScenario(t, uint64(fail%7))
			s.open()
			count, refused := 0, 0
			s.disk.before = func(op diskOp) error {
				count++
				if count <= fail || !lasting && count > fail+1 {
					return nil
				}
				if op.name != "remove" { // a refused remove does no harm: the older file only stays
					refused++
				}
				if op.name == "write" {
					*op.short = s.rand.IntN(op.size)
				}
				return syscall.ENOSPC
			}
			errs := 0
			for range 40 {
				if err := s.step(); err != nil {
					if !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), help) {
						t.Fatal(err)
					}
					errs++
				}
				s.checkAll()
			}
			s.disk.before = nil
			if refused > 0 && errs == 0 && lasting {
				t.Fatalf("change %d was refused and no call returned an error", fail)
			}
			if s.log.failed == nil { // a log that has not failed goes on once the disk has space again
				if err := s.write(nil, replica.Entry{Index: s.now.last() + 1, Term: 99}); err != nil {
					t.Fatal(err)
				}
			} else if err := s.write(nil, replica.Entry{Index: s.now.last() + 1}); !errors.Is(err, syscall.ENOSPC) || !strings.Contains(err.Error(), help) {
				t.Fatalf("a log that failed accepts a write: %v", err)
			}
			s.checkAll()
		}
	}
}
