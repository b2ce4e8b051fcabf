package web_test

import (
	"slices"
	"strings"
	"testing"
	"testing/synctest"
	"time"

	webcl "github.com/truestep-io/truestep/client/web"
	"github.com/truestep-io/truestep/gateway/web"
	"github.com/truestep-io/truestep/internal/netsim"
	proto "github.com/truestep-io/truestep/proto/web"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/reason"
	"github.com/truestep-io/truestep/store"
)

// An announcement has tone 3, which clients of this protocol show in their own way. A muted player is told the reason and
// the end of the mute as a warning, and its chat is not sent. A player that is not on the whitelist is refused with reason
// closed and a text, even if its ticket was issued before.
func TestAnnouncementAndMuteNoticeAndWhitelistRefusalReachClient(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		restrict := func(rule store.AccessRule) {
			r.t.Helper()
			if _, err := r.hub.Restrict(r.t.Context(), rule); err != nil {
				r.t.Fatal(err)
			}
		}
		bob := r.join("Bob", false)
		x := r.newRaw()
		x.enter() // a guest
		account := ""
		for _, p := range r.hub.Players() {
			if p.Name != "Bob" {
				account = p.Account
			}
		}
		told, err := r.hub.Announce(sim.NoArea, "Market at noon")
		if err != nil || told != 2 {
			r.t.Fatalf("announced to %d, %v", told, err)
		}
		hears := func(what string, tone int32, matches func(text string) bool) {
			r.t.Helper()
			if !x.until(func(m proto.Message) bool {
				e, ok := m.(*proto.Event)
				return ok && e.Kind == proto.EventTold && e.Value == tone && matches(e.Text)
			}) {
				r.t.Fatalf("the client is not told %s", what)
			}
		}
		hears("the announcement", 3, func(s string) bool { return s == "Market at noon" })
		bob.until("the announcement", func(w *webcl.World) bool { return slices.Contains(w.Lines, "\tMarket at noon") })
		restrict(store.AccessRule{Kind: store.AccessMute, Account: account, Reason: "shouting", Until: time.Now().Add(time.Hour)})
		isNotice := func(s string) bool {
			return strings.HasPrefix(s, "You are muted until ") && strings.HasSuffix(s, ": shouting")
		}
		hears("the mute", 1, isNotice)
		x.send(proto.AppendMessage(nil, &proto.Act{Number: 1, Verb: proto.VerbSay, Text: "hear me"}))
		hears("that it is muted when it talks", 1, isNotice)
		time.Sleep(time.Second)
		bob.look(func(w *webcl.World) {
			if slices.ContainsFunc(w.Lines, func(s string) bool { return strings.Contains(s, "hear me") }) {
				r.t.Errorf("Bob reads %q", w.Lines)
			}
		})
		y := r.newRaw()
		ticket := y.ticket()
		restrict(store.AccessRule{Kind: store.AccessWhitelist})
		if err := y.dial(nil); err != nil {
			r.t.Fatal(err)
		}
		y.send(proto.AppendMessage(nil, &proto.Hello{Features: proto.Features, Ticket: ticket}))
		var refused proto.Refused
		y.until(func(m proto.Message) bool {
			if p, ok := m.(*proto.Refused); ok {
				refused = *p
			}
			return false
		})
		if refused.Reason != proto.RefusedClosed || refused.Text != "You are not on the whitelist of this server." {
			r.t.Errorf("refused with %+v", refused)
		}
		o, h := r.options("Cid", false)
		r.wantRefused(o, h, "You are not on the whitelist of this server.")
		if err := bob.stop(); err != nil {
			r.t.Error(err)
		}
		x.close()
	})
}

// If the other nodes of the cluster declare this node dead, its hub ends all sessions. The client is told the reason and
// may resume the session, because its player's actor stays in the world.
func TestPlayerOfLostClusterNodeIsSentReasonAndMayResumeSession(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		x := r.newRaw()
		x.enter()
		r.hub.EndAll("The server lost its connection to the others.")
		var bye *proto.Bye
		x.until(func(m proto.Message) bool {
			b, ok := m.(*proto.Bye)
			if ok {
				bye = b
			}
			return ok
		})
		if bye == nil || bye.Text != "The server lost its connection to the others." || !bye.Resume {
			r.t.Errorf("the client was sent %+v", bye)
		}
	})
}

// What an area says to a player in the tick of its arrival reaches the client.
func TestTextsOfTickOfArrivalReachClient(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		bob := r.join("Bob", false)
		id := r.hub.Players()[0].Entity
		time.Sleep(time.Second)
		for text, do := range map[string]func() error{
			"[Operator] Behave.": func() error { return r.hub.SendMessage(id, "Behave.") },
			"here":               func() error { return r.world.Submit(0, sim.Intent{Kind: sim.IntentChat, Who: id, Text: "here"}) },
		} {
			for now := r.world.Stats()[0].Tick; r.world.Stats()[0].Tick == now; time.Sleep(time.Millisecond) {
			}
			time.Sleep(10 * time.Millisecond) // between two ticks
			r.gate.ArriveAgain(id)
			synctest.Wait()
			if err := do(); err != nil {
				t.Error(err)
			}
			time.Sleep(time.Second)
			bob.look(func(w *webcl.World) {
				if !slices.ContainsFunc(w.Lines, func(s string) bool { return strings.HasSuffix(s, "\t"+text) }) || w.Counts.Corrections != 0 {
					t.Errorf("the client shows %q and was corrected %d times, want the text %q and no correction", w.Lines, w.Counts.Corrections, text)
				}
			})
		}
	})
}

func TestLineOfPlayerBetweenAreasIsAccepted(t *testing.T) {
	t.Parallel()
	withServer(t, web.Options{}, netsim.Impairment{}, func(r *rig) {
		bob := r.join("Bob", false)
		x := r.newRaw()
		x.enter() // a guest
		var id sim.EntityID
		for _, p := range r.hub.Players() {
			if p.Name != "Bob" {
				id = p.Entity
			}
		}
		time.Sleep(time.Second)
		for now := r.world.Stats()[0].Tick; r.world.Stats()[0].Tick == now; time.Sleep(time.Millisecond) {
		}
		time.Sleep(10 * time.Millisecond) // between two ticks
		r.gate.ArriveAgain(id)
		synctest.Wait()
		x.send(proto.AppendMessage(nil, &proto.Act{Number: 1, Verb: proto.VerbSay, Text: "hello"}))
		x.send(proto.AppendMessage(nil, &proto.Act{Number: 2, Verb: proto.VerbWake}))
		for number, want := range []reason.Reason{1: reason.None, 2: reason.Unknown} {
			if number == 0 {
				continue
			}
			if !x.until(func(m proto.Message) bool {
				a, ok := m.(*proto.Answer)
				return ok && a.Number == uint16(number) && a.Reason == uint8(want)
			}) {
				t.Errorf("request %d is not answered with %v", number, want)
			}
		}
		time.Sleep(time.Second)
		bob.look(func(w *webcl.World) {
			if !slices.ContainsFunc(w.Lines, func(s string) bool { return strings.HasSuffix(s, "\thello") }) {
				t.Errorf("Bob's client shows %q", w.Lines)
			}
		})
	})
}
