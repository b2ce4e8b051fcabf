package demo

import (
	"fmt"
	"log/slog"
	"os"
	"strings"

	rsclient "github.com/truestep-io/truestep/client/rs"
	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/server"
	"github.com/truestep-io/truestep/sim"
)

// StartOn starts bots on srv, a server in this process: botsPerDoor bots at each open door that lets bots log in. The bots' password is
// stored in dataDir.
func StartOn(srv *server.Server, dataDir string, botsPerDoor int, log *slog.Logger, accounts *Accounts) (*Bots, error) {
	password, err := Password(dataDir)
	if err != nil {
		return nil, err
	}
	doors, err := openDoors(srv, log)
	if err != nil {
		return nil, err
	}
	return Start(Config{
		World: srv.World().Def(), Log: log, Doors: doors, BotsPerDoor: botsPerDoor, Password: password, Accounts: accounts,
		Locate: func() map[string]sim.AreaID {
			areas := map[string]sim.AreaID{}
			for _, p := range srv.Hub().Players() {
				areas[strings.ToLower(p.Account)] = p.Area
			}
			return areas
		},
	}), nil
}

// openDoors returns the open doors of srv that let bots log in.
func openDoors(srv *server.Server, log *slog.Logger) (doors []Endpoint, err error) {
	for _, d := range srv.Doors() {
		if !d.Addr.IsValid() {
			continue
		}
		if d.NoBots != "" {
			log.Info("demo: the " + d.Name + " door gets no bots, because " + d.NoBots)
			continue
		}
		door := Endpoint{Protocol: d.Name, Addr: gateway.LocalAddr(d.Addr).String()}
		if d.KeyFile != "" {
			text, err := os.ReadFile(d.KeyFile)
			if err != nil {
				return nil, fmt.Errorf("demo: read the public key of the rs door: %w", err)
			}
			if door.Key, err = rsclient.ParsePublicKey(text); err != nil {
				return nil, fmt.Errorf("demo: parse the public key of the rs door: %w", err)
			}
		}
		doors = append(doors, door)
	}
	return doors, nil
}
