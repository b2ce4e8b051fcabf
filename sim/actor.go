package sim

import (
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
)

// actor is all state of one player or NPC, an entry of the area's actor table. The snapshot codec (codecActor) and the hash
// (hashActor) cover every field, except those marked derived, which are computed from other fields.
type actor struct {
	// Fields that every tick reads. Fields that are used together are adjacent, so that a tick loads few cache lines per
	// actor.
	id                EntityID
	tmpl              *Template
	authority         authority
	pos               geom.Vec
	player            bool
	dead              bool
	frozen            bool // an operator has frozen this actor
	running, backward bool
	mode              mode
	gone              bool            // derived: the actor has left the area; sweep removes it from the table at the end of the tick
	bodyStale         bool            // derived: publish must rebuild body (what other clients see), because something in it changed
	glides            bool            // derived: the actor wears an elytra
	depthStrider      uint8           // derived: highest level of the depth strider enchantment that the actor wears
	effects           *effectState    // effects of a player; nil until its first effect begins
	intentCount       int32           // derived: number of intents of this actor in this tick
	mount, rider      EntityID        // actor that this actor rides, and actor that rides this actor; at most one of the two is set
	passenger         EntityID        // second rider of this vehicle; 0 for none
	tickPos           geom.Vec        // derived: position at the start of this tick, or where the server has placed the actor since then
	walkStart         geom.Vec        // start of the walk to destX, destZ; the height of a flying NPC is interpolated from there
	destX, destZ      float32         // destination of the walk, world units
	yaw               float32         // direction that the actor faces, degrees
	energyDebt        int32           // energy that was used but not yet subtracted from the attribute, in thousandths of a point
	claim             move.ClaimState // state of the claim authority; reset whenever the server moves the player to another place
	ignoreClaimsUntil Tick            // claims before this tick are ignored, unless the client confirms earlier that the server has moved its player
	waterTick         Tick            // next tick at which water damages the actor; 0 above water
	saveTick          Tick            // tick of the next autosave of a player
	respawnTick       Tick            // tick from which a dead player may respawn
	placedTick        Tick            // tick in which the server created or last placed the actor; attacks are not rewound to earlier ticks
	body              *Body           // derived: what other clients see of the actor, shared by all frames until it changes
	digest            uint64          // derived: hash of body and of the fields that rarely change

	linger lingerState // whether a player has lost its connection, and how long it stays

	vehicle *move.Vehicle // physics state of a vehicle without a driver, nil for other actors; see vehicle.go

	lastAttackMS int64    // Area.ms, the time of the area in ms, at its last attack
	target       EntityID // actor that this actor attacks, 0 for none
	leader       EntityID // player whose pet this actor is, 0 for none
	waypoint     int32    // index of the waypoint that the NPC walks to, -1 none
	spawn        int32    // index of the spawn that created the NPC, -1 none, or spawnedByOperator
	home         geom.Vec // position where the NPC's chase began; retained until the NPC has run back
	goalX, goalZ float32  // next destination of a patrolling NPC, to which it walks at pauseTick
	pauseTick    Tick     // tick at which the NPC's rest at a waypoint ends, or at which a mount from another area is removed

	lastPortal     int32   // index in AreaDef.Portals of the last portal that the player used, -1 none
	lastPortalTick Tick    // lastPortal does not transfer the player again before this tick
	party, invited PartyID // party of the player, and party that it is invited to; 0 for none
	invitedUntil   Tick    // tick from which the invitation cannot be accepted; 0 before the first
	recordVersion  uint64  // version of the player's newest record: the last emitted one, or that of Join.Character if none was emitted
	attr           [combat.Attributes]combat.Attribute

	// Fields that change rarely, so that most ticks need not read them.
	name                        string
	tag                         string
	appearance                  Appearance
	record                      *Character // record with which the player joined; it has the fields that no rule changes; nil for NPCs
	level, xp, gold, reputation int32
	xpBar                       uint8 // experience bar, 0..255
	resist                      [combat.DamageTypes]int32
	ratings                     [combat.Factions]uint8
	homeFaction                 uint8
	inv                         Inventory
	armour                      int32          // derived: sum of the armour levels of the armour that the actor wears, without broken pieces
	weapon                      *combat.Weapon // derived: properties of the equipped weapon, nil for bare hands
	fields                      []int32        // values of the fields that the game declares for this kind of actor; nil for none
	pets                        []*actor       // derived: pets of the player, sorted by id
}

