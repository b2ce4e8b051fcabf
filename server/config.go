package server

import (
	"log/slog"
	"math"
	"math/rand/v2"
	"strings"
	"time"

	"github.com/truestep-io/truestep/chatlog"
	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/gateway"
)

// Config configures a server. Start from Default, because the zero values of most fields are not usable.
type Config struct {
	World        *content.World // world to run; nil selects the embedded world; for a *sim.World w use &content.World{World: w}
	ProjectPort  int            // UDP port that the world's RealmCrafter project specifies; 0 if it specifies none
	Doors        []gateway.Door // protocol gateways; a Door value must not be used for two servers
	DataDir      string         // folder of accounts, characters, journal, tape and keys; created if missing
	AcceptLoss   bool           // start even if stored data or the end of a Raft log is missing; copies damaged files to a folder in DataDir
	ClusterBegin bool           // create the areas of a cluster anew, because all nodes have lost their logs
	TapeDiscard  bool           // rename the tape of an earlier run and start from the stored records
	Seed         uint64         // seed of the world's random streams; 0 selects a random seed at each start

	StoreConfig
	ClusterConfig
	ConsoleConfig
	JournalConfig
	ChatConfig
	TapeConfig
	BackupConfig
	HistoryConfig
	WebhookConfig
	LimitConfig
	ReloadConfig
	Metrics         string // host:port of Prometheus metrics over HTTP, or gateway.Off
	MetricsProfiles bool   // serve profiles (pprof) beside the metrics; profiles reveal memory and goroutines

	Version string // version of the program, shown by the console

	// GameVersion is the version of the rules of the world's game (WorldConfig.Game), for a cluster: nodes with different versions
	// refuse each other, and a node does not continue logs of another version. Change it with every change after which a tick may
	// have another result. If it is "", each build of the program counts as another version: the revision of its source code, or a
	// hash of the executable if the revision is unknown. At most 64 characters of printable ASCII.
	GameVersion string

	Log       *slog.Logger // log of the server; nil selects slog.Default()
	PlayerLog *slog.Logger // log of accounts and players; nil selects Log

	// StopTimeout is the maximum duration of Server.Close; 0 selects the constant StopTimeout. A program whose service manager waits
	// longer, or whose machine is slow, may set a longer time, so that the last records are stored all the same.
	StopTimeout time.Duration

	// Sockets opens the sockets of the doors, the console and the metrics endpoint. The zero value opens sockets of the operating
	// system.
	Sockets gateway.SocketOpener

	formats string           // replaces clusterFormats in tests, if not empty
	clock   func() time.Time // clock that nodes of a cluster compare; tests set it, nil selects the system's clock

	// The fields below replace limits that a slow machine exceeds. Tests set them; 0 selects the usual limit.
	reloadTime   time.Duration // area.Options.PauseTime, and settleTime of a reload
	webhookStop  time.Duration // maximum time to send queued events to webhooks at the stop
	journalDepth int           // frames per area that wait for the journal, see journal.Options.FeedDepth

	// Ready, if not nil, is called by Run when every door is open.
	Ready func(*Server)
}

// maxGameVersion is the maximum length of Config.GameVersion.
const maxGameVersion = 64

// ConsoleConfig configures the operator console.
type ConsoleConfig struct {
	Console         string `help:"Operator's console over HTTP: HOST:PORT (port 0 any port) or off. Default 127.0.0.1:8080." placeholder:"ADDR" default:"127.0.0.1:8080" toml:"console"`
	ConsoleCert     string `help:"Certificate (PEM) with which the console speaks HTTPS." placeholder:"FILE" toml:"console-cert"`
	ConsoleKey      string `help:"Private key (PEM) of that certificate." placeholder:"FILE" toml:"console-key"`
	ConsoleInsecure bool   `help:"Open the console beyond loopback without HTTPS, as behind a proxy that encrypts." toml:"console-insecure"`
}

// JournalConfig configures the journal of holds, corrections and refusals.
type JournalConfig struct {
	JournalRetain time.Duration `help:"How long holds, corrections and refusals are kept, for truestep why and the console." default:"168h" toml:"journal-retain"`
	JournalKeep   int           `help:"Largest number of journal entries that is kept." default:"200000" toml:"journal-keep"`
}

// LimitConfig configures limits that apply to all doors together.
type LimitConfig struct {
	AreaChat           int    `help:"Chat lines per second in one area, at most; above half of it the speakers share it equally." default:"20" toml:"area-chat"`
	LoginHashers       int    `help:"Passwords checked at the same time, 19 MB of memory each; 0 is half of the cores, at most 4. While players wait, there are as many as cores, at most 4." default:"0" toml:"login-hashers"`
	LoginsPerAddr      int    `help:"Logins of one address that may wait for a password check at the same time, except loopback." default:"64" toml:"logins-per-addr"`
	FailuresPerAccount int    `help:"Wrong passwords per minute from one address for one account, after which the account is locked there for a minute." default:"10" toml:"failures-per-account"`
	FailuresAnywhere   int    `help:"Wrong passwords per minute for one account from all addresses together. After so many, a network from which the account has not logged in within a week may send one a minute." default:"30" toml:"failures-anywhere"`
	AccountsPerAddr    int    `help:"New accounts per minute from one address, except loopback." default:"60" toml:"accounts-per-addr"`
	SendBudget         string `help:"Memory for messages to clients of doors over UDP that wait to be sent or acknowledged, all doors together. At the limit the clients with the longest queues are disconnected." default:"256MiB" toml:"send-budget"`
}

