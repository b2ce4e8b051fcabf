package main

import (
	"net/http"
	"net/http/httptest"
	"os"
	"strings"
	"testing"
)

func TestWebhookTestCommandPrintsAnswerOfEachReceiver(t *testing.T) {
	got := 0
	s := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) {
		if r.URL.Path == "/gone" {
			w.WriteHeader(http.StatusGone)
			return
		}
		if r.Header.Get("Truestep-Event") == "test" {
			got++
		}
	}))
	defer s.Close()
	here(t)
	write := func(name, text string) {
		if err := os.WriteFile(name, []byte(text), 0o600); err != nil {
			t.Fatal(err)
		}
	}
	good := "[[receiver]]\nname = \"chat\"\nevents = [\"server_up\"]\nurl = \"" + s.URL + "/hook\"\n"
	write("hooks.toml", good)
	if code, out, errs := truestep("webhook", "test", "--webhooks", "hooks.toml"); code != 0 || out != "chat: accepted\n" || errs != "" || got != 1 {
		t.Errorf("exit status %d, %q, %q, %d messages", code, out, errs, got)
	}
	write("hooks.toml", good+"[[receiver]]\nname = \"pager\"\nurl = \""+s.URL+"/gone\"\n")
	write("truestep.toml", "webhooks = \"hooks.toml\"\n")
	if code, out, errs := truestep("webhook", "test"); code != 1 || out != "chat: accepted\npager: the receiver answered 410 Gone\n" || errs != "" || got != 2 {
		t.Errorf("exit status %d, %q, %q, %d messages", code, out, errs, got)
	}
	write("hooks.toml", "[[receiver]]\n")
	for _, command := range [][]string{{"webhook", "test"}, {"serve", "--rs", "off", "--bedrock", "off", "--rcce", "off", "--web", "off", "--console", "off", "--metrics", "off"}} {
		if code, out, errs := truestep(command...); code != 2 || out != "" || !strings.HasPrefix(errs, "truestep: webhooks: hooks.toml: receiver 1 needs a name") {
			t.Errorf("%v: exit status %d, %q, %q", command, code, out, errs)
		}
	}
}
