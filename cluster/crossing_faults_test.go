package cluster

import (
	"flag"
	"fmt"
	"os"
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/internal/race"
	"github.com/truestep-io/truestep/sim"
)

var crossingSeeds = flag.Int("crossing-seeds", 1, "number of seeds with which each row of crossingFaults is played")

// A crossingRun lets a troupe play on three nodes in virtual time. Node 1 leads the area that the players leave, node 2 leads the
// area to which they go, and node 3 has only the door. One fault occurs, at a given step of the crossing.
type crossingRun struct {
	*simulation
	*troupe
	failed    bool // it has failed
	failedAt  crossingCounts
	movedBoth bool          // an operator has moved the new area to the node that leads the old one
	ready     sim.Tick      // tick of the old area after which the players leave; 0 until a frame of that tick is shown
	leftAt    time.Duration // time at which a node showed the departure of the last player
	cameAt    time.Duration // time at which a node showed the arrival of the last player
}

// Areas of a crossingRun: the one that the players leave, and the one to which they go.
const (
	oldArea sim.AreaID = 0
	newArea sim.AreaID = 1
)

// crossingCounts is how many players have left the old area, and how many have arrived in the new one.
type crossingCounts struct{ left, came int }

// A crossingFault is called before each message that a process sends, until it has caused its fault (crossingRun.failed).
type crossingFault func(r *crossingRun, p *process, kind byte, body []byte)

func newCrossingRun(seed uint64, doors [3]uint16, fail crossingFault) *crossingRun {
	def := troupeWorld()
	r := &crossingRun{simulation: newSimulationOf(def, 3, seed, 24*time.Second), troupe: newTroupe(def, doors)}
	r.faults.snapshotEvery, r.faults.maxWithoutSnapshot, r.faults.retained = 200, maxWithoutSnapshot, replica.Retention{Entries: 400, Bytes: 4 << 20}
	r.fixedLeads = true
	r.published = func(a *simArea, f *sim.Frame) {
		before := r.count()
		r.observe(a.g.state)
		after := r.count()
		if after.left != before.left {
			r.leftAt = r.now
		}
		if after.came != before.came {
			r.cameAt = r.now
		}
		if ann := f.Find(r.members[0].who); ann != nil && f.Area == oldArea && f.FieldsOf(def, ann)[0] == stepGo {
			r.ready = f.Tick
		}
		r.act(f, r.submit)
	}
	r.sends = func(p *process, _ uint64, kind byte, body []byte) {
		if fail != nil && !r.failed {
			fail(r, p, kind, body)
		}
	}
	return r
}

func (r *crossingRun) count() (n crossingCounts) {
	for i := range r.members {
		n.left, n.came = n.left+r.members[i].left, n.came+r.members[i].came
	}
	return n
}

// submit schedules an event in which a player's node submits an intent to the old area.
func (r *crossingRun) submit(m *member, in sim.Intent) {
	r.after(0, func() { r.submitAt(uint64(m.who.Node()), oldArea, m.who, in) })
}

func (r *crossingRun) submitAt(node uint64, a sim.AreaID, who sim.EntityID, in sim.Intent) {
	if p := r.nodes[node].p; p != nil {
		in.Who, in.AtMS = who, p.host.NowMS()
		r.within(p, func() { _ = p.host.Submit(a, in) })
	}
}

// begin starts the nodes and, after 7 s, submits the logins of the players.
func (r *crossingRun) begin() {
	for _, n := range r.nodes[1:] {
		n.start()
		n.serial = firstSerial + 10 // incarnations from here on have greater numbers than the players
	}
	r.playUntil(7 * time.Second)
	r.enter(r.submit)
}

// crash kills process p, which is about to send a message. The node starts a new process after 2 s.
func (r *crossingRun) crash(p *process) {
	r.note("node %d is about to send a message", p.n.id)
	r.fails()
	r.after(2*time.Second, p.n.start)
	p.crash()
}

