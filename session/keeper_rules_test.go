package session

import (
	"errors"
	"testing"
	"time"

	"github.com/truestep-io/truestep/store"
)

// The name of a deleted or merged account is free. A new account with that name does not inherit a ban, a mute or a whitelist
// entry.
func TestAccessRulesOfDeletedAccountAreDeleted(t *testing.T) {
	for name, drop := range map[string]func(r *testServer, k *Keeper) error{
		"deleted": func(r *testServer, k *Keeper) error { _, err := k.Delete(r.ctx, "ADA", false); return err },
		"merged":  func(r *testServer, k *Keeper) error { return k.Merge(r.ctx, "ADA", "Bea", false) },
		"without a server": func(r *testServer, _ *Keeper) error {
			_, err := NewKeeper(r.disk).Delete(r.ctx, "ADA", false)
			return err
		},
	} {
		t.Run(name, func(t *testing.T) {
			withServer(t, Options{}, func(r *testServer) {
				r.player("Ada")
				r.player("Bea")
				for _, rule := range []store.AccessRule{
					{Kind: store.AccessBan, Account: "Ada", Reason: "cheating"}, {Kind: store.AccessMute, Account: "Ada"}, {Kind: store.AccessWhitelisted, Account: "Ada"},
					{Kind: store.AccessBan, Account: "Bea", Reason: "selling gold"},
				} {
					r.mustRestrict(rule)
				}
				if name == "merged" { // Merge refuses a banned account; after its ban has expired it is merged
					if err := drop(r, r.Keeper()); !errors.Is(err, ErrBannedMerge) {
						t.Errorf("the banned account: %v", err)
					}
					r.mustRestrict(store.AccessRule{Kind: store.AccessBan, Account: "Ada", Until: time.Now().Add(time.Second)})
					time.Sleep(2 * time.Second)
				}
				r.must(drop(r, r.Keeper()))
				rules, err := r.disk.AccessRules(r.ctx)
				r.must(err)
				if len(rules) != 1 || rules[0].Account != "Bea" {
					t.Errorf("stored rules %+v", rules)
				}
				if name == "without a server" {
					return
				}
				r.join("Ada") // creates the account and logs in
			})
		})
	}
}
