package web

import (
	"errors"
	"math/bits"
	"slices"
)

// ErrUnsent reports that a client acknowledges a snapshot that was not sent.
var ErrUnsent = errors.New("the client acknowledges a snapshot that was not sent")

// Teller encodes the snapshots for one client. It knows which states of each actor the client has, selects the actors of each
// snapshot, and codes them as differences to these states. For each frame, call Want for each actor in view, and then Append. A
// Teller must be used by one goroutine at a time. In steady use it does not allocate.
type Teller struct {
	layout    layout
	ordered   bool
	run       uint8
	unheard   int                      // number of runs that have begun since the last acknowledgement
	seq       int64                    // number of the last snapshot of the run; 0: none. Numbers start at 1
	acked     int64                    // newest snapshot that the client has acknowledged; 0: none
	missing   int64                    // newest snapshot, not newer than acked, that the client has not received; 0: none
	refresh   uint8                    // refresh of the next snapshot, if the last one had room for all actors; see nextRefresh
	crowded   bool                     // the last snapshot left actors out for want of room, see nextRefresh
	rate      int                      // ticks per second
	gap       uint32                   // ticks between the last two snapshots; more than 1 if no snapshot was made for some frames
	tick      uint32                   // tick of the last snapshot
	toldShare float64                  // share of the wanted actors that snapshots contain, averaged over about the last 16 snapshots
	actors    []told                   // actors by handle
	wanted    []uint16                 // handles wanted in this frame
	chosen    []uint16                 // handles of the actors in this snapshot, ascending
	sent      [maxUnconfirmed][]uint16 // by number of the snapshot, modulo maxUnconfirmed: handles of the actors in it
	spent     float64                  // bits that the bodies of recent snapshots took, see learnCost
	estimated float64                  // sum of told.cost over the actors in the snapshots of spent
	ctx       contexts
	enc       encoder
	expected  []int32 // values that the client predicts for the actor that is being encoded

	costs   *Costs // statistics set by Measure; nil: none
	meter   *meter // counts bits while the method measure runs; otherwise nil
	scratch []byte // memory for the method measure

	took, lost       float64 // numbers of recent snapshots that were received and that were lost, weighted by age (lossDecay)
	allSent, allLost uint64  // number of snapshots made and lost, over all runs
	allConfirmed     uint64  // result of the method Confirmed
}

// told holds what the Teller has sent to its client about one actor, and which of the sent states the client is known to have.
type told struct {
	kind      uint8
	present   bool
	confirmed bool
	wanted    bool
	entered   state   // state in the Enter message
	base      state   // newest state that the client is known to have
	before    state   // the state before base
	known     int64   // number of the snapshot that contained base; 0: the Enter message
	blind     int64   // newest received snapshot whose state of this actor the client could not decode; 0: none
	flight    []int32 // records of sent states that are not acknowledged, oldest first; see flightSeq and so on
	want      []int32 // values of the last call of Want
	tolerance int32   // largest allowed error in the snapshot that is being made; 0 if the actor stands
	weight    int32   // weight of the last call of Want
	prio      int64   // sum of the weights since the actor was last sent
	cost      int32   // result of the method cost for the snapshot that is being made
	changing  bool    // want has changed since the last snapshot
	changed   uint32  // tick of the first snapshot for which want had the present values
}

// Indices into a record of told.flight. A record describes one state of an actor that was sent; it is not known yet whether the
// client has received it.
const (
	flightSeq   = iota // number of the snapshot
	flightHow          // againstBase or againstLast
	flightBase         // number of the snapshot that was the newest acknowledged one at that time
	flightState        // first element of the state
)

// Values at index flightHow of a record in told.flight: from which earlier state the snapshot predicts the actor.
const (
	againstBase = iota // predicted from the newest state that the client is known to have
	againstLast        // predicted from the last state sent, acknowledged or not
)

