package rcce

import (
	"context"
	"sync/atomic"
	"testing"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rcce"
)

// After a reload of the world and of the models of its items, a client that connects is sent the new models and values.
func TestClientThatConnectsAfterReloadIsSentNewItemModelsAndValues(t *testing.T) {
	w, models := catalogueWorld(3, 4)
	var live atomic.Pointer[appearance.RealmCrafter]
	live.Store(&models)
	withServer(t, w, serverOptions{Options: Options{LiveAppearance: live.Load}}, func(srv *testServer) {
		first := func() proto.ItemTemplate {
			c := srv.connect()
			c.request(proto.FetchActorsRequest{})
			got := packetsOf[proto.FetchActorsItems](c)
			if len(got) == 0 {
				t.Fatal("no items")
			}
			return got[0].Items[0]
		}
		before := first()
		next := models
		next.Items = map[uint16]appearance.RealmCrafterItem{w.Items[0].ID: {Thumbnail: before.Thumbnail + 1, MaleMesh: 7, FemaleMesh: 8}}
		live.Store(&next)
		def := *w
		def.Items = append(def.Items[:0:0], w.Items...)
		def.Items[0].Value += 10
		if err := srv.world.Redefine(context.Background(), &def, nil); err != nil {
			t.Fatal(err)
		}
		after := first()
		if after.MaleMesh != 7 || after.Value != before.Value+10 {
			t.Errorf("the item is %+v, was %+v", after, before)
		}
	})
}
