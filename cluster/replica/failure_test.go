package replica

import (
	"fmt"
	"slices"
	"strings"
	"testing"

	"go.etcd.io/raft/v3/raftpb"
)

// settled returns a group that has run for a second and in which node 1 leads.
func settled(t *testing.T, seed uint64, witness bool) *group {
	g := newGroup(t, seed, witness)
	g.run(1000)
	if g.leader() != 1 {
		t.Fatalf("node %d leads, want the first member", g.leader())
	}
	g.resetGap()
	return g
}

func (g *group) cutLink(a, b uint64) {
	g.cut[linkOf(a, b)] = true
	g.breakLinks(func(x, y uint64) bool { return linkOf(x, y) == linkOf(a, b) })
}

// eachSeed runs a test with several seeds, with and without a witness.
func eachSeed(t *testing.T, f func(t *testing.T, g *group)) {
	for seed := range uint64(40) {
		t.Run(fmt.Sprint("seed=", seed), func(t *testing.T) { f(t, settled(t, seed, seed%2 == 0)) })
	}
}

func TestKilledLeaderIsReplacedByNextMemberAtOnce(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		g.run(int(g.rand.IntN(batchSteps)))
		g.kill(1)
		g.run(2000)
		if g.leader() != 2 {
			t.Errorf("node %d leads, want the second member", g.leader())
		}
		if most := batchSteps + batchSteps + tickSteps + 25; g.gap > most {
			t.Errorf("no batch for %d ms, want at most %d", g.gap, most)
		}
	})
}

// The disk of the leader is full, and its process does not end at once, so that no link breaks.
func TestLeaderThatCannotWriteIsReplacedAtOnceByMemberWithMostEntries(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		ahead := uint64(2)
		if g.rand.IntN(2) == 0 && g.witness == 0 {
			ahead = 3
			g.slow[linkOf(1, 2)] = true
			g.run(1000)
		}
		g.run(int(g.rand.IntN(batchSteps)))
		g.resetGap()
		g.nodes[1].crash = 3
		g.run(2000)
		if g.leader() == 0 || g.leader() == 1 || ahead == 2 && g.leader() != 2 {
			t.Errorf("node %d leads, want %d", g.leader(), ahead)
		}
		if most := 2*batchSteps + tickSteps + 25; g.gap > most {
			t.Errorf("no batch for %d ms, want at most %d", g.gap, most)
		}
		g.mend()
		g.run(2000)
		if n := g.nodes[1].stepped; n < len(g.history)-2 {
			t.Errorf("the node has %d of %d batches after it has space again", n, len(g.history))
		}
	})
}

func TestElectionNeedsOneTermEvenIfVotesAreWrittenSlowly(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		g.delay = 2 * tickSteps
		g.run(500)
		term := g.nodes[1].replica.Term()
		g.kill(1)
		g.run(1000)
		if g.leader() != 2 || g.nodes[2].replica.Term() != term+1 {
			t.Errorf("node %d leads in term %d after one election in term %d", g.leader(), g.nodes[2].replica.Term(), term)
		}
	})
}

func TestSilentLeaderIsReplacedAndCommitsNothingWhenItReturns(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		g.run(int(g.rand.IntN(batchSteps)))
		stopped := g.nodes[1]
		stopped.paused = true
		g.run(2000)
		if g.leader() != 2 {
			t.Errorf("node %d leads, want the second member", g.leader())
		}
		if least := 23 * tickSteps; g.gap < least || g.gap > least+250 {
			t.Errorf("no batch for %d ms, want %d to %d", g.gap, least, least+250)
		}
		term := g.nodes[2].replica.Term()
		stopped.paused = false
		g.run(2000) // the function step fails the test if the returned leader executes other batches than the group
		if g.leader() != 2 || g.nodes[2].replica.Term() != term || stopped.replica.IsLeader() {
			t.Errorf("the returned leader changed the term from %d to %d", term, g.nodes[2].replica.Term())
		}
		if stopped.stepped < len(g.history)-2 {
			t.Errorf("the returned node has %d of %d batches", stopped.stepped, len(g.history))
		}
	})
}

