package console

import (
	"encoding/json"
	"net/http"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/journal"
	"github.com/truestep-io/truestep/session"
)

func TestAccountAPICallsRequireRoleAndAreAudited(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		s := r.enter("Ann")
		r.waitUntilShown(s)
		account := get[playersBody](r, Viewer, "/players").Players[0].Account
		at := "/accounts/" + account
		for _, c := range []struct{ method, path, body string }{
			{"POST", at + "/secret", `{}`}, {"POST", at + "/export", ``}, {"POST", at + "/merge", `{"into":"x"}`}, {"DELETE", at, ``},
			{"POST", at + "/characters/Ann", `{"gold":1}`}, {"POST", at + "/characters/Ann/move", `{"to":"x"}`}, {"DELETE", at + "/characters/Ann", ``},
		} {
			r.wantError(r.call(Moderator, c.method, c.path, c.body), http.StatusForbidden, codeForbidden, "needs the role admin")
		}
		r.wantError(r.call(Viewer, "GET", "/accounts", ""), http.StatusForbidden, codeForbidden, "needs the role moderator")
		found := get[accountsBody](r, Moderator, "/accounts?q=an")
		if len(found.Accounts) != 1 || found.Accounts[0].Name != account || len(found.Accounts[0].Characters) != 1 {
			t.Errorf("found %+v", found)
		}
		if a := get[accountBody](r, Moderator, at); !a.Online || len(a.Characters) != 1 || len(a.Characters[0].Items) == 0 || a.Characters[0].Items[0].Item == "" {
			t.Errorf("the account is %+v", a)
		}

		edit := at + "/characters/Ann"
		r.wantError(r.call(Admin, "POST", edit, `{"gold":9}`), http.StatusConflict, codeConflict, "in the world")
		r.wantError(r.call(Admin, "POST", edit, `{"gold":-9,"kick":true}`), http.StatusBadRequest, codeBadRequest, "gold -9")
		r.wantError(r.call(Admin, "POST", edit, `{"area":"Nowhere","x":0,"y":0,"z":0}`), http.StatusBadRequest, codeBadRequest, "no area")
		r.wantError(r.call(Admin, "POST", edit, `{"luck":1}`), http.StatusBadRequest, codeBadRequest, "luck")
		r.wantError(r.call(Admin, "POST", at+"/characters/Bo", `{"gold":9}`), http.StatusNotFound, codeNotFound, "no such character")
		r.wantError(r.call(Admin, "POST", at+"/merge", `{"into":"`+account+`"}`), http.StatusConflict, codeConflict, "same account")
		var c characterBody
		if a := r.call(Admin, "POST", edit, `{"gold":9,"items":[{"slot":20,"item":9,"amount":2}],"kick":true}`); a.status != http.StatusOK || json.Unmarshal([]byte(a.body), &c) != nil ||
			!strings.Contains(string(c.Sheet), `"gold":9`) {
			t.Errorf("edit: %d %s", a.status, a.body)
		}
		if a := r.call(Admin, "POST", at+"/secret", `{"secret":"new word"}`); a.status != http.StatusOK || a.body != `{"secret":"new word"}`+"\n" {
			t.Errorf("reset: %d %s", a.status, a.body)
		}
		if a := r.call(Admin, "POST", at+"/export", ``); a.status != http.StatusOK || strings.Contains(a.body, "argon2id") || !strings.Contains(a.body, `"truestepExport":1`) || !strings.Contains(a.body, "edit_character") {
			t.Errorf("export: %d %s", a.status, a.body)
		}
		if a := r.call(Admin, "DELETE", at, ``); a.status != http.StatusOK || !strings.Contains(a.body, `"characters":["Ann"]`) {
			t.Errorf("delete: %d %s", a.status, a.body)
		}
		r.wantError(r.call(Moderator, "GET", at, ""), http.StatusNotFound, codeNotFound, "no such account")

		actions := map[string]journal.OperatorAction{}
		var audit struct {
			Entries []struct{ Operator, Action, Account, Player, Detail, Result string }
		}
		a := r.call(Moderator, "GET", "/audit", "")
		if err := json.Unmarshal([]byte(a.body), &audit); err != nil {
			t.Fatal(err)
		}
		for _, e := range audit.Entries {
			if e.Result == "ok" {
				actions[e.Action] = journal.OperatorAction{Operator: e.Operator, Account: e.Account, Player: e.Player, Detail: e.Detail}
			}
		}
		for _, name := range []string{"edit_character", "reset_secret", "export_account", "delete_account"} {
			if e, ok := actions[name]; !ok || e.Account != account || e.Operator == "" || strings.Contains(e.Detail, "new word") {
				t.Errorf("the audit has %+v for %s", e, name)
			}
		}
		if e := actions["edit_character"]; e.Player != "Ann" || e.Detail != `gold 9, items [{"amount":2,"health":0,"item":9,"slot":20}]` {
			t.Errorf("the audit has the edit as %+v", e)
		}
	})
}

