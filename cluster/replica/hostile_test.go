package replica

import (
	"strings"
	"testing"

	"go.etcd.io/raft/v3/raftpb"
)

// trio is three replicas, of which the third one is in the hands of an attacker who has the keys of its node. Links lose nothing.
type trio struct {
	t        testing.TB
	replicas [4]*Replica // by number; replica 3 follows the protocol while the attacker sends messages in its name
	queue    []*raftpb.Message
}

func newTrio(t testing.TB) *trio {
	c := &trio{t: t}
	for id := uint64(1); id <= 3; id++ {
		r, err := New(Config{Self: id, Members: []uint64{1, 2, 3}, HeartbeatTicks: 2, QuorumTicks: 8, SilenceTicks: 6, StaggerTicks: 2, Seed: 1})
		if err != nil {
			t.Fatal(err)
		}
		c.replicas[id] = r
	}
	return c
}

// flush carries out the outputs of the replicas and delivers their messages, until there are none or 64 times.
func (c *trio) flush() {
	for range 64 {
		for _, r := range c.replicas[1:] {
			for out, ok := r.Ready(); ok; out, ok = r.Ready() {
				c.queue = append(append(c.queue, out.Early...), out.Messages...)
				r.Advance()
				if n := len(out.Committed); n > 0 && out.Committed[n-1].Index%4 == 0 { // a snapshot after each fourth entry
					if err := r.OfferSnapshot(out.Committed[n-1].Index, []byte("state")); err == nil {
						r.Compact(out.Committed[n-1].Index, Retention{})
					}
				}
			}
		}
		if len(c.queue) == 0 {
			return
		}
		sent := c.queue
		c.queue = nil
		for _, m := range sent {
			_ = c.replicas[m.GetTo()].Receive(c.again(m)) // an error only says that the message does not fit the current role of its receiver
		}
	}
	c.queue = nil
}

// again returns the message as its receiver decodes it.
func (c *trio) again(m *raftpb.Message) *raftpb.Message {
	got, err := ParseMessage(AppendMessage(nil, m))
	if err != nil {
		c.t.Fatal(err)
	}
	return got
}

// act carries out the steps that the bytes encode: time passes, batches are proposed, and the attacker sends messages. Numbers in
// messages are near those that the receiver knows, because the checks would refuse almost all others.
func (c *trio) act(b []byte) {
	next := func() (v byte) {
		if len(b) > 0 {
			v, b = b[0], b[1:]
		}
		return v
	}
	near := func(v uint64) uint64 {
		switch d := int8(next()); d {
		case -128:
			return 1<<62 + 1
		case 127:
			return 1<<64 - 1
		default:
			return v + uint64(int64(d))
		}
	}
	kinds := []raftpb.MessageType{raftpb.MsgApp, raftpb.MsgAppResp, raftpb.MsgVote, raftpb.MsgVoteResp, raftpb.MsgSnap, raftpb.MsgHeartbeat,
		raftpb.MsgHeartbeatResp, raftpb.MsgTimeoutNow, raftpb.MsgPreVote, raftpb.MsgPreVoteResp, raftpb.MsgProp}
	for steps := 0; len(b) > 0 && steps < 64; steps++ {
		op := next()
		r := c.replicas[1+op>>7]
		switch op % 8 {
		case 0, 1:
			for range 1 + next()%16 {
				for _, r := range c.replicas[1:] {
					r.Tick()
				}
				c.flush()
			}
		case 2:
			for _, r := range c.replicas[1:] {
				if r.CanPropose() {
					r.Propose([]byte{next(), 1})
				}
			}
			c.flush()
		case 3:
			r.LinkLost(uint64(1 + next()%3))
			c.flush()
		default:
			m := &raftpb.Message{Type: kinds[int(next())%len(kinds)].Enum(), From: new(uint64(3)), To: new(r.cfg.Self), Term: new(near(r.term)),
				LogTerm: new(near(r.term)), Index: new(near(r.last)), Commit: new(near(r.committed)), RejectHint: new(near(r.last)), Reject: new(op&16 != 0)}
			if op&32 != 0 {
				for i := range 1 + next()%3 {
					m.Entries = append(m.Entries, &raftpb.Entry{Index: new(near(m.GetIndex() + uint64(i) + 1)), Term: new(near(m.GetTerm())),
						Type: raftpb.EntryType(next() % 3).Enum(), Data: []byte{next()}})
				}
			}
			if op&64 != 0 {
				m.Snapshot = &raftpb.Snapshot{Data: []byte("state"), Metadata: &raftpb.SnapshotMetadata{
					Index: new(near(r.committed)), Term: new(near(m.GetTerm())), ConfState: confState([]uint64{1, 2, 3, 4}[:3+next()%2])}}
			}
			_ = r.Receive(m)
			c.flush()
		}
	}
}

