package web

import (
	"github.com/truestep-io/truestep/proto/wire"
)

// SnapshotHeader is the beginning of a snapshot. After it, the snapshot contains the states of actors, range coded.
//
//	size  field
//	1     kind      KindSnapshot | run<<4 | refresh
//	2     seq       u16, number of the snapshot in its run, from 1
//	1     back      u8, seq - base, where base is the newest snapshot that the client has acknowledged; 0: none
//	2     tick      u16, tick of the frame, low bits
//	1     input     u8, tick of the client's last processed input, low bits
//	1     waits     bits 4..7: number of inputs that wait at the server; bits 0..3: flags, 0 in this version
//	      body      range coded, see docs/wire/web.md
type SnapshotHeader struct {
	Run uint8 // number of the run, 0..7; a run is a series of snapshots with its own numbers
	// Refresh says from which earlier states the snapshot predicts actors. If it is n, 1..7, every n-th state of an actor is
	// predicted from a state that the client has acknowledged, and the others from the last state that was sent. On an ordered
	// connection, Refresh is 0.
	Refresh uint8
	Seq     uint16 // number of the snapshot in its run, from 1
	Back    uint8  // Seq minus the number of the base, 1..maxUnconfirmed; 0: no base
	Tick    uint32 // tick of the frame; a Reader extends the 16 bits of the wire to the tick nearest to the last one
	Input   uint8  // tick of the client's last processed input, low 8 bits
	Waits   uint8  // number of inputs that wait at the server, 0..15
	Flags   uint8  // flags, 4 bits; 0 in this version
}

const (
	headerLength   = 8       // length of a SnapshotHeader in bytes
	maxUnconfirmed = 64      // maximum number of snapshots that the client has not acknowledged
	maxSpeedAge    = 256     // maximum ticks between the two states from which a speed is computed, and maximum ticks for which the speed is used
	maxSpeed       = 1 << 16 // maximum speed in 1/16 units per tick; faster actors have speed 0
)

func (h *SnapshotHeader) append(b []byte) []byte {
	b = append(b, KindSnapshot|h.Run<<4|h.Refresh)
	b = append(wire.U16(b, h.Seq), h.Back)
	return append(wire.U16(b, uint16(h.Tick)), h.Input, h.Waits<<4|h.Flags)
}

// ParseSnapshotHeader splits a snapshot into its header and its body. The body is a part of b. The result h.Tick has only the low
// 16 bits of the tick, as in the snapshot. Errors wrap wire.ErrShort or wire.ErrRange.
func ParseSnapshotHeader(b []byte) (h SnapshotHeader, body []byte, err error) {
	r := wire.NewReader(b)
	kind := r.U8()
	r.CheckRange(kind&KindSnapshot != 0 && kind&8 == 0, "first byte of a snapshot")
	h.Run, h.Refresh = kind>>4&7, kind&7
	h.Seq, h.Back, h.Tick, h.Input = r.U16(), r.U8(), uint32(r.U16()), r.U8()
	waits := r.U8()
	h.Waits, h.Flags = waits>>4, waits&15
	r.CheckRange(h.Back <= maxUnconfirmed, "distance to the base")
	body = r.Rest()
	return h, body, r.Done("snapshot")
}

// classOf returns the class of a snapshot, 0..5, which selects the initial probabilities of its contexts. The parameter back is
// SnapshotHeader.Back: how many snapshots before this one the acknowledged snapshot was sent to which it refers, 0 for none.
func classOf(back uint8) int {
	switch {
	case back == 0:
		return 5
	case back <= 2:
		return int(back) - 1
	case back <= 4:
		return 2
	case back <= 8:
		return 3
	}
	return 4
}

// contexts holds the learned probabilities (see prob) for one snapshot: those for the list of actors, and two sets for each
// field. One set is for actors that are predicted from an acknowledged state. The other is for actors that are predicted from
// the last state that was sent.
type contexts struct {
	more   [2]prob     // whether another actor follows: 0 at the start of the list, 1 after an actor
	gap    number      // number of handles between two actors of the list
	fields [2][]number // values of fields, by againstBase or againstLast and then by fieldLayout.context
}

// reset sets all contexts to the initial probabilities for a class of snapshots (see classOf).
func (c *contexts) reset(l *layout, class int) {
	c.more, c.gap = prior.more, prior.gap
	for i, class := range [2]int{class, 0} {
		if len(c.fields[i]) != len(l.priors) {
			c.fields[i] = make([]number, len(l.priors))
		}
		for j, at := range l.priors {
			if at < 0 {
				c.fields[i][j] = prior.half
			} else {
				c.fields[i][j] = prior.fields[class][at]
			}
		}
	}
}

// layout holds tables about the kinds and fields of a schema. Server and client derive the same tables from it.
type layout struct {
	fields  int // largest number of fields of a kind
	kinds   []kindLayout
	priors  []int   // by context: index in priorFields; -1 if there are no trained probabilities
	scratch []int32 // memory for the method fit
}

type kindLayout struct {
	fields []fieldLayout
	motion motionLayout
}

type fieldLayout struct {
	derived bool
	wrap    int32
	context int // index of the field's contexts; fields of equal form share them, see newLayout
}

