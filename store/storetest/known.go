package storetest

import (
	"fmt"
	"net/netip"
	"reflect"
	"testing"
	"time"

	"github.com/truestep-io/truestep/store"
)

func knownAddressesAreBoundedAndExpire(t *testing.T, open Open) {
	b := begin(t, open)
	start := time.UnixMilli(1_767_323_045_678).UTC()
	at := func(minutes int) time.Time { return start.Add(time.Duration(minutes) * time.Minute) }
	known := func(account, addr string, minutes int) store.KnownAddress {
		return store.KnownAddress{Account: account, Addr: netip.MustParseAddr(addr), At: at(minutes)}
	}
	mustHave := func(since time.Time, want ...store.KnownAddress) {
		t.Helper()
		b.reopen()
		got, err := b.KnownAddresses(b.ctx, since)
		b.must(err)
		if len(got) != len(want) || len(want) > 0 && !reflect.DeepEqual(got, want) {
			t.Errorf("got %v, want %v", got, want)
		}
	}
	mustHave(at(0))
	b.must(b.SaveKnownAddresses(b.ctx, []store.KnownAddress{
		known("ann", "192.0.2.1", 1), known("ann", "2001:db8::", 3), known("jörg\x00", "192.0.2.1", 2),
	}, at(0)))
	mustHave(at(0), known("ann", "192.0.2.1", 1), known("jörg\x00", "192.0.2.1", 2), known("ann", "2001:db8::", 3))
	mustHave(at(2), known("jörg\x00", "192.0.2.1", 2), known("ann", "2001:db8::", 3))
	b.must(b.SaveKnownAddresses(b.ctx, []store.KnownAddress{known("ann", "192.0.2.1", 5), known("ann", "2001:db8::", 2)}, at(3)))
	mustHave(at(0), known("ann", "2001:db8::", 3), known("ann", "192.0.2.1", 5)) // an older time does not replace a newer one
	b.mustBe(b.SaveKnownAddresses(b.ctx, []store.KnownAddress{known("\xff", "192.0.2.1", 5)}, at(3)), store.ErrText)

	var many []store.KnownAddress
	for i := range store.MaxKnownAddresses {
		many = append(many, known(fmt.Sprint("bot", i), "192.0.2.2", 10))
	}
	b.must(b.SaveKnownAddresses(b.ctx, many, at(3)))
	list, err := b.KnownAddresses(b.ctx, at(3))
	b.must(err)
	if len(list) != store.MaxKnownAddresses || list[0].Account[:3] != "bot" {
		t.Errorf("%d addresses are stored, the oldest is %v", len(list), list[0])
	}
}
