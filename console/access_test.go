package console

import (
	"context"
	"errors"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/store"
)

// ruleRow is a rule in an answer of the API.
type ruleRow struct {
	Account, Network *string
	Reason, By       string
	Since, Until     *time.Time
}

func TestBansMutesAndWhitelistAreListedWithOperatorAndExpiry(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		r.waitUntilShown(r.enter("Ann"))
		start := time.Now()
		for _, c := range []struct {
			role         Role
			method, path string
			body         string
			action       string
			detail       string
		}{
			{Admin, "POST", "/bans", `{"network":"192.0.2.7/24","for":"30d","reason":"flood"}`, "ban", "192.0.2.7/24 for 30d: flood"},
			{Admin, "POST", "/bans", `{"network":"2001:db8::1"}`, "ban", "2001:db8::1/128"},
			{Moderator, "POST", "/mutes", `{"account":"ANN","for":"1h","reason":"shouting"}`, "mute", "for 1h: shouting"},
			{Moderator, "POST", "/whitelist/accounts", `{"account":"cy"}`, "whitelist_add", ""},
			{Moderator, "POST", "/whitelist/accounts", `{"account":"bo"}`, "whitelist_add", ""},
			{Admin, "POST", "/whitelist", `{"on":true}`, "whitelist", "on"},
			{Moderator, "DELETE", "/whitelist/accounts/bo", ``, "whitelist_remove", ""},
		} {
			r.wantError(r.call(c.role-1, c.method, c.path, c.body), 403, codeForbidden, "this call needs the role "+c.role.String())
			if a := r.call(c.role, c.method, c.path, c.body); a.status != 200 || a.body != `{"ok":true}`+"\n" {
				t.Errorf("%s %s with body %s: status %d, response %s", c.method, c.path, c.body, a.status, a.body)
			}
			if e := get[auditList](r, Admin, "/audit?limit=1").Entries[0]; e.Action != c.action || e.Detail != c.detail || e.Operator != c.role.String()+" (api)" {
				t.Errorf("%s %s is recorded as %+v", c.method, c.path, e)
			}
		}
		bans := get[struct{ Bans []ruleRow }](r, Moderator, "/bans").Bans
		if len(bans) != 2 || bans[0].Account != nil || *bans[0].Network != "192.0.2.0/24" || bans[0].Reason != "flood" || bans[0].By != "admin (api)" ||
			bans[0].Since.Before(start) || bans[0].Until.Sub(*bans[0].Since) != 30*24*time.Hour || *bans[1].Network != "2001:db8::/64" || bans[1].Until != nil {
			t.Errorf("bans %+v", bans)
		}
		mutes := get[struct{ Mutes []ruleRow }](r, Moderator, "/mutes").Mutes
		if len(mutes) != 1 || *mutes[0].Account != "ann" || mutes[0].Reason != "shouting" || mutes[0].Until == nil {
			t.Errorf("mutes %+v", mutes)
		}
		list := get[struct {
			On       bool
			Accounts []ruleRow
		}](r, Moderator, "/whitelist")
		if !list.On || len(list.Accounts) != 1 || *list.Accounts[0].Account != "cy" {
			t.Errorf("whitelist %+v", list)
		}
		for _, path := range []string{"/bans", "/mutes", "/whitelist"} {
			r.wantError(r.call(Viewer, "GET", path, ""), 403, codeForbidden, "")
		}
		for _, path := range []string{"/bans/192.0.2.0%2F24", "/bans/2001:db8::1", "/mutes/ann", "/whitelist/accounts/cy"} {
			if a := r.call(Admin, "DELETE", path, ""); path != "/bans/2001:db8::1" && a.status != 200 {
				t.Errorf("DELETE %s: %d %s", path, a.status, a.body)
			}
			r.wantError(r.call(Admin, "DELETE", path, ""), 404, codeNotFound, "")
		}
		if a := r.call(Admin, "POST", "/whitelist", `{"on":false}`); a.status != 200 {
			t.Error(a.body)
		}
		if bans = get[struct{ Bans []ruleRow }](r, Moderator, "/bans").Bans; len(bans) != 0 {
			t.Errorf("bans %+v", bans)
		}
	})
}

