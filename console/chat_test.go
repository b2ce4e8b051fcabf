package console

import (
	"context"
	"encoding/json"
	"errors"
	"net/url"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/internal/netsim"
	"github.com/truestep-io/truestep/sim"
)

// withChat runs a test with a console that has a chat log.
func withChat(t *testing.T, test func(*testing.T, *harness)) {
	t.Helper()
	synctest.Test(t, func(t *testing.T) {
		var chat *chatlog.Log
		change := func(o *Options) {
			var err error
			chat, err = chatlog.Open(chatlog.Options{
				Path: filepath.Join(t.TempDir(), chatlog.FileName), Log: o.Log, Metrics: o.Metrics,
				Identify: func(id sim.EntityID) (chatlog.Speaker, bool) {
					p, ok := o.Hub.Player(id)
					return chatlog.Speaker{Account: p.Account, Player: p.Name, Door: p.Door}, ok
				},
			})
			if err != nil {
				t.Fatal(err)
			}
			chat.Watch(o.World)
			o.Chat = chat
		}
		r := startOn(t, netsim.ListenPipe("127.0.0.1:8080"), change, func(*harness) {})
		test(t, r)
		r.shutdown()
		if err := chat.Close(context.Background()); err != nil {
			t.Error(err)
		}
	})
}

type chatList struct {
	Lines []struct {
		ID                                                                            int64
		At                                                                            time.Time
		Channel, Area, Account, Player, Door, Operator, ToAccount, ToPlayer, Withheld string
		Pos                                                                           []float32
		Told                                                                          int
		Text                                                                          string
	}
	Next   *int64
	Retain string
}

func (b *chatList) texts() string {
	var list []string
	for _, l := range b.Lines {
		list = append(list, l.Text)
	}
	return strings.Join(list, "|")
}

func TestChatSearchFindsLinesOfPlayersAndOperatorsAndIsAudited(t *testing.T) {
	t.Parallel()
	withChat(t, func(t *testing.T, r *harness) {
		ann := r.enter("Ann")
		bob := r.enter("Bob")
		r.waitUntilShown(ann)
		r.waitUntilShown(bob)
		for _, s := range []string{"hello from ann", "selling a sword"} {
			if err := ann.Submit(sim.Intent{Kind: sim.IntentChat, Text: s}); err != nil {
				t.Fatal(err)
			}
			time.Sleep(time.Second)
		}
		for _, c := range []struct{ path, body string }{
			{"/announce", `{"text":"sword event at noon"}`},
			{"/players/" + itoa(int64(bob.Entity)) + "/message", `{"text":"mind your words"}`},
		} {
			if a := r.call(Moderator, "POST", c.path, c.body); a.status != 200 {
				t.Fatal(a.body)
			}
			time.Sleep(time.Second)
		}
		all := get[chatList](r, Moderator, "/chat")
		if all.texts() != "mind your words|sword event at noon|selling a sword|hello from ann" || all.Next != nil || all.Retain != "30d" {
			t.Fatalf("the found chat is %+v", all)
		}
		area := r.areaName(ann.Area())
		if l := all.Lines[0]; l.Channel != "message" || l.ToAccount != "bob" || l.ToPlayer != "Bob" || l.Operator != "moderator (api)" || l.Pos != nil || l.Account != "" {
			t.Errorf("the message: %+v", l)
		}
		if l := all.Lines[1]; l.Channel != "announcement" || l.Area != "" || l.Told != 2 || l.Operator != "moderator (api)" {
			t.Errorf("the announcement: %+v", l)
		}
		if l := all.Lines[2]; l.Channel != "area" || l.Area != area || l.Account != "ann" || l.Player != "Ann" || l.Door != "rcce" || len(l.Pos) != 3 || time.Since(l.At) > time.Minute {
			t.Errorf("the line of the player: %+v", l)
		}
		for query, want := range map[string]string{
			"q=sword": "sword event at noon|selling a sword", "q=sword&who=ANN": "selling a sword", "account=bob": "mind your words", "channel=area&limit=1": "selling a sword",
			"area=" + url.QueryEscape(strings.ToLower(area)) + "&channel=area": "selling a sword|hello from ann", "area=Atlantis": "", "withheld=true": "", "q=nothing": "",
			"until=" + itoa(all.Lines[2].At.UnixMilli()): "hello from ann", "before=" + itoa(all.Lines[2].ID): "hello from ann",
		} {
			if b := get[chatList](r, Moderator, "/chat?"+query); b.texts() != want {
				t.Errorf("query %s finds %s, want %s", query, b.texts(), want)
			}
		}
		if b := get[chatList](r, Moderator, "/chat?limit=2"); b.Next == nil || *b.Next != all.Lines[1].ID {
			t.Errorf("the first page: %+v", b)
		}
		e := get[auditList](r, Moderator, "/audit?limit=1").Entries[0]
		if e.Action != "search_chat" || e.Operator != "moderator (api)" || e.Detail != "all lines" || e.Result != "ok" {
			t.Errorf("audit of a search: %+v", e)
		}
		r.clock.advance(10 * time.Second) // refills the operator's action budget
		r.wantError(r.call(Viewer, "GET", "/chat?q=secret", ""), 403, codeForbidden, "needs the role moderator")
		if e := get[auditList](r, Moderator, "/audit?limit=1").Entries[0]; e.Operator != "viewer (api)" || e.Action != "search_chat" || e.Result == "ok" {
			t.Errorf("audit of a refused search: %+v", e)
		}
		get[chatList](r, Admin, "/chat?q=sword&account=ann&before=9")
		if e := get[auditList](r, Moderator, "/audit?limit=1").Entries[0]; e.Account != "ann" || e.Detail != `words "sword", account "ann", page before line "9"` {
			t.Errorf("audit: %+v", e)
		}
		for query, says := range map[string]string{
			"q=%21": "has no word", "q=" + strings.Repeat("x", 201): "at most 200 characters", "who=%ff": "UTF-8", "channel=party": "must be one of area",
			"withheld=1": "true or false", "since=monday": "must be a time", "limit=0": `"limit"`, "speaker=ann": "unknown parameter",
		} {
			r.wantError(r.call(Moderator, "GET", "/chat?"+query, ""), 400, codeBadRequest, says)
		}
	})
}

