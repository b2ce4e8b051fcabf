package webhook

import (
	"bytes"
	"encoding/json"
	"net/http"
	"os"
	"os/exec"
	"path/filepath"
	"strings"
	"testing"
	"testing/synctest"
	"time"
)

const (
	newSecret = "0123456789abcdef-new"
	oldSecret = "0123456789abcdef-old"
)

// docBlock returns the first code block in docs/webhooks.md that is written in the given language.
func docBlock(t *testing.T, language string) string {
	t.Helper()
	doc, err := os.ReadFile("../docs/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	_, rest, _ := strings.Cut(string(doc), "```"+language+"\n")
	code, _, ok := strings.Cut(rest, "```")
	if !ok || strings.Count(code, "\n") < 5 {
		t.Fatalf("docs/webhooks.md has no code in %s", language)
	}
	return code
}

// signedRequest returns a request of a sender that signs with two secrets, a new one and an old one.
func signedRequest(t *testing.T) (r request) {
	t.Helper()
	dir := t.TempDir()
	writeFile(t, dir, "new", newSecret+"\n")
	writeFile(t, dir, "old", oldSecret)
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, nil)
		defer x.Close()
		s, _ := x.send(func(r *Receiver) {
			r.SecretFile, r.OldSecretFile = filepath.Join(dir, "new"), filepath.Join(dir, "old")
		})
		s.Send(Event{Kind: DoorClosed, State: Firing, Subject: "rs", Text: "the door rs <closed> ☃"})
		synctest.Wait()
		closeNow(s)
		if list := x.requests(); len(list) == 1 {
			r = list[0]
		} else {
			t.Fatalf("%d requests", len(list))
		}
	})
	return r
}

// signatureCases are changes to a signed request. Each case says whether the signature must still be valid after the change.
var signatureCases = []struct {
	name   string
	change func(header http.Header, body, secret *[]byte, now *time.Time)
	good   bool
}{
	{"new secret", func(http.Header, *[]byte, *[]byte, *time.Time) {}, true},
	{"old secret", func(_ http.Header, _, secret *[]byte, _ *time.Time) { *secret = []byte(oldSecret) }, true},
	{"other secret", func(_ http.Header, _, secret *[]byte, _ *time.Time) { *secret = []byte("0123456789abcdef-bad") }, false},
	{"changed body", func(_ http.Header, body, _ *[]byte, _ *time.Time) {
		*body = bytes.Replace(*body, []byte("rs"), []byte("rt"), 1)
	}, false},
	{"changed timestamp", func(h http.Header, _, _ *[]byte, _ *time.Time) { h.Set(HeaderTimestamp, h.Get(HeaderTimestamp)+"0") }, false},
	{"timestamp of one second later", func(h http.Header, _, _ *[]byte, now *time.Time) {
		h.Set(HeaderTimestamp, formatTimestamp(now.Add(time.Second)))
	}, false},
	{"no timestamp", func(h http.Header, _, _ *[]byte, _ *time.Time) { h.Del(HeaderTimestamp) }, false},
	{"no signature", func(h http.Header, _, _ *[]byte, _ *time.Time) { h.Del(HeaderSignature) }, false},
	{"sent again after six minutes", func(_ http.Header, _, _ *[]byte, now *time.Time) { *now = now.Add(6 * time.Minute) }, false},
	{"clock four minutes behind", func(_ http.Header, _, _ *[]byte, now *time.Time) { *now = now.Add(-4 * time.Minute) }, true},
}

func TestGoExampleInDocsAcceptsOnlyCorrectlySignedWebhooks(t *testing.T) {
	code, err := os.ReadFile("example_test.go")
	if err != nil {
		t.Fatal(err)
	}
	if !strings.Contains(string(code), docBlock(t, "go")) {
		t.Error("the function in docs/webhooks.md is not that of example_test.go")
	}
	r := signedRequest(t)
	for _, c := range signatureCases {
		header, body, secret, now := r.header.Clone(), bytes.Clone(r.body), []byte(newSecret), r.at
		c.change(header, &body, &secret, &now)
		if verify(header, body, secret, now) != c.good {
			t.Errorf("%s: verified is %v", c.name, !c.good)
		}
	}
}

