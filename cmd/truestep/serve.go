package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math/rand/v2"
	"net"
	"net/http"
	"net/http/pprof"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway/rcce"
	"github.com/truestep-io/truestep/interest"
	"github.com/truestep-io/truestep/session"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/store/sqlite"
	"github.com/truestep-io/truestep/telemetry"
)

// stopWithin is how long a graceful stop takes at most; what is not saved by then is said.
const stopWithin = 3 * time.Second

// serveCmd runs the server. Each field is a flag, a TRUESTEP_* variable and a key of the TOML file.
type serveCmd struct {
	Config      string `help:"TOML file with any of these flags as keys; truestep.toml is read if it is there." placeholder:"FILE" toml:"-"`
	PrintConfig bool   `help:"Print the settings that result from flags, variables and file, as TOML, and exit." toml:"-"`

	DataDir string `help:"Folder of accounts and characters; made if missing." default:"./truestep-data" placeholder:"DIR" toml:"data-dir"`

	World              string `help:"World file (TOML) instead of the embedded world." placeholder:"FILE" toml:"world" xor:"world"`
	RcceProject        string `help:"RealmCrafter project (the folder with Server Data) as the world." placeholder:"DIR" toml:"rcce-project" xor:"world"`
	RcceRules          string `help:"File with [rules] and [newcomers] of a world file for what the project leaves to scripts." placeholder:"FILE" toml:"rcce-rules"`
	NeutralResistances bool   `help:"Read resistance tables of a project that are all 0 as 100, which is neutral." toml:"neutral-resistances"`
	ClaimPolicy        string `help:"How claims of position are judged: as the world says, strict, or seed (the original's rule as it is)." enum:"world,strict,seed" default:"world" toml:"claim-policy"`
	Step               string `help:"How walks divide their length: as the world says, euclidean, or l1 (as the original server)." enum:"world,euclidean,l1" default:"world" toml:"step"`
	Seed               uint64 `help:"Seed of all luck; 0 takes a new one." default:"0" toml:"seed"`

	Rcce             string        `help:"Door for RealmCrafter clients: HOST:PORT (UDP; port 0 picks one) or off. Default :25000, or the project's port." placeholder:"ADDR" toml:"rcce"`
	RcceMiddleEvery  time.Duration `help:"How often actors 500 to 1000 units away are updated: 400ms as documented, 1s as the newer source." default:"400ms" toml:"rcce-middle-every"`
	RcceMaxPeers     int           `help:"Connections of that door at once." default:"5000" toml:"rcce-max-peers"`
	RccePeersPerAddr int           `help:"Connections from one address, loopback apart." default:"50" toml:"rcce-peers-per-addr"`
	RcceWorkers      int           `help:"Goroutines that own connections; 0 is one per core." default:"0" toml:"rcce-workers"`

	Metrics   string `help:"Prometheus metrics and profiles over HTTP: HOST:PORT or off." default:"127.0.0.1:9180" placeholder:"ADDR" toml:"metrics"`
	Status    bool   `help:"Print a status line each second." default:"true" negatable:"" toml:"status"`
	LogFormat string `help:"Log lines on standard error: text, json, or auto (text on a terminal)." enum:"auto,text,json" default:"auto" toml:"log-format"`
	LogLevel  string `help:"Least level that is logged: debug, info, warn, error." enum:"debug,info,warn,error" default:"info" toml:"log-level"`

	stdout io.Writer
}

// Help is what serve --help adds to the flags.
func (serveCmd) Help() string {
	return `Examples:
  truestep serve
  truestep serve --data-dir /var/lib/truestep --rcce 0.0.0.0:25000
  truestep serve --rcce-project ./MyGame/data --claim-policy seed
  truestep serve --world world.toml --print-config > truestep.toml

Every flag is also a variable (TRUESTEP_DATA_DIR) and a key of the TOML file (data-dir), in that order of strength.
A line that begins with "ready" says that every door is open. Ctrl-C saves everybody and stops.`
}

