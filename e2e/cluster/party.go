//go:build linux

package main

import (
	"errors"
	"fmt"
	"net/http"
	"slices"
	"strings"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/cluster/checker"
)

// formParties makes each group of players a party in the first area, unless all of the group are one. Operators move players of other
// areas there. All players stand still meanwhile.
func (t *test) formParties(name string) {
	held := t.crowd.holding.Swap(true)
	defer t.crowd.holding.Store(held)
	t.parties++
	var groups [][]player // groups that are not yet a party
	var members []player  // players of these groups
	for g := range maxGroups {
		var group []player
		for _, p := range t.players {
			if p.base().group == g {
				group = append(group, p)
			}
		}
		if len(outsideParty(group)) > 0 {
			groups, members = append(groups, group), append(members, group...)
		}
	}
	errs := []error{t.gather(members)}
	for _, group := range groups {
		errs = append(errs, t.invite(group))
	}
	t.Check(name+": each group of players is a party", errs...)
}

// outsideParty returns the members of a group that are not in the party of the first one.
func outsideParty(group []player) (missing []player) {
	for _, p := range group {
		if is := p.base().party; is == "" || is == checker.PartyUnknown || is != group[0].base().party {
			missing = append(missing, p)
		}
	}
	return missing
}

// restTime is the time at an unchanged position after which a player counts as standing: two RuneScape cycles. A RuneScape client is shown
// one update per cycle, and the server walks its player on along a path meanwhile, into another area if the path leads there.
const restTime = 1200 * time.Millisecond

// rests holds the last position at which each player was shown, by player name, and since when.
type rests map[string]rest

type rest struct {
	at    shown
	since time.Time
}

// record returns for how long a player has been shown at one position.
func (r rests) record(name string, at shown, now time.Time) time.Duration {
	if is, known := r[name]; !known || is.at != at {
		r[name] = rest{at, now}
	}
	return now.Sub(r[name].since)
}

// awaitRest waits until all players have stood still for restTime. The caller has told them to.
func (t *test) awaitRest() error {
	rests := rests{}
	for end := time.Now().Add(t.patient(companyLimit)); ; wait(t.ctx, polls) {
		var moving []string
		for _, p := range t.players {
			if name := p.base().name; rests.record(name, p.shown(), time.Now()) < restTime {
				moving = append(moving, name)
			}
		}
		if len(moving) == 0 {
			return nil
		}
		if time.Now().After(end) || t.ctx.Err() != nil {
			return fmt.Errorf("players do not stand still: %s", strings.Join(moving, ", "))
		}
	}
}

// gather makes operators move those players that are in another area into the first area, and waits until all stand there.
func (t *test) gather(players []player) error {
	first := &t.crowd.world.Areas[0]
	rests := rests{}
	for end := time.Now().Add(t.patient(companyLimit)); ; wait(t.ctx, actionPause) {
		var late []string
		for _, p := range players {
			b, at := p.base(), p.shown()
			if rested := rests.record(b.name, at, time.Now()) >= restTime; at.area == first {
				if !rested {
					late = append(late, b.name)
				}
				continue
			}
			late = append(late, b.name)
			if list := b.node.live.Load().Bodies(b.name); len(list) == 1 && !list[0].Dead && list[0].Area != first.ID {
				// An error is not returned: the loop repeats the request until the player is there.
				_ = t.operate(b.node, http.MethodPost, fmt.Sprintf("players/%d/teleport", list[0].ID), map[string]any{"areaId": first.ID, "x": 0, "y": nil, "z": 0})
			}
		}
		if len(late) == 0 {
			return nil
		}
		if time.Now().After(end) || t.ctx.Err() != nil {
			return fmt.Errorf("operators could not move %v into %s in time, or they do not stand there", late, first.Name)
		}
	}
}

// invite lets the first player of a group invite those that are not in its party, who accept, and waits until it is shown all members.
func (t *test) invite(group []player) error {
	leader, missing := group[0].(*rccePlayer), outsideParty(group)
	party := leader.base().party
	if missing[0] == group[0] { // the player that invites the others begins a new party
		party = fmt.Sprintf("party %d of %s", t.parties, leader.name)
	}
	before := map[string]int64{}
	for _, p := range missing {
		b := p.base()
		before[b.name] = b.invitations.Load()
		t.setParty(p, checker.PartyUnknown)
		if p != group[0] {
			leader.commands.add("/invite " + b.name)
		}
	}
	want := make([]string, 0, len(group))
	for _, p := range group[1:] {
		want = append(want, p.base().name)
	}
	slices.Sort(want)
	for end := time.Now().Add(t.patient(companyLimit)); ; wait(t.ctx, polls) {
		is := leader.companions()
		if slices.Equal(is, want) {
			for _, p := range missing {
				t.setParty(p, party)
			}
			return nil
		}
		if time.Now().After(end) || t.ctx.Err() != nil {
			errs := []error{fmt.Errorf("%s is shown the party %v, want %v", leader.name, is, want)}
			for _, p := range group {
				if b := p.base(); p == group[0] || !slices.Contains(is, b.name) {
					errs = append(errs, fmt.Errorf("%s is %s, and its client was shown %d invitations", b.name, t.place(p), b.invitations.Load()-before[b.name]))
				}
			}
			return errors.Join(errs...)
		}
	}
}

// place says where a player is: at its client, and on the live map of the node to which the client is connected.
func (t *test) place(p player) string {
	at, area := p.shown(), "no area"
	if at.area != nil {
		area = at.area.Name
	}
	text := fmt.Sprintf("in %s at %.1f, %.1f at its client", area, at.pos.X, at.pos.Z)
	list := p.base().node.live.Load().Bodies(p.base().name)
	if len(list) == 0 {
		text += " and on no live map"
	}
	for _, b := range list {
		text += fmt.Sprintf(", in %s at %.1f, %.1f on the live map", t.crowd.world.Areas[b.Area].Name, b.Pos.X, b.Pos.Z)
	}
	return text
}

// companions returns the other members of its party that the client was last shown, in order.
func (p *rccePlayer) companions() (names []string) {
	p.client.Load().Inspect(func(*rcce.World) { names = slices.Sorted(slices.Values(p.party)) })
	return names
}
