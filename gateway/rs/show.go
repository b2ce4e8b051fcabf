package rs

import (
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

// Hit marks of the client's cache. Source: the numbers that servers of revisions 634 to 667 agree on.
const (
	markMelee  = 0
	markRanged = 1
	markMissed = 8
)

// effectHeight is how high above the ground a spot effect at an attacker is shown, in fine units.  guess: the chest
const effectHeight = 90

const (
	maxHits  = 12 // marks on one actor in a cycle; clients show four at a time
	maxLines = 32 // lines of text that wait for one client
)

// news is what happened in an area since the last cycle, by whom it is shown on. It is kept until the cycle, since
// clients hear of it with everything else.
type news struct {
	infos map[sim.EntityID]*proto.Info
	pool  []*proto.Info
	dead  map[sim.EntityID]struct{}
	taken map[sim.EntityID]struct{} // who was put somewhere, and has not gone there
}

func newNews() news {
	return news{infos: map[sim.EntityID]*proto.Info{}, dead: map[sim.EntityID]struct{}{}, taken: map[sim.EntityID]struct{}{}}
}

// of is the info of an actor, to be added to.
func (n *news) of(id sim.EntityID) *proto.Info {
	in := n.infos[id]
	if in == nil {
		if last := len(n.pool) - 1; last >= 0 {
			in, n.pool = n.pool[last], n.pool[:last]
		} else {
			in = new(proto.Info)
		}
		n.infos[id] = in
	}
	return in
}

// died tells whether an actor died in this cycle.
func (n *news) died(id sim.EntityID) bool {
	_, ok := n.dead[id]
	return ok
}

// wasTaken tells whether an actor was put somewhere in this cycle: by a portal, by waking, or by an operator.
func (n *news) wasTaken(id sim.EntityID) bool {
	_, ok := n.taken[id]
	return ok
}

// tell gives what happened to the scene and begins anew.
func (n *news) tell(pl *place) {
	c := pl.w.crowd
	for id, in := range n.infos { // each goes to a row of its own, so the order does not matter
		if row := c.row(id); row >= 0 {
			c.scene.SetInfo(int(row), in)
		}
		in.Reset()
		n.pool = append(n.pool, in)
		delete(n.infos, id)
	}
	clear(n.dead)
	clear(n.taken)
}

// hear takes the events of a frame.
func (pl *place) hear(f *sim.Frame) {
	for i := range f.Events {
		e := &f.Events[i]
		switch e.Kind {
		case sim.EventAttacked:
			pl.struck(f, e)
		case sim.EventShotFired:
			pl.attacks(f, e.Who)
		case sim.EventDied:
			pl.died(f, e)
		case sim.EventRespawned:
			pl.news.taken[e.Who] = struct{}{}
			pl.pose(e.Who, proto.None)
		case sim.EventPlaced:
			pl.news.taken[e.Who] = struct{}{}
		case sim.EventChat:
			pl.said(f, e)
		case sim.EventMessage, sim.EventRefused, sim.EventXP:
			if p := pl.member(e.Who); p != nil {
				p.hear(e)
			}
		case sim.EventDeparted:
			if p := pl.member(e.Who); p != nil {
				p.depart(e.To)
			}
		case sim.EventLeft: // the world stops, or an operator takes him out
			if p := pl.member(e.Who); p != nil {
				p.logOut()
			}
		}
	}
}

// member is the player with that actor who is in this place or awaited there, nil if there is none.
func (pl *place) member(id sim.EntityID) *player {
	if row := pl.w.crowd.row(id); row >= 0 {
		if p := pl.w.crowd.figures[row].owner; p != nil && p.place == pl {
			return p
		}
	}
	if pl.awaited > 0 {
		for p := range pl.w.players { // at most one fits
			if p.arriving == pl.id && p.session.Entity == id {
				return p
			}
		}
	}
	return nil
}

// figureOf is what clients show of an actor that is in a frame or has just died.
func (pl *place) figureOf(f *sim.Frame, id sim.EntityID) sim.CacheModel {
	if a := f.Find(id); a != nil {
		return figureOf(pl.w.g.world.Def(), a.Body)
	}
	if row := pl.w.crowd.row(id); row >= 0 && pl.w.crowd.figures[row].body != nil {
		return figureOf(pl.w.g.world.Def(), pl.w.crowd.figures[row].body)
	}
	return sim.CacheModel{NPC: sim.NoMedia, Attack: sim.NoMedia, Hurt: sim.NoMedia, Death: sim.NoMedia, Glide: sim.NoMedia}
}

// attacks shows that an actor attacks: as its weapon is handled, or else as its figure fights.
func (pl *place) attacks(f *sim.Frame, who sim.EntityID) {
	seq := pl.figureOf(f, who).Attack
	if a := f.Find(who); a != nil {
		if it := pl.w.g.world.Def().Item(a.Body.Equipment[sim.SlotWeapon]); it != nil && it.CacheModel != nil {
			if it.CacheModel.Attack != sim.NoMedia {
				seq = it.CacheModel.Attack
			}
			if it.CacheModel.Effect != sim.NoMedia {
				in := pl.news.of(who)
				in.Gfx[0] = proto.Gfx{ID: it.CacheModel.Effect, Height: effectHeight, WornSlot: proto.NoWornSlot}
				in.Has = in.Has.With(proto.KindGfx0)
			}
		}
	}
	pl.animate(who, seq)
}

// animate plays an animation, if the figure has one of the kind.
func (pl *place) animate(who sim.EntityID, seq uint16) {
	if seq != sim.NoMedia {
		pl.pose(who, seq)
	}
}

// pose is animate with None as well, which ends whatever is played.
func (pl *place) pose(who sim.EntityID, seq uint16) {
	in := pl.news.of(who)
	in.Anim = proto.Anim{Seq: [4]uint16{seq, seq, seq, seq}}
	in.Has = in.Has.With(proto.KindAnim)
}

// struck is a blow: the one lifts his hand and the other gets a mark, with the health that the blow has left him: that of
// the cycle's frame is older for a blow that came while other areas were waited for. An animation of his own blow is worth
// more than one of being hit.
func (pl *place) struck(f *sim.Frame, e *sim.Event) {
	if !e.Ranged { // a shot was seen when it was loosed
		pl.attacks(f, e.Who)
	}
	in := pl.news.of(e.Other)
	if len(in.Hits) < maxHits {
		hit := hitOf(e)
		if a := f.Find(e.Other); a != nil {
			hit.HP = fraction(a.Health, a.HealthMax)
		}
		in.Hits = append(in.Hits, hit)
		in.Has = in.Has.With(proto.KindHits)
	}
	if !in.Has.Has(proto.KindAnim) {
		pl.animate(e.Other, pl.figureOf(f, e.Other).Hurt)
	}
}

func hitOf(e *sim.Event) proto.Hit {
	switch {
	case e.N <= 0:
		return proto.Hit{Type: markMissed}
	case e.Ranged:
		return proto.Hit{Type: markRanged, Amount: uint16(min(e.N, 32767))}
	}
	return proto.Hit{Type: markMelee, Amount: uint16(min(e.N, 32767))}
}

func (pl *place) died(f *sim.Frame, e *sim.Event) {
	pl.animate(e.Who, pl.figureOf(f, e.Who).Death)
	pl.news.dead[e.Who] = struct{}{}
	if p := pl.member(e.Who); p != nil {
		p.line(proto.MessageGame{Text: "Oh dear, you are dead!"})
	}
}

// said is a line of chat. It stands above the speaker's head; those who do not see him read it in their chat box, and
// those who do both there and there, which takes a packet that names him by their own index.
func (pl *place) said(f *sim.Frame, e *sim.Event) {
	in := pl.news.of(e.Who)
	if in.Say = appendOverhead(in.Say[:0], e.Text); len(in.Say) > 0 {
		in.Has = in.Has.With(proto.KindSay)
	}
	a := f.Find(e.Who)
	if a == nil {
		return
	}
	s := newSpeech(e.Who, a.Body.Name, e.Text)
	for _, p := range pl.members {
		if p.session.Entity != e.Who {
			p.push(line{speech: s})
		}
	}
}

// speech is a line of chat in the bodies of packets, written once for all who read it.
type speech struct {
	who    sim.EntityID
	public []byte // MessagePublic, whose first two bytes are the reader's index of the speaker
	game   []byte // MessageGame, for those who do not see him
}

func newSpeech(who sim.EntityID, name, said string) *speech {
	text := chatText(said)
	return &speech{
		who:    who,
		public: proto.MessagePublic{Text: text}.Append(nil),
		game:   proto.MessageGame{Text: escape(chatText(name) + ": " + text)}.Append(nil),
	}
}
