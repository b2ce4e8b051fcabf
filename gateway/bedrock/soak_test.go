package bedrock

import (
	"fmt"
	"os"
	"slices"
	"strconv"
	"strings"
	"testing"
	"time"

	bot "github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/sim/reason"
)

// soakIsFull reports whether the soak tests run with all clients. make soak-bedrock sets TRUESTEP_SOAK to full, and
// make test sets it to brief.
func soakIsFull() (full bool) { return os.Getenv("TRUESTEP_SOAK") != "" }

// soakDuration is the simulated time of the soak tests with all clients.
func soakDuration() time.Duration {
	if os.Getenv("TRUESTEP_SOAK") == "full" {
		return 10 * time.Minute
	}
	return 30 * time.Second
}

// soakSeed returns the seed of the random losses, delays and keys of the soak tests: the value of TRUESTEP_SOAK_SEED, 0 if
// that is not set. Runs with equal seeds may differ: goroutines that run at the same virtual time have no fixed order.
func soakSeed() uint64 {
	text := os.Getenv("TRUESTEP_SOAK_SEED")
	if text == "" {
		return 0
	}
	seed, err := strconv.ParseUint(text, 10, 32)
	if err != nil {
		panic("TRUESTEP_SOAK_SEED: " + err.Error())
	}
	return seed
}

// skipSoakIfShort skips a soak test if go test runs with -short. make soak-brief and make soak-bedrock run without -short.
func skipSoakIfShort(t *testing.T) {
	t.Helper()
	if testing.Short() {
		t.Skip("soak tests run without -short")
	}
}

// soakNets returns each combination of delay and loss.
func soakNets() (all []soakNet) {
	for _, rtt := range []uint32{0, 80, 250} {
		for _, loss := range []float64{0, 0.02, 0.05} {
			all = append(all, soakNet{RTT: rtt, Loss: loss})
		}
	}
	return all
}

// Honest clients are never corrected, in any zone and over any network, except after the server changes the player's
// state.
func TestSoakHonestClientsAreNotCorrected(t *testing.T) {
	skipSoakIfShort(t)
	t.Parallel()
	clients, duration, shards := 18, 12*time.Second, 1
	if soakIsFull() {
		clients, duration, shards = 200, soakDuration(), 2
	}
	w := courseWorld(t)
	withSoakServer(t, w, shards, func(srv *soakServer) {
		nets, all := soakNets(), loadZones(w)
		runners := make([]*runner, clients)
		for i := range clients {
			runners[i] = newRunner(all, i, srv.seed(uint64(i)))
			runners[i].attacks = i%4 == 3
			if i%5 == 0 {
				runners[i].next = slices.IndexFunc(all, func(g zone) bool { return g.name == "ring" })
			}
			srv.addClient(bot.Options{Name: fmt.Sprintf("Runner %d", i)}, nets[i%len(nets)], runners[i])
		}
		srv.waitForJoins()
		srv.afterStep = srv.changeSpeeds()
		srv.advance(duration)
		srv.assertHonest(runners, duration)
	})
}

// changeSpeeds returns a function that changes the speed attribute of all players every 7 s. The test calls it in each step.
func (srv *soakServer) changeSpeeds() func() {
	const every = 7 * time.Second
	speed := &srv.def.Templates[0].Attr[srv.def.Roles.Speed].Value
	usual := *speed
	next := time.Now().Add(every)
	srv.t.Cleanup(func() { *speed = usual })
	return func() {
		if time.Now().Before(next) {
			return
		}
		next = next.Add(every)
		n := time.Since(srv.started) / every
		*speed = usual + []int32{0, -10, 0, 12, 25}[int(n)%5] // speed relative to the template's value, so that a higher template value makes players slower
	}
}

// soakReport contains the totals of all clients.
type soakReport struct {
	counts                bot.Counts
	gauges                bot.Histograms
	corrected, refused    map[reason.Reason]int
	caused                map[string]int
	knockbacks, teleports int
	speedChanges, deaths  int
	rtts                  []int64
	visits                map[string]int
}

