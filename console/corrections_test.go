package console

import (
	"encoding/json"
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/journal"
)

// entryList is the response of GET /corrections.
type entryList struct {
	Entries []struct {
		ID                                int64
		At                                time.Time
		Verdict, Reason, Sentence         string
		Player, Account, Door, Unit, Area string
		Asked, Allowed                    float64
		From, Pos                         *vecBody
	}
	Next *int64
}

// A hold is found with every query parameter, and the response explains the hold.
func TestJournalQueryReturnsRejectedClaimWithExplanation(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		r.claimFarAway(s)
		held := "/corrections?verdict=held"
		r.eventually("the hold is in the journal", func() bool { return len(get[entryList](r, Viewer, held).Entries) > 0 })
		e := get[entryList](r, Viewer, held).Entries[0]
		if e.Reason != "too_fast" || e.Player != "Ann" || e.Account != "ann" || e.Door != "rcce" || e.Asked < 4000 || e.Allowed > 100 || e.From == nil || e.Pos == nil ||
			e.Sentence == "" || e.Unit != "units" || e.Area != "Truestep Vale" {
			t.Errorf("the entry is %+v", e)
		}
		hour := e.At.Add(time.Hour).UTC().Format(time.RFC3339)
		for query, found := range map[string]bool{
			"account=ANN": true, "account=bob": false, "weight=suspicious": true, "weight=unusual,suspicious": true, "weight=harmless,operator": false,
			"player=ann": true, "player=ANN": true, "player=an": false, "entity=" + fmt.Sprint(s.Entity): true, "entity=99": false,
			"reason=too_fast": true, "reason=too_fast,no_path": true, "reason=no_path": false, "verdict=held,refused": true, "verdict=corrected": false,
			"area=0": true, "area=Truestep%20Vale": true, "area=1": false, "since=0": true, "until=" + hour: true, "since=" + hour: false,
			"until=1000": false, fmt.Sprintf("before=%d", e.ID): false, fmt.Sprintf("before=%d", e.ID+1): true, "limit=1000": true,
			fmt.Sprintf("since=%d", e.At.Add(-time.Minute).UnixMilli()): true,
		} {
			list := get[entryList](r, Viewer, "/corrections?"+query)
			got := false
			for _, o := range list.Entries {
				got = got || o.ID == e.ID
			}
			if got != found {
				t.Errorf("%s finds it: %v", query, got)
			}
		}
		groups := get[struct {
			Groups []struct {
				Last struct {
					ID, LateMs             int64
					Player, Reason, Weight string
				}
				First                     time.Time
				Entries, Times, LateTimes int
			}
			More bool
		}](r, Viewer, "/corrections/groups?verdict=held&limit=1")
		if len(groups.Groups) != 1 || groups.Groups[0].Last.ID != e.ID || groups.Groups[0].Times < 1 || groups.Groups[0].First.IsZero() || groups.Groups[0].Last.Weight != "suspicious" {
			t.Errorf("groups: %+v", groups)
		}
		if one := get[entryList](r, Viewer, "/corrections?limit=1"); len(one.Entries) != 1 || one.Next == nil || *one.Next != one.Entries[0].ID {
			t.Errorf("the page with one entry is %+v", one)
		}
		var body struct {
			Entry                 map[string]any
			Sentence, Explanation string
			Around                []map[string]any
		}
		a := r.call(Viewer, "GET", fmt.Sprintf("/corrections/%d", e.ID), "")
		if err := json.Unmarshal([]byte(a.body), &body); err != nil || a.status != 200 {
			t.Fatalf("status %d, response %s", a.status, a.body)
		}
		if body.Entry["reason"] != "too_fast" || body.Sentence != e.Sentence || !strings.Contains(body.Explanation, "Ann") || len(body.Around) == 0 {
			t.Errorf("the entry is described as %+v", body)
		}
		players := r.call(Viewer, "GET", "/players", "").body
		detail := r.call(Viewer, "GET", pathOf(s, ""), "").body
		if !strings.Contains(players, `"held":1,`) || !strings.Contains(players, `"suspicious":1}`) || !strings.Contains(detail, `{"verdict":"held","reason":"too_fast","n":1,"late":0}`) {
			t.Errorf("counts: %s\n%s", players, detail)
		}
	})
}

func TestInvalidQueryParameterIsRefusedWithReason(t *testing.T) {
	t.Parallel()
	r := start(t, nil)
	for query, says := range map[string]string{
		"plyer=ann": `unknown parameter "plyer"`, "player=a&player=b": "occurs 2 times", "entity=x": `"entity" must be a whole number`, "entity=0": `"entity"`,
		"weight=heavy": `"heavy" must be operator, harmless, unusual or suspicious`, "reason=slow": `there is no reason "slow"`, "verdict=maybe": `"maybe" must be held, corrected, refused or hit`, "since=yesterday": `"since" must be a time`,
		"until=-1": `"until" must be a time`, "until=99999999999999999999": "must be a time", "before=0": `"before"`, "limit=0": "1..1000", "limit=1001": "1..1000",
		"since=0000-01-01T00:00:00Z": "must be a time", "a=%zz": "malformed", "player=" + strings.Repeat("x", 300): "longer",
	} {
		r.wantError(r.call(Viewer, "GET", "/corrections?"+query, ""), 400, codeBadRequest, says)
	}
	r.wantError(r.call(Viewer, "GET", "/corrections?area=Nowhere", ""), 404, codeNotFound, "there is no area")
	r.wantError(r.call(Viewer, "GET", "/corrections/12345", ""), 404, codeNotFound, "there is no such entry")
	for _, id := range []string{"0", "-1", "x", "9007199254740992", "1e3"} {
		r.wantError(r.call(Viewer, "GET", "/corrections/"+id, ""), 400, codeBadRequest, "is not an entry ID")
	}
	r.wantError(r.call(Viewer, "GET", "/series?since=x", ""), 400, codeBadRequest, `"since"`)
	r.wantError(r.call(Viewer, "GET", "/players?area=99", ""), 404, codeNotFound, "there is no area")
}

func FuzzCorrectionsQuery(f *testing.F) {
	for _, q := range []string{"player=ann&limit=3", "reason=too_fast,no_path&verdict=held&since=2026-01-02T03:04:05Z", "entity=5&area=1&before=9&until=7", "a=%zz", "limit=99999999999"} {
		f.Add(q)
	}
	r := newHarness(f, closedListener{}, smallWorld(2), nil)
	f.Fuzz(func(t *testing.T, raw string) {
		ask, err := url.ParseQuery(raw)
		if err != nil {
			return
		}
		q, err := r.parseCorrectionsQuery(ask)
		if err != nil {
			if e := toAPIError(err); e.status != 400 && e.status != 404 {
				t.Fatalf("query %q is refused with %v", raw, err)
			}
			return
		}
		if q.Limit < 1 || q.Limit > journal.MaxLimit || q.Before < 0 || q.Entity >= maxLiveID || len(q.Reasons) > maxListNames || len(q.Verdicts) > 4 {
			t.Fatalf("query %q is parsed as %+v", raw, q)
		}
		if _, err := r.Journal.Entries(t.Context(), q); err != nil {
			t.Fatalf("the search for query %q fails: %v", raw, err)
		}
	})
}
