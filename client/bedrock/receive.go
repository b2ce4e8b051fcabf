package bedrock

import (
	"errors"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// handle takes one packet, header and body. It is borrowed. Only what ends the session is an error.
func (s *Session) handle(packet []byte) error {
	id, _, _, body, err := proto.ParseHeader(packet)
	if err != nil {
		s.bad(err)
		return nil
	}
	s.counts.Packets++
	if s.stage < stagePlay {
		if done, err := s.handleLogin(id, body); done || err != nil {
			return err
		}
	}
	switch {
	case id == proto.IDDisconnect:
		if p, ok := read(s, body, proto.ParseDisconnect); ok {
			return &DisconnectError{Reason: p.Reason, Message: p.Message}
		}
	case s.stage >= stageStart:
		s.handleWorld(id, body)
	default:
		s.counts.Ignored++
	}
	return nil
}

// handleLogin takes the packets that lead into the world; done reports whether the packet was one.
func (s *Session) handleLogin(id proto.ID, body []byte) (done bool, err error) {
	switch id {
	case proto.IDNetworkSettings:
		if p, ok := read(s, body, proto.ParseNetworkSettings); ok {
			err = s.settings(p)
		}
	case proto.IDServerToClientHandshake:
		if p, ok := read(s, body, proto.ParseServerToClientHandshake); ok {
			err = s.handshake(p)
		}
	case proto.IDPlayStatus:
		if p, ok := read(s, body, proto.ParsePlayStatus); ok {
			err = s.status(p)
		}
	case proto.IDResourcePacksInfo:
		s.packs(proto.PacksDownloaded)
	case proto.IDResourcePackStack:
		s.packs(proto.PacksCompleted)
	case proto.IDStartGame:
		if p, ok := read(s, body, proto.ParseStartGame); ok {
			err = s.startGame(p)
		} else {
			err = errors.Join(ErrServer, s.firstBad)
		}
	default:
		return false, nil
	}
	return true, err
}

// handleWorld takes the packets of the world.
func (s *Session) handleWorld(id proto.ID, body []byte) {
	switch id {
	case proto.IDCorrectPlayerMovePrediction:
		if p, ok := read(s, body, proto.ParseCorrectPlayerMovePrediction); ok {
			s.predict.Correct(p)
		}
	case proto.IDMovePlayer:
		if p, ok := read(s, body, proto.ParseMovePlayer); ok {
			s.movePlayer(&p)
		}
	case proto.IDMoveActorAbsolute:
		if p, ok := read(s, body, proto.ParseMoveActorAbsolute); ok {
			s.moveActor(&p)
		}
	case proto.IDMoveActorDelta:
		if p, ok := read(s, body, proto.ParseMoveActorDelta); ok {
			s.moveDelta(&p)
		}
	case proto.IDSetActorData:
		if p, ok := read(s, body, proto.ParseSetActorData); ok {
			s.actorData(&p)
		}
	case proto.IDUpdateAttributes:
		if p, ok := read(s, body, proto.ParseUpdateAttributes); ok {
			s.attributes(&p)
		}
	case proto.IDSetActorMotion:
		if p, ok := read(s, body, proto.ParseSetActorMotion); ok && p.Runtime == s.world.Self.RuntimeID {
			s.predict.Motion(p)
		}
	case proto.IDMobEffect:
		if p, ok := read(s, body, proto.ParseMobEffect); ok && p.Runtime == s.world.Self.RuntimeID {
			s.predict.Effect(p)
		}
	case proto.IDUpdateAbilities:
		if p, ok := read(s, body, proto.ParseUpdateAbilities); ok && p.Unique == s.world.Self.UniqueID {
			s.predict.Abilities(p)
		}
	default:
		s.handleScene(id, body)
	}
}

// handleScene takes the packets about the ground, others, and what happens to them.
func (s *Session) handleScene(id proto.ID, body []byte) {
	switch id {
	case proto.IDLevelChunk:
		if p, ok := read(s, body, proto.ParseLevelChunk); ok {
			s.counts.Chunks++
			if err := s.predict.Ground().Put(p); err != nil {
				s.bad(err)
			}
		}
	case proto.IDNetworkChunkPublisherUpdate:
		if p, ok := read(s, body, proto.ParseNetworkChunkPublisherUpdate); ok {
			s.predict.Ground().Centre(p.Center, p.Radius)
		}
	case proto.IDAddPlayer:
		if p, ok := read(s, body, proto.ParseAddPlayer); ok {
			s.addPlayer(&p)
		}
	case proto.IDAddActor:
		if p, ok := read(s, body, proto.ParseAddActor); ok {
			s.addActor(&p)
		}
	case proto.IDSetActorLink:
		if p, ok := read(s, body, proto.ParseSetActorLink); ok {
			s.link(&p.Link)
		}
	case proto.IDMobEquipment:
		if p, ok := read(s, body, proto.ParseMobEquipment); ok {
			s.equip(&p)
		}
	case proto.IDItemRegistry:
		if p, ok := read(s, body, proto.ParseItemRegistry); ok {
			s.world.stock(&p)
		}
	case proto.IDRemoveActor:
		if p, ok := read(s, body, proto.ParseRemoveActor); ok && !s.world.remove(p.Unique) {
			s.counts.Strange++
		}
	case proto.IDPlayerList:
		if p, ok := read(s, body, proto.ParsePlayerList); ok {
			s.world.list(&p)
		}
	case proto.IDActorEvent:
		if p, ok := read(s, body, proto.ParseActorEvent); ok {
			s.event(&p)
		}
	case proto.IDRespawn:
		if p, ok := read(s, body, proto.ParseRespawn); ok {
			s.respawn(&p)
		}
	case proto.IDChangeDimension:
		if p, ok := read(s, body, proto.ParseChangeDimension); ok {
			s.changeDimension(&p)
		}
	case proto.IDNetworkStackLatency:
		if p, ok := read(s, body, proto.ParseNetworkStackLatency); ok && p.NeedsResponse && !s.opt.Tamper.NoBarriers {
			s.counts.Barriers++
			s.queue(proto.NetworkStackLatency{Timestamp: p.Timestamp})
		}
	case proto.IDText:
		if p, ok := read(s, body, proto.ParseText); ok {
			s.text(&p)
		}
	case proto.IDSetTime:
		if p, ok := read(s, body, proto.ParseSetTime); ok {
			s.world.Time = p.Time
		}
	case proto.IDPlayStatus:
		if p, ok := read(s, body, proto.ParsePlayStatus); ok && p.Status == proto.StatusSpawn {
			s.arrived()
		}
	default:
		s.counts.Ignored++
	}
}

func (s *Session) text(p *proto.Text) {
	s.counts.ChatLines++
	if s.opt.Chat != nil {
		s.opt.Chat(p.Author, p.Message)
	}
}

// changeDimension empties the world and goes where the server says; arrived ends it.
func (s *Session) changeDimension(p *proto.ChangeDimension) {
	s.world.forget()
	s.predict.Ground().Forget()
	s.predict.MovePlayer(proto.MovePlayer{Position: p.Position, Mode: proto.MoveReset})
	s.travels = true
}

// arrived is the end of a loading screen.
func (s *Session) arrived() {
	if s.travels {
		s.travels = false
		s.queue(proto.PlayerAction{Runtime: s.world.Self.RuntimeID, Action: proto.ActionDimensionChanged, Face: -1})
	}
}

// event is something that happened to an actor.
func (s *Session) event(p *proto.ActorEvent) {
	if p.Runtime == s.world.Self.RuntimeID {
		if p.Event == proto.EventDeath {
			s.die()
		}
		return
	}
	a := s.world.actors[p.Runtime]
	if a == nil {
		s.counts.Strange++
		return
	}
	switch p.Event {
	case proto.EventHurt:
		s.counts.Hurts++
		a.Hurts++
	case proto.EventDeath:
		a.Dead = true
	case proto.EventRespawn:
		a.Dead = false
	}
}

// patience is how long a player looks at the death screen.
const patience = 2 * time.Second

// die notes the own death, once, and asks for a new life a little later.
func (s *Session) die() {
	if !s.world.Self.Dead {
		s.world.Self.Dead = true
		s.counts.Deaths++
		s.respawnAt = s.frame + inTicks(patience)
	}
}

// live notes that the own life goes on.
func (s *Session) live() {
	if s.world.Self.Dead {
		s.world.Self.Dead = false
		s.counts.Respawns++
		s.respawnAt = never
	}
}

// respawn is the server's part of a return to life.
func (s *Session) respawn(p *proto.Respawn) {
	if p.State == proto.RespawnServerReady && s.world.Self.Dead {
		s.queue(proto.PlayerAction{Runtime: s.world.Self.RuntimeID, Action: proto.ActionRespawn, Face: -1})
	}
}
