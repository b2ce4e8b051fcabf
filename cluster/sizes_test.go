package cluster

import (
	"encoding/binary"
	"testing"

	"go.etcd.io/raft/v3/raftpb"

	"github.com/truestep-io/truestep/cluster/replica"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/mixedplayers"
	"github.com/truestep-io/truestep/sim"
)

const (
	sizedPlayers = 100               // players of the measured area
	sizedTicks   = 80                // number of ticks over which the mean is taken: four seconds
	sizedAtMS    = 1_800_000_000_000 // wall clock of the intents, in ms since 1970
	sizedTick    = 30 * 86_400 * 20  // tick of an area that has run for 30 days
)

// TestClusterMessagesAreNoLargerThanScalePageSays checks the sizes in bytes that docs/benchmarks/cluster-scale.md uses in its
// calculations. With -v it prints them.
func TestClusterMessagesAreNoLargerThanScalePageSays(t *testing.T) {
	few, many := batchesOfMixedPlayers(t, 3), batchesOfMixedPlayers(t, sizedPlayers)
	entry := func(data []byte) int {
		m := &raftpb.Message{Type: raftpb.MsgApp.Enum(), To: new(uint64(2)), From: new(uint64(1)), Term: new(uint64(9)), LogTerm: new(uint64(9)), Index: new(uint64(sizedTick)), Commit: new(uint64(sizedTick))}
		if data != nil {
			m.Entries = []*raftpb.Entry{{Term: new(uint64(9)), Index: new(uint64(sizedTick)), Data: data}}
		}
		return len(replica.AppendMessage(binary.AppendUvarint(nil, 9_999), m))
	}
	empty := batch{prev: 1 << 63, saved: sizedTick, atMS: sizedAtMS}
	claim := firstIntent(t, sim.IntentClaim)
	input := firstIntent(t, sim.IntentInput)
	one := func(in sim.Intent) int {
		return len(appendChunk(nil, 9_999, &chunk{mark: mark{3, 20_000, sizedTick}, intents: []sim.Intent{in}}))
	}
	report := func(areas int) int {
		n := news{links: 1<<62 - 1, areas: make([]areaNews, areas)}
		for i := range n.areas {
			n.areas[i].tick = sizedTick
		}
		return len(n.append(nil))
	}
	t.Logf("%7d actors are in a frame", few.actors)
	for _, s := range []struct {
		name     string
		got, max int // bytes
	}{
		{"batch of 100 mixed players through 3 nodes, mean", few.batch, 2_200},
		{"the same through 100 nodes", many.batch, 3_000},
		{"batch without intents", len(empty.append(nil)), 28},
		{"what a Raft message adds to a batch", entry(make([]byte, 2_000)) - 2_000, 40},
		{"Raft message without an entry", entry(nil), 24},
		{"chunk with one claim", one(claim), 64},
		{"chunk with one input", one(input), 96},
		{"news about 10,000 areas", report(10_000), 65_000},
		{"snapshot of the same area", few.snapshot, 160_000},
		{"what a snapshot has for each further node", (many.snapshot - few.snapshot) / (sizedPlayers - 3), 12},
		{"frame of 100 mixed players and the NPCs of the area in full, mean", few.frame, 40_000},
	} {
		t.Logf("%7d bytes: %s", s.got, s.name)
		if s.got > s.max {
			t.Errorf("%s: %d bytes; want at most %d, or docs/benchmarks/cluster-scale.md calculated anew", s.name, s.got, s.max)
		}
	}
}

// sizes holds the sizes in bytes of a mean batch, a snapshot and a mean frame of one area of mixed players, and its number of actors.
type sizes struct{ batch, snapshot, frame, actors int }

// batchesOfMixedPlayers steps an area of sizedPlayers mixed players, who are connected through the given number of nodes in turn,
// and returns the sizes.
func batchesOfMixedPlayers(t *testing.T, nodes int) (s sizes) {
	area, crowd := mixedArea()
	g := group{origins: make(origins, nodes+1), homes: homes{}, saved: sizedTick}
	for i := range g.origins {
		g.origins[i] = origin{20_000, sizedTick, 0}
	}
	for range sizedTicks {
		intents := crowd.Intents()
		f := area.Step(intents)
		crowd.SetFrame(f)
		b := batch{prev: f.Hash, saved: sizedTick, atMS: sizedAtMS}
		seen := map[uint64]bool{}
		for _, in := range intents {
			node := uint64(in.Who)%uint64(nodes) + 1
			if !seen[node] {
				seen[node] = true
				b.chunks = append(b.chunks, mark{node, 20_000, sizedTick})
			}
			b.intents = append(b.intents, asOnline(in, node))
		}
		s.batch += len(b.append(nil))
		s.frame += len(f.Append(nil))
	}
	g.state, s.actors = area, len(crowd.Frame().Actors)
	s.batch, s.frame, s.snapshot = s.batch/sizedTicks, s.frame/sizedTicks, len(area.Snapshot(g.appendHead(nil)))
	return s
}

// mixedArea returns an area of the embedded world that sizedPlayers mixed players have entered.
func mixedArea() (*sim.Area, *mixedplayers.Players) {
	w := content.DefaultWorld().World
	area, crowd := sim.NewArea(w, 0, 1), mixedplayers.New(w, 0)
	crowd.SetFrame(area.Step(crowd.Joins(sizedPlayers)))
	return area, crowd
}

// asOnline gives an intent of a mixed player an id and a time as large as in a running cluster, because small numbers, such as those
// of mixed players, have shorter encodings.
func asOnline(in sim.Intent, node uint64) sim.Intent {
	in.Who = sim.PlayerID(uint16(node), 20_000+uint64(in.Who))
	in.AtMS += sizedAtMS
	return in
}

// firstIntent returns the first intent of a kind that mixed players send.
func firstIntent(t *testing.T, kind sim.IntentKind) sim.Intent {
	t.Helper()
	area, crowd := mixedArea()
	for range sizedTicks {
		for _, in := range crowd.Intents() {
			if in.Kind == kind {
				return asOnline(in, 3)
			}
		}
		crowd.SetFrame(area.Step(nil))
	}
	t.Fatalf("mixed players send no intent of kind %d", kind)
	return sim.Intent{}
}
