package main

import (
	"fmt"
	"os"
	"strings"

	rsclient "github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/swarm/demo"
)

// checkDemo refuses settings of --demo that are out of range.
func (s *serveCmd) checkDemo(refuse func(bad bool, format string, args ...any)) {
	refuse(s.DemoBots < 1 || s.DemoBots > demo.MaxBotsPerDoor, "demo-bots %d: must be 1..%d", s.DemoBots, demo.MaxBotsPerDoor)
}

// startDemo starts the bots of --demo, if it is set.
func (s *serveCmd) startDemo(r *running) error {
	if !s.Demo {
		return nil
	}
	password, err := demo.Password(s.DataDir)
	if err != nil {
		return err
	}
	doors, err := s.demoDoors(r)
	if err != nil {
		return err
	}
	r.demo = demo.Start(demo.Config{
		World: r.from.def, Log: r.log, Doors: doors, BotsPerDoor: s.DemoBots, Password: password, Accounts: &r.bots,
		Locate: func() map[string]sim.AreaID {
			areas := map[string]sim.AreaID{}
			for _, p := range r.hub.Players() {
				areas[strings.ToLower(p.Account)] = p.Area
			}
			return areas
		},
	})
	return nil
}

// demoDoors are the open doors that bots can use.
func (s *serveCmd) demoDoors(r *running) (doors []demo.Door, err error) {
	for _, d := range r.doors {
		if !d.isOpen() {
			continue
		}
		about := d.Describe(r.host(s.DataDir))
		if about.NoBots != "" {
			r.log.Info("demo: the " + d.Name() + " door gets no bots, as " + about.NoBots)
			continue
		}
		door := demo.Door{Protocol: d.Name(), Addr: gateway.LocalAddr(d.Addr()).String()}
		if about.KeyFile != "" {
			text, err := os.ReadFile(about.KeyFile)
			if err != nil {
				return nil, fmt.Errorf("demo: %w", err)
			}
			if door.Key, err = rsclient.ParsePublicKey(text); err != nil {
				return nil, fmt.Errorf("demo: %w", err)
			}
		}
		doors = append(doors, door)
	}
	return doors, nil
}
