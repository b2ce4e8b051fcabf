package sim

import (
	"iter"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// Hand is what the rules of a game (see Game) use to read and change their area. It is valid only during the call to
// which it was passed.
type Hand struct {
	a       *Area
	refused bool
	refusal string
}

// ActorInfo is what a game can read of an actor.
type ActorInfo struct {
	ID        EntityID
	Name      string
	Player    bool     // true for a player, false for an NPC
	Template  uint16   // id of the actor's template
	Pos       geom.Vec // position in world units
	Yaw       float32  // direction that the actor faces, in degrees
	Health    int32
	HealthMax int32
	Level     int32
	Dead      bool     // the actor has died and has not respawned yet
	Party     PartyID  // party of the player, 0 for none
	Leader    EntityID // player whose pet the actor is; 0 for none
	Lingering bool     // the player has lost its connection and stands still
}

// World returns the definition of the world. It must not be changed.
func (h *Hand) World() *World { return h.a.world }

// Area returns the id of the area that the Hand reads and changes.
func (h *Hand) Area() AreaID { return h.a.id }

// Def returns the definition of the area. It must not be changed.
func (h *Hand) Def() *AreaDef { return h.a.def }

// Now returns the current tick of the area.
func (h *Hand) Now() Tick { return h.a.now }

// Every returns true in one tick out of every ms milliseconds of the area's own time. A function that runs in each tick uses it
// for rules that apply only once per period.
func (h *Hand) Every(ms int32) bool { return h.a.now%h.a.ticks(ms) == 0 }

// Rand returns a random number in 0..n-1 from the area's random stream. The parameter n must be positive.
func (h *Hand) Rand(n int32) int32 { return h.a.rng.IntN(n) }

// Players returns the players in the area, in order of their ids.
func (h *Hand) Players() iter.Seq[EntityID] { return h.actors(func(x *actor) bool { return x.player }) }

// NPCs returns the NPCs in the area, in order of their ids.
func (h *Hand) NPCs() iter.Seq[EntityID] { return h.actors(func(x *actor) bool { return !x.player }) }

// Near returns the actors within radius world units of p on the ground plane, in order of their ids. Differences in height are
// ignored.
func (h *Hand) Near(p geom.Vec, radius float32) iter.Seq[EntityID] {
	limit := float32(radius * radius)
	return h.actors(func(x *actor) bool { return geom.Dist2XZ(x.pos, p) <= limit })
}

// actors returns the actors that satisfy a condition, in order of their ids. The loop body may add and remove actors.
func (h *Hand) actors(is func(x *actor) bool) iter.Seq[EntityID] {
	return func(yield func(EntityID) bool) {
		for i := 0; i < len(h.a.actors); i++ {
			if x := h.a.actors[i]; !x.gone && is(x) && !yield(x.id) {
				return
			}
		}
	}
}

// Actor returns the state of an actor. The result ok is false if the area has no actor with that id.
func (h *Hand) Actor(id EntityID) (info ActorInfo, ok bool) {
	x := h.a.find(id)
	if x == nil {
		return ActorInfo{}, false
	}
	health := x.attr[h.a.world.Roles.Health]
	return ActorInfo{
		ID: x.id, Name: x.name, Player: x.player, Template: x.tmpl.ID, Pos: x.pos, Yaw: x.yaw, Health: health.Value, HealthMax: health.Max,
		Level: x.level, Dead: x.dead, Party: x.party, Leader: x.leader, Lingering: x.lingers(),
	}, true
}

// slot returns a pointer to the value of a game field: the value of the actor with this id or, for a field of areas, that of the
// area. It returns nil if the actor is not in the area or has no such field.
func (h *Hand) slot(id EntityID, f FieldID) *int32 {
	if f.slot == 0 {
		return nil
	}
	if f.kind == FieldOfArea {
		return &h.a.fields[f.slot-1]
	}
	x := h.a.find(id)
	if x == nil || x.fieldKind() != f.kind {
		return nil
	}
	return &x.fields[f.slot-1]
}

// Get returns a game field of an actor, in steps (see GameField.Step). It returns 0 if the actor is not in the area or its kind
// has no such field. For a field of the area, id is ignored.
func (h *Hand) Get(id EntityID, f FieldID) int32 {
	if p := h.slot(id, f); p != nil {
		return *p
	}
	return 0
}

// Set sets a game field of an actor to v steps (see GameField.Step), limited to the range of the field. It does nothing if the
// actor is not in the area or its kind has no such field. For a field of the area, id is ignored.
func (h *Hand) Set(id EntityID, f FieldID, v int32) {
	if p := h.slot(id, f); p != nil {
		def := &h.a.world.Schema.Fields[f.kind][f.slot-1]
		*p = min(max(v, def.Min), def.Max)
	}
}

// Add adds v steps (see GameField.Step) to a game field of an actor and returns the new value, which is limited to the range of
// the field.
func (h *Hand) Add(id EntityID, f FieldID, v int32) int32 {
	sum := int64(h.Get(id, f)) + int64(v)
	h.Set(id, f, int32(min(max(sum, -MaxGameValue), MaxGameValue)))
	return h.Get(id, f)
}

// Refuse refuses the command that is being carried out. The parameter sentence is shown to the player. Changes that the game has
// already made are not undone. Outside Game.Command, Refuse does nothing.
func (h *Hand) Refuse(sentence string) { h.refused, h.refusal = true, sentence }

// Emit emits an event of the game about an actor, or about the area if who is 0. The remaining parameters are the event's
// arguments. The parameter other is the argument of kind ArgActor, and text is the argument of kind ArgText. The parameter
// numbers has all other arguments, in steps (see GameArg.Step) and in the order in which the game declares them; those that are
// left out are 0. An event with an unknown id is dropped.
func (h *Hand) Emit(e EventID, who, other EntityID, text string, numbers ...int32) {
	if int(e) >= len(h.a.world.Schema.Events) {
		return
	}
	out := Event{Kind: EventGame, Who: who, Other: other, N: int32(e), Text: text}
	if len(numbers) > 0 {
		out.Args = new([MaxGameArgs]int32)
		next := 0
		for i, arg := range h.a.world.Schema.Events[e].Args {
			if arg.Kind == ArgNumber && next < len(numbers) {
				out.Args[i] = min(max(numbers[next], arg.Min), arg.Max)
				next++
			}
		}
	}
	h.a.emit(out)
}

// Tell sends a line of text from the server to one player.
func (h *Hand) Tell(who EntityID, text string) {
	if x := h.a.find(who); x != nil && x.player {
		h.a.emit(Event{Kind: EventMessage, Who: who, Text: text, N: ToneSystem})
	}
}

// Announce sends a line of text from the server to all players of the area.
func (h *Hand) Announce(text string) {
	for id := range h.Players() {
		h.Tell(id, text)
	}
}

// Say sends a line of chat of an actor to all players of the area.
func (h *Hand) Say(who EntityID, text string) {
	if h.a.find(who) != nil {
		h.a.emit(Event{Kind: EventChat, Who: who, Text: text})
	}
}

// Hurt reduces the health of a living actor, which dies at 0. The parameter by is the attacker: players see its attack, and it
// receives the experience of a kill. If by is 0, there is no attacker.
func (h *Hand) Hurt(id, by EntityID, damage int32) {
	a, y, x := h.a, h.a.find(id), h.a.find(by)
	if y == nil || y.dead || damage <= 0 || a.health(y) <= 0 {
		return
	}
	if x == nil || x == y {
		a.setHealth(y, a.health(y)-min(damage, a.health(y)))
		if a.health(y) == 0 {
			a.kill(y, nil)
		}
		return
	}
	result := combat.AttackResult{Damage: min(damage, a.health(y))}
	a.applyDamage(y, result)
	a.emit(Event{Kind: EventAttacked, Who: x.id, Other: y.id, N: result.Damage, Text: y.name})
	a.provoke(y, x)
	a.finishAttack(x, y, result)
}

// Heal increases the health of a living actor, up to its maximum.
func (h *Hand) Heal(id EntityID, health int32) {
	a, x := h.a, h.a.find(id)
	if x == nil || x.dead || health <= 0 {
		return
	}
	a.setHealth(x, int32(min(int64(a.health(x))+int64(health), int64(x.attr[a.world.Roles.Health].Max))))
}

// Move places an actor at a position, in world units, facing yaw degrees. A player can be moved to another area and then leaves
// this one. An NPC can be moved only within this area. An actor that is ridden is not moved.
func (h *Hand) Move(id EntityID, to AreaID, pos geom.Vec, yaw float32) {
	a, x := h.a, h.a.find(id)
	if x == nil || to < 0 || int(to) >= len(a.world.Areas) {
		return
	}
	for _, v := range [...]*float32{&pos.X, &pos.Y, &pos.Z} {
		*v = move.SanitizeCoord(*v)
	}
	if !geom.Finite(yaw) {
		yaw = 0
	}
	switch {
	case x.player && !x.dead:
		a.transfer(x, to, &Join{Portal: -1, Pos: pos, Yaw: yaw})
	case !x.player && to == a.id && x.rider == 0:
		a.placeCompanion(x, pos, yaw)
	}
}

// Give puts items into the inventory of a player. It returns false, and adds nothing, if the world has no such item or no
// slot has room for all of them.
func (h *Hand) Give(who EntityID, item, amount uint16) bool {
	a, x := h.a, h.a.find(who)
	if x == nil || !x.player || amount == 0 || a.world.Item(item) == nil {
		return false
	}
	stack := ItemStack{Item: item, Amount: amount, Health: 100}
	slot := -1
	for i := SlotBackpack; i < SlotCount && slot < 0; i++ {
		if s := x.inv[i]; s.Empty() && a.fitsSlot(x, stack, uint8(i)) || !s.Empty() && a.world.CanStack(s, stack) && int(s.Amount)+int(amount) <= maxStack {
			slot = i
		}
	}
	if slot < 0 || len(a.ground) >= maxGround {
		return false
	}
	return a.receive(x, stack, uint8(slot))
}

// Count returns how many items of a kind are in the backpack of a player. Worn items do not count.
func (h *Hand) Count(who EntityID, item uint16) int {
	x, n := h.a.find(who), 0
	if x == nil {
		return 0
	}
	for i := SlotBackpack; i < SlotCount; i++ {
		if x.inv[i].ID() == item {
			n += int(x.inv[i].Amount)
		}
	}
	return n
}

// Take removes items of a kind from the backpack of a player. If the backpack has fewer of them, it removes nothing and returns
// false.
func (h *Hand) Take(who EntityID, item, amount uint16) bool {
	if amount == 0 || h.Count(who, item) < int(amount) {
		return false
	}
	x := h.a.find(who)
	for i := SlotBackpack; i < SlotCount && amount > 0; i++ {
		s := &x.inv[i]
		if s.ID() != item {
			continue
		}
		n := min(amount, s.Amount)
		amount -= n
		s.Amount -= n
		if s.Amount == 0 {
			*s = ItemStack{}
		}
		h.a.emit(Event{Kind: EventItemTaken, Who: who, N: int32(i), Value: int32(n)})
	}
	x.bodyStale = true
	x.saveTick = h.a.now
	return true
}

// Spawn creates an NPC of a template at a position, in world units, facing yaw degrees. It returns the NPC's id, or 0 if
// the world has no such template or the area is full.
func (h *Hand) Spawn(template uint16, pos geom.Vec, yaw float32) EntityID {
	a := h.a
	tmpl := a.world.Template(template)
	if tmpl == nil || len(a.actors) >= int(a.world.Rules.MaxActors) {
		return 0
	}
	return a.spawnAt(tmpl, -1, pos, yaw)
}

// Remove removes an NPC from the area. It does not count as a death.
func (h *Hand) Remove(id EntityID) {
	if x := h.a.find(id); x != nil && !x.player {
		h.a.removeNPC(x)
	}
}