// hostileSeeds are sequences with messages that no member sends. Without checkMessage the Raft library panics on the first two.
var hostileSeeds = [][]byte{
	[]byte("\x040\x7f000002"), // a term of the greatest number; the term after it would be 0
	{0, 15, 0, 15, 2, 1, 0, 3, 0x84 | 32, 0, 0, 0, 0, 0, 0, 2, 5, 0, 0, 1, 7, 0, 0, 1, 0, 2},     // entries with a gap
	{0, 15, 0, 15, 2, 1, 0, 3, 0x84 | 32, 0, 1, 0, 0, 0, 0, 0, 0, 0, 2, 9, 0, 15, 0, 15},         // a change of the members that cannot be decoded
	{0, 15, 0, 15, 2, 1, 0, 3, 0x84, 5, 0, 0, 0, 100, 0, 0, 15},                                  // a heartbeat that commits missing entries
	{0, 15, 0, 15, 2, 1, 0, 3, 0x84 | 64, 4, 1, 0, 0, 0, 0, 3, 0, 1, 0, 15, 2, 1},                // a snapshot of other members
	{0, 15, 0, 15, 2, 1, 0, 3, 4, 1, 0, 0, 100, 0, 0, 0, 15, 2, 1, 2, 1, 0, 15, 0, 15},           // an acknowledgement of missing entries
	{0, 15, 0, 15, 2, 1, 0, 3, 4, 2, 127, 0, 0, 0, 0, 0, 15, 3, 1, 0, 15, 0, 15},                 // a vote in the greatest term
	{0, 15, 0, 15, 2, 1, 0, 3, 4, 4, 1, 0, 0, 0, 0, 0x84, 4, 1, 0, 0, 0, 0, 0, 15},               // a snapshot message without a snapshot
	{0, 15, 0, 15, 2, 1, 0, 3, 0x84, 7, 0, 0, 0, 0, 0, 4, 9, 0, 0, 0, 0, 0, 4, 3, 0, 0, 0, 0, 0}, // answers to votes that were not asked for
}

// No message of a member may make the process of another member panic, neither at once nor later.
func FuzzReceive(f *testing.F) {
	for _, seed := range hostileSeeds {
		f.Add(seed)
	}
	f.Fuzz(func(t *testing.T, b []byte) { newTrio(t).act(b) })
}

func TestMessagesThatNoCorrectMemberSendsAreRefused(t *testing.T) {
	c := newTrio(t)
	for range 40 {
		for _, r := range c.replicas[1:] {
			r.Tick()
		}
		c.flush()
	}
	r := c.replicas[1]
	if !r.IsLeader() || !r.Propose([]byte("batch")) {
		t.Fatal("the first replica does not lead")
	}
	c.flush()
	entry := func(index, term uint64, kind raftpb.EntryType) *raftpb.Entry {
		return &raftpb.Entry{Index: new(index), Term: new(term), Type: kind.Enum(), Data: []byte("x")}
	}
	for want, change := range map[string]func(m *raftpb.Message){
		"from another member":               func(m *raftpb.Message) { m.From = new(uint64(4)) },
		"to this node":                      func(m *raftpb.Message) { m.To = new(uint64(2)) },
		"of this type to each":              func(m *raftpb.Message) { m.Type = raftpb.MsgHup.Enum() },
		"has the term 0":                    func(m *raftpb.Message) { m.Term = new(uint64(0)) },
		"too far ahead of this node's term": func(m *raftpb.Message) { m.Term = new(r.term + maxTermAhead + 1) },
		"of the message is out of range":    func(m *raftpb.Message) { m.Commit = new(uint64(maxIndex + 1)) },
		"where entry":                       func(m *raftpb.Message) { m.Entries = []*raftpb.Entry{entry(r.last+2, r.term, raftpb.EntryNormal)} },
		"has the term 9999, which":          func(m *raftpb.Message) { m.Entries = []*raftpb.Entry{entry(r.last+1, 9999, raftpb.EntryNormal)} },
		"only normal entries": func(m *raftpb.Message) {
			m.Entries = []*raftpb.Entry{entry(r.last+1, r.term, raftpb.EntryConfChangeV2)}
		},
		"at most 16777216 are allowed": func(m *raftpb.Message) {
			m.Entries = []*raftpb.Entry{entry(r.last+1, r.term, raftpb.EntryNormal)}
			m.Entries[0].Data = make([]byte, MaxEntry+1)
		},
		"must not have entries": func(m *raftpb.Message) {
			m.Type, m.Entries = raftpb.MsgVote.Enum(), []*raftpb.Entry{entry(r.last+1, r.term, raftpb.EntryNormal)}
		},
		"must have a snapshot":       func(m *raftpb.Message) { m.Type = raftpb.MsgSnap.Enum() },
		"has the members [1 2], but": func(m *raftpb.Message) { m.Type, m.Snapshot = raftpb.MsgSnap.Enum(), someSnapshot(r, 1, 2) },
		"too far ahead of this node's newest entry": func(m *raftpb.Message) {
			m.Type, m.Snapshot = raftpb.MsgSnap.Enum(), someSnapshot(r, 1, 2, 3)
			m.Snapshot.Metadata.Index = new(r.last + maxAhead + 1)
		},
		"has the index 0": func(m *raftpb.Message) {
			m.Type, m.Snapshot = raftpb.MsgSnap.Enum(), someSnapshot(r, 1, 2, 3)
			m.Snapshot.Metadata.Index = new(uint64(0))
		},
		"the message acknowledges entry": func(m *raftpb.Message) { m.Type, m.Index = raftpb.MsgAppResp.Enum(), new(r.last+1) },
	} {
		m := &raftpb.Message{Type: raftpb.MsgApp.Enum(), From: new(uint64(3)), To: new(uint64(1)), Term: new(r.term), LogTerm: new(r.term), Index: new(r.last), Commit: new(uint64(0)),
			RejectHint: new(uint64(0)), Reject: new(false)}
		change(m)
		if err := r.Receive(m); err == nil || !strings.Contains(err.Error(), want) {
			t.Errorf("%v, want %q", err, want)
		}
	}
	if r.Propose(make([]byte, MaxEntry+1)) {
		t.Error("a batch is proposed that the other members refuse")
	}
	if _, ok := r.Ready(); ok {
		t.Error("refused messages have an effect")
	}
}

