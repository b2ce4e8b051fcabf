package session

import (
	"errors"
	"slices"
	"strings"
	"sync/atomic"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
)

// answers sets the function with which the world answers where a player is (nil: the true answer), and the number of ticks by which this
// node is behind. Intents of the kinds in lost reach no area, like intents for a player who is on its way between areas.
func (n *testNode) answers(find func() (area.RestoredPlayer, bool, error), behind sim.Tick, lost ...sim.IntentKind) {
	n.c.mu.Lock()
	defer n.c.mu.Unlock()
	n.find, n.behind, n.lose = find, behind, func(in sim.Intent) bool { return slices.Contains(lost, in.Kind) }
}

// missFrames passes a frame without players to the hub, and reports to the hub that it has missed the 7 frames before.
func (n *testNode) missFrames(a sim.AreaID) {
	n.handleFrame(&sim.Frame{Area: a, Tick: n.c.world.Stats()[a].Tick}, 7)
}

// hasEnded reports whether the hub has finished with the player of a session.
func (s *Session) hasEnded() bool {
	select {
	case <-s.Ended():
		return true
	default:
		return false
	}
}

var nowhere = func() (area.RestoredPlayer, bool, error) { return area.RestoredPlayer{}, false, nil }

// A hub misses the frames in which a player leaves an area for another one, which has no leader. If the hub counted the player as
// gone, nothing would remove the actor when it arrives.
func TestAccountStaysInUseWhilePlayerMayStillBeInWorld(t *testing.T) {
	for _, c := range []struct {
		what   string
		find   func(*Session) (area.RestoredPlayer, bool, error)
		behind sim.Tick // ticks by which the node is behind
		warns  int      // expected number of log lines that say that the answer is unknown
	}{
		{"on its way", func(s *Session) (area.RestoredPlayer, bool, error) {
			return area.RestoredPlayer{Entity: s.Entity, Character: s.Character.ID, Area: 1}, true, nil
		}, 0, 0},
		{"no leader", func(*Session) (area.RestoredPlayer, bool, error) {
			return area.RestoredPlayer{}, false, errors.New("no leader")
		}, 0, 1},
		{"nowhere, and frames are to be read", func(*Session) (area.RestoredPlayer, bool, error) { return nowhere() }, 1000, 1},
	} {
		for _, logsOut := range []bool{true, false} {
			t.Run(c.what+map[bool]string{true: ", logged out", false: ", lost connection"}[logsOut], func(t *testing.T) {
				withCluster(t, twoFields(), Options{}, func(cl *testCluster) {
					n, other := cl.nodes[0], cl.nodes[1]
					l := n.player("Ada")
					s := n.enters(l)
					ticks(20)
					n.answers(func() (area.RestoredPlayer, bool, error) { return c.find(s) }, c.behind, sim.IntentLeave, sim.IntentDisconnect, sim.IntentResume)
					if logsOut {
						s.Leave()
					} else {
						s.Disconnect()
					}
					n.missFrames(0)
					time.Sleep(20 * time.Second)
					if s.hasEnded() || cl.holder(l.Account) != "node0" || n.playersInWorld() != 1 {
						t.Errorf("ended %v, the account is held by %q, the world has %d players", s.hasEnded(), cl.holder(l.Account), n.playersInWorld())
					}
					_, err := n.Enter(cl.ctx, l, 0)
					n.mustBe(err, ErrBusy)
					_, err = other.Enter(cl.ctx, l, 0)
					other.mustBe(err, ErrOnline)
					if lines := strings.Count(n.log.String(), "cannot find out whether some disconnected players"); lines != c.warns {
						t.Errorf("%d lines:\n%s", lines, n.log.String())
					}
					n.answers(nil, 0)                               // true answers: the player arrived in frames that the hub missed
					time.Sleep(n.opt.RecordTimeout + 3*time.Second) // a running search still waits for ticks
					if !logsOut {
						s = n.enters(l)
						if !s.Resumed() {
							t.Error("the next session has another actor")
						}
						s.Leave()
						time.Sleep(3 * time.Second)
					}
					if !s.hasEnded() || n.playersInWorld() != 0 {
						t.Errorf("at last: ended %v, the world has %d players", s.hasEnded(), n.playersInWorld())
					}
					other.enters(l)
				})
			})
		}
	}
}

func TestLingeringPlayerLeavesAfterLingerTimeDespiteMissedFrames(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		s := n.enters(n.player("Ada"))
		ticks(20)
		n.answers(func() (area.RestoredPlayer, bool, error) {
			return area.RestoredPlayer{Entity: s.Entity, Character: s.Character.ID, Area: 1}, true, nil
		}, 0, sim.IntentDisconnect)
		s.Disconnect()
		n.missFrames(0)
		time.Sleep(5 * time.Second)
		n.answers(nil, 0)
		time.Sleep(12 * time.Second)
		if !s.hasEnded() || n.playersInWorld() != 0 {
			t.Errorf("ended %v, the world has %d players", s.hasEnded(), n.playersInWorld())
		}
	})
}

