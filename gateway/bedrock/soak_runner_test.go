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

// zone is one part of the soak tests' world, with one kind of terrain.
type zone struct {
	name         string
	min, max     geom.Vec // corners in blocks of the square within which runners choose destinations
	entry, exit  geom.Vec // arrival position, and position of the portal back
	hallEntrance geom.Vec // position in the hall of the portal that leads to the zone
}

// loadZones returns the zones of the world. It determines them from the world's portals.
func loadZones(w *sim.World) []zone {
	var all []zone
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
		g := zone{name: name, entry: at["Course/In "+name], exit: at["Course/Out "+name], hallEntrance: at["Course/To "+name]}
		corner := geom.Vec{X: 24 * float32(math.Floor(float64(g.entry.X)/24)), Z: 24 * float32(math.Floor(float64(g.entry.Z)/24))}
		g.min, g.max = corner.Add(geom.Vec{X: 1, Z: 1}), corner.Add(geom.Vec{X: 23, Z: 23})
		if name == "hills" {
			g.min, g.max = geom.Vec{X: 160}, geom.Vec{X: 192, Z: 32}
		}
		all = append(all, g)
	}
	start := at["Lanes/Start"]
	return append(all, zone{
		name: "lanes", min: start.Add(geom.Vec{X: -8, Z: -4}), max: start.Add(geom.Vec{X: 8, Z: 16}),
		entry: start, exit: at["Lanes/Home"], hallEntrance: at["Course/To lanes"],
	})
}

// runner is a bot behaviour that visits all zones in turn: it walks from the hall to a zone, performs every kind of movement
// there, and returns through the portal.
type runner struct {
	zones   []zone
	rng     *rand.Rand
	next    int // index of the next zone
	attacks bool

	zone       *zone  // current zone, nil in the hall or between zones
	leaveTick  uint64 // tick at which the runner leaves the zone
	actionEnds uint64 // tick at which the runner chooses another action
	aim        geom.Vec
	hasAim     bool // the runner walks to the point aim; otherwise it presses random keys
	keys       bot.Keys
	turn       float32 // rotation in degrees per tick
	jumpOdds   int     // average number of ticks between jumps, 0 for no jumps
	lastAttack uint64  // tick of the last attack
	visited    map[string]int
}

func newRunner(all []zone, first int, seed uint64) *runner {
	return &runner{zones: all, next: first % len(all), rng: rand.New(rand.NewPCG(seed, 0x736f616b)), visited: map[string]int{}}
}

// Act returns the keys of the next tick.
func (r *runner) Act(p *bot.Player) bot.Keys {
	a := p.State()
	here := r.zoneAt(a.Pos)
	if here != r.zone {
		r.enterZone(here, p.Tick())
	}
	switch {
	case here == nil && a.Pos.Y < 60: // the runner is falling into the void
		return bot.Keys{Yaw: a.Yaw}
	case here == nil:
		return r.keysToward(&a, r.zones[r.next].hallEntrance, p.Tick())
	}
	if r.attacks || here.name == "ring" {
		if keys, ok := r.keysToFight(p, &a); ok {
			return keys
		}
	}
	if p.Tick() >= r.leaveTick && (p.Tick()/64)%4 != 0 { // other actions in a quarter of the time prevent that the runner gets stuck
		return r.keysToward(&a, here.exit, p.Tick())
	}
	return r.keysToRoam(&a, p.Tick())
}

// zoneAt returns the zone that contains a position, or nil if none does, as in the hall from which the zones are entered.
func (r *runner) zoneAt(v geom.Vec) *zone {
	if v.Y < 60 {
		return nil
	}
	for i := range r.zones {
		g := &r.zones[i]
		if g.name == "lanes" && v.X > 300 || v.X > g.min.X-1 && v.X < g.max.X+1 && v.Z > g.min.Z-1 && v.Z < g.max.Z+1 {
			return g
		}
	}
	return nil
}

