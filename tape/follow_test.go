package tape

import (
	"bytes"
	"errors"
	"io"
	"log/slog"
	"math/rand/v2"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
)

// agreedLog is the Raft log of an area: the batches of all ticks, and the state after each tick.
type agreedLog struct {
	world   *sim.World
	random  *rand.Rand
	batches []area.Batch // agreed batch of each tick; element 0 is not used
	states  [][]byte     // snapshots, by tick
}

func newAgreedLog(o Options, seed uint64) *agreedLog {
	return &agreedLog{world: o.World, random: rand.New(rand.NewPCG(seed, 1)), batches: make([]area.Batch, 1), states: [][]byte{sim.NewArea(o.World, 0, o.Seed).Snapshot(nil)}}
}

func (g *agreedLog) last() sim.Tick { return sim.Tick(len(g.batches) - 1) }

func (g *agreedLog) state(t *testing.T, tick sim.Tick) *sim.Area {
	t.Helper()
	a, err := sim.Restore(g.world, g.states[tick])
	if err != nil {
		t.Fatal(err)
	}
	return a
}

// agree appends n batches, one every 50 ms.
func (g *agreedLog) agree(t *testing.T, n int) {
	t.Helper()
	a := g.state(t, g.last())
	p := play{tape: &Tape{opt: Options{World: g.world}}, area: a, random: g.random}
	for range n {
		time.Sleep(50 * time.Millisecond)
		b := area.Batch{Tick: a.Now() + 1, PrevHash: a.Hash(), Intents: p.intents(), AtMS: time.Now().UnixMilli()}
		a.Recycle(a.Step(b.Intents))
		g.batches, g.states = append(g.batches, b), append(g.states, a.Snapshot(nil))
	}
}

// played returns the ticks from first to last as a playback must return them.
func (g *agreedLog) played(t *testing.T, first, last sim.Tick) (list []played) {
	for tick := first; tick <= last; tick++ {
		list = append(list, played{time.UnixMilli(g.batches[tick].AtMS), tick, stateOf(g.state(t, tick))})
	}
	return list
}

// follower is a node of a cluster: it simulates the ticks whose batches are in the log.
type follower struct {
	t    *testing.T
	log  *agreedLog
	tape *Tape
	to   area.Tape
	area *sim.Area
}

// follow starts a node that continues from the state after a tick.
func follow(t *testing.T, o Options, log *agreedLog, from sim.Tick) *follower {
	t.Helper()
	tape, err := OpenForClusterNode(o)
	if err != nil {
		t.Fatal(err)
	}
	f := &follower{t: t, log: log, tape: tape, to: tape.Follower(0), area: log.state(t, from)}
	f.to.Continue(from)
	f.snapshot()
	return f
}

func (f *follower) snapshot() {
	if memory := f.to.SnapshotBuffer(); memory != nil {
		f.area.CloneInto(memory)
		f.to.Snapshot(memory)
	}
}

// stepTo simulates the ticks up to the given one.
func (f *follower) stepTo(tick sim.Tick) {
	for f.area.Now() < tick {
		f.step()
		synctest.Wait() // let the tape write
	}
}

// step simulates the next tick.
func (f *follower) step() {
	b := f.log.batches[f.area.Now()+1]
	f.to.Seal(b)
	f.area.Recycle(f.area.Step(b.Intents))
	f.to.Commit()
	f.snapshot()
}

// run lets the cluster agree on the batches of n ticks and simulates these ticks.
func (f *follower) run(n int) {
	for range n {
		f.log.agree(f.t, 1)
		f.stepTo(f.log.last())
	}
}

// install replaces the state of the node's area by the agreed state after a tick, as if the leader had sent that state.
func (f *follower) install(tick sim.Tick) {
	f.area = f.log.state(f.t, tick)
	f.to.Continue(tick)
	f.snapshot()
}

func (f *follower) stop() {
	f.t.Helper()
	if err := errors.Join(f.to.Close(), f.tape.Close()); err != nil {
		f.t.Error(err)
	}
}

// kill ends the node without a last write. It returns the disk in the state in which a crash of the given kind leaves it.
func (f *follower) kill(d *disk, kind cutKind) *disk {
	after := d.cut(d.opCount(), kind, f.log.random)
	f.stop()
	return after
}

