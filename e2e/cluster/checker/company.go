package checker

import (
	"fmt"
	"maps"
	"slices"
	"strings"
	"time"
)

// partyList is a list of party members that a client was shown.
type partyList struct {
	at           time.Time
	client, area string
	names        []string // the other members in the area
}

// membership says from when on a player is in a party, or with party "" in none.
type membership struct {
	party string
	from  time.Time
}

// ride is what a connection was last shown of the mount of its own player.
type ride struct {
	area, mount string // mount: kind of the animal; "" if the player is on foot
	deaths      int    // how often the player has died on this connection
	onFoot      bool   // the newest sample is on foot, although the player has not died; mount is the animal before
}

// sampledArea identifies the area of a sample of RecordPets.
type sampledArea struct{ observer, area string }

// Company counts what History has compared of parties, mounts and pets.
type Company struct {
	Entries int // how often the last Check expected a client to be shown its party when it entered an area
	Members int // how often the last Check expected a client to be shown a member of its party
	Rides   int // how often a client was shown its player on the same mount before and after a change of area
	Pets    int // how often RecordPets has compared a pet with its owner
}

// PartyUnknown is the name of the party of a player that joins or leaves one now: it may be shown in its new party, its old one or none.
const PartyUnknown = "?"

// JoinParty records that a player is in a party from now on, with party "" in none, or PartyUnknown. Parties have different names.
func (h *History) JoinParty(at time.Time, member, party string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventMember, At: &at, Client: member, Other: party})
	h.parties[member] = append(h.parties[member], membership{party, at})
}

// RecordParty records that a client was shown the other members of its party that are in the area. A client must be shown this list when
// its player enters an area as a member of a party. If RecordParty is called for a client once, it must be called for each list.
func (h *History) RecordParty(at time.Time, client, area string, names []string) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventParty, At: &at, Client: client, Area: area, Names: names})
	h.partyLists = append(h.partyLists, partyList{at, client, area, names})
}

// RecordRide records which kind of animal a client is shown under its own player, "" for none. The parameter deaths is how often the
// player has died on this connection. A player may dismount only by its death: it is a contradiction if it is on foot, or on another
// kind of animal, in two samples in a row after it has ridden, in the same area or another. After Leave it may be on foot.
func (h *History) RecordRide(at time.Time, client, area, mount string, deaths int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	now := ride{area: area, mount: mount, deaths: deaths}
	was, known := h.rides[client]
	if known && was == now {
		return
	}
	h.write(event{Kind: eventRide, At: &at, Client: client, Area: area, Other: mount, Number: deaths})
	if known && was.mount != "" && was.deaths == deaths {
		switch {
		case mount == was.mount && area != was.area:
			h.company.Rides++
		case mount == was.mount:
		case !was.onFoot:
			was.onFoot = true
			h.rides[client] = was
			return
		default:
			what := "on foot"
			if mount != "" {
				what = "on a " + mount
			}
			h.fail("client %s was shown its player on a %s in %s, and then %s in %s, although it has not died", client, was.mount, was.area, what, area)
		}
	}
	h.rides[client] = now
}

// RecordPets records a sample of an area: the players in it that have a pet, and the number of pets in it. All of a sample must be the
// state after the same tick, because a player and its pet change areas in one tick. The tick is given for errors.
func (h *History) RecordPets(at time.Time, observer, area string, tick uint64, owners []string, pets int) {
	h.mu.Lock()
	defer h.mu.Unlock()
	h.write(event{Kind: eventPets, At: &at, Client: observer, Area: area, Tick: tick, Names: owners, Number: pets})
	key, more := sampledArea{observer, area}, pets-len(owners)
	if more != 0 && more != h.pets[key] {
		h.fail("%s shows %d pets in tick %d of %s, where %d players with one pet are: %s", observer, pets, tick, area, len(owners), strings.Join(owners, ", "))
	}
	h.pets[key] = more
	h.company.Pets += min(len(owners), pets)
}

