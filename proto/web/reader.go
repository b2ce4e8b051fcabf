package web

import (
	"fmt"
	"slices"

	"github.com/truestep-io/truestep/proto/wire"
)

// Reader decodes snapshots on the client. It keeps those states of actors to which later snapshots may refer. It must be used by
// one goroutine at a time.
type Reader struct {
	layout   layout
	run      uint8
	begun    bool   // at least one snapshot was decoded
	newest   int64  // number of the newest snapshot that was decoded in this run
	missing  int64  // number of the last snapshot before newest that was not received; 0: none
	mask     uint64 // bit i: snapshot newest-1-i was decoded
	tick     uint32
	actors   []seen
	ctx      contexts
	expected []int32 // values predicted for the actor that is being decoded
	parsed   []int32 // actors of the snapshot that is being decoded, see parse
}

// seen holds what the client knows about one actor: its kind, and the states that the client has received of it.
type seen struct {
	kind    uint8
	present bool
	entered state
	blind   int64   // newest snapshot whose state of the actor could not be decoded, because the client lacks its base; 0: none
	states  []int32 // received states, oldest first, each preceded by its snapshot's number; the first may be older than the last base
}

// NewReader returns a Reader that decodes snapshots of actors whose fields the schema s describes. Call Reader.Enter for each actor
// before its first snapshot.
func NewReader(s *Schema) *Reader {
	l := newLayout(s)
	return &Reader{layout: l, expected: make([]int32, l.fields)}
}

// MaxHandles is the number of handles that a Reader accepts, 0..MaxHandles-1. The limit bounds the memory that a server can make
// a client use.
const MaxHandles = 1 << 14

// Enter adds the actor of an Enter message. From then on, snapshots may contain the actor. The parameter values is the field
// State of the message; it is copied. Errors wrap wire.ErrRange.
func (r *Reader) Enter(handle uint16, kind uint8, values []int32) error {
	if handle >= MaxHandles || int(kind) >= len(r.layout.kinds) || len(values) != len(r.layout.kinds[kind].fields) {
		return fmt.Errorf("Enter message for handle %d with kind %d and %d fields does not match the schema: %w", handle, kind, len(values), wire.ErrRange)
	}
	for int(handle) >= len(r.actors) {
		r.actors = append(r.actors, seen{})
	}
	a := &r.actors[handle]
	if a.entered == nil {
		a.entered = make(state, r.layout.stateLen())
	}
	clear(a.entered)
	a.entered[0] = noTick
	copy(a.entered.values(r.layout.fields), values)
	a.kind, a.present, a.states, a.blind = kind, true, a.states[:0], 0
	return nil
}

// Leave removes the actor of a Leave message. The Reader does not forget the actor's kind: snapshots that were sent before the
// message may still contain the actor, and cannot be decoded without it.
func (r *Reader) Leave(handle uint16) {
	if int(handle) < len(r.actors) {
		r.actors[handle].present = false
	}
}

// Reset removes all actors. A client calls it for an Area or a Welcome message. The parameter run is the number in the message;
// snapshots of earlier runs are ignored from now on.
func (r *Reader) Reset(run uint8) {
	for i := range r.actors {
		r.actors[i].present = false
	}
	if !r.begun || (run-r.run)%runs < runs/2 && run != r.run {
		r.beginRun(run)
	}
}

// beginRun begins a run: a series of snapshots with its own numbers. It forgets the states that were received in earlier runs.
func (r *Reader) beginRun(run uint8) {
	r.run, r.newest, r.missing, r.mask, r.begun = run, 0, 0, 0, true
	for i := range r.actors {
		r.actors[i].states, r.actors[i].blind = r.actors[i].states[:0], 0
	}
}

// Received returns which snapshots were decoded. A client sends this in its next Input or Ack.
func (r *Reader) Received() ReceivedSnapshots {
	return ReceivedSnapshots{Run: r.run, Seq: uint16(r.newest), Mask: r.mask}
}

