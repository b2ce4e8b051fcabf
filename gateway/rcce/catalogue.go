package rcce

import (
	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/rcce"
	"github.com/truestep-io/truestep/sim"
)

// Limits of one message of the catalogue, which is the tables of items, factions and actor templates that a client downloads at
// its start. The limits are those of the original RealmCrafter server. With them, most messages fit into one datagram.
const (
	itemsPerMessage     = 6
	templatesPerMessage = 2
	factionBytes        = 800 // size in bytes at which a message of faction names ends
)

// maxCatalogues is the maximum number of times that the catalogue is sent on one connection. Without a limit, a client could
// cause much traffic: a request has one byte, the answer a hundred kilobytes. Original clients request the catalogue after each
// login. The value allows a player to return to the login screen four times; how often players do so was not measured.
const maxCatalogues = 5

// catalogue holds the messages that answer a FetchActors request, in the order of sending, except the calendar, which depends on
// the time of the request. An original client needs all of them before it displays its character menu. Attributes are first,
// because the client ignores items and templates that arrive before them. The client's download is complete when it has
// attributes, damage types, calendar, 100 factions, and as many items and templates as the last item message and the last
// template message announce. The messages are encoded once per definition of the world and used for all clients. If the world
// file is reloaded, clients that are logged in keep the old values until they log in again. The server computes with the new
// ones.
//
// Source: docs/wire/rcce.md, FetchActors (source code of RealmCrafter's client and server).
type catalogue struct {
	beforeCalendar [][]byte // messages before the calendar: attributes and damage types
	afterCalendar  [][]byte // messages after the calendar: items, factions and templates
	world          *sim.World
	models         *appearance.RealmCrafter
}

// currentCatalogue returns the catalogue for the current definition of the world. It encodes a new catalogue if there is none
// yet, or if the world file was reloaded since.
func (g *Gateway) currentCatalogue() *catalogue {
	w, models := g.world.Def(), g.opt.LiveAppearance()
	if c := g.catalogue.Load(); c != nil && c.world == w && c.models == models {
		return c
	}
	c := newCatalogue(w, models) // two workers may both build the catalogue, with the same result
	g.catalogue.Store(c)
	return c
}

func newCatalogue(w *sim.World, models *appearance.RealmCrafter) *catalogue {
	return &catalogue{
		world:          w,
		models:         models,
		beforeCalendar: [][]byte{attributeNames(w).Append(nil), damageNames(w).Append(nil)},
		afterCalendar:  append(append(itemParts(w, models), factionParts(w)...), templateParts(w, models)...),
	}
}

// startCatalogue begins the answer to a FetchActors request. It queues as many messages of the catalogue as the client's
// queue can take; sendCatalogueParts later sends the others. A request that comes too late or too often is dropped.
func (c *conn) startCatalogue() {
	if c.session != nil || len(c.catalogueParts) > 0 || c.catalogueCount >= maxCatalogues {
		c.w.g.door.Bad.With("untimely").Inc()
		return
	}
	c.catalogueCount++
	g := c.w.g
	all := g.currentCatalogue()
	c.catalogueParts = append(c.catalogueParts[:0], all.beforeCalendar...)
	c.catalogueParts = append(c.catalogueParts, calendar(all.world.Calendar.After(g.world.NowMS())).Append(nil))
	c.catalogueParts = append(c.catalogueParts, all.afterCalendar...)
	c.w.downloading[c] = struct{}{}
	c.sendCatalogueParts()
}

// sendCatalogueParts queues further messages of the catalogue until maxEntryQueue bytes are queued for the client.
func (c *conn) sendCatalogueParts() {
	for len(c.catalogueParts) > 0 && !c.closed && c.peer.QueuedBytes() < maxEntryQueue {
		c.sendBytes(c.catalogueParts[0])
		c.catalogueParts = c.catalogueParts[1:]
	}
	if len(c.catalogueParts) == 0 || c.closed {
		c.catalogueParts = nil
		delete(c.w.downloading, c)
	}
}

func attributeNames(w *sim.World) proto.FetchActorsAttributes {
	p := proto.FetchActorsAttributes{Assignment: u8(int32(w.NewCharacters.AttributePoints))}
	for i, a := range w.Attributes {
		p.Attributes[i] = proto.AttributeName{IsSkill: proto.FlagByte(a.Skill), Hidden: proto.FlagByte(a.Hidden), Name: encodeText(a.Name)}
	}
	return p
}

// calendar returns the packet with the date and time of the world, its seasons and its months. The packet's TimeFactor is at
// least 1, because clients divide by it.
func calendar(c sim.Calendar) proto.FetchActorsCalendar {
	p := proto.FetchActorsCalendar{
		Year: uint32(max(c.Year, 0)), Day: u16(c.Day), Hour: u8(c.Hour), Minute: u8(c.Minute), TimeFactor: max(u8(c.Factor), 1),
	}
	for i, s := range c.Seasons {
		p.Seasons[i] = proto.Season{Name: encodeText(s.Name), StartDay: u16(s.StartDay), Dusk: u8(s.Dusk), Dawn: u8(s.Dawn)}
	}
	for i, m := range c.Months {
		p.Months[i] = proto.Month{Name: encodeText(m.Name), StartDay: u16(m.StartDay)}
	}
	return p
}

