package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// Whoever dies and is no player is gone from the world in the same frame. Clients keep him for as long as he takes to
// fall over.
const (
	deathAnimationMS   = 1000 // clients let the dead fall over in about that time, and then leave them out by themselves
	maxDeathAnimations = 64   // that a client keeps; then the oldest go at once   guess: more than one sees fall at a time
)

// never is a tick that does not come.
const maxTick = ^sim.Tick(0)

// corpse is somebody who is gone from the world, and not from a client's.
type deathAnimation struct {
	runtimeID uint64
	until     sim.Tick
}

// lay takes a dead actor out of what the client can name, and leaves it lying.
func (c *conn) startDeathAnimation(e sim.EntityID, now sim.Tick) {
	wire := c.view.runtimeIDs[e]
	if wire == 0 {
		return
	}
	c.detachRiding(e)
	if _, listed := c.view.playerList[e]; listed { // he left the world as he fell
		send(c, playerListRemove(wire))
	}
	c.view.remove(e)
	if len(c.view.deathAnimations) >= maxDeathAnimations {
		c.removeDead(c.view.deathAnimations[0].until)
	}
	c.view.deathAnimations = append(c.view.deathAnimations, deathAnimation{wire, now + sim.Tick(deathAnimationMS*c.w.g.world.Def().TicksPerSecond/1000)})
}

// bury takes those away whose time has come; they lie in that order.
func (c *conn) removeDead(now sim.Tick) {
	n := 0
	for ; n < len(c.view.deathAnimations) && c.view.deathAnimations[n].until <= now; n++ {
		send(c, proto.RemoveActor{Unique: int64(c.view.deathAnimations[n].runtimeID)})
	}
	if n > 0 {
		c.view.deathAnimations = append(c.view.deathAnimations[:0], c.view.deathAnimations[n:]...)
	}
}
