package web

import (
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
)

// moveTo makes the client wait until its player appears in the area "to". Later intents are submitted to that area.
func (p *player) moveTo(to sim.AreaID) {
	p.session.SetArea(to)
	scenes := &p.scene.w.scenes
	p.leaveScene()
	scenes.Expect(p, to)
}

// Arrive adds the client to the scene if the frame contains its player. If the session has ended instead (the area was full),
// Arrive disconnects the client.
func (p *player) Arrive(s *scene, f *sim.Frame) {
	if !p.session.MayShow(f) {
		return
	}
	own := f.FindAvatar(p.session.Entity)
	if own == nil {
		select {
		case <-p.session.Ended():
			p.left.Store(true)
			p.bye(proto.ByeKicked, false, "The area is full.")
		default:
		}
		return
	}
	s.w.scenes.Expect(p, sim.NoArea)
	p.session.SetArea(s.id)
	p.scene, p.former = s, nil
	s.clients = append(s.clients, p)
	p.shown.Reset()
	p.shown.Self = p.session.Entity
	p.handles.reset()
	p.settleAll()
	p.areaTick, p.party = 0, 0
	if p.teller == nil {
		p.teller = proto.NewTeller(&s.w.g.schema, p.link.ordered(), s.w.g.world.Def().TicksPerSecond)
	} else {
		p.teller.Reset()
	}
	p.welcome(s, f, own)
}

// ShowOwn sends the client the events of the tick in which its player arrived, after the messages of the entry. It leaves out events that
// these messages contain, such as a new position.
func (p *player) ShowOwn(s *scene, f *sim.Frame) {
	if p.scene != s {
		return
	}
	for i := range f.Events {
		e := &f.Events[i]
		if e.Who != p.session.Entity {
			continue
		}
		switch e.Kind {
		case sim.EventMessage, sim.EventXP, sim.EventRefused, sim.EventCommand:
			s.sendOwnEvent(p, f, e)
		case sim.EventChat:
			own := p.handles.handle(e.Who)
			p.send(&proto.Event{Tick: uint32(f.Tick), Kind: proto.EventSaid, Who: own, Other: proto.NoHandle, Text: cleanText(e.Text)})
		case sim.EventGame:
			s.sendGameEvent(f, e, p)
		}
	}
}

// welcome tells a client in which area its player is, and in which state. A client that has just connected gets both in a Welcome
// message. A client whose player has changed areas gets them in an Area and an Own message.
func (p *player) welcome(s *scene, f *sim.Frame, own *sim.AvatarState) {
	av := s.find(p.session.Entity)
	h, _ := p.handles.acquire(p.session.Entity) // the table is empty after reset, so a handle is free
	at := proto.Area{Area: uint16(s.id), Ground: s.w.g.grounds[s.id].hash, Run: p.teller.Run(), Own: h, Name: s.def.Name}
	if !p.welcomed {
		p.welcomed = true
		p.newest, p.passed, p.inputTick = uint64(f.Tick), uint64(f.Tick), uint64(f.Tick)
		features := proto.Features
		if p.resume.known {
			features |= proto.FeatureKnownActs
		}
		p.send(&proto.Welcome{
			Features: features, Run: at.Run, Ticks: uint8(min(s.w.g.world.Def().TicksPerSecond, 255)), Tick: p.newest, Own: h, Area: at, Resume: p.token, Schema: s.w.g.hash,
			Avatar: avatarOf(&own.Avatar),
		})
		if text := s.w.g.world.Def().NewCharacters.Greeting; text != "" && !p.session.Resumed() {
			p.send(&proto.Event{Tick: uint32(f.Tick), Kind: proto.EventTold, Who: proto.NoHandle, Other: proto.NoHandle, Text: text})
		}
	} else {
		p.send(&at)
		p.sendOwn(proto.OwnTeleported, 0, &sim.Rewind{Tick: own.Prediction.Tick, State: own.Avatar})
	}
	p.party = av.party
	p.sendEnter(av, h, uint8(sim.FieldOfPlayer))
}
