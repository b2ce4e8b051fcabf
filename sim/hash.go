package sim

import (
	"math"

	"github.com/truestep-io/truestep/sim/combat"
)

// hash64 is a hash of 64-bit words. Each word is combined by XOR and then spread over all bits by a multiplication and a shift.
// It detects differences between states; it is not cryptographic.
type hash64 uint64

func (h *hash64) u64(v uint64) { *h = h.with(v) }

// with returns h with the word v mixed in. It has no pointer receiver, so that the compiler keeps h in a register in loops over
// many words.
func (h hash64) with(v uint64) hash64 {
	x := (uint64(h) ^ v) * 0x9fb21c651e98df25
	return hash64(x ^ x>>32)
}

func (h *hash64) i32(p, q int32)   { *h = h.withI32(p, q) }
func (h *hash64) f32(p, q float32) { *h = h.withF32(p, q) }

func (h hash64) withI32(p, q int32) hash64 { return h.with(uint64(uint32(p))<<32 | uint64(uint32(q))) }
func (h hash64) withF32(p, q float32) hash64 {
	return h.with(uint64(math.Float32bits(p))<<32 | uint64(math.Float32bits(q)))
}

func (h *hash64) str(s string) {
	h.u64(uint64(len(s)))
	for len(s) >= 8 {
		h.u64(uint64(s[0]) | uint64(s[1])<<8 | uint64(s[2])<<16 | uint64(s[3])<<24 |
			uint64(s[4])<<32 | uint64(s[5])<<40 | uint64(s[6])<<48 | uint64(s[7])<<56)
		s = s[8:]
	}
	var last uint64
	for i := range len(s) {
		last |= uint64(s[i]) << (8 * i)
	}
	h.u64(last)
}

// bits packs up to eight booleans into one word, to mix all of them into a hash at once.
func bits(flags ...bool) uint64 {
	var v uint64
	for i, f := range flags {
		if f {
			v |= 1 << i
		}
	}
	return v
}

// hash returns the hash of the whole state of the area. Two areas with equal hashes give equal frames for equal intents.
func (a *Area) hash() uint64 {
	h := a.hashBeforeActors()
	for _, x := range a.actors {
		h = a.hashActor(h, x)
	}
	return a.hashAfterActors(h)
}

// hashBeforeActors returns the hash of the first part of the area's state. The function hash then adds the actors and the rest of
// the state.
func (a *Area) hashBeforeActors() hash64 {
	h := hash64(a.now)
	h.u64(a.rng.State)
	h.u64(uint64(a.clock))
	h.u64(uint64(a.clockTick))
	h.u64(a.lastID)
	h.u64(uint64(a.lastHandle))
	h.u64(uint64(a.weather))
	h.u64(uint64(a.weatherTick))
	if a.nextSearcher != 0 {
		h.u64(uint64(a.nextSearcher))
	}
	if a.nextRouteSearcher != 0 {
		h.u64(^uint64(a.nextRouteSearcher))
	}
	return h
}

// hashAfterActors mixes the last part of the area's state into h, see hash.
func (a *Area) hashAfterActors(h hash64) uint64 {
	for i := range a.rewindTicks {
		h.u64(a.places[i].digest)
	}
	h = hashFields(h, a.fields)
	for i := range a.spawns {
		h.i32(a.spawns[i].count, 0)
		h.u64(uint64(a.spawns[i].due))
	}
	for i := range a.ground { // the hash omits GroundItem.Dropper, which no rule reads
		g := &a.ground[i]
		h.u64(uint64(g.Handle))
		h.u64(uint64(g.goneTick))
		hashStack(&h, g.Stack)
		h.f32(g.Pos.X, g.Pos.Z)
		h.f32(g.Pos.Y, 0)
	}
	a.hashCrossings(&h)
	return uint64(h)
}

