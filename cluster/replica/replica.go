package replica

import (
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/sim/rng"
)

// Config describes one replica. Ticks are calls of Replica.Tick.
type Config struct {
	Self    uint64   // number of this node, from 1
	Members []uint64 // numbers of all nodes of a new group, in the order in which they are preferred as leader
	Witness uint64   // member that writes the log and does not step: it leads only to bring another member up to date; 0 for none

	HeartbeatTicks int // a leader sends a heartbeat after as many ticks
	QuorumTicks    int // a leader that hears from no majority for as many ticks stops being one; more than HeartbeatTicks
	SilenceTicks   int // a leader that is not heard for as many ticks is replaced
	StaggerTicks   int // the second in line for the lead waits as many ticks for the first, the third twice as many

	Seed uint64 // of the random delays between repeated elections

	// Incomplete says that the replica may have forgotten votes and entries that it has acknowledged, because its file was lost, or unsynced
	// parts of it with the power. It then neither votes nor leads until it has everything that a leader has: Output.Complete.
	Incomplete bool

	// What a replica that is started again has written before; zero values for a new one.
	State    State
	Entries  []Entry  // the last entry of each index, in order
	Snapshot Snapshot // state from which Entries continue
}

// State is what a replica must not forget between two runs: without it the replica could vote twice in a term.
type State struct{ Term, Vote uint64 }

// Entry is an entry of the log.
type Entry struct {
	Index, Term uint64
	Kind        uint8  // 0 a batch, or nothing if Data is empty; else a change of the members
	Data        []byte // immutable
}

// Snapshot is the state of the area after the entry with that index.
type Snapshot struct {
	Index, Term uint64
	Members     []uint64 // of the group after that entry
	Data        []byte   // immutable
}

// Replica is one copy of an area. It is not safe for concurrent use.
type Replica struct {
	cfg   Config
	node  *raft.RawNode
	log   *memory
	rand  *rng.Stream
	ready raft.Ready // what Ready returned last, until Advance

	lead, term      uint64 // 0 for no leader
	isLeader        bool
	incomplete      bool
	installed       bool              // a leader has sent a snapshot since the start
	last, committed uint64            // index of the newest entry, and of the newest committed one
	acked           map[uint64]uint64 // of a leader: newest index that a member has acknowledged in this term

	silent     int    // ticks since the leader was last heard
	leaderless int    // ticks since there is no leader
	campaignAt int    // value of leaderless at which the replica asks for votes
	tries      int    // campaigns since there is no leader
	voting     bool   // the last campaign has come to a vote, which is given time
	lost       uint64 // the last leader, which is not in line for the next election; 0 for none
}

// check returns what is wrong with the numbers of a configuration.
func (c *Config) check() error {
	switch {
	case c.Self == 0 || slices.Contains(c.Members, 0):
		return errors.New("replica: node 0; numbers of nodes start at 1")
	case c.HeartbeatTicks < 1 || c.StaggerTicks < 1 || c.QuorumTicks <= c.HeartbeatTicks || c.SilenceTicks <= c.HeartbeatTicks:
		return errors.New("replica: heartbeat and stagger are at least 1 tick, quorum and silence longer than a heartbeat")
	case c.Witness != 0 && (!slices.Contains(c.Members, c.Witness) || len(c.Members) < 3):
		return errors.New("replica: a witness is one of three or more members")
	}
	return nil
}

// New returns a replica, or an error if the configuration or what it has written is not valid.
func New(c Config) (*Replica, error) {
	r := &Replica{cfg: c, incomplete: c.Incomplete, rand: rng.New(c.Seed ^ c.Self), acked: map[uint64]uint64{}}
	if err := c.check(); err != nil {
		return nil, err
	}
	var err error
	if r.log, err = newMemory(&c); err != nil {
		return nil, err
	}
	r.term, r.last = c.State.Term, r.log.lastIndex()
	r.committed = r.log.snapshot.Index
	r.node, err = raft.NewRawNode(&raft.Config{
		ID: c.Self, Storage: r.log, Applied: r.log.snapshot.Index,
		HeartbeatTick: c.HeartbeatTicks, ElectionTick: c.QuorumTicks,
		MaxSizePerMsg: maxAppend, MaxCommittedSizePerReady: maxAppend, MaxInflightMsgs: 64, MaxInflightBytes: 64 * maxAppend,
		CheckQuorum: true, PreVote: true, DisableProposalForwarding: true, StepDownOnRemoval: true, Logger: discard{},
	})
	if err != nil {
		return nil, fmt.Errorf("replica: %w", err)
	}
	r.campaignAt = r.rank() * c.StaggerTicks
	return r, nil
}

