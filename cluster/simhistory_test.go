package cluster

import (
	"fmt"
	"slices"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/e2e/cluster/checker"
	"github.com/truestep-io/truestep/sim"
)

// recordFrame tells the checker which connections are shown a frame of an area, and what their clients see of their own characters in it.
// A connection counts also after its client has gone elsewhere, until its node ends the session: an account must not be in the world
// through two. It does not count if its client had gone before it was shown anything, because the checker takes the connection that is
// shown the world last for the newest, nor while a node that was declared dead ends its sessions: until it has learned of that, it may
// show its clients older ticks, and then a few more.
func (p *process) recordFrame(f *sim.Frame, at time.Time) {
	s := p.n.s
	area := s.def.Areas[f.Area].Name
	for _, c := range s.clients {
		x := p.sessions[c.id]
		if x == nil || !x.isShown(f.Area) {
			continue
		}
		x.shown = x.shown || x.sees(f.Area)
		if x.shown && !p.host.fencing.Load() {
			s.history.RecordFrame(at, c.name, x.name(), area, uint64(f.Tick))
		}
		if !c.watches(x, f, at) {
			continue
		}
		if a := f.Find(x.who); a != nil {
			s.history.RecordHealth(at, c.name, int(a.Health))
			s.history.RecordExperience(c.name, p.n.name, int(a.Body.XP))
		}
	}
}

// recordBlow tells the checker which clients are shown a blow.
func (p *process) recordBlow(f *sim.Frame, e *sim.Event, at time.Time) {
	s := p.n.s
	blow := checker.Blow{Area: s.def.Areas[f.Area].Name, Tick: uint64(f.Tick), Victim: e.Text, Damage: int(e.N)}
	if a := f.Find(e.Who); a != nil {
		blow.Attacker = a.Body.Name
	}
	for _, c := range s.clients {
		if x := c.at; x != nil && x.p == p && c.watches(x, f, at) {
			s.history.RecordBlow(at, c.name, blow)
		}
	}
}

// watches reports whether session x shows the client a frame, and the frame is later than any that the client was shown: see client.enters.
func (c *client) watches(x *session, f *sim.Frame, at time.Time) bool {
	if !x.sees(f.Area) {
		return false
	}
	c.checkNotBehind(x, at)
	return at.After(c.until)
}

// name returns a name for the connection of a session, unique among the sessions of the client.
func (x *session) name() string {
	return fmt.Sprintf("session %d through node %s", x.number, x.p.n.name)
}

// falsify returns a copy of a frame, to which a test has made a change.
func falsify(f *sim.Frame, change func(*sim.Frame)) *sim.Frame {
	g := *f
	g.Actors, g.Events = slices.Clone(f.Actors), slices.Clone(f.Events)
	change(&g)
	return &g
}

// reverseChat gives the lines of chat of a frame the other order, and leaves the other events where they are.
func reverseChat(f *sim.Frame) {
	var lines []sim.Event
	for i := range f.Events {
		if f.Events[i].Kind == sim.EventChat {
			lines = append(lines, f.Events[i])
		}
	}
	for i := range f.Events {
		if f.Events[i].Kind == sim.EventChat {
			f.Events[i], lines = lines[len(lines)-1], lines[:len(lines)-1]
		}
	}
}