// soon schedules the fault f after the duration wait, as an event of its own and not while a process sends a message.
func (r *crossingRun) soon(wait time.Duration, f func()) {
	r.failed = true
	r.after(wait, func() {
		r.fails()
		f()
	})
}

func (r *crossingRun) fails() { r.failed, r.failedAt = true, r.count() }

// killFor kills a node, and starts it again after a time.
func (r *crossingRun) killFor(n *simNode, down time.Duration) {
	n.kill(byKill)
	r.after(down, n.start)
}

// leads reports whether a process leads an area.
func (p *process) leads(a sim.AreaID) bool { return p.areas[a].g.rep.IsLeader() }

// sendsFrom reports whether the process that sends a message leads area a, and the message has the kind want.
func (p *process) sendsFrom(a sim.AreaID, kind, want byte) bool { return kind == want && p.leads(a) }

// proposes reports whether p leads area a and the message contains a batch of that area with an intent in for which is(in) is true. If
// is == nil, any batch counts.
func (p *process) proposes(a sim.AreaID, kind byte, body []byte, is func(in *sim.Intent) bool) bool {
	if !p.sendsFrom(a, kind, kindRaft) {
		return false
	}
	at, rest, err := splitArea(body, simAreas)
	if err != nil || at != a {
		return false
	}
	m, err := replica.ParseMessage(rest)
	if err != nil {
		return false
	}
	for _, e := range m.GetEntries() {
		if t, err := parseBatch(e.GetData(), nil); err == nil && (is == nil || slices.ContainsFunc(t.intents, func(in sim.Intent) bool { return is(&in) })) {
			return true
		}
	}
	return false
}

// proposesDeparture reports whether a message contains the batch in which the players leave the old area.
func (r *crossingRun) proposesDeparture(p *process, kind byte, body []byte) bool {
	return r.ready > 0 && p.areas[oldArea].g.state.Now() == r.ready && p.proposes(oldArea, kind, body, nil)
}

func isArrival(in *sim.Intent) bool {
	return in.Kind == sim.IntentJoin && in.Join != nil && in.Join.Seq > 0
}
func isSettlement(in *sim.Intent) bool { return in.Kind == sim.IntentSettle }

