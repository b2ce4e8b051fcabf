package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// EffectKind is a kind of effect. An effect changes how a player moves, for a time or as long as the player wears an item.
type EffectKind uint8

// Values of EffectKind. EffectFirework has no level and affects only a player that glides. The avatar stores its remaining ticks,
// so ActorEffects does not contain it. EffectKinds is the number of kinds.
const (
	EffectSpeed       EffectKind       = iota // increases walking speed by 20 % for each level
	EffectSlowness                            // reduces walking speed by 15 % for each level
	EffectJumpBoost                           // the player jumps higher
	EffectLevitation                          // the player rises
	EffectSlowFalling                         // the player falls slowly
	EffectFirework                            // a firework accelerates the gliding player in its viewing direction
	EffectKinds                               // number of kinds
	LastingEffects    = EffectFirework        // number of effect kinds that have a level; they are the kinds below EffectFirework
)

// String returns the name of the effect in world files.
func (k EffectKind) String() string {
	words := [EffectKinds]string{"speed", "slowness", "jump_boost", "levitation", "slow_falling", "firework"}
	if k >= EffectKinds {
		return "unknown"
	}
	return words[k]
}

// Change of the walking speed per level of the effects speed and slowness, in percent. Source: docs/wire/bedrock.md, effects.
const (
	speedPercentPerLevel    = 20
	slownessPercentPerLevel = 15
)

// MaxEffectLevel is the maximum level of an effect of an item or a zone.
const MaxEffectLevel = 10

// EffectTicksPerSecond is the number of ticks per second in which the durations of effects are counted. These ticks are those of
// predicting clients, 50 ms each, whatever the server's tick rate is.
const EffectTicksPerSecond = 20

// Effect is an effect that an item or a zone gives to a player.
type Effect struct {
	Kind  EffectKind
	Level uint8 // 1..MaxEffectLevel; not used by EffectFirework
	Ticks int32 // duration in ticks of 50 ms; ignored for effects of worn items
}

// EffectZone is a box in an area. Players inside it have an effect.
type EffectZone struct {
	Min, Max geom.Vec // corners, world units
	Effect   Effect   // the effect; Effect.Ticks is how long it lasts after the player has left the zone
}

// zoneRefreshTicks is the interval at which a zone renews the duration of its effect on the players inside it, in ticks of 50 ms.
const zoneRefreshTicks = 20

// ActiveEffect is the effect of one kind that a player has at present.
type ActiveEffect struct {
	Level uint8 // level of the effect, 0 if it is not active
	Ticks int32 // remaining ticks of 50 ms; -1 while the effect comes from a worn item
}

// ActorEffects are the effects that a player has for a limited time, and the levels of effects that the player's client was told
// last.
type ActorEffects struct {
	Timed     [LastingEffects]ActiveEffect // effects that end after some time, by EffectKind
	Announced [LastingEffects]uint8        // levels that were last sent to the client of the player
}

// effectState contains the effects of a player, and when the player can use an item again.
type effectState struct {
	ActorEffects
	nextUse Tick                  // first tick in which the actor can use an item again
	worn    [LastingEffects]uint8 // derived: levels of the effects of worn items
}

// effectsOf returns the state of the effects of x. It creates the state if x has none yet.
func (x *actor) effectsOf() *effectState {
	if x.effects == nil {
		x.effects = &effectState{}
	}
	return x.effects
}

// effect returns the effect of a kind that is active on x: that of worn items or the timed one, whichever has the higher level.
func (x *actor) effect(k EffectKind) ActiveEffect {
	e := x.effects
	if e == nil {
		return ActiveEffect{}
	}
	if worn := e.worn[k]; worn > 0 && worn >= e.Timed[k].Level {
		return ActiveEffect{Level: worn, Ticks: -1}
	}
	return e.Timed[k]
}

// speedPercent is the walking speed of x in percent of its speed without effects.
func (x *actor) speedPercent() int32 {
	if x.effects == nil {
		return 100
	}
	faster := 100 + speedPercentPerLevel*int32(x.effect(EffectSpeed).Level)
	slower := 100 - slownessPercentPerLevel*int32(x.effect(EffectSlowness).Level)
	return faster * max(slower, 0) / 100
}

// speedAttribute returns the speed attribute of x, changed by its effects.
func (a *Area) speedAttribute(x *actor) combat.Attribute {
	s := x.attribute(a.world.Roles.Speed)
	if x.effects != nil {
		s.Value = int32(int64(s.Value) * int64(x.speedPercent()) / 100)
	}
	return s
}

// giveEffect starts an effect on a player. It does nothing if an active effect of the same kind is stronger: if that effect has a
// higher level, or the same level and at least as much time left.
func (a *Area) giveEffect(x *actor, e *Effect) {
	if e.Kind >= LastingEffects {
		x.authority.boostGlide(a, x, e.Ticks)
		return
	}
	t := &x.effectsOf().Timed[e.Kind]
	if e.Level < t.Level || e.Level == t.Level && e.Ticks <= t.Ticks {
		return
	}
	renewed := e.Level == t.Level
	*t = ActiveEffect{e.Level, e.Ticks}
	if renewed {
		x.authority.announceEffect(a, x, e.Kind, x.effect(e.Kind), false)
	}
}

