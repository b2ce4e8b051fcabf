package main

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	rsclient "github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/swarm/demo"
)

// checkDemo refuses settings of --demo that are out of range.
func (s *serveCmd) checkDemo() error {
	if s.DemoBots < 1 || s.DemoBots > demo.MaxBotsPerDoor {
		return fmt.Errorf("demo-bots %d: must be 1..%d", s.DemoBots, demo.MaxBotsPerDoor)
	}
	return nil
}

// startDemo starts the bots of --demo; nil if it is not set.
func (s *serveCmd) startDemo(srv *server.Server, log *slog.Logger, accounts *demo.Accounts) (*demo.Bots, error) {
	if !s.Demo {
		return nil, nil
	}
	password, err := demo.Password(s.DataDir)
	if err != nil {
		return nil, err
	}
	doors, err := demoDoors(srv, log)
	if err != nil {
		return nil, err
	}
	return demo.Start(demo.Config{
		World: srv.World().Def(), Log: log, Doors: doors, BotsPerDoor: s.DemoBots, Password: password, Accounts: accounts,
		Locate: func() map[string]sim.AreaID {
			areas := map[string]sim.AreaID{}
			for _, p := range srv.Hub().Players() {
				areas[strings.ToLower(p.Account)] = p.Area
			}
			return areas
		},
	}), nil
}

// demoDoors are the open doors that bots can use.
func demoDoors(srv *server.Server, log *slog.Logger) (doors []demo.Door, err error) {
	for _, d := range srv.Doors() {
		if !d.Addr.IsValid() {
			continue
		}
		if d.NoBots != "" {
			log.Info("demo: the " + d.Name + " door gets no bots, as " + d.NoBots)
			continue
		}
		door := demo.Door{Protocol: d.Name, Addr: gateway.LocalAddr(d.Addr).String()}
		if d.KeyFile != "" {
			text, err := os.ReadFile(d.KeyFile)
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
