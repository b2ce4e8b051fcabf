package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"io"
	"os"
	"os/signal"
	"strconv"
	"strings"
	"syscall"
	"time"
)

// swarmCmd is many headless clients against a server, one subcommand for each protocol.
type swarmCmd struct {
	Rcce swarmRcceCmd `cmd:"" help:"RealmCrafter clients over real ENet."`
	Rs   swarmRsCmd   `cmd:"" help:"RuneScape clients of revision 667 over real TCP."`

	Bedrock swarmBedrockCmd `cmd:"" help:"Minecraft: Bedrock clients over real RakNet."`
	Mixed   swarmMixedCmd   `cmd:"" help:"Clients of all three doors in one world, compared with the server's truth."`
}

// swarmSize is how many players come, how fast, and for how long: flags of every swarm.
type swarmSize struct {
	Clients  int           `help:"How many players." default:"50" short:"n"`
	Duration time.Duration `help:"How long to measure once everybody is in; 0 until Ctrl-C." default:"30s" short:"d"`
	Ramp     perSecond     `help:"Logins per second, for example 5/s; default 20/s. Also --rate." default:"20/s" placeholder:"N/s" aliases:"rate"`
}

// swarmAccounts is who they are. The command sets ${prefix}.
type swarmAccounts struct {
	Prefix   string `help:"Names of accounts and characters begin so; a number follows. They are made at first use." default:"${prefix}"`
	Password string `help:"Password of the accounts." default:"swarm"`
}

// swarmLuck is what decides where they go.
type swarmLuck struct {
	Seed uint64 `help:"Seed of all luck; 0 takes a new one." default:"0"`
}

// check refuses what cannot be meant.
func (s *swarmSize) check() error {
	switch {
	case s.Clients < 1 || s.Clients > maxSwarm:
		return fmt.Errorf("clients must be 1..%d", maxSwarm)
	case s.Duration < 0:
		return errors.New("times must not be negative")
	}
	return nil
}

// check refuses what cannot be meant. most is the longest prefix.
func (s *swarmAccounts) check(most int) error {
	switch {
	case s.Prefix == "" || len(s.Prefix) > most:
		return fmt.Errorf("prefix must have 1..%d characters", most)
	case s.Password == "":
		return errors.New("password must not be empty")
	}
	return nil
}

// user is the name of player i, counted from 0.
func (s *swarmAccounts) user(i int) string { return fmt.Sprintf("%s%04d", s.Prefix, i+1) }

// swarmRcceCmd drives client/rcce.
type swarmRcceCmd struct {
	Server    string `help:"Where the server is: HOST:PORT (UDP); default 127.0.0.1:25000. Also --addr." default:"127.0.0.1:25000" placeholder:"ADDR" aliases:"addr"`
	swarmSize `embed:""`

	Walk    bool   `help:"Everybody wanders." xor:"play"`
	Fight   bool   `help:"Everybody fights the nearest NPC that can be fought." xor:"play"`
	Mixed   bool   `help:"Everybody wanders, fights and chats in turns. The default." xor:"play"`
	World   string `help:"World file of the server instead of the embedded world: players walk round what stands in it." placeholder:"FILE"`
	InSight bool   `help:"Keep everybody near one point, so that each sees all others: the crowd that costs most."`

	swarmLine `embed:""`

	swarmAccounts `embed:"" set:"prefix=bot"`
	Reconnect     bool `help:"Enter the world on a second connection after 300 ms, as known clients do." default:"true" negatable:""`
	GRO           bool `name:"gro" help:"Let the kernel join datagrams that arrive together (Linux): a swarm that needs less CPU."`
	JSON          bool `name:"json" help:"Print the report as JSON."`
	swarmLuck     `embed:""`

	walls          swarmWalls // what players see; Run reads it from World
	stdout, stderr io.Writer
}

// Help is what swarm rcce --help adds to the flags.
func (swarmRcceCmd) Help() string {
	return `Examples:
  truestep swarm rcce
      fifty players in the server next door
  truestep swarm rcce --server game.example:25000 -n 200 -d 5m --mixed
  truestep swarm rcce -n 500 -d 30s --walk --in-sight
      everybody sees everybody: the worst crowd
  truestep swarm rcce -n 50 --loss 5% --delay 80ms --jitter 20ms
  truestep swarm rcce -n 100 --json > report.json

Each player is a real client: its own UDP port, ENet 1.1, login, claims each 200 ms while it walks. Once all have
joined, counting begins anew; the report is about the time from then on. A line of progress each second goes to
standard error. Ctrl-C ends the run and prints the report.

Gaps are the times between two updates of one actor in the close range of one viewer, by the kernel's receive time
where it tells one. Corrections are RepositionActor packets that take a player back to where the server has it; snaps
are players that found the server's echo too far away from themselves and gave in. Honest players at a sound server
have neither.

Exit status 1: somebody failed to join, was dropped, or got a packet that cannot be read. With --loss, players that
the line keeps out or drops are only reported, as long as one has joined.`
}

// perSecond is a rate, written 20/s or 20.
type perSecond float64

// UnmarshalText reads a rate.
func (r *perSecond) UnmarshalText(b []byte) error {
	v, err := strconv.ParseFloat(strings.TrimSuffix(string(b), "/s"), 64)
	if err != nil || !(v > 0) || v > 1e6 {
		return fmt.Errorf("%q is not a rate above 0, such as 20/s", b)
	}
	*r = perSecond(v)
	return nil
}

// percent is a share of 0..1, written 5% or 0.05.
type percent float64

// UnmarshalText reads a share.
func (p *percent) UnmarshalText(b []byte) error {
	text, isPercent := strings.CutSuffix(string(b), "%")
	v, err := strconv.ParseFloat(text, 64)
	if isPercent {
		v /= 100
	}
	if err != nil || !(v >= 0) || v >= 1 {
		return fmt.Errorf("%q is not a share from 0%% to below 100%%, such as 5%%", b)
	}
	*p = percent(v)
	return nil
}

const maxSwarm = 9999 // players; their names have four digits

// Validate refuses what cannot be meant.
func (s *swarmRcceCmd) Validate() error {
	return cmp.Or(s.swarmLine.check(), s.swarmSize.check(), s.swarmAccounts.check(24))
}

// Run drives the swarm and prints the report.
func (s *swarmRcceCmd) Run() error {
	if s.stdout == nil {
		s.stdout, s.stderr = os.Stdout, os.Stderr
	}
	var err error
	if s.walls, err = wallsOf(s.World); err != nil {
		return usage(err)
	}
	ctx, stop := signal.NotifyContext(context.Background(), os.Interrupt, syscall.SIGTERM)
	defer stop()
	r, err := s.run(ctx)
	if err != nil {
		return err
	}
	if err := r.print(s.stdout, s.JSON); err != nil {
		return err
	}
	if r.bad(s.Loss > 0) {
		return exitStatus(1)
	}
	return nil
}
