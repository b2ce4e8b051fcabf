package rcce

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

// Behaviour decides what a player does. The client calls Act every 50 ms while it plays and its own actor is alive, in the
// goroutine of Client.Play. Each client needs its own Behaviour.
type Behaviour interface{ Act(p *Player) }

// Player lets a Behaviour read and control its client. It is valid only during the call of Act.
type Player struct {
	c   *Client
	now time.Time
}

// Now returns the time of this call of Act.
func (p *Player) Now() time.Time { return p.now }

// World returns the client's world. A Behaviour must not modify it, nor keep it after Act.
func (p *Player) World() *World { return &p.c.world }

// Rand returns the client's random number generator.
func (p *Player) Rand() *rand.Rand { return p.c.rng }

// Pos returns the predicted position of the own actor. The last position from the server is World().Self.Pos.
func (p *Player) Pos() geom.Vec { return p.c.body.pos }

// Walking reports whether the walk of the last WalkTo is still in progress.
func (p *Player) Walking() bool { return p.c.body.walking }

// WalkTo starts a walk to a point in units. The client tells the server about the walk together with the next position that it
// sends: 200 ms after the previous position or, if that time has passed, in this tick.
func (p *Player) WalkTo(x, z float32, running bool) {
	b := &p.c.body
	b.dest = geom.Vec{X: x, Y: b.pos.Y, Z: z}
	b.running, b.walking, b.unsent = running, true, true
}

// Stop ends a walk at the predicted position.
func (p *Player) Stop() {
	b := &p.c.body
	if b.walking {
		b.dest, b.walking, b.unsent = b.pos, false, true
	}
}

// Teleport sets the predicted position without a walk. The client then sends the new position to the server, as a cheating client
// does, or a client whose connection was interrupted.
func (p *Player) Teleport(x, z float32) {
	b := &p.c.body
	b.pos.X, b.pos.Z, b.unsent = x, z, true
}

// Attack requests an attack on an actor. The server ignores the request if the last attack was too recent, the target is too far
// away, or the attack is not allowed.
func (p *Player) Attack(rid uint16) {
	p.c.counts.Swings++
	_ = p.c.queue(proto.AttackActorRequest{Target: rid}) // the packet is dropped if the send queue is full; the connection will end soon
}

// LastHit returns the runtime id of the target of the own actor's latest attack that the server has reported as a hit or a
// miss. It returns 0 if the server has reported no attack since the last call.
func (p *Player) LastHit() uint16 {
	rid := p.c.lastHit
	p.c.lastHit = 0
	return rid
}

// Say sends a line of chat to the players of the area. A line that begins with / is a command for the server instead.
func (p *Player) Say(text string) {
	_ = p.c.queue(proto.ChatMessageRequest{Text: text})
}

// RightClick requests an interaction with an actor: a rideable actor within 20 units is mounted. Self.Mount then names it.
func (p *Player) RightClick(rid uint16) {
	_ = p.c.queue(proto.RightClick{Target: rid})
}

// Drop puts items of an inventory slot on the ground. The parameter amount is the number of items.
func (p *Player) Drop(slot uint8, amount uint16) {
	_ = p.c.queue(proto.InventoryDropRequest{Slot: slot, Amount: amount})
}

// PickUp moves items from the ground into an inventory slot. The parameter drop is the handle of the items from the packet
// proto.InventoryDropped.
func (p *Player) PickUp(drop uint32, slot uint8) {
	_ = p.c.queue(proto.InventoryPickUpRequest{Drop: drop, Slot: slot})
}

// Play lets a behaviour control the player until ctx ends or the connection ends. If ctx ends, the error is nil. If the
// connection ends, the error is a LostError, ErrKicked or a network error.
func (c *Client) Play(ctx context.Context, b Behaviour) error {
	c.mu.Lock()
	c.play = b
	c.body.at = time.Now()
	c.mu.Unlock()
	var err error
	for err == nil {
		err = c.pump(ctx)
	}
	c.mu.Lock()
	c.play = nil
	c.mu.Unlock()
	if errors.Is(err, ctx.Err()) {
		return nil
	}
	return err
}
