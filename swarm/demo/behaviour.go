package demo

import (
	"fmt"
	"math"
	"math/rand/v2"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/geom"
)

// behaviour decides what a bot does. It does not depend on the protocol: it is told the bot's position in world units, and
// returns decisions in world units. It is not safe for concurrent use.
type behaviour struct {
	worldMap      *worldMap
	role          role
	rng           *rand.Rand
	allowGreeting func(name string) bool // reports whether the bot may greet a player; all bots share it, so that a player is not greeted by all of them
	strollRadius  float32                // maximum distance of a stroll from home, in world units
	arrival       float32                // distance in world units at which a goal counts as reached

	area          sim.AreaID
	home          geom.Vec // centre of the bot's strolls
	activity      activity
	activityUntil time.Time  // time at which the bot chooses its next activity
	travelTo      sim.AreaID // destination while the bot is travelling

	goal      geom.Vec  // end of the current walk
	leg       int       // number of the current walk; 0 or negative while the bot does not walk
	run       bool      // the bot runs on the current walk
	legUntil  time.Time // time at which the bot gives up the current walk
	restUntil time.Time // time until which the bot stands still

	nextLine   time.Time       // time at which the bot says its next chat line
	knownNames map[string]bool // names of players that the bot has already seen
	greeting   string          // greeting that the bot says at greetAt; "" means none
	greetAt    time.Time
}

// activity is what a bot does for a while.
type activity uint8

const (
	strolling activity = iota
	standing
	fighting
	travelling
)

// decision is what a bot does in this tick.
type decision struct {
	fight bool     // attack a nearby player or NPC that the bot may fight; takes precedence over the walk
	leg   int      // number of the walk; it changes with each new goal, and is 0 if the bot stands still
	goal  geom.Vec // goal of the walk; Y is not used
	run   bool     // run instead of walk
	say   string   // chat line; "" means none
}

// Durations and probabilities of a bot's decisions.
const (
	strollTime  = 25 * time.Second // average duration of a stroll; vary randomizes this and the following durations
	standTime   = 6 * time.Second
	fightTime   = 40 * time.Second
	travelTime  = 45 * time.Second
	legTimeout  = 15 * time.Second        // maximum duration of a walk; a walk that takes longer is blocked
	restTime    = 5 * time.Second         // maximum rest between two walks
	portalRest  = time.Second             // rest at a portal, which may not work for a while
	lineTime    = 3 * time.Minute         // average time between two chat lines
	greetDelay  = 1500 * time.Millisecond // average time between seeing a player and greeting it
	sightPeriod = 3 * time.Second         // time between two scans for players in sight

	restShare  = 0.6  // probability that the bot rests after a walk
	runShare   = 0.3  // probability that the bot runs on a walk of a stroll
	roamShare  = 0.35 // probability that a traveller chooses another area as its next activity
	standShare = 0.1  // probability that a bot chooses to stand still as its next activity
	goalTries  = 24   // maximum number of random goals that are tried until the bot can walk to one
)

// fightShare is the probability, by role, that a bot chooses to fight as its next activity.
var fightShare = map[role]float32{hunter: 0.5, gladiator: 0.75, cheater: 0.2, traveller: 0.25}

// decide returns what the bot does now. The time now must not be earlier than in the previous call.
func (b *behaviour) decide(now time.Time, area sim.AreaID, pos geom.Vec) decision {
	if b.activityUntil.IsZero() || area != b.area {
		b.enterArea(now, area, pos)
	}
	if now.After(b.activityUntil) {
		b.chooseActivity(now)
	}
	d := decision{say: b.nextSpeech(now), fight: b.activity == fighting}
	if b.activity == standing {
		b.endLeg()
		return d
	}
	b.updateLeg(now, pos)
	if b.leg > 0 {
		d.leg, d.goal, d.run = b.leg, b.goal, b.run
	}
	return d
}

// endLeg ends the current walk. Walks are numbered by b.leg, and a negative number means that the bot does not walk. endLeg
// negates the number, so that the next walk can have the next number.
func (b *behaviour) endLeg() { b.leg = -max(b.leg, -b.leg) }

// enterArea makes the bot start again in a new area: it ends the walk and the activity.
func (b *behaviour) enterArea(now time.Time, area sim.AreaID, pos geom.Vec) {
	if b.nextLine.IsZero() {
		b.nextLine = now.Add(b.vary(lineTime / 2))
	}
	b.area, b.home = area, pos
	b.endLeg()
	if area == b.worldMap.startArea {
		b.home = b.worldMap.startPos
	}
	b.activityUntil = now // stand still for one tick, then choose an activity
	b.restUntil = now.Add(b.vary(restTime / 2))
}

// vary returns a random duration between half of d and 1.5 times d.
func (b *behaviour) vary(d time.Duration) time.Duration {
	return d/2 + time.Duration(b.rng.Int64N(int64(d)))
}

// chooseActivity chooses the bot's next activity at random, according to its role.
func (b *behaviour) chooseActivity(now time.Time) {
	if to, ok := b.chooseArea(); ok {
		b.activity, b.travelTo, b.activityUntil = travelling, to, now.Add(b.vary(travelTime))
		return
	}
	switch r, fight := b.rng.Float32(), fightShare[b.role]; {
	case r < fight:
		b.activity, b.activityUntil = fighting, now.Add(b.vary(fightTime))
	case r < fight+standShare:
		b.activity, b.activityUntil = standing, now.Add(b.vary(standTime))
	default:
		b.activity, b.activityUntil = strolling, now.Add(b.vary(strollTime))
	}
}

