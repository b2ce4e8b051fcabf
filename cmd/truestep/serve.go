package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"sync"
	"time"

	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/settings"
	"github.com/truestep-io/truestep/internal/startscreen"
	"github.com/truestep-io/truestep/internal/stopsignal"
	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/swarm/demo"
	"github.com/truestep-io/truestep/telemetry"
)

// serveCmd runs the server. Each field is a flag. The first five can be set on the command line only, except for Config, which the
// variable TRUESTEP_CONFIG sets, too. All others are also TRUESTEP_* variables and keys of the TOML file.
type serveCmd struct {
	Config       string `help:"TOML file with settings, whose keys are names of flags; truestep.toml is read if it is there." placeholder:"FILE"`
	PrintConfig  bool   `help:"Print the settings that result from flags, variables and file, as TOML, and exit."`
	AcceptLoss   bool   `help:"Start although stored data is missing, or the end of Raft logs after a loss of power, with what is left; damaged files are copied first. Give it once."`
	ClusterBegin bool   `help:"Begin the areas of a cluster anew, from stored records, when no node has logs of the areas. Give it to all nodes once."`
	TapeDiscard  bool   `help:"Set the tape of an earlier run aside and start from the stored records."`

	worldFlags
	doorFlags
	serverFlags

	args  []string       // command line of the program
	level *slog.LevelVar // level of the log, which a reload may change

	stopTimeout time.Duration // maximum duration of the server's stop; 0 selects server.StopTimeout; tests set it
}

// worldFlags are the flags that select the world and the data folder.
type worldFlags struct {
	DataDir string `help:"Folder of all that the server stores; made if missing." default:"./truestep-data" toml:"data-dir"`
	server.StoreConfig
	server.WorldConfig
	Seed uint64 `help:"Seed of all random numbers; 0 takes a new one." default:"0" toml:"seed"`
}

// doorFlags holds the settings of all doors. Each door declares its own settings.
type doorFlags struct {
	kong.Plugins
	doors []gateway.Door
}

// newDoorFlags returns the flags of all doors; parsing them sets the fields of the doors.
func newDoorFlags(doors []gateway.Door) doorFlags {
	f := doorFlags{doors: doors}
	for _, d := range doors {
		f.Plugins = append(f.Plugins, d.Settings())
	}
	return f
}

// serverFlags are all settings other than those of the world and of the doors.
type serverFlags struct {
	Demo     bool `help:"Let bots log in at each open door; they wander and fight." toml:"demo"`
	DemoBots int  `help:"Bots of --demo at each door, at most 50; default 4." default:"4" placeholder:"N" toml:"demo-bots"`

	server.ClusterConfig
	server.ConsoleConfig
	server.JournalConfig
	server.ChatConfig
	server.TapeConfig
	server.BackupConfig
	server.HistoryConfig
	server.WebhookConfig
	server.LimitConfig

	Metrics         string `help:"Prometheus metrics over HTTP: HOST:PORT or off." default:"127.0.0.1:9180" toml:"metrics"`
	MetricsProfiles bool   `help:"Serve profiles (pprof) beside the metrics. They reveal memory and goroutines." toml:"metrics-profiles"`
	Status          *bool  `help:"Show a status line, updated each second. By default only on a terminal." negatable:"" toml:"status"`
	LogFormat       string `help:"Log lines on standard error: text, json, or auto (text on a terminal)." enum:"auto,text,json" default:"auto" toml:"log-format"`
	LogLevel        string `help:"Lowest level that is logged: debug, info, warn, error." enum:"debug,info,warn,error" default:"info" toml:"log-level"`
}

// Help returns the text that is printed below the flags of the command.
func (serveCmd) Help() string { return helpText("serve") }

// Run runs the server until a signal or an operator stops it or it fails. With --print-config it only prints the settings.
func (s *serveCmd) Run(to std, command *kong.Context) error {
	if err := s.check(); err != nil {
		return usage(err)
	}
	if s.PrintConfig {
		return settings.Print(to.out, "Settings of truestep serve, which reads them with --config FILE or from ./"+defaultConfig+".", command.Selected().Flags)
	}
	ctx, stop := stopsignal.Context()
	defer stop()
	return s.serve(ctx, to, command.Selected().Flags)
}

// startTime limits how long log lines are delayed at the start, so that they appear below the start screen. If the start takes
// longer, for example because many ticks are restored, the lines are printed after this time and show the progress.
const startTime = 2 * time.Second

// serve loads the world and runs the server.
func (s *serveCmd) serve(ctx context.Context, to std, flags []*kong.Flag) error {
	out := terminal.NewScreen(to.out, to.err)
	defer out.Close()
	log := s.logger(out.Log, terminal.IsTerminal(to.err))
	out.Hold(startTime) // log lines wait until the start screen is printed, at most for startTime
	w, err := s.Load()
	if err != nil {
		return usage(err)
	}
	for _, u := range s.withoutEffect(flags) {
		log.Warn("setting has no effect", "setting", u.flag, telemetry.FieldReason, u.why)
	}
	w.LogWarnings(log)
	return s.run(ctx, out, log, w, settings.Values(flags))
}

