package replica

import (
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
	"google.golang.org/protobuf/proto"
)

// memory holds the newest entries of the log, those that Replica.Compact has not removed, and the last snapshot. The Raft library
// reads them to send them to other members. The caller of the replica writes the same entries to a file.
type memory struct {
	state    State           // newest term and vote
	members  []uint64        // numbers of the nodes of the group
	entries  []*raftpb.Entry // entries[i] has index first+i
	first    uint64          // index of the oldest entry
	before   uint64          // term of the entry before entries[0]
	snapshot Snapshot        // newest snapshot: given at the start, offered by the caller, or received from a leader
}

var _ raft.Storage = (*memory)(nil)

// newMemory returns a log with the entries and the snapshot of a configuration. It returns an error if the indexes of the entries
// are not consecutive or there are no members.
func newMemory(c *Config) (*memory, error) {
	m := &memory{state: c.State, members: slices.Clone(c.Members), snapshot: c.Snapshot, first: c.Snapshot.Index + 1, before: c.Snapshot.Term}
	if c.Snapshot.Index > 0 {
		m.members = slices.Clone(c.Snapshot.Members)
	}
	if len(m.members) == 0 {
		return nil, errors.New("replica: a Raft group must have at least one member")
	}
	for _, e := range c.Entries {
		if e.Index != m.lastIndex()+1 {
			return nil, fmt.Errorf("replica: entry %d follows entry %d, but indexes must be consecutive", e.Index, m.lastIndex())
		}
		if e.Kind != 0 {
			return nil, fmt.Errorf("replica: entry %d is of kind %d and not a batch: another program has written it", e.Index, e.Kind)
		}
		m.entries = append(m.entries, &raftpb.Entry{Index: new(e.Index), Term: new(e.Term), Type: raftpb.EntryType(e.Kind).Enum(), Data: e.Data})
	}
	return m, nil
}

// lastIndex returns the index of the newest entry, or of the snapshot if no entry follows it.
func (m *memory) lastIndex() uint64 { return m.first + uint64(len(m.entries)) - 1 }

// append adds entries to the log. If the log already has an entry with the index of the first new entry, append first removes that
// entry and all later ones.
func (m *memory) append(entries []*raftpb.Entry) {
	at := int(entries[0].GetIndex() - m.first)
	if at < len(m.entries) {
		m.entries = m.entries[:at:at] // forces a new array, because the Raft library may hold slices of the old one
	}
	m.entries = append(m.entries, entries...)
}

// compact removes entries with indexes up to the parameter index. It retains the newest of these entries, as many as fit into both
// limits of keep, and the term of the last entry that it removes.
func (m *memory) compact(index uint64, keep Retention) {
	if index < m.first || index > m.lastIndex() {
		return
	}
	n := int(index - m.first + 1) // number of entries to remove
	for size := 0; n > 0 && int(index-m.first+1)-n < keep.Entries; n-- {
		if size += len(m.entries[n-1].GetData()); size > keep.Bytes {
			break
		}
	}
	if n == 0 {
		return
	}
	m.before = m.entries[n-1].GetTerm()
	m.entries = slices.Clone(m.entries[n:])
	m.first += uint64(n)
}

// offer replaces the last snapshot. The parameter data is the encoded state of the area after the entry with the given index.
func (m *memory) offer(index uint64, data []byte) error {
	term, err := m.Term(index)
	if err != nil {
		return fmt.Errorf("replica: find the term of entry %d for a snapshot: %w", index, err)
	}
	m.snapshot = Snapshot{index, term, slices.Clone(m.members), data}
	return nil
}

// install empties the log and makes it continue from a snapshot that a leader has sent.
func (m *memory) install(s *raftpb.Snapshot) Snapshot {
	meta := s.GetMetadata()
	m.snapshot = Snapshot{meta.GetIndex(), meta.GetTerm(), meta.GetConfState().GetVoters(), s.GetData()}
	m.members = slices.Clone(m.snapshot.Members)
	m.entries, m.first, m.before = nil, m.snapshot.Index+1, m.snapshot.Term
	return m.snapshot
}

