package web

import (
	"math"
	"testing"
)

func TestSinCosIsAccurateTo1In16384(t *testing.T) {
	for angle := int32(-2 * turnSteps); angle <= 2*turnSteps; angle++ {
		sin, cos := sinCos(angle)
		wantSin, wantCos := math.Sincos(2 * math.Pi * float64(angle) / turnSteps)
		if math.Abs(sin-wantSin) > 0.6/16384 || math.Abs(cos-wantCos) > 0.6/16384 {
			t.Fatalf("angle %d: %v, %v, want %v, %v", angle, sin, cos, wantSin, wantCos)
		}
	}
}

// runner is an actor that moves at constant speed and turns at constant rates. The field facing says whether its velocity turns with its
// direction.
type runner struct {
	pos              [3]float64
	yaw, pitch       float64 // turns
	yawRate          float64 // turns per tick
	pitchRate, speed float64
	facing           bool
}

func (r *runner) step() {
	r.yaw, r.pitch = r.yaw+r.yawRate, r.pitch+r.pitchRate
	yaw, pitch := 2*math.Pi*r.yaw, 2*math.Pi*r.pitch
	if !r.facing {
		yaw, pitch = 0, 0
	}
	r.pos[0] -= math.Sin(yaw) * math.Cos(pitch) * r.speed
	r.pos[1] += math.Sin(pitch) * r.speed
	r.pos[2] += math.Cos(yaw) * math.Cos(pitch) * r.speed
}

func (r *runner) values() []int32 {
	angle := func(turns float64) int32 { return int32(math.Round(turns*4096)) & 4095 }
	return []int32{int32(math.Round(r.pos[0])), int32(math.Round(r.pos[1])), int32(math.Round(r.pos[2])), angle(r.yaw), angle(r.pitch)}
}

// errors compares the true position of an actor, age ticks after its last state, with the position that clients draw (the result drawn) and
// with the position that a snapshot predicts (the result expected). Both results are mean distances per axis, in units.
func (r *runner) errors(age int) (drawn, expected float64) {
	schema := bodySchema()
	l := newLayout(&schema)
	k := &l.kinds[0]
	n := len(k.fields)
	s, next, dst := make(state, l.stateLen()), make(state, l.stateLen()), make([]int32, n)
	s[0] = noTick
	copy(s.values(n), r.values())
	const runs = 15
	for tick := range runs {
		for range age {
			r.step()
		}
		now := r.values()
		if tick >= 3 {
			l.expect(dst, k, s, nil, int32(age))
			for i := range 3 {
				drawn += math.Abs(float64(now[i] - l.predicted(&k.fields[i], s, i, int32(age))))
			}
			if s.turns(n) {
				l.turn(dst, k, s, int32(age), now)
			}
			for i := range 3 {
				expected += math.Abs(float64(now[i] - dst[i]))
			}
		}
		l.next(next, s, k, now, uint32((tick+1)*age))
		s, next = next, s
	}
	return drawn / (3 * (runs - 3)), expected / (3 * (runs - 3))
}

// A snapshot predicts the position of an actor that runs in curves to within one unit. The prediction with which clients draw goes straight
// on and is more than four units off.
func TestTurningActorIsPredictedOnItsCurve(t *testing.T) {
	for _, pitchRate := range []float64{0, 0.004} {
		r := runner{yawRate: 0.012, pitch: -45 * pitchRate, pitchRate: pitchRate, speed: 5, facing: true}
		if drawn, expected := r.errors(6); drawn < 4 || expected > 1 {
			t.Errorf("pitch rate %v: expected %.2f units off, drawn %.2f", pitchRate, expected, drawn)
		}
	}
}

// If an actor spins while it moves straight, its velocity does not turn. The actor is then predicted to move straight.
func TestActorThatSpinsWhileMovingStraightIsPredictedStraight(t *testing.T) {
	r := runner{yawRate: 0.01, pitchRate: 0.003, speed: 5}
	if drawn, expected := r.errors(6); drawn > 1 || expected > drawn {
		t.Errorf("expected %.2f units off, drawn %.2f", expected, drawn)
	}
}

// Actors of a kind without a yaw, or with coordinates in different units, are predicted with a velocity that does not turn.
func TestOnlyActorKindsWithYawArePredictedToTurn(t *testing.T) {
	body := bodySchema().Kinds[0].Fields
	for name, c := range map[string]struct {
		fields       []SchemaField
		turns, pitch bool
	}{
		"built-in": {BuiltinSchema().Kinds[0].Fields, true, false}, "body": {body, true, true}, "no pitch": {body[:4], true, false}, "no yaw": {body[:3], false, false},
		"two units": {[]SchemaField{body[0], body[1], {Name: "z", Derived: true, Step: 1}, body[3], body[4]}, false, false},
		"held":      {[]SchemaField{{Name: "x", Step: 0.01}, body[1], body[2], body[3]}, false, false},
	} {
		if m := motionOf(c.fields); m.turns != c.turns || (m.pitch >= 0) != c.pitch || (m.y >= 0) != c.pitch {
			t.Errorf("%s: %+v", name, m)
		}
	}
}