func TestNodeExampleInDocsAcceptsOnlyCorrectlySignedWebhooks(t *testing.T) {
	node, err := exec.LookPath("node")
	if err != nil {
		t.Fatal("the tests need Node: ", err)
	}
	dir := t.TempDir()
	writeFile(t, dir, "verify.mjs", docBlock(t, "js"))
	writeFile(t, dir, "main.mjs", `import { readFileSync } from "node:fs";
import { verify } from "./verify.mjs";
const cases = JSON.parse(readFileSync(0, "utf8"));
console.log(JSON.stringify(cases.map((c) => verify(c.headers, Buffer.from(c.body, "base64"), c.secret, c.now))));
`)
	type input struct {
		Headers map[string]string `json:"headers"`
		Body    []byte            `json:"body"`
		Secret  string            `json:"secret"`
		Now     int64             `json:"now"` // ms since 1970
	}
	var list []input
	r := signedRequest(t)
	for _, c := range signatureCases {
		header, body, secret, now := r.header.Clone(), bytes.Clone(r.body), []byte(newSecret), r.at
		c.change(header, &body, &secret, &now)
		in := input{map[string]string{}, body, string(secret), now.UnixMilli()}
		for name := range header {
			in.Headers[strings.ToLower(name)] = header.Get(name)
		}
		list = append(list, in)
	}
	text, err := json.Marshal(list)
	if err != nil {
		t.Fatal(err)
	}
	cmd := exec.CommandContext(t.Context(), node, filepath.Join(dir, "main.mjs"))
	cmd.Stdin, cmd.Stderr = bytes.NewReader(text), os.Stderr
	out, err := cmd.Output()
	if err != nil {
		t.Fatal(err)
	}
	var got []bool
	if err := json.Unmarshal(out, &got); err != nil || len(got) != len(signatureCases) {
		t.Fatalf("%v: %s", err, out)
	}
	for i, c := range signatureCases {
		if got[i] != c.good {
			t.Errorf("%s: verified is %v", c.name, got[i])
		}
	}
}

func TestReplacedSecretFileIsUsedWithoutRestart(t *testing.T) {
	dir := t.TempDir()
	path := writeFile(t, dir, "secret", oldSecret)
	synctest.Test(t, func(t *testing.T) {
		x := newTestReceiver(t, false, nil)
		defer x.Close()
		s, log := x.send(func(r *Receiver) { r.SecretFile = path })
		send := func() request {
			s.Send(Event{Kind: DoorClosed, Subject: newID()})
			synctest.Wait()
			list := x.requests()
			return list[len(list)-1]
		}
		if r := send(); !verify(r.header, r.body, []byte(oldSecret), time.Now()) {
			t.Error("the first message is not signed with the secret")
		}
		writeFile(t, dir, "secret", newSecret)
		if r := send(); !verify(r.header, r.body, []byte(newSecret), time.Now()) {
			t.Error("the message is not signed with the new secret")
		}
		for _, bad := range []string{"", "short", "0123456789abcdef with spaces"} {
			writeFile(t, dir, "secret", bad)
			if r := send(); !verify(r.header, r.body, []byte(newSecret), time.Now()) {
				t.Errorf("the former secret does not sign while the file has %q", bad)
			}
		}
		if log.Count("cannot read the secret") != 1 {
			t.Errorf("log:\n%s", log)
		}
		closeNow(s)
	})
}

func writeFile(t *testing.T, dir, name, text string) string {
	t.Helper()
	path := filepath.Join(dir, name)
	if err := os.WriteFile(path, []byte(text), 0o600); err != nil {
		t.Fatal(err)
	}
	return path
}
