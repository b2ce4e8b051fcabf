package rsscene

import (
	"errors"
	"fmt"
	"math/rand/v2"

	"github.com/truestep-io/truestep/proto/rs"
)

// Config configures a run. Profile, Scene, Players and Viewers are required.
type Config struct {
	Profile *rs.Profile // layout of the player info packet in the clients' revision
	Scene   string      // name of the scene, one of SceneNames
	Players int         // maximum number of players at a time, 1..2047
	Viewers int         // number of viewers, 1..Players; viewers are never removed
	Seed    uint64      // seed of all random choices

	Lag       bool // some packets are not sent to viewers, so the next packet covers several cycles
	Reconnect bool // viewers occasionally receive a new placement block, as after a reconnect
}

// ErrConfig is wrapped by the errors of New.
var ErrConfig = errors.New("invalid configuration of a scene")

// Run is one run of a scene: its simulated world and the viewers that watch it.
type Run struct {
	World   *World    // the players and their true state
	Viewers []*Viewer // in ascending order of their player indices

	config Config
	rng    *rand.Rand // random numbers for lag and reconnects; the world has another generator
	enc    rs.PlayerInfoEncoder
}

// New creates a run. All players of the scene are in the world, and each viewer has its placement block, the data that a client
// receives at a login. Errors wrap ErrConfig.
func New(c Config) (*Run, error) {
	play, ok := scenes[c.Scene]
	switch {
	case c.Profile == nil:
		return nil, fmt.Errorf("%w: Profile is nil", ErrConfig)
	case !ok:
		return nil, fmt.Errorf("%w: there is no scene %q", ErrConfig, c.Scene)
	case c.Players < 1 || c.Players > rs.MaxIndex:
		return nil, fmt.Errorf("%w: the number of players is %d, must be 1..%d", ErrConfig, c.Players, rs.MaxIndex)
	case c.Viewers < 1 || c.Viewers > c.Players:
		return nil, fmt.Errorf("%w: the number of viewers is %d, must be 1..%d", ErrConfig, c.Viewers, c.Players)
	}
	r := &Run{config: c, World: newWorld(c, play), rng: rand.New(rand.NewPCG(c.Seed, 0x76696577))}
	for _, i := range r.World.protected {
		r.Viewers = append(r.Viewers, newViewer(r.World, i))
	}
	return r, nil
}

// Step simulates one cycle and encodes the packet of every viewer.
func (r *Run) Step() error {
	w := r.World
	w.step()
	w.scene.Prepare()
	defer w.scene.Advance()
	for _, v := range r.Viewers {
		v.Placement, v.Packet = nil, nil
		if r.config.Reconnect && r.rng.IntN(40) == 0 {
			v.reset(w)
		}
		sent := !r.config.Lag || v.missed == maxMissed || r.rng.IntN(4) != 0
		if err := v.update(w, &r.enc, sent); err != nil {
			return fmt.Errorf("cycle %d: update viewer %d: %w", w.Cycle, v.Self, err)
		}
	}
	return nil
}

// maxMissed is the maximum number of consecutive cycles without a packet to a viewer. Config.Lag leaves out packets at random.
const maxMissed = 5
