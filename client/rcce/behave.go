package rcce

import (
	"math"
	"time"

	"github.com/truestep-io/truestep/sim/geom"
)

// Wander walks to one random point after the other, with a pause now and then.
type Wander struct {
	Home   *geom.Vec     // the middle of its range; nil: where it stands when it begins, and again after a change of area
	Radius float32       // units; 0: 150
	Chat   time.Duration // it says something about so often; 0: never

	// Clear tells whether nothing stands between two points, which a client with a screen sees; nil: nothing does.
	Clear func(from, to geom.Vec) bool

	home   geom.Vec
	area   uint32
	rest   time.Time // it stands until then
	speaks time.Time
}

const (
	wanderRadius = 150
	wanderRuns   = 0.3 // share of the ways that it runs
	wanderRests  = 0.2 // share of the ways after which it rests
	longestRest  = 3 * time.Second
	wanderTries  = 8  // points that it thinks of until one is in sight; without one it stands
	tired        = 40 // energy below which it does not set out at a run
)

// Act walks on.
func (w *Wander) Act(p *Player) {
	w.settle(p)
	w.talk(p)
	if p.Walking() || p.Now().Before(w.rest) {
		return
	}
	r := p.Rand()
	if r.Float32() < wanderRests {
		w.rest = p.Now().Add(time.Duration(r.Int64N(int64(longestRest))))
	}
	radius := w.Radius
	if radius <= 0 {
		radius = wanderRadius
	}
	energy := p.World().Self.Energy
	for range wanderTries {
		x, z := within(r.Float64(), r.Float64(), radius)
		to := geom.Vec{X: w.home.X + x, Y: p.Pos().Y, Z: w.home.Z + z}
		if w.Clear == nil || w.Clear(p.Pos(), to) {
			p.WalkTo(to.X, to.Z, r.Float32() < wanderRuns && (energy < 0 || energy >= tired))
			return
		}
	}
}

// settle finds the middle of the range.
func (w *Wander) settle(p *Player) {
	if world := p.World(); w.area != world.Handle {
		first := w.area == 0
		w.area = world.Handle
		w.home = p.Pos()
		if w.Home != nil && first {
			w.home = *w.Home
		}
	}
}

func (w *Wander) talk(p *Player) {
	if w.Chat <= 0 || p.Now().Before(w.speaks) {
		return
	}
	if !w.speaks.IsZero() {
		p.Say("Has anybody seen my hen?")
	}
	w.speaks = p.Now().Add(w.Chat/2 + time.Duration(p.Rand().Int64N(int64(w.Chat))))
}

// within is a point in a circle, evenly spread, from two numbers of 0..1.
func within(a, b float64, radius float32) (x, z float32) {
	r := float64(radius) * math.Sqrt(a)
	sin, cos := math.Sincos(2 * math.Pi * b)
	return float32(r * cos), float32(r * sin)
}

// Fight goes to the nearest NPC that can be fought, strikes it until it is dead, and looks for the next one. Who cannot
// be fought it learns by trying.
type Fight struct {
	Persons bool // strikes players too, in areas where they may be struck

	// Spare, if not nil, says whom it never attacks. Clear tells whether nothing stands between two points; nil: nothing
	// does.
	Spare func(a Actor) bool
	Clear func(from, to geom.Vec) bool

	Delay time.Duration // between two blows, the server's CombatDelay; 0: 1 s
	Reach float32       // units from which it strikes; 0: 5 (bare hands reach 7 and both radii)
	Home  *geom.Vec     // the middle of the range in which it looks for targets; nil: itself
	Range float32       // units; 0: 400

	target  uint16
	struck  bool // the target has been struck, so it can be
	tries   int  // blows since the target was chosen or struck
	next    time.Time
	look    time.Time
	peace   map[uint16]bool // templates that cannot be fought
	chasing time.Time       // since when
}

const (
	fightDelay   = time.Second
	fightReach   = 5
	fightRange   = 400
	fightTries   = 4                // blows without an answer after which a kind of actor is left in peace
	fightChase   = 20 * time.Second // after which a target that was never struck is given up
	lookEvery    = 500 * time.Millisecond
	delayReserve = 1.05 // blows that come too soon are lost, so wait a little longer
)

// Act goes on with the fight. It does nothing while there is nobody to fight.
func (f *Fight) Act(p *Player) { f.act(p) }

