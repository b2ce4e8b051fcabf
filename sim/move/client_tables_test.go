package move

import (
	"bytes"
	"encoding/json"
	"flag"
	"os"
	"reflect"
	"strings"
	"testing"

	"github.com/truestep-io/truestep/sim/geom"
)

var update = flag.Bool("update", false, "rewrite the table of the JavaScript test client")

// clientTables is the file from which the JavaScript test client reads the constants of vehicles and liquids.
const clientTables = "../../e2e/bedrock/testdata/movement_tables.json"

// The JavaScript client implements the physics itself and reads the constants of vehicles and liquids from generated tables.
func TestGeneratedTablesOfJavaScriptClientAreCurrent(t *testing.T) {
	vehicles, liquids := map[string]any{}, map[string]any{}
	for i, k := range DefaultVehicleKinds() {
		if vt := VehicleType(i); vt.Valid() {
			vehicles[vt.String()] = tableOf(reflect.ValueOf(k))
		}
	}
	l := reflect.ValueOf(DefaultLiquids())
	for i := range l.NumField() {
		liquids[lowerFirst(l.Type().Field(i).Name)] = tableOf(l.Field(i))
	}
	want, err := json.MarshalIndent(map[string]any{"vehicles": vehicles, "liquids": liquids}, "", "  ")
	if err != nil {
		t.Fatal(err)
	}
	want = append(want, '\n')
	if *update {
		if err := os.WriteFile(clientTables, want, 0o644); err != nil {
			t.Fatal(err)
		}
	}
	if got, err := os.ReadFile(clientTables); err != nil || !bytes.Equal(got, want) {
		t.Errorf("%s is not current (%v): run go test ./sim/move -run TablesOfJavaScript -update", clientTables, err)
	}
}

// tableOf converts a struct to JSON values: names in lower camel case, vectors as lists.
func tableOf(v reflect.Value) any {
	if p, ok := v.Interface().(geom.Vec); ok {
		return [3]float32{p.X, p.Y, p.Z}
	}
	switch v.Kind() {
	case reflect.Struct:
		out := map[string]any{}
		for i := range v.NumField() {
			out[lowerFirst(v.Type().Field(i).Name)] = tableOf(v.Field(i))
		}
		return out
	case reflect.Array:
		list := make([]any, v.Len())
		for i := range list {
			list[i] = tableOf(v.Index(i))
		}
		return list
	}
	return v.Interface()
}

func lowerFirst(s string) string { return strings.ToLower(s[:1]) + s[1:] }
