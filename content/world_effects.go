package content

import (
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// effectWords are the names of the effects in world files, in the order of sim.EffectKind.
var effectWords = func() (words []string) {
	for k := range sim.EffectKinds {
		words = append(words, k.String())
	}
	return words
}()

// Limits of the durations of effects, in seconds.
const (
	minEffectS   = 0.05 // minimum duration: one tick of 50 ms
	maxEffectS   = 3600 // maximum duration of an effect
	maxFireworkS = 20   // maximum duration of a firework
	minZoneS     = 2    // minimum duration in a zone; the zone renews its effect every second, so a shorter one would be interrupted
	maxUseDelayS = 3600 // maximum time between two uses of an item
)

// readEffect reads the keys effect and level of an effect. It returns false if it has recorded a problem.
func (t *table) readEffect(e *sim.Effect) bool {
	if !t.require("effect", `"speed"`) {
		return false
	}
	i, ok := t.choice("effect", effectWords)
	if !ok {
		return false
	}
	e.Kind, e.Level = sim.EffectKind(i), 1
	if e.Kind < sim.LastingEffects {
		readInteger(t, "level", &e.Level, 1, sim.MaxEffectLevel)
	}
	return true
}

// readEffectTime reads the key time of an effect and converts it to ticks of 50 ms. The parameter absent is the default in
// seconds.
func (t *table) readEffectTime(e *sim.Effect, absent, lo, hi float32) {
	e.Ticks = (t.seconds("time", absent, lo, hi)*sim.EffectTicksPerSecond + 999) / 1000
}

// readItemEffects reads the effects of using or wearing an item: use, use_delay, worn and glides.
func (b *builder) readItemEffects(t *table, it *sim.Item) {
	for _, ut := range t.tables("use") {
		if it.Kind != sim.ItemWeapon {
			t.fail("use", "only an item in the hand can be used: kind = \"weapon\"")
			return
		}
		e := sim.Effect{}
		if ut.readEffect(&e) {
			limit := float32(maxEffectS)
			if e.Kind == sim.EffectFirework {
				limit = maxFireworkS
			}
			if ut.require("time", "5") {
				ut.readEffectTime(&e, 0, minEffectS, limit)
			}
			it.Use = append(it.Use, e)
		}
		ut.reportUnknownKeys()
	}
	it.UseDelayMS = t.seconds("use_delay", 1, 0, maxUseDelayS)
	for _, wt := range t.tables("worn") {
		e := sim.Effect{}
		if wt.readEffect(&e) {
			if e.Kind >= sim.LastingEffects {
				wt.fail("effect", "a worn item cannot give the effect firework: give it with use")
			}
			it.Worn = append(it.Worn, e)
		}
		wt.reportUnknownKeys()
	}
	t.boolean("glides", &it.Glides)
	if wearable := it.Kind == sim.ItemWeapon || it.Kind == sim.ItemArmour || it.Kind == sim.ItemJewel; !wearable && (it.Glides || len(it.Worn) > 0) {
		t.fail("worn", "%s cannot be worn: use a weapon, armour or a jewel", itemKinds[it.Kind-1])
	}
}

// readZone reads a table [[area.zone]]: a part of the area in which players have an effect.
func (b *builder) readZone(t *table) sim.EffectZone {
	t.addLabel("zone", "name")
	var z sim.EffectZone
	var from, to geom.Vec
	t.vec("from", &from)
	t.vec("to", &to)
	z.Min = geom.Vec{X: min(from.X, to.X), Y: min(from.Y, to.Y), Z: min(from.Z, to.Z)}
	z.Max = geom.Vec{X: max(from.X, to.X), Y: max(from.Y, to.Y), Z: max(from.Z, to.Z)}
	if t.readEffect(&z.Effect) && z.Effect.Kind >= sim.LastingEffects {
		t.fail("effect", "a zone cannot give a firework: use an item")
	}
	t.readEffectTime(&z.Effect, 5, minZoneS, maxEffectS)
	t.reportUnknownKeys()
	return z
}
