package tape

import (
	"bytes"
	"os"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

// swarmTicks returns six seconds of claims and inputs that 100 RealmCrafter and 50 Bedrock clients of "truestep swarm mixed" sent
// in area Truestep Vale. It does not compare the chain hash, which depends on the version of sim.AppendIntents.
func swarmTicks(t testing.TB) (ticks []Tick) {
	t.Helper()
	b, err := os.ReadFile("testdata/swarm.tape")
	if err != nil {
		t.Fatal(err)
	}
	_, n, err := parseHeader(b, kindTape)
	if err != nil {
		t.Fatal(err)
	}
	var buf []byte
	_, content, err := readBlock(bytes.NewReader(b[n:]), &buf)
	if err != nil {
		t.Fatal(err)
	}
	g, err := testPacker.readGroup(content)
	if err != nil || g.left != 120 {
		t.Fatal(err)
	}
	for range 120 {
		var tick Tick
		if err := g.next(&tick); err != nil {
			t.Fatal(err)
		}
		ticks = append(ticks, tick)
	}
	return ticks
}

func TestClaimsAndInputsOfTestClientsStayBelowSizeLimitsOnTape(t *testing.T) {
	all := swarmTicks(t)
	for _, c := range []struct {
		kind  sim.IntentKind
		limit float64 // maximum bytes per intent on disk, including its share of the times and hashes
	}{{sim.IntentClaim, 14}, {sim.IntentInput, 20}} {
		var g groupWriter
		n, chain := 0, uint64(1)
		for i := range all {
			tick := all[i]
			tick.Intents = nil
			for _, in := range all[i].Intents {
				if in.Kind == c.kind {
					tick.Intents = append(tick.Intents, in)
				}
			}
			n += len(tick.Intents)
			if i == 0 {
				g.reset(&tick, chain)
			}
			g.add(&tick)
		}
		size := float64(len(newPacker().appendGroup(nil, &g))) / float64(n)
		t.Logf("%d intents of kind %d: %.2f bytes each", n, c.kind, size)
		if size > c.limit {
			t.Errorf("an intent of kind %d takes %.2f bytes, limit %v", c.kind, size, c.limit)
		}
	}
}

func BenchmarkCompress(b *testing.B) {
	ticks := swarmTicks(b)
	intents := 0
	for i := range ticks {
		intents += len(ticks[i].Intents)
	}
	var g groupWriter
	p := newPacker()
	var out []byte
	b.ReportAllocs()
	for b.Loop() {
		g.reset(&ticks[0], 1)
		for i := range ticks {
			g.add(&ticks[i])
		}
		out = p.appendGroup(out[:0], &g)
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*intents), "ns/intent")
	b.ReportMetric(float64(len(out))/float64(intents), "bytes/intent")
}
