package content

import (
	"fmt"
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/move"
)

// defaultRules returns the rules of a world without a table [rules].
func defaultRules() sim.Rules {
	return sim.Rules{
		Combat: combat.DefaultRules(),
		Claim:  move.StrictClaimPolicy(),
		Step:   move.Euclidean,
		Path:   move.DefaultPathPolicy(),

		Predict:   move.DefaultPredictPolicy(),
		Knockback: sim.Knockback{Away: 0.4, Up: 0.4},

		RespawnArea:    sim.NoArea,
		RespawnPortal:  -1,
		RespawnDelayMS: 5000,
		RespawnHealth:  100,

		Linger: sim.LingerRules{MS: 10_000, CombatMS: 20_000, RestartMS: 60_000},

		RewindMS:     300,
		PortalLockMS: 35_000,
		SaveEveryMS:  30_000,

		LeashUnits:         150,
		HealthRegenMS:      5000,
		HealthRegenPercent: 2,
		EnergyRegen:        2,

		MaxActors: 2000,
	}
}

// defaultNewcomers returns the settings of a world without a table [newcomers].
func defaultNewcomers() sim.NewCharacterRules {
	return sim.NewCharacterRules{AllowAccounts: true, MaxCharacters: 4, Pet: sim.NoTemplate}
}

// readRules reads [rules]. Keys that are absent leave the current rules unchanged.
func (b *builder) readRules(t *table) {
	if t == nil {
		return
	}
	r := &b.w.Rules
	t.milliseconds("save_every", &r.SaveEveryMS, 1, 3600)
	t.milliseconds("portal_lock", &r.PortalLockMS, 0, 3600)
	readInteger(t, "max_actors", &r.MaxActors, 1, 60_000)
	t.float("leash", &r.LeashUnits, 0, maxCoord)
	b.readRewind(t)
	b.readMovement(t.subtable("movement"))
	b.readPrediction(t.subtable("prediction"))
	b.readCombat(t.subtable("combat"))
	b.readRespawn(t.subtable("respawn"))
	b.readLinger(t.subtable("linger"))
	if g := t.subtable("regeneration"); g != nil {
		g.milliseconds("health_every", &r.HealthRegenMS, 0, 3600)
		readInteger(g, "health_percent", &r.HealthRegenPercent, 0, 100)
		readInteger(g, "energy_per_second", &r.EnergyRegen, 0, maxValue)
		g.reportUnknownKeys()
	}
	t.reportUnknownKeys()
}

// readRewind reads the key rewind of [rules], the limit of lag compensation in seconds.
func (b *builder) readRewind(t *table) {
	r := &b.w.Rules
	t.milliseconds("rewind", &r.RewindMS, 0, 1)
	if longest := int32(sim.MaxRewindTicks * 1000 / max(b.w.TicksPerSecond, 1)); r.RewindMS > longest {
		t.fail("rewind", "an area keeps the positions of %d ticks: write rewind = %g or less with tick_rate = %d",
			sim.MaxRewindTicks, float32(longest)/1000, b.w.TicksPerSecond)
	}
}

// milliseconds reads a number of seconds, which may have a fraction, into a target in milliseconds.
func (t *table) milliseconds(key string, into *int32, lo, hi float32) {
	if t.has(key) {
		*into = t.seconds(key, float32(*into)/1000, lo, hi)
	}
}

// Values of keys in [rules.movement] of a world file.
var (
	claimWords = []string{"strict", "seed"}
	stepWords  = []string{"euclidean", "l1"} // names of the values of move.StepMetric, in order
)

