package web

import (
	"errors"
	"fmt"
	"math"
	"math/rand/v2"
	"slices"
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/proto/wire"
)

// The decoder returns every encoded number, whatever numbers surround it, although zeros at the end of the output are omitted.
func TestRangeCoderRoundTripsNumbersAndBits(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		values := rapid.SliceOf(rapid.OneOf(rapid.Int32(), rapid.Int32Range(-3, 3))).Draw(t, "values")
		c := prior.half
		var e encoder
		e.begin(nil)
		for _, v := range values {
			c.encode(&e, v)
			e.direct(uint32(v)&7, 3)
		}
		b := e.finish(0)
		var d decoder
		c = prior.half
		d.begin(b)
		for i, v := range values {
			if got := c.decode(&d); got != v {
				t.Fatalf("number %d: %d, want %d", i, got, v)
			}
			if got := d.direct(3); got != uint32(v)&7 {
				t.Fatalf("bits after number %d: %d, want %d", i, got, uint32(v)&7)
			}
		}
	})
}

// line is one direction of a simulated connection with loss, delay, reordering and duplicates. Its clock counts ticks.
type line struct {
	rng       *rand.Rand
	loss      float64
	duplicate float64
	delay     int // ticks
	jitter    int // ticks
	closed    bool
	now       int
	packets   []packet
}

type packet struct {
	at int
	b  []byte
}

func (l *line) send(b []byte) {
	for n := 1; n > 0; n-- {
		if l.rng.Float64() < l.duplicate {
			n++
		}
		if l.closed || l.rng.Float64() < l.loss {
			continue
		}
		l.packets = append(l.packets, packet{l.now + 1 + l.delay + l.rng.IntN(l.jitter+1), slices.Clone(b)})
	}
}

func (l *line) receive(each func(b []byte)) {
	l.now++
	due := slices.DeleteFunc(slices.Clone(l.packets), func(p packet) bool { return p.at > l.now })
	l.packets = slices.DeleteFunc(l.packets, func(p packet) bool { return p.at <= l.now })
	slices.SortStableFunc(due, func(a, b packet) int { return a.at - b.at })
	for _, p := range due {
		each(p.b)
	}
}

// mover is an actor that moves in a simulation.
type mover struct {
	handle uint16
	kind   uint8
	shown  bool
	values []int32
	speed  [3]float64
	pos    [3]float64
	weight int32
	last   []int32 // values in the previous tick
	since  uint32  // tick of the last change of the values; for a new actor the first tick whose snapshot may contain it
}

// tolerance returns the largest error that the client's state of an actor may have after the snapshot at a tick. It depends on the distance
// of the actor, and is 0 if the actor has stood for a second. The parameter rate is the number of ticks per second.
func (m *mover) tolerance(tick uint32, rate int) int32 {
	if tick-m.since >= uint32(rate) {
		return 0
	}
	return int32(m.handle % 3)
}

func (m *mover) step(rng *rand.Rand) {
	switch {
	case rng.IntN(40) == 0:
		m.speed = [3]float64{}
	case rng.IntN(30) == 0:
		m.speed = [3]float64{rng.Float64()*30 - 15, 0, rng.Float64()*30 - 15}
		m.values[FieldYaw] = int32(rng.IntN(256))
	case rng.IntN(200) == 0:
		m.pos[0] += 1e6 * rng.Float64()
		m.values[FieldFlags] ^= 1 << 6
	}
	if rng.IntN(50) == 0 {
		m.values[FieldHealth] = int32(rng.IntN(256))
	}
	for i := range m.pos {
		m.pos[i] += m.speed[i]
		m.values[i] = int32(m.pos[i])
	}
}

