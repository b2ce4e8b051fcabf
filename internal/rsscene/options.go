package rsscene

import (
	"fmt"

	"github.com/truestep-io/truestep/proto/rs"
)

// Options are the flags that select a scene with one viewer.
type Options struct {
	Profile    string `enum:"634,667,osrs239" default:"667" help:"Revision of the client: ${enum}."`
	Scene      string `enum:"chaos,crowd,walkers" default:"chaos" help:"What happens in the world: ${enum}."`
	Seed       uint64 `default:"1" help:"Seed of all random choices. With one version of truestep, the same flags give the same bytes."`
	Players    int    `default:"100" help:"Players in the world, the viewer among them: 1..2046."`
	Cycles     int    `default:"100" help:"Cycles, a packet each: 1..1000000."`
	Reconnects bool   `help:"Send the client a new placement block now and then: another init line before a cycle."`
}

// Maximum values of Options.
const (
	maxPlayers = 2046
	maxCycles  = 1_000_000
)

// Validate returns an error if Players or Cycles is out of range.
func (o *Options) Validate() error {
	switch {
	case o.Players < 1 || o.Players > maxPlayers:
		return fmt.Errorf("players %d: must be 1..%d", o.Players, maxPlayers)
	case o.Cycles < 1 || o.Cycles > maxCycles:
		return fmt.Errorf("cycles %d: must be 1..%d", o.Cycles, maxCycles)
	}
	return nil
}

// Config returns the configuration of the run that the flags select.
func (o *Options) Config() Config {
	profile, _ := rs.ProfileNamed(o.Profile)
	return Config{Profile: profile, Scene: o.Scene, Players: o.Players, Viewers: 1, Seed: o.Seed, Reconnect: o.Reconnects}
}
