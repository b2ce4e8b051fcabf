package console

import (
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/session"
)

func TestAnnouncementReturnsNumberOfPlayersInArea(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		r.waitUntilShown(r.enter("Ann"))
		for body, want := range map[string]string{`{"text":"hello"}`: `{"ok":true,"told":1,"missing":[]}`, `{"text":"hello","area":"truestep vale"}`: `{"ok":true,"told":1,"missing":[]}`, `{"text":"hello","area":"1"}`: `{"ok":true,"told":0,"missing":[]}`} {
			if a := r.call(Moderator, "POST", "/announce", body); a.status != 200 || strings.TrimSpace(a.body) != want {
				t.Errorf("announcement %s: status %d, response %s", body, a.status, a.body)
			}
		}
		r.wantError(r.call(Viewer, "POST", "/announce", `{"text":"hello"}`), 403, codeForbidden, "moderator")
		r.wantError(r.call(Moderator, "POST", "/announce", `{"text":"hello","area":"nowhere"}`), 404, codeNotFound, `there is no area "nowhere"`)
		r.wantError(r.call(Moderator, "POST", "/announce", `{"text":""}`), 400, codeBadRequest, `"text" is missing`)
		if e := get[auditList](r, Admin, "/audit").Entries; len(e) != 6 || e[0].Action != "announce" {
			t.Errorf("the audit entries are %+v", e)
		}
	})
}

func TestRestartCanBePlannedShownAndCancelled(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		type answer struct {
			Planned *struct {
				Restart    bool
				At         time.Time
				Reason, By string
			}
		}
		r.wantError(r.call(Moderator, "POST", "/restart", `{"in":"5m"}`), 403, codeForbidden, "admin")
		r.wantError(r.call(Admin, "DELETE", "/stop", ``), 404, codeNotFound, "no stop and no restart is planned")
		r.wantError(r.call(Admin, "POST", "/restart", `{"in":"soon"}`), 400, codeBadRequest, `"in": "soon" is not a duration such as 400ms, 10m, 12h or 30d`)
		r.wantError(r.call(Admin, "POST", "/stop", `{"in":"8d"}`), 400, codeBadRequest, `"in" must be between 0s and 7d`)
		start := time.Now()
		if a := r.call(Admin, "POST", "/restart", `{"in":"5m","reason":"update"}`); a.status != 200 {
			t.Fatal(a.body)
		}
		p := get[answer](r, Viewer, "/stop").Planned
		if p == nil || !p.Restart || p.Reason != "update" || p.By != "admin (api)" || p.At.Sub(start) < 5*time.Minute || p.At.Sub(start) > 5*time.Minute+time.Second {
			t.Errorf("planned %+v", p)
		}
		if e := get[auditList](r, Admin, "/audit?limit=1").Entries[0]; e.Action != "restart" || e.Detail != "in 5m: update" || e.Result != "ok" {
			t.Errorf("the newest audit entry is %+v", e)
		}
		if a := r.call(Admin, "DELETE", "/stop", ``); a.status != 200 {
			t.Error(a.body)
		}
		if p := get[answer](r, Viewer, "/stop").Planned; p != nil {
			t.Errorf("after the cancellation: %+v", p)
		}
		if a := r.call(Admin, "POST", "/stop", `{}`); a.status != 200 {
			t.Error(a.body)
		}
		if p := <-r.Hub.StopDue(); p.Restart || p.By != "admin (api)" {
			t.Errorf("%+v is due", p)
		}
		if _, err := r.Hub.PlanStop(session.PlannedStop{Reason: strings.Repeat("x", 151)}, 0); err == nil {
			t.Error("a reason that does not fit an announcement is accepted")
		}
	})
}
