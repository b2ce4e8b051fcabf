package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// actor is one row of an area's table. Everything that decides the future is in here; the codec of snapshot.go
// and the hash of hash.go walk the same fields.
type actor struct {
	id     EntityID
	tmpl   *Template
	name   string
	tag    string
	looks  Appearance
	player bool
	record *Character // as he joined: what the rules never touch; nil for NPCs

	level, xp, gold, repute int32
	xpBar                   uint8
	attr                    [combat.Attributes]combat.Attribute
	resist                  [combat.DamageTypes]int32
	ratings                 [combat.Factions]uint8
	homeFaction             uint8
	inv                     Inventory

	pos, old          geom.Vec // old: where the walk toward dest began, for the height of flyers
	destX, destZ      float32
	yaw               float32
	running, backward bool
	energyDebt        int32 // thousandths of a point of energy spent and not yet taken
	authority         authority
	claim             move.ClaimState // of the claim authority; every placement of a player resets it
	ignoreClaimsUntil Tick            // of the claim authority: after a placement, unless the client confirms it earlier

	mount, rider EntityID // at most one of them is set

	attackedMS  int64 // when it last attacked, on the area's clock
	target      EntityID
	dead        bool
	frozen      bool // by an operator
	respawnTick Tick

	mode         mode
	waypoint     int32 // index of the waypoint it heads for, -1 none
	spawn        int32 // index of the spawn that made it, -1 none
	leader       EntityID
	home         geom.Vec // where the chase began, also while it runs back
	pauseTick    Tick     // patrols rest until then, and mounts from elsewhere wait; >0 once it was set...
	goalX, goalZ float32  // ...and then head for this point

	lastPortal     int32 // index in this area, -1 none
	lastPortalTick Tick  // the portal is locked until then

	party, invited PartyID
	underTick      Tick // next tick at which water hurts; 0 above water
	saveTick       Tick

	// Derived, not part of the state.
	pets    []*actor // whose leader it is, sorted by id
	tickPos geom.Vec // position at the beginning of this tick, or where the server put it since
	wishes  int32    // of this tick
	gone    bool     // to be swept from the table at the end of the tick
	changed bool     // body must be made anew
	body    *Body
	armour  int32
	weapon  *combat.Weapon
	digest  uint64 // hash of what body and the slow fields say
}

// mode is what an NPC's mind is at. Numbers 0..7 are those of the original.
type mode uint8

const (
	modeWait mode = iota
	modePatrol
	modeRun // back to its waypoint in a hurry, after a chase that led too far
	modeChase
	modePause // at a waypoint
	modePet
	modePetChase
	modePetWait
	modeMount // it is ridden
)

// roams tells whether an NPC in this mode looks for enemies by itself. One that runs back does not: it would be at
// the end of its leash for ever.
func (m mode) roams() bool { return m == modeWait || m == modePatrol || m == modePause }

// attribute returns the fixed attribute i of the actor, or the zero attribute if the world has none.
func (x *actor) attribute(i int) combat.Attribute {
	if i < 0 {
		return combat.Attribute{}
	}
	return x.attr[i]
}

// health is the actor's current health.
func (a *Area) health(x *actor) int32 { return x.attr[a.world.Roles.Health].Value }

// setHealth sets the health within 0..max and tells it to everybody.
func (a *Area) setHealth(x *actor, v int32) {
	h := &x.attr[a.world.Roles.Health]
	h.Value = min(max(v, 0), h.Max)
	a.emit(Event{Kind: EventStat, Who: x.id, N: int32(a.world.Roles.Health), Value: h.Value})
}

// stop makes the actor stand where it is.
func (x *actor) stop() {
	x.destX, x.destZ = x.pos.X, x.pos.Z
	x.old = x.pos
	x.running = false
}

// headFor makes the actor walk to a point.
func (x *actor) headFor(destX, destZ float32) {
	if x.destX != destX || x.destZ != destZ {
		x.old = x.pos
		x.destX, x.destZ = destX, destZ
	}
}

// place puts the actor somewhere at once: nothing of its walk is left.
func (x *actor) place(pos geom.Vec, yaw float32) {
	x.pos, x.yaw = pos, yaw
	x.stop()
}

// dress reads again what the actor wears. Call it after any change of slots 0..7 or of an item's health there.
func (a *Area) dress(x *actor) {
	x.armour, x.weapon = 0, nil
	for slot := SlotShield; slot <= SlotFeet; slot++ {
		s := x.inv[slot]
		if it := a.world.Item(s.ID()); it != nil && it.Kind == ItemArmour && s.Health > 0 {
			x.armour += it.ArmourLevel
		}
	}
	if it := a.world.Item(x.inv[SlotWeapon].ID()); it != nil && it.Kind == ItemWeapon {
		x.weapon = it.Weapon
	}
	x.changed = true
}

// fighter is the actor as the rules of combat see it. The view borrows x until x changes.
func (a *Area) fighter(x *actor) combat.Fighter {
	f := a.world.Roles
	return combat.Fighter{
		Player:       x.player,
		Mounted:      x.mount != 0,
		Pos:          x.pos,
		Radius:       x.tmpl.Radius,
		Temper:       x.tmpl.Temper,
		HomeFaction:  x.homeFaction,
		Ratings:      &x.ratings,
		Health:       a.health(x),
		Strength:     x.attribute(f.Strength).Value,
		Toughness:    x.attribute(f.Toughness).Value,
		HasToughness: f.Toughness >= 0,
		Level:        x.level,
		Resistances:  &x.resist,
		Armour:       x.armour,
		Weapon:       x.weapon,
		WeaponHealth: x.inv[SlotWeapon].Health,
		Unarmed:      x.tmpl.Unarmed,
	}
}

// snapshotCharacter is the player's record as it is now. The dead are recorded as they will wake, so that neither
// logging out nor a crash is a way around the respawn.
func (a *Area) snapshotCharacter(x *actor) *Character {
	c := *x.record
	c.Level, c.XP, c.XPBar, c.Gold, c.Reputation = x.level, x.xp, x.xpBar, x.gold, x.repute
	c.Area = a.def.Name
	c.Pos, c.Yaw = x.authority.recordPos(a, x), x.yaw
	c.Attr, c.Resist, c.Ratings, c.HomeFaction = x.attr, x.resist, x.ratings, x.homeFaction
	c.Inventory = x.inv
	c.LastPortalArea, c.LastPortal = "", 0
	if x.lastPortal >= 0 {
		c.LastPortalArea, c.LastPortal = a.def.Name, x.lastPortal
	}
	c.Pets = a.petsOf(x)
	if x.dead {
		a.wake(&c)
	}
	return &c
}
