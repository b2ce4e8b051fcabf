package cluster

import (
	"fmt"
	"math"
	"slices"
	"strconv"
	"strings"
	"sync"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/terrain"
)

// A troupe is three players who go through a portal with all that a player can have: Ann, under the claim authority, rides a horse and has
// two pets, two stacks of items, gold and experience; Bob, under the path authority, runs, has a pet, and is frozen by an operator; Cat,
// under the predict authority, cannot use an item for some time. They are one party, have fought, have lost health, are under effects of a
// zone, and have values in a field of the game. The rules of the game (troupeRules) make them act in
// fixed ticks after the fight. So each run has the same states: on one machine, on several, and with failures.
type troupe struct {
	def     *sim.World
	mu      sync.Mutex // held by observe, which the goroutines of two areas call
	members [3]member
	acted   sim.Tick // newest tick of the first area for which the method act was called; act ignores frames of older ticks
}

// member is a player of a troupe, with what was observed of it during a run.
type member struct {
	name string
	who  sim.EntityID
	join sim.Join

	entered sim.Tick // tick in which the player has entered the world
	leftAt  sim.Tick // tick of the departure from the first area

	in      [2]bool  // in[0]: the player is in the first area; in[1]: in the second area
	left    int      // number of departures from the first area
	came    int      // number of arrivals in the second area
	cameAt  sim.Tick // tick of the arrival
	arrived []string // state of the player and its companions in the tick of the arrival
	later   []string // their state after stepLast
}

// Templates of the troupe's world, beside the cow (1) and the human (2) of fields.
const (
	horse = 3
	dog   = 4
)

// Actions of the rules. Each step is a value of the player's field age, which counts ticks from the blow in the first area on.
const (
	stepHorse  = 10  // a horse stands beside Ann
	stepZone   = 12  // all players are moved into a zone with effects for two ticks
	stepCoins  = 20  // all players get coins; players and companions lose health; companions gain trust
	stepGo     = 100 // all players stand in the portal, and leave with the next tick
	stepKill   = 140 // in the second area, a pet of Ann kills a cow
	stepLast   = 160
	coins      = 7
	hurtBy     = 37
	petsHurtBy = 11
	useDelay   = 10_000 // ticks after Cat's login in which it cannot use an item: more than a run lasts
)

// apples and pears are what Ann carries, and its gold and experience at its login.
var (
	apples = sim.ItemStack{Item: 1, Amount: 5, Health: 100}
	pears  = sim.ItemStack{Item: 2, Amount: 3, Health: 40, Attr: &[combat.Attributes]int16{2: 9}}
)

const (
	gold = 1234
	xp   = 567
)

var (
	meadow = geom.Vec{X: 300}
	zone   = geom.Vec{X: 600}
	portal = geom.Vec{X: 900}
	street = geom.Vec{X: 20, Z: 30}
)

