package rs

import (
	"context"
	"math/rand/v2"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// The logout button of a client of revision 667. Source: docs/wire/rs.md, logout.
const (
	logoutInterface = 182
	logoutComponent = 13
)

// opAttack is the number of the menu option "Attack" of other players, as servers usually set it.
const opAttack = 1

// send sends a request. If count is not nil, it is the counter of such requests, which is incremented. The error is ErrOffline or
// a network error, which also ends the connection.
func (c *Client) send(p proto.Packet, count *uint64) error {
	c.mu.Lock()
	l := c.link
	if l != nil && count != nil {
		*count++
	}
	c.mu.Unlock()
	if l == nil {
		return ErrOffline
	}
	return l.send(p)
}

// Walk clicks on the tile with the absolute coordinates x and z, to which the player then goes. The parameter ctrl is true for a
// click with the control key held: the player then runs if its run mode is off, and walks if it is on. Like all methods that send
// a request, Walk returns nil, ErrOffline or a network error.
func (c *Client) Walk(x, z uint16, ctrl bool) error {
	return c.send(proto.MoveGameClick{X: x, Z: z, Ctrl: ctrl}, &c.counts.Clicks)
}

// Attack chooses the first menu option of a local player, which is "Attack" where players can fight.
func (c *Client) Attack(i proto.Index) error {
	return c.send(proto.OpPlayer{Option: opAttack, Index: i}, &c.counts.Attacks)
}

// Say sends the first 90 characters of a line of public chat.
func (c *Client) Say(text string) error {
	b := proto.AppendText(nil, text)
	text = proto.TextString(b[:min(len(b), proto.MaxChatLength)])
	return c.send(proto.MessagePublicRequest{Text: text}, &c.counts.Lines)
}

// Command sends a console command, without the leading "::" of the chat box.
func (c *Client) Command(text string) error {
	return c.send(proto.ClientCheat{Command: text}, &c.counts.Commands)
}

// Face requests that the player turns towards a tile.
func (c *Client) Face(x, z uint16) error { return c.send(proto.FaceSquare{X: x, Z: z}, nil) }

// Logout presses the logout button and waits until the server has logged the client out. On servers whose logout button has
// another number, Command("logout") may work. Errors are ErrOffline, ctx.Err(), or, if the client ended for another reason,
// that reason.
func (c *Client) Logout(ctx context.Context) error {
	over := c.Done()
	c.mu.Lock()
	c.leaving = c.link != nil
	c.mu.Unlock()
	button := proto.ComponentOf(logoutInterface, logoutComponent)
	err := c.send(proto.IfButton{Option: 1, Component: button, Object: proto.None, Sub: proto.None}, nil)
	if err != nil {
		return err
	}
	select {
	case <-over:
		return c.Err()
	case <-ctx.Done():
		return ctx.Err()
	}
}

// Behaviour decides what a player does. Act is called after each PLAYER_INFO, about every 600 ms, in the client's
// goroutine, which reads nothing meanwhile. Each client needs its own Behaviour.
type Behaviour interface{ Act(p *Player) }

// Play sets the client's behaviour; nil removes it.
func (c *Client) Play(b Behaviour) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.behaviour = b
}

// Player gives a Behaviour access to its client. It is valid only while Act runs. Requests of a Player return no error: if the
// connection ends, they are lost.
type Player struct {
	c   *Client
	now time.Time
}

// Now returns the arrival time of the PLAYER_INFO packet after which Act is called.
func (p *Player) Now() time.Time { return p.now }

// World returns the client's world, which must not be modified, nor be used after Act has returned.
func (p *Player) World() *World { return &p.c.world }

// Rand returns the client's random number generator, which is seeded with Config.Seed.
func (p *Player) Rand() *rand.Rand { return p.c.rng }

// Walk clicks on a tile, to which the player then goes; see Client.Walk.
func (p *Player) Walk(x, z uint16, ctrl bool) { _ = p.c.Walk(x, z, ctrl) }

// Attack requests an attack on a local player; see Client.Attack.
func (p *Player) Attack(i proto.Index) { _ = p.c.Attack(i) }

// Say sends a line of public chat; see Client.Say.
func (p *Player) Say(text string) { _ = p.c.Say(text) }

// Command sends a console command; see Client.Command.
func (p *Player) Command(text string) { _ = p.c.Command(text) }
