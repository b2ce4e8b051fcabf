package sqlite

import (
	"fmt"
	"testing"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/store"
)

// BenchmarkSaveCharacters saves a batch in one transaction, as a server does once a second.
func BenchmarkSaveCharacters(b *testing.B) {
	for _, n := range []int{1, 100, 500} {
		b.Run(fmt.Sprintf("characters=%d", n), func(b *testing.B) {
			s, roster := benchStore(b, n)
			b.ReportAllocs()
			for b.Loop() {
				if err := s.SaveCharacters(b.Context(), nil, roster); err != nil {
					b.Fatal(err)
				}
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/character")
		})
	}
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
	s, _ := benchStore(b, 500)
	for b.Loop() {
		if roster, err := s.Characters(b.Context(), 250); err != nil || len(roster) != 1 {
			b.Fatal(len(roster), err)
		}
	}
}

// benchStore returns a store with n ordinary characters, one per account.
func benchStore(b *testing.B, n int) (*Store, []*sim.Character) {
	b.Helper()
	s, err := Open(b.Context(), b.TempDir())
	if err != nil {
		b.Fatal(err)
	}
	b.Cleanup(func() { s.Close() })
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

// BenchmarkCheckRows compares all rows with their checksums, as each start does.
func BenchmarkCheckRows(b *testing.B) {
	n := 10_000
	if testing.Short() { // in short mode the benchmark only checks that it runs
		n = 500
	}
	s, _ := benchStore(b, n)
	for b.Loop() {
		if f, err := checkRows(b.Context(), s.db); err != nil || f.isLoss() || f.repair {
			b.Fatal(f, err)
		}
	}
	b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N*n), "ns/character")
}