// In each term one member leads. Another member that sends what only leaders send is refused, also while the replica looks for a new
// leader, and before it has carried out its first output in the term.
func TestMessagesOfSecondLeaderInSameTermAreRefused(t *testing.T) {
	c := newTrio(t)
	for range 40 {
		for _, r := range c.replicas[1:] {
			r.Tick()
		}
		c.flush()
	}
	message := func(r *Replica, kind raftpb.MessageType, from, term uint64) *raftpb.Message {
		m := &raftpb.Message{Type: kind.Enum(), From: new(from), To: new(r.cfg.Self), Term: new(term), LogTerm: new(r.term), Index: new(r.last), Commit: new(r.committed),
			RejectHint: new(uint64(0)), Reject: new(false)}
		if kind == raftpb.MsgSnap {
			m.Snapshot = someSnapshot(r, 1, 2, 3)
		}
		return m
	}
	kinds := []raftpb.MessageType{raftpb.MsgApp, raftpb.MsgHeartbeat, raftpb.MsgSnap}
	refuses := func(when string, r *Replica, lead, from, term uint64) {
		t.Helper()
		for _, kind := range kinds {
			if err := r.Receive(message(r, kind, from, term)); err == nil || !strings.Contains(err.Error(), "only a leader sends such a message") {
				t.Errorf("%s: %v of node %d: %v", when, kind, from, err)
			}
			if err := r.Receive(message(r, kind, lead, term)); err != nil {
				t.Errorf("%s: %v of the leader: %v", when, kind, err)
			}
		}
	}
	leader, r := c.replicas[1], c.replicas[2]
	if !leader.IsLeader() || r.Lead() != 1 {
		t.Fatal("the first replica does not lead")
	}
	for _, kind := range kinds {
		if err := leader.Receive(message(leader, kind, 3, leader.term)); err == nil {
			t.Errorf("the leader accepts %v of node 3", kind)
		}
	}
	refuses("the leader is known", r, 1, 3, r.term)
	r.LinkLost(1)
	for _, kind := range kinds {
		if err := r.Receive(message(r, kind, 3, r.term)); err == nil {
			t.Errorf("after the link to the leader is lost, %v of node 3 is accepted", kind)
		}
	}
	if err := r.Receive(message(r, raftpb.MsgHeartbeat, 3, r.term+1)); err != nil {
		t.Errorf("a leader of the next term: %v", err)
	}
	refuses("the leader of the next term is known to the library", r, 3, 1, r.term+1)
}

// someSnapshot returns a snapshot of the state after the newest entry of replica r. The snapshot lists the given members.
func someSnapshot(r *Replica, members ...uint64) *raftpb.Snapshot {
	return &raftpb.Snapshot{Data: []byte("state"), Metadata: &raftpb.SnapshotMetadata{Index: new(r.last), Term: new(r.term), ConfState: confState(members)}}
}