// InitialState implements raft.Storage. It returns the term and the vote of the replica's file, and the members.
func (m *memory) InitialState() (*raftpb.HardState, *raftpb.ConfState, error) {
	hard := &raftpb.HardState{Term: new(max(m.state.Term, m.before)), Vote: new(m.state.Vote), Commit: new(m.snapshot.Index)}
	return hard, confState(m.members), nil
}

// Entries implements raft.Storage. It returns the entries with the indexes lo to hi-1, as many as fit into maxSize bytes, but at
// least one.
func (m *memory) Entries(lo, hi, maxSize uint64) ([]*raftpb.Entry, error) {
	switch {
	case lo < m.first:
		return nil, raft.ErrCompacted
	case hi > m.lastIndex()+1:
		return nil, raft.ErrUnavailable
	}
	list := m.entries[lo-m.first : hi-m.first]
	for i, size := 0, uint64(0); i < len(list); i++ {
		if size += uint64(proto.Size(list[i])); size > maxSize && i > 0 {
			list = list[:i]
		}
	}
	return slices.Clip(list), nil
}

// Term implements raft.Storage. It returns the term of the entry with index i. It knows the term of the entry before the oldest
// one, too.
func (m *memory) Term(i uint64) (uint64, error) {
	switch {
	case i == m.first-1:
		return m.before, nil
	case i < m.first:
		return 0, raft.ErrCompacted
	case i > m.lastIndex():
		return 0, raft.ErrUnavailable
	}
	return m.entries[i-m.first].GetTerm(), nil
}

// LastIndex implements raft.Storage. It returns the index of the newest entry, or of the snapshot if no entry follows it.
func (m *memory) LastIndex() (uint64, error) { return m.lastIndex(), nil }

// FirstIndex implements raft.Storage. It returns the index of the oldest entry that memory holds or will hold next.
func (m *memory) FirstIndex() (uint64, error) { return m.first, nil }

// Snapshot implements raft.Storage. It returns the last snapshot, for a member that has fallen behind. It returns an error if
// entries between that snapshot and the oldest entry of the log are missing. The Raft library then asks again later.
func (m *memory) Snapshot() (*raftpb.Snapshot, error) {
	s := &m.snapshot
	if s.Index == 0 || s.Index+1 < m.first {
		return nil, raft.ErrSnapshotTemporarilyUnavailable
	}
	return &raftpb.Snapshot{Data: s.Data, Metadata: &raftpb.SnapshotMetadata{
		Index: new(s.Index), Term: new(s.Term), ConfState: confState(s.Members),
	}}, nil
}

func confState(members []uint64) *raftpb.ConfState {
	return &raftpb.ConfState{Voters: slices.Clone(members), AutoLeave: new(false)}
}

// entryOf converts an entry of the Raft library to an Entry.
func entryOf(e *raftpb.Entry) Entry {
	return Entry{Index: e.GetIndex(), Term: e.GetTerm(), Kind: uint8(e.GetType()), Data: e.GetData()}
}

// entriesOf converts entries of the Raft library to a list of Entry.
func entriesOf(list []*raftpb.Entry) []Entry {
	entries := make([]Entry, len(list))
	for i, e := range list {
		entries[i] = entryOf(e)
	}
	return entries
}

// discard is the logger of the Raft library. It discards all messages except those of Fatal and Panic, because the Output of a
// replica already tells the caller what the library does.
type discard struct{}

func (discard) Debug(...any)            {}
func (discard) Debugf(string, ...any)   {}
func (discard) Error(...any)            {}
func (discard) Errorf(string, ...any)   {}
func (discard) Info(...any)             {}
func (discard) Infof(string, ...any)    {}
func (discard) Warning(...any)          {}
func (discard) Warningf(string, ...any) {}
func (discard) Fatal(v ...any)          { panic(fmt.Sprint(v...)) }
func (discard) Fatalf(f string, v ...any) {
	panic(fmt.Sprintf(f, v...))
}
func (discard) Panic(v ...any) { panic(fmt.Sprint(v...)) }
func (discard) Panicf(f string, v ...any) {
	panic(fmt.Sprintf(f, v...))
}
