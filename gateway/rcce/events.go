package rcce

import (
	"slices"
	"strings"

	"github.com/truestep-io/truestep/gateway"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// Show sends the members the changes of a frame in this order: added actors, changes of frames that the worker has missed, events,
// removed actors, parties of which a member has entered or left the area. For the same frame, Arrive then adds new members, and Broadcast
// sends positions.
func (s *scene) Show(f *sim.Frame) {
	missed := s.tick != 0 && f.Tick != s.tick+1 && f.Tick != s.tick
	s.tick = f.Tick
	s.syncActors(f)
	for _, i := range s.added {
		a := &f.Actors[i]
		if rid := s.actors[i].runtimeID; rid != 0 && len(s.members) > 0 {
			s.sendToAll(newActor(s.w.g.world.Def(), s.id, rid, a), a.ID, 0)
		}
	}
	if missed {
		s.repair(f)
	}
	for i := range f.Events {
		if e := &f.Events[i]; !missed || !repairs(e.Kind) {
			s.sendEvent(f, e)
		}
	}
	s.rememberArea(f)
	s.sendRemovals(f)
	s.sendPartiesOnMove(f)
}

// sendPartiesOnMove sends the members of each party of which an actor has entered or left the area with the frame f who of the party is in
// the area now. An actor that has entered is sent the list on its arrival.
func (s *scene) sendPartiesOnMove(f *sim.Frame) {
	s.moved = s.moved[:0]
	for _, i := range s.added {
		s.addMoved(s.actors[i].party)
	}
	for i := range s.removed {
		s.addMoved(s.removed[i].party)
	}
	if len(s.moved) == 0 {
		return
	}
	slices.Sort(s.moved)
	s.moved = slices.Compact(s.moved)
	for _, c := range s.members {
		if c.scene != s {
			continue
		}
		if a := f.Find(c.session.Entity); a != nil {
			if _, moved := slices.BinarySearch(s.moved, a.Party); moved {
				c.send(partyOf(f, a))
			}
		}
	}
}

// addMoved adds a party to the list "moved", except 0, that of actors without a party, such as NPCs.
func (s *scene) addMoved(p sim.PartyID) {
	if p != 0 {
		s.moved = append(s.moved, p)
	}
}

// sendRemovals tells the members which actors the frame has removed, except dead NPCs, which clients remove by themselves. As in
// the original RealmCrafter server, the packet has two forms: the runtime id has four bytes if the actor has changed areas, and
// two bytes if it has left the world.
func (s *scene) sendRemovals(f *sim.Frame) {
	for _, view := range s.removed {
		wide, dead := false, false
		for i := range f.Events {
			if e := &f.Events[i]; e.Who == view.id {
				wide = wide || e.Kind == sim.EventDeparted
				dead = dead || e.Kind == sim.EventDied && view.body.Character == 0
			}
		}
		if !dead && view.runtimeID != 0 {
			s.sendActorGone(view, wide)
		}
		if c := s.memberOf(view.id); c != nil { // the worker missed the frame with the player's departure, so the player may be in any area
			c.scene = nil
			c.w.scenes.Expect(c, gateway.AnyArea)
		}
	}
}

// sendActorGone tells the members that an actor was removed, except those that were not sent the actor yet. If the parameter wide
// is true, the runtime id in the packet has four bytes, otherwise two.
func (s *scene) sendActorGone(view actorView, wide bool) {
	s.w.scratch = proto.ActorGone{RuntimeID: view.runtimeID, Wide: wide}.Append(s.w.scratch[:0])
	for _, c := range s.members {
		if c.scene != s || c.session.Entity == view.id {
			continue
		}
		if i := slices.Index(c.unsentActors, view.id); i >= 0 {
			c.unsentActors = slices.Delete(c.unsentActors, i, i+1)
			continue
		}
		c.sendBytes(s.w.scratch)
	}
}

// sendEvent sends one event to the members of the scene that need it: to all of them, or to the client of the player that the
// event is about.
func (s *scene) sendEvent(f *sim.Frame, e *sim.Event) {
	who := s.runtimeIDOf(e.Who)
	switch e.Kind {
	case sim.EventAttacked:
		s.sendHit(e, who)
	case sim.EventShotFired:
		s.sendToAll(proto.HitForOthers(who, s.runtimeIDOf(e.Other)), e.Who, e.Other)
	case sim.EventProjectile:
		s.sendToAll(projectile(e.Projectile, s.w.g.opt.LiveAppearance().Projectile(e.Projectile.ID), who, s.runtimeIDOf(e.Other)), 0, 0)
	case sim.EventStat, sim.EventStatMaximum:
		s.sendStat(f, e, who)
	case sim.EventDied:
		s.sendDeath(e, who)
	case sim.EventXP:
		s.sendToOwner(e.Who, proto.XPUpdate{Sub: proto.XPGained, Value: e.Value})
	case sim.EventRespawned, sim.EventPlaced:
		s.sendToAll(proto.RepositionActor{Sub: proto.RepositionMove, RuntimeID: who, X: e.Pos.X, Y: e.Pos.Y, Z: e.Pos.Z}, 0, 0)
		s.sendToAll(proto.RepositionActor{Sub: proto.RepositionRotate, RuntimeID: who, Yaw: e.Yaw}, 0, 0)
	case sim.EventCorrected: // Broadcast sends the position to other clients
		s.sendToOwner(e.Who, proto.RepositionActor{Sub: proto.RepositionMove, RuntimeID: who, X: e.Pos.X, Y: e.Pos.Y, Z: e.Pos.Z})
	case sim.EventChat:
		s.sendChat(f, e)
	case sim.EventWeather:
		s.sendToAll(proto.WeatherChange{Area: areaHandle(s.id), Weather: uint8(e.N)}, 0, 0)
	case sim.EventParty:
		s.sendParty(f, e)
	case sim.EventMessage:
		s.sendToOwner(e.Who, systemMessage(e))
	case sim.EventRefused:
		s.sendRefusal(f, e)
	case sim.EventJumped:
		s.sendToAll(proto.Jump{RuntimeID: who}, 0, 0)
	case sim.EventEquipment:
		if a := f.Find(e.Who); a != nil {
			s.sendToAll(equipment(s.w.g.opt.LiveAppearance(), who, a.Body), e.Who, 0)
		}
	case sim.EventItemDamaged:
		s.sendToOwner(e.Who, proto.ItemHealth{Slot: uint8(e.N), Health: uint16(e.Value)})
	case sim.EventDropped:
		s.sendToAll(droppedItem(s.w.g.world.Def(), &e.Ground), 0, 0)
	case sim.EventItemTaken:
		s.sendToOwner(e.Who, proto.InventoryTaken{Slot: uint8(e.N), Amount: uint16(e.Value)})
	case sim.EventPickedUp:
		s.sendToAll(proto.InventoryGone{Drop: e.Ground.Handle}, e.Who, 0)
		s.sendToOwner(e.Who, proto.InventoryReceived{Drop: e.Ground.Handle, Slot: uint8(e.N)})
	case sim.EventDeparted:
		if c := s.memberOf(e.Who); c != nil {
			c.session.SetArea(e.To)
			c.scene = nil
			c.w.scenes.Expect(c, e.To)
		}
	case sim.EventLeft: // the server stops or the player was kicked; after a logout, the connection is already closed
		if c := s.memberOf(e.Who); c != nil {
			c.kick()
		}
	}
}

// sendHit sends the packet AttackActor about a hit. The packet's subtype depends on the receiver: H for the attacker, Y for the
// victim, O for all other members. If a projectile has hit, the other members have already been sent subtype O when it was fired.
func (s *scene) sendHit(e *sim.Event, who uint16) {
	other := s.runtimeIDOf(e.Other)
	s.sendToOwner(e.Who, proto.HitForAttacker(other, e.N, e.Type))
	s.sendToOwner(e.Other, proto.HitForVictim(who, e.N, e.Type))
	if !e.Ranged {
		s.sendToAll(proto.HitForOthers(who, other), e.Who, e.Other)
	}
}

// sendStat sends a changed attribute of an actor: its value, or its maximum. Health, speed and energy are sent to all members,
// other attributes only to the actor's own client.
func (s *scene) sendStat(f *sim.Frame, e *sim.Event, who uint16) {
	p, roles := s.statUpdate(f, e, who), &s.w.g.world.Def().Roles
	if i := int(e.N); i == roles.Health || i == roles.Speed || i == roles.Energy {
		s.sendToAll(p, 0, 0)
	} else {
		s.sendToOwner(e.Who, p)
	}
}

// statUpdate returns the packet about a changed attribute of an actor. The parameter who is the actor's runtime id.
func (s *scene) statUpdate(f *sim.Frame, e *sim.Event, who uint16) proto.StatUpdate {
	p := proto.StatUpdate{Sub: proto.StatValue, RuntimeID: who, Attribute: uint8(e.N), Value: proto.StatPoints(e.Value)}
	if e.Kind == sim.EventStatMaximum {
		p.Sub = proto.StatMaximum
	}
	if a := f.Find(e.Who); a != nil && int(e.N) == s.w.g.world.Def().Roles.Speed && a.Motion.OwnSpeed {
		speed, maximum := shownSpeed(a)
		if e.Kind == sim.EventStatMaximum {
			speed = maximum
		}
		p.Value = proto.StatPoints(int32(speed))
	}
	return p
}

// deathMessage is the chat line that tells a player that it is dead.
var deathMessage = proto.ChatMessage{Color: proto.ChatRed, Text: "You are dead. You will wake up in a moment."}

// sendDeath tells clients that an actor has died. For a player, its own client is sent a chat line. For an NPC, all members
// are sent ActorDead; for a player this packet would make clients remove the model, even that of their own player.
func (s *scene) sendDeath(e *sim.Event, who uint16) {
	if c := s.memberOf(e.Who); c != nil {
		c.send(deathMessage)
		return
	}
	if view := s.viewOf(e.Who); view != nil && view.body.Character != 0 {
		return // the actor is a player of another worker
	}
	killer := s.runtimeIDOf(e.Other)
	s.sendToAll(proto.ActorDead{Dead: who, HasKiller: killer != 0, Killer: killer}, 0, 0)
}

// bracketReplacer replaces the angle brackets in a name. In a chat line, the name of the speaker is between angle brackets. A
// player with brackets in its name could forge chat lines of other players or of the server.
var bracketReplacer = strings.NewReplacer("<", "(", ">", ")")

// chatLine returns a chat line as clients show it: the name of the speaker in angle brackets, then the text.
func chatLine(name, text string) string {
	return encodeText("<" + bracketReplacer.Replace(name) + "> " + text)
}

// sendChat sends a chat line to all clients in the scene, including that of the speaker.
func (s *scene) sendChat(f *sim.Frame, e *sim.Event) {
	if a := f.Find(e.Who); a != nil {
		s.sendToAll(proto.ChatMessage{Text: chatLine(a.Body.Name, e.Text)}, 0, 0)
	}
}

// sendParty updates the party lists of clients after a player has joined or left a party. It sends the new list to all members of
// the old and of the new party who are in this area. Members in other areas are sent the list when they enter this area, and
// sendPartiesOnMove then sends it to those who are here.
func (s *scene) sendParty(f *sim.Frame, e *sim.Event) {
	if e.Party == 0 {
		s.sendToOwner(e.Who, proto.PartyUpdate{})
	}
	for _, id := range [2]sim.PartyID{e.OldParty, e.Party} {
		if id == 0 {
			continue
		}
		for i := range f.Actors {
			if a := &f.Actors[i]; a.Party == id {
				s.sendToOwner(a.ID, partyOf(f, a))
			}
		}
	}
}

// partyOf returns the packet with the names of the other members of a player's party that are in the player's area. Without a
// party, the list is empty.
func partyOf(f *sim.Frame, a *sim.ActorState) (p proto.PartyUpdate) {
	for i := range f.Actors {
		if b := &f.Actors[i]; a.Party != 0 && b.Party == a.Party && b.ID != a.ID && len(p.Names) < maxParty {
			p.Names = append(p.Names, encodeText(b.Body.Name))
		}
	}
	return p
}

// maxParty is the maximum number of names in a PartyUpdate packet, because clients display no more. Source:
// docs/wire/rcce.md#partyupdate.
const maxParty = 7

// systemMessage returns the packet with a text from the server to one player. The colour depends on e.N, the kind of text.
func systemMessage(e *sim.Event) proto.ChatMessage {
	m := proto.ChatMessage{Color: proto.ChatYellow, Text: encodeText(e.Text)}
	switch e.N {
	case sim.ToneAnnouncement:
		m.Color, m.Text = proto.ChatGreen, encodeText(gateway.AnnouncementMark+e.Text)
	case sim.ToneWarning:
		m.Color = proto.ChatRed
	case sim.ToneCombat:
		m.Color, m.R, m.G, m.B = proto.ChatRGB, 255, 225, 100
	}
	return m
}
