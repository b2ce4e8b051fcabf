package content

import (
	"encoding/binary"
	"math"
	"testing/fstest"
)

// fileWriter encodes the primitive values of project files.
type fileWriter struct{ b []byte }

func (w *fileWriter) u8(vs ...uint8) { w.b = append(w.b, vs...) }

func (w *fileWriter) flag(v bool) {
	if v {
		w.u8(1)
	} else {
		w.u8(0)
	}
}

func (w *fileWriter) u16(vs ...uint16) {
	for _, v := range vs {
		w.b = binary.LittleEndian.AppendUint16(w.b, v)
	}
}

func (w *fileWriter) i32(vs ...int32) {
	for _, v := range vs {
		w.b = binary.LittleEndian.AppendUint32(w.b, uint32(v))
	}
}

func (w *fileWriter) f32(vs ...float32) {
	for _, v := range vs {
		w.b = binary.LittleEndian.AppendUint32(w.b, math.Float32bits(v))
	}
}

func (w *fileWriter) str(vs ...string) {
	for _, v := range vs {
		w.i32(int32(len(v)))
		w.b = append(w.b, v...)
	}
}

// testProject is a project that a test builds and modifies before it is written.
type testProject struct {
	misc        rcMisc
	fixed       rcFixed
	attributes  rcAttributes
	damage      [20]string
	factions    rcFactions
	actors      []rcActor
	items       []rcItem
	always      bool // write Items.dat in the layout "always"
	projectiles []rcProjectile
	spells      []rcSpell
	areas       []*rcArea
	filter      string
}

// smallProject returns a project with one record of every kind: a player, an animal, a sword, a bow, and two areas linked to each other.
func smallProject() *testProject {
	p := &testProject{
		misc: rcMisc{
			StartGold: 50, CombatDelay: 1000, CombatFormula: 1, ArmourDamage: true, AllowAccountCreation: true,
			MaxAccountChars: 4, ServerPort: 25123,
		},
		fixed:    rcFixed{Health: 0, Energy: noMedia, Breath: noMedia, Toughness: 6, Strength: 2, Speed: 4},
		damage:   [20]string{"Piercing", "Slashing"},
		items:    []rcItem{testItem(0, 2, "Jerkin"), testItem(3, 1, "Sword"), testItem(4, 1, "Bow"), testItem(9, 7, "Letter")},
		filter:   "; refused\n\nking\r\n",
		spells:   []rcSpell{{ID: 0, Name: "Spark", RechargeTime: 8000}},
		factions: rcFactions{},
	}
	p.projectiles = []rcProjectile{{ID: 1, Name: "Arrow", Mesh: noMedia, HitChance: 80, Damage: 5, Speed: 65}}
	p.items[2].WeaponType, p.items[2].RangedProjectile, p.items[2].Range = 3, 1, 40
	p.attributes.AssignmentPoints = 10
	for i, name := range map[int]string{0: "Health", 2: "Strength", 4: "Speed", 6: "Toughness"} {
		p.attributes.Attributes[i].Name = name
	}
	p.factions.Names[0] = "All"
	for i := range p.factions.Ratings {
		for j := range p.factions.Ratings[i] {
			p.factions.Ratings[i][j] = 100
		}
	}
	p.actors = []rcActor{testActor(0, "Human"), testActor(1, "Stag")}
	p.actors[0].Playable, p.actors[0].StartArea, p.actors[0].StartPortal = true, "meadow", "START"
	p.actors[1].Aggressiveness = 1
	p.areas = []*rcArea{testArea("Meadow", "Moor"), testArea("Moor", "Meadow")}
	return p
}

func testActor(id uint16, race string) rcActor {
	a := rcActor{ID: id, Race: race, Scale: 1, Radius: 20, AggressiveRange: 50, InventorySlots: -1, XpMultiplier: 10}
	for i := range a.AttributeValue {
		a.AttributeValue[i], a.AttributeMaximum[i] = 50, 100
	}
	for i := range a.Resistances {
		a.Resistances[i] = 100
	}
	return a
}

func testItem(id uint16, kind uint8, name string) rcItem {
	it := rcItem{ID: id, Type: kind, Name: name, SlotType: 11}
	switch kind {
	case 1:
		it.SlotType, it.WeaponDamage, it.WeaponType = 1, 10, 1
	case 2:
		it.SlotType, it.ArmourLevel = 4, 2
	case 7:
		it.MiscData = "Dear friend"
	}
	return it
}

