package rcce

import (
	"math"
	"testing"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
)

// renderedActor simulates the position at which a client draws another actor, at 30 frames per second: the client walks the
// actor toward its destination, and in each frame corrects it by a twentieth of the distance to the last received position.
// Source: docs/decisions/0002-euclidean-step.md, what clients do.
type renderedActor struct {
	x, z       float64
	lastUpdate proto.StandardUpdate
	speedShare float64 // speed as a share of full speed
}

func (d *renderedActor) renderFrame() {
	units := 1.5 * d.speedShare
	if d.lastUpdate.IsRunning != 0 {
		units *= 2
	}
	dx, dz := float64(d.lastUpdate.DestX)-d.x, float64(d.lastUpdate.DestZ)-d.z
	if far := math.Hypot(dx, dz); math.Abs(dx) > 0.5 || math.Abs(dz) > 0.5 {
		d.x += dx / far * min(units, far)
		d.z += dz / far * min(units, far)
	}
	d.x += (float64(d.lastUpdate.X) - d.x) / 20
	d.z += (float64(d.lastUpdate.Z) - d.z) / 20
}

// movementPattern describes how an actor moves: its true position and its destination at each time, and the flags, motion and
// gait that frames contain.
type movementPattern struct {
	flags  sim.Flags
	motion sim.Motion
	at     func(sec float64) (x, z float64)
	dest   func(sec float64) (x, z float64)
	run    bool
}

// renderFor30s simulates a client's display of an actor for 30 s. It returns the largest step between two frames, the share
// of frames in which the actor stands still, the delay of the display, and the mean distance from the true position at that
// delay.
func renderFor30s(w *sim.World, pattern movementPattern) (largestStep, stillShare float64, delayMS int, apartUnits float64) {
	a := sim.ActorState{Body: &sim.Body{Template: human}, Flags: pattern.flags, Motion: pattern.motion, Speed: 50, SpeedMax: 50}
	if pattern.run {
		a.Flags |= sim.FlagRunning
	}
	state := func(sec float64) {
		x, z := pattern.at(sec)
		a.Pos = geom.Vec{X: float32(x), Z: float32(z)}
		x, z = pattern.dest(sec)
		a.DestX, a.DestZ = float32(x), float32(z)
	}
	state(0)
	first := newActor(w, 0, 1, &a)
	d := renderedActor{x: float64(a.Pos.X), z: float64(a.Pos.Z), speedShare: float64(first.Speed) / float64(first.SpeedMax)}
	d.lastUpdate = standardUpdate(1, 0, &a)
	var xs, zs, tx, tz []float64
	for f := range 900 {
		sec := float64(f) / 30
		if f%6 == 0 { // a broadcast every 200 ms contains the state of the last tick
			state(math.Floor(sec*20) / 20)
			d.lastUpdate = standardUpdate(1, 0, &a)
		}
		d.renderFrame()
		xs, zs = append(xs, d.x), append(zs, d.z)
		x, z := pattern.at(sec)
		tx, tz = append(tx, x), append(tz, z)
	}
	way, stood := 0.0, 0
	for i := 60; i < len(xs); i++ {
		step := math.Hypot(xs[i]-xs[i-1], zs[i]-zs[i-1])
		largestStep, way = max(largestStep, step), way+step
	}
	for i := 60; i < len(xs); i++ {
		if math.Hypot(xs[i]-xs[i-1], zs[i]-zs[i-1]) < way/840/4 {
			stood++
		}
	}
	apartUnits = math.Inf(1)
	for lag := range 40 {
		sum := 0.0
		for i := 60; i < len(xs); i++ {
			sum += math.Hypot(xs[i]-tx[i-lag], zs[i]-tz[i-lag])
		}
		if mean := sum / 840; mean < apartUnits {
			delayMS, apartUnits = lag*1000/30, mean
		}
	}
	return largestStep, float64(stood) / 840, delayMS, apartUnits
}

// pathMotion returns the motion of a player under path authority on tiles of the given size in units.
func pathMotion(units float32) sim.Motion {
	return sim.Motion{OwnSpeed: true, FacesYaw: true, WalkSpeed: units / 0.6, RunSpeed: units / 0.3}
}

// predictMotion returns the motion of a player under predict authority on blocks of 3.5 units, at the given share of full
// speed.
func predictMotion(share float32) sim.Motion {
	return sim.Motion{OwnSpeed: true, FacesYaw: true, WalkSpeed: 4.317 * 3.5 * share, RunSpeed: 5.612 * 3.5 * share}
}

// pathPattern returns the movement of a player under path authority on tiles of 7 units. steps is the number of tiles per
// cycle.
func pathPattern(steps float64, dx, dz float64) movementPattern {
	tile := func(n float64) (x, z float64) { return n * steps * 7 * dx, n * steps * 7 * dz }
	return movementPattern{
		flags: sim.FlagPlayer, motion: pathMotion(7), run: steps > 1,
		at:   func(sec float64) (x, z float64) { return tile(sec / 0.6) },
		dest: func(sec float64) (x, z float64) { return tile(math.Floor(sec/0.6) + 1) },
	}
}

