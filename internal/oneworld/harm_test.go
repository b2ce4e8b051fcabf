package oneworld

import (
	"context"
	"fmt"
	"math/rand/v2"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	bedrockcl "github.com/truestep-io/truestep/client/bedrock"
	rccecl "github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Bounds of what the honest may notice of the hostile, beside what the machine itself does to everybody: see stalls.
const (
	rageFor     = 5 * time.Second
	villains    = 3                      // of each door, at a time
	worstGap    = 500 * time.Millisecond // between two words of somebody near, 99 of 100 times
	missedAtAll = 1                      // cycles
	ofTheWay    = .7                     // of what they walked in peace the honest walk among villains
)

// Hostile sessions of every kind do no harm to honest players of any door, whatever they send and at whatever stage they
// break off: nobody is dropped, corrected without cause, held up or left without news, and nothing is left behind.
func TestNoDoorCanHarmAnother(t *testing.T) {
	overAllLines(t, theTestWorld, func(t *testing.T, r *rig) {
		const seed = 1
		var seats []seat
		for i, door := range doors {
			seats = append(seats, seat{door: door, name: "Good" + door[:2], area: "Meadow", at: geom.Vec{X: 50, Y: lawnHeight, Z: float32(50 + 10*i)}})
		}
		good := r.join(seats...)
		r.agree(t, "Meadow", good, good)
		stroll := r.stroll(good)
		peace := r.measure(good, 2*time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var raging sync.WaitGroup
		for i, door := range doors {
			for n := range villains {
				v := &villain{r: r, door: door, name: fmt.Sprintf("Evil%s%d", door[:2], n), luck: rand.New(rand.NewPCG(seed, uint64(10*i+n)))}
				for _, p := range good {
					v.victim = append(v.victim, p.name)
				}
				r.settle(door, v.name, "Meadow", geom.Vec{X: 40, Y: lawnHeight, Z: 60}, 0)
				raging.Go(func() { v.rage(ctx) })
			}
		}
		war := r.measure(good, rageFor)
		within(patience, r.harmed)
		cancel()
		raging.Wait()
		stroll()
		war.compare(t, peace)
		r.unharmed(t, good)
		r.villainous(t)
		r.cleared(t, good)
	})
}

// deeds is what the villains of a door did: how often they came, were refused, and spoke, and how much of what they sent
// made no sense.
func (r *rig) deeds(door string) (came, refused, said int, bad uint64) {
	count := func(k sim.EventKind) int {
		return len(r.truth.told(func(d *deed) bool { return d.Kind == k && strings.HasPrefix(d.by, "Evil"+door[:2]) }))
	}
	r.metrics.Door(door).Bad.Each(func(_ string, n uint64) { bad += n })
	return count(sim.EventJoined), count(sim.EventRefused), count(sim.EventChat), bad
}

// harmed tells whether villains of each door were up to harm.
func (r *rig) harmed() bool {
	for _, door := range doors {
		if came, refused, said, bad := r.deeds(door); came == 0 || refused == 0 || said == 0 || bad == 0 {
			return false
		}
	}
	return true
}

// villainous checks that there was something to withstand.
func (r *rig) villainous(t *testing.T) {
	for _, door := range doors {
		came, refused, said, bad := r.deeds(door)
		t.Logf("%s: villains came %d times, were refused %d times, said %d lines; %d bad packets", door, came, refused, said, bad)
	}
	if !r.harmed() {
		t.Error("nobody was up to harm at one of the doors")
	}
}

// stroll lets players walk to and fro until the function that it returns is called.
func (r *rig) stroll(all []*player) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for i, p := range all {
		wait.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				to := geom.Vec{X: float32(50 + 40*(1-n%2)), Y: lawnHeight, Z: float32(50 + 10*i)}
				p.goes(to)
				for ctx.Err() == nil && flat(p.at(), to) >= 4 {
					time.Sleep(10 * time.Millisecond)
				}
			}
			p.halt()
		})
	}
	return func() {
		cancel()
		wait.Wait()
	}
}

// figures are what players did and met in a while.
type figures struct {
	took   time.Duration
	walked map[string]float64 // units a second
	ticks  float64            // of the area, a second
	gap    map[string]time.Duration
	missed uint64 // cycles
}

