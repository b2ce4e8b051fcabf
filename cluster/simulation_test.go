package cluster

import (
	"errors"
	"flag"
	"fmt"
	"math/rand/v2"
	"os"
	"sync"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim"
)

var (
	seeds    = flag.Int("seeds", 12, "number of seeds that TestSimulatedFaultsBreakNoGuarantee plays")
	outages  = flag.Int("outage-seeds", 8, "number of seeds that TestSimulatedOutagesOfDatabaseLoseNoRecords plays; 20 more if in none of at least 8 a leader has lacked records")
	parties  = flag.Int("party-seeds", 2, "number of seeds that TestSimulatedPartiesLoseNoMember plays")
	forged   = flag.Int("forged-seeds", 2, "number of seeds that TestSimulatedForgeriesBreakNoGuarantee plays")
	seed     = flag.Uint64("seed", 0, "the only seed to play, with a line for each fault and client event; 0 for -seeds seeds")
	fromSeed = flag.Uint64("from", 1, "the first of -seeds seeds")
	nodes    = flag.Int("nodes", 0, "number of nodes in each seed, 3 to 7; 0 for the number that belongs to the seed: see nodesOf")
	stop     = flag.Bool("stop", false, "end with the first seed that fails")
)

// A simulation runs a cluster in one process and in virtual time. Everything that can happen is an event in a heap: a message
// arrives, an area of a node is scheduled, a link breaks, a node crashes, a client acts. One goroutine takes the event with the
// least time (equal times: the order is random, from the seed), lets time pass until then, and calls the code of the cluster. So a
// run depends on its seed alone: see TestSimulationsWithEqualSeedsAreEqual.
//
// The code under test is this package with replica and sim, unchanged. What it runs on is modelled: the goroutine of an area
// (simArea, in place of area.World), links (simnet_test.go, with the guarantees of package link), disks (simdisk_test.go, with
// those of raftlog), the database (simdb_test.go, after store/postgres), and sessions (simsession_test.go, after session and server).
// The tests in simnet_model_test.go, simdb_model_test.go and raftlog/model_test.go compare the models with what they stand for.
type simulation struct {
	seed    uint64
	lasts   time.Duration
	rand    *rand.Rand
	began   time.Time
	now     time.Duration // time since began
	events  eventHeap
	digest  uint64 // digest of all events and frames so far
	verbose bool

	def     *sim.World
	nodes   []*simNode  // nodes[i] is the node with number i; nodes[0] is nil
	links   []*simLink  // one for each pair of nodes
	most    []*majority // all majorities of the nodes
	clients []*client
	db      database
	truth   truth
	history *checker.History
	faults  faults

	// A test may watch a run, or change it. The functions are nil in runs with random faults.
	sends     func(p *process, to uint64, kind byte, body []byte)                        // called before a process sends a message, which the function may make crash
	published func(a *simArea, f *sim.Frame)                                             // called with the first copy of each frame that a node shows
	executes  func(p *process, in []sim.Intent, f *sim.Frame) ([]sim.Intent, *sim.Frame) // returns what the truth is told instead of a tick
	shows     func(p *process, f *sim.Frame) *sim.Frame                                  // returns the frame that the clients of a process are shown instead of f
	counts    func(n *simNode, have *checker.Census)                                     // called with the count of items of each node at the end, which the function may change

	whole       time.Duration // time since which nothing is down or disturbed: see isWhole
	wholeWithDB time.Duration // time since which the database can be reached as well

	fixedLeads bool // no area is placed by load
	parties    bool // clients form parties and leave them
	wrong      claimErrors

	running   *process // process whose code is being called; nil for none
	violation error    // the first broken promise; ends the run
	stats     simStats
}

// simStats counts what a run has covered, so that a test can tell an empty run from a good one.
type simStats struct {
	events, ticks, lines, crossed, resumed, logins, fenced, crashes, snapshots, kills, placed int

	refused int // frames that links refused because their queues were full
	dropped int // messages that areas dropped because their queues were full
	kept    int // losses of power that left unsynced entries
	watched int // times that watch has looked while nothing had failed for a while
	pairs   int // see checker.History.Lines
	samples int // see samplePlaces

	lacked int // number of times that a leader stored no records because it lacked some
	forged int // forged messages

	invited, together int // invited: changes of parties; together: members of a party that came into another area
	blows, damage     int // numbers of blows and points that the checker has compared: see checker.History.Blows
}

