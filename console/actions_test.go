package console

import (
	"fmt"
	"net/url"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// auditList is the response of GET /audit.
type auditList struct {
	Entries []struct {
		ID                                                      int64
		At                                                      time.Time
		Operator, Role, Action, Player, Account, Detail, Result string
	}
	Next *int64
}

func pathOf(s *session.Session, action string) string {
	return fmt.Sprintf("/players/%d%s", s.Entity, action)
}

// Entity ids are valid for one run of the server: a page of the previous run must not act on the player that now has the id.
func TestActionOnEntityOfPreviousServerRunIsRefused(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		run := get[struct{ StartedAt string }](r, Viewer, "/overview").StartedAt
		if known := get[struct{ Server struct{ StartedAt string } }](r, Viewer, "/session").Server.StartedAt; known != run || run == "" {
			t.Fatalf("the run is %q and %q", run, known)
		}
		for _, c := range []struct{ method, path, body string }{
			{"GET", "", ""}, {"POST", "/message", `{"text":"hello"}`}, {"POST", "/freeze", `{"frozen":true}`},
			{"POST", "/teleport", `{"areaId":0,"x":5,"y":null,"z":6}`}, {"POST", "/kick", `{"reason":""}`},
		} {
			req := r.request(Moderator, c.method, pathOf(s, c.path), c.body)
			req.Header.Set(runHeader, "2026-01-02T03:04:05.678Z")
			r.wantError(r.do(req), 409, codeConflict, "the server was restarted")
			req = r.request(Moderator, c.method, pathOf(s, c.path), c.body)
			req.Header.Set(runHeader, run)
			if a := r.do(req); a.status != 200 {
				t.Errorf("%s %s of this run: %d %s", c.method, c.path, a.status, a.body)
			}
		}
	})
}

// Each action succeeds for sufficient roles, is refused for lesser roles, and is recorded in both cases.
func TestOperatorActionsRequireRoleAndAreAudited(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		for _, c := range []struct {
			least              Role
			method, path, body string
			action, detail     string
		}{
			{Moderator, "POST", pathOf(s, "/message"), `{"text":"hello"}`, "message", "hello"},
			{Moderator, "POST", pathOf(s, "/freeze"), `{"frozen":true}`, "freeze", "frozen"},
			{Moderator, "POST", pathOf(s, "/teleport"), `{"areaId":0,"x":5,"y":null,"z":6}`, "teleport", "to Truestep Vale at 5.0 0.0 6.0"},
			{Moderator, "GET", "/bans", "", "", ""},
			{Moderator, "GET", "/audit", "", "", ""},
			{Admin, "DELETE", "/bans/ann", "", "pardon", ""},
			{Viewer, "GET", "/players", "", "", ""},
		} {
			for role := Viewer; role <= Admin; role++ {
				a := r.call(role, c.method, c.path, c.body)
				want := "ok"
				if role < c.least {
					r.wantError(a, 403, codeForbidden, "this call needs the role "+c.least.String()+"; yours is "+role.String())
					want = a.message
				} else if a.status != 200 || c.action != "" && a.body != `{"ok":true}`+"\n" {
					t.Errorf("%s %s as %v: %d %s", c.method, c.path, role, a.status, a.body)
				}
				if c.action == "" {
					continue
				}
				newest := get[auditList](r, Admin, "/audit?limit=1").Entries[0]
				detail := c.detail
				if role < c.least {
					detail = ""
				}
				if newest.Operator != role.String()+" (api)" || newest.Role != role.String() || newest.Action != c.action || newest.Result != want ||
					newest.Detail != detail && c.action != "teleport" || newest.Account != "ann" && role >= c.least {
					t.Errorf("%s as %v is recorded as %+v, want %q %q", c.action, role, newest, detail, want)
				}
			}
		}
	})
}

