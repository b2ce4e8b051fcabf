package server

import (
	"net/netip"
	"path/filepath"
	"testing"

	"github.com/truestep-io/truestep/admission"
	"github.com/truestep-io/truestep/journal"
)

// The number of journal entries about a flood of connections from many networks is bounded.
func TestThrottledConnectionsAreCountedInJournal(t *testing.T) {
	cfg := quietConfig(t)
	s := start(t, cfg)
	for i := range 300 {
		s.hub.Gate().Hold("rs", admission.BudgetNetwork, netip.AddrFrom4([4]byte{10, byte(i >> 8), byte(i), 1}), "")
	}
	s.hub.Gate().Hold("rcce", admission.BudgetGuessed, netip.MustParseAddr("192.0.2.1"), "ann")
	s.hub.Gate().Hold("rcce", admission.BudgetGuessed, netip.MustParseAddr("192.0.2.1"), "ann")
	if err := s.Close(); err != nil {
		t.Fatal(err)
	}
	r, err := journal.OpenReader(filepath.Join(cfg.DataDir, journal.FileName))
	if err != nil {
		t.Fatal(err)
	}
	defer r.Close()
	list, err := r.HeldBack(t.Context(), journal.HeldBackQuery{})
	if err != nil || len(list) != heldBackRows+1 {
		t.Fatalf("%d entries, %v", len(list), err)
	}
	rest, most := list[0], list[heldBackRows]
	if rest.Budget != "" || rest.Times != 300-(heldBackRows-1) {
		t.Errorf("the others are %+v", rest)
	}
	if most.Kind != "login" || most.Door != "rcce" || most.Budget != "guessed" || most.Network != "192.0.2.0/24" || most.Account != "ann" || most.Times != 2 {
		t.Errorf("the most frequent is %+v", most)
	}
}