// simEvent is something that happens at a time.
type simEvent struct {
	at  time.Duration
	tie uint64 // random number that orders events of the same time
	run func()
}

// before reports whether e is played before other. No two events have the same random number.
func (e *simEvent) before(other *simEvent) bool {
	return e.at < other.at || e.at == other.at && e.tie < other.tie
}

// eventHeap is a binary heap: the event at index i is not before the one at index (i-1)/2.
type eventHeap []simEvent

func (h *eventHeap) push(e simEvent) {
	*h = append(*h, e)
	list, at := *h, len(*h)-1
	for ; at > 0 && e.before(&list[(at-1)/2]); at = (at - 1) / 2 {
		list[at] = list[(at-1)/2]
	}
	list[at] = e
}

// pop removes the first event and returns it.
func (h *eventHeap) pop() simEvent {
	list := *h
	first, last, n := list[0], list[len(list)-1], len(list)-1
	list[n] = simEvent{}
	at := 0
	for child := 1; child < n; child = 2*at + 1 {
		if child+1 < n && list[child+1].before(&list[child]) {
			child++
		}
		if !list[child].before(&last) {
			break
		}
		list[at] = list[child]
		at = child
	}
	if n > 0 {
		list[at] = last
	}
	*h = list[:n]
	return first
}

const (
	simAreas   = 3
	simClients = 9

	simDuration = 60 * time.Second
	briefly     = 25 * time.Second // duration of a run where the race detector makes it slow
	recovery    = 14 * time.Second // duration at the end without faults, in which everything that was lost is sent again
	afterwards  = 2 * time.Second  // duration at the end without actions of clients, in which all nodes show the last actions
)

func newSimulation(seed uint64, lasts time.Duration) *simulation {
	s := newSimulationOf(simWorld(), nodesOf(seed), seed, lasts)
	s.planFaults()
	for i := range simClients {
		s.clients = append(s.clients, newClient(s, sim.CharacterID(i+1)))
	}
	return s
}

// nodesOf returns the number of nodes with which a seed is played: five for every eighth seed, three for the others.
func nodesOf(seed uint64) int {
	switch {
	case *nodes != 0:
		return *nodes
	case seed%8 == 0:
		return 5
	}
	return 3
}

// newSimulationOf returns a simulation of a world with simAreas areas, without faults and clients.
func newSimulationOf(def *sim.World, nodes int, seed uint64, lasts time.Duration) *simulation {
	s := &simulation{
		seed: seed, lasts: lasts, rand: rand.New(rand.NewPCG(seed, 17)), began: time.Now(), def: def, history: checker.New(time.Nanosecond),
		nodes: make([]*simNode, nodes+1), digest: seed,
	}
	s.faults.storeEvery = 900 * time.Millisecond
	s.truth = newTruth(s)
	s.db = newDatabase()
	for i := 1; i <= nodes; i++ {
		s.nodes[i] = newSimNode(s, uint64(i))
	}
	for a := 1; a <= nodes; a++ {
		for b := a + 1; b <= nodes; b++ {
			s.links = append(s.links, newSimLink(s, s.nodes[a], s.nodes[b]))
		}
	}
	s.most = newMajorities(s)
	return s
}

// after schedules an event.
func (s *simulation) after(d time.Duration, run func()) { s.at(s.now+d, run) }

func (s *simulation) at(at time.Duration, run func()) {
	s.events.push(simEvent{max(at, s.now), s.rand.Uint64(), run})
}

// between returns a random duration.
func (s *simulation) between(least, most time.Duration) time.Duration {
	return least + time.Duration(s.rand.Int64N(int64(most-least)+1))
}

// chance returns true with a probability of 1/n.
func (s *simulation) chance(n int) bool { return s.rand.IntN(n) == 0 }

// mix adds values to the digest of the run.
func (s *simulation) mix(values ...uint64) {
	for _, v := range values {
		s.digest = (s.digest ^ v) * 0x9e3779b97f4a7c15
		s.digest ^= s.digest >> 29
	}
}

