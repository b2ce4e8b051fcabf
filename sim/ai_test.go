package sim

import (
	"testing"

	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

// patroller adds an NPC that is on patrol and stands on a waypoint.
func (s *stage) patroller(template uint16, waypoint int32) *actor {
	x := s.npc(template, s.a.def.Waypoints[waypoint].Pos)
	x.waypoint, x.mode = waypoint, modePatrol
	return x
}

// docs/wire/rcce.md 5.5 and rcce-data.md 11: a patrolling NPC walks to one of the waypoint's successors A and B, and
// rests at each waypoint for the waypoint's pause.
func TestPatrollingNPCWalksBetweenWaypointsAndRests(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.patroller(tmplCow, 0)
	s.step()
	if x.waypoint != 1 || !near(x.destX, 200, waypointJitter) || !near(x.destZ, 0, waypointJitter) {
		t.Fatalf("from waypoint 0 it goes to (%v, %v) for waypoint %d", x.destX, x.destZ, x.waypoint)
	}
	for x.mode != modePause {
		if s.step(); s.a.now > 100 {
			t.Fatal("it does not rest at waypoint 1")
		}
	}
	at, came := x.pos, s.a.now
	for x.mode == modePause {
		if s.step(); x.mode == modePause && x.pos != at {
			t.Fatal("it does not stand still while it rests")
		}
	}
	if got := s.a.now - came; got != 20 || x.waypoint != 0 {
		t.Errorf("rested %d ticks and walks to waypoint %d, want 20 and 0", got, x.waypoint)
	}
}

func TestPatrollingNPCChoosesBothNextWaypointsEquallyOften(t *testing.T) {
	for name, c := range map[string]struct {
		a, b, prev int32
		least      [4]int // minimum counts among 1000 choices of waypoints 1, 2, 3 and none
	}{
		"both":            {1, 2, 3, [4]int{450, 450, 0, 0}},
		"A only":          {1, -1, 3, [4]int{1000, 0, 0, 0}},
		"B only":          {-1, 2, 3, [4]int{0, 1000, 0, 0}},
		"back":            {-1, -1, 3, [4]int{0, 0, 1000, 0}},
		"unused are none": {4, 4, 3, [4]int{0, 0, 1000, 0}},
		"dead end":        {-1, -1, -1, [4]int{0, 0, 0, 1000}},
	} {
		a := NewArea(testWorld(), 0, 1)
		a.def.Waypoints = make([]Waypoint, 5)
		for i := range 4 {
			a.def.Waypoints[i].Used = true
		}
		var got [4]int
		for range 1000 {
			next := a.nextWaypoint(&Waypoint{NextA: c.a, NextB: c.b, Prev: c.prev})
			if next < 0 {
				next = 4
			}
			got[next-1]++
		}
		for i := range got {
			if got[i] < c.least[i] {
				t.Errorf("%s: %v choices, want at least %v", name, got, c.least)
				break
			}
		}
	}
}

func TestPatrollingNPCWaitsAtWaypointWithoutNextWaypoint(t *testing.T) {
	s := newStage(t, testWorld())
	x := s.patroller(tmplCow, 2)
	if s.step(); x.mode != modeWait {
		t.Errorf("mode %d at a waypoint without a next, want wait", x.mode)
	}
}

// docs/wire/rcce-data.md 11: an NPC whose spawn has a range of 5 or more stays within this range of the waypoint on each axis and
// does not rest. If the NPC's own spawn is not at the waypoint, the first active spawn there counts.
func TestWanderingNPCStaysWithinSpawnRange(t *testing.T) {
	w := testWorld()
	w.Areas[0].Spawns = []Spawn{
		{Template: tmplDeer, Waypoint: 1, Range: 0, Max: 0, PeriodMS: 1000},
		{Template: tmplCow, Waypoint: 1, Range: 30, Max: 1, PeriodMS: 1000},
	}
	s := newStage(t, w)
	s.step()
	cow := s.a.actors[0]
	passing := s.patroller(tmplHorse, 1)
	far := float32(0)
	for range 60 * 20 {
		s.step()
		for _, x := range []*actor{cow, passing} {
			dx, dz := x.pos.X-200, x.pos.Z
			if far = max(far, geom.Abs(dx), geom.Abs(dz)); far > 30 || x.mode == modePause {
				t.Fatalf("it wandered %v from its waypoint, mode %d", far, x.mode)
			}
		}
	}
	if far < 20 {
		t.Errorf("in a minute it wandered at most %v of 30 units", far)
	}
}

// docs/wire/rcce.md 5.5: only an NPC with aggressiveness 2 looks for enemies. Enemies are actors that the NPC rates below
// 150, that can fight, and that are within the NPC's sight range in three dimensions.
func TestHostileNPCChasesEnemiesInSight(t *testing.T) {
	for name, c := range map[string]struct {
		chases bool
		set    func(x, y *actor)
	}{
		"a neutral":              {true, func(x, y *actor) {}},
		"just below friendly":    {true, func(x, y *actor) { x.ratings[y.homeFaction] = 149 }},
		"a friend":               {false, func(x, y *actor) { x.ratings[y.homeFaction] = 150 }},
		"by a passive NPC":       {false, func(x, y *actor) { x.tmpl = x.tmpl.with(combat.Passive) }},
		"by a defensive NPC":     {false, func(x, y *actor) { x.tmpl = x.tmpl.with(combat.Defensive) }},
		"by a vendor":            {false, func(x, y *actor) { x.tmpl = x.tmpl.with(combat.NonCombatant) }},
		"a vendor":               {false, func(x, y *actor) { y.tmpl = y.tmpl.with(combat.NonCombatant) }},
		"a dead player":          {false, func(x, y *actor) { y.dead, y.respawnTick = true, 1000 }},
		"at its sight range":     {false, func(x, y *actor) { y.pos.X = 60 }},
		"within its sight range": {true, func(x, y *actor) { y.pos.X = 59.9 }},
		"high above":             {false, func(x, y *actor) { y.pos.Y = 60 }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testWorld())
			y, x := s.player(1, geom.Vec{X: 20}), s.npc(tmplWolf, geom.Vec{})
			c.set(x, y)
			y.stop()
			chases := false
			for range 60 {
				s.step()
				chases = chases || x.target == 1
			}
			if chases != c.chases {
				t.Errorf("chases: %v, want %v", chases, c.chases)
			}
		})
	}
}