const maxAppend = 1 << 20 // bytes of entries in a message, except that a single entry may be larger

// IsLeader reports whether the replica leads its group in Term.
func (r *Replica) IsLeader() bool { return r.isLeader }

// Lead returns the node that leads, 0 if the replica knows none.
func (r *Replica) Lead() uint64 { return r.lead }

// Term returns the newest term that the replica knows. At most one replica leads in a term.
func (r *Replica) Term() uint64 { return r.term }

// LastIndex returns the index of the newest entry, committed or not.
func (r *Replica) LastIndex() uint64 { return r.last }

// CanPropose reports whether the replica leads and every entry of its log is committed. Then the state after the last
// committed batch is the one that the next batch continues.
func (r *Replica) CanPropose() bool { return r.isLeader && r.committed == r.last }

// Propose appends a batch, which must not be empty or change afterwards, to the log of a leader. It reports whether it did; a
// batch that was appended may still be lost with the leader before it is committed.
func (r *Replica) Propose(batch []byte) bool { return r.isLeader && r.node.Propose(batch) == nil }

// maxBehind is how many entries a member may lack that counts as one that keeps up.
const maxBehind = 3

// KeepsUp reports whether a member has acknowledged almost all entries of a leader in its term, so that it answers and can take over at once.
func (r *Replica) KeepsUp(member uint64) bool {
	acked, ok := r.acked[member]
	return r.isLeader && ok && acked+maxBehind >= r.last
}

// Transfer asks a leader to hand over to another member, which takes one round trip if that has all entries.
func (r *Replica) Transfer(to uint64) {
	if r.isLeader {
		r.node.TransferLeader(to)
	}
}

// Receive handles a message of another replica. The message must not change afterwards. Members trust each other: one that
// claims more than is committed makes the engine panic, so links must prove who sends.
func (r *Replica) Receive(m *raftpb.Message) error {
	switch m.GetType() {
	case raftpb.MsgApp, raftpb.MsgHeartbeat, raftpb.MsgSnap:
		if m.GetFrom() == r.lead && m.GetTerm() >= r.term {
			r.silent = 0
		}
	case raftpb.MsgVote, raftpb.MsgPreVote:
		if m.GetFrom() == r.lead && m.GetTerm() >= r.term && !r.isLeader { // it leads no more: it heard from no majority for a while
			r.forgetLeader()
		}
	}
	switch m.GetType() {
	case raftpb.MsgVote, raftpb.MsgPreVote, raftpb.MsgTimeoutNow:
		if r.incomplete {
			return nil
		}
	case raftpb.MsgHeartbeat:
		if m.GetCommit() > r.last { // the leader counts on entries that this replica has lost
			m.Commit = new(r.last)
		}
	}
	if m.GetType() == raftpb.MsgAppResp && r.isLeader && m.GetTerm() == r.term {
		if m.GetReject() {
			delete(r.acked, m.GetFrom())
		} else {
			r.acked[m.GetFrom()] = max(r.acked[m.GetFrom()], m.GetIndex())
		}
	}
	if err := r.node.Step(m); err != nil {
		return fmt.Errorf("replica: message %v of node %d: %w", m.GetType(), m.GetFrom(), err)
	}
	return nil
}

// Output is what the caller does after Ready, in the order of the fields.
type Output struct {
	Early     []*raftpb.Message // send before anything is written: a leader's entries travel while it writes them itself
	Snapshot  *Snapshot         // replaces the state, the log and its file
	State     *State            // write, and make durable: a vote must survive a loss of power
	Entries   []Entry           // write. The first one replaces an entry of the same index and all that follow it
	Messages  []*raftpb.Message // send after the above is written
	Committed []Entry           // batches to step, in order
	NewRole   bool              // IsLeader, Lead or Term has changed
	Complete  bool              // the replica is Config.Incomplete no more
}