// troupeWorld returns a world of three areas with a portal from the first to the second.
func troupeWorld() *sim.World {
	w := fields(simAreas)
	cow := &w.Templates[0]
	cow.XPMultiplier = math.MaxInt32 // the experience for a kill is then at its maximum, whatever the random number is
	h, d := *cow, *cow
	h.ID, h.Race, h.Rideable, h.XPMultiplier = horse, "Horse", true, 0
	d.ID, d.Race, d.Temper, d.XPMultiplier = dog, "Dog", combat.NonCombatant, 0
	cow.Attr[0] = combat.Attribute{Value: 1_000_000, Max: 1_000_000} // so much health that no blow kills a cow
	w.Templates = append(w.Templates, h, d)
	w.Items = []sim.Item{{ID: apples.Item, Name: "Apple", Stackable: true}, {ID: pears.Item, Name: "Pear", Stackable: true}}
	w.Rules.SaveEveryMS = math.MaxInt32 // no autosave while the players prepare, because the duration of that varies by some ticks
	w.Rules.Path, w.Rules.Predict = move.DefaultPathPolicy(), move.DefaultPredictPolicy()
	for i := range w.Areas {
		w.Areas[i].Tiles = terrain.TileGrid{UnitsPerTile: 5, BaseX: 3200, BaseZ: 3200}
		w.Areas[i].BlockGrid = terrain.BlockGrid{UnitsPerBlock: 3.5, Origin: [3]int32{0, 64, 0}}
	}
	w.Areas[0].Portals = []sim.Portal{{Name: "Gate", Pos: portal, Radius: 5, ToArea: 1, ToPortal: 0, Yaw: 90}}
	w.Areas[1].Portals = []sim.Portal{{Name: "Street", Pos: street, Radius: 5, ToArea: 0, ToPortal: 0, Yaw: 180}}
	box := func(e sim.Effect) sim.EffectZone {
		return sim.EffectZone{Min: geom.Vec{X: zone.X - 5, Y: -50, Z: -5}, Max: geom.Vec{X: zone.X + 5, Y: 50, Z: 5}, Effect: e}
	}
	w.Areas[0].Zones = []sim.EffectZone{
		box(sim.Effect{Kind: sim.EffectSpeed, Level: 2, Ticks: 2000}), box(sim.Effect{Kind: sim.EffectSlowFalling, Level: 1, Ticks: 150}),
	}
	w.Schema.Fields[sim.FieldOfPlayer] = []sim.GameField{{Name: "age", Max: 1000}, {Name: "coins", Max: 1000}}
	w.Schema.Fields[sim.FieldOfNPC] = []sim.GameField{{Name: "trust", Max: 1000}}
	rules := troupeRules{}
	rules.age, _ = w.Schema.Field(sim.FieldOfPlayer, "age")
	rules.coins, _ = w.Schema.Field(sim.FieldOfPlayer, "coins")
	rules.trust, _ = w.Schema.Field(sim.FieldOfNPC, "trust")
	w.Game = rules
	return w
}

// troupeRules are the rules of the game of a troupe's world.
type troupeRules struct{ age, coins, trust sim.FieldID }

func (troupeRules) Command(*sim.Hand, sim.EntityID, *sim.Command) {}

// Tick implements sim.Game. The count of all players begins in the tick in which a cow is hurt.
func (r troupeRules) Tick(h *sim.Hand) {
	var prey sim.EntityID
	hit := false
	for id := range h.NPCs() {
		if x, _ := h.Actor(id); x.Template == 1 {
			if prey == 0 {
				prey = id
			}
			hit = hit || x.Health < x.HealthMax
		}
	}
	for id := range h.Players() {
		if h.Area() == 0 && h.Get(id, r.age) == 0 && !hit {
			if x, _ := h.Actor(id); x.Name == "Ann" {
				h.Move(prey, 0, geom.Vec{X: x.Pos.X + 3, Z: x.Pos.Z}, 0)
			}
			continue
		}
		r.play(h, id, prey, h.Add(id, r.age, 1))
	}
}

func (r troupeRules) play(h *sim.Hand, id, prey sim.EntityID, age int32) {
	x, _ := h.Actor(id)
	switch age {
	case stepHorse:
		if x.Name == "Ann" {
			h.Spawn(horse, x.Pos, 0)
		}
	case stepZone:
		h.Move(id, 0, zone, 0)
	case stepZone + 2:
		h.Move(id, 0, meadow, 0)
	case stepCoins:
		h.Set(id, r.coins, coins)
		h.Hurt(id, 0, hurtBy)
		for y := range h.NPCs() {
			if y, _ := h.Actor(y); y.Leader == id || x.Name == "Ann" && y.Template == horse {
				h.Hurt(y.ID, 0, petsHurtBy)
				h.Set(y.ID, r.trust, int32(len(y.Name)))
			}
		}
	case stepGo:
		if x.Name != "Bob" {
			h.Move(id, 0, portal, 0)
		}
	case stepGo + 1:
		if x.Name == "Bob" && h.Area() == 0 && !x.Lingering { // portals do not transfer frozen players
			h.Move(id, 1, street, 180)
		}
	case stepKill:
		for y := range h.NPCs() {
			if y, _ := h.Actor(y); y.Leader == id && x.Name == "Ann" {
				h.Hurt(prey, y.ID, 1_000_000)
				break
			}
		}
	}
}

