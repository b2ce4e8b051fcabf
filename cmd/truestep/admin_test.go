package main

import (
	"encoding/json"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/server"
)

// serveForAdmin starts a server without doors and returns it and its data folder.
func serveForAdmin(t *testing.T, args ...string) (*process, string) {
	t.Helper()
	p := launch(t, append([]string{"serve", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--web", "off", "--metrics", "off", "--no-status",
		"--console", "127.0.0.1:0"}, args...)...)
	p.until("ready")
	return p, filepath.Join(p.cmd.Dir, gateway.DefaultDataDir)
}

func TestAdminCommandsActOnRunningServer(t *testing.T) {
	t.Parallel()
	p, data := serveForAdmin(t)
	if info, err := os.Stat(filepath.Join(data, console.LocalAccessFile)); err != nil || info.Mode().Perm() != 0o600 {
		t.Fatalf("the file of local access: %v, %v", info, err)
	}
	for _, c := range []struct {
		args []string
		code int
		want string // part of the output
	}{
		{[]string{"players"}, 0, "there is no such player in the world"},
		{[]string{"bans"}, 0, "nobody is banned"},
		{[]string{"ban", "--network", "192.0.2.7/24", "--for", "30d", "--reason", "flood"}, 0, "192.0.2.7/24 is banned for 30d"},
		{[]string{"bans"}, 0, "192.0.2.0/24"},
		{[]string{"ban", "nobody"}, 2, "truestep: there is no such account"},
		{[]string{"ban", "--network", "0.0.0.0/0"}, 2, "a banned network must have at least /8"},
		{[]string{"unban", "192.0.2.0/24"}, 0, "192.0.2.0/24 is not banned"},
		{[]string{"unban", "192.0.2.0/24"}, 2, "truestep: 192.0.2.0/24 is not banned"},
		{[]string{"whitelist", "add", "ann", "bo"}, 0, "bo is on the whitelist"},
		{[]string{"whitelist", "on"}, 0, "the whitelist is on"},
		{[]string{"whitelist", "list"}, 0, "the whitelist is on: only these accounts can log in"},
		{[]string{"whitelist", "remove", "ann"}, 0, "ann is not on the whitelist any more"},
		{[]string{"whitelist", "off"}, 0, "the whitelist is off"},
		{[]string{"mute", "nobody"}, 2, "there is no such account"},
		{[]string{"kick", "nobody"}, 2, `"nobody" is not in the world`},
		{[]string{"message", "nobody", "hello", "there"}, 2, `"nobody" is not in the world`},
		{[]string{"audit"}, 0, "Zoe (terminal)  whitelist"},
	} {
		code, out, errs := truestep(append([]string{"admin", "--data-dir", data, "--as", "Zoe"}, c.args...)...)
		if text := out + errs; code != c.code || !strings.Contains(text, c.want) || (code == 0) != (errs == "") {
			t.Errorf("%v: exit status %d, printed %q %q; want %d, %q", c.args, code, out, errs, c.code, c.want)
		}
	}
	var audit struct {
		Entries []struct{ Operator, Action, Result string }
	}
	_, out, _ := truestep("admin", "audit", "--json", "--data-dir", data)
	if err := json.Unmarshal([]byte(out), &audit); err != nil || len(audit.Entries) != 11 || audit.Entries[0].Operator != "Zoe (terminal)" {
		t.Errorf("audit %s: %v", out, err)
	}
	_, token, _ := truestep("token", "add", "Vi", "--role", "viewer", "--data-dir", data)
	local, err := console.ReadLocalAccess(data)
	if err != nil {
		t.Fatal(err)
	}
	if code, _, errs := truestep("admin", "bans", "--url", local.URL, "--token", strings.TrimSpace(token)); code != 2 || !strings.Contains(errs, "this call needs the role moderator; yours is viewer") {
		t.Errorf("a viewer's token: exit status %d, %q", code, errs)
	}
	p.signal(os.Interrupt)
	p.end()
	if code, _, errs := truestep("admin", "bans", "--data-dir", data); code != 2 || !strings.Contains(errs, "does not run") {
		t.Errorf("after the stop: exit status %d, %q", code, errs)
	}
}

