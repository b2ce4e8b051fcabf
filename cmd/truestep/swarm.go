package main

import (
	"cmp"
	"context"
	"encoding/json"
	"errors"
	"fmt"
	"io"
	"io/fs"
	"os"
	"os/signal"
	"slices"
	"strconv"
	"strings"
	"syscall"
	"time"

	"github.com/truestep-io/truestep/internal/settings"
	"github.com/truestep-io/truestep/internal/terminal"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/terrain"
	"github.com/truestep-io/truestep/swarm"
)

// swarmCmd runs many headless clients against a server, with one subcommand for each protocol.
type swarmCmd struct {
	Rcce swarmRcceCmd `cmd:"" help:"RealmCrafter clients over real ENet."`
	Rs   swarmRsCmd   `cmd:"" help:"RuneScape clients of revision 667 over real TCP."`

	Bedrock swarmBedrockCmd `cmd:"" help:"Minecraft: Bedrock clients over real RakNet."`
	Web     swarmWebCmd     `cmd:"" help:"Web clients over real WebTransport or WebSocket."`
	Mixed   swarmMixedCmd   `cmd:"" help:"Clients of all doors in one world, compared with the server's console."`
}

// swarmSize holds the flags of every swarm: the number of players, the rate of logins, and the duration of the measurement.
type swarmSize struct {
	Clients  int           `help:"Number of players." default:"50" short:"n"`
	Duration time.Duration `help:"Time of the measurement, which begins when all players have joined; 0: until Ctrl-C." default:"30s" short:"d"`
	Ramp     perSecond     `help:"Logins per second, for example 5/s; default 20/s. Also --rate." default:"20/s" placeholder:"N/s" aliases:"rate"`
}

// swarmAccounts holds the flags for players' accounts. Each command declares its own ${prefix}, the default of --prefix.
type swarmAccounts struct {
	Prefix   string `help:"Prefix of the names of accounts and characters; a number follows. Accounts are created at first use." default:"${prefix}"`
	Password string `help:"Password of the accounts." default:"swarm"`
}

// swarmSeed holds the flag for the seed of the players' random decisions.
type swarmSeed struct {
	Seed uint64 `help:"Seed of all random choices; 0: a random seed." default:"0"`
}

// swarmNetwork holds flags that impair the network between a swarm and the server. All swarms over UDP have these flags.
type swarmNetwork struct {
	Loss   settings.Percent `help:"Share of the datagrams that are lost, each way, for example 5%." default:"0%" placeholder:"P%"`
	Delay  time.Duration    `help:"Delay each way." default:"0s"`
	Jitter time.Duration    `help:"Further delay at most, each way." default:"0s"`
}

func (n *swarmNetwork) check() error {
	return cmp.Or(notNegative("delay", n.Delay), notNegative("jitter", n.Jitter))
}

func (n *swarmNetwork) network() swarm.Network {
	return swarm.Network{Loss: float64(n.Loss), Delay: n.Delay, Jitter: n.Jitter}
}

func notNegative(flag string, d time.Duration) error {
	if d < 0 {
		return fmt.Errorf("--%s %v: must not be negative", flag, d)
	}
	return nil
}

// check returns an error if a value is out of range.
func (s *swarmSize) check() error {
	if s.Clients < 1 || s.Clients > maxSwarm {
		return fmt.Errorf("--clients %d: must be 1..%d", s.Clients, maxSwarm)
	}
	return notNegative("duration", s.Duration)
}

// check returns an error if a value is out of range. The parameter longest is the maximum length of the prefix in characters.
func (s *swarmAccounts) check(longest int) error {
	if err := checkPrefix(s.Prefix, longest); err != nil {
		return err
	}
	if s.Password == "" {
		return errors.New("--password must not be empty")
	}
	return nil
}

// checkPrefix returns an error if a prefix is empty or has more than longest characters.
func checkPrefix(prefix string, longest int) error {
	if prefix == "" || len(prefix) > longest {
		return fmt.Errorf("--prefix %q: must have 1..%d characters", prefix, longest)
	}
	return nil
}

// isWordRune reports whether r is an ASCII letter or digit.
func isWordRune(r rune) bool {
	return r >= '0' && r <= '9' || r >= 'A' && r <= 'Z' || r >= 'a' && r <= 'z'
}

// config returns the part of a swarm's configuration that all protocols have in common.
func (s *swarmSize) config(addr string, progress io.Writer) swarm.Config {
	return swarm.Config{Server: addr, Clients: s.Clients, Duration: s.Duration, Ramp: float64(s.Ramp), Progress: progress}
}

// activity returns the activity that the flags --walk and --fight select.
func activity(walk, fight bool) swarm.Activity {
	switch {
	case walk:
		return swarm.Walk
	case fight:
		return swarm.Fight
	}
	return swarm.Mixed
}

// swarmRcceCmd is the command "truestep swarm rcce", which runs many RealmCrafter clients.
type swarmRcceCmd struct {
	Server    string `help:"Address of the server: HOST:PORT (UDP); default 127.0.0.1:25000. Also --addr." default:"127.0.0.1:25000" placeholder:"ADDR" aliases:"addr"`
	swarmSize `embed:""`

	Walk    bool   `help:"All players wander." xor:"play"`
	Fight   bool   `help:"All players fight the nearest NPC that can be fought." xor:"play"`
	Mixed   bool   `help:"All players wander, fight and chat in turns. The default." xor:"play"`
	World   string `help:"World file of the server instead of the embedded world: players walk around its solids." placeholder:"FILE"`
	InSight bool   `help:"Keep all players near one point and away from portals, so that each sees all others: the most expensive crowd."`

	swarmNetwork `embed:""`

	swarmAccounts `embed:"" set:"prefix=bot"`
	Reconnect     bool `help:"Enter the world on a second connection after 300 ms, as known clients do." default:"true" negatable:""`
	GRO           bool `name:"gro" help:"Let the kernel join datagrams that arrive together (Linux), which needs less CPU."`
	reportFlags
	swarmSeed `embed:""`
}