// itemParts encodes the items of the world as messages of the catalogue. The last message contains the total number of items; it
// is needed even if there are none.
func itemParts(w *sim.World, models *appearance.RealmCrafter) (parts [][]byte) {
	part := proto.FetchActorsItems{}
	for i := range w.Items {
		if len(part.Items) == itemsPerMessage {
			parts, part.Items = append(parts, part.Append(nil)), part.Items[:0]
		}
		part.Items = append(part.Items, itemTemplate(&w.Items[i], models.Item(w.Items[i].ID)))
	}
	part.Last, part.Total = true, u16(int32(len(w.Items)))
	return append(parts, part.Append(nil))
}

func damageNames(w *sim.World) proto.FetchActorsDamage {
	p := proto.FetchActorsDamage{Names: w.DamageNames}
	encodeTexts(p.Names[:])
	return p
}

func itemTemplate(it *sim.Item, m appearance.RealmCrafterItem) proto.ItemTemplate {
	p := proto.ItemTemplate{
		ID: it.ID, Type: uint8(it.Kind), TakesDamage: proto.FlagByte(it.TakesDamage), Value: it.Value, Mass: it.Mass,
		Thumbnail: m.Thumbnail, MaleMesh: m.MaleMesh, FemaleMesh: m.FemaleMesh, Image: m.Image, Duration: m.EatSeconds, SlotType: uint16(it.SlotKind),
		Stackable: proto.FlagByte(it.Stackable), Name: encodeText(it.Name),
		Race: encodeText(it.ExclusiveRace), Class: encodeText(it.ExclusiveClass),
		Armour: u16(it.ArmourLevel), Misc: encodeText(it.Text),
	}
	for i, g := range m.Gubbins {
		p.Gubbins[i] = proto.FlagByte(g != 0)
	}
	for i, v := range it.Attr {
		p.Attributes[i] = int32(v)
	}
	if w := it.Weapon; w != nil {
		p.Damage, p.DamageType, p.WeaponType, p.Range = u16(w.Damage), uint16(w.Type), uint16(w.Kind), w.Range
	}
	return p
}

// factionParts encodes the names of all 100 factions as messages of the catalogue. Unused factions are included, because the
// client waits for 100.
func factionParts(w *sim.World) (parts [][]byte) {
	var part proto.FetchActorsFactions
	size := 0
	for i := range w.Factions {
		name := encodeText(w.Factions[i].Name)
		part.Factions = append(part.Factions, proto.FactionName{ID: uint8(i), Name: name})
		if size += 2 + len(name); size >= factionBytes {
			parts, part.Factions, size = append(parts, part.Append(nil)), part.Factions[:0], 0
		}
	}
	if len(part.Factions) > 0 {
		parts = append(parts, part.Append(nil))
	}
	return parts
}

// templateParts encodes the actor templates of the world as messages of the catalogue. The last message contains the total
// number of templates.
func templateParts(w *sim.World, models *appearance.RealmCrafter) (parts [][]byte) {
	part := proto.FetchActorsTemplates{}
	for i := range w.Templates {
		if len(part.Templates) == templatesPerMessage {
			parts, part.Templates = append(parts, part.Append(nil)), part.Templates[:0]
		}
		part.Templates = append(part.Templates, actorTemplate(&w.Templates[i], models.Actors[w.Templates[i].ID]))
	}
	part.Last, part.Total = true, u16(int32(len(w.Templates)))
	return append(parts, part.Append(nil))
}

func actorTemplate(t *sim.Template, m *appearance.RealmCrafterActor) proto.ActorTemplate {
	if m == nil {
		m = &noMedia
	}
	p := proto.ActorTemplate{
		ID: t.ID, Playable: proto.FlagByte(t.Playable), PolyCollision: proto.FlagByte(m.PolyCollision), Meshes: m.Meshes,
		Beards: m.Beards, MaleHairs: m.MaleHairs, FemaleHairs: m.FemaleHairs, MaleFaces: m.MaleFaces, FemaleFaces: m.FemaleFaces,
		MaleBodies: m.MaleBodies, FemaleBodies: m.FemaleBodies, MaleSpeech: m.MaleSpeech, FemaleSpeech: m.FemaleSpeech,
		Rideable: proto.FlagByte(t.Rideable), TradeMode: m.TradeMode, Blood: m.Blood,
		Aggressiveness: uint8(t.Temper), Genders: t.Genders, Environment: uint8(t.Environment),
		Slots: uint16(t.Slots), MaleAnimation: m.MaleAnimation, FemaleAnimation: m.FemaleAnimation,
		Scale: m.Scale, Faction: t.Faction,
		Race: encodeText(t.Race), Class: encodeText(t.Class), Description: encodeText(t.Description),
	}
	for i, a := range t.Attr {
		p.Attributes[i] = proto.Attribute{Value: u16(a.Value), Max: u16(a.Max)}
	}
	return p
}

// noMedia is the appearance that clients are sent for a template without models, animations and sounds.
var noMedia = func() (m appearance.RealmCrafterActor) {
	m.MaleAnimation, m.FemaleAnimation, m.Blood, m.Scale = appearance.None, appearance.None, appearance.None, 1
	for _, ids := range [][]uint16{
		m.Meshes[:], m.Beards[:], m.MaleHairs[:], m.FemaleHairs[:], m.MaleFaces[:], m.FemaleFaces[:], m.MaleBodies[:],
		m.FemaleBodies[:], m.MaleSpeech[:], m.FemaleSpeech[:],
	} {
		for i := range ids {
			ids[i] = appearance.None
		}
	}
	return m
}()
