package sim

import (
	"testing"

	"pgregory.net/rapid"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/reason"
)

// walkAway moves y by step units along X at the end of each of n ticks, as if it walked.
func (s *stage) walkAway(y *actor, step float32, n int) {
	for range n {
		y.pos.X += step
		y.stop()
		s.step()
	}
}

// seenAgo returns an attack of x on y. The client of x displayed y at the position that y had the given number of ticks
// before the end of the attack's tick.
func (s *stage) seenAgo(x, y *actor, ticks float32) Intent {
	in := attackIntent(x, y)
	in.Seen = uint64(float32(s.a.now+1)*256 - ticks*256)
	return in
}

// Attacks reach 9 units. The target walks away by 1 unit per tick, is at 11 units at the end of the tick before the
// attack, and stands still in the tick of the attack.
func TestAttackIsJudgedByTargetPositionThatAttackerSaw(t *testing.T) {
	for name, c := range map[string]struct {
		ago    float32 // how many ticks ago the attacker saw the target, as Intent.Seen says; -1 for no such time
		rewind int32   // RewindMS
		want   reason.Reason
		at     float32 // X of the target by which the attack is judged
		agoMS  uint16
	}{
		"without a time":                           {ago: -1, rewind: 300, want: reason.OutOfRange, at: 11},
		"two ticks before":                         {ago: 2, rewind: 300, want: reason.OutOfRange, at: 10, agoMS: 100},
		"three ticks before":                       {ago: 3, rewind: 300, at: 9, agoMS: 150},
		"between two ticks":                        {ago: 2.75, rewind: 300, want: reason.OutOfRange, at: 9.25, agoMS: 137},
		"as old as the round trip and the reserve": {ago: 4, rewind: 300, at: 8, agoMS: 200},
		"older than that":                          {ago: 5, rewind: 300, at: 8, agoMS: 200},
		"older than the rules allow":               {ago: 4, rewind: 100, want: reason.OutOfRange, at: 10, agoMS: 100},
		"no lag compensation":                      {ago: 4, rewind: 0, want: reason.OutOfRange, at: 11},
	} {
		t.Run(name, func(t *testing.T) {
			w := testWorld()
			w.Rules.RewindMS = c.rewind
			s := newStage(t, w)
			x, y := s.player(1, geom.Vec{}), s.player(2, geom.Vec{X: 3})
			x.ratings[y.homeFaction] = 100
			s.walkAway(y, 1, 8)
			in := attackIntent(x, y)
			if c.ago >= 0 {
				in = s.seenAgo(x, y, c.ago)
			}
			kind := EventAttacked
			if c.want != reason.None {
				kind = EventRefused
			}
			e := s.expectEvent(kind, in)
			if e.Reason != c.want || e.AgoMS != c.agoMS {
				t.Errorf("reason %v, judged %d ms before; want %v, %d", e.Reason, e.AgoMS, c.want, c.agoMS)
			}
			if c.agoMS > 0 && (e.Pos.X != c.at || e.From.X != 11) {
				t.Errorf("judged at %g, the target is at %g; want %g and 11", e.Pos.X, e.From.X, c.at)
			}
			if c.want == reason.OutOfRange && e.Asked != c.at {
				t.Errorf("the distance is %g, want %g", e.Asked, c.at)
			}
		})
	}
}

func TestLagCompensationIsLimitedToRoundTripPlus200MS(t *testing.T) {
	w := predictWorld()
	w.Areas[0].PvP = true
	s := newStage(t, w)
	k := s.predictClient(1, geom.Vec{})
	y := s.player(2, geom.Vec{X: 1})
	k.x.ratings[y.homeFaction] = 100
	predictOf(k.x).rtt = 90
	s.walkAway(y, 2, 8)
	in := k.next(0)
	in.Input.RTT = 90
	e := s.expectEvent(EventAttacked, s.seenAgo(k.x, y, 7), in)
	if e.AgoMS != 289 && e.AgoMS != 290 {
		t.Errorf("judged %d ms before, want 290: the round trip and 200 ms", e.AgoMS)
	}
}