// act tells whether there is a fight.
func (f *Fight) act(p *Player) bool {
	if p.Struck() == f.target && f.target != 0 {
		f.struck, f.tries = true, 0
	}
	target, ok := p.World().Actor(f.target)
	if !ok || target.HealthMax > 0 && target.Health <= 0 {
		if target, ok = f.choose(p); !ok {
			return false
		}
	}
	reach := f.Reach
	if reach <= 0 {
		reach = fightReach
	}
	if geom.DistXZ(target.Pos, p.Pos()) > reach {
		f.approach(p, target)
		return true
	}
	p.Stop()
	f.strike(p, target)
	return true
}

func (f *Fight) approach(p *Player, a Actor) {
	if !f.struck && p.Now().Sub(f.chasing) > fightChase {
		f.giveUp(a)
		return
	}
	if f.Clear != nil && !f.Clear(p.Pos(), a.Pos) {
		p.Stop()
		f.target = 0
		return
	}
	if b := &p.c.body; !b.walking || geom.DistXZ(b.dest, a.Pos) > 1 {
		p.WalkTo(a.Pos.X, a.Pos.Z, p.World().Self.Energy < 0 || p.World().Self.Energy >= tired)
	}
}

func (f *Fight) strike(p *Player, a Actor) {
	if p.Now().Before(f.next) {
		return
	}
	if f.tries >= fightTries {
		f.giveUp(a)
		return
	}
	delay := f.Delay
	if delay <= 0 {
		delay = fightDelay
	}
	f.next = p.Now().Add(time.Duration(float64(delay) * delayReserve))
	f.tries++
	p.Attack(a.RuntimeID)
}

// giveUp leaves a kind of actor in peace, unless one of it has been struck: then only this one is out of reach.
func (f *Fight) giveUp(a Actor) {
	if !f.struck && !a.Player {
		if f.peace == nil {
			f.peace = map[uint16]bool{}
		}
		f.peace[a.Template] = true
	}
	f.target = 0
}

// choose picks the nearest NPC that may be worth a try.
func (f *Fight) choose(p *Player) (best Actor, ok bool) {
	f.target = 0
	if p.Now().Before(f.look) {
		return Actor{}, false
	}
	f.look = p.Now().Add(lookEvery)
	most := f.Range
	if most <= 0 {
		most = fightRange
	}
	w, middle, nearest := p.World(), p.Pos(), float32(math.Inf(1))
	if f.Home != nil {
		middle = *f.Home
	}
	for _, rid := range w.here {
		t, face := &w.tracks[rid], &w.faces[rid]
		if face.player && !(f.Persons && w.PvP) || face.healthMax > 0 && face.health <= 0 || !face.player && f.peace[face.template] {
			continue
		}
		at := geom.Vec{X: t.x, Z: t.z}
		if d := geom.Dist2XZ(at, p.Pos()); d < nearest && geom.DistXZ(at, middle) < most && f.wants(p, rid, at) {
			nearest, ok = d, true
			f.target = rid
		}
	}
	if !ok {
		return Actor{}, false
	}
	f.struck, f.tries, f.chasing = false, 0, p.Now()
	return w.Actor(f.target)
}

// wants tells whether the options leave an actor to it.
func (f *Fight) wants(p *Player, rid uint16, at geom.Vec) bool {
	if f.Clear != nil && !f.Clear(p.Pos(), at) {
		return false
	}
	if f.Spare == nil {
		return true
	}
	a, ok := p.World().Actor(rid)
	return ok && !f.Spare(a)
}

// Active tells whether there is somebody whom it fights.
func (f *Fight) Active() bool { return f.target != 0 }

// Mixed fights for a while and wanders for a while. It wanders while there is nobody to fight.
type Mixed struct {
	Fight  Fight
	Wander Wander

	fighting bool
	until    time.Time
}

const mixedSpell = 20 * time.Second // a spell of fighting or wandering, on average

// Act goes on with whichever it is.
func (m *Mixed) Act(p *Player) {
	m.Wander.settle(p)
	m.Wander.talk(p)
	if p.Now().After(m.until) {
		m.until = p.Now().Add(mixedSpell/2 + time.Duration(p.Rand().Int64N(int64(mixedSpell))))
		m.fighting = p.Rand().IntN(2) == 0
	}
	if !m.fighting || !m.Fight.act(p) {
		m.Wander.Act(p)
	}
}
