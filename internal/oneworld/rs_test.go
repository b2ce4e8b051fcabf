package oneworld

import (
	"context"
	"fmt"
	"strings"
	"sync"

	rscl "github.com/truestep-io/truestep/client/rs"
	rsproto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// rsClient is a RuneScape client. It implements the Behaviour of its player and records the world after each cycle.
type rsClient struct {
	c *rscl.Client

	mu     sync.Mutex
	info   rsproto.Info
	lines  []string // received chat lines: the sender, a tab, and the text; the sender is empty for messages of the server
	cycle  int      // newest cycle whose chat lines are recorded
	target string
	asked  int // cycle of the last attack request
	dead   int
	seen   map[string]fightStats
	moves  map[string]map[rsproto.ChangeKind]int // by actor name and kind: number of movements
}

func dialRs(ctx context.Context, r *rig, name string) (*rsClient, error) {
	c, err := rscl.Dial(ctx, rscl.Config{Addr: r.addr[rs], Key: &rsKey().PublicKey, User: name, Password: password, Dial: r.newHostOf(name).Dial})
	if err != nil {
		return nil, err
	}
	x := &rsClient{c: c, seen: map[string]fightStats{}, moves: map[string]map[rsproto.ChangeKind]int{}}
	c.Play(x)
	return x, nil
}

// Act records the changes of a cycle and continues the fight.
func (x *rsClient) Act(p *rscl.Player) {
	x.mu.Lock()
	defer x.mu.Unlock()
	w := p.World()
	x.readLines(w)
	for i := range w.Locals() {
		x.recordActor(w, i)
	}
	if x.target == "" {
		return
	}
	i, ok := w.FindByName(x.target)
	if ok && !w.IsFacing(w.Self(), i) && w.Cycle >= x.asked+2 {
		x.asked = w.Cycle
		p.Attack(i)
	}
}

// readLines records the lines of text that the client received in the last cycle.
func (x *rsClient) readLines(w *rscl.World) {
	for _, l := range w.Lines() {
		if l.Cycle < x.cycle {
			continue
		}
		who := ""
		if a, err := w.Appearance(l.Who); l.Kind != rscl.LineGame && err == nil {
			who = rsproto.TextString(a.Name)
		}
		x.lines = append(x.lines, who+"\t"+l.Text)
		if l.Kind == rscl.LineGame && strings.HasPrefix(l.Text, "Oh dear") && l.Cycle == w.Cycle-1 {
			x.dead++
		}
	}
	x.cycle = w.Cycle
}

// recordActor records how an actor moved, and its hit marks.
func (x *rsClient) recordActor(w *rscl.World, i rsproto.Index) {
	a, err := w.Appearance(i)
	if err != nil {
		return
	}
	name := rsproto.TextString(a.Name)
	if ch, ok := w.Change(i); ok {
		if x.moves[name] == nil {
			x.moves[name] = map[rsproto.ChangeKind]int{}
		}
		x.moves[name][ch.Kind]++
	}
	if !w.Info(i, &x.info) || !x.info.Has.Has(rsproto.KindHits) {
		return
	}
	s := x.seen[name]
	for _, h := range x.info.Hits {
		if h.Amount > 0 {
			s.hits++
			s.damage += int(h.Amount)
		}
	}
	if x.info.Hits[len(x.info.Hits)-1].HP == 0 {
		s.fell++
	}
	x.seen[name] = s
}

func (x *rsClient) actor(name string) (s actorView, ok bool) {
	x.c.Inspect(func(w *rscl.World) {
		var i rsproto.Index
		if i, ok = w.FindByName(name); ok {
			t, _ := w.Local(i)
			s = actorView{at: position{float64(t.X), float64(t.Plane), float64(t.Z)}, health: -1}
		}
	})
	return s, ok
}

func (x *rsClient) names() (all []string) {
	x.c.Inspect(func(w *rscl.World) {
		for i := range w.Locals() {
			if a, err := w.Appearance(i); err == nil && i != w.Self() {
				all = append(all, rsproto.TextString(a.Name))
			}
		}
	})
	return all
}

func (x *rsClient) area() string { return "" }

func (x *rsClient) health() (h float64) {
	x.c.Inspect(func(w *rscl.World) { h = float64(w.Life) / maxHealth })
	return h
}

func (x *rsClient) deaths() int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.dead
}

func (x *rsClient) say(text string) { _ = x.c.Say(text) }

func (x *rsClient) heard(who, text string) bool {
	return x.hasLine(func(l string) bool { return l == who+"\t"+text || l == "\t"+who+": "+text })
}

func (x *rsClient) serverSaid(text string) bool {
	return x.hasLine(func(l string) bool { return l == "\t"+text })
}

func (x *rsClient) hasLine(ok func(line string) bool) bool {
	x.mu.Lock()
	defer x.mu.Unlock()
	for _, l := range x.lines {
		if ok(l) {
			return true
		}
	}
	return false
}

func (x *rsClient) walk(to geom.Vec, def *sim.AreaDef) {
	if t, ok := def.Tiles.ToTile(to); ok {
		_ = x.c.Walk(t.X, t.Z, false)
	}
}

func (x *rsClient) halt() {
	var t rsproto.Tile
	x.c.Inspect(func(w *rscl.World) { t = w.Tile() })
	_ = x.c.Walk(t.X, t.Z, false)
}

func (x *rsClient) startFight(name string) {
	x.mu.Lock()
	defer x.mu.Unlock()
	x.target, x.asked = name, 0
}

func (x *rsClient) attackOnce(name string) {
	var i rsproto.Index
	x.c.Inspect(func(w *rscl.World) { i, _ = w.FindByName(name) })
	_ = x.c.Attack(i)
}

func (x *rsClient) stopFight() {
	x.startFight("")
	x.halt()
}

func (x *rsClient) fightSeen(on string) fightStats {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.seen[on]
}

// movesSeen returns the number of movements of kind k that the client was sent for an actor.
func (x *rsClient) movesSeen(name string, k rsproto.ChangeKind) int {
	x.mu.Lock()
	defer x.mu.Unlock()
	return x.moves[name][k]
}

func (x *rsClient) problem() error {
	n := x.c.Stats(nil)
	select {
	case <-x.c.Done():
		if err := x.c.Err(); err != nil {
			return err
		}
	default:
	}
	switch {
	case x.c.Mismatch() != nil:
		return x.c.Mismatch()
	case n.Bad != 0:
		return fmt.Errorf("%d packets could not be parsed: %w", n.Bad, x.c.FirstParseError())
	case n.OffMap != 0:
		return fmt.Errorf("own player outside of the loaded map %d times", n.OffMap)
	}
	return nil
}

func (x *rsClient) resetStats() { x.c.ResetStats() }

func (x *rsClient) leave() {
	ctx, cancel := context.WithTimeout(context.Background(), waitLimit)
	defer cancel()
	_ = x.c.Logout(ctx) // the client may be logged out already
	x.c.Close()
}

func (x *rsClient) lose() {
	x.c.Kill()
	x.c.Close()
}
