package sim

import (
	"bytes"
	"fmt"
	"maps"
	"reflect"
	"slices"
	"sync"
	"testing"
	"unsafe"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/move"
	"github.com/truestep-io/truestep/sim/rng"
)

// crowdedWorld is a world with walls, in which every kind of actor state occurs.
func crowdedWorld(t testing.TB) *World {
	w := wallIn(t, ridingWorld(), block(10, -50, 11, 50), block(-40, -50, -39, 50))
	w.Areas[0].Spawns = []Spawn{{Template: tmplVendor, Size: 40, Max: 3, PeriodMS: 3000}}
	w.Items[itemHerb-1].Use = []Effect{{Kind: EffectSpeed, Level: 1, Ticks: 100}}
	w.Areas[0].Zones = []EffectZone{{Min: geom.Vec{X: -50, Y: -100, Z: -50}, Max: geom.Vec{X: 50, Y: 100, Z: 50}, Effect: Effect{Kind: EffectSlowness, Level: 1, Ticks: 40}}}
	w.Schema = gameTestSchema()
	return w
}

// fillArea adds n actors to a new area and runs 40 ticks. Half of the actors are players, a third of them each under the
// claim, path and predict authority and one in ten with a pet. The others are NPCs of six templates, among them horses
// and boats.
func fillArea(t testing.TB, w *World, n int) *Area {
	a := NewArea(w, 0, 7)
	random := rng.New(3)
	at := func() geom.Vec { return geom.Vec{X: random.Symmetric(400), Z: random.Symmetric(300)} }
	var joins []Intent
	for i := range n / 2 {
		in := joinAt(w, EntityID(i+1), at())
		in.Join.Authority = move.Authority(i % 3)
		c := in.Join.Character
		c.Inventory[SlotWeapon] = ItemStack{Item: uint16(random.Between(1, 3)), Amount: 1, Health: 90}
		c.Inventory[SlotBackpack] = ItemStack{Item: itemHerb, Amount: 9, Health: 100}
		if i%10 == 0 {
			in.Join.Pets = []Pet{{Template: tmplDog, Name: "Rex"}}
		}
		joins = append(joins, in)
	}
	a.Recycle(a.Step(joins))
	for _, template := range []uint16{tmplWolf, tmplDeer, tmplHorse, tmplBoat, tmplCow, tmplHawk} {
		for range n / 12 {
			y := npc(a, template, at())
			y.mode, y.waypoint = modePatrol, 0
			y.headFor(at().X, at().Z)
			if w.Template(template).Vehicle != move.NoVehicle {
				y.vehicle = &move.Vehicle{Type: w.Template(template).Vehicle}
			}
		}
	}
	for tick := range 40 {
		a.Recycle(a.Step(crowdIntents(w, a, random, tick)))
	}
	return a
}

// crowdIntents returns random intents of the players in an area for one tick. Each intent is of a kind that the player's
// authority supports.
func crowdIntents(w *World, a *Area, random *rng.Stream, tick int) []Intent {
	ins := randomIntents(w, random, tick, 60)
	for _, x := range a.actors {
		if !x.player || random.IntN(4) > 0 {
			continue
		}
		in := Intent{Who: x.id, AtMS: int64(tick) * 50}
		switch p := x.authority.(type) {
		case *predictAuthority:
			in.Kind, in.Input = IntentInput, move.Input{Tick: p.NewestTick + uint64(random.Between(1, 2)), Move: [2]float32{0, 1}, Pos: p.Avatar.Pos}
			if random.IntN(8) == 0 {
				in.Kind, in.Amount = IntentUseItem, 1
			}
		case *pathAuthority:
			in.Kind, in.Tile = IntentPath, move.Tile{X: uint16(3200 + random.Between(-40, 40)), Z: uint16(3200 + random.Between(-40, 40))}
		default:
			in.Kind, in.Claim = IntentClaim, move.Claim{X: x.pos.X, Z: x.pos.Z, DestX: random.Symmetric(300), DestZ: random.Symmetric(200)}
		}
		ins = append(ins, in)
	}
	return ins
}

func TestCloneHasSameSnapshotAndFramesAsOriginalArea(t *testing.T) {
	w := crowdedWorld(t)
	var memory Area // reused for all seeds, so that a larger copy is followed by a smaller one
	for seed, n := range []int{200, 40, 120} {
		a, random := fillArea(t, w, n), rng.New(uint64(seed))
		for tick := range 150 {
			if tick%10 == 0 {
				a.CloneInto(&memory)
				if !bytes.Equal(memory.Snapshot(nil), a.Snapshot(nil)) {
					t.Fatalf("%d actors, tick %d: the snapshot of the clone differs", n, tick)
				}
			}
			ins := crowdIntents(w, a, random, tick)
			f, g := a.Step(ins), memory.Step(ins)
			if f.Hash != g.Hash {
				t.Fatalf("%d actors, tick %d: hash %x, of the clone %x", n, tick, f.Hash, g.Hash)
			}
			sameFrame(t, f, g)
			for _, c := range []*Area{a, &memory} {
				if wrong := checkBonds(c); wrong != "" {
					t.Fatalf("%d actors, tick %d: %s", n, tick, wrong)
				}
			}
			a.Recycle(f)
			memory.Recycle(g)
		}
	}
}

