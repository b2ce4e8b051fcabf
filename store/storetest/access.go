package storetest

import (
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/truestep-io/truestep/store"
)

func accessRulesAreStoredAndReplaced(t *testing.T, open Open) {
	b := begin(t, open)
	at := time.UnixMilli(1_767_323_045_678).UTC()
	mustHave := func(want ...store.AccessRule) {
		t.Helper()
		b.reopen()
		got, err := b.AccessRules(b.ctx)
		b.must(err)
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
	}
	mustHave()
	ban := store.AccessRule{Kind: store.AccessBan, Account: "Jörg", Reason: "spam\n'\"", By: "ann (console)", Since: at, Until: at.Add(time.Hour)}
	network := store.AccessRule{Kind: store.AccessBan, Network: netip.MustParsePrefix("2001:db8::/64"), Since: at}
	mute := store.AccessRule{Kind: store.AccessMute, Account: "bo", Reason: "shouting", Since: at, Until: at.Add(time.Minute)}
	listed, on := store.AccessRule{Kind: store.AccessWhitelisted, Account: "cy", By: "ann", Since: at}, store.AccessRule{Kind: store.AccessWhitelist, Since: at}
	for _, r := range []store.AccessRule{on, listed, mute, network, ban} {
		b.must(b.SetAccessRule(b.ctx, r))
	}
	mustHave(network, ban, mute, on, listed)

	ban.Account, ban.Reason, ban.Until = "JörG", "", time.Time{} // same account: ASCII case is ignored
	b.must(b.SetAccessRule(b.ctx, ban))
	mustHave(network, ban, mute, on, listed)

	b.must(b.DeleteAccessRule(b.ctx, store.AccessRule{Kind: store.AccessBan, Account: "jörg"}))
	b.must(b.DeleteAccessRule(b.ctx, network))
	b.must(b.DeleteAccessRule(b.ctx, on))
	b.mustBe(b.DeleteAccessRule(b.ctx, on), store.ErrNotFound)
	b.mustBe(b.DeleteAccessRule(b.ctx, store.AccessRule{Kind: store.AccessBan, Account: "bo"}), store.ErrNotFound) // bo is muted, not banned
	mustHave(mute, listed)
	b.mustBe(b.SetAccessRule(b.ctx, store.AccessRule{Kind: store.AccessBan, Account: "x", Reason: "\xff"}), store.ErrText)
}

func accessRulesAreDeletedOnceExpired(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("one")
	until := time.UnixMilli(1_767_323_045_678).UTC()
	ban := store.AccessRule{Kind: store.AccessBan, Account: "one", Since: until.Add(-time.Hour), Until: until}
	network := store.AccessRule{Kind: store.AccessBan, Network: netip.MustParsePrefix("192.0.2.0/24"), Since: ban.Since, Until: until}
	forever := store.AccessRule{Kind: store.AccessMute, Account: "one", Since: ban.Since}
	mustHave := func(banned bool, want ...store.AccessRule) {
		t.Helper()
		b.reopen()
		got, err := b.AccessRules(b.ctx)
		b.must(err)
		if !reflect.DeepEqual(got, want) {
			t.Errorf("got %+v, want %+v", got, want)
		}
		if a, err := b.AccountByID(b.ctx, id); err != nil || a.Banned != banned {
			t.Errorf("the account is %+v, %v; want it banned: %v", a, err, banned)
		}
	}
	for _, r := range []store.AccessRule{ban, network, forever} {
		b.must(b.SetAccessRule(b.ctx, r))
	}
	for _, r := range []store.AccessRule{ban, network} {
		b.mustBe(b.DeleteExpiredRule(b.ctx, r, until.Add(-time.Millisecond)), store.ErrNotFound)
	}
	b.mustBe(b.DeleteExpiredRule(b.ctx, forever, until.Add(time.Hour)), store.ErrNotFound)
	mustHave(true, network, ban, forever)

	longer := ban
	longer.Until = until.Add(time.Hour)
	b.must(b.SetAccessRule(b.ctx, longer))
	b.mustBe(b.DeleteExpiredRule(b.ctx, ban, until), store.ErrNotFound) // the time of the stored rule counts
	mustHave(true, network, longer, forever)
	b.must(b.DeleteExpiredRule(b.ctx, network, until))
	b.must(b.DeleteExpiredRule(b.ctx, store.AccessRule{Kind: store.AccessBan, Account: "ONE"}, longer.Until))
	mustHave(false, forever)
	b.mustBe(b.DeleteExpiredRule(b.ctx, ban, longer.Until), store.ErrNotFound)
}

func bansOfAccountsSetTheirFlag(t *testing.T, open Open) {
	b := begin(t, open)
	id := b.account("one")
	flag := func(want bool) {
		t.Helper()
		b.reopen()
		a, err := b.AccountByID(b.ctx, id)
		b.must(err)
		if a.Banned != want {
			t.Errorf("Account.Banned is %v, want %v", a.Banned, want)
		}
	}
	ban := store.AccessRule{Kind: store.AccessBan, Account: "ONE", Since: time.UnixMilli(1000).UTC()}
	b.must(b.SetAccessRule(b.ctx, ban))
	flag(true)
	b.must(b.DeleteAccessRule(b.ctx, ban))
	flag(false)
	b.must(b.SetAccessRule(b.ctx, store.AccessRule{Kind: store.AccessMute, Account: "one"}))
	flag(false)
	b.must(b.SetAccessRule(b.ctx, ban))
	b.must(b.SetBanned(b.ctx, id, false)) // clearing the account's ban flag also deletes the ban rule
	flag(false)
	if rules, err := b.AccessRules(b.ctx); err != nil || len(rules) != 1 || rules[0].Kind != store.AccessMute {
		t.Errorf("after the pardon the rules are %+v, %v", rules, err)
	}
}
