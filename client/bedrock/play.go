package bedrock

import (
	"math/rand/v2"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Behaviour decides what a player does. Act is called each tick, after what arrived has taken effect, in the client's
// goroutine; it returns the keys of that tick. A Behaviour belongs to one client.
type Behaviour interface{ Act(p *Player) Keys }

// Player is what a Behaviour may know and do. It is valid while Act runs.
type Player struct{ s *Session }

// State is the own body.
func (p *Player) State() move.Avatar { return p.s.predict.State() }

// Pos is where its feet are.
func (p *Player) Pos() geom.Vec { return p.s.predict.State().Pos }

// Tick is that of the input that is being made.
func (p *Player) Tick() uint64 { return p.s.predict.Tick() + 1 }

// World is what the client knows. It must not be changed or kept.
func (p *Player) World() *World { return &p.s.world }

// Ground is what was sent of the ground.
func (p *Player) Ground() *Ground { return p.s.predict.Ground() }

// Rand is the client's own luck.
func (p *Player) Rand() *rand.Rand { return p.s.rng }

// Toward are the keys of who walks straight to a point, and hops when something stops it.
func (p *Player) KeysToward(goal geom.Vec) Keys {
	a := p.State()
	keys := Keys{Forward: 1, Jump: a.Collided&(move.AxisX|move.AxisZ) != 0}
	keys.Yaw, _ = directionTo(a.Pos, goal)
	return keys
}

// Attack strikes an actor with what is in the hand.
func (p *Player) Attack(runtime uint64) { p.s.Attack(runtime) }

// Say says a line.
func (p *Player) Say(text string) { p.s.Say(text) }

// act is a tick in the world.
func (s *Session) playTick(b Behaviour) {
	if r := s.predict.Reconcile(); r.Happened() {
		_ = s.measured.ReplayDepths.RecordValue(int64(r.Replayed) + 1)
	}
	if s.respawnAt != 0 && s.tickCount >= s.respawnAt {
		s.requestRespawn()
	}
	a := s.predict.State()
	keys := Keys{Yaw: a.Yaw, Pitch: a.Pitch}
	if b != nil && !a.Dead {
		keys = b.Act(&s.player)
	}
	in := s.predict.Advance(keys)
	s.counts.Inputs++
	s.queueInput(&in)
	s.lastFlags = in.Flags
}

// queueInput is queue without the allocation.
func (s *Session) queueInput(in *move.Input) {
	proto.AddPacket(&s.writer, AuthInput(in, s.lastFlags), s.opt.Version)
}

// askToLive asks for a new life, again and again until there is one.
func (s *Session) requestRespawn() {
	if !s.world.Self.Dead {
		s.respawnAt = 0
		return
	}
	self := s.world.Self.RuntimeID
	s.queuePacket(proto.Respawn{Position: vec3(eyeOf(s.predict.State().Pos)), State: proto.RespawnClientReady, Runtime: self})
	s.respawnAt = s.tickCount + toTicks(respawnDelay)
}

// Attack strikes an actor with the hand: the arm swings, then the blow is asked for. Both go before the next input.
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

// Say says a line, of which the first 512 bytes are sent.
func (s *Session) Say(text string) {
	if s.stage == stagePlay && text != "" {
		s.queuePacket(proto.Text{Type: proto.TextChat, Author: s.opt.Name, Message: text[:min(len(text), maxLine)]})
	}
}

// Command asks the server to run a command; line begins with a slash.
func (s *Session) Command(line string) {
	if s.stage == stagePlay {
		s.queuePacket(proto.CommandRequest{
			Line: line[:min(len(line), maxLine)], Version: "latest",
			Origin: proto.CommandOrigin{Type: "player", Player: s.world.Self.UniqueID},
		})
	}
}

// longestLine is what the game's own chat box takes.
const maxLine = 512 // bytes
