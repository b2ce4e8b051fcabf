package area

import (
	"io"
	"log/slog"
	"slices"
	"strconv"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/internal/leaktest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

func TestMain(m *testing.M) { leaktest.VerifyTestMain(m) }

// fake is an area with trivial rules. Players join and leave, and chat lines are commands that take effect immediately:
//
//	"go 1"   departs to area 1
//	"slow 7" the tick takes 7 ms
//	"break"  panics
//	"no"     is refused
type fake struct {
	def    *sim.World
	id     sim.AreaID
	now    sim.Tick
	inside []sim.EntityID
	took   [][]sim.Intent // intents of each tick
	every  time.Duration  // duration of each tick
	free   []*sim.Frame
	made   int // number of frames that were allocated
}

func (a *fake) Step(intents []sim.Intent) *sim.Frame {
	a.now++
	time.Sleep(a.every)
	a.took = append(a.took, slices.Clone(intents))
	f := a.frame()
	for i := range intents {
		a.do(f, &intents[i])
	}
	for _, id := range a.inside {
		f.Actors = append(f.Actors, sim.ActorState{ID: id, Flags: sim.FlagPlayer})
	}
	return f
}

func (a *fake) frame() *sim.Frame {
	if n := len(a.free); n > 0 {
		f := a.free[n-1]
		a.free = a.free[:n-1]
		*f = sim.Frame{Area: a.id, Tick: a.now, Actors: f.Actors[:0], Events: f.Events[:0]}
		return f
	}
	a.made++
	return &sim.Frame{Area: a.id, Tick: a.now}
}

func (a *fake) do(f *sim.Frame, in *sim.Intent) {
	emit := func(e sim.Event) { f.Events = append(f.Events, e) }
	at, here := slices.BinarySearch(a.inside, in.Who)
	switch {
	case in.Kind == sim.IntentJoin && !here:
		a.inside = slices.Insert(a.inside, at, in.Who)
		emit(sim.Event{Kind: sim.EventJoined, Who: in.Who})
	case in.Kind == sim.IntentLeave && here:
		a.inside = slices.Delete(a.inside, at, at+1)
		emit(sim.Event{Kind: sim.EventLeft, Who: in.Who, Record: &sim.Character{Name: "c"}})
	case in.Kind == sim.IntentChat && here:
		word, n, _ := strings.Cut(in.Text, " ")
		arg, _ := strconv.Atoi(n)
		switch word {
		case "go":
			a.inside = slices.Delete(a.inside, at, at+1)
			emit(sim.Event{Kind: sim.EventDeparted, Who: in.Who, To: sim.AreaID(arg), Join: &sim.Join{}})
		case "slow":
			time.Sleep(time.Duration(arg) * time.Millisecond)
		case "break":
			panic("deliberate panic")
		case "no":
			emit(sim.Event{Kind: sim.EventRefused, Who: in.Who, Reason: reason.NoPvP})
			emit(sim.Event{Kind: sim.EventHeld, Who: in.Who, Reason: reason.TooFast})
		}
	}
}

func (a *fake) Recycle(f *sim.Frame) {
	f.Area, f.Tick = -7, 0 // invalid values, which make the test fail if a reader still uses the frame
	a.free = append(a.free, f)
}

// CloneInto makes dst an area without actors, at the same tick as the fake area.
func (a *fake) CloneInto(dst *sim.Area) {
	empty := sim.NewArea(a.def, a.id, 0)
	for range a.now {
		empty.Recycle(empty.Step(nil))
	}
	empty.CloneInto(dst)
}

func (a *fake) Arrived(sim.AreaID) uint64 { return 0 }

// newFakes returns a world of n fake areas at 20 ticks/s, not started.
func newFakes(n int, o Options) (*World, []*fake) {
	def := &sim.World{Name: "test", TicksPerSecond: 20}
	for i := range n {
		def.Areas = append(def.Areas, sim.AreaDef{Name: "area " + strconv.Itoa(i)})
	}
	if o.Log == nil {
		o.Log = slog.New(slog.NewTextHandler(io.Discard, nil))
	}
	fakes := make([]*fake, n)
	w := newWorld(def, o, nil, func(id sim.AreaID) stepper {
		fakes[id] = &fake{def: def, id: id}
		return fakes[id]
	})
	return w, fakes
}

// running runs test in a synctest bubble with a started world, and stops the world afterwards. test begins 40 ms into a tick
// period of 50 ms, after the ticks of all areas in that period.
func running(t *testing.T, areas int, o Options, test func(t *testing.T, w *World, fakes []*fake)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		w, fakes := newFakes(areas, o)
		w.Start(t.Context())
		time.Sleep(40 * time.Millisecond)
		test(t, w, fakes)
		_ = w.Stop(t.Context())
	})
}

// ticks waits for n ticks of every area.
func ticks(n int) {
	time.Sleep(time.Duration(n) * 50 * time.Millisecond)
	synctest.Wait()
}

func join(who sim.EntityID) sim.Intent {
	return sim.Intent{Kind: sim.IntentJoin, Who: who, Join: &sim.Join{}}
}

func say(who sim.EntityID, text string) sim.Intent {
	return sim.Intent{Kind: sim.IntentChat, Who: who, Text: text}
}

func submit(t *testing.T, w *World, a sim.AreaID, list ...sim.Intent) {
	t.Helper()
	for _, in := range list {
		if err := w.Submit(a, in); err != nil {
			t.Fatalf("submit %+v to %d: %v", in, a, err)
		}
	}
}

// collect reads a feed to its end and releases every frame. It returns "area kind actor" of every event.
func collect(f *Feed) (events []string) {
	for p := range f.C() {
		for _, e := range p.Frame.Events {
			name := map[sim.EventKind]string{
				sim.EventJoined: "joined", sim.EventLeft: "left", sim.EventDeparted: "departed",
			}[e.Kind]
			events = append(events, strconv.Itoa(int(p.Frame.Area))+" "+name+" "+strconv.Itoa(int(e.Who)))
		}
		p.Release()
	}
	return events
}
