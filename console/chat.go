package console

import (
	"errors"
	"net/url"
	"slices"
	"strconv"
	"strings"
	"unicode/utf8"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/internal/duration"
)

// chatBody is the response of GET /chat: one page of chat lines.
type chatBody struct {
	Lines  []chatlog.Line `json:"lines"`  // matching lines, newest first
	Next   *int64         `json:"next"`   // value of the query parameter "before" for the next page; null on the last page
	Retain string         `json:"retain"` // period after which lines are deleted, such as "30d"
}

// maxChatSearch is the maximum length of a search parameter of GET /chat, in characters.
const maxChatSearch = 200

// searchChat handles GET /chat. It returns lines of the chat log, newest first. Like an action, every search is recorded in the
// audit log.
func (k *call) searchChat() (any, error) {
	ask, err := k.parseQuery("q", "who", "account", "area", "channel", "withheld", "since", "until", "before", "limit")
	if err != nil {
		return nil, err
	}
	k.entry.Detail = chatDetail(ask)
	if k.Cluster != nil && k.from == "" {
		return k.searchAllChat(ask)
	}
	return k.searchOwnChat(ask)
}

// searchOwnChat searches the chat log of this server.
func (k *call) searchOwnChat(ask url.Values) (*chatBody, error) {
	q, err := k.parseChatQuery(ask)
	if err != nil {
		return nil, err
	}
	k.entry.Account = q.Account
	limit := maxPendingSearches
	if k.from != "" {
		limit = maxForwardedSearches
	}
	if err := k.searches.acquire(k.r.Context(), k.caller.name, limit); err != nil {
		return nil, err
	}
	defer k.searches.release(k.caller.name)
	list, err := k.Chat.Search(k.r.Context(), q)
	switch {
	case errors.Is(err, chatlog.ErrOff):
		return nil, notFound("this server stores no chat: chat-retain is 0")
	case errors.Is(err, chatlog.ErrNoWord):
		return nil, badRequest(`"q" has no word: a word begins with a letter or a digit`)
	case err != nil:
		return nil, err
	}
	b := &chatBody{Lines: list, Retain: duration.Format(k.Chat.Retain())}
	if len(list) == q.Limit {
		b.Next = &list[len(list)-1].ID
	}
	return b, nil
}

// parseChatQuery parses the query of GET /chat.
func (k *call) parseChatQuery(ask url.Values) (q chatlog.Query, err error) {
	for _, key := range []string{"q", "who", "account", "area"} {
		if text := ask.Get(key); !utf8.ValidString(text) || utf8.RuneCountInString(text) > maxChatSearch {
			return q, badRequest("%q must be UTF-8 and at most %d characters long", key, maxChatSearch)
		}
	}
	q = chatlog.Query{
		Words: ask.Get("q"), Who: strings.TrimSpace(ask.Get("who")), Account: ask.Get("account"), Area: ask.Get("area"),
		Channel: chatlog.Channel(ask.Get("channel")),
	}
	if id, err := k.findArea("area", q.Area); err == nil && q.Area != "" {
		q.Area = k.areaName(id) // any other name is searched as given: an earlier world file may have had an area of that name
	}
	if q.Channel != "" && !slices.Contains(chatlog.Channels(), q.Channel) {
		return q, badRequest(`"channel" must be one of area, announcement, message`)
	}
	if q.Withheld, err = parseBool(ask, "withheld"); err != nil {
		return q, err
	}
	if q.Since, err = parseTime(ask, "since"); err != nil {
		return q, err
	}
	if q.Until, err = parseTime(ask, "until"); err != nil {
		return q, err
	}
	q.Before, q.Limit, err = parsePaging(ask)
	return q, err
}

// chatDetail returns the parameters of a search as text for the audit log, in a fixed order.
func chatDetail(ask url.Values) string {
	var parts []string
	for _, p := range []struct{ key, name string }{
		{"q", "words"}, {"who", "who"}, {"account", "account"}, {"area", "area"}, {"channel", "channel"}, {"withheld", "withheld"},
		{"since", "since"}, {"until", "until"}, {"before", "page before line"},
	} {
		if text := ask.Get(p.key); text != "" {
			parts = append(parts, p.name+" "+strconv.Quote(text))
		}
	}
	if len(parts) == 0 {
		return "all lines"
	}
	return strings.Join(parts, ", ")
}