func newLayout(s *Schema) layout {
	l := layout{fields: s.maxFields(), scratch: make([]int32, s.maxFields())}
	known := map[form]int{}
	for i := range s.Kinds {
		var k kindLayout
		for _, f := range s.Kinds[i].Fields {
			form := f.form()
			if (f.Derived || f.Wrap != 0) && priorField(&f) < 0 {
				form.name = "" // fields of equal form without trained contexts, such as x, y and z, share their contexts
			}
			at, again := known[form]
			if !again {
				at = len(known)
				known[form] = at
				l.priors = append(l.priors, priorField(&f))
			}
			k.fields = append(k.fields, fieldLayout{derived: f.Derived, wrap: f.Wrap, context: at})
		}
		k.motion = motionOf(s.Kinds[i].Fields)
		l.kinds = append(l.kinds, k)
	}
	return l
}

// state is the state of an actor at a tick, with which both server and client compute predictions. Its elements are the low 16
// bits of the tick, the values of the fields, the speeds of the fields in 1/16 units per tick, and three numbers that describe
// how the actor turns: motionYaw, motionPitch and motionFit.
type state []int32

func (l *layout) stateLen() int { return 1 + 2*l.fields + motionLength }

func (s state) values(n int) []int32 { return s[1 : 1+n] }
func (s state) speeds(n int) []int32 { return s[1+n : 1+2*n] }
func (s state) motion(n int) []int32 { return s[1+2*n : 1+2*n+motionLength] }

// noTick is used in place of the tick in a state from an Enter message, which contains no tick. No speed can be computed from
// such a state.
const noTick = -1

// age returns the number of ticks from the tick of the state to the given tick. If that is above maxSpeedAge, or if the state has
// no tick, the result is maxSpeedAge+1. Only the low 16 bits of the ticks are compared, because snapshots contain no more.
func (s state) age(tick uint32) int32 {
	if s[0] == noTick {
		return maxSpeedAge + 1
	}
	return int32(min(uint16(tick)-uint16(s[0]), maxSpeedAge+1))
}

// predict returns the value that is predicted for a coordinate. The parameter value is the coordinate age ticks ago; speed is in
// 1/16 units per tick.
func predict(value, speed, age int32) int32 {
	if speed == 0 {
		return value
	}
	return value + int32((int64(speed)*int64(age)+8)>>4)
}

// speedOf returns the speed of a field that has changed from one value to another within age ticks, in 1/16 units per tick. It is
// 0 if the speed is unknown or too high.
func (f *fieldLayout) speedOf(from, to, age int32) int32 {
	if age <= 0 || age > maxSpeedAge {
		return 0
	}
	d := int64(to) - int64(from)
	if f.wrap != 0 {
		d = int64(f.difference(to, from))
	}
	half := int64(age / 2)
	switch {
	case d > 0:
		d = d*16 + half
	case d < 0:
		d = d*16 - half
	}
	v := d / int64(age)
	if v > maxSpeed || v < -maxSpeed {
		return 0
	}
	return int32(v)
}

// difference returns the number that a snapshot contains for a field: want, which is the value to send, minus the predicted
// value.
func (f *fieldLayout) difference(want, predicted int32) int32 {
	d := want - predicted // wraps around on overflow, as the addition in the method apply does
	if f.wrap != 0 {
		half := f.wrap / 2
		d = (d+half)&(f.wrap-1) - half
	}
	return d
}

// apply reverses difference: it returns the value of a field from the predicted value and d, the number in the snapshot.
func (f *fieldLayout) apply(d, predicted int32) int32 {
	v := predicted + d
	if f.wrap != 0 {
		v &= f.wrap - 1
	}
	return v
}

// predicted returns the value that is predicted for field i, age ticks after the state s. A coordinate is predicted to go on at
// its speed in s, unless age is above maxSpeedAge. All other values stay.
func (l *layout) predicted(f *fieldLayout, s state, i int, age int32) int32 {
	if !f.derived || age > maxSpeedAge {
		return s.values(l.fields)[i]
	}
	return predict(s.values(l.fields)[i], s.speeds(l.fields)[i], age)
}

// next fills dst with the state of an actor at the given tick. The values are the given ones. The speeds and turns are computed
// from the change of the values since base, an earlier state. The slices dst and base may be the same.
func (l *layout) next(dst, base state, k *kindLayout, values []int32, tick uint32) {
	age := base.age(tick)
	fit := l.fit(k, base, age, values)
	speeds, old, motion := dst.speeds(l.fields), base.values(l.fields), dst.motion(l.fields)
	motion[motionYaw], motion[motionPitch], motion[motionFit] = 0, 0, fit
	if m := &k.motion; m.turns && age <= maxSpeedAge {
		motion[motionYaw] = k.fields[m.yaw].difference(values[m.yaw], old[m.yaw])
		if m.pitch >= 0 {
			motion[motionPitch] = k.fields[m.pitch].difference(values[m.pitch], old[m.pitch])
		}
	}
	for i := range k.fields {
		speeds[i] = 0
		if f := &k.fields[i]; f.derived || f.wrap != 0 {
			speeds[i] = f.speedOf(old[i], values[i], age)
		}
	}
	dst[0] = int32(uint16(tick))
	copy(dst.values(l.fields), values)
}
