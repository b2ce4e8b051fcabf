//go:build linux

package main

import (
	"fmt"
	"slices"
	"strings"
)

// underFault is the number of changes of area of travelling web clients during all faults of a kind.
type underFault struct {
	kind      string
	crossings int
	needed    bool // some clients keep their connections, so that there must be crossings
}

// crossed counts changes of area by travelling web clients during a fault of a kind. If needed is set, the fault leaves clients connected.
func (t *test) crossed(kind string, crossings int, needed bool) {
	i := slices.IndexFunc(t.under, func(u underFault) bool { return u.kind == kind })
	if i < 0 {
		i, t.under = len(t.under), append(t.under, underFault{kind: kind, needed: needed})
	}
	t.under[i].crossings += crossings
}

// minTravellers is the number of travelling web clients from which one of them changes areas during every fault. Each does so about
// every 15 s, and a fault takes 10 s and more.
const minTravellers = 20

// checkCrossed prints how often travelling web clients changed areas during the faults of each kind. If there are enough of these
// clients, it checks that they did so during each kind that leaves clients connected.
func (t *test) checkCrossed() {
	var list []string
	var errs []error
	for _, u := range t.under {
		list = append(list, fmt.Sprintf("%s %d", u.kind, u.crossings))
		if u.crossings == 0 && u.needed {
			errs = append(errs, fmt.Errorf("no travelling web client changed areas during: %s", u.kind))
		}
	}
	fmt.Printf("changes of area of travelling web clients during faults: %s\n", strings.Join(list, ", "))
	fmt.Printf("clients of failed nodes whose characters had changed areas after the last frame that they were shown: %d, of which %d web clients\n", t.moved, t.movedWeb)
	if len(t.travellers("web")) >= minTravellers && len(t.under) > 0 {
		t.Check("web clients changed areas during the faults of each kind", errs...)
	}
}

// travellers returns the players of a door that travel between areas instead of staying in one.
func (t *test) travellers(door string) (list []player) {
	for _, p := range t.players {
		if p.door() == door && p.base().home == nil {
			list = append(list, p)
		}
	}
	return list
}
