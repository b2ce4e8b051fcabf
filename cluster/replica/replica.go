package replica

import (
	"errors"
	"fmt"
	"slices"

	"go.etcd.io/raft/v3"
	"go.etcd.io/raft/v3/raftpb"
	"go.etcd.io/raft/v3/tracker"

	"github.com/truestep-io/truestep/sim/rng"
)

// Config configures a replica. Fields whose names end in Ticks are numbers of calls of Replica.Tick.
type Config struct {
	Self    uint64   // number of this node, from 1
	Members []uint64 // numbers of all nodes of a new group, the preferred leader first
	Witness uint64   // member that stores the log and does not step batches; leads only until another member is up to date; 0: none

	HeartbeatTicks int // interval of the heartbeats of a leader; at least 1
	QuorumTicks    int // a leader that hears from no majority for this long steps down; more than HeartbeatTicks
	SilenceTicks   int // a follower replaces a leader from which it hears nothing for this long; more than HeartbeatTicks
	StaggerTicks   int // delay between the first vote requests of successive candidates for a lost leader; at least 1

	Seed uint64 // seed of the random delays between repeated elections

	// Incomplete is true if the replica may have forgotten votes, and entries that it has acknowledged. There are two causes: (1)
	// its file was lost; (2) a loss of power destroyed parts of the file that were not synced. The replica neither votes nor
	// leads until it has everything that a leader has: see Output.Complete.
	Incomplete bool

	// The content of the replica's file. For a new replica the values are zero.
	State    State    // newest term and vote
	Entries  []Entry  // entries after Snapshot, with consecutive indexes
	Snapshot Snapshot // state from which Entries continue
}

// State is what a replica must not forget when it restarts: the newest term, and the node that it voted for in that
// term. Without it the replica could vote twice in a term.
type State struct{ Term, Vote uint64 }

// Entry is an entry of the Raft log: a batch, or nothing.
type Entry struct {
	Index, Term uint64
	Kind        uint8  // always 0: the other kinds of the Raft library change the members, which this package does not do
	Data        []byte // encoded batch; immutable. Empty in the first entry of a new leader, which is no batch
}

// Snapshot is the state of the area after the entry with index Index, which has term Term.
type Snapshot struct {
	Index, Term uint64
	Members     []uint64 // numbers of the nodes of the group
	Data        []byte   // encoded state; immutable
}

// Replica is the Raft state of one copy of an area. It is not safe for concurrent use.
type Replica struct {
	cfg   Config
	node  *raft.RawNode
	log   *memory
	rand  *rng.Stream
	ready raft.Ready // result of the last Ready, until Advance

	lead, term      uint64 // lead: number of the leader, 0 if none is known; term: newest term
	isLeader        bool
	leads           election // newest leader that is known, as the candidate that was elected, and its term
	incomplete      bool
	elects          election          // while incomplete: newest request for votes since New
	earlier         uint64            // while incomplete: leader that this replica does not follow; see EarlierLeader
	last, committed uint64            // last: index of the newest entry; committed: index of the newest committed entry
	acked           map[uint64]uint64 // on a leader: newest index that each member has acknowledged in this term

	silent     int    // ticks since the last message of the leader
	leaderless int    // ticks since this replica has had no leader
	campaignAt int    // value of leaderless at which the replica asks for votes
	tries      int    // campaigns since the leader was lost
	voting     bool   // the last campaign has reached the vote itself, after the pre-vote, and gets more time
	lost       uint64 // last leader, which is not a candidate in the next election; 0 for none
}

// check returns an error if numbers in the configuration are not valid.
func (c *Config) check() error {
	switch {
	case c.Self == 0 || slices.Contains(c.Members, 0):
		return errors.New("replica: a node has the number 0, but numbers of nodes start at 1")
	case c.HeartbeatTicks < 1 || c.StaggerTicks < 1 || c.QuorumTicks <= c.HeartbeatTicks || c.SilenceTicks <= c.HeartbeatTicks:
		return errors.New("replica: HeartbeatTicks and StaggerTicks must be at least 1, QuorumTicks and SilenceTicks greater than HeartbeatTicks")
	case c.Witness != 0 && (!slices.Contains(c.Members, c.Witness) || len(c.Members) < 3):
		return errors.New("replica: Witness must be 0 (none), or a member of a group of at least three")
	}
	return nil
}