// Limits of the settings of LimitConfig.
const (
	maxAreaChat     = 1000    // maximum of AreaChat, in chat lines per second
	maxLoginHashers = 64      // maximum of LoginHashers
	maxLoginLimit   = 100_000 // maximum of the limits of logins and accounts

	// minSendBudget is the minimum of SendBudget in bytes. The value is chosen, not measured: half of the budget is reserved
	// for the workers of the doors. Each of 4 workers of one door thus gets 2 MiB, twice the longest queue of a RealmCrafter
	// client.
	minSendBudget = 16 << 20
	maxSendBudget = 64 << 30 // maximum of SendBudget, in bytes
)

// Limits of the settings of JournalConfig.
const (
	maxKeep   = 10_000_000                // maximum of JournalKeep, in entries; chosen because the file then has 3 GB
	minKeep   = 100                       // minimum of JournalKeep, in entries; chosen because fewer do not explain a problem
	maxRetain = 10 * 365 * 24 * time.Hour // maximum of JournalRetain and ChatRetain
	minRetain = time.Minute               // minimum of JournalRetain
)

// Default returns the default configuration of truestep serve: the embedded world with every door on its usual port.
func Default() Config {
	return Config{
		Doors:         Doors(),
		DataDir:       gateway.DefaultDataDir,
		ConsoleConfig: ConsoleConfig{Console: "127.0.0.1:8080"},
		JournalConfig: JournalConfig{JournalRetain: 7 * 24 * time.Hour, JournalKeep: 200_000},
		ChatConfig:    ChatConfig{ChatRetain: chatlog.DefaultRetain, ChatKeep: chatlog.DefaultKeep},
		TapeConfig:    TapeConfig{Tape: "on", TapeSync: 200 * time.Millisecond, TapeRetain: "1h,2GiB"},
		BackupConfig:  BackupConfig{BackupKeep: 7},
		HistoryConfig: HistoryConfig{HistoryRetain: "366d"},
		ClusterConfig: ClusterConfig{ClusterName: DefaultClusterName, SuspectAfter: 3 * time.Second, ClusterBalance: true, ClusterLead: true},
		LimitConfig:   LimitConfig{AreaChat: 20, LoginsPerAddr: 64, FailuresPerAccount: 10, FailuresAnywhere: 30, AccountsPerAddr: 60, SendBudget: "256MiB"},
		Metrics:       "127.0.0.1:9180",
		Version:       "development",
	}
}

// Check returns one joined error for all settings that are out of range or contradict each other.
func (c *Config) Check() error {
	var p gateway.Problems
	p.Refuse(len(c.GameVersion) > maxGameVersion || strings.ContainsFunc(c.GameVersion, func(r rune) bool { return r < ' ' || r > '~' }),
		"GameVersion %q: must be at most %d characters of printable ASCII", c.GameVersion, maxGameVersion)
	p.Refuse(c.StopTimeout < 0, "StopTimeout %v: must not be negative", c.StopTimeout)
	p.Refuse(c.DataDir == "", "data-dir is empty: name a folder, or leave it out for ./truestep-data")
	p.Add(c.StoreConfig.Check())
	c.ClusterConfig.check(&p, c)
	p.Refuse(c.Seed > math.MaxInt64, "seed %d is too great: at most %d, as TOML has no greater numbers", c.Seed, math.MaxInt64)
	for _, d := range c.Doors {
		p.Add(d.Check())
	}
	p.Refuse((c.ConsoleCert == "") != (c.ConsoleKey == ""), "console-cert and console-key belong together: give both, or neither for plain HTTP on loopback")
	p.Refuse(!c.hasConsole() && c.ConsoleCert != "", "console-cert is for the console: give it an address with --console HOST:PORT")
	p.Refuse(c.JournalKeep < minKeep || c.JournalKeep > maxKeep, "journal-keep %d: must be %d..%d", c.JournalKeep, minKeep, maxKeep)
	p.Refuse(c.JournalRetain < minRetain || c.JournalRetain > maxRetain, "journal-retain %v: must be 1m..87600h", c.JournalRetain)
	c.ChatConfig.check(&p)
	c.TapeConfig.check(&p)
	c.BackupConfig.check(&p)
	c.HistoryConfig.check(&p)
	p.Refuse(c.LoginHashers < 0 || c.LoginHashers > maxLoginHashers, "login-hashers %d: must be 0..%d", c.LoginHashers, maxLoginHashers)
	for _, l := range []struct {
		key string
		n   int
	}{{"logins-per-addr", c.LoginsPerAddr}, {"failures-per-account", c.FailuresPerAccount}, {"failures-anywhere", c.FailuresAnywhere},
		{"accounts-per-addr", c.AccountsPerAddr}} {
		p.Refuse(l.n < 0 || l.n > maxLoginLimit, "%s %d: must be 0..%d", l.key, l.n, maxLoginLimit)
	}
	size := parseSize(c.SendBudget)
	p.Refuse(size < minSendBudget || size > maxSendBudget, "send-budget %q: must be 16MiB..64GiB, such as 256MiB", c.SendBudget)
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