// The area executes ticks while another goroutine encodes a clone of it. With -race, the test fails if area and clone
// share memory that changes.
func TestCloneDoesNotChangeWhenOriginalAreaSteps(t *testing.T) {
	w := crowdedWorld(t)
	a, random := fillArea(t, w, 120), rng.New(5)
	var clone Area
	for tick := range 60 {
		want := a.Snapshot(nil)
		a.CloneInto(&clone)
		var got []byte
		var wg sync.WaitGroup
		wg.Go(func() { got = clone.Snapshot(nil) })
		for step := range 4 {
			a.Recycle(a.Step(crowdIntents(w, a, random, 4*tick+step)))
		}
		wg.Wait()
		if !bytes.Equal(got, want) {
			t.Fatalf("tick %d: the snapshot of the clone changed while the area stepped", a.now)
		}
		if !bytes.Equal(clone.Snapshot(nil), want) {
			t.Fatalf("tick %d: the clone changed with the area", a.now)
		}
	}
}

// cloneRules lists every field of an area's state that is a reference, and states how CloneInto copies it.
var cloneRules = map[string]string{
	"Area.world": "shared", "Area.def": "shared", // immutable
	"Area.rng": "copied", "Area.actors": "copied", "Area.spawns": "copied", "Area.ground": "copied", "Area.byID": "copied",
	"Area.outboxes": "copied", "Area.arrived": "copied", "outbox.waiting": "copied",
	"departure.join":      "shared",   // immutable
	"Area.places":         "elements", // an array of structs, whose fields have their own rows in this table
	"placesOfTick.list":   "copied",
	"Area.cloneMemory":    "own",
	"Area.pendingAttacks": "dropped", "Area.frame": "dropped", "Area.free": "dropped", "Area.grid": "dropped", "Area.xs": "dropped",
	"Area.zs": "dropped", "Area.near": "dropped", "Area.scratch": "dropped", "Area.pathfinder": "dropped", "Area.duePaths": "dropped",
	"Area.dueRoutes": "dropped", "Area.gameHand": "dropped",
	"Area.fields": "copied", "actor.fields": "copied",

	"actor.tmpl": "shared", "actor.body": "shared", "actor.record": "shared", "actor.weapon": "shared", // immutable
	"actor.name": "shared", "actor.tag": "shared",
	"actor.inv":       "shared", // the slots are copied, but they share the items' immutable attributes (ItemStack.Attr)
	"actor.authority": "copied", "actor.effects": "copied", "actor.vehicle": "copied", "actor.pets": "copied",

	"groundItem.GroundItem": "shared", // the attributes of the item, which are immutable

	"predictAuthority.queue": "copied",
	"goalAuthority.route":    "copied",
}

// The test fails if a field that refers to other memory is missing in cloneRules, or if CloneInto does not copy a field
// as cloneRules states.
func TestCloneCopiesEachReferenceFieldAccordingToCloneRules(t *testing.T) {
	found := map[string]bool{}
	for _, typ := range []reflect.Type{
		reflect.TypeFor[Area](), reflect.TypeFor[actor](), reflect.TypeFor[spawnState](), reflect.TypeFor[groundItem](), reflect.TypeFor[effectState](),
		reflect.TypeFor[placesOfTick](), reflect.TypeFor[outbox](), reflect.TypeFor[departure](), reflect.TypeFor[arrivals](),
		reflect.TypeFor[move.Vehicle](), reflect.TypeFor[rng.Stream](), reflect.TypeFor[claimAuthority](), reflect.TypeFor[pathAuthority](),
		reflect.TypeFor[predictAuthority](), reflect.TypeFor[action](), reflect.TypeFor[goalAuthority](), reflect.TypeFor[route](),
	} {
		for i := range typ.NumField() {
			if f := typ.Field(i); refersToMemory(f.Type) {
				found[typ.Name()+"."+f.Name] = true
			}
		}
	}
	for _, name := range slices.Sorted(maps.Keys(found)) {
		if cloneRules[name] == "" {
			t.Errorf("%s refers to other memory and has no row in cloneRules", name)
		}
	}
	for name := range cloneRules {
		if !found[name] {
			t.Errorf("cloneRules has a row for %s, which is no field with a reference", name)
		}
	}

	a := fillArea(t, crowdedWorld(t), 200)
	arrival := joinAt(a.world, 1000, geom.Vec{X: 30, Z: 30})
	arrival.Join.From, arrival.Join.Seq = areaTown, 1
	a.Step([]Intent{
		{Kind: IntentTeleport, Who: 1, To: areaTown, Join: &Join{Portal: -1}}, arrival, joinAt(a.world, 1001, geom.Vec{X: 30, Z: 30}),
		{Kind: IntentDrop, Who: 2, SlotA: SlotBackpack, Amount: 1}, {Kind: IntentDrop, Who: 3, SlotA: SlotBackpack, Amount: 1},
	})
	var clone Area
	a.CloneInto(&clone)
	seen := map[string]bool{}
	check := func(original, copied any) { checkReferences(t, seen, original, copied) }
	check(a, &clone)
	for i := range a.outboxes {
		check(&a.outboxes[i], &clone.outboxes[i])
	}
	for i := range a.rewindTicks {
		check(&a.places[i], &clone.places[i])
	}
	for i, x := range a.actors {
		y := clone.actors[i]
		check(x, y)
		switch p := x.authority.(type) {
		case *predictAuthority:
			check(p, y.authority)
		case *goalAuthority:
			check(p, y.authority)
		}
	}
	for name, rule := range cloneRules {
		if rule == "copied" && !seen[name] {
			t.Errorf("no actor has %s set, so its copy is not checked", name)
		}
	}
}