// measure watches players for a while.
func (r *rig) measure(all []*player, d time.Duration) figures {
	id, _ := r.area("Meadow")
	for _, p := range all {
		p.restart()
	}
	synctest.Wait()
	from := time.Now()
	time.Sleep(d)
	synctest.Wait()
	moments := r.truth.since(id, from)
	f := figures{took: time.Since(from), walked: map[string]float64{}, gap: map[string]time.Duration{}}
	first, last := &moments[0], &moments[len(moments)-1]
	f.ticks = float64(last.tick-first.tick) / last.at.Sub(first.at).Seconds()
	for _, p := range all {
		who := r.truth.id(p.name)
		for i := 1; i < len(moments); i++ {
			if a, b := moments[i-1].find(who), moments[i].find(who); a != nil && b != nil {
				f.walked[p.name] += float64(flat(a.Pos, b.Pos)) / f.took.Seconds()
			}
		}
		switch c := p.client.(type) {
		case *rcceClient:
			h := rccecl.NewHistogram()
			c.c.Stats(h, nil)
			f.gap[p.name] = time.Duration(h.ValueAtQuantile(99)) * rccecl.HistogramUnit
		case *rsClient:
			f.missed += c.c.Stats(nil).Missed
		case *bedrockClient:
			h := bedrockcl.Histograms{UpdateIntervals: bedrockcl.NewHistogram()}
			c.c.Stats(&h)
			f.gap[p.name] = time.Duration(h.UpdateIntervals.ValueAtQuantile(99)) * bedrockcl.HistogramUnit
		}
	}
	return f
}

// compare checks that the honest hardly noticed.
func (f figures) compare(t *testing.T, peace figures) {
	t.Logf("in peace %+v", peace)
	t.Logf("with villains %+v", f)
	for name, was := range peace.walked {
		if f.walked[name] < ofTheWay*was {
			t.Errorf("%s walked %.1f units a second in peace and %.1f among villains", name, was, f.walked[name])
		}
	}
	for name, gap := range f.gap {
		if gap > worstGap {
			t.Errorf("%s was without news of others for %v", name, gap)
		}
	}
	if f.missed > missedAtAll {
		t.Errorf("%d cycles were missed", f.missed)
	}
	if f.ticks != 20 || peace.ticks != 20 {
		t.Errorf("%v ticks a second, and %v in peace, want 20", f.ticks, peace.ticks)
	}
}

// unharmed checks that nothing was done to the honest.
func (r *rig) unharmed(t *testing.T, good []*player) {
	honest(t, good...)
	for _, p := range good {
		name := p.name
		for _, d := range r.truth.told(func(d *deed) bool {
			switch d.Kind {
			case sim.EventHeld, sim.EventCorrected, sim.EventTeleported:
				return d.by == name
			case sim.EventExpelled, sim.EventLeft, sim.EventPlaced:
				return d.by == name
			case sim.EventAttacked:
				return d.on == name
			}
			return false
		}) {
			t.Errorf("%s: event %d in tick %d, %v, asked %v of %v", name, d.Kind, d.tick, d.Reason, d.Asked, d.Allowed)
		}
		if p.health() != 1 {
			t.Errorf("%s lost health", name)
		}
	}
	r.agree(t, "Meadow", good, good)
	if n := r.truth.lost(); n > 0 {
		t.Errorf("a reader missed %d frames", n)
	}
}

// cleared sends away whoever is left of the villains, and checks that nothing of them is.
func (r *rig) cleared(t *testing.T, good []*player) {
	stay := map[string]bool{}
	for _, p := range good {
		stay[p.name] = true
	}
	soon(t, "only the honest are left", func() bool {
		for _, p := range r.hub.Players() {
			if !stay[p.Name] {
				_ = r.hub.Kick(p.Entity, "enough") // he may be gone by now
			}
		}
		s := r.hub.Stats()
		return s.Online == len(good) && s.Leaving == 0
	})
	r.agree(t, "Meadow", good, good)
	for _, v := range good {
		for _, name := range v.names() {
			if !stay[name] {
				soon(t, v.name+" sees "+name+" no more", func() bool { _, ok := v.look(name); return !ok })
			}
		}
	}
}
