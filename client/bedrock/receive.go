package bedrock

import (
	"errors"
	"time"

	proto "github.com/truestep-io/truestep/proto/bedrock"
)

// handle processes one packet (header and body). It keeps no reference to the packet. It returns an error only if the session
// must end.
func (s *Session) handle(packet []byte) error {
	id, _, _, body, err := proto.ParseHeader(packet)
	if err != nil {
		s.countParseError(err)
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
		if p, ok := parsePacket(s, body, proto.ParseDisconnect); ok {
			return &DisconnectError{Reason: p.Reason, Message: p.Message}
		}
	case s.stage >= stageStart:
		s.handleWorld(id, body)
	default:
		s.counts.Ignored++
	}
	return nil
}

// handleLogin processes a packet of the login sequence. It returns done = false for a packet that does not belong to that
// sequence.
func (s *Session) handleLogin(id proto.ID, body []byte) (done bool, err error) {
	switch id {
	case proto.IDNetworkSettings:
		if p, ok := parsePacket(s, body, proto.ParseNetworkSettings); ok {
			err = s.handleSettings(p)
		}
	case proto.IDServerToClientHandshake:
		if p, ok := parsePacket(s, body, proto.ParseServerToClientHandshake); ok {
			err = s.startEncryption(p)
		}
	case proto.IDPlayStatus:
		if p, ok := parsePacket(s, body, proto.ParsePlayStatus); ok {
			err = s.handleStatus(p)
		}
	case proto.IDResourcePacksInfo:
		s.respondPacks(proto.PacksDownloaded)
	case proto.IDResourcePackStack:
		s.respondPacks(proto.PacksCompleted)
	case proto.IDStartGame:
		if p, ok := parsePacket(s, body, proto.ParseStartGame); ok {
			err = s.startGame(p)
		} else {
			err = errors.Join(ErrServer, s.firstParseError)
		}
	default:
		return false, nil
	}
	return true, err
}

// handleWorld handles packets about movement and state of the client's own player, and passes all others to handleScene.
func (s *Session) handleWorld(id proto.ID, body []byte) {
	switch id {
	case proto.IDCorrectPlayerMovePrediction:
		if p, ok := parsePacket(s, body, proto.ParseCorrectPlayerMovePrediction); ok {
			s.predict.AddCorrection(p)
		}
	case proto.IDMovePlayer:
		if p, ok := parsePacket(s, body, proto.ParseMovePlayer); ok {
			s.handleMovePlayer(&p)
		}
	case proto.IDMoveActorAbsolute:
		if p, ok := parsePacket(s, body, proto.ParseMoveActorAbsolute); ok {
			s.handleMoveActor(&p)
		}
	case proto.IDMoveActorDelta:
		if p, ok := parsePacket(s, body, proto.ParseMoveActorDelta); ok {
			s.handleMoveDelta(&p)
		}
	case proto.IDSetActorData:
		if p, ok := parsePacket(s, body, proto.ParseSetActorData); ok {
			s.handleActorData(&p)
		}
	case proto.IDUpdateAttributes:
		if p, ok := parsePacket(s, body, proto.ParseUpdateAttributes); ok {
			s.handleAttributes(&p)
		}
	case proto.IDSetActorMotion:
		if p, ok := parsePacket(s, body, proto.ParseSetActorMotion); ok && p.Runtime == s.world.Self.RuntimeID {
			s.predict.AddMotion(p)
		}
	case proto.IDMobEffect:
		if p, ok := parsePacket(s, body, proto.ParseMobEffect); ok && p.Runtime == s.world.Self.RuntimeID {
			s.predict.AddEffect(p)
		}
	case proto.IDMovementEffect:
		if p, ok := parsePacket(s, body, proto.ParseMovementEffect); ok && p.Runtime == s.world.Self.RuntimeID {
			s.predict.AddMovementEffect(p)
		}
	case proto.IDInventoryContent:
		if p, ok := parsePacket(s, body, proto.ParseInventoryContent); ok && p.Window == proto.WindowArmor {
			s.predict.SetArmor(p.Items)
			s.predict.SetElytra(len(p.Items) > armourChest && s.world.items[p.Items[armourChest].NetworkID] == elytra)
		}
	case proto.IDUpdateAbilities:
		if p, ok := parsePacket(s, body, proto.ParseUpdateAbilities); ok && p.Unique == s.world.Self.UniqueID {
			s.predict.AddAbilities(p)
		}
	default:
		s.handleScene(id, body)
	}
}

// Values by which the client recognizes that its player wears an elytra, the item with which a player glides.
const (
	armourChest = 1                  // slot of the armour window for chest armour
	elytra      = "minecraft:elytra" // name of the item
)

