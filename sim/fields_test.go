package sim

import (
	"bytes"
	"reflect"
	"slices"
	"strings"
	"testing"
	"unsafe"

	"github.com/truestep-io/truestep/sim/geom"
	"github.com/truestep-io/truestep/sim/rng"
)

// differing returns the names of the fields that only one of two lists has, or that have different values.
func differing(a, b []Field) (names []string) {
	for _, pair := range [][2][]Field{{a, b}, {b, a}} {
		has := map[Field]bool{}
		for _, f := range pair[1] {
			has[f] = true
		}
		for _, f := range pair[0] {
			if !has[f] {
				names = append(names, f.Name)
			}
		}
	}
	return names
}

func TestFieldListsOfAreasAreEqualIfAndOnlyIfSnapshotsAreEqual(t *testing.T) {
	w := crowdedWorld(t)
	a, random := fillArea(t, w, 60), rng.New(5)
	for tick := range 15 {
		snapshot, fields := a.Snapshot(nil), a.Fields()
		copied, err := Restore(w, snapshot)
		if err != nil {
			t.Fatal(err)
		}
		if diff := differing(fields, copied.Fields()); diff != nil {
			t.Fatalf("tick %d: a restored copy has other %q", tick, diff)
		}
		at := slices.IndexFunc(fields, func(f Field) bool { return f.Entity != 0 })
		if at <= 0 || slices.ContainsFunc(fields[at:], func(f Field) bool { return f.Entity == 0 }) {
			t.Fatal("the fields of the area do not stand before those of its actors")
		}
		a.Recycle(a.Step(crowdIntents(w, a, random, tick)))
		if bytes.Equal(a.Snapshot(nil), snapshot) != (differing(fields, a.Fields()) == nil) {
			t.Fatalf("tick %d: fields and snapshots disagree on whether the tick changed the state", tick)
		}
	}
}

func TestFieldListOfAreaShowsChangeOfAnyActorField(t *testing.T) {
	w := testWorld()
	w.Schema = gameTestSchema()
	typ := reflect.TypeFor[actor]()
	exempt := append(slices.Clone(derivedFields["actor"]),
		"gone", "intentCount", "tickPos", // used only while a tick runs, so not part of the state
		"player", "tmpl", "authority", "record", "spawn") // a state in which only one of these is changed is inconsistent
	for i := range typ.NumField() {
		field := typ.Field(i)
		if slices.Contains(exempt, field.Name) {
			continue
		}
		a := NewArea(w, 0, 1)
		a.Step([]Intent{joinAt(w, 1, geom.Vec{})})
		before := a.Fields()
		v := reflect.NewAt(field.Type, unsafe.Pointer(reflect.ValueOf(a.actors[0]).Elem().Field(i).UnsafeAddr())).Elem()
		if !changeValue(v) {
			t.Fatalf("field %s: do not know how to change a %v", field.Name, field.Type)
		}
		if _, err := Restore(w, a.Snapshot(nil)); err != nil {
			continue // the changed field is an id, and no actor has the new one
		}
		names := differing(before, a.Fields())
		if len(names) == 0 {
			t.Errorf("no field tells that %s has changed", field.Name)
		}
		for _, name := range names {
			if !strings.HasPrefix(name, field.Name) {
				t.Errorf("a change of %s changes %s", field.Name, name)
			}
		}
	}
}

func TestFieldListOfFrameHasActorAndValueOfEachEvent(t *testing.T) {
	w := testWorld()
	a := NewArea(w, 0, 1)
	f := a.Step([]Intent{joinAt(w, 3, geom.Vec{X: 2}), {Kind: IntentChat, Who: 3, Text: "hello"}})
	want := Field{3, "event[1].Text", `"hello"`}
	if list := f.EventFields(); !slices.Contains(list, want) || !slices.Contains(list, Field{3, "event[0].Pos.X", "2"}) {
		t.Errorf("%+v does not have %+v and the position of the first event", list, want)
	}
}
