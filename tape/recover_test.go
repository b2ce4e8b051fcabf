package tape

import (
	"bytes"
	"errors"
	"math/rand/v2"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// recorded returns a disk with a tape of n ticks that was not closed, as after a crash, and the states that the area had.
func recorded(t *testing.T, o Options, n int) (d *disk, states map[sim.Tick]uint64) {
	t.Helper()
	return recordedWith(t, o, n, 1)
}

func recordedWith(t *testing.T, o Options, n int, seed uint64) (d *disk, states map[sim.Tick]uint64) {
	t.Helper()
	d = newDisk()
	o.FS = d
	synctest.Test(t, func(t *testing.T) {
		p := start(t, o, seed)
		p.run(n)
		states = p.states
		time.Sleep(time.Second) // wait until the closed segments are compressed
		p.stop(t, false)
	})
	return d, states
}

const dir = "000-west_field/"

// restored restores area 0 from a copy of a disk and fails the test if the tape is refused.
func restored(t *testing.T, d *disk, o Options) *Recovered {
	t.Helper()
	o.FS = d
	r, err := restore(o)
	if err != nil {
		t.Fatal(err)
	}
	return r
}

// content returns the bytes of a file, which the caller may change.
func (d *disk) content(t *testing.T, name string) []byte {
	t.Helper()
	file, ok := d.lookUp(dir + name)
	if !ok {
		names, _ := d.ReadDir(strings.TrimSuffix(dir, "/"))
		t.Fatalf("no file %s, only %s", name, names)
	}
	return d.files[file]
}

func saysOneLine(t *testing.T, report []string, parts ...string) {
	t.Helper()
	if !slices.ContainsFunc(report, func(line string) bool {
		return !strings.Contains(line, "\n") && !slices.ContainsFunc(parts, func(part string) bool { return !strings.Contains(line, part) })
	}) {
		t.Errorf("no line has %q: %q", parts, report)
	}
}

func TestIncompleteRecordAtEndOfSegmentIsIgnoredByRecovery(t *testing.T) {
	o := options(nil)
	d, states := recorded(t, o, 50)
	file, _ := d.lookUp(dir + "0000000003.wal")
	d.files[file] = d.files[file][:len(d.files[file])-5]
	r := restored(t, d, o)
	if r.Area.Now() != 49 || stateOf(r.Area) != states[49] {
		t.Errorf("restored to tick %d", r.Area.Now())
	}
	saysOneLine(t, r.Report, "not completed", "after tick 49 are cut off")
	saysOneLine(t, r.Report, "restored to tick 49", "from the snapshot of tick 40")
}

func TestRecoveryUsesPreviousSegmentIfSnapshotIsDamaged(t *testing.T) {
	o := options(nil)
	d, states := recorded(t, o, 50)
	d.content(t, "0000000003.snap")[150] ^= 1
	r := restored(t, d, o)
	if r.Area.Now() != 50 || stateOf(r.Area) != states[50] || r.Ticks != 30 {
		t.Errorf("restored to tick %d by stepping %d", r.Area.Now(), r.Ticks)
	}
	saysOneLine(t, r.Report, "the snapshot of", "0000000003.wal cannot be read", "using the end of the previous segment instead")
}

func TestStateBeforeDamagedRecordIsRestoredAndLossIsReported(t *testing.T) {
	o := options(nil)
	d, states := recorded(t, o, 55)
	b := d.content(t, "0000000003.wal")
	h, n, err := parseHeader(b, kindRaw)
	if err != nil || h.First != 40 {
		t.Fatal(h, err)
	}
	for range 5 { // the sixth record
		n += recordLength(b[n:])
	}
	b[n+30] ^= 1
	r := restored(t, d, o)
	if r.Area.Now() != 45 || stateOf(r.Area) != states[45] {
		t.Errorf("restored to tick %d", r.Area.Now())
	}
	saysOneLine(t, r.Report, "0000000003.wal is damaged after tick 45", "what followed is lost")
}

func TestAreaIsRestoredCompletelyDespiteDamagedSegmentBeforeNewestSnapshot(t *testing.T) {
	o := options(nil)
	d, states := recorded(t, o, 50)
	b := d.content(t, "0000000002.tape")
	b[len(b)/2] ^= 1
	r := restored(t, d, o)
	if r.Area.Now() != 50 || stateOf(r.Area) != states[50] {
		t.Errorf("restored to tick %d: %q", r.Area.Now(), r.Report)
	}
}

func TestSegmentOfAnotherRunIsNotReplayedAndItsTicksAreReportedLost(t *testing.T) {
	o := options(nil)
	d, states := recorded(t, o, 50)
	other, _ := recordedWith(t, o, 50, 2)
	file, _ := d.lookUp(dir + "0000000003.wal")
	d.files[file] = other.content(t, "0000000003.wal")
	delete(d.names, dir+"0000000003.snap")
	r := restored(t, d, o)
	if r.Area.Now() != 40 || stateOf(r.Area) != states[40] {
		t.Errorf("restored to tick %d: %q", r.Area.Now(), r.Report)
	}
	saysOneLine(t, r.Report, "0000000003.wal cannot be used", "does not continue the previous segment; 10 ticks are lost")
}

func TestRawSegmentIsUsedIfCompressedSegmentIsDamaged(t *testing.T) {
	o := options(nil)
	d, states := recorded(t, o, 50)
	raw := d.content(t, "0000000003.wal")
	s, _, err := readAll(raw, suffixRaw)
	if err != nil {
		t.Fatal(err)
	}
	packed := tapeSegment(t, raw, nil)
	for _, damaged := range []bool{true, false} {
		after := d.cut(len(d.ops), cutKept, rand.New(rand.NewPCG(1, 1)))
		b := bytes.Clone(packed)
		if damaged {
			b[len(b)/2] ^= 1
		}
		after.files = append(after.files, b)
		after.names[dir+"0000000003.tape"] = len(after.files) - 1
		r := restored(t, after, o)
		if r.Area.Now() != 50 || stateOf(r.Area) != states[50] {
			t.Errorf("damaged %v: restored to tick %d of the segment from %d: %q", damaged, r.Area.Now(), s.header.First, r.Report)
		}
		if _, kept := after.lookUp(dir + "0000000003.wal"); kept != damaged {
			t.Errorf("damaged %v: the raw form is there: %v", damaged, kept)
		}
	}
}

func TestAreaBeginsAnewAfterCleanStopAndOldSegmentsAreKept(t *testing.T) {
	o := options(nil)
	d := newDisk()
	o.FS = d
	synctest.Test(t, func(t *testing.T) {
		p := start(t, o, 1)
		p.run(30)
		p.stop(t, true)
		o.Program = "another build"
		p = start(t, o, 2)
		if p.area.Now() != 0 || len(p.tape.Recovered(0).Report) > 0 {
			t.Errorf("after a clean stop the area is at tick %d: %q", p.area.Now(), p.tape.Recovered(0).Report)
		}
		p.run(10)
		time.Sleep(time.Second)
		p.stop(t, false)
	})
	names, _ := d.ReadDir("000-west_field")
	if want := []string{"0000000001.tape", "0000000002.tape", "0000000003.wal"}; !slices.Equal(names, want) {
		t.Errorf("the folder has %s, want %s", names, want)
	}
	if r := restored(t, d, o); r.Area.Now() != 10 || r.life != 3 {
		t.Errorf("the second run is restored to tick %d, life %d", r.Area.Now(), r.life)
	}
}

func TestRestoredAreaContinuesAfterRepeatedCrashes(t *testing.T) {
	o := options(nil)
	o.Records = true
	d := newDisk()
	synctest.Test(t, func(t *testing.T) {
		states := map[sim.Tick]uint64{}
		random := rand.New(rand.NewPCG(3, 3))
		var saved sim.Tick
		for life := range uint64(12) {
			o.FS = d
			p := start(t, o, life)
			now := p.area.Now()
			if life > 0 && states[now] != stateOf(p.area) {
				t.Fatalf("life %d: tick %d is restored to another state: %q", life, now, p.tape.Recovered(0).Report)
			}
			if got := p.tape.Recovered(0).Saved; got > saved {
				t.Fatalf("life %d: %d ticks count as saved, %d are", life, got, saved)
			}
			for tick, state := range states {
				if tick < now {
					p.states[tick] = state
				}
			}
			p.watch(d)
			p.run(5 + random.IntN(60))
			p.stop(t, false)
			states = p.states
			n := len(d.ops) - random.IntN(40)
			kind := cutKind(random.IntN(int(numCutKinds)))
			promised := d.promiseAt(n)
			saved = promised.saved
			d = d.cut(n, kind, random)
			d.mark(promise{saved: saved})
		}
		if v, err := Verify(Options{FS: d, World: o.World}); err != nil || v.Segments < 5 || v.Ticks < 100 {
			t.Errorf("verification: %+v, %v", v, err)
		}
	})
}

func TestTapeOfOtherWorldOrBuildIsRefusedAndErrorSuggestsFix(t *testing.T) {
	o := options(nil)
	d, _ := recorded(t, o, 30)
	for _, c := range []struct {
		what   string
		change func(o *Options)
		says   string
	}{
		{"program", func(o *Options) { o.Program = "newer" }, `by the build "test", but this program is the build "newer"`},
		{"rules", func(o *Options) { o.World.Rules.Claim = *new(o.World.Rules.Claim); o.World.Rules.Claim.Strict = true }, "another world file or other rules"},
		{"world", func(o *Options) { o.World.Name = "elsewhere" }, `of the world "fields", but the loaded world is "elsewhere"`},
	} {
		t.Run(c.what, func(t *testing.T) {
			changed := options(d)
			c.change(&changed)
			_, err := Open(changed)
			if _, ok := errors.AsType[*RefusedError](err); !ok || strings.Contains(err.Error(), "\n") {
				t.Fatalf("opened: %v", err)
			}
			saysOneLine(t, []string{err.Error()}, `area "West Field"`, c.says, "stop it with Ctrl-C", "--tape-discard")
		})
	}
}

func TestTapeWithoutTicksIsAcceptedEvenIfOtherBuildWroteIt(t *testing.T) {
	o := options(nil)
	d, _ := recorded(t, o, 0)
	o.FS, o.Program = d, "newer"
	if r, err := restore(o); err != nil || r.Area != nil || len(r.Report) > 0 {
		t.Errorf("restored %+v, %v", r, err)
	}
}

func TestTapeOfNewerFormatIsRefused(t *testing.T) {
	o := options(nil)
	d, _ := recorded(t, o, 30)
	d.content(t, "0000000002.wal")[len(magic)+1]++
	o.FS = d
	if _, err := Open(o); err == nil || !strings.Contains(err.Error(), "format version 2, this program reads 1") {
		t.Errorf("opened: %v", err)
	}
}

func TestRecoveryStopsBeforeTickWhoseSimulationPanics(t *testing.T) {
	o := options(nil)
	d, states := recorded(t, o, 33)
	o.FS = d
	r, err := restoreWith(o, func(a *sim.Area, intents []sim.Intent) *sim.Frame {
		if a.Now() == 30 {
			panic("a rule is broken")
		}
		return a.Step(intents)
	})
	if err != nil || r.Area.Now() != 30 || stateOf(r.Area) != states[30] {
		t.Errorf("restored to tick %d, %v", r.Area.Now(), err)
	}
	saysOneLine(t, r.Report, "tick 31 stops the area (the simulation of the tick panicked: a rule is broken): it is left out")
}

func TestStateThatDiffersFromRecordedHashIsNotRestored(t *testing.T) {
	o := options(nil)
	d, states := recorded(t, o, 33)
	o.FS = d
	r, err := restoreWith(o, func(a *sim.Area, intents []sim.Intent) *sim.Frame {
		if a.Now() == 25 { // the intents of tick 26 have no effect
			intents = nil
		}
		return a.Step(intents)
	})
	if err != nil || r.Area.Now() != 25 || stateOf(r.Area) != states[25] {
		t.Errorf("restored to tick %d, %v", r.Area.Now(), err)
	}
	saysOneLine(t, r.Report, "tick 26 gives another state than the one recorded")
}

func TestSystemClockBehindLastTickOnTapeIsReported(t *testing.T) {
	o := options(nil)
	d := newDisk()
	o.FS = d
	synctest.Test(t, func(t *testing.T) {
		time.Sleep(time.Hour)
		p := start(t, o, 1)
		p.run(30)
		p.stop(t, false)
	})
	synctest.Test(t, func(t *testing.T) { // a new bubble: its clock begins an hour before the end of the tape
		p := start(t, o, 2)
		saysOneLine(t, p.tape.Recovered(0).Report, "the system clock is 1h0m", "behind the tape")
		p.run(5)
		p.stop(t, false)
	})
	if r := restored(t, d, o); r.Area.Now() != 35 {
		t.Errorf("restored to tick %d: %q", r.Area.Now(), r.Report)
	}
}

func TestRetentionDeletesOldestSegmentsNotNeededForRecovery(t *testing.T) {
	for _, c := range []struct {
		name string
		keep Retain
		min  int // minimum number of segments that must be left
		max  int
	}{
		{"nothing more", Retain{}, 1, 2},
		{"by age", Retain{Age: 5 * time.Second, Bytes: 1 << 30}, 5, 8},
		{"by size", Retain{Age: time.Hour, Bytes: 12_000}, 2, 15},
		{"everything", Retain{Age: time.Hour, Bytes: 1 << 30}, 21, 22},
	} {
		t.Run(c.name, func(t *testing.T) {
			o := options(nil)
			o.Retain = c.keep
			d, states := recorded(t, o, 410)
			names, _ := d.ReadDir("000-west_field")
			n := 0
			for _, name := range names {
				if !strings.HasSuffix(name, suffixSnapshot) {
					n++
				}
			}
			if n < c.min || n > c.max {
				t.Errorf("%d segments are left: %s", n, names)
			}
			if r := restored(t, d, o); r.Area.Now() != 410 || stateOf(r.Area) != states[410] {
				t.Errorf("restored to tick %d: %q", r.Area.Now(), r.Report)
			}
		})
	}
}

func TestRetentionKeepsTicksWhoseRecordsAreNotSaved(t *testing.T) {
	o := options(nil)
	o.Records, o.Retain = true, Retain{}
	d, _ := recorded(t, o, 200) // Saved is never called
	if r := restored(t, d, o); r.Ticks != 200 || r.Saved != 0 {
		t.Errorf("%d ticks are stepped again, %d count as saved", r.Ticks, r.Saved)
	}
}

func TestVerifyReportsTicksWhoseReplayDiffersFromRecordedHash(t *testing.T) {
	o := options(nil)
	d, _ := recorded(t, o, 130)
	o.FS = d
	v, err := Verify(o)
	if err != nil || len(v.Problems) > 0 || v.Ticks != 130 || v.Segments != 7 || v.Played != 6500*time.Millisecond {
		t.Fatalf("%+v, %v", v, err)
	}
	all, err := Extract(o, 0, time.Time{}, time.Now().Add(time.Hour))
	if err != nil {
		t.Fatal(err)
	}
	var want IntentCount
	for _, tick := range all.Ticks {
		want.count(tick.Intents)
	}
	if v.Intents != want || want.Claims == 0 || want.Inputs == 0 || want.Others < 3 {
		t.Errorf("%+v intents, want %+v with claims, inputs and three joins", v.Intents, want)
	}
	o.World.Rules.RespawnDelayMS++ // a rule that is not part of the digest and has no effect in this test
	if v, err := Verify(o); err != nil || len(v.Problems) > 0 {
		t.Fatalf("%+v, %v", v, err)
	}
	o.World.Rules.Claim.MinAllowance += 50 // a rule that changes which claims are held
	if v, err := Verify(o); err != nil || len(v.Problems) == 0 {
		t.Errorf("other rules: %+v, %v", v, err)
	}
	o.World = field()
	b := d.content(t, "0000000003.tape")
	b[len(b)/2] ^= 1
	if v, err := Verify(o); err != nil || len(v.Problems) == 0 {
		t.Errorf("a damaged segment: %+v, %v", v, err)
	}
}

// The other tests use a disk in memory. This test recovers a tape from a folder of the operating system.
func TestTapeIsRecoveredFromRealFileSystem(t *testing.T) {
	o := options(nil)
	o.FS, o.Dir = nil, filepath.Join(t.TempDir(), "data", "tape")
	p := start(t, o, 1)
	for range 70 {
		p.step(p.intents())
	}
	p.log.Sync()
	p.stop(t, false)
	q := start(t, o, 2)
	if q.area.Now() != 70 || stateOf(q.area) != p.states[70] {
		t.Errorf("restored to tick %d: %q", q.area.Now(), q.tape.Recovered(0).Report)
	}
	q.stop(t, true)
	if v, err := Verify(o); err != nil || len(v.Problems) > 0 || v.Ticks != 70 {
		t.Errorf("%+v, %v", v, err)
	}
	if info, err := os.Stat(filepath.Join(o.Dir, "000-west_field")); err != nil || info.Mode().Perm() != 0o700 {
		t.Errorf("the folder: %v, %v", info, err)
	}
}

func TestSegmentOfOtherAreaIsReportedAndIgnored(t *testing.T) {
	o := options(nil)
	d, _ := recorded(t, o, 30)
	b := bytes.Clone(d.content(t, "0000000001.tape"))
	d.files = append(d.files, b)
	d.names[dir+"0000000009.tape"] = len(d.files) - 1
	r := restored(t, d, o)
	if r.Area.Now() != 30 {
		t.Errorf("restored to tick %d", r.Area.Now())
	}
	saysOneLine(t, r.Report, "0000000009.tape belongs to another area or has been renamed")
}
