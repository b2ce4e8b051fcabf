package content

import (
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/geom"
)

func TestDefaultWorldLoadsWithoutWarnings(t *testing.T) {
	w, warnings, err := LoadWorld(DefaultName, DefaultTOML())
	if err != nil {
		t.Fatal(err)
	}
	for _, x := range warnings {
		t.Errorf("warning: %s", x)
	}
	if w.Name != "Truestep Vale" {
		t.Errorf("name is %q", w.Name)
	}
}

// The test programs of RealmCrafter CE use the actor ids 0 to 20, and expect NewActor packets of templates whose genders
// setting is 0.
func TestDefaultWorldHasActorsNeededByClientTestPrograms(t *testing.T) {
	w := DefaultWorld()
	playable := false
	for i := range w.Templates {
		tpl := &w.Templates[i]
		if tpl.Genders != 0 {
			t.Errorf("template %s has genders %d, want 0", tpl.Race, tpl.Genders)
		}
		playable = playable || tpl.Playable && tpl.ID <= 20
	}
	if !playable {
		t.Error("no playable template has an id in 0..20")
	}
}

// A client that walks to the nearest actor and attacks it must find an actor near each start position that it may attack
// and kill quickly.
func TestNPCNearestToEachStartPositionIsWeakAndAttackable(t *testing.T) {
	w := DefaultWorld()
	for i := range w.Templates {
		tpl := &w.Templates[i]
		if !tpl.Playable {
			continue
		}
		area := &w.Areas[tpl.StartArea]
		start := area.Portals[tpl.StartPortal].Pos
		var nearest *sim.Template
		nearestFar, othersNear := float32(0), float32(1e9)
		for s := range area.Spawns {
			sp := &area.Spawns[s]
			npc := w.Template(sp.Template)
			near, far := spawnDistances(area, sp, start)
			if npc.Temper == combat.Defensive && (nearest == nil || far < nearestFar) {
				nearest, nearestFar = npc, far
			}
			if npc.Temper != combat.Defensive {
				othersNear = min(othersNear, near)
			}
		}
		if nearest == nil {
			t.Fatalf("%s: no defensive NPC in the start area", tpl.Race)
		}
		if nearestFar >= othersNear {
			t.Errorf("%s: the %s may be %.0f units away while another actor is %.0f", tpl.Race, nearest.Race, nearestFar, othersNear)
		}
		speed := tpl.Attr[w.Roles.Speed]
		if seconds := nearestFar / (45 * float32(speed.Value) / float32(speed.Max)); seconds > 10 {
			t.Errorf("%s: the %s is %.1f s on foot away", tpl.Race, nearest.Race, seconds)
		}
		if h := nearest.Attr[w.Roles.Health].Value; h > 60 {
			t.Errorf("%s has %d health: not weak", nearest.Race, h)
		}
		if w.Factions[tpl.Faction].Ratings[nearest.Faction] > 150 {
			t.Errorf("%s may not attack the %s: rating above 150", tpl.Race, nearest.Race)
		}
	}
}

// spawnDistances returns the minimum and maximum distance from a point that the actors of a spawn reach while they wander or
// patrol.
func spawnDistances(a *sim.AreaDef, s *sim.Spawn, from geom.Vec) (near, far float32) {
	const diagonal, stray = 1.4143, 2 * 1.4143
	slack := max(s.Size/2, s.Range) * diagonal
	first := s.Waypoint
	near, far = 1e9, 0
	for at, n := first, 0; at >= 0 && n <= len(a.Waypoints); n++ {
		d := geom.DistXZ(a.Waypoints[at].Pos, from)
		if s.Range < 5 {
			next := a.Waypoints[at].NextA
			near = min(near, segmentDistance(a.Waypoints[at].Pos, waypointOr(a, next, at), from))
			at = next
		} else {
			near, at = min(near, d), -1
		}
		far = max(far, d)
	}
	return near - slack - stray, far + slack
}

func waypointOr(a *sim.AreaDef, i, otherwise int32) geom.Vec {
	if i < 0 {
		i = otherwise
	}
	return a.Waypoints[i].Pos
}

// segmentDistance returns the minimum distance of a point from samples of the line between two waypoints.
func segmentDistance(p, q, from geom.Vec) float32 {
	best := geom.DistXZ(p, from)
	for i := range 21 {
		f := float32(i) / 20
		best = min(best, geom.DistXZ(geom.Vec{X: p.X + (q.X-p.X)*f, Z: p.Z + (q.Z-p.Z)*f}, from))
	}
	return best
}

func TestDefaultWorldHas60To110NPCsAndEveryKindOfNPCAndArea(t *testing.T) {
	w := DefaultWorld()
	total := int32(0)
	seen := map[string]bool{}
	for i := range w.Areas {
		a := &w.Areas[i]
		for _, s := range a.Spawns {
			total += s.Max
			tpl := w.Template(s.Template)
			seen["fly"] = seen["fly"] || tpl.Environment == sim.Fly
			seen["hostile"] = seen["hostile"] || tpl.Temper == combat.Hostile
			seen["merchant"] = seen["merchant"] || tpl.Temper == combat.NonCombatant
			seen["mount"] = seen["mount"] || tpl.Rideable
		}
		for _, wp := range a.Waypoints {
			seen["pause"] = seen["pause"] || wp.PauseMS > 0
		}
		seen["pvp"] = seen["pvp"] || a.PvP
		seen["peace"] = seen["peace"] || !a.PvP
		seen["water"] = seen["water"] || len(a.Waters) > 0
	}
	if total < 60 || total > 110 {
		t.Errorf("%d NPCs, want 60 to 110", total)
	}
	for _, want := range []string{"fly", "hostile", "merchant", "mount", "pause", "pvp", "peace", "water"} {
		if !seen[want] {
			t.Errorf("the default world has no %s", want)
		}
	}
	t.Logf("%d NPCs in %d areas", total, len(w.Areas))
}

// Every portal leads to a position outside the entrances of all portals, so that players are not sent back immediately.
func TestPortalsOfDefaultWorldDoNotLeadIntoOtherPortals(t *testing.T) {
	w := DefaultWorld()
	back := map[[2]sim.AreaID]bool{}
	for i := range w.Areas {
		for _, p := range w.Areas[i].Portals {
			if p.ToArea == sim.NoArea {
				continue
			}
			back[[2]sim.AreaID{sim.AreaID(i), p.ToArea}] = true
			to := &w.Areas[p.ToArea]
			at := to.Portals[p.ToPortal].Pos
			for _, q := range to.Portals {
				if q.ToArea != sim.NoArea && geom.Dist2(at, q.Pos) < q.Radius*q.Radius {
					t.Errorf("%s: %s arrives inside the entrance %s of %s", w.Areas[i].Name, p.Name, q.Name, to.Name)
				}
			}
		}
	}
	for k := range back {
		if !back[[2]sim.AreaID{k[1], k[0]}] {
			t.Errorf("there is a way from %s to %s but none back", w.Areas[k[0]].Name, w.Areas[k[1]].Name)
		}
	}
}
