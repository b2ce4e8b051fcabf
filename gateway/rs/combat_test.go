package rs

import (
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// attack makes the client click the option "Attack" of another player.
func (c *client) attack(name string) {
	c.send(proto.OpPlayer{Option: attackOption, Index: c.indexOf(name)})
}

func TestFightIsShownToAttackerVictimAndOnlooker(t *testing.T) {
	withServer(t, pvpWorld(), Options{Register: true}, func(srv *testServer) {
		ada, bob, cy := srv.join("Ada"), srv.join("Bob"), srv.join("Cy")
		for _, c := range []*client{ada, bob, cy} {
			c.startRecording()
		}
		ada.attack("Bob")
		srv.advanceCycles(10)
		for _, c := range []*client{ada, bob, cy} {
			c.checkNoError()
			a, b := c.indexOf("Ada"), c.indexOf("Bob")
			if got, want := c.view.State(a).Target, b+32768; got != want {
				t.Errorf("%s: Ada faces %d, want %d", c.name, got, want)
			}
			swings, hits, least := 0, 0, uint8(255)
			for _, m := range c.updatesOf(a) {
				if m.info.Has.Has(proto.KindAnim) && m.info.Anim.Seq[0] != proto.None {
					swings++
				}
			}
			for _, m := range c.updatesOf(b) {
				if !m.info.Has.Has(proto.KindHits) {
					continue
				}
				for _, h := range m.info.Hits {
					hits++
					if miss := h.Type == markMissed; miss != (h.Amount == 0) || !miss && h.Type != markMelee || h.HP > least {
						t.Errorf("%s: hit %+v after health %d", c.name, h, least)
					}
					least = h.HP
				}
			}
			if swings < 5 || hits < 5 || least == 255 {
				t.Errorf("%s: %d attack animations, %d hits, final health %d of 255", c.name, swings, hits, least)
			}
		}
		if bob.packetCount(proto.ServerVarbitLarge) < 2 {
			t.Error("Bob gets no life points")
		}
		ada.send(proto.MoveGameClick{X: ada.ownTile().X - 3, Z: ada.ownTile().Z})
		srv.advanceCycles(2)
		if got := cy.view.State(cy.indexOf("Ada")).Target; got != proto.None {
			t.Errorf("after walking away Ada still faces %d", got)
		}
	})
}

// Hits of one cycle are sent together, each with the health after that hit. So the clients of all workers show equal health,
// even if one worker had to wait for the frame of another area.
func TestEachHitOfCycleIsSentWithHealthAfterThatHit(t *testing.T) {
	w := pvpWorld()
	w.Rules.Combat.DelayMS = 100
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		ada, bob := srv.join("Ada"), srv.join("Bob")
		bob.startRecording()
		ada.attack("Bob")
		srv.advanceCycles(5)
		bob.checkNoError()
		together := 0
		for _, m := range bob.updatesOf(bob.indexOf("Bob")) {
			for i, h := range m.info.Hits {
				if i == 0 || h.Amount == 0 || m.info.Hits[i-1].HP == 0 {
					continue
				}
				together++
				if h.HP >= m.info.Hits[i-1].HP {
					t.Errorf("a hit of %d leaves health %d of 255, no less than before", h.Amount, h.HP)
				}
			}
		}
		if together == 0 {
			t.Error("no cycle had two hits")
		}
	})
}

func TestDeadPlayerIsAnimatedAndRespawns(t *testing.T) {
	w := pvpWorld()
	for i := range w.Templates {
		w.Templates[i].Attr[w.Roles.Health].Value = 10
	}
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		ada, bob, cy := srv.join("Ada"), srv.join("Bob"), srv.join("Cy")
		bob.send(proto.MoveGameClick{X: bob.ownTile().X, Z: bob.ownTile().Z + 10})
		srv.advanceCycles(12)
		for _, c := range []*client{ada, bob, cy} {
			c.startRecording()
		}
		ada.attack("Bob")
		srv.advanceCycles(40)
		for _, c := range []*client{ada, bob, cy} {
			c.checkNoError()
			fell, rose, jumped := -1, -1, -1
			for _, m := range c.updatesOf(c.indexOf("Bob")) {
				switch {
				case m.info.Has.Has(proto.KindAnim) && m.info.Anim.Seq[0] == appearance.DefaultRuneScapeActor.Death:
					fell = m.cycle
				case m.info.Has.Has(proto.KindAnim) && m.info.Anim.Seq[0] == proto.None:
					rose = m.cycle
				}
				if m.change.Kind == proto.ChangeTeleport {
					jumped = m.cycle
					if m.change.Speed != proto.SpeedInstant {
						t.Errorf("%s: Bob's respawn is shown at speed %d, want a teleport", c.name, m.change.Speed)
					}
				}
			}
			if fell < 0 || rose < fell+5 || jumped != rose {
				t.Errorf("%s: death in cycle %d, animation ended in %d, respawn in %d", c.name, fell, rose, jumped)
			}
		}
		if lines := bob.linesRead(); !slices.Contains(lines, "Oh dear, you are dead!") {
			t.Errorf("Bob reads %q", lines)
		}
	})
}