func TestAccountMayLogInAgainOnceWorldReportsThatItsPlayerHasLeft(t *testing.T) {
	for how, end := range map[string]func(*Session){"logged out": (*Session).Leave, "lost connection": (*Session).Disconnect} {
		t.Run(how, func(t *testing.T) {
			withCluster(t, twoFields(), Options{}, func(c *testCluster) {
				n := c.nodes[0]
				l := n.player("Ada")
				s := n.enters(l)
				ticks(20)
				n.answers(nowhere, 0, sim.IntentLeave, sim.IntentDisconnect)
				end(s)
				n.missFrames(0)
				time.Sleep(5 * time.Second)
				if !s.hasEnded() || c.holder(l.Account) != "" || !strings.Contains(n.log.String(), "is no longer in the world, but this node did not see it leave") {
					t.Errorf("ended %v, the account is held by %q; log:\n%s", s.hasEnded(), c.holder(l.Account), n.log.String())
				}
			})
		})
	}
}

// A player loses its connection, and the tick with the disconnect intent panics. So the area does not know that the player lingers.
func TestPlayerWhoseDisconnectWasInSkippedTickLeavesAfterLingerTime(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		l := n.player("Ada")
		s := n.enters(l)
		ticks(20)
		n.answers(nil, 0, sim.IntentDisconnect)
		s.Disconnect()
		ticks(5)
		n.answers(nil, 0)
		n.handleFrame(&sim.Frame{Area: 0, Tick: c.world.Stats()[0].Tick, Actors: []sim.ActorState{{ID: s.Entity}}}, 1)
		time.Sleep(5 * time.Second)
		if s.hasEnded() || n.playersInWorld() != 1 {
			t.Errorf("while the player may return: ended %v, the world has %d players", s.hasEnded(), n.playersInWorld())
		}
		time.Sleep(10 * time.Second)
		if !s.hasEnded() || n.playersInWorld() != 0 || c.holder(l.Account) != "" {
			t.Errorf("ended %v, the world has %d players, the account is held by %q", s.hasEnded(), n.playersInWorld(), c.holder(l.Account))
		}
	})
}

// The tick with the join of a player panics, or the area refuses the player in a frame that the hub misses. When the player then loses
// its connection, the area does not know the player, or the disconnect is lost as well.
func TestAccountWhosePlayerWasNeverAdmittedIsFreeAfterItsConnectionIsLost(t *testing.T) {
	for what, lost := range map[string][]sim.IntentKind{"join": {sim.IntentJoin}, "join and disconnect": {sim.IntentJoin, sim.IntentDisconnect}} {
		t.Run(what, func(t *testing.T) {
			withCluster(t, twoFields(), Options{}, func(c *testCluster) {
				n, other := c.nodes[0], c.nodes[1]
				l := n.player("Ada")
				n.answers(nil, 0, lost...)
				s := n.enters(l)
				if len(lost) > 1 {
					n.missFrames(0)
				}
				ticks(20)
				s.Disconnect()
				time.Sleep(5 * time.Second)
				if !s.hasEnded() || c.holder(l.Account) != "" {
					t.Errorf("ended %v, the account is held by %q", s.hasEnded(), c.holder(l.Account))
				}
				if s, err := other.Enter(c.ctx, l, 0); err != nil || s.Resumed() {
					t.Errorf("the account cannot enter anew: %v", err)
				}
			})
		})
	}
}