func TestFollowerThatLosesItsLinkToLeaderCausesNoElection(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		term := g.nodes[1].replica.Term()
		g.cutLink(1, 2)
		g.run(5000)
		g.mend()
		g.run(1000)
		if g.leader() != 1 || g.nodes[1].replica.Term() != term || g.gap > batchSteps+10 {
			t.Errorf("node %d leads in term %d after %d ms without a batch, want node 1 in term %d", g.leader(), g.nodes[1].replica.Term(), g.gap, term)
		}
		if n := g.nodes[2].stepped; n < len(g.history)-2 {
			t.Errorf("the node has %d of %d batches after its link is back", n, len(g.history))
		}
	})
}

func TestLeaderWithoutMajorityCommitsNothingAndStepsDown(t *testing.T) {
	g := settled(t, 1, false)
	g.cutLink(1, 2)
	g.cutLink(1, 3)
	stepped := g.nodes[1].stepped
	g.run(3000)
	if g.nodes[1].stepped != stepped || g.nodes[1].replica.IsLeader() {
		t.Errorf("a leader cut off from both stepped %d batches and leads: %t", g.nodes[1].stepped-stepped, g.nodes[1].replica.IsLeader())
	}
	if g.leader() != 2 {
		t.Errorf("node %d leads, want 2", g.leader())
	}
}

func TestWitnessWithNewestEntryBringsMemberUpToDateAndMakesItLeader(t *testing.T) {
	for seed := range uint64(20) {
		g := settled(t, seed, true)
		g.slow[linkOf(1, 2)] = true // slow, so that the witness is the first follower to get each batch
		g.run(777)
		g.kill(1)
		g.run(2000)
		if g.leader() != 2 {
			t.Errorf("seed %d: node %d leads, want 2", seed, g.leader())
		}
		if g.gap > 1000 {
			t.Errorf("seed %d: no batch for %d ms", seed, g.gap)
		}
	}
}

func TestEntryIsAcknowledgedOnlyAfterWrite(t *testing.T) {
	g := settled(t, 1, false)
	g.cutLink(1, 3)
	for g.now%batchSteps != batchSteps-1 {
		g.run(1)
	}
	g.nodes[2].crash = 1
	g.run(20) // node 1 seals a batch; node 2 crashes before it has written it
	if g.nodes[2].replica != nil {
		t.Fatal("node 2 has received nothing")
	}
	g.kill(1)
	clear(g.cut)
	g.start(2)
	g.run(2000) // nodes 2 and 3 go on; the function step fails the test if node 1 had executed a batch that neither node 2 nor node 3 has
	g.mend()
	g.run(1000)
	if g.leader() == 0 || g.nodes[1].stepped < len(g.history)-2 {
		t.Errorf("node 1 has %d of %d batches", g.nodes[1].stepped, len(g.history))
	}
}

func TestKillingAllNodesLosesNoCommittedBatch(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		g.run(int(g.rand.IntN(200)))
		for _, n := range g.sorted() {
			g.kill(n.id)
		}
		before := len(g.history)
		g.mend()
		g.run(2000)
		if n := len(g.history) - before; n < 25 {
			t.Errorf("%d batches in 2 s after the restart, want at least 25", n)
		}
		for _, n := range g.sorted() {
			if n.stepped < len(g.history)-2 {
				t.Errorf("node %d has %d of %d batches", n.id, n.stepped, len(g.history))
			}
		}
	})
}

// lose removes what the disk of a node has. The node must be down.
func (g *group) lose(id uint64) {
	n := g.nodes[id]
	n.state, n.entries, n.snapshot, n.stepped, n.incomplete = State{}, nil, Snapshot{}, 0, true
}

