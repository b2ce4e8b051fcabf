package oneworld

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/netip"
	"strings"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/HdrHistogram/hdrhistogram-go"

	bedrockcl "github.com/truestep-io/truestep/client/bedrock"
	rccecl "github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Limits of the effect that hostile players may have on honest ones.
const (
	hostileFor     = 5 * time.Second
	hostilePerDoor = 3                      // number of concurrent hostile players at each door
	worstGap       = 500 * time.Millisecond // maximum 99th percentile of the interval between two updates that a Bedrock client gets of a nearby actor, on a link with loss
	doorInterval   = 200 * time.Millisecond // maximum of the same on a link without impairment, and interval of the broadcasts to RealmCrafter clients
	maxMissed      = 0                      // maximum number of cycles that RuneScape clients miss
	minWalkShare   = .7                     // minimum walking speed, as a fraction of the speed without hostile players
)

// Hostile sessions send malformed packets and floods, and are closed at every stage of the protocol. No honest player of any door
// is disconnected, corrected, slowed down or left without updates, and no hostile player stays in the world.
func TestHostileSessionsDoNotHarmHonestPlayers(t *testing.T) {
	overAllLines(t, newTestWorld, func(t *testing.T, r *rig) {
		const seed = 1
		var entrants []entrant
		for i, door := range doors {
			entrants = append(entrants, entrant{door: door, name: "Good" + door[:2], area: "Meadow", at: geom.Vec{X: 50, Y: lawnHeight, Z: float32(50 + 10*i)}})
		}
		good := r.join(entrants...)
		r.waitForPositions(t, "Meadow", good, good)
		r.recordDrops()
		stop := r.walkBackAndForth(good)
		before := r.measure(good, 2*time.Second)
		ctx, cancel := context.WithCancel(t.Context())
		defer cancel()
		var hostilePredictor sync.WaitGroup
		for i, door := range doors {
			for n := range hostilePerDoor {
				v := &hostile{r: r, door: door, name: fmt.Sprintf("Evil%s%d", door[:2], n), rng: rand.New(rand.NewPCG(seed, uint64(10*i+n)))}
				for _, p := range good {
					v.victim = append(v.victim, p.name)
				}
				r.createCharacter(door, v.name, "Meadow", geom.Vec{X: 40, Y: lawnHeight, Z: 60}, 0)
				hostilePredictor.Go(func() { v.attackUntilEnd(ctx) })
			}
		}
		during := r.measure(good, hostileFor)
		happensWithin(waitLimit, r.hostileWereActive)
		cancel()
		hostilePredictor.Wait()
		stop()
		during.compare(t, before)
		r.checkUnharmed(t, good)
		r.checkHostileActivity(t)
		r.removeHostile(t, good)
	})
}

// hostileCounts returns how often the hostile players of a door joined, were refused an intent and chatted, and how many
// malformed packets the door counted.
func (r *rig) hostileCounts(door string) (joined, refused, said int, bad uint64) {
	count := func(k sim.EventKind) int {
		return len(r.truth.events(func(d *savedEvent) bool { return d.Kind == k && strings.HasPrefix(d.by, "Evil"+door[:2]) }))
	}
	r.metrics.Door(door).Bad.Each(func(_ string, n uint64) { bad += n })
	return count(sim.EventJoined), count(sim.EventRefused), count(sim.EventChat), bad
}

// hostileWereActive reports whether all counts of hostileCounts are above zero for each door.
func (r *rig) hostileWereActive() bool {
	for _, door := range doors {
		if joined, refused, said, bad := r.hostileCounts(door); joined == 0 || refused == 0 || said == 0 || bad == 0 {
			return false
		}
	}
	return true
}

// checkHostileActivity checks that hostile players of each door were active.
func (r *rig) checkHostileActivity(t *testing.T) {
	for _, door := range doors {
		joined, refused, said, bad := r.hostileCounts(door)
		t.Logf("%s: hostile players joined %d times, were refused %d times, said %d lines; %d bad packets", door, joined, refused, said, bad)
	}
	if !r.hostileWereActive() {
		t.Error("one of the doors had no hostile activity")
	}
}

