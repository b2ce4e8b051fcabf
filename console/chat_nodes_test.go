package console

import (
	"context"
	"fmt"
	"math/rand/v2"
	"net/url"
	"path/filepath"
	"slices"
	"testing"
	"time"

	"github.com/truestep-io/truestep/chatlog"
)

// The clocks of the nodes are set back now and then, so that a newer line may have an earlier time. For any page size the pages have
// every line once, and the lines of one node in the order of their ids.
func TestPagesOfMergedChatContainEveryLineOnce(t *testing.T) {
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

// A node without a chat log contributes no lines. Lines of a node whose answer is lost are on a later page.
func TestChatSearchSucceedsIfNodeHasNoChatLogOrDoesNotAnswer(t *testing.T) {
	t.Parallel()
	chats, nodes := map[string]*chatlog.Log{}, map[string]*pairedCluster{}
	onTwoNodesWith(t, func(o *Options) {
		log, err := chatlog.Open(chatlog.Options{Path: filepath.Join(t.TempDir(), chatlog.FileName), Log: o.Log, Metrics: o.Metrics})
		if err != nil {
			t.Fatal(err)
		}
		name := o.Cluster.Status().Node
		o.Chat, chats[name], nodes[name] = log, log, o.Cluster.(*pairedCluster)
	}, func(t *testing.T, a, b *harness) {
		for i := range 4 {
			for _, r := range []*harness{a, b} {
				r.Chat.Add(chatlog.Line{Channel: chatlog.Area, Account: "ann", Text: fmt.Sprint("line ", i)})
				time.Sleep(10 * time.Millisecond)
			}
		}
		time.Sleep(time.Second) // until the chat logs have stored the lines
		type page struct {
			Lines   []struct{ Text, Node string }
			Next    *string
			Missing []string
		}
		nodes["a"].lost = true
		first := get[page](a, Moderator, "/chat?limit=2")
		if len(first.Lines) != 2 || first.Lines[0].Node != "a" || !slices.Equal(first.Missing, []string{"b", "c"}) || first.Next == nil {
			t.Fatalf("while answers of b are lost: %+v", first)
		}
		nodes["a"].lost = false
		rest := get[page](a, Moderator, "/chat?limit=50&before="+url.QueryEscape(*first.Next))
		if len(rest.Lines) != 6 || !slices.Equal(rest.Missing, []string{"c"}) {
			t.Errorf("the next page: %+v", rest)
		}
		who := Moderator.String()
		if err := b.searches.acquire(t.Context(), who, maxPendingSearches); err != nil {
			t.Fatal(err)
		}
		b.searches.operators[who].pending = maxForwardedSearches
		if p := get[page](a, Moderator, "/chat"); len(p.Lines) != 4 || !slices.Equal(p.Missing, []string{"b", "c"}) {
			t.Errorf("while b has %d searches of the operator: %+v", maxForwardedSearches, p)
		}
		b.searches.operators[who].pending = 1
		b.searches.release(who)
		own := a.Chat
		a.Chat = nil // as on a node with chat-retain 0, which stores no chat
		for _, r := range []*harness{a, b} {
			if p := get[page](r, Moderator, "/chat"); len(p.Lines) != 4 || p.Lines[0].Node != "b" || !slices.Equal(p.Missing, []string{"c"}) {
				t.Errorf("without the chat log of a: %+v", p)
			}
		}
		a.Chat = own
		a.shutdown()
		b.shutdown()
		for _, log := range chats {
			if err := log.Close(context.Background()); err != nil {
				t.Error(err)
			}
		}
	})
}
