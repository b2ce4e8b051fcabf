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
type wardrobe struct {
	looks    map[uint16]*look   // by template
	items    map[uint16]thing   // by item of the world; those that are not shown are missing
	registry proto.ItemRegistry // the kinds of items, by the numbers that things have
	kinds    proto.AvailableActorIdentifiers
}

// look is how the actors of a template are shown.
type look struct {
	guise sim.EntityModel
	box   box     // at scale 1
	scale float32 // > 0
	eyes  float32 // how high over the feet is what packets call their position; 0 for entities
}

// stranger is the look of templates that the world does not know.
var stranger = &look{box: person, scale: 1, eyes: move.EyeHeight}

// person tells whether the actor looks like a player.
func (l *look) person() bool { return l.guise.Entity == "" }

// thing is an item as clients know it.
type thing struct {
	id     int16 // of the registry, > 0
	shield bool
}

// item is one of it; without a tag, and no block.
func (t thing) item() proto.Item {
	switch {
	case t.id == 0:
		return proto.Item{}
	case t.shield:
		return proto.ShieldItem(t.id)
	}
	return proto.SimpleItem(t.id, 1, 0)
}

func newWardrobe(w *sim.World) *wardrobe {
	d := &wardrobe{looks: map[uint16]*look{}, items: map[uint16]thing{}}
	for i := range w.Templates {
		d.looks[w.Templates[i].ID] = lookOf(w, &w.Templates[i])
	}
	d.stock(w)
	d.kinds = proto.ActorIdentifiers(kindsOf(w))
	return d
}

// look is that of a template.
func (d *wardrobe) look(template uint16) *look {
	if l := d.looks[template]; l != nil {
		return l
	}
	return stranger
}

func lookOf(w *sim.World, t *sim.Template) *look {
	l := *stranger
	l.guise = t.EntityModel
	if t.EntityModel.Scale > 0 {
		l.scale = t.EntityModel.Scale
	}
	if !l.person() {
		l.eyes = 0
		known := false
		if l.box, known = kindBoxes[t.EntityModel.Entity]; !known {
			l.box = boxByRadius(w, t.Radius)
		}
	}
	if t.EntityModel.Width > 0 {
		l.box.width = t.EntityModel.Width
	}
	if t.EntityModel.Height > 0 {
		l.box.height = t.EntityModel.Height
	}
	return &l
}

// boxByRadius is a box for an entity that is not known, as wide and high as its template is. Areas may differ in scale;
// the first decides.
func boxByRadius(w *sim.World, radius float32) box {
	edge := person.width
	if len(w.Areas) > 0 && w.Areas[0].BlockGrid.UnitsPerBlock > 0 {
		edge = 2 * radius / w.Areas[0].BlockGrid.UnitsPerBlock
	}
	edge = min(max(edge, 0.25), 8)
	return box{edge, edge}
}

// stock numbers the items that the world names, each kind once.
func (d *wardrobe) stock(w *sim.World) {
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
			d.registry.Items = append(d.registry.Items, proto.ItemDefinition{Name: it.EntityItem, NetworkID: id, Version: proto.ItemNoVersion})
		}
		d.items[it.ID] = thing{id: id, shield: it.EntityItem == "minecraft:shield"}
	}
}

// missileOf is the kind of entity that a projectile is shown as.
func missileOf(p *combat.Projectile) string {
	if p != nil && p.EntityType != "" {
		return p.EntityType
	}
	return arrow
}

const arrow = "minecraft:arrow"

// kindsOf are the kinds of entities that clients may be shown, sorted.
func kindsOf(w *sim.World) []string {
	var kinds []string
	for i := range w.Templates {
		kinds = append(kinds, w.Templates[i].EntityModel.Entity)
	}
	for i := range w.Projectiles {
		kinds = append(kinds, missileOf(&w.Projectiles[i]))
	}
	slices.SortFunc(kinds, strings.Compare)
	kinds = slices.Compact(kinds)
	return slices.DeleteFunc(kinds, func(k string) bool { return k == "" })
}