// simulation runs a Teller and a Reader with a line in each direction. Control messages are delivered in order, after a delay.
type simulation struct {
	rng        *rand.Rand
	schema     Schema
	teller     *Teller
	reader     *Reader
	down, up   line
	actors     []*mover
	tick       uint32
	rate       int // ticks per second
	budget     int
	control    []controlStep          // control messages on the way to the client
	heard      []controlStep          // confirmations of control messages on the way to the server
	truth      map[[2]int64][][]int32 // by run number and seq, then by handle: values in the snapshot; nil for an actor that is not in the snapshot
	runs       int64                  // number of runs so far
	lastRun    uint8
	applied    map[uint16][]int32 // by handle: values that the client shows
	visited    int
	bytes      int
	onSnapshot func(b []byte, ok bool, told int, states uint32) // called for each snapshot that arrives; may be nil
	onDecoded  func(handle uint16)                              // called for each state that the client decodes; may be nil
	told       int
	leftOut    map[[2]int64][]leftOut // by run number and seq: actors that the snapshot left out
	compared   int                    // number of actors that were left out and whose predictions at the client were compared
	standing   int                    // number of the compared actors whose tolerance was 0 because they had stood for a second
	fewest     int                    // number of actors in the smallest snapshot that had no room for all actors; 0: none so far
	waits      []int                  // by handle: number of successive snapshots for which the actor was due and that had no room for it
}

// leftOut is an actor that a snapshot leaves out, because the client predicts it within the tolerance.
type leftOut struct {
	handle    uint16
	want      []int32
	tolerance int32
}

type controlStep struct {
	at int
	do func()
}

func newSimulation(seed uint64, ordered bool, actors int) *simulation {
	s := &simulation{rng: rand.New(rand.NewPCG(seed, 7)), schema: BuiltinSchema(), budget: MaxDatagram, truth: map[[2]int64][][]int32{}, leftOut: map[[2]int64][]leftOut{}, applied: map[uint16][]int32{}, tick: 65500, rate: 20}
	s.teller, s.reader = NewTeller(&s.schema, ordered, s.rate), NewReader(&s.schema)
	s.down.rng, s.up.rng = s.rng, s.rng
	s.waits = make([]int, actors)
	for i := range actors {
		s.actors = append(s.actors, &mover{handle: uint16(i), kind: uint8(i % 2), values: make([]int32, BuiltinFields), pos: [3]float64{float64(i * 100), 64 * 64, 5}, weight: 1})
	}
	return s
}

// show sends the client an Enter message for an actor. The message arrives after the delay of the connection, and the client's
// confirmation arrives after another delay.
func (s *simulation) show(m *mover, ordered bool) {
	m.shown = true
	values := slices.Clone(m.values)
	s.teller.Enter(m.handle, m.kind, values)
	enter := func() {
		if err := s.reader.Enter(m.handle, m.kind, values); err != nil {
			panic(err)
		}
		s.applied[m.handle] = slices.Clone(values)
	}
	if ordered {
		enter()
		s.teller.Confirm(m.handle)
		m.since = s.tick + 1
		return
	}
	now := int(s.tick)
	s.control = append(s.control, controlStep{now + s.down.delay, enter})
	s.heard = append(s.heard, controlStep{now + s.down.delay + s.up.delay, func() {
		s.teller.Confirm(m.handle)
		m.since = s.tick
	}})
}

func run(steps *[]controlStep, now int) {
	for len(*steps) > 0 && (*steps)[0].at <= now {
		(*steps)[0].do()
		*steps = (*steps)[1:]
	}
}

// step runs one tick and returns an error if an invariant is broken.
func (s *simulation) step(ordered bool) error {
	s.tick++
	run(&s.control, int(s.tick))
	run(&s.heard, int(s.tick))
	for _, m := range s.actors {
		m.step(s.rng)
		if !slices.Equal(m.last, m.values) {
			m.last, m.since = slices.Clone(m.values), s.tick
		}
		if !m.shown {
			continue
		}
		s.teller.Want(m.handle, m.values, int32(m.handle%3), m.weight)
	}
	b := s.teller.Append(nil, SnapshotHeader{Tick: s.tick}, s.budget)
	if len(b) > s.budget {
		return fmt.Errorf("a snapshot of %d bytes, the budget is %d", len(b), s.budget)
	}
	s.bytes += len(b)
	failed := s.remember()
	s.down.send(b)
	s.down.receive(func(b []byte) {
		if err := s.take(b); err != nil && failed == nil {
			failed = err
		}
	})
	s.up.receive(func(b []byte) {
		ack, err := ParseAck(b)
		if err == nil {
			err = s.teller.Ack(ack.ReceivedSnapshots)
		}
		if err != nil && failed == nil {
			failed = err
		}
	})
	return failed
}

