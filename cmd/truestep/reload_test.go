package main

import (
	"path/filepath"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/internal/settings"
	"github.com/truestep-io/truestep/server"
)

func TestAdminReloadAppliesConfigurationFileOrPrintsReason(t *testing.T) {
	t.Parallel()
	p, data := serveForAdmin(t, "--accounts-per-addr", "7")
	file := filepath.Join(p.cmd.Dir, defaultConfig)
	reload := func(code int, want string) {
		t.Helper()
		if got, out, errs := truestep("admin", "reload", "--data-dir", data, "--as", "Zoe"); got != code || out+errs != want {
			t.Errorf("exit status %d, printed %q %q; want %d, %q", got, out, errs, code, want)
		}
	}
	reload(0, "nothing has changed since the settings were read\n")
	write(t, file, "area-chat = 5\nlog-level = \"debug\"\njournal-keep = 1000\nrcce-max-peers = 9\naccounts-per-addr = 8\nchat-retain = \"7d\"\n")
	reload(0, `changed: area-chat from 20 to 5
changed: chat-retain from 30d to 7d
changed: log-level from info to debug
needs a restart: journal-keep: the journal is opened at the start
needs a restart: rcce-max-peers: a door reads its settings when it opens its socket
`) // accounts-per-addr is not listed, because its flag on the command line overrides the file
	write(t, file, "area-chat = -5\nchat-keep = 1\n")
	reload(2, "truestep: nothing was changed: chat-keep 1: must be 1000..10000000; area-chat -5: must be 1..1000\n")
	write(t, file, "area-chatter = 5\n")
	if code, _, errs := truestep("admin", "reload", "--data-dir", data); code != 2 || !strings.Contains(errs, `unknown key "area-chatter"`) {
		t.Errorf("unknown key: exit status %d, %q", code, errs)
	}
	if code, out, _ := truestep("admin", "audit", "--data-dir", data); code != 0 || !strings.Contains(out, "area-chat from 20 to 5; chat-retain from 30d to 7d; log-level from info to debug; not without a restart: journal-keep, rcce-max-peers") {
		t.Errorf("audit: %d %s", code, out)
	}
}

func TestAdminReloadAppliesChangedWorldFileAndServerStartsWithItAfterKill(t *testing.T) {
	t.Parallel()
	file := filepath.Join(t.TempDir(), "vale.toml")
	text := string(content.DefaultTOML())
	change := func(from, to string) {
		t.Helper()
		if !strings.Contains(text, from) {
			t.Fatalf("the world has no %q", from)
		}
		text = strings.Replace(text, from, to, 1)
		write(t, file, text)
	}
	write(t, file, text)
	p, data := serveForAdmin(t, "--world", file)
	change("leash = 150", "leash = 90")
	want := regexp.MustCompile(`^the world was reloaded; its areas paused for [1-9]\d* ms\nchanged: the world: rules\.LeashUnits: 90, was 150\n$`)
	if code, out, errs := truestep("admin", "reload", "--data-dir", data); code != 0 || !want.MatchString(out+errs) {
		t.Errorf("exit status %d, %q %q", code, out, errs)
	}
	if err := p.cmd.Process.Kill(); err != nil {
		t.Fatal(err)
	}
	_ = p.cmd.Wait()
	again := launch(t, "serve", "--rcce", "off", "--rs", "off", "--bedrock", "off", "--web", "off", "--metrics", "off", "--no-status", "--console", "off", "--world", file, "--data-dir", data)
	again.until("ready")
}

// Each setting changes at once or has a reason why it does not.
func TestEverySettingIsReloadedOrNeedsRestartForStatedReason(t *testing.T) {
	commands := newCLI()
	parsed, err := newParser(commands, []string{"serve"}, std{t.Output(), t.Output()}, func(int) {}).Parse([]string{"serve"})
	if err != nil {
		t.Fatal(err)
	}
	live := []string{"accounts-per-addr", "area-chat", "failures-anywhere", "failures-per-account", "webhooks"}
	var unexplained []string
	for name := range settings.Values(parsed.Selected().Flags) {
		ofDoor := false
		for _, d := range server.Default().Doors {
			ofDoor = ofDoor || name == d.Name() || strings.HasPrefix(name, d.Name()+"-")
		}
		if !ofDoor && server.WhyRestart(name) == "" {
			unexplained = append(unexplained, name)
		}
	}
	slices.Sort(unexplained)
	if !slices.Equal(unexplained, live) {
		t.Errorf("settings without a reason for a restart: %q, want those that are applied at once: %q", unexplained, live)
	}
}