// crossingFaults are the steps of a crossing, in order, with what fails at each of them: see "A player who changes areas" in
// docs/cluster.md.
var crossingFaults = []struct {
	name string
	at   crossingCounts // counts at the time of the fault; a non-zero number of arrivals is a minimum, zero is exact
	most time.Duration  // maximum time from the departure of the last player to the arrival of the last one
	fail crossingFault
}{
	{"nothing fails", crossingCounts{}, 100 * time.Millisecond, nil},
	{"the old leader dies before the departure is committed", crossingCounts{0, 0}, 100 * time.Millisecond, func(r *crossingRun, p *process, kind byte, body []byte) {
		if r.proposesDeparture(p, kind, body) {
			r.crash(p)
		}
	}},
	{"the old leader dies after the departure is committed, before it has sent the players", crossingCounts{3, 0}, 500 * time.Millisecond, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.crash(p)
		}
	}},
	{"the old leader dies after it has sent the players", crossingCounts{3, 0}, 500 * time.Millisecond, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(600*time.Microsecond, func() { r.killFor(p.n, 2*time.Second) })
		}
	}},
	{"the old leader dies, and its disk is lost", crossingCounts{3, 0}, 500 * time.Millisecond, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() { r.killFor(p.n, 2*time.Second); p.n.loseDisks() })
		}
	}},
	{"the new leader dies before the arrival is committed", crossingCounts{3, 0}, 500 * time.Millisecond, func(r *crossingRun, p *process, kind byte, body []byte) {
		if p.proposes(newArea, kind, body, isArrival) {
			r.crash(p)
		}
	}},
	{"the new leader dies after the arrival is committed, before it has confirmed it", crossingCounts{3, 1}, 500 * time.Millisecond, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(newArea, kind, kindSettle) {
			r.crash(p)
		}
	}},
	{"the old leader dies before the confirmation is committed", crossingCounts{3, 1}, 500 * time.Millisecond, func(r *crossingRun, p *process, kind byte, body []byte) {
		if p.proposes(oldArea, kind, body, isSettlement) {
			r.crash(p)
		}
	}},
	{"one node leads both areas, and dies before the arrival is committed", crossingCounts{3, 0}, time.Second, func(r *crossingRun, p *process, kind byte, body []byte) {
		if r.now < 8*time.Second && !r.movedBoth && p.n.id == 1 && p.leads(oldArea) {
			r.movedBoth = true
			r.after(0, func() { r.prefer(newArea, 1) })
		}
		if p.leads(oldArea) && p.proposes(newArea, kind, body, isArrival) {
			r.crash(p)
		}
	}},
	{"the old leader and then the new leader die", crossingCounts{3, 0}, time.Second, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() {
				r.killFor(p.n, 100*time.Millisecond)
				r.after(20*time.Millisecond, func() { r.killFor(r.nodes[2], 2*time.Second) })
			})
		}
	}},
	{"both leaders die at once", crossingCounts{3, 0}, 2 * time.Second, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() { r.killFor(r.nodes[1], time.Second); r.killFor(r.nodes[2], time.Second) })
		}
	}},
	{"the link of the two leaders carries nothing", crossingCounts{3, 0}, 1200 * time.Millisecond, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() { r.cutFor(8*time.Second, 1, 2) })
		}
	}},
	{"the old leader is cut off from all", crossingCounts{3, 0}, time.Second, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() { r.isolateNodes(r.nodes[1:2], 8*time.Second) })
		}
	}},
	{"the new leader is cut off from all", crossingCounts{3, 0}, time.Second, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() { r.isolateNodes(r.nodes[2:3], 8*time.Second) })
		}
	}},
	{"the new leader stands still", crossingCounts{3, 0}, time.Second, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() {
				r.nodes[2].pause()
				r.after(5*time.Second, r.nodes[2].p.resume)
			})
		}
	}},
	{"the leaders of both areas are handed over", crossingCounts{3, 0}, 500 * time.Millisecond, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() { r.handOver(oldArea, 1); r.handOver(newArea, 2) })
		}
	}},
	{"the database is away", crossingCounts{3, 0}, 100 * time.Millisecond, func(r *crossingRun, p *process, kind byte, _ []byte) {
		if p.sendsFrom(oldArea, kind, kindArrive) {
			r.soon(0, func() { r.db.away = true })
		}
	}},
}

// prefer moves area a to a node, as an operator does with truestep cluster move.
func (r *crossingRun) prefer(a sim.AreaID, node uint64) {
	p := r.nodes[node].p
	r.within(p, func() {
		if err := p.host.prefer(a, node); err != nil {
			r.fail("area %d is not moved: %v", a, err)
		}
		p.host.Tell()
	})
}

// cutFor blocks the link of two nodes in both directions for the time d.
func (r *crossingRun) cutFor(d time.Duration, lower, higher uint64) {
	r.blockFor(d, func(set func(l *simLink, from int)) {
		for _, l := range r.links {
			if l.lower.id == lower && l.higher.id == higher {
				set(l, 0)
				set(l, 1)
			}
		}
	})
}

// handOver makes the node that leads an area hand it over to node 3.
func (r *crossingRun) handOver(a sim.AreaID, node uint64) {
	at := r.nodes[node].p.areas[a]
	at.request(func() {
		if !at.g.rep.IsLeader() {
			r.fail("node %d does not lead area %d", node, a)
		}
		at.g.rep.Transfer(3)
	})
}