// isNotHostile reports whether a player is not hostile. Updates about hostile players are not measured. These players stop
// and resume at random times, and a client cannot distinguish lost updates from an actor that stands still.
func isNotHostile(name string) bool { return !strings.HasPrefix(name, "Evil") }

// walkBackAndForth makes players walk back and forth until stop is called.
func (r *rig) walkBackAndForth(all []*player) (stop func()) {
	ctx, cancel := context.WithCancel(context.Background())
	var wait sync.WaitGroup
	for i, p := range all {
		wait.Go(func() {
			for n := 0; ctx.Err() == nil; n++ {
				to := geom.Vec{X: float32(50 + 40*(1-n%2)), Y: lawnHeight, Z: float32(50 + 10*i)}
				p.walkTo(to)
				for ctx.Err() == nil && distance(p.pos(), to) >= 4 {
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

// drops records the times at which the network dropped datagrams to clients.
type drops struct {
	mu sync.Mutex
	at map[netip.Addr]map[int64]bool // by address of a client's host: send times of dropped datagrams, in ns since 1970
}

// recordDrops starts to record the dropped datagrams.
func (r *rig) recordDrops() {
	r.drops = drops{at: map[netip.Addr]map[int64]bool{}}
	d := &r.drops
	r.network.OnDrop(func(_, to netip.AddrPort) {
		d.mu.Lock()
		defer d.mu.Unlock()
		if d.at[to.Addr()] == nil {
			d.at[to.Addr()] = map[int64]bool{}
		}
		d.at[to.Addr()][time.Now().UnixNano()] = true
	})
}

// dropped returns the number of times at which the network dropped datagrams to the client of a player.
func (r *rig) dropped(p *player) int {
	r.mu.Lock()
	home := r.hosts[p.name].Addr()
	r.mu.Unlock()
	r.drops.mu.Lock()
	defer r.drops.mu.Unlock()
	return len(r.drops.at[home])
}

// droppedInARow returns the maximum number of successive broadcasts to a RealmCrafter client of which the network dropped a datagram. A
// broadcast is sent at the time at which the frame is read, because time stands still until all goroutines wait.
func (r *rig) droppedInARow(p *player, frames []savedFrame) (most int) {
	r.mu.Lock()
	home := r.hosts[p.name].Addr()
	r.mu.Unlock()
	policy := interest.OriginalPolicy()
	schedule := interest.NewSchedule(&policy, r.def.TicksPerSecond)
	who := r.truth.id(p.name)
	r.drops.mu.Lock()
	defer r.drops.mu.Unlock()
	row := 0
	for i := 1; i < len(frames); i++ {
		if due, _ := schedule.Due(who, frames[i-1].tick, frames[i].tick); !due {
			continue
		}
		if row++; !r.drops.at[home][frames[i].at.UnixNano()] {
			row = 0
		}
		most = max(most, row)
	}
	return most
}

// allowedGap returns the maximum interval at which a client may get updates of a nearby actor in the time of some frames. For a
// RealmCrafter client it contains the broadcasts that the network dropped.
func (r *rig) allowedGap(p *player, frames []savedFrame) time.Duration {
	spread := time.Duration(r.line.JitterMS) * time.Millisecond // of the delays of two datagrams
	if r.line.Reorder > 0 {
		spread += 20 * time.Millisecond // default of Impairment.ReorderMS
	}
	switch {
	case p.door == rcce:
		return doorInterval*time.Duration(1+r.droppedInARow(p, frames)) + spread
	case r.line.Loss > 0:
		return worstGap
	}
	return doorInterval
}

// measurements hold the speeds of players and the intervals of their updates in a period.
type measurements struct {
	took   time.Duration
	walked map[string]float64       // speed of each player in units per second
	ticks  float64                  // tick rate of the area per second
	gap    map[string]time.Duration // 99th percentile of the intervals at which a player got updates of an actor
	late   map[string]time.Duration // gap of the players for which it exceeds allowedGap
	missed uint64                   // number of cycles that RuneScape clients missed
}

// measure measures the speeds and update intervals of players for the duration d.
func (r *rig) measure(all []*player, d time.Duration) measurements {
	id, _ := r.area("Meadow")
	for _, p := range all {
		p.resetStats()
	}
	synctest.Wait()
	from := time.Now()
	time.Sleep(d)
	synctest.Wait()
	frames := r.truth.since(id, from)
	f := measurements{took: time.Since(from), walked: map[string]float64{}, gap: map[string]time.Duration{}, late: map[string]time.Duration{}}
	record := func(p *player, h *hdrhistogram.Histogram, unit time.Duration) {
		q := h.ValueAtQuantile(99)
		f.gap[p.name] = time.Duration(q) * unit
		// An interval may begin before the measurement. It is rounded up to the resolution of the histogram.
		if most := int64(r.allowedGap(p, r.truth.since(id, from.Add(-time.Second))) / unit); q > most && !h.ValuesAreEquivalent(q, most) {
			f.late[p.name] = f.gap[p.name]
		}
	}
	first, last := &frames[0], &frames[len(frames)-1]
	f.ticks = float64(last.tick-first.tick) / last.at.Sub(first.at).Seconds()
	for _, p := range all {
		who := r.truth.id(p.name)
		for i := 1; i < len(frames); i++ {
			if a, b := frames[i-1].find(who), frames[i].find(who); a != nil && b != nil {
				f.walked[p.name] += float64(distance(a.Pos, b.Pos)) / f.took.Seconds()
			}
		}
		switch c := p.client.(type) {
		case *rcceClient:
			h := rccecl.NewHistogram()
			c.c.Stats(h, nil)
			record(p, h, rccecl.HistogramUnit)
		case *rsClient:
			f.missed += c.c.Stats(nil).Missed
		case *bedrockClient:
			h := bedrockcl.Histograms{UpdateIntervals: bedrockcl.NewHistogram()}
			c.c.Stats(&h)
			record(p, h.UpdateIntervals, bedrockcl.HistogramUnit)
		}
	}
	return f
}

// compare checks that honest players move as fast, and are updated as often, as in the measurements before the attack.
func (f measurements) compare(t *testing.T, before measurements) {
	t.Logf("before %+v", before)
	t.Logf("among hostile players %+v", f)
	for name, was := range before.walked {
		if f.walked[name] < minWalkShare*was {
			t.Errorf("%s walked %.1f units per second before and %.1f among hostile players", name, was, f.walked[name])
		}
	}
	for name, gap := range f.late {
		t.Errorf("%s got no updates of near actors for %v", name, gap)
	}
	if f.missed > maxMissed {
		t.Errorf("%d cycles were missed", f.missed)
	}
	if f.ticks != 20 || before.ticks != 20 {
		t.Errorf("%v ticks per second, and %v before, want 20", f.ticks, before.ticks)
	}
}

// checkUnharmed checks that honest players were not corrected, removed, moved or attacked.
func (r *rig) checkUnharmed(t *testing.T, good []*player) {
	checkHonest(t, good...)
	for _, p := range good {
		name := p.name
		for _, d := range r.truth.events(func(d *savedEvent) bool {
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
	r.waitForPositions(t, "Meadow", good, good)
	if n := r.truth.missedFrames(); n > 0 {
		t.Errorf("the test missed %d frames of the feed", n)
	}
}

// removeHostile kicks the remaining hostile players, and checks that they disappear for all others.
func (r *rig) removeHostile(t *testing.T, good []*player) {
	stay := map[string]bool{}
	for _, p := range good {
		stay[p.name] = true
	}
	waitFor(t, "only honest players are left", func() bool {
		for _, p := range r.hub.Players() {
			if !stay[p.Name] {
				_ = r.hub.Kick(p.Entity, "enough") // returns an error if the player has left already
			}
		}
		s := r.hub.Stats()
		return s.Online == len(good) && s.Leaving == 0
	})
	r.waitForPositions(t, "Meadow", good, good)
	for _, v := range good {
		for _, name := range v.names() {
			if !stay[name] {
				waitFor(t, v.name+" does not see "+name, func() bool { _, ok := v.actor(name); return !ok })
			}
		}
	}
}
