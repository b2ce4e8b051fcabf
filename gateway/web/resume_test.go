package web_test

import (
	"context"
	"errors"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim/geom"
)

// byeOf returns the reason for which the server ended a connection, or 0 if err is not a Bye of the server.
func byeOf(err error) proto.ByeReason {
	if bye, ok := errors.AsType[*webcl.ByeError](err); ok {
		return bye.Reason
	}
	return 0
}

// A client loses its connection and reconnects from another address with its resume token. It then controls the same
// actor, at the position of the disconnect.
func TestClientResumesItsPlayerFromAnotherAddress(t *testing.T) {
	overLines(t, func(t *testing.T, r *rig, ws bool) {
		p := r.join("Ann", ws)
		to := geom.Vec{X: -6, Z: 4}
		p.do(walkTo(to))
		p.until("Ann is at her goal", func(w *webcl.World) bool { return w.Self() != nil && geom.DistXZ(w.Self().Pos(), to) < 0.5 })
		before := r.hub.Players()
		r.network.Impair(p.host, r.host, netsim.Impairment{Loss: 1}, netsim.Impairment{Loss: 1})
		o, h := r.options("", ws)
		o.Resume, o.Guest = p.c.ResumeToken(), p.c.GuestIdentity()
		again, err := r.dial(o, h)
		if err != nil {
			t.Fatal(err)
		}
		again.until("Ann is shown herself", func(w *webcl.World) bool { return w.Self() != nil })
		again.look(func(w *webcl.World) {
			if geom.DistXZ(w.State().Pos, to) > 0.6 || w.Self().Name != "Ann" {
				t.Errorf("%s at %v, want Ann at %v", w.Self().Name, w.State().Pos, to)
			}
		})
		if after := r.hub.Players(); len(after) != 1 || after[0].Entity != before[0].Entity {
			t.Errorf("players %+v, before %+v: want the same body", after, before)
		}
		again.do(wander(3))
		time.Sleep(10 * time.Second)
		again.look(func(w *webcl.World) {
			if w.Counts.Corrections != 0 {
				t.Errorf("counts %+v, last own message %+v", w.Counts, w.LastOwn)
			}
		})
		if err := again.stop(); err != nil {
			t.Error(err)
		}
		_ = p.stop() // the network drops all packets of this connection, so its error does not matter
	})
}

// If a guest opens the page in a second window, the second connection replaces the first one, and the first is sent the reason.
func TestGuestThatOpensSecondBrowserWindowContinuesSessionThere(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		p := r.join("Ann", true)
		o, h := r.options("", false)
		o.Guest = p.c.GuestIdentity()
		again, err := r.dial(o, h)
		if err != nil {
			r.t.Fatal(err)
		}
		if err := <-p.done; byeOf(err) != proto.ByeElsewhere {
			r.t.Errorf("the first window ended with %v, want ByeElsewhere", err)
		}
		again.until("Ann is shown herself", func(w *webcl.World) bool { return w.Self() != nil && w.Self().Name == "Ann" })
		if n := len(r.hub.Players()); n != 1 {
			r.t.Errorf("%d players, want 1", n)
		}
		if err := again.stop(); err != nil {
			r.t.Error(err)
		}
	})
}

// A player that logs out is removed from the world immediately and may enter again.
func TestPlayerThatLogsOutIsRemovedImmediately(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		for _, ws := range []bool{true, false} {
			p := r.join("Ann", ws)
			time.Sleep(time.Second)
			p.c.Leave(context.Background())
			<-p.done
			time.Sleep(time.Second)
			if n := len(r.hub.Players()); n != 0 {
				r.t.Errorf("%d players after the leave, want none", n)
			}
		}
	})
}

// A resume token is valid once, so that someone who has recorded an old token cannot take over the session.
func TestResumeTokenIsValidOnce(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		p := r.join("Ann", true)
		old := p.c.ResumeToken()
		o, h := r.options("", true)
		o.Resume, o.Guest = old, p.c.GuestIdentity()
		again, err := r.dial(o, h)
		if err != nil {
			r.t.Fatal(err)
		}
		<-p.done
		if again.c.ResumeToken() == old {
			r.t.Error("the session kept its token")
		}
		thief, h := r.options("Thief", true)
		thief.Resume = old
		third, err := r.dial(thief, h)
		if err != nil {
			r.t.Fatal(err)
		}
		third.until("the other guest is a player of its own", func(w *webcl.World) bool { return w.Self() != nil && w.Self().Name == "Thief" })
		for _, p := range []*player{again, third} {
			if err := p.stop(); err != nil {
				r.t.Error(err)
			}
		}
	})
}

