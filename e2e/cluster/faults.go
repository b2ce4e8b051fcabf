//go:build linux

package main

import (
	"context"
	"errors"
	"fmt"
	"sync"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/truth"
)

// fault is a fault that the test injects into the cluster, and the limits that must hold meanwhile.
type fault struct {
	nodes  []int         // numbers of the nodes whose clients lose their connection
	kind   string        // description for check names
	maxGap time.Duration // maximum time without a frame at clients of other nodes; 0: not checked
	window time.Duration // time from the fault in which these gaps are measured; 0: gapWindow

	after    string        // description of the time in which the damage is repaired; "" for one that is made of kind
	afterGap time.Duration // maximum time without a frame at all clients in that time; 0: goalGap

	hands []*truth.Area // areas that are handed over, beside those of nodes

	strike func(t *test) error // injects the fault
	mend   func(t *test) error // repairs the damage; nil: nothing to repair
	during func(t *test)       // further checks while the fault lasts; nil: none

	run func(t *test, name string) error // injects several faults, in place of all other fields; nil: none

	told     bool // the failing nodes close their clients' connections, so the test need not do so
	back     bool // mend runs before the clients log in again, through the same nodes as before
	abandons bool // every other client of the node leaves its connection open, which the node must end
	logsOut  bool // the node tells the others that the rest of its clients have closed their connections, so their actors need not linger
	frozen   bool // between strike and mend the test waits for options.frozen
	stands   bool // all players stand still when the fault happens, so that each must be exactly where it was
	fences   bool // the other nodes declare the nodes dead, which must find that when they are back, end their sessions, and say so
}

// Maximum times for which clients of other nodes receive no frame.
const (
	goalGap  = time.Second            // after most faults
	handOver = 150 * time.Millisecond // while an area is handed over, which may pause it for two ticks: a gap of three between two frames
	drainGap = 200 * time.Millisecond // after SIGTERM, while the clients of the stopped node log in on the cores of the other nodes
)

// goalMedians are the maximum medians of the gaps at clients that were in the areas that a node led, after faults of a kind.
var goalMedians = []struct {
	kind string
	goal time.Duration
}{
	{killKind, 200 * time.Millisecond}, {killAloneKind, 200 * time.Millisecond}, {drainKind, handOver}, {upgradeKind, handOver}, {moveKind, handOver}, {releaseKind, handOver},
}

var faults = map[string]*fault{
	"kill-a": killNode(0),
	"kill-b": standing(killNode(1)),
	"kill-c": killNode(2),
	"kill":   {run: (*test).killNext},
	"kill-all": {
		nodes: []int{0, 1, 2}, kind: "kill -9 of all nodes", back: true,
		strike: func(t *test) error {
			for _, n := range t.cluster.nodes {
				n.kill()
			}
			return nil
		},
		mend: func(t *test) error { return t.startAll() },
	},
	"freeze-a": freezeNode(0),
	"freeze-b": standing(freezeNode(1)),
	"drain-b":  drainNode(1),
	"drain-c":  drainNode(2),
	diskFault:  fullDisk(1),
	"cut-c": {
		nodes: []int{2}, kind: "all links of a node cut", maxGap: goalGap, frozen: true, fences: true,
		strike: func(t *test) error {
			for _, r := range t.cluster.nodes[2].links() {
				r.cut()
			}
			return nil
		},
		mend: func(t *test) error {
			t.cluster.nodes[2].mendLinks()
			return t.cluster.nodes[2].awaitFrames(t.ctx, t.patient(framesLimit))
		},
	},
	"cut-a-b": {
		kind: "link of two nodes cut", maxGap: goalGap, frozen: true,
		strike: func(t *test) error { t.cluster.relays[0][1].cut(); return nil },
		mend:   func(t *test) error { t.cluster.relays[0][1].mend(); return nil },
	},
	"mute-c":      muteNode(2, "links of a node silent in both directions", true, true, goalGap),
	"mute-from-b": muteNode(1, "links of a node silent in the direction from it", true, false, goalGap),
	"mute-to-c":   muteNode(2, "links of a node silent in the direction to it", false, true, goalGap),
	"mute-a-b": {
		kind: "link of two nodes silent", maxGap: goalGap, frozen: true,
		strike: func(t *test) error { t.cluster.relays[0][1].hold(forth, back); return nil },
		mend:   func(t *test) error { t.cluster.relays[0][1].mend(); return nil },
	},
	"strangers": {
		nodes: []int{1}, kind: drainKind, maxGap: drainGap, after: "processes that do not belong to the cluster", told: true,
		strike: func(t *test) error { return t.cluster.nodes[1].stop() },
		mend:   func(t *test) error { return t.refuseStrangers(t.cluster.nodes[1]) },
	},
	"move-area": {run: (*test).moveArea},
	beginFault:  {run: (*test).beginAnew}, // once, after all rounds
	"none":      {run: (*test).measure},
	"upgrade":   {run: (*test).upgrade},
	"move": {
		kind:   "players change their node",
		strike: func(t *test) error { return t.moveAll() },
	},
	"postgres": {
		kind: "PostgreSQL killed", maxGap: goalGap, frozen: true,
		strike: func(t *test) error { t.postgres.Kill(); return nil },
		during: func(t *test) { t.Check("no login without PostgreSQL", t.tryNewcomer(3*time.Second, false)) },
		mend: func(t *test) error {
			if err := t.postgres.Launch(); err != nil {
				return err
			}
			t.Check("logins work again with PostgreSQL", t.tryNewcomer(15*time.Second, true))
			return nil
		},
	},
	"postgres-kill-a": killWithoutPostgres(0),
}