// chooseArea chooses an area to travel to. ok is false if the bot stays in its area.
func (b *behaviour) chooseArea() (to sim.AreaID, ok bool) {
	switch b.role {
	case gladiator:
		if b.worldMap.world.Areas[b.area].PvP {
			return 0, false
		}
		return b.worldMap.nearestPvP(b.area)
	case traveller:
		if near := b.worldMap.neighbours(b.area); len(near) > 0 && b.rng.Float32() < roamShare {
			return near[b.rng.IntN(len(near))], true
		}
		return 0, false
	}
	_, route := b.worldMap.portalToward(b.area, b.worldMap.startArea)
	return b.worldMap.startArea, route
}

// updateLeg ends the current walk if the bot has reached its goal or has walked for too long. It begins the next walk unless
// the bot rests.
func (b *behaviour) updateLeg(now time.Time, pos geom.Vec) {
	switch {
	case b.leg > 0 && geom.DistXZ(pos, b.goal) > b.arrival && now.Before(b.legUntil):
		return
	case b.leg > 0:
		b.endLeg()
		switch {
		case b.activity == travelling:
			b.restUntil = now.Add(portalRest)
		case b.rng.Float32() < restShare:
			b.restUntil = now.Add(b.vary(restTime / 2))
		}
	}
	if now.Before(b.restUntil) {
		return
	}
	goal, ok := b.chooseGoal(pos)
	if !ok {
		b.restUntil = now.Add(time.Second)
		return
	}
	b.goal, b.leg, b.legUntil = goal, 1-b.leg, now.Add(legTimeout)
	b.run = b.activity == travelling || b.rng.Float32() < runShare
}

// chooseGoal returns the goal of the next walk: the portal toward the area travelTo if the bot travels, otherwise a random position
// around the position home. If the bot cannot walk there in a straight line, the goal is the first position of a detour.
func (b *behaviour) chooseGoal(pos geom.Vec) (geom.Vec, bool) {
	if b.activity == travelling {
		if p, ok := b.worldMap.portalToward(b.area, b.travelTo); ok {
			return b.goalToward(pos, p.Pos)
		}
	}
	for range goalTries {
		if to := b.randomPoint(b.home, b.strollRadius); b.worldMap.canWalk(b.area, pos, to) {
			return to, true
		}
	}
	return b.detour(pos, b.home)
}

// goalToward returns the goal of a walk to the position target. This is the target itself if the bot can walk to it in a
// straight line, otherwise the first position of a detour.
func (b *behaviour) goalToward(pos, target geom.Vec) (geom.Vec, bool) {
	if b.worldMap.canWalk(b.area, pos, target) {
		return target, true
	}
	return b.detour(pos, target)
}

// detour finds a way around obstacles. It tries random positions until it finds one to which the bot can walk and from which it
// can walk to the target, both in a straight line. If it finds none, it returns any position to which the bot can walk.
func (b *behaviour) detour(pos, target geom.Vec) (to geom.Vec, ok bool) {
	for range goalTries {
		try := b.randomPoint(pos, b.strollRadius)
		if !b.worldMap.canWalk(b.area, pos, try) {
			continue
		}
		to, ok = try, true
		if b.worldMap.canWalk(b.area, try, target) {
			break
		}
	}
	return to, ok
}

// randomPoint returns a random point in a circle, uniformly distributed.
func (b *behaviour) randomPoint(centre geom.Vec, radius float32) geom.Vec {
	far := float64(radius) * math.Sqrt(b.rng.Float64())
	sin, cos := math.Sincos(2 * math.Pi * b.rng.Float64())
	return geom.Vec{X: centre.X + float32(far*cos), Y: centre.Y, Z: centre.Z + float32(far*sin)}
}

// nextSpeech returns the chat line that the bot says now, or "" if it says nothing.
func (b *behaviour) nextSpeech(now time.Time) string {
	if b.greeting != "" && now.After(b.greetAt) {
		text := b.greeting
		b.greeting = ""
		return text
	}
	if now.Before(b.nextLine) {
		return ""
	}
	b.nextLine = now.Add(b.vary(lineTime))
	lines := roleTalk[b.role]
	if b.rng.IntN(2) == 0 {
		lines = smallTalk
	}
	return lines[b.rng.IntN(len(lines))]
}

const maxKnownNames = 1024 // maximum number of names that are remembered; beyond it all names are forgotten

// seePlayer tells the behaviour that an actor with this name is in sight. The bot greets a player that it sees for the first
// time. It greets no bots and no NPCs.
func (b *behaviour) seePlayer(now time.Time, name string) {
	if name == "" || b.knownNames[name] || isBotName(name) {
		return
	}
	if _, npc := b.worldMap.hostile[name]; npc {
		return
	}
	if b.knownNames == nil || len(b.knownNames) >= maxKnownNames {
		b.knownNames = map[string]bool{}
	}
	b.knownNames[name] = true
	if b.greeting == "" && b.allowGreeting(name) {
		b.greeting = fmt.Sprintf(greetings[b.rng.IntN(len(greetings))], name)
		b.greetAt = now.Add(b.vary(greetDelay))
	}
}