// A member that has lost its log may have acknowledged entries of a leader, and may have voted for a later leader. So it follows only
// leaders that are elected from now on.
func TestMemberThatLostItsLogFollowsNextLeader(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		g.kill(2)
		lost := g.nodes[2]
		g.lose(2)
		g.start(2)
		g.offers = 0
		g.run(1500)
		if g.leader() != 1 || lost.stepped > 0 || g.offers > 2 {
			t.Errorf("node %d leads, the member has stepped %d batches after %d offers", g.leader(), lost.stepped, g.offers)
		}
		g.nodes[1].replica.Transfer(3)
		g.flush(g.nodes[1])
		g.run(500)
		if lost.stepped < len(g.history)-2 || lost.incomplete {
			t.Errorf("node %d leads, the member has %d of %d batches and is incomplete: %t", g.leader(), lost.stepped, len(g.history), lost.incomplete)
		}
	})
}

// Node 1 is elected while node 3 is down, and then stands still. Nodes 2 and 3 elect node 2 and commit batches. Then node 3 loses its log
// and node 2 fails, so only node 2 has these batches. Node 1 does not know that it was replaced. If node 3 acknowledged the entries of
// node 1, they would be committed in place of the lost batches.
func TestMemberThatLostItsLogCommitsNothingForReplacedLeader(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		handOver := func(from, to uint64) {
			g.nodes[from].replica.Transfer(to)
			g.flush(g.nodes[from])
			g.run(500)
			if g.leader() != to {
				t.Fatalf("node %d leads, want %d", g.leader(), to)
			}
		}
		handOver(1, 2)
		g.kill(3)
		handOver(2, 1) // as a new leader, node 1 does not count on entries of node 3
		g.nodes[1].paused = true
		g.start(3)
		g.run(2500)
		if g.leader() != 2 {
			t.Fatalf("node %d leads, want 2", g.leader())
		}
		g.kill(3)
		g.lose(3)
		g.kill(2)
		before := len(g.history)
		g.nodes[1].paused = false
		g.start(3)
		g.run(3000) // the function step fails the test if other batches are committed
		if n := len(g.history) - before; n > 0 {
			t.Errorf("%d batches were committed, with one complete log", n)
		}
		g.start(2)
		g.run(3000)
		if n := g.nodes[3]; len(g.history)-before < 20 || n.incomplete || n.stepped < len(g.history)-2 {
			t.Errorf("with all nodes, %d batches were committed; node 3 has %d of %d and is incomplete: %t", len(g.history)-before, n.stepped, len(g.history), n.incomplete)
		}
	})
}

func TestMemberBehindCompactedLogGetsSnapshot(t *testing.T) {
	g := settled(t, 1, false)
	g.kill(3)
	g.run(2000)
	g.nodes[1].replica.Compact(g.nodes[1].replica.committed, Retention{})
	g.start(3)
	g.run(2000)
	if n := g.nodes[3]; n.snapshot.Index == 0 || n.stepped < len(g.history)-2 {
		t.Errorf("node 3 has %d of %d batches and a snapshot of entry %d", n.stepped, len(g.history), n.snapshot.Index)
	}
	g.kill(1)
	g.kill(3)
	g.start(3) // from its snapshot
	g.run(2000)
	if g.leader() != 2 || g.nodes[3].stepped < len(g.history)-2 {
		t.Errorf("node %d leads; node 3 has %d of %d batches", g.leader(), g.nodes[3].stepped, len(g.history))
	}
}

func TestMemberBehindSnapshotGetsRetainedEntries(t *testing.T) {
	g := settled(t, 1, false)
	g.kill(3)
	g.run(2000)
	n := g.nodes[1]
	if err := n.replica.OfferSnapshot(n.replica.committed, nil); err != nil {
		t.Fatal(err)
	}
	n.replica.Compact(n.replica.committed, Retention{Entries: 100, Bytes: 1 << 20})
	g.start(3)
	g.run(2000)
	if n := g.nodes[3]; n.snapshot.Index != 0 || n.stepped < len(g.history)-2 {
		t.Errorf("node 3 has %d of %d batches and a snapshot of entry %d, want no snapshot", n.stepped, len(g.history), n.snapshot.Index)
	}
}

