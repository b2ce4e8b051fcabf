//go:build linux

package main

import "testing"

func TestEveryEntranceLeadsToPortalOfOtherArea(t *testing.T) {
	for areas := minAreas; areas <= maxAreas; areas++ {
		portals, entrances := map[[2]string]bool{}, 0
		list := worldAreas(areas)
		for _, a := range list {
			for _, p := range a.Portals {
				portals[[2]string{a.Name, p.Name}] = true
			}
		}
		for _, a := range list {
			for _, p := range a.Portals {
				if p.To == "" {
					continue
				}
				if entrances++; !portals[[2]string{p.To, p.Exit}] || p.To == a.Name {
					t.Errorf("%d areas: the entrance %s of %s leads to %s of %s, which does not exist", areas, p.Name, a.Name, p.Exit, p.To)
				}
			}
		}
		if want := areas - 1 + 2*(areas-1); entrances != want {
			t.Errorf("%d areas have %d entrances, want %d", areas, entrances, want)
		}
	}
}