// testArea returns an area with a portal "Start" in slot 0, an entrance to another area in slot 2, two waypoints and a spawn.
func testArea(name, leadsTo string) *rcArea {
	a := &rcArea{
		Name: name, Gravity: 300, Outdoors: true, Triggers: make([]rcTrigger, rcTriggers),
		Waypoints: make([]rcWaypoint, rcWaypoints), Portals: make([]rcPortal, rcPortals), Spawns: make([]rcSpawn, rcSpawns),
		Waters: []rcWater{{X: 1, Y: 2, Z: 3, Width: 4, Depth: 5}},
	}
	for i := range a.Waypoints {
		a.Waypoints[i].NextA, a.Waypoints[i].NextB, a.Waypoints[i].Prev = rcUnused, rcUnused, rcUnused
	}
	for i := range a.Spawns {
		a.Spawns[i].Frequency = 10
	}
	a.Portals[0] = rcPortal{Name: "Start", X: 10, Y: 1, Z: -10, Size: 5, Yaw: 90}
	a.Portals[2] = rcPortal{Name: "Gate", LinkArea: leadsTo, LinkPortal: "start", X: 90, Size: 5}
	a.Waypoints[0] = rcWaypoint{X: 40, NextA: 1, NextB: 2000, Prev: 2000, Pause: 3}
	a.Waypoints[1] = rcWaypoint{X: 60, NextA: 2000, NextB: 2000, Prev: 0}
	a.Spawns[0] = rcSpawn{Actor: 1, Waypoint: 0, Size: 5, Max: 2, Frequency: 10}
	return a
}

// files returns the encoded files of the project.
func (p *testProject) files() fstest.MapFS {
	m := fstest.MapFS{}
	for name, b := range map[string][]byte{
		"Misc.dat": p.miscFile(), "Fixed Attributes.dat": p.fixedFile(), "Attributes.dat": p.attributesFile(),
		"Damage.dat": writeStrings(p.damage[:]), "Factions.dat": p.factionsFile(), "Actors.dat": writeActors(p.actors),
		"Items.dat": writeItems(p.items, p.always), "Projectiles.dat": p.projectilesFile(), "Spells.dat": p.spellsFile(),
		"Names Filter.txt": []byte(p.filter), "Environment.dat": environmentFile(), "Accounts.dat": nil,
	} {
		m[serverData+"/"+name] = &fstest.MapFile{Data: b}
	}
	for _, a := range p.areas {
		m[areaFolder+"/"+a.Name+".dat"] = &fstest.MapFile{Data: writeArea(a)}
	}
	return m
}

func writeStrings(list []string) []byte {
	var w fileWriter
	w.str(list...)
	return w.b
}

func environmentFile() []byte {
	var w fileWriter
	w.i32(1, 1, 12, 0, 10)
	for range 12 {
		w.str("Season")
		w.i32(1, 19, 6)
	}
	for range 20 {
		w.str("Month")
		w.i32(1)
	}
	return w.b
}

func (p *testProject) miscFile() []byte {
	var w fileWriter
	m := p.misc
	w.i32(m.StartGold, m.StartReputation)
	w.flag(m.ForcePortals)
	w.u16(m.CombatDelay)
	w.u8(m.CombatFormula)
	w.flag(m.WeaponDamage)
	w.flag(m.ArmourDamage)
	w.u8(m.CombatRatingAdjust)
	w.flag(m.AllowAccountCreation)
	w.u8(m.MaxAccountChars)
	w.i32(m.ServerPort)
	w.flag(m.RequireMemorise)
	return w.b
}

func (p *testProject) fixedFile() []byte {
	var w fileWriter
	f := p.fixed
	w.u16(f.Health, f.Energy, f.Breath, f.Toughness, f.Strength, f.Speed)
	return w.b
}

func (p *testProject) attributesFile() []byte {
	var w fileWriter
	w.u8(p.attributes.AssignmentPoints)
	for _, a := range p.attributes.Attributes {
		w.str(a.Name)
		w.flag(a.IsSkill)
		w.flag(a.Hidden)
	}
	return w.b
}

func (p *testProject) factionsFile() []byte {
	var w fileWriter
	w.str(p.factions.Names[:]...)
	for _, row := range p.factions.Ratings {
		w.u8(row[:]...)
	}
	return w.b
}

func (p *testProject) projectilesFile() []byte {
	var w fileWriter
	for _, r := range p.projectiles {
		w.u16(r.ID)
		w.str(r.Name)
		w.u16(r.Mesh)
		w.str(r.Emitter1, r.Emitter2)
		w.u16(r.Emitter1Texture, r.Emitter2Texture)
		w.flag(r.Homing)
		w.u8(r.HitChance)
		w.u16(r.Damage, r.DamageType)
		w.u8(r.Speed)
	}
	return w.b
}

