package server

import (
	"cmp"
	"context"
	"log/slog"
	"reflect"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/console"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/webhook"
)

// ReloadConfig lets a running server read its settings again.
type ReloadConfig struct {
	// Settings are the values of all settings as text, by flag name. A reload compares them with the new values.
	Settings map[string]string

	// Reread reads the settings again and returns a checked Config with Settings and World set. If Reread is nil, the
	// server cannot reload.
	Reread func() (Config, error)

	// LogLevel is the level of Config.Log. If LogLevel is nil, the level cannot be changed.
	LogLevel *slog.LevelVar
}

// Reload reads the settings and the world again, and applies the changes that are possible while players are in the world. These
// are changes of (1) the log level, (2) the limits of chat, of failed logins and of new accounts, (3) the receivers of webhooks,
// (4) how much chat is kept, and (5) a world file, if content.Reload accepts all of its changes. Everything else stays as it was.
// The result says what has changed, and what has not and why. After an error nothing is changed. Errors: console.ErrNoReload, and
// those of Reread.
func (s *Server) Reload(ctx context.Context) (*console.Reloaded, error) {
	if s.cfg.Reread == nil {
		return nil, console.ErrNoReload
	}
	s.reloading.Lock()
	defer s.reloading.Unlock()
	if err := ctx.Err(); err != nil {
		return nil, err
	}
	next, err := s.cfg.Reread()
	if err != nil {
		return nil, err
	}
	receivers, err := loadReceivers(next.Webhooks)
	if err != nil {
		return nil, err
	}
	r := &console.Reloaded{Applied: []console.AppliedSetting{}, Kept: []console.KeptSetting{}}
	worldIsNext := s.reloadWorld(ctx, next.World, r)
	for _, name := range changedSettings(s.settings, next.Settings) {
		if s.appliesLive(name, &next) || worldIsNext && isWorldSetting(name) {
			r.Applied = append(r.Applied, console.AppliedSetting{Setting: name, From: settingText(s.settings[name]), To: settingText(next.Settings[name])})
			s.settings[name] = next.Settings[name]
		} else {
			r.Kept = append(r.Kept, console.KeptSetting{Setting: name, Why: s.whyRestart(name)})
		}
	}
	s.applyLimits(&next)
	if !reflect.DeepEqual(receivers, s.webhooks.receivers) {
		if !slices.ContainsFunc(r.Applied, func(a console.AppliedSetting) bool { return a.Setting == "webhooks" }) {
			r.Applied = append(r.Applied, console.AppliedSetting{Setting: "webhooks", From: next.Webhooks, To: next.Webhooks + " as it is now"})
		}
		s.webhooks.replace(s, receivers)
	}
	for _, a := range r.Applied {
		s.log.Info("setting changed", "setting", a.Setting, "from", a.From, "to", a.To)
	}
	return r, nil
}

// settingText returns the value of a setting as it is displayed: "nothing" for an empty value.
func settingText(value string) string { return cmp.Or(value, "nothing") }

// changedSettings returns the sorted names of the settings whose values differ between the parameters before and now.
func changedSettings(before, now map[string]string) (names []string) {
	for name, value := range now {
		if before[name] != value {
			names = append(names, name)
		}
	}
	slices.Sort(names)
	return names
}

// appliesLive reports whether a changed setting can be applied while the server is running.
func (s *Server) appliesLive(name string, next *Config) bool {
	switch name {
	case "log-level":
		return s.cfg.LogLevel != nil
	case "area-chat", "failures-per-account", "failures-anywhere", "accounts-per-addr", "webhooks":
		return true
	case "chat-retain", "chat-keep":
		return s.chat != nil && next.ChatRetain > 0
	}
	return false
}

// applyLimits applies all settings for which appliesLive returns true, except the receivers of webhooks.
func (s *Server) applyLimits(next *Config) {
	if s.cfg.LogLevel != nil {
		var level slog.Level
		if level.UnmarshalText([]byte(next.Settings["log-level"])) == nil {
			s.cfg.LogLevel.Set(level)
		}
	}
	s.hub.SetLimits(session.Limits{
		AreaChat: next.AreaChat, FailuresPerAccount: next.FailuresPerAccount, FailuresAnywhere: next.FailuresAnywhere, AccountsPerAddr: next.AccountsPerAddr,
	})
	if next.ChatRetain > 0 {
		s.chat.SetBounds(next.ChatRetain, next.ChatKeep)
	}
}

const whyWorld = "the setting selects the world, and another world needs a restart"

// whyRestart returns why a setting cannot be changed while the server is running.
func (s *Server) whyRestart(name string) string {
	for _, d := range s.doors {
		if why := whyDoorRestarts(name, d.Name()); why != "" {
			return why
		}
	}
	return WhyRestart(name)
}

// whyDoorRestarts returns why a setting of a door cannot be changed while the server is running, or "" if the setting
// does not belong to that door.
func whyDoorRestarts(name, door string) string {
	if !isWorldSetting(name) && (name == door || strings.HasPrefix(name, door+"-")) {
		return "a door reads its settings when it opens its socket"
	}
	return ""
}

func isWorldSetting(name string) bool {
	return slices.Contains([]string{"world", "rcce-project", "rcce-rules", "neutral-resistances", "claim-policy", "step"}, name)
}

// WhyRestart returns why a setting cannot be changed while the server is running. It knows only the settings that do not belong
// to a door: for all others it returns "", which does not mean that they can be changed.
func WhyRestart(name string) string {
	part, _, _ := strings.Cut(name, "-")
	switch {
	case isWorldSetting(name):
		return whyWorld
	case name == "data-dir", name == "store":
		return "the store is opened at the start"
	case name == "seed":
		return "the random numbers of the areas are seeded at the start"
	case name == "send-budget", name == "login-hashers", name == "logins-per-addr":
		return "the memory or the login queue that the setting limits is set up at the start"
	case name == "log-level", name == "log-format", name == "status":
		return "the output is opened at the start"
	case part == "cluster", name == "node", name == "suspect-after":
		return "a node joins its cluster at the start"
	case part == "chat":
		return "the chat log is opened, or deleted, at the start"
	case part == "console", part == "metrics":
		return "the socket is opened at the start"
	case part == "tape":
		return "the tape is opened at the start"
	case part == "journal":
		return "the journal is opened at the start"
	case part == "history":
		return "the file of figures has a size that is fixed at the start"
	case part == "backup":
		return "the schedule of backups begins at the start"
	case part == "demo":
		return "the bots log in at the start"
	}
	return ""
}

// loadReceivers reads the receivers of webhooks from a file. If path is "", there are none.
func loadReceivers(path string) ([]webhook.Receiver, error) {
	if path == "" {
		return nil, nil
	}
	return webhook.Load(path)
}