// assertHonest logs the results of honest clients and fails the test for each correction that no change by the server explains.
// A teleport may cause one correction. A knockback or a speed change causes a correction in one rare case: the server has
// accepted the position of a swimming client that had not received the change. A connection stall that is longer than the
// client's prediction history causes one or two corrections.
func (srv *soakServer) assertHonest(runners []*runner, duration time.Duration) {
	sum := soakReport{
		gauges:    bot.Histograms{UpdateIntervals: bot.NewHistogram(), ReplayDepths: bot.NewHistogram()},
		corrected: map[reason.Reason]int{}, refused: map[reason.Reason]int{}, caused: map[string]int{}, visits: map[string]int{},
	}
	for i, c := range srv.clients {
		n, rec := c.Counts(), srv.checker.record(c.name)
		sum.addClient(c, &n, rec)
		for name, n := range runners[i].visited {
			sum.visits[name] += n
		}
		if c.closed || c.err != nil || rec.expelled != reason.None {
			srv.t.Errorf("%s was disconnected: %v, %v", c.name, c.err, rec.expelled)
		}
		if rec.byCause[""] > 0 {
			srv.t.Errorf("%s on %v was corrected %v: %s", c.name, c.net, rec.byCause, strings.Join(rec.notes, "; "))
		}
	}
	if n := total(sum.caused) - sum.caused["landing"] - sum.caused[connectionStall]; n > max(1, (sum.knockbacks+sum.speedChanges)/1000) {
		srv.t.Errorf("%d corrections after %d knockbacks and %d speed changes: %v", n, sum.knockbacks, sum.speedChanges, sum.caused)
	}
	if n := sum.caused[connectionStall]; n > max(4, len(srv.clients)/10) {
		srv.t.Errorf("%d corrections after connection stalls, more than expected", n)
	}
	if sum.counts.ParseErrors+sum.counts.Trailing > 0 {
		srv.t.Errorf("clients could not read %d packets", sum.counts.ParseErrors+sum.counts.Trailing)
	}
	sum.log(srv.t, len(srv.clients), duration)
}

func (sum *soakReport) addClient(c *soakClient, n *bot.Counts, rec *playerRecord) {
	sum.counts.Add(n)
	c.Histograms(&sum.gauges)
	sum.rtts = append(sum.rtts, c.rtts...)
	merge(sum.corrected, rec.corrected)
	merge(sum.refused, rec.refused)
	merge(sum.caused, rec.byCause)
	sum.knockbacks, sum.teleports, sum.speedChanges, sum.deaths = sum.knockbacks+rec.knockbacks, sum.teleports+rec.teleports, sum.speedChanges+rec.speedChanges, sum.deaths+rec.deaths
}

func (sum *soakReport) log(log testing.TB, clients int, duration time.Duration) {
	past := &sum.counts.Rewind
	log.Logf("%d clients for %v: %d inputs, visits %v", clients, duration, sum.counts.Inputs, sum.visits)
	log.Logf("changes by the server: %d knockbacks, %d teleports, %d speed changes, %d deaths", sum.knockbacks, sum.teleports, sum.speedChanges, sum.deaths)
	log.Logf("corrections by reason: %s; by cause: %v; without cause: %d", byReason(sum.corrected), sum.caused, sum.caused[""])
	log.Logf("corrections as clients see them: %+v", sum.counts.Move)
	log.Logf("refused: %s", byReason(sum.refused))
	log.Logf("rewinds: %d, %d visible, %d packets too late; depth p50 %d, p99 %d, max %d ticks", past.Rewinds, past.Visible, past.Late,
		sum.gauges.ReplayDepths.ValueAtQuantile(50)-1, sum.gauges.ReplayDepths.ValueAtQuantile(99)-1, past.MaxReplayed)
	ms := func(q float64) float64 {
		return float64(time.Duration(sum.gauges.UpdateIntervals.ValueAtQuantile(q))*bot.HistogramUnit) / 1e6
	}
	log.Logf("intervals between updates of others: p50 %.0f, p90 %.0f, p99 %.0f ms; round trips: p50 %d, p90 %d, p99 %d ms",
		ms(50), ms(90), ms(99), quantile(sum.rtts, 50), quantile(sum.rtts, 90), quantile(sum.rtts, 99))
}

func quantile(v []int64, q int) int64 {
	if len(v) == 0 {
		return 0
	}
	slices.Sort(v)
	return v[(len(v)-1)*q/100]
}
