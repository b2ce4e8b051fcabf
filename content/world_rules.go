package content

import (
	"fmt"
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/move"
)

// defaultRules are the rules of a world that says nothing about them.
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

		PortalLockMS: 35_000,
		SaveEveryMS:  30_000,

		LeashUnits:         150,
		HealthRegenMS:      5000,
		HealthRegenPercent: 2,
		EnergyRegen:        2,

		MaxActors: 2000,
	}
}

// defaultNewcomers are the rules for newcomers of a world that says nothing about them.
func defaultNewcomers() sim.Newcomers {
	return sim.Newcomers{AllowAccounts: true, MaxCharacters: 4, Pet: sim.NoTemplate}
}

// rules reads [rules] over the rules that the world has so far.
func (b *builder) rules(t *table) {
	if t == nil {
		return
	}
	r := &b.w.Rules
	t.milliseconds("save_every", &r.SaveEveryMS, 1, 3600)
	t.milliseconds("portal_lock", &r.PortalLockMS, 0, 3600)
	whole(t, "max_actors", &r.MaxActors, 1, 60_000)
	t.f32("leash", &r.LeashUnits, 0, maxCoord)
	b.movement(t.sub("movement"))
	b.prediction(t.sub("prediction"))
	b.combat(t.sub("combat"))
	b.respawn(t.sub("respawn"))
	if g := t.sub("regeneration"); g != nil {
		g.milliseconds("health_every", &r.HealthRegenMS, 0, 3600)
		whole(g, "health_percent", &r.HealthRegenPercent, 0, 100)
		whole(g, "energy_per_second", &r.EnergyRegen, 0, maxValue)
		g.done()
	}
	t.done()
}

// milliseconds reads seconds, fractions allowed, into a number of milliseconds.
func (t *table) milliseconds(key string, into *int32, lo, hi float32) {
	if t.has(key) {
		*into = t.seconds(key, float32(*into)/1000, lo, hi)
	}
}

// Words of [rules.movement].
var (
	claimWords = []string{"strict", "seed"}
	stepWords  = []string{"euclidean", "l1"} // in the order of move.Step
)

// movement reads [rules.movement]. The word for claims sets all figures; the keys beside it change single ones.
func (b *builder) movement(t *table) {
	if t == nil {
		return
	}
	r := &b.w.Rules
	if i, ok := t.choice("claims", claimWords); ok {
		r.Claim = move.StrictClaimPolicy()
		if claimWords[i] == "seed" {
			r.Claim = move.SeedClaimPolicy()
		}
	}
	if i, ok := t.choice("step", stepWords); ok {
		r.Step = move.StepMetric(i)
	}
	t.f32("units_per_ms", &r.Claim.UnitsPerMS, 0.001, 100)
	t.f32("speed_bias", &r.Claim.SpeedBias, 0, 100)
	t.f32("floor", &r.Claim.MinAllowance, 0, 1000)
	if t.has("rebaseline") {
		r.Claim.RebaselineMS = int64(t.seconds("rebaseline", float32(r.Claim.RebaselineMS)/1000, 0, 3600))
	}
	if t.has("save") {
		r.Claim.MaxSavedMS = int64(t.seconds("save", float32(r.Claim.MaxSavedMS)/1000, 0, 60))
	}
	whole(t, "correct_after", &r.Claim.HoldsToCorrect, 0, 1000)
	t.milliseconds("warp_ignore", &r.Claim.IgnoreMS, 0, 10)
	t.done()
}

// combat reads [rules.combat].
func (b *builder) combat(t *table) {
	if t == nil {
		return
	}
	r := &b.w.Rules.Combat
	whole(t, "formula", &r.Formula, int64(combat.Normal), int64(combat.Script))
	b.formula(t, r)
	t.milliseconds("delay", &r.DelayMS, 0, 60)
	t.flag("weapon_wear", &r.WeaponWear)
	t.flag("armour_wear", &r.ArmourWear)
	t.flag("wear_attacker", &r.WearAttacker)
	whole(t, "rating_loss", &r.RatingLoss, 0, 200)
	t.f32("melee_reach", &r.MeleeReach, 0, 1000)
	whole(t, "friendly_above", &r.FriendlyAbove, 0, 200)
	whole(t, "help_at_least", &r.HelpAtLeast, 0, 200)
	whole(t, "hostile_below", &r.HostileBelow, 0, 200)
	t.done()
}

