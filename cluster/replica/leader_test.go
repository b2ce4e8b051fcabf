package replica

import (
	"testing"

	"go.etcd.io/raft/v3/raftpb"
)

// A link breaks and is restored, and the replica learns of both only when the leader's next message is waiting too. Between two calls
// of Ready the Raft library then forgets the leader and finds it again, so it reports no change.
func TestReplicaKnowsLeaderAfterLinkBreaksAndRecoversBetweenReadyCalls(t *testing.T) {
	r, err := New(Config{Self: 3, Members: []uint64{1, 2, 3}, HeartbeatTicks: 1, QuorumTicks: 4, SilenceTicks: 4, StaggerTicks: 2})
	if err != nil {
		t.Fatal(err)
	}
	ready := func() (newRole bool) {
		for {
			out, ok := r.Ready()
			if !ok {
				return newRole
			}
			newRole = newRole || out.NewRole
			r.Advance()
		}
	}
	heartbeat := func() {
		if err := r.Receive(&raftpb.Message{Type: raftpb.MsgHeartbeat.Enum(), To: new(uint64(3)), From: new(uint64(1)), Term: new(uint64(1))}); err != nil {
			t.Fatal(err)
		}
	}
	heartbeat()
	if ready(); r.Lead() != 1 {
		t.Fatalf("node %d leads, want 1", r.Lead())
	}
	r.LinkLost(1)
	if r.Lead() != 0 {
		t.Fatalf("after the link broke, node %d leads", r.Lead())
	}
	heartbeat()
	if !ready() || r.Lead() != 1 {
		t.Errorf("after the leader was heard again, node %d leads, want 1", r.Lead())
	}
}