// remember stores which states the last snapshot contains and which it leaves out. It returns an error if an invariant is broken.
func (s *simulation) remember() error {
	if s.teller.Run() != s.lastRun {
		s.lastRun = s.teller.Run()
		s.runs++
	}
	said := make([][]int32, len(s.actors))
	for _, h := range s.teller.chosen {
		said[h] = slices.Clone(s.teller.actors[h].want[:BuiltinFields])
		s.told++
	}
	key := [2]int64{s.runs, s.teller.seq}
	s.truth[key] = said
	shown, waiting, heaviest := 0, 0, int32(1)
	for _, m := range s.actors {
		if !m.shown || !s.teller.actors[m.handle].confirmed {
			continue
		}
		a := &s.teller.actors[m.handle]
		shown, heaviest = shown+1, max(heaviest, m.weight)
		if a.prio > 0 { // the actor was due, but the snapshot had no room
			waiting++
			s.waits[m.handle]++
			continue
		}
		s.waits[m.handle] = 0
		if said[m.handle] == nil {
			s.leftOut[key] = append(s.leftOut[key], leftOut{m.handle, slices.Clone(m.values), m.tolerance(s.tick, s.rate)})
		}
	}
	if n := len(s.teller.chosen); waiting > 0 && (s.fewest == 0 || n < s.fewest) {
		s.fewest = n
	}
	for _, m := range s.actors {
		if n := s.waits[m.handle]; n > 0 && n > longestWait(m.weight, heaviest, shown, s.fewest) {
			return fmt.Errorf("an actor of weight %d that is due waits for %d snapshots, %d are in view and each tells at least %d", m.weight, n, shown, s.fewest)
		}
	}
	if !s.teller.ordered && s.teller.seq-s.teller.acked > maxUnconfirmed {
		return fmt.Errorf("%d snapshots are unconfirmed", s.teller.seq-s.teller.acked)
	}
	return nil
}

// longestWait returns an upper bound of the number of successive snapshots that have no room for an actor that is due. The parameter
// weight is the weight of the actor, heaviest the highest weight of all actors, inView the number of actors in view, and each the minimum
// number of actors in one of these snapshots. All actors have one of two weights. An actor of the higher weight waits until each other
// actor was sent at most once; its priority is then at most heaviest * (once + 1). An actor of the lower weight exceeds that priority after
// heaviest/weight * (once + 1) snapshots. From then on only actors of its own weight are sent before it, each at most once.
func longestWait(weight, heaviest int32, inView, each int) int {
	once := (inView - 1) / each
	if weight == heaviest {
		return once
	}
	return int(heaviest/weight)*(once+1) + once
}

// checkLeftOut compares the true states of the actors that a snapshot has left out with what the client predicts for the snapshot's tick.
func (s *simulation) checkLeftOut(key [2]int64) error {
	var now [BuiltinFields]int32
	for _, l := range s.leftOut[key] {
		present, sure := s.reader.StateAtNewest(l.handle, now[:])
		if !present || !sure { // the client knows that its prediction of the actor may be wrong
			continue
		}
		s.compared++
		if l.tolerance == 0 && l.handle%3 > 0 {
			s.standing++
		}
		k := &s.reader.layout.kinds[s.reader.actors[l.handle].kind]
		for i := range k.fields {
			f := &k.fields[i]
			if d := f.difference(l.want[i], now[i]); !f.derived && f.wrap == 0 && d != 0 || d > l.tolerance || -d > l.tolerance {
				return fmt.Errorf("snapshot %v leaves out actor %d, whose field %d is predicted %d off; the tolerance is %d", key, l.handle, i, d, l.tolerance)
			}
		}
	}
	return nil
}