// An account has one resume token: after the guest has entered again with a ticket, the token of the earlier connection is refused.
func TestLoginEndsResumeTokenOfEarlierConnection(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		p := r.join("Ann", true)
		time.Sleep(time.Second) // a new player that has sent no input leaves the world with its connection
		o, h := r.options("", true)
		o.Guest = p.c.GuestIdentity()
		again, err := r.dial(o, h)
		if err != nil {
			r.t.Fatal(err)
		}
		<-p.done
		x := r.newRaw()
		if err := x.dial(nil); err != nil {
			r.t.Fatal(err)
		}
		x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Resume: p.c.ResumeToken()}))
		if !x.until(func(m proto.Message) bool {
			refused, ok := m.(*proto.Refused)
			return ok && refused.Reason == proto.RefusedTicket
		}) {
			r.t.Error("the token of the earlier connection was accepted")
		}
		_ = x.ws.CloseNow()
		if err := again.stop(); err != nil {
			r.t.Error(err)
		}
	})
}

// A client repeats a request with its number, because it has lost its connection before the answer. The request is executed once,
// even if the client has not received the Welcome of the resumed session and knows only the previous token. A further request is
// executed, and so are the requests of a new page, which has no token.
func TestRequestRepeatedAfterLostConnectionIsExecutedOnce(t *testing.T) {
	overLines(t, func(t *testing.T, r *rig, ws bool) {
		bob, ann := r.join("Bob", ws), r.join("Ann", ws)
		first := ann.c.ResumeToken()
		for i, c := range []struct {
			line   string
			resume proto.ResumeToken
			last   uint16 // number of the last request before this one
			known  bool   // the client is told that it may repeat requests
		}{{"once", first, 0, false}, {"once", first, 0, true}, {"once", first, 0, true}, {"further", first, 1, true}, {"anew", proto.ResumeToken{}, 0, false}} {
			if i > 0 {
				o, h := r.options("", ws)
				o.Guest, o.Resume, o.Request = ann.c.GuestIdentity(), c.resume, c.last
				again, err := r.dial(o, h)
				if err != nil {
					t.Fatal(err)
				}
				if err := <-ann.done; byeOf(err) != proto.ByeElsewhere {
					t.Errorf("the connection ended with %v, want ByeElsewhere", err)
				}
				ann = again
			}
			if ann.c.KnowsRequests() != c.known {
				t.Errorf("connection %d: the server says that it knows the executed requests: %t, want %t", i+1, !c.known, c.known)
			}
			ann.until("an input is processed", func(w *webcl.World) bool { return w.Counts.Inputs > 20 && w.Self() != nil })
			var number uint16
			ann.look(func(w *webcl.World) {
				number = w.Say(c.line)
				if got := w.LastRequest(); number != c.last+1 || got != number {
					t.Errorf("connection %d: request %d after %d, the last one is %d", i+1, number, c.last, got)
				}
			})
			ann.until("the request is answered", func(w *webcl.World) bool {
				a, ok := w.Answer(number)
				return ok && a.Reason == 0
			})
			time.Sleep(time.Second)
			bob.look(func(w *webcl.World) {
				heard := 0
				for _, l := range w.Lines {
					if l == "Ann\t"+c.line {
						heard++
					}
				}
				if heard != 1 {
					t.Errorf("connection %d: Bob has heard %q %d times, want once", i+1, c.line, heard)
				}
			})
		}
		for _, p := range []*player{ann, bob} {
			if err := p.stop(); err != nil {
				t.Error(err)
			}
		}
	})
}

// A client that resumes is refused because the server is full. Its token stays valid, and the server still knows the numbers of
// its executed requests: a request that the client repeats on its next attempt is not executed again. The client needs no ticket
// for that attempt.
func TestResumeRefusedByFullServerSucceedsLater(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{MaxPlayers: 2}, netsim.Impairment{}, func(r *rig) {
		bob, ann := r.join("Bob", true), r.join("Ann", true)
		ann.until("an input is processed", func(w *webcl.World) bool { return w.Counts.Inputs > 20 && w.Self() != nil })
		ann.look(func(w *webcl.World) { w.Say("once") })
		time.Sleep(time.Second)
		if err := ann.stop(); err != nil {
			r.t.Error(err)
		}
		carl := r.join("Carl", true)
		o, h := r.options("", true)
		o.Guest, o.Resume = ann.c.GuestIdentity(), ann.c.ResumeToken()
		r.wantRefused(o, h, "The server is full")
		carl.c.Leave(context.Background())
		<-carl.done
		x := r.newRaw()
		if err := x.dial(nil); err != nil {
			r.t.Fatal(err)
		}
		defer x.close()
		x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Resume: ann.c.ResumeToken()}))
		x.until(func(m proto.Message) bool {
			if refused, ok := m.(*proto.Refused); ok {
				r.t.Errorf("the second attempt to resume is refused: %s", refused.Text)
			}
			_, ok := m.(*proto.Welcome)
			return ok
		})
		x.send(proto.AppendMessage(nil, &proto.Act{Number: 1, Verb: proto.VerbSay, Text: "once"}))
		if !x.until(func(m proto.Message) bool { a, ok := m.(*proto.Answer); return ok && a.Number == 1 && a.Reason == 0 }) {
			r.t.Error("the repeated request is not answered")
		}
		time.Sleep(time.Second)
		bob.look(func(w *webcl.World) {
			if n := strings.Count(strings.Join(w.Lines, "\n"), "Ann\tonce"); n != 1 {
				r.t.Errorf("Bob has heard Ann %d times, want once", n)
			}
		})
		if err := bob.stop(); err != nil {
			r.t.Error(err)
		}
	})
}

