package rcce

import (
	"context"
	"errors"
	"math/rand/v2"
	"time"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim/geom"
)

// Behaviour decides what a player does. Act is called every 50 ms while the player is in the world and alive, in the
// client's goroutine. A Behaviour belongs to one client.
type Behaviour interface{ Act(p *Player) }

// Player gives a Behaviour access to its client. It is valid only during Act.
type Player struct {
	c   *Client
	now time.Time
}

// Now returns the time of this call of Act.
func (p *Player) Now() time.Time { return p.now }

// World returns the client's world, which must not be modified or kept.
func (p *Player) World() *World { return &p.c.world }

// Rand returns the client's random number generator.
func (p *Player) Rand() *rand.Rand { return p.c.rng }

// Pos returns the predicted position of the own actor; World().Self.Pos is the last position from the server.
func (p *Player) Pos() geom.Vec { return p.c.body.pos }

// Walking reports whether the last WalkTo is still in progress.
func (p *Player) Walking() bool { return p.c.body.walking }

// WalkTo starts a walk to a point. The server learns of the walk with the next position that the client sends, at most 200 ms
// after the previous one.
func (p *Player) WalkTo(x, z float32, running bool) {
	b := &p.c.body
	b.dest = geom.Vec{X: x, Y: b.pos.Y, Z: z}
	b.running, b.walking, b.unsent = running, true, true
}

// Stop stops walking.
func (p *Player) Stop() {
	b := &p.c.body
	if b.walking {
		b.dest, b.walking, b.unsent = b.pos, false, true
	}
}

// Teleport sets the predicted position without a walk. The client then sends this position to the server, as a cheating client
// would, or a client whose connection was interrupted.
func (p *Player) Teleport(x, z float32) {
	b := &p.c.body
	b.pos.X, b.pos.Z, b.unsent = x, z, true
}

// Attack requests an attack on an actor. The server ignores the request if it comes too early, if the target is too far
// away, or if the attack is not allowed.
func (p *Player) Attack(rid uint16) {
	p.c.counts.Swings++
	_ = p.c.queue(proto.AttackActorRequest{Target: rid}) // the packet is dropped if the send queue is full; the connection will end soon
}

// LastHit returns the runtime id of the actor that the player's last attack hit or missed. It returns 0 if the server has
// reported no such attack since the last call.
func (p *Player) LastHit() uint16 {
	rid := p.c.lastHit
	p.c.lastHit = 0
	return rid
}

// Say sends a line of chat to the area. A line that begins with / is a command to the server.
func (p *Player) Say(text string) {
	_ = p.c.queue(proto.ChatMessageRequest{Text: text})
}

// Drop drops items of a slot of the own inventory.
func (p *Player) Drop(slot uint8, amount uint16) {
	_ = p.c.queue(proto.InventoryDropRequest{Slot: slot, Amount: amount})
}

// PickUp picks items up from the ground into a slot. The parameter drop is the handle of these items, from the packet
// proto.InventoryDropped.
func (p *Player) PickUp(drop uint32, slot uint8) {
	_ = p.c.queue(proto.InventoryPickUpRequest{Drop: drop, Slot: slot})
}

// Play runs a behaviour until ctx or the connection ends. If ctx ends, the error is nil. If the connection ends, the error
// is a LostError, ErrKicked or a network error.
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