// take passes a snapshot to the client's Reader and compares the decoded states with the sent ones.
func (s *simulation) take(b []byte) error {
	var said [][]int32
	var failed error
	var key [2]int64
	h, _, _ := ParseSnapshotHeader(b)
	for back := int64(0); back <= 1 && said == nil; back++ {
		if uint8((s.runs-back)%runs) == h.Run {
			for seq := range int64(1 << 17) {
				if v, ok := s.truth[[2]int64{s.runs - back, seq<<16 | int64(h.Seq)}]; ok {
					said, key = v, [2]int64{s.runs - back, seq<<16 | int64(h.Seq)}
				} else if seq > 0 {
					break
				}
			}
		}
	}
	told, states := 0, uint32(0)
	_, ok, err := s.reader.Read(b, func(handle uint16, values []int32) {
		s.visited++
		if s.onDecoded != nil {
			s.onDecoded(handle)
		}
		told, states = told+1, digest(states, handle, values)
		if said == nil || !slices.Equal(said[handle], values) {
			failed = fmt.Errorf("snapshot %d of run %d tells actor %d as %v, was told as %v", h.Seq, h.Run, handle, values, said)
		}
		s.applied[handle] = slices.Clone(values)
	})
	if err != nil {
		return err
	}
	if s.onSnapshot != nil {
		s.onSnapshot(b, ok, told, states)
	}
	if ok {
		ack := Ack{s.reader.Received()}
		s.up.send(ack.Append(nil))
		if failed == nil {
			failed = s.checkLeftOut(key)
		}
	}
	return failed
}

// The following holds whatever the connection loses, delays or reorders. Every state that the client decodes equals the state that the
// server sent. If a snapshot leaves an actor out, the client's prediction is within the actor's tolerance, and exact if the actor has stood
// for a second. Waiting actors are sent in turn, by their weights. At most 64 snapshots are unacknowledged.
func TestDecodedStatesEqualSentStatesDespiteLossDelayAndReordering(t *testing.T) {
	compared, standing := 0, 0
	rapid.Check(t, func(t *rapid.T) {
		s := newSimulation(rapid.Uint64().Draw(t, "seed"), false, rapid.IntRange(1, 40).Draw(t, "actors"))
		for _, l := range [2]*line{&s.down, &s.up} {
			l.loss = rapid.SampledFrom([]float64{0, 0.02, 0.1, 0.4}).Draw(t, "loss")
			l.duplicate = rapid.SampledFrom([]float64{0, 0.2}).Draw(t, "duplicate")
			l.delay = rapid.IntRange(0, 8).Draw(t, "delay")
			l.jitter = rapid.SampledFrom([]int{0, 1, 8}).Draw(t, "jitter")
		}
		s.budget = rapid.SampledFrom([]int{MaxDatagram, 60, 200}).Draw(t, "budget")
		outage := rapid.SampledFrom([]int{0, 50, 100}).Draw(t, "outage")
		s.rate = rapid.SampledFrom([]int{5, 20, 60, 255}).Draw(t, "rate")
		s.teller.rate = s.rate
		weights := rapid.SampledFrom([][]int32{{1}, {4}, {1, 4}}).Draw(t, "weights")
		for _, m := range s.actors {
			m.weight = weights[s.rng.IntN(len(weights))]
		}
		anyRefresh := rapid.Bool().Draw(t, "any refresh")
		for i, m := range s.actors {
			if i%5 != 4 {
				s.show(m, false)
			}
		}
		for tick := range 400 {
			s.down.closed, s.up.closed = tick > 100 && tick < 100+outage, tick > 220 && tick < 220+outage
			if tick == 50 {
				for i, m := range s.actors {
					if i%5 == 4 {
						s.show(m, false)
					}
				}
			}
			if anyRefresh {
				s.teller.refresh = uint8(1 + s.rng.IntN(7))
			}
			if err := s.step(false); err != nil {
				t.Fatalf("tick %d: %v", tick, err)
			}
		}
		if s.visited == 0 {
			t.Fatal("nothing was told")
		}
		compared, standing = compared+s.compared, standing+s.standing
	})
	if compared == 0 || standing == 0 {
		t.Errorf("%d actors that were left out were compared, of which %d had stood for a second", compared, standing)
	}
}

// The states that a client decodes over an ordered connection equal the states that the server sent, although the client
// acknowledges nothing.
func TestSnapshotsOnOrderedConnectionAreDecodedWithoutAcknowledgements(t *testing.T) {
	rapid.Check(t, func(t *rapid.T) {
		s := newSimulation(rapid.Uint64().Draw(t, "seed"), true, 20)
		for _, m := range s.actors {
			s.show(m, true)
		}
		for tick := range 300 {
			if err := s.step(true); err != nil {
				t.Fatalf("tick %d: %v", tick, err)
			}
			for _, m := range s.actors {
				if err := s.within(m, m.tolerance(s.tick, s.rate)); err != nil {
					t.Fatalf("tick %d: %v", tick, err)
				}
			}
		}
	})
}

