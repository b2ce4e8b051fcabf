package rcce

import (
	"fmt"
	"reflect"
	"testing"
	"time"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
)

// catalogueWorld returns a world with items of every kind, and templates with and without media.
func catalogueWorld(items, templates int) (*sim.World, appearance.RealmCrafter) {
	w, models := emptyFields(), appearance.New().RealmCrafter
	for len(w.Items) < items {
		i := len(w.Items)
		it := sim.Item{
			ID: uint16(100 + i), Name: fmt.Sprint("Item ", i), Kind: sim.ItemKind(1 + i%7), Value: int32(-i), Mass: uint16(i),
			SlotKind: 11, Stackable: i%2 == 0, ExclusiveRace: "Human",
		}
		models.Items[it.ID] = appearance.RealmCrafterItem{
			Thumbnail: uint16(2 * i), Gubbins: [6]uint16{5: 3}, MaleMesh: uint16(3 * i), FemaleMesh: appearance.None, Image: 8, EatSeconds: 9,
		}
		it.Attr[39] = int16(-i)
		switch it.Kind {
		case sim.ItemWeapon:
			it.Weapon = &combat.Weapon{Damage: 7, Type: 2, Kind: combat.Ranged, Range: 2.5}
		case sim.ItemArmour:
			it.ArmourLevel = 6
		case sim.ItemOther:
			it.Text = "a letter"
		}
		w.Items = append(w.Items, it)
	}
	for len(w.Templates) < templates {
		i := len(w.Templates)
		t := w.Templates[0]
		t.ID, t.Race, t.Class, t.Description = uint16(100+i), fmt.Sprint("Race ", i), "Class", "A long description"
		m := &appearance.RealmCrafterActor{MaleAnimation: 1, FemaleAnimation: 2, Scale: 0.5, Blood: 4, TradeMode: 1, PolyCollision: true}
		m.Meshes[7], m.FemaleSpeech[15], m.Beards[4] = 70, 71, 72
		models.Actors[t.ID] = m
		w.Templates = append(w.Templates, t)
	}
	return w, models
}

// downloadedCatalogue contains the parts of the answer to FetchActors that an original client has received.
type downloadedCatalogue struct {
	attributes *proto.FetchActorsAttributes
	damage     *proto.FetchActorsDamage
	calendar   *proto.FetchActorsCalendar
	factions   []string
	items      []proto.ItemTemplate
	templates  []proto.ActorTemplate

	itemTotal, templateTotal int // totals from the last parts, -1 until received
}

// add processes a part as an original client does: it drops items and templates that arrive before the attributes.
func (d *downloadedCatalogue) add(t *testing.T, p proto.Packet) {
	switch p := p.(type) {
	case proto.FetchActorsAttributes:
		d.attributes = &p
	case proto.FetchActorsDamage:
		d.damage = &p
	case proto.FetchActorsCalendar:
		d.calendar = &p
	case proto.FetchActorsFactions:
		for _, f := range p.Factions {
			if int(f.ID) != len(d.factions) {
				t.Errorf("faction %d after %d others", f.ID, len(d.factions))
			}
			d.factions = append(d.factions, f.Name)
		}
	case proto.FetchActorsItems:
		if d.attributes != nil {
			d.items = append(d.items, p.Items...)
		}
		if len(p.Items) > itemsPerMessage {
			t.Errorf("%d items in a message", len(p.Items))
		}
		if p.Last {
			d.itemTotal = int(p.Total)
		}
	case proto.FetchActorsTemplates:
		if d.attributes != nil {
			d.templates = append(d.templates, p.Templates...)
		}
		if len(p.Templates) > templatesPerMessage {
			t.Errorf("%d templates in a message", len(p.Templates))
		}
		if p.Last {
			d.templateTotal = int(p.Total)
		}
	default:
		t.Errorf("unexpected %s in the catalogue", packetName(p))
	}
}

// complete reports whether an original client would show its character menu after the parts received so far.
func (d *downloadedCatalogue) complete() bool {
	return d.attributes != nil && d.damage != nil && d.calendar != nil && len(d.factions) == proto.FactionCount &&
		len(d.items) == d.itemTotal && len(d.templates) == d.templateTotal
}

func TestOriginalClientReceivesAllItemsFactionsAndTemplates(t *testing.T) {
	for _, n := range []struct{ items, templates int }{{3, 4}, {6, 5}, {7, 6}, {700, 61}} {
		t.Run(fmt.Sprintf("items=%d,templates=%d", n.items, n.templates), func(t *testing.T) {
			w, models := catalogueWorld(n.items, n.templates)
			withServer(t, w, serverOptions{Options: Options{Appearance: models}}, func(srv *testServer) {
				c := srv.connect()
				c.send(proto.FetchActorsRequest{})
				d := &downloadedCatalogue{itemTotal: -1, templateTotal: -1}
				read := 0
				srv.waitFor("the whole catalogue", func() bool {
					for ; read < len(c.received); read++ {
						if d.complete() {
							t.Errorf("%s comes after the catalogue is complete", packetName(c.received[read]))
						}
						d.add(t, c.received[read])
					}
					return d.complete()
				})
				d.checkWorld(t, w, &models)
			})
		})
	}
}

