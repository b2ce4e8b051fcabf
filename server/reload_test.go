package server

import (
	"errors"
	"fmt"
	"log/slog"
	"net/http"
	"net/http/httptest"
	"path/filepath"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/webhook"
)

// reloadable returns a configuration that reads its new settings from next at each reload.
func reloadable(t *testing.T) (cfg Config, next *Config) {
	t.Helper()
	cfg = quietConfig(t)
	cfg.reloadTime = waitLimit
	cfg.LogLevel = new(slog.LevelVar)
	cfg.Settings = map[string]string{"log-level": "info", "area-chat": "20", "chat-retain": "30d", "journal-keep": "200000", "webhooks": "", "tape": "on"}
	later := cfg
	later.Settings = map[string]string{}
	for name, value := range cfg.Settings {
		later.Settings[name] = value
	}
	later.World = smallWorld(t)
	cfg.Reread = func() (Config, error) { return later, nil }
	return cfg, &later
}

// floodChat submits chat lines without a pause and returns how many were refused.
func floodChat(t *testing.T, p *session.Session) (refused int) {
	t.Helper()
	for range 7 {
		err := p.Submit(sim.Intent{Kind: sim.IntentChat, Text: "x"})
		if errors.Is(err, session.ErrBudget) {
			refused++
		} else if err != nil {
			t.Fatal(err)
		}
	}
	return refused
}

func TestReloadAppliesChangeableSettingsAndReportsThoseThatNeedRestart(t *testing.T) {
	cfg, next := reloadable(t)
	s := start(t, cfg)
	p := join(t, s)
	if r, err := s.Reload(t.Context()); err != nil || len(r.Applied)+len(r.Kept) != 0 {
		t.Errorf("without a change: %+v, %v", r, err)
	}
	if n := floodChat(t, p); n != 0 {
		t.Fatalf("%d of 7 lines are refused by the first limit", n)
	}
	next.AreaChat, next.ChatRetain = 1, time.Hour
	for name, value := range map[string]string{"log-level": "debug", "area-chat": "1", "chat-retain": "1h", "journal-keep": "500", "tape": "off"} {
		next.Settings[name] = value
	}
	r, err := s.Reload(t.Context())
	if err != nil {
		t.Fatal(err)
	}
	got := fmt.Sprint(r.Applied, r.Kept)
	if want := "[{area-chat 20 1} {chat-retain 30d 1h} {log-level info debug}] [{journal-keep the journal is opened at the start} {tape the tape is opened at the start}]"; got != want {
		t.Errorf("reloaded %s, want %s", got, want)
	}
	if cfg.LogLevel.Level() != slog.LevelDebug || s.chat.Retain() != time.Hour {
		t.Errorf("log level %v, chat is kept for %v", cfg.LogLevel.Level(), s.chat.Retain())
	}
	time.Sleep(2 * time.Second) // after 2 s the limit of the player allows lines again, but the limit of the area does not
	if n := floodChat(t, p); n == 0 {
		t.Error("no line is refused by the new limit of the area")
	}
	if r, err := s.Reload(t.Context()); err != nil || len(r.Applied) != 0 || len(r.Kept) != 2 {
		t.Errorf("again: %+v, %v; what needs a restart is still named", r, err)
	}
	next.Settings["chat-retain"], next.ChatRetain = "0s", 0
	if r, err := s.Reload(t.Context()); err != nil || len(r.Applied) != 0 || r.Kept[0].Setting != "chat-retain" || s.chat.Retain() != time.Hour {
		t.Errorf("switching chat off: %+v, %v", r, err)
	}
}

func TestReloadReportsRenamedAreaAndKeepsOldWorld(t *testing.T) {
	cfg, next := reloadable(t)
	s := start(t, cfg)
	changed := *next.World.World
	changed.Areas = append([]sim.AreaDef(nil), changed.Areas...)
	changed.Areas[0].Name = "Renamed"
	next.World.World = &changed
	r, err := s.Reload(t.Context())
	if err != nil || len(r.Kept) != 2 || r.Kept[1].Setting != "the world" || !strings.Contains(r.Kept[0].Setting, "Renamed") || !strings.Contains(r.Kept[1].Why, "Renamed") || s.world.Def().Areas[0].Name == "Renamed" {
		t.Errorf("%+v, %v", r, err)
	}
}

func TestReloadReplacesReceiversOfWebhooks(t *testing.T) {
	got := make(chan string, 10)
	receiver := httptest.NewServer(http.HandlerFunc(func(w http.ResponseWriter, r *http.Request) { got <- r.URL.Path }))
	defer receiver.Close()
	cfg, next := reloadable(t)
	s := start(t, cfg)
	file := filepath.Join(t.TempDir(), "hooks.toml")
	send := func(path string) {
		t.Helper()
		writeText(t, file, fmt.Sprintf("[[receiver]]\nname = \"r\"\nurl = \"%s%s\"\nformat = \"slack\"\n", receiver.URL, path))
		next.Webhooks, next.Settings["webhooks"] = file, file
		r, err := s.Reload(t.Context())
		if err != nil || len(r.Applied) != 1 || r.Applied[0].Setting != "webhooks" {
			t.Fatalf("%+v, %v", r, err)
		}
		s.webhooks.sender.Send(webhook.Event{Kind: webhook.ServerUp, Text: "up"})
		if at := <-got; at != path {
			t.Errorf("sent to %s, want %s", at, path)
		}
	}
	send("/one")
	send("/two") // the same file with other content
	if r, err := s.Reload(t.Context()); err != nil || len(r.Applied) != 0 {
		t.Errorf("an unchanged file: %+v, %v", r, err)
	}
	writeText(t, file, "[[receiver]]\n")
	if _, err := s.Reload(t.Context()); err == nil {
		t.Error("a wrong file is accepted")
	}
	s.webhooks.sender.Send(webhook.Event{Kind: webhook.ServerDown, Text: "down"})
	if at := <-got; at != "/two" {
		t.Errorf("after the wrong file events go to %s", at)
	}
}

func TestReloadOfInvalidSettingsChangesNothing(t *testing.T) {
	cfg, _ := reloadable(t)
	wrong := errors.New("area-chat 0: must be 1..1000")
	cfg.Reread = func() (Config, error) { return Config{}, wrong }
	s := start(t, cfg)
	if _, err := s.Reload(t.Context()); !errors.Is(err, wrong) {
		t.Errorf("the error is %v", err)
	}
	s = start(t, quietConfig(t))
	if _, err := s.Reload(t.Context()); !errors.Is(err, console.ErrNoReload) {
		t.Errorf("of a program that does not read settings: %v", err)
	}
}
