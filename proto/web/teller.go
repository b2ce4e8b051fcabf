package web

import (
	"errors"
	"math/bits"
	"slices"
)

// ErrUnsent says that a client has acknowledged a snapshot that was not sent.
var ErrUnsent = errors.New("the client acknowledges a snapshot that was not sent")

// stillTicks is the number of snapshots without a change after which an actor is told exactly.
const stillTicks = 20

// Teller is the server's mirror of what one client knows: it chooses which actors a snapshot tells and codes them against states that the
// client has. For each frame, call Want for each actor in view and then Append. It is not safe for concurrent use. In steady use it does not
// allocate.
type Teller struct {
	layout  layout
	ordered bool
	run     uint8
	seq     int64 // number of the last snapshot of the run; 0: none. Numbers start at 1
	acked   int64 // newest snapshot that the client has taken; 0: none
	missing int64 // newest snapshot up to acked that the client has not taken; 0: none
	refresh uint8
	actors  []told                   // by handle
	wanted  []uint16                 // handles wanted in this frame
	chosen  []uint16                 // handles told in this snapshot, ascending
	sent    [maxUnconfirmed][]uint16 // by snapshot: the handles that it told
	ctx     contexts
	enc     encoder

	took, lost       float64 // recent snapshots that were taken and lost, decaying
	allSent, allLost uint64
	allConfirmed     uint64
}

// told is what the server knows of one actor on the client.
type told struct {
	kind      uint8
	present   bool
	confirmed bool
	wanted    bool
	entered   state   // of the Enter
	base      state   // newest state that the client is known to have
	known     int64   // number of the snapshot with base; 0: the Enter
	blind     int64   // newest snapshot whose state of the actor the client has taken and could not decode; 0: none
	flight    []int32 // records of states that are not confirmed, oldest first: number, how, number of the base of the snapshot, state
	want      []int32
	tolerance int32
	weight    int32
	prio      int64
	still     int32 // frames since want changed
}

// Offsets in a record of told.flight.
const (
	flightSeq = iota
	flightHow
	flightBase
	flightState
)

// Values of flightHow.
const (
	againstBase = iota
	againstLast
)

// NewTeller returns a Teller for a client that knows no actor. ordered: snapshots are neither lost nor reordered, and not acknowledged.
func NewTeller(s *Schema, ordered bool) *Teller {
	t := &Teller{layout: newLayout(s), ordered: ordered, refresh: 1}
	if ordered {
		t.refresh = 0
	}
	return t
}

// Run returns the current run, 0..7.
func (t *Teller) Run() uint8 { return t.run }

// Seq returns the number of the last snapshot.
func (t *Teller) Seq() uint16 { return uint16(t.seq) }

// Sent returns the number of snapshots that were made, over all runs of numbers.
func (t *Teller) Sent() uint64 { return t.allSent }

// Confirmed returns which of them, counted as Sent does, is the newest that the client is known to have taken. Once it reaches a value that Sent
// had, the client drops every snapshot from before.
func (t *Teller) Confirmed() uint64 { return t.allConfirmed }

// Counts returns how many snapshots were sent, and how many of them are known to be lost.
func (t *Teller) Counts() (sent, lost uint64) { return t.allSent, t.allLost }

// Enter introduces an actor that the client is sent an Enter message about, with its state there. It is told only after Confirm.
func (t *Teller) Enter(handle uint16, kind uint8, values []int32) {
	for int(handle) >= len(t.actors) {
		t.actors = append(t.actors, told{})
	}
	a, n := &t.actors[handle], t.layout.stateLen()
	if cap(a.entered) < n {
		mem := make([]int32, 2*n+t.layout.fields) // adjacent, because a snapshot reads want and base of every actor in sight
		a.want, a.base, a.entered = mem[:t.layout.fields:t.layout.fields], mem[t.layout.fields:][:n:n], mem[t.layout.fields+n:]
	}
	*a = told{kind: kind, present: true, entered: a.entered, base: a.base, flight: a.flight[:0], want: a.want}
	clear(a.entered)
	a.entered[0] = noTick
	copy(a.entered.values(t.layout.fields), values)
	copy(a.base, a.entered)
}

// Confirm records that the client has received the Enter of a handle.
func (t *Teller) Confirm(handle uint16) {
	if int(handle) < len(t.actors) {
		t.actors[handle].confirmed = true
	}
}

// Leave forgets an actor that the client is sent a Leave message about.
func (t *Teller) Leave(handle uint16) {
	if int(handle) < len(t.actors) {
		t.actors[handle].present = false
	}
}

// Reset begins a new run and forgets all actors, because the client forgets them with its area.
func (t *Teller) Reset() {
	t.newRun()
	for i := range t.actors {
		t.actors[i].present = false
	}
	t.wanted = t.wanted[:0]
}