// NewTeller returns a Teller, the encoder of the snapshots for one client. The client knows no actor yet. If the parameter ordered is
// true, snapshots are neither lost nor reordered on the connection, and the client does not acknowledge them. Frames are made at the
// given rate, at least 1.
func NewTeller(s *Schema, ordered bool, ticksPerSecond int) *Teller {
	t := &Teller{layout: newLayout(s), ordered: ordered, refresh: 1, rate: ticksPerSecond, gap: 1, toldShare: 1, spent: 1, estimated: 1}
	t.expected = make([]int32, t.layout.fields)
	if ordered {
		t.refresh = 0
	}
	return t
}

// Run returns the number of the current run, modulo 8. A run is a series of snapshots that are numbered from 1. A new run begins
// (1) with each area, and (2) after 64 snapshots without an acknowledgement.
func (t *Teller) Run() uint8 { return t.run }

// Unheard reports whether eight runs have begun since the last acknowledgement, if snapshots can be lost. The connection must then end:
// the numbers of runs repeat, so that a late acknowledgement, of a snapshot of the first of these runs, would count as one of the current
// run. At 20 ticks per second, a player that stays in its area is not heard for 25 s until then.
func (t *Teller) Unheard() bool { return t.unheard >= runs && !t.ordered }

// Seq returns the number of the last snapshot in the current run, modulo 65536. It is 0 if the run has none yet.
func (t *Teller) Seq() uint16 { return uint16(t.seq) }

// Sent returns the number of snapshots that were made, in all runs. A run is a series of snapshots with consecutive numbers, see Run.
func (t *Teller) Sent() uint64 { return t.allSent }

// Confirmed returns the number of the newest snapshot that the client has acknowledged, or 0. Like the result of Sent, this
// number counts the snapshots of all runs. The client ignores older snapshots that arrive later.
func (t *Teller) Confirmed() uint64 { return t.allConfirmed }

// SnapshotCounts returns how many snapshots were made, and how many of them were lost.
func (t *Teller) SnapshotCounts() (sent, lost uint64) { return t.allSent, t.allLost }

// Enter adds an actor. The caller also sends the client an Enter message with these values. Snapshots contain the actor only
// after a call of Confirm.
func (t *Teller) Enter(handle uint16, kind uint8, values []int32) {
	for int(handle) >= len(t.actors) {
		t.actors = append(t.actors, told{})
	}
	a, n := &t.actors[handle], t.layout.stateLen()
	if cap(a.entered) < n {
		mem := make([]int32, 3*n+t.layout.fields) // one block of memory, because a snapshot reads want and base of every actor in view
		a.want, a.base, a.before, a.entered = mem[:t.layout.fields:t.layout.fields], mem[t.layout.fields:][:n:n], mem[t.layout.fields+n:][:n:n], mem[t.layout.fields+2*n:]
	}
	*a = told{kind: kind, present: true, changing: true, entered: a.entered, base: a.base, before: a.before, flight: a.flight[:0], want: a.want}
	clear(a.entered)
	a.entered[0] = noTick
	copy(a.entered.values(t.layout.fields), values)
	copy(a.base, a.entered)
	copy(a.before, a.entered)
}

// Confirm records that the client has received the Enter message with a handle. From then on, snapshots may contain the actor.
func (t *Teller) Confirm(handle uint16) {
	if int(handle) < len(t.actors) {
		t.actors[handle].confirmed = true
	}
}

// Leave removes an actor. The caller also sends the client a Leave message.
func (t *Teller) Leave(handle uint16) {
	if int(handle) < len(t.actors) {
		t.actors[handle].present = false
	}
}

// Reset forgets all actors and begins a new run (see Run), so that the next snapshot refers to no earlier one. It must be called when
// the player changes areas, because the client then forgets all actors.
func (t *Teller) Reset() {
	t.newRun()
	for i := range t.actors {
		t.actors[i].present = false
	}
	t.wanted = t.wanted[:0]
}

// newRun begins a new run of snapshots. In its first snapshots, actors are coded as differences to the states in their Enter
// messages, because the client forgets the states of the previous run.
func (t *Teller) newRun() {
	t.allLost += uint64(t.seq - t.acked)
	t.run = (t.run + 1) % runs
	t.unheard++
	t.seq, t.acked, t.missing = 0, 0, 0
	for i := range t.sent {
		t.sent[i] = t.sent[i][:0]
	}
	for i := range t.actors {
		a := &t.actors[i]
		a.flight, a.known, a.blind = a.flight[:0], 0, 0
		copy(a.base, a.entered)
		copy(a.before, a.entered)
	}
}

