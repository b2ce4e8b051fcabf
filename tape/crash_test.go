package tape

import (
	"fmt"
	"math/rand/v2"
	"sync"
	"syscall"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// promise is the guarantee that a tape gave at one moment: the ticks that a restart after a crash must restore.
type promise struct {
	sealed    sim.Tick
	committed sim.Tick // last tick that survives the end of the process
	durable   sim.Tick // last tick that survives a loss of power
	saved     sim.Tick // last tick up to which the store has the records
	storable  sim.Tick // last tick up to which the store may have the records
}

// watch records on the disk, after each tick, what the tape guarantees at that moment.
func (p *play) watch(d *disk) {
	p.after = func() {
		now := p.area.Now()
		if now%7 == 0 {
			p.log.Saved(now - 5)
		}
		l := p.log.(*Log)
		m := promise{sealed: now + 1, committed: now, durable: p.log.Durable(), saved: sim.Tick(l.saved.Load()), storable: l.Storable()}
		if l.inGap {
			m.committed = 0
		}
		if l.failing() {
			m.durable = 0
		}
		d.mark(m)
	}
}

// promiseAt returns what the tape guaranteed at the moment when the disk had received its first n changes.
func (d *disk) promiseAt(n int) (p promise) {
	for _, op := range d.ops[:n] {
		if m, ok := op.note.(promise); ok {
			p = promise{m.sealed, max(p.committed, m.committed), max(p.durable, m.durable), max(p.saved, m.saved), max(p.storable, m.storable)}
		}
	}
	return p
}

// restore recovers area 0 from a tape without opening the tape for writing.
func restore(o Options) (*Recovered, error) { return restoreWith(o, (*sim.Area).Step) }

func restoreWith(o Options, step func(*sim.Area, []sim.Intent) *sim.Frame) (*Recovered, error) {
	o.setDefaults()
	t := &Tape{opt: o, fs: o.FS, digest: o.World.Digest(), pack: newPacker(), step: step}
	return t.recover(&Log{tape: t, name: o.World.Areas[0].Name, dir: areaDir(0, o.World.Areas[0].Name)})
}

// checkCut simulates a crash after the first n changes of the disk and restores the area. It compares the result with what the tape
// had promised before the crash (promise), and with the states that the area had.
func checkCut(t *testing.T, d *disk, o Options, n int, kind cutKind, seed uint64, states map[sim.Tick]uint64) {
	t.Helper()
	want := d.promiseAt(n)
	var first, last sim.Tick // first and last tick that the restore has simulated again
	o.FS = d.cut(n, kind, rand.New(rand.NewPCG(seed, uint64(n))))
	o.Replayed = func(f *sim.Frame) {
		if first == 0 {
			first = f.Tick
		}
		last = f.Tick
	}
	behind, err := Behind(o)
	if err != nil {
		t.Fatal(err)
	}
	r, err := restore(o)
	if err != nil {
		t.Fatalf("cut %d, kind %d, seed %d: %v", n, kind, seed, err)
	}
	tick := sim.Tick(0)
	if r.Area != nil {
		tick = r.Area.Now()
		if got := stateOf(r.Area); got != states[tick] {
			t.Fatalf("cut %d, kind %d, seed %d: tick %d is restored to another state; %q", n, kind, seed, tick, r.Report)
		}
	}
	least := want.durable
	if kind == cutProcess {
		least = want.committed
	}
	if tick < least || tick > max(want.sealed, 1) {
		t.Fatalf("cut %d, kind %d, seed %d: restored to tick %d, promised %d, sealed %d; %q", n, kind, seed, tick, least, want.sealed, r.Report)
	}
	if tick < want.storable && !behind {
		t.Fatalf("cut %d, kind %d, seed %d: restored to tick %d, but records up to tick %d may be stored", n, kind, seed, tick, want.storable)
	}
	if r.Saved > want.saved {
		t.Fatalf("cut %d, kind %d, seed %d: ticks up to %d count as saved, %d are", n, kind, seed, r.Saved, want.saved)
	}
	if !d.faulty && tick > r.Saved && (first > r.Saved+1 || last != tick) {
		t.Fatalf("cut %d, kind %d, seed %d: frames %d to %d come again, tick %d is saved; %q", n, kind, seed, first, last, r.Saved, r.Report)
	}
}

func TestProcessKillKeepsCommittedTicksAndPowerLossKeepsDurableTicks(t *testing.T) {
	for seed := range uint64(3) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) {
			t.Parallel()
			d := newDisk()
			o := options(d)
			o.Records = true
			if seed == 2 {
				o.Retain = Retain{}
			}
			var states map[sim.Tick]uint64
			synctest.Test(t, func(t *testing.T) {
				p := start(t, o, seed)
				p.watch(d)
				p.run(80)
				states = p.states
				p.stop(t, false)
			})
			for n := range d.ops {
				if d.ops[n].kind == opMark {
					continue
				}
				for kind := range numCutKinds {
					checkCut(t, d, o, n, kind, seed, states)
				}
				checkCut(t, d, o, n, cutReorder, seed+100, states)
			}
		})
	}
}

