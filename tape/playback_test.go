package tape

import (
	"bytes"
	"errors"
	"fmt"
	"io"
	"math/rand/v2"
	"path/filepath"
	"slices"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// played is a recorded tick. Ticks are in the order in which they were played. The number of a tick may be less than that of the
// tick before it if the area was restored to an earlier tick or began anew.
type played struct {
	at    time.Time
	tick  sim.Tick
	state uint64
}

// playFor replays n ticks and returns them.
func (p *play) playFor(n int) (list []played) {
	for range n {
		p.run(1)
		list = append(list, played{time.UnixMilli(time.Now().UnixMilli()), p.area.Now(), p.states[p.area.Now()]})
	}
	return list
}

func openPlayback(t testing.TB, o Options) *Playback {
	t.Helper()
	p, err := OpenPlayback(o, 0)
	if err != nil {
		t.Fatal(err)
	}
	t.Cleanup(p.Close)
	return p
}

// seek seeks to a time. It fails the test unless the playback then has the tick and the state of want.
func (p *Playback) seek(t *testing.T, at time.Time, want played) {
	t.Helper()
	if err := p.Seek(at); err != nil {
		t.Fatalf("seek %v: %v", at, err)
	}
	p.expect(t, want)
}

// expect fails the test if the current tick of the playback is not want.
func (p *Playback) expect(t *testing.T, want played) {
	t.Helper()
	if p.Tick() != want.tick || stateOf(p.Area()) != want.state || !p.Time().Equal(want.at) {
		t.Fatalf("tick %d of %v with state %x, want tick %d of %v with state %x", p.Tick(), p.Time(), stateOf(p.Area()), want.tick, want.at, want.state)
	}
	if f := p.Frame(); f == nil || f.Tick != want.tick || f.Hash != p.Area().Hash() {
		t.Fatalf("tick %d: frame %+v", want.tick, f)
	}
}

func (p *Playback) spansAre(t *testing.T, want ...[]played) {
	t.Helper()
	spans, err := p.Spans()
	if err != nil {
		t.Fatal(err)
	}
	var list []Span
	for _, w := range want {
		first, last := w[0], w[len(w)-1]
		list = append(list, Span{From: first.at, To: last.at, First: first.tick, Last: last.tick})
	}
	if !slices.Equal(spans, list) {
		t.Fatalf("spans %v, want %v", spans, list)
	}
}

func TestSeekToRandomTimesRestoresRecordedStates(t *testing.T) {
	for _, running := range []bool{true, false} {
		t.Run(fmt.Sprint("running=", running), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				o := options(newDisk())
				o.SegmentTicks = 300 // more than a group
				r := start(t, o, 1)
				all := r.playFor(1000)
				if running {
					defer r.stop(t, true)
				} else {
					r.stop(t, true)
				}
				p := openPlayback(t, o)
				p.kept.limit = 40_000 // some states are evicted
				p.spansAre(t, all)
				random := rand.New(rand.NewPCG(1, 2))
				for range 300 {
					i := random.IntN(len(all))
					p.seek(t, all[i].at.Add(time.Duration(random.IntN(50))*time.Millisecond), all[i])
					for range random.IntN(4) {
						if i++; i < len(all) {
							if err := p.Step(); err != nil {
								t.Fatal(err)
							}
							p.expect(t, all[i])
						}
					}
				}
				if n := len(p.kept.list); n < 3 || p.kept.bytes > p.kept.limit {
					t.Errorf("%d states of %d bytes in memory", n, p.kept.bytes)
				}
				p.seek(t, all[0].at.Add(-time.Hour), all[0])
				p.seek(t, time.Now().Add(time.Hour), all[len(all)-1])
				if err := p.Step(); !errors.Is(err, io.EOF) {
					t.Errorf("at the end: %v", err)
				}
				p.expect(t, all[len(all)-1])
			})
		})
	}
}

