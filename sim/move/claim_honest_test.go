package move

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/sim/terrain"
)

// slider is a client whose player walks into walls and slides along them, as those of original clients do. The player
// keeps its own collision radius from every wall, and moves in steps shorter than the thickness of any wall.
type slider struct {
	solids       []terrain.Solid
	radius       float32
	pos          geom.Vec
	destX, destZ float32
	retargetAt   int64
	value        int32
	round        []geom.Vec // corners of a route that the client repeats; nil for random targets
	next         int
}

func (c *slider) free(p geom.Vec) bool {
	for i := range c.solids {
		b := &c.solids[i]
		if p.X > b.Min.X-c.radius && p.X < b.Max.X+c.radius && p.Z > b.Min.Z-c.radius && p.Z < b.Max.Z+c.radius && b.Max.Y > 2.1 && b.Min.Y < 6 {
			return false
		}
	}
	return true
}

// frame moves the player toward its destination for ms milliseconds. At a solid the player slides along the axis that is free.
func (c *slider) frame(t *rapid.T, now, ms int64) {
	if len(c.round) > 0 {
		if Arrived(c.pos, c.destX, c.destZ) {
			c.next++
		}
		to := c.round[c.next%len(c.round)]
		c.destX, c.destZ = to.X, to.Z
	} else if now >= c.retargetAt {
		c.retargetAt = now + rapid.SampledFrom([]int64{100, 300, 1000, 3000}).Draw(t, "mind ms")
		c.destX, c.destZ = rapid.Float32Range(-60, 60).Draw(t, "dest x"), rapid.Float32Range(-60, 60).Draw(t, "dest z")
	}
	const steps = 4
	units := UnitsPerSecond(c.value, 100, true, false) * float32(ms) / 1000 / steps
	for range steps {
		to := WalkToward(c.pos, c.destX, c.destZ, units, Euclidean)
		for _, p := range [...]geom.Vec{to, {X: to.X, Z: c.pos.Z}, {X: c.pos.X, Z: to.Z}} {
			if c.free(p) {
				c.pos = p
				break
			}
		}
	}
}

// village has pillars, a fence of several pieces, a house with a door, and crates to step onto.
func village() []terrain.Solid {
	list := []terrain.Solid{
		slab(10, 0, 10, 17, 12, 17), slab(-20, 0, 12, -19, 12, 13), slab(-30, 0, -30, -23, 12, -27),
		slab(20, 0, -30, 48, 12, -29), slab(20, 0, -8, 48, 12, -7), slab(47, 0, -29, 48, 12, -8), slab(20, 0, -29, 21, 12, -22), slab(20, 0, -15, 21, 12, -8),
		slab(-10, 0, -20, 4, 2, -8), slab(30, 7, 20, 50, 9, 40),
	}
	for i := range 6 { // few solids: the search for a path around walls considers at most twelve
		x := float32(-40 + 6*i)
		list = append(list, slab(x, 0, 30, x+6, 5, 30.5))
	}
	return list
}

// aroundCorners is a route that leads in and out through the door of the house, close along its walls, and back and
// forth around the end of the fence.
var aroundCorners = []geom.Vec{
	{X: 0, Z: 0}, {X: 5, Z: -31}, {X: 40, Z: -31}, {X: 19, Z: -31}, {X: 19, Z: -21}, {X: 22, Z: -20}, {X: 40, Z: -27}, {X: 22, Z: -16}, {X: 19, Z: -16}, {X: 19, Z: -6},
	{X: -20, Z: 29}, {X: -3, Z: 29}, {X: -3, Z: 31.5}, {X: -30, Z: 31.5}, {X: -3, Z: 31.5}, {X: -3, Z: 29}, {X: -30, Z: 29},
	{X: -3, Z: 29}, {X: -3, Z: 31.5}, {X: -15, Z: 31.5}, {X: -3, Z: 31.5}, {X: -3, Z: 29}, {X: 5, Z: 0},
}

// line is the connection of a client with delay, jitter and loss. At times it stalls: it delivers nothing for a while and
// then everything at once. At most two consecutive claims are lost.
type line struct {
	delay, jitter int64 // one-way delay and its maximum random extra, both in ms
	losses        int   // percent of claims lost
	newest        int64 // arrival time in ms of the newest claim
	stalled       int64 // time in ms at which the current stall ends
	lost          int   // consecutive lost claims
	inFlight      []delayedClaim
}