// within returns an error if the state that the client predicts for an actor differs from the actor's true state by more than the
// tolerance.
func (s *simulation) within(m *mover, tolerance int32) error {
	a := &s.reader.actors[m.handle]
	from, _, _ := s.reader.base(a, againstLast, s.reader.newest, true)
	if len(a.states) > 0 {
		from = state(a.states[len(a.states)-s.reader.layout.stateLen():])
	}
	k, age := &s.reader.layout.kinds[a.kind], from.age(s.tick)
	for i := range k.fields {
		f := &k.fields[i]
		d := f.difference(m.values[i], s.reader.layout.predicted(f, from, i, age))
		if !f.derived && f.wrap == 0 && d != 0 || d > tolerance || -d > tolerance {
			return fmt.Errorf("actor %d: %s is predicted %d off, the tolerance is %d", m.handle, s.schema.Kinds[a.kind].Fields[i].Name, d, tolerance)
		}
	}
	return nil
}

// On a connection without loss and delay, the client's prediction of each actor is within the tolerance after each snapshot, and exact
// for actors that stand still.
func TestStandingActorOmittedFromSnapshotsIsPredictedExactly(t *testing.T) {
	s := newSimulation(1, false, 30)
	for _, m := range s.actors {
		s.show(m, false)
	}
	for tick := range 2000 {
		if err := s.step(false); err != nil {
			t.Fatalf("tick %d: %v", tick, err)
		}
		if tick < 5 {
			continue
		}
		// The delay of the connection is one tick, so the client is compared with the state at the previous snapshot.
		for _, m := range s.actors {
			if s.tick-m.since >= uint32(s.rate) {
				if err := s.within(m, 0); err != nil {
					t.Fatalf("tick %d, standing: %v", tick, err)
				}
			}
		}
	}
}

// An actor whose state differs from the prediction by less than the tolerance is left out of snapshots until it has stood for a
// second. Then the client gets its exact state, at any tick rate, and also if only some ticks have a snapshot.
func TestExactStateOfStandingActorIsSentAfterOneSecondAtAnyTickRate(t *testing.T) {
	for _, rate := range []int{5, 20, 60, 255} {
		for _, every := range []int{1, 3} {
			schema := BuiltinSchema()
			teller, values := NewTeller(&schema, false, rate), make([]int32, BuiltinFields)
			teller.Enter(0, 0, values)
			teller.Confirm(0)
			values[FieldX] = 1
			first, tick := 0, 1000
			for ; first == 0 && tick < 1000+2*rate; tick += every {
				teller.Want(0, values, 4, 1)
				teller.Append(nil, SnapshotHeader{Tick: uint32(tick)}, MaxDatagram)
				if len(teller.chosen) > 0 {
					first = tick
				}
			}
			if want := 1000 + (rate+every-1)/every*every; first != want {
				t.Errorf("%d ticks a second, a snapshot each %d: the actor is sent in tick %d, want %d", rate, every, first, want)
			}
		}
	}
}

// With a small byte budget actors must wait, but each of the 60 actors that change is sent at least once in 60 snapshots.
func TestEveryChangedActorIsSentInTurnUnderSmallByteBudget(t *testing.T) {
	s := newSimulation(3, false, 60)
	s.budget = 64
	for _, m := range s.actors {
		s.show(m, false)
	}
	last := map[uint16]int{}
	longest := 0
	for tick := range 1000 {
		for _, m := range s.actors { // all actors move in each tick
			m.pos[0] += 50 + float64(m.handle)
			m.speed[0] = float64(tick % 17)
		}
		if err := s.step(false); err != nil {
			t.Fatalf("tick %d: %v", tick, err)
		}
		for _, h := range s.teller.chosen {
			if at, ok := last[h]; ok {
				longest = max(longest, tick-at)
			}
			last[h] = tick
		}
	}
	if len(last) != 60 || longest > 60 {
		t.Errorf("%d of 60 actors told, %d ticks between two tellings of one", len(last), longest)
	}
}

