//go:build linux

package main

import (
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/truth"
)

// rcceBefore is the state that a RealmCrafter client received last before a kill: items, experience, the party of its player, and
// NPCs.
type rcceBefore struct {
	name   string            // name of the player
	area   string            // name of the player's area
	seen   time.Time         // latest time at which the client was shown the world
	known  bool              // the client was in the world
	slots  map[uint8]stack   // inventory by slot
	may    []map[uint8]stack // inventories that the player can have on the server: one for each set of requests in open that the server may have executed
	open   []request         // unanswered requests to drop or pick up an item
	ground map[uint32]lying  // items on the ground of the area, by handle
	npcs   map[string]npc    // by name
	xp     int               // experience points
	party  []string          // names of the other party members
	asked  bool              // the client has sent a request to join or leave a party, and the server may not have answered yet
	left   bool              // the player had left its party and was in no other
}

// snapshot returns a copy of the state that the client has received.
func (p *rccePlayer) snapshot() (b rcceBefore) {
	b.name = p.name()
	if p.client == nil {
		return b
	}
	p.client.Inspect(func(w *rcce.World) {
		v := &p.view
		b.area, b.known = w.Area, v.items.seen
		b.slots, b.ground, b.npcs = maps.Clone(v.items.slots), maps.Clone(v.items.ground), maps.Clone(v.npcs)
		b.may, b.open = v.items.after()
		b.xp, b.party = v.xp, slices.Clone(v.party)
		b.left = v.left
		b.asked = !v.asked.IsZero() && time.Since(v.asked) < requestUnsure
	})
	return b
}

func (b *before) lyingItems() int {
	handles := map[uint32]bool{}
	for _, r := range b.rcces {
		for handle := range r.ground {
			handles[handle] = true
		}
	}
	return len(handles)
}

func (b *before) experience() (sum int) {
	for _, r := range b.rcces {
		sum += r.xp
	}
	return sum
}

// compareInventories compares the inventories of players with the inventories that their clients were last shown.
func (t *test) compareInventories(b *before) (errs []error) {
	for i, was := range b.rcces {
		now := t.rcces[i].snapshot()
		if !was.known || !now.known {
			continue // another check reports a player without a known inventory
		}
		if !slices.ContainsFunc(was.may, func(m map[uint8]stack) bool { return maps.Equal(m, now.slots) }) {
			errs = append(errs, fmt.Errorf("%s has the items %v after the restart, but its client was last shown %v; even %d unanswered requests of the client do not explain the difference", was.name, now.slots, was.slots, len(was.open)))
		}
	}
	return errs
}

// compareGround compares the items on the ground of each area with the items that clients in the area were last shown.
func (t *test) compareGround(b *before) (errs []error) {
	for area := range t.crowd.world.Areas {
		name := t.crowd.world.Areas[area].Name
		now, err := t.groundOf(name)
		if err != nil {
			errs = append(errs, err)
			continue
		}
		shown, disputed := b.groundOf(name)
		for _, handle := range slices.Sorted(maps.Keys(shown)) {
			if now[handle] != shown[handle] && !disputed[handle] && !b.asksFor(handle) {
				errs = append(errs, fmt.Errorf("area %s: clients were shown %v with handle %d on the ground; after the restart the item with this handle is %v", name, shown[handle].stack, handle, now[handle].stack))
			}
		}
		for _, handle := range slices.Sorted(maps.Keys(now)) {
			if _, was := shown[handle]; !was && !b.drops(now[handle].stack) {
				errs = append(errs, fmt.Errorf("area %s: %v with handle %d is on the ground after the restart, but no client was shown it before", name, now[handle].stack, handle))
			}
		}
	}
	return errs
}

// groundOf returns the items on the ground that clients in an area are shown. It returns an error if the clients are shown
// different items, or if no client is in the area.
func (t *test) groundOf(area string) (ground map[uint32]lying, err error) {
	shown := ""
	for _, p := range t.rcces {
		s := p.snapshot()
		switch {
		case !s.known || s.area != area || p.playing() != nil:
		case shown == "":
			shown, ground = s.name, s.ground
		case !maps.Equal(ground, s.ground):
			return nil, fmt.Errorf("area %s: clients are shown different items on the ground: client %s is shown %v, client %s %v", area, shown, ground, s.name, s.ground)
		}
	}
	if shown == "" {
		return nil, fmt.Errorf("area %s: no RealmCrafter client is in the area, so its items on the ground are unknown", area)
	}
	return ground, nil
}

// groundOf returns the items on the ground, by handle, that any client in an area was shown before the server was killed. The result
// disputed is true for items that only some of the clients were shown, because not all clients had received the same packets.
func (b *before) groundOf(area string) (ground map[uint32]lying, disputed map[uint32]bool) {
	ground, disputed = map[uint32]lying{}, map[uint32]bool{}
	times, clients := map[uint32]int{}, 0
	for _, r := range b.rcces {
		if !r.known || r.area != area {
			continue
		}
		clients++
		for handle, item := range r.ground {
			ground[handle] = item
			times[handle]++
		}
	}
	for handle, n := range times {
		disputed[handle] = n < clients
	}
	return ground, disputed
}

