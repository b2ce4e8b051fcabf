package rcce

import (
	"math"
	"time"

	"github.com/truestep-io/truestep/sim/geom"
)

// Wander is a Behaviour that walks to random points around a centre. After some walks it stands still for up to 3 s.
type Wander struct {
	Centre *geom.Vec     // centre of the walks in the first area; nil and all later areas: the position at which the player arrives
	Radius float32       // maximum distance from the centre, in units; 0 selects 150
	Chat   time.Duration // average interval between chat lines; 0 disables chat

	// LineOfSight reports whether nothing blocks the straight line between two points. If it is nil, no line is blocked.
	LineOfSight func(from, to geom.Vec) bool

	home   geom.Vec  // centre of the current walks
	area   uint32    // handle of the area in which home lies; 0 before the first Act
	rest   time.Time // time when the rest ends
	speaks time.Time // time of the next chat line
}

const (
	wanderRadius  = 150             // default of Wander.Radius, in units
	runChance     = 0.3             // probability of running on a walk
	restChance    = 0.2             // probability of a rest after a walk
	longestRest   = 3 * time.Second // maximum duration of a rest
	maxPointTries = 8               // number of random points that are checked for line of sight; if none is in sight, the player stays
	minRunEnergy  = 40              // energy below which a walk does not start as a run
)

// Act continues the walk or the rest. When neither is in progress, it starts a new walk.
func (w *Wander) Act(p *Player) {
	w.updateCentre(p)
	w.chat(p)
	if p.Walking() || p.Now().Before(w.rest) {
		return
	}
	r := p.Rand()
	if r.Float32() < restChance {
		w.rest = p.Now().Add(time.Duration(r.Int64N(int64(longestRest))))
	}
	radius := w.Radius
	if radius <= 0 {
		radius = wanderRadius
	}
	energy := p.World().Self.Energy
	for range maxPointTries {
		x, z := randomInCircle(r.Float64(), r.Float64(), radius)
		to := geom.Vec{X: w.home.X + x, Y: p.Pos().Y, Z: w.home.Z + z}
		if w.LineOfSight == nil || w.LineOfSight(p.Pos(), to) {
			p.WalkTo(to.X, to.Z, r.Float32() < runChance && (energy < 0 || energy >= minRunEnergy))
			return
		}
	}
}

// updateCentre updates w.home, the centre of the walks, when the player has entered another area. The centre is the player's
// position there, except in the first area, where it is the field Centre if this is set.
func (w *Wander) updateCentre(p *Player) {
	if world := p.World(); w.area != world.Handle {
		first := w.area == 0
		w.area = world.Handle
		w.home = p.Pos()
		if w.Centre != nil && first {
			w.home = *w.Centre
		}
	}
}

func (w *Wander) chat(p *Player) {
	if w.Chat <= 0 || p.Now().Before(w.speaks) {
		return
	}
	if !w.speaks.IsZero() {
		p.Say("Has anybody seen my hen?")
	}
	w.speaks = p.Now().Add(w.Chat/2 + time.Duration(p.Rand().Int64N(int64(w.Chat))))
}

// randomInCircle returns a random point of the circle with the given radius around the origin. The parameters a and b are random
// numbers from 0 to 1. If they are uniformly distributed, the points are uniformly distributed in the circle.
func randomInCircle(a, b float64, radius float32) (x, z float32) {
	r := float64(radius) * math.Sqrt(a)
	sin, cos := math.Sincos(2 * math.Pi * b)
	return float32(r * cos), float32(r * sin)
}

// Fight is a Behaviour that walks to the nearest NPC that can be attacked, attacks it until it is dead, and selects the next one.
// If the server reports neither hits nor misses for its attacks on an NPC, Fight avoids all NPCs of that template.
type Fight struct {
	Players bool // attack players too, in areas that allow it

	// Exclude reports whether the actor "a" must not be attacked. If Exclude is nil, no actor is excluded.
	Exclude func(a Actor) bool
	// LineOfSight reports whether nothing blocks the straight line between two points. If it is nil, no line is blocked.
	LineOfSight func(from, to geom.Vec) bool

	Delay  time.Duration // time between two attacks, which should equal the server's CombatDelay; 0 selects 1 s
	Reach  float32       // maximum attack distance in units; 0 selects 5 (with bare hands the server allows 7 plus the radii of both actors)
	Centre *geom.Vec     // centre of the circle in which targets are selected; nil selects the own position
	Range  float32       // radius in units of the circle in which targets are selected; 0 selects 400

	target    uint16          // runtime id of the target, 0 if there is none
	targetHit bool            // the server has reported a hit or a miss on the target, so the target can be attacked
	attempts  int             // attacks since the target was selected, or since the server last answered an attack on the target
	next      time.Time       // earliest time of the next attack
	look      time.Time       // earliest time of the next search for a target
	avoided   map[uint16]bool // actor templates whose actors cannot be attacked
	chasing   time.Time       // time when the target was selected
}