// During the whole run, the clients of one node are shown other frames than the node has computed.
func TestCheckerDetectsClientFramesThatNodeDidNotCompute(t *testing.T) {
	for name, c := range map[string]struct {
		change func(*process, *sim.Frame)
		want   string
	}{
		"a blow is left out": {func(_ *process, f *sim.Frame) {
			f.Events = slices.DeleteFunc(f.Events, func(e sim.Event) bool { return e.Kind == sim.EventAttacked })
		}, "was shown it only 0 times, although it was in the area"},
		"a blow takes another number of points": {func(_ *process, f *sim.Frame) {
			for i := range f.Events {
				if e := &f.Events[i]; e.Kind == sim.EventAttacked {
					e.N += 1000
				}
			}
		}, "was shown it only 0 times, although it was in the area"},
		"blows do no harm": {func(_ *process, f *sim.Frame) {
			for i := range f.Actors {
				f.Actors[i].Health = f.Actors[i].HealthMax
			}
		}, "health points"}, // more than before the blow, or too many after it
		"experience is lost": {func(_ *process, f *sim.Frame) {
			for i := range f.Actors {
				b := *f.Actors[i].Body
				b.XP = 0
				f.Actors[i].Body = &b
			}
		}, "experience points (n2), fewer than"},
		"a line of chat is left out": {func(_ *process, f *sim.Frame) {
			f.Events = slices.DeleteFunc(f.Events, func(e sim.Event) bool { return e.Kind == sim.EventChat })
		}, "was not shown chat line"},
		"a line of chat is shown twice": {func(_ *process, f *sim.Frame) {
			for _, e := range f.Events {
				if e.Kind == sim.EventChat {
					f.Events = append(f.Events, e)
				}
			}
		}, "twice, 0s apart"},
		"lines of chat are shown in the other order": {func(_ *process, f *sim.Frame) { reverseChat(f) }, "after the later line"},
		"a player is in all areas": {func(p *process, f *sim.Frame) {
			if i := slices.IndexFunc(f.Actors, func(a sim.ActorState) bool { return a.Is(sim.FlagPlayer) }); i >= 0 {
				other := f.Actors[i]
				body := *other.Body
				body.Character = 1
				other.ID, other.Body = 0, &body
				f.Actors = append(f.Actors, other)
			}
		}, "areas at once in two samples in a row"},
		"a connection is shown the world after a later one": {func(p *process, f *sim.Frame) {
			s := p.n.s
			for _, c := range s.clients {
				if n := len(c.sessions); n > 1 && c.sessions[n-1].p == p && c.sessions[n-1].shown {
					s.history.RecordFrame(s.began.Add(s.now), c.name, c.sessions[n-2].name(), s.def.Areas[f.Area].Name, uint64(f.Tick))
				}
			}
		}, "is in the world through two connections"},
	} {
		t.Run(name, func(t *testing.T) {
			const most = 8
			var err error
			for seed := uint64(1); seed <= most && err == nil; seed++ { // in some seeds too little happens at the node
				_, err = simulate(t, seed, briefly, func(s *simulation) {
					s.shows = func(p *process, f *sim.Frame) *sim.Frame {
						if p.n.id != 2 {
							return f
						}
						return falsify(f, func(f *sim.Frame) { c.change(p, f) })
					}
				})
			}
			if err == nil || !strings.Contains(err.Error(), c.want) {
				t.Errorf("the error is %v, want one with %q", err, c.want)
			}
		})
	}
}

// Node 2 executes other intents, or has other events, without another state.
func TestTickWithOtherIntentsOrEventsOnOneNodeIsFound(t *testing.T) {
	isChat := func(e sim.Event) bool { return e.Kind == sim.EventChat }
	for name, change := range map[string]func(in []sim.Intent, f *sim.Frame) ([]sim.Intent, *sim.Frame){
		"a line of chat is left out": func(in []sim.Intent, f *sim.Frame) ([]sim.Intent, *sim.Frame) {
			return in, falsify(f, func(f *sim.Frame) { f.Events = slices.DeleteFunc(f.Events, isChat) })
		},
		"an event has another value": func(in []sim.Intent, f *sim.Frame) ([]sim.Intent, *sim.Frame) {
			return in, falsify(f, func(f *sim.Frame) {
				for i := range f.Events {
					if isChat(f.Events[i]) {
						f.Events[i].Value++
					}
				}
			})
		},
		"an actor stands elsewhere": func(in []sim.Intent, f *sim.Frame) ([]sim.Intent, *sim.Frame) {
			return in, falsify(f, func(f *sim.Frame) {
				for i := range f.Actors {
					f.Actors[i].Pos.X++
				}
			})
		},
		"the last intent is left out": func(in []sim.Intent, f *sim.Frame) ([]sim.Intent, *sim.Frame) {
			return in[:max(0, len(in)-1)], f
		},
		"two intents are executed in the other order": func(in []sim.Intent, f *sim.Frame) ([]sim.Intent, *sim.Frame) {
			in = slices.Clone(in)
			slices.Reverse(in)
			return in, f
		},
	} {
		t.Run(name, func(t *testing.T) {
			_, err := simulate(t, 1, briefly, func(s *simulation) {
				s.executes = func(p *process, in []sim.Intent, f *sim.Frame) ([]sim.Intent, *sim.Frame) {
					if p.n.id != 2 {
						return in, f
					}
					return change(in, f)
				}
			})
			if want := "other intents or events in tick"; err == nil || !strings.Contains(err.Error(), want) {
				t.Errorf("the error is %v, want one with %q", err, want)
			}
		})
	}
}