// fault makes changes of a disk fail or wait.
type fault struct {
	name    string
	lasting bool                          // nothing can be written as long as the fault lasts
	apply   func(op *diskOp, n int) error // decides about one change of the disk; n is its number since the fault began
}

var faults = []fault{
	{"disk full", true, func(op *diskOp, n int) error {
		if op.kind == opWrite || op.kind == opCreate {
			op.short = len(op.data) / 2
			return syscall.ENOSPC
		}
		return nil
	}},
	{"writes fail", true, func(op *diskOp, n int) error {
		if op.kind == opWrite {
			return errDisk
		}
		return nil
	}},
	{"syncs fail", true, func(op *diskOp, n int) error {
		if op.kind == opSync || op.kind == opSyncDir {
			return errDisk
		}
		return nil
	}},
	{"names fail", false, func(op *diskOp, n int) error {
		if op.kind == opRename || op.kind == opRemove || op.kind == opCreate {
			return errDisk
		}
		return nil
	}},
	{"every third change fails", false, func(op *diskOp, n int) error {
		if n%3 == 0 {
			return errDisk
		}
		return nil
	}},
	{"writes wait", false, func(op *diskOp, n int) error {
		if op.kind == opWrite && n%10 == 0 {
			time.Sleep(1500 * time.Millisecond)
		}
		return nil
	}},
	{"syncs wait", false, func(op *diskOp, n int) error {
		if op.kind == opSync {
			time.Sleep(2500 * time.Millisecond)
		}
		return nil
	}},
}

func TestFaultyDiskDelaysNoTickAndLosesNoDurableTick(t *testing.T) {
	for i, f := range faults {
		t.Run(f.name, func(t *testing.T) {
			t.Parallel()
			d := newDisk()
			d.faulty = true
			o := options(d)
			o.Records = true
			var states map[sim.Tick]uint64
			synctest.Test(t, func(t *testing.T) {
				p := start(t, o, uint64(i))
				p.watch(d)
				p.run(50)
				n := 0
				var mu sync.Mutex
				d.setFault(func(op *diskOp) error {
					mu.Lock()
					n++
					number := n
					mu.Unlock()
					return f.apply(op, number)
				})
				slowest := time.Duration(0)
				for range 120 {
					time.Sleep(50 * time.Millisecond)
					began := time.Now()
					p.step(p.intents())
					slowest = max(slowest, time.Since(began))
				}
				if slowest > p.tape.opt.Deadline {
					t.Errorf("a tick was delayed by %v", slowest)
				}
				if s := p.tape.Status(); f.lasting && (s.Failure == nil || s.Failure.Err == nil || s.Failure.What != fmt.Sprintf("TAPE NOT WRITTEN (%d ticks missed)", s.MissedTicks) || s.MissedTicks < 50) {
					t.Errorf("operators are told %+v", s)
				}
				d.setFault(nil)
				p.run(250) // long enough for the pause between two tries
				if s := p.tape.Status(); s.Failure != nil || p.log.(*Log).inGap {
					t.Errorf("the gap is not closed: %+v", s)
				}
				if behind, err := Behind(o); behind || err != nil {
					t.Errorf("the tape is still behind: %v", err)
				}
				if s := p.tape.Status(); s.Gaps == 0 && f.name != "syncs wait" {
					t.Errorf("no gap was counted: %+v", s)
				}
				if now := p.area.Now(); p.log.Durable() < now-10 {
					t.Errorf("tick %d is durable at tick %d", p.log.Durable(), now)
				}
				states = p.states
				p.stop(t, false)
			})
			random := rand.New(rand.NewPCG(uint64(i), 5))
			for range 150 {
				checkCut(t, d, o, random.IntN(len(d.ops)), cutKind(random.IntN(int(numCutKinds))), random.Uint64(), states)
			}
			checkCut(t, d, o, len(d.ops), cutDropped, 1, states)
			r, err := restore(options(d.cut(len(d.ops), cutDropped, random)))
			if err != nil || r.Area.Now() != 420 {
				t.Errorf("after the fault and a stop: restored to tick %d, %v", r.Area.Now(), err)
			}
		})
	}
}
