package cluster

import (
	"fmt"
	"log/slog"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/cluster/link"
	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/sim"
)

// chat returns lines of chat of the given size, each of another player.
func chat(lines, size int) (list []sim.Intent) {
	for i := range lines {
		list = append(list, sim.Intent{Kind: sim.IntentChat, Who: sim.PlayerID(3, uint64(i+1)), Text: strings.Repeat("x", size)})
	}
	return list
}

// A node with an attacker sends chunks of intents that no node makes. They are refused, and do not prevent its next chunks.
func TestChunksThatNoNodeMakesAreRefusedAndHoldUpNothing(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		c := startDisputed(t)
		defer c.stopAll()
		h := c.nodes[1].current()
		g := h.groups[0]
		one := chat(1, 10)[0]
		for name, intents := range map[string][]sim.Intent{
			"a text of 17 MiB":             chat(1, 17<<20),
			"an arrival from another area": {{Kind: sim.IntentJoin, Who: sim.PlayerID(3, 99), Join: &sim.Join{Character: &sim.Character{ID: 99, Template: 2}, From: 1, Seq: 1}}},
			"a confirmation of arrivals":   {{Kind: sim.IntentSettle, To: 1, Seq: 1}},
			"many small intents":           chat(maxIntents+1, 0),
			"many intents of a player":     {one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one, one},
			"more bytes than one may have": chat(9, maxChunk/8),
		} {
			forged := chunk{intents: intents}
			g.request(nil, func() {
				have := g.lead.taken[3]
				forged.mark = mark{3, have.incarnation, have.seq + 1}
			})
			before := h.metrics.Refused.Load()
			h.Receive(3, kindChunk, appendChunk(nil, 0, &forged))
			time.Sleep(200 * time.Millisecond)
			if h.metrics.Refused.Load() != before+1 {
				t.Errorf("%s: the chunk is not refused", name)
			}
			if _, err := c.nodes[3].current().Barrier(timeout(t, time.Second)); err != nil {
				t.Errorf("%s: intents of the node are not executed any more: %v", name, err)
			}
		}
		requireAdvance(t, 200*time.Millisecond, c.nodes[1:]...)
	})
}

func TestBatchWithTooManyElementsIsNotParsed(t *testing.T) {
	for name, b := range map[string]batch{
		"gone":    {gone: make([]mark, maxMarks+1)},
		"chunks":  {chunks: make([]mark, maxMarks+1)},
		"homes":   {homes: make([]home, maxHomes+1)},
		"intents": {intents: make([]sim.Intent, maxParsed+1)},
	} {
		if _, err := parseBatch(b.append(nil), nil); err == nil {
			t.Errorf("%s: the batch is parsed", name)
		}
	}
	if _, err := parseIntent(sim.AppendIntents(nil, make([]sim.Intent, 1<<20)), sim.IntentSettle); err == nil || !strings.Contains(err.Error(), "at most 1 are allowed") {
		t.Errorf("a million intents in place of one: %v", err)
	}
	a := arrival{join: sim.Intent{Kind: sim.IntentJoin, Join: &sim.Join{Seq: 1, Character: &sim.Character{Name: strings.Repeat("x", maxChunk)}}}}
	_, b, _ := splitArea(appendArrival(nil, 0, &a), 1)
	if _, err := parseArrival(b); err == nil {
		t.Error("an arrival that is larger than its maximum is parsed")
	}
}