func (l *line) send(t *rapid.T, now int64, c Claim) {
	if now >= l.stalled && rapid.IntRange(0, 49).Draw(t, "stall") == 49 {
		l.stalled = now + rapid.Int64Range(100, 2000).Draw(t, "stall ms")
	}
	if l.lost < 2 && rapid.IntRange(1, 100).Draw(t, "loss") > 100-l.losses {
		l.lost++
		return
	}
	l.lost = 0
	l.newest = max(l.newest, l.stalled, now+l.delay+rapid.Int64Range(0, l.jitter).Draw(t, "late"))
	l.inFlight = append(l.inFlight, delayedClaim{l.newest, c})
}

// The claims of a client that slides along walls and runs close around corners at full speed are never rejected. It
// sends a claim every 140 to 200 ms over a network with delay, jitter and loss.
func TestClaimsOfHonestClientAmongWallsAreNeverRejected(t *testing.T) {
	solids := village()
	in := sceneOf(t, solids...)
	rapid.Check(t, func(t *rapid.T) {
		c := slider{solids: solids, radius: rapid.SampledFrom([]float32{0.05, 0.3, 0.9}).Draw(t, "radius"),
			value: rapid.SampledFrom([]int32{50, 100, 200}).Draw(t, "speed")}
		if rapid.Bool().Draw(t, "round corners") {
			c.round = aroundCorners
		}
		l := line{delay: rapid.SampledFrom([]int64{0, 100, 300}).Draw(t, "delay"),
			jitter: rapid.SampledFrom([]int64{0, 60, 150}).Draw(t, "jitter"), losses: rapid.SampledFrom([]int{0, 5, 20}).Draw(t, "losses")}
		p, share := StrictClaimPolicy(), SpeedShare(c.value, 100)
		var s ClaimState
		p.Reset(&s, 0)
		var pos geom.Vec
		var v ClaimVerdict
		next := int64(0)
		for now := int64(0); now < 60_000; now += frameMS {
			c.frame(t, now, frameMS)
			if now >= next {
				next = now + rapid.Int64Range(140, 200).Draw(t, "every")
				l.send(t, now, Claim{X: c.pos.X, Z: c.pos.Z, DestX: c.destX, DestZ: c.destZ, Running: true})
			}
			if now%tickMS != 0 {
				continue
			}
			for len(l.inFlight) > 0 && l.inFlight[0].arrives <= now {
				v = p.JudgeIn(in, &s, pos, share, l.inFlight[0].claim, l.inFlight[0].arrives)
				if v.Held != reason.None {
					t.Fatalf("at %d ms from %v to %+v: %+v, state %+v", now, pos, l.inFlight[0].claim, v, s)
				}
				pos, l.inFlight = v.Pos, l.inFlight[1:]
			}
			pos = WalkWithWalls(in.Walls, false, pos, v.DestX, v.DestZ, UnitsPerSecond(c.value, 100, v.Running, false)*tickMS/1000, Euclidean)
		}
	})
}

func BenchmarkClaim(b *testing.B) {
	var solids []terrain.Solid
	for i := range 1000 {
		x, z := float32(i%32*40), float32(i/32*40)
		solids = append(solids, slab(x, 0, z, x+20, 12, z+1))
	}
	in := sceneOf(b, solids...)
	for name, hop := range map[string]float32{"clear": 2, "round": -2} {
		b.Run(name+"/solids=1000", func(b *testing.B) {
			b.ReportAllocs()
			p, s := entered()
			from := geom.Vec{X: 419, Z: 199.5}
			if hop < 0 {
				from = geom.Vec{X: 418, Z: 199.5}
			}
			for i := int64(0); b.Loop(); i++ {
				to := from
				if hop < 0 && i&1 == 0 {
					to.Z = 201.5 // the destination lies beyond the wall
				} else if i&1 == 0 {
					to.X += hop
				}
				pos := from
				if i&1 == 1 && hop < 0 {
					pos.Z = 201.5
				}
				p.JudgeIn(in, &s, pos, 1, Claim{X: to.X, Z: to.Z}, i*200)
			}
		})
	}
}
