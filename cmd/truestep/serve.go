package main

import (
	"context"
	"errors"
	"fmt"
	"io"
	"log/slog"
	"math"
	"math/rand/v2"
	"net"
	"os"
	"os/signal"
	"syscall"
	"time"

	"github.com/BurntSushi/toml"

	"github.com/truestep-io/truestep/interest"
)

// serveCmd runs the server. Each field is a flag, a TRUESTEP_* variable and a key of the TOML file.
type serveCmd struct {
	Config      string `help:"TOML file with any of these flags as keys; truestep.toml is read if it is there." placeholder:"FILE" toml:"-"`
	PrintConfig bool   `help:"Print the settings that result from flags, variables and file, as TOML, and exit." toml:"-"`

	DataDir string `help:"Folder of accounts and characters; made if missing." default:"./truestep-data" toml:"data-dir"`

	World              string `help:"World file (TOML) instead of the embedded world." placeholder:"FILE" toml:"world" xor:"world"`
	RcceProject        string `help:"RealmCrafter project (the folder with Server Data) as the world." placeholder:"DIR" toml:"rcce-project" xor:"world"`
	RcceRules          string `help:"File with [rules] and [newcomers] of a world file for what the project leaves to scripts." placeholder:"FILE" toml:"rcce-rules"`
	NeutralResistances bool   `help:"Read resistance tables of a project that are all 0 as 100, which is neutral." toml:"neutral-resistances"`
	ClaimPolicy        string `help:"How claims of position are judged: as the world says, strict, or seed (the original's rule as it is)." enum:"world,strict,seed" default:"world" toml:"claim-policy"`
	Step               string `help:"How walks divide their length: as the world says, euclidean, or l1 (as the original server)." enum:"world,euclidean,l1" default:"world" toml:"step"`
	Seed               uint64 `help:"Seed of all luck; 0 takes a new one." default:"0" toml:"seed"`

	Rcce             string        `help:"Door for RealmCrafter clients: HOST:PORT (UDP; no host is all interfaces, port 0 any port) or off. Default :25000, or the project's port." placeholder:"ADDR" toml:"rcce"`
	RcceMiddleEvery  time.Duration `help:"How often actors 500 to 1000 units away are updated: 400ms as documented, 1s as the newer source." default:"400ms" toml:"rcce-middle-every"`
	RcceMaxPeers     int           `help:"Connections of that door at once." default:"5000" toml:"rcce-max-peers"`
	RccePeersPerAddr int           `help:"Connections from one address, loopback apart." default:"50" toml:"rcce-peers-per-addr"`
	RcceWorkers      int           `help:"Goroutines that own connections, at most 64; 0 is one per core, at most 8." default:"0" toml:"rcce-workers"`

	Rs             string `help:"Door for RuneScape clients of revision 667: HOST:PORT (TCP; no host is all interfaces, port 0 any port) or off. Default :43594." placeholder:"ADDR" default:":43594" toml:"rs"`
	RsRegister     bool   `help:"A login with a name that nobody has makes the account." default:"true" negatable:"" toml:"rs-register"`
	RsJs5Upstream  string `name:"rs-js5-upstream" help:"Cache server to which those clients' requests for files are piped: HOST:PORT. Without one they are refused." placeholder:"ADDR" toml:"rs-js5-upstream"`
	RsMapKeys      string `help:"JSON file with the XTEA keys of the client's maps: [{\"mapsquare\": 12850, \"key\": [1, 2, 3, 4]}]." placeholder:"FILE" toml:"rs-map-keys"`
	RsRecord       string `help:"Folder in which is written down what each of those clients is sent and what is true, for truestep decode rs." placeholder:"DIR" toml:"rs-record"`
	RsMaxConns     int    `help:"Connections of that door at once, those for files among them." default:"5000" toml:"rs-max-conns"`
	RsConnsPerAddr int    `help:"Connections from one address, loopback apart." default:"50" toml:"rs-conns-per-addr"`
	RsWorkers      int    `help:"Goroutines that own players, at most 64; 0 is one per core, at most 8." default:"0" toml:"rs-workers"`

	Bedrock           string `help:"Door for Minecraft: Bedrock clients of 1.26.45 and 1.26.51: HOST:PORT (UDP; no host is all interfaces, port 0 any port) or off. Default :19132." placeholder:"ADDR" default:":19132" toml:"bedrock"`
	BedrockName       string `help:"The server's name in the list of those clients." default:"Truestep" toml:"bedrock-name"`
	BedrockOnline     bool   `help:"Let in only players whose login Xbox Live has signed. Needs the keys; without them nobody gets in." toml:"bedrock-online"`
	BedrockJwks       string `name:"bedrock-jwks" help:"JSON file with the key set (JWKS) of the service that signs those logins." placeholder:"FILE" toml:"bedrock-jwks"`
	BedrockCookies    bool   `help:"Ask clients to repeat a cookie, so that forged addresses cost nothing. Off lets in those that know none." default:"true" negatable:"" toml:"bedrock-cookies"`
	BedrockRadius     int    `help:"Chunks around a player that a client may ask for, 1..32." default:"8" toml:"bedrock-radius"`
	BedrockMaxPlayers int    `help:"Connections of that door at once." default:"1000" toml:"bedrock-max-players"`
	BedrockPerAddr    int    `help:"Connections from one address, loopback apart." default:"64" toml:"bedrock-per-addr"`
	BedrockKeylog     string `help:"File to which the key of each session is appended, for truestep decode bedrock. Whoever has it reads what was said." placeholder:"FILE" toml:"bedrock-keylog"`
	BedrockWorkers    int    `help:"Goroutines that own connections, at most 64; 0 is one per core, at most 8." default:"0" toml:"bedrock-workers"`

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
		fmt.Fprintln(to.out, "# Settings of truestep serve, which reads them with --config FILE or from ./"+defaultConfig+".")
		return toml.NewEncoder(to.out).Encode(s)
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

// defaultDataDir is the folder of a server that is not told another.
const defaultDataDir = "./truestep-data"

const (
	maxPeers   = 32766 // connections that ENet 1.1 can number
	maxWorkers = 64    // guess: more only cost memory
	maxConns   = 65536 // guess: far more than descriptors allow
)

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
	refuse(s.RcceMaxPeers < 1 || s.RcceMaxPeers > maxPeers, "rcce-max-peers %d: must be 1..%d", s.RcceMaxPeers, maxPeers)
	refuse(s.RccePeersPerAddr < 1 || s.RccePeersPerAddr > maxPeers, "rcce-peers-per-addr %d: must be 1..%d", s.RccePeersPerAddr, maxPeers)
	refuse(s.RcceWorkers < 0 || s.RcceWorkers > maxWorkers, "rcce-workers %d: must be 0..%d", s.RcceWorkers, maxWorkers)
	refuse(s.RsMaxConns < 1 || s.RsMaxConns > maxConns, "rs-max-conns %d: must be 1..%d", s.RsMaxConns, maxConns)
	refuse(s.RsConnsPerAddr < 1 || s.RsConnsPerAddr > maxConns, "rs-conns-per-addr %d: must be 1..%d", s.RsConnsPerAddr, maxConns)
	refuse(s.RsWorkers < 0 || s.RsWorkers > maxWorkers, "rs-workers %d: must be 0..%d", s.RsWorkers, maxWorkers)
	s.checkBedrock(refuse)
	s.checkConsole(refuse)
	s.checkJournal(refuse)
	s.checkDemo(refuse)
	if s.RsJs5Upstream != "" {
		_, _, err := net.SplitHostPort(s.RsJs5Upstream)
		refuse(err != nil, "rs-js5-upstream %q: %v; write HOST:PORT, such as 127.0.0.1:43593", s.RsJs5Upstream, err)
	}
	_, err := s.policy()
	refuse(err != nil || s.RcceMiddleEvery < time.Millisecond, "rcce-middle-every %v: must be 1ms or more, such as 400ms", s.RcceMiddleEvery)
	return errors.Join(errs...)
}

func (s *serveCmd) policy() (interest.Policy, error) {
	p := interest.SeedPolicy()
	p.MiddleEveryMS = int32(min(s.RcceMiddleEvery.Milliseconds(), math.MaxInt32))
	return p, p.Check()
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