func (t *Template) with(temper combat.Aggressiveness) *Template {
	other := *t
	other.Temper = temper
	return &other
}

func TestEnemyScanRateIsIndependentOfTickRate(t *testing.T) {
	for _, rate := range []int{10, 20, 30, 60} {
		w := testWorld()
		w.TicksPerSecond = rate
		a := NewArea(w, 0, 1)
		n := 0
		for range 1000 * rate {
			if a.chancePerSecond(scansPerSecond) {
				n++
			}
		}
		if n < 2850 || n > 3150 {
			t.Errorf("%d ticks/s: %d scans in 1000 s, want about 3000", rate, n)
		}
	}
}

// docs/wire/rcce.md 5.5: of all enemies in sight, an NPC chases the one with the highest id.
func TestEnemyScanChoosesEnemyWithHighestID(t *testing.T) {
	for _, order := range [][2]float32{{10, 50}, {50, 10}, {-50, 50}} {
		s := newStage(t, testWorld())
		s.player(1, geom.Vec{X: order[0]})
		s.player(2, geom.Vec{X: order[1]})
		x := s.npc(tmplWolf, geom.Vec{})
		s.a.now++ // a new tick, so that the scan builds the grid of actors again
		if s.a.scanForEnemy(x); x.target != 2 {
			t.Errorf("players at %v: target %d, want 2", order, x.target)
		}
	}
}

// docs/wire/rcce.md 5.5: an NPC runs until 4 units are left between the edges of both actors, then attacks once per
// combat delay.
func TestChasingNPCRunsToTargetAndAttacksOncePerCombatDelay(t *testing.T) {
	s := newStage(t, testWorld())
	y, x := s.player(1, geom.Vec{X: 50}), s.npc(tmplWolf, geom.Vec{})
	s.w.Rules.Combat.DelayMS = 700
	y.attr[attrHealth].Max = 10000
	s.health(y, 10000)
	s.a.startChase(x, y)
	if s.step(); !x.running || x.destX != 50 {
		t.Fatalf("destination %v, running %v", x.destX, x.running)
	}
	var attackTicks []Tick
	for range 100 {
		for _, e := range events(s.step(), EventAttacked) {
			if e.Who != x.id || e.Other != 1 || x.running {
				t.Fatalf("%+v while running: %v", e, x.running)
			}
			attackTicks = append(attackTicks, s.a.now)
		}
	}
	if gap := geom.DistXZ(x.pos, y.pos); gap > 6 || gap < 1 {
		t.Errorf("it stands %v away, want up to 4 + both radii", gap)
	}
	for i := range attackTicks[1:] {
		if got := attackTicks[i+1] - attackTicks[i]; got != 14 {
			t.Fatalf("%d ticks between two attacks, want 14", got)
		}
	}
	if len(attackTicks) < 5 {
		t.Errorf("%d attacks in 5 s", len(attackTicks))
	}
}

