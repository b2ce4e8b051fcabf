package rs

import (
	"slices"
	"testing"

	proto "github.com/truestep-io/truestep/proto/rs"
)

// Seed and docs/wire/rs.md, teleports and squares: whoever goes far away is told so, all that he saw is removed, and all
// that he sees there is added, in one packet behind one map.
func TestAnotherAreaComesInOnePacket(t *testing.T) {
	bubble(t, arena(), Options{Register: true}, func(r *rig) {
		ada, bob, cy := r.join("Ada"), r.join("Bob"), r.join("Cy")
		cy.send(proto.MoveGameClick{X: cy.tile().X + 5, Z: cy.tile().Z})
		r.cycles(8)
		if cy.sees("Ada") != 0 || ada.sees("Cy") != 0 || ada.sees("Bob") == 0 {
			t.Fatal("Cy is not alone behind the gate")
		}
		seen := ada.sees("Bob")
		for _, c := range []*client{ada, bob, cy} {
			c.listen()
		}
		ada.send(proto.MoveGameClick{X: ada.tile().X + 5, Z: ada.tile().Z})
		r.cycles(8)
		changed := 0
		for _, m := range ada.of(ada.self) {
			if m.ch.Kind == proto.ChangeTeleport {
				changed = m.cycle
				if m.ch.Speed != proto.SpeedInstant || !m.ch.Far {
					t.Errorf("goes there by %+v", m.ch)
				}
			}
		}
		var same []told
		for _, m := range ada.heard() {
			if m.cycle == changed && m.i != ada.self {
				same = append(same, m)
			}
		}
		if len(same) != 2 || same[0].i != seen || same[0].ch.Kind != proto.ChangeRemove || same[1].ch.Kind != proto.ChangeAdd {
			t.Errorf("in the packet of the journey: %+v", same)
		}
		if n := slices.Index(ada.trail, proto.ServerRebuildNormal); n < 0 || ada.trail[n+1] != proto.ServerPlayerInfo {
			t.Errorf("packets %v", ada.trail)
		}
		if ada.sees("Cy") == 0 || cy.sees("Ada") == 0 || bob.sees("Ada") != 0 {
			t.Error("not all see who is where they are")
		}
		for _, c := range []*client{ada, bob, cy} {
			c.fine()
		}
	})
}

// Two who go together see each other there, and the row that each client has of itself stays.
func TestPlayersMayGoToAndFroTogether(t *testing.T) {
	for _, workers := range []int{1, 2} {
		bubble(t, arena(), Options{Register: true, Workers: workers}, func(r *rig) {
			ada, bob := r.join("Ada"), r.join("Bob")
			for range 4 {
				for _, c := range []*client{ada, bob} {
					c.send(proto.MoveGameClick{X: c.tile().X + 5, Z: c.tile().Z})
				}
				area := r.player("Ada").session.Area()
				r.cycles(9)
				if r.player("Ada").session.Area() == area {
					t.Fatal("Ada did not go")
				}
				for _, c := range []*client{ada, bob} {
					if c.fine(); c.sees("Ada") == 0 || c.sees("Bob") == 0 || c.view.LocalCount() != 2 {
						t.Errorf("%d workers: %s sees %d", workers, c.name, c.view.LocalCount())
					}
				}
			}
		})
	}
}
