package sim

import (
	"cmp"
	"math"
	"slices"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// MaxRewindTicks is the maximum number of ticks for which an area stores the positions of its actors, and so the limit of
// Rules.RewindMS.
const MaxRewindTicks = 20

// Limits of lag compensation, in ms: how old a target's position may be when the client of the attacker shows it.
const (
	rewindReserveMS = 200 // ms beyond the round trip that a client may lag: interpolation of other actors, and buffered inputs
	// staleSeenMS is the maximum plausible age, in ms, of the position at which a client shows a target, in addition to the round
	// trip. Honest clients stay below 400 ms (measured).
	staleSeenMS = 1000
)

// place is the position of an actor at the end of a tick, stored for lag compensation.
type place struct {
	id  EntityID
	pos geom.Vec
}

// equal reports whether actor and position are the same. It compares the coordinates bit by bit, as the hash of the area does: 0
// and -0 differ.
func (p *place) equal(q *place) bool {
	bits := math.Float32bits
	return p.id == q.id && bits(p.pos.X) == bits(q.pos.X) && bits(p.pos.Y) == bits(q.pos.Y) && bits(p.pos.Z) == bits(q.pos.Z)
}

// placesOfTick has the positions of all actors at the end of one tick, for lag compensation: an attack is judged by where
// the attacker's client showed the target.
type placesOfTick struct {
	list   []place // sorted by id
	digest uint64  // derived: hash of list, as a part of the area's hash
}

// beginPlaces returns the list for the positions at the end of this tick, with one element for each actor; nil if lag
// compensation is off. The caller fills the list and then calls endPlaces. The lists are in a ring buffer (Area.places), in
// which this list replaces that of the oldest tick.
func (a *Area) beginPlaces() []place {
	if a.rewindTicks == 0 {
		return nil
	}
	p := a.placesAt(a.now)
	p.list = slices.Grow(p.list[:0], len(a.actors))[:len(a.actors)]
	return p.list
}

// endPlaces completes the list of beginPlaces with its hash. It does nothing if lag compensation is off.
func (a *Area) endPlaces() {
	if a.rewindTicks > 0 {
		p := a.placesAt(a.now)
		p.digest = digestPlaces(p.list)
	}
}

// placesAt returns the stored positions of all actors at the end of tick t, which must be one of the last rewindTicks ticks.
func (a *Area) placesAt(t Tick) *placesOfTick { return &a.places[uint64(t)%uint64(a.rewindTicks)] }

// digestPlaces returns the hash of a list of positions. It hashes them in two independent chains, so that the processor executes
// the multiplications in parallel.
func digestPlaces(list []place) uint64 {
	who, where := hash64(len(list)), hash64(1)
	for _, p := range list {
		who = who.with(uint64(p.id)<<32 ^ uint64(p.id)>>32 ^ uint64(math.Float32bits(p.pos.Z)))
		where = where.with(uint64(math.Float32bits(p.pos.X))<<32 | uint64(math.Float32bits(p.pos.Y)))
	}
	return uint64(who.with(uint64(where)))
}

// sighting is where an attacker's client showed the target of its attack.
type sighting struct {
	pos   geom.Vec // position of the target by which the attack is judged
	agoMS uint16   // how many ms before the end of this tick the target was at pos; 0 if pos is its current position
}

// seenAt returns where the client of attacker x showed target y at the time seen, which is in 1/256 ticks; 0 means unknown. A
// time that is too long ago is replaced by the oldest allowed time, the latest of (1) Rules.RewindMS ago, (2) the round trip of
// the attacker plus rewindReserveMS ago, and (3) the last time that the server moved the target to another place. If the time
// seen is in the future, or longer ago than the round trip plus staleSeenMS, seenAt emits a refusal, but the attack is still
// executed.
func (a *Area) seenAt(x, y *actor, seen uint64) sighting {
	here := sighting{pos: y.pos}
	if seen == 0 || a.rewindTicks == 0 {
		return here
	}
	now := uint64(a.now) << seenShift
	if seen >= now {
		a.refuse(x.id, y.id, reason.SeenAhead, a.seenMS(seen-now), 0)
		return here
	}
	rtt := int64(x.authority.roundTripMS())
	if ago := a.seenMS(now - seen); ago > float32(rtt+staleSeenMS) {
		a.refuse(x.id, y.id, reason.SeenLongAgo, ago, float32(rtt+staleSeenMS))
	}
	limit := min(int64(a.world.Rules.RewindMS), rtt+rewindReserveMS)
	oldest := now - min(now, uint64(limit)*uint64(a.world.TicksPerSecond)<<seenShift/1000, uint64(a.rewindTicks)<<seenShift)
	seen = max(seen, oldest, uint64(y.placedTick)<<seenShift)
	agoMS := uint16(a.seenMS(now - min(now, seen)))
	if agoMS == 0 {
		return here
	}
	return sighting{pos: a.positionAt(y, seen), agoMS: agoMS}
}

// describe adds three facts to the event of an attack: the position of y by which the attack was judged, the age of that
// position, and the present position of y. It adds nothing if the attack was judged by the present position.
func (s sighting) describe(e *Event, y *actor) {
	if s.agoMS > 0 {
		e.AgoMS, e.Pos, e.From = s.agoMS, s.pos, y.pos
	}
}

// seenShift is the number of fractional bits of Intent.Seen, which is a time in 1/256 ticks.
const seenShift = 8

// seenMS converts a duration in 1/256 ticks to ms.
func (a *Area) seenMS(d uint64) float32 {
	return float32(min(d, 1<<40) * 1000 / uint64(a.world.TicksPerSecond) >> seenShift)
}

// positionAt returns the position of y at the time at, which is counted in 1/256 ticks. Between the ends of two ticks it
// interpolates, as clients do.
func (a *Area) positionAt(y *actor, at uint64) geom.Vec {
	t := Tick(at >> seenShift)
	from := a.placeOf(y, t)
	to := a.placeOf(y, t+1)
	share := float32(at&(1<<seenShift-1)) / (1 << seenShift)
	between := func(p, q float32) float32 { return p + float32((q-p)*share) }
	return geom.Vec{X: between(from.X, to.X), Y: between(from.Y, to.Y), Z: between(from.Z, to.Z)}
}

// placeOf returns the position of y at the end of tick t, or its current position if that tick is not over or not stored.
func (a *Area) placeOf(y *actor, t Tick) geom.Vec {
	if t >= a.now {
		return y.pos
	}
	list := a.placesAt(t).list
	i, found := slices.BinarySearchFunc(list, y.id, func(p place, id EntityID) int { return cmp.Compare(p.id, id) })
	if !found {
		return y.pos
	}
	return list[i].pos
}

// rewindTicks returns for how many ticks an area of this world stores the positions of its actors. It is 0 if attacks are
// not lag compensated.
func (w *World) rewindTicks() int {
	return min((int(w.Rules.RewindMS)*w.TicksPerSecond+999)/1000, MaxRewindTicks)
}

// codecPlaces reads or writes the stored positions, oldest tick first. A position equal to that of the same actor in the
// previous tick is encoded as a flag.
func (a *Area) codecPlaces(c *codec) {
	n := Tick(a.rewindTicks)
	if n == 0 {
		return
	}
	var before []place
	for t := a.now - min(a.now, n) + 1; t <= a.now && c.err == nil; t++ {
		p := a.placesAt(t)
		p.codec(c, before)
		before = p.list
	}
}

func (p *placesOfTick) codec(c *codec, before []place) {
	n := c.lengthOf(len(p.list), 2) // the shortest place has 2 bytes
	if c.reading {
		p.list = make([]place, n)
	}
	var last EntityID
	for i := range p.list {
		q := &p.list[i]
		step := q.id - last
		num(c, &step)
		q.id = last + step
		if c.reading && (step == 0 || q.id < last) {
			c.fail()
			return
		}
		last = q.id
		for len(before) > 0 && before[0].id < q.id {
			before = before[1:]
		}
		stayed := len(before) > 0 && before[0].equal(q)
		c.flag(&stayed)
		switch {
		case !stayed:
			c.vec(&q.pos)
		case len(before) == 0 || before[0].id != q.id:
			c.fail()
			return
		default:
			q.pos = before[0].pos
		}
	}
	if c.reading {
		p.digest = digestPlaces(p.list)
	}
}
