package checker

import (
	"maps"
	"slices"
	"time"
)

// login is a connection of an account's client that was shown the world.
type login struct {
	connection string
	first      map[string]uint64 // by area: tick of the first frame that the connection was shown
	last       map[string]uint64 // by area: tick of the newest frame that the connection was shown
	least      map[string]uint64 // by area: newest tick of earlier connections when this one began, which it must not be shown again
	since      time.Time         // when the connection was first shown a frame newer than the first one of a later connection; zero if never
	reported   bool
}

// RecordFrame records that a connection of an account was shown a frame of the area in which the account's player is. Connections of one
// account have different names. The ticks that number the frames of an area are equal on all nodes, so it is a contradiction
//
//   - if a connection is shown an older tick of an area than before, or than an earlier connection of the account before it began;
//   - if an account is in the world twice: a connection is still shown new frames for longer than the margin after a later connection was
//     shown its first frame.
func (h *History) RecordFrame(at time.Time, account, connection, area string, tick uint64) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventFrame, At: &at, Client: account, Other: connection, Area: area, Tick: tick})
	h.frames++
	list := h.logins[account]
	i := slices.IndexFunc(list, func(l *login) bool { return l.connection == connection })
	if i < 0 {
		least := maps.Clone(h.least)
		for _, former := range list {
			for area, tick := range former.last {
				least[area] = max(least[area], tick)
			}
		}
		i, list = len(list), append(list, &login{connection: connection, first: map[string]uint64{}, last: map[string]uint64{}, least: least})
		h.logins[account] = list
	}
	l := list[i]
	if _, again := l.first[area]; !again {
		l.first[area] = tick
		if tick < l.least[area] {
			h.fail("account %s, %s was first shown tick %d of %s, but earlier connections were shown tick %d: %d ticks were lost", account, l.connection, tick, area, l.least[area], l.least[area]-tick)
		}
	}
	if tick < l.last[area] {
		h.fail("account %s, %s was shown tick %d of %s after tick %d", account, l.connection, tick, area, l.last[area])
	}
	l.last[area] = max(l.last[area], tick)
	h.newest[area] = max(h.newest[area], tick)
	for _, later := range list[i+1:] {
		began, ok := later.first[area]
		switch {
		case !ok || tick <= began || l.reported:
		case l.since.IsZero():
			l.since = at
		case at.Sub(l.since) > h.margin:
			l.reported = true
			h.fail("account %s is in the world through two connections: %s was shown tick %d of %s, %v after it was first shown a later tick than %d, at which %s entered", account, l.connection, tick, area, at.Sub(l.since).Round(time.Millisecond), began, later.connection)
		}
	}
}

// visit is a connection on which an account's client was shown the world.
type visit struct {
	connection string
	number     int
	since      time.Time // time of the first update of an uninterrupted series that came after the first update of a later connection
	last       time.Time // time of the newest update
	reported   bool
}

// RecordUpdate records that a connection of an account was shown an update of the world, such as the position of an actor, of a protocol
// that does not number ticks. Connections of one account have different names, and numbers in the order in which they were made: the first
// update of one may be recorded after that of a later one. It is a contradiction if an account is in the world twice: a connection is still
// shown updates for longer than the margin, without an interruption of half the margin, after a later connection was shown its first one.
// Single updates may come late: a node that was stopped sends what it had in its queues.
func (h *History) RecordUpdate(at time.Time, account, connection string, number int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventUpdate, At: &at, Client: account, Other: connection, Number: number})
	h.updates++
	list := h.visits[account]
	i := slices.IndexFunc(list, func(v *visit) bool { return v.connection == connection })
	if i < 0 {
		if i = slices.IndexFunc(list, func(v *visit) bool { return v.number > number }); i < 0 {
			i = len(list)
		}
		list = slices.Insert(list, i, &visit{connection: connection, number: number})
		h.visits[account] = list
	}
	v := list[i]
	switch {
	case i == len(list)-1:
	case v.since.IsZero() || at.Sub(v.last) > h.margin/2:
		v.since = at
	case at.Sub(v.since) > h.margin && !v.reported:
		v.reported = true
		h.fail("account %s is in the world twice: %s was shown updates of the world for %v, all after the first one of %s", account, connection, at.Sub(v.since).Round(time.Millisecond), list[len(list)-1].connection)
	}
	v.last = at
}

// Updates returns the number of updates that RecordUpdate has recorded.
func (h *History) Updates() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.updates
}

// RecordOutage records that all nodes have ended, and all connections with them. Then the areas must go on: no later connection may be
// shown an older tick than the newest that any client was shown before.
func (h *History) RecordOutage(at time.Time) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventOutage, At: &at})
	h.least = maps.Clone(h.newest)
}

// Frames returns the number of frames that RecordFrame has compared with earlier ones.
func (h *History) Frames() int {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.frames
}
