package server

import (
	"reflect"
	"testing"

	"github.com/truestep-io/truestep/sim"
)

func TestCompareFieldsReturnsDifferencesInOrderOfFields(t *testing.T) {
	f := func(who sim.EntityID, name, value string) sim.Field {
		return sim.Field{Entity: who, Name: name, Value: value}
	}
	for _, c := range []struct {
		name        string
		mine, other []sim.Field
		want        []fieldDifference
	}{
		{"equal", []sim.Field{f(0, "now", "3"), f(1, "pos.X", "2")}, []sim.Field{f(0, "now", "3"), f(1, "pos.X", "2")}, nil},
		{"other value", []sim.Field{f(1, "pos.X", "2"), f(1, "yaw", "5")}, []sim.Field{f(1, "pos.X", "3"), f(1, "yaw", "6")},
			[]fieldDifference{{f(1, "pos.X", "2"), "3"}, {f(1, "yaw", "5"), "6"}}},
		{"zero in one", []sim.Field{f(1, "pos.Y", "1"), f(2, "gold", "9")}, []sim.Field{f(1, "pos.X", "4"), f(1, "pos.Y", "2"), f(3, "gold", "8")},
			[]fieldDifference{{f(1, "pos.X", zeroField), "4"}, {f(1, "pos.Y", "1"), "2"}, {f(2, "gold", "9"), zeroField}, {f(3, "gold", zeroField), "8"}}},
		{"another order", []sim.Field{f(1, "a", "1"), f(1, "b", "2"), f(1, "c", "3")}, []sim.Field{f(1, "c", "3"), f(1, "a", "1"), f(1, "b", "5")},
			[]fieldDifference{{f(1, "b", "2"), "5"}}},
		{"one is empty", nil, []sim.Field{f(1, "a", "1")}, []fieldDifference{{f(1, "a", zeroField), "1"}}},
		{"a field twice", []sim.Field{f(1, "a", "1")}, []sim.Field{f(1, "a", "1"), f(1, "a", "1")}, nil},
	} {
		if got := compareFields(c.mine, c.other); !reflect.DeepEqual(got, c.want) {
			t.Errorf("%s: %+v, want %+v", c.name, got, c.want)
		}
	}
}
