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
type pendingEvents struct {
	infos     map[sim.EntityID]*proto.Info
	pool      []*proto.Info
	dead      map[sim.EntityID]struct{}
	relocated map[sim.EntityID]struct{} // who was put somewhere, and has not gone there
}

func newPendingEvents() pendingEvents {
	return pendingEvents{infos: map[sim.EntityID]*proto.Info{}, dead: map[sim.EntityID]struct{}{}, relocated: map[sim.EntityID]struct{}{}}
}

// of is the info of an actor, to be added to.
func (n *pendingEvents) infoOf(id sim.EntityID) *proto.Info {
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
func (n *pendingEvents) hasDied(id sim.EntityID) bool {
	_, ok := n.dead[id]
	return ok
}

// wasTaken tells whether an actor was put somewhere in this cycle: by a portal, by waking, or by an operator.
func (n *pendingEvents) wasRelocated(id sim.EntityID) bool {
	_, ok := n.relocated[id]
	return ok
}

// tell gives what happened to the scene and begins anew.
func (n *pendingEvents) applyTo(as *areaScene) {
	c := as.w.actors
	for id, in := range n.infos { // each goes to a row of its own, so the order does not matter
		if row := c.rowOf(id); row >= 0 {
			c.scene.SetInfo(int(row), in)
		}
		in.Reset()
		n.pool = append(n.pool, in)
		delete(n.infos, id)
	}
	clear(n.dead)
	clear(n.relocated)
}

// hear takes the events of a frame.
func (as *areaScene) handleEvents(f *sim.Frame) {
	for i := range f.Events {
		e := &f.Events[i]
		switch e.Kind {
		case sim.EventAttacked:
			as.showHit(f, e)
		case sim.EventShotFired:
			as.showAttack(f, e.Who)
		case sim.EventDied:
			as.showDeath(f, e)
		case sim.EventRespawned:
			as.pending.relocated[e.Who] = struct{}{}
			as.setAnimation(e.Who, proto.None)
		case sim.EventPlaced:
			as.pending.relocated[e.Who] = struct{}{}
		case sim.EventChat:
			as.showChat(f, e)
		case sim.EventMessage, sim.EventRefused, sim.EventXP:
			if p := as.playerOf(e.Who); p != nil {
				p.handleEvent(e)
			}
		case sim.EventDeparted:
			if p := as.playerOf(e.Who); p != nil {
				p.changeArea(e.To)
			}
		case sim.EventLeft: // the world stops, or an operator takes him out
			if p := as.playerOf(e.Who); p != nil {
				p.logOut()
			}
		}
	}
}

// member is the player with that actor who is in this place or awaited there, nil if there is none.
func (as *areaScene) playerOf(id sim.EntityID) *player {
	if row := as.w.actors.rowOf(id); row >= 0 {
		if p := as.w.actors.rowStates[row].owner; p != nil && p.scene == as {
			return p
		}
	}
	if as.awaitedCount > 0 {
		for p := range as.w.players { // at most one fits
			if p.arrivingIn == as.id && p.session.Entity == id {
				return p
			}
		}
	}
	return nil
}

// figureOf is what clients show of an actor that is in a frame or has just died.
func (as *areaScene) modelOf(f *sim.Frame, id sim.EntityID) sim.CacheModel {
	if a := f.Find(id); a != nil {
		return cacheModelOf(as.w.g.world.Def(), a.Body)
	}
	if row := as.w.actors.rowOf(id); row >= 0 && as.w.actors.rowStates[row].body != nil {
		return cacheModelOf(as.w.g.world.Def(), as.w.actors.rowStates[row].body)
	}
	return sim.CacheModel{NPC: sim.NoMedia, Attack: sim.NoMedia, Hurt: sim.NoMedia, Death: sim.NoMedia, Glide: sim.NoMedia}
}

// attacks shows that an actor attacks: as its weapon is handled, or else as its figure fights.
func (as *areaScene) showAttack(f *sim.Frame, who sim.EntityID) {
	seq := as.modelOf(f, who).Attack
	if a := f.Find(who); a != nil {
		if it := as.w.g.world.Def().Item(a.Body.Equipment[sim.SlotWeapon]); it != nil && it.CacheModel != nil {
			if it.CacheModel.Attack != sim.NoMedia {
				seq = it.CacheModel.Attack
			}
			if it.CacheModel.Effect != sim.NoMedia {
				in := as.pending.infoOf(who)
				in.Gfx[0] = proto.Gfx{ID: it.CacheModel.Effect, Height: effectHeight, WornSlot: proto.NoWornSlot}
				in.Has = in.Has.With(proto.KindGfx0)
			}
		}
	}
	as.playAnimation(who, seq)
}

// animate plays an animation, if the figure has one of the kind.
func (as *areaScene) playAnimation(who sim.EntityID, seq uint16) {
	if seq != sim.NoMedia {
		as.setAnimation(who, seq)
	}
}

// pose is animate with None as well, which ends whatever is played.
func (as *areaScene) setAnimation(who sim.EntityID, seq uint16) {
	in := as.pending.infoOf(who)
	in.Anim = proto.Anim{Seq: [4]uint16{seq, seq, seq, seq}}
	in.Has = in.Has.With(proto.KindAnim)
}

// struck is a blow: the one lifts his hand and the other gets a mark, with the health that the blow has left him: that of
// the cycle's frame is older for a blow that came while other areas were waited for. An animation of his own blow is worth
// more than one of being hit.
func (as *areaScene) showHit(f *sim.Frame, e *sim.Event) {
	if !e.Ranged { // a shot was seen when it was loosed
		as.showAttack(f, e.Who)
	}
	in := as.pending.infoOf(e.Other)
	if len(in.Hits) < maxHits {
		hit := hitMark(e)
		if a := f.Find(e.Other); a != nil {
			hit.HP = healthFraction(a.Health, a.HealthMax)
		}
		in.Hits = append(in.Hits, hit)
		in.Has = in.Has.With(proto.KindHits)
	}
	if !in.Has.Has(proto.KindAnim) {
		as.playAnimation(e.Other, as.modelOf(f, e.Other).Hurt)
	}
}

func hitMark(e *sim.Event) proto.Hit {
	switch {
	case e.N <= 0:
		return proto.Hit{Type: markMissed}
	case e.Ranged:
		return proto.Hit{Type: markRanged, Amount: uint16(min(e.N, 32767))}
	}
	return proto.Hit{Type: markMelee, Amount: uint16(min(e.N, 32767))}
}

func (as *areaScene) showDeath(f *sim.Frame, e *sim.Event) {
	as.playAnimation(e.Who, as.modelOf(f, e.Who).Death)
	as.pending.dead[e.Who] = struct{}{}
	if p := as.playerOf(e.Who); p != nil {
		p.queuePacket(proto.MessageGame{Text: "Oh dear, you are dead!"})
	}
}

// said is a line of chat. It stands above the speaker's head; those who do not see him read it in their chat box, and
// those who do both there and there, which takes a packet that names him by their own index.
func (as *areaScene) showChat(f *sim.Frame, e *sim.Event) {
	in := as.pending.infoOf(e.Who)
	if in.Say = appendOverhead(in.Say[:0], e.Text); len(in.Say) > 0 {
		in.Has = in.Has.With(proto.KindSay)
	}
	a := f.Find(e.Who)
	if a == nil {
		return
	}
	s := newChatLine(e.Who, a.Body.Name, e.Text)
	for _, p := range as.members {
		if p.session.Entity != e.Who {
			p.queueLine(queuedLine{chat: s})
		}
	}
}

// speech is a line of chat in the bodies of packets, written once for all who read it.
type chatLine struct {
	speaker    sim.EntityID
	publicBody []byte // MessagePublic, whose first two bytes are the reader's index of the speaker
	gameBody   []byte // MessageGame, for those who do not see him
}

func newChatLine(who sim.EntityID, name, said string) *chatLine {
	text := chatText(said)
	return &chatLine{
		speaker:    who,
		publicBody: proto.MessagePublic{Text: text}.Append(nil),
		gameBody:   proto.MessageGame{Text: escapeMarkup(chatText(name) + ": " + text)}.Append(nil),
	}
}