// A node has at most maxPending chunks in the queue of a leader, also before the leader has stepped its log, and they take limited memory.
// Further ones are taken when they are sent again.
func TestLeaderQueuesLimitedNumberOfChunks(t *testing.T) {
	for _, test := range []struct {
		size, want int
	}{{0, maxPending}, {1 << 20, maxQueued >> 20}} {
		g := newLeader(t)
		send := func(from, to int) {
			for seq := from; seq <= to; seq++ {
				g.takeChunk(&chunk{mark: mark{1, 1, uint64(seq)}, size: test.size})
			}
		}
		send(2, 2) // before the first one, and again below
		send(1, 2*maxPending)
		if len(g.lead.early) != test.want {
			t.Errorf("%d chunks of %d bytes wait before the log is stepped, want %d", len(g.lead.early), test.size, test.want)
		}
		if !g.canSeal() {
			t.Fatal("the leader cannot propose a batch")
		}
		for first := 1; first <= 2*maxPending; first += test.want {
			send(first, 2*maxPending)
			if n := min(test.want, 2*maxPending-first+1); len(g.lead.queue) != n || g.lead.queue[0].seq != uint64(first) {
				t.Fatalf("%d chunks of %d bytes from number %d on are queued, want %d from number %d on", len(g.lead.queue), test.size, g.lead.queue[0].seq, n, first)
			}
			g.lead.queue = g.lead.queue[:0]
		}
	}
}

// Each new incarnation replaces the one before, which is declared dead.
func TestManyIncarnationsInOneTickCauseOneMarkInBatch(t *testing.T) {
	g := newLeader(t)
	g.canSeal()
	for incarnation := uint64(1); incarnation < 3*maxMarks; incarnation++ {
		g.takeChunk(&chunk{mark: mark{1, incarnation, 1}})
	}
	if want := (mark{1, 3*maxMarks - 2, 0}); len(g.lead.gone) != 1 || g.lead.gone[0] != want {
		t.Errorf("%d marks, want only %v", len(g.lead.gone), want)
	}
}

// next proposes a batch and returns it when it is committed.
func next(t *testing.T, g *group) (b batch, size int) {
	t.Helper()
	g.seal(time.Now())
	if err := g.advance(); err != nil {
		t.Fatal(err)
	}
	if len(g.committed) != 1 {
		t.Fatalf("%d batches are committed", len(g.committed))
	}
	data := g.committed[0].Data
	b, err := parseBatch(data, nil)
	if err != nil {
		t.Fatal(err)
	}
	if _, ok, err := g.nextAgreed(); !ok || err != nil {
		t.Fatal(ok, err)
	}
	return b, len(data)
}

func TestChunksThatExceedSizeOfBatchWaitForNextBatch(t *testing.T) {
	g := newLeader(t)
	g.canSeal()
	const chunks = 20
	for seq := range chunks {
		c := chunk{mark: mark{1, 1, uint64(seq + 1)}, intents: chat(1, maxChunk-100)}
		c.intents[0].Who += sim.EntityID(seq)
		c.size = len(c.append(nil))
		g.takeChunk(&c)
	}
	g.out.last = chunks // this node is the sender of the forged chunks
	n := 0
	for range 3 {
		b, size := next(t, g)
		if size > replica.MaxEntry {
			t.Errorf("a batch of %d bytes", size)
		}
		for _, in := range b.intents {
			if in.Kind == sim.IntentChat {
				n++
			}
		}
	}
	if n != chunks {
		t.Errorf("three batches have %d of the %d lines of chat", n, chunks)
	}
}

func TestArrivalsThatExceedSizeOfBatchWaitForNextBatch(t *testing.T) {
	g := newLeader(t)
	g.canSeal()
	const players = 6
	for i := range players {
		join := &sim.Join{Character: &sim.Character{Name: strings.Repeat("x", 1<<20)}, Seq: uint64(i + 1)}
		g.lead.arrivals = append(g.lead.arrivals, arrival{join: sim.Intent{Kind: sim.IntentJoin, Who: sim.PlayerID(1, uint64(i+1)), Join: join}})
	}
	var list []uint64
	for range 2 {
		b, _ := next(t, g)
		if len(list) == 0 && len(b.intents) != maxBatch/2>>20 {
			t.Errorf("the first batch has %d arrivals", len(b.intents))
		}
		for _, in := range b.intents {
			list = append(list, in.Join.Seq)
		}
	}
	if fmt.Sprint(list) != "[1 2 3 4 5 6]" || len(g.lead.arrivals) != 0 {
		t.Errorf("the batches have the arrivals %v, and %d still wait", list, len(g.lead.arrivals))
	}
}