// Want requests that the next snapshot contain an actor with these values, which are copied. The parameter tolerance is the largest
// allowed error of coordinates and angles, in their units. Append omits the actor if the client's own prediction is within the
// tolerance, whichever of the sent states the client has. For an actor whose values have not changed for a second, Append uses the
// tolerance 0, so that the client gets the exact state. The parameter weight matters only if the snapshot has no room for all actors:
// Append then selects the actors with the highest sum of weights since they were last sent.
func (t *Teller) Want(handle uint16, values []int32, tolerance, weight int32) {
	if int(handle) >= len(t.actors) {
		return
	}
	a := &t.actors[handle]
	if !a.present || !a.confirmed || a.wanted {
		return
	}
	if !slices.Equal(a.want[:len(values)], values) {
		a.changing = true
		copy(a.want, values)
	}
	a.tolerance, a.weight, a.wanted = tolerance, weight, true
	t.wanted = append(t.wanted, handle)
}

// Append appends the next snapshot to dst. It contains actors for which Want was called. The caller sets h.Tick, h.Input, h.Waits
// and h.Flags; Append sets the other fields. The parameter budget is the maximum length of the snapshot in bytes, at least 32.
func (t *Teller) Append(dst []byte, h SnapshotHeader, budget int) []byte {
	if t.seq-t.acked >= maxUnconfirmed && !t.ordered {
		t.newRun()
	}
	t.seq++
	t.allSent++
	h.Run, h.Refresh, h.Seq, h.Back = t.run, t.nextRefresh(), uint16(t.seq), 0
	switch {
	case t.ordered:
		h.Back = 1
	case t.acked > 0:
		h.Back = uint8(t.seq - t.acked)
	}
	t.gap, t.tick = h.Tick-t.tick, h.Tick
	due := t.choose(h.Tick, budget-headerLength)
	from := len(dst)
	for {
		dst = t.encode(h.append(dst[:from]), &h)
		if len(dst)-from <= budget || len(t.chosen) == 0 {
			break
		}
		t.drop(len(dst)-from, budget) // the estimate was too low
	}
	t.learnCost(len(dst) - from - headerLength)
	t.crowded = len(t.chosen) < due
	if n := len(t.wanted); n > 0 {
		t.toldShare += float64((float64(len(t.chosen))/float64(n) - t.toldShare) / 16)
	}
	if t.costs != nil {
		t.measure(&h, len(dst)-from)
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

// choose selects the actors of a snapshot at the given tick. From the wanted actors, it takes those that the client cannot
// predict well enough. If these probably need more than budget bytes, it takes those with the highest priority. The result due
// is the number of actors that it would take without a budget.
func (t *Teller) choose(tick uint32, budget int) (due int) {
	t.chosen = t.chosen[:0]
	cost := 0
	for _, handle := range t.wanted {
		a := &t.actors[handle]
		if a.changing {
			a.changing, a.changed = false, tick
		}
		if tick-a.changed >= uint32(t.rate) {
			a.tolerance = 0
		}
		if t.holds(a, tick) {
			a.prio = 0
			continue
		}
		a.prio += int64(max(a.weight, 1))
		t.chosen = append(t.chosen, handle)
		a.cost = t.cost(a, tick)
		cost += int(a.cost)
	}
	due = len(t.chosen)
	if limit := int(fillTarget * float64(budget*8) * t.estimated / t.spent); cost > limit {
		t.sortByPriority()
		n := 0
		for cost = 0; n < len(t.chosen) && cost <= limit; n++ {
			cost += int(t.actors[t.chosen[n]].cost)
		}
		t.chosen = t.chosen[:max(n-1, 1)]
	}
	slices.Sort(t.chosen)
	return due
}

// sortByPriority sorts the chosen actors by priority, highest first. The priority is the sum of an actor's weights since it was
// last sent.
func (t *Teller) sortByPriority() {
	slices.SortStableFunc(t.chosen, func(x, y uint16) int { return int(t.actors[y].prio - t.actors[x].prio) })
}

// drop removes the actors with the lowest priority from the chosen ones, after their snapshot has turned out to be longer than the
// budget. It removes at least one actor, and as many as are probably necessary.
func (t *Teller) drop(length, budget int) {
	t.sortByPriority()
	n := len(t.chosen)
	t.chosen = t.chosen[:min(int(fillTarget*float64(n*budget/length)), n-1)]
	slices.Sort(t.chosen)
}

// fillTarget is the share of the budget that the method choose fills. The rest is a reserve for snapshots that need more bytes than
// estimated: a snapshot that exceeds the budget must be encoded again, with fewer actors.
const fillTarget = 0.95

// costDecay is the factor by which learnCost multiplies its sums at each snapshot, so that old snapshots lose their weight. With this
// value the sums cover about the last 8 snapshots.
const costDecay = 7. / 8

// learnCost records the length of the body of the current snapshot, in bytes. The method cost says only which actors need more
// bits than others. Their actual number of bits depends on how well recent states predict them, and on the contexts of the coder.
func (t *Teller) learnCost(length int) {
	if len(t.chosen) == 0 {
		return
	}
	cost := 0
	for _, handle := range t.chosen {
		cost += int(t.actors[handle].cost)
	}
	t.spent = float64(t.spent*costDecay) + float64(8*(length+1)) // +1, because a body may have no byte
	t.estimated = float64(t.estimated*costDecay) + float64(cost)
}

// holds reports whether a snapshot can omit an actor, because the client's prediction is within the tolerance of the wanted values. The
// client may have any of several sent states; the predictions from all of them must be within the tolerance.
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

// cost returns a number that says how many bits an actor takes in a snapshot, compared to other actors. The result is usually two to
// three times the number of bits; the method learnCost measures this factor.
func (t *Teller) cost(a *told, tick uint32) int32 {
	k, age := &t.layout.kinds[a.kind], a.base.age(tick)
	n := int32(8)
	for i := range k.fields {
		f := &k.fields[i]
		d := f.difference(a.want[i], t.layout.predicted(f, a.base, i, age))
		n += 1 + 2*int32(bits.Len32(uint32(max(d, -d))))
	}
	return n
}

// encode appends the body of a snapshot, which contains the chosen actors, to dst.
func (t *Teller) encode(dst []byte, h *SnapshotHeader) []byte {
	from := len(dst)
	t.ctx.reset(&t.layout, classOf(h.Back))
	t.enc.begin(dst)
	t.meter.begin(&t.enc)
	last, after := -1, 0
	for _, handle := range t.chosen {
		t.enc.bit(&t.ctx.more[after], 1)
		t.ctx.gap.encode(&t.enc, int32(int(handle)-last-1))
		t.meter.list(&t.enc)
		last, after = int(handle), 1
		a := &t.actors[handle]
		how, k := t.expect(a, handle, h), &t.layout.kinds[a.kind]
		for i := range k.fields {
			f := &k.fields[i]
			t.ctx.fields[how][f.context].encode(&t.enc, f.difference(a.want[i], t.expected[i]))
			t.meter.field(&t.enc, i)
		}
	}
	t.enc.bit(&t.ctx.more[after], 0)
	t.meter.list(&t.enc)
	return t.enc.finish(from)
}

// expect fills t.expected with the values that a snapshot predicts for an actor. The result says from which earlier state they
// are predicted: againstBase or againstLast.
func (t *Teller) expect(a *told, handle uint16, h *SnapshotHeader) (how int) {
	base, how := t.predictionBase(a, handle, h)
	before := a.before
	if how == againstLast {
		before = nil // the client may not have received what was sent before the last state
	}
	k, age := &t.layout.kinds[a.kind], base.age(h.Tick)
	t.layout.expect(t.expected, k, base, before, age)
	if base.turns(t.layout.fields) {
		t.layout.turn(t.expected, k, base, age, a.want)
	}
	return how
}

// predictionBase returns the earlier state from which a snapshot predicts an actor. If how is againstBase, this is the newest state that
// the client is known to have. If how is againstLast, it is the last state that was sent.
func (t *Teller) predictionBase(a *told, handle uint16, h *SnapshotHeader) (base state, how int) {
	if !usesLast(h, handle) {
		return a.base, againstBase
	}
	if n := flightState + t.layout.stateLen(); len(a.flight) > 0 {
		return state(a.flight[len(a.flight)-n+flightState:]), againstLast
	}
	return a.base, againstLast
}

// usesLast reports whether a snapshot predicts an actor from the last state that was sent, which the client may not have.
// Otherwise it predicts the actor from the newest state that the client is known to have. If h.Refresh is 0 or 1, the result is
// always false. If h.Refresh is m > 1, it is false for each actor in one of m successive snapshots. After the loss of a
// snapshot, an actor therefore cannot be decoded in at most the next m-1 snapshots.
func usesLast(h *SnapshotHeader, handle uint16) bool {
	return h.Refresh > 1 && (uint32(h.Seq)+uint32(handle))%uint32(h.Refresh) != 0
}

// howCoded says from which earlier state a snapshot predicts an actor: againstBase or againstLast.
func howCoded(h *SnapshotHeader, handle uint16) int {
	if usesLast(h, handle) {
		return againstLast
	}
	return againstBase
}

// record stores the state with which the current snapshot contains an actor. Unless the connection is ordered, the state is kept
// until it is known whether the client has received the snapshot.
func (t *Teller) record(handle uint16, h *SnapshotHeader) {
	a := &t.actors[handle]
	a.prio = 0
	base, how := t.predictionBase(a, handle, h)
	k := &t.layout.kinds[a.kind]
	if t.ordered {
		t.layout.next(a.base, base, k, a.want, h.Tick)
		return
	}
	at, n := len(a.flight), flightState+t.layout.stateLen()
	if len(a.flight)+n > cap(a.flight) {
		a.flight = slices.Grow(a.flight, 4*n)
		base, how = t.predictionBase(a, handle, h) // computed again, because slices.Grow has moved the states
	}
	a.flight = a.flight[:at+n]
	r := a.flight[at:]
	r[flightSeq], r[flightHow], r[flightBase] = int32(t.seq), int32(how), int32(t.acked)
	t.layout.next(state(r[flightState:]), base, k, a.want, h.Tick)
}

// Ack records which snapshots the client has received. It ignores acknowledgements of other runs, which come from a client that is slow.
// It returns ErrUnsent if r is of the current run and a snapshot in it was not sent. See Unheard for the limit of this.
func (t *Teller) Ack(r ReceivedSnapshots) error {
	if t.ordered || r.Run != t.run {
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
	t.acked, t.unheard = newest, 0
	t.allConfirmed = t.allSent - uint64(t.seq-newest)
	t.refresh = t.chooseRefresh()
	return nil
}

// settle updates the actors in snapshot s, once it is known whether the client has received the snapshot. The parameter taken
// is true if it has, and false if the snapshot is lost. If the client could decode the state of an actor, this state becomes
// the actor's base.
func (t *Teller) settle(s int64, taken bool) {
	n := flightState + t.layout.stateLen()
	for _, handle := range t.sent[s%maxUnconfirmed] {
		a := &t.actors[handle]
		if !a.present || len(a.flight) < n || int64(a.flight[flightSeq]) != s { // the actor has left, or the handle has another actor now
			continue
		}
		switch unknown := max(t.missing, a.blind); {
		case !taken:
		case a.flight[flightHow] == againstLast && unknown > int64(a.flight[flightBase]) && unknown > a.known:
			a.blind = s // the client lacks the state from which snapshot s predicts the actor
		default:
			copy(a.before, a.base)
			copy(a.base, a.flight[flightState:n])
			a.known = s
		}
		a.flight = append(a.flight[:0], a.flight[n:]...)
	}
}