// isRecorded fails the test unless a playback has exactly the given ticks, and Verify finds no problem.
func isRecorded(t *testing.T, o Options, want ...[]played) {
	t.Helper()
	openPlayback(t, o).spansAre(t, want...)
	p := openPlayback(t, o)
	var got []played
	for {
		err := p.Step()
		if _, gap := errors.AsType[*GapError](err); gap {
			continue
		} else if errors.Is(err, io.EOF) {
			break
		} else if err != nil {
			t.Fatal(err)
		}
		got = append(got, played{p.Time(), p.Tick(), stateOf(p.Area())})
	}
	if want := slices.Concat(want...); !slices.Equal(got, want) {
		t.Fatalf("the tape has %d ticks from %v to %v, want %d from %v to %v", len(got), got[0], got[len(got)-1], len(want), want[0], want[len(want)-1])
	}
	if v, err := Verify(o); err != nil || len(v.Problems) > 0 {
		t.Fatalf("verify: %q, %v", v.Problems, err)
	}
}

func TestRestartedNodeRecordsEachTickOnceWithAgreedTime(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk()
		o := options(d)
		log := newAgreedLog(o, 1)
		f := follow(t, o, log, 0)
		f.run(50)
		d = f.kill(d, cutProcess)
		o.FS = d
		log.agree(t, 30) // the other nodes agree on these batches
		f = follow(t, o, log, 25)
		f.stepTo(80)
		f.run(15)
		f.stop()
		f = follow(t, o, log, 70) // this restart follows a clean stop
		f.run(10)
		f.stop()
		isRecorded(t, o, log.played(t, 1, log.last()))
	})
}

func TestNodeContinuesItsTapeAfterKillAtAnyWrite(t *testing.T) {
	for seed := range uint64(2) {
		synctest.Test(t, func(t *testing.T) {
			d := newDisk()
			o := options(d)
			log := newAgreedLog(o, seed)
			from := sim.Tick(0)
			for range 4 {
				f := follow(t, o, log, from)
				f.run(20 + log.random.IntN(60))
				f.stop()
				d = d.cut(log.random.IntN(d.opCount()+1), cutProcess, log.random)
				o.FS = d
				from = sim.Tick(log.random.IntN(int(log.last())))
			}
			f := follow(t, o, log, from)
			f.run(30)
			f.stop()
			p := openPlayback(t, o)
			spans, err := p.Spans()
			if err != nil || len(spans) == 0 || spans[len(spans)-1].Last != log.last() {
				t.Fatalf("seed %d: spans %v, %v; want them to tick %d", seed, spans, err, log.last())
			}
			var last sim.Tick
			for {
				err := p.Step()
				if _, gap := errors.AsType[*GapError](err); gap {
					continue
				} else if errors.Is(err, io.EOF) {
					break
				} else if err != nil {
					t.Fatalf("seed %d: %v", seed, err)
				}
				if tick := p.Tick(); tick <= last || stateOf(p.Area()) != stateOf(log.state(t, tick)) || p.Time().UnixMilli() != log.batches[tick].AtMS {
					t.Fatalf("seed %d: tick %d of %v after tick %d, or its state is not the recorded one", seed, tick, p.Time(), last)
				}
				last = p.Tick()
			}
			if last != log.last() {
				t.Fatalf("seed %d: the last tick is %d, want %d", seed, last, log.last())
			}
			v, err := Verify(o)
			for _, problem := range v.Problems { // allowed if the node was killed after a gap, before it had written a snapshot
				if !strings.Contains(problem, "has no snapshot that can be read") {
					t.Errorf("seed %d: %s", seed, problem)
				}
			}
			if err != nil {
				t.Error(err)
			}
		})
	}
}

func TestTapeOfFollowerHasGapAfterFollowerInstallsLeadersState(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		var text bytes.Buffer
		o.Log = slog.New(slog.NewTextHandler(&text, nil))
		log := newAgreedLog(o, 1)
		f := follow(t, o, log, 0)
		f.run(30)
		log.agree(t, 60)
		f.install(70)
		f.stepTo(log.last())
		f.stop()
		log.agree(t, 60)
		f = follow(t, o, log, 100) // a restart from a state that is later than the end of the tape
		f.stepTo(log.last())
		f.stop()
		isRecorded(t, o, log.played(t, 1, 30), log.played(t, 71, 90), log.played(t, 101, 150))
		if n := strings.Count(text.String(), "level=WARN"); n != 1 || !strings.Contains(text.String(), "state of the leader") {
			t.Errorf("log: %s", text.String())
		}
	})
}

