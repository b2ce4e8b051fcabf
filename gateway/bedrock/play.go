package bedrock

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// maxChat is the maximum length of a chat line in bytes. The value is an estimate of the length of the clients' chat input
// line.
const maxChat = 250

// packetState returns the current state of the session as a set with one element. The packet table lists the states in
// which a client may send each type of packet.
func (c *conn) packetState() proto.SessionStates {
	switch c.stage {
	case stageHello, stageLogin, stageChecking:
		return proto.InLogin
	case stageHandshake:
		return proto.InHandshake
	case stagePacks:
		return proto.InPacks
	case stageEntering, stageSpawning:
		return proto.InStart
	}
	return proto.InPlay
}

// handleInput processes one tick of the player's movement (rule SV-3 of docs/wire/bedrock.md). Inputs before the spawn
// are ignored.
func (c *conn) handleInput(body []byte) {
	p, err := proto.ParsePlayerAuthInput(body, c.version)
	if err != nil {
		c.onMalformed(err)
		return
	}
	if c.stage != stagePlay || c.scene == nil {
		c.w.g.door.Bad.With("early_input").Inc()
		return
	}
	if t := p.Transaction; t != nil {
		c.useItem(&t.Use)
	}
	if rtt, _ := c.peer.RTT(); rtt >= 0 {
		c.rtt = uint16(min(rtt, 1<<16-1))
	}
	c.inputSeen = true
	in := sim.Intent{Kind: sim.IntentInput, Input: toInput(&p, c.rtt, !c.chunks.covers(c.position()))}
	if in.Input.Flags.Any(move.InputVehicle) {
		in.Input.Vehicle = c.ride.vehicleNamed(p.PredictedVehicle)
	}
	c.submit(in)
}

// submit passes an intent to the area. If the session has exceeded its rate limit, submit counts and drops the intent and
// returns false.
func (c *conn) submit(in sim.Intent) bool {
	if err := c.session.Submit(in); err != nil {
		c.w.g.door.Bad.With("budget").Inc()
		return false
	}
	return true
}

// handlePlayPacket processes a packet of a client that is in the world or is entering it.
func (c *conn) handlePlayPacket(p proto.Packet) {
	switch p := p.(type) {
	case proto.RequestChunkRadius:
		c.setRadius(p.Radius)
		return
	case proto.ResourcePackClientResponse, proto.ClientCacheStatus:
		return
	case proto.SetLocalPlayerAsInitialized:
		if c.stage == stageSpawning {
			c.enterStage(stagePlay)
			c.sendGreeting()
		}
		return
	}
	if c.stage == stagePlay && c.scene == nil { // between two areas: the session hub sends texts again when the player has arrived
		switch p := p.(type) {
		case proto.Text:
			c.chat(p.Message)
			return
		case proto.CommandRequest:
			c.handleCommand(strings.TrimPrefix(p.Line, "/"))
			return
		}
	}
	if c.stage != stagePlay || c.scene == nil {
		c.w.g.door.Bad.With("untimely").Inc()
		return
	}
	switch p := p.(type) {
	case proto.InventoryTransaction:
		c.handleTransaction(&p)
	case proto.NetworkStackLatency:
		c.handleBarrierAnswer(p)
	case proto.Text:
		c.chat(p.Message)
	case proto.CommandRequest:
		c.handleCommand(strings.TrimPrefix(p.Line, "/"))
	case proto.Respawn:
		if p.State == proto.RespawnClientReady {
			c.submit(sim.Intent{Kind: sim.IntentRespawn})
		}
	case proto.PlayerAction:
		if p.Action == proto.ActionRespawn {
			c.submit(sim.Intent{Kind: sim.IntentRespawn})
		}
	case proto.PacketViolationWarning:
		c.reportFault("violation_warning", fmt.Errorf("the client reports that it could not parse a packet of type %d: %.200q", p.Packet, p.Context))
	case proto.Interact:
		if p.Action == proto.InteractLeaveVehicle {
			c.requestLeave(&p)
		} else {
			c.w.g.door.Bad.With("ignored").Inc()
		}
	case proto.PassengerJump, proto.PlayerInput: // obsolete: clients that predict their vehicle steer it with PlayerAuthInput
		c.w.g.door.Bad.With("old_riding").Inc()
	case proto.Animate:
		c.countAnimation(&p)
	default:
		c.w.g.door.Bad.With("ignored").Inc()
	}
}

// countAnimation counts an Animate packet as ignored. Such a packet reports an arm swing or a paddle stroke, which the server
// already knows from the packet PlayerAuthInput.
func (c *conn) countAnimation(p *proto.Animate) {
	kind := "ignored"
	if p.Action == proto.AnimateRowRight || p.Action == proto.AnimateRowLeft {
		kind = "old_riding"
	}
	c.w.g.door.Bad.With(kind).Inc()
}