// briefFaults are the faults that --brief injects, in this order.
var briefFaults = []string{"kill-a", "freeze-b"}

// inject injects a fault into the cluster.
func (f *fault) inject(t *test, name string) error {
	if f.run != nil {
		return f.run(t, name)
	}
	return t.inject(name, f)
}

// roundFaults are the faults of a round, in this order. A node has no clients right after its fault, so two faults in a row are not of the
// same node, and the first one is not of node c, which upgrade stops last. After kill-all clients return to their nodes.
var roundFaults = []string{
	"cut-a-b", "freeze-a", "cut-c", diskFault, "kill-a", "drain-c", "freeze-b", "kill-all", "kill-b", "mute-c", "drain-b", "kill-c",
	"mute-from-b", "mute-to-c", "mute-a-b", "move", "move-area", "none", "postgres", "postgres-kill-a", "strangers", "upgrade", beginFault,
}

// Kinds of faults whose median gap has a goal.
const (
	killKind      = "kill -9 of a node"
	killAloneKind = "kill -9 of a node while PostgreSQL is down"
	drainKind     = "SIGTERM of a node"
	upgradeKind   = "SIGTERM of a node that is upgraded"
	moveKind      = "leadership of an area moved by an operator"
	releaseKind   = "area released by an operator"
)

func killNode(i int) *fault {
	return &fault{
		nodes: []int{i}, kind: killKind, maxGap: goalGap,
		strike: func(t *test) error { t.cluster.nodes[i].kill(); return nil },
		mend:   func(t *test) error { return t.startNode(t.cluster.nodes[i]) },
	}
}

// standing returns the fault, but players stand still when it happens.
func standing(f *fault) *fault {
	f.stands = true
	return f
}

// killNext kills another node than the call before: the nodes in turn.
func (t *test) killNext(name string) error {
	t.kills++
	return t.inject(name, killNode((t.kills-1)%nodeCount))
}

// Times of the fault in which a node is killed while PostgreSQL is down.
const (
	databaseAway = 10 * time.Second // how long PostgreSQL is down
	killedAfter  = time.Second      // time from its end to that of the node
)

// killWithoutPostgres returns the fault that a node is killed while PostgreSQL is down. The other nodes must lead its areas without the
// database. Its clients cannot log in before the database is back, and must be able to then.
func killWithoutPostgres(i int) *fault {
	var (
		victims []player
		began   time.Time
		early   []error    // clients that were in the world before PostgreSQL was back
		back    chan error // receives the result of the start of PostgreSQL
	)
	return &fault{
		nodes: []int{i}, kind: killAloneKind, maxGap: goalGap, window: databaseAway + gapWindow,
		strike: func(t *test) error {
			victims, began, early, back = t.clientsOf(t.cluster.nodes[i]), time.Now(), nil, make(chan error, 1)
			t.postgres.Kill()
			wait(t.ctx, killedAfter)
			t.cluster.nodes[i].kill()
			return nil
		},
		during: func(t *test) {
			t.Check("no login without PostgreSQL", t.tryNewcomer(3*time.Second, false))
			go func() { // meanwhile the clients try to log in
				wait(t.ctx, databaseAway-time.Since(began))
				for _, p := range victims {
					if p.base().isPresent() {
						early = append(early, fmt.Errorf("%s could log in again, although PostgreSQL is down", p.base().name))
					}
				}
				back <- t.postgres.Launch()
			}()
		},
		mend: func(t *test) error {
			if err := <-back; err != nil {
				return err
			}
			t.Check("clients of a killed node wait for PostgreSQL", early...)
			if err := t.startNode(t.cluster.nodes[i]); err != nil {
				return err
			}
			t.Check("logins work again with PostgreSQL", t.tryNewcomer(15*time.Second, true))
			return nil
		},
	}
}