func TestBatchThatPanicsIsNotOnTape(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		log := newAgreedLog(o, 1)
		f := follow(t, o, log, 0)
		f.run(30)
		f.to.Seal(area.Batch{Tick: 31, PrevHash: f.area.Hash(), AtMS: time.Now().UnixMilli(), Intents: []sim.Intent{{Kind: sim.IntentLeave, Who: 1}}})
		f.run(20)
		f.stop()
		isRecorded(t, o, log.played(t, 1, 50))
	})
}

func TestTicksThatClusterLostStayOnTapeBeforeGap(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		log := newAgreedLog(o, 1)
		f := follow(t, o, log, 0)
		f.run(50)
		f.stop()
		before := log.played(t, 1, 50)
		log.batches, log.states = log.batches[:46], log.states[:46] // most nodes lost power
		time.Sleep(time.Second)
		log.agree(t, 30)
		f = follow(t, o, log, 25)
		f.stepTo(log.last())
		f.stop()
		isRecorded(t, o, before, log.played(t, 47, 75))

		log.agree(t, 1)
		f = follow(t, o, log, log.last()) // the state is later than the end of the tape
		f.run(10)
		f.stop()
		isRecorded(t, o, before, log.played(t, 47, 75), log.played(t, 77, 86))

		f = follow(t, o, log, log.last()) // the state has the tick at which the tape ends, but is not known to be the same
		f.run(10)
		f.stop()
		isRecorded(t, o, before, log.played(t, 47, 75), log.played(t, 77, 86), log.played(t, 87, 96))

		fresh := newAgreedLog(o, 2) // the areas begin anew, see --cluster-begin
		fresh.agree(t, 40)
		f = follow(t, o, fresh, 0)
		f.stepTo(40)
		f.stop()
		isRecorded(t, o, before, log.played(t, 47, 75), log.played(t, 77, 86), log.played(t, 87, 96), fresh.played(t, 1, 40))
	})
}

// Areas that begin anew (--cluster-begin) have the same first state as before, and the same ticks as long as there are no players.
func TestAreaCreatedAnewIsRecordedAlthoughItsTicksEqualTicksOnTape(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		var want [][]played
		for range 3 {
			log := newAgreedLog(o, 1)
			f := follow(t, o, log, 0)
			f.run(30)
			f.stop()
			f = follow(t, o, log, 0) // simulates these ticks again, and further ones
			f.run(20)
			f.stop()
			want = append(want, log.played(t, 1, 50))
			time.Sleep(time.Second)
		}
		isRecorded(t, o, want...)
	})
}

func TestTapeOfNodeHasGapWhileItsDiskFails(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk()
		d.faulty = true
		o := options(d)
		log := newAgreedLog(o, 1)
		f := follow(t, o, log, 0)
		f.run(30)
		d.setFault(func(op *diskOp) error {
			if op.kind == opWrite && (len(op.data) > 200 || !bytes.HasPrefix(op.data, []byte(magic))) { // all but headers of segments
				return errDisk
			}
			return nil
		})
		f.run(40)
		if s := f.tape.Status(); s.Failure == nil || !errors.Is(s.Failure.Err, errDisk) || s.MissedTicks < 39 {
			t.Errorf("status %+v", s)
		}
		d.setFault(nil)
		f.run(60)
		if s := f.tape.Status(); s.Failure != nil || s.Gaps != 1 {
			t.Errorf("status %+v", s)
		}
		f.stop()
		spans, err := openPlayback(t, o).Spans()
		if err != nil || len(spans) != 2 || spans[0].Last != 30 || spans[1].Last != 130 || spans[1].First > 112 {
			t.Fatalf("spans %v, %v", spans, err)
		}
		isRecorded(t, o, log.played(t, 1, 30), log.played(t, spans[1].First, 130))
	})
}