func TestTargetBehindWallIsHitOnlyIfAttackerSawItUncoveredWithinRewindLimit(t *testing.T) {
	for name, c := range map[string]struct {
		covered int // ticks for which the target has been behind the wall when the attack executes
		ago     float32
		want    reason.Reason
	}{
		"seen before it went behind the wall":        {2, 3, reason.None},
		"went behind the wall before the oldest":     {6, 20, reason.Covered},
		"seen behind the wall":                       {2, 1, reason.Covered},
		"not seen at all: judged by where it is now": {1, 0, reason.Covered},
	} {
		t.Run(name, func(t *testing.T) {
			s := newStage(t, wallIn(t, testWorld(), block(10, -20, 11, 20)))
			x, y := s.player(1, geom.Vec{X: 8}), s.npc(tmplCow, geom.Vec{X: 8, Z: 4})
			s.run(1)
			y.pos = geom.Vec{X: 13, Z: 0}
			y.stop()
			s.run(float32(c.covered) / 20)
			in := attackIntent(x, y)
			if c.ago > 0 {
				in = s.seenAgo(x, y, c.ago)
			}
			if c.want == reason.None {
				s.expectEvent(EventAttacked, in)
				return
			}
			if e := s.expectRefusal(c.want, in); c.ago > 0 && e.Pos.X != 13 {
				t.Errorf("judged at %v", e.Pos)
			}
		})
	}
}

func TestAttackOnUncoveredTargetIsRefusedIfAttackerSawItBehindWall(t *testing.T) {
	s := newStage(t, wallIn(t, testWorld(), block(10, -20, 11, 20)))
	x, y := s.player(1, geom.Vec{X: 8}), s.npc(tmplCow, geom.Vec{X: 13})
	s.run(1)
	y.pos.X = 9.5
	y.stop()
	s.step()
	s.expectRefusal(reason.Covered, s.seenAgo(x, y, 3))
}

func TestAttackIsNotRewoundBeyondTeleportOrSpawnOfTarget(t *testing.T) {
	s, x, y := duel(t)
	s.run(1)
	s.a.beginFrame()
	s.a.placePlayer(y, geom.Vec{X: 60}, 0)
	s.a.publish()
	s.step()
	if e := s.expectRefusal(reason.OutOfRange, s.seenAgo(x, y, 4)); e.Pos.X != 60 {
		t.Errorf("a target that was teleported is judged at %v", e.Pos)
	}
	s, x, _ = duel(t)
	s.run(1)
	young := s.npc(tmplCow, geom.Vec{X: 3})
	s.step()
	if e := s.expectEvent(EventAttacked, s.seenAgo(x, young, 4)); e.AgoMS != 100 {
		t.Errorf("a target that is two ticks old is judged %d ms before", e.AgoMS)
	}
}

func TestAttackWithImplausibleViewTimeIsReportedAndStillJudged(t *testing.T) {
	for name, c := range map[string]struct {
		ago     float32
		why     reason.Reason
		asked   float32
		hits    bool
		judgeAt uint16
	}{
		"this tick, which is not over":          {0, reason.SeenAhead, 0, false, 0},
		"the future":                            {-100, reason.SeenAhead, 5000, false, 0},
		"just what a slow connection explains":  {20, reason.None, 0, true, 200},
		"longer ago than a connection explains": {21, reason.SeenLongAgo, 1050, true, 200},
	} {
		t.Run(name, func(t *testing.T) {
			s, x, y := duel(t)
			s.run(2)
			s.walkAway(y, 6, 1) // the target is out of reach now; one tick before it was in reach
			f := s.step(s.seenAgo(x, y, c.ago))
			var claim, result Event
			for _, e := range f.Events {
				switch {
				case e.Kind == EventRefused && (e.Reason == reason.SeenAhead || e.Reason == reason.SeenLongAgo):
					claim = e
				case e.Kind == EventRefused || e.Kind == EventAttacked:
					result = e
				}
			}
			if claim.Reason != c.why || claim.Asked != c.asked {
				t.Errorf("claim: %v, %g ms; want %v, %g", claim.Reason, claim.Asked, c.why, c.asked)
			}
			if hit := result.Kind == EventAttacked; hit != c.hits || result.AgoMS != c.judgeAt {
				t.Errorf("hit %v, judged %d ms before; want %v, %d", hit, result.AgoMS, c.hits, c.judgeAt)
			}
		})
	}
}