func TestCompactRetainsNewestEntriesWithinBothLimits(t *testing.T) {
	for _, c := range []struct {
		index     uint64
		keep      Retention
		wantFirst uint64
	}{
		{10, Retention{}, 11},
		{10, Retention{Entries: 3, Bytes: 1000}, 8},
		{10, Retention{Entries: 100, Bytes: 35}, 8},
		{10, Retention{Entries: 100, Bytes: 9}, 11},
		{10, Retention{Entries: 100, Bytes: 1000}, 4},
		{12, Retention{Entries: 1, Bytes: 10}, 12},
		{3, Retention{}, 4},
		{13, Retention{}, 4},
	} {
		m, err := newMemory(&Config{Members: []uint64{1}, Snapshot: Snapshot{Index: 3, Term: 1, Members: []uint64{1}}})
		if err != nil {
			t.Fatal(err)
		}
		for i := uint64(4); i <= 12; i++ {
			m.append([]*raftpb.Entry{{Index: new(i), Term: new(i), Data: make([]byte, 10)}})
		}
		m.compact(c.index, c.keep)
		if m.first != c.wantFirst || m.lastIndex() != 12 {
			t.Errorf("compact(%d, %+v) retains entries %d to %d, want %d to 12", c.index, c.keep, m.first, m.lastIndex(), c.wantFirst)
		}
		if term, err := m.Term(m.first - 1); err != nil || term != m.first-1 && m.first > 4 {
			t.Errorf("compact(%d, %+v): the entry before the oldest one has term %d, %v", c.index, c.keep, term, err)
		}
	}
}

func TestLeadershipTransferDelaysBatchesByAtMostTwoTicks(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		g.run(int(g.rand.IntN(batchSteps)))
		g.nodes[1].replica.Transfer(2)
		g.flush(g.nodes[1])
		g.run(1000)
		if g.leader() != 2 || g.gap > 3*batchSteps {
			t.Errorf("node %d leads after %d ms without a batch, want 2", g.leader(), g.gap)
		}
	})
}

func TestEveryMemberStepsBatchBeforeNextIsProposed(t *testing.T) {
	eachSeed(t, func(t *testing.T, g *group) {
		g.run(batchSteps - 1 - g.now%batchSteps)
		for range 20 {
			g.run(batchSteps)
			for _, n := range g.sorted() {
				if n.stepped != int(g.sealed) {
					t.Fatalf("at %d: node %d has stepped %d batches, want %d", g.now, n.id, n.stepped, g.sealed)
				}
			}
		}
	})
}

func TestReplicaWithoutOtherMembersCommitsProposedBatch(t *testing.T) {
	r, err := New(Config{Self: 1, Members: []uint64{1}, HeartbeatTicks: 1, QuorumTicks: 2, SilenceTicks: 2, StaggerTicks: 1})
	if err != nil {
		t.Fatal(err)
	}
	drain := func() (committed []string) {
		for {
			out, ok := r.Ready()
			if !ok {
				return committed
			}
			r.Advance()
			for _, e := range out.Committed {
				committed = append(committed, string(e.Data))
			}
		}
	}
	r.Tick()
	drain()
	if !r.CanPropose() || !r.Propose([]byte("batch")) {
		t.Fatal("a group of one has no leader after a tick")
	}
	if got := drain(); !slices.Equal(got, []string{"batch"}) {
		t.Errorf("committed %q", got)
	}
}

func TestInvalidReplicaConfigurationIsRefused(t *testing.T) {
	good := Config{Self: 1, Members: []uint64{1, 2, 3}, HeartbeatTicks: 1, QuorumTicks: 2, SilenceTicks: 2, StaggerTicks: 1}
	for want, change := range map[string]func(c *Config){
		"numbers of nodes":        func(c *Config) { c.Self = 0 },
		"at least one member":     func(c *Config) { c.Members = nil },
		"SilenceTicks greater":    func(c *Config) { c.SilenceTicks = 1 },
		"Witness must be 0":       func(c *Config) { c.Witness = 9 },
		"entry 5 follows entry 0": func(c *Config) { c.Entries = []Entry{{Index: 5, Term: 1}} },
		"entry 1 is of kind 2":    func(c *Config) { c.Entries = []Entry{{Index: 1, Term: 1, Kind: 2}} },
	} {
		c := good
		change(&c)
		if _, err := New(c); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("error %v, want one with %q", err, want)
		}
	}
}
