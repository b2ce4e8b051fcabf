package cluster

import (
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/cluster/replica"
)

// A node that lost its log asks an earlier leader to hand over, and then follows the new one. The log takes long to arrive. Meanwhile the
// node does not ask again, because another leader would begin to send it anew.
func TestNodeThatFollowsLeaderDoesNotAskForAnotherWhileItsLogArrives(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := newCluster(t, fields(1), 3, 1)
		var slow atomic.Bool
		var asked atomic.Int64
		c.drops = func(from, to uint64, kind byte, body []byte) bool {
			switch {
			case kind == kindLost:
				asked.Add(1)
			case kind == kindRaft && to == 1 && slow.Load():
				_, rest, _ := splitArea(body, 1)
				m, err := replica.ParseMessage(rest)
				return err == nil && (m.GetType() == raftpb.MsgApp || m.GetType() == raftpb.MsgSnap)
			}
			return false
		}
		for _, n := range c.nodes[1:] {
			n.start()
		}
		defer c.stopAll()
		time.Sleep(7 * time.Second)
		n := c.nodes[1]
		n.kill()
		n.disks[0] = &disk{lost: true}
		time.Sleep(time.Second)
		slow.Store(true)
		n.start()
		time.Sleep(5 * time.Second)
		before, changes := asked.Load(), c.nodes[3].current().Status().Areas[0].Changes
		time.Sleep(10 * time.Second)
		if n := asked.Load(); before == 0 || n != before {
			t.Errorf("the node asks %d times before it follows a leader, and then %d times", before, n-before)
		}
		if n := c.nodes[3].current().Status().Areas[0].Changes - changes; n != 0 {
			t.Errorf("the leader has changed %d times meanwhile", n)
		}
		slow.Store(false)
		time.Sleep(2 * time.Second)
		if n.disks[0].lost {
			t.Error("the node has not received its log")
		}
	})
}

func TestNodeThatRepeatedlyClaimsLostLogRarelyMovesArea(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startThree(t, 1)
		defer c.stopAll()
		time.Sleep(5 * time.Second)
		before := c.nodes[3].current().Status().Areas[0].Changes
		for range 20 {
			for _, n := range c.nodes[1:3] {
				n.current().Receive(3, kindLost, []byte{0})
			}
			time.Sleep(80 * time.Millisecond)
		}
		time.Sleep(time.Second)
		if n := c.nodes[3].current().Status().Areas[0].Changes - before; n == 0 || n > 4 {
			t.Errorf("the leader has changed %d times in 1.6 s", n)
		}
		for _, n := range c.nodes[1:] {
			if causes := n.current().Status().Causes; causes[CauseHandedOver] == 0 || causes[CauseNoAnswer] != 0 {
				t.Errorf("node %d counts changes of the leader by cause as %v", n.id, causes)
			}
		}
	})
}