// At whichever step a fault occurs, each player arrives once, in the same state as after a crossing on one machine: party, mount,
// pets and their health, own health, effects, combat time, use delay, game values. The party shares the experience of a later kill.
func TestFaultAtAnyStepOfAreaChangeDoesNotAlterResult(t *testing.T) {
	doors := [3]uint16{3, 3, 3}
	want := playOnOneMachine(t, doors)
	rows := crossingFaults
	if race.Enabled { // a simulation has one goroutine, and is slow under the race detector
		rows = rows[:4]
	}
	for _, c := range rows {
		t.Run(c.name, func(t *testing.T) {
			var longest time.Duration
			for n := range uint64(*crossingSeeds) {
				synctest.Test(t, func(t *testing.T) {
					r := newCrossingRun(1+n, doors, c.fail)
					r.begin()
					r.playUntil(r.lasts)
					if at := r.failedAt; c.fail != nil && (!r.failed || at.left != c.at.left || at.came < c.at.came || c.at.came == 0 && at.came > 0) {
						t.Errorf("seed %d: when it failed (%t), %+v players had left and come, want %+v", r.seed, r.failed, r.failedAt, c.at)
					}
					r.check(t, want)
					longest = max(longest, r.cameAt-r.leftAt)
					r.stop()
				})
			}
			if t.Logf("%v from the departure to the arrival", longest); longest > c.most {
				t.Errorf("%v from the departure to the arrival, want at most %v", longest, c.most)
			}
		})
	}
}

// The table in docs/cluster.md must have one row for each of crossingFaults, with the same times.
func TestClusterDocumentListsEveryTestedFaultOfAreaChange(t *testing.T) {
	text, err := os.ReadFile("../docs/cluster.md")
	if err != nil {
		t.Fatal(err)
	}
	lines := strings.Split(string(text), "\n")
	for _, c := range crossingFaults {
		end := fmt.Sprintf(" | %v s |", c.most.Seconds())
		if !slices.ContainsFunc(lines, func(line string) bool {
			return strings.HasPrefix(line, "| "+c.name+" | ") && strings.HasSuffix(line, end)
		}) {
			t.Errorf("docs/cluster.md has no row for %q that ends with %q", c.name, end)
		}
	}
}

// The members of a party are connected through different nodes.
func TestAreaChangeOfPartyOnDifferentNodesHasSameResultAsOnSingleServer(t *testing.T) {
	doors := [3]uint16{3, 2, 1}
	want := playOnOneMachine(t, doors)
	synctest.Test(t, func(t *testing.T) {
		r := newCrossingRun(1, doors, nil)
		r.begin()
		r.playUntil(r.lasts)
		r.check(t, want)
		r.stop()
	})
}

// check compares the players with those of a run on one machine (want). It checks that all nodes have them in the area that they went to.
func (r *crossingRun) check(t *testing.T, want *troupe) {
	t.Helper()
	if r.violation != nil {
		t.Error(r.violation)
	}
	for i := range r.members {
		m, w := &r.members[i], &want.members[i]
		if m.left != 1 || m.came != 1 {
			t.Errorf("%s has left %d times and has come %d times, want once", m.name, m.left, m.came)
		}
		if d := difference(w.arrived, m.arrived); d != "" {
			t.Errorf("%s does not arrive as on one machine:%s", m.name, d)
		}
		if d := difference(w.later, m.later); d != "" {
			t.Errorf("%s has another state than on one machine later:%s", m.name, d)
		}
	}
	for _, n := range r.nodes[1:] {
		if n.p == nil {
			t.Errorf("node %d does not run", n.id)
			continue
		}
		var places []string
		for _, a := range n.p.areas {
			a.g.state.Players(func(_ sim.EntityID, c sim.CharacterID) { places = append(places, fmt.Sprintf("%d in %d", c, a.g.area)) })
			if under := a.g.crossed.underWay(); under > 0 {
				t.Errorf("at node %d %d players are under way from area %d", n.id, under, a.g.area)
			}
		}
		if slices.Sort(places); !slices.Equal(places, []string{"1 in 1", "2 in 1", "3 in 1"}) {
			t.Errorf("node %d has the characters in these areas: %q", n.id, places)
		}
	}
}
