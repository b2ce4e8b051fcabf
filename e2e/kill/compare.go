//go:build linux

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Tolerances of the comparisons. Before the kill, the server continues to run after it has sent the last packet that a client
// received: for at most a cycle of the RuneScape door, and longer on a busy machine. After the restart, the areas run for some
// time before the live map shows them.
const (
	unseenTime   = time.Second   // maximum time before the kill of which clients were shown nothing
	maxSpeed     = 30            // speed of a running player of any door in units per second
	unseenDamage = 0.6           // maximum share of the health that NPCs and players lose in unseenTime
	halfHeart    = 0.5/20 + 1e-3 // minimum share of the health that Bedrock clients are shown of a living player
	stillUnits   = 20            // distance in units within which a body without a connection stays: a RuneScape player ends its step of two tiles
)

// before holds the state that all clients were last shown before a kill.
type before struct {
	at      time.Time // when the server was killed
	players map[string]playerBefore
	rcces   []rcceBefore
}

// playerBefore holds the state of its own player that a client was last shown before a kill.
type playerBefore struct {
	shown
	id     sim.EntityID // entity of the client's player, 0 if unknown
	diedAt time.Time    // earliest possible time of death; zero if the player lives
}

func (b *before) deadPlayers() (n int) {
	for _, p := range b.players {
		if p.dead {
			n++
		}
	}
	return n
}

// compareBodies compares the bodies of a restarted server with what the clients were shown.
func (t *test) compareBodies(name string, b *before, live *liveMap, ready time.Time) {
	t.check(name+"every player is in exactly one area", t.awaitBodies(b, live)...)
	var places, healths, deaths, entities []error
	for _, who := range slices.Sorted(maps.Keys(b.players)) {
		p := b.players[who]
		_, is, _ := live.bodies(who)
		if is.id == 0 || p.area == nil {
			continue // awaitBodies reports players without a body
		}
		if p.id != 0 && p.id != is.id {
			entities = append(entities, fmt.Errorf("%s is entity %d after the restart, but was entity %d before", who, is.id, p.id))
		}
		if p.dead && is.health == 255 && p.mayRespawn(b.at, is.at.Sub(ready)) {
			continue
		}
		places = append(places, t.comparePlace(who, &p, &is))
		healths = append(healths, compareHealth(who, &p, &is))
		if p.dead && !is.dead {
			deaths = append(deaths, fmt.Errorf("%s lives, but was dead for %v of %d s", who, round(b.at.Sub(p.diedAt)), respawnSeconds))
		}
	}
	t.check(name+"bodies are the same entities", entities...)
	t.check(name+"bodies are where they were shown", places...)
	t.check(name+"nobody has regained or lost health", healths...)
	t.check(name+"the dead lie dead", deaths...)
}

// awaitFrames waits until the live map has shown every area.
func (t *test) awaitFrames(live *liveMap) error {
	for end := time.Now().Add(bodiesLimit); ; wait(t.ctx, polls) {
		if _, _, ok := live.bodies(""); ok {
			return nil
		}
		if err := live.failed(); err != nil || time.Now().After(end) || t.ctx.Err() != nil {
			return fmt.Errorf("the live map does not show all areas: %w", errors.Join(err, t.ctx.Err()))
		}
	}
}