func (p *testProject) spellsFile() []byte {
	var w fileWriter
	for _, s := range p.spells {
		w.u16(s.ID)
		w.str(s.Name, s.Description)
		w.u16(s.ThumbnailTexture)
		w.str(s.ExclusiveRace, s.ExclusiveClass)
		w.i32(s.RechargeTime)
		w.str(s.Script, s.Method)
	}
	return w.b
}

func writeActors(list []rcActor) []byte {
	var w fileWriter
	for _, a := range list {
		w.u16(a.ID)
		w.str(a.Race, a.Class, a.Description, a.StartArea, a.StartPortal)
		w.u16(a.MaleAnimationSet, a.FemaleAnimationSet)
		w.f32(a.Scale, a.Radius)
		w.u16(a.Meshes[:]...)
		for _, row := range [][5]uint16{a.Beards, a.MaleHairs, a.FemaleHairs, a.MaleFaces, a.FemaleFaces, a.MaleBodies, a.FemaleBodies} {
			w.u16(row[:]...)
		}
		w.u16(a.MaleSpeech[:]...)
		w.u16(a.FemaleSpeech[:]...)
		w.u16(a.BloodTexture)
		for i := range a.AttributeValue {
			w.u16(a.AttributeValue[i], a.AttributeMaximum[i])
		}
		w.u16(a.Resistances[:]...)
		w.u8(a.Genders)
		w.flag(a.Playable)
		w.flag(a.Rideable)
		w.u8(a.Aggressiveness)
		w.i32(a.AggressiveRange)
		w.u8(a.TradeMode, a.Environment)
		w.i32(a.InventorySlots)
		w.u8(a.DefaultDamageType, a.DefaultFaction)
		w.i32(a.XpMultiplier)
		w.flag(a.PolyCollision)
	}
	return w.b
}

func writeItems(list []rcItem, always bool) []byte {
	var w fileWriter
	for _, it := range list {
		w.u16(it.ID)
		w.str(it.Name, it.ExclusiveRace, it.ExclusiveClass, it.Script, it.Method)
		w.u8(it.Type)
		w.i32(it.Value)
		w.u16(it.Mass)
		w.flag(it.TakesDamage)
		w.u16(it.ThumbnailTexture)
		w.u16(it.Gubbins[:]...)
		w.u16(it.MaleMesh, it.FemaleMesh, it.SlotType)
		w.flag(it.Stackable)
		for _, a := range it.Attributes {
			w.u16(uint16(a + itemOffset))
		}
		switch it.Type {
		case 1:
			w.u16(it.WeaponDamage, it.WeaponDamageType, it.WeaponType, it.RangedProjectile)
			w.f32(it.Range)
			w.str(it.RangedAnimation)
		case 2:
			w.u16(it.ArmourLevel)
		case 4, 5:
			w.u16(it.EatEffectsLength)
		case 6:
			w.u16(it.ImageTexture)
		}
		if always || it.Type == 7 {
			w.str(it.MiscData)
		}
	}
	return w.b
}

func writeArea(a *rcArea) []byte {
	var w fileWriter
	w.u8(a.WeatherChance[:]...)
	w.str(a.EntryScript, a.ExitScript)
	w.flag(a.Pvp)
	w.u16(a.Gravity)
	w.flag(a.Outdoors)
	w.str(a.WeatherLink)
	for _, t := range a.Triggers {
		w.f32(t.X, t.Y, t.Z, t.Size)
		w.str(t.Script, t.Method)
	}
	for _, p := range a.Waypoints {
		w.f32(p.X, p.Y, p.Z)
		w.u16(p.NextA, p.NextB, p.Prev)
		w.i32(p.Pause)
	}
	for _, p := range a.Portals {
		w.str(p.Name, p.LinkArea, p.LinkPortal)
		w.f32(p.X, p.Y, p.Z, p.Size, p.Yaw)
	}
	for _, s := range a.Spawns {
		w.u16(s.Actor, s.Waypoint)
		w.f32(s.Size)
		w.str(s.SpawnScript, s.ActorScript, s.DeathScript)
		w.u16(s.Max, s.Frequency)
		w.f32(s.Range)
	}
	w.u16(uint16(len(a.Waters)))
	for _, x := range a.Waters {
		w.f32(x.X, x.Y, x.Z, x.Width, x.Depth)
		w.u16(x.Damage, x.DamageType)
	}
	return w.b
}
