package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"os"
	"os/signal"
	"sync"
	"syscall"
	"time"

	"github.com/BurntSushi/toml"
	"github.com/alecthomas/kong"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/swarm/demo"
)

// serveCmd runs the server. Each field is a flag, a TRUESTEP_* variable and, but for the first four, a key of the TOML file.
type serveCmd struct {
	Config      string `help:"TOML file with any of these flags as keys; truestep.toml is read if it is there." placeholder:"FILE"`
	PrintConfig bool   `help:"Print the settings that result from flags, variables and file, as TOML, and exit."`
	AcceptLoss  bool   `help:"Start although stored data is missing, with what is left; the damaged files are copied first."`
	TapeDiscard bool   `help:"Set the tape of an earlier run aside and start from the stored records."`

	worldFlags
	doorFlags
	serverFlags
}

// worldFlags select the world and the data folder.
type worldFlags struct {
	DataDir string `help:"Folder of accounts and characters; made if missing." default:"./truestep-data" toml:"data-dir"`
	server.WorldConfig
	Seed uint64 `help:"Seed of all random numbers; 0 takes a new one." default:"0" toml:"seed"`
}

// doorFlags are the settings of all doors. Each door declares its own.
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

// serverFlags are all other settings.
type serverFlags struct {
	Demo     bool `help:"Let bots log in at each open door; they wander and fight." toml:"demo"`
	DemoBots int  `help:"Bots of --demo at each door, at most 50; default 4." default:"4" placeholder:"N" toml:"demo-bots"`

	server.ConsoleConfig
	server.JournalConfig
	server.TapeConfig
	server.LimitConfig

	Metrics         string `help:"Prometheus metrics over HTTP: HOST:PORT or off." default:"127.0.0.1:9180" toml:"metrics"`
	MetricsProfiles bool   `help:"Serve profiles (pprof) beside the metrics. They reveal memory and goroutines." toml:"metrics-profiles"`
	Status          bool   `help:"Show a status line, updated each second." default:"true" negatable:"" toml:"status"`
	LogFormat       string `help:"Log lines on standard error: text, json, or auto (text on a terminal)." enum:"auto,text,json" default:"auto" toml:"log-format"`
	LogLevel        string `help:"Lowest level that is logged: debug, info, warn, error." enum:"debug,info,warn,error" default:"info" toml:"log-level"`
}

// Help implements kong.HelpProvider.
func (serveCmd) Help() string { return helpText("serve") }

// Run runs the server until a signal stops it.
func (s *serveCmd) Run(to std) error {
	if err := s.check(); err != nil {
		return usage(err)
	}
	if s.PrintConfig {
		return s.printConfig(to.out)
	}
	ctx, stop := untilSignal()
	defer stop()
	return s.serve(ctx, to)
}

// repeatWithin is the time within which a repeated signal has no effect: service managers, scripts and impatient users
// send it twice, and an abort would lose everything since the last save.
const repeatWithin = 3 * time.Second

// untilSignal returns a context that ends with the first signal to stop: Ctrl-C, SIGTERM, or SIGHUP when the terminal is
// closed. Another Ctrl-C or SIGTERM more than repeatWithin later ends the program immediately.
func untilSignal() (ctx context.Context, stop func()) {
	ctx, stop = context.WithCancel(context.Background())
	signals := []os.Signal{os.Interrupt, syscall.SIGTERM}
	if !signal.Ignored(syscall.SIGHUP) { // nohup makes the process ignore SIGHUP
		signals = append(signals, syscall.SIGHUP)
	}
	// Standard output may be a pipe whose reader ends together with the terminal. SIGPIPE must not end the server before it has
	// saved its players.
	signal.Ignore(syscall.SIGPIPE)
	received := make(chan os.Signal, 1)
	signal.Notify(received, signals...)
	go stopOnSignal(received, stop, func(sig os.Signal) {
		fmt.Fprintf(os.Stderr, "truestep: ended at once by a second signal (%v); what was not saved yet is lost\n", sig)
		os.Exit(exitAborted)
	})
	return ctx, stop
}

// exitAborted is the exit status after a second signal, that of a shell for a program ended by SIGINT.
const exitAborted = 130

// stopOnSignal calls stop on the first signal and abort on one that is received more than repeatWithin later. SIGHUP
// never aborts: a closed terminal sends it twice, once from its shell and once from the kernel when the shell ends.
func stopOnSignal(received <-chan os.Signal, stop func(), abort func(os.Signal)) {
	<-received
	first := time.Now()
	stop()
	for sig := range received {
		if sig != syscall.SIGHUP && time.Since(first) > repeatWithin {
			abort(sig)
			return
		}
	}
}

// serve loads the world and runs it.
func (s *serveCmd) serve(ctx context.Context, to std) error {
	out := terminal.NewScreen(to.out, to.err)
	defer out.Close()
	log := s.logger(out.Log, terminal.IsTerminal(to.err))
	w, err := s.Load()
	if err != nil {
		return usage(err)
	}
	w.LogWarnings(log)
	return s.run(ctx, out, log, w)
}

// run serves a world until ctx ends or something breaks. The bots of --demo log out before the world stops.
func (s *serveCmd) run(ctx context.Context, out *terminal.Screen, log *slog.Logger, w *server.LoadedWorld) error {
	var bots demo.Accounts
	cfg := s.config(log, w)
	cfg.PlayerLog = slog.New(demo.NewHandler(log.Handler(), &bots))
	server.RaiseMinimumHeap()
	srv, err := server.Start(ctx, cfg)
	if errors.Is(err, context.Canceled) {
		return nil // a signal stopped the server before it was ready
	}
	if err != nil {
		return usage(err)
	}
	s.printStart(out, srv, w)
	showing, hide := context.WithCancel(ctx)
	var status sync.WaitGroup
	if s.Status {
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

// config is the configuration that the flags describe.
func (s *serveCmd) config(log *slog.Logger, w *server.LoadedWorld) server.Config {
	return server.Config{
		World: w.World, ProjectPort: w.ProjectPort, Doors: s.doors, DataDir: s.DataDir, AcceptLoss: s.AcceptLoss, TapeDiscard: s.TapeDiscard, Seed: s.Seed,
		ConsoleConfig: s.ConsoleConfig, JournalConfig: s.JournalConfig, TapeConfig: s.TapeConfig, LimitConfig: s.LimitConfig, Metrics: s.Metrics, MetricsProfiles: s.MetricsProfiles,
		Version: version, Log: log,
	}
}

// printConfig prints the settings as a configuration file.
func (s *serveCmd) printConfig(to io.Writer) error {
	fmt.Fprintln(to, "# Settings of truestep serve, which reads them with --config FILE or from ./"+defaultConfig+".")
	groups := []any{&s.worldFlags}
	for _, d := range s.doors {
		groups = append(groups, d.Settings())
	}
	for _, g := range append(groups, &s.serverFlags) {
		if err := toml.NewEncoder(to).Encode(g); err != nil {
			return err
		}
	}
	return nil
}

// check refuses settings that are out of range or contradict each other.
func (s *serveCmd) check() error {
	cfg := s.config(nil, new(server.LoadedWorld))
	return errors.Join(cfg.Check(), s.WorldConfig.Check(), s.checkDemo())
}

func (s *serveCmd) logger(to io.Writer, onTerminal bool) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // kong has already validated the level
	o := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" || s.LogFormat == "auto" && !onTerminal {
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
