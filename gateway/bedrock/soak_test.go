package bedrock

import (
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim/reason"
)

// soakSize is how much of a soak runs: TRUESTEP_SOAK=full is what make soak-bedrock asks for.
func soakSize() (full bool) { return os.Getenv("TRUESTEP_SOAK") == "full" }

// soakNets is each combination of delay and loss.
func soakNets() (all []soakNet) {
	for _, rtt := range []uint32{0, 80, 250} {
		for _, loss := range []float64{0, 0.02, 0.05} {
			all = append(all, soakNet{RTT: rtt, Loss: loss})
		}
	}
	return all
}

// Nobody who is honest is ever corrected, on any ground and over any network, but for what the server itself does to him.
func TestSoakOfTheHonest(t *testing.T) {
	t.Parallel()
	clients, lasts, shards := 18, 12*time.Second, 1
	if soakSize() {
		clients, lasts, shards = 200, 10*time.Minute, 2
	}
	w := course(t)
	soakBubble(t, w, shards, func(s *soak) {
		nets, all := soakNets(), survey(w)
		runners := make([]*runner, clients)
		for i := range clients {
			runners[i] = newRunner(all, i, uint64(i))
			runners[i].strikes = i%4 == 3
			if i%5 == 0 {
				runners[i].next = slices.IndexFunc(all, func(g grounds) bool { return g.name == "ring" })
			}
			s.add(bot.Options{Name: fmt.Sprintf("Runner %d", i)}, nets[i%len(nets)], runners[i])
		}
		s.enter()
		s.each = s.moods()
		s.run(lasts)
		s.honest(runners, lasts)
	})
}

// moods changes the speed of everybody now and then.
func (s *soak) moods() func() {
	const every = 7 * time.Second
	speed := &s.def.Templates[0].Attr[s.def.Roles.Speed].Value
	usual := *speed
	next := time.Now().Add(every)
	s.t.Cleanup(func() { *speed = usual })
	return func() {
		if time.Now().Before(next) {
			return
		}
		next = next.Add(every)
		n := time.Since(s.started) / every
		*speed = usual + []int32{0, -10, 0, 12, 25}[int(n)%5] // a share of the template's: higher is slower
	}
}

// tally is what became of a crowd.
type tally struct {
	counts             bot.Counts
	gauges             bot.Histograms
	corrected, refused map[reason.Reason]int
	caused             map[string]int
	knocks, lands      int
	speeds, deaths     int
	trips              []int64
	visits             map[string]int
}

// honest reports how an honest crowd fared, and complains about each correction that the server did not cause. After a
// teleport there may be one; after a knockback or a change of speed hardly ever: where the client swam and its word was
// taken before it had heard. A line that is dead for longer than clients remember brings one or two.
func (s *soak) honest(runners []*runner, lasts time.Duration) {
	t := tally{
		gauges:    bot.Histograms{UpdateIntervals: bot.NewHistogram(), ReplayDepths: bot.NewHistogram()},
		corrected: map[reason.Reason]int{}, refused: map[reason.Reason]int{}, caused: map[string]int{}, visits: map[string]int{},
	}
	for i, b := range s.bots {
		n, j := b.Counts(), s.referee.of(b.name)
		t.add(b, &n, j)
		for name, n := range runners[i].visited {
			t.visits[name] += n
		}
		if b.gone || b.err != nil || j.expelled != reason.None {
			s.t.Errorf("%s was lost: %v, %v", b.name, b.err, j.expelled)
		}
		if j.caused[""] > 0 {
			s.t.Errorf("%s on %v was corrected %v: %s", b.name, b.net, j.caused, strings.Join(j.notes, "; "))
		}
	}
	if n := total(t.caused) - t.caused["landing"] - t.caused[deadLine]; n > max(1, (t.knocks+t.speeds)/1000) {
		s.t.Errorf("%d corrections after %d knockbacks and %d changes of speed: %v", n, t.knocks, t.speeds, t.caused)
	}
	if n := t.caused[deadLine]; n > max(4, len(s.bots)/10) {
		s.t.Errorf("%d corrections of dead lines, which are rarer", n)
	}
	if t.counts.ParseErrors+t.counts.Trailing > 0 {
		s.t.Errorf("clients could not read %d packets", t.counts.ParseErrors+t.counts.Trailing)
	}
	t.report(s.t, len(s.bots), lasts)
}

func (t *tally) add(b *soaker, n *bot.Counts, j *judged) {
	t.counts.Add(n)
	b.Histograms(&t.gauges)
	t.trips = append(t.trips, b.rtt...)
	merge(t.corrected, j.corrected)
	merge(t.refused, j.refused)
	merge(t.caused, j.caused)
	t.knocks, t.lands, t.speeds, t.deaths = t.knocks+j.knocks, t.lands+j.teleports, t.speeds+j.speeds, t.deaths+j.deaths
}

func (t *tally) report(log testing.TB, clients int, lasts time.Duration) {
	past := &t.counts.Rewind
	log.Logf("%d clients for %v: %d inputs, visits %v", clients, lasts, t.counts.Inputs, t.visits)
	log.Logf("the server's doing: %d knockbacks, %d teleports, %d changes of speed, %d deaths", t.knocks, t.lands, t.speeds, t.deaths)
	log.Logf("corrections by reason: %s; by what the server had done: %v; false: %d", byReason(t.corrected), t.caused, t.caused[""])
	log.Logf("corrections as clients see them: %+v", t.counts.Move)
	log.Logf("refused: %s", byReason(t.refused))
	log.Logf("rewinds: %d, %d visible, %d packets too late for them; depth p50 %d, p99 %d, most %d ticks", past.Rewinds, past.Visible, past.Late,
		t.gauges.ReplayDepths.ValueAtQuantile(50)-1, t.gauges.ReplayDepths.ValueAtQuantile(99)-1, past.MaxReplayed)
	ms := func(q float64) float64 {
		return float64(time.Duration(t.gauges.UpdateIntervals.ValueAtQuantile(q))*bot.HistogramUnit) / 1e6
	}
	log.Logf("gaps between updates of others: p50 %.0f, p90 %.0f, p99 %.0f ms; round trips: p50 %d, p90 %d, p99 %d ms",
		ms(50), ms(90), ms(99), quantile(t.trips, 50), quantile(t.trips, 90), quantile(t.trips, 99))
}

func quantile(v []int64, q int) int64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[(len(v)-1)*q/100]
}