// asksFor reports whether any client had sent a request to pick up the item with a handle and had received no answer before the
// server was killed.
func (b *before) asksFor(handle uint32) bool {
	return slices.ContainsFunc(b.rcces, func(r rcceBefore) bool {
		return slices.ContainsFunc(r.open, func(q request) bool { return q.pick == handle })
	})
}

// drops reports whether any client had sent a request to drop a stack and had received no answer before the server was killed.
func (b *before) drops(s stack) bool {
	return slices.ContainsFunc(b.rcces, func(r rcceBefore) bool {
		return slices.ContainsFunc(r.open, func(q request) bool { return q.drop == s })
	})
}

// countItems counts all items in inventories and on the ground, and compares the total of each kind with what all characters
// together received when they were new. If numbered is set, it also checks that no stack that is identified by its size (see
// items.go) exists twice.
func (t *test) countItems(numbered bool) (errs []error) {
	pieces, stacks := map[uint16]int{}, map[stack]int{}
	count := func(s stack) {
		pieces[s.item] += int(s.amount)
		stacks[s]++
	}
	for _, p := range t.rcces {
		if p.playing() != nil {
			return nil // another check reports the lost player, whose items are unknown
		}
		for _, s := range p.snapshot().slots {
			count(s)
		}
	}
	for i := range t.crowd.world.Areas {
		ground, err := t.groundOf(t.crowd.world.Areas[i].Name)
		if err != nil {
			return []error{err}
		}
		for _, item := range ground {
			count(item.stack)
		}
	}
	for item, name := range itemNames {
		if want := kitAmount * len(t.rcces); pieces[item] != want {
			errs = append(errs, fmt.Errorf("inventories and ground hold %d pieces of %s in all, want %d", pieces[item], name, want))
		}
		for i := range t.rcces {
			part, rest := stack{item, uint16(i + 1)}, stack{item, uint16(kitAmount - i - 1)}
			if numbered && (stacks[part] != stacks[rest] || stacks[part] > 1) {
				errs = append(errs, fmt.Errorf("the stack %v, split off by a player, exists %d times, and the rest of the original stack, %v, exists %d times; want both once or neither", part, stacks[part], rest, stacks[rest]))
			}
		}
	}
	slices.SortFunc(errs, func(a, b error) int { return len(a.Error()) - len(b.Error()) })
	return errs
}

// compareExperience compares the experience of players with the experience that their clients were last shown.
func (t *test) compareExperience(b *before) (errs []error) {
	const unseenKills = 2 // maximum number of NPCs that a player and its party kill after the last packet that the client received
	for i, was := range b.rcces {
		now := t.rcces[i].snapshot()
		if was.known && now.known && (now.xp < was.xp || now.xp > was.xp+unseenKills*maxKillPoints) {
			errs = append(errs, fmt.Errorf("%s has %d experience points after the restart, but the last number that its client was shown is %d", was.name, now.xp, was.xp))
		}
	}
	return errs
}

// compareParties compares the parties that clients are shown after their return with the parties before the server was killed. A
// client is shown only the party members that are in its area.
func (t *test) compareParties(b *before, live *truth.Map) (errs []error) {
	was := map[string]rcceBefore{}
	for _, r := range b.rcces {
		was[r.name] = r
	}
	for i, r := range b.rcces {
		now := t.rcces[i].snapshot()
		if !r.known || !now.known || r.asked {
			continue
		}
		for _, other := range r.party {
			mate := was[other]
			if mate.asked || !mate.known || !slices.Contains(mate.party, r.name) {
				continue
			}
			mine := live.Bodies(r.name)
			theirs := live.Bodies(other)
			here := len(mine) == 1 && len(theirs) == 1 && mine[0].Area == theirs[0].Area
			if here && !slices.Contains(now.party, other) {
				errs = append(errs, fmt.Errorf("after the restart the party of %s is shown as %v, without %s, which was a member before", r.name, now.party, other))
			}
		}
		if r.left && len(now.party) > 0 {
			errs = append(errs, fmt.Errorf("%s had left its party before the restart, but is now shown the members %v", r.name, now.party))
		}
		for _, other := range now.party {
			if i/partySize != slices.IndexFunc(b.rcces, func(q rcceBefore) bool { return q.name == other })/partySize {
				errs = append(errs, fmt.Errorf("the client of %s shows %s as a party member, but players of different groups never invite each other", r.name, other))
			}
		}
	}
	return errs
}

// stopAndCount stops the server with SIGTERM, starts it a last time, and counts all items.
func (t *test) stopAndCount() error {
	if err := t.server.Stop(); err != nil {
		return err
	}
	for _, p := range t.players {
		p.cut()
	}
	was := make([]rcceBefore, len(t.rcces))
	for i, p := range t.rcces {
		was[i] = p.snapshot()
	}
	t.crowd.resume = false
	if err := t.server.start(t.ctx); err != nil {
		return fmt.Errorf("the server does not start again after a stop with SIGTERM: %w", err)
	}
	t.Check("after a clean stop: all clients log in", t.joinAll()...)
	wait(t.ctx, settleTime)
	t.Check("after a clean stop: no item is lost or doubled", t.countItems(false)...)
	t.Check("after a clean stop: experience is as it was shown", t.compareExperience(&before{rcces: was})...)
	for _, p := range t.players {
		p.cut()
	}
	return t.server.Stop()
}
