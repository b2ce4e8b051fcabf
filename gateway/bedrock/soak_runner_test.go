package bedrock

import (
	"math"
	"math/rand/v2"
	"strings"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// grounds is one kind of ground of the course.
type grounds struct {
	name     string
	min, max geom.Vec // the square in which its runners aim, blocks
	in, out  geom.Vec // where one arrives, and the way out
	door     geom.Vec // the entrance in the hall
}

// survey is the kinds of ground of the course, from its portals.
func survey(w *sim.World) []grounds {
	var all []grounds
	at := map[string]geom.Vec{}
	for a := range w.Areas {
		for _, p := range w.Areas[a].Portals {
			at[w.Areas[a].Name+"/"+p.Name] = w.Areas[a].BlockGrid.ToBlocks(p.Pos)
		}
	}
	for _, p := range w.Areas[0].Portals {
		name, ok := strings.CutPrefix(p.Name, "In ")
		if !ok {
			continue
		}
		g := grounds{name: name, in: at["Course/In "+name], out: at["Course/Out "+name], door: at["Course/To "+name]}
		corner := geom.Vec{X: 24 * float32(math.Floor(float64(g.in.X)/24)), Z: 24 * float32(math.Floor(float64(g.in.Z)/24))}
		g.min, g.max = corner.Add(geom.Vec{X: 1, Z: 1}), corner.Add(geom.Vec{X: 23, Z: 23})
		if name == "hills" {
			g.min, g.max = geom.Vec{X: 160}, geom.Vec{X: 192, Z: 32}
		}
		all = append(all, g)
	}
	start := at["Lanes/Start"]
	return append(all, grounds{
		name: "lanes", min: start.Add(geom.Vec{X: -8, Z: -4}), max: start.Add(geom.Vec{X: 8, Z: 16}),
		in: start, out: at["Lanes/Home"], door: at["Course/To lanes"],
	})
}

// runner plays on one ground after the other: it goes there from the hall, does whatever the movement knows, and leaves
// by the way out.
type runner struct {
	grounds []grounds
	luck    *rand.Rand
	next    int // index of the ground to go to
	strikes bool

	here    *grounds // nil: the hall, or between
	leave   uint64   // tick at which it leaves
	until   uint64   // tick at which it does something else
	aim     geom.Vec
	aims    bool // goes to aim; else wherever keys lead
	keys    bot.Keys
	turn    float32 // degrees a tick
	jumpy   int     // one jump in so many ticks; 0: none
	struck  uint64  // tick of the last blow
	visited map[string]int
}

func newRunner(all []grounds, first int, seed uint64) *runner {
	return &runner{grounds: all, next: first % len(all), luck: rand.New(rand.NewPCG(seed, 0x736f616b)), visited: map[string]int{}}
}

// Act goes on.
func (r *runner) Act(p *bot.Player) bot.Keys {
	a := p.State()
	here := r.where(a.Pos)
	if here != r.here {
		r.arrive(here, p.Tick())
	}
	switch {
	case here == nil && a.Pos.Y < 60: // falls into nothing
		return bot.Keys{Yaw: a.Yaw}
	case here == nil:
		return r.toward(&a, r.grounds[r.next].door, p.Tick())
	}
	if r.strikes || here.name == "ring" {
		if keys, ok := r.fight(p, &a); ok {
			return keys
		}
	}
	if p.Tick() >= r.leave && (p.Tick()/64)%4 != 0 { // now and then it does something else, or it would stay where it is stuck
		return r.toward(&a, here.out, p.Tick())
	}
	return r.roam(&a, p.Tick())
}

// where is the ground on which somebody at v is, nil in the hall.
func (r *runner) where(v geom.Vec) *grounds {
	if v.Y < 60 {
		return nil
	}
	for i := range r.grounds {
		g := &r.grounds[i]
		if g.name == "lanes" && v.X > 300 || v.X > g.min.X-1 && v.X < g.max.X+1 && v.Z > g.min.Z-1 && v.Z < g.max.Z+1 {
			return g
		}
	}
	return nil
}

func (r *runner) arrive(here *grounds, tick uint64) {
	if here == nil && r.here != nil {
		r.next = r.luck.IntN(len(r.grounds))
	}
	if r.here = here; here == nil {
		return
	}
	r.visited[here.name]++
	r.leave, r.until = tick+300+r.luck.Uint64N(600), 0
}

// toward goes to a place, over what is in the way or around it.
func (r *runner) toward(a *move.Avatar, to geom.Vec, tick uint64) bot.Keys {
	blocked := a.Collided&(move.AxisX|move.AxisZ) != 0
	keys := bot.Keys{Yaw: yawTo(a.Pos, to), Forward: 1, Sprint: tick/100%2 == 0, Jump: blocked || r.luck.IntN(30) == 0}
	if blocked && r.luck.IntN(3) == 0 || tick/40%5 == 4 && blocked {
		keys.Strafe, keys.Forward = float32(r.luck.IntN(3)-1), float32(r.luck.IntN(2))
	}
	return keys
}

// roam does something for a while, then something else.
func (r *runner) roam(a *move.Avatar, tick uint64) bot.Keys {
	if tick >= r.until {
		r.choose(a, tick)
	}
	keys := r.keys
	blocked := a.Collided&(move.AxisX|move.AxisZ) != 0
	if r.aims {
		if geom.DistXZ(a.Pos, r.aim) < 0.5 {
			r.until = tick
		}
		keys.Yaw = yawTo(a.Pos, r.aim)
		keys.Jump = keys.Jump || blocked
	} else {
		r.keys.Yaw += r.turn
		keys.Pitch = float32(math.Sin(float64(tick)/9)) * 40
	}
	keys.Jump = keys.Jump || r.jumpy > 0 && r.luck.IntN(r.jumpy) == 0
	return keys
}

// choose decides what to do next.
func (r *runner) choose(a *move.Avatar, tick uint64) {
	l := r.luck
	g := r.here
	r.until = tick + 5 + l.Uint64N(50)
	r.aims = l.IntN(2) == 0
	r.aim = geom.Vec{X: g.min.X + l.Float32()*(g.max.X-g.min.X), Z: g.min.Z + l.Float32()*(g.max.Z-g.min.Z)}
	if r.aims {
		r.until += 60
	}
	r.turn = 0
	if l.IntN(3) == 0 {
		r.turn = l.Float32()*24 - 12
	}
	pick := func(of ...float32) float32 { return of[l.IntN(len(of))] }
	r.keys = bot.Keys{
		Yaw: a.Yaw + pick(0, 0, 1)*(l.Float32()*360-180), Forward: pick(1, 1, 1, 1, 0.8, 0.35, 0, -1), Strafe: pick(0, 0, 0, 0, 1, -1, 0.4),
		Sprint: l.IntN(5) < 2, Sneak: l.IntN(6) == 0, Jump: l.IntN(8) == 0,
	}
	if r.aims {
		r.keys.Forward = max(r.keys.Forward, 0.5)
	}
	if (g.name == "void" || g.name == "beams") && l.IntN(4) != 0 { // along the edge
		r.keys.Sneak, r.keys.Jump = true, false
	}
	r.jumpy = 0
	if !r.keys.Sneak && l.IntN(2) == 0 {
		r.jumpy = 1 + l.IntN(20)
	}
}

// How often a runner strikes, in ticks, and how far, in blocks.
const (
	strikesEvery = 12
	strikesReach = 2.5
)

// fight goes for somebody who is near.
func (r *runner) fight(p *bot.Player, a *move.Avatar) (bot.Keys, bool) {
	near, d := p.World().Nearest(a.Pos, func(*bot.Actor) bool { return true })
	if near == nil || p.Tick()/200%3 == 2 { // or leaves them in peace for a while
		return bot.Keys{}, false
	}
	if d < strikesReach && p.Tick() >= r.struck+strikesEvery {
		r.struck = p.Tick()
		p.Attack(near.RuntimeID)
	}
	if d < 1 {
		return bot.Keys{}, false
	}
	return bot.Keys{Yaw: yawTo(a.Pos, near.Pos), Forward: 1, Sprint: p.Tick()/50%2 == 0, Jump: r.luck.IntN(25) == 0}, true
}

// yawTo is the angle at which somebody looks who looks from one place to another.
func yawTo(from, to geom.Vec) float32 {
	return float32(math.Atan2(float64(from.X-to.X), float64(to.Z-from.Z)) * 180 / math.Pi)
}