// run serves a world until ctx ends or the server fails. The bots of --demo log out before the world stops.
func (s *serveCmd) run(ctx context.Context, out *terminal.Screen, log *slog.Logger, w *server.LoadedWorld, values map[string]string) error {
	var bots demo.Accounts
	cfg := s.config(log, w)
	cfg.ReloadConfig = server.ReloadConfig{Settings: values, Reread: s.reread, LogLevel: s.level}
	cfg.PlayerLog = slog.New(demo.NewHandler(log.Handler(), &bots))
	server.RaiseMinimumHeap()
	srv, err := server.Start(ctx, cfg)
	if errors.Is(err, context.Canceled) {
		return nil // a signal stopped the server before it was ready
	}
	if err != nil {
		return usage(err)
	}
	at := startscreen.Options{Version: version, DataDir: s.DataDir, Store: s.Store.String()}
	if s.Demo {
		at.Bots = s.DemoBots
	}
	fmt.Fprintln(out.Out, startscreen.Text(srv, w, at))
	out.Release()
	showing, hide := context.WithCancel(ctx)
	var status sync.WaitGroup
	if s.Status == nil && terminal.IsTerminal(out.Out) || s.Status != nil && *s.Status {
		status.Go(func() { showStatus(showing, out, srv) })
	}
	var crowd *demo.Bots // remains nil without --demo
	if s.Demo {
		crowd, err = demo.StartOn(srv, s.DataDir, s.DemoBots, log, &bots)
	}
	if err == nil {
		err = srv.Wait(ctx)
	}
	if ctx.Err() != nil {
		log.Info("stopping: saving every player; Ctrl-C again after 3 s ends at once")
	}
	crowd.Stop()
	err = errors.Join(err, srv.Close())
	hide()
	status.Wait()
	crowd.Wait()
	return err
}

// config returns the server configuration that the flags describe.
func (s *serveCmd) config(log *slog.Logger, w *server.LoadedWorld) server.Config {
	return server.Config{
		World: w.World, ProjectPort: w.ProjectPort, Doors: s.doors, DataDir: s.DataDir, AcceptLoss: s.AcceptLoss, TapeDiscard: s.TapeDiscard, ClusterBegin: s.ClusterBegin, Seed: s.Seed,
		StoreConfig: s.StoreConfig, ClusterConfig: s.ClusterConfig, ConsoleConfig: s.ConsoleConfig, JournalConfig: s.JournalConfig, ChatConfig: s.ChatConfig, TapeConfig: s.TapeConfig, BackupConfig: s.BackupConfig, HistoryConfig: s.HistoryConfig, WebhookConfig: s.WebhookConfig, LimitConfig: s.LimitConfig, Metrics: s.Metrics, MetricsProfiles: s.MetricsProfiles,
		Version: version, Log: log, StopTimeout: s.stopTimeout,
	}
}

// reread reads flags, environment variables and the configuration file again and returns the resulting server configuration.
func (s *serveCmd) reread() (server.Config, error) {
	now := newCLI()
	parsed, err := newParser(now, s.args, std{io.Discard, io.Discard}, func(int) {}).Parse(s.args)
	if err != nil {
		return server.Config{}, withHint(err)
	}
	w, err := now.Serve.Load()
	if err := errors.Join(now.Serve.check(), err); err != nil {
		return server.Config{}, err
	}
	cfg := now.Serve.config(slog.New(slog.DiscardHandler), w)
	cfg.Settings = settings.Values(parsed.Selected().Flags)
	return cfg, nil
}

// check returns an error if settings are out of range or contradict each other.
func (s *serveCmd) check() error {
	cfg := s.config(nil, new(server.LoadedWorld))
	return errors.Join(cfg.Check(), s.WorldConfig.Check(), s.checkDemo())
}

func (s *serveCmd) logger(to io.Writer, onTerminal bool) *slog.Logger {
	s.level = new(slog.LevelVar)
	_ = s.level.UnmarshalText([]byte(s.LogLevel)) // kong has already validated the level
	o := &slog.HandlerOptions{Level: s.level}
	if s.LogFormat == "json" || s.LogFormat == "auto" && !onTerminal {
		o.ReplaceAttr = func(_ []string, a slog.Attr) slog.Attr {
			if a.Value.Kind() == slog.KindDuration { // as text with its unit instead of nanoseconds
				return slog.String(a.Key, a.Value.Duration().String())
			}
			return a
		}
		return slog.New(slog.NewJSONHandler(to, o))
	}
	if onTerminal { // log lines on a terminal need no date
		o.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey && a.Value.Kind() == slog.KindTime {
				return slog.String(a.Key, a.Value.Time().Format(time.TimeOnly))
			}
			return a
		}
	}
	return slog.New(slog.NewTextHandler(to, o))
}
