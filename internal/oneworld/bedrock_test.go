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

// chunks caches decoded chunks for all clients of these tests.
var chunks bedrockcl.ChunkCache

// bedrockClient is a headless Minecraft: Bedrock client. It implements the Behaviour of its player.
type bedrockClient struct {
	c    *bedrockcl.Client
	r    *rig
	name string
	stop context.CancelFunc
	done chan struct{}

	mu         sync.Mutex
	lines      []string // received chat lines: the sender, a tab, and the text
	goal       *geom.Vec
	target     string
	attackNext string // name of the actor to attack in the next tick
	rideNext   string // name of the actor to mount in the next tick
	jumping    bool   // the jump key is held
	next       uint64
	err        error
	last       map[uint64]bedrockcl.Actor // actors that the client knew in the last tick, by id
	seen       map[string]fightStats
}

func dialBedrock(ctx context.Context, r *rig, name string) (*bedrockClient, error) {
	x := &bedrockClient{r: r, name: name, done: make(chan struct{}), last: map[uint64]bedrockcl.Actor{}, seen: map[string]fightStats{}}
	c, err := bedrockcl.Dial(ctx, r.addr[bedrock], bedrockcl.Options{
		Name: name, Chunks: &chunks, Chat: x.read, Dial: r.newHostOf(name).Dial, Measure: isNotHostile,
	})
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

// Act walks to the goal, or fights the target.
func (x *bedrockClient) Act(p *bedrockcl.Player) bedrockcl.Keys {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.recordFights(p.World())
	own := p.State()
	keys := bedrockcl.Keys{Yaw: own.Yaw, Jump: x.jumping}
	if a := actorNamed(p.World(), x.attackNext); a != nil {
		p.Attack(a.RuntimeID)
	}
	x.attackNext = ""
	x.mountNext(p)
	if x.target != "" {
		return x.fightStep(p, keys)
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

// recordFights counts the hurt animations and deaths of other actors that the client was sent.
func (x *bedrockClient) recordFights(w *bedrockcl.World) {
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

// fightStep performs one tick of a fight.
func (x *bedrockClient) fightStep(p *bedrockcl.Player, keys bedrockcl.Keys) bedrockcl.Keys {
	own := p.State()
	m, _, ok := x.r.truth.player(x.name)
	if !ok {
		return keys
	}
	near := actorNamed(p.World(), x.target)
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

// actorNamed returns the living actor with the given name, or nil if no such actor is in view.
func actorNamed(w *bedrockcl.World, name string) *bedrockcl.Actor {
	a, _ := w.Nearest(geom.Vec{}, func(a *bedrockcl.Actor) bool { return a.Name == name })
	return a
}

// yawTo returns the yaw in degrees of the direction from one point to another.
func yawTo(from, to geom.Vec) float32 {
	return float32(math.Atan2(float64(from.X-to.X), float64(to.Z-from.Z)) * 180 / math.Pi)
}

func (x *bedrockClient) actor(name string) (s actorView, ok bool) {
	x.c.Inspect(func(c *bedrockcl.Session) {
		for a := range c.World().Actors() {
			if a.Name != name {
				continue
			}
			ok = true
			s = actorView{at: positionOf(a.Pos), dead: a.Dead, health: -1}
			if a.Health > 0 || a.Dead {
				s.health = float64(a.Health) / 20
			}
		}
	})
	return s, ok
}

func positionOf(v geom.Vec) position { return position{float64(v.X), float64(v.Y), float64(v.Z)} }

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

func (x *bedrockClient) serverSaid(text string) bool {
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

func (x *bedrockClient) startFight(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.target, x.goal = name, nil
}

func (x *bedrockClient) attackOnce(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.attackNext = name
}

func (x *bedrockClient) stopFight() { x.startFight("") }

func (x *bedrockClient) fightSeen(on string) fightStats {
	x.mu.Lock()
	defer x.mu.Unlock()
	s := x.seen[on]
	s.damage = -1
	return s
}

// holdJump presses or releases the jump key.
func (x *bedrockClient) holdJump(on bool) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.jumping = on
}

// motionsReceived returns the number of knockbacks that the client has received.
func (x *bedrockClient) motionsReceived() int { return int(x.c.Stats(nil).Move.Motions) }

func (x *bedrockClient) problem() error {
	n := x.c.Stats(nil)
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.err != nil:
		return x.err
	case n.ParseErrors != 0 || n.Trailing != 0:
		return fmt.Errorf("%d packets could not be parsed, %d had trailing bytes: %w", n.ParseErrors, n.Trailing, x.c.FirstParseError())
	case n.Move.Unexpected+n.Move.Tampered != 0:
		return fmt.Errorf("%d unexpected corrections, the largest of %v blocks", n.Move.Unexpected, n.Move.MaxUnexpected)
	}
	return nil
}

func (x *bedrockClient) resetStats() { x.c.ResetStats() }

func (x *bedrockClient) leave() {
	x.stop()
	<-x.done
}

// shownActor is an actor in the client's view.
type shownActor struct {
	name string
	at   position
}

// allShown returns all actors in the client's view.
func (x *bedrockClient) allShown() (all []shownActor) {
	x.c.Inspect(func(c *bedrockcl.Session) {
		for a := range c.World().Actors() {
			all = append(all, shownActor{a.Name, positionOf(a.Pos)})
		}
	})
	return all
}

func (x *bedrockClient) lose() {
	x.r.cutOff(x.name)
	x.leave()
}
