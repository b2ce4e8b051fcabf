package bedrock

import (
	"slices"
	"strings"

	proto "github.com/truestep-io/truestep/proto/bedrock"
	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/combat"
	"github.com/truestep-io/truestep/sim/move"
)

// wardrobe is what clients of this door are shown of the templates and items of a world. It is made once and only read.
type appearanceTable struct {
	byTemplate  map[uint16]*actorAppearance // by template
	items       map[uint16]itemModel        // by item of the world; those that are not shown are missing
	registry    proto.ItemRegistry          // the kinds of items, by the numbers that things have
	entityKinds proto.AvailableActorIdentifiers
}

// look is how the actors of a template are shown.
type actorAppearance struct {
	model     sim.EntityModel
	box       box     // at scale 1
	scale     float32 // > 0
	eyeHeight float32 // how high over the feet is what packets call their position; 0 for entities
}

// stranger is the look of templates that the world does not know.
var unknownTemplate = &actorAppearance{box: playerBox, scale: 1, eyeHeight: move.EyeHeight}

// person tells whether the actor looks like a player.
func (ap *actorAppearance) isPlayerModel() bool { return ap.model.Entity == "" }

// thing is an item as clients know it.
type itemModel struct {
	id     int16 // of the registry, > 0
	shield bool
}

// item is one of it; without a tag, and no block.
func (t itemModel) wireItem() proto.Item {
	switch {
	case t.id == 0:
		return proto.Item{}
	case t.shield:
		return proto.ShieldItem(t.id)
	}
	return proto.SimpleItem(t.id, 1, 0)
}

func newAppearanceTable(w *sim.World) *appearanceTable {
	tab := &appearanceTable{byTemplate: map[uint16]*actorAppearance{}, items: map[uint16]itemModel{}}
	for i := range w.Templates {
		tab.byTemplate[w.Templates[i].ID] = newActorAppearance(w, &w.Templates[i])
	}
	tab.numberItems(w)
	tab.entityKinds = proto.ActorIdentifiers(entityKinds(w))
	return tab
}

// look is that of a template.
func (tab *appearanceTable) ofTemplate(template uint16) *actorAppearance {
	if ap := tab.byTemplate[template]; ap != nil {
		return ap
	}
	return unknownTemplate
}

func newActorAppearance(w *sim.World, t *sim.Template) *actorAppearance {
	ap := *unknownTemplate
	ap.model = t.EntityModel
	if t.EntityModel.Scale > 0 {
		ap.scale = t.EntityModel.Scale
	}
	if !ap.isPlayerModel() {
		ap.eyeHeight = 0
		known := false
		if ap.box, known = entityBoxes[t.EntityModel.Entity]; !known {
			ap.box = boxByRadius(w, t.Radius)
		}
	}
	if t.EntityModel.Width > 0 {
		ap.box.width = t.EntityModel.Width
	}
	if t.EntityModel.Height > 0 {
		ap.box.height = t.EntityModel.Height
	}
	return &ap
}

// boxByRadius is a box for an entity that is not known, as wide and high as its template is. Areas may differ in scale;
// the first decides.
func boxByRadius(w *sim.World, radius float32) box {
	edge := playerBox.width
	if len(w.Areas) > 0 && w.Areas[0].BlockGrid.UnitsPerBlock > 0 {
		edge = 2 * radius / w.Areas[0].BlockGrid.UnitsPerBlock
	}
	edge = min(max(edge, 0.25), 8)
	return box{edge, edge}
}

// stock numbers the items that the world names, each kind once.
func (tab *appearanceTable) numberItems(w *sim.World) {
	numbers := map[string]int16{}
	const most = 8000 // what a registry may hold is a little more
	for i := range w.Items {
		it := &w.Items[i]
		if it.EntityItem == "" {
			continue
		}
		id := numbers[it.EntityItem]
		if id == 0 {
			if len(numbers) >= most {
				continue
			}
			id = int16(len(numbers) + 1)
			numbers[it.EntityItem] = id
			tab.registry.Items = append(tab.registry.Items, proto.ItemDefinition{Name: it.EntityItem, NetworkID: id, Version: proto.ItemNoVersion})
		}
		tab.items[it.ID] = itemModel{id: id, shield: it.EntityItem == "minecraft:shield"}
	}
}

// missileOf is the kind of entity that a projectile is shown as.
func projectileKind(p *combat.Projectile) string {
	if p != nil && p.EntityType != "" {
		return p.EntityType
	}
	return defaultProjectile
}

const defaultProjectile = "minecraft:arrow"

// kindsOf are the kinds of entities that clients may be shown, sorted.
func entityKinds(w *sim.World) []string {
	var kinds []string
	for i := range w.Templates {
		kinds = append(kinds, w.Templates[i].EntityModel.Entity)
	}
	for i := range w.Projectiles {
		kinds = append(kinds, projectileKind(&w.Projectiles[i]))
	}
	slices.SortFunc(kinds, strings.Compare)
	kinds = slices.Compact(kinds)
	return slices.DeleteFunc(kinds, func(k string) bool { return k == "" })
}
