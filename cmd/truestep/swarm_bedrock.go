package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/swarm"
)

// swarmBedrockCmd is the command "truestep swarm bedrock", which runs many Bedrock clients.
type swarmBedrockCmd struct {
	Addr      string `help:"Address of the server: HOST:PORT (UDP); default 127.0.0.1:19132. Also --server." default:"127.0.0.1:19132" placeholder:"ADDR" aliases:"server"`
	swarmSize `embed:""`

	Walk    bool     `help:"All players wander." xor:"play"`
	Fight   bool     `help:"All players fight the nearest actor that they can hurt, other players included." xor:"play"`
	Ride    bool     `help:"All players ride the horses and boats that they find, and wander while they have none." xor:"play"`
	Mixed   bool     `help:"Half of the players wander, half fight. The default." xor:"play"`
	InSight bool     `help:"Keep all players near one point, so that each sees all others: the most expensive crowd."`
	Cheat   []string `help:"Kinds of cheats, separated by commas: fly, nan, noteleport, speed, spin, teleport, tick or timer. The players that cheat have them in turns." placeholder:"KIND"`
	Honest  int      `help:"Number of players that do not cheat." default:"0" placeholder:"N"`
	Game    string   `help:"Release of the game: 1.26.45, 1.26.51, or both in turns." enum:"1.26.45,1.26.51,both" default:"both"`

	swarmNetwork `embed:""`
	Prefix       string `help:"Prefix of the names of players; a number follows. Players are created at first use." default:"bebot"`
	Metrics      string `help:"Address of the server's metrics, which count corrections by reason: HOST:PORT; default 127.0.0.1:9180, if the server is on this machine." placeholder:"ADDR"`
	reportFlags
	swarmSeed `embed:""`
}

// Help returns the text that is printed below the flags of the command.
func (swarmBedrockCmd) Help() string { return helpText("swarm-bedrock") }

// maxBedrockPrefix is the maximum length of --prefix: names have at most 16 characters, of which 4 are digits.
const maxBedrockPrefix = 12

// Validate refuses values out of range.
func (s *swarmBedrockCmd) Validate() error {
	if err := cmp.Or(s.swarmSize.check(), s.swarmNetwork.check()); err != nil {
		return err
	}
	if err := checkPrefix(s.Prefix, maxBedrockPrefix); err != nil {
		return err
	}
	for _, kind := range s.Cheat {
		if !slices.Contains(bedrock.CheatNames(), kind) {
			return fmt.Errorf("--cheat %q is not known: must be one of %s", kind, strings.Join(bedrock.CheatNames(), ", "))
		}
	}
	if s.Honest < 0 || s.Honest > s.Clients {
		return fmt.Errorf("--honest %d: must be 0..%d, the number of clients", s.Honest, s.Clients)
	}
	return nil
}

// Run runs the swarm and prints the report.
func (s *swarmBedrockCmd) Run(to std) error {
	c := s.config(s.Addr, to.err)
	c.Network, c.Prefix, c.Seed = s.network(), s.Prefix, s.Seed
	play := activity(s.Walk, s.Fight)
	if s.Ride {
		play = swarm.Ride
	}
	return runSwarm(to, s.reportFlags, s.Loss > 0, swarm.Bedrock{
		Config: c, Activity: play, InSight: s.InSight, Cheat: s.Cheat, Honest: s.Honest, Game: s.Game, Metrics: s.Metrics,
	})
}
