package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/truestep-io/truestep/gateway"
)

// serveCmd runs the server. Each field is a flag, a TRUESTEP_* variable and, but for the first two, a key of the TOML file.
type serveCmd struct {
	Config      string `help:"TOML file with any of these flags as keys; truestep.toml is read if it is there." placeholder:"FILE"`
	PrintConfig bool   `help:"Print the settings that result from flags, variables and file, as TOML, and exit."`

	worldFlags
	doorFlags
	serverFlags
}

// worldFlags say which world is served.
type worldFlags struct {
	DataDir string `help:"Folder of accounts and characters; made if missing." default:"./truestep-data" toml:"data-dir"`

	World              string `help:"World file (TOML) instead of the embedded world." placeholder:"FILE" toml:"world" xor:"world"`
	RcceProject        string `help:"RealmCrafter project (the folder with Server Data) as the world." placeholder:"DIR" toml:"rcce-project" xor:"world"`
	RcceRules          string `help:"File with [rules] and [newcomers] of a world file for what the project leaves to scripts." placeholder:"FILE" toml:"rcce-rules"`
	NeutralResistances bool   `help:"Read resistance tables of a project that are all 0 as 100, which is neutral." toml:"neutral-resistances"`
	ClaimPolicy        string `help:"How claims of position are judged: as the world says, strict, or seed (the original's rule as it is)." enum:"world,strict,seed" default:"world" toml:"claim-policy"`
	Step               string `help:"How walks divide their length: as the world says, euclidean, or l1 (as the original server)." enum:"world,euclidean,l1" default:"world" toml:"step"`
	Seed               uint64 `help:"Seed of all luck; 0 takes a new one." default:"0" toml:"seed"`
}

// serverFlags are the settings of what is served beside the doors.
type serverFlags struct {
	Demo     bool `help:"Let a few bots in at each open door, which wander and fight, so that there is something to see." toml:"demo"`
	DemoBots int  `help:"Bots of --demo at each door, at most 50; default 4." default:"4" placeholder:"N" toml:"demo-bots"`

	consoleFlags

	Metrics   string `help:"Prometheus metrics and profiles over HTTP: HOST:PORT or off." default:"127.0.0.1:9180" toml:"metrics"`
	Status    bool   `help:"Show a status line, new each second." default:"true" negatable:"" toml:"status"`
	LogFormat string `help:"Log lines on standard error: text, json, or auto (text on a terminal)." enum:"auto,text,json" default:"auto" toml:"log-format"`
	LogLevel  string `help:"Least level that is logged: debug, info, warn, error." enum:"debug,info,warn,error" default:"info" toml:"log-level"`
}

// Help is what serve --help adds to the flags.
func (serveCmd) Help() string {
	return `Examples:
  truestep serve                               the embedded world
  truestep serve --demo                        with bots of each door in it
  truestep serve --rcce-project ./MyGame/data  your project, on its port
  truestep serve --data-dir /var/lib/truestep --rcce 0.0.0.0:25000 \
      --log-format json
  truestep serve --world world.toml --print-config > truestep.toml

Every flag can also be set by a variable (TRUESTEP_DATA_DIR) or a key of the TOML file (data-dir). Flags win over
variables, and variables over the file.

A line that begins with "ready" says that every door is open. Ctrl-C saves everybody and stops; a second one ends at
once. Exit status 0: stopped as asked. 1: the server broke. 2: a setting, a file or a port that you can mend.`
}

// Run runs the server until it is told to stop.
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

// untilSignal returns a context that ends with the first signal to stop. From then on a second one ends the program at
// once, and not from a moment later: that it does is said as soon as the context has ended.
func untilSignal() (ctx context.Context, stop func()) {
	ctx, stop = context.WithCancel(context.Background())
	told := make(chan os.Signal, 1)
	signal.Notify(told, os.Interrupt, syscall.SIGTERM)
	go func() {
		select {
		case <-told:
		case <-ctx.Done():
		}
		signal.Stop(told)
		stop()
	}()
	return ctx, stop
}

// serve loads the world and runs it.
func (s *serveCmd) serve(ctx context.Context, to std) error {
	out := newScreen(to)
	defer out.close()
	log := s.logger(out.log, isTerminal(to.err))
	w, err := s.loadWorld()
	if err != nil {
		return usage(err)
	}
	w.report(log)
	return s.run(ctx, out, log, w)
}

// run opens the doors of a world, waits for the end, and closes everything in the order that loses nothing.
func (s *serveCmd) run(ctx context.Context, out *screen, log *slog.Logger, w *servedWorld) error {
	r, err := s.start(ctx, log, w)
	if errors.Is(err, context.Canceled) {
		return nil // told to stop before it was ready
	}
	if err != nil {
		return usage(err)
	}
	log.Info(collisions(w.def))
	s.table(out, r)
	if s.Status {
		r.tasks.Go(func() { r.status(ctx, out) })
	}
	if err := s.startDemo(r); err != nil {
		return errors.Join(err, r.close())
	}
	return errors.Join(r.wait(ctx), r.close())
}

// printConfig prints the settings as a configuration file.
func (s *serveCmd) printConfig(to io.Writer) error {
	fmt.Fprintln(to, "# Settings of truestep serve, which reads them with --config FILE or from ./"+defaultConfig+".")
	groups := []any{&s.worldFlags}
	for _, d := range s.doors() {
		groups = append(groups, d.Settings())
	}
	for _, g := range append(groups, &s.serverFlags) {
		if err := toml.NewEncoder(to).Encode(g); err != nil {
			return err
		}
	}
	return nil
}

// defaultDataDir is the data folder of a server that is told no other.
const defaultDataDir = gateway.DefaultDataDir

// check refuses settings that cannot be meant.
func (s *serveCmd) check() error {
	var errs []error
	refuse := func(bad bool, format string, args ...any) {
		if bad {
			errs = append(errs, fmt.Errorf(format, args...))
		}
	}
	refuse(s.DataDir == "", "data-dir is empty: name a folder, or leave it out for ./truestep-data")
	refuse(s.RcceRules != "" && s.RcceProject == "", "rcce-rules is for a project: name that with --rcce-project DIR")
	refuse(s.NeutralResistances && s.RcceProject == "", "neutral-resistances is for a project: name that with --rcce-project DIR")
	refuse(s.Seed > math.MaxInt64, "seed %d is too great: at most %d, as TOML has no greater numbers", s.Seed, math.MaxInt64)
	for _, d := range s.doors() {
		errs = append(errs, d.Check())
	}
	s.checkConsole(refuse)
	s.checkJournal(refuse)
	s.checkDemo(refuse)
	return errors.Join(errs...)
}

func (s *serveCmd) seed() uint64 {
	if s.Seed != 0 {
		return s.Seed
	}
	return rand.Uint64()
}

func (s *serveCmd) logger(to io.Writer, terminal bool) *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // kong has checked it
	o := &slog.HandlerOptions{Level: level}
	if s.LogFormat == "json" || s.LogFormat == "auto" && !terminal {
		return slog.New(slog.NewJSONHandler(to, o))
	}
	if terminal { // whoever looks on knows the day
		o.ReplaceAttr = func(groups []string, a slog.Attr) slog.Attr {
			if len(groups) == 0 && a.Key == slog.TimeKey && a.Value.Kind() == slog.KindTime {
				return slog.String(a.Key, a.Value.Time().Format(time.TimeOnly))
			}
			return a
		}
	}
	return slog.New(slog.NewTextHandler(to, o))
}
