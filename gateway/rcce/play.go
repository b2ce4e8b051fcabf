package rcce

import (
	"strings"

	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// maxBarText is how long a slot of the action bar may be. Source: docs/wire/rcce.md; names are at most 256 bytes.
const maxBarTextBytes = 256

// maxChat is how many bytes of a chat line are passed on. guess: what fits a client's window.
const maxChatBytes = 250

// localEvery is how many ms lie between two answers to commands like /who. guess: as fast as anybody types.
const localReplyMS = 500

// claim takes a StandardUpdate. Any length but 22 is refused: the original reads what is missing as zeros, which
// teleports to the origin.
func (c *conn) handleClaim(payload []byte) {
	if !c.inWorld() {
		c.w.g.door.Bad.With("untimely").Inc()
		return
	}
	p, err := proto.ParseStandardUpdateRequest(payload)
	if err != nil {
		c.w.g.door.Bad.With("malformed").Inc()
		return
	}
	c.submit(sim.Intent{Kind: sim.IntentClaim, Claim: toClaim(&p)})
}

// inWorld tells whether the client stands in an area; packets of play before that are ignored, as in the original.
func (c *conn) inWorld() bool { return c.session != nil && c.scene != nil }

// submit hands an intent to the area. One beyond the session's budget is counted and lost: false.
func (c *conn) submit(in sim.Intent) bool {
	if err := c.session.Submit(in); err != nil {
		c.w.g.door.Bad.With("budget").Inc()
		return false
	}
	return true
}

// play turns a packet of the world into an intent.
func (c *conn) handlePlay(p proto.Packet) {
	if !c.inWorld() {
		c.w.g.door.Bad.With("untimely").Inc()
		return
	}
	switch p := p.(type) {
	case proto.AttackActorRequest:
		c.submit(sim.Intent{Kind: sim.IntentAttack, Target: c.scene.entityOf(p.Target)})
	case proto.RightClick:
		c.submit(sim.Intent{Kind: sim.IntentInteract, Target: c.scene.entityOf(p.Target)})
	case proto.ChangeAreaRequest, proto.RepositionActorRequest:
		c.submit(sim.Intent{Kind: sim.IntentWarpAck})
	case proto.JumpRequest:
		c.submit(sim.Intent{Kind: sim.IntentJump})
	case proto.Dismount:
		c.submit(sim.Intent{Kind: sim.IntentDismount})
	case proto.ChatMessageRequest:
		c.handleChat(p.Text)
	case proto.InventoryMoveRequest:
		c.handleMoveItem(p)
	case proto.ActionBarUpdate:
		if text := p.Stored(); len(text) <= maxBarTextBytes {
			c.submit(sim.Intent{Kind: sim.IntentActionBar, SlotA: p.Slot, Text: text})
		}
	case proto.InventoryDropRequest:
		c.submit(sim.Intent{Kind: sim.IntentDrop, SlotA: p.Slot, Amount: p.Amount})
	case proto.InventoryPickUpRequest:
		c.submit(sim.Intent{Kind: sim.IntentPickUp, Ground: p.Drop, SlotA: p.Slot})
	default:
		c.w.g.door.Bad.With("ignored").Inc()
	}
}

// moveItem moves items of one's own; whose inventory it is comes from the connection, not from the packet.
func (c *conn) handleMoveItem(p proto.InventoryMoveRequest) {
	if p.RuntimeID != c.rid {
		c.w.g.door.Bad.With("foreign_inventory").Inc()
		return
	}
	kind := sim.IntentSwap
	if p.Sub == proto.InventoryAdd {
		kind = sim.IntentStack
	}
	c.submit(sim.Intent{Kind: kind, SlotA: p.From, SlotB: p.To, Amount: p.Amount})
}

const helpText = "Commands: /who, /invite NAME, /accept, /leave, /dismount, /help"

// say is chat: a line that begins with / or \ is a command, the rest goes to everybody in the area.
func (c *conn) handleChat(text string) {
	text = cleanChat(text)
	if text == "" {
		return
	}
	if text[0] != '/' && text[0] != '\\' {
		if !c.submit(sim.Intent{Kind: sim.IntentChat, Text: text}) {
			c.replyLocal(func() string { return "You speak too fast; that was not heard." })
		}
		return
	}
	command, rest, _ := strings.Cut(text[1:], " ")
	switch strings.ToLower(command) {
	case "invite":
		c.submit(sim.Intent{Kind: sim.IntentInviteParty, Text: strings.TrimSpace(rest)})
	case "accept":
		c.submit(sim.Intent{Kind: sim.IntentAcceptInvite})
	case "leave":
		c.submit(sim.Intent{Kind: sim.IntentLeaveParty})
	case "dismount":
		c.submit(sim.Intent{Kind: sim.IntentDismount})
	case "who":
		c.replyLocal(c.scene.playerNames)
	default:
		c.replyLocal(func() string { return helpText })
	}
}

// tellLocal says something that no area knows of, and whose budget is therefore kept here: a few bytes ask for a list of
// everybody.
func (c *conn) replyLocal(text func() string) {
	now := c.w.g.now()
	if c.commandReplyAt != 0 && now-c.commandReplyAt < localReplyMS {
		c.w.g.door.Bad.With("budget").Inc()
		return
	}
	c.commandReplyAt = max(now, 1)
	c.send(proto.ChatMessage{Color: proto.ChatYellow, Text: text()})
}

// clean cuts a chat line and takes out control characters. It never begins a line that clients see, so no byte of it is
// read as a colour.
func cleanChat(text string) string {
	text = text[:min(len(text), maxChatBytes)]
	b := make([]byte, 0, len(text))
	for i := range len(text) {
		if c := text[i]; c >= 0x20 && c != 0x7f {
			b = append(b, c)
		}
	}
	return strings.TrimSpace(string(b))
}