func TestExportAndDeletionOfAccountIncludeItsChat(t *testing.T) {
	t.Parallel()
	withChat(t, func(t *testing.T, r *harness) {
		ann, bob := r.enter("Ann"), r.enter("Bob")
		r.waitUntilShown(ann)
		r.waitUntilShown(bob)
		for _, s := range []string{"mine", "also mine"} {
			if err := errors.Join(ann.Submit(sim.Intent{Kind: sim.IntentChat, Text: s}), bob.Submit(sim.Intent{Kind: sim.IntentChat, Text: "of bob"})); err != nil {
				t.Fatal(err)
			}
		}
		time.Sleep(time.Second)
		if a := r.call(Admin, "POST", "/players/"+itoa(int64(ann.Entity))+"/message", `{"text":"to ann"}`); a.status != 200 {
			t.Fatal(a.body)
		}
		time.Sleep(time.Second)
		a := r.call(Admin, "POST", "/accounts/ann/export", "")
		var export struct{ Chat []struct{ Text string } }
		if err := json.Unmarshal([]byte(a.body), &export); err != nil || len(export.Chat) != 3 || strings.Contains(a.body, "of bob") {
			t.Errorf("export: %d %s, %v", a.status, a.body, err)
		}
		if a := r.call(Admin, "DELETE", "/accounts/ANN?kick=true", ""); a.status != 200 || !strings.Contains(a.body, `"chat":3`) {
			t.Errorf("delete: %d %s", a.status, a.body)
		}
		if b := get[chatList](r, Moderator, "/chat"); b.texts() != "to ann|of bob|of bob" || b.Lines[0].ToAccount != "" || b.Lines[0].ToPlayer != "(deleted)" {
			t.Errorf("after the deletion: %+v", b)
		}
	})
}

func TestChatSearchReturnsNotFoundWhenChatLogIsOff(t *testing.T) {
	t.Parallel()
	inBubble(t, nil, func(t *testing.T, r *harness) {
		r.wantError(r.call(Moderator, "GET", "/chat", ""), 404, codeNotFound, "this server stores no chat")
		ann := r.enter("Ann")
		r.waitUntilShown(ann)
		if a := r.call(Admin, "POST", "/accounts/ann/export", ""); a.status != 200 || !strings.Contains(a.body, `"chat":[]`) {
			t.Errorf("export: %d %s", a.status, a.body)
		}
		if a := r.call(Admin, "DELETE", "/accounts/ann?kick=true", ""); a.status != 200 || !strings.Contains(a.body, `"chat":0`) {
			t.Errorf("delete: %d %s", a.status, a.body)
		}
	})
}
