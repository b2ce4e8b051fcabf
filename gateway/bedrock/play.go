package bedrock

import (
	"fmt"
	"slices"
	"strings"
	"unicode/utf8"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
)

// maxChat is how many bytes of a chat line are passed on.   guess: what fits a client's window
const maxChat = 250

// state is the connection's stage as the packet table names it.
func (c *conn) packetState() proto.State {
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

// input takes one tick of the player's movement (SV-3). Before he has said that he stands in the world it is ignored.
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
	c.submit(sim.Intent{Kind: sim.IntentInput, Input: toInput(&p, c.rtt, !c.chunks.covers(c.position()))})
}

// submit hands an intent to the area. One beyond the session's budget is counted and lost: false.
func (c *conn) submit(in sim.Intent) bool {
	if err := c.session.Submit(in); err != nil {
		c.w.g.door.Bad.With("budget").Inc()
		return false
	}
	return true
}

// play takes a packet of somebody who is in the world, or about to be.
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
		c.reportFault("violation_warning", fmt.Errorf("it could not read packet %d of ours: %.200q", p.Packet, p.Context))
	default:
		c.w.g.door.Bad.With("ignored").Inc()
	}
}

// transact takes what the player did with what he holds. It counts with his next input (SV-22).
func (c *conn) handleTransaction(p *proto.InventoryTransaction) {
	switch p.Type {
	case proto.TransactionUseItem:
		c.useItem(&p.UseItem)
	case proto.TransactionUseItemOnActor:
		if p.UseOnActor.Action == proto.UseOnActorAttack {
			c.submit(sim.Intent{Kind: sim.IntentAttack, Target: c.view.entity(uint64(p.UseOnActor.Target))})
		}
	case proto.TransactionReleaseItem:
		c.submit(sim.Intent{Kind: sim.IntentUseItem})
	default: // moved items: inventories of this door are only shown
		c.w.g.door.Bad.With("ignored").Inc()
	}
}

// use is a click with what he holds.
func (c *conn) useItem(u *proto.UseItem) {
	if u.Action == proto.UseItemClickAir {
		c.submit(sim.Intent{Kind: sim.IntentUseItem, Amount: 1})
	}
}

// barrierUnit is what a barrier's serial is multiplied with to be a time for its client, in the unit that clients count.
// Source: docs/wire/bedrock.md, NetworkStackLatency.
const barrierUnit = 1_000_000

// barrier takes the answer to one. Only the newest counts (decision 0007), and answers come in order: one to an older
// barrier is as honest and says nothing.
func (c *conn) handleBarrierAnswer(p proto.NetworkStackLatency) {
	at := slices.IndexFunc(c.barriers, func(serial uint32) bool { return p.IsResponseTo(uint64(serial) * barrierUnit) })
	if at < 0 {
		c.w.g.door.Bad.With("strange_barrier").Inc()
		return
	}
	serial, newest := c.barriers[at], at == len(c.barriers)-1
	c.barriers = slices.Delete(c.barriers, 0, at+1)
	if newest {
		c.submit(sim.Intent{Kind: sim.IntentBarrierAck, Serial: serial})
	}
}

// say is chat: it goes to everybody in the area.
func (c *conn) chat(text string) {
	if text = cleanText(text); text != "" {
		c.submit(sim.Intent{Kind: sim.IntentChat, Text: text})
	}
}

// commandEvery is how long a client waits from one command to the next, ms: an answer may cost a look at everybody.
const commandInterval = 250

// command is a line that begins with a slash.
func (c *conn) handleCommand(line string) {
	now := c.w.g.nowMS()
	if now-c.lastCommand < commandInterval {
		c.reportFault("budget", nil)
		return
	}
	c.lastCommand = now
	switch word, _, _ := strings.Cut(line, " "); word {
	case "who":
		c.sendSystemText("In " + c.scene.def.Name + ": " + c.scene.playerNames())
	default:
		c.sendSystemText("Commands: /who")
	}
}

// clean makes text of a player fit for others: valid, without control characters and colour codes, and not too long.
func cleanText(text string) string {
	text = strings.Map(func(r rune) rune {
		if r < ' ' || r >= 0x7f && r < 0xa0 || r == '\u00a7' || r == utf8.RuneError {
			return -1
		}
		return r
	}, text)
	return strings.TrimSpace(truncate(text, maxChat))
}

// shortened is as many whole characters of valid text as fit n bytes.
func truncate(text string, n int) string {
	if len(text) <= n {
		return text
	}
	for !utf8.RuneStart(text[n]) {
		n--
	}
	return text[:n]
}