func freezeNode(i int) *fault {
	return &fault{
		nodes: []int{i}, kind: "SIGSTOP of a node", maxGap: goalGap, frozen: true, abandons: true, fences: true,
		strike: func(t *test) error { return t.cluster.nodes[i].Signal(syscall.SIGSTOP) },
		mend: func(t *test) error {
			if err := t.cluster.nodes[i].Signal(syscall.SIGCONT); err != nil {
				return err
			}
			return t.cluster.nodes[i].awaitFrames(t.ctx, t.patient(framesLimit))
		},
	}
}

// muteNode returns the fault of a node whose links stay open and carry nothing any more, as if its machine were dead or a firewall
// dropped the packets: nothing that it sends, nothing that is sent to it, or both.
func muteNode(i int, kind string, sent, received bool, maxGap time.Duration) *fault {
	return &fault{
		nodes: []int{i}, kind: kind, maxGap: maxGap, frozen: true, abandons: true, fences: true, logsOut: !sent,
		strike: func(t *test) error { t.cluster.nodes[i].hold(sent, received); return nil },
		mend: func(t *test) error {
			t.cluster.nodes[i].mendLinks()
			return t.cluster.nodes[i].awaitFrames(t.ctx, t.patient(framesLimit))
		},
	}
}

func drainNode(i int) *fault {
	return &fault{
		nodes: []int{i}, kind: drainKind, maxGap: drainGap, afterGap: handOver, told: true,
		strike: func(t *test) error { return t.cluster.nodes[i].stop() },
		mend:   func(t *test) error { return t.startNode(t.cluster.nodes[i]) },
	}
}

// moveAll logs out every client whose protocol has a logout, and logs it in at once through the next node.
func (t *test) moveAll() error {
	ctx, cancel := context.WithTimeout(t.ctx, backLimit)
	defer cancel()
	errs := make([]error, len(t.players))
	var all sync.WaitGroup
	for i, p := range t.players {
		b := p.base()
		leave := p.logout()
		if leave == nil {
			continue
		}
		all.Go(func() {
			b.setPresent(false)
			t.setParty(p, checker.PartyUnknown)
			leave()
			next := t.cluster.nodes[(b.node.number+1)%nodeCount]
			for {
				if errs[i] = p.join(ctx, next); errs[i] == nil || ctx.Err() != nil {
					break
				}
				wait(ctx, 100*time.Millisecond)
			}
			t.setParty(p, "") // a logout ends the membership
			b.setPresent(errs[i] == nil)
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// tryNewcomer logs in a new player through each node. If works is set, each login must succeed within the limit; otherwise none
// may succeed.
func (t *test) tryNewcomer(limit time.Duration, works bool) (err error) {
	end := time.Now().Add(limit)
	for _, n := range t.cluster.nodes {
		for {
			ctx, cancel := context.WithTimeout(t.ctx, time.Until(end))
			var c *web.Client
			c, err = web.Dial(ctx, "http://"+n.Addresses["web"], web.Options{WS: true, Seed: t.seed, Grounds: &grounds})
			if err == nil {
				c.Leave(ctx)
			}
			cancel()
			if (err == nil) == works || time.Now().After(end) || t.ctx.Err() != nil {
				break
			}
			wait(t.ctx, 200*time.Millisecond)
		}
		switch {
		case works && err != nil:
			return fmt.Errorf("a new player could not log in through node %s: %w", n.name, err)
		case !works && err == nil:
			return fmt.Errorf("a new player could log in through node %s, although PostgreSQL is down", n.name)
		}
	}
	return nil
}