func (r *runner) enterZone(here *zone, tick uint64) {
	if here == nil && r.zone != nil {
		r.next = r.rng.IntN(len(r.zones))
	}
	if r.zone = here; here == nil {
		return
	}
	r.visited[here.name]++
	r.leaveTick, r.actionEnds = tick+300+r.rng.Uint64N(600), 0
}

// keysToward returns the keys for walking to a point, over or around obstacles.
func (r *runner) keysToward(a *move.Avatar, to geom.Vec, tick uint64) bot.Keys {
	blocked := a.Collided&(move.AxisX|move.AxisZ) != 0
	keys := bot.Keys{Yaw: yawTo(a.Pos, to), Forward: 1, Sprint: tick/100%2 == 0, Jump: blocked || r.rng.IntN(30) == 0}
	if blocked && r.rng.IntN(3) == 0 || tick/40%5 == 4 && blocked {
		keys.Strafe, keys.Forward = float32(r.rng.IntN(3)-1), float32(r.rng.IntN(2))
	}
	return keys
}

// keysToRoam returns the keys of the current action. If the action is over, it chooses another.
func (r *runner) keysToRoam(a *move.Avatar, tick uint64) bot.Keys {
	if tick >= r.actionEnds {
		r.chooseAction(a, tick)
	}
	keys := r.keys
	blocked := a.Collided&(move.AxisX|move.AxisZ) != 0
	if r.hasAim {
		if geom.DistXZ(a.Pos, r.aim) < 0.5 {
			r.actionEnds = tick
		}
		keys.Yaw = yawTo(a.Pos, r.aim)
		keys.Jump = keys.Jump || blocked
	} else {
		r.keys.Yaw += r.turn
		keys.Pitch = float32(math.Sin(float64(tick)/9)) * 40
	}
	keys.Jump = keys.Jump || r.jumpOdds > 0 && r.rng.IntN(r.jumpOdds) == 0
	return keys
}

// chooseAction chooses the next action.
func (r *runner) chooseAction(a *move.Avatar, tick uint64) {
	l := r.rng
	g := r.zone
	r.actionEnds = tick + 5 + l.Uint64N(50)
	r.hasAim = l.IntN(2) == 0
	r.aim = geom.Vec{X: g.min.X + l.Float32()*(g.max.X-g.min.X), Z: g.min.Z + l.Float32()*(g.max.Z-g.min.Z)}
	if r.hasAim {
		r.actionEnds += 60
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
	if r.hasAim {
		r.keys.Forward = max(r.keys.Forward, 0.5)
	}
	if (g.name == "void" || g.name == "beams") && l.IntN(4) != 0 { // walk along the edge
		r.keys.Sneak, r.keys.Jump = true, false
	}
	r.jumpOdds = 0
	if !r.keys.Sneak && l.IntN(2) == 0 {
		r.jumpOdds = 1 + l.IntN(20)
	}
}

// Interval in ticks between two attacks of a runner, and maximum distance in blocks of an attack.
const (
	attackIntervalTicks = 12
	attackReach         = 2.5
)

// keysToFight returns the keys for approaching the nearest player, and attacks when in range.
func (r *runner) keysToFight(p *bot.Player, a *move.Avatar) (bot.Keys, bool) {
	near, d := p.World().Nearest(a.Pos, func(*bot.Actor) bool { return true })
	if near == nil || p.Tick()/200%3 == 2 { // pause between fights
		return bot.Keys{}, false
	}
	if d < attackReach && p.Tick() >= r.lastAttack+attackIntervalTicks {
		r.lastAttack = p.Tick()
		p.Attack(near.RuntimeID)
	}
	if d < 1 {
		return bot.Keys{}, false
	}
	return bot.Keys{Yaw: yawTo(a.Pos, near.Pos), Forward: 1, Sprint: p.Tick()/50%2 == 0, Jump: r.rng.IntN(25) == 0}, true
}

// yawTo returns the yaw from one point to another.
func yawTo(from, to geom.Vec) float32 {
	return float32(math.Atan2(float64(from.X-to.X), float64(to.Z-from.Z)) * 180 / math.Pi)
}
