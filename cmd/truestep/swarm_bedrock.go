package main

import (
	"cmp"
	"fmt"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/client/bedrock"
	"github.com/truestep-io/truestep/swarm"
)

// swarmBedrockCmd is "truestep swarm bedrock".
type swarmBedrockCmd struct {
	Addr      string `help:"Where the server is: HOST:PORT (UDP); default 127.0.0.1:19132. Also --server." default:"127.0.0.1:19132" placeholder:"ADDR" aliases:"server"`
	swarmSize `embed:""`

	Walk    bool     `help:"Everybody wanders." xor:"play"`
	Fight   bool     `help:"Everybody fights the nearest whom its blows hurt, other players too." xor:"play"`
	Mixed   bool     `help:"Half of them wander, half fight. The default." xor:"play"`
	InSight bool     `help:"Keep everybody near one point, so that each sees all others: the crowd that costs most."`
	Cheat   []string `help:"Cheat: fly, nan, noteleport, speed, teleport, tick or timer. With several, comma between, the players take turns; honest ones do not." placeholder:"KIND"`
	Honest  int      `help:"So many of the players do not cheat." default:"0" placeholder:"N"`
	Game    string   `help:"Release that they play: 1.26.45, 1.26.51, or both in turns." enum:"1.26.45,1.26.51,both" default:"both"`

	swarmNetwork `embed:""`
	Prefix       string `help:"Names of players begin so; a number follows. They are made at first use." default:"bebot"`
	Metrics      string `help:"The server's metrics, which know why it corrected: HOST:PORT; default 127.0.0.1:9180, asked only if the server is on this machine." placeholder:"ADDR"`
	JSON         string `name:"json" help:"Write the report as JSON to a file; - is standard output, in place of the text." placeholder:"FILE"`
	swarmSeed    `embed:""`
}

// Help is printed below the flags.
func (swarmBedrockCmd) Help() string { return helpText("swarm-bedrock") }

// maxBedrockPrefix is the longest prefix: names have 16 characters, of which 4 are digits.
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
		if !slices.Contains(bedrock.Cheats(), kind) {
			return fmt.Errorf("cheat %q is none of %s", kind, strings.Join(bedrock.Cheats(), ", "))
		}
	}
	if s.Honest < 0 || s.Honest > s.Clients {
		return fmt.Errorf("honest must be 0..%d, the number of clients", s.Clients)
	}
	return nil
}

// Run runs the swarm and prints the report.
func (s *swarmBedrockCmd) Run(to std) error {
	c := s.config(s.Addr, to.err)
	c.Network, c.Prefix, c.Seed = s.network(), s.Prefix, s.Seed
	return runSwarm(to, s.JSON, s.Loss > 0, swarm.Bedrock{
		Config: c, Activity: activity(s.Walk, s.Fight), InSight: s.InSight, Cheat: s.Cheat, Honest: s.Honest, Game: s.Game, Metrics: s.Metrics,
	})
}