// New returns a replica, which continues from the content of its file. It is an error if the configuration or that
// content is not valid.
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
		return nil, fmt.Errorf("replica: create the Raft node: %w", err)
	}
	r.campaignAt = r.rank() * c.StaggerTicks
	return r, nil
}

const maxAppend = 1 << 20 // maximum size in bytes of the entries in a message; a single entry may be larger

// IsLeader reports whether the replica leads its group in the newest term that it knows.
func (r *Replica) IsLeader() bool { return r.isLeader }

// Lead returns the number of the node that leads, or 0 if the replica does not know a leader.
func (r *Replica) Lead() uint64 { return r.lead }

// Term returns the newest term that the replica knows. At most one replica leads in a term.
func (r *Replica) Term() uint64 { return r.term }

// LastIndex returns the index of the newest entry, committed or not.
func (r *Replica) LastIndex() uint64 { return r.last }

// CanPropose reports whether the replica leads and every entry of its log is committed. The next batch depends on the state after
// the last entry, which is final only when that entry is committed.
func (r *Replica) CanPropose() bool { return r.isLeader && r.committed == r.last }

// Propose appends a batch to the log if this replica leads, and reports whether it did. The batch must not be empty, must have at most
// MaxEntry bytes, and must not change afterwards. The batch may still be lost if the leader fails before the batch is committed.
func (r *Replica) Propose(batch []byte) bool {
	return r.isLeader && len(batch) <= MaxEntry && r.node.Propose(batch) == nil
}

// MaxEntry is the maximum size of a batch in bytes. Members refuse entries with larger ones.
const MaxEntry = 16 << 20

// maxBehind is the maximum number of unacknowledged entries with which a member still counts as keeping up: see KeepsUp.
const maxBehind = 3

// KeepsUp reports whether a member has acknowledged all entries of this leader but the newest few (maxBehind), in the current
// term. Such a member answers and can take over at once.
func (r *Replica) KeepsUp(member uint64) bool {
	acked, ok := r.acked[member]
	return r.isLeader && ok && acked+maxBehind >= r.last
}

// Transfer asks a leader to hand over to another member. This takes one round trip if that member has all entries.
func (r *Replica) Transfer(to uint64) {
	if r.isLeader {
		r.node.TransferLeader(to)
	}
}

// Resign returns the message that makes another member ask for votes at once, because this leader stops or cannot write its file. It
// is sent to the member that has acknowledged most, among those that keep up and for which the function ready is true. The result is nil if
// this replica does not lead or there is no such member. Resign may be called between Ready and Advance; the replica must not be used
// afterwards. This replica never acknowledges what it has not written: such entries count only as far as other members, who elect the next
// leader, have written them.
func (r *Replica) Resign(ready func(member uint64) bool) *raftpb.Message {
	var to uint64
	for _, id := range r.cfg.Members {
		if id != r.cfg.Self && id != r.cfg.Witness && r.KeepsUp(id) && ready(id) && (to == 0 || r.acked[id] > r.acked[to]) {
			to = id
		}
	}
	if to == 0 {
		return nil
	}
	return &raftpb.Message{Type: raftpb.MsgTimeoutNow.Enum(), To: new(to), From: new(r.cfg.Self), Term: new(r.term)}
}

