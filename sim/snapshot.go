package sim

import (
	"errors"
	"fmt"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/rng"
)

// snapshotVersion is the first number in a snapshot. It is incremented with every change of the format, except for optional parts that
// are added to an encoded Join: older encodings mean the same.
const snapshotVersion = 15

// Snapshot appends the whole state of the area to b and returns the longer slice. An area that is restored from it gives the same
// frames for the same intents.
func (a *Area) Snapshot(b []byte) []byte {
	c := &codec{b: b}
	version, world := int64(snapshotVersion), a.world.Digest()
	num(c, &version)
	num(c, &world)
	a.codecState(c)
	return c.b
}

// Restore creates an area from a snapshot of an area of world w. The parameter b is read, not retained. Restore returns an error
// if the snapshot has another version, is of another world or is damaged.
func Restore(w *World, b []byte) (*Area, error) {
	c := &codec{b: b, reading: true}
	var version int64
	var world uint64
	num(c, &version)
	num(c, &world)
	switch {
	case c.err != nil:
		return nil, c.err
	case version != snapshotVersion:
		return nil, fmt.Errorf("the snapshot has format version %d, but this program reads version %d", version, snapshotVersion)
	case world != w.Digest():
		return nil, errors.New("the snapshot is of another world, or the files of its world have changed since")
	}
	a := &Area{world: w, rng: &rng.Stream{}, byID: map[EntityID]*actor{}, maxSight: maxSight(w), rewindTicks: w.rewindTicks()}
	a.codecState(c)
	if err := c.done(); err != nil {
		return nil, err
	}
	return a, a.finishRestore()
}

// codecState reads or writes the whole state of the area, except what can be computed from the rest.
func (a *Area) codecState(c *codec) {
	num(c, &a.id)
	if c.reading {
		if a.id < 0 || int(a.id) >= len(a.world.Areas) {
			c.fail()
			return
		}
		a.def = &a.world.Areas[a.id]
		a.spawns = make([]spawnState, len(a.def.Spawns))
	}
	num(c, &a.now)
	num(c, &a.clock)
	num(c, &a.clockTick)
	num(c, &a.rng.State)
	num(c, &a.lastID)
	num(c, &a.lastHandle)
	num(c, &a.weather)
	num(c, &a.weatherTick)
	num(c, &a.nextSearcher)
	num(c, &a.nextRouteSearcher)
	for i := range a.spawns {
		num(c, &a.spawns[i].count)
		num(c, &a.spawns[i].due)
	}
	a.codecTable(c)
	a.codecPlaces(c)
	c.fields(a.world, FieldOfArea, &a.fields)
	a.codecGround(c)
	a.codecCrossings(c)
}

func (a *Area) codecTable(c *codec) {
	n := c.length(len(a.actors))
	for i := range n {
		if c.reading {
			if c.err != nil {
				return
			}
			a.actors = append(a.actors, &actor{})
		}
		a.codecActor(c, a.actors[i])
	}
}

func (a *Area) codecGround(c *codec) {
	n := c.length(len(a.ground))
	for i := range n {
		if c.reading {
			if c.err != nil {
				return
			}
			a.ground = append(a.ground, groundItem{})
		}
		g := &a.ground[i]
		c.groundItem(&g.GroundItem)
		num(c, &g.goneTick)
	}
}

// codecActor reads or writes every field of an actor, except those that are computed from other fields.
func (a *Area) codecActor(c *codec, x *actor) {
	num(c, &x.id)
	var template uint16
	if !c.reading {
		template = x.tmpl.ID
	}
	num(c, &template)
	if c.reading {
		if x.tmpl = a.world.Template(template); x.tmpl == nil {
			c.fail()
			return
		}
	}
	c.str(&x.name, &x.tag)
	c.appearance(&x.appearance)
	hasEffects := x.effects != nil
	c.flag(&x.player, &x.running, &x.backward, &x.dead, &x.frozen, &hasEffects)
	if hasEffects {
		x.effectsOf().codec(c)
	}
	if x.player {
		if c.reading {
			x.record = &Character{}
		}
		c.character(x.record)
	}
	num(c, &x.level)
	num(c, &x.xp)
	num(c, &x.gold)
	num(c, &x.reputation)
	num(c, &x.xpBar)
	num(c, &x.recordVersion)
	c.attrs(&x.attr)
	for i := range x.resist {
		num(c, &x.resist[i])
	}
	c.bytes(x.ratings[:])
	num(c, &x.homeFaction)
	c.inventory(&x.inv)
	c.vec(&x.pos, &x.walkStart, &x.home)
	c.f32(&x.destX, &x.destZ, &x.yaw, &x.goalX, &x.goalZ)
	num(c, &x.energyDebt)
	num(c, &x.claim.LastMS)
	c.flag(&x.claim.HasAnchor, &x.claim.Started)
	c.f32(&x.claim.Credit, &x.claim.CreditY, &x.claim.AnchorX, &x.claim.AnchorZ)
	num(c, &x.claim.ConsecutiveHolds)
	num(c, &x.mount)
	num(c, &x.rider)
	num(c, &x.passenger)
	c.vehicle(&x.vehicle)
	num(c, &x.lastAttackMS)
	num(c, &x.target)
	num(c, &x.mode)
	num(c, &x.waypoint)
	num(c, &x.spawn)
	num(c, &x.leader)
	num(c, &x.lastPortal)
	num(c, &x.party)
	num(c, &x.invited)
	num(c, &x.invitedUntil)
	for _, tick := range [...]*Tick{&x.ignoreClaimsUntil, &x.respawnTick, &x.placedTick, &x.pauseTick, &x.lastPortalTick, &x.waterTick, &x.saveTick} {
		num(c, tick)
	}
	l := &x.linger
	for _, tick := range [...]*Tick{&l.since, &l.spent, &l.spentUntil, &l.combatUntil} {
		num(c, tick)
	}
	c.flag(&l.restart)
	if c.reading && !x.player && *l != (lingerState{}) {
		c.fail()
	}
	c.fields(a.world, x.fieldKind(), &x.fields)
	a.codecAuthority(c, x)
}