// Dragging the time slider causes many seeks back and forth within a short period. Each of them must replay only few ticks.
func TestSeekToNearbyTimeReplaysFewTicks(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		o.SegmentTicks = 600
		r := start(t, o, 1)
		all := r.playFor(600)
		r.stop(t, true)
		p := openPlayback(t, o)
		p.seek(t, all[590].at, all[590])
		steps := 0
		p.line.tape.step = func(a *sim.Area, intents []sim.Intent) *sim.Frame {
			steps++
			return a.Step(intents)
		}
		for _, i := range []int{500, 501, 420, 425, 599, 300, 20} {
			steps = 0
			p.seek(t, all[i].at, all[i])
			if steps > keptSeconds*20 {
				t.Errorf("seek to tick %d steps %d ticks", i+1, steps)
			}
		}
	})
}

func TestPlaybackStepVisitsEveryTickInOrder(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		p := openPlayback(t, o)
		for range 2 { // Step may be called again after io.EOF
			if err := p.Step(); !errors.Is(err, io.EOF) || p.Frame() != nil || p.Tick() != 0 {
				t.Fatalf("empty tape: %v", err)
			}
		}
		if err := p.Seek(time.Now()); err == nil || !strings.Contains(err.Error(), `area "West Field", folder 000-west_field: the tape has no segment that can be played back`) {
			t.Fatalf("empty tape: %v", err)
		}
		r := start(t, o, 1)
		defer r.stop(t, true)
		for range 70 { // the tape grows by a tick between any two replayed ticks; new segments begin meanwhile
			all := r.playFor(1)
			synctest.Wait()
			if err := p.Step(); err != nil {
				t.Fatal(err)
			}
			p.expect(t, all[0])
			if len(p.Intents()) != len(p.now.Intents) || p.now.Tick != all[0].tick {
				t.Fatalf("intents of tick %d", p.now.Tick)
			}
			if err := p.Step(); !errors.Is(err, io.EOF) {
				t.Fatalf("behind tick %d: %v", all[0].tick, err)
			}
		}
	})
}

func TestPlaybackContinuesAfterGaps(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		r := start(t, o, 1)
		first := r.playFor(50)
		r.stop(t, false)
		time.Sleep(time.Second) // shorter than pause
		r = start(t, o, 2)
		first = append(first, r.playFor(30)...)
		r.stop(t, false)
		time.Sleep(10 * time.Second)
		r = start(t, o, 3) // the server was down for a while, but no tick is missing
		second := r.playFor(30)
		r.stop(t, true)
		time.Sleep(time.Minute)
		r = start(t, o, 4) // the area begins anew, because it was stopped cleanly
		third := r.playFor(50)
		r.stop(t, true)

		p := openPlayback(t, o)
		p.spansAre(t, first, second, third)
		p.seek(t, first[79].at.Add(5*time.Second), second[0])
		p.seek(t, second[29].at.Add(time.Second), third[0])
		p.seek(t, first[10].at, first[10])
		var walked []played
		gaps := 0
		for {
			err := p.Step()
			if errors.Is(err, io.EOF) {
				break
			}
			if gap, ok := errors.AsType[*GapError](err); ok {
				want := [][2]played{{first[79], second[0]}, {second[29], third[0]}}[gaps]
				gaps++
				if !gap.From.Equal(want[0].at) || !gap.To.Equal(want[1].at) || !strings.HasPrefix(gap.Error(), "tape: nothing was recorded from ") {
					t.Errorf("gap %d: %v", gaps, gap)
				}
				p.expect(t, want[0])
				continue
			}
			if err != nil {
				t.Fatal(err)
			}
			walked = append(walked, played{p.Time(), p.Tick(), stateOf(p.Area())})
		}
		if want := slices.Concat(first[11:], second, third); !slices.Equal(walked, want) {
			t.Errorf("%d ticks, want %d", len(walked), len(want))
		}
	})
}

// put replaces or adds a file.
func (d *disk) put(name string, b []byte) {
	d.files = append(d.files, b)
	d.names[dir+name] = len(d.files) - 1
}

