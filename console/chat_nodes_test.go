package console

import (
	"fmt"
	"math/rand/v2"
	"slices"
	"testing"
	"time"
)

// The clocks of the nodes are set back now and then, so that times run against ids. Pages of any size have every line once, and those of
// one node in the order of their ids.
func TestPagesOfMergedChatHaveEveryLineOnce(t *testing.T) {
	for seed := range uint64(300) {
		r := rand.New(rand.NewPCG(seed, 5))
		all, total := map[string][]nodeLine{}, 0
		for _, node := range []string{"a", "b", "c"} {
			at := time.Unix(1000, 0)
			for id := int64(r.IntN(12)); id > 0; id-- { // the newest line first
				at = at.Add(time.Duration(r.IntN(9)-6) * time.Second)
				all[node] = append(all[node], nodeLine{node: node, id: id, at: at})
				total++
			}
		}
		limit, cursor, seen := 1+r.IntN(6), chatCursor{"a": 0, "b": 0, "c": 0}, map[string][]int64{}
		for pages := 0; len(cursor) > 0; pages++ {
			asked := map[string][]nodeLine{}
			for node, before := range cursor {
				rest := all[node]
				if before > 0 {
					rest = rest[slices.IndexFunc(rest, func(l nodeLine) bool { return l.id == before })+1:]
				}
				asked[node] = rest[:min(limit, len(rest))]
			}
			var lines []nodeLine
			lines, cursor = mergeChat(asked, cursor, limit)
			for _, l := range lines {
				seen[l.node] = append(seen[l.node], l.id)
			}
			if pages > total+1 {
				t.Fatalf("seed %d: the pages do not end", seed)
			}
		}
		for node, lines := range all {
			var want []int64
			for _, l := range lines {
				want = append(want, l.id)
			}
			if !slices.Equal(seen[node], want) {
				t.Fatalf("seed %d: pages of %d lines have the lines %v of node %s, want %v", seed, limit, seen[node], node, fmt.Sprint(want))
			}
		}
	}
}