// firstSerial is the serial number of Ann, a part of its entity id. The id determines the tick of the first autosave: with this number, no
// record of the players is stored before they leave.
const firstSerial = 1_000_000

// newTroupe returns a troupe whose players enter through the nodes with these numbers.
func newTroupe(def *sim.World, doors [3]uint16) *troupe {
	t := &troupe{def: def}
	pets := func(names ...string) (list []sim.Pet) {
		for _, name := range names {
			list = append(list, sim.Pet{Template: dog, Name: name})
		}
		return list
	}
	human := def.Template(2)
	for i, j := range [...]sim.Join{
		{Authority: move.ByClaim, Pets: pets("Rex", "Ben")},
		{Authority: move.ByPath, Running: true, Pets: pets("Tib")},
		{Authority: move.ByInput},
	} {
		name := [...]string{"Ann", "Bob", "Cat"}[i]
		j.Character = &sim.Character{ID: sim.CharacterID(i + 1), Name: name, Template: human.ID, Level: 1, Attr: human.Attr, Area: def.Areas[0].Name, Pos: meadow}
		j.Portal, j.Pos, j.Login = -1, meadow, true
		switch name {
		case "Ann":
			j.Character.Gold, j.Character.XP = gold, xp
			j.Character.Inventory[sim.SlotBackpack], j.Character.Inventory[sim.SlotBackpack+3] = apples, pears
		case "Cat":
			j.Timers.Use = useDelay
		}
		t.members[i] = member{name: name, who: sim.PlayerID(doors[i], firstSerial+uint64(i)), join: j}
	}
	return t
}

// enter submits the logins of the players.
func (t *troupe) enter(submit func(m *member, in sim.Intent)) {
	for i := range t.members {
		m := &t.members[i]
		submit(m, sim.Intent{Kind: sim.IntentJoin, Join: &m.join})
	}
}

// act submits what the players do when they are shown a frame of the first area: they form a party, an operator freezes Bob, Ann
// attacks the cow, and mounts the horse. They repeat each action until it has succeeded.
func (t *troupe) act(f *sim.Frame, submit func(m *member, in sim.Intent)) {
	if f.Area != 0 || f.Tick%10 != 0 || f.Tick <= t.acted {
		return
	}
	t.acted = f.Tick
	ann, bob, cat := &t.members[0], &t.members[1], &t.members[2]
	a, b, c := f.Find(ann.who), f.Find(bob.who), f.Find(cat.who)
	if a == nil || b == nil || c == nil {
		return
	}
	invite := func(m *member) {
		submit(ann, sim.Intent{Kind: sim.IntentInviteParty, Text: m.name})
		submit(m, sim.Intent{Kind: sim.IntentAcceptInvite})
	}
	target := func(template uint16) sim.EntityID {
		i := slices.IndexFunc(f.Actors, func(x sim.ActorState) bool {
			return !x.Is(sim.FlagPlayer) && x.Body.Template == template && geom.Dist2XZ(x.Pos, a.Pos) < 25
		})
		if i < 0 {
			return 0
		}
		return f.Actors[i].ID
	}
	if a.Party != 0 && b.Party == a.Party && c.Party == a.Party && !b.Is(sim.FlagFrozen) {
		submit(bob, sim.Intent{Kind: sim.IntentFreeze, Amount: 1})
	}
	switch {
	case a.Party == 0 || b.Party != a.Party:
		invite(bob)
	case c.Party != a.Party:
		invite(cat)
	case f.FieldsOf(t.def, a)[0] == 0:
		if f.Tick%30 == 0 { // only when the delay between two attacks has passed
			submit(ann, sim.Intent{Kind: sim.IntentAttack, Target: target(1)})
		}
	case a.Mount == 0 && target(horse) != 0:
		submit(ann, sim.Intent{Kind: sim.IntentInteract, Target: target(horse)})
	}
}

