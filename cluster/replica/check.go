package replica

import (
	"cmp"
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/raft/v3/raftpb"
)

// Limits of the numbers in messages. They keep sums of indexes and terms far from an overflow.
const (
	maxIndex     = 1 << 62 // maximum index of an entry
	maxTermAhead = 1 << 32 // maximum number of terms by which a message is ahead of this replica; each term is an election
	maxAhead     = 1 << 32 // maximum number of entries by which a snapshot is ahead of this replica: those of seven years
)

// checkMessage returns an error for a message that no member sends if it follows the protocol. It covers the messages for which the Raft
// library is known to panic; the caller of Receive must catch other panics. checkMessage cannot recognise every false statement: a member
// that lies about its term or about what it has written can still stop the progress of the group, or make a replica commit entries that
// the others do not have.
func (r *Replica) checkMessage(m *raftpb.Message) error {
	switch {
	case m.GetTo() != r.cfg.Self || m.GetFrom() == r.cfg.Self || !slices.Contains(r.log.members, m.GetFrom()):
		return errors.New("the message must be from another member of the group to this node")
	case !travels(m.GetType()):
		return errors.New("nodes do not send messages of this type to each other")
	case m.GetTerm() == 0 || m.GetTerm() > maxIndex || m.GetTerm() > r.term && m.GetTerm()-r.term > maxTermAhead:
		return fmt.Errorf("the message has the term %d, which is 0 or too far ahead of this node's term %d", m.GetTerm(), r.term)
	case m.GetIndex() > maxIndex || m.GetCommit() > maxIndex || m.GetRejectHint() > maxIndex:
		return fmt.Errorf("the index %d, commit index %d or reject hint %d of the message is out of range", m.GetIndex(), m.GetCommit(), m.GetRejectHint())
	case len(m.GetEntries()) > 0 && m.GetType() != raftpb.MsgApp:
		return errors.New("a message of this type must not have entries")
	case (m.GetSnapshot() != nil) != (m.GetType() == raftpb.MsgSnap):
		return errors.New("a MsgSnap message must have a snapshot, and a message of another type must not have one")
	case m.GetType() == raftpb.MsgHeartbeat:
		return r.checkLeader(m)
	case m.GetType() == raftpb.MsgApp:
		return cmp.Or(checkEntries(m), r.checkLeader(m))
	case m.GetType() == raftpb.MsgSnap:
		return cmp.Or(r.checkSnapshot(m), r.checkLeader(m))
	case m.GetType() == raftpb.MsgAppResp && r.isLeader && m.GetTerm() == r.term && !m.GetReject() && m.GetIndex() > r.last:
		return fmt.Errorf("the message acknowledges entry %d, but the newest entry is %d", m.GetIndex(), r.last)
	}
	return nil
}

// checkLeader returns an error if a message that only a leader sends is of another member than the leader of its term. The Raft library
// would follow that member.
func (r *Replica) checkLeader(m *raftpb.Message) error {
	lead := r.leads.candidate
	if r.leads.term != m.GetTerm() {
		status := r.node.BasicStatus() // knows the leader of a message that was received since the last Ready
		if status.HardState.GetTerm() != m.GetTerm() {
			return nil
		}
		lead = status.Lead
	}
	if lead != 0 && lead != m.GetFrom() {
		return fmt.Errorf("only a leader sends such a message, and node %d leads in term %d", lead, m.GetTerm())
	}
	return nil
}

// checkEntries checks the entries of a message: all must be normal entries, indexes must be consecutive, terms
// must not decrease, and no batch may be larger than a file accepts.
func checkEntries(m *raftpb.Message) error {
	index, term := m.GetIndex(), m.GetLogTerm()
	for _, e := range m.GetEntries() {
		index++
		switch {
		case e.GetIndex() != index:
			return fmt.Errorf("the message has entry %d where entry %d must follow", e.GetIndex(), index)
		case e.GetTerm() < max(term, 1) || e.GetTerm() > m.GetTerm():
			return fmt.Errorf("entry %d has the term %d, which must not be below the term of the entry before (%d) or above the term of the message (%d)", index, e.GetTerm(), term, m.GetTerm())
		case e.GetType() != raftpb.EntryNormal:
			return fmt.Errorf("entry %d has the type %v, but only normal entries are allowed", index, e.GetType())
		case len(e.GetData()) > MaxEntry:
			return fmt.Errorf("entry %d has %d bytes, at most %d are allowed", index, len(e.GetData()), MaxEntry)
		}
		term = e.GetTerm()
	}
	return nil
}

// checkSnapshot checks the snapshot of a message, except its data.
func (r *Replica) checkSnapshot(m *raftpb.Message) error {
	meta := m.GetSnapshot().GetMetadata()
	members := slices.Sorted(slices.Values(meta.GetConfState().GetVoters()))
	switch {
	case meta.GetIndex() == 0 || meta.GetIndex() > maxIndex || meta.GetTerm() == 0 || meta.GetTerm() > m.GetTerm():
		return fmt.Errorf("the snapshot has the index %d and the term %d: both must be above 0, and the term at most that of the message, %d", meta.GetIndex(), meta.GetTerm(), m.GetTerm())
	case meta.GetIndex() > r.last && meta.GetIndex()-r.last > maxAhead:
		return fmt.Errorf("the snapshot of entry %d is too far ahead of this node's newest entry, %d", meta.GetIndex(), r.last)
	case !slices.Equal(members, slices.Sorted(slices.Values(r.log.members))):
		return fmt.Errorf("the snapshot has the members %v, but this group has the members %v", members, r.log.members)
	}
	return nil
}
