package replica

import (
	"encoding/binary"
	"errors"
	"fmt"

	"go.etcd.io/raft/v3/raftpb"
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
)

var errMessage = errors.New("the message is cut short or damaged")

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
	r := reader{b: b}
	kind, flags := r.byte(), r.byte()
	m := &raftpb.Message{Type: raftpb.MessageType(kind).Enum(), To: new(r.uint()), From: new(r.uint()), Term: new(r.uint()),
		LogTerm: new(r.uint()), Index: new(r.uint()), Commit: new(r.uint()), RejectHint: new(r.uint()), Reject: new(flags&flagReject != 0)}
	if c := r.bytes(); len(c) > 0 {
		m.Context = c
	}
	for range r.count(maxEntries) {
		m.Entries = append(m.Entries, &raftpb.Entry{Index: new(r.uint()), Term: new(r.uint()), Type: raftpb.EntryType(r.byte()).Enum(), Data: r.bytes()})
	}
	if flags&flagSnapshot != 0 {
		meta := &raftpb.SnapshotMetadata{Index: new(r.uint()), Term: new(r.uint())}
		var members []uint64
		for range r.count(maxMembers) {
			members = append(members, r.uint())
		}
		meta.ConfState = confState(members)
		m.Snapshot = &raftpb.Snapshot{Metadata: meta, Data: r.bytes()}
	}
	switch {
	case r.failed || len(r.b) > 0 || flags > flagReject|flagSnapshot:
		return nil, errMessage
	case !travels(m.GetType()):
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

// reader reads the parts of a message. After a failure it returns zeros.
type reader struct {
	b      []byte
	failed bool
}

func (r *reader) fail() {
	r.b, r.failed = nil, true
}

func (r *reader) byte() byte {
	if len(r.b) == 0 {
		r.fail()
		return 0
	}
	v := r.b[0]
	r.b = r.b[1:]
	return v
}

// uint reads a uvarint in its shortest form.
func (r *reader) uint() uint64 {
	v, n := binary.Uvarint(r.b)
	if n <= 0 || n > 1 && r.b[n-1] == 0 {
		r.fail()
		return 0
	}
	r.b = r.b[n:]
	return v
}

// count reads a number of items, each of which takes at least a byte.
func (r *reader) count(limit uint64) uint64 {
	n := r.uint()
	if n > limit || n > uint64(len(r.b)) {
		r.fail()
		return 0
	}
	return n
}

func (r *reader) bytes() []byte {
	n := r.uint()
	if n > uint64(len(r.b)) {
		r.fail()
		return nil
	}
	v := r.b[:n:n]
	r.b = r.b[n:]
	return v
}
