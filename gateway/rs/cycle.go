package rs

import (
	"encoding/binary"
	"errors"

	"github.com/truestep-io/truestep/interest"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/telemetry"
)

// The map that clients have around them.
const (
	buildArea = proto.Area104
	mapMargin = 16 // tiles from the edge of the map at which the client gets a new one: it must show 15 around it
)

// serve sends one player what a cycle has brought: the map if he has come to its edge, player info, and what concerns
// him alone. A client that is behind misses the cycle, and nothing of its mirror moves.
func (p *player) serve(pl *place) {
	w, l := p.w, p.link
	if l == nil {
		return
	}
	k, a := pl.spot[p.row], pl.frame.Find(p.session.Entity)
	if k < 0 || a == nil {
		return
	}
	if !p.greet && l.out.backlog() > w.g.lagging {
		w.g.door.Bad.With("missed_cycle").Inc()
		return
	}
	first := p.greet
	if first {
		p.welcome(pl)
	}
	p.remap(pl)
	rows := p.choose(pl, k, a)
	for _, row := range rows {
		w.want.Add(int(row))
	}
	payload, err := w.enc.Encode(w.payload[:0], w.crowd.scene, p.viewer, w.want, proto.Limits{Priority: w.first})
	for _, row := range rows {
		w.want.Remove(int(row))
	}
	for _, spot := range w.bound {
		w.first.Remove(int(pl.rows[spot]))
	}
	if err != nil {
		p.fail(err)
		return
	}
	w.payload = payload
	if !l.out.frame(proto.ServerPlayerInfo, payload) {
		return
	}
	p.viewer.Commit()
	p.see(rows)
	p.session.Link().InView.Store(int32(len(rows) - 1))
	p.record.cycle(p, payload)
	p.self(a, first)
	p.read()
	l.out.frame(proto.ServerTickEnd, nil)
}

// see notes whom the player was shown, for what he does to them before the next packet.
func (p *player) see(rows []int32) {
	p.shown, p.ids = append(p.shown[:0], rows...), p.ids[:0]
	for _, row := range rows {
		p.ids = append(p.ids, p.w.crowd.figures[row].id)
	}
}

// choose is whom the player is shown, by rows, himself included. The bound among them are marked to come first.
func (p *player) choose(pl *place, k int32, a *sim.ActorState) []int32 {
	w := p.w
	ask := interest.Query{Viewer: k, Range: p.sight.Range, Bound: pl.bound(w.bound[:0], a), Shown: w.was[:0]}
	for _, row := range p.shown {
		if s := pl.spot[row]; s >= 0 && s != k {
			ask.Shown = append(ask.Shown, s)
		}
	}
	w.chosen = w.chooser.Select(w.chosen[:0], &pl.tiles, &w.rule, &ask)
	for i, spot := range w.chosen {
		w.chosen[i] = pl.rows[spot]
	}
	for _, spot := range ask.Bound {
		w.first.Add(int(pl.rows[spot]))
	}
	w.bound, w.was = ask.Bound, ask.Shown
	p.sight.Next(&w.rule, len(w.chosen))
	return w.chosen
}

// fail ends a connection that cannot be told where things are any more.
func (p *player) fail(err error) {
	if !errors.Is(err, proto.ErrTooFarBehind) {
		p.w.g.log.Error("a player info packet could not be made", append(p.log(), telemetry.FieldErr, err)...)
	}
	p.w.g.door.Bad.With("behind").Inc()
	p.link.out.cut()
}

// welcome answers the login of the connection, and tells it all that clients know from the start.
func (p *player) welcome(pl *place) {
	l, scene := p.link, p.w.crowd.scene
	p.greet = false
	if p.viewer == nil {
		p.viewer = proto.NewLargeSceneViewer(scene, p.own, int(p.row))
	} else {
		p.viewer.Reset(scene)
	}
	p.see(nil)
	placement := p.viewer.AppendPlacement(nil, scene)
	p.record.close()
	p.record = newRecorder(p, placement)
	if !l.fresh {
		l.out.raw(proto.Response{Code: proto.ResponseReconnect, Body: placement}.Append(nil))
		return
	}
	l.out.raw(proto.Response{Code: proto.ResponseOK, Body: proto.Welcome{Index: p.own, Member: 1}.Append(nil)}.Append(nil))
	l.out.frame(proto.ServerRebuildNormal, p.rebuild(pl).Append(placement))
	l.out.packet(proto.IfOpenTop{Interface: topInterface(l.mode)})
	l.out.packet(proto.ReduceAttackPriority{})
	l.out.packet(proto.SetPlayerOp{Slot: attackOption, Text: "Attack", Priority: proto.PlayerOpNormal, Cursor: proto.None})
	l.out.packet(proto.ShowFaceHere{Shown: true})
	p.energy, p.health = 255, -1
	p.tell(p.w.g.world.Def().NewCharacters.Greeting)
}

