package cluster

import (
	"encoding/binary"
	"sync/atomic"
	"testing"
	"testing/synctest"
	"time"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/sim"
)

// An attacker with the keys of a node can send any message. The processes of the other nodes go on, and most messages have no effect.
func TestHostileRaftMessagesOfOneNodeStopNoOtherNode(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startDisputed(t)
		defer c.stopAll()
		h := c.nodes[1].current()
		g := h.groups[0]
		// forge builds the valid message that node 3 would send as a leader of the next term, lets change alter it, and delivers the
		// result. The message must be refused.
		forge := func(name string, change func(m *raftpb.Message)) {
			t.Helper()
			var last, term uint64
			g.request(nil, func() { last, term = g.rep.LastIndex(), g.rep.Term() })
			m := &raftpb.Message{Type: raftpb.MsgApp.Enum(), From: new(uint64(3)), To: new(uint64(1)), Term: new(term + 1), LogTerm: new(term), Index: new(last),
				Commit: new(last + 1), RejectHint: new(uint64(0)), Reject: new(false)}
			change(m)
			before := h.metrics.Refused.Load()
			h.Receive(3, kindRaft, replica.AppendMessage(binary.AppendUvarint(nil, 0), m))
			time.Sleep(300 * time.Millisecond)
			if h.metrics.Refused.Load() == before {
				t.Errorf("%s: the message is not refused", name)
			}
		}
		entry := func(m *raftpb.Message, kind raftpb.EntryType, data []byte) []*raftpb.Entry {
			return []*raftpb.Entry{{Index: new(m.GetIndex() + 1), Term: new(m.GetTerm()), Type: kind.Enum(), Data: data}}
		}
		forge("batch that cannot be decoded", func(m *raftpb.Message) { m.Entries = entry(m, raftpb.EntryNormal, []byte{batchVersion, 1, 2}) })
		forge("batch that is too large for the log", func(m *raftpb.Message) {
			m.Entries = entry(m, raftpb.EntryNormal, (&batch{intents: chat(1, replica.MaxEntry)}).append(nil))
		})
		forge("batch of many small intents", func(m *raftpb.Message) {
			m.Entries = entry(m, raftpb.EntryNormal, (&batch{intents: make([]sim.Intent, maxParsed+1)}).append(nil))
		})
		forge("change of the members", func(m *raftpb.Message) { m.Entries = entry(m, raftpb.EntryConfChangeV2, []byte{9}) })
		forge("entries with a gap", func(m *raftpb.Message) {
			m.Entries = entry(m, raftpb.EntryNormal, new(batch).append(nil))
			m.Entries[0].Index = new(m.GetIndex() + 7)
		})
		forge("snapshot that cannot be decoded", func(m *raftpb.Message) {
			m.Type = raftpb.MsgSnap.Enum()
			m.Snapshot = &raftpb.Snapshot{Data: []byte{snapshotVersion, 1}, Metadata: &raftpb.SnapshotMetadata{
				Index: new(m.GetIndex() + 100), Term: new(m.GetTerm()), ConfState: &raftpb.ConfState{Voters: []uint64{1, 2, 3}}}}
		})
		forge("snapshot that takes back ticks", func(m *raftpb.Message) {
			old := sim.NewArea(c.def, 0, 1)
			for range 5 {
				old.Recycle(old.Step(nil))
			}
			var data []byte
			g.request(nil, func() { data = old.Snapshot(g.appendHead(nil)) })
			m.Type = raftpb.MsgSnap.Enum()
			m.Snapshot = &raftpb.Snapshot{Data: data, Metadata: &raftpb.SnapshotMetadata{
				Index: new(m.GetIndex() + 100), Term: new(m.GetTerm()), ConfState: &raftpb.ConfState{Voters: []uint64{1, 2, 3}}}}
		})
		forge("greatest term", func(m *raftpb.Message) { m.Type, m.Term = raftpb.MsgVote.Enum(), new(uint64(1<<64-1)) })
		requireAdvance(t, 200*time.Millisecond, c.nodes[1:]...)
	})
}

func TestPanicOfMessageHandlerIsCountedAsRefusedMessage(t *testing.T) {
	h := &Host{noted: map[string]time.Time{}, waiting: make([]atomic.Int64, 4), log: newCluster(t, fields(1), 3, 1).log}
	g := &group{host: h} // the group has no replica, so a Raft message that reaches it panics
	h.opt.World = fields(1)
	m := &raftpb.Message{Type: raftpb.MsgHeartbeat.Enum(), From: new(uint64(3))}
	g.receive(inbound{3, kindRaft, replica.AppendMessage(nil, m)})
	if n := h.metrics.Refused.Load(); n != 1 {
		t.Errorf("%d refused messages, want 1", n)
	}
}