// readMovement reads [rules.movement]. The key claims selects a set of parameters; the other keys change single
// parameters.
func (b *builder) readMovement(t *table) {
	if t == nil {
		return
	}
	r := &b.w.Rules
	if i, ok := t.choice("claims", claimWords); ok {
		r.Claim = move.StrictClaimPolicy()
		if claimWords[i] == "seed" {
			r.Claim = move.OriginalClaimPolicy()
		}
	}
	if i, ok := t.choice("step", stepWords); ok {
		r.Step = move.StepMetric(i)
	}
	t.float("units_per_ms", &r.Claim.UnitsPerMS, 0.001, 100)
	t.float("speed_bias", &r.Claim.SpeedBias, 0, 100)
	t.float("floor", &r.Claim.MinAllowance, 0, 1000)
	if t.has("rebaseline") {
		r.Claim.RebaselineMS = int64(t.seconds("rebaseline", float32(r.Claim.RebaselineMS)/1000, 0, 3600))
	}
	if t.has("save") {
		r.Claim.MaxSavedMS = int64(t.seconds("save", float32(r.Claim.MaxSavedMS)/1000, 0, 60))
	}
	readInteger(t, "correct_after", &r.Claim.HoldsToCorrect, 0, 1000)
	t.milliseconds("warp_ignore", &r.Claim.IgnoreMS, 0, 10)
	t.reportUnknownKeys()
}

// readCombat reads [rules.combat]: how attacks work and which damage formula is used.
func (b *builder) readCombat(t *table) {
	if t == nil {
		return
	}
	r := &b.w.Rules.Combat
	readInteger(t, "formula", &r.Formula, int64(combat.Normal), int64(combat.Script))
	b.readFormula(t, r)
	t.milliseconds("delay", &r.DelayMS, 0, 60)
	t.boolean("weapon_wear", &r.WeaponWear)
	t.boolean("armour_wear", &r.ArmourWear)
	t.boolean("wear_attacker", &r.WearAttacker)
	readInteger(t, "rating_loss", &r.RatingLoss, 0, 200)
	t.float("melee_reach", &r.MeleeReach, 0, 1000)
	readInteger(t, "friendly_above", &r.FriendlyAbove, 0, 200)
	readInteger(t, "help_at_least", &r.HelpAtLeast, 0, 200)
	readInteger(t, "hostile_below", &r.HostileBelow, 0, 200)
	t.reportUnknownKeys()
}

// readFormula reads the damage script of formula 4. A script beside another formula is a problem, because it would never
// run.
func (b *builder) readFormula(t *table, r *combat.Rules) {
	src, has := t.rawString("script")
	switch {
	case r.Formula == combat.Script && !has:
		t.fail("formula", `formula 4 needs a script: add script = "weapon_damage - victim_armour" or use formula 1, 2 or 3`)
	case r.Formula != combat.Script && has:
		t.fail("script", "script is given, but formula %d does not run it: write formula = 4 or remove it", r.Formula)
	case has:
		program, err := CompileFormula(src)
		if err != nil {
			t.fail("script", "%s", oneLine(err))
			return
		}
		r.Program = program
	}
}

// readLinger reads [rules.linger]: how long players without a connection stay in the world.
func (b *builder) readLinger(t *table) {
	if t == nil {
		return
	}
	l := &b.w.Rules.Linger
	t.milliseconds("time", &l.MS, 0, 3600)
	t.milliseconds("combat", &l.CombatMS, 0, 3600)
	t.milliseconds("restart", &l.RestartMS, 0, 3600)
	if l.CombatMS < l.MS {
		t.fail("combat", "combat is shorter than time: write combat = %g or more, so that no player escapes from a fight by ending the connection", float32(l.MS)/1000)
	}
	t.reportUnknownKeys()
}

// readRespawn reads [rules.respawn]: when and where dead players return to life.
func (b *builder) readRespawn(t *table) {
	if t == nil {
		return
	}
	r := &b.w.Rules
	t.milliseconds("delay", &r.RespawnDelayMS, 0, 3600)
	readInteger(t, "health", &r.RespawnHealth, 1, 100)
	if area, portal, ok := b.readPortalRef(t.subtable("at")); ok {
		r.RespawnArea, r.RespawnPortal = area, portal
	}
	t.reportUnknownKeys()
}