// refersToMemory reports whether copying a value of the type copies references.
func refersToMemory(typ reflect.Type) bool {
	switch typ.Kind() {
	case reflect.Pointer, reflect.Slice, reflect.Map, reflect.Interface, reflect.Func, reflect.Chan, reflect.UnsafePointer, reflect.String:
		return true
	case reflect.Array:
		return refersToMemory(typ.Elem())
	case reflect.Struct:
		return slices.ContainsFunc(reflect.VisibleFields(typ), func(f reflect.StructField) bool { return len(f.Index) == 1 && refersToMemory(f.Type) })
	}
	return false
}

// checkReferences checks that each reference in a struct was copied, shared or dropped in its copy as cloneRules states. It adds
// the names of the references that are not empty to seen.
func checkReferences(t *testing.T, seen map[string]bool, original, copied any) {
	t.Helper()
	p, q := reflect.ValueOf(original).Elem(), reflect.ValueOf(copied).Elem()
	for i := range p.NumField() {
		name := p.Type().Name() + "." + p.Type().Field(i).Name
		field := func(v reflect.Value) reflect.Value {
			v = reflect.NewAt(v.Field(i).Type(), unsafe.Pointer(v.Field(i).UnsafeAddr())).Elem()
			if v.Kind() == reflect.Interface {
				v = v.Elem()
			}
			return v
		}
		v, w := field(p), field(q)
		switch v.Kind() {
		case reflect.Pointer, reflect.Slice, reflect.Map:
		default:
			continue
		}
		set := !v.IsNil() && (v.Kind() != reflect.Slice || v.Len() > 0)
		switch rule := cloneRules[name]; {
		case rule == "dropped" && !w.IsNil():
			t.Errorf("%s is not dropped", name)
		case rule == "copied" && set && (w.IsNil() || v.Pointer() == w.Pointer()):
			t.Errorf("%s is not copied", name)
		case rule == "shared" && v.Pointer() != w.Pointer():
			t.Errorf("%s is copied although it is immutable", name)
		case rule == "own" && !v.IsNil() && v.Pointer() == w.Pointer():
			t.Errorf("%s is shared", name)
		}
		if set {
			seen[name] = true
		}
	}
}

func TestRepeatedCloneIntoSameAreaDoesNotAllocate(t *testing.T) {
	a := fillArea(t, crowdedWorld(t), 200)
	var clone Area
	a.CloneInto(&clone)
	a.CloneInto(&clone)
	if n := testing.AllocsPerRun(20, func() { a.CloneInto(&clone) }); n > 0 {
		t.Errorf("a clone into the memory of an earlier one allocates %v times, want 0", n)
	}
}

// BenchmarkCloneInto measures the time that a snapshot takes on an area's goroutine: a copy into memory of an earlier
// copy, and a copy into new memory. Another goroutine encodes the copy, which is not measured.
func BenchmarkCloneInto(b *testing.B) {
	const actors = 1000
	a := fillArea(b, crowdedWorld(b), actors)
	var clone Area
	var snapshot []byte
	for _, part := range []struct {
		name string
		run  func()
	}{
		{"clone", func() { a.CloneInto(&clone) }},
		{"clone-new-memory", func() { a.CloneInto(new(Area)) }},
		{"encode", func() { snapshot = a.Snapshot(snapshot[:0]) }},
	} {
		b.Run(fmt.Sprintf("%s/actors=%d", part.name, len(a.actors)), func(b *testing.B) {
			part.run()
			b.ReportAllocs()
			for b.Loop() {
				part.run()
			}
			b.ReportMetric(float64(b.Elapsed().Nanoseconds())/float64(b.N)/float64(len(a.actors)), "ns/actor")
		})
	}
}
