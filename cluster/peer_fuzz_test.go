package cluster

import (
	"encoding/binary"
	"log/slog"
	"strings"
	"testing"
	"time"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/sim"
)

// fuzzed is a node that is not started, with one area. Node 2 follows the Raft protocol, and node 3 is in the hands of an attacker.
type fuzzed struct {
	t      testing.TB
	g      *group
	honest *replica.Replica
}

func newFuzzed(t testing.TB) *fuzzed {
	h, err := New(Options{
		World: fields(2), Seed: 1, Nodes: []link.Node{{ID: 1, Name: "n1"}, {ID: 2, Name: "n2"}, {ID: 3, Name: "n3"}}, Self: 1, Incarnation: 1,
		Open: func(sim.AreaID) (Kept, error) { return Kept{File: &disk{}}, nil }, Area: area.Options{Log: slog.New(slog.DiscardHandler)},
		Links: noLinks{},
	})
	if err != nil {
		t.Fatal(err)
	}
	f := &fuzzed{t: t, g: h.groups[0]}
	h.opt.Links = f
	f.honest, err = replica.New(replica.Config{Self: 2, Members: h.membersOf(0), HeartbeatTicks: heartbeatTicks, QuorumTicks: quorumTicks, SilenceTicks: silenceTicks, StaggerTicks: staggerTicks, Seed: 2})
	if err != nil {
		t.Fatal(err)
	}
	return f
}

func (f *fuzzed) OffsetMS(uint64) int64 { return 0 }

// Send implements Links. Node 2 handles its Raft messages at once.
func (f *fuzzed) Send(to uint64, kind byte, body []byte) bool {
	if to != 2 || kind != kindRaft {
		return true
	}
	_, rest, _ := splitArea(body, 2)
	m, err := replica.ParseMessage(rest)
	if err != nil {
		f.t.Errorf("the node sends a message that cannot be parsed: %v", err)
		return true
	}
	_ = f.honest.Receive(m) // an error only says that the message does not fit the role of node 2
	return true
}

// run lets both nodes do what is due, and steps the batches that are committed. None of that may fail.
func (f *fuzzed) run() {
	g := f.g
	for range 8 {
		if g.rep.IsLeader() {
			g.seal(time.Now().Add(time.Hour)) // a time at which a batch is due
		}
		if err := g.advance(); err != nil {
			f.t.Fatal(err)
		}
		for out, ok := f.honest.Ready(); ok; out, ok = f.honest.Ready() {
			f.honest.Advance()
			for _, m := range append(out.Early, out.Messages...) {
				if m.GetTo() == 1 {
					_ = g.rep.Receive(m)
				}
			}
		}
		in, ok, err := g.nextAgreed()
		switch {
		case err != nil:
			f.t.Fatal(err)
		case ok && in.State == nil:
			f.step(in.Intents)
		}
	}
}

// step steps the area as package area does: a batch whose step panics is skipped, as on all nodes.
func (f *fuzzed) step(intents []sim.Intent) {
	g := f.g
	defer func() {
		if recover() == nil {
			return
		}
		if _, err := g.Restore(); err != nil {
			f.t.Fatal(err)
		}
	}()
	g.Stepped(g.state, g.state.Step(intents))
}

// lead makes the node the leader of its area.
func (f *fuzzed) lead() {
	for range 10 * silenceTicks {
		f.g.rep.Tick()
		f.run()
		if f.g.rep.IsLeader() && f.g.lead.taken != nil {
			return
		}
	}
	f.t.Fatal("the node does not lead")
}

// No message of another node makes a handler panic or the node stop. The first byte tells whether the node leads the area. Then each
// message has its kind, its length in two bytes, and its content.
func FuzzMessagesOfPeer(f *testing.F) {
	add := func(leads byte, kind byte, body []byte) {
		_, rest, _ := splitArea(body, 4)
		b := []byte{leads}
		for range 2 {
			b = append(binary.BigEndian.AppendUint16(append(b, kind), uint16(len(rest))), rest...)
		}
		f.Add(b)
	}
	for kind := byte(kindRaft); kind <= kindHash; kind++ {
		for _, body := range someMessages()[kind] {
			add(0, kind, body)
			add(1, kind, body)
		}
	}
	b := someBatch()
	for _, kind := range []raftpb.MessageType{raftpb.MsgApp, raftpb.MsgHeartbeat, raftpb.MsgVote, raftpb.MsgAppResp} {
		m := &raftpb.Message{Type: kind.Enum(), From: new(uint64(3)), To: new(uint64(1)), Term: new(uint64(9)), LogTerm: new(uint64(0)), Index: new(uint64(0)), Commit: new(uint64(1)),
			RejectHint: new(uint64(0)), Reject: new(false)}
		if kind == raftpb.MsgApp {
			m.Entries = []*raftpb.Entry{{Index: new(uint64(1)), Term: new(uint64(9)), Type: raftpb.EntryNormal.Enum(), Data: b.append(nil)}}
		}
		add(0, kindRaft, replica.AppendMessage([]byte{0}, m))
		add(1, kindRaft, replica.AppendMessage([]byte{0}, m))
		if len(m.Entries) > 0 {
			m.Entries[0].Data = []byte{batchVersion, 1, 2}
			add(0, kindRaft, replica.AppendMessage([]byte{0}, m))
		}
	}
	f.Fuzz(func(t *testing.T, b []byte) {
		if len(b) == 0 {
			return
		}
		x := newFuzzed(t)
		if b[0]&1 != 0 {
			x.lead()
		}
		for b = b[1:]; len(b) >= 3; {
			kind, size := b[0], min(int(binary.BigEndian.Uint16(b[1:])), len(b)-3)
			err := x.g.handle(inbound{3, kind, b[3 : 3+size]})
			if err != nil && strings.Contains(err.Error(), "panic:") {
				t.Error(err)
			}
			b = b[3+size:]
			x.run()
		}
	})
}