// Receive handles a message of another replica. The message must not change afterwards. The links must prove which node has sent it.
// An error means that no member that follows the protocol sends the message (see checkMessage), or that it no longer fits the role of
// this replica.
func (r *Replica) Receive(m *raftpb.Message) error {
	if err := r.checkMessage(m); err != nil {
		return fmt.Errorf("replica: message %v of node %d: %w", m.GetType(), m.GetFrom(), err)
	}
	if r.incomplete && !r.admits(m) {
		return nil
	}
	switch m.GetType() {
	case raftpb.MsgApp, raftpb.MsgHeartbeat, raftpb.MsgSnap:
		if m.GetFrom() == r.lead && m.GetTerm() >= r.term {
			r.silent = 0
		}
	case raftpb.MsgVote, raftpb.MsgPreVote:
		if m.GetFrom() == r.lead && m.GetTerm() >= r.term && !r.isLeader { // the leader asks for votes, so it has stepped down
			r.forgetLeader()
		}
	}
	if m.GetType() == raftpb.MsgHeartbeat && m.GetCommit() > r.last { // the leader counts entries that this replica has lost
		m.Commit = new(r.last)
	}
	if m.GetType() == raftpb.MsgAppResp && r.isLeader && m.GetTerm() == r.term {
		if m.GetReject() {
			delete(r.acked, m.GetFrom())
		} else {
			r.acked[m.GetFrom()] = max(r.acked[m.GetFrom()], m.GetIndex())
		}
	}
	if r.refusesAcknowledged(m) {
		return nil
	}
	if err := r.node.Step(m); err != nil {
		return fmt.Errorf("replica: handle message %v of node %d: %w", m.GetType(), m.GetFrom(), err)
	}
	return nil
}

// admits reports whether an incomplete replica handles the message m. (1) It refuses requests for votes, because it may have voted for
// another candidate. (2) It follows only a leader that was elected after this replica started, because the members that elected it had
// all committed entries. An earlier leader may have been replaced meanwhile, perhaps with a vote that this replica has forgotten. If this
// replica acknowledged the entries of such a leader, they could be committed in place of those of the newer one. Any request for votes that
// arrives was sent after this replica started, because links lose what they carry when the process of a node ends.
func (r *Replica) admits(m *raftpb.Message) bool {
	switch m.GetType() {
	case raftpb.MsgVote:
		if m.GetTerm() > r.elects.term {
			r.elects = election{m.GetTerm(), m.GetFrom()}
		}
		if m.GetFrom() == r.lead && m.GetTerm() > r.term {
			r.forgetLeader()
		}
		return false
	case raftpb.MsgPreVote, raftpb.MsgTimeoutNow:
		return false
	case raftpb.MsgApp, raftpb.MsgHeartbeat, raftpb.MsgSnap:
		if r.elects != (election{m.GetTerm(), m.GetFrom()}) {
			r.earlier = m.GetFrom()
			return false
		}
		r.earlier = 0
	}
	return true
}

// election is a request for votes: the term, and the candidate.
type election struct{ term, candidate uint64 }

// EarlierLeader returns the number of the leader that this replica does not follow, because the replica may have lost entries
// (Config.Incomplete) and the leader was elected before the replica started. It returns 0 if there is no such leader. The replica
// follows the next leader.
func (r *Replica) EarlierLeader() uint64 { return r.earlier }

// refusesAcknowledged reports whether the message m proves that a member has lost an entry: the member had acknowledged the entry
// to this leader, and now lacks it and refuses the entries after it. Receive drops such a message. The Raft library would answer
// it at once with the same entries, again and again, because in this term it never sends an earlier entry to that member. Without
// the message, the library sends the entries only once per heartbeat.
func (r *Replica) refusesAcknowledged(m *raftpb.Message) (lost bool) {
	if m.GetType() != raftpb.MsgAppResp || !m.GetReject() || !r.isLeader || m.GetTerm() != r.term {
		return false
	}
	r.node.WithProgress(func(id uint64, _ raft.ProgressType, p tracker.Progress) {
		lost = lost || id == m.GetFrom() && m.GetIndex() <= p.Match
	})
	return lost
}

// Output is what the caller has to do after Ready, in the order of the fields.
type Output struct {
	Early     []*raftpb.Message // send before Entries are written: a leader sends entries while it writes them itself
	Snapshot  *Snapshot         // replace the state, the log and its file by this snapshot; nil for none
	State     *State            // write and make durable, because a vote must survive a loss of power; nil for none
	Entries   []Entry           // write; the first entry replaces the one with the same index and all later ones
	Messages  []*raftpb.Message // send after Snapshot, State and Entries are written
	Committed []Entry           // step these batches, in order
	NewRole   bool              // IsLeader, Lead or Term has changed
	Complete  bool              // the replica is no longer Config.Incomplete
}

