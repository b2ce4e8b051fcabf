package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// Whoever dies and is no player is gone from the world in the same frame. Clients keep him for as long as he takes to
// fall over.
const (
	fallMS      = 1000 // clients let the dead fall over in about that time, and then leave them out by themselves
	mostCorpses = 64   // that a client keeps; then the oldest go at once   guess: more than one sees fall at a time
)

// never is a tick that does not come.
const never = ^sim.Tick(0)

// corpse is somebody who is gone from the world, and not from a client's.
type corpse struct {
	wire  uint64
	until sim.Tick
}

// lay takes a dead actor out of what the client can name, and leaves it lying.
func (c *conn) lay(e sim.EntityID, now sim.Tick) {
	wire := c.sight.wires[e]
	if wire == 0 {
		return
	}
	c.stand(e)
	if _, listed := c.sight.listed[e]; listed { // he left the world as he fell
		send(c, playerListRemove(wire))
	}
	c.sight.forget(e)
	if len(c.sight.corpses) >= mostCorpses {
		c.bury(c.sight.corpses[0].until)
	}
	c.sight.corpses = append(c.sight.corpses, corpse{wire, now + sim.Tick(fallMS*c.w.g.world.Def().TicksPerSecond/1000)})
}

// bury takes those away whose time has come; they lie in that order.
func (c *conn) bury(now sim.Tick) {
	n := 0
	for ; n < len(c.sight.corpses) && c.sight.corpses[n].until <= now; n++ {
		send(c, proto.RemoveActor{Unique: int64(c.sight.corpses[n].wire)})
	}
	if n > 0 {
		c.sight.corpses = append(c.sight.corpses[:0], c.sight.corpses[n:]...)
	}
}
