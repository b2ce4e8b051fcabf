//go:build linux

package main

import (
	"errors"
	"fmt"
	"maps"
	"slices"
	"time"

	"github.com/truestep-io/truestep/e2e/report"
	"github.com/truestep-io/truestep/e2e/truth"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// Tolerances of the comparisons with the state before the server was killed. The states differ for two reasons: (1) The server
// continues to run for some time after it has sent the last packet that a client received: for at most a cycle of the RuneScape door,
// 600 ms, and longer on a busy machine. (2) After the restart, the areas run for some time before the live map shows them. The tolerances
// are those of unseenTime, or of the measured time, at most maxUnseen, if that is longer: see unseen.
const (
	unseenTime   = time.Second    // usual maximum of these two times together
	maxUnseen    = 3 * unseenTime // longest such time that the comparisons allow for
	maxSpeed     = 30             // speed of a running player of any door in units per second
	unseenDamage = 0.6            // maximum damage to an NPC or player in unseenTime, as a share of full health
	maxDamage    = 0.9            // maximum damage that the comparisons allow for in any time, as a share of full health
	halfHeart    = 0.5/20 + 1e-3  // least health of a living player that Bedrock clients are shown, as a share of full health
	stillUnits   = 20             // maximum movement, in units, of a player without a connection: a RuneScape player completes its step of two tiles
)

// before holds the last state that the clients received before the server was killed.
type before struct {
	at      time.Time               // time at which the server was killed
	players map[string]playerBefore // by player name
	rcces   []rcceBefore            // state of each RealmCrafter client, in the order of test.rcces
}

// playerBefore is the last state of a client's own player that the client received before the server was killed.
type playerBefore struct {
	shown
	id     sim.EntityID // entity of the client's player, 0 if unknown
	diedAt time.Time    // earliest possible time of death; zero if the player lives
	seen   time.Time    // latest time at which the client was shown the world
}

// unseen returns a time for which the world ran while a client was not shown it, in units of unseenTime: at least 1, and at most that of
// maxUnseen. The parameters are the two parts of that time: (1) from the client's last update to the kill of the server, and (2) after the
// restart.
func unseen(before, after time.Duration) float64 {
	sum := min(before, maxUnseen) + min(after, maxUnseen) // the time before is the greatest Duration if the client never had an update
	return min(max(sum, unseenTime), maxUnseen).Seconds() / unseenTime.Seconds()
}

// maxLost returns the maximum health that an NPC or player loses in a time that a client was not shown, as a share of full health. The
// parameters are those of unseen.
func maxLost(before, after time.Duration) float64 {
	return min(unseenDamage*unseen(before, after), maxDamage)
}

// compareUpdates returns an error for each client that played when the server was killed and had received no update of the world in maxUnseen
// before: the comparisons do not allow for a longer time.
func (b *before) compareUpdates() (errs []error) {
	for _, who := range slices.Sorted(maps.Keys(b.players)) {
		switch seen := b.players[who].seen; {
		case seen.IsZero():
			errs = append(errs, fmt.Errorf("the client of %s was never shown the world", who))
		case b.at.Sub(seen) > maxUnseen:
			errs = append(errs, fmt.Errorf("the client of %s was last shown the world %v before the server was killed, want at most %v", who, report.Round(b.at.Sub(seen)), maxUnseen))
		}
	}
	return errs
}

func (b *before) deadPlayers() (n int) {
	for _, p := range b.players {
		if p.dead {
			n++
		}
	}
	return n
}

// compareBodies compares the actor of each player on the restarted server, before the player's client returns, with the state that
// the client received before the server was killed. The parameter name is the prefix of the checks' names.
func (t *test) compareBodies(name string, b *before, live *truth.Map, ready time.Time) {
	t.Check(name+"every player is in exactly one area", t.awaitBodies(b, live)...)
	var places, healths, deaths, entities []error
	for _, who := range slices.Sorted(maps.Keys(b.players)) {
		p := b.players[who]
		is := live.First(who)
		if is.ID == 0 || p.area == nil {
			continue // awaitBodies reports this: the player has no actor
		}
		if p.id != 0 && p.id != is.ID {
			entities = append(entities, fmt.Errorf("%s is entity %d after the restart, but was entity %d before", who, is.ID, p.id))
		}
		if p.dead && is.Health == 255 && p.mayRespawn(b.at, is.At.Sub(ready)) {
			continue
		}
		places = append(places, p.comparePlace(who, &is, b.at))
		healths = append(healths, compareHealth(who, &p, &is, b.at.Sub(p.seen), is.At.Sub(ready)))
		if p.dead && !is.Dead {
			deaths = append(deaths, fmt.Errorf("%s is alive after the restart, but had been dead for only %v before, and respawns after %d s", who, report.Round(b.at.Sub(p.diedAt)), respawnSeconds))
		}
	}
	t.Check(name+"players have the same entity ids", entities...)
	t.Check(name+"players are where they were shown", places...)
	t.Check(name+"players have the health that they were shown", healths...)
	t.Check(name+"dead players are still dead", deaths...)
}

// awaitFrames waits until the live map has shown every area.
func (t *test) awaitFrames(live *truth.Map) error {
	for end := time.Now().Add(bodiesLimit); ; wait(t.ctx, polls) {
		if _, ok := live.Ticks(); ok {
			return nil
		}
		if err := live.Err(); err != nil || time.Now().After(end) || t.ctx.Err() != nil {
			return fmt.Errorf("the console's live maps have not sent a frame of every area: %w", errors.Join(err, t.ctx.Err()))
		}
	}
}

// awaitBodies waits until every player has exactly one actor in the world. It returns an error for each player that still has
// none or several when bodiesLimit has passed.
func (t *test) awaitBodies(b *before, live *truth.Map) (errs []error) {
	if err := t.awaitFrames(live); err != nil {
		return []error{err}
	}
	for end := time.Now().Add(bodiesLimit); ; wait(t.ctx, polls) {
		errs = errs[:0]
		for _, who := range slices.Sorted(maps.Keys(b.players)) {
			if list := live.Bodies(who); len(list) != 1 {
				errs = append(errs, fmt.Errorf("%s has %d actors in the world after the restart, want 1", who, len(list)))
			}
		}
		if len(errs) == 0 || time.Now().After(end) || t.ctx.Err() != nil {
			return errs
		}
	}
}

// mayRespawn reports whether a player that was dead at the kill of the server may have respawned since. The parameter killed is
// the time of the kill, and ran is the time for which the restarted server has run.
func (p *playerBefore) mayRespawn(killed time.Time, ran time.Duration) bool {
	return p.dead && killed.Sub(p.diedAt)+ran+2*unseenTime > respawnSeconds*time.Second
}

// comparePlace returns an error if a player's actor is further from the position that its client last received than a player can
// walk until the kill of the server, for at least unseenTime and at most maxUnseen. After the restart, players without a client hardly move.
func (p *playerBefore) comparePlace(who string, is *truth.Body, killed time.Time) error {
	return p.area.ComparePlace(who, p.pos, is, maxSpeed*float32(unseenTime.Seconds()*unseen(killed.Sub(p.seen), 0)))
}

// compareHealth compares the health of a player's actor with the health that its client last received. In the test's world,
// players regain health only by a respawn. The parameters before and after are those of unseen.
func compareHealth(who string, p *playerBefore, is *truth.Body, before, after time.Duration) error {
	if p.health < 0 {
		return nil
	}
	if most := healthByte(p.health); int(is.Health) > most {
		return fmt.Errorf("%s has health %d/255 after the restart, but its client was last shown %d/255", who, is.Health, most)
	}
	if least := healthByte(p.health - maxLost(before, after)); int(is.Health) < least {
		return fmt.Errorf("%s has health %d/255 after the restart, but its client was shown %d/255 %.2f s before the server was killed, and the area had run for %.2f s since the restart", who, is.Health, healthByte(p.health), before.Seconds(), after.Seconds())
	}
	return nil
}

// compareNPCs compares each NPC after the restart with its last state that any RealmCrafter client received before the server was
// killed.
func (t *test) compareNPCs(b *before, live *truth.Map, ready time.Time) (errs []error) {
	if err := t.awaitFrames(live); err != nil {
		return []error{err}
	}
	newest, from := map[string]npc{}, map[string]*rcceBefore{} // by name of the NPC: its state, and the client that was shown it
	for i := range b.rcces {
		for name, n := range b.rcces[i].npcs {
			if n.at.After(newest[name].at) {
				newest[name], from[name] = n, &b.rcces[i]
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(newest)) {
		n := newest[name]
		list, is := live.Bodies(name), live.First(name)
		there := is.ID != 0
		var ran time.Duration
		if there {
			ran = is.At.Sub(ready)
		} else if area := t.crowd.world.AreaNamed(from[name].area); area != nil {
			ran = live.Began(area.ID).Sub(ready)
		}
		replaced := b.at.Sub(n.at)+ran+2*unseenTime > spawnSeconds*time.Second
		switch {
		case len(list) > 1:
			errs = append(errs, fmt.Errorf("NPC %s exists %d times after the restart, want at most once", name, len(list)))
		case n.dead && there && !replaced:
			errs = append(errs, fmt.Errorf("NPC %s lives with health %d/255 after the restart, but %v before the server was killed, clients were shown that it was dead", name, is.Health, report.Round(b.at.Sub(n.at))))
		case !n.dead && there && int(is.Health) > healthByte(n.health) && !(is.Health == 255 && replaced):
			errs = append(errs, fmt.Errorf("NPC %s has health %d/255 after the restart, but the last health that clients were shown of it is %d/255", name, is.Health, healthByte(n.health)))
		case !n.dead && !there && n.health > maxLost(b.at.Sub(from[name].seen), ran):
			errs = append(errs, fmt.Errorf("NPC %s is gone after the restart, but the last health that clients were shown of it is %d/255", name, healthByte(n.health)))
		}
	}
	return errs
}

// compareReturned compares the state that clients receive after they have logged in again. It compares that state (1) with the actors
// that waited for the clients in the world, and (2) with the state that the clients received before the server was killed.
func (t *test) compareReturned(name string, b *before, live *truth.Map) {
	t.Check(name+"clients take over the actors that waited for them", t.compareSessions(b, live)...)
	t.Check(name+"parties are as they were shown", t.compareParties(b, live)...)
	t.Check(name+"clients are shown the same position and health as before", t.compareShown(b, live)...)
	t.Check(name+"items on the ground are as they were shown", t.compareGround(b)...)
	t.Check(name+"players have the items that they were shown", t.compareInventories(b)...)
	t.Check(name+"no item is lost or doubled", t.countItems(true)...)
	t.Check(name+"no experience is lost or doubled", t.compareExperience(b)...)
}

// compareShown compares two states of each client's own player: the state that the client receives after its return, and the state
// that it received before the server was killed. It leaves out players that have died since, because a respawn changes position and
// health.
func (t *test) compareShown(b *before, live *truth.Map) (errs []error) {
	for _, p := range t.players {
		was, known := b.players[p.name()]
		list := live.Bodies(p.name())
		now := p.shown()
		if !known || was.area == nil || p.playing() != nil || was.dead || live.HasDied(p.name()) {
			continue
		}
		if len(list) != 1 || now.area == nil {
			errs = append(errs, fmt.Errorf("%s has %d actors in the world after it has logged in again, want 1, or its client is not shown an area", p.name(), len(list)))
			continue
		}
		errs = append(errs, was.comparePlace(p.name(), &truth.Body{Area: now.area.ID, Pos: now.pos}, b.at))
		if was.health >= 0 && now.health >= 0 && healthByte(now.health) > healthByte(was.health) {
			errs = append(errs, fmt.Errorf("the client of %s shows health %d/255 after the restart, but showed only %d/255 before the server was killed", p.name(), healthByte(now.health), healthByte(was.health)))
		}
	}
	return errs
}

// compareSessions checks that each returned client controls the actor that lingered in the world until then: the same entity, at
// the same position, without more health.
func (t *test) compareSessions(b *before, live *truth.Map) (errs []error) {
	ids, err := t.server.entities(t.ctx)
	if err != nil {
		return []error{err}
	}
	for _, p := range t.players {
		_, known := b.players[p.name()]
		list, first := live.Bodies(p.name()), live.First(p.name())
		if !known || p.playing() != nil || first.ID == 0 {
			continue // other checks report a player without a session or an actor
		}
		now := p.shown()
		switch {
		case len(list) != 1:
			errs = append(errs, fmt.Errorf("%s has %d actors in the world after its return, want 1", p.name(), len(list)))
		case ids[p.name()] != first.ID:
			errs = append(errs, fmt.Errorf("%s controls entity %d after its return, but its lingering actor was entity %d", p.name(), ids[p.name()], first.ID))
		case now.area == nil || now.area.ID != list[0].Area:
			errs = append(errs, fmt.Errorf("the client of %s is not shown the area in which its actor is", p.name()))
		case live.HasDied(p.name()) || now.dead: // no comparison, because a respawn moves the actor
		case geom.DistXZ(now.pos, first.Pos) > stillUnits+tileDiagonal:
			errs = append(errs, fmt.Errorf("the client of %s shows x %.0f, z %.0f after its return, but the lingering actor that it took over was at x %.0f, z %.0f", p.name(), now.pos.X, now.pos.Z, first.Pos.X, first.Pos.Z))
		case now.health > halfHeart && healthByte(now.health) > int(first.Health)+1:
			errs = append(errs, fmt.Errorf("the client of %s shows health %d/255 after its return, but the lingering actor that it took over had %d/255", p.name(), healthByte(now.health), first.Health))
		}
	}
	return errs
}

// tileDiagonal is a tolerance of positions in units, slightly more than the diagonal of a tile, because RuneScape clients
// receive positions in whole tiles.
const tileDiagonal = 10