func TestAdminWithoutRunningServerPrintsRemedy(t *testing.T) {
	here(t)
	for _, c := range []struct{ args, want string }{
		{"admin bans --data-dir nowhere", "truestep: there is no folder nowhere: name the folder of a server's data with --data-dir DIR"},
		{"admin bans --data-dir .", "truestep: the server of . does not run, or its console is off; start it with truestep serve"},
		{"admin bans --url ftp://x --token y", `truestep: --url "ftp://x" is no address of a console such as https://example.org:8080`},
		{"admin bans --url http://127.0.0.1:1", "truestep: --url needs --token TOKEN: truestep token add NAME --role ROLE makes one on the server's machine"},
		{"admin bans --url http://127.0.0.1:1 --token y", "truestep: 127.0.0.1:1 does not answer: dial tcp 127.0.0.1:1: connect: connection refused"},
		{"admin ban", `truestep: expected "<whom>"; see truestep admin ban --help`},
	} {
		if code, out, errs := truestep(strings.Fields(c.args)...); code != 2 || out != "" || errs != c.want+"\n" {
			t.Errorf("%s: exit status %d, %q %q", c.args, code, out, errs)
		}
	}
}

// admin trusts the certificate of the local server's console, whatever host names the certificate has.
func TestAdminReachesConsoleWithCertificate(t *testing.T) {
	t.Parallel()
	cert, key, _ := certificate(t, t.TempDir())
	_, data := serveForAdmin(t, "--console-cert", cert, "--console-key", key)
	if code, out, errs := truestep("admin", "bans", "--data-dir", data); code != 0 || out != "nobody is banned\n" {
		t.Errorf("exit status %d, %q %q", code, out, errs)
	}
	local, err := console.ReadLocalAccess(data)
	if err != nil {
		t.Fatal(err)
	}
	local.Certificate = strings.Repeat("0", 64)
	if err := console.WriteLocalAccess(data, local); err != nil {
		t.Fatal(err)
	}
	if code, _, errs := truestep("admin", "bans", "--data-dir", data); code != 2 || !strings.Contains(errs, "the certificate is not that of the server") {
		t.Errorf("another certificate: exit status %d, %q", code, errs)
	}
}

// packaging/truestep.service restarts the server, or not, by these exit statuses.
func TestPlannedRestartAndStopEndServerWithTheirExitStatus(t *testing.T) {
	t.Parallel()
	for command, want := range map[string]int{"restart": server.ExitRestart, "stop": 0} {
		p, data := serveForAdmin(t)
		if code, out, errs := truestep("admin", command, "--in", "7d", "--reason", "a test", "--data-dir", data); code != 0 || !strings.Contains(out, "in 7d") {
			t.Fatalf("%s: exit status %d, %q %q", command, code, out, errs)
		}
		if code, out, errs := truestep("admin", "cancel", "--data-dir", data); code != 0 || out != "the server keeps running\n" {
			t.Fatalf("cancel: exit status %d, %q %q", code, out, errs)
		}
		if code, _, errs := truestep("admin", "cancel", "--data-dir", data); code != 2 || !strings.Contains(errs, "no stop and no restart is planned") {
			t.Fatalf("cancel again: exit status %d, %q", code, errs)
		}
		if code, out, errs := truestep("admin", "announce", "hello", "all", "--data-dir", data); code != 0 || out != "announced to 0 players\n" {
			t.Fatalf("announce: exit status %d, %q %q", code, out, errs)
		}
		if code, _, errs := truestep("admin", command, "--in", "0s", "--data-dir", data); code != 0 {
			t.Fatalf("%s now: exit status %d, %q", command, code, errs)
		}
		if code, rest, _ := p.end(); code != want {
			t.Errorf("the server ended with exit status %d after %s, want %d: %q", code, command, want, rest)
		}
	}
}