// Company returns what was compared of parties, mounts and pets.
func (h *History) Company() Company {
	h.mu.Lock()
	defer h.mu.Unlock()
	return h.company
}

// partyAround returns the party in which a player was around the time at: from h.margin before it until h.margin after it; "" for none.
// ok is false if that was not one party all that time, or is not known. The caller holds h.mu.
func (h *History) partyAround(player string, at time.Time) (party string, ok bool) {
	for _, s := range slices.Backward(h.parties[player]) {
		if s.from.After(at.Add(h.margin)) {
			continue
		}
		return s.party, s.party != PartyUnknown && !s.from.After(at.Add(-h.margin)) // the next one began later
	}
	return "", true
}

// unaccompanied returns an error for each list of party members that lacks a member or has a name too many, and for each entry into an
// area after which a member of a party was shown no list. The caller holds h.mu.
func (h *History) unaccompanied() (errs []error) {
	h.company.Entries, h.company.Members = 0, 0
	shown := map[string][]*partyList{}
	for i := range h.partyLists {
		l := &h.partyLists[i]
		shown[l.client] = append(shown[l.client], l)
		if party, ok := h.partyAround(l.client, l.at); ok {
			errs = append(errs, h.wrongNames(l, party)...)
		}
	}
	for _, client := range slices.Sorted(maps.Keys(shown)) {
		for _, s := range h.stays[client] {
			party, ok := h.partyAround(client, s.from)
			if !ok || party == "" || s.until.IsZero() || s.until.Sub(s.from) < h.margin {
				continue
			}
			h.company.Entries++
			if !slices.ContainsFunc(shown[client], func(l *partyList) bool {
				return l.area == s.area && l.at.Sub(s.from).Abs() <= h.margin
			}) {
				errs = append(errs, fmt.Errorf("client %s, a member of %s, was not shown its party when it entered %s", client, party, s.area))
			}
		}
	}
	return errs
}

// wrongNames returns an error for each name that a list of party members has twice or wrongly, and for each that it lacks. The parameter
// party is the party of the client.
func (h *History) wrongNames(l *partyList, party string) (errs []error) {
	report := func(format string, args ...any) {
		errs = append(errs, fmt.Errorf("client %s in %s was "+format, append([]any{l.client, l.area}, args...)...))
	}
	for i, name := range l.names {
		if slices.Contains(l.names[:i], name) {
			report("shown %s twice in its party", name)
			continue
		}
		if theirs, ok := h.partyAround(name, l.at); ok && (theirs != party || party == "") {
			report("shown %s in its party (%q), whose party is %q", name, party, theirs)
		}
		if area, ok := h.areaAround(name, l.at); ok && area != l.area {
			report("shown %s of its party there, which was in %s", name, area)
		}
	}
	for _, member := range slices.Sorted(maps.Keys(h.parties)) {
		theirs, ok := h.partyAround(member, l.at)
		if !ok || party == "" || theirs != party || member == l.client {
			continue
		}
		if area, ok := h.areaAround(member, l.at); !ok || area != l.area {
			continue
		}
		h.company.Members++
		if !slices.Contains(l.names, member) {
			report("not shown %s, although it was there and in the same party, %s", member, party)
		}
	}
	return errs
}

// miscountedAnimals returns an error for each kind of animal whose number in a census differs from that in the first one. The caller
// holds h.mu.
func (h *History) miscountedAnimals() (errs []error) {
	for i := range h.counts {
		first, c := &h.counts[0], &h.counts[i]
		for _, kind := range slices.Sorted(maps.Keys(first.Animals)) {
			if c.Animals[kind] != first.Animals[kind] {
				errs = append(errs, fmt.Errorf("%s: the world has %d animals of the kind %s, but had %d at the first count: animals were lost or doubled", c.Label, c.Animals[kind], kind, first.Animals[kind]))
			}
		}
	}
	return errs
}
