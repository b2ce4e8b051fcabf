package main

import (
	"cmp"
	"errors"
	"fmt"
	"io"
	"os"
	"strings"
	"time"
)

// swarmMixedCmd drives the clients of all doors together.
type swarmMixedCmd struct {
	Rcce     int           `help:"RealmCrafter players; default 100." default:"100" placeholder:"N"`
	Rs       int           `help:"RuneScape players; default 100." default:"100" placeholder:"N"`
	Bedrock  int           `help:"Bedrock players; default 50." default:"50" placeholder:"N"`
	Duration time.Duration `help:"How long to measure once everybody is in; 0 until Ctrl-C." default:"5m" short:"d"`
	Ramp     perSecond     `help:"Logins per second, for example 5/s; default 20/s. Also --rate." default:"20/s" placeholder:"N/s" aliases:"rate"`

	RcceAddr    string `help:"Door for RealmCrafter clients: HOST:PORT (UDP); default 127.0.0.1:25000." default:"127.0.0.1:25000" placeholder:"ADDR"`
	RsAddr      string `help:"Door for RuneScape clients: HOST:PORT (TCP); default 127.0.0.1:43594." default:"127.0.0.1:43594" placeholder:"ADDR"`
	BedrockAddr string `help:"Door for Bedrock clients: HOST:PORT (UDP); default 127.0.0.1:19132." default:"127.0.0.1:19132" placeholder:"ADDR"`
	PublicKey   string `help:"The server's rs-public.txt, which it writes into its data folder; default ./truestep-data/rs-public.txt." placeholder:"FILE"`

	Check   bool          `help:"Compare what clients see with what the server's console says is true." default:"true" negatable:""`
	Console string        `help:"The server's console, or the address with the token that the server prints at its start; default http://127.0.0.1:8080." default:"http://127.0.0.1:8080" placeholder:"URL"`
	Token   string        `help:"Token for the console; also TRUESTEP_TOKEN. Any role will do." placeholder:"TOKEN"`
	Way     time.Duration `help:"What the way to the clients and busy machines may add to the delays that doors have by design." default:"250ms"`
	TickMax time.Duration `help:"The longest that 99 of 100 ticks may take." default:"50ms"`

	swarmLine `embed:""`
	Prefix    string `help:"Names begin so; a letter for the door and a number follow. They are made at first use." default:"mix"`
	Password  string `help:"Password of the accounts." default:"swarm"`
	JSON      string `name:"json" help:"Write the report as JSON to a file; - is standard output, in place of the text." placeholder:"FILE"`
	swarmLuck `embed:""`

	stdout, stderr io.Writer
}

// Help is what swarm mixed --help adds to the flags.
func (swarmMixedCmd) Help() string {
	return `Examples:
  truestep swarm mixed --console 'http://127.0.0.1:8080/#token=...'
      as the server has printed it
  TRUESTEP_TOKEN=... truestep swarm mixed --rcce 100 --rs 100 --bedrock 50
  truestep swarm mixed --rcce 20 --rs 20 --bedrock 10 --json report.json
  truestep swarm mixed --no-check
      load alone

Real clients of all three doors wander and fight in one area. Meanwhile a live map of each area is read from the
server's console, every tick of it, and once a second each client is asked whom it sees and where. Each place must lie
on the way that the actor really went, within what the client's protocol rounds, and no longer ago than its door waits
before it tells (the report has the table) plus --way. Everybody whom a client must see must be there; nobody may be
there who left longer ago. Holds and corrections are taken from the server's journal: honest players deserve none but
those that follow a blow, a death or a teleport, which are told apart.

TRUESTEP_RCCE, TRUESTEP_RS, TRUESTEP_BEDROCK and TRUESTEP_CONSOLE are addresses of serve. The variables of this command
are TRUESTEP_SWARM_RCCE, TRUESTEP_SWARM_RS, TRUESTEP_SWARM_BEDROCK and TRUESTEP_SWARM_CONSOLE.

Exit status 1: somebody failed to join, was dropped, or got a packet that cannot be read; a client saw something that
was not so; a correction was false; or ticks took longer than --tick-max. With --loss what the line does to clients
is only reported.`
}

const (
	mixedNameMost = 7 // characters of a prefix: a letter and four digits follow, and names of the rs door have 12
	mixedDoors    = "crb"
)

// Validate refuses what cannot be meant.
func (s *swarmMixedCmd) Validate() error {
	if err := s.swarmLine.check(); err != nil {
		return err
	}
	all := 0
	for _, n := range [...]struct {
		flag string
		n    int
	}{{"rcce", s.Rcce}, {"rs", s.Rs}, {"bedrock", s.Bedrock}} {
		if n.n < 0 || n.n > maxSwarm {
			return fmt.Errorf("%s must be 0..%d", n.flag, maxSwarm)
		}
		all += n.n
	}
	switch {
	case all == 0:
		return errors.New("there must be players: rcce, rs and bedrock are all 0")
	case s.Duration < 0 || s.Way < 0:
		return errors.New("times must not be negative")
	case s.TickMax <= 0:
		return errors.New("tick-max must be above 0")
	case s.Prefix == "" || len(s.Prefix) > mixedNameMost:
		return fmt.Errorf("prefix must have 1..%d characters", mixedNameMost)
	case strings.ContainsFunc(s.Prefix, func(r rune) bool {
		return (r < '0' || r > '9') && (r < 'A' || r > 'Z') && (r < 'a' || r > 'z')
	}):
		return fmt.Errorf("prefix %q must have letters and digits only", s.Prefix)
	case s.Password == "":
		return errors.New("password must not be empty")
	}
	return nil
}

// Run drives the swarm and prints the report.
func (s *swarmMixedCmd) Run() error {
	if s.stdout == nil {
		s.stdout, s.stderr = os.Stdout, os.Stderr
	}
	return reports(s.JSON, s.stdout, s.run, func(r *swarmMixedReport) bool { return r.bad(s.Loss > 0) })
}

// ours tells whether a name, as any door shows it, is that of a player of this swarm.
func (s *swarmMixedCmd) ours(name string) bool {
	rest, ok := strings.CutPrefix(name, s.Prefix)
	return ok && len(rest) == 5 && strings.ContainsRune(mixedDoors, rune(rest[0]))
}

// total is how many players there are.
func (s *swarmMixedCmd) total() int { return s.Rcce + s.Rs + s.Bedrock }

// share is what comes to so many of the players of a rate of all.
func (s *swarmMixedCmd) share(n int) perSecond {
	return perSecond(cmp.Or(float64(s.Ramp)*float64(n)/float64(s.total()), 1))
}