func (s *serveCmd) Run() error {
	if s.stdout == nil {
		s.stdout = os.Stdout
	}
	if s.PrintConfig {
		return toml.NewEncoder(s.stdout).Encode(s)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	return s.serve(ctx)
}

// serve opens the world, the store and the doors, waits, and closes them in the order that loses nothing.
func (s *serveCmd) serve(ctx context.Context) error {
	log := s.logger()
	w, port, err := s.loadWorld(log)
	if err != nil {
		return usage(err)
	}
	policy := interest.Seed()
	policy.MiddleEveryMS = int32(s.RcceMiddleEvery.Milliseconds())
	if err := policy.Check(); err != nil {
		return usage(fmt.Errorf("rcce-middle-every: %w", err))
	}
	store, err := sqlite.Open(ctx, s.DataDir)
	if err != nil {
		return usage(err)
	}
	defer store.Close()
	metrics := telemetry.New()
	world := area.NewWorld(w, area.Options{Seed: s.seed(), Log: log, Metrics: metrics, ReplayDir: s.DataDir})
	hub := session.NewHub(world, store, session.Options{Log: log, Metrics: metrics})
	run := &running{world: world, hub: hub, log: log, metrics: metrics}
	if err := s.open(run, port, policy); err != nil {
		return usage(errors.Join(err, run.close()))
	}
	world.Start(context.Background()) // ended by Stop, not by the signal
	run.serve()
	s.table(run)
	if s.Status {
		go run.status(ctx, s.stdout)
	}
	select {
	case <-ctx.Done():
		log.Info("stopping; everybody is saved")
	case <-world.Done():
	}
	return run.close()
}

func (s *serveCmd) seed() uint64 {
	if s.Seed != 0 {
		return s.Seed
	}
	return rand.Uint64()
}

func (s *serveCmd) logger() *slog.Logger {
	var level slog.Level
	_ = level.UnmarshalText([]byte(s.LogLevel)) // kong has checked it
	o := &slog.HandlerOptions{Level: level}
	info, err := os.Stderr.Stat()
	terminal := err == nil && info.Mode()&os.ModeCharDevice != 0
	if s.LogFormat == "json" || s.LogFormat == "auto" && !terminal {
		return slog.New(slog.NewJSONHandler(os.Stderr, o))
	}
	return slog.New(slog.NewTextHandler(os.Stderr, o))
}

// loadWorld returns the world and the UDP port that its RealmCrafter clients expect.
func (s *serveCmd) loadWorld(log *slog.Logger) (*sim.World, int, error) {
	w, port, warnings, err := s.readWorld()
	if err != nil {
		return nil, 0, err
	}
	for _, warning := range warnings {
		log.Warn("world: " + warning.String())
	}
	switch s.ClaimPolicy {
	case "strict":
		w.Rules.Claim = move.StrictPolicy()
	case "seed":
		w.Rules.Claim = move.SeedPolicy()
	}
	switch s.Step {
	case "euclidean":
		w.Rules.Step = move.Euclidean
	case "l1":
		w.Rules.Step = move.L1
	}
	return w, port, nil
}

func (s *serveCmd) readWorld() (*sim.World, int, []content.Warning, error) {
	switch {
	case s.World != "":
		text, err := os.ReadFile(s.World)
		if err != nil {
			return nil, 0, nil, fmt.Errorf("world file: %w", err)
		}
		w, warnings, err := content.LoadWorld(s.World, text)
		return w, rcce.DefaultPort, warnings, err
	case s.RcceProject != "":
		o := content.ProjectOptions{NeutralZeroResistances: s.NeutralResistances, RulesName: s.RcceRules}
		if s.RcceRules != "" {
			text, err := os.ReadFile(s.RcceRules)
			if err != nil {
				return nil, 0, nil, fmt.Errorf("rules file: %w", err)
			}
			o.Rules = text
		}
		p, warnings, err := content.LoadProject(os.DirFS(s.RcceProject), o)
		if err != nil {
			return nil, 0, nil, err
		}
		return p.World, p.Port, warnings, nil
	}
	return content.DefaultWorld(), rcce.DefaultPort, nil, nil
}

// open opens every door and the metrics.
func (s *serveCmd) open(r *running, port int, policy interest.Policy) error {
	if s.Metrics != "off" {
		l, err := net.Listen("tcp", s.Metrics)
		if err != nil {
			return fmt.Errorf("metrics: cannot listen on %s: %w; choose another address with --metrics HOST:PORT, or off", s.Metrics, err)
		}
		r.metricsAt = l
	}
	if s.Rcce == "off" {
		return nil
	}
	at := s.Rcce
	if at == "" {
		at = fmt.Sprintf(":%d", port)
	}
	g, err := rcce.Listen(r.hub, r.world, rcce.Options{
		Addr: at, Log: r.log, Metrics: r.metrics, Policy: &policy,
		Workers: s.RcceWorkers, MaxPeers: s.RcceMaxPeers, PeersPerAddr: s.RccePeersPerAddr,
	})
	r.rcce = g
	return err
}

// table prints where everything is, and then the line that says so to scripts.
func (s *serveCmd) table(r *running) {
	w := r.world.Def()
	fmt.Fprintf(s.stdout, "truestep %s: %s, %d areas, %d ticks/s\n\n", version, w.Name, len(w.Areas), w.TicksPerSecond)
	row := func(what, where, who string) { fmt.Fprintf(s.stdout, "  %-8s  %-28s  %s\n", what, where, who) }
	if r.rcce != nil {
		row("rcce", r.rcce.Addr().String()+"/udp", "RealmCrafter CE clients")
	} else {
		row("rcce", "off", "RealmCrafter CE clients")
	}
	if r.metricsAt != nil {
		row("metrics", "http://"+r.metricsAt.Addr().String()+"/metrics", "Prometheus")
	}
	row("data", s.DataDir, "accounts and characters")
	fmt.Fprintf(s.stdout, "\nready\n")
}

// running is a server that is up.
type running struct {
	world     *area.World
	hub       *session.Hub
	log       *slog.Logger
	metrics   *telemetry.Metrics
	rcce      *rcce.Gateway
	metricsAt net.Listener

	doors chan error
}

// serve starts the doors.
func (r *running) serve() {
	r.doors = make(chan error, 1)
	go func() {
		if r.rcce != nil {
			r.doors <- r.rcce.Run(context.Background()) // ends with the world
		}
		close(r.doors)
	}()
	if r.metricsAt != nil {
		mux := http.NewServeMux()
		mux.Handle("GET /metrics", r.metrics.Handler())
		mux.HandleFunc("GET /debug/pprof/", pprof.Index)
		mux.HandleFunc("GET /debug/pprof/profile", pprof.Profile)
		go http.Serve(r.metricsAt, mux)
	}
}

// close stops the world first, which emits everybody's last record, then waits for the doors to say good-bye and for
// the records to be stored.
func (r *running) close() error {
	ctx, cancel := context.WithTimeout(context.Background(), stopWithin)
	defer cancel()
	err := r.world.Stop(ctx)
	if r.doors != nil {
		select {
		case doorErr := <-r.doors:
			err = errors.Join(err, doorErr)
		case <-ctx.Done():
			err = errors.Join(err, errors.New("a door did not close in time"))
		}
	}
	err = errors.Join(err, r.hub.Close(ctx))
	if r.metricsAt != nil {
		r.metricsAt.Close()
	}
	return err
}

// status prints what matters, once a second.
func (r *running) status(ctx context.Context, out io.Writer) {
	ticker := time.NewTicker(time.Second)
	defer ticker.Stop()
	was, at := r.metrics.Totals(), time.Now()
	for {
		select {
		case <-ctx.Done():
			return
		case <-r.world.Done():
			return
		case <-ticker.C:
		}
		is, now := r.metrics.Totals(), time.Now()
		var line telemetry.Status
		for _, a := range r.world.Stats() {
			line.Players += a.Players
			line.Actors += a.Actors
			line.TickP50 = max(line.TickP50, a.TickP50)
			line.TickP99 = max(line.TickP99, a.TickP99)
		}
		line.Rates(was, is, now.Sub(at))
		fmt.Fprintln(out, line)
		was, at = is, now
	}
}
