package sim

import (
	"reflect"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

// The test fails if the snapshot codec omits a field of a record. The field would be lost when another node takes over
// the area.
func TestSnapshotCoversWholeRecordOfPlayer(t *testing.T) {
	w := testWorld()
	typ := reflect.TypeFor[Character]()
	for i := range typ.NumField() {
		name := typ.Field(i).Name
		in := joinAt(w, 1, geom.Vec{})
		c := *in.Join.Character
		switch v := reflect.ValueOf(&c).Elem().Field(i); name {
		case "Template":
			c.Template = tmplCow
		case "Pets":
			c.Pets = []Pet{{Template: tmplDog, Name: "Rex", Health: 3}}
		case "Dropped":
			c.Dropped = []DroppedItem{{Handle: 7, Stack: ItemStack{Item: 1, Amount: 2, Health: 3}}, {Stack: ItemStack{Item: 2, Amount: 1}}}
		case "Fields":
			c.Fields = []SavedField{{"mana", 7}, {"of another world", -1}}
		default:
			if !changeValue(v) {
				t.Fatalf("field %s: do not know how to change a %v", name, v.Type())
			}
		}
		in.Join.Character = &c
		a := NewArea(w, 0, 1)
		a.Step([]Intent{in})
		again, err := Restore(w, a.Snapshot(nil))
		if err != nil {
			t.Fatalf("%s: %v", name, err)
		}
		want, got := *a.actors[0].record, *again.actors[0].record
		if len(got.Pets) == 0 {
			got.Pets = want.Pets[:0] // nil and empty lists are equal here
		}
		if !reflect.DeepEqual(got, want) {
			t.Errorf("the snapshot loses %s: %+v, want %+v", name, got, want)
		}
	}
}
