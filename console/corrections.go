package console

import (
	"errors"
	"net/url"
	"strconv"
	"strings"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// correctionsBody is the response of GET /corrections: one page of journal entries.
type correctionsBody struct {
	Entries []journal.Entry `json:"entries"` // holds, corrections and refusals, newest first
	Next    *int64          `json:"next"`    // value of the query parameter "before" for the next page; null on the last page
}

// corrections handles GET /corrections. It returns holds, corrections and refusals, newest first.
func (k *call) corrections() (any, error) {
	q, err := k.correctionsQuery("before", "limit")
	if err != nil {
		return nil, err
	}
	if err := k.searches.acquire(k.r.Context(), k.caller.name, maxPendingSearches); err != nil {
		return nil, err
	}
	defer k.searches.release(k.caller.name)
	list, err := k.Journal.Entries(k.r.Context(), q)
	if err != nil {
		return nil, err
	}
	b := correctionsBody{Entries: list}
	if b.Entries == nil {
		b.Entries = []journal.Entry{}
	}
	if len(list) == q.Limit {
		b.Next = &list[len(list)-1].ID
	}
	return b, nil
}

// groupsBody is the response of GET /corrections/groups.
type groupsBody struct {
	Groups []groupBody `json:"groups"` // the group with the newest entry first
	More   bool        `json:"more"`   // more groups match than the query parameter "limit" allows
}

// groupBody sums up the journal entries of one player with one reason.
type groupBody struct {
	Last      journal.Entry `json:"last"`      // newest entry of the group
	First     timestamp     `json:"first"`     // time of the first decision of the group
	Entries   int64         `json:"entries"`   // number of entries
	Times     int64         `json:"times"`     // number of decisions that are merged into the entries
	LateTimes int64         `json:"lateTimes"` // number of these decisions made while ticks were late; they are no evidence against the player
}

// correctionGroups handles GET /corrections/groups. It returns the entries grouped by player and reason, newest first.
func (k *call) correctionGroups() (any, error) {
	q, err := k.correctionsQuery("limit")
	if err != nil {
		return nil, err
	}
	if err := k.searches.acquire(k.r.Context(), k.caller.name, maxPendingSearches); err != nil {
		return nil, err
	}
	defer k.searches.release(k.caller.name)
	limit := q.Limit
	q.Limit = limit + 1 // one entry more than the page holds, to know whether there is a next page
	list, err := k.Journal.Groups(k.r.Context(), q)
	if err != nil {
		return nil, err
	}
	b := groupsBody{Groups: []groupBody{}, More: len(list) > limit}
	for _, g := range list[:min(limit, len(list))] {
		b.Groups = append(b.Groups, groupBody{g.Last, timestamp(g.First), g.Entries, g.Times, g.LateTimes})
	}
	return b, nil
}

// correctionsQuery parses the query of the request, which selects journal entries. Besides the usual query parameters, the request
// may have those listed in more.
func (k *call) correctionsQuery(more ...string) (journal.Query, error) {
	ask, err := k.parseQuery(append([]string{"player", "account", "entity", "reason", "weight", "verdict", "area", "since", "until"}, more...)...)
	if err != nil {
		return journal.Query{}, err
	}
	return k.parseCorrectionsQuery(ask)
}

// parseCorrectionsQuery parses the query of GET /corrections and GET /corrections/groups.
func (c *Console) parseCorrectionsQuery(ask url.Values) (journal.Query, error) {
	q := journal.Query{Player: ask.Get("player"), Account: ask.Get("account")}
	for _, key := range []string{"player", "account"} {
		if len(ask.Get(key)) > maxTokenBytes {
			return q, badRequest("%q is longer than %d letters", key, maxTokenBytes)
		}
	}
	entity, err := parseNumber(ask, "entity", 0, 1, maxLiveID-1)
	if err != nil {
		return q, err
	}
	q.Entity = sim.EntityID(entity)
	if q.Reasons, err = parseReasons(ask.Get("reason")); err != nil {
		return q, err
	}
	if q.Weights, err = parseWeights(ask.Get("weight")); err != nil {
		return q, err
	}
	if q.Verdicts, err = parseVerdicts(ask.Get("verdict")); err != nil {
		return q, err
	}
	if s := ask.Get("area"); s != "" {
		where, err := c.findArea("area", s)
		if err != nil {
			return q, err
		}
		q.Area = c.areaName(where)
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

// parsePaging parses the query parameters before and limit, which select one page of a list.
func parsePaging(ask url.Values) (before int64, limit int, err error) {
	if before, err = parseNumber(ask, "before", 0, 1, 1<<53-1); err != nil {
		return 0, 0, err
	}
	n, err := parseNumber(ask, "limit", journal.DefaultLimit, 1, journal.MaxLimit)
	return before, int(n), err
}

func parseReasons(names string) ([]reason.Reason, error) {
	var list []reason.Reason
	for name := range splitList(names) {
		r, ok := journal.ParseReason(name)
		if !ok {
			return nil, badRequest(`"reason": there is no reason %.40q; GET /world lists them`, name)
		}
		list = append(list, r)
	}
	return list, nil
}

func parseWeights(names string) ([]reason.Weight, error) {
	var list []reason.Weight
	for name := range splitList(names) {
		w, ok := reason.ParseWeight(name)
		if !ok {
			return nil, badRequest(`"weight": %.40q must be operator, harmless, unusual or suspicious`, name)
		}
		list = append(list, w)
	}
	return list, nil
}

func parseVerdicts(names string) ([]journal.Verdict, error) {
	var list []journal.Verdict
	for name := range splitList(names) {
		v, ok := journal.ParseVerdict(name)
		if !ok {
			return nil, badRequest(`"verdict": %.40q must be held, corrected, refused or hit`, name)
		}
		list = append(list, v)
	}
	return list, nil
}

// maxListNames is the maximum number of names in a comma-separated list of a query. Further names are ignored.
const maxListNames = 100

// splitList returns the elements of a comma-separated list as a set.
func splitList(list string) map[string]bool {
	fields := map[string]bool{}
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" && len(fields) < maxListNames {
			fields[part] = true
		}
	}
	return fields
}

// parseTime parses a time in the query, in RFC 3339 or in ms since 1970. It returns the zero time if the key is missing.
func parseTime(ask url.Values, key string) (time.Time, error) {
	s := ask.Get(key)
	if s == "" {
		return time.Time{}, nil
	}
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil && ms >= 0 && ms < maxUnixMS {
		return time.UnixMilli(ms), nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return time.Time{}, badRequest("%q must be a time such as 2026-01-02T15:04:05Z, or milliseconds since 1970", key)
	}
	return t, nil
}

// maxUnixMS is the end of the year 9999, in ms since 1970. RFC 3339 has no later times.
const maxUnixMS = 253402300800000

// correctionBody is the response of GET /corrections/{id}.
type correctionBody struct {
	Entry       journal.Entry         `json:"entry"`       // the entry that was asked for
	Sentence    string                `json:"sentence"`    // meaning of the entry's reason, in one sentence
	Explanation string                `json:"explanation"` // what happened, as a text for people
	Around      []journal.NearbyEvent `json:"around"`      // events of the player shortly before and after, oldest first
}

// correction handles GET /corrections/{id}. It returns one entry and the events around it.
func (k *call) correction() (any, error) {
	id, err := strconv.ParseInt(k.r.PathValue("id"), 10, 64)
	if err != nil || id < 1 || id >= maxLiveID {
		return nil, badRequest("%.40q is not an entry ID", k.r.PathValue("id"))
	}
	if err := k.searches.acquire(k.r.Context(), k.caller.name, maxPendingSearches); err != nil {
		return nil, err
	}
	defer k.searches.release(k.caller.name)
	e, around, err := k.Journal.Entry(k.r.Context(), id)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, notFound("there is no such entry; old entries are deleted")
	}
	if err != nil {
		return nil, err
	}
	if around == nil {
		around = []journal.NearbyEvent{}
	}
	return correctionBody{e, e.Reason.Sentence(), journal.Explain(e), around}, nil
}
