package bedrock

import (
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// Limits of death animations. An NPC that dies is removed from the world in the same frame, but clients are sent the removal
// only after the death animation has ended.
const (
	deathAnimationMS   = 1000 // approximate duration of the animation; clients hide the actor at its end
	maxDeathAnimations = 64   // maximum number of animations per client, chosen to be more than are visible at a time; one more ends the oldest early
)

// maxTick is greater than every tick that occurs.
const maxTick = ^sim.Tick(0)

// deathAnimation is an actor that has died and left the world, and whose death animation a client still displays.
type deathAnimation struct {
	runtimeID uint64
	until     sim.Tick // tick at which the client is sent the removal of the actor
}

// startDeathAnimation records that a client displays the death of an actor. The actor is no longer in the client's view, so
// the client cannot attack it. On the client's screen the actor remains until removeDead sends its removal.
func (c *conn) startDeathAnimation(e sim.EntityID, now sim.Tick) {
	wire := c.view.runtimeIDs[e]
	if wire == 0 {
		return
	}
	c.detachRiding(e)
	if _, listed := c.view.playerList[e]; listed { // the dead actor is a player that left the world in this frame
		send(c, playerListRemove(wire))
	}
	c.view.remove(e)
	if len(c.view.deathAnimations) >= maxDeathAnimations {
		c.removeDead(c.view.deathAnimations[0].until)
	}
	c.view.deathAnimations = append(c.view.deathAnimations, deathAnimation{wire, now + sim.Tick(deathAnimationMS*c.w.g.world.Def().TicksPerSecond/1000)})
}

// removeDead removes from the client's display the actors whose death animation has ended before or at the tick now.
func (c *conn) removeDead(now sim.Tick) {
	n := 0
	for ; n < len(c.view.deathAnimations) && c.view.deathAnimations[n].until <= now; n++ {
		send(c, proto.RemoveActor{Unique: int64(c.view.deathAnimations[n].runtimeID)})
	}
	if n > 0 {
		c.view.deathAnimations = append(c.view.deathAnimations[:0], c.view.deathAnimations[n:]...)
	}
}