// Help returns the text that is printed below the flags of the command.
func (swarmRcceCmd) Help() string { return helpText("swarm-rcce") }

// perSecond is a rate per second. On the command line it is written 20/s or 20.
type perSecond float64

// UnmarshalText parses a rate such as "20/s".
func (r *perSecond) UnmarshalText(b []byte) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(string(b), "/s"), 64)
	if err != nil || !(v > 0) || v > 1e6 {
		return fmt.Errorf("%q is not a rate above 0 and at most 1000000 per second, such as 20/s", b)
	}
	*r = perSecond(v)
	return nil
}

const maxSwarm = 9999 // maximum number of players of one protocol: account names end with a four-digit number

// Validate refuses values out of range.
func (s *swarmRcceCmd) Validate() error {
	return cmp.Or(s.swarmNetwork.check(), s.swarmSize.check(), s.swarmAccounts.check(24))
}

// Run runs the swarm and prints the report.
func (s *swarmRcceCmd) Run(to std) error {
	walls, err := readWalls(s.World, s.InSight)
	if err != nil {
		return usage(err)
	}
	c := s.config(s.Server, to.err)
	c.Network, c.Prefix, c.Password, c.Seed = s.network(), s.Prefix, s.Password, s.Seed
	return runSwarm(to, s.reportFlags, s.Loss > 0, swarm.RCCE{
		Config: c, Activity: activity(s.Walk, s.Fight), InSight: s.InSight, Reconnect: s.Reconnect, GRO: s.GRO, Walls: walls,
	})
}

// readWalls reads the obstacles of each area of a world file, by name of the area: its solids and, if players must not leave
// their area, the boxes around its portals to other areas. The path "" selects the embedded world.
func readWalls(path string, stay bool) (map[string][]terrain.Solid, error) {
	w, err := (&server.WorldConfig{World: path}).Load()
	if err != nil {
		return nil, err
	}
	walls := map[string][]terrain.Solid{}
	for i := range w.World.Areas {
		a := &w.World.Areas[i]
		here := slices.Clone(a.Solids)
		for j := range a.Portals {
			if p := &a.Portals[j]; stay && p.ToArea != sim.NoArea {
				r := geom.Vec{X: p.Radius, Y: p.Radius, Z: p.Radius}
				here = append(here, terrain.Solid{Min: p.Pos.Sub(r), Max: p.Pos.Add(r)})
			}
		}
		walls[a.Name] = here
	}
	return walls, nil
}

// swarmReport is the result of a swarm of any protocol. It can be printed, and says whether the swarm ran without failures.
type swarmReport interface {
	Text() (heading string, rows []swarm.Row) // heading and rows of the printed report
	OK(lossy bool) bool                       // whether the swarm ran without failures; lossy: the network loses datagrams
}

// runSwarm runs the players of one protocol and prints the report. On a lossy network, failures of some players are accepted.
func runSwarm(to std, f reportFlags, lossy bool, p swarm.Protocol) error {
	return reportSwarm(to, f, lossy, func(ctx context.Context) (swarmReport, error) { return swarm.Run(ctx, p) })
}

// reportFlags holds the flags for the report of a swarm.
type reportFlags struct {
	JSON   bool   `name:"json" help:"Print JSON instead of text: one object."`
	Report string `help:"Write the report as JSON to a file, too." placeholder:"FILE"`
}

// reportSwarm runs a swarm until it ends or is interrupted, and prints the report. It also writes the report to the file of
// --report, which it creates before the run. If the swarm had failures, the exit status is 1.
func reportSwarm(to std, f reportFlags, lossy bool, run func(context.Context) (swarmReport, error)) error {
	file, err := createReport(f.Report)
	if err != nil {
		return usage(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := run(ctx)
	if errors.Is(err, swarm.ErrConfig) {
		return usage(err)
	} else if err != nil {
		return err
	}
	if file != nil {
		if err := errors.Join(writeJSON(file, r), file.Close()); err != nil {
			return fmt.Errorf("write the report file of --report %s: %w", f.Report, err)
		}
	}
	if f.JSON {
		err = writeJSON(to.out, r)
	} else {
		err = printSwarmReport(to.out, r)
	}
	if err == nil && !r.OK(lossy) {
		return exitStatus(1)
	}
	return err
}

// createReport creates the file of --report. It returns nil if name is empty.
func createReport(name string) (*os.File, error) {
	if name == "" {
		return nil, nil
	}
	f, err := os.Create(name)
	if bad, ok := errors.AsType[*fs.PathError](err); ok {
		err = fmt.Errorf("create file of --report %s: %w; name a file that can be written", name, bad.Err)
	}
	return f, err
}

func writeJSON(out io.Writer, r any) error {
	e := json.NewEncoder(out)
	e.SetIndent("", "  ")
	return e.Encode(r)
}

func printSwarmReport(out io.Writer, r swarmReport) error {
	heading, rows := r.Text()
	var t terminal.Sheet
	for _, row := range rows {
		t.Row(row.Label, "%s", row.Text)
	}
	return t.Print(out, heading)
}
