package main

import (
	"context"
	"os"
	"path/filepath"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestASwarmKnowsWhatStandsInTheServersWorld(t *testing.T) {
	walls, err := wallsOf("")
	if err != nil || len(walls["Truestep Vale"]) == 0 {
		t.Errorf("embedded world: %v, %d solids", err, len(walls["Truestep Vale"]))
	}
	file := filepath.Join(t.TempDir(), "other.toml")
	for _, c := range []struct{ text, want string }{
		{"", "world file: "},
		{"name = 3\n", "other.toml:1"},
	} {
		if c.text != "" {
			if err := os.WriteFile(file, []byte(c.text), 0o600); err != nil {
				t.Fatal(err)
			}
		}
		if _, err := wallsOf(file); err == nil || !strings.Contains(err.Error(), c.want) {
			t.Errorf("%q: %v, want %q", c.text, err, c.want)
		}
	}
}

// A player of the swarm sees what stands in the area in which it is, once it is there.
func TestAPlayerOfASwarmSeesTheWallsAroundIt(t *testing.T) {
	walls, err := wallsOf("")
	if err != nil {
		t.Fatal(err)
	}
	ctx, stop := context.WithTimeout(t.Context(), patience)
	defer stop()
	c, err := rcce.Dial(ctx, serveRcce(t), rcce.Options{User: "Sighted", Password: "swarm"})
	if err != nil {
		t.Fatal(err)
	}
	defer c.Close()
	if err := c.Join(ctx); err != nil {
		t.Fatal(err)
	}
	solid := walls["Truestep Vale"][0]
	away := geom.Vec{X: solid.Min.X - 50, Z: solid.Min.Z - 50}
	s := &sighted{walls: walls}
	if !s.clear(away, solid.Min) {
		t.Error("it sees walls before it is anywhere")
	}
	s.Behaviour = acts(func(*rcce.Player) { stop() })
	if err := c.Play(ctx, s); err != nil {
		t.Fatal(err)
	}
	if s.area != "Truestep Vale" || s.clear(away, solid.Min) {
		t.Errorf("in %q a way into a house is clear", s.area)
	}
}

// acts is a behaviour of one function.
type acts func(*rcce.Player)

func (f acts) Act(p *rcce.Player) { f(p) }
