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

type correctionsBody struct {
	Entries []journal.Entry `json:"entries"`
	Next    *int64          `json:"next"` // the value of before with which the list goes on
}

// corrections is GET /corrections: what was held, corrected and refused, newest first.
func (k *call) corrections() (any, error) {
	ask, err := k.query("player", "entity", "reason", "verdict", "area", "since", "until", "before", "limit")
	if err != nil {
		return nil, err
	}
	q, err := k.correctionsQuery(ask)
	if err != nil {
		return nil, err
	}
	if err := k.searches.take(k.r.Context(), k.who.name); err != nil {
		return nil, err
	}
	defer k.searches.leave(k.who.name)
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

// correctionsQuery reads what to look for.
func (c *Console) correctionsQuery(ask url.Values) (journal.Query, error) {
	q := journal.Query{Player: ask.Get("player")}
	if len(q.Player) > maxToken {
		return q, badRequest(`"player" is longer than %d letters`, maxToken)
	}
	entity, err := number(ask, "entity", 0, 1, maxLiveID-1)
	if err != nil {
		return q, err
	}
	q.Entity = sim.EntityID(entity)
	if q.Reasons, err = reasonsOf(ask.Get("reason")); err != nil {
		return q, err
	}
	if q.Verdicts, err = verdictsOf(ask.Get("verdict")); err != nil {
		return q, err
	}
	if s := ask.Get("area"); s != "" {
		where, err := c.areaOf("area", s)
		if err != nil {
			return q, err
		}
		q.Area = c.areaName(where)
	}
	if q.Since, err = timeOf(ask, "since"); err != nil {
		return q, err
	}
	if q.Until, err = timeOf(ask, "until"); err != nil {
		return q, err
	}
	q.Before, q.Limit, err = paging(ask)
	return q, err
}

// paging reads which part of a list is asked for.
func paging(ask url.Values) (before int64, limit int, err error) {
	if before, err = number(ask, "before", 0, 1, 1<<53-1); err != nil {
		return 0, 0, err
	}
	n, err := number(ask, "limit", journal.DefaultLimit, 1, journal.MaxLimit)
	return before, int(n), err
}

func reasonsOf(names string) ([]reason.Reason, error) {
	var list []reason.Reason
	for name := range fieldsOf(names) {
		r, ok := journal.ParseReason(name)
		if !ok {
			return nil, badRequest(`"reason": there is no reason %.40q; GET /world lists them`, name)
		}
		list = append(list, r)
	}
	return list, nil
}

func verdictsOf(names string) ([]journal.Verdict, error) {
	var list []journal.Verdict
	for name := range fieldsOf(names) {
		v, ok := journal.ParseVerdict(name)
		if !ok {
			return nil, badRequest(`"verdict": %.40q is none of held, corrected, refused`, name)
		}
		list = append(list, v)
	}
	return list, nil
}

// maxNames bounds a list of a query.
const maxNames = 100

// fieldsOf are the parts of a list with commas, each once.
func fieldsOf(list string) map[string]bool {
	fields := map[string]bool{}
	for part := range strings.SplitSeq(list, ",") {
		if part = strings.TrimSpace(part); part != "" && len(fields) < maxNames {
			fields[part] = true
		}
	}
	return fields
}

// timeOf reads a time of the query: RFC 3339, or ms since 1970. The zero time if there is none.
func timeOf(ask url.Values, key string) (time.Time, error) {
	s := ask.Get(key)
	if s == "" {
		return time.Time{}, nil
	}
	if ms, err := strconv.ParseInt(s, 10, 64); err == nil && ms >= 0 && ms < maxMS {
		return time.UnixMilli(ms), nil
	}
	t, err := time.Parse(time.RFC3339Nano, s)
	if err != nil || t.Year() < 1970 || t.Year() > 9999 {
		return time.Time{}, badRequest("%q must be a time such as 2026-01-02T15:04:05Z, or milliseconds since 1970", key)
	}
	return t, nil
}

// maxMS is the end of the year 9999, in ms since 1970.
const maxMS = 253402300800000

type correctionBody struct {
	Entry       journal.Entry         `json:"entry"`
	Sentence    string                `json:"sentence"`
	Explanation string                `json:"explanation"`
	Around      []journal.NearbyEvent `json:"around"` // in order of time
}

// correction is GET /corrections/{id}: one entry and what happened around it.
func (k *call) correction() (any, error) {
	id, err := strconv.ParseInt(k.r.PathValue("id"), 10, 64)
	if err != nil || id < 1 || id >= maxLiveID {
		return nil, badRequest("%.40q is no number of an entry", k.r.PathValue("id"))
	}
	if err := k.searches.take(k.r.Context(), k.who.name); err != nil {
		return nil, err
	}
	defer k.searches.leave(k.who.name)
	e, around, err := k.Journal.Entry(k.r.Context(), id)
	if errors.Is(err, journal.ErrNotFound) {
		return nil, notFound("there is no such entry; old ones are forgotten")
	}
	if err != nil {
		return nil, err
	}
	if around == nil {
		around = []journal.NearbyEvent{}
	}
	return correctionBody{e, e.Reason.Sentence(), journal.Explain(e), around}, nil
}
