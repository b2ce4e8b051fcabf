package cluster

import (
	"fmt"
	"reflect"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/sim"
)

// flipBit changes the lowest bit of the X coordinate of the first actor of an area in the memory of a node, as a faulty memory
// module does. From now on the states of the nodes differ.
func (n *node) flipBit(a sim.AreaID) {
	g := n.current().groups[a]
	g.request(nil, func() {
		x := reflect.ValueOf(g.state).Elem().FieldByName("actors").Index(0).Elem().FieldByName("pos").FieldByName("X")
		*(*uint32)(x.Addr().UnsafePointer()) ^= 1
	})
	n.c.mu.Lock()
	n.c.flipped = n.id
	n.c.mu.Unlock()
}

// awaitEnd waits until the world of a node has failed, ends the node, and returns the error.
func (n *node) awaitEnd(limit time.Duration) error {
	h := n.current()
	select {
	case <-h.Done():
	case <-time.After(limit):
		n.c.t.Fatalf("node %d has not stopped within %v", n.id, limit)
	}
	err := h.Err()
	n.mu.Lock()
	n.failed = true
	n.mu.Unlock()
	n.kill()
	return err
}

// startDisputed starts three nodes with some players in two areas. It waits until the default leader of each area leads it.
func startDisputed(t *testing.T) *cluster {
	c := newCluster(t, fields(2), 3, 1)
	for _, n := range c.nodes[1:] {
		n.start()
	}
	time.Sleep(2 * time.Second)
	for i := range 6 {
		c.nodes[1+i%3].enter(sim.CharacterID(i+1), sim.AreaID(i%2))
	}
	time.Sleep(time.Second)
	return c
}

// requireAdvance watches the nodes for 4 s. It fails the test if an area does not advance on one of them, or pauses for longer than limit.
func requireAdvance(t *testing.T, limit time.Duration, nodes ...*node) {
	t.Helper()
	var before []uint64
	ticks := func(n *node) (list []uint64) {
		for _, g := range n.current().groups {
			list = append(list, g.tick.Load())
		}
		return list
	}
	for _, n := range nodes {
		before = append(before, ticks(n)...)
		n.forgetGaps()
	}
	time.Sleep(4 * time.Second)
	var after []uint64
	for _, n := range nodes {
		after = append(after, ticks(n)...)
		n.mu.Lock()
		for a, gap := range n.gap {
			if gap > limit {
				t.Errorf("area %d stood still for %v on node %d", a, gap, n.id)
			}
		}
		n.mu.Unlock()
	}
	for i := range after {
		if after[i] < before[i]+60 {
			t.Errorf("an area has advanced from tick %d to %d in 4 s", before[i], after[i])
		}
	}
}

func TestLeaderWithFlippedBitStopsAndOtherNodesGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startDisputed(t)
		defer c.stopAll()
		if leads := fmt.Sprint(c.leaders()); leads != "map[1:1 2:1]" {
			t.Fatalf("leads %s", leads)
		}
		began := time.Now()
		c.nodes[1].flipBit(0)
		err := c.nodes[1].awaitEnd(2 * time.Second)
		if err == nil || !strings.Contains(err.Error(), "differs from that of most nodes, which continue") {
			t.Errorf("node 1 stops with %v", err)
		}
		if took := time.Since(began); took > 300*time.Millisecond {
			t.Errorf("the leader stopped after %v", took)
		}
		requireAdvance(t, 300*time.Millisecond, c.nodes[2:]...)
		if lead := c.nodes[3].current().Status().Areas[0].Lead; lead != "n2" && lead != "n3" {
			t.Errorf("area 0 is led by %q", lead)
		}
		// Node 2 starts again and once more steps the batches of the former leader, whose state was wrong. Node 3 has the same state.
		c.nodes[2].kill()
		c.nodes[2].start()
		time.Sleep(2 * time.Second)
		requireAdvance(t, time.Second, c.nodes[2:]...)
		for a := range c.nodes[1].disks { // the node loses its logs, as when an operator moves their folder away
			c.nodes[1].disks[a] = &disk{lost: true}
		}
		c.mu.Lock()
		c.flipped = 0
		c.mu.Unlock()
		c.nodes[1].start()
		time.Sleep(8 * time.Second)
		requireAdvance(t, time.Second, c.nodes[1:]...)
	})
}

func TestFollowerWithFlippedBitStopsAndOtherNodesGoOn(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startDisputed(t)
		defer c.stopAll()
		before := c.nodes[1].current().groups[0].term.Load()
		c.nodes[3].flipBit(0)
		err := c.nodes[3].awaitEnd(2 * time.Second)
		if err == nil || !strings.Contains(err.Error(), "differs from that of most nodes, which continue") {
			t.Errorf("node 3 stops with %v", err)
		}
		requireAdvance(t, 200*time.Millisecond, c.nodes[1:3]...)
		if after := c.nodes[1].current().groups[0].term.Load(); after != before || before == 0 {
			t.Errorf("the leader had term %d and has %d", before, after)
		}
	})
}

// If two nodes have different states, there is no majority that tells which one is right. Then the follower stops.
func TestFollowerStopsIfNeitherOfTwoStatesHasMajority(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startDisputed(t)
		defer c.stopAll()
		c.nodes[3].kill()
		time.Sleep(time.Second)
		c.nodes[2].flipBit(0)
		err := c.nodes[2].awaitEnd(disputeTime + time.Second)
		if err == nil || !strings.Contains(err.Error(), "too few other nodes have answered") {
			t.Errorf("node 2 stops with %v", err)
		}
	})
}

func TestHashMessageRoundTripsAndDamagedMessageIsRefused(t *testing.T) {
	want := hashMessage{true, 70_000, 1<<63 + 5}
	_, b, err := splitArea(appendHash(nil, 3, want), 4)
	if err != nil {
		t.Fatal(err)
	}
	if got, err := parseHash(b); err != nil || !reflect.DeepEqual(got, want) {
		t.Errorf("%+v, %v; want %+v", got, err, want)
	}
	for n := range b {
		if _, err := parseHash(b[:n]); err == nil {
			t.Errorf("the first %d of %d bytes are a message", n, len(b))
		}
	}
	for _, damaged := range [][]byte{append([]byte{2}, b[1:]...), append(b[:len(b):len(b)], 0)} {
		if _, err := parseHash(damaged); err == nil {
			t.Errorf("%x is accepted", damaged)
		}
	}
}

// A forged hash from one node must not stop another node, whatever its value is.
func TestForgedHashesOfOneNodeStopNoOtherNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startDisputed(t)
		defer c.stopAll()
		h := c.nodes[1].current()
		for tick := range sim.Tick(200) {
			h.Receive(3, kindHash, appendHash(nil, 0, hashMessage{tick%2 == 0, tick, 7}))
			time.Sleep(20 * time.Millisecond)
		}
		h.Receive(3, kindHash, appendHash(nil, 0, hashMessage{true, 1 << 63, 7}))
		requireAdvance(t, 200*time.Millisecond, c.nodes[1:]...)
	})
}