// Ready returns what the caller has to do now. It returns false if there is nothing to do. Otherwise the caller does it
// and then calls Advance before any other method.
func (r *Replica) Ready() (out Output, ok bool) {
	if !r.node.HasReady() {
		return out, false
	}
	rd := r.node.Ready()
	r.ready = rd
	if !raft.IsEmptySnap(rd.Snapshot) {
		s := r.log.install(rd.Snapshot)
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
	role := rd.SoftState
	if role == nil && r.lead == 0 { // the library reports no change if it hears the same leader again after forgetLeader
		if now := r.node.BasicStatus().SoftState; now.Lead != 0 {
			role = &now
		}
	}
	if role != nil {
		out.NewRole = true
		r.changeRole(role)
	}
	if messages := travelling(rd.Messages); r.isLeader {
		out.Early = messages
	} else {
		out.Messages = messages
	}
	out.Committed = batchesOf(rd.CommittedEntries)
	if r.incomplete && r.lead != 0 && r.committed == r.last && r.isFresh() {
		r.incomplete, r.earlier, out.Complete = false, 0, true
	}
	return out, true
}

// isFresh reports whether an incomplete replica has regained everything that it may have lost: the newest entry is of the current
// leader's term, so that all entries committed before it are in the log. See admits for the leaders that it follows.
func (r *Replica) isFresh() bool {
	term, err := r.log.Term(r.last)
	return err == nil && term == r.term
}

// IsIncomplete reports whether the replica may still lack votes that it gave, or entries that it acknowledged, before its file was
// lost or damaged; see Config.Incomplete.
func (r *Replica) IsIncomplete() bool { return r.incomplete }

// Advance tells the replica that the caller has done what the last Ready returned.
func (r *Replica) Advance() { r.node.Advance(r.ready) }

// travelling returns the messages that nodes send to each other, in the memory of messages. The others are local requests to hand
// over, which came too late: this node no longer leads.
func travelling(messages []*raftpb.Message) []*raftpb.Message {
	return slices.DeleteFunc(messages, func(m *raftpb.Message) bool { return !travels(m.GetType()) })
}

// batchesOf returns the batches among committed entries.
func batchesOf(entries []*raftpb.Entry) (batches []Entry) {
	for _, e := range entries {
		if len(e.GetData()) > 0 {
			batches = append(batches, entryOf(e))
		}
	}
	return batches
}

// Retention limits how many entries stay in memory although a snapshot contains them, for members that have been away for a short
// time: the newest ones that fit into both limits. The zero value retains none.
type Retention struct {
	Entries int // maximum number of entries
	Bytes   int // maximum size of the entries' batches in total
}

// Compact removes entries up to index from memory, except the newest of them that fit into the limits of keep. The caller must have
// stepped the removed entries. A member that lacks a removed entry gets a snapshot from the leader.
func (r *Replica) Compact(index uint64, keep Retention) { r.log.compact(min(index, r.committed), keep) }

// State returns the newest term and vote.
func (r *Replica) State() State { return r.log.state }

// Kept returns what a new file of the replica must contain: the last snapshot and the entries that follow it.
func (r *Replica) Kept() (Snapshot, []Entry) {
	s := r.log.snapshot
	return s, entriesOf(r.log.entries[min(s.Index+1-r.log.first, uint64(len(r.log.entries))):])
}

// OfferSnapshot passes the encoded state after the entry with that index to the replica. It returns an error if the entry is not
// committed or not in the log.
func (r *Replica) OfferSnapshot(index uint64, data []byte) error {
	if index > r.committed {
		return fmt.Errorf("replica: the offered snapshot is of entry %d, but only entries up to %d are committed", index, r.committed)
	}
	return r.log.offer(index, data)
}

// ReportSnapshot tells a leader whether its snapshot message to a member was sent completely.
func (r *Replica) ReportSnapshot(to uint64, sent bool) {
	status := raft.SnapshotFinish
	if !sent {
		status = raft.SnapshotFailure
	}
	r.node.ReportSnapshot(to, status)
}
