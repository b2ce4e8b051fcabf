package webhook

import (
	"bytes"
	"fmt"
	"os"
	"path/filepath"
	"strings"
	"testing"
)

func TestWebhookReceiversAreLoadedWithSecretsFromFiles(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "pager.secret", " "+newSecret+"\r\n")
	old := writeFile(t, t.TempDir(), "old", oldSecret)
	path := writeFile(t, dir, "hooks.toml", fmt.Sprintf(`
[[receiver]]
name = "chat"
url = "https://chat.example/x?y=z"
format = "discord"
events = ["server_up", "suspicious"]
[[receiver]]
name = "pager"
url = "http://[::1]:9000"
secret_file = "pager.secret"
old_secret_file = %q
`, old))
	list, err := Load(path)
	if err != nil || len(list) != 2 {
		t.Fatal(err, list)
	}
	if r := list[0]; r.Format != Discord || !r.wants(ServerUp) || !r.wants(Test) || r.wants(ServerDown) || r.secrets != nil {
		t.Errorf("%+v", r)
	}
	if r := list[1]; r.Format != JSON || !r.wants(ServerDown) || !bytes.Equal(bytes.Join(r.secrets, []byte(" ")), []byte(newSecret+" "+oldSecret)) {
		t.Errorf("%+v", r)
	}
}

func TestInvalidWebhookSettingsAreRefusedWithExplanation(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "short", "abc")
	writeFile(t, dir, "long", strings.Repeat("x", maxSecret+1))
	writeFile(t, dir, "good", newSecret)
	const head = "[[receiver]]\nname = \"a\"\nurl = \"https://a.example\"\n"
	for text, want := range map[string]string{
		"":                           "has 0 receivers",
		strings.Repeat(head, 17):     "has 17 receivers",
		"[[receiver]]\nname = ":      "hooks.toml:2:",
		head + "events = 3":          "hooks.toml",
		head + "secret = \"x\"":      `unknown key "receiver.secret"`,
		"x = 1":                      `unknown key "x"`,
		head + head:                  "receiver 2 needs a name",
		head + "format = \"xml\"":    `format "xml" is unknown`,
		head + "events = [\"boom\"]": `event "boom" is unknown: use some of server_up`,
		"[[receiver]]\nurl = \"https://a.example\"":                                           "receiver 1 needs a name",
		"[[receiver]]\nname = \"a\"":                                                          "url must be an address",
		"[[receiver]]\nname = \"a\"\nurl = \"ftp://a.example\"":                               "url must be an address",
		"[[receiver]]\nname = \"a\"\nurl = \"https://:80\"":                                   "url must be an address",
		"[[receiver]]\nname = \"a\"\nurl = \"http://a.example/SECRET\"":                       "url is not encrypted",
		head + "secret_file = \"short\"":                                                      "at least 16 characters",
		head + "secret_file = \"long\"":                                                       "more than 1024 bytes",
		head + "secret_file = \"none\"":                                                       "no such file",
		head + "secret_file = \".\"":                                                          "is not a regular file",
		head + "old_secret_file = \"good\"":                                                   "secret_file must name the file of the present secret",
		head + "secret_file = \"good\"\nold_secret_file = \"none\"":                           "no such file",
		"# " + strings.Repeat("x", maxConfig):                                                 "more than 65536 bytes",
		"[[receiver]]\nname = \"" + strings.Repeat("n", 65) + "\"\nurl=\"https://a.example\"": "needs a name of 1 to 64 bytes",
	} {
		list, err := Load(writeFile(t, dir, "hooks.toml", text))
		if err == nil || !strings.Contains(err.Error(), want) || list != nil || strings.Contains(err.Error(), "SECRET") {
			t.Errorf("%.80q: %v, want %q", text, err, want)
		}
	}
	if _, err := Load(filepath.Join(dir, "missing")); err == nil || !strings.Contains(err.Error(), "name a file of receivers with --webhooks FILE") {
		t.Error(err)
	}
	if _, err := Load(dir); err == nil || !strings.Contains(err.Error(), "is not a regular file") {
		t.Error(err)
	}
	writeFile(t, dir, "hooks.toml", "[[receiver]]\nname = \"a\"\nurl = \"http://a.example\"\ninsecure = true\n")
	if _, err := Load(filepath.Join(dir, "hooks.toml")); err != nil {
		t.Error(err)
	}
}

func TestExampleInWebhookDocsIsValidAndDocsListEveryEvent(t *testing.T) {
	dir := t.TempDir()
	writeFile(t, dir, "pager.secret", newSecret)
	writeFile(t, dir, "pager.old", oldSecret)
	if list, err := Load(writeFile(t, dir, "hooks.toml", docBlock(t, "toml"))); err != nil || len(list) != 2 || len(list[1].secrets) != 2 {
		t.Error(list, err)
	}
	doc, err := os.ReadFile("../docs/webhooks.md")
	if err != nil {
		t.Fatal(err)
	}
	for _, k := range Kinds {
		if !strings.Contains(string(doc), "\n| `"+string(k)+"` |") {
			t.Errorf("docs/webhooks.md does not list %s", k)
		}
	}
}