const (
	fightDelay   = time.Second            // default of Fight.Delay
	fightReach   = 5                      // default of Fight.Reach, in units
	fightRange   = 400                    // default of Fight.Range, in units
	maxAttempts  = 4                      // attacks without a reported hit or miss after which the target's template is avoided
	maxChase     = 20 * time.Second       // time after which a target is avoided if the server has reported neither a hit nor a miss on it
	lookEvery    = 500 * time.Millisecond // time between two searches for a target
	delayReserve = 1.05                   // factor by which Delay is multiplied, because the server drops an attack that is too early
)

// Act continues the fight, or selects a target. If no target is in range, it does nothing.
func (f *Fight) Act(p *Player) { f.act(p) }

// act continues the fight or selects a target. It returns whether there is a target.
func (f *Fight) act(p *Player) bool {
	if p.LastHit() == f.target && f.target != 0 {
		f.targetHit, f.attempts = true, 0
	}
	target, ok := p.World().Actor(f.target)
	if !ok || target.HealthMax > 0 && target.Health <= 0 {
		if target, ok = f.chooseTarget(p); !ok {
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
	f.attack(p, target)
	return true
}

func (f *Fight) approach(p *Player, a Actor) {
	if !f.targetHit && p.Now().Sub(f.chasing) > maxChase {
		f.avoidTarget(a)
		return
	}
	if f.LineOfSight != nil && !f.LineOfSight(p.Pos(), a.Pos) {
		p.Stop()
		f.target = 0
		return
	}
	if b := &p.c.body; !b.walking || geom.DistXZ(b.dest, a.Pos) > 1 {
		p.WalkTo(a.Pos.X, a.Pos.Z, p.World().Self.Energy < 0 || p.World().Self.Energy >= minRunEnergy)
	}
}

func (f *Fight) attack(p *Player, a Actor) {
	if p.Now().Before(f.next) {
		return
	}
	if f.attempts >= maxAttempts {
		f.avoidTarget(a)
		return
	}
	delay := f.Delay
	if delay <= 0 {
		delay = fightDelay
	}
	f.next = p.Now().Add(time.Duration(float64(delay) * delayReserve))
	f.attempts++
	p.Attack(a.RuntimeID)
}

// avoidTarget abandons the target. If the server has reported a hit or miss on the target, the target was only out of reach.
// Otherwise, if the target is an NPC, it can probably not be attacked, and avoidTarget excludes all NPCs of its template.
func (f *Fight) avoidTarget(a Actor) {
	if !f.targetHit && !a.Player {
		if f.avoided == nil {
			f.avoided = map[uint16]bool{}
		}
		f.avoided[a.Template] = true
	}
	f.target = 0
}

// chooseTarget selects and returns the nearest actor that may be attacked: within Range of Centre, accepted by isAllowed, and not
// of an avoided template.
func (f *Fight) chooseTarget(p *Player) (best Actor, ok bool) {
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
	if f.Centre != nil {
		middle = *f.Centre
	}
	for _, rid := range w.known {
		t, face := &w.tracks[rid], &w.infos[rid]
		if face.player && !(f.Players && w.PvP) || face.healthMax > 0 && face.health <= 0 || !face.player && f.avoided[face.template] {
			continue
		}
		at := geom.Vec{X: t.x, Z: t.z}
		if d := geom.Dist2XZ(at, p.Pos()); d < nearest && geom.DistXZ(at, middle) < most && f.isAllowed(p, rid, at) {
			nearest, ok = d, true
			f.target = rid
		}
	}
	if !ok {
		return Actor{}, false
	}
	f.targetHit, f.attempts, f.chasing = false, 0, p.Now()
	return w.Actor(f.target)
}

// isAllowed reports whether LineOfSight and Exclude allow an attack on the actor with the runtime id rid, which is at the point
// "at".
func (f *Fight) isAllowed(p *Player, rid uint16, at geom.Vec) bool {
	if f.LineOfSight != nil && !f.LineOfSight(p.Pos(), at) {
		return false
	}
	if f.Exclude == nil {
		return true
	}
	a, ok := p.World().Actor(rid)
	return ok && !f.Exclude(a)
}

// HasTarget reports whether Fight is attacking, or walking to, an actor.
func (f *Fight) HasTarget() bool { return f.target != 0 }

// FightOrWander alternates between Fight and Wander. While Fight has no target, it wanders.
type FightOrWander struct {
	Fight  Fight  // how the player fights
	Wander Wander // how the player walks while it does not fight

	fighting bool      // true while Fight controls the player, false while Wander does
	until    time.Time // time at which Act chooses again between Fight and Wander
}

const mixedPeriod = 20 * time.Second // average period of fighting or wandering

// Act does what Fight or Wander does. Every 20 s on average it chooses one of the two at random.
func (m *FightOrWander) Act(p *Player) {
	m.Wander.updateCentre(p)
	m.Wander.chat(p)
	if p.Now().After(m.until) {
		m.until = p.Now().Add(mixedPeriod/2 + time.Duration(p.Rand().Int64N(int64(mixedPeriod))))
		m.fighting = p.Rand().IntN(2) == 0
	}
	if !m.fighting || !m.Fight.act(p) {
		m.Wander.Act(p)
	}
}