func TestAcknowledgementOfUnsentSnapshotIsRefused(t *testing.T) {
	s := BuiltinSchema()
	teller := NewTeller(&s, false, 20)
	teller.Append(nil, SnapshotHeader{}, MaxDatagram)
	if err := teller.Ack(ReceivedSnapshots{Run: 0, Seq: 2}); !errors.Is(err, ErrUnsent) {
		t.Errorf("%v, want ErrUnsent", err)
	}
	for _, r := range []ReceivedSnapshots{{Run: 7, Seq: 9}, {Run: 0, Seq: 1}, {Run: 0, Seq: 1}, {Run: 0, Seq: 0}} {
		if err := teller.Ack(r); err != nil {
			t.Errorf("%+v: %v", r, err)
		}
	}
}

// A slow client acknowledges a snapshot after up to seven further runs have begun. After the eighth, which has the same number, the
// connection must end.
func TestLateAcknowledgementOfEarlierRunIsIgnored(t *testing.T) {
	s := BuiltinSchema()
	teller := NewTeller(&s, false, 20)
	teller.Append(nil, SnapshotHeader{}, MaxDatagram)
	late := ReceivedSnapshots{Run: teller.Run(), Seq: 1}
	for range runs - 1 {
		teller.Reset()
		if err := teller.Ack(late); err != nil || teller.Confirmed() != 0 || teller.Unheard() {
			t.Fatalf("in run %d: %v, %d snapshots count as received, unheard %v", teller.Run(), err, teller.Confirmed(), teller.Unheard())
		}
	}
	teller.Reset()
	if !teller.Unheard() {
		t.Error("eight runs without an acknowledgement do not count as unheard")
	}
	if teller.Append(nil, SnapshotHeader{}, MaxDatagram); teller.Ack(late) != nil || teller.Unheard() {
		t.Error("after an acknowledgement of the current run, the client still counts as unheard")
	}
	ordered := NewTeller(&s, true, 20)
	for range runs {
		ordered.Reset()
	}
	if ordered.Unheard() {
		t.Error("a client that acknowledges no snapshots, because none can be lost, counts as unheard")
	}
}

// After 64 unacknowledged snapshots a new run begins, and the client decodes its snapshots.
func TestNewRunOfSnapshotsBeginsAfter64UnacknowledgedOnes(t *testing.T) {
	s := newSimulation(5, false, 5)
	for _, m := range s.actors {
		s.show(m, false)
	}
	for tick := range 300 {
		s.up.closed = tick > 20 && tick < 150
		if err := s.step(false); err != nil {
			t.Fatalf("tick %d: %v", tick, err)
		}
	}
	if s.runs == 0 {
		t.Error("no new run began")
	}
	if s.teller.seq-s.teller.acked > 3 {
		t.Errorf("%d snapshots are unconfirmed after the outage", s.teller.seq-s.teller.acked)
	}
}

// An Area message begins a new run: snapshots that were sent before the message are dropped.
func TestSnapshotsFromBeforeAreaChangeAreDropped(t *testing.T) {
	schema := BuiltinSchema()
	teller, reader := NewTeller(&schema, false, 20), NewReader(&schema)
	values := make([]int32, BuiltinFields)
	teller.Enter(0, 0, values)
	teller.Confirm(0)
	if err := reader.Enter(0, 0, values); err != nil {
		t.Fatal(err)
	}
	values[0] = 9
	teller.Want(0, values, 0, 1)
	old := teller.Append(nil, SnapshotHeader{Tick: 1}, MaxDatagram)
	teller.Reset()
	reader.Reset(teller.Run())
	if _, ok, err := reader.Read(old, func(uint16, []int32) { t.Error("an actor was told") }); ok || err != nil {
		t.Errorf("taken %v, %v, want dropped", ok, err)
	}
	if _, ok, err := reader.Read(teller.Append(nil, SnapshotHeader{Tick: 2}, MaxDatagram), nil); !ok || err != nil {
		t.Errorf("the first snapshot of the area: taken %v, %v", ok, err)
	}
}