// fail ends the run, because a promise of the cluster is broken.
func (s *simulation) fail(format string, args ...any) {
	if s.violation == nil {
		s.violation = fmt.Errorf(format, args...)
		s.note("VIOLATION %v", s.violation)
	}
}

// note prints a line about the run if a single seed is played.
func (s *simulation) note(format string, args ...any) {
	if s.verbose {
		fmt.Fprintf(os.Stderr, "%8.4f %s\n", s.now.Seconds(), fmt.Sprintf(format, args...))
	}
}

// run plays the whole time and returns the first broken promise. The caller is the only goroutine of a synctest bubble.
func (s *simulation) run() error {
	for _, n := range s.nodes[1:] {
		s.at(s.between(0, 300*time.Millisecond), n.start)
	}
	for _, c := range s.clients {
		s.at(s.between(time.Second, 2*time.Second), c.act)
	}
	s.at(s.between(2*time.Second, 3*time.Second), s.nextFault)
	s.at(time.Second, s.samplePlaces)
	s.at(time.Second, s.watch)
	s.playUntil(s.lasts)
	if s.violation == nil {
		s.checkEnd()
	}
	s.stop()
	return s.violation
}

// playUntil plays the events before a time.
func (s *simulation) playUntil(end time.Duration) {
	for s.violation == nil && len(s.events) > 0 && s.events[0].at < end {
		e := s.events.pop()
		if wait := e.at - s.now; wait > 0 {
			time.Sleep(wait)
			s.now = e.at
		}
		s.stats.events++
		s.mix(uint64(e.at), e.tie)
		e.run()
	}
}

// stop ends all processes, and waits for their goroutines.
func (s *simulation) stop() {
	for _, n := range s.nodes[1:] {
		if n.p != nil {
			n.p.end()
		}
	}
	synctest.Wait()
}

// errCrash is the panic that ends a process in the middle of its code.
var errCrash = errors.New("the process is killed")

// within runs code of a process. The process may crash at the points that simulation.point marks.
func (s *simulation) within(p *process, f func()) {
	if p.dead {
		return
	}
	switch s.running {
	case nil:
	case p: // a client of the running process acts on a frame
		f()
		return
	default:
		panic("code of a node calls another node directly")
	}
	s.running = p
	p.setClock()
	defer func() {
		v := recover()
		s.running = nil
		switch {
		case v == nil && !p.crashing:
			p.settle()
		case v == nil, v == errCrash:
			s.stats.crashes++
			p.n.kill(byCrash)
		default:
			s.fail("node %d panics: %v", p.n.id, v)
			if s.verbose {
				panic(v)
			}
		}
	}()
	f()
}

// simulate runs the simulation of a seed in its own synctest bubble. With the flag -seed it prints a line for each fault and event.
// The function plan, if not nil, changes what will happen.
func simulate(t *testing.T, seedNumber uint64, lasts time.Duration, plan func(*simulation)) (s *simulation, err error) {
	synctest.Test(t, func(t *testing.T) {
		s = newSimulation(seedNumber, lasts)
		s.verbose = *seed != 0
		if plan != nil {
			plan(s)
		}
		err = s.run()
	})
	return s, err
}

// seedRange returns the first and the last seed that a test runs, and how long each lasts: count seeds, or shortCount with -short.
// The race detector runs one seed for the time raced. With the flag -seed, only the seed that it names is run.
func seedRange(count, shortCount int, raced time.Duration) (first, last uint64, lasts time.Duration) {
	switch {
	case *seed != 0:
		return *seed, *seed, simDuration
	case race.Enabled:
		return *fromSeed, *fromSeed, raced
	case testing.Short():
		return *fromSeed, *fromSeed + uint64(shortCount) - 1, simDuration
	}
	return *fromSeed, *fromSeed + uint64(count) - 1, simDuration
}

