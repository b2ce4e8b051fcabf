package replica

import (
	"encoding/binary"
	"fmt"
	"slices"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/proto/wire"
)

// A message on a link is its type, a byte of flags, and then in order: to, from, term, log term, index, commit, reject hint
// (uvarint each), the context, the number of entries, for each entry its index, term, kind and data, and if the flags say so
// a snapshot: index, term, the number of members and each of them, and data. Lengths and numbers are uvarint.
const (
	flagReject   = 1 << 0
	flagSnapshot = 1 << 1
)

// Bounds of what ParseMessage accepts.
const (
	maxMembers = 64
	maxEntries = 1 << 16 // entries of a message
	entrySize  = 4       // bytes of an entry, at least
)

// AppendMessage appends the encoding of a message to b and returns the longer slice.
func AppendMessage(b []byte, m *raftpb.Message) []byte {
	var flags byte
	if m.GetReject() {
		flags |= flagReject
	}
	if m.GetSnapshot() != nil {
		flags |= flagSnapshot
	}
	b = append(b, byte(m.GetType()), flags)
	for _, v := range [...]uint64{m.GetTo(), m.GetFrom(), m.GetTerm(), m.GetLogTerm(), m.GetIndex(), m.GetCommit(), m.GetRejectHint()} {
		b = binary.AppendUvarint(b, v)
	}
	b = appendBytes(b, m.GetContext())
	b = binary.AppendUvarint(b, uint64(len(m.GetEntries())))
	for _, e := range m.GetEntries() {
		b = binary.AppendUvarint(binary.AppendUvarint(b, e.GetIndex()), e.GetTerm())
		b = appendBytes(append(b, byte(e.GetType())), e.GetData())
	}
	if s := m.GetSnapshot(); s != nil {
		meta := s.GetMetadata()
		b = binary.AppendUvarint(binary.AppendUvarint(b, meta.GetIndex()), meta.GetTerm())
		b = binary.AppendUvarint(b, uint64(len(meta.GetConfState().GetVoters())))
		for _, id := range meta.GetConfState().GetVoters() {
			b = binary.AppendUvarint(b, id)
		}
		b = appendBytes(b, s.GetData())
	}
	return b
}

func appendBytes(b, data []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(data))), data...)
}

// ParseMessage decodes a message. The data of its entries and of its snapshot are parts of b, which must not change
// afterwards.
func ParseMessage(b []byte) (*raftpb.Message, error) {
	r := wire.NewReader(b)
	kind, flags := r.U8(), r.U8()
	m := &raftpb.Message{Type: raftpb.MessageType(kind).Enum(), To: new(r.VarU64()), From: new(r.VarU64()), Term: new(r.VarU64()),
		LogTerm: new(r.VarU64()), Index: new(r.VarU64()), Commit: new(r.VarU64()), RejectHint: new(r.VarU64()), Reject: new(flags&flagReject != 0)}
	if c := slices.Clip(r.VarBytes()); len(c) > 0 {
		m.Context = c
	}
	for range r.VarCount(entrySize, maxEntries) {
		m.Entries = append(m.Entries, &raftpb.Entry{Index: new(r.VarU64()), Term: new(r.VarU64()), Type: raftpb.EntryType(r.U8()).Enum(), Data: slices.Clip(r.VarBytes())})
	}
	if flags&flagSnapshot != 0 {
		meta := &raftpb.SnapshotMetadata{Index: new(r.VarU64()), Term: new(r.VarU64())}
		var members []uint64
		for range r.VarCount(1, maxMembers) {
			members = append(members, r.VarU64())
		}
		meta.ConfState = confState(members)
		m.Snapshot = &raftpb.Snapshot{Metadata: meta, Data: slices.Clip(r.VarBytes())}
	}
	r.CheckRange(flags <= flagReject|flagSnapshot, "flags")
	if err := r.Done("message"); err != nil {
		return nil, err
	}
	if !travels(m.GetType()) {
		return nil, fmt.Errorf("a message of type %d from another node", kind)
	}
	return m, nil
}

// travels reports whether messages of a type are sent between nodes. Others are of a node to itself, and the engine trusts
// them.
func travels(t raftpb.MessageType) bool {
	switch t {
	case raftpb.MsgApp, raftpb.MsgAppResp, raftpb.MsgVote, raftpb.MsgVoteResp, raftpb.MsgSnap, raftpb.MsgHeartbeat, raftpb.MsgHeartbeatResp,
		raftpb.MsgTimeoutNow, raftpb.MsgPreVote, raftpb.MsgPreVoteResp:
		return true
	}
	return false
}
