package rs

import (
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

// Items of the embedded world.
const (
	oakShield  = 2
	huntingBow = 4
)

// withKit changes the world so that new characters wear exactly the given items. The map's keys are equipment slots.
func withKit(w *sim.World, items map[uint8]uint16) *sim.World {
	w.NewCharacters.Kit = nil
	for slot := range uint8(sim.SlotBackpack) {
		if id, ok := items[slot]; ok {
			w.NewCharacters.Kit = append(w.NewCharacters.Kit, sim.KitItem{Slot: slot, Stack: sim.ItemStack{Item: id, Amount: 1, Health: 100}})
		}
	}
	return w
}

// A bow shot is shown with the bow's animation, its spot effect at the archer, and a ranged hit mark. A shot that misses has
// no hit mark.
func TestBowShotShowsAnimationAndEffectAndRangedHitMark(t *testing.T) {
	w := withKit(pvpWorld(), map[uint8]uint16{sim.SlotWeapon: huntingBow})
	want := appearance.RuneScapeItem{Worn: appearance.None, Attack: 426, Effect: 19}
	models := content.DefaultWorld().Appearance.RuneScape
	if it := w.Item(huntingBow); it == nil || models.Item(huntingBow) != want || it.Weapon.Projectile == nil {
		t.Fatalf("the bow is %+v, drawn as %+v", it, models.Item(huntingBow))
	}
	withServer(t, w, Options{Register: true}, func(srv *testServer) {
		ada, bob, cy := srv.join("Ada"), srv.join("Bob"), srv.join("Cy")
		viewers := []*client{ada, bob, cy}
		for _, c := range viewers {
			c.startRecording()
		}
		ada.attack("Bob")
		srv.advanceCycles(20)
		for _, c := range viewers {
			c.checkNoError()
			shots, marks := 0, 0
			for _, m := range c.updatesOf(c.indexOf("Ada")) {
				if !m.info.Has.Has(proto.KindGfx0) {
					continue
				}
				shots++
				if g := m.info.Gfx[0]; g.ID != 19 || g.WornSlot != proto.NoWornSlot || g.Height != effectHeight {
					t.Errorf("%s: the effect is %+v", c.name, g)
				}
				if !m.info.Has.Has(proto.KindAnim) || m.info.Anim.Seq[0] != 426 {
					t.Errorf("%s: a shot without the bow's animation: %+v", c.name, m.info.Anim)
				}
			}
			for _, m := range c.updatesOf(c.indexOf("Bob")) {
				if !m.info.Has.Has(proto.KindHits) {
					continue
				}
				for _, h := range m.info.Hits {
					marks++
					if h.Type != markRanged || h.Amount == 0 {
						t.Errorf("%s: the hit mark of an arrow is %+v", c.name, h)
					}
				}
			}
			if shots < 3 || marks == 0 || marks > shots {
				t.Errorf("%s: %d shots, %d marks", c.name, shots, marks)
			}
		}
	})
}

// Worn items are in the appearance, except items that the client's cache does not have.
func TestAppearanceSentToClientsContainsWornItems(t *testing.T) {
	w := withKit(valeWithoutNPCs(), map[uint8]uint16{sim.SlotWeapon: huntingBow, sim.SlotShield: oakShield})
	models := content.DefaultWorld().Appearance.RuneScape
	bow := models.Item(huntingBow)
	bow.Worn = 841
	models.Items[huntingBow] = bow
	models.Items[oakShield] = appearance.RuneScapeItem{Worn: appearance.None, Attack: appearance.None, Effect: appearance.None}
	withServer(t, w, Options{Register: true, Appearance: models}, func(srv *testServer) {
		srv.join("Ada")
		bob := srv.join("Bob")
		srv.advanceCycles(2)
		bob.checkNoError()
		look, err := proto.Profile667.ParseAppearance(bob.view.Appearance(bob.indexOf("Ada")))
		srv.must(err)
		if got, want := look.Worn[3], (proto.Worn{Kind: proto.WornObject, ID: 841}); got != want {
			t.Errorf("the weapon is %+v, want %+v", got, want)
		}
		if got := look.Worn[5]; got != (proto.Worn{}) {
			t.Errorf("the shield is %+v, want none", got)
		}
		kits := maleKits
		if look.Female {
			kits = femaleKits
		}
		for slot, kit := range kits {
			if got, want := look.Worn[slot], (proto.Worn{Kind: proto.WornKit, ID: kit}); got != want {
				t.Errorf("worn position %d is %+v, want %+v", slot, got, want)
			}
		}
	})
}
