package main

import (
	"cmp"
	"context"
	"errors"
	"fmt"
	"strings"
	"time"

	"github.com/truestep-io/truestep/swarm"
)

// swarmMixedCmd is the command "truestep swarm mixed", which runs clients of all protocols in one world.
type swarmMixedCmd struct {
	Rcce     int           `help:"RealmCrafter players; default 100." default:"100" placeholder:"N"`
	Rs       int           `help:"RuneScape players; default 100." default:"100" placeholder:"N"`
	Bedrock  int           `help:"Bedrock players; default 50." default:"50" placeholder:"N"`
	Web      int           `help:"Web players; default 50." default:"50" placeholder:"N"`
	Duration time.Duration `help:"Time of the measurement, which begins when all players have joined; 0: until Ctrl-C." default:"5m" short:"d"`
	Ramp     perSecond     `help:"Logins per second, for example 5/s; default 20/s. Also --rate." default:"20/s" placeholder:"N/s" aliases:"rate"`

	RcceAddr    string `help:"Door for RealmCrafter clients: HOST:PORT (UDP); default 127.0.0.1:25000." default:"127.0.0.1:25000" placeholder:"ADDR"`
	RsAddr      string `help:"Door for RuneScape clients: HOST:PORT (TCP); default 127.0.0.1:43594." default:"127.0.0.1:43594" placeholder:"ADDR"`
	BedrockAddr string `help:"Door for Bedrock clients: HOST:PORT (UDP); default 127.0.0.1:19132." default:"127.0.0.1:19132" placeholder:"ADDR"`
	WebAddr     string `help:"Door for web clients: HOST:PORT (TCP and UDP); default 127.0.0.1:8090." default:"127.0.0.1:8090" placeholder:"ADDR"`
	PublicKey   string `help:"The server's rs-public.txt in its data folder; default ./truestep-data/rs-public.txt." placeholder:"FILE"`

	Check   bool          `help:"Compare what clients show with the live map of the server's console." default:"true" negatable:""`
	Console string        `help:"The server's console, or the address with the token that the server prints at its start; default http://127.0.0.1:8080." default:"http://127.0.0.1:8080" placeholder:"URL"`
	Token   string        `help:"Token for the console; also TRUESTEP_TOKEN. Any role will do." placeholder:"TOKEN"`
	Way     time.Duration `help:"Delay that the network and busy machines may add to the delays that doors have by design." default:"250ms"`
	TickMax time.Duration `help:"Time that 99 of 100 ticks may take." default:"50ms"`

	swarmNetwork `embed:""`
	Prefix       string `help:"Prefix of the names of players; a letter for the door and a number follow. Accounts are created at first use." default:"mix"`
	Password     string `help:"Password of the accounts." default:"swarm"`
	reportFlags
	swarmSeed `embed:""`
}

// Help returns the text that is printed below the flags of the command.
func (swarmMixedCmd) Help() string { return helpText("swarm-mixed") }

// maxMixedPrefix is the maximum length of --prefix: rs names have at most 12 characters; a letter and 4 digits follow the prefix.
const maxMixedPrefix = 7

// Validate refuses values out of range.
func (s *swarmMixedCmd) Validate() error {
	if err := s.swarmNetwork.check(); err != nil {
		return err
	}
	all := 0
	for _, n := range [...]struct {
		flag string
		n    int
	}{{"rcce", s.Rcce}, {"rs", s.Rs}, {"bedrock", s.Bedrock}, {"web", s.Web}} {
		if n.n < 0 || n.n > maxSwarm {
			return fmt.Errorf("--%s %d: must be 0..%d", n.flag, n.n, maxSwarm)
		}
		all += n.n
	}
	switch {
	case all == 0:
		return errors.New("there are no players: --rcce, --rs, --bedrock and --web are all 0")
	case s.Duration < 0 || s.Way < 0:
		return cmp.Or(notNegative("duration", s.Duration), notNegative("way", s.Way))
	case s.TickMax <= 0:
		return fmt.Errorf("--tick-max %v: must be a duration above 0, such as 50ms", s.TickMax)
	case checkPrefix(s.Prefix, maxMixedPrefix) != nil:
		return checkPrefix(s.Prefix, maxMixedPrefix)
	case strings.ContainsFunc(s.Prefix, func(r rune) bool { return !isWordRune(r) }):
		return fmt.Errorf("--prefix %q must contain only letters and digits", s.Prefix)
	case s.Password == "":
		return errors.New("--password must not be empty")
	}
	return nil
}

// Run runs the swarm and prints the report.
func (s *swarmMixedCmd) Run(to std) error {
	c := func(addr, letter string, clients int) swarm.Config {
		return swarm.Config{Server: addr, Clients: clients, Prefix: s.Prefix + letter, Password: s.Password, Seed: s.Seed}
	}
	r := swarm.RS{Config: c(s.RsAddr, "r", s.Rs)}
	if s.Rs > 0 {
		var err error
		if r.Key, err = readPublicKey(s.PublicKey); err != nil {
			return usage(err)
		}
	}
	rcce := swarm.RCCE{Config: c(s.RcceAddr, "c", s.Rcce), Reconnect: true, GRO: true}
	bedrock := swarm.Bedrock{Config: c(s.BedrockAddr, "b", s.Bedrock)}
	web := swarm.Web{Config: c(s.WebAddr, "w", s.Web)}
	rcce.Network, bedrock.Network, web.Network = s.network(), s.network(), s.network()
	m := swarm.MixedConfig{
		Protocols: []swarm.Protocol{rcce, r, bedrock, web}, Duration: s.Duration, Ramp: float64(s.Ramp), Network: s.network(), Token: s.Token,
		Allowance: s.Way, TickMax: s.TickMax, Progress: to.err,
	}
	if s.Check {
		m.Console = s.Console
	}
	return reportSwarm(to, s.reportFlags, s.Loss > 0, func(ctx context.Context) (swarmReport, error) { return swarm.RunMixed(ctx, m) })
}