// newRun begins a new run: no state but those of the Enter messages counts as known.
func (t *Teller) newRun() {
	t.allLost += uint64(t.seq - t.acked)
	t.run = (t.run + 1) % runs
	t.seq, t.acked, t.missing = 0, 0, 0
	for i := range t.sent {
		t.sent[i] = t.sent[i][:0]
	}
	for i := range t.actors {
		a := &t.actors[i]
		a.flight, a.known, a.blind = a.flight[:0], 0, 0
		copy(a.base, a.entered)
	}
}

// Want asks to tell an actor with these values in the next snapshot, unless what the client has is within tolerance: the largest error of
// coordinates and angles. Actors with a higher sum of weights since they were told last are told first. values are copied.
func (t *Teller) Want(handle uint16, values []int32, tolerance, weight int32) {
	if int(handle) >= len(t.actors) {
		return
	}
	a := &t.actors[handle]
	if !a.present || !a.confirmed || a.wanted {
		return
	}
	if slices.Equal(a.want[:len(values)], values) {
		a.still = min(a.still+1, stillTicks)
	} else {
		a.still = 0
		copy(a.want, values)
	}
	if a.still >= stillTicks {
		tolerance = 0
	}
	a.tolerance, a.weight, a.wanted = tolerance, weight, true
	t.wanted = append(t.wanted, handle)
}

// Append appends the next snapshot. h.Tick, h.Input, h.Waits and h.Flags are the caller's; the other fields are set. The snapshot is at most
// budget bytes long, at least 32.
func (t *Teller) Append(dst []byte, h Header, budget int) []byte {
	if t.seq-t.acked >= maxUnconfirmed && !t.ordered {
		t.newRun()
	}
	t.seq++
	t.allSent++
	h.Run, h.Refresh, h.Seq, h.Back = t.run, t.refresh, uint16(t.seq), 0
	switch {
	case t.ordered:
		h.Back = 1
	case t.acked > 0:
		h.Back = uint8(t.seq - t.acked)
	}
	t.choose(h.Tick, budget-headerLength)
	from := len(dst)
	for {
		dst = t.encode(h.append(dst[:from]), &h)
		if len(dst)-from <= budget || len(t.chosen) == 0 {
			break
		}
		t.chosen = t.chosen[:len(t.chosen)*3/4] // the estimate was too low
	}
	slot := &t.sent[t.seq%maxUnconfirmed]
	*slot = append((*slot)[:0], t.chosen...)
	for _, handle := range t.chosen {
		t.record(handle, &h)
	}
	for _, handle := range t.wanted {
		t.actors[handle].wanted = false
	}
	t.wanted = t.wanted[:0]
	return dst
}

// choose selects the actors of a snapshot at a tick that are expected to fit into a number of bytes.
func (t *Teller) choose(tick uint32, budget int) {
	t.chosen = t.chosen[:0]
	cost := 0
	for _, handle := range t.wanted {
		a := &t.actors[handle]
		if t.holds(a, tick) {
			a.prio = 0
			continue
		}
		a.prio += int64(max(a.weight, 1))
		t.chosen = append(t.chosen, handle)
		cost += t.cost(a, tick)
	}
	if limit := budget * 8; cost > limit {
		slices.SortStableFunc(t.chosen, func(x, y uint16) int { return int(t.actors[y].prio - t.actors[x].prio) })
		n := 0
		for cost = 0; n < len(t.chosen) && cost <= limit; n++ {
			cost += t.cost(&t.actors[t.chosen[n]], tick)
		}
		t.chosen = t.chosen[:max(n-1, 1)]
	}
	slices.Sort(t.chosen)
}

// holds reports whether every state that the client may have predicts the wanted values within the tolerance.
func (t *Teller) holds(a *told, tick uint32) bool {
	if !t.within(a, a.base, tick) {
		return false
	}
	n := flightState + t.layout.stateLen()
	for at := 0; at < len(a.flight); at += n {
		if !t.within(a, state(a.flight[at+flightState:at+n]), tick) {
			return false
		}
	}
	return true
}

func (t *Teller) within(a *told, s state, tick uint32) bool {
	k, age := &t.layout.kinds[a.kind], s.age(tick)
	for i := range k.fields {
		f := &k.fields[i]
		d := f.difference(a.want[i], t.layout.predicted(f, s, i, age))
		if d == 0 {
			continue
		}
		if !f.derived && f.wrap == 0 || d > a.tolerance || d < -a.tolerance {
			return false
		}
	}
	return true
}

// cost estimates the bits of an actor, from above.
func (t *Teller) cost(a *told, tick uint32) int {
	k, age := &t.layout.kinds[a.kind], a.base.age(tick)
	n := 8
	for i := range k.fields {
		f := &k.fields[i]
		d := f.difference(a.want[i], t.layout.predicted(f, a.base, i, age))
		n += 1 + 2*bits.Len32(uint32(max(d, -d)))
	}
	return n
}

