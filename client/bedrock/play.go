package bedrock

import (
	"math/rand/v2"

	"github.com/truestep-io/truestep/client/keys"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// Behaviour decides what a player does. Act returns the keys of one tick. It is called each tick, after reconciliation,
// in the client's goroutine. A Behaviour must not be shared between clients.
type Behaviour interface{ Act(p *Player) Keys }

// Player gives a Behaviour access to the client's player and to the world. It must not be used after Act has returned.
type Player struct{ s *Session }

// State returns the predicted state of the client's player.
func (p *Player) State() move.Avatar { return p.s.predict.State() }

// Pos returns the predicted feet position of the client's player, in blocks.
func (p *Player) Pos() geom.Vec { return p.s.predict.State().Pos }

// Tick returns the number of the tick for which Act chooses the keys.
func (p *Player) Tick() uint64 { return p.s.predict.Tick() + 1 }

// World returns the world as the client knows it. The caller must not modify it, nor keep it after Act.
func (p *Player) World() *World { return &p.s.world }

// Ground returns the terrain that the server has sent.
func (p *Player) Ground() *Ground { return p.s.predict.Ground() }

// Rand returns the client's random source.
func (p *Player) Rand() *rand.Rand { return p.s.rng }

// KeysToward returns the keys to walk straight to a point and jump over obstacles.
func (p *Player) KeysToward(goal geom.Vec) Keys { return keys.KeysToward(p, goal) }

// Blocks returns the blocks of the terrain that the server has sent.
func (p *Player) Blocks() *terrain.Blocks { return p.Ground().Blocks() }

// Riding returns the runtime id of the actor that the player rides, or 0 if it rides none. drives says whether the player
// drives that actor.
func (p *Player) Riding() (runtime uint64, drives bool) { return p.s.predict.Riding() }

// Vehicle returns the predicted state of the vehicle that the player drives; its type is NoVehicle if the player drives
// none.
func (p *Player) Vehicle() move.Vehicle { return p.s.predict.Vehicle() }

// Mount requests to ride an actor.
func (p *Player) Mount(runtime uint64) { p.s.Mount(runtime) }

// Dismount makes the player leave its vehicle.
func (p *Player) Dismount() { p.s.Dismount() }

// KeepAfloat returns the keys k, changed so that a player in water does not sink; see keys.KeepAfloat.
func (p *Player) KeepAfloat(k Keys) Keys { return keys.KeepAfloat(p, k) }

// Attack attacks an actor with the held item.
func (p *Player) Attack(runtime uint64) { p.s.Attack(runtime) }

// UseItem uses the held item once, for example lights a firework. The server processes the use together with the input of
// the same tick. Items that are used for a time, such as a bow, need Keys.Use instead.
func (p *Player) UseItem() { p.s.clickItem() }

// Say sends a chat line.
func (p *Player) Say(text string) { p.s.Say(text) }

// playTick runs one tick while the player is in the world: it applies received packets, calls b for the keys, simulates the
// tick and queues the input.
func (s *Session) playTick(b Behaviour) {
	if r := s.predict.Reconcile(); r.Happened() {
		_ = s.measured.ReplayDepths.RecordValue(int64(r.Replayed) + 1)
	}
	if s.respawnAt != 0 && s.tickCount >= s.respawnAt {
		s.requestRespawn()
	}
	a := s.predict.history.Now()
	keys := Keys{Yaw: a.Yaw, Pitch: a.Pitch}
	if b != nil && !a.Dead {
		keys = b.Act(&s.player)
	}
	in := s.predict.Advance(keys)
	if keys.Use != s.usesItem {
		s.useItem(keys.Use)
	}
	s.counts.Inputs++
	s.queueInput(&in)
	s.lastFlags = in.Flags
}

// queueInput queues an input for sending. It does not allocate memory, unlike queuePacket.
func (s *Session) queueInput(in *move.Input) {
	proto.AddPacket(&s.writer, AuthInput(in, s.lastFlags), s.opt.Version)
}

// useItem starts to use the held item if the parameter start is true, and otherwise stops using it. The packet is sent before the
// input of its tick (rule SV-22 of docs/wire/bedrock.md).
func (s *Session) useItem(start bool) {
	s.usesItem = start
	eyes := vec3(eyeOf(s.predict.State().Pos))
	if !start {
		s.queuePacket(proto.InventoryTransaction{
			Type: proto.TransactionReleaseItem, Release: proto.ReleaseItem{Action: proto.ReleaseItemRelease, HeadPosition: eyes},
		})
		return
	}
	s.clickItem()
}

// clickItem uses the held item once, without a block or an actor as target.
func (s *Session) clickItem() {
	eyes := vec3(eyeOf(s.predict.State().Pos))
	s.queuePacket(proto.InventoryTransaction{
		Type: proto.TransactionUseItem, UseItem: proto.UseItem{Action: proto.UseItemClickAir, Trigger: 1, Face: 255, PlayerPosition: eyes},
	})
}

// requestRespawn queues a request to respawn and schedules the next one after respawnDelay. If the player is alive again, it
// queues nothing and schedules no further request.
func (s *Session) requestRespawn() {
	if !s.world.Self.Dead {
		s.respawnAt = 0
		return
	}
	self := s.world.Self.RuntimeID
	s.queuePacket(proto.Respawn{Position: vec3(eyeOf(s.predict.State().Pos)), State: proto.RespawnClientReady, Runtime: self})
	s.respawnAt = s.tickCount + toTicks(respawnDelay)
}

// Attack swings the arm and attacks an actor. Both packets are sent before the next input.
func (s *Session) Attack(runtime uint64) {
	if s.stage != stagePlay {
		return
	}
	self := s.world.Self.RuntimeID
	s.counts.Attacks++
	s.queuePacket(proto.Animate{Action: proto.AnimateSwing, Runtime: self, Source: proto.Some("attack")})
	s.queuePacket(proto.InventoryTransaction{
		Type: proto.TransactionUseItemOnActor,
		UseOnActor: proto.UseItemOnActor{
			Target: runtime, Action: proto.UseOnActorAttack, PlayerPosition: vec3(eyeOf(s.predict.State().Pos)),
		},
	})
}

// Say sends a chat line. Only the first 512 bytes of the line are sent.
func (s *Session) Say(text string) {
	if s.stage == stagePlay && text != "" {
		s.queuePacket(proto.Text{Type: proto.TextChat, Author: s.opt.Name, Message: text[:min(len(text), maxLine)]})
	}
}

// Command sends a command to the server. The parameter line begins with a slash.
func (s *Session) Command(line string) {
	if s.stage == stagePlay {
		s.queuePacket(proto.CommandRequest{
			Line: line[:min(len(line), maxLine)], Version: "latest",
			Origin: proto.CommandOrigin{Type: "player", Player: s.world.Self.UniqueID},
		})
	}
}

// maxLine is the maximum length of a line in the chat box of the game.
const maxLine = 512 // bytes
