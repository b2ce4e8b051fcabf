//go:build linux

package main

import (
	"errors"
	"fmt"
	"net/http"
	"net/url"
	"strings"
	"sync"
	"time"

	"github.com/truestep-io/truestep/client/rcce"
	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/e2e/process"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Names and templates of world.toml.
const (
	humanTemplate = 0
	riderTemplate = 4
	pony          = "Pony"  // every newcomer has one as its pet
	horse         = "Horse" // not in the world file: operators spawn one for each player that rides one
)

// isAnimal reports whether an NPC with a name is an animal, which no blow can harm.
func isAnimal(name string) bool { return name == pony || name == horse }

// Groups of players. Clients of the other doors have no commands for parties, and ride nothing across areas.
const (
	groupRcce = 4 // RealmCrafter players of a party
	groupRS   = 3 // RuneScape players of a party; together fewer than the eight that a party can have in one area
	maxGroups = 5

	companyOf           = 40   // number of players of a door among which some have a pet, ride or are in a party
	ponyEvery, ponyAt   = 4, 1 // of each four RealmCrafter players, the second rides its pet
	horseEvery, horseAt = 8, 3 // of each eight RealmCrafter players, the fourth rides a horse
)

const (
	invitation   = "invites you to a party" // part of the line that an invited player is shown
	companyLimit = 20 * time.Second         // maximum time until all players of groups stand in the first area, and until a group is a party
	actionPause  = 200 * time.Millisecond   // pause before an operator repeats an action that was refused: it may do 5 in a second
)

// setCompany decides which players have a pet, ride an animal and are in a party.
func (t *test) setCompany() {
	of := map[string]int{} // by door: number of players so far
	for _, p := range t.players {
		b, i := p.base(), of[p.door()]
		of[p.door()]++
		b.group = -1
		if i >= companyOf {
			continue
		}
		b.pet = i%t.petEvery == 0
		size := 0
		switch p := p.(type) {
		case *rccePlayer:
			size = groupRcce
			switch {
			case i%ponyEvery == ponyAt:
				b.pet, p.animal.kind = true, pony
			case i%horseEvery == horseAt:
				p.animal.kind = horse
			}
		case *rsPlayer:
			size = groupRS
		}
		if size > 0 && i/size < maxGroups && i/size < (t.clients[0]+groupRcce-1)/groupRcce {
			b.group = i / size
		}
	}
}

// joinFirst logs in all players for the first time. Every newcomer has a pet; those that shall have none log in first, and an operator
// removes all pets that are there then. Afterwards an operator spawns the horses. It returns an error for each login or action that fails.
func (t *test) joinFirst() (errs []error) {
	t.setCompany()
	var with, without []player
	petless := map[string]bool{}
	for _, p := range t.players {
		if p.base().pet {
			with = append(with, p)
			continue
		}
		without, petless[p.base().name] = append(without, p), true
	}
	if len(without) > 0 {
		errs = append(t.joinAll(without, joinSpread), t.removePets())
	}
	errs = append(errs, t.joinAll(with, joinSpread)...)
	horses := 0
	for _, p := range t.players {
		p, ok := p.(*rccePlayer)
		if !ok || p.animal.kind != horse {
			continue
		}
		horses++
		errs = append(errs, t.spawnHorse(horses))
	}
	for end := time.Now().Add(t.patient(companyLimit)); ; wait(t.ctx, polls) {
		late := t.showsAnimals(len(with), horses)
		if late == nil {
			t.watcher.petless.Store(&petless)
		}
		if late == nil || time.Now().After(end) || t.ctx.Err() != nil {
			return append(errs, late)
		}
	}
}

// spawnedLimit is the maximum time until the live map shows a horse that has been spawned.
const spawnedLimit = 5 * time.Second

// unconfirmed is part of the console's answer, with status 409, to an action that an area whose ticks are late has not confirmed in time. The
// area may still execute it.
const unconfirmed = "did not confirm the action in time"

// isUnconfirmed reports whether err is the answer to an action that was not confirmed in time.
func isUnconfirmed(err error) bool {
	var refused *process.StatusError
	return errors.As(err, &refused) && refused.Status == http.StatusConflict && strings.Contains(err.Error(), unconfirmed)
}

// spawnHorse makes an operator spawn a horse, the one with a number from 1. If the area does not confirm that in time, spawnHorse repeats the
// request unless the live map shows that many horses. The area may then execute both, so there can be more horses than players that need one.
func (t *test) spawnHorse(number int) error {
	n := t.cluster.nodes[0]
	for end := time.Now().Add(t.patient(companyLimit)); ; {
		err := t.operate(n, http.MethodPost, "npcs", map[string]any{"template": horse, "areaId": 0, "x": 4 * (number % 4), "y": nil, "z": 4})
		if !isUnconfirmed(err) {
			return err
		}
		for late := time.Now().Add(t.patient(spawnedLimit)); time.Now().Before(late) && t.ctx.Err() == nil; wait(t.ctx, polls) {
			if t.animalsOn(n)[horse] >= number {
				return nil
			}
		}
		if time.Now().After(end) || t.ctx.Err() != nil {
			return err
		}
	}
}

// removePets makes operators of all nodes remove all pets.
func (t *test) removePets() error {
	var list struct {
		NPCs []struct{ Entity sim.EntityID }
	}
	if err := t.cluster.nodes[0].Get(t.ctx, "npcs?q="+url.QueryEscape(pony), &list); err != nil {
		return err
	}
	errs := make([]error, nodeCount)
	var all sync.WaitGroup
	for i, n := range t.cluster.nodes {
		all.Go(func() {
			for k := i; k < len(list.NPCs); k += nodeCount {
				errs[i] = errors.Join(errs[i], t.operate(n, http.MethodDelete, fmt.Sprint("npcs/", list.NPCs[k].Entity), nil))
			}
		})
	}
	all.Wait()
	return errors.Join(errs...)
}

// operate makes an operator of a node do something. It repeats an action that is refused because the operator did too much.
func (t *test) operate(n *node, method, call string, body any) error {
	for end := time.Now().Add(t.patient(companyLimit)); ; wait(t.ctx, actionPause) {
		err := n.Call(t.ctx, method, call, body, nil)
		var refused *process.StatusError
		if !errors.As(err, &refused) || refused.Status != http.StatusTooManyRequests || time.Now().After(end) || t.ctx.Err() != nil {
			return err
		}
	}
}

// showsAnimals returns an error unless the live maps of all nodes show the given number of pets and at least the given number of horses: see
// spawnHorse.
func (t *test) showsAnimals(ponies, horses int) error {
	for _, n := range t.cluster.nodes {
		if is := t.animalsOn(n); is[pony] != ponies || is[horse] < horses {
			return fmt.Errorf("the live maps of node %s show the animals %v, want %d ponies and at least %d horses", n.name, is, ponies, horses)
		}
	}
	return nil
}

// animals returns the number of animals of each kind on the live maps of the first living node.
func (t *test) animals() map[string]int {
	for _, n := range t.cluster.nodes {
		if n.alive.Load() {
			return t.animalsOn(n)
		}
	}
	return nil
}

func (t *test) animalsOn(n *node) map[string]int {
	sum := map[string]int{}
	for i := range t.crowd.world.Areas {
		_, _, npcs, _ := n.live.Load().Frame(t.crowd.world.Areas[i].ID)
		for name, number := range npcs {
			if isAnimal(name) {
				sum[name] += number
			}
		}
	}
	return sum
}

// setParty records the party of a player in the history, if it has changed.
func (t *test) setParty(p player, party string) {
	if b := p.base(); b.party != party {
		b.party = party
		t.history.JoinParty(time.Now(), b.name, party)
	}
}

// compareParty records in the history whether a player that has logged in again is in its party: it is, unless its entity is
// a new one, because the player had left the world. It is not known if the entity before was not.
func (t *test) compareParty(p player, was *last, now sim.EntityID) {
	party := was.party
	switch {
	case was.actor == 0: // no live map showed it, because it was about to enter another area
		party = checker.PartyUnknown
	case now != was.actor:
		t.setParty(p, checker.PartyUnknown)
		party = ""
	}
	t.setParty(p, party)
}

// queue holds the chat commands that a client has to send, also while its player stands still. The zero value is empty.
type queue struct {
	mu   sync.Mutex // not common.mu, under which the watcher waits for clients: a client calls next while it is locked itself
	list []string
}

func (q *queue) add(text string) {
	q.mu.Lock()
	defer q.mu.Unlock()
	q.list = append(q.list, text)
}

// next removes and returns the first command. ok is false if there is none.
func (q *queue) next() (text string, ok bool) {
	q.mu.Lock()
	defer q.mu.Unlock()
	if len(q.list) == 0 {
		return "", false
	}
	text, q.list = q.list[0], q.list[1:]
	return text, true
}

// animal makes a RealmCrafter player ride an animal of a kind whenever it can. The zero value makes it walk.
type animal struct {
	kind  string
	next  time.Time       // time of the next attempt
	tried map[uint16]bool // animals that the player has tried to mount, by runtime id
}

const (
	mountReach = 15                     // distance in units from which a player mounts; the server allows 20
	mountPause = 300 * time.Millisecond // pause between two attempts
)

// mount makes a player on foot mount the nearest animal of its kind that carries no player. Other players' pets refuse it, so it tries one
// after the other. It walks to a horse that is too far away, unless it has to stand still. The result walks is true during such a walk.
func (m *animal) mount(a *rcce.Player, still bool) (walks bool) {
	w := a.World()
	if m.kind == "" || w.Self.Mount != 0 || w.Self.Updates == 0 {
		return false
	}
	ridden := map[uint16]bool{}
	for x := range w.Actors() {
		ridden[x.Mount] = true
	}
	var best rcce.Actor
	for x := range w.Actors() {
		if x.Name != m.kind || x.Player || ridden[x.RuntimeID] || m.tried[x.RuntimeID] {
			continue
		}
		if best.RuntimeID == 0 || geom.Dist2XZ(x.Pos, a.Pos()) < geom.Dist2XZ(best.Pos, a.Pos()) {
			best = x
		}
	}
	near := geom.DistXZ(best.Pos, a.Pos()) < mountReach
	switch {
	case best.RuntimeID == 0 || !near && m.kind == pony: // none is left: begin again
		m.tried = nil
	case !near && !still:
		a.WalkTo(best.Pos.X, best.Pos.Z, true)
		return true
	case near && a.Now().After(m.next):
		a.RightClick(best.RuntimeID)
		if m.tried == nil {
			m.tried = map[uint16]bool{}
		}
		m.tried[best.RuntimeID], m.next = true, a.Now().Add(mountPause)
	}
	return false
}

// mounted returns the kind of animal that the client is shown under its player, "" for none, and how often it has died on this connection.
// ok is false while that is not known, and while the player is dead: its client is told so before it is shown it on foot.
func (p *rccePlayer) mounted() (kind string, deaths int, ok bool) {
	c := p.client.Load()
	if c == nil {
		return "", 0, false
	}
	deaths = int(c.Stats(nil, nil).Deaths)
	c.Inspect(func(w *rcce.World) {
		mount, known := w.Actor(w.Self.Mount)
		kind, ok = mount.Name, w.Self.Updates > 0 && (known || w.Self.Mount == 0) && !w.Self.Dead()
	})
	return kind, deaths, ok
}

// finishCompany prints what was compared of parties, mounts and pets, and checks that it was enough.
func (t *test) finishCompany() {
	c := t.history.Company()
	fmt.Printf("in all: %d parties, with %d members, that a client had to be shown when it entered an area; %d changes of area on a mount; %d pets found with their players\n", c.Entries, c.Members, c.Rides, c.Pets)
	for _, k := range []struct {
		n, least int
		what     string
	}{{c.Entries, t.company, "parties that a client had to be shown"}, {c.Members, t.members, "party members that a client had to be shown"}, {c.Rides, t.company, "changes of area on a mount"}, {c.Pets, t.company, "pets found with their players"}} {
		var err error
		if k.n < k.least {
			err = fmt.Errorf("the run has only %d %s, want at least %d", k.n, k.what, k.least)
		}
		t.Check("the run has "+k.what, err)
	}
}
