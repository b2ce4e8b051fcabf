//go:build linux

package main

import (
	"fmt"
	"os"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/cluster/replica"
)

// A member retains the newest committed entries in memory, so that it can send them to members that have fallen behind.
const (
	keepEntries    = 240 // entries that remain after a compaction, 12 s of ticks
	compactEntries = 120 // further entries after which the next compaction runs
)

// raftMember is this node's member of the Raft group of an area. The entries of the group are batches. In the group, a node's
// number is one more than in the links, because Raft reserves 0.
type raftMember struct {
	shard   *shard
	area    int
	replica *replica.Replica
	stepper *stepper // nil for a witness

	isDue    bool           // the time of the next tick has come
	next     []byte         // batch of the next tick; nil until the stepper has prepared it
	sealed   int64          // time at which the outstanding batch was sealed, ns of now(); 0 if there is none
	tookOver uint64         // newest term in which this node has become the leader and released the last frame again; 0 for none
	out      replica.Output // output of the replica between prepare and complete
	compact  uint64         // index of the newest entry that is not in memory any more
}

func (m *raftMember) receive(from int, body []byte) {
	msg, err := replica.ParseMessage(body)
	if err != nil {
		fmt.Fprintf(os.Stderr, "area %d: parse a Raft message of node %d: %v\n", m.area, from, err)
		return
	}
	_ = m.replica.Receive(msg) // an error means that the message does not fit the member's present role
}

func (m *raftMember) linkChanged(peer int, up bool) {
	if !up {
		m.replica.LinkLost(uint64(peer + 1))
	}
}

func (m *raftMember) tick()                { m.replica.Tick() }
func (m *raftMember) due()                 { m.isDue = true }
func (m *raftMember) setNext(batch []byte) { m.next = batch }

func (m *raftMember) prepare() bool {
	if m.isDue && m.next != nil && m.tookOver == m.replica.Term() && m.replica.CanPropose() {
		sealed := now()
		if m.replica.Propose(m.next) {
			m.sealed, m.isDue = sealed, false
		}
		m.next = nil
	}
	out, ok := m.replica.Ready()
	if !ok {
		return false
	}
	m.out = out
	m.send(out.Early)
	if out.State != nil {
		m.shard.log.addState(m.area, *out.State)
		m.shard.durable = true
	}
	for i := range out.Entries {
		m.shard.log.addEntry(m.area, &out.Entries[i])
	}
	return true
}

func (m *raftMember) complete() bool {
	m.send(m.out.Messages)
	m.replica.Advance()
	leads := m.replica.IsLeader()
	if m.stepper == nil {
		return true
	}
	agreed := now()
	for i := range m.out.Committed {
		e := &m.out.Committed[i]
		own := leads && m.tookOver == m.replica.Term()
		j := job{batch: e.Data, agreed: agreed, release: own && e.Term == m.tookOver, sealNext: own, term: m.replica.Term()}
		if own {
			j.sealed, m.sealed = m.sealed, 0
		}
		m.stepper.jobs <- j
		if e.Index > m.compact+keepEntries+compactEntries {
			m.compact = e.Index - keepEntries
			m.replica.Compact(m.compact, replica.Retention{})
		}
	}
	// A new leader releases the newest frame again, because the previous leader may have failed before it did so.
	if m.tookOver != m.replica.Term() && m.replica.CanPropose() {
		m.tookOver, m.isDue, m.next = m.replica.Term(), true, nil
		m.stepper.jobs <- job{agreed: agreed, release: true, sealNext: true, term: m.tookOver}
	}
	return true
}

func (m *raftMember) send(messages []*raftpb.Message) {
	for _, msg := range messages {
		m.shard.links.links[msg.GetTo()-1].send(m.area, func(b []byte) []byte { return replica.AppendMessage(b, msg) })
	}
}