// readNewcomers reads [newcomers]. Keys that are absent leave the current settings unchanged.
func (b *builder) readNewcomers(t *table) {
	if t == nil {
		return
	}
	n := &b.w.NewCharacters
	t.boolean("accounts", &n.AllowAccounts)
	readInteger(t, "characters", &n.MaxCharacters, 1, 10)
	readInteger(t, "attribute_points", &n.AttributePoints, 0, 255)
	readInteger(t, "gold", &n.Gold, 0, 1_000_000_000)
	readInteger(t, "reputation", &n.Reputation, -maxValue, maxValue)
	t.clientText("greeting", &n.Greeting, maxText)
	if t.has("pet") {
		b.readTemplateRef(t, "pet", &n.Pet)
	}
	if t.has("name_filter") {
		n.NameFilter = nil
	}
	for i, word := range t.stringArray("name_filter") {
		if word == "" {
			t.fail(fmt.Sprintf("name_filter[%d]", i), "name_filter contains an empty word, which matches every name: remove it")
			continue
		}
		n.NameFilter = append(n.NameFilter, lowerASCII(word))
	}
	if t.has("kit") {
		n.Kit = nil
	}
	for _, kt := range t.tables("kit") {
		b.readNewcomerItem(kt)
	}
	t.reportUnknownKeys()
}

// readNewcomerItem reads one item of the newcomers' kit. An item without a slot is put into the slot of its kind if that
// slot is free, else into the backpack.
func (b *builder) readNewcomerItem(t *table) {
	defer t.reportUnknownKeys()
	n := &b.w.NewCharacters
	t.addLabel("kit", "item")
	k := sim.KitItem{Stack: sim.ItemStack{Amount: 1, Health: 100}}
	if !t.require("item", `"..."`) {
		return
	}
	i, ok := readName(t, "item", "item", b.itemNames())
	readInteger(t, "amount", &k.Stack.Amount, 1, 65535)
	slot := -1
	readInteger(t, "slot", &slot, 0, sim.SlotCount-1)
	if !ok {
		return
	}
	it := &b.w.Items[i]
	if k.Stack.Amount > 1 && !it.Stackable {
		t.fail("amount", "the kit puts %d of %q into one slot, but the item is not stackable: set stackable = true on the item, or amount = 1", k.Stack.Amount, it.Name)
	}
	switch {
	case slot < 0:
		slot = freeSlot(n.Kit, it)
	case slot < sim.SlotBackpack && !canWearIn(it, slot):
		t.fail("slot", "%q is not worn in slot %d: leave slot out or use %d or more", it.Name, slot, sim.SlotBackpack)
		return
	}
	if slot < 0 || slotTaken(n.Kit, slot) {
		t.fail("slot", "the slot already has an item: give each item its own slot, 0 to %d", sim.SlotCount-1)
		return
	}
	k.Slot, k.Stack.Item = uint8(slot), it.ID
	n.Kit = append(n.Kit, k)
}

// freeSlot returns a free inventory slot for an item of the newcomers' kit that names no slot: a slot in which the item can
// be worn, or else a slot of the backpack. It returns -1 if no such slot is free.
func freeSlot(kit []sim.KitItem, it *sim.Item) int {
	for slot := range sim.SlotCount {
		if (slot >= sim.SlotBackpack || canWearIn(it, slot)) && !slotTaken(kit, slot) {
			return slot
		}
	}
	return -1
}

func slotTaken(kit []sim.KitItem, slot int) bool {
	for _, k := range kit {
		if int(k.Slot) == slot {
			return true
		}
	}
	return false
}

// canWearIn reports whether items of this kind can be worn in a slot. The slot must be below SlotBackpack.
func canWearIn(it *sim.Item, slot int) bool {
	switch it.Kind {
	case sim.ItemWeapon:
		return slot == sim.SlotWeapon
	case sim.ItemArmour:
		return sim.SlotShield <= slot && slot <= sim.SlotFeet && int(it.SlotKind)-1 == slot
	case sim.ItemJewel:
		if slot >= sim.SlotAmulet {
			return it.SlotKind == 10
		}
		return slot >= sim.SlotRing && it.SlotKind == 9
	}
	return false
}

// lowerASCII returns s with the letters A to Z in lower case. Other bytes do not change, as in name comparisons of the
// RealmCrafter server.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// oneLine returns the text of an error without line breaks.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
