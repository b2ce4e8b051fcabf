package webhook

import (
	"encoding/json"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

func TestEventTextIsEscapedForDiscordAndSlack(t *testing.T) {
	e := Event{ID: "a", Kind: Suspicious, State: Info, World: "Vale", Subject: "x", Text: `<@1> *a* [b](c) & @everyone`, Time: time.Unix(0, 0).UTC()}
	for format, want := range map[string]map[string]any{
		JSON:    {"content": nil, "text": nil, "allowed_mentions": nil},
		Discord: {"content": `\[Vale\] \<@1\> \*a\* \[b\](c) & @everyone`, "text": nil},
		Slack:   {"content": nil, "text": `[Vale] &lt;@1&gt; *a* [b](c) &amp; @everyone`, "allowed_mentions": nil},
	} {
		var got map[string]any
		if err := json.Unmarshal(e.body(format), &got); err != nil {
			t.Fatal(err)
		}
		for key, v := range want {
			if got[key] != v {
				t.Errorf("%s: %s is %v, want %v", format, key, got[key], v)
			}
		}
		if got["message"] != e.Text || got["event"] != "suspicious" || got["state"] != "info" || got["id"] != "a" || got["time"] != "1970-01-01T00:00:00Z" {
			t.Errorf("%s: %v", format, got)
		}
		if format == Discord {
			if m, ok := got["allowed_mentions"].(map[string]any); !ok || len(m["parse"].([]any)) != 0 {
				t.Errorf("mentions are allowed: %v", got)
			}
		}
	}
}

func TestEventTextIsOneLineOfLimitedLength(t *testing.T) {
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, nil)
		defer x.Close()
		s, _ := x.send(func(r *Receiver) { r.Format = Discord })
		s.Send(Event{Kind: WriteFailed, Subject: "a\x00b", Text: "a\nb\x1b[31m\u202e\xff" + strings.Repeat("*", 5000)})
		synctest.Wait()
		closeNow(s)
		var got struct{ Message, Subject, Content string }
		if err := json.Unmarshal(x.requests()[0].body, &got); err != nil {
			t.Fatal(err)
		}
		if got.Subject != "a b" || !strings.HasPrefix(got.Message, "a b [31m \ufffd***") || len([]rune(got.Message)) != maxText || len([]rune(got.Content)) > 2000 {
			t.Errorf("%+v", got)
		}
	})
}