// finishRestore computes the fields that a snapshot does not contain because they follow from other fields. It returns an error
// for a state that no area can have.
func (a *Area) finishRestore() error {
	for i, x := range a.actors {
		if i > 0 && a.actors[i-1].id >= x.id || x.id == 0 || x.waypoint >= int32(len(a.def.Waypoints)) || x.waypoint < -1 ||
			x.spawn >= int32(len(a.def.Spawns)) || x.spawn < spawnedByOperator ||
			x.spawn == spawnedByOperator && x.player || x.mode > modeMount || x.homeFaction >= combat.Factions {
			return errSnapshot
		}
		a.byID[x.id] = x
		a.authorityCounts[x.authority.kind()]++
		a.updateEquipment(x)
		a.rebuildBody(x)
	}
	living := make([]int32, len(a.spawns))
	for _, x := range a.actors {
		if !a.linkActor(x) {
			return errSnapshot
		}
		if x.spawn >= 0 {
			living[x.spawn]++
		}
	}
	for i := range a.spawns {
		if a.spawns[i].count != living[i] {
			return errSnapshot
		}
	}
	for i := range a.ground {
		if i > 0 && a.ground[i-1].Handle >= a.ground[i].Handle {
			return errSnapshot
		}
	}
	return nil
}

// linkActor adds x to its leader's list of pets if x is a pet. It reports whether the references between x and its leader, riders
// and mount are consistent.
func (a *Area) linkActor(x *actor) bool {
	if x.leader != 0 {
		leader := a.byID[x.leader]
		if leader == nil || !leader.player || x.player {
			return false
		}
		leader.pets = append(leader.pets, x)
	}
	if mount := a.byID[x.mount]; x.mount != 0 && (mount == nil || mount.rider != x.id && mount.passenger != x.id || mount.player) {
		return false
	}
	for _, id := range [...]EntityID{x.rider, x.passenger} {
		if rider := a.byID[id]; id != 0 && (rider == nil || rider.mount != x.id) {
			return false
		}
	}
	return (x.rider == 0 || x.rider != x.passenger) && a.vehicleFits(x)
}

// vehicleFits reports whether the vehicle state of an actor is possible: (1) only an actor that is a vehicle without a rider
// has one, and (2) its type is that of the actor's template. While a vehicle has a driver, its state is a part of the driver's
// movement state instead, which drivenVehicleFits checks.
func (a *Area) vehicleFits(x *actor) bool {
	if x.vehicle != nil && (x.vehicle.Type != x.tmpl.Vehicle || x.vehicle.Type == move.NoVehicle || x.player || x.rider != 0) {
		return false
	}
	return a.drivenVehicleFits(x)
}

// Digest returns a hash of everything in the world on which snapshots depend. Snapshots and replays can only be used in a
// world with the same digest.
func (w *World) Digest() uint64 {
	var h hash64
	h.str(w.Name)
	h.u64(w.ContentHash)
	h.u64(uint64(w.TicksPerSecond))
	claim := &w.Rules.Claim // the digest includes the claim policy, because the operator may choose it outside the world file
	h.u64(bits(claim.Strict) | uint64(w.Rules.Step)<<8)
	h.f32(claim.UnitsPerMS, claim.SpeedBias)
	if l := &w.Rules.Linger; *l != (LingerRules{}) {
		h.i32(l.MS, l.CombatMS)
		h.i32(l.RestartMS, 0)
	}
	h.i32(w.Rules.RewindMS, 0)
	if !w.Schema.IsEmpty() || w.Game != nil {
		w.Schema.hash(&h)
		h.u64(bits(w.Game != nil))
	}
	for i := range w.Templates {
		t := &w.Templates[i]
		h.u64(uint64(t.ID) | uint64(t.Faction)<<16 | uint64(t.Temper)<<32)
		h.str(t.Race)
		if t.Vehicle != move.NoVehicle {
			h.u64(uint64(t.Vehicle))
		}
		h.f32(t.Radius, t.SightRange)
	}
	for i := range w.Items {
		it := &w.Items[i]
		h.u64(uint64(it.ID) | uint64(it.Kind)<<16)
		h.i32(it.ArmourLevel, 0)
		if it.Weapon != nil {
			h.i32(it.Weapon.Damage, int32(it.Weapon.Kind))
		}
	}
	for i := range w.Areas {
		d := &w.Areas[i]
		h.str(d.Name)
		h.u64(bits(d.PvP))
		h.i32(int32(len(d.Portals)), int32(len(d.Waters)))
		h.f32(d.Tiles.UnitsPerTile, 0)
		h.f32(d.BlockGrid.UnitsPerBlock, float32(d.BlockGrid.Origin[1]))
		h.i32(d.BlockGrid.Origin[0], d.BlockGrid.Origin[2])
		h.u64(uint64(d.Tiles.BaseX)<<32 | uint64(d.Tiles.BaseZ)<<16 | uint64(d.Tiles.Plane))
		for j := range d.Waypoints {
			h.f32(d.Waypoints[j].Pos.X, d.Waypoints[j].Pos.Z)
		}
		for j := range d.Spawns {
			h.u64(uint64(d.Spawns[j].Template))
			h.i32(d.Spawns[j].Waypoint, d.Spawns[j].Max)
		}
	}
	return uint64(h)
}