// handleScene handles packets about terrain and other actors.
func (s *Session) handleScene(id proto.ID, body []byte) {
	switch id {
	case proto.IDLevelChunk:
		if p, ok := parsePacket(s, body, proto.ParseLevelChunk); ok {
			s.counts.Chunks++
			if err := s.predict.Ground().SetChunk(p); err != nil {
				s.countParseError(err)
			}
		}
	case proto.IDNetworkChunkPublisherUpdate:
		if p, ok := parsePacket(s, body, proto.ParseNetworkChunkPublisherUpdate); ok {
			s.predict.Ground().SetCentre(p.Center, p.Radius)
		}
	case proto.IDAddPlayer:
		if p, ok := parsePacket(s, body, proto.ParseAddPlayer); ok {
			s.handleAddPlayer(&p)
		}
	case proto.IDAddActor:
		if p, ok := parsePacket(s, body, proto.ParseAddActor); ok {
			s.handleAddActor(&p)
		}
	case proto.IDSetActorLink:
		if p, ok := parsePacket(s, body, proto.ParseSetActorLink); ok {
			s.handleLink(&p.Link)
		}
	case proto.IDMobEquipment:
		if p, ok := parsePacket(s, body, proto.ParseMobEquipment); ok {
			s.handleEquipment(&p)
		}
	case proto.IDItemRegistry:
		if p, ok := parsePacket(s, body, proto.ParseItemRegistry); ok {
			s.world.setItems(&p)
		}
	case proto.IDRemoveActor:
		if p, ok := parsePacket(s, body, proto.ParseRemoveActor); ok {
			s.handleRemove(p.Unique)
		}
	case proto.IDPlayerList:
		if p, ok := parsePacket(s, body, proto.ParsePlayerList); ok {
			s.world.updatePlayerList(&p)
		}
	case proto.IDActorEvent:
		if p, ok := parsePacket(s, body, proto.ParseActorEvent); ok {
			s.handleActorEvent(&p)
		}
	case proto.IDRespawn:
		if p, ok := parsePacket(s, body, proto.ParseRespawn); ok {
			s.handleRespawn(&p)
		}
	case proto.IDChangeDimension:
		if p, ok := parsePacket(s, body, proto.ParseChangeDimension); ok {
			s.handleChangeDimension(&p)
		}
	case proto.IDNetworkStackLatency:
		if p, ok := parsePacket(s, body, proto.ParseNetworkStackLatency); ok && p.NeedsResponse && !s.opt.Tamper.NoBarriers {
			s.counts.Barriers++
			s.lastBarrier = p.Timestamp
			s.queuePacket(proto.NetworkStackLatency{Timestamp: p.Timestamp})
		}
	case proto.IDText:
		if p, ok := parsePacket(s, body, proto.ParseText); ok {
			s.handleText(&p)
		}
	case proto.IDSetTime:
		if p, ok := parsePacket(s, body, proto.ParseSetTime); ok {
			s.world.Time = p.Time
		}
	case proto.IDPlayStatus:
		if p, ok := parsePacket(s, body, proto.ParsePlayStatus); ok && p.Status == proto.StatusSpawn {
			s.handleSpawn()
		}
	default:
		s.counts.Ignored++
	}
}

func (s *Session) handleText(p *proto.Text) {
	s.counts.ChatLines++
	if s.opt.Chat != nil {
		s.opt.Chat(p.Author, p.Message)
	}
}

// handleChangeDimension handles the start of a change of dimension: it clears the world and moves the player. handleSpawn
// handles the end.
func (s *Session) handleChangeDimension(p *proto.ChangeDimension) {
	if runtime, _ := s.predict.Riding(); runtime != 0 {
		s.dismount()
	}
	s.world.clearActors()
	s.predict.Ground().Clear()
	s.predict.AddTeleport(proto.MovePlayer{Position: p.Position, Mode: proto.MoveReset})
	s.changingDimension = true
}

// handleSpawn handles the end of a loading screen. If the loading screen was that of a change of dimension, it reports to the
// server that the change is complete.
func (s *Session) handleSpawn() {
	if s.changingDimension {
		s.changingDimension = false
		s.queuePacket(proto.PlayerAction{Runtime: s.world.Self.RuntimeID, Action: proto.ActionDimensionChanged, Face: -1})
	}
}

// handleActorEvent records that an actor was hurt, has died or is alive again.
func (s *Session) handleActorEvent(p *proto.ActorEvent) {
	if p.Runtime == s.world.Self.RuntimeID {
		if p.Event == proto.EventDeath {
			s.onDeath()
		}
		return
	}
	a := s.world.actors[p.Runtime]
	if a == nil {
		s.counts.UnknownActors++
		return
	}
	switch p.Event {
	case proto.EventHurt:
		s.counts.Hurts++
		a.HurtCount++
	case proto.EventDeath:
		a.Dead = true
	case proto.EventRespawn:
		a.Dead = false
	}
}

// respawnDelay is the time from the player's death to its request to respawn.
const respawnDelay = 2 * time.Second

// onDeath records that the client's player has died, and schedules the request to respawn. It does nothing if the player is
// already recorded as dead.
func (s *Session) onDeath() {
	if !s.world.Self.Dead {
		s.world.Self.Dead = true
		s.counts.Deaths++
		s.respawnAt = s.tickCount + toTicks(respawnDelay)
	}
}

// onRespawned records that the client's player is alive again.
func (s *Session) onRespawned() {
	if s.world.Self.Dead {
		s.world.Self.Dead = false
		s.counts.Respawns++
		s.respawnAt = never
	}
}

// handleRespawn requests the respawn when the server has found a position for the dead player.
func (s *Session) handleRespawn(p *proto.Respawn) {
	if p.State == proto.RespawnServerReady && s.world.Self.Dead {
		s.queuePacket(proto.PlayerAction{Runtime: s.world.Self.RuntimeID, Action: proto.ActionRespawn, Face: -1})
	}
}
