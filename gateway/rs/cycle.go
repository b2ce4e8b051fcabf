package rs

import (
	"encoding/binary"
	"errors"

	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// Size of the map that a client holds around its player.
const (
	buildArea = proto.Area104
	mapMargin = 16 // distance in tiles from the map's edge at which a new map is sent; clients display 15 tiles around the player
)

// sendCycle sends a player the changes of a cycle: a new map if the player is near the edge of its map, player info, and the
// player's own values. If too many bytes wait to be sent to the client (skipBacklogBytes), it sends nothing. The next cycle then
// sends all changes since the last packet.
func (p *player) sendCycle(as *areaScene) {
	w, l := p.w, p.link
	if l == nil {
		return
	}
	spot, a := as.spotOf[p.row], as.frame.Find(p.session.Entity)
	if spot < 0 || a == nil {
		return
	}
	if !p.loginPending && l.out.backlog() > w.g.skipBacklog {
		w.g.door.Bad.With("missed_cycle").Inc()
		return
	}
	afterLogin := p.loginPending
	if afterLogin {
		p.sendWelcome(as)
	}
	p.updateMap(as)
	rows := p.selectShown(as, spot, a)
	for _, row := range rows {
		w.wantedRows.Add(int(row))
	}
	payload, err := w.encoder.Encode(w.payload[:0], w.actors.scene, p.viewer, w.wantedRows, proto.PacketLimits{Priority: w.priorityRows})
	for _, row := range rows {
		w.wantedRows.Remove(int(row))
	}
	for _, spot := range w.related {
		w.priorityRows.Remove(int(as.rows[spot]))
	}
	if err != nil {
		p.disconnectBehind(err)
		return
	}
	w.payload = payload
	if !l.out.appendFrame(proto.ServerPlayerInfo, payload) {
		return
	}
	p.viewer.Commit()
	p.recordShown(rows)
	p.session.Link().InView.Store(int32(len(rows) - 1))
	p.recorder.writeCycle(p, payload)
	p.sendOwnState(a, afterLogin)
	p.sendLines()
	l.out.appendFrame(proto.ServerTickEnd, nil)
}

// recordShown records the actors in the last player info packet. A click names an actor by its index on this client, so only
// these actors can be clicked.
func (p *player) recordShown(rows []int32) {
	p.shownRows, p.shownIDs = append(p.shownRows[:0], rows...), p.shownIDs[:0]
	for _, row := range rows {
		p.shownIDs = append(p.shownIDs, p.w.actors.rowStates[row].id)
	}
}

// selectShown selects the actors that the client is sent, including its own player, and returns their rows. It adds the rows of
// actors that are related to the player, such as its target, to w.priorityRows: they are sent first if the packet has no room for
// all. The parameter spot is the index of the client's own player in areaScene.positions.
func (p *player) selectShown(as *areaScene, spot int32, a *sim.ActorState) []int32 {
	w := p.w
	query := interest.Query{Viewer: spot, Range: p.sight.Range, Bound: as.appendRelated(w.related[:0], a), Shown: w.previouslyShown[:0]}
	for _, row := range p.shownRows {
		if s := as.spotOf[row]; s >= 0 && s != spot {
			query.Shown = append(query.Shown, s)
		}
	}
	w.selected = w.selector.Select(w.selected[:0], &as.tileIndex, &w.sightRule, &query)
	for i, spot := range w.selected {
		w.selected[i] = as.rows[spot]
	}
	for _, spot := range query.Bound {
		w.priorityRows.Add(int(as.rows[spot]))
	}
	w.related, w.previouslyShown = query.Bound, query.Shown
	p.sight.Next(&w.sightRule, len(w.selected))
	return w.selected
}

// disconnectBehind closes the connection because the encoder of player info has failed with err. The usual cause is a client that
// has missed too many cycles, so that the encoder cannot send all changes.
func (p *player) disconnectBehind(err error) {
	if !errors.Is(err, proto.ErrTooFarBehind) {
		p.w.g.log.Error("cannot encode player info; client disconnected", append(p.logFields(), telemetry.FieldErr, err)...)
	}
	p.w.g.door.Bad.With("behind").Inc()
	p.link.out.abort()
}

// sendWelcome answers the login of a client whose player has entered the world, and sends the state with which the client begins.
func (p *player) sendWelcome(as *areaScene) {
	l, scene := p.link, p.w.actors.scene
	p.loginPending = false
	if p.viewer == nil {
		p.viewer = proto.NewLargeSceneViewer(scene, p.index, int(p.row))
	} else {
		p.viewer.Reset(scene)
	}
	p.recordShown(nil)
	placement := p.viewer.AppendPlacement(nil, scene)
	p.recorder.close()
	p.recorder = newRecorder(p, placement)
	if !l.newLogin {
		l.out.appendRaw(proto.Response{Code: proto.ResponseReconnect, Body: placement}.Append(nil))
		return
	}
	l.out.appendRaw(proto.Response{Code: proto.ResponseOK, Body: proto.Welcome{Index: p.index, Member: 1}.Append(nil)}.Append(nil))
	l.out.appendFrame(proto.ServerRebuildNormal, p.mapAround(as).Append(placement))
	l.out.appendPacket(proto.IfOpenTop{Interface: topInterface(l.windowMode)})
	l.out.appendPacket(proto.ReduceAttackPriority{})
	l.out.appendPacket(proto.SetPlayerOp{Slot: attackOption, Text: "Attack", Priority: proto.PlayerOpNormal, Cursor: proto.None})
	l.out.appendPacket(proto.ShowFaceHere{Shown: true})
	p.sentEnergy, p.sentHealth = 255, -1
	p.queueText(p.w.g.world.Def().NewCharacters.Greeting)
}

// topInterface returns the id of the client interface that fills the window in the given window mode. All other interfaces are
// inside it.
func topInterface(mode uint8) uint16 {
	if mode == proto.WindowFixed {
		return proto.TopFixed
	}
	return proto.TopResizable
}

// updateMap sends the client a new map if the player is near the edge of the client's current map.
func (p *player) updateMap(as *areaScene) {
	t := as.w.actors.rowStates[p.row].tile
	x, z := buildArea.SceneBase(p.centreX, p.centreZ)
	dx, dz, limit := int(t.X)-x, int(t.Z)-z, buildArea.EdgeTiles()-mapMargin
	if p.mapSent && dx >= mapMargin && dz >= mapMargin && dx < limit && dz < limit {
		return
	}
	p.link.out.appendPacket(p.mapAround(as))
}

// mapAround returns the packet with the map around the player and records that the client holds this map.
func (p *player) mapAround(as *areaScene) proto.RebuildNormal {
	t := as.w.actors.rowStates[p.row].tile
	m := proto.RebuildNormalAround(t.X, t.Z, buildArea, true)
	p.centreX, p.centreZ, p.mapSent = m.CentreZoneX, m.CentreZoneZ, true
	if keys := p.w.g.opt.MapKeys; keys != nil {
		for i, square := range squaresAround(m.CentreZoneX, m.CentreZoneZ) {
			m.Keys[i] = keys[square]
		}
	}
	return m
}

// sendOwnState sends the player's energy, life points and run mode to the client, for its status display. Values that have not
// changed are not sent. If the parameter all is true, the maximum health and the run mode are sent in any case.
func (p *player) sendOwnState(a *sim.ActorState, all bool) {
	out := p.link.out
	if e := percent(a.Energy, p.energyMax()); e != p.sentEnergy {
		p.sentEnergy = e
		out.appendPacket(proto.UpdateRunEnergy{Percent: e})
	}
	if a.Health != p.sentHealth {
		p.sentHealth = a.Health
		out.appendPacket(proto.VarbitLarge{ID: proto.VarbitLifePoints, Value: uint32(max(a.Health, 0))})
	}
	if all || a.HealthMax != p.sentHealthMax {
		p.sentHealthMax = a.HealthMax
		out.appendPacket(proto.UpdateStat{Skill: proto.SkillConstitution, Level: uint8(min(max(a.HealthMax/10, 1), 99))})
	}
	if frozen := a.Is(sim.FlagFrozen); frozen != p.sentFrozen {
		p.sentFrozen = frozen
		out.appendPacket(proto.SetMapFlag{X: proto.NoMapFlag}) // removes the destination flag, because a freeze ends the walk
	}
	if all || p.sentRunning != p.running {
		p.sentRunning = p.running
		out.appendPacket(proto.VarpSmall{ID: proto.VarpRun, Value: runValue(p.running)})
	}
}

func runValue(on bool) int8 {
	if on {
		return 1
	}
	return 0
}

// energyMax returns the player's maximum energy, or 0 if characters of this world have no energy.
func (p *player) energyMax() int32 {
	if e := p.w.g.world.Def().Roles.Energy; e >= 0 {
		return p.session.Character.Attr[e].Max
	}
	return 0
}

// sendLines sends the chat lines and other messages that are queued for the client, and empties the queue.
func (p *player) sendLines() {
	for i := range p.lines {
		if l := &p.lines[i]; l.packet != nil {
			p.link.out.appendPacket(l.packet)
		} else {
			p.sendChatLine(l.chat)
		}
	}
	clear(p.lines)
	p.lines = p.lines[:0]
}

// sendChatLine sends a line to the client's chat box. MessagePublic names the speaker by index, so it is used only if the
// client displays the speaker. Otherwise the line is sent in MessageGame.
func (p *player) sendChatLine(s *chatLine) {
	w := p.w
	row := w.actors.rowOf(s.speaker)
	if row < 0 {
		p.link.out.appendFrame(proto.ServerMessageGame, s.gameBody)
		return
	}
	i := p.viewer.Index(int(row))
	if i == 0 || !p.viewer.IsLocal(i) {
		p.link.out.appendFrame(proto.ServerMessageGame, s.gameBody)
		return
	}
	w.body = append(w.body[:0], s.publicBody...)
	binary.BigEndian.PutUint16(w.body, i)
	p.link.out.appendFrame(proto.ServerMessagePublic, w.body)
}