func TestPlaybackWithTimeRangeReadsOnlyTicksInRange(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		r := start(t, o, 1)
		all := r.playFor(60)
		r.stop(t, false)
		time.Sleep(time.Minute)
		r = start(t, o, 2)
		later := r.playFor(60)
		r.stop(t, true)

		p := openPlayback(t, o)
		p.Limit(all[10].at, all[39].at)
		p.seek(t, all[5].at, all[10])
		p.seek(t, later[0].at, all[39])
		if err := p.Step(); !errors.Is(err, io.EOF) {
			t.Errorf("behind the stretch: %v", err)
		}
		spans, err := p.Spans()
		if err != nil || len(spans) != 1 || !spans[0].From.Equal(all[10].at) || !spans[0].To.Equal(all[39].at) {
			t.Errorf("spans %v, %v", spans, err)
		}

		p = openPlayback(t, o)
		p.Limit(all[50].at, all[59].at.Add(time.Second))
		if err := p.Step(); err != nil {
			t.Fatal(err)
		}
		p.expect(t, all[50])
		p.seek(t, later[0].at, all[59])
		if err := p.Step(); !errors.Is(err, io.EOF) {
			t.Errorf("an end within a gap: %v", err)
		}
		if err := p.Seek(all[59].at); err != nil {
			t.Fatal(err)
		}
		p.Limit(all[59].at.Add(time.Second), all[59].at.Add(2*time.Second))
		if err := p.Seek(all[0].at); err == nil || p.Frame() != nil {
			t.Errorf("a stretch within a gap: %v", err)
		}
		if spans, err := p.Spans(); err != nil || len(spans) != 0 {
			t.Errorf("a stretch within a gap: %v, %v", spans, err)
		}
	})
}

// A restart that restores an earlier tick discards the later ticks of the run before. Playback replays the ticks that the area
// played after the restart instead.
func TestPlaybackSkipsTicksDiscardedByRestart(t *testing.T) {
	for _, form := range []string{suffixRaw, suffixTape} {
		t.Run(form, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDisk()
				o := options(d)
				r := start(t, o, 1)
				all := r.playFor(35)
				r.stop(t, false)
				name := segmentName(2, suffixRaw)
				whole := bytes.Clone(d.content(t, name))
				s, err := openSegment(d, dir+name, newPacker())
				if err != nil {
					t.Fatal(err)
				}
				for tick := (Tick{}); tick.Tick < 30 && err == nil; {
					err = s.next(&tick)
				}
				if err != nil {
					t.Fatal(err)
				}
				d.put(name, whole[:s.records.at])
				r = start(t, o, 2) // continues after tick 30
				all = append(all[:30], r.playFor(30)...)
				r.stop(t, true)
				delete(d.names, dir+segmentName(2, suffixTape))
				d.put(name, whole)
				if form == suffixTape {
					if s, err = openSegment(d, dir+name, newPacker()); err != nil {
						t.Fatal(err)
					}
					b, _, err := newPacker().compress(nil, s, nil)
					if err != nil {
						t.Fatal(err)
					}
					delete(d.names, dir+name)
					d.put(segmentName(2, suffixTape), b)
				}
				p := openPlayback(t, o)
				p.spansAre(t, all)
				for i := range all {
					if err := p.Step(); err != nil {
						t.Fatal(i, err)
					}
					p.expect(t, all[i])
				}
				for _, i := range []int{29, 25, 30, 59, 31} {
					p.seek(t, all[i].at, all[i])
				}
			})
		})
	}
}

func TestPlaybackReportsDamagedSegmentAndSeeksPastIt(t *testing.T) {
	record := func(t *testing.T) (*disk, Options, []played) {
		d := newDisk()
		o := options(d)
		o.SegmentTicks = 50
		r := start(t, o, 1)
		all := r.playFor(200)
		r.stop(t, true)
		return d, o, all
	}
	change := func(t *testing.T, d *disk, name string, f func(b []byte) []byte) {
		t.Helper()
		d.put(name, f(bytes.Clone(d.content(t, name))))
	}
	for _, c := range []struct {
		name   string
		change func(t *testing.T, d *disk)
		at     int // tick to seek
		want   string
		then   int // later tick, to which a seek must succeed
	}{
		{"group", func(t *testing.T, d *disk) {
			change(t, d, "0000000002.tape", func(b []byte) []byte { b[len(b)-300] ^= 1; return b })
		}, 80, "tape: read from 000-west_field/0000000002.tape the tick after tick 50: the tape file is damaged", 120},
		{"snapshot, but the tick can be reached from the previous segment", func(t *testing.T, d *disk) {
			change(t, d, "0000000002.tape", func(b []byte) []byte { b[200] ^= 1; return b })
		}, 80, "", 120},
		{"end", func(t *testing.T, d *disk) {
			change(t, d, "0000000002.tape", func(b []byte) []byte { return b[:len(b)-5] })
		}, 80, "", 120},
	} {
		t.Run(c.name, func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d, o, all := record(t)
				c.change(t, d)
				p := openPlayback(t, o)
				err := p.Seek(all[c.at-1].at)
				if c.want == "" && err != nil || c.want != "" && (err == nil || err.Error() != c.want) {
					t.Errorf("%v, want %q", err, c.want)
				}
				if err == nil {
					p.expect(t, all[c.at-1])
				} else if again := p.Step(); again == nil || again.Error() != c.want || p.Frame() != nil || p.Area() != nil {
					t.Errorf("step after the error: %v", again)
				}
				p.seek(t, all[c.then-1].at, all[c.then-1])
			})
		})
	}
}