// A player loses its connection between two areas. The next area refuses the disconnect intent because it does not have the player yet.
func TestPlayerDisconnectedBetweenAreasLingersAlthoughNextAreaDoesNotKnowPlayer(t *testing.T) {
	refused := func(s *Session) *sim.Frame {
		return &sim.Frame{Area: 1, Events: []sim.Event{{Kind: sim.EventRefused, Who: s.Entity, Reason: reason.Unknown}}}
	}
	departed := func(s *Session) *sim.Frame {
		return &sim.Frame{Area: 0, Events: []sim.Event{{Kind: sim.EventDeparted, Who: s.Entity, To: 1}}}
	}
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		l := n.player("Ada")
		s := n.enters(l)
		ticks(20)
		n.answers(func() (area.RestoredPlayer, bool, error) {
			return area.RestoredPlayer{Entity: s.Entity, Character: s.Character.ID, Area: 1}, true, nil
		}, 0, sim.IntentDisconnect)
		n.handleFrame(departed(s), 0)
		s.Disconnect()
		n.handleFrame(refused(s), 0)
		time.Sleep(8 * time.Second)
		if s.hasEnded() || c.holder(l.Account) != "node0" {
			t.Errorf("ended %v, the account is held by %q", s.hasEnded(), c.holder(l.Account))
		}
	})
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(20)
		r.handleFrame(departed(s), 0)
		s.Disconnect()
		r.handleFrame(refused(s), 0)
		time.Sleep(8 * time.Second)
		if s.hasEnded() {
			t.Error("on a single server the player between areas is taken for gone")
		}
		r.handleFrame(&sim.Frame{Area: 0, Events: []sim.Event{{Kind: sim.EventJoined, Who: s.Entity}}}, 0)
		if again := r.enters(l); !again.Resumed() {
			t.Error("the player cannot return")
		}
	})
}

func TestSingleServerReleasesAccountIfHubMissedRefusalOfPlayer(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		v := &presence{entity: 99, account: l.Account, character: r.stored(l).ID, ended: make(chan struct{})}
		s := &Session{Entity: v.entity, Character: r.stored(l), Login: l, hub: r.Hub, presence: v}
		v.session = s
		r.mu.Lock()
		r.presences[v.entity], r.online[v.account] = v, v
		r.mu.Unlock()
		s.Disconnect() // the area has no such actor and says so
		time.Sleep(5 * time.Second)
		if !s.hasEnded() {
			t.Error("the presence of a player who was never in the world has not ended")
		}
		if again := r.enters(l); again.Resumed() {
			t.Error("the player resumes an actor that was never in the world")
		}
	})
}

// A player loses its connection, and every tick that contains the disconnect intent panics.
func TestDisconnectThatMakesTicksPanicIsRetriedWithBackoff(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		s := n.enters(n.player("Ada"))
		ticks(20)
		var sent atomic.Int64
		c.mu.Lock()
		n.lose = func(in sim.Intent) bool {
			if in.Kind == sim.IntentDisconnect {
				sent.Add(1)
			}
			return in.Kind == sim.IntentDisconnect
		}
		c.mu.Unlock()
		s.Disconnect()
		seen := int64(0)
		for range 600 {
			ticks(2)
			if now := sent.Load(); now > seen {
				seen = now
				n.handleFrame(&sim.Frame{Area: 0, Tick: c.world.Stats()[0].Tick, Actors: []sim.ActorState{{ID: s.Entity}}}, 1)
			}
		}
		if sent := sent.Load(); sent < 6 || sent > 10 {
			t.Errorf("the disconnect was sent %d times in a minute, want 6 to 10", sent)
		}
		n.answers(nil, 0)
		time.Sleep(firstResendWait<<maxResendDoubling + 15*time.Second)
		if !s.hasEnded() || n.playersInWorld() != 0 {
			t.Errorf("ended %v, the world has %d players", s.hasEnded(), n.playersInWorld())
		}
	})
}

func TestLoginWhileAnAreaHasNoLeaderIsLoggedOnceAMinuteAsWarning(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n := c.nodes[0]
		l := n.player("Ada")
		n.answers(func() (area.RestoredPlayer, bool, error) { return area.RestoredPlayer{}, false, area.ErrNoLead }, 0)
		for i, want := range []int{1, 1, 2} { // numbers of lines in the log so far
			if _, err := n.Enter(n.ctx, l, 0); !errors.Is(err, ErrNoLead) {
				t.Errorf("login %d: %v", i, err)
			}
			const line = `level=WARN msg="players who log in are asked to try again" err="the area has no leader now: `
			if got := strings.Count(n.log.String(), line); got != want {
				t.Errorf("after login %d: %d lines, want %d:\n%s", i, got, want, n.log.String())
			}
			time.Sleep(40 * time.Second)
		}
	})
}

func TestFramesMissedByNodeThatWasAwayAreNoWarning(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		n, f := c.nodes[0], &sim.Frame{Area: 1}
		for _, p := range []area.Published{{Frame: f}, {Frame: f, Missed: 1002, CatchUp: true}, {Frame: f, Missed: 3}} {
			n.logMissed(&p)
		}
		text := n.log.String()
		if strings.Count(text, "level=INFO") != 1 || !strings.Contains(text, "without reading all of them\" frames=1002 ") {
			t.Errorf("one line says that the node was away:\n%s", text)
		}
		if strings.Count(text, "level=WARN") != 1 || !strings.Contains(text, "may be saved late\" frames=3 ") {
			t.Errorf("one line warns about frames missed by a slow hub:\n%s", text)
		}
	})
}
