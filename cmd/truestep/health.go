package main

import (
	"context"

	"github.com/truestep-io/truestep/server"
)

// healthCmd asks a running server whether it is ready for players.
type healthCmd struct{ server.HealthCheck }

// Help returns the text that is printed below the flags of the command.
func (healthCmd) Help() string { return helpText("health") }

// Run prints what keeps the server from being ready. The exit status is 1 if it is not ready.
func (c *healthCmd) Run(to std) error {
	ready, err := c.Probe(context.Background(), to.out)
	if err == nil && !ready {
		err = exitStatus(1)
	}
	return err
}
