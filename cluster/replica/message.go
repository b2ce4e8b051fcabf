package replica

import (
	"encoding/binary"
	"fmt"
	"slices"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/proto/wire"
)

// Encoding of a raftpb.Message on a link, in this order: (1) its type and the flags, a byte each; (2) the fields to, from, term,
// log term, index, commit and reject hint; (3) the context; (4) the number of entries, and for each entry its index, term, kind
// (a byte) and data; (5) if flagSnapshot is set, a snapshot: index, term, the number of members, each member, and data. Numbers
// are uvarint. The length precedes context and data.
const (
	flagReject   = 1 << 0 // the message rejects a request
	flagSnapshot = 1 << 1 // a snapshot follows
)

// Limits of the messages that ParseMessage accepts.
const (
	maxMembers = 64      // maximum number of members in a snapshot
	maxEntries = 1 << 16 // maximum number of entries in a message
	entrySize  = 4       // minimum size of an encoded entry in bytes
)

// AppendMessage appends the encoded message m to b and returns the longer slice.
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

// appendBytes appends the length of data as uvarint, and data.
func appendBytes(b, data []byte) []byte {
	return append(binary.AppendUvarint(b, uint64(len(data))), data...)
}

// ParseMessage decodes a message. The data of entries and of the snapshot are parts of b, which must not change
// afterwards. It is an error if the message has a type that is not sent between nodes.
func ParseMessage(b []byte) (*raftpb.Message, error) {
	r := wire.NewReader(b)
	kind, flags := r.U8(), r.U8()
	a := &struct { // one allocation for the message and its fields
		m       raftpb.Message
		kind    raftpb.MessageType
		reject  bool
		numbers [7]uint64
	}{kind: raftpb.MessageType(kind), reject: flags&flagReject != 0}
	for i := range a.numbers {
		a.numbers[i] = r.VarU64()
	}
	m, n := &a.m, &a.numbers
	m.Type, m.Reject = &a.kind, &a.reject
	m.To, m.From, m.Term, m.LogTerm, m.Index, m.Commit, m.RejectHint = &n[0], &n[1], &n[2], &n[3], &n[4], &n[5], &n[6]
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
		return nil, fmt.Errorf("the Raft message has type %d, which nodes do not send to each other", kind)
	}
	return m, nil
}

// travels reports whether messages of type t are sent between nodes. A node sends the other types only to itself, and
// the Raft library trusts them.
func travels(t raftpb.MessageType) bool {
	switch t {
	case raftpb.MsgApp, raftpb.MsgAppResp, raftpb.MsgVote, raftpb.MsgVoteResp, raftpb.MsgSnap, raftpb.MsgHeartbeat, raftpb.MsgHeartbeatResp,
		raftpb.MsgTimeoutNow, raftpb.MsgPreVote, raftpb.MsgPreVoteResp:
		return true
	}
	return false
}
