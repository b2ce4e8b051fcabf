package oneworld

import (
	"context"
	"errors"
	"fmt"
	"math"
	"net"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/client/keys"
	webcl "github.com/truestep-io/truestep/client/web"
	webproto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// webClient is a headless client of the web door.
type webClient struct {
	c    *webcl.Client
	r    *rig
	name string
	stop context.CancelFunc
	done chan struct{}
	tcp  []net.Conn // TCP connections of the client; after the login only the method lose uses them

	mu         sync.Mutex
	goal       *geom.Vec
	target     string
	attackNext string // name of the actor to attack in the next tick
	next       uint64
	wakeAt     uint64
	gained     []string // lines about experience, as a page would show them
	attacks    []uint16 // numbers of the client's attack requests
	seen       map[string]fightStats
	before     webcl.Counts // counts at the last call of resetStats
	err        error
}

// dialWeb logs in with the account of the given name and the password of all test accounts. Half of the players use
// WebTransport, the other half WebSocket.
func dialWeb(ctx context.Context, r *rig, name string) (*webClient, error) {
	x := &webClient{r: r, name: name, done: make(chan struct{}), seen: map[string]fightStats{}}
	home := r.newHostOf(name)
	c, err := webcl.Dial(ctx, "http://"+r.addr[web], webcl.Options{
		Name: name, Secret: password, Create: true, WS: len(name)%2 == 0, Grounds: &r.grounds, Events: x.record,
		Dial: func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := home.Dial(ctx, network, addr)
			x.tcp = append(x.tcp, c)
			return c, err
		},
		Listen: func() (net.PacketConn, error) { return home.ListenPacket(":0") },
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
		if err := c.Play(life, x.act); err != nil {
			x.mu.Lock()
			x.err = err
			x.mu.Unlock()
		}
	}()
	return x, nil
}

// record counts the attacks on and the deaths of other actors, and the experience that the own player has gained.
func (x *webClient) record(w *webcl.World, e *webproto.Event) {
	x.mu.Lock()
	defer x.mu.Unlock()
	switch e.Kind {
	case webproto.EventStruck:
		if a := w.Actors[e.Other]; a != nil && e.Value > 0 {
			s := x.seen[a.Name]
			s.hits, s.damage = s.hits+1, s.damage+int(e.Value)
			x.seen[a.Name] = s
		}
	case webproto.EventDied:
		s := x.seen[e.Text]
		s.fell++
		x.seen[e.Text] = s
	case webproto.EventXP:
		x.gained = append(x.gained, fmt.Sprintf("You gain %d points of experience.", e.Value))
	}
}

// act walks to the goal, or fights the target.
func (x *webClient) act(w *webcl.World) keys.Keys {
	x.mu.Lock()
	defer x.mu.Unlock()
	own := w.State()
	k := keys.Keys{Yaw: own.Yaw}
	if w.Dead() {
		if w.Tick() >= x.wakeAt {
			x.wakeAt = w.Tick() + 20
			w.Wake()
		}
		return k
	}
	if a := w.FindByName(x.attackNext); a != nil && x.attackNext != "" {
		x.attacks = append(x.attacks, w.Attack(a))
	}
	x.attackNext = ""
	if x.target != "" {
		return x.fightStep(w, k)
	}
	if x.goal == nil {
		return k
	}
	k.Yaw = yawTo(own.Pos, *x.goal)
	if geom.DistXZ(own.Pos, *x.goal) > 0.3 {
		k.Forward = 1
	}
	return k
}

// fightStep performs one tick of a fight.
func (x *webClient) fightStep(w *webcl.World, k keys.Keys) keys.Keys {
	own, near := w.State(), w.FindByName(x.target)
	m, _, ok := x.r.truth.player(x.name)
	if near == nil || near.Dead() || !ok {
		return k
	}
	k.Yaw = yawTo(own.Pos, near.Pos())
	switch blocks := float32(reach) / x.r.def.Areas[m.area].BlockGrid.UnitsPerBlock; {
	case geom.DistXZ(own.Pos, near.Pos()) > 0.6*blocks:
		k.Forward, k.Sprint = 1, true
	case w.Tick() >= x.next:
		x.next = w.Tick() + 6
		x.attacks = append(x.attacks, w.Attack(near))
	}
	return k
}

func (x *webClient) actor(name string) (s actorView, ok bool) {
	x.c.Inspect(func(w *webcl.World) {
		if a := w.FindByName(name); a != nil {
			ok = true
			s = actorView{at: positionOf(a.Pos()), health: float64(a.Health()), dead: a.Dead()}
		}
	})
	return s, ok
}

func (x *webClient) names() (all []string) {
	x.c.Inspect(func(w *webcl.World) {
		for handle, a := range w.Actors {
			if handle != w.Own {
				all = append(all, a.Name)
			}
		}
	})
	return all
}

// allShown returns all actors in the client's view.
func (x *webClient) allShown() (all []shownActor) {
	x.c.Inspect(func(w *webcl.World) {
		for handle, a := range w.Actors {
			if handle != w.Own {
				all = append(all, shownActor{a.Name, positionOf(a.Pos())})
			}
		}
	})
	return all
}

func (x *webClient) area() (name string) {
	x.c.Inspect(func(w *webcl.World) { name = w.Area })
	return name
}

func (x *webClient) health() (h float64) {
	x.c.Inspect(func(w *webcl.World) {
		if self := w.Self(); self != nil {
			h = float64(self.Health())
		}
	})
	return h
}

// counts returns the counts since resetStats.
func (x *webClient) counts() (n webcl.Counts) {
	x.c.Inspect(func(w *webcl.World) { n = w.Counts })
	n.Sub(&x.before)
	return n
}

func (x *webClient) deaths() int { return int(x.counts().Deaths) }

func (x *webClient) say(text string) { x.c.Inspect(func(w *webcl.World) { w.Say(text) }) }

func (x *webClient) heard(who, text string) (ok bool) {
	x.c.Inspect(func(w *webcl.World) {
		for _, l := range w.Lines {
			ok = ok || l == who+"\t"+text
		}
	})
	return ok
}

// serverSaid reports whether the client was sent a text. It also searches the texts that the page itself composes, about
// refused attacks and gained experience.
func (x *webClient) serverSaid(text string) (ok bool) {
	x.c.Inspect(func(w *webcl.World) {
		x.mu.Lock()
		defer x.mu.Unlock()
		for _, l := range w.Lines {
			ok = ok || l == "\t"+text
		}
		for _, l := range x.gained {
			ok = ok || l == text
		}
		for _, n := range x.attacks {
			if a, answered := w.Answer(n); answered && a.Reason != 0 {
				s := reason.Reason(a.Reason).Sentence()
				ok = ok || strings.ToUpper(s[:1])+s[1:]+"." == text
			}
		}
	})
	return ok
}

func (x *webClient) walk(to geom.Vec, def *sim.AreaDef) {
	goal := def.BlockGrid.ToBlocks(to)
	x.mu.Lock()
	defer x.mu.Unlock()
	x.goal = &goal
}

func (x *webClient) halt() {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.goal = nil
}

func (x *webClient) startFight(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.target, x.goal = name, nil
}

func (x *webClient) attackOnce(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.attackNext = name
}

func (x *webClient) stopFight() { x.startFight("") }

func (x *webClient) fightSeen(on string) fightStats {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seen[on]
}

func (x *webClient) problem() error {
	n := x.counts()
	x.mu.Lock()
	defer x.mu.Unlock()
	switch {
	case x.err != nil:
		return x.err
	case n.Corrections != 0:
		return fmt.Errorf("%d corrections, the largest of %v blocks", n.Corrections, n.MaxOff)
	}
	return nil
}

func (x *webClient) resetStats() {
	x.c.Inspect(func(w *webcl.World) { x.before = w.Counts })
}

func (x *webClient) leave() {
	x.stop()
	<-x.done
}

func (x *webClient) lose() {
	for _, c := range x.tcp {
		_ = c.Close() // connections of earlier requests are closed already and return an error
	}
	time.Sleep(time.Second) // time in which the server receives the end of the stream
	x.r.cutOff(x.name)
	x.leave()
}

// playHostileWeb runs a session of a hostile web player over WebSocket.
func (v *hostile) playHostileWeb(ctx context.Context, in func()) {
	home := v.r.newClientHost()
	o := webcl.Options{Name: v.name, Secret: password, WS: true, Grounds: &v.r.grounds, Dial: home.Dial}
	if v.rng.IntN(2) == 0 {
		s := newCorrupter(v.newRand())
		o.Dial = func(ctx context.Context, network, addr string) (net.Conn, error) {
			c, err := home.Dial(ctx, network, addr)
			if err != nil {
				return nil, err
			}
			return &corruptingTCP{Conn: c, s: s}, nil
		}
	}
	c, err := webcl.Dial(ctx, "http://"+v.r.addr[web], o)
	if err != nil {
		return
	}
	defer c.Close()
	in()
	act := v.actWeb
	if v.rng.IntN(2) == 0 {
		act = v.attackWeb
	}
	if err := c.Play(ctx, act); err != nil && !errors.Is(err, context.Canceled) {
		time.Sleep(10 * time.Millisecond)
	}
}

// attackWeb performs a tick of a hostile web player that attacks a victim and chats, but does not flood the door as actWeb
// does. The door closes the connection of a flooding client, usually before the client has received a snapshot with a
// victim.
func (v *hostile) attackWeb(w *webcl.World) keys.Keys {
	if a := w.FindByName(v.victim[v.rng.IntN(len(v.victim))]); a != nil {
		w.Attack(a)
	}
	if v.rng.IntN(10) == 0 {
		w.Say("hail")
	}
	return keys.Keys{Forward: 1}
}

// actWeb performs a tick of a hostile web player that floods the door.
func (v *hostile) actWeb(w *webcl.World) keys.Keys {
	for range 10 {
		if a := w.FindByName(v.victim[v.rng.IntN(len(v.victim))]); a != nil {
			w.Attack(a)
		}
		w.Request(webproto.Act{Verb: webproto.ActVerb(1 + v.rng.IntN(6)), Handle: uint16(v.rng.Uint32()), Tick: v.rng.Uint32(), Text: "x"})
	}
	for range 5 {
		w.Say("hail")
	}
	return keys.Keys{Yaw: float32(math.Mod(float64(v.rng.Uint32()), 360)), Forward: v.extremeNumber(), Jump: true, Sprint: true}
}