// The export has the bans and mutes, network addresses and journal of the account, and no data of other accounts.
func TestExportOfAccountHasItsAccessRulesAddressesAndJournal(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		ann, bob := r.enter("Ann"), r.enter("Bob")
		for _, s := range []*session.Session{ann, bob} {
			r.waitUntilShown(s)
			r.claimFarAway(s)
		}
		r.eventually("the holds are in the journal", func() bool { return len(get[entryList](r, Viewer, "/corrections?verdict=held").Entries) == 2 })
		for path, body := range map[string]string{
			"/mutes": `{"account":"ann","reason":"shouting","for":"1h"}`, "/whitelist/accounts": `{"account":"ann"}`, "/players/" + itoa(int64(bob.Entity)) + "/kick": `{"reason":"bob only"}`,
		} {
			if a := r.call(Moderator, "POST", path, body); a.status != http.StatusOK {
				t.Fatalf("POST %s: status %d, response %s", path, a.status, a.body)
			}
		}
		time.Sleep(31 * time.Second) // addresses of logins are stored every 30 s
		var export struct {
			Access    []struct{ Kind, Reason, By, Since, Until string }
			Addresses []struct{ Addr, At string }
			Journal   struct {
				Entries []struct{ Player, Reason string }
				Audit   []struct{ Action, Account string }
			}
		}
		a := r.call(Admin, "POST", "/accounts/ANN/export", "")
		if err := json.Unmarshal([]byte(a.body), &export); err != nil {
			t.Fatal(err, a.body)
		}
		rules := export.Access
		if len(rules) != 2 || rules[0].Kind != "mute" || rules[0].Reason != "shouting" || rules[0].By == "" || rules[0].Since == "" || rules[0].Until <= rules[0].Since || rules[1].Kind != "whitelisted" || rules[1].Until != "" {
			t.Errorf("the access rules are %+v", rules)
		}
		if len(export.Addresses) != 1 || export.Addresses[0].Addr != "192.0.2.7" || export.Addresses[0].At == "" {
			t.Errorf("the addresses are %+v", export.Addresses)
		}
		if j := export.Journal; len(j.Entries) != 1 || j.Entries[0].Player != "Ann" || j.Entries[0].Reason != "too_fast" || len(j.Audit) != 2 || j.Audit[0].Account != "ann" {
			t.Errorf("the journal has %+v", j)
		}
		if strings.Contains(a.body, "Bob") || strings.Contains(a.body, "bob only") {
			t.Errorf("the export names another player: %s", a.body)
		}
	})
}

func TestCharacterIsMovedToOtherAccountWhileServerRuns(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		ann := r.enter("Ann")
		r.enter("Bob")
		r.waitUntilShown(ann)
		const move = "/accounts/ann/characters/Ann/move"
		r.wantError(r.call(Admin, "POST", move, `{"to":"bob"}`), http.StatusConflict, codeConflict, "in the world")
		r.wantError(r.call(Admin, "POST", move, `{"to":"nobody","kick":true}`), http.StatusNotFound, codeNotFound, "no such account")
		if a := r.call(Admin, "POST", move, `{"to":"bob","kick":true}`); a.status != http.StatusOK {
			t.Fatalf("the move of the character: status %d, response %s", a.status, a.body)
		}
		from, to := get[accountBody](r, Moderator, "/accounts/ann"), get[accountBody](r, Moderator, "/accounts/bob")
		if len(from.Characters) != 0 || len(to.Characters) != 2 || to.Characters[1].Name != "Ann" {
			t.Errorf("ann has %+v and bob %+v", from.Characters, to.Characters)
		}
		l, err := r.Hub.Login(t.Context(), session.Peer{Addr: netip.MustParseAddr("192.0.2.7"), Conn: 99, Door: "rcce"}, "bob", "secret")
		if err != nil {
			t.Fatal(err)
		}
		if s, err := r.Hub.Enter(t.Context(), l, 1); err != nil || s.Character.Name != "Ann" {
			t.Errorf("bob plays %+v, %v", s, err)
		}
	})
}