// Ready returns what the caller has to do, and false if that is nothing. The caller then calls Advance before any other
// method.
func (r *Replica) Ready() (out Output, ok bool) {
	if !r.node.HasReady() {
		return out, false
	}
	rd := r.node.Ready()
	r.ready = rd
	if !raft.IsEmptySnap(rd.Snapshot) {
		s := r.log.install(rd.Snapshot)
		r.installed = true
		out.Snapshot, r.last = &s, s.Index
	}
	if hs := rd.HardState; !raft.IsEmptyHardState(hs) {
		if state := (State{hs.GetTerm(), hs.GetVote()}); state != r.log.state {
			r.log.state, out.State = state, &state
		}
		out.NewRole = hs.GetTerm() != r.term
		r.term, r.committed = hs.GetTerm(), hs.GetCommit()
	}
	if len(rd.Entries) > 0 {
		r.log.append(rd.Entries)
		out.Entries = entriesOf(rd.Entries)
		r.last = r.log.lastIndex()
	}
	if rd.SoftState != nil {
		out.NewRole = true
		r.changeRole(rd.SoftState)
	}
	if messages := r.withoutCommits(rd.Messages); r.isLeader {
		out.Early = messages
	} else {
		out.Messages = messages
	}
	out.Committed = r.apply(rd.CommittedEntries)
	if r.incomplete && r.lead != 0 && r.committed == r.last && r.isFresh() {
		r.incomplete, out.Complete = false, true
	}
	return out, true
}

// isFresh reports whether the newest entry is of the leader's own term, so that all entries that were committed before it are in the log, and
// whether the leader knows what the log has: the leader of the term of the start may count on entries that were lost, unless it has sent a snapshot.
func (r *Replica) isFresh() bool {
	term, err := r.log.Term(r.last)
	return err == nil && term == r.term && (r.term > r.cfg.State.Term || r.installed)
}

// IsIncomplete reports whether the replica lacks what Config.Incomplete says.
func (r *Replica) IsIncomplete() bool { return r.incomplete }

// Advance tells the replica that the output of the last Ready is written.
func (r *Replica) Advance() { r.node.Advance(r.ready) }

// withoutCommits removes messages that other members refuse, and those whose only news is the commit index to a member that has all entries. The next batch or
// heartbeat has that index as well, and without them a tick takes two messages for each follower instead of four.
func (r *Replica) withoutCommits(messages []*raftpb.Message) []*raftpb.Message {
	kept := messages[:0]
	for _, m := range messages {
		if !travels(m.GetType()) { // a request to hand over that came when this node led no more
			continue
		}
		if r.isLeader && m.GetType() == raftpb.MsgApp && len(m.GetEntries()) == 0 && m.GetIndex() == r.last && r.acked[m.GetTo()] == r.last {
			continue
		}
		kept = append(kept, m)
	}
	return kept
}

// apply returns the batches among committed entries, and carries out changes of the members.
func (r *Replica) apply(entries []*raftpb.Entry) (batches []Entry) {
	for _, e := range entries {
		switch {
		case e.GetType() != raftpb.EntryNormal:
			r.changeMembers(e)
		case len(e.GetData()) > 0:
			batches = append(batches, entryOf(e))
		}
	}
	return batches
}

// Compact forgets the entries up to index, which must be stepped; later ones stay. A member that lacks them gets a snapshot.
func (r *Replica) Compact(index uint64) { r.log.compact(min(index, r.committed)) }

// State returns the state that was written last.
func (r *Replica) State() State { return r.log.state }

// Kept returns the last snapshot and the entries that follow it: what a new file of the replica has to contain.
func (r *Replica) Kept() (Snapshot, []Entry) {
	s := r.log.snapshot
	return s, entriesOf(r.log.entries[min(s.Index+1-r.log.first, uint64(len(r.log.entries))):])
}

// WantsSnapshot reports whether a member needs a snapshot because its next entry is compacted. The caller then copies the
// state at leisure and calls OfferSnapshot.
func (r *Replica) WantsSnapshot() bool { return r.log.wanted }

// OfferSnapshot passes the state after the entry with that index, the last one that is committed. It fails while the members
// change, and if the entry is not in the log.
func (r *Replica) OfferSnapshot(index uint64, data []byte) error {
	if index > r.committed {
		return fmt.Errorf("replica: snapshot of entry %d, and %d are committed", index, r.committed)
	}
	return r.log.offer(index, data)
}

// ReportSnapshot tells a leader whether a snapshot message was sent whole.
func (r *Replica) ReportSnapshot(to uint64, sent bool) {
	status := raft.SnapshotFinish
	if !sent {
		status = raft.SnapshotFailure
	}
	r.node.ReportSnapshot(to, status)
}
