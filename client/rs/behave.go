package rs

import (
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// Wander is a Behaviour that walks to random tiles around a centre and sometimes rests.
type Wander struct {
	Centre *proto.Tile   // centre of the walks; nil selects the tile at the start
	Radius int           // maximum distance from the centre on each axis, in tiles; 0 selects 20
	Run    bool          // run on every walk; otherwise on some walks
	Chat   time.Duration // average interval between chat lines; 0 disables chat

	centre     proto.Tile // centre of the current walks; valid if hasCentre is true
	hasCentre  bool
	walking    bool       // a walk is in progress
	lastTile   proto.Tile // tile at the last Act
	idleCycles int        // consecutive cycles on lastTile
	restCycles int        // remaining cycles of a rest
	nextChat   time.Time  // earliest time of the next chat line
}

const (
	wanderRadius  = 20  // default of Wander.Radius, in tiles
	runChance     = 0.3 // probability of running on a walk
	restChance    = 0.2 // probability of a rest after a walk
	maxRestCycles = 5   // maximum length of a rest in cycles
	arrivedAfter  = 3   // cycles on one tile after which a walk counts as ended (arrived, blocked or refused)
	clickMargin   = 2   // tiles at the edge of the map on which WalkTo does not click
)

// Act continues the walk, rests or starts a new walk.
func (w *Wander) Act(p *Player) {
	w.updateCentre(p)
	w.chat(p)
	at := p.World().Tile()
	if w.lastTile != at {
		w.lastTile, w.idleCycles = at, 0
	} else {
		w.idleCycles++
	}
	if w.walking && w.idleCycles < arrivedAfter {
		return
	}
	if w.restCycles > 0 {
		w.restCycles--
		return
	}
	r := p.Rand()
	if r.Float32() < restChance {
		w.restCycles = 1 + r.IntN(maxRestCycles)
	}
	radius := w.Radius
	if radius <= 0 {
		radius = wanderRadius
	}
	x := int(w.centre.X) + r.IntN(2*radius+1) - radius
	z := int(w.centre.Z) + r.IntN(2*radius+1) - radius
	w.walking, w.idleCycles = true, 0
	p.WalkTo(x, z, w.Run || r.Float32() < runChance)
}

// updateCentre sets the centre of the walks. The first centre is the field Centre or, if this is not set, the player's tile. When
// the player is on another plane or farther away than maxCentreDistance, its tile becomes the new centre.
func (w *Wander) updateCentre(p *Player) {
	at := p.World().Tile()
	if !w.hasCentre && w.Centre != nil {
		w.centre, w.hasCentre = *w.Centre, true
	}
	if !w.hasCentre || at.Plane != w.centre.Plane || !at.Within(w.centre, maxCentreDistance) {
		w.centre, w.hasCentre = at, true
	}
}

const maxCentreDistance = 512 // distance in tiles at which the player gives up walking back to the centre

func (w *Wander) chat(p *Player) {
	if w.Chat <= 0 || p.Now().Before(w.nextChat) {
		return
	}
	if !w.nextChat.IsZero() {
		p.Say("Has anybody seen my hen?")
	}
	w.nextChat = p.Now().Add(w.Chat/2 + time.Duration(p.Rand().Int64N(int64(w.Chat))))
}

// WalkTo clicks on the tile x,z, or on the nearest tile inside the map if x,z is at the edge of the map or outside.
func (p *Player) WalkTo(x, z int, running bool) {
	s := p.World().Scene
	x = min(max(x, s.X+clickMargin, 0), s.X+s.Tiles-1-clickMargin, proto.MaxCoord)
	z = min(max(z, s.Z+clickMargin, 0), s.Z+s.Tiles-1-clickMargin, proto.MaxCoord)
	p.Walk(uint16(x), uint16(z), running != p.World().Running)
}

// Fight is a Behaviour that attacks the nearest player until that player dies or leaves, and then the next one. An attacker
// faces its target. If the client's player does not face the target after a click on "Attack", the server has refused the
// attack, and Fight avoids that target for 100 cycles.
type Fight struct {
	Centre *proto.Tile // centre of the square in which targets are selected; nil selects the own tile
	Range  int         // maximum distance of targets from Centre on each axis, in tiles; 0 selects 14

	// Exclude reports whether the player with the given name must not be attacked; nil excludes no player.
	Exclude func(name string) bool

	target     proto.Index         // index of the target, 0 if there is none
	faced      bool                // the client's player has faced the target
	waitCycles int                 // cycles since the attack was requested; not counted once the player has faced the target
	avoidUntil map[proto.Index]int // by player index: cycle until which that player is avoided
}

const (
	fightRange    = 14  // default of Fight.Range in tiles, equal to the view range
	maxWaitCycles = 10  // number of cycles without facing a target after which the target is avoided
	avoidCycles   = 100 // cycles for which a target is avoided; afterwards the target's index may belong to another player
)

// Act continues the fight or attacks a new target. It does nothing without a target.
func (f *Fight) Act(p *Player) { f.act(p) }

// act continues the fight or attacks a new target. It returns whether there is a target.
func (f *Fight) act(p *Player) bool {
	w := p.World()
	if f.target != 0 {
		faces := w.IsFacing(w.Self(), f.target)
		_, here := w.Local(f.target)
		switch {
		case !here || f.faced && !faces: // the target has died or left
			f.target = 0
		case faces:
			f.faced = true
			return true
		case f.waitCycles < maxWaitCycles:
			f.waitCycles++
			return true
		default:
			f.avoid(f.target, w.Cycle)
		}
	}
	return f.attackNearest(p)
}

// HasTarget reports whether the player attacks another player, or has requested it and waits for the attack to begin.
func (f *Fight) HasTarget() bool { return f.target != 0 }

// avoid ends the attack on the player with index i. That player is not attacked again for avoidCycles; cycle is the current
// cycle.
func (f *Fight) avoid(i proto.Index, cycle int) {
	if f.avoidUntil == nil {
		f.avoidUntil = map[proto.Index]int{}
	}
	f.avoidUntil[i] = cycle + avoidCycles
	f.target = 0
}

// attackNearest attacks the nearest player in range that is neither avoided nor excluded.
func (f *Fight) attackNearest(p *Player) bool {
	w := p.World()
	middle, most := w.Tile(), f.Range
	if f.Centre != nil {
		middle = *f.Centre
	}
	if most <= 0 {
		most = fightRange
	}
	nearest := 0
	for i, t := range w.Locals() {
		if i == w.Self() || w.Cycle < f.avoidUntil[i] || !t.Within(middle, most) {
			continue
		}
		if d := distance(t, w.Tile()); (f.target == 0 || d < nearest) && !f.isExcluded(w, i) {
			f.target, nearest = i, d
		}
	}
	if f.target == 0 {
		return false
	}
	f.faced, f.waitCycles = false, 0
	p.Attack(f.target)
	return true
}

func (f *Fight) isExcluded(w *World, i proto.Index) bool {
	if f.Exclude == nil {
		return false
	}
	a, err := w.Appearance(i)
	return err == nil && f.Exclude(proto.TextString(a.Name))
}

// distance returns the number of steps, straight or diagonal, from a to b. Both are on the same plane.
func distance(a, b proto.Tile) int {
	dx, dz := int(a.X)-int(b.X), int(a.Z)-int(b.Z)
	return max(dx, -dx, dz, -dz)
}

// FightOrWander alternates between Fight and Wander. Without a target it wanders.
type FightOrWander struct {
	Fight       Fight  // how the player fights
	Wander      Wander // how the player walks while it does not fight
	PreferFight bool   // wander only while there is no target

	fighting bool      // true while Fight controls the player, false while Wander does
	until    time.Time // time at which Act chooses again between Fight and Wander
}

const mixedPeriod = 20 * time.Second // average period of fighting or wandering

// Act calls the Act of Fight or that of Wander. About every 20 s it chooses between them at random, unless PreferFight is set.
func (m *FightOrWander) Act(p *Player) {
	if p.Now().After(m.until) {
		m.until = p.Now().Add(mixedPeriod/2 + time.Duration(p.Rand().Int64N(int64(mixedPeriod))))
		m.fighting = p.Rand().IntN(2) == 0
	}
	if !m.fighting && !m.PreferFight || !m.Fight.act(p) {
		m.Wander.Act(p)
		return
	}
	m.Wander.chat(p)
}