// Nodes crash at any point, stand still, lose disks and links, and have clocks that differ, while clients walk, speak, fight, drop and
// take items, go from area to area, leave and come back through other nodes. See truth and simulation.checkEnd for the promises.
func TestSimulatedFaultsBreakNoGuarantee(t *testing.T) {
	first, last, lasts := seedRange(*seeds, 3, briefly)
	total := playSeeds(t, first, last, func(n uint64) (*simulation, error) { return simulate(t, n, lasts, nil) })
	n := int(last - first + 1)
	if t.Failed() { // with -stop, not all seeds are played
		return
	}
	if *seed == 0 && (total.lines < 100*n || total.crossed < 5*n || total.blows < 50*n || total.damage < 500*n || total.pairs < 200*n || total.resumed < 5*n ||
		total.logins < 5*n || total.snapshots < 5*n || total.watched < 50*n || total.samples < 5*n) {
		t.Error("the runs are nearly empty")
	}
	if n >= 10 && (total.placed < n/2 || total.crashes < n/2 || total.refused < n || total.dropped < n || total.kept == 0 || total.fenced == 0) {
		t.Error("some faults have hardly happened")
	}
}

func (a *simStats) add(b *simStats) {
	a.events += b.events
	a.ticks += b.ticks
	a.lines += b.lines
	a.crossed += b.crossed
	a.resumed += b.resumed
	a.logins += b.logins
	a.fenced += b.fenced
	a.crashes += b.crashes
	a.snapshots += b.snapshots
	a.kills += b.kills
	a.placed += b.placed
	a.refused += b.refused
	a.dropped += b.dropped
	a.kept += b.kept
	a.watched += b.watched
	a.pairs += b.pairs
	a.samples += b.samples
	a.lacked += b.lacked
	a.forged += b.forged
	a.invited += b.invited
	a.together += b.together
	a.blows += b.blows
	a.damage += b.damage
}

// The database is away for so long that a node comes back without records that are not stored yet. No record is lost. See
// simulation.outage for the course of events.
func TestSimulatedOutagesOfDatabaseLoseNoRecords(t *testing.T) {
	first, last, lasts := seedRange(*outages, 1, 35*time.Second) // one outage
	play := func(first, last uint64) int {
		return playSeeds(t, first, last, func(n uint64) (*simulation, error) { return simulate(t, n, lasts, (*simulation).planOutages) }).lacked
	}
	// A leader lacks records in about one of four seeds.
	if play(first, last) == 0 && last-first >= 7 && !t.Failed() && play(last+1, last+20) == 0 {
		t.Error("no leader has lacked records")
	}
}

// Beside the other faults, nodes send forged messages about players that change areas.
func TestSimulatedForgeriesBreakNoGuarantee(t *testing.T) {
	first, last, lasts := seedRange(*forged, 1, briefly)
	total := playSeeds(t, first, last, func(n uint64) (*simulation, error) { return simulate(t, n, lasts, (*simulation).planForgeries) })
	if total.forged < 100 || total.crossed < 5 {
		t.Error("the runs are nearly empty")
	}
}

// Beside the faults, clients invite each other to parties, accept and leave. See truth.checkParties.
func TestSimulatedPartiesLoseNoMember(t *testing.T) {
	first, last, lasts := seedRange(*parties, 1, briefly)
	total := playSeeds(t, first, last, func(n uint64) (*simulation, error) {
		return simulate(t, n, lasts, func(s *simulation) { s.parties = true })
	})
	if total.invited < 5 || total.together < 1 || total.kills < 1 {
		t.Error("the runs are nearly empty")
	}
}

// A seed plays the same run alone and beside others.
func TestSimulationsWithEqualSeedsAreEqual(t *testing.T) {
	list := []uint64{1, 1, 2, 8}
	if race.Enabled {
		list = list[:1]
	}
	alone, err := simulate(t, 1, briefly, nil)
	if err != nil {
		t.Fatal(err)
	}
	beside := make([]*simulation, len(list))
	var runs sync.WaitGroup
	for i, n := range list {
		runs.Go(func() { beside[i], _ = simulate(t, n, briefly, nil) })
	}
	runs.Wait()
	for i, s := range beside {
		if same := s.digest == alone.digest && s.stats == alone.stats; same != (list[i] == 1) {
			t.Errorf("run %d, of seed %d: the digest is %x, and that of seed 1 alone is %x: %+v, %+v", i, list[i], s.digest, alone.digest, s.stats, alone.stats)
		}
	}
}
