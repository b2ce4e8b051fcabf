package session

import (
	"errors"
	"net/netip"
	"strings"
	"testing"
	"time"

	"github.com/truestep-io/truestep/area"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// peerAt returns a new connection from the address addr.
func (r *testServer) peerAt(addr string) Peer {
	p := r.peer()
	p.Addr = netip.MustParseAddr(addr)
	return p
}

// mustRestrict stores an access rule, such as a ban, and fails the test if that is refused.
func (r *testServer) mustRestrict(rule store.AccessRule) store.AccessRule {
	r.t.Helper()
	rule, err := r.Restrict(r.ctx, rule)
	r.must(err)
	return rule
}

func TestTimedBanKicksPlayerAndRefusesLoginsWithReasonUntilItExpires(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		s := r.enters(l)
		ticks(2)
		until := time.Now().Add(3 * time.Minute)
		rule := r.mustRestrict(store.AccessRule{Kind: store.AccessBan, Account: "ada", Reason: "theft", By: "ann (console)", Until: until})
		ticks(2)
		want := "You are banned until " + until.UTC().Format("2 January 2006 15:04 UTC") + ": theft"
		if rule.Account != "Ada" || rule.Since.IsZero() || s.KickMessage() != want {
			t.Errorf("rule %+v, the kicked player reads %q, want %q", rule, s.KickMessage(), want)
		}
		_, err := r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, ErrBanned)
		if AccessText(err, "") != want {
			t.Errorf("the refused login reads %q", AccessText(err, ""))
		}
		_, err = r.Login(r.ctx, r.peer(), "Ada", "wrong")
		r.mustBe(err, ErrDenied) // with a wrong password the client does not learn that the account is banned
		time.Sleep(time.Until(until) - time.Second)
		_, err = r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, ErrBanned)
		time.Sleep(time.Second)
		r.enters(l)
		time.Sleep(2 * sweepEvery) // the sweep deletes the rule
		if rules, err := r.disk.AccessRules(r.ctx); err != nil || len(rules) != 0 {
			t.Errorf("stored rules %+v, %v", rules, err)
		}
		if a, err := r.disk.Account(r.ctx, "Ada"); err != nil || a.Banned {
			t.Errorf("the account is %+v, %v", a, err)
		}
	})
}

func TestBannedNetworkIsRefusedAtEveryLogin(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		ada := r.enters(r.player("Ada")) // from 192.0.2.1
		ticks(2)
		rule := r.mustRestrict(store.AccessRule{Kind: store.AccessBan, Network: netip.MustParsePrefix("192.0.2.77/24"), Reason: "flood"})
		ticks(2)
		if rule.NetworkText() != "192.0.2.0/24" || ada.KickMessage() != "You are banned: flood" {
			t.Errorf("network %s, the kicked player reads %q", rule.NetworkText(), ada.KickMessage())
		}
		for addr, banned := range map[string]bool{"192.0.2.200": true, "::ffff:192.0.2.3": true, "192.0.3.1": false, "2001:db8::1": false} {
			_, err := r.Login(r.ctx, r.peerAt(addr), "Ada", "wrong")
			if errors.Is(err, ErrBanned) != banned {
				t.Errorf("%s: %v", addr, err)
			}
			_, err = r.LoginWithoutSecret(r.ctx, r.peerAt(addr), "bedrock:"+addr)
			if errors.Is(err, ErrBanned) != banned {
				t.Errorf("%s without a secret: %v", addr, err)
			}
			err = r.CreateAccount(r.ctx, r.peerAt(addr), "New"+strings.NewReplacer(".", "_", ":", "_").Replace(addr), "secret", "")
			if errors.Is(err, ErrBanned) != banned {
				t.Errorf("%s, a new account: %v", addr, err)
			}
		}
		rule = r.mustRestrict(store.AccessRule{Kind: store.AccessBan, Network: netip.MustParsePrefix("2001:db8::1/128")})
		if rule.NetworkText() != "2001:db8::/64" {
			t.Errorf("an IPv6 address is banned as %s", rule.NetworkText())
		}
		r.mustBe(r.checkAddr(netip.MustParseAddr("2001:db8::ffff")), ErrBanned)
		for _, wide := range []string{"10.0.0.0/7", "0.0.0.0/0", "2000::/3", "::/0"} {
			_, err := r.Restrict(r.ctx, store.AccessRule{Kind: store.AccessBan, Network: netip.MustParsePrefix(wide)})
			r.mustBe(err, ErrInvalid)
		}
		r.must(r.Lift(r.ctx, store.AccessRule{Kind: store.AccessBan, Network: netip.MustParsePrefix("192.0.2.0/24")}))
		r.must(r.checkAddr(netip.MustParseAddr("192.0.2.200")))
		r.mustBe(r.Lift(r.ctx, store.AccessRule{Kind: store.AccessBan, Network: netip.MustParsePrefix("192.0.2.0/24")}), store.ErrNotFound)
	})
}