// encode appends the body of a snapshot.
func (t *Teller) encode(dst []byte, h *Header) []byte {
	from := len(dst)
	t.ctx.reset(&t.layout, classOf(h.Back))
	t.enc.begin(dst)
	last, after := -1, 0
	for _, handle := range t.chosen {
		t.enc.bit(&t.ctx.more[after], 1)
		t.ctx.gap.encode(&t.enc, int32(int(handle)-last-1))
		last, after = int(handle), 1
		a := &t.actors[handle]
		base, how := t.against(a, handle, h)
		k, age := &t.layout.kinds[a.kind], base.age(h.Tick)
		for i := range k.fields {
			f := &k.fields[i]
			t.ctx.fields[how][f.context].encode(&t.enc, f.difference(a.want[i], t.layout.predicted(f, base, i, age)))
		}
	}
	t.enc.bit(&t.ctx.more[after], 0)
	return t.enc.finish(from)
}

// against returns the state against which an actor is coded: its base, or the last state that was told.
func (t *Teller) against(a *told, handle uint16, h *Header) (base state, how int) {
	if !usesLast(h, handle) {
		return a.base, againstBase
	}
	if n := flightState + t.layout.stateLen(); len(a.flight) > 0 {
		return state(a.flight[len(a.flight)-n+flightState:]), againstLast
	}
	return a.base, againstLast
}

// usesLast reports whether a snapshot codes an actor against the last state that was told.
func usesLast(h *Header, handle uint16) bool {
	return h.Refresh > 1 && (uint32(h.Seq)+uint32(handle))%uint32(h.Refresh) != 0
}

// record records that a snapshot has told an actor.
func (t *Teller) record(handle uint16, h *Header) {
	a := &t.actors[handle]
	a.prio = 0
	base, how := t.against(a, handle, h)
	k := &t.layout.kinds[a.kind]
	if t.ordered {
		t.layout.next(a.base, base, k, a.want, h.Tick)
		return
	}
	at, n := len(a.flight), flightState+t.layout.stateLen()
	if len(a.flight)+n > cap(a.flight) {
		a.flight = slices.Grow(a.flight, 4*n)
		base, how = t.against(a, handle, h) // the states have moved
	}
	a.flight = a.flight[:at+n]
	r := a.flight[at:]
	r[flightSeq], r[flightHow], r[flightBase] = int32(t.seq), int32(how), int32(t.acked)
	t.layout.next(state(r[flightState:]), base, k, a.want, h.Tick)
}

// Ack records what a client has taken. Confirmations of earlier runs are ignored. The error is ErrUnsent.
func (t *Teller) Ack(r Received) error {
	if t.ordered {
		return nil
	}
	if r.Run != t.run {
		if ahead := (r.Run - t.run) % runs; ahead < runs/2 { // a run that has not begun
			return ErrUnsent
		}
		return nil
	}
	newest := t.seq - int64(uint16(t.seq)-r.Seq)
	switch {
	case int16(uint16(t.seq)-r.Seq) < 0:
		return ErrUnsent
	case newest <= t.acked || newest < 1:
		return nil
	}
	for s := t.acked + 1; s <= newest; s++ {
		taken := s == newest || newest-1-s < 64 && r.Mask>>(newest-1-s)&1 == 1
		t.countLoss(taken)
		t.settle(s, taken)
		if !taken {
			t.missing = s
		}
	}
	t.acked = newest
	t.allConfirmed = t.allSent - uint64(t.seq-newest)
	t.refresh = 4
	if t.lost > 0.01*(t.took+t.lost) {
		t.refresh = 1
	}
	return nil
}

// settle moves the states that snapshot s told to the bases of their actors, if the client has taken and understood them.
func (t *Teller) settle(s int64, taken bool) {
	n := flightState + t.layout.stateLen()
	for _, handle := range t.sent[s%maxUnconfirmed] {
		a := &t.actors[handle]
		if !a.present || len(a.flight) < n || int64(a.flight[flightSeq]) != s { // the handle has another actor now
			continue
		}
		switch unknown := max(t.missing, a.blind); {
		case !taken:
		case a.flight[flightHow] == againstLast && unknown > int64(a.flight[flightBase]) && unknown > a.known:
			a.blind = s // the client lacks the state against which this one was coded
		default:
			copy(a.base, a.flight[flightState:n])
			a.known = s
		}
		a.flight = append(a.flight[:0], a.flight[n:]...)
	}
}

// lossDecay is the weight that counts of taken and lost snapshots keep from one snapshot to the next: about the last 200.
const lossDecay = 0.995

func (t *Teller) countLoss(taken bool) {
	t.took, t.lost = float64(t.took*lossDecay), float64(t.lost*lossDecay)
	if taken {
		t.took++
	} else {
		t.lost++
		t.allLost++
	}
}
