package web

import "math"

// A snapshot contains each actor as the difference to a prediction. This prediction is better than the one with which clients
// draw actors: the velocity turns with the direction of the actor, and the rate at which an angle changes becomes smaller with
// time (docs/decisions/0018-snapshots-of-turning-actors.md). Which actors a snapshot omits depends on the other prediction,
// that of the clients.

// motionLayout holds the indices of the fields with the position and the direction of actors, for one kind of actor.
type motionLayout struct {
	turns   bool // the kind has the fields x, z and yaw, so the velocity turns with the direction
	x, y, z int  // indices of the fields x, y and z; y is -1 unless the kind has the field pitch
	yaw     int
	pitch   int // index of the field pitch; -1: the velocity does not turn up and down
}

// motionOf finds the fields with the position and the direction of an actor by their names. The fields x, y and z are coordinates
// with equal steps; yaw is an angle that grows from +z toward -x; pitch is an angle that grows upward.
func motionOf(fields []SchemaField) motionLayout {
	find := func(name string, angle bool) int {
		for i := range fields {
			if f := &fields[i]; f.Name == name && (f.Wrap != 0) == angle && (angle || f.Derived) {
				return i
			}
		}
		return -1
	}
	m := motionLayout{x: find("x", false), y: find("y", false), z: find("z", false), yaw: find("yaw", true), pitch: find("pitch", true)}
	m.turns = m.x >= 0 && m.z >= 0 && m.yaw >= 0 && fields[m.x].Step == fields[m.z].Step
	if !m.turns || m.y < 0 || m.pitch < 0 || fields[m.y].Step != fields[m.x].Step {
		m.y, m.pitch = -1, -1
	}
	return m
}

// Indices into the slice that state.motion returns. Its elements describe how the actor turns.
const (
	motionYaw   = iota // change of the yaw between the two states from which the speeds were computed
	motionPitch        // change of the pitch between these states
	motionFit          // how well the velocity has followed the direction so far, -maxFit..maxFit; below 0, straight movement is predicted
	motionLength
)

const maxFit = 2

// turns reports how a snapshot predicts the actor's position: true if the velocity turns with the actor's direction (see
// layout.turn), false if the movement is straight. The parameter n is layout.fields.
func (s state) turns(n int) bool { return s.motion(n)[motionFit] >= 0 }

// fadeShift says how fast the predicted turn of an angle slows down: in each tick, the rate at which the angle changes becomes
// smaller by the fraction 1/(1<<fadeShift), which is 1/16.
const fadeShift = 4

// fadedTicks[n] is the change of an angle that is predicted for n ticks. Its unit is 1/4096 of the change in one tick at the
// initial rate.
var fadedTicks = func() (a [maxSpeedAge + 1]int32) {
	rate := int32(4096)
	rest := rate << fadeShift
	for n := range a {
		a[n] = rate<<fadeShift - rest
		rest -= rest >> fadeShift
	}
	return a
}()

// expect fills dst with the values that a snapshot predicts for an actor of kind k if the actor moves straight. They are for
// the tick that is age ticks after the state s. The rates at which angles change are computed from s and an earlier state, the
// parameter before. If before is nil, they are the rates in s.
func (l *layout) expect(dst []int32, k *kindLayout, s, before state, age int32) {
	values, speeds := s.values(l.fields), s.speeds(l.fields)
	span := int32(maxSpeedAge + 1)
	if before != nil && s[0] != noTick {
		span = before.age(uint32(s[0]))
	}
	for i := range k.fields {
		f := &k.fields[i]
		switch {
		case f.wrap != 0 && age <= maxSpeedAge:
			rate := speeds[i]
			if span <= maxSpeedAge {
				rate = f.speedOf(before.values(l.fields)[i], values[i], span)
			}
			dst[i] = values[i] + int32((int64(rate)*int64(fadedTicks[age])+1<<15)>>16)
		default:
			dst[i] = l.predicted(f, s, i, age)
		}
	}
}

