package terrain

import (
	"testing"

	"pgregory.net/rapid"
)

func TestSolidBetweenActorsBlocksAttack(t *testing.T) {
	// A wall, a fence, a tower with a thin floor at 8, and a beam at 3.4.
	w := wallsOf(t, boxOf(10, 0, -5, 11, 6, 5), boxOf(20, 0, -5, 21, 2, 5), boxOf(30, 8, -5, 40, 8.5, 5), boxOf(50, 3.4, -5, 51, 9, 5))
	for _, c := range []struct {
		name         string
		a, b         [3]float32
		flies, other bool
		want         bool
	}{
		{name: "through a wall", a: [3]float32{8, 0, 0}, b: [3]float32{13, 0, 0}},
		{name: "beside it", a: [3]float32{8, 0, 0}, b: [3]float32{8, 0, 9}, want: true},
		{name: "past the wall's end", a: [3]float32{8, 0, 5.2}, b: [3]float32{13, 0, 5.2}, want: true},
		{name: "over a fence", a: [3]float32{18, 0, 0}, b: [3]float32{23, 0, 0}, want: true},
		{name: "over a wall by claimed height alone", a: [3]float32{8, 9, 0}, b: [3]float32{13, 9, 0}},
		{name: "with a jump that is too low", a: [3]float32{8, 2.5, 0}, b: [3]float32{13, 0, 0}},
		{name: "from the middle of a roof", a: [3]float32{32, 8.5, 0}, b: [3]float32{45, 0, 0}},
		{name: "from the edge of a roof", a: [3]float32{10.5, 6, 0}, b: [3]float32{20, 0, 0}, want: true},
		{name: "on wings", a: [3]float32{8, 9, 0}, b: [3]float32{13, 9, 0}, flies: true, other: true, want: true},
		{name: "flying, at a target below", a: [3]float32{8, 9, 0}, b: [3]float32{13, 0, 0}, flies: true, want: true},
		{name: "flying, at a target close behind the wall", a: [3]float32{8, 9, 0}, b: [3]float32{11.5, 0, 0}, flies: true},
		{name: "up through a floor", a: [3]float32{35, 0, 0}, b: [3]float32{36, 8.5, 0}},
		{name: "below a floor", a: [3]float32{32, 0, 0}, b: [3]float32{38, 0, 0}, want: true},
		{name: "on a floor", a: [3]float32{32, 8.5, 0}, b: [3]float32{38, 8.5, 0}, want: true},
		{name: "below a beam", a: [3]float32{48, 0, 0}, b: [3]float32{53, 0, 0}, want: true},
		{name: "at a target inside a wall", a: [3]float32{8, 0, 0}, b: [3]float32{10.5, 0, 0}, want: true},
		{name: "at a target inside a wall, from the other side", a: [3]float32{10.5, 0, 0}, b: [3]float32{13, 0, 0}, want: true},
		{name: "at a target inside a wall behind another wall", a: [3]float32{8, 0, 0}, b: [3]float32{20.5, 0.2, 0}},
	} {
		a, b := at(c.a[0], c.a[1], c.a[2]), at(c.b[0], c.b[1], c.b[2])
		if got := w.HasLineOfAttack(a, b, c.flies, c.other); got != c.want {
			t.Errorf("%s: %v", c.name, got)
		}
		if got := w.HasLineOfAttack(b, a, c.other, c.flies); got != c.want {
			t.Errorf("%s, reversed: %v", c.name, got)
		}
	}
	if n := testing.AllocsPerRun(100, func() { w.HasLineOfAttack(at(8, 0, 0), at(13, 0, 0), false, false) }); n > 0 {
		t.Errorf("%v allocations", n)
	}
	var open *Walls
	if !open.HasLineOfAttack(at(0, 0, 0), at(9, 9, 9), false, false) {
		t.Error("a nil *Walls blocks an attack")
	}
}

// If actor a can attack actor b, then b can attack a.
func TestLineOfAttackIsSymmetric(t *testing.T) {
	w := wallsOf(t, boxOf(0, 0, 0, 4, 3, 4), boxOf(2, 0, 6, 8, 5, 7), boxOf(6, 2, 0, 9, 2.5, 6))
	rapid.Check(t, func(t *rapid.T) {
		along := rapid.Float32Range(-3, 12)
		a := at(along.Draw(t, "ax"), along.Draw(t, "ay"), along.Draw(t, "az"))
		b := at(along.Draw(t, "bx"), along.Draw(t, "by"), along.Draw(t, "bz"))
		p, q := rapid.Bool().Draw(t, "a flies"), rapid.Bool().Draw(t, "b flies")
		if w.HasLineOfAttack(a, b, p, q) != w.HasLineOfAttack(b, a, q, p) {
			t.Fatalf("the line from %v to %v is not symmetric", a, b)
		}
	})
}