// An archer stops within the range of its weapon, even if that range is very short.
func TestChasingArcherStopsWithinRangeOfItsWeapon(t *testing.T) {
	for _, reach := range []float32{2, 8, 40, 100} {
		s := newStage(t, testWorld())
		s.w.Items[2].Weapon.Range = reach
		y, x := s.player(1, geom.Vec{X: 140}), s.npc(tmplWolf, geom.Vec{})
		x.inv[SlotWeapon] = ItemStack{Item: itemBow, Amount: 1, Health: 100}
		s.a.updateEquipment(x)
		s.a.startChase(x, y)
		s.until(EventProjectile, 10)
		if at := 140 - x.pos.X; at > reach*0.8+2 || at < reach*0.8-3 {
			t.Errorf("with a range of %v it shoots from %v", reach, at)
		}
	}
}

// docs/wire/rcce.md 5.5: an NPC whose target is dead or has left walks back to its waypoint.
func TestChasingNPCReturnsToPatrolWhenTargetIsGone(t *testing.T) {
	for name, part := range map[string]func(s *stage){
		"it logged out": func(s *stage) { s.step(Intent{Kind: IntentLeave, Who: 1}) },
		"it died":       func(s *stage) { s.step(attackIntent(s.killer(s.a.find(1)), s.a.find(1))) },
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testWorld())
			y, x := s.player(1, geom.Vec{X: 300, Z: 400}), s.patroller(tmplDeer, 0)
			x.pos.X = 150
			s.a.startChase(x, y)
			s.step()
			part(s)
			s.step()
			if x.target != 0 || x.mode != modePatrol || x.running || x.destX != 100 || x.destZ != 0 {
				t.Errorf("target %d, mode %d, running %v, going to (%v, %v)", x.target, x.mode, x.running, x.destX, x.destZ)
			}
		})
	}
}

// The leash (Rules.LeashUnits) is measured from the position at which a chase began, also if the NPC was returning from
// an earlier chase.
func TestChaseEndsAtLeashDistance(t *testing.T) {
	s := newStage(t, testWorld())
	s.w.Rules.LeashUnits = 100
	y, x := s.player(1, geom.Vec{X: 30}), s.npc(tmplWolf, geom.Vec{})
	far, homes, last := float32(0), 0, x.mode
	for range 2000 {
		s.step()
		y.place(geom.Vec{X: x.pos.X + 30}, 0) // the player stays in sight and out of reach
		if last == modeRun && x.mode != modeRun {
			homes++
			if x.mode != modeWait || !near(x.pos.X, 0, arriveWithin) {
				t.Fatalf("it stops running back at %v, mode %d", x.pos, x.mode)
			}
		}
		far, last = max(far, x.pos.X), x.mode
	}
	if far < 100 || far > 105 || homes < 5 {
		t.Errorf("with a leash of 100 it went %v units far and returned %d times in 100 s", far, homes)
	}
}

func TestNPCAttackedWhileReturningIsLeashedToStartOfFirstChase(t *testing.T) {
	s := newStage(t, testWorld())
	y, x := s.player(1, geom.Vec{X: 320}), s.patroller(tmplWolf, 0)
	s.a.startChase(x, y)
	x.pos = geom.Vec{X: 310}
	if s.step(); x.mode != modeRun || !x.running {
		t.Fatalf("beyond its leash: mode %d, running %v", x.mode, x.running)
	}
	s.a.provoke(x, y)
	if x.mode != modeChase || x.home.X != 100 {
		t.Errorf("provoked: mode %d, leash from %v", x.mode, x.home)
	}
	if s.step(); x.mode != modeRun || x.target != 0 {
		t.Errorf("still beyond its leash: mode %d, target %d", x.mode, x.target)
	}
}

