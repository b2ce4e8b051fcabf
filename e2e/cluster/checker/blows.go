package checker

import (
	"cmp"
	"fmt"
	"maps"
	"slices"
	"time"
)

// Blow is an attack that a client was shown: a hit, or a miss.
type Blow struct {
	Area             string
	Tick             uint64 // tick of the area in which the blow happened; equal on all nodes
	Attacker, Victim string // names of the actors; several actors may have one name; "" for an actor that the client is not shown
	Damage           int    // health points that the victim loses, -1 for a miss
}

func (b Blow) String() string {
	if b.Damage < 0 {
		return fmt.Sprintf("the miss of %s against %s in tick %d of %s", b.Attacker, b.Victim, b.Tick, b.Area)
	}
	return fmt.Sprintf("the hit of %s against %s for %d points in tick %d of %s", b.Attacker, b.Victim, b.Damage, b.Tick, b.Area)
}

// strike has the facts about a blow that every client in the area is shown. Attacker and victim are left out: a client is no longer
// shown an actor that has died, so some clients may not know both.
type strike struct {
	area   string
	tick   uint64
	damage int
}

// blows holds, for each key and client, how many blows with that key the client was shown, and the first of them. The key is what the
// blows have in common.
type blows[K comparable] map[K]map[string]*struck

// struck describes the blows with one key that a client was shown: their number, and the first one with its time.
type struck struct {
	times int
	at    time.Time
	first Blow
}

// add counts a blow that a client was shown.
func (list blows[K]) add(key K, client string, at time.Time, b Blow) {
	by := list[key]
	if by == nil {
		by = map[string]*struck{}
		list[key] = by
	}
	if by[client] == nil {
		by[client] = &struck{at: at, first: b}
	}
	by[client].times++
}

// witness returns the client that was shown the most blows with a key, and these blows. If several clients were shown as many, it
// returns the first of them by name.
func (list blows[K]) witness(key K) (client string, most struck) {
	for _, who := range slices.Sorted(maps.Keys(list[key])) {
		if s := list[key][who]; s.times > most.times {
			client, most = who, *s
		}
	}
	return client, most
}

// health is a period in which a client was shown the same health points of its character.
type health struct {
	points      int
	from, until time.Time // from: time at which these points were shown first; until: last
}

// RecordBlow records that a client was shown a blow. Call it only for a client that is shown every blow of its area and whose frames
// are passed to RecordFrame.
func (h *History) RecordBlow(at time.Time, client string, b Blow) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventHit, At: &at, Client: client, Blow: &b})
	h.strikes.add(strike{b.Area, b.Tick, b.Damage}, client, at, b)
	if b.Victim != "" && b.Damage > 0 {
		h.hurts.add(hurt{strike{b.Area, b.Tick, b.Damage}, b.Victim}, client, at, b)
	}
}

// RecordHealth records the health points of a character that its own client is shown. Points of 0 or less mean that it is dead.
func (h *History) RecordHealth(at time.Time, character string, points int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventHealth, At: &at, Client: character, Number: points})
	list := h.healths[character]
	if n := len(list); n > 0 && list[n-1].points == points {
		list[n-1].until = at
		return
	}
	h.healths[character] = append(list, health{points, at, at})
}

// Blows returns two counts of the last Check: how often it expected another client to be shown a blow that one client was shown, and
// how many points of damage it compared with the health of characters.
func (h *History) Blows() (pairs, points int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.blowPairs, h.blowPoints
}

// unstruck returns an error for each blow that one client was shown more often than another client that was in the area at that time.
// The caller holds h.mu.
func (h *History) unstruck() (errs []error) {
	h.blowPairs = 0
	observers := slices.Sorted(maps.Keys(h.logins))
	for _, k := range slices.SortedFunc(maps.Keys(h.strikes), strike.compare) {
		witness, most := h.strikes.witness(k)
		for _, other := range observers {
			if area, ok := h.areaAround(other, most.at); other == witness || !ok || area != k.area {
				continue
			}
			h.blowPairs++
			times := 0
			if s := h.strikes[k][other]; s != nil {
				times = s.times
			}
			if times < most.times {
				errs = append(errs, fmt.Errorf("client %s was shown %v %d times, but client %s was shown it only %d times, although it was in the area", witness, most.first, most.times, other, times))
			}
		}
	}
	return errs
}

func (k strike) compare(l strike) int {
	return cmp.Or(cmp.Compare(k.area, l.area), cmp.Compare(k.tick, l.tick), cmp.Compare(k.damage, l.damage))
}

// unhurt returns an error for each character whose own client was shown too much health: more than the blows that clients were shown have
// left, or more than before without a death in between. Then a blow or a loss of health that a client was shown was undone. Health
// counts only if it was shown for longer than the margin, because after a login a client may be shown older health for a moment. The
// caller holds h.mu.
func (h *History) unhurt() (errs []error) {
	h.blowPoints = 0
	hits := map[string][]hit{}
	for k := range h.hurts {
		_, most := h.hurts.witness(k)
		hits[k.victim] = append(hits[k.victim], hit{most.at, most.times * k.damage})
	}
	for _, who := range slices.Sorted(maps.Keys(h.healths)) {
		var since *health    // first period of this life that counts
		least, known := 0, 0 // least: lowest health of this life; known: damage that blows have done in this life
		for i := range h.healths[who] {
			now := &h.healths[who][i]
			if now.points <= 0 {
				since = nil
				continue
			}
			if now.until.Sub(now.from) <= h.margin {
				continue
			}
			if since == nil {
				since, least, known = now, now.points, 0
			}
			if now.points > least {
				errs = append(errs, fmt.Errorf("%s was shown %d health points, more than the %d before, although it had not died", who, now.points, least))
			}
			least = min(least, now.points)
			taken := 0
			for _, hit := range hits[who] {
				if hit.at.After(since.from.Add(h.margin)) && hit.at.Before(now.until.Add(-h.margin)) {
					taken += hit.damage
				}
			}
			h.blowPoints += taken - known
			known = taken
			if left := since.points - taken; now.points > left {
				errs = append(errs, fmt.Errorf("%s had %d health points, and clients were shown hits that took %d points: it now has %d points, want at most %d", who, since.points, taken, now.points, left))
			}
		}
	}
	return errs
}

// hurt is the key under which hits are collected: hits with the same strike against the same victim.
type hurt struct {
	strike
	victim string
}

// hit is the total damage of equal hits in one tick, in health points, and the time at which a client was first shown them.
type hit struct {
	at     time.Time
	damage int
}
