package sim

import (
	"cmp"
	"slices"

	"github.com/truestep-io/truestep/sim/reason"
)

// A player crosses from area A to area B exactly once, although each area may lose its newest ticks in a crash:
//
//	A: transfer    in one tick the player leaves A's actor table and enters A's outbox for B, as number k
//	               once that tick is durable (a crash cannot undo it), the join is submitted to B
//	B: IntentJoin  with From A and Seq k: B accepts it if k is one more than the last number from A, and ignores lower ones
//	               once that tick is durable, an IntentSettle is submitted to A
//	A: IntentSettle up to number k: the player is removed from the outbox
//
// After a restart every area submits the joins in its outbox again. Package area waits for durable ticks and submits
// these intents.

// outbox contains the players that departed to one other area, until that area has confirmed their arrival.
type outbox struct {
	to      AreaID      // the other area
	last    uint64      // number of the last player that departed to that area; numbers begin at 1
	waiting []departure // players whose arrival is not confirmed, numbered without gaps up to last
}

// departure is a player that has departed to another area and whose arrival there is not confirmed.
type departure struct {
	who    EntityID
	join   *Join  // how the player enters the other area; immutable; Join.Seq is the player's number
	digest uint64 // derived: hash of the field join
}

// arrivals records which players have arrived from one other area. Only the number of the last one is stored.
type arrivals struct {
	from AreaID
	last uint64 // number of the last player that arrived; all lower numbers have arrived, too
}

// depart gives a player's Join the next sequence number of the outbox for another area, and puts it into that outbox.
func (a *Area) depart(who EntityID, to AreaID, j *Join) {
	i, ok := slices.BinarySearchFunc(a.outboxes, to, func(o outbox, id AreaID) int { return cmp.Compare(o.to, id) })
	if !ok {
		a.outboxes = slices.Insert(a.outboxes, i, outbox{to: to})
	}
	o := &a.outboxes[i]
	o.last++
	j.From, j.Seq = a.id, o.last
	o.waiting = append(o.waiting, departure{who, j, j.digest()})
}

// settle removes the players with numbers up to seq from the outbox for the area "to", because that area has confirmed their
// arrival. It does nothing if seq is greater than all numbers in the outbox, or if there is no outbox for that area.
func (a *Area) settle(to AreaID, seq uint64) {
	for i := range a.outboxes {
		o := &a.outboxes[i]
		if o.to != to || seq > o.last {
			continue
		}
		done := 0
		for done < len(o.waiting) && o.waiting[done].join.Seq <= seq {
			done++
		}
		o.waiting = slices.Delete(o.waiting, 0, done)
	}
}

// expectArrival reports whether a join is the next one from the area that it comes from, according to its number. If so,
// expectArrival counts it. Joins with a lower number are ignored, because areas submit joins again after a restart. A join whose
// number is not the next one but a later one is refused.
func (a *Area) expectArrival(in *Intent) bool {
	j := in.Join
	if j.From < 0 || int(j.From) >= len(a.world.Areas) || j.From == a.id {
		a.refuse(in.Who, 0, reason.Unknown, 0, 0)
		return false
	}
	i, ok := slices.BinarySearchFunc(a.arrived, j.From, func(r arrivals, id AreaID) int { return cmp.Compare(r.from, id) })
	var last uint64
	if ok {
		last = a.arrived[i].last
	}
	switch {
	case j.Seq <= last:
		return false
	case j.Seq != last+1:
		a.refuse(in.Who, 0, reason.ArrivalGap, float32(j.Seq), float32(last+1))
		return false
	}
	if !ok {
		a.arrived = slices.Insert(a.arrived, i, arrivals{from: j.From})
	}
	a.arrived[i].last = j.Seq
	return true
}

// Arrived returns the number (Join.Seq) of the last player that arrived from the given area, 0 if none has. Players arrive in the
// order of their numbers, so all players with lower numbers have arrived, too.
func (a *Area) Arrived(from AreaID) uint64 {
	for i := range a.arrived {
		if a.arrived[i].from == from {
			return a.arrived[i].last
		}
	}
	return 0
}

// Outbox calls f for every player that has departed and whose arrival is not confirmed. It goes through the destination areas one
// after the other, and through the players of each in the order of departure. j.Seq numbers the players to one destination.
func (a *Area) Outbox(f func(to AreaID, who EntityID, j *Join)) {
	for i := range a.outboxes {
		for _, d := range a.outboxes[i].waiting {
			f(a.outboxes[i].to, d.who, d.join)
		}
	}
}

// Settled calls f for every area to which players have departed, with the number of the last player whose arrival there is
// confirmed, 0 for none. In every copy of that area that is up to date, Arrived returns at least this number.
func (a *Area) Settled(f func(to AreaID, last uint64)) {
	for i := range a.outboxes {
		o := &a.outboxes[i]
		f(o.to, o.last-uint64(len(o.waiting)))
	}
}

// digest returns the hash of a join in the outbox, for the hash of the area.
func (j *Join) digest() uint64 {
	var c codec
	c.join(j)
	var h hash64
	h.str(string(c.b))
	return uint64(h)
}

func (a *Area) hashCrossings(h *hash64) {
	for i := range a.outboxes {
		o := &a.outboxes[i]
		h.u64(uint64(o.to)<<32 | uint64(len(o.waiting)))
		h.u64(o.last)
		for j := range o.waiting {
			h.u64(uint64(o.waiting[j].who))
			h.u64(o.waiting[j].digest)
		}
	}
	for i := range a.arrived {
		h.u64(^uint64(a.arrived[i].from))
		h.u64(a.arrived[i].last)
	}
}

// codecCrossings reads or writes outboxes and arrivals. Areas that are out of order or not in the world, and numbers with
// gaps, are errors.
func (a *Area) codecCrossings(c *codec) {
	n := c.lengthOf(len(a.outboxes), 3)
	if c.reading {
		a.outboxes = make([]outbox, n)
	}
	for i := range a.outboxes {
		o := &a.outboxes[i]
		num(c, &o.to)
		num(c, &o.last)
		a.codecWaiting(c, o)
		if c.reading && (!a.otherArea(o.to) || i > 0 && a.outboxes[i-1].to >= o.to || o.last == 0 || uint64(len(o.waiting)) > o.last) {
			c.fail()
			return
		}
	}
	n = c.lengthOf(len(a.arrived), 2)
	if c.reading {
		a.arrived = make([]arrivals, n)
	}
	for i := range a.arrived {
		r := &a.arrived[i]
		num(c, &r.from)
		num(c, &r.last)
		if c.reading && (!a.otherArea(r.from) || i > 0 && a.arrived[i-1].from >= r.from || r.last == 0) {
			c.fail()
			return
		}
	}
}

func (a *Area) codecWaiting(c *codec, o *outbox) {
	n := c.lengthOf(len(o.waiting), 100) // a join with a character has more than 100 bytes
	for i := range n {
		if c.reading {
			o.waiting = append(o.waiting, departure{join: &Join{}})
		}
		d := &o.waiting[i]
		num(c, &d.who)
		c.join(d.join)
		if !c.reading {
			continue
		}
		if c.err != nil || d.who == 0 || d.join.Character == nil || d.join.From != a.id || d.join.Seq != o.last-uint64(n-1-i) {
			c.fail()
			return
		}
		d.digest = d.join.digest()
	}
}

// otherArea reports whether id is an area of this world other than this area.
func (a *Area) otherArea(id AreaID) bool {
	return id >= 0 && int(id) < len(a.world.Areas) && id != a.id
}
