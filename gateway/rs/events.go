package rs

import (
	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

// Types of hit marks: which image clients display on an actor that is hit. The numbers are those of the client's cache. Source:
// servers of revisions 634 to 667 agree on them.
const (
	markMelee  = 0
	markRanged = 1
	markMissed = 8
)

// effectHeight is the height above the ground of the visual effect of an attack, in fine units (fineTile). The value is an
// estimate of the height of the chest.
const effectHeight = 90

// Limits of what is queued for the next cycle.
const (
	maxHits = 12 // maximum number of hit marks on one actor per cycle; clients display four at a time
	// maxLines is the maximum number of texts queued for one client. The chat limit of an area (session.Options.AreaChat)
	// permits 60 lines at once. After a pause, such as a fail-over of a cluster, the lines of several seconds come in one
	// cycle.
	maxLines = 256
)

// pendingEvents collects what the events since the last cycle make clients display on actors: hit marks, animations, chat
// and other extended info. The next cycle sends all of it.
type pendingEvents struct {
	infos     map[sim.EntityID]*proto.Info // extended info by the actor on which clients display it
	pool      []*proto.Info                // unused infos, for reuse
	dead      map[sim.EntityID]struct{}    // actors that have died since the last cycle
	relocated map[sim.EntityID]struct{}    // actors that have been teleported since the last cycle
}

func newPendingEvents() pendingEvents {
	return pendingEvents{infos: map[sim.EntityID]*proto.Info{}, dead: map[sim.EntityID]struct{}{}, relocated: map[sim.EntityID]struct{}{}}
}

// infoOf returns the extended info about an actor that is sent with the next cycle, and creates it if there is none. The
// caller may add to it.
func (pe *pendingEvents) infoOf(id sim.EntityID) *proto.Info {
	info := pe.infos[id]
	if info == nil {
		if last := len(pe.pool) - 1; last >= 0 {
			info, pe.pool = pe.pool[last], pe.pool[:last]
		} else {
			info = new(proto.Info)
		}
		pe.infos[id] = info
	}
	return info
}

// hasDied reports whether an actor has died since the last cycle.
func (pe *pendingEvents) hasDied(id sim.EntityID) bool {
	_, ok := pe.dead[id]
	return ok
}

// wasRelocated reports whether an actor has been teleported since the last cycle: by a portal, a respawn or an operator.
func (pe *pendingEvents) wasRelocated(id sim.EntityID) bool {
	_, ok := pe.relocated[id]
	return ok
}

// applyTo moves the pending extended info of each actor to the actor's row in the scene, and then clears pe.
func (pe *pendingEvents) applyTo(as *areaScene) {
	table := as.w.actors
	for id, info := range pe.infos { // the order does not matter, because actors have separate rows
		if row := table.rowOf(id); row >= 0 {
			table.scene.SetInfo(int(row), info)
		}
		info.Reset()
		pe.pool = append(pe.pool, info)
		delete(pe.infos, id)
	}
	clear(pe.dead)
	clear(pe.relocated)
}

// handleEvents processes the events of the frame f: it collects what clients will be sent about them, and moves or logs out
// players whose actors have left the area.
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
		case sim.EventLeft: // the world stops, or an operator kicked the player
			if p := as.playerOf(e.Who); p != nil {
				p.logOut()
			}
		}
	}
}

// playerOf returns the player of this worker that controls an actor, if the player is in this area or waits to appear in it.
// Otherwise it returns nil.
func (as *areaScene) playerOf(id sim.EntityID) *player {
	if row := as.w.actors.rowOf(id); row >= 0 {
		if p := as.w.actors.rowStates[row].owner; p != nil && p.scene == as {
			return p
		}
	}
	if as.awaitedCount > 0 {
		for p := range as.w.players { // at most one player matches
			if p.arrivingIn == as.id && p.session.Entity == id {
				return p
			}
		}
	}
	return nil
}

// modelOf returns how clients draw an actor of the frame f. It also finds an actor that has just died, which is no longer
// in the frame but still has a row.
func (as *areaScene) modelOf(f *sim.Frame, id sim.EntityID) appearance.RuneScapeActor {
	if a := f.Find(id); a != nil {
		return as.w.g.modelOf(a.Body)
	}
	if row := as.w.actors.rowOf(id); row >= 0 && as.w.actors.rowStates[row].body != nil {
		return as.w.g.modelOf(as.w.actors.rowStates[row].body)
	}
	return appearance.RuneScapeActor{NPC: appearance.None, Attack: appearance.None, Hurt: appearance.None, Death: appearance.None, Glide: appearance.None}
}