func TestSnapshotOfActorWhoseEnterMessageWasNotReadIsRefused(t *testing.T) {
	schema := BuiltinSchema()
	teller, reader := NewTeller(&schema, false, 20), NewReader(&schema)
	values := []int32{1, 2, 3, 4, 5, 6}
	teller.Enter(3, 0, make([]int32, BuiltinFields))
	teller.Confirm(3)
	teller.Want(3, values, 0, 1)
	b := teller.Append(nil, SnapshotHeader{}, MaxDatagram)
	if _, _, err := reader.Read(b, nil); !errors.Is(err, wire.ErrRange) {
		t.Errorf("%v, want ErrRange", err)
	}
	if reader.Received().Seq != 0 {
		t.Error("the refused snapshot counts as taken")
	}
}

func FuzzSnapshot(f *testing.F) {
	schema := BuiltinSchema()
	teller := NewTeller(&schema, false, 20)
	for h := range uint16(4) {
		teller.Enter(h, uint8(h%2), make([]int32, BuiltinFields))
		teller.Confirm(h)
	}
	for i := range int32(3) {
		for h := range uint16(4) {
			teller.Want(h, []int32{i * 100, 64, int32(h), i, 255, 0}, 0, 1)
		}
		f.Add(teller.Append(nil, SnapshotHeader{Tick: uint32(i)}, MaxDatagram))
	}
	bodies := bodySchema()
	f.Fuzz(func(t *testing.T, b []byte) {
		turning := NewReader(&bodies)
		for h := range uint16(4) {
			if err := turning.Enter(h, 0, []int32{math.MaxInt32, math.MinInt32, 7, math.MinInt32, math.MaxInt32}); err != nil {
				t.Fatal(err)
			}
		}
		for range 3 { // each snapshot is newer than the previous one
			if _, _, err := turning.Read(b, func(uint16, []int32) {}); err == nil && len(b) > 4 {
				b = slices.Clone(b)
				b[1], b[4] = b[1]+1, b[4]+1
			}
		}
		reader := NewReader(&schema)
		for h := range uint16(4) {
			if err := reader.Enter(h, uint8(h%2), make([]int32, BuiltinFields)); err != nil {
				t.Fatal(err)
			}
		}
		for range 2 {
			_, ok, err := reader.Read(b, func(handle uint16, values []int32) {
				if handle > 3 || len(values) != BuiltinFields {
					t.Errorf("handle %d with %d values", handle, len(values))
				}
			})
			if ok && err != nil {
				t.Error("taken with an error")
			}
		}
	})
}

func FuzzTellerAck(f *testing.F) {
	f.Add(uint8(0), uint16(5), uint64(3))
	f.Fuzz(func(t *testing.T, run uint8, seq uint16, mask uint64) {
		schema := BuiltinSchema()
		teller := NewTeller(&schema, false, 20)
		teller.Enter(0, 0, make([]int32, BuiltinFields))
		teller.Confirm(0)
		for i := range int32(10) {
			teller.Want(0, []int32{i * i, 0, 0, 0, 0, 0}, 0, 1)
			teller.Append(nil, SnapshotHeader{Tick: uint32(i)}, MaxDatagram)
			_ = teller.Ack(ReceivedSnapshots{Run: run % runs, Seq: seq, Mask: mask})
		}
	})
}

// BenchmarkTeller measures the time per actor of choosing and encoding snapshots with 225 actors, most of which move.
func BenchmarkTeller(b *testing.B) {
	s := newSimulation(1, false, 225)
	for _, m := range s.actors {
		s.show(m, false)
	}
	for range 100 {
		if err := s.step(false); err != nil {
			b.Fatal(err)
		}
	}
	buf := make([]byte, 0, MaxDatagram)
	tick := s.tick
	b.ReportAllocs()
	b.ResetTimer()
	for range b.N {
		b.StopTimer()
		for _, m := range s.actors {
			m.step(s.rng)
		}
		b.StartTimer()
		tick++
		for _, m := range s.actors {
			s.teller.Want(m.handle, m.values, 1, 1)
		}
		buf = s.teller.Append(buf[:0], SnapshotHeader{Tick: tick}, MaxDatagram)
		if err := s.teller.Ack(ReceivedSnapshots{Run: s.teller.Run(), Seq: s.teller.Seq() - 2, Mask: ^uint64(0)}); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/225, "ns/actor")
}