func TestPlaybackFailsIfWorldFileOrReplayedStateDiffersFromTape(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		o := options(newDisk())
		r := start(t, o, 1)
		all := r.playFor(50)
		r.stop(t, true)
		other := o
		other.World = field()
		other.World.Templates[0].Radius++
		want := "tape: 000-west_field/0000000001.tape was written with another world file or other rules; use the world file and the rules with which the server ran"
		if err := openPlayback(t, other).Seek(all[10].at); err == nil || err.Error() != want {
			t.Errorf("other world: %v", err)
		}
		o.World.Rules.Claim.MinAllowance += 50 // a rule that is not part of the digest
		p := openPlayback(t, o)
		var err error
		for err == nil {
			err = p.Step()
		}
		if want := "resulted in another state than the recorded one; use the program that recorded the tape"; !strings.HasSuffix(err.Error(), want) {
			t.Errorf("other state: %v", err)
		}
		if _, err := OpenPlayback(o, 1); err == nil || err.Error() != "tape: the world has no area 1" {
			t.Errorf("other area: %v", err)
		}
	})
}

func TestPlaybackContinuesWhenItsSegmentIsDeleted(t *testing.T) {
	for _, open := range []bool{true, false} {
		t.Run(fmt.Sprint("open=", open), func(t *testing.T) {
			synctest.Test(t, func(t *testing.T) {
				d := newDisk()
				o := options(d)
				o.SegmentTicks = 50
				r := start(t, o, 1)
				all := r.playFor(220)
				defer r.stop(t, true)
				p := openPlayback(t, o)
				p.seek(t, all[60].at, all[60])
				for _, name := range []string{"0000000001.tape", "0000000002.tape"} {
					if err := d.Remove(dir + name); err != nil {
						t.Fatal(err)
					}
				}
				next := 61
				if !open { // the seek to the deleted segment goes to the first tick that is left
					p.seek(t, all[60].at, all[100])
					next = 101
				}
				for ; next < 220; next++ { // an open file can be read to its end even after it was deleted
					if err := p.Step(); err != nil {
						t.Fatal(next, err)
					}
					p.expect(t, all[next])
				}
				p.spansAre(t, all[100:])
			})
		})
	}
}

// A playback reads while the areas' goroutine, the writer and the compression of the tape work in the same folder.
func TestPlaybackReadsWhileTapeIsWrittenByOtherGoroutines(t *testing.T) {
	o := options(nil)
	o.FS, o.Dir = nil, filepath.Join(t.TempDir(), "tape")
	r := start(t, o, 1)
	var mu sync.Mutex // protects r
	p := openPlayback(t, o)
	done := make(chan struct{})
	go func() {
		defer close(done)
		for range 1500 {
			mu.Lock()
			r.step(r.intents())
			mu.Unlock()
		}
	}()
	tick, random := sim.Tick(0), rand.New(rand.NewPCG(5, 5))
	for running := true; running || tick < 1500; {
		select {
		case <-done:
			running = false
		default:
		}
		if random.IntN(50) == 0 {
			spans, err := p.Spans()
			if err != nil || len(spans) > 1 {
				t.Fatal(spans, err)
			}
			if len(spans) == 1 {
				length := spans[0].To.Sub(spans[0].From)
				if err := p.Seek(spans[0].From.Add(time.Duration(random.Float64() * float64(length)))); err != nil {
					t.Fatal(err)
				}
				tick = p.Tick()
			}
		}
		switch err := p.Step(); {
		case errors.Is(err, io.EOF):
			continue
		case err != nil:
			t.Fatal(err)
		}
		tick = p.Tick()
		mu.Lock()
		want := r.states[tick]
		mu.Unlock()
		if got := stateOf(p.Area()); got != want {
			t.Fatalf("tick %d has state %x, want %x", tick, got, want)
		}
	}
	r.stop(t, true)
}