// turn replaces the position in dst, which expect has computed, by a prediction in which the velocity turns with the actor's
// direction. The parameter "now" holds the actor's values age ticks after the state s; only the angles in it are used. If the
// actor has not turned, turn returns false and does not change dst.
func (l *layout) turn(dst []int32, k *kindLayout, s state, age int32, now []int32) bool {
	m := &k.motion
	if !m.turns || age > maxSpeedAge {
		return false
	}
	values, speeds, motion := s.values(l.fields), s.speeds(l.fields), s.motion(l.fields)
	yaw, pitch := k.fields[m.yaw].halfTurn(motion[motionYaw], values[m.yaw], now[m.yaw]), int32(0)
	if m.pitch >= 0 {
		pitch = k.fields[m.pitch].halfTurn(motion[motionPitch], values[m.pitch], now[m.pitch])
	}
	if yaw|pitch == 0 {
		return false
	}
	x, z := float64(speeds[m.x]), float64(speeds[m.z])
	if pitch != 0 {
		sin, cos := sinCos(pitch)
		y, flat := float64(speeds[m.y]), math.Sqrt(float64(x*x)+float64(z*z))
		if flat > 0 {
			scale := (float64(flat*cos) - float64(y*sin)) / flat
			x, z = float64(x*scale), float64(z*scale)
		}
		dst[m.y] = moved(values[m.y], float64(y*cos)+float64(flat*sin), age)
	}
	sin, cos := sinCos(yaw)
	dst[m.x] = moved(values[m.x], float64(x*cos)-float64(z*sin), age)
	dst[m.z] = moved(values[m.z], float64(z*cos)+float64(x*sin), age)
	return true
}

// moved returns the value of a coordinate that has changed from v for age ticks at the given speed, which is in 1/16 units per
// tick.
func moved(v int32, speed float64, age int32) int32 {
	return v + int32(math.Floor((float64(speed*float64(age))+8)/16))
}

// halfTurn returns the angle by which a velocity is predicted to turn, in 1/4096 turns. There are two successive intervals: the
// velocity was measured in the first one and is predicted for the second one. The angle is half of the change of the actor's
// direction in both. The parameter firstChange is the change in the first interval. The parameters start and end are the
// directions at the start and at the end of the second one.
func (f *fieldLayout) halfTurn(firstChange, start, end int32) int32 {
	return int32((int64(firstChange) + int64(f.difference(end, start))) * (turnSteps / 2) / int64(f.wrap))
}

// fit returns the number motionFit of an actor's next state, which has the given values age ticks after the state s. This
// number says which prediction was better up to now. Compared with that of s, it is (1) one more, at most maxFit, if the values
// are closer to a movement whose velocity turns with the direction; (2) one less, at least -maxFit, if they are closer to
// straight movement; (3) otherwise the same.
func (l *layout) fit(k *kindLayout, s state, age int32, values []int32) int32 {
	fit := s.motion(l.fields)[motionFit]
	m, place := &k.motion, l.scratch
	if !m.turns || age > maxSpeedAge {
		return fit
	}
	for i := range k.fields {
		if i == m.x || i == m.y || i == m.z {
			place[i] = l.predicted(&k.fields[i], s, i, age)
		}
	}
	straight := m.distance(place, values)
	if !l.turn(place, k, s, age, values) {
		return fit
	}
	switch turned := m.distance(place, values); {
	case turned < straight:
		return min(fit+1, maxFit)
	case turned > straight:
		return max(fit-1, -maxFit)
	}
	return fit
}

// distance returns the distance between the positions in a and b: the sum of the differences of their coordinates.
func (m *motionLayout) distance(a, b []int32) (d int64) {
	for _, i := range [3]int{m.x, m.y, m.z} {
		if i >= 0 {
			n := int64(a[i]) - int64(b[i])
			d += max(n, -n)
		}
	}
	return d
}

const turnSteps = 4096 // number of units of a full turn, for sinCos

// sines[i] is the sine of i/4096 turns, for angles up to a quarter turn. The table is computed by repeated rotation, with
// operations that IEEE 754 rounds exactly. Therefore it is the same on every machine and in every programming language with IEEE
// 754.
var sines = func() (a [turnSteps/4 + 1]float64) {
	const stepSin, stepCos = 0.0015339801862847655, 0.9999988234517019 // sine and cosine of 1/4096 turns
	sin, cos := 0.0, 1.0
	for i := range a {
		a[i] = math.Floor(float64(sin*16384)+0.5) / 16384
		sin, cos = float64(sin*stepCos)+float64(cos*stepSin), float64(cos*stepCos)-float64(sin*stepSin)
	}
	return a
}()

// sinCos returns the sine and the cosine of an angle, rounded to multiples of 1/16384. The angle is in 1/4096 turns.
func sinCos(angle int32) (sin, cos float64) {
	i := angle & (turnSteps/4 - 1)
	sin, cos = sines[i], sines[turnSteps/4-i]
	for quarter := angle >> 10 & 3; quarter > 0; quarter-- {
		sin, cos = cos, -sin
	}
	return sin, cos
}