// formula reads the script of formula 4, and refuses one that would never run.
func (b *builder) formula(t *table, r *combat.Rules) {
	src, has := t.raw("script")
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

// respawn reads [rules.respawn].
func (b *builder) respawn(t *table) {
	if t == nil {
		return
	}
	r := &b.w.Rules
	t.milliseconds("delay", &r.RespawnDelayMS, 0, 3600)
	whole(t, "health", &r.RespawnHealth, 1, 100)
	if area, portal, ok := b.place(t.sub("at")); ok {
		r.RespawnArea, r.RespawnPortal = area, portal
	}
	t.done()
}

// newcomers reads [newcomers] over what the world has so far.
func (b *builder) newcomers(t *table) {
	if t == nil {
		return
	}
	n := &b.w.Newcomers
	t.flag("accounts", &n.AllowAccounts)
	whole(t, "characters", &n.MaxCharacters, 1, 10)
	whole(t, "attribute_points", &n.AttributePoints, 0, 255)
	whole(t, "gold", &n.Gold, 0, 1_000_000_000)
	whole(t, "reputation", &n.Reputation, -maxValue, maxValue)
	t.text("greeting", &n.Greeting, maxText)
	if t.has("pet") {
		b.templateRef(t, "pet", &n.Pet)
	}
	if t.has("name_filter") {
		n.NameFilter = nil
	}
	for i, word := range t.words("name_filter") {
		if word == "" {
			t.fail(fmt.Sprintf("name_filter[%d]", i), "name_filter has an empty word, which every name contains: remove it")
			continue
		}
		n.NameFilter = append(n.NameFilter, lowerASCII(fromUTF8(word)))
	}
	if t.has("kit") {
		n.Kit = nil
	}
	for _, kt := range t.list("kit") {
		b.newcomerItem(kt)
	}
	t.done()
}

// newcomerItem reads one item of the newcomers' kit. Without a slot it goes where its kind is worn if that is free,
// else to the backpack.
func (b *builder) newcomerItem(t *table) {
	defer t.done()
	n := &b.w.Newcomers
	t.named("kit", "item")
	k := sim.KitItem{Stack: sim.ItemStack{Amount: 1, Health: 100}}
	if !t.need("item", `"..."`) {
		return
	}
	i, ok := ref(t, "item", "item", b.itemNames())
	whole(t, "amount", &k.Stack.Amount, 1, 65535)
	slot := -1
	whole(t, "slot", &slot, 0, sim.SlotCount-1)
	if !ok {
		return
	}
	it := &b.w.Items[i]
	if k.Stack.Amount > 1 && !it.Stackable {
		t.fail("amount", "%d of %q in one slot, but it is not stackable: set stackable = true on the item or amount = 1", k.Stack.Amount, Display(it.Name))
	}
	switch {
	case slot < 0:
		slot = freeSlot(n.Kit, it)
	case slot < sim.SlotBackpack && !wornIn(it, slot):
		t.fail("slot", "%q is not worn in slot %d: leave slot out or use %d or more", Display(it.Name), slot, sim.SlotBackpack)
		return
	}
	if slot < 0 || slotTaken(n.Kit, slot) {
		t.fail("slot", "the slot is taken: give each item its own slot, 0 to %d", sim.SlotCount-1)
		return
	}
	k.Slot, k.Stack.Item = uint8(slot), it.ID
	n.Kit = append(n.Kit, k)
}

// freeSlot is where an item goes by itself, -1 if nothing is free.
func freeSlot(kit []sim.KitItem, it *sim.Item) int {
	for slot := range sim.SlotCount {
		if (slot >= sim.SlotBackpack || wornIn(it, slot)) && !slotTaken(kit, slot) {
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

// wornIn tells whether items of this kind are worn in that slot, which is below SlotBackpack.
func wornIn(it *sim.Item, slot int) bool {
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

// lowerASCII is s with the letters A to Z in lower case; other bytes stay, as the original compares.
func lowerASCII(s string) string {
	b := []byte(s)
	for i, c := range b {
		if 'A' <= c && c <= 'Z' {
			b[i] = c + 'a' - 'A'
		}
	}
	return string(b)
}

// oneLine is the text of an error without its line breaks.
func oneLine(err error) string { return strings.Join(strings.Fields(err.Error()), " ") }
