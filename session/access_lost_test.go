package session

import (
	"context"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/store"
)

// A database on another machine deletes a rule and is lost before it answers. The operator repeats the call.
func TestLiftRepeatedAfterLostAnswerAlsoEndsRuleInMemory(t *testing.T) {
	withServer(t, Options{}, func(r *testServer) {
		ada := r.player("Ada")
		rules := []store.AccessRule{
			{Kind: store.AccessBan, Network: netip.MustParsePrefix("198.51.100.0/24")}, {Kind: store.AccessBan, Account: "Ada"}, {Kind: store.AccessMute, Account: "Ada"},
		}
		for _, rule := range rules {
			r.mustRestrict(rule)
			r.disk.loseDeletion()
			r.mustBe(r.Lift(r.ctx, rule), store.ErrUnavailable)
			r.must(r.Lift(r.ctx, rule))
			r.mustBe(r.Lift(r.ctx, rule), store.ErrNotFound)
			if list, err := r.Rules(r.ctx, rule.Kind); err != nil || len(list) != 0 {
				t.Errorf("in memory are %+v, %v", list, err)
			}
		}
		_, err := r.Login(r.ctx, r.peerAt("198.51.100.1"), "Ada", "secret")
		r.must(err)
		if s := r.enters(ada); s.isMuted(time.Now().UnixMilli()) {
			t.Error("the player is muted")
		}
		r.mustRestrict(store.AccessRule{Kind: store.AccessWhitelist})
		r.disk.loseDeletion()
		r.mustBe(r.Lift(r.ctx, store.AccessRule{Kind: store.AccessWhitelist}), store.ErrUnavailable)
		r.must(r.Lift(r.ctx, store.AccessRule{Kind: store.AccessWhitelist}))
		if r.Whitelist() {
			t.Error("the whitelist is on")
		}
	})
}

// loseDeletion lets the next deletion of an access rule take effect and fail.
func (m *failingStore) loseDeletion() {
	m.mu.Lock()
	defer m.mu.Unlock()
	m.losing = true
}

func (m *failingStore) DeleteAccessRule(ctx context.Context, r store.AccessRule) error {
	err := m.Store.DeleteAccessRule(ctx, r)
	m.mu.Lock()
	defer m.mu.Unlock()
	if err == nil && m.losing {
		m.losing, err = false, store.ErrUnavailable
	}
	return err
}
