package webscene

import (
	"time"

	"github.com/truestep-io/truestep/internal/crowd"
	"github.com/truestep-io/truestep/internal/settings"
)

// Options are the flags that select a scene, a round-trip time and a loss.
type Options struct {
	Scene string           `enum:"vale,wander,asteroids,stinkysteak,stinkysteak-yaw" default:"vale" help:"Crowd whose motion is sent: ${enum}."`
	RTT   time.Duration    `name:"rtt" default:"0s" help:"Round trip of the line, at most 1s, such as 100ms."`
	Loss  settings.Percent `default:"0%" placeholder:"P%" help:"Share of the packets that are lost in each direction, at most 90%."`
	Seed  uint64           `default:"1" help:"Seed of all random choices. With one version of truestep, the same flags give the same bytes."`
	Ticks int              `default:"400" help:"Ticks, a snapshot each: 1..1000000."`
}

// Config returns the configuration that the flags select.
func (o *Options) Config() (Config, error) {
	scene, _ := crowd.Named(o.Scene)
	c := Config{Scene: scene, RoundTrip: o.RTT, Loss: float64(o.Loss), Seed: o.Seed, Ticks: o.Ticks}
	return c, c.Check()
}
