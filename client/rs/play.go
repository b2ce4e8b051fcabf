package rs

import (
	"context"
	"math/rand/v2"
	"time"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// The button with which a client of revision 667 goes to the login screen. Source: docs/wire/rs.md, logout.
const (
	logoutInterface = 182
	logoutComponent = 13
)

// opAttack is the menu option "Attack" of other players, as servers of these games give it.
const opAttack = 1

// send is a request. Errors: ErrOffline, or what the network says; the client learns of that by itself too.
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

// Walk clicks on a tile. ctrl is the control key, which turns running on or off for this way. Errors of this and the
// other requests are ErrOffline and what the network says.
func (c *Client) Walk(x, z uint16, ctrl bool) error {
	return c.send(proto.MoveGameClick{X: x, Z: z, Ctrl: ctrl}, &c.counts.Clicks)
}

// Attack chooses the first option of a player in sight, which is "Attack" where players can fight.
func (c *Client) Attack(i proto.Index) error {
	return c.send(proto.OpPlayer{Option: opAttack, Index: i}, &c.counts.Attacks)
}

// Say says a line, of which the first 90 characters are sent.
func (c *Client) Say(text string) error {
	b := proto.AppendText(nil, text)
	text = proto.TextString(b[:min(len(b), proto.MaxChatLength)])
	return c.send(proto.MessagePublicRequest{Text: text}, &c.counts.Lines)
}

// Command is a line of the console, without the "::" with which players begin it in the chat box.
func (c *Client) Command(text string) error {
	return c.send(proto.ClientCheat{Command: text}, &c.counts.Commands)
}

// Face turns to a tile.
func (c *Client) Face(x, z uint16) error { return c.send(proto.FaceSquare{X: x, Z: z}, nil) }

// Logout presses the logout button and waits until the server has let the client go. Where the button has another
// number Command("logout") may do it. Errors: ErrOffline, how ctx ended, or why the client is out of the game otherwise.
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
// goroutine, which reads nothing meanwhile. A Behaviour belongs to one client.
type Behaviour interface{ Act(p *Player) }

// Play lets a behaviour play from now on; nil ends it.
func (c *Client) Play(b Behaviour) {
	c.mu.Lock()
	defer c.mu.Unlock()
	c.play = b
}

// Player is what a Behaviour may know and do. It is valid while Act runs. What it asks for may be lost with the
// connection.
type Player struct {
	c   *Client
	now time.Time
}

// Now is when the packet came.
func (p *Player) Now() time.Time { return p.now }

// World is what the client knows. It must not be changed or kept.
func (p *Player) World() *World { return &p.c.world }

// Rand is the client's own luck.
func (p *Player) Rand() *rand.Rand { return p.c.rng }

// Walk is Client.Walk.
func (p *Player) Walk(x, z uint16, ctrl bool) { _ = p.c.Walk(x, z, ctrl) }

// Attack is Client.Attack.
func (p *Player) Attack(i proto.Index) { _ = p.c.Attack(i) }

// Say is Client.Say.
func (p *Player) Say(text string) { _ = p.c.Say(text) }

// Command is Client.Command.
func (p *Player) Command(text string) { _ = p.c.Command(text) }
