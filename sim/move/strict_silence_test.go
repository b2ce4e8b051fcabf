package move

import (
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// silentRun returns the claims of a client that ran along X from the origin during the whole silence: one every 200 ms,
// none lost. A negative pace runs backward.
func silentRun(pace float32, silenceMS int64) []geom.Vec {
	var claims []geom.Vec
	for ms := int64(200); ms <= silenceMS; ms += 200 {
		claims = append(claims, geom.Vec{X: pace * float32(ms) / 1000})
	}
	return claims
}

// newestOf returns only the newest claim of silentRun. It stands for a network that has lost all earlier claims of the silence.
func newestOf(pace float32, silenceMS int64) []geom.Vec {
	all := silentRun(pace, silenceMS)
	return all[len(all)-1:]
}

// secondHalf lists the claims of the second half of the case "eight seconds". The network loses the claims of the first
// half.
var secondHalf = []geom.Vec{
	{X: 8.59, Z: 19.06}, {X: 8.44, Z: 19.61}, {X: 9.12, Z: 20.11}, {X: 9.73, Z: 19.45}, {X: 10.95, Z: 18.13},
	{X: 12.17, Z: 16.80}, {X: 13.09, Z: 15.81}, {X: 13.09, Z: 15.58}, {X: 13.09, Z: 14.68}, {X: 13.08, Z: 13.78},
	{X: 13.08, Z: 13.11}, {X: 13.30, Z: 13.18}, {X: 14.15, Z: 13.47}, {X: 14.34, Z: 13.68}, {X: 14.34, Z: 13.90},
	{X: 14.34, Z: 14.80}, {X: 16.14, Z: 14.80}, {X: 17.49, Z: 14.80}, {X: 17.54, Z: 15.02}, {X: 17.73, Z: 15.90},
	{X: 17.93, Z: 16.78}, {X: 17.64, Z: 17.13}, {X: 17.08, Z: 17.83}, {X: 17.53, Z: 17.84}, {X: 19.33, Z: 17.86},
}

// A silence costs as much allowance as the server's walk during it plus the client's own movement. The sum may be at most
// the maximum allowance: 450 units at full speed, 300 at half speed and 750 at double speed. Source:
// docs/decisions/0003-accumulating-allowance.md.
func TestClaimAfterSilenceIsAcceptedOnlyWithinAllowance(t *testing.T) {
	const longer = 5000 // a MaxSavedMS in ms above the default
	far, near := geom.Vec{X: 9000}, geom.Vec{X: 100}
	for _, c := range []struct {
		name      string
		share     float32
		saveMS    int64    // ClaimPolicy.MaxSavedMS in ms, 0 for the default
		dest      geom.Vec // destination of the last claim before the silence, made at the origin
		silenceMS int64
		claims    []geom.Vec // all claims that arrive at the end of the silence
		held      bool
	}{
		{"ran straight on, late", 1, 0, far, 2400, silentRun(90, 2400), false},
		{"ran straight on for too long, late", 1, 0, far, 2800, silentRun(90, 2800), true},
		{"ran straight on, lost", 1, 0, far, 20_000, newestOf(90, 20_000), false},
		{"turned round, late", 1, 0, far, 2400, silentRun(-90, 2400), false},
		{"turned round, lost", 1, 0, far, 2400, newestOf(-90, 2400), false},
		{"turned round for too long, lost", 1, 0, far, 2600, newestOf(-90, 2600), true},
		{"turned round at half speed", 0.5, 0, far, 3200, silentRun(-45, 3200), false},
		{"turned round at half speed for too long", 0.5, 0, far, 3400, silentRun(-45, 3400), true},
		{"turned round at twice the speed", 2, 0, far, 2000, silentRun(-180, 2000), false},
		{"turned round at twice the speed for too long", 2, 0, far, 2200, silentRun(-180, 2200), true},
		{"ran past its destination, lost", 1, 0, near, 6000, newestOf(90, 6000), false},
		{"ran past its destination, late", 1, 0, near, 3800, silentRun(90, 3800), false},
		{"stood at a wall", 1, 0, geom.Vec{X: 440}, 60_000, []geom.Vec{{X: 1}}, false},
		{"stood at a wall far from its destination", 1, 0, geom.Vec{X: 460}, 60_000, []geom.Vec{{X: 1}}, true},
		{"eight seconds", 0.5, 0, geom.Vec{X: 0.99, Z: 297.75}, 8000, secondHalf, true},
		{"eight seconds, more saved", 0.5, longer, geom.Vec{X: 0.99, Z: 297.75}, 8000, secondHalf, false},
	} {
		t.Run(c.name, func(t *testing.T) {
			p := StrictClaimPolicy()
			if c.saveMS > 0 {
				p.MaxSavedMS = c.saveMS
			}
			var s ClaimState
			p.Reset(&s, 0)
			const began = 60_000 // start of the silence in ms; the allowance has reached its maximum by then
			pos := p.Judge(&s, geom.Vec{}, c.share, Claim{DestX: c.dest.X, DestZ: c.dest.Z, Running: true}, began).Pos
			for ms := int64(0); ms < c.silenceMS; ms += tickMS {
				pos = WalkToward(pos, c.dest.X, c.dest.Z, 90*c.share*tickMS/1000, Euclidean)
			}
			held := 0
			for _, at := range c.claims {
				v := p.Judge(&s, pos, c.share, Claim{X: at.X, Z: at.Z, Running: true}, began+c.silenceMS)
				if pos = v.Pos; v.Held != reason.None {
					held++
				}
			}
			if (held > 0) != c.held {
				t.Errorf("%d of %d claims held, state %+v", held, len(c.claims), s)
			}
		})
	}
}