// A command is refused by the rules of the game. The client repeats it on its next connection and is sent the same refusal
// again, with the reason.
func TestRepeatedRequestGetsAnswerOfFirstAttempt(t *testing.T) {
	t.Parallel()
	w := loadGameWorld(t)
	w.World.Game = newTestGame(&w.World.Schema)
	dir := t.TempDir()
	synctest.Test(t, func(t *testing.T) {
		r := open(t, w, dir, web.Options{}, netsim.Impairment{})
		defer r.start()()
		bob, ann := r.join("Bob", true), r.join("Ann", true)
		ann.until("Bob is shown", func(w *webcl.World) bool { return w.FindByName("Bob") != nil })
		var first proto.Answer
		for range 3 { // Ann has enough mana for two of these commands
			first = ann.command("cast", 1, "Bob")
		}
		if first.Text != "You need 10 mana." {
			t.Fatalf("the third answer is %+v", first)
		}
		if err := ann.stop(); err != nil {
			t.Error(err)
		}
		x := r.newRaw()
		if err := x.dial(nil); err != nil {
			t.Fatal(err)
		}
		defer x.close()
		x.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Resume: ann.c.ResumeToken()}))
		x.until(func(m proto.Message) bool { _, ok := m.(*proto.Welcome); return ok })
		for _, want := range []proto.Answer{{Number: 1}, first} {
			x.send(proto.AppendMessage(nil, &proto.Act{Number: want.Number, Verb: proto.VerbCommand}))
			x.until(func(m proto.Message) bool {
				got, ok := m.(*proto.Answer)
				if ok && *got != want {
					t.Errorf("the repeated request is answered with %+v, want %+v", *got, want)
				}
				return ok
			})
		}
		if err := bob.stop(); err != nil {
			t.Error(err)
		}
	})
}

// Clients are sent a Bye message with the reason when the server stops.
func TestClientsAreSentReasonWhenServerStops(t *testing.T) {
	t.Parallel()
	var ended []error
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		a, b := r.join("Ann", true), r.join("Bob", false)
		go func() { _ = r.world.Stop(context.Background()) }()
		ended = append(ended, <-a.done, <-b.done)
	})
	for _, err := range ended {
		if byeOf(err) != proto.ByeStopping {
			t.Errorf("ended with %v, want ByeStopping", err)
		}
	}
}

// A connection on which nothing arrives for ten seconds is considered lost, even if its transport is still open. The
// player's actor stays in the world for some seconds, and the client can resume the session.
func TestPlayerWithSilentConnectionStaysInWorldAndCanResumeSession(t *testing.T) {
	overLines(t, func(t *testing.T, r *rig, ws bool) {
		p := r.join("Ann", ws)
		p.do(wander(1))
		time.Sleep(2 * time.Second)
		before := r.hub.Players()
		r.network.Impair(p.host, r.host, netsim.Impairment{Loss: 1}, netsim.Impairment{Loss: 1})
		for began := time.Now(); ; time.Sleep(100 * time.Millisecond) {
			now := r.hub.Players()
			if len(now) == 1 && now[0].Lingering {
				break
			}
			if time.Since(began) > 30*time.Second || len(now) != 1 {
				t.Errorf("players %+v after %v, want one that lingers", now, time.Since(began))
				break
			}
		}
		o, h := r.options("", ws)
		o.Resume, o.Guest = p.c.ResumeToken(), p.c.GuestIdentity()
		again, err := r.dial(o, h)
		if err != nil {
			t.Fatal(err)
		}
		if after := r.hub.Players(); len(after) != 1 || after[0].Entity != before[0].Entity || after[0].Lingering {
			t.Errorf("players %+v, before %+v: want the same body", after, before)
		}
		if err := again.stop(); err != nil {
			t.Error(err)
		}
		_ = p.stop() // the network drops all packets of this connection, so its error does not matter
	})
}