// Read decodes a snapshot and calls visit for each actor in it. The values that visit receives are valid only during the call. If
// the snapshot is not newer than all decoded ones, or belongs to an earlier run, it is ignored and ok is false. Errors wrap
// wire.ErrShort or wire.ErrRange; in this case visit was not called and the Reader is unchanged.
func (r *Reader) Read(b []byte, visit func(handle uint16, values []int32)) (h SnapshotHeader, ok bool, err error) {
	h, body, err := ParseSnapshotHeader(b)
	if err != nil {
		return h, false, err
	}
	if !r.begun || h.Run != r.run {
		if r.begun && (h.Run-r.run)%runs >= runs/2 { // an earlier run
			return h, false, nil
		}
	}
	next := r.extend(&h)
	if next < 0 {
		return h, false, nil
	}
	if int64(h.Back) > next || h.Refresh != 0 && h.Back != 0 && int64(h.Back) >= next {
		return h, false, fmt.Errorf("snapshot %d refers to a baseline %d snapshots earlier, which is before the first snapshot: %w", next, h.Back, wire.ErrRange)
	}
	h.Tick = r.extendTick(h.Tick)
	if err := r.parse(body, &h); err != nil { // parsed before the Reader changes, because a damaged snapshot must have no effect
		return h, false, err
	}
	r.recordSnapshot(&h, next)
	r.decode(&h, visit)
	return h, true, nil
}

// extend returns the number of a snapshot in its run, from the low 16 bits of this number in the header. It returns -1 if the
// snapshot is not newer than all decoded ones.
func (r *Reader) extend(h *SnapshotHeader) int64 {
	if !r.begun || h.Run != r.run {
		return int64(h.Seq) // first decoded snapshot of a run: numbers start at 1, so the low 16 bits are taken as the number
	}
	d := int16(h.Seq - uint16(r.newest))
	if d <= 0 {
		return -1
	}
	return r.newest + int64(d)
}

func (r *Reader) extendTick(low uint32) uint32 {
	if !r.begun {
		return low
	}
	return r.tick + uint32(int32(int16(uint16(low)-uint16(r.tick))))
}

// recordSnapshot records that a snapshot is decoded now. The parameter "next" is the number of the snapshot in its run, which extend
// returns.
func (r *Reader) recordSnapshot(h *SnapshotHeader, next int64) {
	if !r.begun || h.Run != r.run {
		r.beginRun(h.Run)
	}
	gap := next - r.newest
	if gap > 1 {
		r.missing = next - 1
	}
	switch {
	case r.newest == 0:
		r.mask = 0
	case gap > 64:
		r.mask = 0
	default:
		r.mask = r.mask<<gap | 1<<(gap-1)
	}
	r.newest, r.tick = next, h.Tick
}

// StateAtNewest fills dst with the values of an actor's fields at the tick of the newest snapshot. The slice dst must be long
// enough for the fields of the actor's kind. If the newest snapshot does not contain the actor, the values are predicted from the
// last received state. Such a prediction is within the tolerance, otherwise the server would have sent the actor. The result present
// is false if the client does not know the actor. The result sure is false if a snapshot contained a newer state that could not be
// decoded; the values may then be wrong until the next state of the actor arrives.
func (r *Reader) StateAtNewest(handle uint16, dst []int32) (present, sure bool) {
	if int(handle) >= len(r.actors) || !r.actors[handle].present {
		return false, false
	}
	a := &r.actors[handle]
	s, told := a.entered, int64(0)
	if n := 1 + r.layout.stateLen(); len(a.states) > 0 {
		newest := a.states[len(a.states)-n:]
		s, told = state(newest[1:]), int64(newest[0])
	}
	k, age := &r.layout.kinds[a.kind], s.age(r.tick)
	for i := range k.fields {
		dst[i] = r.layout.predicted(&k.fields[i], s, i, age)
	}
	return true, a.blind <= told
}

// parse decodes the numbers in the body of a snapshot and stores them in r.parsed: for each actor its handle and then, for each
// field, the difference between the value and its prediction.
func (r *Reader) parse(body []byte, h *SnapshotHeader) error {
	var d decoder
	d.begin(body)
	r.ctx.reset(&r.layout, classOf(h.Back))
	r.parsed = r.parsed[:0]
	last, after := -1, 0
	for d.bit(&r.ctx.more[after]) == 1 {
		gap := r.ctx.gap.decode(&d)
		if gap < 0 || int(gap) >= MaxHandles || last+1+int(gap) >= len(r.actors) {
			return fmt.Errorf("snapshot %d contains an actor for which no Enter message was received: %w", h.Seq, wire.ErrRange)
		}
		last, after = last+1+int(gap), 1
		a := &r.actors[last]
		if a.entered == nil {
			return fmt.Errorf("snapshot %d contains the actor with handle %d, for which no Enter message was received: %w", h.Seq, last, wire.ErrRange)
		}
		r.parsed = append(r.parsed, int32(last))
		contexts := r.ctx.fields[howCoded(h, uint16(last))]
		for i := range r.layout.kinds[a.kind].fields {
			r.parsed = append(r.parsed, contexts[r.layout.kinds[a.kind].fields[i].context].decode(&d))
		}
		if d.at > len(body)+maxOverrun {
			return fmt.Errorf("snapshot %d is cut off: its body ends before the last actor: %w", h.Seq, wire.ErrShort)
		}
	}
	return nil
}

