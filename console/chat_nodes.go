package console

import (
	"encoding/json"
	"errors"
	"fmt"
	"maps"
	"net/http"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/internal/duration"
)

// In a cluster each node stores what its players said, and what operators said through it. A search asks all nodes and merges their
// lines by time. Ids of lines are unique per node only. So the start of a page is a cursor: one id for each node that may have
// further lines.

// chatCursor is the start of a page of a search over all nodes. For each node that may have further lines it has an id. The
// page contains lines of that node with lower ids, or lines from the newest on if the id is 0.
type chatCursor map[string]int64

// text returns the cursor as a query parameter, such as "a:17,b:0".
func (c chatCursor) text() string {
	var parts []string
	for _, node := range sortedKeys(c) {
		parts = append(parts, node+":"+strconv.FormatInt(c[node], 10))
	}
	return strings.Join(parts, ",")
}

// parseChatCursor parses a cursor. The empty text is the start of a search: all lines of all nodes.
func parseChatCursor(text string, nodes []string) (chatCursor, error) {
	c := chatCursor{}
	if text == "" {
		for _, node := range nodes {
			c[node] = 0
		}
		return c, nil
	}
	for part := range strings.SplitSeq(text, ",") {
		node, number, _ := strings.Cut(part, ":")
		id, err := strconv.ParseInt(number, 10, 64)
		if _, twice := c[node]; err != nil || id < 0 || id > 1<<53-1 || twice || !slices.Contains(nodes, node) {
			return nil, badRequest(`"before" must be the "next" of an earlier page, not %.80q`, text)
		}
		c[node] = id
	}
	return c, nil
}

// nodeLine is a line of the chat log of a node.
type nodeLine struct {
	node string
	id   int64
	at   time.Time
	json json.RawMessage // the line as GET /chat returns it in a cluster, with the name of its node
}

// newNodeLine parses a line of chat, in the JSON that a node returns, and adds the name of the node.
func newNodeLine(node string, line json.RawMessage) (l nodeLine, err error) {
	var fields map[string]json.RawMessage
	var known struct {
		ID int64
		At time.Time
	}
	if err := json.Unmarshal(line, &fields); err != nil {
		return l, err
	}
	if err := json.Unmarshal(line, &known); err != nil {
		return l, err
	}
	if fields["node"], err = json.Marshal(node); err != nil {
		return l, err
	}
	l = nodeLine{node: node, id: known.ID, at: known.At}
	l.json, err = json.Marshal(fields)
	return l, err
}

// clusterChatBody is the response of GET /chat in a cluster.
type clusterChatBody struct {
	Lines   []json.RawMessage `json:"lines"`   // matching lines of all nodes, newest first
	Next    *string           `json:"next"`    // value of the query parameter "before" for the next page; null on the last page
	Retain  string            `json:"retain"`  // period after which the answering node deletes lines
	Missing []string          `json:"missing"` // nodes that have not answered, whose lines are not in this page but may be in later pages
}

// searchAllChat searches the chat of all nodes of the cluster.
func (k *call) searchAllChat(ask url.Values) (any, error) {
	cursor, err := parseChatCursor(ask.Get("before"), append(k.otherNodes(0), k.node))
	if err != nil {
		return nil, err
	}
	q, err := k.parseChatQuery(withBefore(ask, 0))
	if err != nil {
		return nil, err
	}
	k.entry.Account = q.Account
	pages := map[string][]nodeLine{}
	var off error // why this node has no lines
	if before, has := cursor[k.node]; has {
		page, err := k.searchThisNode(withBefore(ask, before))
		if err != nil && !isNotFound(err) {
			return nil, err
		}
		if off = err; off == nil {
			pages[k.node] = page
		}
	}
	var mu sync.Mutex
	b := clusterChatBody{Lines: []json.RawMessage{}, Retain: duration.Format(k.Chat.Retain())}
	b.Missing = k.askOthers(func(node string) error {
		before, has := cursor[node]
		if !has {
			return nil
		}
		page, err := k.searchOtherNode(node, withBefore(ask, before))
		mu.Lock()
		defer mu.Unlock()
		switch {
		case err == nil:
			pages[node] = page
		case isNotFound(err): // the node stores no chat
			return nil
		}
		return err
	})
	if off != nil && len(pages) == 0 && len(b.Missing) == 0 { // no node stores chat
		return nil, off
	}
	lines, next := mergeChat(pages, cursor, q.Limit)
	// The missing nodes are asked again on the next page. An empty page ends the search, because it would otherwise not end while a
	// node is down.
	if len(lines) > 0 {
		for _, node := range b.Missing {
			next[node] = cursor[node]
		}
	}
	for _, l := range lines {
		b.Lines = append(b.Lines, l.json)
	}
	b.Next = orNull(next.text(), "")
	return b, nil
}

// isNotFound reports whether a node has answered a search with not_found, because it stores no chat.
func isNotFound(err error) bool {
	answer, ok := errors.AsType[*apiError](err)
	return ok && answer.code == codeNotFound
}

// searchThisNode searches the chat of this node.
func (k *call) searchThisNode(ask url.Values) (page []nodeLine, err error) {
	b, err := k.searchOwnChat(ask)
	if err != nil {
		return nil, err
	}
	for i := range b.Lines {
		text, err := json.Marshal(b.Lines[i])
		if err != nil {
			return nil, err
		}
		l, err := newNodeLine(k.node, text)
		if err != nil {
			return nil, err
		}
		page = append(page, l)
	}
	return page, nil
}

// searchOtherNode searches the chat of another node.
func (k *call) searchOtherNode(node string, ask url.Values) (page []nodeLine, err error) {
	result, err := k.resultOn(node, forwardedCall{Method: http.MethodGet, Path: "/chat", Query: ask.Encode()})
	if err != nil {
		return nil, err
	}
	var b struct{ Lines []json.RawMessage }
	if err := json.Unmarshal(result, &b); err != nil {
		return nil, err
	}
	for _, text := range b.Lines {
		l, err := newNodeLine(node, text)
		if err != nil {
			return nil, fmt.Errorf("parse a chat line from node %s: %w", node, err)
		}
		page = append(page, l)
	}
	return page, nil
}

// withBefore returns a copy of a query in which the parameter "before" has the given value, or is missing if the value is 0.
func withBefore(ask url.Values, before int64) url.Values {
	ask = maps.Clone(ask)
	ask.Del("before")
	if before > 0 {
		ask.Set("before", strconv.FormatInt(before, 10))
	}
	return ask
}

// mergeChat returns the newest lines of the pages of all nodes, newest first, and the start of the next page. Each page begins at the
// cursor from and has at most limit lines. The lines of one node stay in the order of their ids, even if the clock of the node was
// set back. So each line is in exactly one page.
func mergeChat(pages map[string][]nodeLine, from chatCursor, limit int) (lines []nodeLine, next chatCursor) {
	nodes, taken := sortedKeys(pages), map[string]int{}
	for len(lines) < limit {
		newest := ""
		for _, node := range nodes {
			if n := taken[node]; n < len(pages[node]) && (newest == "" || pages[node][n].at.After(pages[newest][taken[newest]].at)) {
				newest = node
			}
		}
		if newest == "" {
			break
		}
		lines = append(lines, pages[newest][taken[newest]])
		taken[newest]++
	}
	next = chatCursor{}
	for node, page := range pages {
		n := taken[node]
		if n == len(page) && len(page) < limit {
			continue
		}
		next[node] = from[node]
		if n > 0 {
			next[node] = page[n-1].id
		}
	}
	return lines, next
}
