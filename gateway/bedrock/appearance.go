package bedrock

import (
	"slices"

	"github.com/truestep-io/truestep/content/appearance"
	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/move"
)

// appearanceTable defines how Bedrock clients display the actors, items and projectiles of a world. It is built once and
// then only read.
type appearanceTable struct {
	byTemplate  map[uint16]*actorAppearance     // appearance by template id
	items       map[uint16]itemModel            // item of the registry by item id of the world; an item without an entry is not displayed
	registry    proto.ItemRegistry              // definitions of the displayed items; element i defines the item whose itemModel.id is i + 1
	projectiles map[uint16]string               // entity type by projectile id; a projectile without an entry is displayed as an arrow
	entityKinds proto.AvailableActorIdentifiers // all entity types that clients may be sent
}

// actorAppearance describes how clients display the actors of one template.
type actorAppearance struct {
	model     appearance.BedrockActor // entity type or skin, and size
	box       box                     // size of the actor's collision box at scale 1
	scale     float32                 // size factor, always positive
	eyeHeight float32                 // height above the feet, in blocks, of the position in packets; 0 for entities other than players and vehicles
	vehicle   move.VehicleType        // type of the vehicle if players can ride the actor, else move.NoVehicle
	kind      *move.VehicleKind       // physics constants of the vehicle; nil if players cannot ride the actor
}

// unknownTemplate is the appearance of actors whose template is not defined in the world: a player model.
var unknownTemplate = &actorAppearance{box: playerBox, scale: 1, eyeHeight: move.EyeHeight}

// isPlayerModel reports whether clients display the actors of the template as players.
func (ap *actorAppearance) isPlayerModel() bool { return ap.model.Entity == "" }

// itemModel is the entry in the clients' item registry with which clients display an item of the world.
type itemModel struct {
	id     int16 // id in the registry, from 1; 0 if the item is not displayed
	shield bool  // the item is minecraft:shield, whose packets have additional data

	depthStrider uint8 // level of the enchantment Depth Strider; 0 means none
}

// wireItem returns a stack of one item of this model in the form that packets contain. The stack has NBT data only if the
// item is enchanted.
func (t itemModel) wireItem() proto.Item {
	switch {
	case t.id == 0:
		return proto.Item{}
	case t.shield:
		return proto.ShieldItem(t.id)
	case t.depthStrider > 0:
		return proto.EnchantedItem(t.id, proto.EnchantmentDepthStrider, int16(t.depthStrider))
	}
	return proto.SimpleItem(t.id, 1, 0)
}

func newAppearanceTable(w *sim.World, models *appearance.Bedrock) *appearanceTable {
	tab := &appearanceTable{byTemplate: map[uint16]*actorAppearance{}, items: map[uint16]itemModel{}, projectiles: models.Projectiles}
	for i := range w.Templates {
		t := &w.Templates[i]
		tab.byTemplate[t.ID] = newActorAppearance(w, t, models.Actors[t.ID])
	}
	tab.numberItems(w, models)
	tab.entityKinds = proto.ActorIdentifiers(tab.usedEntityTypes(w))
	return tab
}

// ofTemplate returns the appearance of the actors of a template.
func (tab *appearanceTable) ofTemplate(template uint16) *actorAppearance {
	if ap := tab.byTemplate[template]; ap != nil {
		return ap
	}
	return unknownTemplate
}

func newActorAppearance(w *sim.World, t *sim.Template, model appearance.BedrockActor) *actorAppearance {
	ap := *unknownTemplate
	ap.model = model
	if model.Scale > 0 {
		ap.scale = model.Scale
	}
	if !ap.isPlayerModel() {
		ap.eyeHeight = 0
		known := false
		if ap.box, known = entityBoxes[model.Entity]; !known {
			ap.box = boxByRadius(w, t.Radius)
		}
	}
	if t.Vehicle != move.NoVehicle {
		ap.vehicle, ap.kind = t.Vehicle, &w.Rules.Predict.Vehicles[t.Vehicle]
		ap.box, ap.eyeHeight = box{ap.kind.Width, ap.kind.Height}, ap.kind.Offset
		return &ap
	}
	if model.Width > 0 {
		ap.box.width = model.Width
	}
	if model.Height > 0 {
		ap.box.height = model.Height
	}
	return &ap
}

// boxByRadius returns the collision box of an actor whose entity type is not in entityBoxes. The parameter radius is the radius
// of the actor's template in world units. The box is as wide and as high as twice the radius in blocks, but at least 0.25 and at
// most 8 blocks. The number of world units per block is that of the first area.
func boxByRadius(w *sim.World, radius float32) box {
	edge := playerBox.width
	if len(w.Areas) > 0 && w.Areas[0].BlockGrid.UnitsPerBlock > 0 {
		edge = 2 * radius / w.Areas[0].BlockGrid.UnitsPerBlock
	}
	edge = min(max(edge, 0.25), 8)
	return box{edge, edge}
}

// numberItems assigns a number to each item name of the world, beginning with 1. The number identifies the item in the
// clients' item registry. Items with equal names have one number.
func (tab *appearanceTable) numberItems(w *sim.World, models *appearance.Bedrock) {
	numbers := map[string]int16{}
	const most = 8000 // maximum number of items; the registry itself allows slightly more
	for i := range w.Items {
		item := w.Items[i].ID
		name := models.Items[item]
		if name == "" {
			continue
		}
		id := numbers[name]
		if id == 0 {
			if len(numbers) >= most {
				continue
			}
			id = int16(len(numbers) + 1)
			numbers[name] = id
			tab.registry.Items = append(tab.registry.Items, proto.ItemDefinition{Name: name, NetworkID: id, Version: proto.ItemVersionNone})
		}
		tab.items[item] = itemModel{id: id, shield: name == "minecraft:shield", depthStrider: w.Items[i].DepthStrider}
	}
}

// projectileType returns the entity type with which clients display a projectile.
func (tab *appearanceTable) projectileType(p *combat.Projectile) string {
	if p != nil && tab.projectiles[p.ID] != "" {
		return tab.projectiles[p.ID]
	}
	return defaultProjectile
}

const defaultProjectile = "minecraft:arrow"

// usedEntityTypes returns the entity types that clients may be sent, sorted and without duplicates.
func (tab *appearanceTable) usedEntityTypes(w *sim.World) []string {
	var types []string
	for _, ap := range tab.byTemplate {
		if !ap.isPlayerModel() {
			types = append(types, ap.model.Entity)
		}
	}
	for i := range w.Projectiles {
		types = append(types, tab.projectileType(&w.Projectiles[i]))
	}
	slices.Sort(types)
	return slices.Compact(types)
}