// syncEffects informs the client of x, through the authority of x, of every effect whose level has changed since the client was
// last informed.
func (a *Area) syncEffects(x *actor) {
	e := x.effects
	if e == nil {
		return
	}
	for k := range LastingEffects {
		if is := x.effect(k); is.Level != e.Announced[k] && x.authority.announceEffect(a, x, k, is, true) {
			e.Announced[k] = is.Level
		}
	}
}

// countEffects reduces the remaining time of the effects of x by a number of ticks of 50 ms. An effect ends when no time is left.
func (x *actor) countEffects(ticks int32) {
	for k := range x.effects.Timed {
		if t := &x.effects.Timed[k]; t.Level > 0 {
			if t.Ticks -= ticks; t.Ticks <= 0 {
				*t = ActiveEffect{}
			}
		}
	}
}

// updateEffects runs once per tick and player: zones give their effects, and expired effects end.
func (a *Area) updateEffects(x *actor) {
	for i := range a.def.Zones {
		if z := &a.def.Zones[i]; z.contains(x.pos) {
			a.applyZone(x, &z.Effect)
		}
	}
	if x.effects == nil {
		return
	}
	if !x.authority.countsEffects() {
		tps := Tick(a.world.TicksPerSecond)
		x.countEffects(int32(a.now*EffectTicksPerSecond/tps - (a.now-1)*EffectTicksPerSecond/tps))
	}
	a.syncEffects(x)
}

// applyZone gives the effect of a zone to a player inside the zone: when the player enters it, and again every
// zoneRefreshTicks.
func (a *Area) applyZone(x *actor, e *Effect) {
	if e.Kind < LastingEffects && x.effects != nil {
		if t := x.effects.Timed[e.Kind]; t.Level == e.Level && t.Ticks > e.Ticks-zoneRefreshTicks {
			return
		}
	}
	a.giveEffect(x, e)
}

func (z *EffectZone) contains(p geom.Vec) bool {
	return p.X >= z.Min.X && p.X <= z.Max.X && p.Y >= z.Min.Y && p.Y <= z.Max.Y && p.Z >= z.Min.Z && p.Z <= z.Max.Z
}

// useHeldItem uses the item in a player's hand: it starts the item's effects. It refuses this if the use delay of the item has
// not passed since the last use.
func (a *Area) useHeldItem(x *actor) {
	it := a.world.Item(x.inv[SlotWeapon].ID())
	if it == nil || len(it.Use) == 0 || x.dead || x.frozen {
		return
	}
	e := x.effectsOf()
	if a.now < e.nextUse {
		a.refuse(x.id, 0, reason.TooMuch, 0, 0)
		return
	}
	e.nextUse = a.now + a.ticks(it.UseDelayMS)
	for i := range it.Use {
		a.giveEffect(x, &it.Use[i])
	}
	a.syncEffects(x)
}

// clearEffects ends the effects of a player that died, except those of worn items.
func (a *Area) clearEffects(x *actor) {
	if x.effects != nil {
		x.effects.Timed = [LastingEffects]ActiveEffect{}
		a.syncEffects(x)
	}
}

// updateWornEffects computes what a player's worn items give: effects, the ability to glide, and the level of depth strider.
func (a *Area) updateWornEffects(x *actor) {
	x.glides, x.depthStrider = false, 0
	if x.effects != nil {
		x.effects.worn = [LastingEffects]uint8{}
	}
	if !x.player {
		return
	}
	for slot := range SlotBackpack {
		s := &x.inv[slot]
		it := a.world.Item(s.ID())
		if it == nil || s.Health == 0 {
			continue
		}
		x.glides, x.depthStrider = x.glides || it.Glides, max(x.depthStrider, it.DepthStrider)
		for i := range it.Worn {
			worn := &x.effectsOf().worn[it.Worn[i].Kind]
			*worn = max(*worn, it.Worn[i].Level)
		}
	}
}

// emitEffect emits the event that an effect of x began, was renewed or ended. The parameter r is nil unless the client of x
// predicts.
func (a *Area) emitEffect(x *actor, k EffectKind, is ActiveEffect, r *Rewind) {
	a.emit(Event{Kind: EventEffect, Who: x.id, Type: uint8(k), N: int32(is.Level), Value: is.Ticks, Rewind: r})
}

func (e *effectState) codec(c *codec) {
	e.ActorEffects.codec(c)
	num(c, &e.nextUse)
}

func (e *ActorEffects) codec(c *codec) {
	for k := range e.Timed {
		num(c, &e.Timed[k].Level)
		num(c, &e.Timed[k].Ticks)
		num(c, &e.Announced[k])
	}
}

func (e *effectState) hash(h hash64) hash64 {
	for k := range e.Timed {
		h.u64(uint64(e.Timed[k].Level) | uint64(e.Announced[k])<<8 | uint64(uint32(e.Timed[k].Ticks))<<32)
	}
	h.u64(uint64(e.nextUse))
	return h
}
