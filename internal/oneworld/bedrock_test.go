package oneworld

import (
	"context"
	"fmt"
	"math"
	"strings"
	"sync"

	bedrockcl "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// chunks are decoded once for all clients of these tests.
var chunks bedrockcl.ChunkCache

// bedrockClient is a Minecraft: Bedrock client. It is its own Behaviour.
type bedrockClient struct {
	c    *bedrockcl.Client
	r    *rig
	name string
	stop context.CancelFunc
	done chan struct{}

	mu    sync.Mutex
	lines []string // FROM and a tab before what he said
	goal  *geom.Vec
	foe   string
	once  string // whom to strike in the next tick
	hops  bool   // it holds the jump key
	next  uint64
	err   error
	last  map[uint64]bedrockcl.Actor // of the last tick
	seen  map[string]fightSeen
}

func dialBedrock(ctx context.Context, r *rig, name string) (*bedrockClient, error) {
	x := &bedrockClient{r: r, name: name, done: make(chan struct{}), last: map[uint64]bedrockcl.Actor{}, seen: map[string]fightSeen{}}
	c, err := bedrockcl.Dial(ctx, r.addr[bedrock], bedrockcl.Options{Name: name, Chunks: &chunks, Chat: x.read, Dial: r.home().Dial})
	if err != nil {
		return nil, err
	}
	x.c = c
	life, stop := context.WithCancel(context.Background())
	x.stop = stop
	go func() {
		defer close(x.done)
		defer c.Close()
		if err := c.Play(life, x); err != nil {
			x.mu.Lock()
			x.err = err
			x.mu.Unlock()
		}
	}()
	return x, nil
}

func (x *bedrockClient) read(from, text string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.lines = append(x.lines, from+"\t"+text)
}

// Act walks to the goal, or to whom it fights.
func (x *bedrockClient) Act(p *bedrockcl.Player) bedrockcl.Keys {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.watch(p.World())
	own := p.State()
	keys := bedrockcl.Keys{Yaw: own.Yaw, Jump: x.hops}
	if a := named(p.World(), x.once); a != nil {
		p.Attack(a.RuntimeID)
	}
	x.once = ""
	if x.foe != "" {
		return x.strikes(p, keys)
	}
	if x.goal == nil {
		return keys
	}
	keys.Yaw = yawTo(own.Pos, *x.goal)
	if geom.DistXZ(own.Pos, *x.goal) > 0.3 {
		keys.Forward = 1
	}
	return keys
}

// watch notes what a player sees of fights: bodies that flinch, and bodies that fall.
func (x *bedrockClient) watch(w *bedrockcl.World) {
	for a := range w.Actors() {
		was, s := x.last[a.RuntimeID], x.seen[a.Name]
		if a.HurtCount > was.HurtCount {
			s.hits += int(a.HurtCount - was.HurtCount)
		}
		if a.Dead && !was.Dead {
			s.fell++
		}
		x.last[a.RuntimeID], x.seen[a.Name] = *a, s
	}
}

// strikes is a tick of a fight.
func (x *bedrockClient) strikes(p *bedrockcl.Player, keys bedrockcl.Keys) bedrockcl.Keys {
	own := p.State()
	m, _, ok := x.r.truth.of(x.name)
	if !ok {
		return keys
	}
	near := named(p.World(), x.foe)
	if near == nil {
		return keys
	}
	keys.Yaw = yawTo(own.Pos, near.Pos)
	switch blocks := float32(reach) / x.r.def.Areas[m.area].BlockGrid.UnitsPerBlock; {
	case geom.DistXZ(own.Pos, near.Pos) > 0.6*blocks:
		keys.Forward, keys.Sprint = 1, true
	case p.Tick() >= x.next:
		x.next = p.Tick() + 6
		p.Attack(near.RuntimeID)
	}
	return keys
}

// named is the living actor of a name, nil if none is in sight.
func named(w *bedrockcl.World, name string) *bedrockcl.Actor {
	a, _ := w.Nearest(geom.Vec{}, func(a *bedrockcl.Actor) bool { return a.Name == name })
	return a
}

// yawTo is where one looks from one point to another.
func yawTo(from, to geom.Vec) float32 {
	return float32(math.Atan2(float64(from.X-to.X), float64(to.Z-from.Z)) * 180 / math.Pi)
}

func (x *bedrockClient) look(name string) (s sight, ok bool) {
	x.c.Inspect(func(c *bedrockcl.Session) {
		for a := range c.World().Actors() {
			if a.Name != name {
				continue
			}
			ok = true
			s = sight{at: spotOf(a.Pos), dead: a.Dead, health: -1}
			if a.Health > 0 || a.Dead {
				s.health = float64(a.Health) / 20
			}
		}
	})
	return s, ok
}

func spotOf(v geom.Vec) spot { return spot{float64(v.X), float64(v.Y), float64(v.Z)} }

func (x *bedrockClient) names() (all []string) {
	x.c.Inspect(func(c *bedrockcl.Session) {
		for a := range c.World().Actors() {
			all = append(all, a.Name)
		}
	})
	return all
}

func (x *bedrockClient) area() string { return "" }

func (x *bedrockClient) health() (h float64) {
	x.c.Inspect(func(c *bedrockcl.Session) {
		self := c.World().Self
		h = float64(self.Health) / float64(max(self.MaxHealth, 1))
	})
	return h
}

func (x *bedrockClient) deaths() int { return int(x.c.Stats(nil).Deaths) }

func (x *bedrockClient) say(text string) { x.c.Say(text) }

func (x *bedrockClient) heard(who, text string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, l := range x.lines {
		if l == who+"\t"+text {
			return true
		}
	}
	return false
}

func (x *bedrockClient) told(text string) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, l := range x.lines {
		if strings.HasSuffix(l, "\t"+text) {
			return true
		}
	}
	return false
}

func (x *bedrockClient) walk(to geom.Vec, def *sim.AreaDef) {
	goal := def.BlockGrid.ToBlocks(to)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.goal = &goal
}

func (x *bedrockClient) halt() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.goal = nil
}

func (x *bedrockClient) fight(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.foe, x.goal = name, nil
}

func (x *bedrockClient) strike(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.once = name
}

func (x *bedrockClient) peace() { x.fight("") }

func (x *bedrockClient) blows(on string) fightSeen {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.seen[on]
	s.damage = -1
	return s
}

// hop holds the jump key, or lets it go.
func (x *bedrockClient) hop(on bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.hops = on
}

// knocked is how often it was pushed.
func (x *bedrockClient) knocked() int { return int(x.c.Stats(nil).Move.Motions) }

func (x *bedrockClient) fault() error {
	n := x.c.Stats(nil)
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.err != nil:
		return x.err
	case n.ParseErrors != 0 || n.Trailing != 0:
		return fmt.Errorf("%d packets could not be read, %d had bytes left: %w", n.ParseErrors, n.Trailing, x.c.FirstParseError())
	case n.Move.Unexpected+n.Move.Tampered != 0:
		return fmt.Errorf("%d corrections without cause, the worst of %v blocks", n.Move.Unexpected, n.Move.MaxUnexpected)
	}
	return nil
}

func (x *bedrockClient) restart() { x.c.ResetStats() }

func (x *bedrockClient) leave() {
	x.stop()
	<-x.done
}

// shown is somebody in sight.
type shown struct {
	name string
	at   spot
}

// everybody is all who are in sight.
func (x *bedrockClient) everybody() (all []shown) {
	x.c.Inspect(func(c *bedrockcl.Session) {
		for a := range c.World().Actors() {
			all = append(all, shown{a.Name, spotOf(a.Pos)})
		}
	})
	return all
}