// showAttack makes clients display an attack: the animation and the effect of the attacker's weapon. If the weapon has no
// animation, that of the actor's model is used.
func (as *areaScene) showAttack(f *sim.Frame, who sim.EntityID) {
	seq := as.modelOf(f, who).Attack
	if a := f.Find(who); a != nil {
		weapon := as.w.g.opt.LiveAppearance().Item(a.Body.Equipment[sim.SlotWeapon])
		if weapon.Attack != appearance.None {
			seq = weapon.Attack
		}
		if weapon.Effect != appearance.None {
			info := as.pending.infoOf(who)
			info.Gfx[0] = proto.Gfx{ID: weapon.Effect, Height: effectHeight, WornSlot: proto.NoWornSlot}
			info.Has = info.Has.With(proto.KindGfx0)
		}
	}
	as.playAnimation(who, seq)
}

// playAnimation makes clients play an animation on an actor, unless seq is appearance.None.
func (as *areaScene) playAnimation(who sim.EntityID, seq uint16) {
	if seq != appearance.None {
		as.setAnimation(who, seq)
	}
}

// setAnimation makes clients play the animation with the number seq on an actor. The value proto.None stops the current
// animation.
func (as *areaScene) setAnimation(who sim.EntityID, seq uint16) {
	info := as.pending.infoOf(who)
	info.Anim = proto.Anim{Seq: [4]uint16{seq, seq, seq, seq}}
	info.Has = info.Has.With(proto.KindAnim)
}

// showHit makes clients display a hit: the attacker's animation, and on the victim a hit mark and its hurt animation. The hit mark
// shows the victim's health in f, the frame of the hit. The health may change again before the cycle is sent. If the victim
// attacks in the same cycle, its attack animation is displayed instead of the hurt animation.
func (as *areaScene) showHit(f *sim.Frame, e *sim.Event) {
	if !e.Ranged { // the animation of a shot was shown when it was fired
		as.showAttack(f, e.Who)
	}
	info := as.pending.infoOf(e.Other)
	if len(info.Hits) < maxHits {
		hit := hitMark(e)
		if a := f.Find(e.Other); a != nil {
			hit.HP = healthFraction(a.Health, a.HealthMax)
		}
		info.Hits = append(info.Hits, hit)
		info.Has = info.Has.With(proto.KindHits)
	}
	if !info.Has.Has(proto.KindAnim) {
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
		p.handleEvent(e)
	}
}

// showChat makes clients display a chat line above the speaker's head. It also queues the line for the chat boxes of the other
// players of this worker in the area, and of those who have arrived there since the last cycle.
func (as *areaScene) showChat(f *sim.Frame, e *sim.Event) {
	info := as.pending.infoOf(e.Who)
	if info.Say = appendOverhead(info.Say[:0], e.Text); len(info.Say) > 0 {
		info.Has = info.Has.With(proto.KindSay)
	}
	a := f.Find(e.Who)
	if a == nil {
		return
	}
	line := newChatLine(e.Who, a.Body.Name, e.Text)
	for _, p := range as.members {
		if p.session.Entity != e.Who {
			p.queueLine(queuedLine{chat: line})
		}
	}
	if as.awaitedCount == 0 {
		return
	}
	for p := range as.w.players { // the order does not matter: players do not affect each other
		if p.arrivingIn == as.id && p.session.Entity != e.Who && p.session.MayShow(f) && f.Find(p.session.Entity) != nil {
			p.queueLine(queuedLine{chat: line})
		}
	}
}

// chatLine is a chat line in the form of packet bodies, which are encoded once for all viewers.
type chatLine struct {
	speaker    sim.EntityID
	publicBody []byte // body of MessagePublic; its first two bytes are the viewer's index of the speaker
	gameBody   []byte // body of MessageGame, for viewers that do not display the speaker
}

func newChatLine(who sim.EntityID, name, said string) *chatLine {
	text := chatText(said)
	return &chatLine{
		speaker:    who,
		publicBody: proto.MessagePublic{Text: text}.Append(nil),
		gameBody:   proto.MessageGame{Text: escapeMarkup(chatText(name) + ": " + text)}.Append(nil),
	}
}
