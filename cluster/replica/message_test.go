package replica

import (
	"bytes"
	"testing"

	"go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// vectors are a message of each shape.
func vectors() []*raftpb.Message {
	head := func(t raftpb.MessageType) *raftpb.Message {
		return &raftpb.Message{Type: t.Enum(), To: new(uint64(2)), From: new(uint64(1)), Term: new(uint64(300)), LogTerm: new(uint64(299)),
			Index: new(uint64(70_000)), Commit: new(uint64(69_999)), RejectHint: new(uint64(0)), Reject: new(false)}
	}
	app := head(raftpb.MsgApp)
	app.Entries = []*raftpb.Entry{
		{Index: new(uint64(70_001)), Term: new(uint64(300)), Type: raftpb.EntryNormal.Enum(), Data: []byte("batch")},
		{Index: new(uint64(70_002)), Term: new(uint64(300)), Type: raftpb.EntryConfChangeV2.Enum(), Data: []byte{1, 2}},
	}
	refused := head(raftpb.MsgAppResp)
	refused.Reject, refused.RejectHint = new(true), new(uint64(12))
	vote := head(raftpb.MsgVote)
	vote.Context = []byte("CampaignTransfer")
	snap := head(raftpb.MsgSnap)
	snap.Snapshot = &raftpb.Snapshot{Data: []byte("state"), Metadata: &raftpb.SnapshotMetadata{
		Index: new(uint64(9)), Term: new(uint64(3)), ConfState: confState([]uint64{1, 2, 3})}}
	return []*raftpb.Message{app, refused, vote, snap, head(raftpb.MsgHeartbeat)}
}

func TestEncodedRaftMessagesDecodeToSameValues(t *testing.T) {
	for _, m := range vectors() {
		b := AppendMessage(nil, m)
		got, err := ParseMessage(b)
		if err != nil || !proto.Equal(got, m) {
			t.Errorf("%v: got %v, %v", m, got, err)
		}
		for n := range b {
			if _, err := ParseMessage(b[:n]); err == nil {
				t.Errorf("%v: the first %d of %d bytes are a message", m.GetType(), n, len(b))
			}
		}
	}
}

func TestRaftMessageTypesThatNodesDoNotSendAreRefused(t *testing.T) {
	for _, kind := range []raftpb.MessageType{raftpb.MsgHup, raftpb.MsgBeat, raftpb.MsgProp, raftpb.MsgUnreachable, raftpb.MsgStorageAppendResp} {
		if _, err := ParseMessage(AppendMessage(nil, &raftpb.Message{Type: kind.Enum()})); err == nil {
			t.Errorf("%v is accepted from another node", kind)
		}
	}
}

func FuzzParseMessage(f *testing.F) {
	for _, m := range vectors() {
		f.Add(AppendMessage(nil, m))
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		m, err := ParseMessage(b)
		if err != nil {
			return
		}
		if again := AppendMessage(nil, m); !bytes.Equal(again, b) {
			t.Fatalf("accepted %x but wrote %x", b, again)
		}
	})
}
