package main

import (
	"fmt"

	"github.com/truestep-io/truestep/swarm/demo"
)

// checkDemo returns an error if a setting of --demo is out of range.
func (s *serveCmd) checkDemo() error {
	if s.DemoBots < 1 || s.DemoBots > demo.MaxBotsPerDoor {
		return fmt.Errorf("demo-bots %d: must be 1..%d", s.DemoBots, demo.MaxBotsPerDoor)
	}
	return nil
}