// maxOverrun is the maximum number of zeros that the decoder may read beyond the end of a body. After more, the body counts as
// incomplete. The decoder reads some even after a valid body, because the encoder omits zero bytes at the end and the decoder
// reads ahead.
const maxOverrun = MaxDatagram

// decode adds the states of a snapshot, which are in r.parsed, to their actors, and calls visit for each state that it could add.
func (r *Reader) decode(h *SnapshotHeader, visit func(handle uint16, values []int32)) {
	base := int64(0)
	if h.Back != 0 {
		base = r.newest - int64(h.Back)
	}
	for rest := r.parsed; len(rest) > 0; {
		handle := uint16(rest[0])
		a := &r.actors[handle]
		n := 1 + len(r.layout.kinds[a.kind].fields)
		if r.decodeActor(a, rest[1:n], howCoded(h, handle), base, h) {
			visit(handle, rest[1:n])
		}
		rest = rest[n:]
	}
}

// decodeActor adds a state to those of an actor. The parameter d has the differences between its values and their predictions,
// which decodeActor replaces by the values. The result is false if the client cannot decode the state, or if the actor has left
// since the snapshot was sent.
func (r *Reader) decodeActor(a *seen, d []int32, how int, base int64, h *SnapshotHeader) bool {
	from, before, known := r.base(a, how, base, h.Refresh == 0)
	if !known {
		a.blind = r.newest
	}
	if !known || !a.present {
		return false
	}
	k, age := &r.layout.kinds[a.kind], from.age(h.Tick)
	r.layout.expect(r.expected, k, from, before, age)
	for i := range k.fields {
		if f := &k.fields[i]; f.wrap != 0 {
			d[i] = f.apply(d[i], r.expected[i])
		}
	}
	if from.turns(r.layout.fields) {
		r.layout.turn(r.expected, k, from, age, d)
	}
	for i := range k.fields {
		if f := &k.fields[i]; f.wrap == 0 {
			d[i] = f.apply(d[i], r.expected[i])
		}
	}
	at, n := len(a.states), 1+r.layout.stateLen()
	if cap(a.states) < at+n {
		a.states = slices.Grow(a.states, 4*n)
		from, _, _ = r.base(a, how, base, h.Refresh == 0) // computed again, because slices.Grow has moved the states
	}
	a.states = a.states[:at+n]
	a.states[at] = int32(r.newest)
	r.layout.next(state(a.states[at+1:]), from, k, d, h.Tick)
	if h.Refresh == 0 {
		a.states = append(a.states[:0], a.states[at:]...)
	}
	return true
}

// base returns the state s from which a snapshot predicts an actor. The parameter how is againstBase or againstLast. The
// parameter base is the number of the earlier snapshot to which the header refers; 0 means none. The result "before" is the
// state that preceded s, if the rates at which angles change must be computed from both; otherwise it is nil. The result known
// is false if the client does not have the state s.
func (r *Reader) base(a *seen, how int, base int64, ordered bool) (s, before state, known bool) {
	n := 1 + r.layout.stateLen()
	if how == againstLast {
		// k is the number of the snapshot with the newest state of the actor that was received. This is also the last state that
		// the server sent, unless a later snapshot with the actor is missing or could not be decoded.
		k := int64(0)
		if len(a.states) > 0 {
			k = int64(a.states[len(a.states)-n])
		}
		if unknown := max(r.missing, a.blind); unknown > base && unknown > k {
			return nil, nil, false
		}
		if k > base {
			return state(a.states[len(a.states)-n+1:]), nil, true
		}
	}
	for len(a.states) > 2*n && int64(a.states[2*n]) <= base { // keep the two newest states up to the base
		a.states = append(a.states[:0], a.states[n:]...)
	}
	at := 0
	for at+n < len(a.states) && int64(a.states[at+n]) <= base {
		at += n
	}
	if len(a.states) == 0 || !ordered && int64(a.states[0]) > base {
		return a.entered, nil, true
	}
	s = state(a.states[at+1 : at+n])
	if how == againstBase && at > 0 {
		before = state(a.states[at-n+1 : at])
	}
	return s, before, true
}
