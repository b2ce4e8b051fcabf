package content

import (
	"fmt"
	"reflect"
	"slices"
	"strings"

	"github.com/truestep-io/truestep/sim"
	"github.com/truestep-io/truestep/sim/move"
)

// RestartChange is a difference between the world that a server runs and its changed world file, if the change takes effect
// only after a restart.
type RestartChange struct {
	What string // what has changed, such as "area \"Vale\": walls"
	Why  string // why the change needs a restart
}

// Reasons why a change needs a restart, for RestartChange.Why.
const (
	whyTicks    = "areas, doors and clients count time in ticks"
	whyTape     = "the tape and the logins of clients name the world"
	whyAreas    = "each area has a goroutine, a tape and places in the memory of doors"
	whyTerrain  = "clients have loaded the area, and stand on it"
	whyEntering = "clients are told when they enter the area"
	whyLogin    = "clients load it when they log in"
	whyFigures  = "the attributes of all characters and NPCs are in the order of the former list"
	whyPredict  = "clients that predict their movement have loaded it"
	whyRows     = "doors lay out their tables of actors for it at the start"
	whyGame     = "clients and characters have the fields of the former game"
)

// Reload returns the world with which a running server continues after a reload. The parameter running is the world that the
// server runs. The parameter changed is the world of the changed world file. needsRestart lists the changes that need a restart.
// If there are any, next is nil, because a server applies a world file as a whole: tape and recovery identify the world by its
// file. Otherwise next is the changed world, except that it shares the terrain of the running one.
func Reload(running, changed *World) (next *World, needsRestart []RestartChange) {
	l := live{old: running.World, now: changed.World}
	l.checkWorld()
	l.checkAppearance(running, changed)
	l.checkItems()
	l.checkTemplates()
	l.checkAreas()
	if len(l.list) > 0 {
		return nil, l.list
	}
	w := *changed.World
	w.Areas = slices.Clone(w.Areas)
	for i := range w.Areas {
		a, old := &w.Areas[i], &running.Areas[i]
		a.Solids, a.Ground, a.Blocks, a.Walls, a.Floor = old.Solids, old.Ground, old.Blocks, old.Walls, old.Floor
	}
	return &World{&w, changed.Appearance}, nil
}

// live compares the world that a server runs with the changed world, and lists the changes that need a restart.
type live struct {
	old, now *sim.World
	list     []RestartChange
}

func (l *live) add(why, what string, args ...any) {
	l.list = append(l.list, RestartChange{fmt.Sprintf(what, args...), why})
}

// mustEqual adds a change that needs a restart to the list if the values old and now differ. The parameter what names the thing
// with these values, and why says why a server cannot change it while it runs.
func (l *live) mustEqual(why, what string, old, now any) {
	if !equal(reflect.ValueOf(old), reflect.ValueOf(now)) {
		l.add(why, "%s", what)
	}
}

func (l *live) checkWorld() {
	old, now := l.old, l.now
	l.mustEqual(whyTape, "the name of the world", old.Name, now.Name)
	l.mustEqual(whyTicks, "ticks per second", old.TicksPerSecond, now.TicksPerSecond)
	l.mustEqual(whyFigures, "attributes", old.Attributes, now.Attributes)
	l.mustEqual(whyFigures, "roles of attributes", old.Roles, now.Roles)
	l.mustEqual(whyLogin, "names of damage types", old.DamageNames, now.DamageNames)
	for i := range old.Factions {
		if old.Factions[i].Name != now.Factions[i].Name {
			l.add(whyLogin, "the name of faction %d", i)
		}
	}
	ids := func(w *sim.World) (list []uint16) {
		for i := range w.Projectiles {
			list = append(list, w.Projectiles[i].ID)
		}
		return list
	}
	l.mustEqual(whyLogin, "the list of projectiles", ids(old), ids(now))
	p, q := &old.Rules.Predict, &now.Rules.Predict
	l.mustEqual(whyPredict, "movement in liquids", p.Liquids, q.Liquids)
	l.mustEqual(whyPredict, "the movement of vehicles", p.Vehicles, q.Vehicles)
	l.mustEqual(whyPredict, "the length of the history of clients", p.History, q.History)
	l.mustEqual(whyRows, "the maximum of actors per area", old.Rules.MaxActors, now.Rules.MaxActors)
	l.mustEqual(whyGame, "the data of the game", old.Schema, now.Schema)
	l.mustEqual(whyGame, "whether the world has rules of a game", old.Game != nil, now.Game != nil)
}