// checkWorld compares the catalogue with the world.
func (d *downloadedCatalogue) checkWorld(t *testing.T, w *sim.World, models *appearance.RealmCrafter) {
	t.Helper()
	if d.attributes.Assignment != 4 || d.attributes.Attributes[strength].Name != "Strength" || d.damage.Names != w.DamageNames {
		t.Errorf("attributes %+v, damage %+v", d.attributes, d.damage)
	}
	if d.factions[0] != "Beasts" || d.factions[99] != "" {
		t.Errorf("factions %q", d.factions)
	}
	for i := range w.Items {
		it, got := &w.Items[i], &d.items[i]
		if got.ID != it.ID || got.Name != it.Name || got.Value != it.Value || got.Attributes[39] != int32(it.Attr[39]) {
			t.Fatalf("item %d is %+v, want %+v", i, got, it)
		}
		m, drawn := models.Items[it.ID]
		if !drawn {
			if got.MaleMesh != appearance.None || got.FemaleMesh != appearance.None {
				t.Errorf("item %d without media has meshes: %+v", i, got)
			}
			continue
		}
		want := proto.ItemTemplate{
			ID: it.ID, Type: uint8(it.Kind), Value: it.Value, Mass: it.Mass, Thumbnail: m.Thumbnail, Gubbins: [6]uint8{5: 1},
			MaleMesh: m.MaleMesh, FemaleMesh: 65535, SlotType: 11, Stackable: uint8(1 - i%2), Name: it.Name, Race: "Human",
		}
		want.Attributes[39] = int32(it.Attr[39])
		switch it.Kind {
		case sim.ItemWeapon:
			want.Damage, want.DamageType, want.WeaponType, want.Range = 7, 2, 3, 2.5
		case sim.ItemArmour:
			want.Armour = 6
		case sim.ItemPotion, sim.ItemIngredient:
			want.Duration = 9
		case sim.ItemImage:
			want.Image = 8
		case sim.ItemOther:
			want.Misc = "a letter"
		}
		if !reflect.DeepEqual(*got, want) {
			t.Errorf("item %d is\n%+v, want\n%+v", i, *got, want)
		}
	}
	for i := range w.Templates {
		tmpl, got := &w.Templates[i], &d.templates[i]
		if got.ID != tmpl.ID || got.Race != tmpl.Race || got.Description != tmpl.Description || got.Playable != proto.FlagByte(tmpl.Playable) ||
			got.Environment != uint8(tmpl.Environment) || got.Attributes[health].Max != uint16(tmpl.Attr[health].Max) || got.Genders != tmpl.Genders {
			t.Fatalf("template %d is %+v, want %+v", i, got, tmpl)
		}
		if m := models.Actors[tmpl.ID]; m == nil && (got.Scale != 1 || got.Meshes[0] != 65535 || got.FemaleSpeech[15] != 65535) ||
			m != nil && (got.Scale != m.Scale || got.Meshes != m.Meshes || got.FemaleSpeech != m.FemaleSpeech || got.Beards != m.Beards ||
				got.MaleAnimation != 1 || got.FemaleAnimation != 2 || got.Blood != 4 || got.TradeMode != 1 || got.PolyCollision != 1) {
			t.Errorf("media of template %d are %+v, want %+v", i, got, m)
		}
	}
}

// The calendar in the catalogue, which a client downloads at its start, advances while the server runs.
func TestCatalogueDownloadContainsCurrentWorldTime(t *testing.T) {
	w := emptyFields()
	w.Calendar = sim.Calendar{Year: 3, Day: 5, Hour: 12, Factor: 10}
	w.Calendar.Months[0].StartDay = 300
	withServer(t, w, serverOptions{}, func(srv *testServer) {
		srv.advance(61 * time.Second)
		c := srv.connect()
		c.request(proto.FetchActorsRequest{})
		got := packetsOf[proto.FetchActorsCalendar](c)
		if len(got) != 1 || got[0].Year != 3 || got[0].Day != 5 || got[0].Hour != 12 || got[0].Minute != 10 || got[0].TimeFactor != 10 {
			t.Errorf("calendars are %+v", got)
		}
	})
}

// A client requests the catalogue (items, factions, templates and calendar) with FetchActors, a request of one byte with a large
// answer. The server sends the answer at the speed at which the client acknowledges, one answer at a time, and at most
// maxCatalogues answers per connection.
func TestCatalogueDownloadIsPacedByAcknowledgementsAndLimitedPerConnection(t *testing.T) {
	w, models := catalogueWorld(3000, 61)
	withServer(t, w, serverOptions{Options: Options{Appearance: models}}, func(srv *testServer) {
		c := srv.connect()
		c.send(proto.FetchActorsRequest{})
		c.flush()
		c.unresponsive = true
		srv.advance(time.Second)
		srv.onWorker(func(w *worker) {
			for x := range w.conns {
				if q := x.peer.QueuedBytes(); q > maxEntryQueue+4096 {
					t.Errorf("%d bytes are queued for a client that does not read, want about %d", q, maxEntryQueue)
				}
			}
		})
		c.unresponsive = false
		for range 20 {
			c.send(proto.FetchActorsRequest{})
			srv.advance(5 * time.Second)
		}
		if n := countOf[proto.FetchActorsCalendar](c); n != maxCatalogues {
			t.Errorf("%d catalogues, want %d", n, maxCatalogues)
		}
		srv.onWorker(func(w *worker) {
			if len(w.downloading) != 0 {
				t.Errorf("%d downloads are unfinished, want none", len(w.downloading))
			}
		})
	})
}

func TestDisconnectEndsCatalogueDownload(t *testing.T) {
	w, models := catalogueWorld(3000, 61)
	withServer(t, w, serverOptions{Options: Options{Appearance: models}}, func(srv *testServer) {
		c := srv.connect()
		c.send(proto.FetchActorsRequest{})
		srv.step()
		c.disconnect()
		srv.onWorker(func(w *worker) {
			if len(w.downloading) != 0 || len(w.conns) != 0 {
				t.Errorf("%d downloads and %d connections are left, want none", len(w.downloading), len(w.conns))
			}
		})
	})
}