// mode is the state of an NPC's AI. The values 0 to 7 have the same meaning as in the RealmCrafter server.
type mode uint8

const (
	modeWait mode = iota
	modePatrol
	modeRun // the NPC runs back to its waypoint after a chase beyond its leash
	modeChase
	modePause // the NPC rests at a waypoint
	modePet
	modePetChase
	modePetWait
	modeMount // the NPC is ridden by a player
)

// roams reports whether an NPC in this mode scans for enemies. An NPC that runs back to its waypoint does not scan,
// because it would chase the same enemy to the end of its leash again and again.
func (m mode) roams() bool { return m == modeWait || m == modePatrol || m == modePause }

// attribute returns attribute i of the actor, or the zero attribute if i is -1. The index is -1 if the world has no attribute for
// a role, such as energy.
func (x *actor) attribute(i int) combat.Attribute {
	if i < 0 {
		return combat.Attribute{}
	}
	return x.attr[i]
}

// health returns the current health of x in points.
func (a *Area) health(x *actor) int32 { return x.attr[a.world.Roles.Health].Value }

// setHealth sets the health of x, limited to the range from 0 to its maximum, and emits an event with the new health.
func (a *Area) setHealth(x *actor, v int32) {
	h := &x.attr[a.world.Roles.Health]
	h.Value = min(max(v, 0), h.Max)
	a.emit(Event{Kind: EventStat, Who: x.id, N: int32(a.world.Roles.Health), Value: h.Value})
}

// stop makes an actor stop walking: the destination becomes the present position.
func (x *actor) stop() {
	x.destX, x.destZ = x.pos.X, x.pos.Z
	x.walkStart = x.pos
	x.running = false
}

// headFor sets the destination to which an actor walks.
func (x *actor) headFor(destX, destZ float32) {
	if x.destX != destX || x.destZ != destZ {
		x.walkStart = x.pos
		x.destX, x.destZ = destX, destZ
	}
}

// place moves an actor to a position immediately, without walking, and ends its walk.
func (x *actor) place(pos geom.Vec, yaw float32) {
	x.pos, x.yaw = pos, yaw
	x.stop()
}

// updateEquipment computes armour, weapon and the effects of worn items from the equipment slots. Call it after any change of an
// equipment slot or of the health of an equipped item.
func (a *Area) updateEquipment(x *actor) {
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
	a.updateWornEffects(x)
	x.bodyStale = true
}

// fighter returns the facts about an actor that the combat rules need. The result refers to x and is valid until x
// changes.
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

// snapshotRecord returns a new record of the player. A dead player is recorded in the state that it will have after its
// respawn, so that neither a logout nor a crash avoids the respawn.
func (a *Area) snapshotRecord(x *actor) *Character {
	c := *x.record
	x.recordVersion++
	c.Version = x.recordVersion
	c.Level, c.XP, c.XPBar, c.Gold, c.Reputation = x.level, x.xp, x.xpBar, x.gold, x.reputation
	c.Area = a.def.Name
	c.Pos, c.Yaw = x.authority.recordPos(a, x), x.yaw
	c.Attr, c.Resist, c.Ratings, c.HomeFaction = x.attr, x.resist, x.ratings, x.homeFaction
	c.Inventory = x.inv
	c.LastPortalArea, c.LastPortal = "", 0
	if x.lastPortal >= 0 {
		c.LastPortalArea, c.LastPortal = a.def.Name, x.lastPortal
	}
	c.Pets = a.recordPets(x)
	c.Fields = a.world.saveFields(x)
	if x.dead {
		a.respawnRecord(&c)
	}
	return &c
}