// A round of intents that is too large for one message is sent in several.
func TestIntentsThatExceedSizeOfMessageAreSentInSeveralChunks(t *testing.T) {
	g := newLeader(t)
	var want, got []string
	for i := range 40 * area.MaxIntentsTick {
		text := fmt.Sprint(i, strings.Repeat("x", 10_000))
		want = append(want, text)
		if err := g.host.Submit(0, sim.Intent{Kind: sim.IntentChat, Who: sim.PlayerID(1, uint64(1+i%40)), Text: text}); err != nil {
			t.Fatal(err)
		}
	}
	g.out.checkIncarnation(g)
	g.out.collect(g, time.Now(), true, false)
	if len(g.out.pending) < 4 {
		t.Errorf("%d chunks", len(g.out.pending))
	}
	for i := range g.out.pending {
		c := &g.out.pending[i]
		parsed, err := parseChunk(c.append(nil), 1)
		if err != nil || parsed.size != c.size || parsed.seq != uint64(i+1) {
			t.Fatalf("chunk %d: number %d, %d bytes, %v", i, parsed.seq, parsed.size, err)
		}
		for _, in := range parsed.intents {
			got = append(got, in.Text)
		}
	}
	if strings.Join(got, " ") != strings.Join(want, " ") {
		t.Errorf("%d lines, want %d in the same order", len(got), len(want))
	}
}

// While an area handles no messages, those of one node take limited memory, and leave room for those of others.
func TestWaitingMessagesOfNodeTakeLimitedMemory(t *testing.T) {
	h, err := New(Options{
		World: fields(2), Seed: 1, Nodes: []link.Node{{ID: 1, Name: "n1"}, {ID: 2, Name: "n2"}, {ID: 3, Name: "n3"}}, Self: 1, Incarnation: 1,
		Open: func(sim.AreaID) (Kept, error) { return Kept{File: &disk{}}, nil },
		Area: area.Options{Log: slog.New(slog.DiscardHandler)},
	})
	if err != nil {
		t.Fatal(err)
	}
	waiting := func() int { return len(h.groups[0].inbound) + len(h.groups[1].inbound) }
	large := make([]byte, 1<<20)
	for i := range 100 {
		h.Receive(2, kindChunk, append([]byte{byte(i % 2)}, large...))
	}
	if n := waiting(); n != maxWaiting>>20 || h.metrics.Dropped.Load() != uint64(100-n) {
		t.Errorf("%d messages wait and %d were dropped, want %d of 100 to wait", n, h.metrics.Dropped.Load(), maxWaiting>>20)
	}
	before := waiting()
	h.Receive(3, kindRaft, append([]byte{1}, make([]byte, maxWaiting+1)...))
	if waiting() != before+1 {
		t.Error("the only message of another node is dropped")
	}
	for _, g := range h.groups {
		for len(g.inbound) > 0 {
			g.receive(<-g.inbound)
		}
	}
	for node := range h.waiting {
		if n := h.waiting[node].Load(); n != 0 {
			t.Errorf("%d bytes of node %d count as waiting although none waits", n, node)
		}
	}
}

func TestUncheckedArrivalsOfNodeTakeLimitedMemory(t *testing.T) {
	var l lead
	for range 100 {
		l.hold(unchecked{node: 2, a: arrival{size: maxChunk}})
		l.hold(unchecked{node: 3})
	}
	counts := map[uint64]int{}
	for _, m := range l.ahead {
		counts[m.node]++
	}
	if counts[2] != maxUncheckedSize/maxChunk || counts[3] != 100 {
		t.Errorf("messages that wait, by node: %v", counts)
	}
}