// Older versions, imports and other programs store a ban only as a flag of the account, not as an access rule.
func TestBanStoredAsAccountFlagIsListedAndCanBeLifted(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		l := r.player("Ada")
		r.must(r.disk.SetBanned(r.ctx, l.Account, true))
		list, err := r.Rules(r.ctx, store.AccessBan)
		if err != nil || len(list) != 1 || list[0] != (store.AccessRule{Kind: store.AccessBan, Account: "Ada"}) {
			t.Errorf("rules %+v, %v", list, err)
		}
		_, err = r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, ErrBanned)
		r.must(r.Lift(r.ctx, store.AccessRule{Kind: store.AccessBan, Account: "ada"}))
		r.enters(l)
		r.mustBe(r.Lift(r.ctx, store.AccessRule{Kind: store.AccessBan, Account: "ada"}), store.ErrNotFound)
	})
}

func TestAccessRulesSurviveRestart(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		r.player("Ada")
		r.mustRestrict(store.AccessRule{Kind: store.AccessBan, Account: "Ada", Reason: "theft", By: "ann", Until: time.Now().Add(time.Hour)})
		r.mustRestrict(store.AccessRule{Kind: store.AccessWhitelist})
		hub := NewHub(area.NewWorld(twoFields(), area.Options{Log: r.log}), r.disk, Options{HashCost: cheap, Log: r.log})
		list, err := hub.Rules(r.ctx, store.AccessBan)
		if err != nil || len(list) != 1 || list[0].Reason != "theft" || list[0].By != "ann" || list[0].Until.IsZero() || !hub.Whitelist() {
			t.Errorf("after a restart: %+v, %v, whitelist %v", list, err, hub.Whitelist())
		}
		r.must(hub.world.(*area.World).Stop(r.ctx))
		r.must(hub.Close(r.ctx))
	})
}

func TestWhitelistAdmitsListedAccountsOnly(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		ada, bob := r.player("Ada"), r.player("Bob")
		s := r.enters(ada)
		ticks(2)
		r.mustRestrict(store.AccessRule{Kind: store.AccessWhitelisted, Account: "bob", By: "ann"})
		r.mustRestrict(store.AccessRule{Kind: store.AccessWhitelisted, Account: "Cy"}) // has no account yet
		r.mustRestrict(store.AccessRule{Kind: store.AccessWhitelist})
		ticks(2)
		if _, inside := r.Player(s.Entity); !inside {
			t.Error("the whitelist sent away a player in the world")
		}
		r.enters(bob)
		_, err := r.Login(r.ctx, r.peer(), "Ada", "secret")
		r.mustBe(err, ErrNotWhitelisted)
		_, err = r.Login(r.ctx, r.peer(), "Ada", "wrong")
		r.mustBe(err, ErrDenied)
		_, err = r.LoginWithoutSecret(r.ctx, r.peer(), "web:0123")
		r.mustBe(err, ErrNotWhitelisted)
		if _, err := r.disk.Account(r.ctx, "web:0123"); !errors.Is(err, store.ErrNotFound) {
			t.Errorf("the refused guest has an account: %v", err)
		}
		r.mustBe(r.CreateAccount(r.ctx, r.peer(), "Dan", "secret", ""), ErrNotWhitelisted)
		r.must(r.CreateAccount(r.ctx, r.peer(), "cy", "secret", ""))
		_, err = r.Login(r.ctx, r.peer(), "cy", "secret")
		r.must(err)
		r.must(r.Lift(r.ctx, store.AccessRule{Kind: store.AccessWhitelist}))
		_, err = r.LoginWithoutSecret(r.ctx, r.peer(), "web:0123")
		r.must(err)
	})
}

func TestChatOfMutedPlayerIsWithheldAndPlayerIsNotified(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		s := r.enters(r.player("Ada"))
		ticks(2)
		feed := r.world.Subscribe("test", 256, area.All)
		var said, told []string
		done := make(chan struct{})
		go func() {
			defer close(done)
			for p := range feed.C() {
				for _, e := range p.Frame.Events {
					switch e.Kind {
					case sim.EventChat:
						said = append(said, e.Text)
					case sim.EventMessage:
						told = append(told, e.Text)
					}
				}
				p.Release()
			}
		}()
		r.mustRestrict(store.AccessRule{Kind: store.AccessMute, Account: "ada", Reason: "shouting", Until: time.Now().Add(time.Minute)})
		for _, line := range []string{"one", "two", "three"} {
			r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: line}))
		}
		ticks(2)
		time.Sleep(time.Minute)
		r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "four"}))
		ticks(2)
		r.mustRestrict(store.AccessRule{Kind: store.AccessMute, Account: "ada"})
		ticks(2)
		r.must(r.Lift(r.ctx, store.AccessRule{Kind: store.AccessMute, Account: "ada"}))
		r.must(s.Submit(sim.Intent{Kind: sim.IntentChat, Text: "five"}))
		ticks(2)
		feed.Close()
		<-done
		if strings.Join(said, " ") != "four five" {
			t.Errorf("the area heard %q", said)
		}
		if len(told) != 4 || !strings.HasPrefix(told[0], "You are muted until ") || !strings.HasSuffix(told[0], ": shouting") || told[1] != told[0] ||
			told[2] != "You are muted." || told[3] != "You can talk again." {
			t.Errorf("the player reads %q", told)
		}
		_, err := r.Restrict(r.ctx, store.AccessRule{Kind: store.AccessMute, Account: "nobody"})
		r.mustBe(err, store.ErrNotFound)
		_, err = r.Restrict(r.ctx, store.AccessRule{Kind: store.AccessMute, Account: "ada", Until: time.Now()})
		r.mustBe(err, ErrInvalid) // has expired already
	})
}
