package move

// The client's sine table has 65536 steps per turn. Its values are sin(i*2*pi/65536) rounded to float32. The values of the first
// quarter turn determine all others by symmetry, except the value at half a turn: there the table has sin(pi) as computed with
// float64, which is not exactly 0. Source: docs/wire/bedrock.md, movement physics, constants.
const (
	sineSteps    = 65536
	halfTurn     = sineSteps / 2
	quarterTurn  = sineSteps / 4
	stepsPerRad  = float32(10430.378)
	sineHalfTurn = float32(1.2246467991473532e-16)
)

// quarterSine is the sines of the first quarter turn, both ends included. They are computed with arithmetic that gives
// the same bits on every CPU. Package math is not used, because on some CPUs its operations are fused and round
// differently. The table is read-only after initialization.
var quarterSine = newQuarterSine()

func newQuarterSine() *[quarterTurn + 1]float32 {
	const step = 2 * 3.14159265358979323846264338327950288 / sineSteps
	t := new([quarterTurn + 1]float32)
	for i := 0; i <= quarterTurn/2; i++ {
		x := float64(float64(i) * step)
		t[i] = float32(sineSeries(x))
		t[quarterTurn-i] = float32(cosineSeries(x))
	}
	return t
}

// sineSeries returns sin x for -pi/4 <= x <= pi/4 with float64 precision: the first omitted term of the power series is below
// 1e-19.
func sineSeries(x float64) float64 {
	x2 := float64(x * x)
	s := 1.0 / 355687428096000 // 1 / 17!
	for _, c := range [...]float64{-1.0 / 1307674368000, 1.0 / 6227020800, -1.0 / 39916800, 1.0 / 362880, -1.0 / 5040, 1.0 / 120, -1.0 / 6} {
		s = float64(s*x2) + c
	}
	return x + float64(float64(s*x2)*x)
}

// cosineSeries returns cos x for -pi/4 <= x <= pi/4 with float64 precision, as sineSeries does for the sine.
func cosineSeries(x float64) float64 {
	x2 := float64(x * x)
	s := -1.0 / 6402373705728000 // -1 / 18!
	for _, c := range [...]float64{1.0 / 20922789888000, -1.0 / 87178291200, 1.0 / 479001600, -1.0 / 3628800, 1.0 / 40320, -1.0 / 720, 1.0 / 24, -1.0 / 2} {
		s = float64(s*x2) + c
	}
	return 1 + float64(s*x2)
}

// sine returns the sine of x radians from the client's table. |x| must be below 2e5, as is every angle within a turn.
func sine(x float32) float32 { return sineAt(int32(float32(x * stepsPerRad))) }

// cosine returns the cosine of x radians from the client's table. |x| must be below 2e5.
func cosine(x float32) float32 { return sineAt(int32(float32(x*stepsPerRad) + quarterTurn)) }

// sineAt returns the sine of i/65536 turns from the client's table.
func sineAt(i int32) float32 {
	i &= sineSteps - 1
	j := i & (halfTurn - 1)
	if j > quarterTurn {
		j = halfTurn - j
	}
	switch v := quarterSine[j]; {
	case i < halfTurn:
		return v
	case i > halfTurn:
		return -v
	}
	return sineHalfTurn
}

// preciseSine returns the sine of x radians, rounded to float32. Vehicles use it to turn. |x| must be below 1e4.
func preciseSine(x float32) float32 { return float32(sineQuadrant(float64(x), 0)) }

// preciseCosine returns the cosine of x radians, rounded to float32. |x| must be below 1e4.
func preciseCosine(x float32) float32 { return float32(sineQuadrant(float64(x), 1)) }

// sineQuadrant returns the sine of the angle x + quarters * pi/2, in radians.
func sineQuadrant(x float64, quarters int) float64 {
	const (
		quarterHigh = 1.57079632673412561417e+00 // the first 33 bits of pi/2, so that products with small integers are exact
		quarterLow  = 6.07710050650619224932e-11 // pi/2 - quarterHigh
	)
	n := int(float64(x * (2 / 3.14159265358979323846264338327950288)))
	switch r := x - float64(float64(n)*quarterHigh); {
	case r > quarterHigh/2:
		n++
	case r < -quarterHigh/2:
		n--
	}
	r := float64(x-float64(float64(n)*quarterHigh)) - float64(float64(n)*quarterLow)
	switch (n + quarters) & 3 {
	case 0:
		return sineSeries(r)
	case 1:
		return cosineSeries(r)
	case 2:
		return -sineSeries(r)
	}
	return -cosineSeries(r)
}
