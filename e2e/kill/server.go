//go:build linux

package main

import (
	"context"
	"path/filepath"

	"github.com/truestep-io/truestep/e2e/process"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim"
)

// server is the server process that the test kills and restarts. Each run has the same data folder and the same ports.
type server struct {
	process.Server
	world string // path of the world file
}

func newServer(bin, folder string) *server {
	return &server{world: filepath.Join(folder, "world.toml"), Server: process.Server{
		Name: "the server", Bin: bin, DataDir: filepath.Join(folder, "data"), LogFile: filepath.Join(folder, "server.log"),
		Addresses: map[string]string{"rcce": "127.0.0.1:0", "rs": "127.0.0.1:0", "bedrock": "127.0.0.1:0"},
	}}
}

// start starts the process and waits until it is ready.
func (s *server) start(ctx context.Context) error {
	return s.Start(ctx, "--world", s.world, "--console", "127.0.0.1:0", "--metrics", "off", "--web", "off")
}

// watch starts to follow the live maps of all areas.
func (s *server) watch(ctx context.Context) *truth.Map {
	const rate = 20 // frames in a second
	return truth.Watch(ctx, &s.Server, areaCount, rate)
}

// entities returns the entity ids of the players that have a session, by player name.
func (s *server) entities(ctx context.Context) (map[string]sim.EntityID, error) {
	var body struct {
		Players []struct {
			Entity sim.EntityID
			Name   string
		}
	}
	if err := s.Get(ctx, "players", &body); err != nil {
		return nil, err
	}
	ids := map[string]sim.EntityID{}
	for _, p := range body.Players {
		ids[p.Name] = p.Entity
	}
	return ids, nil
}
