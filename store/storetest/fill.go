package storetest

import (
	"fmt"
	"net/netip"
	"testing"
	"time"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// Fill puts rows of every kind into an empty store: accounts and characters with all fields and unusual texts, bans,
// deleted characters, known addresses and epochs of areas.
func Fill(t testing.TB, s store.Store) {
	t.Helper()
	must := func(err error) {
		t.Helper()
		if err != nil {
			t.Fatal(err)
		}
	}
	ctx := t.Context()
	var batch []store.Import
	for i := range 20 {
		in := store.Import{Account: store.Account{
			Name: fmt.Sprint("account", i), Secret: "hash", GM: i == 1, Banned: i == 2, Frozen: i == 3, CreatedAt: time.UnixMilli(1_767_323_045_678 + int64(i)),
		}}
		if i%2 == 0 {
			text := anyText(i)
			in.Account.Name, in.Account.Email, in.Account.Ignore = text, text, []string{text, "b"}
		}
		for j := range i % 4 {
			c := full(fmt.Sprint("character", i, "-", j, `\0`, "\x00"))
			c.Version = uint64(i)
			in.Characters = append(in.Characters, c)
		}
		batch = append(batch, in)
	}
	done, err := s.ImportAccounts(ctx, batch)
	must(err)
	if done.Accounts != len(batch) {
		t.Fatalf("imported %+v", done)
	}
	last, err := s.Account(ctx, "account19")
	must(err)
	roster, err := s.Characters(ctx, last.ID)
	must(err)
	for _, c := range roster[1:] { // the ids of deleted characters must not be assigned again
		must(s.DeleteCharacter(ctx, store.SessionHolder{}, last.ID, c.ID))
	}
	must(s.SaveCharacters(ctx, store.Fence{{Area: 0, Epoch: 3}, {Area: 7, Epoch: 1 << 40}}, []*sim.Character{roster[0]}))
	at := time.UnixMilli(1_767_323_045_001).UTC()
	for _, r := range []store.AccessRule{
		{Kind: store.AccessBan, Account: "account1", Reason: "a\x00b", By: "ann (console)", Since: time.UnixMilli(1_767_323_045_001).UTC(), Until: time.UnixMilli(1_867_323_045_001).UTC()},
		{Kind: store.AccessBan, Network: netip.MustParsePrefix("2001:db8::/64")}, {Kind: store.AccessWhitelisted, Account: `a\0n`}, {Kind: store.AccessWhitelist},
	} {
		must(s.SetAccessRule(ctx, r))
	}
	must(s.SaveKnownAddresses(ctx, []store.KnownAddress{
		{Account: "ann", Addr: netip.MustParseAddr("192.0.2.1"), At: at}, {Account: "ann", Addr: netip.MustParseAddr("2001:db8::"), At: at},
		{Account: "a\x00n", Addr: netip.MustParseAddr("10.0.0.1"), At: at}, {Account: `a\n`, Addr: netip.MustParseAddr("10.0.0.1"), At: at},
	}, at))
}