// awaitBodies waits until every player has exactly one body, and returns an error for each that does not.
func (t *test) awaitBodies(b *before, live *liveMap) (errs []error) {
	if err := t.awaitFrames(live); err != nil {
		return []error{err}
	}
	for end := time.Now().Add(bodiesLimit); ; wait(t.ctx, polls) {
		errs = errs[:0]
		for _, who := range slices.Sorted(maps.Keys(b.players)) {
			if list, _, _ := live.bodies(who); len(list) != 1 {
				errs = append(errs, fmt.Errorf("%s has %d bodies after the restart, want 1", who, len(list)))
			}
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

// mayRespawn reports whether a player that was shown dead may live again. ran is the time for which the restarted server has run.
func (p *playerBefore) mayRespawn(killed time.Time, ran time.Duration) bool {
	return p.dead && killed.Sub(p.diedAt)+ran+2*unseenTime > respawnSeconds*time.Second
}

// comparePlace compares the position of a body with the position that its client was last shown.
func (t *test) comparePlace(who string, p *playerBefore, is *body) error {
	const tolerance = maxSpeed * float32(unseenTime/time.Second)
	if is.area == p.area.ID {
		if d := geom.DistXZ(p.pos, is.pos); d > tolerance {
			return fmt.Errorf("%s is %.0f units away from where it was shown in %s: at %.0f %.0f, not %.0f %.0f", who, d, p.area.Name, is.pos.X, is.pos.Z, p.pos.X, p.pos.Z)
		}
		return nil
	}
	for _, e := range p.area.entrances() {
		if e.to == is.area && geom.DistXZ(e.at, p.pos) < portalRadius+tolerance {
			return nil // the player had changed areas, and its client was not shown the new area yet
		}
	}
	return fmt.Errorf("%s is in area %d at %.0f %.0f, but was shown in %s at %.0f %.0f", who, is.area, is.pos.X, is.pos.Z, p.area.Name, p.pos.X, p.pos.Z)
}

// compareHealth compares the health of a body with the health that its client was last shown. In the test's world, players
// regain health only by a respawn.
func compareHealth(who string, p *playerBefore, is *body) error {
	if p.health < 0 {
		return nil
	}
	if most := healthByte(p.health); int(is.health) > most {
		return fmt.Errorf("%s has health %d/255 after the restart, but its client was last shown %d/255", who, is.health, most)
	}
	if least := healthByte(p.health - unseenDamage); int(is.health) < least {
		return fmt.Errorf("%s has health %d/255 after the restart, but its client was shown %d/255 a moment before the kill", who, is.health, healthByte(p.health))
	}
	return nil
}

// compareNPCs compares the NPCs with what RealmCrafter clients were shown of them.
func (t *test) compareNPCs(b *before, live *liveMap, ready time.Time) (errs []error) {
	if err := t.awaitFrames(live); err != nil {
		return []error{err}
	}
	newest := map[string]npc{}
	for _, r := range b.rcces {
		for name, n := range r.npcs {
			if n.at.After(newest[name].at) {
				newest[name] = n
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(newest)) {
		n := newest[name]
		list, is, _ := live.bodies(name)
		there := is.id != 0
		ran := time.Since(ready)
		if there {
			ran = is.at.Sub(ready)
		}
		replaced := b.at.Sub(n.at)+ran+2*unseenTime > spawnSeconds*time.Second
		switch {
		case len(list) > 1:
			errs = append(errs, fmt.Errorf("NPC %s exists %d times after the restart, want at most once", name, len(list)))
		case n.dead && there && !replaced:
			errs = append(errs, fmt.Errorf("NPC %s lives with health %d/255 after the restart, but clients were shown it dead %v before the kill", name, is.health, round(b.at.Sub(n.at))))
		case !n.dead && there && int(is.health) > healthByte(n.health) && !(is.health == 255 && replaced):
			errs = append(errs, fmt.Errorf("NPC %s has health %d/255 after the restart, but clients were last shown %d/255", name, is.health, healthByte(n.health)))
		case !n.dead && !there && n.health > unseenDamage:
			errs = append(errs, fmt.Errorf("NPC %s is gone after the restart, but clients were last shown it with health %d/255", name, healthByte(n.health)))
		}
	}
	return errs
}

// compareReturned compares the state that the clients are shown after they have logged in again with their bodies, and with the
// state that they were shown before the kill.
func (t *test) compareReturned(name string, b *before, live *liveMap) {
	t.check(name+"clients are in the bodies that waited", t.compareSessions(b, live)...)
	t.check(name+"parties are as they were shown", t.compareParties(b, live)...)
	t.check(name+"clients are shown the place and the health of before", t.compareShown(b, live)...)
	t.check(name+"the ground is as it was shown", t.compareGround(b)...)
	t.check(name+"players have the items that they were shown", t.compareInventories(b)...)
	t.check(name+"no item is lost or doubled", t.countItems(true)...)
	t.check(name+"no experience is lost or doubled", t.compareExperience(b)...)
}

// compareShown compares the state of its own player that each client is shown after its return with the state before the kill.
// Only a player that has died since may be at another position or have more health.
func (t *test) compareShown(b *before, live *liveMap) (errs []error) {
	for _, p := range t.players {
		was, known := b.players[p.name()]
		list, _, _ := live.bodies(p.name())
		now := p.shown()
		if !known || was.area == nil || p.playing() != nil || was.dead || live.hasDied(p.name()) {
			continue
		}
		if len(list) != 1 || now.area == nil {
			errs = append(errs, fmt.Errorf("%s has %d actors in the world after it has logged in again, want 1", p.name(), len(list)))
			continue
		}
		errs = append(errs, t.comparePlace(p.name(), &was, &body{area: now.area.ID, pos: now.pos}))
		if was.health >= 0 && now.health >= 0 && healthByte(now.health) > healthByte(was.health) {
			errs = append(errs, fmt.Errorf("%s is shown health %d/255, but was shown %d/255 before", p.name(), healthByte(now.health), healthByte(was.health)))
		}
	}
	return errs
}

// compareSessions compares the entity and position of each client's player with those of the body that lingered until the
// client returned.
func (t *test) compareSessions(b *before, live *liveMap) (errs []error) {
	ids, err := t.server.entities(t.ctx)
	if err != nil {
		return []error{err}
	}
	for _, p := range t.players {
		_, known := b.players[p.name()]
		list, first, _ := live.bodies(p.name())
		if !known || p.playing() != nil || first.id == 0 {
			continue // other checks report a player without a session or a body
		}
		now := p.shown()
		switch {
		case len(list) != 1:
			errs = append(errs, fmt.Errorf("%s has %d bodies after its return", p.name(), len(list)))
		case ids[p.name()] != first.id:
			errs = append(errs, fmt.Errorf("%s is entity %d, but entity %d waited for it", p.name(), ids[p.name()], first.id))
		case now.area == nil || now.area.ID != list[0].area:
			errs = append(errs, fmt.Errorf("%s is not shown the area in which its body is", p.name()))
		case live.hasDied(p.name()) || now.dead: // a respawn moves the body to another position
		case geom.DistXZ(now.pos, first.pos) > stillUnits+tileDiagonal:
			errs = append(errs, fmt.Errorf("%s is shown %.0f %.0f, but its body waited at %.0f %.0f", p.name(), now.pos.X, now.pos.Z, first.pos.X, first.pos.Z))
		case now.health > halfHeart && healthByte(now.health) > int(first.health)+1:
			errs = append(errs, fmt.Errorf("%s is shown health %d/255, but its body had %d/255", p.name(), healthByte(now.health), first.health))
		}
	}
	return errs
}

// tileDiagonal is a tolerance in units, slightly more than the diagonal of a tile, because RuneScape clients are shown whole
// tiles.
const tileDiagonal = 10