// docs/wire/rcce.md 5.5, AICallForHelp: if the friends of an attacked NPC have that NPC in sight, they attack its
// attacker, too.
func TestCallForHelpIsAnsweredByFriendsInSight(t *testing.T) {
	for name, c := range map[string]struct {
		helps bool
		set   func(helper, victim, enemy *actor)
	}{
		"a friend":              {true, func(h, v, e *actor) {}},
		"rating just enough":    {true, func(h, v, e *actor) { h.ratings[v.homeFaction] = 190 }},
		"rating just too low":   {false, func(h, v, e *actor) { h.ratings[v.homeFaction] = 189 }},
		"a passive":             {false, func(h, v, e *actor) { h.tmpl = h.tmpl.with(combat.Passive) }},
		"a hostile":             {true, func(h, v, e *actor) { h.tmpl, h.ratings[e.homeFaction] = h.tmpl.with(combat.Hostile), 200 }},
		"a non-combatant":       {false, func(h, v, e *actor) { h.tmpl = h.tmpl.with(combat.NonCombatant) }},
		"beyond its sight":      {false, func(h, v, e *actor) { h.pos.X = 60 }},
		"just within its sight": {true, func(h, v, e *actor) { h.pos.X = 59.5 }},
		"high above":            {false, func(h, v, e *actor) { h.pos.Y = 60 }},
		"already chasing":       {false, func(h, v, e *actor) { h.mode, h.target = modeChase, 50 }},
		"pet of a player":       {false, func(h, v, e *actor) { h.leader, h.mode = 50, modePetWait }},
		"ridden":                {false, func(h, v, e *actor) { h.rider, h.mode = 50, modeMount }},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, testWorld())
			enemy := s.player(1, geom.Vec{X: 5})
			s.player(50, geom.Vec{X: 500})
			victim, helper := s.npc(tmplDeer, geom.Vec{}), s.npc(tmplDeer, geom.Vec{X: 30})
			c.set(helper, victim, enemy)
			helper.stop()
			s.step(attackIntent(enemy, victim))
			if helps := helper.target == 1 && helper.mode == modeChase; helps != c.helps {
				t.Errorf("helps: %v, want %v", helps, c.helps)
			}
		})
	}
}

// docs/wire/rcce.md 6.3: with damage formulas 1 to 3 the target calls for help before the hit roll, so even a miss causes a call.
// Section 6.4: a missed shot causes no call.
func TestMissedMeleeAttackCallsForHelpButMissedShotDoesNot(t *testing.T) {
	for name, c := range map[string]struct {
		item   uint16
		chance int32
		helps  bool
	}{
		"a melee attack": {itemSword, 100, true}, "an arrow that hits": {itemBow, 100, true}, "an arrow that misses": {itemBow, 0, false},
	} {
		s := newStage(t, testWorld())
		s.w.Projectiles[0].HitChance = c.chance
		enemy, victim, helper := s.player(1, geom.Vec{X: 5}), s.npc(tmplDeer, geom.Vec{}), s.npc(tmplDeer, geom.Vec{X: 30})
		enemy.inv[SlotWeapon] = ItemStack{Item: c.item, Amount: 1, Health: 100}
		s.a.updateEquipment(enemy)
		s.step(attackIntent(enemy, victim))
		if (helper.target != 0) != c.helps || (victim.target != 0) != c.helps {
			t.Errorf("%s: victim's target %d, helper's %d; want them to answer: %v", name, victim.target, helper.target, c.helps)
		}
	}
}

// The search for helpers uses the positions of the NPCs after the movement of the current tick.
func TestHelpersOfAttackedNPCAreChosenByPositionsAfterMovement(t *testing.T) {
	s := newStage(t, testWorld())
	enemy := s.player(1, geom.Vec{X: 5})
	victim, helper := s.npc(tmplDeer, geom.Vec{}), s.npc(tmplDeer, geom.Vec{})
	s.npc(tmplWolf, geom.Vec{X: 3000}) // a hostile NPC, whose scans for enemies build the grid before the movement
	for range 60 {
		for _, away := range []float32{61, 59.9} { // in its step of 2.25 units the helper comes within 60 units, or leaves them
			helper.place(geom.Vec{X: away}, 0)
			s.health(victim, 100)
			helper.mode, helper.target, helper.destX, enemy.lastAttackMS = modeWait, 0, 0, -1_000_000
			if away < 60 {
				helper.destX = 200
			}
			if s.step(attackIntent(enemy, victim)); (helper.target != 0) != (away > 60) {
				t.Fatalf("helper went from %v to %v, sight 60, answers: %v", away, helper.pos.X, helper.target != 0)
			}
		}
	}
}