func TestOperatorActionsTakeEffectInWorld(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		feed := r.world.Subscribe("test", 256, area.All)
		defer feed.Close()
		messages := make(chan string, 100)
		go func() {
			for p := range feed.C() {
				for _, e := range p.Frame.Events {
					if e.Kind == sim.EventMessage {
						messages <- e.Text
					}
				}
				p.Release()
			}
		}()
		s := r.enter("Ann")
		r.waitUntilShown(s)
		if a := r.call(Moderator, "POST", pathOf(s, "/message"), `{"text":"  gr\u00fc\u00df dich  "}`); a.status != 200 {
			t.Fatal(a.body)
		}
		r.eventually("the message arrives", func() bool {
			select {
			case text := <-messages:
				return strings.HasSuffix(text, "grüß dich")
			default:
				return false
			}
		})
		if a := r.call(Moderator, "POST", pathOf(s, "/teleport"), `{"areaId":1,"x":30,"y":4,"z":-20}`); a.status != 200 {
			t.Fatal(a.body)
		}
		r.eventually("the player is in the other area", func() bool {
			row, ok := r.frames.player(1, s.Entity)
			return ok && geom.Dist2XZ(row.Pos, geom.Vec{X: 30, Z: -20}) < 1
		})
		r.eventually("the API has the new area", func() bool {
			a := r.call(Viewer, "GET", pathOf(s, ""), "")
			return strings.Contains(a.body, `"areaId":1`) && strings.Contains(a.body, `"pos":{"x":30`)
		})
		if a := r.call(Moderator, "POST", pathOf(s, "/freeze"), `{"frozen":true}`); a.status != 200 {
			t.Fatal(a.body)
		}
		r.eventually("the player is frozen", func() bool {
			row, _ := r.frames.player(1, s.Entity)
			return row.Is(sim.FlagFrozen) && strings.Contains(r.call(Viewer, "GET", "/players", "").body, `"frozen":true`)
		})
		if a := r.call(Moderator, "POST", pathOf(s, "/kick"), `{"reason":"enough"}`); a.status != 200 {
			t.Fatal(a.body)
		}
		<-s.Ended()
		if !strings.Contains(s.KickMessage(), "enough") {
			t.Errorf("kick message %q", s.KickMessage())
		}
		r.wantError(r.call(Moderator, "POST", pathOf(s, "/kick"), `{}`), 404, codeNotFound, "no such player")
		r.wantError(r.call(Moderator, "POST", pathOf(s, "/message"), `{"text":"still there?"}`), 404, codeNotFound, "no such player")
	})
}

func TestClaimsOfFrozenPlayerAreNotCountedAgainstPlayer(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		if err := s.Submit(sim.Intent{Kind: sim.IntentWarpAck}); err != nil { // acknowledges the position at which the player entered
			t.Fatal(err)
		}
		if a := r.call(Moderator, "POST", pathOf(s, "/freeze"), `{"frozen":true}`); a.status != 200 {
			t.Fatal(a.body)
		}
		r.claimFarAway(s)
		r.eventually("the claim of the frozen player is in the journal", func() bool {
			return len(get[entryList](r, Viewer, "/corrections?reason=halted").Entries) > 0
		})
		if p := get[playersBody](r, Viewer, "/players").Players[0]; p.Held != 0 || p.Corrected != 0 || p.Suspicious != 0 {
			t.Errorf("the frozen player counts as held %d times and corrected %d times, suspicious %d times", p.Held, p.Corrected, p.Suspicious)
		}
	})
}

func TestBanKicksPlayerAndRefusesLoginsUntilPardon(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		if a := r.call(Admin, "POST", "/bans", `{"account":"ANN","reason":"cheats"}`); a.status != 200 {
			t.Fatal(a.body)
		}
		<-s.Ended()
		if a := r.call(Moderator, "GET", "/bans", ""); !strings.HasPrefix(a.body, `{"bans":[{"account":"ann","network":null,"reason":"cheats","by":"admin (api)","since":"2000-01-01T`) ||
			!strings.HasSuffix(a.body, `","until":null}]}`+"\n") {
			t.Errorf("the list of bans is %s", a.body)
		}
		if e := get[auditList](r, Moderator, "/audit").Entries[0]; e.Action != "ban" || e.Player != "Ann" || e.Detail != "cheats" || e.Result != "ok" {
			t.Errorf("the newest audit entry is %+v", e)
		}
		if a := r.call(Admin, "DELETE", "/bans/"+url.PathEscape("ann"), ""); a.status != 200 {
			t.Fatal(a.body)
		}
		if a := r.call(Moderator, "GET", "/bans", ""); a.body != `{"bans":[]}`+"\n" {
			t.Errorf("after the pardon, the list of bans is %s", a.body)
		}
		r.wantError(r.call(Admin, "POST", "/bans", `{"account":"nobody"}`), 404, codeNotFound, "no such account")
		r.wantError(r.call(Admin, "DELETE", "/bans/nobody", ""), 404, codeNotFound, "no such account")
		r.wantError(r.call(Admin, "DELETE", "/bans/%E6%97%A5", ""), 404, codeNotFound, "no such account")
		r.wantError(r.call(Admin, "DELETE", "/bans/"+strings.Repeat("x", maxAccount+1), ""), 404, codeNotFound, "no such account")
		if e := get[auditList](r, Moderator, "/audit?limit=1").Entries[0]; e.Account != "" || e.Result == "ok" {
			t.Errorf("an action on an invalid account name is recorded as %+v", e)
		}
	})
}