// hashActor mixes the state of x into h: the fields that change from tick to tick, and x.digest for the others. This is the most
// expensive part of a tick. So it uses three independent chains of multiplications, and four more for the attributes, because a
// processor executes independent chains in parallel.
func (a *Area) hashActor(h hash64, x *actor) hash64 {
	where := hash64(x.id)
	where = where.withF32(x.pos.X, x.pos.Y)
	where = where.withF32(x.pos.Z, x.yaw)
	where = where.withF32(x.walkStart.X, x.walkStart.Y)
	where = where.withF32(x.walkStart.Z, x.home.Z)
	where = where.withF32(x.home.X, x.home.Y)
	where = where.withF32(x.destX, x.destZ)
	where = where.withF32(x.goalX, x.goalZ)
	where = where.withF32(x.claim.Credit, x.claim.CreditY)
	where = where.withF32(x.claim.AnchorX, x.claim.AnchorZ)

	who := hash64(x.digest)
	who = who.with(uint64(x.mode)<<8 | uint64(bit(0, x.running)|bit(1, x.backward)|bit(2, x.dead)|
		bit(3, x.claim.HasAnchor)|bit(4, x.claim.Started)|bit(5, x.frozen)))
	who = who.with(uint64(x.mount))
	who = who.with(uint64(x.rider))
	who = who.with(uint64(x.target))
	who = who.with(uint64(x.leader))
	who = who.with(uint64(x.party))
	who = who.with(uint64(x.invited))
	if x.invitedUntil != 0 {
		who = who.with(uint64(x.invitedUntil))
	}
	who = who.withI32(x.waypoint, x.spawn)
	who = who.withI32(x.lastPortal, x.energyDebt)
	who = who.with(x.recordVersion)

	when := hash64(x.lastAttackMS)
	when = when.with(uint64(x.claim.LastMS))
	when = when.with(uint64(x.claim.ConsecutiveHolds))
	when = when.with(uint64(x.ignoreClaimsUntil))
	when = when.with(uint64(x.respawnTick))
	when = when.with(uint64(x.pauseTick))
	when = when.with(uint64(x.lastPortalTick))
	when = when.with(uint64(x.waterTick))
	when = when.with(uint64(x.saveTick))
	when = when.with(uint64(x.placedTick))

	if x.passenger != 0 {
		who = who.with(uint64(x.passenger))
	}
	if x.vehicle != nil {
		where = hashVehicle(where, x.vehicle)
	}
	if l := &x.linger; l.since|l.spent|l.spentUntil|l.combatUntil != 0 {
		when = when.with(uint64(l.since)<<1 | bits(l.restart))
		when = when.with(uint64(l.spent))
		when = when.with(uint64(l.spentUntil))
		when = when.with(uint64(l.combatUntil))
	}

	h = h.with(uint64(where)).with(uint64(who)).with(uint64(when)).with(hashAttrs(&x.attr))
	if x.effects != nil {
		h = x.effects.hash(h)
	}
	return x.authority.hash(hashFields(h, x.fields))
}

// hashAttrs returns the hash of an actor's attributes. It hashes them in four independent chains, a quarter of them in each, so
// that the processor executes the multiplications in parallel.
func hashAttrs(p *[combat.Attributes]combat.Attribute) uint64 {
	const quarter = combat.Attributes / 4
	h, i, j, k := hash64(1), hash64(2), hash64(3), hash64(4)
	for n := range quarter {
		h = h.with(attrWord(&p[n]))
		i = i.with(attrWord(&p[n+quarter]))
		j = j.with(attrWord(&p[n+2*quarter]))
		k = k.with(attrWord(&p[n+3*quarter]))
	}
	return uint64(h.with(uint64(i)).with(uint64(j.with(uint64(k)))))
}

// attrWord packs an attribute into one word for the hash, the value in the upper half and the maximum in the lower. It first
// combines them in memory order, because the compiler then reads both with one instruction, and then rotates the word.
func attrWord(p *combat.Attribute) uint64 {
	w := uint64(uint32(p.Value)) | uint64(uint32(p.Max))<<32
	return w<<32 | w>>32
}

// digest returns the hash of those fields of an actor that rarely change. rebuildBody computes it again after a change.
func digest(x *actor) uint64 {
	h := hash64(x.tmpl.ID)
	h.str(x.name)
	h.str(x.tag)
	h.u64(bits(x.player))
	h.u64(uint64(x.appearance.Gender) | uint64(x.appearance.Face)<<8 | uint64(x.appearance.Hair)<<16 | uint64(x.appearance.Beard)<<24 | uint64(x.appearance.Body)<<32)
	h.i32(x.level, x.xp)
	h.i32(x.gold, x.reputation)
	h.u64(uint64(x.xpBar)<<8 | uint64(x.homeFaction))
	for i := range x.resist {
		h.i32(x.resist[i], int32(i))
	}
	h.str(string(x.ratings[:]))
	for i := range x.inv {
		hashStack(&h, x.inv[i])
	}
	if x.record != nil {
		h.u64(uint64(x.record.ID))
		h.str(x.record.Name)
		for _, slot := range &x.record.ActionBar {
			h.str(slot)
		}
	}
	return uint64(h)
}

func hashStack(h *hash64, s ItemStack) {
	if s.Empty() {
		h.u64(0)
		return
	}
	h.u64(uint64(s.Item) | uint64(s.Amount)<<16 | uint64(s.Health)<<32 | 1<<40)
	if s.Attr != nil {
		for i := range s.Attr {
			h.u64(uint64(uint16(s.Attr[i])))
		}
	}
}