func TestInvalidBanOrMuteIsRefusedWithReason(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		r.enter("Ann")
		for body, message := range map[string]string{
			`{}`:                                   `"account" is missing`,
			`{"account":"ann","network":"::1"}`:    `give either "account" or "network"`,
			`{"network":"192.0.2"}`:                `is neither an address such as 192.0.2.1`,
			`{"network":"0.0.0.0/0"}`:              `a banned network must have at least /8`,
			`{"account":"ann","for":"soon"}`:       `"for": "soon" is not a duration such as 400ms, 10m, 12h or 30d`,
			`{"account":"ann","for":"-1h"}`:        `"for" must be between 1s and 36500d`,
			`{"account":"ann","reason":"a\nb"}`:    `"reason" must be one line of text`,
			`{"account":"ann","until":"tomorrow"}`: `unknown field "until"`,
		} {
			r.wantError(r.call(Admin, "POST", "/bans", body), 400, codeBadRequest, message)
		}
		r.wantError(r.call(Admin, "POST", "/bans", `{"account":"nobody"}`), 404, codeNotFound, "there is no such account")
		r.wantError(r.call(Moderator, "POST", "/mutes", `{"account":"nobody"}`), 404, codeNotFound, "there is no such account")
	})
}

// The audit log names the operator and the access method. Only a request with the token of the local access file may state the
// name of the operator; a request with any other token is recorded under the name of that token.
func TestAuditLogContainsOperatorAndAccessMethod(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		r.enter("Ann")
		newest := func() string { return get[auditList](r, Admin, "/audit?limit=1").Entries[0].Operator }
		mute := func(token string, header map[string]string) string {
			req := r.request(Moderator, "POST", "/mutes", `{"account":"ann"}`)
			req.Header.Set("Authorization", "Bearer "+token)
			for k, v := range header {
				req.Header.Set(k, v)
			}
			if a := r.do(req); a.status != 200 {
				t.Fatal(a.body)
			}
			return newest()
		}
		terminal := map[string]string{ClientHeader: "terminal", OperatorHeader: "Zoe"}
		local := r.Tokens.IssueLocal("server-user")
		if by := mute(local, terminal); by != "Zoe (terminal)" {
			t.Errorf("local access is recorded as %q", by)
		}
		if by := mute(local, map[string]string{ClientHeader: "terminal", OperatorHeader: " bad\tname"}); by != "server-user (terminal)" {
			t.Errorf("local access with an invalid name is recorded as %q", by)
		}
		if by := mute(r.tokens[Moderator], terminal); by != "moderator (terminal)" {
			t.Errorf("an operator's token with another name is recorded as %q", by)
		}
	})
}

func TestFileWithConsoleAddressAndTokenIsWrittenReadAndRemoved(t *testing.T) {
	dir := t.TempDir()
	if _, err := ReadLocalAccess(dir); !errors.Is(err, ErrNoLocalAccess) {
		t.Errorf("an empty folder: %v", err)
	}
	a, b := LocalAccess{URL: "http://127.0.0.1:1", Token: "a"}, LocalAccess{URL: "https://127.0.0.1:2", Token: "b", Certificate: "00"}
	for _, x := range []LocalAccess{a, b} {
		if err := WriteLocalAccess(dir, x); err != nil {
			t.Fatal(err)
		}
		if got, err := ReadLocalAccess(dir); err != nil || got != x {
			t.Errorf("read %+v, %v", got, err)
		}
	}
	if err := RemoveLocalAccess(dir, a); err != nil {
		t.Error(err)
	}
	if _, err := ReadLocalAccess(dir); err != nil {
		t.Errorf("the file of another server was removed: %v", err)
	}
	if err := RemoveLocalAccess(dir, b); err != nil {
		t.Error(err)
	}
	if _, err := ReadLocalAccess(dir); !errors.Is(err, ErrNoLocalAccess) {
		t.Errorf("after its removal: %v", err)
	}
}

// A ban by an older version has no reason, operator or end, only an account.
func TestBanOfOlderVersionWithoutReasonIsListedAndCanBePardoned(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		if err := r.disk.SetBanned(context.Background(), s.Login.Account, true); err != nil {
			t.Fatal(err)
		}
		if a := r.call(Moderator, "GET", "/bans", ""); !strings.Contains(a.body, `{"account":"ann","network":null,"reason":"","by":"","since":null,"until":null}`) {
			t.Error(a.body)
		}
		if _, err := r.Hub.Rules(context.Background(), store.AccessBan); err != nil {
			t.Error(err)
		}
		if a := r.call(Admin, "DELETE", "/bans/ann", ""); a.status != 200 {
			t.Error(a.body)
		}
		if _, err := r.Hub.Login(context.Background(), session.Peer{}, "ann", "x"); errors.Is(err, session.ErrBanned) {
			t.Error("the pardoned account is banned")
		}
	})
}