func (l *live) checkAppearance(before, after *World) {
	old, now := before.Appearance, after.Appearance
	for i := range l.old.Templates {
		t := &l.old.Templates[i]
		_, had := old.RuneScape.Actors[t.ID]
		if _, has := now.RuneScape.Actors[t.ID]; t.Vehicle != move.NoVehicle && has != had {
			l.add(whyRows, "whether the rs door draws the vehicle %d %s", t.ID, t.Race)
		}
	}
	l.mustEqual(whyLogin, "looks of the bedrock door", old.Bedrock, now.Bedrock)
}

func (l *live) checkItems() {
	matchIDs(l, "item", l.old.Items, l.now.Items, itemKey, func(title string, old, now *sim.Item) {
		for _, part := range []struct {
			why, what string
			old, now  any
		}{
			{whyLogin, "name", old.Name, now.Name},
			{whyLogin, "kind", old.Kind, now.Kind},
			{whyLogin, "slot", old.SlotKind, now.SlotKind},
			{whyLogin, "whether it stacks", old.Stackable, now.Stackable},
			{whyLogin, "whether it wears out", old.TakesDamage, now.TakesDamage},
			{whyLogin, "race and class that can use it", old.ExclusiveRace + "/" + old.ExclusiveClass, now.ExclusiveRace + "/" + now.ExclusiveClass},
			{whyPredict, "whether its wearer glides", old.Glides, now.Glides},
			{whyPredict, "its depth strider", old.DepthStrider, now.DepthStrider},
		} {
			l.mustEqual(part.why, title+": "+part.what, part.old, part.now)
		}
	})
}

func (l *live) checkTemplates() {
	matchIDs(l, "template", l.old.Templates, l.now.Templates, templateKey, func(title string, old, now *sim.Template) {
		for _, part := range []struct {
			what     string
			old, now any
		}{
			{"race", old.Race, now.Race},
			{"class", old.Class, now.Class},
			{"description", old.Description, now.Description},
			{"radius", old.Radius, now.Radius},
			{"genders", old.Genders, now.Genders},
			{"whether players can choose it", old.Playable, now.Playable},
			{"whether it can be ridden", old.Rideable, now.Rideable},
			{"what vehicle it is", old.Vehicle, now.Vehicle},
			{"environment", old.Environment, now.Environment},
			{"slots", old.Slots, now.Slots},
		} {
			l.mustEqual(whyLogin, title+": "+part.what, part.old, part.now)
		}
	})
}

// matchIDs calls compare for each record that both worlds have. A record that only one of the worlds has needs a restart,
// because clients load the list of ids when they log in. The parameter kind is the word for such a record, as in "item".
func matchIDs[T any](l *live, kind string, old, now []T, key func(*T) (key, name string), compare func(title string, old, now *T)) {
	matchRecords(old, now, key,
		func(r *T) { l.add(whyLogin, "%s is removed", recordTitle(kind, r, key)) },
		func(old, now *T) { compare(recordTitle(kind, old, key), old, now) },
		func(r *T) { l.add(whyLogin, "%s is new", recordTitle(kind, r, key)) })
}

func (l *live) checkAreas() {
	names := func(w *sim.World) (list []string) {
		for i := range w.Areas {
			list = append(list, w.Areas[i].Name)
		}
		return list
	}
	if old, now := names(l.old), names(l.now); !slices.Equal(old, now) {
		l.add(whyAreas, "the list of areas: %s, was %s", strings.Join(now, ", "), strings.Join(old, ", "))
		return
	}
	for i := range l.old.Areas {
		l.checkArea(&l.old.Areas[i], &l.now.Areas[i])
	}
}

func (l *live) checkArea(old, now *sim.AreaDef) {
	title := fmt.Sprintf("area %q: ", old.Name)
	for _, part := range []struct {
		why, what string
		old, now  any
	}{
		{whyTerrain, "tiles", old.Tiles, now.Tiles},
		{whyTerrain, "the grid of blocks", old.BlockGrid, now.BlockGrid},
		{whyTerrain, "solids", old.Solids, now.Solids},
		{whyTerrain, "obstacles", old.Ground, now.Ground},
		{whyTerrain, "blocks", old.Blocks, now.Blocks},
		{whyTerrain, "walls", old.Walls, now.Walls},
		{whyTerrain, "heights of the ground", old.Floor, now.Floor},
		{whyTerrain, "waters", placesOfWaters(old), placesOfWaters(now)},
		{whyEntering, "PvP", old.PvP, now.PvP},
		{whyEntering, "gravity", old.Gravity, now.Gravity},
	} {
		l.mustEqual(part.why, title+part.what, part.old, part.now)
	}
}

// placesOfWaters returns the waters of an area with their damage set to 0. A comparison of the results finds the changes
// that clients would have to be told. The damage is known only to the server.
func placesOfWaters(a *sim.AreaDef) []sim.Water {
	list := slices.Clone(a.Waters)
	for i := range list {
		list[i].Damage, list[i].DamageType = 0, 0
	}
	return list
}