func TestRewoundAttackOnTargetThatHasDiedIsRefused(t *testing.T) {
	s, x, y := duel(t)
	s.run(1)
	y.dead, y.respawnTick = true, 1<<40
	s.expectRefusal(reason.TargetDead, s.seenAgo(x, y, 4))
}

// Whatever time a client states, the attack is judged by a point of the target's path within the rewind limit.
func TestRewoundAttackIsJudgedByPositionOnPathOfTargetWithinRewindLimit(t *testing.T) {
	rapid.Check(t, func(rt *rapid.T) {
		w := testWorld()
		w.Rules.RewindMS = rapid.Int32Range(0, 1000).Draw(rt, "rewind")
		w.Areas[0].Portals = nil
		w.TicksPerSecond = rapid.SampledFrom([]int{10, 20, 30, 60}).Draw(rt, "rate")
		s := newStage(t, w)
		x, y := s.player(1, geom.Vec{}), s.player(2, geom.Vec{X: 5})
		way := []geom.Vec{y.pos} // positions at the ends of the ticks since the last placement
		for range rapid.IntRange(0, 40).Draw(rt, "ticks") {
			if rapid.IntRange(0, 15).Draw(rt, "placed") == 0 {
				s.a.placePlayer(y, geom.Vec{X: rapid.Float32Range(-500, 500).Draw(rt, "to")}, 0)
				way = nil
			} else {
				y.pos.X += rapid.Float32Range(-4, 4).Draw(rt, "dx")
				y.stop()
			}
			if s.step(); way == nil {
				y.placedTick = s.a.now // a placement between two ticks counts for the later one
			}
			way = append(way, y.pos)
		}
		s.a.now++ // the tick of the attack
		s.a.beginFrame()
		y.pos.X += rapid.Float32Range(-4, 4).Draw(rt, "dx")
		got := s.a.seenAt(x, y, rapid.OneOf(rapid.Uint64Range(0, 1<<62), rapid.Uint64Range(0, uint64(s.a.now+2)<<8)).Draw(rt, "seen"))
		limit := uint16(min(w.Rules.RewindMS, rewindReserveMS))
		if got.agoMS > limit {
			rt.Fatalf("judged %d ms before, at most %d are allowed", got.agoMS, limit)
		}
		if got.agoMS == 0 && got.pos == y.pos {
			return
		}
		way = append(way, y.pos)
		ticks := int(limit)*w.TicksPerSecond/1000 + 2
		for i := max(1, len(way)-ticks); i < len(way); i++ {
			if lo, hi := min(way[i-1].X, way[i].X), max(way[i-1].X, way[i].X); lo-0.001 <= got.pos.X && got.pos.X <= hi+0.001 {
				return
			}
		}
		rt.Fatalf("judged at %v, %d ms before; its way was %v", got.pos, got.agoMS, way)
	})
}

func TestSnapshotAndCloneKeepPositionsForLagCompensation(t *testing.T) {
	s, x, y := duel(t)
	x.bodyStale = true // the function duel has changed the ratings of x
	s.run(1)
	s.walkAway(y, 1, 6)
	restored, err := Restore(s.w, s.a.Snapshot(nil))
	if err != nil {
		t.Fatal(err)
	}
	var copied Area
	s.a.CloneInto(&copied)
	in := s.seenAgo(x, y, 3.5)
	in.AtMS = 1
	want := s.a.Step([]Intent{in})
	if found := events(want, EventAttacked); len(found) != 1 || found[0].AgoMS != 175 {
		t.Fatalf("%+v", want.Events)
	}
	for name, a := range map[string]*Area{"snapshot": restored, "copy": &copied} {
		if got := a.Step([]Intent{in}); got.Hash != want.Hash || len(got.Events) != len(want.Events) || got.Events[0].Pos != want.Events[0].Pos {
			t.Errorf("%s: hash %#x, want %#x; events %+v", name, got.Hash, want.Hash, got.Events)
		}
	}
}

func TestAreaHashDependsOnPositionsForLagCompensation(t *testing.T) {
	s, _, y := duel(t)
	s.walkAway(y, 1, 3)
	before := s.a.Hash()
	was := s.a.placesAt(s.a.now - 1)
	was.list[1].pos.X = 77
	was.digest = digestPlaces(was.list)
	if s.a.Hash() == before {
		t.Error("the hash does not see a changed position")
	}
}