// The simulation removes dead NPCs from the area immediately, but clients show them until their death animation ends.
func TestDeadNPCIsShownUntilItsDeathAnimationEnds(t *testing.T) {
	w := valeWithoutNPCs()
	vale := &w.Areas[w.AreaNamed("Truestep Vale")]
	vale.Waypoints = append(vale.Waypoints, sim.Waypoint{Used: true, NextA: -1, NextB: -1, Prev: -1})
	vale.Spawns = []sim.Spawn{{Template: 3, Waypoint: int32(len(vale.Waypoints) - 1), Size: 1, Max: 1, PeriodMS: 60_000}}
	w.Template(3).Attr[w.Roles.Health].Value = 1
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		c := srv.join("Ada")
		srv.advanceCycles(2)
		rat := slices.Collect(c.view.Locals())
		rat = slices.DeleteFunc(rat, func(i proto.Index) bool { return i == c.self })
		if len(rat) != 1 {
			t.Fatalf("locals %v", rat)
		}
		c.startRecording()
		c.send(proto.OpPlayer{Option: attackOption, Index: rat[0]})
		srv.advanceCycles(20)
		c.checkNoError()
		fell, gone := -1, -1
		for _, m := range c.updatesOf(rat[0]) {
			if m.info.Has.Has(proto.KindAnim) && m.info.Anim.Seq[0] == appearance.DefaultRuneScapeActor.Death {
				fell = m.cycle
				if n := len(m.info.Hits); n == 0 || m.info.Hits[n-1].HP != 0 {
					t.Errorf("the last hit marks are %+v", m.info.Hits)
				}
			}
			if m.change.Kind == proto.ChangeRemove {
				gone = m.cycle
			}
		}
		if fell < 0 || gone != fell+deadCycles {
			t.Errorf("death in cycle %d, removed in %d", fell, gone)
		}
		read := func(l string) bool {
			return strings.HasPrefix(l, "You gain ") && strings.HasSuffix(l, " points of experience.")
		}
		if lines := c.linesRead(); !slices.ContainsFunc(lines, read) {
			t.Errorf("Ada reads %q", lines)
		}
	})
}

func TestAttackOnPlayerInWorldWithoutPvPIsExplainedToAttacker(t *testing.T) {
	withServer(t, valeWithoutNPCs(), Options{Register: true}, func(srv *testServer) { // a world without PvP
		ada := srv.join("Ada")
		srv.join("Bob")
		srv.advanceCycles(1)
		ada.startRecording()
		ada.attack("Bob")
		ada.send(proto.OpPlayer{Option: attackOption, Index: 2000})
		ada.send(proto.OpPlayer{Option: 4, Index: ada.indexOf("Bob")})
		srv.advanceCycles(2)
		ada.checkNoError()
		if lines := ada.linesRead(); len(lines) != 1 || !strings.HasSuffix(lines[0], ".") {
			t.Errorf("reads %q", lines)
		}
		if srv.faults("unknown_player") != 1 {
			t.Error("an attack on an unused index was not counted")
		}
	})
}

// Original specification, force movement: a movement faster than running is sent as a forced movement from the position at
// which the client draws the actor.
func TestMovementFasterThanRunningIsSentAsForcedMovement(t *testing.T) {
	w := valeWithoutNPCs()
	w.Rules.Claim = move.OriginalClaimPolicy()
	vale := &w.Areas[w.AreaNamed("Truestep Vale")]
	vale.Tiles.UnitsPerTile, vale.Ground = 2, nil
	for i := range w.Templates {
		w.Templates[i].Attr[w.Roles.Speed].Value = w.Templates[i].Attr[w.Roles.Speed].Max
	}
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		srv.advance(300 * time.Millisecond)
		state := srv.trackServerState()
		ada := &checkedClient{client: srv.join("Ada")}
		s := srv.joinByOtherDoor("Dee")
		srv.advanceCycles(2)
		ada.startRecording()
		def := &srv.world.Def().Areas[s.Area()]
		at := def.Portals[0].Pos
		for cycle := range 20 {
			dx := float32(2.6) // step in world tiles, in alternating directions
			if cycle/3%2 == 1 {
				dx = -dx
			}
			for range 3 {
				at.X += dx
				srv.must(s.Submit(sim.Intent{Kind: sim.IntentClaim, Claim: move.Claim{X: at.X, Y: at.Y, Z: at.Z, DestX: at.X + dx, DestZ: at.Z, Running: true}}))
				srv.advance(200 * time.Millisecond)
			}
			srv.checkClient(t, state, ada)
		}
		ada.checkNoError()
		forcedMoves, far := 0, 0
		i := ada.indexOf("Dee")
		for _, m := range ada.updatesOf(i) {
			if m.change.Kind != proto.ChangeTeleport {
				continue
			}
			far = max(far, tileDistance(m.change.From, m.change.To))
			if e := m.info.ExactMove; m.info.Has.Has(proto.KindExactMove) {
				forcedMoves++
				turn := angleToward(int(m.change.To.X)-int(m.change.From.X), int(m.change.To.Z)-int(m.change.From.Z))
				if e != (proto.ExactMove{T1: 29, T2: 30, Dir: noDirection}) || m.change.Speed != speedWalk {
					t.Errorf("forced movement from %v to %v at speed %d: %+v", m.change.From, m.change.To, m.change.Speed, e)
				}
				if m.info.Has.Has(proto.KindTurn) && m.info.Turn != turn {
					t.Errorf("forced movement from %v to %v faces %d", m.change.From, m.change.To, m.info.Turn)
				}
			}
		}
		if forcedMoves < 10 || far < 4 {
			t.Errorf("%d forced movements, at most %d tiles: %v", forcedMoves, far, moveKinds(ada.updatesOf(i)))
		}
	})
}