// predictPattern returns the pattern of a player at constant speed with a destination four ticks ahead.
func predictPattern(units float64, run bool) movementPattern {
	at := func(sec float64) (x, z float64) { return units * sec * 0.6, units * sec * 0.8 }
	return movementPattern{flags: sim.FlagPlayer, motion: predictMotion(1), run: run, at: at, dest: func(sec float64) (x, z float64) { return at(sec + 0.2) }}
}

// Section "Delays" of docs/one-world.md: RealmCrafter clients draw players of path and predict authority smoothly and without delay.
func TestMotionOfOtherPlayersIsDrawnSmoothlyAndOnTime(t *testing.T) {
	w := twoFields()
	def := &w.Areas[0]
	def.Tiles = terrain.TileGrid{UnitsPerTile: 7, BaseX: 3200, BaseZ: 3200}
	def.BlockGrid = terrain.BlockGrid{UnitsPerBlock: 3.5}
	const walk, sprint = 4.317 * 3.5, 5.612 * 3.5
	claim := func(units float64) movementPattern {
		at := func(sec float64) (x, z float64) { return units * sec, 0 }
		return movementPattern{flags: sim.FlagPlayer, run: units > 50, at: at, dest: func(sec float64) (x, z float64) { return at(sec + 3) }}
	}
	for _, c := range []struct {
		desc       string
		pattern    movementPattern
		maxStep    float64 // largest allowed step in units per frame
		maxDelayMS int     // largest allowed delay in ms
	}{
		{"a claim that walks, for comparison", claim(45), 1.75, 100},
		{"a claim that runs, for comparison", claim(90), 3.5, 100},
		{"a walk on tiles", pathPattern(1, 1, 0), 0.5, 200},
		{"a diagonal walk on tiles", pathPattern(1, 1, 1), 0.7, 300},
		{"a run on tiles", pathPattern(2, 1, 0), 1.0, 200},
		{"a diagonal run on tiles", pathPattern(2, 1, 1), 1.4, 300},
		{"a predicted player that walks", predictPattern(walk, false), 0.6, 200},
		{"a predicted player that sprints", predictPattern(sprint, true), 0.9, 200},
	} {
		largest, still, maxDelayMS, apart := renderFor30s(w, c.pattern)
		t.Logf("%-36s largest step %.2f units in a frame, stands in %.0f %% of the frames, %d ms behind, then %.2f units apart", c.desc, largest, 100*still, maxDelayMS, apart)
		if largest > c.maxStep || still > 0.01 || maxDelayMS > c.maxDelayMS || apart > 2 {
			t.Errorf("%s: steps of %.2f units, stands in %.0f %%, %d ms behind and %.2f units apart", c.desc, largest, 100*still, maxDelayMS, apart)
		}
	}
}

// Clients move an actor at 45 units/s times Speed/SpeedMax. The NewActor packet contains values with which this product is
// the actor's real speed, also on tiles and on blocks.
func TestNewActorPacketContainsSpeedAtWhichClientsDrawMovement(t *testing.T) {
	w := twoFields()
	def := &w.Areas[0]
	def.Tiles.UnitsPerTile, def.BlockGrid.UnitsPerBlock = 7, 3.5
	for _, c := range []struct {
		desc            string
		motion          sim.Motion
		value           int32
		speed, speedMax uint16
	}{
		{"a claim", sim.Motion{}, 30, 30, 50},
		{"an npc", sim.Motion{}, 50, 50, 50},
		{"on tiles: 7 units in 600 ms", pathMotion(7), 30, 259, 1000},
		{"on blocks: 3.7 blocks of 3.5 units per second", predictMotion(1), 50, 288, 1000},
		{"on blocks, slowed to half", predictMotion(0.5), 25, 144, 1000},
		{"on blocks, rooted", predictMotion(0), 0, 1, 1000},
	} {
		a := &sim.ActorState{Body: &sim.Body{Template: human}, Flags: sim.FlagPlayer, Motion: c.motion, Speed: c.value, SpeedMax: 50}
		if p := newActor(w, 0, 1, a); p.Speed != c.speed || p.SpeedMax != c.speedMax {
			t.Errorf("%s: speed %d of %d, want %d of %d", c.desc, p.Speed, p.SpeedMax, c.speed, c.speedMax)
		}
	}
	a := &sim.ActorState{Body: &sim.Body{Template: human}, Flags: sim.FlagPlayer, Motion: pathMotion(65536)}
	if p := newActor(w, 0, 1, a); p.Speed != 65535 {
		t.Errorf("tiles of 65536 units: speed %d, want 65535", p.Speed)
	}
}