// If files of a tape are changed at random, a playback gives only ticks that were recorded, or an error.
func TestPlaybackOfChangedFilesGivesRecordedTicksOrError(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		d := newDisk()
		o := options(d)
		o.SegmentTicks = 40
		r := start(t, o, 1)
		all := r.playFor(150)
		r.stop(t, false) // the last segment stays raw
		var names []string
		for name := range d.names {
			names = append(names, name)
		}
		slices.Sort(names)
		if n := len(names); n != 5 || !strings.HasSuffix(names[n-1], suffixRaw) || !strings.HasSuffix(names[0], suffixTape) {
			t.Fatal(names)
		}
		random := rand.New(rand.NewPCG(3, 4))
		failed, stepped := 0, 0
		for n := range 100 {
			name := names[random.IntN(len(names))]
			file := d.names[name]
			whole := d.files[file]
			b := bytes.Clone(whole)
			if at := random.IntN(len(b)); n%4 == 0 {
				b = b[:at]
			} else {
				b[at] ^= byte(1 + random.IntN(255))
			}
			d.files[file] = b
			p, err := OpenPlayback(o, 0)
			if err == nil {
				_, err = p.Spans()
			}
			for i := 0; i < 4 && err == nil; i++ {
				err = p.Seek(all[random.IntN(len(all))].at)
				for j := 0; j < 50 && err == nil; j++ {
					p.expect(t, all[p.Tick()-1])
					stepped++
					if err = p.Step(); errors.Is(err, io.EOF) {
						break
					} else if _, ok := errors.AsType[*GapError](err); ok {
						err = p.Step()
					}
				}
				if errors.Is(err, io.EOF) {
					err = nil
				}
			}
			if err != nil {
				failed++
				if strings.Contains(err.Error(), "\n") {
					t.Errorf("%s: more than one line: %v", name, err)
				}
			}
			if p != nil {
				p.Close()
			}
			d.files[file] = whole
		}
		if failed == 0 || stepped < 2500 {
			t.Errorf("%d changes were noticed, %d ticks stepped", failed, stepped)
		}
	})
}

func FuzzPlayback(f *testing.F) {
	d := newDisk()
	o := options(d)
	tp, err := Open(o)
	if err != nil {
		f.Fatal(err)
	}
	p := &play{tape: tp, random: rand.New(rand.NewPCG(1, 1)), states: map[sim.Tick]uint64{}, area: sim.NewArea(o.World, 0, o.Seed)}
	p.log, _ = tp.OpenArea(0)
	p.snapshot()
	for range 50 {
		p.step(p.intents())
	}
	for tp.compressing() {
		time.Sleep(time.Millisecond)
	}
	if err := errors.Join(p.log.Close(true), tp.Close()); err != nil {
		f.Fatal(err)
	}
	for name, file := range d.names {
		f.Add(d.files[file], strings.HasSuffix(name, suffixRaw))
	}
	f.Fuzz(func(t *testing.T, b []byte, raw bool) {
		d := newDisk()
		suffix := suffixTape
		if raw {
			suffix = suffixRaw
		}
		for _, serial := range []uint64{1, 2, 3} {
			d.put(segmentName(serial, suffix), b)
		}
		p, err := OpenPlayback(options(d), 0)
		if err != nil {
			return
		}
		defer p.Close()
		spans, _ := p.Spans()
		for _, s := range spans {
			if p.Seek(s.To) == nil && (p.Frame() == nil || p.Area() == nil) {
				t.Fatal("a position without a frame")
			}
		}
		for range 20 {
			if p.Step() != nil {
				break
			}
		}
	})
}
