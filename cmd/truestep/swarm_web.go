package main

import (
	"cmp"
	"errors"

	"github.com/truestep-io/truestep/swarm"
)

// swarmWebCmd is the command "truestep swarm web", which runs many clients of the web protocol.
type swarmWebCmd struct {
	Addr      string `help:"Address of the server: HOST:PORT (TCP and UDP); default 127.0.0.1:8090. Also --server." default:"127.0.0.1:8090" placeholder:"ADDR" aliases:"server"`
	swarmSize `embed:""`

	Walk    bool `help:"All players wander." xor:"play"`
	Fight   bool `help:"All players fight the nearest actor, other players included." xor:"play"`
	Mixed   bool `help:"Half of the players wander, half fight, and all talk. The default." xor:"play"`
	InSight bool `help:"Keep all players near one point, so that each sees all others: the most expensive crowd."`
	WS      bool `name:"ws" help:"Use WebSocket instead of WebTransport."`

	swarmNetwork `embed:""`
	Prefix       string `help:"Prefix of the names of players; a number follows. Each is a new guest." default:"webbot"`
	reportFlags
	swarmSeed `embed:""`
}

// Help returns the text that is printed below the flags of the command.
func (swarmWebCmd) Help() string { return helpText("swarm-web") }

// Validate refuses values out of range.
func (s *swarmWebCmd) Validate() error {
	if s.WS && s.network() != (swarm.Network{}) {
		return errors.New("--ws selects WebSocket, which sends no datagrams that --loss, --delay and --jitter could impair: remove these flags, or remove --ws")
	}
	return cmp.Or(s.swarmSize.check(), s.swarmNetwork.check(), checkPrefix(s.Prefix, maxBedrockPrefix))
}

// Run runs the swarm and prints the report.
func (s *swarmWebCmd) Run(to std) error {
	c := s.config(s.Addr, to.err)
	c.Network, c.Prefix, c.Seed = s.network(), s.Prefix, s.Seed
	return runSwarm(to, s.reportFlags, s.Loss > 0, swarm.Web{Config: c, Activity: activity(s.Walk, s.Fight), InSight: s.InSight, WebSocket: s.WS})
}
