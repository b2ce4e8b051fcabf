package rcce

import (
	"strings"

	"github.com/truestep-io/truestep/gateway"
	"github.com/truestep-io/truestep/internal/cp1252"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// maxBarTextBytes is the maximum length in bytes of the text of an action bar slot in a packet (docs/wire/rcce.md).
const maxBarTextBytes = 256

// maxChatBytes is the maximum length of a chat line in a packet, in characters of one byte. Longer lines are truncated. The
// value is an estimate of how much fits into a client's chat window.
const maxChatBytes = 250

// localReplyMS is the minimum time in ms between two replies to chat commands that the gateway itself answers, such as /who.
// The value is an estimate of how fast a player can type commands.
const localReplyMS = 500

// handleClaim processes a StandardUpdate packet, in which a client claims a position. It refuses payloads that do not have
// exactly 22 bytes. The original RealmCrafter server reads missing fields as zeros instead, which teleports the player to the
// origin.
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

// inWorld reports whether the client's player is in an area. Packets about the game that arrive earlier are ignored, as in the
// original RealmCrafter server.
func (c *conn) inWorld() bool { return c.session != nil && c.scene != nil }

// betweenAreas reports whether the client's player has left an area and not arrived in the next one. Texts are accepted then: the session
// hub sends them again when the player has arrived.
func (c *conn) betweenAreas() bool { return c.session != nil && c.scene == nil && !c.firstArrival }

// submit passes an intent to the area. If the player has exceeded its rate limit, submit drops the intent, counts it in the
// metrics and returns false.
func (c *conn) submit(in sim.Intent) bool {
	if err := c.session.Submit(in); err != nil {
		c.w.g.door.Bad.With("budget").Inc()
		return false
	}
	return true
}

// handlePlay handles a packet about the game from a client whose player is in the world. It passes the corresponding intent to
// the area.
func (c *conn) handlePlay(p proto.Packet) {
	if said, ok := p.(proto.ChatMessageRequest); ok && c.betweenAreas() {
		c.handleChat(said.Text)
		return
	}
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
		if text := p.SlotText(); len(text) <= maxBarTextBytes {
			c.submit(sim.Intent{Kind: sim.IntentActionBar, SlotA: p.Slot, Text: cp1252.Decode(text)})
		}
	case proto.InventoryDropRequest:
		c.submit(sim.Intent{Kind: sim.IntentDrop, SlotA: p.Slot, Amount: p.Amount})
	case proto.InventoryPickUpRequest:
		c.submit(sim.Intent{Kind: sim.IntentPickUp, Ground: p.Drop, SlotA: p.Slot})
	default:
		c.w.g.door.Bad.With("ignored").Inc()
	}
}

// handleMoveItem passes a move within the player's own inventory to the area. A packet that names another actor's inventory is
// dropped and counted in the metrics.
func (c *conn) handleMoveItem(p proto.InventoryMoveRequest) {
	if p.RuntimeID != c.runtimeID {
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

// handleChat processes a line that the player has typed. A line that begins with / or \ is a command. Any other line is sent to
// all players of the area.
func (c *conn) handleChat(text string) {
	text = cleanChat(text)
	if text == "" {
		return
	}
	if text[0] != '/' && text[0] != '\\' {
		if !c.submit(sim.Intent{Kind: sim.IntentChat, Text: text}) {
			c.replyLocal(func() string { return "You are sending messages too fast; this one was dropped." })
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
	case "dismount", "who":
		switch {
		case c.scene == nil:
			c.replyLocal(func() string { return gateway.BetweenAreasText })
		case strings.EqualFold(command, "who"):
			c.replyLocal(c.scene.whoReply)
		default:
			c.submit(sim.Intent{Kind: sim.IntentDismount})
		}
	default:
		if in, ok := gateway.TypedCommand(c.w.g.world.Def(), text[1:]); ok && !strings.EqualFold(command, "help") {
			c.submit(in)
			return
		}
		c.replyLocal(func() string { return gateway.HelpText(c.w.g.world.Def(), helpText) })
	}
}

// replyLocal sends the client the answer to a command that the gateway itself processes, at most one per localReplyMS. Without
// the limit, a client could cause much traffic: a command of a few bytes may be answered with the list of all players.
func (c *conn) replyLocal(text func() string) {
	now := c.w.g.now()
	if c.commandReplyAt != 0 && now-c.commandReplyAt < localReplyMS {
		c.w.g.door.Bad.With("budget").Inc()
		return
	}
	c.commandReplyAt = max(now, 1)
	c.send(proto.ChatMessage{Color: proto.ChatYellow, Text: encodeText(text())})
}

// cleanChat truncates a chat line and removes control characters. It keeps colour codes, because they do no harm: clients
// interpret them only at the start of a line, where the speaker's name is.
func cleanChat(text string) string {
	return strings.TrimSpace(strings.Map(func(r rune) rune {
		if r < 0x20 || r == 0x7f {
			return -1
		}
		return r
	}, shorten(text, maxChatBytes)))
}
