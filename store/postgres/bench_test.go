package postgres

import (
	"fmt"
	"sync"
	"testing"

	"github.com/truestep-io/truestep/internal/pgtest"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// durable is a PostgreSQL server that syncs commits to disk, as a server in production does. Servers of other tests do not
// sync.
var durable = sync.OnceValues(func() (*pgtest.Server, error) { return pgtest.Start("fsync=on", "full_page_writes=on") })

// BenchmarkSaveCharacters saves a batch in one transaction, as a server does once a second.
func BenchmarkSaveCharacters(b *testing.B) {
	for _, n := range []int{1, 100, 500} {
		b.Run(fmt.Sprintf("characters=%d", n), func(b *testing.B) { benchSave(b, n, nil) })
	}
	b.Run("characters=500/fenced", func(b *testing.B) { benchSave(b, 500, store.Fence{{Area: 1, Epoch: 1}}) })
}

func benchSave(b *testing.B, n int, fence store.Fence) {
	s, roster := benchStore(b, n)
	b.ReportAllocs()
	for b.Loop() {
		if err := s.SaveCharacters(b.Context(), fence, roster); err != nil {
			b.Fatal(err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/character")
}

func BenchmarkAccount(b *testing.B) {
	s, _ := benchStore(b, 500)
	for b.Loop() {
		if _, err := s.Account(b.Context(), "account250"); err != nil {
			b.Fatal(err)
		}
	}
}

func BenchmarkCharacters(b *testing.B) {
	s, roster := benchStore(b, 500)
	owner, err := s.Owner(b.Context(), roster[250].ID)
	if err != nil {
		b.Fatal(err)
	}
	for b.Loop() {
		if roster, err := s.Characters(b.Context(), owner); err != nil || len(roster) != 1 {
			b.Fatal(len(roster), err)
		}
	}
}

func BenchmarkCreateAccount(b *testing.B) {
	s, _ := benchStore(b, 1)
	for n := 0; b.Loop(); n++ {
		if _, err := s.CreateAccount(b.Context(), store.Account{Name: fmt.Sprint("new", n)}); err != nil {
			b.Fatal(err)
		}
	}
}

// benchStore returns a store with n ordinary characters, one per account.
func benchStore(b *testing.B, n int) (*Store, []*sim.Character) {
	b.Helper()
	server, err := durable()
	if err != nil {
		b.Fatal(err)
	}
	s := open(b, server.Database(b), WithLog(quiet), WithLedger(b.TempDir()))
	b.Cleanup(func() { closeStore(b, s) })
	var batch []store.Import
	for i := range n {
		c := &sim.Character{Name: fmt.Sprint("Character", i), Level: 3, Area: "Village"}
		for j := range 8 {
			c.Attr[j].Value, c.Attr[j].Max = 50, 100
			c.Inventory[j] = sim.ItemStack{Item: uint16(j), Amount: 1, Health: 100}
		}
		for j := range c.Ratings {
			c.Ratings[j] = 100
		}
		batch = append(batch, store.Import{Account: store.Account{Name: fmt.Sprint("account", i)}, Characters: []*sim.Character{c}})
	}
	if _, err := s.ImportAccounts(b.Context(), batch); err != nil {
		b.Fatal(err)
	}
	var roster []*sim.Character
	for i := range n {
		list, err := s.Characters(b.Context(), store.AccountID(i+1))
		if err != nil {
			b.Fatal(err)
		}
		roster = append(roster, list...)
	}
	return s, roster
}