// After a restart, a node simulates ticks faster than a disk writes them. This makes no gap; only a disk that writes nothing for
// longer than loudGap does.
func TestNodeLeavesGapOnTapeIfDiskHangsButNotIfDiskIsOnlySlow(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk()
		d.faulty = true
		o := options(d)
		log := newAgreedLog(o, 1)
		hang := func() (answer func()) {
			answered := make(chan struct{})
			d.setFault(func(*diskOp) error { <-answered; return nil })
			return func() {
				d.setFault(nil)
				close(answered)
				synctest.Wait()
			}
		}
		f := follow(t, o, log, 0)
		f.run(50)
		f.stop()
		for _, again := range []sim.Tick{25, 0} { // number of ticks that are simulated a second time
			last := log.last()
			log.agree(t, 100)
			f = follow(t, o, log, last-again)
			answer := hang()
			for f.area.Now() < log.last() {
				f.step()
			}
			answer()
			if s := f.tape.Status(); s.MissedTicks != 0 || s.Gaps != 0 {
				t.Fatalf("%d ticks are stepped again: status %+v", again, s)
			}
			f.stop()
		}
		f = follow(t, o, log, log.last())
		f.run(10)
		time.Sleep(time.Minute) // the cluster has no leader for a minute, which must not count as a hanging disk
		f.run(10)
		answer := hang()
		f.run(40)
		if s := f.tape.Status(); s.Gaps != 1 || s.MissedTicks != 19 { // 1 s after the first tick that was not written
			t.Errorf("the disk does not answer for 2 s: status %+v", s)
		}
		answer()
		f.run(10)
		if s := f.tape.Status(); s.Gaps != 1 || s.MissedTicks != 19 {
			t.Errorf("the disk answers again: status %+v", s)
		}
		f.stop()
		isRecorded(t, o, log.played(t, 1, 150), log.played(t, 151, 250), log.played(t, 251, 320))
	})
}

func TestRestartedNodeDoesNotRecordDeletedTicksAgain(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		o.Retain = Retain{}
		log := newAgreedLog(o, 1)
		f := follow(t, o, log, 0)
		f.run(110)
		f.stop()
		before, err := openPlayback(t, o).Spans()
		if err != nil || len(before) != 1 || before[0].First <= 60 {
			t.Fatalf("spans %v, %v", before, err)
		}
		f = follow(t, o, log, 30)
		f.stepTo(log.last())
		f.run(5)
		f.stop()
		spans, err := openPlayback(t, o).Spans()
		if err != nil || len(spans) != 1 || spans[0].Last != 115 {
			t.Fatalf("spans %v, %v", spans, err)
		}
		isRecorded(t, o, log.played(t, spans[0].First, 115))
	})
}

func TestTapeOfClusterIsNotRestoredBySingleServer(t *testing.T) {
	single, _ := recorded(t, options(nil), 10)
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		log := newAgreedLog(o, 1)
		f := follow(t, o, log, 0)
		f.run(30)
		f.stop()
		if _, err := Open(o); !errors.Is(err, ErrOfCluster) {
			t.Errorf("Open: %v", err)
		}
		if name, err := InPlay(o); name != "" || err != nil {
			t.Errorf("in play: %q, %v", name, err)
		}
		o.FS = single
		if _, err := OpenForClusterNode(o); !errors.Is(err, ErrNotOfCluster) {
			t.Errorf("OpenForClusterNode: %v", err)
		}
	})
}

func TestRecordingAgreedTickDoesNotAllocate(t *testing.T) {
	o := options(noDisk{newDisk()})
	o.SegmentTicks = 1 << 30
	tape, err := OpenForClusterNode(o)
	if err != nil {
		t.Fatal(err)
	}
	to := tape.Follower(0)
	defer func() { _ = errors.Join(to.Close(), tape.Close()) }()
	to.Continue(0)
	intents := batchOf(100)
	tick := sim.Tick(0)
	step := func() {
		tick++
		to.Seal(area.Batch{Tick: tick, Intents: intents, AtMS: int64(tick)})
		to.Commit()
		for tape.areas[0].stored.Load() < uint64(tick) {
			time.Sleep(time.Microsecond)
		}
	}
	for range 100 {
		step()
	}
	if n := testing.AllocsPerRun(200, step); n > 0 {
		t.Errorf("%v allocations in a tick", n)
	}
}
