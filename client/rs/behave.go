package rs

import (
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// Wander walks to one random tile after the other, with a rest now and then.
type Wander struct {
	Home   *proto.Tile   // the middle of its range; nil: where it stands when it begins
	Radius int           // tiles, in both axes; 0: 20
	Run    bool          // it always runs; otherwise some of its ways
	Chat   time.Duration // it says something about so often; 0: never

	home   proto.Tile
	begun  bool
	going  bool
	at     proto.Tile // where it stood when it was last asked
	stuck  int        // cycles that it has stood there
	rest   int        // cycles that it still stands
	speaks time.Time
}

const (
	wanderRadius = 20
	wanderRuns   = 0.3 // share of the ways that it runs
	wanderRests  = 0.2 // share of the ways after which it rests
	longestRest  = 5   // cycles
	stuckFor     = 3   // cycles on one tile after which a way has ended: there, at a wall, or refused
	clickMargin  = 2   // tiles from the edge of the map within which it does not click
)

// Act walks on.
func (w *Wander) Act(p *Player) {
	w.settle(p)
	w.talk(p)
	at := p.World().Tile()
	if w.at != at {
		w.at, w.stuck = at, 0
	} else {
		w.stuck++
	}
	if w.going && w.stuck < stuckFor {
		return
	}
	if w.rest > 0 {
		w.rest--
		return
	}
	r := p.Rand()
	if r.Float32() < wanderRests {
		w.rest = 1 + r.IntN(longestRest)
	}
	radius := w.Radius
	if radius <= 0 {
		radius = wanderRadius
	}
	x := int(w.home.X) + r.IntN(2*radius+1) - radius
	z := int(w.home.Z) + r.IntN(2*radius+1) - radius
	w.going, w.stuck = true, 0
	p.WalkTo(x, z, w.Run || r.Float32() < wanderRuns)
}

// settle finds the middle of the range. On another plane, or far off, it begins anew where it stands.
func (w *Wander) settle(p *Player) {
	at := p.World().Tile()
	if !w.begun && w.Home != nil {
		w.home, w.begun = *w.Home, true
	}
	if !w.begun || at.Plane != w.home.Plane || !at.Within(w.home, farOff) {
		w.home, w.begun = at, true
	}
}

const farOff = 512 // tiles from home beyond which no walk leads back

func (w *Wander) talk(p *Player) {
	if w.Chat <= 0 || p.Now().Before(w.speaks) {
		return
	}
	if !w.speaks.IsZero() {
		p.Say("Has anybody seen my hen?")
	}
	w.speaks = p.Now().Add(w.Chat/2 + time.Duration(p.Rand().Int64N(int64(w.Chat))))
}

// WalkTo clicks on a tile, or on the nearest of the map if that does not hold it.
func (p *Player) WalkTo(x, z int, running bool) {
	s := p.World().Scene
	x = min(max(x, s.X+clickMargin, 0), s.X+s.Tiles-1-clickMargin, proto.MaxCoord)
	z = min(max(z, s.Z+clickMargin, 0), s.Z+s.Tiles-1-clickMargin, proto.MaxCoord)
	p.Walk(uint16(x), uint16(z), running != p.World().Running)
}

// Fight attacks the nearest other that can be fought until that one is gone, and looks for the next one. Who cannot be
// fought it learns by trying: a fighter looks at whom he fights.
type Fight struct {
	Home  *proto.Tile // the middle of the range in which it looks for targets; nil: itself
	Range int         // tiles, in both axes; 0: 14

	// Spare, if not nil, says whom it never attacks, by name.
	Spare func(name string) bool

	target proto.Index
	faced  bool // it has looked at the target
	tries  int  // cycles since the click, until it looks
	peace  map[proto.Index]int
}

const (
	fightRange = 14  // tiles: what one sees
	fightTries = 10  // cycles on the way to a target after which it is left in peace
	peaceFor   = 100 // cycles, after which an index may be somebody else's
)

// Act goes on with the fight. It does nothing while there is nobody to fight.
func (f *Fight) Act(p *Player) { f.act(p) }

// act tells whether there is a fight.
func (f *Fight) act(p *Player) bool {
	w := p.World()
	if f.target != 0 {
		faces := w.Faces(w.Self(), f.target)
		_, here := w.Local(f.target)
		switch {
		case !here || f.faced && !faces: // dead, or gone
			f.target = 0
		case faces:
			f.faced = true
			return true
		case f.tries < fightTries:
			f.tries++
			return true
		default:
			f.leave(f.target, w.Cycle)
		}
	}
	return f.choose(p)
}

// Active tells whether there is somebody whom it fights.
func (f *Fight) Active() bool { return f.target != 0 }

// leave lets an index in peace for a while.
func (f *Fight) leave(i proto.Index, cycle int) {
	if f.peace == nil {
		f.peace = map[proto.Index]int{}
	}
	f.peace[i] = cycle + peaceFor
	f.target = 0
}

// choose clicks on the nearest who may be worth a try.
func (f *Fight) choose(p *Player) bool {
	w := p.World()
	middle, most := w.Tile(), f.Range
	if f.Home != nil {
		middle = *f.Home
	}
	if most <= 0 {
		most = fightRange
	}
	nearest := 0
	for i, t := range w.Locals() {
		if i == w.Self() || w.Cycle < f.peace[i] || !t.Within(middle, most) {
			continue
		}
		if d := distance(t, w.Tile()); (f.target == 0 || d < nearest) && !f.spares(w, i) {
			f.target, nearest = i, d
		}
	}
	if f.target == 0 {
		return false
	}
	f.faced, f.tries = false, 0
	p.Attack(f.target)
	return true
}

func (f *Fight) spares(w *World, i proto.Index) bool {
	if f.Spare == nil {
		return false
	}
	a, err := w.Appearance(i)
	return err == nil && f.Spare(proto.TextString(a.Name))
}

// distance is how many steps lie between two tiles of one plane.
func distance(a, b proto.Tile) int {
	dx, dz := int(a.X)-int(b.X), int(a.Z)-int(b.Z)
	return max(dx, -dx, dz, -dz)
}

// Mixed fights for a while and wanders for a while. It wanders while there is nobody to fight.
type Mixed struct {
	Fight  Fight
	Wander Wander
	Always bool // it wanders only while there is nobody to fight

	fighting bool
	until    time.Time
}

const mixedSpell = 20 * time.Second // a spell of fighting or wandering, on average

// Act goes on with whichever it is.
func (m *Mixed) Act(p *Player) {
	if p.Now().After(m.until) {
		m.until = p.Now().Add(mixedSpell/2 + time.Duration(p.Rand().Int64N(int64(mixedSpell))))
		m.fighting = p.Rand().IntN(2) == 0
	}
	if !m.fighting && !m.Always || !m.Fight.act(p) {
		m.Wander.Act(p)
		return
	}
	m.Wander.talk(p)
}
