package main

import (
	"fmt"
	"net/netip"
	"os"
	"path/filepath"
	"strings"

	rsclient "github.com/truestep-io/truestep/client/rs"
	gate "github.com/truestep-io/truestep/gateway/rs"
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
	if r.rcce != nil {
		doors = append(doors, demo.Door{Protocol: "rcce", Addr: loopback(r.rcce.Addr())})
	}
	if r.rs != nil {
		text, err := os.ReadFile(filepath.Join(s.DataDir, gate.PublicFile))
		if err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
		key, err := rsclient.ParsePublicKey(text)
		if err != nil {
			return nil, fmt.Errorf("demo: %w", err)
		}
		doors = append(doors, demo.Door{Protocol: "rs", Addr: loopback(r.rs.Addr()), Key: key})
	}
	switch {
	case r.bedrock != nil && s.BedrockOnline:
		r.log.Info("demo: the bedrock door gets no bots, as it lets in signed logins only")
	case r.bedrock != nil:
		doors = append(doors, demo.Door{Protocol: "bedrock", Addr: loopback(r.bedrock.Addr())})
	}
	return doors, nil
}

func loopback(at netip.AddrPort) string { return netip.AddrPortFrom(localOf(at), at.Port()).String() }
