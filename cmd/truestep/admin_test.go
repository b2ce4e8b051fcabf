package main

import (
	"context"
	"encoding/json"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/swarm"
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
		{[]string{"announce", "the", "mill", "opens"}, 0, "announced to 0 players"},
		{[]string{"chat", "--channel", "message"}, 0, "no such line; chat is kept for 30d"},
		{[]string{"chat", "--since", "yesterday"}, 2, `--since "yesterday": give a period such as 2h or 7d, or a time such as 2026-01-02T15:04:05Z`},
		{[]string{"chat", "!"}, 2, "has no word"},
		{[]string{"audit"}, 0, "Zoe (terminal)  search_chat"},
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
	if err := json.Unmarshal([]byte(out), &audit); err != nil || len(audit.Entries) != 14 || audit.Entries[0].Operator != "Zoe (terminal)" {
		t.Errorf("audit %s: %v", out, err)
	}
	for begin := time.Now(); ; time.Sleep(20 * time.Millisecond) { // until the announcement is in the chat log
		code, out, errs := truestep("admin", "chat", "mill", "--since", "2h", "--who", "", "--data-dir", data)
		if code == 0 && strings.Contains(out, "everywhere  Zoe (terminal) to 0  the mill opens") {
			break
		}
		if time.Since(begin) > time.Minute {
			t.Fatalf("chat: exit status %d, %q %q", code, out, errs)
		}
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
		{"admin bans --url ftp://x --token y", `truestep: --url "ftp://x" is not the address of a console: write one such as https://example.org:8080`},
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
func TestAdminAcceptsOnlyCertificateOfItsServer(t *testing.T) {
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
	if code, _, errs := truestep("admin", "bans", "--data-dir", data); code != 2 || !strings.Contains(errs, "the SHA-256 of the server's certificate is not the one in the console.json") {
		t.Errorf("another certificate: exit status %d, %q", code, errs)
	}
}

// packaging/truestep.service decides by these exit statuses whether the server is started again.
func TestAdminRestartAndStopEndServerWithDifferentExitStatus(t *testing.T) {
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

// Administrators change items and attributes of players in the world and of stored characters, and NPCs of a running server.
func TestAdminCommandsGiveItemsSetAttributesAndSpawnNPCs(t *testing.T) {
	t.Parallel()
	data := t.TempDir()
	st, err := sqlite.Open(t.Context(), data)
	if err != nil {
		t.Fatal(err)
	}
	w := content.DefaultWorld().World
	human := w.Templates[slices.IndexFunc(w.Templates, func(t sim.Template) bool { return t.Playable })]
	for account, characters := range map[string][]string{"ann": {"Ada"}, "bea": {"Bo", "Bob"}, "zoe": nil} {
		id, err := st.CreateAccount(t.Context(), store.Account{Name: account, Secret: "$argon2id$"})
		if err != nil {
			t.Fatal(err)
		}
		for _, name := range characters {
			if _, err := st.CreateCharacter(t.Context(), id, &sim.Character{Name: name, Door: "rs", Area: w.Areas[0].Name, Template: human.ID, Attr: human.Attr}, 5); err != nil {
				t.Fatal(err)
			}
		}
	}
	if err := st.Close(); err != nil {
		t.Fatal(err)
	}
	p := launch(t, "serve", "--data-dir", data, "--rcce", "127.0.0.1:0", "--rs", "off", "--bedrock", "off", "--web", "off", "--metrics", "off", "--no-status", "--console", "127.0.0.1:0")
	door := strings.TrimSuffix(field(t, p.until("ready"), "rcce", 1), "/udp")
	ctx, cancel := context.WithCancel(context.Background())
	done := make(chan struct{})
	go func() {
		defer close(done)
		_, _ = swarm.Run(ctx, swarm.RCCE{Config: swarm.Config{Server: door, Clients: 1, Ramp: 100, Prefix: "bot", Password: "swarm"}, Activity: swarm.Walk}) // Run returns an error, because the test cancels ctx
	}()
	t.Cleanup(func() { cancel(); <-done })
	admin := func(args ...string) (int, string) {
		code, out, errs := truestep(append([]string{"admin", "--data-dir", data}, args...)...)
		return code, out + errs
	}
	access, err := console.ReadLocalAccess(data)
	if err != nil {
		t.Fatal(err)
	}
	checkJSON := func(t *testing.T, commands ...string) {
		t.Helper()
		for _, command := range commands {
			code, out, errs := truestep(append(strings.Fields(command), "--json", "--data-dir", data)...)
			lines := strings.Split(strings.TrimSuffix(out, "\n"), "\n")
			if command != "why" && len(lines) != 1 { // why prints several JSON objects, one per line
				t.Errorf("%s --json prints %d lines", command, len(lines))
			}
			for _, line := range lines {
				if code != 0 || errs != "" || line != "" && json.Unmarshal([]byte(line), new(map[string]any)) != nil {
					t.Errorf("%s --json: exit status %d, %q, %s", command, code, line, errs)
				}
			}
		}
	}
	var online struct{ Players []struct{ Name string } }
	eventually(t, "the player is in the world", func() bool {
		_, out := admin("players", "--json")
		return json.Unmarshal([]byte(out), &online) == nil && len(online.Players) == 1
	})
	bot := online.Players[0].Name
	item := w.Items[slices.IndexFunc(w.Items, func(i sim.Item) bool { return i.Stackable })].Name
	var removed string
	for _, c := range []struct {
		args []string
		code int
		want string
	}{
		{[]string{"give", bot, item, "--amount", "3"}, 0, bot + " has 3 more of " + item},
		{[]string{"give", bot, "Excalibur"}, 2, `no item "Excalibur"`},
		{[]string{"give", bot, item, "--amount", "0"}, 2, "--amount 0: must be 1 to 65535"},
		{[]string{"take", bot, item}, 0, bot + " has 1 less of " + item},
		{[]string{"take", bot, item, "--amount", "5000"}, 2, "does not carry so many"},
		{[]string{"take", bot, item, "--all"}, 0, bot + " has none of " + item},
		{[]string{"take", bot, item, "--all", "--amount", "1"}, 2, "--all"},
		{[]string{"attribute", bot, "Strength", "30", "--max", "60"}, 0, bot + " has Strength 30, maximum 60"},
		{[]string{"attribute", bot, "Strength", "61"}, 2, "Strength must be 0..32767 and at most its maximum, now 60"},
		{[]string{"attribute", bot, "Strength"}, 2, "give a value"},
		{[]string{"give", "ann", item, "--amount", "2"}, 0, "Ada has 2 more of " + item + " (stored, not in the world)"},
		{[]string{"take", "ann", item}, 0, "Ada has 1 less of " + item + " (stored"},
		{[]string{"attribute", "ann", "strength", "7"}, 0, "Ada has strength 7 (stored"},
		{[]string{"attribute", "ann", "Beauty", "7"}, 2, `this world has no attribute "Beauty"; its attributes are Health, `},
		{[]string{"give", "bea", item}, 2, "name one with --character: Bo, Bob"},
		{[]string{"give", "bea", item, "--character", "bob"}, 0, "Bob has 1 more of " + item},
		{[]string{"give", "bea", item, "--character", "Ada"}, 2, "no character Ada; its characters are Bo, Bob"},
		{[]string{"give", "zoe", item}, 2, "the account zoe has no characters"},
		{[]string{"give", "nobody", item}, 2, `"nobody" is neither in the world nor an account`},
		{[]string{"npcs", "--spawned"}, 0, "there is no such NPC in the world"},
		{[]string{"spawn", "Wolf", "--near", bot}, 0, "Wolf is in "},
		{[]string{"spawn", "Sheep", "--area", w.Areas[0].Name, "--x=-4.5", "--z=7"}, 0, "Sheep is in " + w.Areas[0].Name + "; truestep admin remove "},
		{[]string{"spawn", "Sheep"}, 2, "name a place: --area AREA --x X --z Z, or --near PLAYER"},
		{[]string{"spawn", "Sheep", "--near", bot, "--area", "0"}, 2, "the place is given twice: give either --area, --x and --z, or --near PLAYER"},
		{[]string{"spawn", "Sheep", "--area", "Nowhere", "--x=1", "--z=1"}, 2, `there is no area "Nowhere"`},
		{[]string{"npcs", "sheep", "--spawned"}, 0, "operator"},
		{[]string{"remove", "1099511999999"}, 2, "no such NPC is in the world"},
		{[]string{"announce", "--area", w.Areas[0].Name, "the", "mill", "opens"}, 0, "announced to 1 player\n"},
		{[]string{"announce", "--area", w.Areas[1].Name, "nobody", "is", "here"}, 0, "announced to 0 players\n"},
		{[]string{"announce", "--area", "Nowhere", "hello"}, 2, `there is no area "Nowhere"`},
		{[]string{"message", bot, "hello", "there"}, 0, bot},
		{[]string{"mute", bot, "--for", "1h", "--reason", "shouting"}, 0, bot + " is muted for 1h"},
		{[]string{"mutes"}, 0, "shouting"},
		{[]string{"unmute", bot}, 0, bot + " may talk again"},
		{[]string{"audit"}, 0, "Sheep in " + w.Areas[0].Name + " at -4.5 "},
	} {
		code, text := admin(c.args...)
		if code != c.code || !strings.Contains(text, c.want) {
			t.Errorf("%v: exit status %d, printed %q; want %d, %q", c.args, code, text, c.code, c.want)
		}
		if _, after, ok := strings.Cut(text, "truestep admin remove "); ok {
			removed, _, _ = strings.Cut(after, " ")
		}
	}
	if code, text := admin("remove", removed); code != 0 || text != "Sheep, entity "+removed+", is removed\n" {
		t.Errorf("exit status %d, %q", code, text)
	}
	checkJSON(t, "admin players", "admin bans", "admin mutes", "admin chat", "admin npcs", "admin audit", "why", "account find --url "+access.URL+" --token "+access.Token)
	cancel() // ends the swarm, so that the banned player does not reconnect
	if code, text := admin("ban", bot, "--for", "30d", "--reason", "selling gold"); code != 0 || !strings.Contains(text, bot+" is banned for 30d") {
		t.Errorf("ban: exit status %d, %q", code, text)
	}
	eventually(t, "the banned player has left the world", func() bool {
		_, out := admin("players", "--json")
		return json.Unmarshal([]byte(out), &online) == nil && len(online.Players) == 0
	})
	if code, text := admin("bans"); code != 0 || !strings.Contains(text, "selling gold") {
		t.Errorf("bans: exit status %d, %q", code, text)
	}
}