func TestInvalidRequestBodyIsRefusedWithReason(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		for _, c := range []struct{ path, body, says string }{
			{"/message", ``, "the body is empty"},
			{"/message", `nonsense`, "not valid JSON"},
			{"/message", `{"text":"x"`, "not a JSON object"},
			{"/message", `{"text":"x"} {}`, "data after"},
			{"/message", `[]`, "must be a JSON object, not array"},
			{"/message", `{"text":5}`, `"text" must be a string, not number`},
			{"/message", `{"text":"x","loud":true}`, `unknown field "loud"`},
			{"/message", `{}`, `"text" is missing`},
			{"/message", `{"text":"   "}`, `"text" is missing`},
			{"/message", `{"text":"a\nb"}`, "one line"},
			{"/message", `{"text":"` + strings.Repeat("本", 201) + `"}`, "longer than 200 letters"},
			{"/message", `{"text":"` + strings.Repeat("x", 201) + `"}`, "longer than 200 letters"},
			{"/message", `{"TEXT":"x"}`, `unknown field "TEXT"`},
			{"/message", `null`, `"text" is missing`},
			{"/message", `{"text":"\ud800"}`, "one line"},
			{"/freeze", `{"frozen":true,"frozen":false}`, `"frozen" occurs twice`},
			{"/freeze", `{"frozen":true,"Frozen":false}`, `unknown field "Frozen"`},
			{"/freeze", `{}`, `"frozen" is missing`},
			{"/teleport", `{"areaId":0,"x":NaN,"y":1,"z":1}`, "not valid JSON"},
			{"/teleport", `{"areaId":0,"x":1e38,"y":null,"z":1}`, "within 100000 units"},
			{"/freeze", `{"frozen":"yes"}`, `"frozen" must be true or false, not string`},
			{"/teleport", `{"areaId":0,"x":1}`, `"areaId", "x" and "z" are required`},
			{"/teleport", `{"areaId":99,"x":1,"y":1,"z":1}`, "there is no area 99"},
			{"/teleport", `{"areaId":-1,"x":1,"y":1,"z":1}`, "there is no area -1"},
			{"/teleport", `{"areaId":0,"x":1e6,"y":1,"z":1}`, "within 100000 units"},
			{"/teleport", `{"areaId":0,"x":1e99,"y":1,"z":1}`, "must be a number in range"},
			{"/teleport", `{"areaId":1e99,"x":1,"y":1,"z":1}`, "must be a number in range"},
			{"/kick", `{"reason":"` + strings.Repeat("x", 151) + `"}`, "longer than 150 letters"},
			{"/kick", `{"reason":null,"why":1}`, `unknown field "why"`},
		} {
			a := r.call(Moderator, "POST", pathOf(s, c.path), c.body)
			r.wantError(a, 400, codeBadRequest, c.says)
			r.clock.advance(time.Second) // refills the operator's action budget
			if e := get[auditList](r, Moderator, "/audit?limit=1").Entries[0]; e.Result != a.message || e.Player != "Ann" || "/"+e.Action != c.path {
				t.Errorf("%s %s is recorded as %+v", c.path, c.body, e)
			}
		}
		r.wantError(r.call(Moderator, "POST", pathOf(s, "/message"), `{"text":"`+strings.Repeat("x", maxBody)+`"}`), 413, codeBadRequest, "larger than 65536 bytes")
		for _, id := range []string{"x", "-1", "0x1", "9007199254740992", "99999999999999999999999", "1.5", "%00"} {
			r.wantError(r.call(Viewer, "GET", "/players/"+id, ""), 400, codeBadRequest, "is not an entity id")
		}
		for _, body := range []string{`{"text":"` + strings.Repeat("x", maxMessage) + `"}`, `{"text":"<b onclick=x>"}`} {
			if a := r.call(Moderator, "POST", pathOf(s, "/message"), body); a.status != 200 {
				t.Errorf("message %s: status %d, response %s", body, a.status, a.body)
			}
		}
		if _, ok := r.Hub.Player(s.Entity); !ok {
			t.Error("the player has left the world")
		}
	})
}

func TestAuditLogIsReturnedInPages(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		for range 7 {
			r.call(Admin, "POST", "/players/99/kick", `{}`)
		}
		var seen []int64
		path := "/audit?limit=3"
		for path != "" {
			page := get[auditList](r, Admin, path)
			for _, e := range page.Entries {
				seen = append(seen, e.ID)
			}
			path = ""
			if page.Next != nil {
				path = fmt.Sprintf("/audit?limit=3&before=%d", *page.Next)
			}
		}
		if len(seen) != 7 {
			t.Fatalf("the audit has the entries %v, want 7", seen)
		}
		for i := 1; i < len(seen); i++ {
			if seen[i] >= seen[i-1] {
				t.Errorf("the ids of the audit entries do not decrease: %v", seen)
			}
		}
		for _, q := range []string{"limit=0", "limit=1001", "limit=x", "before=0", "before=-1", "page=2"} {
			r.wantError(r.call(Admin, "GET", "/audit?"+q, ""), 400, codeBadRequest, "")
		}
	})
}