// handleTransaction processes an InventoryTransaction packet: the use of an item, or an attack. Either takes effect with the
// client's next input (rule SV-22 of docs/wire/bedrock.md).
func (c *conn) handleTransaction(p *proto.InventoryTransaction) {
	switch p.Type {
	case proto.TransactionUseItem:
		c.useItem(&p.UseItem)
	case proto.TransactionUseItemOnActor:
		switch p.UseOnActor.Action {
		case proto.UseOnActorAttack:
			c.submit(sim.Intent{Kind: sim.IntentAttack, Target: c.view.entity(uint64(p.UseOnActor.Target)), Seen: c.drawnTime()})
		case proto.UseOnActorInteract:
			c.requestRide(p.UseOnActor.Target)
		}
	case proto.TransactionReleaseItem:
		c.submit(sim.Intent{Kind: sim.IntentUseItem})
	default: // the player has moved items, which this gateway does not support
		c.w.g.door.Bad.With("ignored").Inc()
	}
}

// drawDelayMS is the time in ms by which a client displays other actors late, because it moves them gradually to each new
// position: three client ticks of 50 ms. The value is an estimate, not measured.
const drawDelayMS = 150

// drawnTime estimates which tick of the area the client displayed when it sent the packet that has just arrived. The result is
// in units of 1/256 tick. Lag compensation needs this time, and Bedrock clients do not report it. The estimate is the tick of
// the newest frame, minus one round trip, minus drawDelayMS. It is 0 if it is unknown.
func (c *conn) drawnTime() uint64 {
	if c.scene == nil {
		return 0
	}
	behind := (uint64(c.rtt) + drawDelayMS) * uint64(c.w.g.world.Def().TicksPerSecond) << 8 / 1000
	newest := uint64(c.scene.tick) << 8
	return newest - min(behind, newest)
}

// useItem processes a click with the held item.
func (c *conn) useItem(u *proto.UseItem) {
	if u.Action == proto.UseItemClickAir {
		c.submit(sim.Intent{Kind: sim.IntentUseItem, Amount: 1})
	}
}

// barrierUnit is the factor between the number of a barrier and the timestamp in its packet. Clients return only timestamps that
// are multiples of a million. Source: docs/wire/bedrock.md, NetworkStackLatency.
const barrierUnit = 1_000_000

// handleBarrierAnswer processes the client's answer to a barrier, a NetworkStackLatency packet.
func (c *conn) handleBarrierAnswer(p proto.NetworkStackLatency) {
	if serial := c.takeBarrier(p); serial != 0 {
		c.submit(sim.Intent{Kind: sim.IntentBarrierAck, Serial: serial})
	}
}

// takeBarrier removes the barrier that the client has answered, and all older ones, because answers arrive in order. It returns
// the number of the change that the client has thereby acknowledged. It returns 0 if a newer barrier is still unanswered: only
// the answer to the newest one has an effect (docs/decisions/0007-barriers-not-time.md).
func (c *conn) takeBarrier(p proto.NetworkStackLatency) uint32 {
	at := slices.IndexFunc(c.barriers, func(serial uint32) bool { return p.IsResponseTo(uint64(serial) * barrierUnit) })
	if at < 0 {
		c.w.g.door.Bad.With("strange_barrier").Inc()
		return 0
	}
	serial, newest := c.barriers[at], at == len(c.barriers)-1
	c.barriers = slices.Delete(c.barriers, 0, at+1)
	if !newest {
		return 0
	}
	return serial
}

// chat sends a chat line to all players of the area.
func (c *conn) chat(text string) {
	if text = cleanText(text); text != "" {
		c.submit(sim.Intent{Kind: sim.IntentChat, Text: text})
	}
}

// commandInterval is the minimum time in ms between two commands of a client. Commands are limited because /who visits every
// actor of the area.
const commandInterval = 250

// handleCommand executes a command, which is a chat line that began with a slash, and answers it.
func (c *conn) handleCommand(line string) {
	now := c.w.g.nowMS()
	if now-c.lastCommand < commandInterval {
		c.reportFault("budget", nil)
		return
	}
	c.lastCommand = now
	switch word, _, _ := strings.Cut(line, " "); word {
	case "who":
		if c.scene == nil {
			c.sendSystemText(gateway.BetweenAreasText)
			return
		}
		c.sendSystemText("In " + c.scene.def.Name + ": " + c.scene.playerNames())
	default:
		if in, ok := gateway.TypedCommand(c.w.g.world.Def(), cleanText(line)); ok && word != "help" {
			c.submit(in)
			return
		}
		c.sendSystemText(gateway.HelpText(c.w.g.world.Def(), "Commands: /who"))
	}
}

// cleanText makes the text of a player safe to display on other clients. It removes invalid UTF-8, control characters and
// formatting codes, and shortens the text to maxChat bytes.
func cleanText(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u00a7' || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
	return strings.TrimSpace(truncate(text, maxChat))
}

// truncate returns the longest prefix of valid text that has at most n bytes and ends at a character boundary.
func truncate(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
