package rs

import (
	"maps"
	"sync/atomic"
	"testing"

	"github.com/truestep-io/truestep/content"
	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rs"
	"github.com/truestep-io/truestep/sim"
)

// After a reload of the appearance, clients in the world are sent the new appearance of actors that they see already.
func TestModelsChangedByReloadAreSentToClientsInWorld(t *testing.T) {
	w := withKit(valeWithoutNPCs(), map[uint8]uint16{sim.SlotWeapon: huntingBow})
	withBow := func(object uint16) *appearance.RuneScape {
		models := content.DefaultWorld().Appearance.RuneScape
		models.Items = maps.Clone(models.Items)
		bow := models.Item(huntingBow)
		bow.Worn = object
		models.Items[huntingBow] = bow
		return &models
	}
	var live atomic.Pointer[appearance.RuneScape]
	live.Store(withBow(841))
	withServer(t, w, Options{Register: true, LiveAppearance: live.Load}, func(srv *testServer) {
		srv.join("Ada")
		bob := srv.join("Bob")
		srv.advanceCycles(2)
		for _, object := range []uint16{841, 843} {
			live.Store(withBow(object))
			srv.advanceCycles(2)
			bob.checkNoError()
			look, err := proto.Profile667.ParseAppearance(bob.view.Appearance(bob.indexOf("Ada")))
			srv.must(err)
			if got, want := look.Worn[3], (proto.Worn{Kind: proto.WornObject, ID: object}); got != want {
				t.Errorf("the weapon is %+v, want %+v", got, want)
			}
		}
		bob.startRecording()
		srv.advanceCycles(3)
		for _, m := range bob.updatesOf(bob.indexOf("Ada")) {
			if m.info.Has.Has(proto.KindAppearance) {
				t.Error("the appearance is sent again without a change")
			}
		}
	})
}
