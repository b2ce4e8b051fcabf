package server

import (
	"log/slog"
	"math"
	"math/rand/v2"
	"time"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
)

// Config is what a server is made of. Start from Default: the zero values of most fields are not usable.
type Config struct {
	World       *content.World // nil: the embedded world; a world of your own is &content.World{World: w}
	ProjectPort int            // UDP port that the world's RealmCrafter project names; 0: none
	Doors       []gateway.Door // served unless their settings say off; a door serves one server only
	DataDir     string         // folder of accounts, characters, journal and keys; made if missing
	Seed        uint64         // seed of the world's random streams; 0: a new one at each start

	ConsoleConfig
	JournalConfig
	LimitConfig
	Metrics string // host:port of Prometheus metrics and profiles over HTTP, or gateway.Off

	Version   string       // version of the program, shown by the console
	Log       *slog.Logger // nil: slog.Default()
	PlayerLog *slog.Logger // log lines about accounts and players; nil: Log

	// Sockets opens the sockets of doors, console and metrics. Zero: those of the system.
	Sockets gateway.Sockets

	// Ready is called by Run when every door is open; nil: it is not called.
	Ready func(*Server)
}

// ConsoleConfig is the settings of the operator's console.
type ConsoleConfig struct {
	Console         string `help:"Operator's console over HTTP: HOST:PORT (port 0 any port) or off. Default 127.0.0.1:8080." placeholder:"ADDR" default:"127.0.0.1:8080" toml:"console"`
	ConsoleCert     string `help:"Certificate (PEM) with which the console speaks HTTPS." placeholder:"FILE" toml:"console-cert"`
	ConsoleKey      string `help:"Private key (PEM) of that certificate." placeholder:"FILE" toml:"console-key"`
	ConsoleInsecure bool   `help:"Open the console beyond loopback without HTTPS, as behind a proxy that encrypts." toml:"console-insecure"`
}

// JournalConfig is the settings of the journal of holds, corrections and refusals.
type JournalConfig struct {
	JournalRetain time.Duration `help:"How long holds, corrections and refusals are kept, for truestep why and the console." default:"168h" toml:"journal-retain"`
	JournalKeep   int           `help:"Largest number of them that is kept." default:"200000" toml:"journal-keep"`
}

// LimitConfig is the settings of limits that hold for all doors together.
type LimitConfig struct {
	AreaChat int `help:"Chat lines per second in one area, at most; above half of it the speakers share it equally." default:"20" toml:"area-chat"`
}

// maxAreaChat is the upper bound of AreaChat in lines per second.
const maxAreaChat = 1000

// Bounds of the journal's settings.
const (
	maxKeep   = 10_000_000 // entries   guess: 3 GB
	minKeep   = 100        // entries   guess: too few to explain anything below that
	maxRetain = 10 * 365 * 24 * time.Hour
	minRetain = time.Minute
)

// Default is a server of the embedded world with every door on its usual port, as truestep serve runs it.
func Default() Config {
	return Config{
		Doors:         Doors(),
		DataDir:       gateway.DefaultDataDir,
		ConsoleConfig: ConsoleConfig{Console: "127.0.0.1:8080"},
		JournalConfig: JournalConfig{JournalRetain: 7 * 24 * time.Hour, JournalKeep: 200_000},
		LimitConfig:   LimitConfig{AreaChat: 20},
		Metrics:       "127.0.0.1:9180",
		Version:       "development",
	}
}

// Check returns every setting that is out of range or contradicts another, one joined error each.
func (c *Config) Check() error {
	var p gateway.Problems
	p.Refuse(c.DataDir == "", "data-dir is empty: name a folder, or leave it out for ./truestep-data")
	p.Refuse(c.Seed > math.MaxInt64, "seed %d is too great: at most %d, as TOML has no greater numbers", c.Seed, math.MaxInt64)
	for _, d := range c.Doors {
		p.Add(d.Check())
	}
	p.Refuse((c.ConsoleCert == "") != (c.ConsoleKey == ""), "console-cert and console-key belong together: give both, or neither for plain HTTP on loopback")
	p.Refuse(!c.hasConsole() && c.ConsoleCert != "", "console-cert is for the console: give it an address with --console HOST:PORT")
	p.Refuse(c.JournalKeep < minKeep || c.JournalKeep > maxKeep, "journal-keep %d: must be %d..%d", c.JournalKeep, minKeep, maxKeep)
	p.Refuse(c.JournalRetain < minRetain || c.JournalRetain > maxRetain, "journal-retain %v: must be 1m..87600h", c.JournalRetain)
	p.Refuse(c.AreaChat < 1 || c.AreaChat > maxAreaChat, "area-chat %d: must be 1..%d", c.AreaChat, maxAreaChat)
	return p.Err()
}

func (c *Config) hasConsole() bool { return c.Console != gateway.Off && c.Console != "" }

func (c *Config) hasMetrics() bool { return c.Metrics != gateway.Off && c.Metrics != "" }

func (c *Config) seed() uint64 {
	if c.Seed != 0 {
		return c.Seed
	}
	return rand.Uint64()
}
