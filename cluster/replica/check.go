package replica

import (
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/raft/v3/raftpb"
)

// Limits of the numbers in messages. They keep sums of indexes and terms far from an overflow.
const (
	maxIndex     = 1 << 62 // maximum index of an entry
	maxTermAhead = 1 << 32 // maximum number of terms by which a message is ahead of this replica; each term is an election
)

// checkMessage returns an error for a message that no member sends if it follows the protocol. It covers the messages for which the Raft
// library is known to panic; the caller of Receive must catch other panics. checkMessage cannot recognise every false statement: a member
// that lies about its term or about what it has written can still stop the progress of the group, or make a replica commit entries that
// the others do not have.
func (r *Replica) checkMessage(m *raftpb.Message) error {
	switch {
	case m.GetTo() != r.cfg.Self || m.GetFrom() == r.cfg.Self || !slices.Contains(r.log.members, m.GetFrom()):
		return errors.New("it is not from another member to this one")
	case !travels(m.GetType()):
		return errors.New("nodes do not send messages of this type to each other")
	case m.GetTerm() == 0 || m.GetTerm() > maxIndex || m.GetTerm() > r.term && m.GetTerm()-r.term > maxTermAhead:
		return fmt.Errorf("term %d is 0, or too far ahead of term %d", m.GetTerm(), r.term)
	case m.GetIndex() > maxIndex || m.GetCommit() > maxIndex || m.GetRejectHint() > maxIndex:
		return errors.New("an index is out of range")
	case len(m.GetEntries()) > 0 && m.GetType() != raftpb.MsgApp:
		return errors.New("a message of this type has no entries")
	case (m.GetSnapshot() != nil) != (m.GetType() == raftpb.MsgSnap):
		return errors.New("the snapshot is missing, or a message of this type has none")
	case m.GetType() == raftpb.MsgApp:
		return checkEntries(m)
	case m.GetType() == raftpb.MsgSnap:
		return r.checkSnapshot(m)
	case m.GetType() == raftpb.MsgAppResp && r.isLeader && m.GetTerm() == r.term && !m.GetReject() && m.GetIndex() > r.last:
		return fmt.Errorf("it acknowledges entry %d, but the newest entry is %d", m.GetIndex(), r.last)
	}
	return nil
}

// checkEntries checks the entries of a message: batches with consecutive indexes, whose terms do not fall.
func checkEntries(m *raftpb.Message) error {
	index, term := m.GetIndex(), m.GetLogTerm()
	for _, e := range m.GetEntries() {
		index++
		switch {
		case e.GetIndex() != index:
			return fmt.Errorf("entry %d is in the place of entry %d", e.GetIndex(), index)
		case e.GetTerm() < max(term, 1) || e.GetTerm() > m.GetTerm():
			return fmt.Errorf("entry %d has term %d after term %d, in a message of term %d", index, e.GetTerm(), term, m.GetTerm())
		case e.GetType() != raftpb.EntryNormal:
			return fmt.Errorf("entry %d is not a batch", index)
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
		return fmt.Errorf("the snapshot is of entry %d and term %d, in a message of term %d", meta.GetIndex(), meta.GetTerm(), m.GetTerm())
	case !slices.Equal(members, slices.Sorted(slices.Values(r.log.members))):
		return fmt.Errorf("the snapshot is of the members %v", members)
	}
	return nil
}