// topInterface is the interface that draws the game in a window of that mode.
func topInterface(mode uint8) uint16 {
	if mode == proto.WindowFixed {
		return proto.TopFixed
	}
	return proto.TopResizable
}

// remap gives the client another map when the player comes to the edge of the one that it has.
func (p *player) remap(pl *place) {
	t := pl.w.crowd.figures[p.row].tile
	x, z := buildArea.SceneBase(p.centreX, p.centreZ)
	dx, dz, most := int(t.X)-x, int(t.Z)-z, buildArea.Tiles()-mapMargin
	if p.mapped && dx >= mapMargin && dz >= mapMargin && dx < most && dz < most {
		return
	}
	p.link.out.packet(p.rebuild(pl))
}

// rebuild is the map around the player, from now on his client's.
func (p *player) rebuild(pl *place) proto.RebuildNormal {
	t := pl.w.crowd.figures[p.row].tile
	m := proto.RebuildAt(t.X, t.Z, buildArea, true)
	p.centreX, p.centreZ, p.mapped = m.CentreZoneX, m.CentreZoneZ, true
	if keys := p.w.g.opt.MapKeys; keys != nil {
		for i, square := range squaresAround(m.CentreZoneX, m.CentreZoneZ) {
			m.Keys[i] = keys[square]
		}
	}
	return m
}

// self tells the player what his orbs show: energy, life and whether he runs.
func (p *player) self(a *sim.ActorState, all bool) {
	out := p.link.out
	if e := percent(a.Energy, p.energyMax()); e != p.energy {
		p.energy = e
		out.packet(proto.UpdateRunEnergy{Percent: e})
	}
	if a.Health != p.health {
		p.health = a.Health
		out.packet(proto.VarbitLarge{ID: proto.VarbitLifePoints, Value: uint32(max(a.Health, 0))})
	}
	if all {
		out.packet(proto.UpdateStat{Skill: proto.SkillConstitution, Level: uint8(min(max(a.HealthMax/10, 1), 99))})
	}
	if frozen := a.Is(sim.FlagFrozen); frozen != p.frozen {
		p.frozen = frozen
		out.packet(proto.SetMapFlag{X: proto.NoMapFlag}) // he goes nowhere, or has to click anew
	}
	if all || p.runs != p.running {
		p.runs = p.running
		out.packet(proto.VarpSmall{ID: proto.VarpRun, Value: runValue(p.running)})
	}
}

func runValue(on bool) int8 {
	if on {
		return 1
	}
	return 0
}

// energyMax is the most energy that the player can have.
func (p *player) energyMax() int32 {
	if e := p.w.g.world.Def().Roles.Energy; e >= 0 {
		return p.session.Character.Attr[e].Max
	}
	return 0
}

// read sends the lines that wait. Whoever sees the speaker reads his line above his head as well.
func (p *player) read() {
	for i := range p.lines {
		if l := &p.lines[i]; l.packet != nil {
			p.link.out.packet(l.packet)
		} else {
			p.overhear(l.speech)
		}
	}
	clear(p.lines)
	p.lines = p.lines[:0]
}

// overhear puts a line of chat into the box. Only of somebody who is in view can it say who he is.
func (p *player) overhear(s *speech) {
	w := p.w
	row := w.crowd.row(s.who)
	if row < 0 {
		p.link.out.frame(proto.ServerMessageGame, s.game)
		return
	}
	i := p.viewer.Index(int(row))
	if i == 0 || !p.viewer.IsLocal(i) {
		p.link.out.frame(proto.ServerMessageGame, s.game)
		return
	}
	w.body = append(w.body[:0], s.public...)
	binary.BigEndian.PutUint16(w.body, i)
	p.link.out.frame(proto.ServerMessagePublic, w.body)
}