// observe records the state of the players in an area after a tick. It is called once for each tick, in order.
func (t *troupe) observe(a *sim.Area) {
	if a.ID() > 1 {
		return
	}
	t.mu.Lock()
	defer t.mu.Unlock()
	for i := range t.members {
		m := &t.members[i]
		here, was := false, m.in[a.ID()]
		a.Players(func(who sim.EntityID, _ sim.CharacterID) { here = here || who == m.who })
		m.in[a.ID()] = here
		switch {
		case a.ID() == 0 && !was && here:
			m.entered = a.Now()
		case a.ID() == 0 && was && !here:
			m.left++
			m.leftAt = a.Now()
		case a.ID() == 1 && here && !was:
			m.came++
			m.cameAt, m.arrived = a.Now(), describe(a, m.who, m.entered+useDelay-m.leftAt)
		case a.ID() == 1 && here && a.Now() == m.cameAt+stepLast-stepGo-1:
			m.later = describe(a, m.who, m.entered+useDelay-m.leftAt)
		}
	}
}

// done reports whether all players have been observed to the end.
func (t *troupe) done() bool {
	return !slices.ContainsFunc(t.members[:], func(m member) bool { return m.later == nil })
}

// relativeTicks are the fields of an actor that are ticks of its area. describe makes them relative to the present tick.
var relativeTicks = []string{
	"ignoreClaimsUntil", "waterTick", "saveTick", "respawnTick", "placedTick", "linger.since", "linger.spentUntil", "linger.combatUntil",
	"pauseTick", "lastPortalTick", "invitedUntil", "authority.searchedTick", "authority.ride.requestTick",
}

// omitted are fields of an actor that depend on its time of arrival: on the clock of the area, or on the place of that tick in the
// cycle of 12 ticks. A player under the path authority counts as teleported until the end of the cycle.
var omitted = []string{"claim.LastMS", "authority.Teleported", "authority.LastTile.X", "authority.LastTile.Z", "authority.gait"}

// describe returns every value of the state of a player, of its pets and of its mount that is not zero, but for those in omitted. Numbers
// of ticks are relative to the present tick, that of a use delay also to the ticks that were left of it at the departure (useLeft), and ids
// of companions are replaced by words.
func describe(a *sim.Area, who sim.EntityID, useLeft sim.Tick) (list []string) {
	names, values := map[string]string{strconv.FormatUint(uint64(who), 10): "the player"}, a.Fields()
	for _, v := range values {
		if v.Value == strconv.FormatUint(uint64(who), 10) && (v.Name == "leader" || v.Name == "rider") {
			id := strconv.FormatUint(uint64(v.Entity), 10)
			if _, ok := names[id]; !ok {
				names[id] = fmt.Sprintf("companion %d", len(names))
			}
		}
	}
	for _, v := range values {
		name, ok := names[strconv.FormatUint(uint64(v.Entity), 10)]
		if !ok || slices.Contains(omitted, v.Name) {
			continue
		}
		switch {
		case v.Name == "effects.nextUse":
			v.Value = strings.Replace(relative(v.Value, int64(a.Now()+useLeft)), "now", "left at the departure", 1)
		case slices.Contains(relativeTicks, v.Name):
			v.Value = relative(v.Value, int64(a.Now()))
		case v.Name == "lastAttackMS":
			v.Value = relative(v.Value, int64(a.Now())*50)
		case names[v.Value] != "":
			v.Value = names[v.Value]
		}
		list = append(list, name+": "+v.Name+" = "+v.Value)
	}
	return list
}

func relative(value string, now int64) string {
	n, err := strconv.ParseInt(value, 10, 64)
	if err != nil {
		panic(err)
	}
	return fmt.Sprintf("now%+d", n-now)
}

// difference returns the lines that only one of two descriptions has.
func difference(want, have []string) string {
	var b strings.Builder
	for _, line := range want {
		if !slices.Contains(have, line) {
			fmt.Fprintf(&b, "\n- %s", line)
		}
	}
	for _, line := range have {
		if !slices.Contains(want, line) {
			fmt.Fprintf(&b, "\n+ %s", line)
		}
	}
	return b.String()
}
