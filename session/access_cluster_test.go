package session

import (
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/store"
)

// A node that does not know yet that its rules were renewed through another node deletes those that have expired.
func TestRuleRenewedThroughOtherNodeSurvivesSweepOfExpiredRules(t *testing.T) {
	withCluster(t, twoFields(), Options{}, func(c *testCluster) {
		a, b := c.nodes[0], c.nodes[1]
		a.player("Ada")
		rules := []store.AccessRule{
			{Kind: store.AccessBan, Network: netip.MustParsePrefix("198.51.100.0/24")}, {Kind: store.AccessBan, Account: "Ada"}, {Kind: store.AccessMute, Account: "Ada"},
		}
		for _, r := range rules {
			r.Until = time.Now().Add(sweepEvery)
			a.mustRestrict(r)
		}
		time.Sleep(sweepEvery - time.Second)
		for _, r := range rules {
			b.mustRestrict(r) // without an end
		}
		time.Sleep(2 * sweepEvery)
		a.must(a.RefreshAccess(c.ctx))
		list, err := a.disk.AccessRules(c.ctx)
		if err != nil || len(list) != len(rules) {
			t.Errorf("stored are %+v, %v", list, err)
		}
		_, err = a.Login(c.ctx, a.peer(), "Ada", "secret")
		a.mustBe(err, ErrBanned)
		_, err = a.Login(c.ctx, a.peerAt("198.51.100.1"), "Bea", "secret")
		a.mustBe(err, ErrBanned)
		if account, err := a.disk.Account(c.ctx, "Ada"); err != nil || !account.Banned {
			t.Errorf("the account is %+v, %v", account, err)
		}
		for i := range rules {
			b.must(b.Lift(c.ctx, rules[i]))
		}
		a.must(a.RefreshAccess(c.ctx))
		_, err = a.Login(c.ctx, a.peer(), "Ada", "secret")
		a.must(err)
	})
}
